"""Predictability: independent calculations, laws, and the edges of bins."""

from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.errors import UsageError
from passhat.stats import (
    abstention,
    auroc,
    brier,
    calibration_error,
    excess_risk_coverage_area,
    predictability_scores,
    risk_coverage_area,
    risk_coverage_score,
)

# Confidences in twentieths: many ties, and every edge of ten bins.
JUDGED = st.lists(st.tuples(st.integers(0, 20).map(lambda i: i / 20), st.booleans()), min_size=1, max_size=12)
MIXED = JUDGED.filter(lambda rows: len({passed for _, passed in rows}) == 2)
Rows = list[tuple[float, bool]]


def columns(rows: Rows) -> tuple[list[float], list[bool]]:
    """Confidences and outcomes."""
    return [said for said, _ in rows], [passed for _, passed in rows]


@given(JUDGED)
def test_brier_is_a_mean_of_squares(rows: Rows) -> None:
    """It is the mean squared distance, from 0 to 1."""
    expected = sum((said - passed) ** 2 for said, passed in rows) / len(rows)

    assert brier(*columns(rows)) == pytest.approx(expected)


@pytest.mark.parametrize("tenth", range(11))
def test_every_edge_opens_its_bin(tenth: int) -> None:
    """Of .3 and .35 both stand in one bin, and of .3 and .299 do not; 1 stands in the last bin."""
    edge = tenth / 10
    above, below = min(1.0, edge + 0.05), max(0.0, edge - 0.001)

    # In one bin a pass and a failure make up for each other; in two bins each is off by its own distance.
    together = calibration_error([edge, above], [0, 1])
    apart = calibration_error([edge, below], [1, 0])

    assert together == pytest.approx(abs(edge + above - 1) / 2)
    assert apart == pytest.approx(((1 - edge) + below) / 2 if 0 < tenth < 10 else abs(edge + below - 1) / 2)


@given(JUDGED, st.integers(1, 20))
def test_calibration_error_agrees_with_whole_numbers(rows: Rows, bins: int) -> None:
    """With confidences in twentieths the bins can be found in whole numbers, and give the same error."""
    sums: dict[int, float] = {}
    for said, passed in rows:
        place = min(round(said * 20) * bins // 20, bins - 1)
        sums[place] = sums.get(place, 0.0) + said - passed

    error = calibration_error(*columns(rows), bins=bins)

    assert error == pytest.approx(sum(map(abs, sums.values())) / len(rows))
    assert 0 <= error <= 1


@given(MIXED)
def test_auroc_counts_pairs(rows: Rows) -> None:
    """It is the share of (pass, failure) pairs in the right order, a tie counting half."""
    pairs = [(up, down) for up, yes in rows if yes for down, no in rows if not no]

    expected = sum((up > down) + (up == down) / 2 for up, down in pairs) / len(pairs)

    assert auroc(*columns(rows)) == pytest.approx(expected)


@given(MIXED)
def test_auroc_is_turned_round_with_the_outcomes(rows: Rows) -> None:
    """Calling passes failures turns the figure round."""
    said, passed = columns(rows)

    assert auroc(said, [not each for each in passed]) == pytest.approx(1 - auroc(said, passed))


def listed_area(passed: tuple[bool, ...]) -> float:
    """The area for outcomes in one order, by its definition."""
    risks = [sum(not each for each in passed[:i]) / i for i in range(1, len(passed) + 1)]
    return sum(risks) / len(risks)


@given(st.lists(st.tuples(st.integers(0, 2).map(lambda i: i / 2), st.booleans()), min_size=1, max_size=6))
def test_ties_are_the_mean_over_their_orders(rows: Rows) -> None:
    """The area is the mean over all orders in which trials of like confidence could be listed."""
    orders = [order for order in permutations(rows) if all(one[0] >= two[0] for one, two in pairwise(order))]

    areas = [listed_area(tuple(passed for _, passed in order)) for order in orders]

    assert risk_coverage_area(*columns(rows)) == pytest.approx(sum(areas) / len(areas))


@given(MIXED)
def test_excess_area_is_from_perfect_to_worst(rows: Rows) -> None:
    """A perfect ranking has no excess and score 1, the worst one score 0, and all others lie between."""
    said, passed = columns(rows)
    perfect, worst = [float(each) for each in passed], [float(not each) for each in passed]

    assert excess_risk_coverage_area(perfect, passed) == pytest.approx(0, abs=1e-12)
    assert risk_coverage_score(perfect, passed) == pytest.approx(1)
    assert risk_coverage_score(worst, passed) == pytest.approx(0, abs=1e-12)
    assert -1e-12 <= risk_coverage_score(said, passed) <= 1 + 1e-12


@given(MIXED)
def test_all_figures_at_once_are_those_of_each(rows: Rows) -> None:
    """Turned so that 1 is best, they are the single figures."""
    said, passed = columns(rows)

    found = predictability_scores(said, passed)

    assert found.brier == pytest.approx(1 - brier(said, passed))
    assert found.calibration == pytest.approx(1 - calibration_error(said, passed))
    assert found.ranking == auroc(said, passed)
    assert found.selection == risk_coverage_score(said, passed)


@pytest.mark.parametrize("passed", [[1, 1, 1], [0, 0, 0]])
def test_without_both_outcomes_there_is_no_ranking(passed: list[int]) -> None:
    """All passed, or all failed: what ranks them is refused alone, and None among the others."""
    said = [0.2, 0.5, 0.9]

    found = predictability_scores(said, passed)

    assert (found.ranking, found.selection) == (None, None)
    for ranking in (auroc, risk_coverage_score):
        with pytest.raises(UsageError, match="passes and failures"):
            ranking(said, passed)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=12))
def test_abstention_counts_four_cells(rows: list[tuple[bool, bool]]) -> None:
    """Each figure is a share of a row, a column or all of the two-by-two table, and None where that is empty."""
    failed_of_back = [not passed for back, passed in rows if back]
    back_of_failed = [back for back, passed in rows if not passed]
    passed_of_kept = [passed for back, passed in rows if not back]

    found = abstention([back for back, _ in rows], [passed for _, passed in rows])

    for figure, cell in (
        (found.precision, failed_of_back),
        (found.recall, back_of_failed),
        (found.selective_accuracy, passed_of_kept),
    ):
        assert figure == (pytest.approx(sum(cell) / len(cell)) if cell else None)
    assert found.agreement == pytest.approx(sum(back != passed for back, passed in rows) / len(rows))


@pytest.mark.parametrize(
    ("said", "passed", "says"),
    [
        ([], [], "confidence is one row of 1 or more"),
        ([0.5, 1.2], [1, 0], "confidence is from 0 to 1, not confidence=1.2"),
        ([0.5, 0.5], [1, 0.5], "passed is true or false"),
        ([0.5, 0.5], [1], "equally long, not 2 in confidence, 1 in passed"),
    ],
)
def test_bad_rows_are_refused(said: list[float], passed: list[float], says: str) -> None:
    """Empty, ragged or impossible rows are a usage error that says the range."""
    for figure in (brier, calibration_error, auroc, risk_coverage_area, risk_coverage_score, predictability_scores):
        with pytest.raises(UsageError, match=says):
            figure(said, passed)


def test_bins_are_counted_from_one() -> None:
    """No bin at all is refused."""
    with pytest.raises(UsageError, match="bins is a whole number from 1"):
        calibration_error([0.5], [1], bins=0)
    with pytest.raises(UsageError, match="abstained is true or false"):
        abstention([0.5], [1])
