"""Metrics: what is said of a run's trials. One file a metric, and one line here."""

from __future__ import annotations

from collections.abc import Mapping

from passhat.errors import UsageError
from passhat.metrics.base import Metric, Needs, Reading, measure
from passhat.metrics.outcomes import Outcomes
from passhat.metrics.pass_at_k import PassAtK
from passhat.metrics.pass_hat_k import PassHatK
from passhat.model.parts import nearest

outcomes = Outcomes
pass_at_k = PassAtK
pass_hat_k = PassHatK

METRICS: dict[str, type[Metric]] = {
    "outcomes": Outcomes,
    "pass_at_k": PassAtK,
    "pass_hat_k": PassHatK,
}


def parse_metric(name: str, *, known: Mapping[str, type[Metric]] = METRICS) -> tuple[Metric, int]:
    """The metric that gives the estimate called *name* (`pass^5`, `pass@3`, `void_share`), and its k or 1.

    It is one of the kinds that are *known*: the built-in ones, where nothing else is said.
    """
    metrics = [kind() for kind in known.values()]
    for metric in metrics:
        k = metric.k_of(name)
        if k is not None:
            return metric, k
    names = [each for metric in metrics for each in metric.names]
    raise UsageError(f"there is no metric called {name!r}{nearest(name, names)}")


__all__ = [
    "METRICS",
    "Metric",
    "Needs",
    "Outcomes",
    "PassAtK",
    "PassHatK",
    "Reading",
    "measure",
    "outcomes",
    "parse_metric",
    "pass_at_k",
    "pass_hat_k",
]
