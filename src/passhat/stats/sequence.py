"""The confidence sequence for a rate: an interval that may be looked at after every trial.

Only what holds at all looks at once lives here; tests that stop early stand elsewhere.
"""

from __future__ import annotations

from passhat.stats.arrays import Array, Numbers, like, read_rate
from passhat.stats.scalars import read_level

# Halvings of [0, 1]: beyond 60 of them a float has no more digits to give.
_HALVINGS = 64


def confidence_sequence(c: Numbers, n: Numbers, *, confidence: float = 0.95) -> tuple[Numbers, Numbers]:
    """The interval for a rate that holds at every n at once, so that one may look, and stop, at any time.

    Formula: {p : p^c·(1-p)^(n-c) ≥ (1-confidence)·B(c+1, n-c+1)}, an interval around c/n.
    Valid when: trials are independent and alike; any rule may say when to stop. It is wider than Clopper-Pearson.
    Source: Robbins 1970, the mixture over a uniform prior; Ville's inequality.

    >>> [round(bound, 6) for bound in confidence_sequence(8, 10)]
    [0.353042, 0.989517]
    """
    level = read_level("confidence", confidence)
    passes, trials = read_rate(c, n)
    failures = trials - passes
    # The set is the same with passes and failures changed, mirrored: one root finder serves both ends.
    return like(c, _lower(passes, failures, level)), like(c, 1 - _lower(failures, passes, level))


def _lower(passes: Array, failures: Array, confidence: float) -> Array:
    """The lower end by bisection between 0 and the estimate, where the likelihood rises; 0 without a pass."""
    import numpy as np
    from scipy.special import betaln, xlog1py, xlogy

    least = np.log1p(-confidence) + betaln(passes + 1, failures + 1)
    outside, inside = np.zeros(passes.shape), passes / (passes + failures)
    for _ in range(_HALVINGS):
        middle = (outside + inside) / 2
        holds = xlogy(passes, middle) + xlog1py(failures, -middle) >= least
        outside, inside = np.where(holds, outside, middle), np.where(holds, middle, inside)
    return np.where(passes == 0, 0.0, outside)
