"""A fault of a user's own file needs no package: the run takes the object, and the store its text."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.installed.package import SUITE, passhat, python

MAKE = '''
from dataclasses import dataclass
from typing import ClassVar

import passhat
from passhat.faults import Fault
from passhat.model.condition import Phase
from passhat.model.effect import Fail
from suite import agent, suite


@dataclass(frozen=True, slots=True)
class OutOfPaper(Fault):
    """The printer wants paper."""

    phase: ClassVar[Phase] = Phase.PRE

    tray: int = 1

    def on_call(self, call, dice):
        return Fail("paper", f"tray {self.tray} is empty")


if __name__ == "__main__":
    run = passhat.run(suite, agent, under=[OutOfPaper(tray=2).at(0.9)], trials=10, seed=1, store="passhat.db")
    print(run.header.conditions[1])
'''
NAME = "out_of_paper(tray=2, rate=0.9)"


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A folder with a run under the user's own fault, and without the files that made it."""
    home, other = tmp_path / "home", tmp_path / "elsewhere"
    home.mkdir()
    other.mkdir()
    (home / "suite.py").write_text(SUITE, encoding="utf-8")
    (home / "make.py").write_text(MAKE, encoding="utf-8")
    made = python(home, "make.py")
    assert (made.returncode, made.stdout) == (0, f"{NAME}\n"), made.stderr
    (home / "passhat.db").rename(other / "passhat.db")
    return other


def test_stored_run_is_reported_without_the_class(elsewhere: Path) -> None:
    """A process that doesn't have the class measures, judges and shows the run."""
    told = passhat(elsewhere, "report", "--require", f"pass^1 >= 0.5 under {NAME}")

    assert (told.returncode, "Traceback" in told.stderr) == (1, False), told.stderr
    assert NAME in told.stdout
    assert "10/10" in told.stdout


def test_fault_did_what_it_says(elsewhere: Path) -> None:
    """The trial shows what the agent was told by the fault, whose class is gone."""
    told = passhat(elsewhere, "show", "refund", "--under", NAME)

    assert told.returncode == 0, told.stderr
    assert "tray 2 is empty" in told.stdout


def test_fault_that_is_gone_cannot_be_run_by_its_name(elsewhere: Path) -> None:
    """To run is to have the class: the text alone is one clear sentence."""
    (elsewhere / "suite.py").write_text(SUITE, encoding="utf-8")

    told = passhat(elsewhere, "run", "suite.py:suite", "--agent", "suite.py:agent", "--under", NAME)

    assert told.returncode == 2
    assert "there is no fault or perturbation called 'out_of_paper'" in told.stderr
