"""What it took to come past faults, beyond what the same trial took without them: calls, seconds, tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite
from statistics import median

from passhat.metrics._estimates import NO_INTERVAL
from passhat.metrics._pairs import value
from passhat.metrics.base import Arm, Reading
from passhat.model.extra import Extra
from passhat.model.summary import Estimate, Speaks
from passhat.stats import median_interval

NAMES = ("extra_calls", "extra_seconds", "extra_tokens")
OF = "trials in which the agent saw a fault and recovered, beside a clean trial that passed"


def extras(arm: Arm, reading: Reading, took: Sequence[Extra]) -> Iterator[Estimate]:
    """The median of each, over the trials that *took* so much."""
    unsaid = "extra_tokens: not both trials of a pair say how many tokens they took: Answer(usage=Usage(…)) does"
    calls = [float(one.calls) for one in took if one.calls is not None]
    tokens = [float(one.tokens) for one in took if one.tokens is not None]
    yield _median(arm, reading, "extra_calls", calls, why="extra_calls: the trials left calls out" if took else "")
    yield _median(arm, reading, "extra_seconds", [one.seconds for one in took])
    yield _median(arm, reading, "extra_tokens", tokens, why=unsaid if took else "")


def _median(arm: Arm, reading: Reading, metric: str, numbers: Sequence[float], *, why: str = "") -> Estimate:
    """The median of *numbers* with its interval; *why* there are none, where that is not for want of trials.

    Tasks differ, so it is the median of all of them mixed: a sum of unlike chances spreads no more than one of like
    chances (Hoeffding 1956), and the interval keeps its level.
    """
    n = len(numbers)
    if not n:
        return value(arm, reading, metric, None, 0, reason=why or f"{metric}: there are no {OF}")
    low, high = median_interval(numbers, confidence=reading.level)
    bounded = isfinite(low)
    how = "from the ranks of the sign test" if bounded else f"{NO_INTERVAL}: too few for one"
    return Estimate(
        metric=metric,
        value=float(median(numbers)),
        low=low if bounded else None,
        high=high if bounded else None,
        level=reading.level,
        n=n,
        tasks=len(arm.tasks),
        method=f"median of {n:,} {OF}; {how}",
        speaks_of=Speaks.THESE_TASKS,
    )
