"""Deciding while trials come in: Wald's sequential test, and what looking early does to a test made for one look."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log, log1p
from typing import Literal

from passhat.errors import UsageError
from passhat.stats.scalars import read_level, read_whole

# A quotient such as ln 16 / ln 2 may come out a little above the whole number that it is.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential probability ratio test: add up a step for each trial, stop when the sum reaches a bound."""

    upper: float
    lower: float
    on_pass: float
    on_fail: float
    all_pass_stop: int
    all_fail_stop: int
    expected_at_p0: float
    expected_at_p1: float

    def score(self, n: int, c: int) -> float:
        """The log likelihood ratio of p1 against p0 after *c* passes in *n* trials."""
        if not 0 <= c <= n:
            raise UsageError(f"c, the passes, is from 0 to n, not c={c}, n={n}")
        return c * self.on_pass + (n - c) * self.on_fail

    def decide(self, n: int, c: int) -> Literal["p0", "p1"] | None:
        """Which rate is accepted after *c* passes in *n* trials; None to go on. Ask after every trial."""
        score = self.score(n, c)
        if score >= self.upper - _ROUNDING:
            return "p1"
        return "p0" if score <= self.lower + _ROUNDING else None


def sprt(p0: float, p1: float, *, alpha: float = 0.05, beta: float = 0.2) -> Sprt:
    """Wald's test of rate *p0* against rate *p1*, with its bounds, its steps and the trials it takes.

    Formula: A = ln((1-beta)/alpha), B = ln(beta/(1-alpha)); a pass adds ln(p1/p0), a failure ln(q1/q0). Expected
    trials: ((1-alpha)·B + alpha·A) / E₀[step] at p0, (beta·B + (1-beta)·A) / E₁[step] at p1.
    Valid when: trials are independent and alike, as of one task. The errors are then at most alpha/(1-beta) and
    beta/(1-alpha), and mostly below alpha and beta. The expected trials are approximate and too low, because a bound
    is overshot: by 4 to 13 percent for drops such as .9 to .8, by 45 percent for .95 against .99. Between p0 and p1
    it takes longer: set a largest n.
    Source: Wald 1945.

    >>> test = sprt(0.9, 0.8)
    >>> round(test.upper, 4), round(test.lower, 4), test.all_pass_stop, test.all_fail_stop
    (2.7726, -1.5581, 14, 4)
    """
    null, other = read_level("p0", p0), read_level("p1", p1)
    false_alarm, miss = read_level("alpha", alpha), read_level("beta", beta)
    if null == other:
        raise UsageError(f"p0 and p1 are two rates, not both {null:g}")
    if false_alarm + miss >= 1:
        raise UsageError(f"alpha and beta add up to less than 1, not to {false_alarm + miss:g}")
    upper, lower = _log_ratio(1 - miss, false_alarm), _log_ratio(miss, 1 - false_alarm)
    on_pass, on_fail = _log_ratio(other, null), _log_ratio(1 - other, 1 - null)
    at_p0, at_p1 = (rate * on_pass + (1 - rate) * on_fail for rate in (null, other))
    if not at_p0 < 0 < at_p1:  # rounding is all that is left of their difference
        raise UsageError(f"p0 and p1 are too close to be told apart: {null!r} and {other!r}")
    return Sprt(
        upper=upper,
        lower=lower,
        on_pass=on_pass,
        on_fail=on_fail,
        all_pass_stop=_steps(on_pass, upper, lower),
        all_fail_stop=_steps(on_fail, upper, lower),
        expected_at_p0=((1 - false_alarm) * lower + false_alarm * upper) / at_p0,
        expected_at_p1=(miss * lower + (1 - miss) * upper) / at_p1,
    )


def peeking_probability(p0: float, looks: int, *, alpha: float = 0.05, every: int = 1) -> float:
    """How often a test made for one look raises a false alarm when it is looked at while trials come in.

    The test is the exact one-sided one, "P(X ≤ passes | p0) ≤ alpha", looked at after each *every* trials.
    Formula: P(some look rejects | p0), by following the number of passes of all paths that no look has stopped.
    Valid when: trials are independent, each passing with probability p0. Exact.
    Source: the effect is that of Armitage, McPherson & Rowe 1969; the sum is ours.

    >>> round(peeking_probability(0.9, 100), 3)
    0.173
    """
    import numpy as np
    from scipy.special import bdtr

    rate, level = read_level("p0", p0), read_level("alpha", alpha)
    count, step = read_whole("looks", looks), read_whole("every", every)
    going = np.ones(1)  # the probability of each number of passes, along paths that no look has stopped
    most = -1  # the largest number of passes that is rejected; it never falls as trials come in
    for trials in range(1, count * step + 1):
        going = np.append(going * (1 - rate), 0.0) + np.append(0.0, going * rate)
        while bdtr(most + 1.0, trials, rate) <= level:
            most += 1
        if trials % step == 0:
            going[: most + 1] = 0
    return 1 - float(going.sum())


def _log_ratio(top: float, bottom: float) -> float:
    """The logarithm of top / bottom, where the quotient itself may be 1 or infinite by rounding."""
    near = abs(top - bottom) <= bottom / 2
    return log1p((top - bottom) / bottom) if near else log(top) - log(bottom)


def _steps(step: float, upper: float, lower: float) -> int:
    """How many trials of one kind in a row reach a bound."""
    return ceil((upper if step > 0 else lower) / step - _ROUNDING)
