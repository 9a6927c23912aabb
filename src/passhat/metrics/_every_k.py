"""What `pass@K` and `pass^K` share: one estimate for every k, from n and c alone.

The suite's value is the mean over its tasks; trials of different tasks are never pooled. The two differ in
three formulas, which stand in their own files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from passhat.metrics.base import Arm, Metric, Reading
from passhat.model.summary import Estimate, Row, Speaks
from passhat.stats import blocks, these_tasks
from passhat.stats.arrays import Array

_MOST_KS = 100
_Values = list[float | None]


@dataclass(frozen=True, slots=True)
class EveryK(Metric):
    """A metric with one estimate for every k up to the fewest valid trials of a task."""

    symbol: ClassVar[str] = ""
    on_task: ClassVar[str] = ""

    def value(self, n: Array, c: Array, k: int) -> Array:
        """The estimates of tasks with *n* trials and *c* passes."""
        raise TypeError(f"{type(self).__name__} is a contract: a metric of every k overrides value")

    def curve(self, n: Array, c: Array, upto: int) -> Array:
        """The mean over tasks for every k from 1."""
        raise TypeError(f"{type(self).__name__} is a contract: a metric of every k overrides curve")

    def interval(self, n: Array, c: Array, k: int, level: float) -> tuple[Array, Array]:
        """The intervals of tasks."""
        raise TypeError(f"{type(self).__name__} is a contract: a metric of every k overrides interval")

    @property
    def names(self) -> tuple[str, ...]:
        return (f"{self.symbol}K",)

    def k_of(self, name: str) -> int | None:
        found = re.fullmatch(rf"{re.escape(self.symbol)}([1-9][0-9]*)", name)
        return int(found[1]) if found else None

    def measure(self, reading: Reading) -> Iterator[Row]:
        for arm in reading.arms:
            yield Row(condition=arm.condition, estimates=tuple(self._suite(arm, reading)))
            columns = [self._tasks(arm, k, reading.level) for k in reading.ks]
            for task, *estimates in zip(arm.tasks, *columns, strict=True):
                yield Row(condition=arm.condition, task=task, estimates=tuple(estimates))

    def _suite(self, arm: Arm, reading: Reading) -> Iterator[Estimate]:
        """The mean over the tasks, for every k that all have trials for, and for the k's that are wanted."""
        import numpy as np

        fewest = int(arm.n.min())
        ks = sorted({*range(1, min(fewest, _MOST_KS) + 1), *reading.ks})
        values = self._means(arm.n, arm.c, ks)
        enough = [k for k in ks if k <= fewest]
        sizes: list[int] = blocks(arm.n, np.array(enough)).tolist() if enough else []
        sizes += [0] * (len(ks) - len(enough))
        lows, highs = _spans(values, sizes, reading.level)
        if_failed, if_passed = self._void_means(arm, ks)
        n, c, tasks = int(arm.n.sum()), int(arm.c.sum()), len(arm.tasks)
        poorest = f"{arm.tasks[int(arm.n.argmin())]!r} has {fewest}"
        for i, k in enumerate(ks):
            missing = values[i] is None
            yield Estimate(
                metric=f"{self.symbol}{k}",
                value=values[i],
                low=lows[i],
                high=highs[i],
                level=reading.level,
                n=n,
                c=c,
                k=k,
                tasks=tasks,
                blocks=sizes[i],
                method="" if missing else "unbiased, mean over tasks; Clopper-Pearson on blocks",
                speaks_of=Speaks.THESE_TASKS,
                reason=f"{self.symbol}{k} needs {_trials(k)} of each task, and {poorest}" if missing else "",
                if_voids_failed=if_failed[i],
                if_voids_passed=if_passed[i],
            )

    def _tasks(self, arm: Arm, k: int, level: float) -> Iterator[Estimate]:
        """Each task by itself, at one k."""
        values, lows, highs = self._each(arm.n, arm.c, k, level)
        if_failed, if_passed = self._void_each(arm, k)
        for i, (n, c) in enumerate(zip(arm.n.tolist(), arm.c.tolist(), strict=True)):
            missing = values[i] is None
            yield Estimate(
                metric=f"{self.symbol}{k}",
                value=values[i],
                low=lows[i],
                high=highs[i],
                level=level,
                n=n,
                c=c,
                k=k,
                blocks=n // k,
                method="" if missing else self.on_task,
                reason=f"{self.symbol}{k} needs {_trials(k)}, and {arm.tasks[i]!r} has {n}" if missing else "",
                if_voids_failed=if_failed[i],
                if_voids_passed=if_passed[i],
            )

    def _means(self, n: Array, c: Array, ks: Sequence[int]) -> _Values:
        """The mean over the tasks at each k; None beyond the trials of the poorest task."""
        fewest = int(n.min())
        upto = min(fewest, _MOST_KS)
        curve = self.curve(n, c, upto).tolist() if upto else []
        beyond = {k: float(self.value(n, c, k).mean()) for k in ks if upto < k <= fewest}
        return [curve[k - 1] if k <= upto else beyond.get(k) for k in ks]

    def _void_means(self, arm: Arm, ks: Sequence[int]) -> tuple[_Values, _Values]:
        """The means if every void trial had failed, and if every one had passed; None where none is void."""
        if not arm.void.any():
            return [None] * len(ks), [None] * len(ks)
        n = arm.n + arm.void
        return self._means(n, arm.c, ks), self._means(n, arm.c + arm.void, ks)

    def _each(self, n: Array, c: Array, k: int, level: float) -> tuple[_Values, _Values, _Values]:
        """Value and interval of each task; None where it has fewer than *k* trials."""
        enough = n >= k
        n, c = n[enough], c[enough]
        low, high = self.interval(n, c, k, level)
        return _placed(self.value(n, c, k), enough), _placed(low, enough), _placed(high, enough)

    def _void_each(self, arm: Arm, k: int) -> tuple[_Values, _Values]:
        """Each task's value if its void trials had failed, and if they had passed; None where none is."""
        n, c, void = arm.n + arm.void, arm.c, arm.void
        some = (void > 0) & (n >= k)
        n, c, void = n[some], c[some], void[some]
        return _placed(self.value(n, c, k), some), _placed(self.value(n, c + void, k), some)


def _placed(values: Array, where: Array) -> _Values:
    """*values* at the places that are true, and None at the others."""
    import numpy as np

    placed = np.full(where.shape, None, dtype=object)
    placed[where] = values
    found: _Values = placed.tolist()
    return found


def _spans(values: _Values, sizes: Sequence[int], level: float) -> tuple[_Values, _Values]:
    """The intervals of a suite's values, all at once."""
    import numpy as np

    known = np.array([value is not None for value in values])
    shares = np.array([value for value in values if value is not None])
    low, high = these_tasks(shares, np.array(sizes)[known], confidence=level)
    return _placed(low, known), _placed(high, known)


def _trials(k: int) -> str:
    return f"{k} valid trial" if k == 1 else f"{k} valid trials"
