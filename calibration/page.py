"""The tables of docs/calibration.md, and where they stand in it: between two marks for each part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np

from calibration.goals import EVERYWHERE
from calibration.grid import MIXES
from calibration.rates import LOOKS, Found
from calibration.runs import BOOTSTRAPPED, COMPARED, DIFFERENCES, DRAWS, FIXED_DRAWS, LOOKED_AT, Fixed, Whole
from calibration.suites import APPROXIMATE, SHOWN, Measured
from passhat.stats.methods import STANDINGS

PAGE = Path(__file__).resolve().parents[1] / "docs" / "calibration.md"
_GRIDS = ("gate", "display", "Korn–Graubard")


def part(text: str, name: str) -> str:
    """What stands between the marks of a part."""
    begin, end = _between(text, name)
    return text[begin:end]


def with_part(text: str, name: str, new: str) -> str:
    """The page with a part made anew."""
    begin, end = _between(text, name)
    return text[:begin] + new + text[end:]


def fixed_part(fixed: Fixed) -> str:
    """The tables that every test run makes again."""
    return _joined(
        "### One rate",
        "All n from 1 to 30, rates from .001 to .999 and beside every end of an interval; counted exactly.",
        _found(fixed.rates, "method", {one.name: STANDINGS[one.name].value for one in fixed.rates}),
        "### One task",
        "Clopper–Pearson for the rate, put to the power of k; all n from k to 30, counted exactly.",
        _found(fixed.tasks, "metric", dict.fromkeys((one.name for one in fixed.tasks), "exact")),
        "### Suites of 5 tasks with 4 or 10 trials",
        "Every outcome, all mixes, k of 1, 2, 5 and 10; counted exactly.",
        _summary(fixed.counted),
        "### 20 tasks × 10 trials",
        f"Coverage and mean width of the interval for pass^k; {FIXED_DRAWS:,} suites drawn for each number, so that"
        f" a coverage of .95 has a Monte Carlo error of {_error(FIXED_DRAWS)}.",
        _compared(fixed.compared),
    )


def whole_part(whole: Whole) -> str:
    """The tables of `make calibration`."""
    return _joined(
        "### All cells",
        f"5 tasks: every outcome, counted exactly. 20 and 100 tasks: {DRAWS:,} suites drawn for each cell, so that a"
        f" coverage of .95 has a Monte Carlo error of {_error(DRAWS)} (bootstrap: {BOOTSTRAPPED} suites,"
        f" {_error(BOOTSTRAPPED)}); a gate's at k = 1 is counted exactly.",
        _summary(whole.grid),
        "### The lowest cells",
        _lowest(whole.grid),
        "### Tasks with unequal trials",
        f"20 tasks; {DRAWS:,} suites drawn for each cell.",
        _summary(whole.unequal),
        "### At least so many of k",
        "These tasks, 10 and 30 trials. 5 tasks: counted exactly."
        f" 20 and 100 tasks: {DRAWS:,} suites drawn for each cell.",
        _summary(whole.at_least),
        *(text for name in _GRIDS for text in (f"### Cell by cell: {name}", _cells(whole.grid, name))),
        "### The difference of two rates",
        "From the interval of each; 10, 30 and 100 trials, 23 × 23 rates from .01 to .99; counted exactly.",
        _found(
            whole.differences, "interval of each", dict.fromkeys(DIFFERENCES, STANDINGS["mover"].value), width=False
        ),
        "### Looking after every trial",
        f"How likely the interval leaves the true rate out at one look or more of {LOOKS}; counted exactly.",
        _table(["rate", *(f"{rate:g}" for rate in LOOKED_AT)], [["ever outside", *map(_three, whole.outside)]]),
    )


def _between(text: str, name: str) -> tuple[int, int]:
    """Where a part begins and ends: between its two marks."""
    begin, end = f"<!-- {name}: made by calibration, begin -->\n", f"<!-- {name}: end -->"
    return text.index(begin) + len(begin), text.index(end)


def _joined(*texts: str) -> str:
    return "\n" + "\n\n".join(text.rstrip("\n") for text in texts) + "\n\n"


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = list(head)
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _three(value: float) -> str:
    return f"{value:.3f}"


def _error(draws: int) -> str:
    return f"{np.sqrt(0.95 * 0.05 / draws):.4f}"


def _found(found: list[Found], what: str, known: Mapping[str, str], *, width: bool = True) -> str:
    head = [what, "known to be", "lowest coverage", "at", "mean coverage"]
    rows = [[one.name, known[one.name], _three(one.lowest), one.where, _three(one.mean)] for one in found]
    if width:
        head.append("mean width at n = 10, rate .9")
        rows = [[*row, _three(one.width)] for row, one in zip(rows, found, strict=True)]
    return _table(head, rows)


def _summary(cells: list[Measured]) -> str:
    """A row for each interval and metric: over how many cells, the lowest and the mean, and how wide."""
    head = [
        "interval",
        "metric",
        "cells",
        "lowest coverage",
        "mean",
        'mean without "all 1"',
        f"cells below {EVERYWHERE:.2f}",
        "mean width",
    ]
    return _table(head, _summaries(cells))


def _summaries(cells: list[Measured]) -> Iterator[list[str]]:
    for one in SHOWN + APPROXIMATE:
        for metric in dict.fromkeys(cell.metric for cell in cells):
            some = [cell for cell in cells if (cell.interval, cell.metric) == (one.name, metric)]
            if some:
                flaky = [cell.cover for cell in some if cell.mix != "all 1"]
                yield [
                    f"{one.name} ({one.speaks_of.replace('-', ' ')})",
                    metric,
                    str(len(some)),
                    _cover(min(some, key=lambda cell: cell.cover)),
                    _three(float(np.mean([cell.cover for cell in some]))),
                    _three(float(np.mean(flaky))),
                    str(sum(cell.cover < EVERYWHERE for cell in some)),
                    _three(float(np.mean([cell.width for cell in some]))),
                ]


def _cover(cell: Measured) -> str:
    return _three(cell.cover) if cell.exact else f"{_three(cell.cover)} ± {_three(cell.cover_error)}"


def _lowest(cells: list[Measured], many: int = 5) -> str:
    head = ["interval", "metric", "coverage", "tasks × trials, k, rates", "mean width"]
    rows = []
    for one in SHOWN:
        some = sorted((cell for cell in cells if cell.interval == one.name), key=lambda cell: cell.cover)
        rows += [[cell.interval, cell.metric, _cover(cell), cell.where, _three(cell.width)] for cell in some[:many]]
    return _table(head, rows)


def _compared(cells: list[Measured]) -> str:
    columns = [(mix, k) for mix in COMPARED for k in (1, 5)]
    rows = []
    for name in dict.fromkeys(cell.interval for cell in cells):
        if "alone" not in name:
            found = {(cell.mix, cell.k): cell for cell in cells if cell.interval == name}
            rows.append([name, *(_both(found[column]) for column in columns)])
    return _table(["interval", *(f"{mix}; k = {k}" for mix, k in columns)], rows)


def _cells(cells: list[Measured], name: str) -> str:
    """Coverage / mean width of pass^k's interval: a row for tasks, trials and k, a column for each mix."""
    some = [cell for cell in cells if (cell.interval, cell.metric) == (name, "pass^k")]
    rows = []
    for tasks, trials, k in dict.fromkeys((cell.tasks, cell.trials, cell.k) for cell in some):
        found = {cell.mix: cell for cell in some if (cell.tasks, cell.trials, cell.k) == (tasks, trials, k)}
        rows.append([f"{tasks} × {trials}, k = {k}", *(_both(found[mix.name]) for mix in MIXES)])
    return _table(["tasks × trials", *(mix.name for mix in MIXES)], rows)


def _both(cell: Measured) -> str:
    return f"{_three(cell.cover)} / {_three(cell.width)}"
