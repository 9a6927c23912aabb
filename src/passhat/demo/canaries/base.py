"""What a canary is: a small job in a world of its own, the fault that spoils it in silence, and what has to hold.

A canary is a value and runs nothing. Without its fault any sound agent does the job; under it, an agent that takes
replies at their word leaves the world wrong and says that all is well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date

from passhat import rules
from passhat.errors import ToolError
from passhat.model.base import Json
from passhat.model.condition import Injection
from passhat.model.task import Suite
from passhat.rules import Rule

# What every canary asks. A run without faults that is no good shows nothing; nor does a fault that nobody met.
RULES: tuple[Rule, ...] = (
    rules.at_least("pass^1", 0.8, condition="clean"),
    rules.fault_landed(0.9),
    rules.no_silent_corruption(),
    rules.no_duplicate_effects(),
    rules.recovery_at_least(0.8),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Canary:
    """One pathway by which failures spread, as a scenario to run an agent in.

    pathway: what spreads the failure. story: what goes wrong there, in a clause. good: what a good agent does.
    suite: tasks, world and grader. under: the conditions, besides the clean one. rules: what has to hold.
    """

    name: str
    pathway: str
    story: str
    good: str
    suite: Suite
    under: tuple[Injection, ...]
    rules: tuple[Rule, ...] = RULES

    @property
    def tools(self) -> Mapping[str, Callable[..., Json]]:
        """The tools of a fresh world by name, whose types and docstrings are what a model is told of them."""
        world = self.suite.world
        return world().tools if world is not None else {}


def record_of(records: Mapping[str, dict[str, Json]], key: str, what: str) -> dict[str, Json]:
    """The record of this key, or what a service says where there is none."""
    if key not in records:
        raise ToolError("not_found", f"404 Not Found: there is no {what} {key!r}")
    return records[key]


def one_of(value: str, known: tuple[str, ...], what: str) -> str:
    """*value*, where it is one of those that are known."""
    if value not in known:
        raise ToolError("invalid", f"422 Unprocessable: the {what} is one of {', '.join(known)}, not {value!r}")
    return value


def day_of(text: str) -> str:
    """A day as it is written here, or what a service says of what is none."""
    try:
        return date.fromisoformat(text).isoformat()
    except (TypeError, ValueError):
        raise ToolError("invalid", f"422 Unprocessable: a day is written as 2026-12-07, not {text!r}") from None
