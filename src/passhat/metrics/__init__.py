"""Metrics: what is said of a run's trials. One file a metric, and one line here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Unpack

from passhat.metrics import _measure
from passhat.metrics._compare import compare
from passhat.metrics._measure import How
from passhat.metrics.base import Metric, Needs, Reading
from passhat.metrics.outcomes import Outcomes
from passhat.metrics.pass_at_k import PassAtK
from passhat.metrics.pass_hat_k import PassHatK
from passhat.model.run import Run
from passhat.model.summary import Summary

outcomes = Outcomes
pass_at_k = PassAtK
pass_hat_k = PassHatK

METRICS: dict[str, type[Metric]] = {
    "outcomes": Outcomes,
    "pass_at_k": PassAtK,
    "pass_hat_k": PassHatK,
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
    "How",
    "Metric",
    "Needs",
    "Outcomes",
    "PassAtK",
    "PassHatK",
    "Reading",
    "compare",
    "measure",
    "outcomes",
    "parse_metric",
    "pass_at_k",
    "pass_hat_k",
    "problems",
]
