"""passhat: will your AI agent do the job every time?

The names below are the whole public interface; each is loaded when it is first used, so that `import passhat` is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from passhat import agents, errors, faults, graders, metrics, perturbations, reports, rules, stats, testing
    from passhat.api import judge, measure, open_store, render, run, run_async
    from passhat.model.answer import Answer
    from passhat.model.condition import Condition
    from passhat.model.task import Suite, Task

_WHERE = {
    "Answer": "passhat.model.answer",
    "Condition": "passhat.model.condition",
    "Suite": "passhat.model.task",
    "Task": "passhat.model.task",
    "judge": "passhat.api",
    "measure": "passhat.api",
    "open_store": "passhat.api",
    "render": "passhat.api",
    "run": "passhat.api",
    "run_async": "passhat.api",
}

__all__ = [
    "Answer",
    "Condition",
    "Suite",
    "Task",
    "agents",
    "errors",
    "faults",
    "graders",
    "judge",
    "measure",
    "metrics",
    "open_store",
    "perturbations",
    "render",
    "reports",
    "rules",
    "run",
    "run_async",
    "stats",
    "testing",
]


def __getattr__(name: str) -> object:
    if name in _WHERE:
        return getattr(import_module(_WHERE[name]), name)
    if name in __all__:
        return import_module(f"passhat.{name}")
    raise AttributeError(f"module 'passhat' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
