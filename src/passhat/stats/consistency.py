"""Consistency and robustness as Rabanser et al. 2026 measure them: does the same task end the same way every time?

Each is a figure of one task, or of one pair of rates; over a suite one takes the mean over tasks.
"""

from __future__ import annotations

from math import exp, fsum

from passhat.errors import UsageError
from passhat.stats.arrays import (
    Array,
    Many,
    Numbers,
    like,
    read,
    read_counts,
    read_list,
    read_row,
    require,
    require_shares,
)
from passhat.stats.scalars import read_number


def outcome_consistency(n: Numbers, c: Numbers) -> Numbers:
    """How far a task's outcomes are from a coin's: 1 if all trials end alike, 0 if half of them pass.

    Formula: C_out = (2c/n - 1)² = 1 - 4p̂(1-p̂).
    Valid when: n ≥ 2. It is too high at few trials: its mean is (2p-1)² + 4p(1-p)/n.
    Source: Rabanser et al. 2026, as their published code has it; the text's ratio to p(1-p) is a constant.

    >>> round(outcome_consistency(5, 4), 6)
    0.36
    """
    trials, passes = _read_trials(n, c)
    return like(n, (2 * passes / trials - 1) ** 2)


def outcome_consistency_unbiased(n: Numbers, c: Numbers) -> Numbers:
    """`outcome_consistency` without its bias; below 0 where the outcomes are more mixed than chance makes them.

    Formula: 1 - 4·n/(n-1)·p̂(1-p̂).
    Valid when: n ≥ 2 and the trials are independent and alike. It is then unbiased for (2p-1)².
    Source: the unbiased estimator of p(1-p).

    >>> round(outcome_consistency_unbiased(5, 4), 6)
    0.2
    """
    trials, passes = _read_trials(n, c)
    return like(n, 1 - 4 * passes * (trials - passes) / (trials * (trials - 1)))


def coefficient_of_variation(values: Many, *, drop_zeros: bool = True) -> float:
    """The spread of a resource, such as cost or seconds, relative to its mean.

    Formula: sd / mean, the sd over n-1.
    Valid when: values are from 0, and two or more are left. A cost of 0 means that none was recorded, and is left
    out; where 0 is a value, as for a count of errors, pass drop_zeros=False. All 0 then has no spread: 0.
    Source: Pearson 1896; the zeros as in Rabanser et al. 2026.

    >>> coefficient_of_variation([1, 2, 3, 0])
    0.5
    """
    row = read_row("values", values)
    require(row >= 0, "values of a resource are from 0", values=row)
    kept = row[row > 0] if drop_zeros else row
    if kept.size < 2:
        raise UsageError(
            f"a spread takes 2 values or more, not {kept.size} (zeros {'left out' if drop_zeros else 'kept'})"
        )
    # Where all are alike the sd is 0, and rounding must not make it more.
    return 0.0 if (kept == kept[0]).all() else float(kept.std(ddof=1) / kept.mean())


def resource_consistency(*resources: Many, counts: tuple[Many, ...] = ()) -> float:
    """How evenly a task's trials use resources: 1 if all use the same, towards 0 the more they differ.

    Formula: C_res = exp(-mean of the coefficients of variation), one of each resource.
    Valid when: as for `coefficient_of_variation`; *counts* are resources of which 0 is a value. All trials count,
    passed or not.
    Source: Rabanser et al. 2026, over cost, time, calls, actions, errors and latency.

    >>> round(resource_consistency([1, 2, 3]), 6)
    0.606531
    """
    spreads = [coefficient_of_variation(values) for values in resources]
    spreads += [coefficient_of_variation(values, drop_zeros=False) for values in read_list("counts", counts)]
    if not spreads:
        raise UsageError("resources holds one resource or more, not none")
    return exp(-fsum(spreads) / len(spreads))


def combined_consistency(
    *,
    outcome: float | None = None,
    actions: float | None = None,
    order: float | None = None,
    resources: float | None = None,
) -> float:
    """One figure from outcome, trajectory and resource consistency; parts that are not known are left out.

    Formula: R_Con = mean of C_out, mean(C_traj^d, C_traj^s) and C_res, each a third of those that are known.
    Valid when: a part or more is known, each from 0 to 1 (an unbiased outcome from -1).
    Source: Rabanser et al. 2026.

    >>> round(combined_consistency(outcome=0.36, actions=0.9, order=0.7, resources=0.6), 6)
    0.586667
    """
    same, often, alike, even = (
        _part("outcome", outcome, low=-1),
        _part("actions", actions),
        _part("order", order),
        _part("resources", resources),
    )
    whole = _mean(same, _mean(often, alike), even)
    if whole is None:
        raise UsageError("one part of the consistency or more is known, not none")
    return whole


def robustness_ratio(perturbed: Numbers, base: Numbers) -> Numbers:
    """What is left of a rate under other wordings or under faults; above 1 where it has improved.

    Formula: perturbed / base.
    Valid when: base is above 0. Two rates' noise makes ratios above 1; the source cuts them to 1, which hides
    improvements and pushes means down: ours are not cut.
    Source: R_prompt, R_fault and R_env of Rabanser et al. 2026, uncut.

    >>> round(robustness_ratio(0.8812, 0.9688), 6)
    0.909579
    """
    import numpy as np

    after, before = read(perturbed, base)
    require_shares(perturbed=after, base=before)
    require(before > 0, "base is above 0: there is no ratio to nothing", base=before)
    with np.errstate(over="ignore"):  # of next to nothing anything is infinitely more
        return like(perturbed, after / before)


def _read_trials(n: float | Array, c: float | Array) -> tuple[Array, Array]:
    trials, passes, _ = read_counts(n, c, 1)
    require(trials >= 2, "n, the trials, is 2 or more: one alone can't be consistent", n=trials)
    return trials, passes


def _part(name: str, value: float | None, *, low: int = 0) -> float | None:
    """One part of the consistency, where it is known."""
    if value is None:
        return None
    number = read_number(name, value)
    if not low <= number <= 1:
        raise UsageError(f"{name} is from {low} to 1, not {name}={number:.10g}")
    return number


def _mean(*parts: float | None) -> float | None:
    known = [part for part in parts if part is not None]
    return fsum(known) / len(known) if known else None
