"""Metrics: what is said of a run's trials. One file a metric, and one line here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Unpack

from passhat.metrics import _measure
from passhat.metrics._compare import compare
from passhat.metrics._measure import How
from passhat.metrics.at_least_of_k import AtLeastOfK
from passhat.metrics.base import Metric, Needs, Reading
from passhat.metrics.bayes import Bayes
from passhat.metrics.correlation import Correlation
from passhat.metrics.detectors import Detectors
from passhat.metrics.drift import Drift
from passhat.metrics.graded import Graded
from passhat.metrics.horizon import Horizon
from passhat.metrics.independence import Independence
from passhat.metrics.ledger import Ledger
from passhat.metrics.modelled import Modelled
from passhat.metrics.naive import Naive
from passhat.metrics.observed import Observed
from passhat.metrics.outcomes import Outcomes
from passhat.metrics.overdispersion import Overdispersion
from passhat.metrics.pass_at_k import PassAtK
from passhat.metrics.pass_hat_k import PassHatK
from passhat.metrics.placebo import Placebo
from passhat.metrics.recovery import Recovery
from passhat.metrics.reliability import Reliability, summarize
from passhat.metrics.window import Window
from passhat.model.run import Run
from passhat.model.summary import Summary

at_least_of_k = AtLeastOfK
bayes = Bayes
correlation = Correlation
detectors = Detectors
drift = Drift
graded = Graded
horizon = Horizon
independence = Independence
ledger = Ledger
modelled = Modelled
naive = Naive
observed = Observed
outcomes = Outcomes
overdispersion = Overdispersion
pass_at_k = PassAtK
pass_hat_k = PassHatK
placebo = Placebo
recovery = Recovery
reliability = Reliability
window = Window

METRICS: dict[str, type[Metric]] = {
    "pass_at_k": PassAtK,
    "pass_hat_k": PassHatK,
    "outcomes": Outcomes,
    "observed": Observed,
    "correlation": Correlation,
    "drift": Drift,
    "reliability": Reliability,
    "naive": Naive,
    "window": Window,
    "bayes": Bayes,
    "at_least_of_k": AtLeastOfK,
    "modelled": Modelled,
    "overdispersion": Overdispersion,
    "horizon": Horizon,
    "graded": Graded,
    "detectors": Detectors,
    "ledger": Ledger,
    "recovery": Recovery,
    "placebo": Placebo,
    "independence": Independence,
}


def measure(
    run: Run,
    *,
    metrics: Sequence[Metric] | None = None,
    known: Mapping[str, type[Metric]] = METRICS,
    **how: Unpack[How],
) -> Summary:
    """What the trials of *run* say: every usual metric that is *known*, unless *metrics* names some.

    `How` lists the options.
    """
    return _measure.measure(run, metrics=metrics, known=known, **how)


def problems(*, known: Mapping[str, type[Metric]] = METRICS, **how: Unpack[How]) -> list[str]:
    """What `measure` would refuse in *how*, known before anything is run."""
    return _measure.problems(known, **how)


def parse_metric(name: str, *, known: Mapping[str, type[Metric]] = METRICS) -> tuple[Metric, int]:
    """The metric that gives the estimate called *name* (`pass^5`, `pass@3`, `void_share`), and its k or 1.

    It is one of the kinds that are *known*: the built-in ones, where nothing else is said.
    """
    return _measure.parse_metric(name, known=known)


__all__ = [
    "METRICS",
    "AtLeastOfK",
    "Bayes",
    "Correlation",
    "Detectors",
    "Drift",
    "Graded",
    "Horizon",
    "How",
    "Independence",
    "Ledger",
    "Metric",
    "Modelled",
    "Naive",
    "Needs",
    "Observed",
    "Outcomes",
    "Overdispersion",
    "PassAtK",
    "PassHatK",
    "Placebo",
    "Reading",
    "Recovery",
    "Reliability",
    "Window",
    "at_least_of_k",
    "bayes",
    "compare",
    "correlation",
    "detectors",
    "drift",
    "graded",
    "horizon",
    "independence",
    "ledger",
    "measure",
    "modelled",
    "naive",
    "observed",
    "outcomes",
    "overdispersion",
    "parse_metric",
    "pass_at_k",
    "pass_hat_k",
    "placebo",
    "problems",
    "recovery",
    "reliability",
    "summarize",
    "window",
]
