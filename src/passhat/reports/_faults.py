"""The table of faults: whether those of each condition landed, and how the agent took them, where that was measured.

And what the way of faults costs by itself, which a placebo shows. What both reports show stands above, the lines of a
screen below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from passhat.model.grammar import placebo_of
from passhat.model.summary import Estimate
from passhat.reports._cells import EMPTY, cell, reasons, titles
from passhat.reports._escape import for_terminal
from passhat.reports._figures import PER_CENT, SHARES, Notes, Unit, counted, interval, levels, reason
from passhat.reports._figures import seconds as duration
from passhat.reports._screen import GLUE, Line, Span, cells, columns, prose
from passhat.reports._view import Block

HEADS = ("planned", "never reached", "fired", "seen", "absorbed", "recovered", "safe", "silent corruption", "paths")
_INTERVALS = (5, 7)  # the columns that hold more than a count
_BESIDES = (1, 4)  # of these columns, the ones that stand below a row where there is no room
_PATHS = {
    "retry_share": "retry",
    "fallback_share": "fallback",
    "handoff_share": "user-handoff",
    "no_path_share": "none",
}
_NAME = 16  # columns of a condition's name, where others can do with less


@dataclass(frozen=True, slots=True)
class Taken:
    """How the faults of a condition were taken: how far they came in how many trials, and what came of it.

    `safe` counts the trials that failed safely; `paths` says how many took which path.
    """

    condition: str
    planned: int
    unreached: int
    fired: int
    seen: int
    absorbed: int
    recovered: Estimate
    safe: int
    silent: Estimate
    paths: str


def taken(shown: Sequence[Block]) -> tuple[Taken, ...]:
    """A row for each condition that plans a fault; none where recovery was not measured."""
    return tuple(found for block in shown if block.plans_fault and (found := _taken(block)) is not None)


def read_as(level: str, *, per_cent: bool = False) -> str:
    """What has to be known to read the table."""
    unit = ", in per cent" if per_cent else ""
    return (
        "planned, never reached (by a call), fired, seen (by the agent), absorbed (below it), safe (failures) and "
        "paths count valid trials; recovered is a share of those in which the agent saw a fault, silent corruption of "
        f"those in which one fired [{level}]{unit}"
    )


def level_of(rows: Sequence[Taken]) -> str:
    """The level of the intervals in the table."""
    return levels(one for row in rows for one in (row.recovered, row.silent))


def _taken(block: Block) -> Taken | None:
    landing = ("exposed_share", "unreached_share", "seen_share", "absorbed_share")
    names = (*landing, "recovered_share", "safe_failure_share", "silent_corruption_share")
    found = [one for one in map(block.suite.get, names) if one is not None]
    if len(found) < len(names):
        return None
    exposed, unreached, seen, absorbed, recovered, safe, silent = found
    return Taken(
        condition=block.condition,
        planned=exposed.n,
        unreached=unreached.c,
        fired=exposed.c,
        seen=seen.c,
        absorbed=absorbed.c,
        recovered=recovered,
        safe=safe.c,
        silent=silent,
        paths=_paths(block),
    )


def _paths(block: Block) -> str:
    """How many trials took which path."""
    taken_by = [(word, block.suite.get(name)) for name, word in _PATHS.items()]
    return " · ".join(f"{word} {one.c:,}" for word, one in taken_by if one is not None and one.c) or "-"


@dataclass(frozen=True, slots=True)
class Cost:
    """What a placebo does to trials: how many more pass, and how much longer they take."""

    condition: str
    passes: Estimate
    seconds: Estimate

    @property
    def texts(self) -> tuple[str, str]:
        """Both differences, each with its interval; or why there is none, and a dash."""
        if self.passes.value is None:
            return f"- ({reason(self.passes)})", "-"
        return _signed(self.passes, _as_points, " points"), _signed(self.seconds, _as_time)


def costs(shown: Sequence[Block]) -> tuple[Cost, ...]:
    """One for each placebo; none where it was not measured, or is no placebo."""
    found = ((block, block.suite.get("placebo_difference"), block.suite.get("placebo_seconds")) for block in shown)
    return tuple(
        Cost(block.condition, passes, seconds)
        for block, passes, seconds in found
        if passes is not None and seconds is not None and placebo_of(block.condition) is not None
    )


def cost_read_as(found: Sequence[Cost]) -> str:
    """What has to be known to read the costs."""
    level = levels(one for cost in found for one in (cost.passes, cost.seconds))
    return (
        "placebo: trials whose calls go the way of faults and meet none, less the same trials without it: in points of "
        f"the pass rate, where 0 should lie within, and in seconds of a trial, the median [{level}]"
    )


def _signed(estimate: Estimate, write: Callable[[float], str], unit: str = "") -> str:
    if estimate.value is None:
        return "-"
    if estimate.low is None or estimate.high is None:
        return f"{write(estimate.value)}{unit} [too few pairs for an interval]"
    return f"{write(estimate.value)} [{write(estimate.low)}, {write(estimate.high)}]{unit}"


def _as_points(difference: float) -> str:
    return f"{100 * difference:+.3g}".replace("-", "−") if difference else "0"


def _as_time(difference: float) -> str:
    sign = "" if not difference else "−" if difference < 0 else "+"
    return f"{sign}{duration(abs(difference))}"


def fault_lines(shown: Sequence[Block], width: int) -> Iterator[Line]:
    """All of it on a screen."""
    yield from _table_lines(shown, width)
    found = costs(shown)
    if not found:
        return
    yield EMPTY
    for cost, name in zip(found, titles([cost.condition for cost in found], _NAME), strict=True):
        text = for_terminal(cost.texts[0])
        if cost.passes.value is not None:
            facts = (*cost.texts, f"{counted(cost.passes.n, 'pair')} of trials")
            text = " · ".join(fact.replace(" ", GLUE) for fact in facts)
        yield from prose(text, width, label=(f"  {name}  ", "bold cyan"))
    yield from prose(cost_read_as(found), width, style="dim")


def _table_lines(shown: Sequence[Block], width: int) -> Iterator[Line]:
    """The table on a screen; what there is no room for beside a row stands below it."""
    rows = taken(shown)
    if not rows:
        return
    notes = Notes()
    unit, places, widths = _layout(rows, width)
    paths = max(cells(row.paths) for row in rows)
    beside = _left((*widths, paths), width) >= _NAME
    widths = (*widths, paths) if beside else widths
    names = titles([row.condition for row in rows], _left(widths, width))
    widths = (min(max(map(cells, (*names, "fault"))), _left(widths, width)), *widths)
    heads = ["fault", *(HEADS[place] for place in places), *(HEADS[-1:] if beside else ())]
    yield EMPTY
    yield from columns([[(head, "dim")] for head in heads], widths)
    for row, name in zip(rows, names, strict=True):
        texts = _cells(row, notes, unit)
        shown_cells = [[(name, "bold cyan")], *(texts[place] for place in places)]
        yield from columns([*shown_cells, cell(row.paths)] if beside else shown_cells, widths)
        if not beside:
            yield from prose(row.paths.replace(" ", GLUE), width, label=("    paths    ", "dim"))
        if len(places) < len(texts):
            besides = f"never reached {row.unreached:,} · absorbed {row.absorbed:,}"
            yield from prose(besides, width, label=("    besides  ", "dim"))
    yield from prose(read_as(level_of(rows), per_cent=unit is PER_CENT), width, style="dim")
    yield from reasons(notes, width)


def _layout(rows: Sequence[Taken], width: int) -> tuple[Unit, Sequence[int], tuple[int, ...]]:
    """The unit, which columns stand beside the name, and how wide they are: the first for which there is room."""
    every = tuple(range(len(HEADS) - 1))
    few = tuple(place for place in every if place not in _BESIDES)
    for unit, places in ((SHARES, every), (SHARES, few)):
        widths = _widths(rows, unit, places)
        if _left(widths, width) >= _NAME:
            return unit, places, widths
    return PER_CENT, few, _widths(rows, PER_CENT, few)


def _cells(row: Taken, notes: Notes, unit: Unit) -> list[list[Span]]:
    return [
        cell(f"{row.planned:,}"),
        cell(f"{row.unreached:,}"),
        cell(f"{row.fired:,}", "" if row.fired else "red"),
        cell(f"{row.seen:,}"),
        cell(f"{row.absorbed:,}"),
        cell(interval(row.recovered, notes, unit)),
        cell(f"{row.safe:,}"),
        cell(interval(row.silent, notes, unit), "red" if row.silent.c else ""),
    ]


def _widths(rows: Sequence[Taken], unit: Unit, places: Sequence[int]) -> tuple[int, ...]:
    """The columns right of the name: counts at the right of theirs, and a long head over two lines."""
    texts = [_cells(row, Notes(), unit) for row in rows]
    wide = [max(cells("".join(text for text, _ in row[place])) for row in texts) for place in places]
    heads = [max(map(len, HEADS[place].split())) for place in places]
    return tuple(
        max(pair) * (1 if place in _INTERVALS else -1) for place, *pair in zip(places, wide, heads, strict=True)
    )


def _left(widths: Sequence[int], width: int) -> int:
    """What is left for the name beside columns of these widths."""
    return width - sum(map(abs, widths)) - 2 * (len(widths) + 1)
