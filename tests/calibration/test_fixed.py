"""The small fixed part of the calibration: intervals reach their goals, and the page shows what was measured."""

from collections.abc import Mapping
from math import sqrt

import pytest

from calibration.goals import missed
from calibration.page import PAGE, fixed_part, part
from calibration.runs import Fixed, fixed
from calibration.suites import APPROXIMATE, SHOWN, Measured
from tests.docs.made import same_as_made

# Coverage and mean width at 20 tasks × 10 trials, from a simulation of 3,000 suites, programmed apart from this one.
ELSEWHERE: Mapping[tuple[str, str, int], tuple[float, float]] = {
    ("gate", "all .9", 1): (0.964, 0.088),
    ("gate", "all .9", 5): (0.974, 0.316),
    ("gate", "½ at 1, ½ at .5", 1): (0.986, 0.124),
    ("gate", "½ at 1, ½ at .5", 5): (1.000, 0.324),
    ("z", "all .9", 1): (0.926, 0.083),
    ("z", "all .9", 5): (0.932, 0.284),
    ("z", "½ at 1, ½ at .5", 1): (0.941, 0.098),
    ("z", "½ at 1, ½ at .5", 5): (0.755, 0.036),
    ("Korn–Graubard", "all .9", 1): (1.000, 0.172),
    ("Korn–Graubard", "all .9", 5): (0.979, 0.323),
    ("Korn–Graubard", "½ at 1, ½ at .5", 1): (0.977, 0.285),
    ("Korn–Graubard", "½ at 1, ½ at .5", 5): (0.967, 0.446),
    ("t", "all .9", 1): (0.949, 0.088),
    ("t", "all .9", 5): (0.957, 0.305),
    ("t", "½ at 1, ½ at .5", 1): (0.938, 0.254),
    ("t", "½ at 1, ½ at .5", 5): (0.945, 0.455),
}
# Widths where all passed, which nothing was drawn for: the interval is the same every time.
ALL_PASS = {
    ("gate", 1): 0.018,
    ("gate", 5): 0.088,
    ("display", 1): 0.018,
    ("display", 5): 0.088,
    ("Korn–Graubard", 1): 0.168,
    ("Korn–Graubard", 5): 0.168,
    ("z", 1): 0,
    ("t", 5): 0,
}
REPETITIONS = 3000


@pytest.fixture(scope="module", name="measured")
def measured_once() -> Fixed:
    """Measured once for all tests of this file."""
    return fixed()


def cell(measured: Fixed, interval: str, mix: str, k: int) -> Measured:
    """One cell at 20 tasks × 10 trials."""
    (found,) = [one for one in measured.compared if (one.interval, one.mix, one.k) == (interval, mix, k)]
    return found


def test_goals_are_reached(measured: Fixed) -> None:
    """Every interval that is shown covers 93 % in each cell, a gate's 95 % on average, and is narrow enough."""
    assert missed(measured) == []


def test_page_shows_what_is_measured(measured: Fixed) -> None:
    """The first part of the page is, to the letter, what the calibration makes today."""
    same_as_made(PAGE, part(PAGE.read_text(encoding="utf-8"), "fixed"), fixed_part(measured))


@pytest.mark.parametrize(("at", "expected"), ELSEWHERE.items())
def test_agrees_with_another_simulation(
    at: tuple[str, str, int], expected: tuple[float, float], measured: Fixed
) -> None:
    """Coverage and width are those that another program found, within four Monte Carlo errors of both and rounding."""
    found = cell(measured, *at)
    cover, width = expected
    # Where every suite was covered there, one of 3,000 might as well not have been.
    theirs = max(cover * (1 - cover), 1 / REPETITIONS) / REPETITIONS

    assert abs(found.cover - cover) <= 4 * sqrt(theirs + found.cover_error**2) + 0.0005
    assert abs(found.width - width) <= 6 * found.width_error + 0.0005


@pytest.mark.parametrize(("at", "width"), ALL_PASS.items())
def test_width_where_all_passed(at: tuple[str, int], width: float, measured: Fixed) -> None:
    """Calibrated intervals keep a width where all passed; the textbook forms lose theirs."""
    assert cell(measured, at[0], "all 1", at[1]).width == pytest.approx(width, abs=0.0005)


@pytest.mark.parametrize(("k", "narrower"), [(1, 0.0), (5, 0.1)])
def test_display_is_narrower_where_tasks_differ(k: int, narrower: float, measured: Fixed) -> None:
    """With half the tasks sure to pass, the display's interval for pass^5 is narrower than the gate's by a tenth."""
    gate, display = (cell(measured, name, "½ at 1, ½ at .5", k) for name in ("gate", "display"))

    assert display.width <= gate.width - narrower


def test_textbook_form_is_approximate_with_reason(measured: Fixed) -> None:
    """U ± z·SE covers far less than 93 % where half the tasks always pass: clearly, and at k = 5 below 80 %."""
    found = cell(measured, "z", "½ at 1, ½ at .5", 5)

    assert found.clearly_below(0.80)


def test_page_has_all_of_it() -> None:
    """The second part of the page has a row for every interval, shown or approximate."""
    whole = part(PAGE.read_text(encoding="utf-8"), "whole")

    assert [one.name for one in SHOWN + APPROXIMATE if f"| {one.name} (" not in whole] == []
