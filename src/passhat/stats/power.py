"""Exact power: binomial probabilities in place of the normal approximation, for `planning.py` to call.

A test fails a run of n when at most x of it pass. Two tests stand here. "exact" takes the largest x of which
P(X ≤ x | baseline) is below alpha: it is Clopper-Pearson's one-sided bound. "wilson" takes the largest x of which x/n
lies more than z·√(p0 q0/n) below the baseline: it is Wilson's bound, and the score test, whose real false-alarm rate
may exceed alpha.

The power of both is a saw-tooth in n: it climbs while x keeps up and drops where x falls behind. Bisection goes wrong
on it. Here every count is looked at that can matter, and the range of those is proven (`_Bounds`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, inf, log, log1p, sqrt

from passhat.errors import UsageError
from passhat.stats.arrays import Array
from passhat.stats.methods import read_name
from passhat.stats.scalars import normal_quantile, read_share, read_whole

_TESTS = ("exact", "wilson")
_MOST = 1_000_000  # counts to look at, at a few operations each
_TARGET = 0.6  # the bounds are for powers from here on; a lower one is enough where this one is
_HALVINGS = 100


def false_alarm_rate(baseline: float, runs: int, *, alpha: float = 0.05, method: str = "exact") -> float:
    """How often a test that is meant to raise *alpha* false alarms really does, with *runs* runs at the baseline.

    Formula: P(X ≤ x | baseline), x being the most passes at which the test fails.
    Valid when: runs are independent and alike. The exact test stays below alpha at every count, Wilson's does not.
    Source: Clopper & Pearson 1934; Wilson 1927.

    >>> round(false_alarm_rate(0.9, 69), 4), round(false_alarm_rate(0.9, 69, method="wilson"), 4)
    (0.04, 0.0805)
    """
    p0, tail = read_share("baseline", baseline), read_share("alpha", alpha)
    return exact_power(p0, p0, read_whole("runs", runs), alpha=tail, method=method)


def exact_power(p0: float, p1: float, runs: int, *, alpha: float, method: str = "exact") -> float:
    """The probability that a test of the rate *p0* fails *runs* runs at the rate *p1*.

    Formula: P(X ≤ x | p1), x as above.
    Valid when: as for `false_alarm_rate`.
    Source: as for `false_alarm_rate`.

    >>> round(exact_power(0.9, 0.8, 69, alpha=0.05), 4)
    0.7504
    """
    import numpy as np

    n = np.array([float(runs)])
    return float(_cdf(_most_failing(n, p0, alpha, method), n, p1)[0])


def exact_drop(p0: float, runs: int, *, power: float, alpha: float, method: str = "exact") -> float | None:
    """The smallest drop below *p0* that fails *runs* runs with probability *power*; None where nothing can.

    Formula: p0 - p where P(X ≤ x | p) = power; p is the quantile 1-power of Beta(x+1, n-x).
    Valid when: as for `false_alarm_rate`.
    Source: as for `false_alarm_rate`.

    >>> round(exact_drop(0.9, 100, power=0.8, alpha=0.05), 4)
    0.0882
    """
    import numpy as np
    from scipy.special import betaincinv

    most = float(_most_failing(np.array([float(runs)]), p0, alpha, method)[0])
    return None if most < 0 else p0 - float(betaincinv(most + 1, runs - most, 1 - power))


def first_and_safe(p0: float, p1: float, *, power: float, alpha: float, method: str = "exact") -> tuple[int, int]:
    """The first count of runs with the wanted power, and the first from which on no count has less.

    Formula: the power at every count that can matter.
    Valid when: as for `false_alarm_rate`.
    Source: the range is proven by the inequalities of Zubkov & Serov 2013, Theory Probab. Appl. 57(3).

    >>> first_and_safe(0.9, 0.85, power=0.8, alpha=0.05)
    (270, 299)
    """
    import numpy as np

    score = read_name("method", method, _TESTS) == "wilson"
    always = _Bounds.of(p0, p1, power=max(power, _TARGET), alpha=alpha, score=score).always()
    # The bounds from below are for powers above one half.
    start, end = _Bounds.of(p0, p1, power=power, alpha=alpha, score=score).never() if power >= _TARGET else (1, 1)
    if start + always - end > _MOST:
        why = "so small a drop would take millions of counts to look at; the method normal has a formula"
        raise UsageError(f"a drop of {p0 - p1:.10g} from {p0:.10g} is out of reach of the method {method}: {why}")
    counts = np.concatenate([np.arange(1.0, start), np.arange(float(end), always + 1.0)])
    enough = _cdf(_most_failing(counts, p0, alpha, method), counts, p1) >= power
    last_short = int(np.flatnonzero(~enough)[-1]) if not enough.all() else -1
    return int(counts[np.argmax(enough)]), int(counts[last_short + 1])


def _most_failing(n: Array, p0: float, alpha: float, method: str) -> Array:
    """For each n the most passes at which the test fails; -1 where it never does."""
    import numpy as np

    line = n * p0 + normal_quantile(alpha) * np.sqrt(n * p0 * (1 - p0))
    if read_name("method", method, _TESTS) == "wilson":
        below: Array = np.clip(np.ceil(line) - 1, -1, n)
        return below
    x: Array = np.clip(np.floor(line), -1, n - 1)
    while (over := _cdf(x, n, p0) >= alpha).any():
        x = x - over
    while (under := _cdf(x + 1, n, p0) < alpha).any():
        x = x + under
    return x


def _cdf(x: Array, n: Array, p: float) -> Array:
    """P(X ≤ x) for X from n runs at the rate p, -1 ≤ x ≤ n."""
    import numpy as np
    from scipy.special import betainc

    inside = np.clip(x, 0, np.maximum(n - 1, 0))
    value = betainc(np.maximum(n - inside, 1), inside + 1, 1 - p)
    found: Array = np.where(x < 0, 0.0, np.where(x >= n, 1.0, value))
    return found


@dataclass(frozen=True, slots=True)
class _Bounds:
    """Counts beyond which the power is surely enough, and counts between which it surely is not.

    Zubkov & Serov: for 0 ≤ k < n, C(k) ≤ P(X ≤ k) ≤ C(k+1), where C(k) = Φ(±√(2n·D(k/n, p))), D is the divergence of
    Bernoulli laws, and the sign is that of k/n - p. So n·D against z²/2 decides on both sides: *a* for the false
    alarms, *b* for the power.

    "exact": *line* is a rate between p1 and p0. The upper inequality shows that the test fails x = ⌊line·n⌋ - 1 passes,
    once n·D(line, p0) > a, and the lower one that so many have the power, once n·D(line - 2/n, p1) ≥ b; both grow with
    n. Where n·D(line, p0) ≤ a the test fails nothing from line·n passes on, and the power is short as long as
    n·D(line + 1/n, p1) ≤ b. "wilson": the line is the test's own, p0 - z·√(p0 q0/n), and a has no say.
    The last condition is convex in n, a perspective of the convex D: if it holds at two counts it holds between them.
    """

    p0: float
    p1: float
    a: float
    b: float
    line: float
    score: bool

    @classmethod
    def of(cls, p0: float, p1: float, *, power: float, alpha: float, score: bool) -> _Bounds:
        """The bounds of one question; the line of the exact test is where both sides need the same n."""
        a, b = normal_quantile(alpha) ** 2 / 2, normal_quantile(power) ** 2 / 2
        low, high = (p1, p0) if p1 else (p0 / 2, p0 / 2)
        for _ in range(_HALVINGS):
            line = (low + high) / 2
            if a * _divergence(line, p1) < b * _divergence(line, p0):
                low = line
            else:
                high = line
        return cls(p0, p1, a, b, (low + high) / 2, score)

    def always(self) -> int:
        """A count from which on the power is enough."""
        short, enough = 0, 1
        while not self._is_enough(enough):
            short, enough = enough, 2 * enough
        return _turn(short, enough, self._is_enough)

    def never(self) -> tuple[int, int]:
        """Two counts: from the first on, and before the second, the power is short."""
        first = max(256, ceil(2 / (1 - self.p0)))
        if not self._is_short(first):
            return 1, 1
        short, open_ = first, 2 * first
        while self._is_short(open_):
            short, open_ = open_, 2 * open_
        return first, _turn(short, open_, lambda n: not self._is_short(n))

    def _is_enough(self, n: int) -> bool:
        rate = self._line(n) - (1 if self.score else 2) / n
        fails = self.score or n * _divergence(self.line, self.p0) > self.a
        return fails and rate > self.p1 and n * _divergence(rate, self.p1) >= self.b

    def _is_short(self, n: int) -> bool:
        rate = max(self._line(n) + 1 / n, self.p1)
        passes = self.score or n * _divergence(self.line, self.p0) <= self.a
        return passes and n * _divergence(rate, self.p1) <= self.b

    def _line(self, n: int) -> float:
        return self.p0 - sqrt(2 * self.a * self.p0 * (1 - self.p0) / n) if self.score else self.line


def _turn(before: int, after: int, holds: Callable[[int], bool]) -> int:
    """The first count at which *holds* is true, which it is at *after* and not at *before*; it never turns back."""
    while after - before > 1:
        middle = (before + after) // 2
        if holds(middle):
            after = middle
        else:
            before = middle
    return after


def _divergence(rate: float, p: float) -> float:
    """D(rate, p) = rate·ln(rate/p) + (1-rate)·ln((1-rate)/(1-p))."""
    if p == 0:
        return inf if rate else 0.0
    passed = rate * _log_ratio(rate, p) if rate else 0.0
    failed = (1 - rate) * _log_ratio(1 - rate, 1 - p) if rate < 1 else 0.0
    return passed + failed


def _log_ratio(x: float, y: float) -> float:
    """ln(x/y), with all its digits where the two are close."""
    return log1p((x - y) / y) if abs(x - y) < y / 2 else log(x / y)
