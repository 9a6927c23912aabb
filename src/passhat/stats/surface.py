"""The reliability surface R(ε, λ): a figure over the strength of rewording ε (rows) and of faults λ (columns).

The source calls the surface's volume its summary and its formula could not be had; here two are offered by name.
"""

from __future__ import annotations

from collections.abc import Sequence

from passhat.errors import UsageError
from passhat.stats.arrays import Array, Many, read_list, read_row, read_rows, require


def surface_mean(grid: Sequence[Many] | Array) -> float:
    """The mean of the surface's cells: each counts alike, wherever its strengths lie.

    Formula: Σ R / cells.
    Valid when: the grid is full. It speaks of the strengths that were run, and their choice is yours.
    Source: a summary of the surface of Gupta 2026 (ReliabilityBench).

    >>> round(surface_mean([[0.9688, 0.94], [0.93, 0.90], [0.8812, 0.84]]), 6)
    0.91
    """
    return float(_read(grid).mean())


def surface_volume(grid: Sequence[Many] | Array, epsilon: Many, lam: Many) -> float:
    """The mean height of the surface, with straight lines between its cells.

    Formula: ∫∫ R dε dλ / area, by the trapezoid rule in both directions.
    Valid when: two strengths or more in each direction, rising; row i belongs to epsilon[i], column j to lam[j].
    Source: as for `surface_mean`.

    >>> round(surface_volume([[0.9688, 0.94], [0.93, 0.90], [0.8812, 0.84]], [0, 0.1, 0.2], [0, 0.2]), 6)
    0.91125
    """
    cells, rows, columns = _read_axes(grid, epsilon, lam)
    return float(_weights(rows) @ cells @ _weights(columns))


def surface_slopes(grid: Sequence[Many] | Array, epsilon: Many, lam: Many) -> tuple[float, float]:
    """How much the figure changes with a unit of ε, and with a unit of λ: below 0 where it falls.

    Formula: the slopes of the least squares plane; on a full grid, of the lines through the means of its rows and
    through the means of its columns.
    Valid when: as for `surface_volume`. It describes; it carries no interval.
    Source: least squares (Legendre 1805).

    >>> [round(slope, 4) for slope in surface_slopes([[0.9, 0.8], [0.8, 0.7]], [0, 0.1], [0, 0.2])]
    [-1.0, -0.5]
    """
    cells, rows, columns = _read_axes(grid, epsilon, lam)
    return _slope(rows, cells.mean(axis=1)), _slope(columns, cells.mean(axis=0))


def _read(grid: Sequence[Many] | Array) -> Array:
    import numpy as np

    rows = read_rows(**{f"row {number} of grid": row for number, row in enumerate(read_list("grid", grid))})
    if not rows:
        raise UsageError("grid holds one row or more, not none")
    return np.stack(rows)


def _read_axes(grid: Sequence[Many] | Array, epsilon: Many, lam: Many) -> tuple[Array, Array, Array]:
    import numpy as np

    cells = _read(grid)
    rows, columns = read_row("epsilon", epsilon, least=2), read_row("lam", lam, least=2)
    for name, axis in (("epsilon", rows), ("lam", columns)):
        require(np.diff(axis) > 0, f"{name} rises from each to the next", step=np.diff(axis))
    if cells.shape != (rows.size, columns.size):
        wanted = f"{rows.size} rows (epsilon) of {columns.size} (lam)"
        raise UsageError(f"grid has {wanted}, not {cells.shape[0]} of {cells.shape[1]}")
    return cells, rows, columns


def _weights(axis: Array) -> Array:
    """What each point of *axis* counts in the trapezoid rule; they add up to 1."""
    import numpy as np

    gaps = np.diff(axis)
    weights: Array = (np.append(gaps, 0) + np.append(0, gaps)) / (2 * gaps.sum())
    return weights


def _slope(axis: Array, height: Array) -> float:
    step = axis - axis.mean()
    return float((step * (height - height.mean())).sum() / (step**2).sum())
