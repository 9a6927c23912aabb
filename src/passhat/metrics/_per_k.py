"""What the metrics share that have figures of their own at each k: naming them, and saying where trials are too few."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, TypedDict

from passhat.metrics._estimates import of_suite, of_task, short, short_task
from passhat.metrics.base import Arm, Metric, Reading, numbers
from passhat.model.summary import Estimate, Row


class Found(TypedDict, total=False):
    """What such a metric finds: the number, how it was found, and its interval where it has one."""

    value: float
    method: str
    low: float
    high: float
    blocks: int
    approximate: bool


@dataclass(frozen=True, slots=True)
class PerK(Metric):
    """A metric with figures of the suite and of each task at each k that is wanted, shown where somebody asks."""

    usual: ClassVar[bool] = False

    def k_of(self, name: str) -> int | None:
        found = numbers(self.names, name)
        return found[-1] if found else None

    def names_at(self, k: int) -> tuple[str, ...]:
        """The names of its figures at *k*."""
        return tuple(name.replace("K", str(k)) for name in self.names)

    def needed(self, k: int) -> int:
        """How many trials of a task it takes."""
        return k

    def suite(self, arm: Arm, reading: Reading, name: str, k: int) -> Found:
        """The figure of this name for the suite."""
        raise TypeError(f"{type(self).__name__} is a contract: a metric of each k overrides suite")

    def task(self, arm: Arm, position: int, reading: Reading, name: str, k: int) -> Found:
        """The figure of this name for the task at this place."""
        raise TypeError(f"{type(self).__name__} is a contract: a metric of each k overrides task")

    def measure(self, reading: Reading) -> Iterator[Row]:
        for arm in reading.arms:
            yield Row(condition=arm.condition, estimates=tuple(self._suite(arm, reading)))
            for position, task in enumerate(arm.tasks):
                estimates = tuple(self._task(arm, position, reading))
                yield Row(condition=arm.condition, task=task, estimates=estimates)

    def _suite(self, arm: Arm, reading: Reading) -> Iterator[Estimate]:
        for name, k in self._wanted(reading):
            if reason := short(arm, name, self.needed(k)):
                yield of_suite(arm, reading, name, None, k=k, reason=reason)
            else:
                yield of_suite(arm, reading, name, k=k, **self.suite(arm, reading, name, k))

    def _task(self, arm: Arm, position: int, reading: Reading) -> Iterator[Estimate]:
        for name, k in self._wanted(reading):
            if reason := short_task(arm, position, name, self.needed(k)):
                yield of_task(arm, position, reading, name, None, k=k, reason=reason)
            else:
                yield of_task(arm, position, reading, name, k=k, **self.task(arm, position, reading, name, k))

    def _wanted(self, reading: Reading) -> Iterator[tuple[str, int]]:
        return ((name, k) for k in reading.ks for name in self.names_at(k))
