"""What a pass costs. Money, seconds or tokens: any unit, as long as it is one."""

from __future__ import annotations

from math import inf

from passhat.stats.arrays import Numbers, like, read, require, require_shares


def cost_of_pass(cost: Numbers, rate: Numbers) -> Numbers:
    """What one pass costs on average, failed trials included: inf where none passes.

    Formula: mean cost of a trial / pass rate.
    Valid when: cost is the mean over the same trials as the rate, from 0. A ratio of two noisy means: for an
    interval, resample tasks and take both from each resample.
    Source: Erol et al. 2025, "Cost-of-pass" (arXiv 2504.13359).

    >>> round(cost_of_pass(0.014, 0.91), 6)
    0.015385
    """
    import numpy as np

    spent, share = read(cost, rate)
    require((spent >= 0) & np.isfinite(spent), "cost is from 0", cost=spent)
    require_shares(rate=share)
    with np.errstate(over="ignore"):  # next to no passes cost infinitely much as well
        return like(cost, np.where(share > 0, spent / np.where(share > 0, share, 1), inf))


def cost_normalised_accuracy(rate: Numbers, cost: Numbers) -> Numbers:
    """How many points of pass rate a unit of cost buys.

    Formula: 100 · pass rate / mean cost of a trial.
    Valid when: cost is above 0. It rewards cheap and useless: an agent at half the rate and a third of the cost is
    ahead. Never alone.
    Source: Mehta 2025 (CLEAR), in percent a dollar.

    >>> round(cost_normalised_accuracy(0.723, 2.87), 2)
    25.19
    """
    import numpy as np

    share, spent = read(rate, cost)
    require_shares(rate=share)
    require((spent > 0) & np.isfinite(spent), "cost is above 0", cost=spent)
    with np.errstate(over="ignore"):
        return like(rate, 100 * share / spent)
