"""Maths: numbers in, numbers out. Nothing here knows a task, a trial or a run.

Scalars give a float, arrays give an array. A file of this folder is loaded when one of its functions is first used, and
numpy and scipy by the first call of one that needs them: `passhat plan` answers without either.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from passhat.stats.bootstrap import cluster_bootstrap
    from passhat.stats.consistency import (
        coefficient_of_variation,
        combined_consistency,
        outcome_consistency,
        outcome_consistency_unbiased,
        resource_consistency,
        robustness_ratio,
    )
    from passhat.stats.cost import cost_normalised_accuracy, cost_of_pass
    from passhat.stats.differences import difference_interval
    from passhat.stats.horizon import (
        duration_bucket,
        gds,
        half_life_rate,
        half_life_time,
        horizon_k_at_rate,
        horizon_slope,
        rdc_by_horizon,
        reliability_horizon_k,
        vaf,
    )
    from passhat.stats.intervals import (
        at_least_of_k_interval,
        clopper_pearson,
        interval,
        one_sided,
        pass_at_k_interval,
        pass_hat_k_interval,
    )
    from passhat.stats.judge import corrected_rate
    from passhat.stats.methods import is_approximate, may_gate, standing
    from passhat.stats.paired import paired_difference, paired_se, resampling_factor
    from passhat.stats.passk import pass_at_curve, pass_at_k, pass_hat_curve, pass_hat_k
    from passhat.stats.power import detectable_drop
    from passhat.stats.predictability import (
        Abstention,
        Predictability,
        abstention,
        auroc,
        brier,
        calibration_error,
        excess_risk_coverage_area,
        predictability_scores,
        risk_coverage_area,
        risk_coverage_score,
    )
    from passhat.stats.safety import safety_compliance, safety_harm, safety_score
    from passhat.stats.sequence import confidence_sequence
    from passhat.stats.sequential import Sprt, peeking_probability, sprt
    from passhat.stats.significance import benjamini_hochberg, false_flag_probability, fisher_exact, holm, mcnemar
    from passhat.stats.similarity import (
        action_similarity,
        mean_action_similarity,
        mean_sequence_similarity,
        sequence_similarity,
    )
    from passhat.stats.suite import blocks, suite_interval, suite_intervals, these_tasks
    from passhat.stats.surface import surface_mean, surface_slopes, surface_volume
    from passhat.stats.trajectory import (
        calibrated_threshold,
        loop_step,
        mop_step,
        repeat_step,
        tool_entropy,
        window_entropies,
    )
    from passhat.stats.variance import exact_variance, standard_error, variance_pass_hat_k

# Which file a name stands in.
_WHERE = {
    "Abstention": "predictability",
    "Predictability": "predictability",
    "Sprt": "sequential",
    "abstention": "predictability",
    "action_similarity": "similarity",
    "at_least_of_k_interval": "intervals",
    "auroc": "predictability",
    "benjamini_hochberg": "significance",
    "blocks": "suite",
    "brier": "predictability",
    "calibrated_threshold": "trajectory",
    "calibration_error": "predictability",
    "clopper_pearson": "intervals",
    "cluster_bootstrap": "bootstrap",
    "coefficient_of_variation": "consistency",
    "combined_consistency": "consistency",
    "confidence_sequence": "sequence",
    "corrected_rate": "judge",
    "cost_normalised_accuracy": "cost",
    "cost_of_pass": "cost",
    "detectable_drop": "power",
    "difference_interval": "differences",
    "duration_bucket": "horizon",
    "exact_variance": "variance",
    "excess_risk_coverage_area": "predictability",
    "false_flag_probability": "significance",
    "fisher_exact": "significance",
    "gds": "horizon",
    "half_life_rate": "horizon",
    "half_life_time": "horizon",
    "holm": "significance",
    "horizon_k_at_rate": "horizon",
    "horizon_slope": "horizon",
    "interval": "intervals",
    "is_approximate": "methods",
    "loop_step": "trajectory",
    "may_gate": "methods",
    "mcnemar": "significance",
    "mean_action_similarity": "similarity",
    "mean_sequence_similarity": "similarity",
    "mop_step": "trajectory",
    "one_sided": "intervals",
    "outcome_consistency": "consistency",
    "outcome_consistency_unbiased": "consistency",
    "paired_difference": "paired",
    "paired_se": "paired",
    "pass_at_curve": "passk",
    "pass_at_k": "passk",
    "pass_at_k_interval": "intervals",
    "pass_hat_curve": "passk",
    "pass_hat_k": "passk",
    "pass_hat_k_interval": "intervals",
    "peeking_probability": "sequential",
    "predictability_scores": "predictability",
    "rdc_by_horizon": "horizon",
    "reliability_horizon_k": "horizon",
    "repeat_step": "trajectory",
    "resampling_factor": "paired",
    "resource_consistency": "consistency",
    "risk_coverage_area": "predictability",
    "risk_coverage_score": "predictability",
    "robustness_ratio": "consistency",
    "safety_compliance": "safety",
    "safety_harm": "safety",
    "safety_score": "safety",
    "sequence_similarity": "similarity",
    "sprt": "sequential",
    "standard_error": "variance",
    "standing": "methods",
    "suite_interval": "suite",
    "suite_intervals": "suite",
    "surface_mean": "surface",
    "surface_slopes": "surface",
    "surface_volume": "surface",
    "these_tasks": "suite",
    "tool_entropy": "trajectory",
    "vaf": "horizon",
    "variance_pass_hat_k": "variance",
    "window_entropies": "trajectory",
}

__all__ = [
    "Abstention",
    "Predictability",
    "Sprt",
    "abstention",
    "action_similarity",
    "at_least_of_k_interval",
    "auroc",
    "benjamini_hochberg",
    "blocks",
    "brier",
    "calibrated_threshold",
    "calibration_error",
    "clopper_pearson",
    "cluster_bootstrap",
    "coefficient_of_variation",
    "combined_consistency",
    "confidence_sequence",
    "corrected_rate",
    "cost_normalised_accuracy",
    "cost_of_pass",
    "detectable_drop",
    "difference_interval",
    "duration_bucket",
    "exact_variance",
    "excess_risk_coverage_area",
    "false_flag_probability",
    "fisher_exact",
    "gds",
    "half_life_rate",
    "half_life_time",
    "holm",
    "horizon_k_at_rate",
    "horizon_slope",
    "interval",
    "is_approximate",
    "loop_step",
    "may_gate",
    "mcnemar",
    "mean_action_similarity",
    "mean_sequence_similarity",
    "mop_step",
    "one_sided",
    "outcome_consistency",
    "outcome_consistency_unbiased",
    "paired_difference",
    "paired_se",
    "pass_at_curve",
    "pass_at_k",
    "pass_at_k_interval",
    "pass_hat_curve",
    "pass_hat_k",
    "pass_hat_k_interval",
    "peeking_probability",
    "predictability_scores",
    "rdc_by_horizon",
    "reliability_horizon_k",
    "repeat_step",
    "resampling_factor",
    "resource_consistency",
    "risk_coverage_area",
    "risk_coverage_score",
    "robustness_ratio",
    "safety_compliance",
    "safety_harm",
    "safety_score",
    "sequence_similarity",
    "sprt",
    "standard_error",
    "standing",
    "suite_interval",
    "suite_intervals",
    "surface_mean",
    "surface_slopes",
    "surface_volume",
    "these_tasks",
    "tool_entropy",
    "vaf",
    "variance_pass_hat_k",
    "window_entropies",
]


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module 'passhat.stats' has no attribute {name!r}")
    return getattr(import_module(f"passhat.stats.{_WHERE[name]}"), name)


def __dir__() -> list[str]:
    return __all__
