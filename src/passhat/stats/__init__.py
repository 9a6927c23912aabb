"""Maths: numbers in, numbers out. Nothing here knows a task, a trial or a run.

Scalars give a float, arrays give an array. A file of this folder is loaded when one of its functions is first used, and
numpy and scipy by the first call of one that needs them: `passhat plan` answers without either.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from passhat.stats.bootstrap import cluster_bootstrap
    from passhat.stats.differences import difference_interval
    from passhat.stats.intervals import clopper_pearson, interval, one_sided, pass_at_k_interval, pass_hat_k_interval
    from passhat.stats.methods import is_approximate, may_gate, standing
    from passhat.stats.passk import pass_at_curve, pass_at_k, pass_hat_curve, pass_hat_k
    from passhat.stats.power import detectable_drop
    from passhat.stats.sequence import confidence_sequence
    from passhat.stats.suite import blocks, suite_interval, suite_intervals, these_tasks
    from passhat.stats.variance import exact_variance, standard_error, variance_pass_hat_k

# Which file a name stands in.
_WHERE = {
    "blocks": "suite",
    "clopper_pearson": "intervals",
    "cluster_bootstrap": "bootstrap",
    "confidence_sequence": "sequence",
    "detectable_drop": "power",
    "difference_interval": "differences",
    "exact_variance": "variance",
    "interval": "intervals",
    "is_approximate": "methods",
    "may_gate": "methods",
    "one_sided": "intervals",
    "pass_at_curve": "passk",
    "pass_at_k": "passk",
    "pass_at_k_interval": "intervals",
    "pass_hat_curve": "passk",
    "pass_hat_k": "passk",
    "pass_hat_k_interval": "intervals",
    "standard_error": "variance",
    "standing": "methods",
    "suite_interval": "suite",
    "suite_intervals": "suite",
    "these_tasks": "suite",
    "variance_pass_hat_k": "variance",
}

__all__ = [
    "blocks",
    "clopper_pearson",
    "cluster_bootstrap",
    "confidence_sequence",
    "detectable_drop",
    "difference_interval",
    "exact_variance",
    "interval",
    "is_approximate",
    "may_gate",
    "one_sided",
    "pass_at_curve",
    "pass_at_k",
    "pass_at_k_interval",
    "pass_hat_curve",
    "pass_hat_k",
    "pass_hat_k_interval",
    "standard_error",
    "standing",
    "suite_interval",
    "suite_intervals",
    "these_tasks",
    "variance_pass_hat_k",
]


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module 'passhat.stats' has no attribute {name!r}")
    return getattr(import_module(f"passhat.stats.{_WHERE[name]}"), name)


def __dir__() -> list[str]:
    return __all__
