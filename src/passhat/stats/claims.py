"""How many runs prove a claim: that a rate, or a pass^k, is at least so much. Standard-library maths.

The claim is proven where the one-sided lower bound (Clopper & Pearson 1934) reaches it, which is when so many passes
would be a surprise of at most 1 - confidence at the rate that was claimed.
"""

from __future__ import annotations

from math import exp, expm1, fsum, log

from passhat.errors import UsageError
from passhat.stats.scalars import read_share, read_whole, whole_up

_MOST_FAILURES = 10_000


def zero_failure_runs(at_least: float, *, confidence: float = 0.95) -> int:
    """How many runs, all passed, prove a rate of *at_least*.

    Formula: ⌈ln(1-confidence) / ln(at_least)⌉.
    Valid when: runs are independent and alike, and not one fails.
    Source: P(no failure) = p^n; Clopper & Pearson 1934 at c = n.

    >>> [zero_failure_runs(rate) for rate in (0.8, 0.9, 0.95, 0.99, 0.999)]
    [14, 29, 59, 299, 2995]
    """
    return runs_for_pass_hat_k(1, at_least, confidence=confidence)


def runs_for_pass_hat_k(k: int, at_least: float, *, confidence: float = 0.95, failures: int = 0) -> int:
    """How many single runs prove a pass^k of *at_least*, when *failures* of them fail.

    Formula: the least n with P(F ≤ failures) ≤ 1-confidence, F binomial from n runs at the failure rate
    1 - at_least^(1/k); without a failure ⌈k·ln(1-confidence) / ln(at_least)⌉.
    Valid when: the runs are of one task, or of tasks that are alike, so that pass^k = p^k; n, at least k, was
    fixed before.
    Source: Clopper & Pearson 1934, and that p → p^k is increasing.

    >>> runs_for_pass_hat_k(10, 0.9), runs_for_pass_hat_k(5, 0.9), runs_for_pass_hat_k(5, 0.9, failures=1)
    (285, 143, 226)
    """
    log_rate = log(read_share("at_least", at_least)) / read_whole("k", k)
    surprise = 1 - read_share("confidence", confidence)
    allowed = read_failures(failures)
    clean = whole_up(max(k, log(surprise) / log_rate))
    few, many = clean, 2 * (clean + allowed)
    if not allowed:
        return clean
    while _at_most(allowed, many, log_rate) > surprise:
        few, many = many, 2 * many
    while many - few > 1:  # the more runs, the less likely so few failures
        runs = (few + many) // 2
        if _at_most(allowed, runs, log_rate) > surprise:
            few = runs
        else:
            many = runs
    return many


def read_failures(value: float, *, name: str = "failures") -> int:
    """How many runs may fail: each is a term of the sum, so there are not too many.

    >>> read_failures(1)
    1
    """
    failures = read_whole(name, value, least=0)
    if failures > _MOST_FAILURES:
        raise UsageError(f"{name} is at most {_MOST_FAILURES:,}, not {name}={failures}")
    return failures


def _at_most(failures: int, runs: int, log_rate: float) -> float:
    """P(F ≤ failures), each term from the one before; in logarithms, because the first may be as small as you like."""
    odds = log(-expm1(log_rate)) - log_rate
    terms = [runs * log_rate]
    for i in range(1, min(failures, runs) + 1):
        terms.append(terms[-1] + log((runs - i + 1) / i) + odds)
    largest = max(terms)
    return exp(largest) * fsum(exp(term - largest) for term in terms)
