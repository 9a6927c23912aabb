"""A package with parts of every kind that is looked up by name, put where `importlib.metadata` finds it: no test."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.children import LIMIT

PARTS = '''
"""Parts of a third party."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from msgspec.structs import replace
from passhat.faults import Fault
from passhat.importers import Jsonl
from passhat.metrics import Metric, Reading
from passhat.model.condition import Phase, Visibility
from passhat.model.effect import PROCEED, Fail
from passhat.model.summary import Estimate, Row, Speaks, Summary
from passhat.model.verdict import Finding
from passhat.perturbations import Perturbation
from passhat.reports import Report
from passhat.rules import Rule
from passhat.rules.base import Claim
from passhat.stores import SqliteStore


@dataclass(frozen=True, slots=True)
class MyFault(Fault):
    """The tool is down for repair."""

    phase: ClassVar[Phase] = Phase.PRE
    visibility: ClassVar[Visibility] = Visibility.EXPLICIT

    hours: int = 2

    def on_call(self, call, dice):
        return Fail("down", f"503 Down for repair, back in {self.hours} h")


@dataclass(frozen=True, slots=True)
class MyWording(Perturbation):
    """Says please."""

    def perturb(self, text, dice):
        return f"Please: {text}" if text else None


@dataclass(frozen=True, slots=True)
class MyMetric(Metric):
    """`my_metric`: the passes of the suite."""

    def measure(self, reading: Reading) -> Iterator[Row]:
        for arm in reading.arms:
            passes, n = int(arm.c.sum()), int(arm.n.sum())
            value = float(passes) if n else None
            one = Estimate(
                metric=self.name, value=value, n=n, c=passes, tasks=len(arm.tasks), level=reading.level,
                speaks_of=Speaks.THESE_TASKS, method="counted", reason="" if n else "no trial counts",
            )
            yield Row(condition=arm.condition, estimates=(one,))


@dataclass(frozen=True, slots=True)
class MyRule(Rule):
    """At least so many trials passed."""

    form: ClassVar[str] = "my_passes >= VALUE"

    least: float

    def __str__(self) -> str:
        return f"my_passes >= {self.least!r}"

    @classmethod
    def read(cls, claim: Claim) -> "MyRule | None":
        return cls(claim.number) if (claim.name, claim.sign) == ("my_passes", ">=") else None

    def judge(self, summary: Summary) -> Sequence[Finding]:
        passes = sum(summary.tally.passed)
        return (Finding(rule=str(self), ok=passes >= self.least, reason=f"my rule saw {passes} passes"),)


@dataclass(frozen=True, slots=True)
class MyReport(Report):
    """One line."""

    def render(self, summary, verdict=None, *, trials=None) -> str:
        left_out = "" if trials else "; it leaves out the trials"
        return f"my report: {sum(summary.tally.passed)} passes{left_out}\\n"


@dataclass(frozen=True, slots=True)
class MyLog(Jsonl):
    """JSON lines, as another tool calls them."""

    level_of_trust: int = field(default=0, metadata={"help": "How much to trust it.", "metavar": "N"})

    def read(self, text, origin):
        read = Jsonl.read(self, text, origin)
        header = replace(read.header, suite=f"trusted {self.level_of_trust + 0}")
        return replace(read, header=header)


class MyStore(SqliteStore):
    """A store of its own."""
'''

ENTRY_POINTS: Mapping[str, Mapping[str, str]] = {
    "passhat.faults": {"my_fault": "my_parts:MyFault"},
    "passhat.perturbations": {"my_wording": "my_parts:MyWording"},
    "passhat.importers": {"my_log": "my_parts:MyLog"},
    "passhat.metrics": {"my_metric": "my_parts:MyMetric"},
    "passhat.rules": {"my_rule": "my_parts:MyRule"},
    "passhat.reports": {"my_report": "my_parts:MyReport"},
    "passhat.stores": {"my_store": "my_parts:MyStore"},
}

SUITE = '''
from passhat import Suite, Task, graders


class Desk:
    """One tool."""

    @property
    def tools(self):
        return {"refund": lambda order: f"refunded {order}"}


async def agent(message, tools):
    """Ask once."""
    try:
        return await tools.refund(order=7)
    except Exception as error:
        return f"could not: {error}"


suite = Suite(tasks=[Task("refund", "Refund order 7.", expect="refunded 7")], world=Desk, grader=graders.contains())
'''


def install(
    folder: Path, points: Mapping[str, Mapping[str, str]] = ENTRY_POINTS, *, name: str = "my-parts", source: str = PARTS
) -> None:
    """Put a package with these entry points, and its one module, into *folder*."""
    info = folder / f"{name.replace('-', '_')}-1.2.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n", encoding="utf-8")
    lines = [line for group, named in points.items() for line in (f"[{group}]", *map(" = ".join, named.items()))]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / f"{name.replace('-', '_')}.py").write_text(source, encoding="utf-8")


def python(folder: Path, *words: str, packages: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run Python in *folder*, with the packages of another folder beside its own."""
    paths = [str(packages)] if packages else []
    paths += [str(Path(path).resolve()) for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths), "COLUMNS": "100"}
    command = [sys.executable, *words]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=LIMIT, check=False
    )


def passhat(folder: Path, *words: str, packages: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a `passhat` command so."""
    return python(folder, "-m", "passhat", *words, packages=packages)
