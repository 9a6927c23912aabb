"""What `pass@K` and `pass^K` share: one estimate for every k, from n and c alone.

The suite's value is the mean over its tasks; trials of different tasks are never pooled. It is estimated once, and has
two intervals: one speaks of these tasks, one of tasks like these. The two metrics differ in the formulas, which stand
in their own files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from passhat.metrics import _methods
from passhat.metrics.base import Arm, Metric, Reading, numbers
from passhat.model.summary import Estimate, Row, Speaks, Voids
from passhat.stats import blocks, suite_intervals
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

    def interval(self, n: Array, c: Array, k: int, level: float, method: str) -> tuple[Array, Array]:
        """The intervals of tasks."""
        raise TypeError(f"{type(self).__name__} is a contract: a metric of every k overrides interval")

    @property
    def names(self) -> tuple[str, ...]:
        return (f"{self.symbol}K",)

    def k_of(self, name: str) -> int | None:
        found = numbers(self.names, name)
        return found[0] if found else None

    def measure(self, reading: Reading) -> Iterator[Row]:
        for arm in reading.arms:
            yield Row(condition=arm.condition, estimates=tuple(self._suite(arm, reading)))
            columns = [self._tasks(arm, k, reading) for k in reading.ks]
            for task, *estimates in zip(arm.tasks, *columns, strict=True):
                yield Row(condition=arm.condition, task=task, estimates=tuple(estimates))

    def _suite(self, arm: Arm, reading: Reading) -> Iterator[Estimate]:
        """The mean over the tasks, for every k that all have trials for, and for the k's that are wanted."""
        fewest = int(arm.n.min())
        ks = sorted({*range(1, min(fewest, _MOST_KS) + 1), *reading.ks})
        values = self._means(arm.n, arm.c, ks)
        bounds = self._void_means(arm, ks, reading.voids)
        for speaks_of in sorted(
            (Speaks.THESE_TASKS, Speaks.TASKS_LIKE_THESE), key=lambda one: one != reading.speaks_of
        ):
            yield from self._suite_estimates(arm, reading, ks, values, bounds, speaks_of)

    def _suite_estimates(
        self,
        arm: Arm,
        reading: Reading,
        ks: Sequence[int],
        values: _Values,
        bounds: Sequence[_Values],
        speaks_of: Speaks,
    ) -> Iterator[Estimate]:
        """The same values with the intervals that answer one question."""
        fewest, tasks = int(arm.n.min()), len(arm.tasks)
        method = _methods.of_suite(reading.method, speaks_of)
        spans = self._spans(arm, [k for k in ks if _methods.applies(method, k, fewest, tasks)], reading, speaks_of)
        sizes = _sizes(arm.n, [k for k in ks if k <= fewest])
        poorest = f"{arm.tasks[int(arm.n.argmin())]!r} has {fewest}"
        words = f"unbiased, mean over tasks; {_methods.words(method)}"
        for i, k in enumerate(ks):
            low, high = spans.get(k, (None, None))
            yield Estimate(
                metric=f"{self.symbol}{k}",
                value=values[i],
                low=low,
                high=high,
                level=reading.level,
                n=int(arm.n.sum()),
                c=int(arm.c.sum()),
                k=k,
                tasks=tasks,
                blocks=sizes.get(k, 0),
                method=words if k <= fewest else "",
                speaks_of=speaks_of,
                reason="" if k <= fewest else f"{self.symbol}{k} needs {_trials(k)} of each task, and {poorest}",
                if_voids_failed=bounds[0][i],
                if_voids_passed=bounds[1][i],
                if_voids_excluded=bounds[2][i],
                approximate=k <= fewest and _methods.is_approximate(method),
            )

    def _spans(
        self, arm: Arm, ks: Sequence[int], reading: Reading, speaks_of: Speaks
    ) -> Mapping[int, tuple[float, float]]:
        """The suite's interval at each of *ks*."""
        if not ks:
            return {}
        lows, highs = suite_intervals(
            arm.n,
            arm.c,
            ks,
            metric=f"{self.symbol}k",
            tasks=_methods.TASKS[speaks_of],
            confidence=reading.level,
            method=_methods.of_suite(reading.method, speaks_of),
        )
        return dict(zip(ks, zip(lows.tolist(), highs.tolist(), strict=True), strict=True))

    def _tasks(self, arm: Arm, k: int, reading: Reading) -> Iterator[Estimate]:
        """Each task by itself, at one k."""
        method = _methods.of_rate(reading.method)
        values, lows, highs = self._each(arm.n, arm.c, k, reading.level, method)
        failed, passed, excluded = self._void_each(arm, k, reading.voids)
        words = f"unbiased; {self.on_task.format(_methods.words(method))}"
        for i, (n, c) in enumerate(zip(arm.n.tolist(), arm.c.tolist(), strict=True)):
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
                blocks=n // k,
                method="" if missing else words,
                reason=f"{self.symbol}{k} needs {_trials(k)}, and {arm.tasks[i]!r} has {n}" if missing else "",
                if_voids_failed=failed[i],
                if_voids_passed=passed[i],
                if_voids_excluded=excluded[i],
                approximate=not missing and _methods.is_approximate(method),
            )

    def _means(self, n: Array, c: Array, ks: Sequence[int]) -> _Values:
        """The mean over the tasks at each k; None beyond the trials of the poorest task."""
        fewest = int(n.min())
        upto = min(fewest, _MOST_KS)
        curve = self.curve(n, c, upto).tolist() if upto else []
        beyond = {k: float(self.value(n, c, k).mean()) for k in ks if upto < k <= fewest}
        return [curve[k - 1] if k <= upto else beyond.get(k) for k in ks]

    def _void_means(self, arm: Arm, ks: Sequence[int], voids: Voids) -> Sequence[_Values]:
        """The means if every void trial had failed, had passed, or had not been; None where none is void."""
        none: _Values = [None] * len(ks)
        if not arm.void.any():
            return none, none, none
        failed, passed = self._means(arm.all, arm.c, ks), self._means(arm.all, arm.c + arm.void, ks)
        return failed, passed, self._means(arm.valid, arm.c, ks) if voids is Voids.FAIL else none

    def _each(self, n: Array, c: Array, k: int, level: float, method: str) -> tuple[_Values, _Values, _Values]:
        """Value and interval of each task; None where it has fewer than *k* trials."""
        enough = n >= k
        n, c = n[enough], c[enough]
        low, high = self.interval(n, c, k, level, method)
        return _placed(self.value(n, c, k), enough), _placed(low, enough), _placed(high, enough)

    def _void_each(self, arm: Arm, k: int, voids: Voids) -> tuple[_Values, _Values, _Values]:
        """Each task's value if its void trials had failed, had passed, or had not been; None where none is."""
        some = (arm.void > 0) & (arm.all >= k)
        n, c, void = arm.all[some], arm.c[some], arm.void[some]
        few = (arm.void > 0) & (arm.valid >= k) & (voids is Voids.FAIL)
        return (
            _placed(self.value(n, c, k), some),
            _placed(self.value(n, c + void, k), some),
            _placed(self.value(arm.valid[few], arm.c[few], k), few),
        )


def _sizes(n: Array, ks: Sequence[int]) -> Mapping[int, int]:
    """How many blocks of k trials there are, for each of *ks*."""
    import numpy as np

    return dict(zip(ks, blocks(n, np.array(ks)).tolist(), strict=True)) if ks else {}


def _placed(values: Array, where: Array) -> _Values:
    """*values* at the places that are true, and None at the others."""
    import numpy as np

    placed = np.full(where.shape, None, dtype=object)
    placed[where] = values
    found: _Values = placed.tolist()
    return found


def _trials(k: int) -> str:
    return f"{k} valid trial" if k == 1 else f"{k} valid trials"
