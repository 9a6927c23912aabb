"""Consistency and robustness: exact expectations, and laws."""

from fractions import Fraction
from math import comb, exp, inf, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.errors import UsageError
from passhat.stats import (
    coefficient_of_variation,
    combined_consistency,
    outcome_consistency,
    outcome_consistency_unbiased,
    resource_consistency,
    robustness_ratio,
)

PARTS = st.one_of(st.none(), st.floats(0, 1))


@pytest.mark.parametrize("p", [Fraction(1, 5), Fraction(1, 2), Fraction(9, 10)])
def test_bias_is_what_the_docstring_says(p: Fraction) -> None:
    """For every n from 2 to 12: the plain form means (2p-1)² + 4p(1-p)/n, the unbiased one (2p-1)²."""
    for n in range(2, 13):
        weights = [float(comb(n, c) * p**c * (1 - p) ** (n - c)) for c in range(n + 1)]
        plain = sum(weight * outcome_consistency(n, c) for c, weight in enumerate(weights))
        unbiased = sum(weight * outcome_consistency_unbiased(n, c) for c, weight in enumerate(weights))

        assert plain == pytest.approx(float((2 * p - 1) ** 2 + 4 * p * (1 - p) / n), abs=1e-12)
        assert unbiased == pytest.approx(float((2 * p - 1) ** 2), abs=1e-12)


@given(st.integers(2, 200).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_order_law(counts: tuple[int, int]) -> None:
    """The unbiased form is at most the plain one, which is from 0 to 1; passes and failures are alike."""
    n, c = counts

    assert outcome_consistency_unbiased(n, c) <= outcome_consistency(n, c) + 1e-12
    assert 0 <= outcome_consistency(n, c) <= 1
    assert outcome_consistency(n, n - c) == pytest.approx(outcome_consistency(n, c))


def test_arrays_give_what_scalars_give() -> None:
    """An array in is an array out."""
    assert outcome_consistency(np.array([5, 4]), np.array([4, 4])).tolist() == pytest.approx([0.36, 1])
    assert type(outcome_consistency(5, 4)) is float


@pytest.mark.parametrize("n", [1, 0, 2.5])
def test_one_trial_is_refused(n: float) -> None:
    """One trial can't be consistent with itself."""
    for estimator in (outcome_consistency, outcome_consistency_unbiased):
        with pytest.raises(UsageError, match="n, the trials, is"):
            estimator(n, 0)


@given(st.lists(st.floats(0.01, 1e6), min_size=2, max_size=9), st.floats(0.01, 100))
def test_spread_has_no_unit(values: list[float], unit: float) -> None:
    """Cents or dollars: the relative spread is the same."""
    spread = coefficient_of_variation(values)

    assert coefficient_of_variation([value * unit for value in values]) == pytest.approx(spread, abs=1e-9)


def test_like_values_have_no_spread_at_all() -> None:
    """Three times .1 has no spread, whatever the last bit of their mean is."""
    assert coefficient_of_variation([0.1, 0.1, 0.1]) == 0
    assert resource_consistency([0.1, 0.1, 0.1]) == 1


def test_zeros_mean_that_nothing_was_recorded() -> None:
    """A cost of 0 is left out, unless the resource is a count."""
    assert coefficient_of_variation([0, 1, 2, 3]) == pytest.approx(0.5)
    assert coefficient_of_variation([0, 0, 3], drop_zeros=False) == pytest.approx(3**0.5)
    assert coefficient_of_variation([0, 0, 0], drop_zeros=False) == 0


def test_spreads_are_averaged_over_resources() -> None:
    """It is the mean spread that is turned into a score, counts included."""
    assert resource_consistency([1, 2, 3], [4, 4]) == pytest.approx(exp(-0.25))
    assert resource_consistency([1, 2, 3], counts=([0, 0, 3],)) == pytest.approx(exp(-(0.5 + 3**0.5) / 2))


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ([1], "2 values or more, not 1"),
        ([1, 0, 0], r"2 values or more, not 1 \(zeros left out\)"),
        ([], "values is one row of 1 or more"),
        ([1, -1], "from 0, not values=-1"),
        ([1, inf], "finite numbers"),
        ([1, nan], "finite numbers"),
    ],
)
def test_bad_resources_are_refused(values: list[float], says: str) -> None:
    """Too few values, negative ones and none at all: each is said."""
    with pytest.raises(UsageError, match=says):
        coefficient_of_variation(values)
    with pytest.raises(UsageError, match="one resource or more"):
        resource_consistency()


@given(PARTS, PARTS, PARTS, PARTS)
def test_missing_parts_have_no_weight(
    outcome: float | None, actions: float | None, order: float | None, resources: float | None
) -> None:
    """What is known is averaged, outcome, trajectory and resources alike, and what isn't is left out."""
    trajectory = [part for part in (actions, order) if part is not None]
    thirds = [outcome, sum(trajectory) / len(trajectory) if trajectory else None, resources]
    known = [third for third in thirds if third is not None]
    if known:
        whole = combined_consistency(outcome=outcome, actions=actions, order=order, resources=resources)
        assert whole == pytest.approx(sum(known) / len(known))
    else:
        with pytest.raises(UsageError, match="one part"):
            combined_consistency()


def test_parts_out_of_range_are_refused() -> None:
    """A part is from 0 to 1; an unbiased outcome may lie below 0, and not below -1."""
    assert combined_consistency(outcome=-0.2) == -0.2
    with pytest.raises(UsageError, match="order is from 0 to 1"):
        combined_consistency(order=1.2)
    with pytest.raises(UsageError, match="outcome is from -1 to 1"):
        combined_consistency(outcome=1.2)
    with pytest.raises(UsageError, match="outcome is from -1 to 1"):
        combined_consistency(outcome=nan)


def test_improvements_are_not_cut() -> None:
    """An agent that does better under other wordings has a ratio above 1."""
    assert robustness_ratio(0.9, 0.6) == pytest.approx(1.5)
    assert robustness_ratio(np.array([0.3, 0.0]), np.array([0.6, 0.5])).tolist() == [0.5, 0]


@pytest.mark.parametrize(("perturbed", "base"), [(0.5, 0.0), (1.1, 0.5), (-0.1, 0.5), (0.5, nan)])
def test_ratio_to_nothing_is_refused(perturbed: float, base: float) -> None:
    """A base rate of 0 has no ratio, and rates are from 0 to 1."""
    with pytest.raises(UsageError):
        robustness_ratio(perturbed, base)
