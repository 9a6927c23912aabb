"""The reliability surface: laws on planes, and refusals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.errors import UsageError
from passhat.stats import surface_mean, surface_slopes, surface_volume

AXIS = st.lists(st.integers(0, 50), min_size=2, max_size=5, unique=True).map(
    lambda axis: [i / 50 for i in sorted(axis)]
)
HEIGHT = st.floats(-2, 2)


@given(AXIS, AXIS, HEIGHT, HEIGHT, HEIGHT)
def test_planes_are_measured_exactly(
    epsilon: list[float], lam: list[float], height: float, fall: float, slip: float
) -> None:
    """On a plane the slopes are its own, and the volume is its height in the middle."""
    grid = [[height + fall * e + slip * f for f in lam] for e in epsilon]

    middle = height + fall * (epsilon[0] + epsilon[-1]) / 2 + slip * (lam[0] + lam[-1]) / 2

    assert surface_slopes(grid, epsilon, lam) == pytest.approx((fall, slip), abs=1e-9)
    assert surface_volume(grid, epsilon, lam) == pytest.approx(middle, abs=1e-9)


@given(AXIS, AXIS, st.floats(0, 1))
def test_flat_surfaces_are_their_height(epsilon: list[float], lam: list[float], height: float) -> None:
    """Where nothing changes mean and volume agree."""
    grid = np.full((len(epsilon), len(lam)), height)

    assert surface_mean(grid) == pytest.approx(height)
    assert surface_volume(grid, epsilon, lam) == pytest.approx(height)


def test_volume_is_the_sum_of_its_strips() -> None:
    """Strengths that lie apart weigh more in the volume and not in the mean."""
    grid = [[1.0, 1.0], [0.0, 0.0], [0.0, 0.0]]

    assert surface_mean(grid) == pytest.approx(1 / 3)
    assert surface_volume(grid, [0, 0.1, 1], [0, 1]) == pytest.approx(0.05)


@pytest.mark.parametrize(
    ("grid", "epsilon", "lam", "says"),
    [
        ([], [0, 1], [0, 1], "one row or more"),
        ([[1, 1], [1]], [0, 1], [0, 1], "equally long, not 2 in row 0 of grid, 1 in row 1 of grid"),
        ([[1, float("nan")], [1, 1]], [0, 1], [0, 1], "row 0 of grid holds finite numbers"),
        ([[1, 1], [1, 1]], [0, 1, 2], [0, 1], r"3 rows \(epsilon\) of 2 \(lam\), not 2 of 2"),
        ([[1, 1], [1, 1]], [1, 0], [0, 1], "epsilon rises"),
        ([[1, 1], [1, 1]], [0, 1], [0, 0], "lam rises"),
        ([[1], [1]], [0, 1], [0], "lam is one row of 2 or more"),
    ],
)
def test_bad_grids_are_refused(grid: list[list[float]], epsilon: list[float], lam: list[float], says: str) -> None:
    """Ragged grids, strengths that don't rise and axes that don't fit are said."""
    for figure in (surface_volume, surface_slopes):
        with pytest.raises(UsageError, match=says):
            figure(grid, epsilon, lam)
