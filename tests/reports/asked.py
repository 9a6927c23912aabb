"""What somebody asked for besides, made by hand like the summaries: metrics, figures, recovery, a comparison."""

from __future__ import annotations

from msgspec.structs import replace

from passhat.metrics import summarize
from passhat.model.comparison import Comparison, Difference
from passhat.model.summary import Estimate, Row, Summary
from tests.reports.summaries import wilson


def asked_for(summary: Summary) -> Summary:
    """*summary* with a metric below 0, one that is extrapolated, one without a number, and the tasks' figures."""
    cells = [(task, name) for task in summary.tally.tasks for name in summary.tally.conditions]
    strips = dict(zip(cells, summary.strips, strict=True))
    rows = tuple(_more(row, strips, summary.tally.tasks[0]) for row in summary.rows)
    return replace(summary, rows=rows, asked=("icc", "modelled_pass^20", "loop_share", "naive_pass^5", "reliability"))


def _more(row: Row, strips: dict[tuple[str, str], str], first: str) -> Row:
    if row.task is not None:
        outcomes = [letter == "P" for letter in strips[row.task, row.condition] if letter != "V"]
        naive = Estimate(metric="naive_pass^5", value=(0.4, 0.9)[row.condition == "clean"], n=10, method="naive")
        few = (*row.estimates, naive) if row.task == first else row.estimates
        return replace(row, estimates=few, reliability=summarize(outcomes) if outcomes else None)
    more = (
        Estimate(metric="icc", value=-0.0276, n=80, tasks=8, method="ICC(1,1); no interval"),
        Estimate(metric="modelled_pass^20", value=0.23, low=0.1, high=0.4, n=80, tasks=8, method="model-extrapolated"),
        Estimate(metric="loop_share", value=None, tasks=8, reason="loop_share: no trial holds a tool call"),
    )
    return replace(row, estimates=(*row.estimates, *more))


def taken(summary: Summary, *, fired: int = 60, silent: int = 1) -> Summary:
    """*summary* with what the trials say of recovery, under each condition but the clean one."""
    seen = fired * 9 // 10
    counts = {
        "exposed_share": (fired, 77),
        "unreached_share": ((77 - fired) // 4, 77),
        "seen_share": (seen, fired),
        "absorbed_share": (fired - seen, fired),
        "recovered_share": (seen // 2, seen),
        "safe_failure_share": (seen // 3, seen),
        "silent_corruption_share": (silent, fired),
        "retry_share": (seen // 2, seen),
        "handoff_share": (seen // 10, seen),
        "no_path_share": (seen - seen // 2 - seen // 10, seen),
    }
    more = tuple(_share(name, c, n) for name, (c, n) in counts.items())
    rows = (
        replace(row, estimates=(*row.estimates, *more)) if row.task is None and row.condition != "clean" else row
        for row in summary.rows
    )
    return replace(summary, rows=tuple(rows))


def _share(metric: str, c: int, n: int) -> Estimate:
    if not n:
        return Estimate(metric=metric, value=None, reason=f"{metric}: there are no trials in which a fault fired")
    low, high = wilson(c, n)
    return Estimate(metric=metric, value=c / n, low=low, high=high, n=n, c=c, method="by hand")


def compared(summary: Summary, *, said: str = "under rate_limit pass@5 rose while pass^5 fell") -> Comparison:
    """*summary* against another day: a fall that is told from chance, a rise that is not, a number that is missing."""
    differences = []
    for condition in summary.tally.conditions:
        for metric, points in (("pass@1", 0.02), (f"pass^{summary.k}", -0.21), (f"pass@{summary.k}", None)):
            row = summary.suite_row(condition)
            estimate = row.get(metric) if row else None
            assert estimate is not None
            differences.append(_difference(metric, condition, estimate, points))
    return Comparison(
        before=summary.header,
        after=replace(summary.header, id="77aa01b2", agent_version="1.3", seed=8, same_seed=True),
        differences=tuple(differences),
        notices=(said,),
        warnings=(f"{said}: not compared",),
    )


def _difference(metric: str, condition: str, before: Estimate, points: float | None) -> Difference:
    if points is None:
        reason = "pass@5 needs 5 valid trials of each task, and 'cancel-order' has 4"
        after = Estimate(metric=metric, value=None, reason=reason, tasks=8, speaks_of=before.speaks_of)
        return Difference(metric=metric, condition=condition, before=before, after=after, value=None, reason=reason)
    after = replace(before, value=(before.value or 0.0) + points)
    return Difference(
        metric=metric,
        condition=condition,
        before=before,
        after=after,
        value=points,
        low=points - 0.15,
        high=points + 0.15,
        method="by hand",
    )
