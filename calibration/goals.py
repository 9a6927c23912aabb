"""What the intervals must reach, judged with the Monte Carlo error of each number."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from calibration.rates import Found
from calibration.runs import Fixed, Whole
from calibration.suites import SHOWN, Measured
from passhat.stats.methods import STANDINGS, Standing, may_gate

EVERYWHERE, GATE_ON_AVERAGE = 0.93, 0.95
# At 20 tasks × 10 trials whose rates are all .9: the widest that an interval may be on average.
WIDEST = {("gate", 1): 0.09, ("gate", 5): 0.32, ("Korn–Graubard", 1): 0.18, ("Korn–Graubard", 5): 0.33}


def missed(fixed: Fixed, whole: Whole | None = None) -> list[str]:
    """The goals that are not reached, as sentences; none where all is well."""
    cells = fixed.counted + fixed.compared + (whole.grid + whole.unequal + whole.at_least if whole else [])
    return [
        *_everywhere(cells),
        *_on_average(whole.grid if whole else fixed.counted),
        *_too_wide(fixed.compared),
        *_not_exact(fixed.rates + fixed.tasks),
    ]


def _everywhere(cells: list[Measured]) -> Iterator[str]:
    shown = {one.name for one in SHOWN}
    for cell in cells:
        if cell.interval in shown and cell.clearly_below(EVERYWHERE):
            yield f"{cell.interval} of {cell.metric} covers {cell.cover:.3f} at {cell.where}"


def _on_average(cells: list[Measured]) -> Iterator[str]:
    for one in SHOWN:
        if may_gate(one.method):
            mean = np.mean([cell.cover for cell in cells if cell.interval == one.name])
            if mean < GATE_ON_AVERAGE:
                yield f"{one.name} covers {mean:.3f} on average"


def _too_wide(cells: list[Measured]) -> Iterator[str]:
    for cell in cells:
        widest = WIDEST.get((cell.interval, cell.k))
        if cell.mix == "all .9" and widest and cell.width - 3 * cell.width_error > widest:
            yield f"{cell.interval} is {cell.width:.3f} wide at {cell.where}, and {widest} is allowed"
        if cell.mix == "all 1" and cell.width <= 0 and cell.interval in {one.name for one in SHOWN}:
            yield f"{cell.interval} has no width where all passed"


def _not_exact(found: list[Found]) -> Iterator[str]:
    for one in found:
        if STANDINGS.get(one.name, Standing.EXACT) is Standing.EXACT and one.lowest < GATE_ON_AVERAGE:
            yield f"{one.name} is exact and covers {one.lowest:.3f} at {one.where}"
