"""Maths: numbers in, numbers out. Nothing here knows a task, a trial or a run.

Scalars give a float, arrays give an array. A file of this folder is loaded when one of its functions is first used, and
numpy and scipy by the first call of one that needs them: `passhat plan` answers without either.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from passhat.stats.claims import runs_for_pass_hat_k, zero_failure_runs
    from passhat.stats.designs import (
        Split,
        best_split,
        non_inferior_runs,
        paired_detectable_drop,
        paired_tasks,
        split_error,
        splits,
        trials_for,
    )
    from passhat.stats.field import FieldRate, field_rates
    from passhat.stats.half_width import confidence_band, recommend_runs
    from passhat.stats.intervals import (
        blocks,
        clopper_pearson,
        one_sided,
        pass_at_k_interval,
        pass_hat_k_interval,
        these_tasks,
    )
    from passhat.stats.passk import pass_at_curve, pass_at_k, pass_hat_curve, pass_hat_k
    from passhat.stats.planning import RunsNeeded, achieved_power, detectable_drop, runs_to_detect
    from passhat.stats.power import false_alarm_rate
    from passhat.stats.scalars import normal_cdf, normal_quantile

# Which file a name stands in.
_WHERE = {
    "FieldRate": "field",
    "RunsNeeded": "planning",
    "Split": "designs",
    "achieved_power": "planning",
    "best_split": "designs",
    "blocks": "intervals",
    "clopper_pearson": "intervals",
    "confidence_band": "half_width",
    "detectable_drop": "planning",
    "false_alarm_rate": "power",
    "field_rates": "field",
    "non_inferior_runs": "designs",
    "normal_cdf": "scalars",
    "normal_quantile": "scalars",
    "one_sided": "intervals",
    "paired_detectable_drop": "designs",
    "paired_tasks": "designs",
    "pass_at_curve": "passk",
    "pass_at_k": "passk",
    "pass_at_k_interval": "intervals",
    "pass_hat_curve": "passk",
    "pass_hat_k": "passk",
    "pass_hat_k_interval": "intervals",
    "recommend_runs": "half_width",
    "runs_for_pass_hat_k": "claims",
    "runs_to_detect": "planning",
    "split_error": "designs",
    "splits": "designs",
    "these_tasks": "intervals",
    "trials_for": "designs",
    "zero_failure_runs": "claims",
}

__all__ = [
    "FieldRate",
    "RunsNeeded",
    "Split",
    "achieved_power",
    "best_split",
    "blocks",
    "clopper_pearson",
    "confidence_band",
    "detectable_drop",
    "false_alarm_rate",
    "field_rates",
    "non_inferior_runs",
    "normal_cdf",
    "normal_quantile",
    "one_sided",
    "paired_detectable_drop",
    "paired_tasks",
    "pass_at_curve",
    "pass_at_k",
    "pass_at_k_interval",
    "pass_hat_curve",
    "pass_hat_k",
    "pass_hat_k_interval",
    "recommend_runs",
    "runs_for_pass_hat_k",
    "runs_to_detect",
    "split_error",
    "splits",
    "these_tasks",
    "trials_for",
    "zero_failure_runs",
]


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module 'passhat.stats' has no attribute {name!r}")
    return getattr(import_module(f"passhat.stats.{_WHERE[name]}"), name)


def __dir__() -> list[str]:
    return __all__
