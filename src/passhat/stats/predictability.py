"""Predictability: does the agent know when it will fail? From stated confidences, or from handing a task back.

Nothing here says how good the agent is. A confidence is the stated probability of a pass, from 0 to 1.
"""

from __future__ import annotations

from dataclasses import dataclass

from passhat.stats.arrays import Array, Many, read_rows, require, require_flags, require_shares
from passhat.stats.scalars import read_whole


@dataclass(frozen=True, slots=True)
class Predictability:
    """Four views of one set of confidences, each 1 at best; None where no ranking can be judged."""

    calibration: float
    ranking: float | None
    brier: float
    selection: float | None


@dataclass(frozen=True, slots=True)
class Abstention:
    """What handing tasks back was worth; None where nothing was handed back, failed or was kept."""

    precision: float | None
    recall: float | None
    selective_accuracy: float | None
    agreement: float


def brier(confidence: Many, passed: Many) -> float:
    """The mean squared distance between confidence and outcome: 0 at best.

    Formula: mean((confidence - passed)²).
    Valid when: one confidence an outcome. It is not free of capability: who says .5 of a coin scores .25.
    Source: Brier 1950.

    >>> round(brier([0.9, 0.9, 0.8, 0.6, 0.3], [1, 1, 0, 1, 0]), 6)
    0.182
    """
    said, done = _read(confidence, passed)
    return float(((said - done) ** 2).mean())


def calibration_error(confidence: Many, passed: Many, *, bins: int = 10) -> float:
    """The expected calibration error: how far confidences are from the rates at which they come true.

    Formula: Σ_b |b|/N · |mean confidence of b - pass rate of b| over *bins* equal bins [i/bins, (i+1)/bins), the
    last one with its right end.
    Valid when: there are many confidences; at few it is too high, and it depends on the bins. The edges are the
    quotients themselves, so that .3 opens its bin; edges added up step by step put .3, .6 and .7 a bin too low.
    Source: Naeini et al. 2015; ten bins, closed on the left, as in Rabanser et al. 2026.

    >>> round(calibration_error([0.9, 0.9, 0.8, 0.6, 0.3], [1, 1, 0, 1, 0]), 6)
    0.34
    """
    import numpy as np

    said, done = _read(confidence, passed)
    count = read_whole("bins", bins)
    place = np.searchsorted(np.arange(1, count) / count, said, side="right")
    gap = np.bincount(place, weights=said - done, minlength=count)
    return float(np.abs(gap).sum() / said.size)


def auroc(confidence: Many, passed: Many) -> float:
    """The probability that a pass was given more confidence than a failure; ties count half.

    Formula: (#{pass above failure} + ½·#{equal}) / (passes · failures).
    Valid when: there are passes and failures.
    Source: Mann & Whitney 1947; Hanley & McNeil 1982.

    >>> round(auroc([0.9, 0.9, 0.8, 0.6, 0.3], [1, 1, 0, 1, 0]), 6)
    0.833333
    """
    import numpy as np

    said, done = _read(confidence, passed)
    _require_both(done)
    _, level = np.unique(said, return_inverse=True)
    passes = np.bincount(level, weights=done)
    failures = np.bincount(level, weights=1 - done)
    below = np.cumsum(failures) - failures
    return float((passes * (below + failures / 2)).sum() / (passes.sum() * failures.sum()))


def risk_coverage_area(confidence: Many, passed: Many) -> float:
    """The mean share of failures among the most confident i of N trials, over i = 1 … N: 0 at best.

    Formula: AURC = mean_i risk(i), with risk(i) = failures among the first i / i; within a tie, failures come in
    evenly, so that the order in which trials are listed has no say.
    Valid when: one confidence an outcome.
    Source: Geifman et al. 2019, at every coverage i/N.

    >>> round(risk_coverage_area([0.9, 0.8, 0.7], [1, 0, 1]), 6)
    0.277778
    """
    said, done = _read(confidence, passed)
    return _area(_failures_by_rank(said, done))


def excess_risk_coverage_area(confidence: Many, passed: Many) -> float:
    """`risk_coverage_area` beyond that of a perfect ranking of the same outcomes: 0 at best.

    Formula: E-AURC = AURC - AURC of all passes before all failures.
    Valid when: one confidence an outcome.
    Source: Geifman et al. 2019.

    >>> round(excess_risk_coverage_area([0.9, 0.8, 0.7], [1, 0, 1]), 6)
    0.166667
    """
    said, done = _read(confidence, passed)
    return _excess(said, done)


def risk_coverage_score(confidence: Many, passed: Many) -> float:
    """How well confidence sorts passes before failures: 1 for perfectly, 0 for exactly the wrong way round.

    Formula: P_rc = 1 - E-AURC / E-AURC of the worst ranking.
    Valid when: there are passes and failures.
    Source: Rabanser et al. 2026, who read the curve at 100 coverages; here at all N.

    >>> round(risk_coverage_score([0.9, 0.8, 0.7], [1, 0, 1]), 6)
    0.666667
    """
    said, done = _read(confidence, passed)
    _require_both(done)
    return 1 - _excess(said, done) / _excess(done.max() - done, done)


def predictability_scores(confidence: Many, passed: Many) -> Predictability:
    """All four figures at once, turned so that 1 is best.

    Formula: P_cal = 1 - ECE, P_AUROC, P_brier = 1 - Brier, P_rc; without passes, or without failures, there is
    no ranking, and two of them are None.
    Valid when: as for each of them.
    Source: Rabanser et al. 2026, where the Brier form stands for the whole.

    >>> found = predictability_scores([0.9, 0.9, 0.8, 0.6, 0.3], [1, 1, 0, 1, 0])
    >>> round(found.brier, 6), round(found.calibration, 6)
    (0.818, 0.66)
    """
    said, done = _read(confidence, passed)
    mixed = 0 < done.sum() < done.size
    return Predictability(
        calibration=1 - calibration_error(said, done),
        ranking=auroc(said, done) if mixed else None,
        brier=1 - brier(said, done),
        selection=risk_coverage_score(said, done) if mixed else None,
    )


def abstention(abstained: Many, passed: Many) -> Abstention:
    """Whether the agent hands back what it would have failed.

    Formula: precision P(fail | abstained), recall P(abstained | fail), selective accuracy P(pass | kept), and
    agreement, the share of trials that were handed back and failed, or kept and passed.
    Valid when: what was handed back was judged as well, for instance by what had been done until then.
    Source: Rabanser et al. 2026, who call the last one calibration.

    >>> abstention([1, 1, 0, 0, 0], [0, 1, 0, 1, 1])
    Abstention(precision=0.5, recall=0.5, selective_accuracy=0.6666666666666666, agreement=0.6)
    """
    back, done = read_rows(abstained=abstained, passed=passed)
    require_flags(abstained=back, passed=done)
    caught = float((back * (1 - done)).sum())
    kept = float(((1 - back) * done).sum())
    return Abstention(
        precision=_share(caught, float(back.sum())),
        recall=_share(caught, float((1 - done).sum())),
        selective_accuracy=_share(kept, float((1 - back).sum())),
        agreement=(caught + kept) / done.size,
    )


def _read(confidence: Many, passed: Many) -> tuple[Array, Array]:
    said, done = read_rows(confidence=confidence, passed=passed)
    require_shares(confidence=said)
    require_flags(passed=done)
    return said, done


def _require_both(done: Array) -> None:
    both = (done.sum() > 0) & (done.sum() < done.size)
    require(both, "passed holds passes and failures", passes=done.sum(), failures=done.size - done.sum())


def _failures_by_rank(said: Array, done: Array) -> Array:
    """How many failures are expected among the first 1, 2 … N trials by falling confidence."""
    import numpy as np

    _, level, size = np.unique(-said, return_inverse=True, return_counts=True)
    each = np.bincount(level, weights=1 - done) / size
    return np.cumsum(np.repeat(each, size))


def _area(failures: Array) -> float:
    import numpy as np

    return float((failures / np.arange(1, failures.size + 1)).mean())


def _excess(said: Array, done: Array) -> float:
    perfect = _failures_by_rank(done, done)
    return _area(_failures_by_rank(said, done)) - _area(perfect)


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None
