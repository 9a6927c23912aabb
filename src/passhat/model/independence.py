"""Signs that the trials of a run are not independent, in words: what warnings tell, and what a rule goes by.

A sign is no proof. It says that the intervals may not hold, because they count trials as if each were a new one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from passhat.model.base import Noun
from passhat.model.run import Tally
from passhat.model.summary import Estimate, Row

IDENTICAL, DRIFT = "identical_share", "drift_p"
FALSE_ALARMS = 0.01  # in how many runs without any drift one is told of, over all conditions together


class Sign(Noun, kw_only=True):
    """What was seen under one condition; `told` goes on after the name of the condition."""

    condition: str
    metric: str
    told: str


def signs(tally: Tally, rows: Sequence[Row]) -> Iterator[Sign]:
    """Tasks of which all trials are identical, then outcomes that rise or fall over the run."""
    suite = [row for row in rows if row.task is None]
    for row in suite:
        found = row.get(IDENTICAL)
        if found is not None and found.c:
            yield Sign(condition=row.condition, metric=IDENTICAL, told=_identical(tally, row.condition, found))
    for row in suite:
        drift = row.get(DRIFT)
        if drift is not None and drift.value is not None and drift.value * len(tally.conditions) < FALSE_ALARMS:
            told = f"outcomes rise or fall over the run (drift_p {drift.value:.2g}): its trials are not all alike"
            yield Sign(condition=row.condition, metric=DRIFT, told=told)


def _identical(tally: Tally, condition: str, found: Estimate) -> str:
    first = found.examples[0][0] if found.examples else ""
    of = (
        f"{found.c:,} of {found.n:,} tasks"
        if found.c > 1 or not first
        else f"{first!r}, 1 of {found.n:,} task{'s' * (found.n > 1)},"
    )
    seen = tally.valid(tally.cell(tally.tasks.index(first), tally.conditions.index(condition))) if first else 0
    many = f"these {seen:,} trials" if seen else "they"
    often = f"{seen:,} times" if seen else "often"
    more = f" (the first: {first!r})" if found.c > 1 and first else ""
    return f"all trials of {of} are identical in answer, trace and usage{more}: {many} may be 1 trial seen {often}"
