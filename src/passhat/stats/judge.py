"""What a fallible judge does to a pass rate, and how to undo it on average."""

from __future__ import annotations

from passhat.stats.arrays import Numbers, like, read, require, require_shares


def corrected_rate(observed: Numbers, sensitivity: float, specificity: float) -> Numbers:
    """The true pass rate behind the rate that a fallible judge reports.

    Formula: (observed + specificity - 1) / (sensitivity + specificity - 1), with sensitivity P(judged pass | pass)
    and specificity P(judged fail | fail).
    Valid when: the judge is better than a coin, errs independently of the agent and equally on all tasks, and both
    figures are known. It is not cut: below 0 or above 1 says that the figures don't fit. The ends of an interval
    go through it alike. It corrects a rate; pass^k of a noisy judge is not corrected by it.
    Source: Rogan & Gladen 1978; for judges that are models, arXiv 2511.21140.

    >>> round(corrected_rate(0.8, 0.95, 0.85), 6)
    0.8125
    """
    rate, found, cleared = read(observed, sensitivity, specificity)
    require_shares(observed=rate, sensitivity=found, specificity=cleared)
    rule = "sensitivity and specificity add up to more than 1: the judge is better than a coin"
    require(found + cleared > 1, rule, sensitivity=found, specificity=cleared)
    return like(observed, (rate + cleared - 1) / (found + cleared - 1))
