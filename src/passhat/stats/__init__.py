"""Maths: numbers in, numbers out. Nothing here knows a task, a trial or a run.

Scalars give a float, arrays give an array. A file of this folder is loaded when one of its functions is first used, and
numpy and scipy by the first call of one that needs them: `passhat plan` answers without either.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from passhat.stats.bayes import BayesSuite, bayes_pass_hat_k, bayes_suite, posterior_at_least
    from passhat.stats.betabinomial import (
        BetaBinomial,
        beta_binomial_from_moments,
        extrapolate_pass_hat_k,
        fit_beta_binomial,
    )
    from passhat.stats.bootstrap import cluster_bootstrap
    from passhat.stats.claims import runs_for_pass_hat_k, zero_failure_runs
    from passhat.stats.consistency import (
        coefficient_of_variation,
        combined_consistency,
        outcome_consistency,
        outcome_consistency_unbiased,
        resource_consistency,
        robustness_ratio,
    )
    from passhat.stats.correlation import (
        ClusteredErrors,
        clustered_se,
        design_effect,
        effective_n,
        icc,
        serial_correlation,
    )
    from passhat.stats.cost import cost_normalised_accuracy, cost_of_pass
    from passhat.stats.curves import CountTable, count_table, pass_at_curve, pass_hat_curve
    from passhat.stats.dependence import (
        DriftTest,
        OverdispersionTest,
        SeedTest,
        drift_test,
        overdispersion_test,
        seed_test,
    )
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
    from passhat.stats.differences import difference_interval
    from passhat.stats.field import FieldRate, field_rates
    from passhat.stats.half_width import confidence_band, recommend_runs
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
    from passhat.stats.medians import median_interval
    from passhat.stats.methods import is_approximate, may_gate, standing
    from passhat.stats.paired import paired_difference, paired_se, paired_share_interval, resampling_factor
    from passhat.stats.passk import at_least_of_k, pass_at_k, pass_at_k_naive, pass_hat_k, pass_hat_k_naive
    from passhat.stats.planning import RunsNeeded, achieved_power, detectable_drop, runs_to_detect
    from passhat.stats.power import false_alarm_rate
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
    from passhat.stats.scalars import normal_cdf, normal_quantile
    from passhat.stats.sequence import confidence_sequence
    from passhat.stats.sequences import (
        decay_curve,
        graceful_degradation,
        late_failure_score,
        outcome_spread,
        variance_amplification,
    )
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
    from passhat.stats.windows import (
        WindowRow,
        observed_pass_at,
        observed_pass_hat,
        pass_at_k_window,
        pass_hat_k_window,
        window_table,
    )

# Which names stand in which file.
_FILES = {
    "bayes": "BayesSuite bayes_pass_hat_k bayes_suite posterior_at_least",
    "betabinomial": "BetaBinomial beta_binomial_from_moments extrapolate_pass_hat_k fit_beta_binomial",
    "bootstrap": "cluster_bootstrap",
    "claims": "runs_for_pass_hat_k zero_failure_runs",
    "consistency": (
        "coefficient_of_variation combined_consistency outcome_consistency outcome_consistency_unbiased "
        "resource_consistency robustness_ratio"
    ),
    "correlation": "ClusteredErrors clustered_se design_effect effective_n icc serial_correlation",
    "cost": "cost_normalised_accuracy cost_of_pass",
    "curves": "CountTable count_table pass_at_curve pass_hat_curve",
    "dependence": "DriftTest OverdispersionTest SeedTest drift_test overdispersion_test seed_test",
    "designs": "Split best_split non_inferior_runs paired_detectable_drop paired_tasks split_error splits trials_for",
    "differences": "difference_interval",
    "field": "FieldRate field_rates",
    "half_width": "confidence_band recommend_runs",
    "horizon": (
        "duration_bucket gds half_life_rate half_life_time horizon_k_at_rate horizon_slope rdc_by_horizon "
        "reliability_horizon_k vaf"
    ),
    "intervals": "at_least_of_k_interval clopper_pearson interval one_sided pass_at_k_interval pass_hat_k_interval",
    "judge": "corrected_rate",
    "medians": "median_interval",
    "methods": "is_approximate may_gate standing",
    "paired": "paired_difference paired_se paired_share_interval resampling_factor",
    "passk": "at_least_of_k pass_at_k pass_at_k_naive pass_hat_k pass_hat_k_naive",
    "planning": "RunsNeeded achieved_power detectable_drop runs_to_detect",
    "power": "false_alarm_rate",
    "predictability": (
        "Abstention Predictability abstention auroc brier calibration_error excess_risk_coverage_area "
        "predictability_scores risk_coverage_area risk_coverage_score"
    ),
    "safety": "safety_compliance safety_harm safety_score",
    "scalars": "normal_cdf normal_quantile",
    "sequence": "confidence_sequence",
    "sequences": "decay_curve graceful_degradation late_failure_score outcome_spread variance_amplification",
    "sequential": "Sprt peeking_probability sprt",
    "significance": "benjamini_hochberg false_flag_probability fisher_exact holm mcnemar",
    "similarity": "action_similarity mean_action_similarity mean_sequence_similarity sequence_similarity",
    "suite": "blocks suite_interval suite_intervals these_tasks",
    "surface": "surface_mean surface_slopes surface_volume",
    "trajectory": "calibrated_threshold loop_step mop_step repeat_step tool_entropy window_entropies",
    "variance": "exact_variance standard_error variance_pass_hat_k",
    "windows": "WindowRow observed_pass_at observed_pass_hat pass_at_k_window pass_hat_k_window window_table",
}
_WHERE = {name: file for file, names in _FILES.items() for name in names.split()}

__all__ = [
    "Abstention",
    "BayesSuite",
    "BetaBinomial",
    "ClusteredErrors",
    "CountTable",
    "DriftTest",
    "FieldRate",
    "OverdispersionTest",
    "Predictability",
    "RunsNeeded",
    "SeedTest",
    "Split",
    "Sprt",
    "WindowRow",
    "abstention",
    "achieved_power",
    "action_similarity",
    "at_least_of_k",
    "at_least_of_k_interval",
    "auroc",
    "bayes_pass_hat_k",
    "bayes_suite",
    "benjamini_hochberg",
    "best_split",
    "beta_binomial_from_moments",
    "blocks",
    "brier",
    "calibrated_threshold",
    "calibration_error",
    "clopper_pearson",
    "cluster_bootstrap",
    "clustered_se",
    "coefficient_of_variation",
    "combined_consistency",
    "confidence_band",
    "confidence_sequence",
    "corrected_rate",
    "cost_normalised_accuracy",
    "cost_of_pass",
    "count_table",
    "decay_curve",
    "design_effect",
    "detectable_drop",
    "difference_interval",
    "drift_test",
    "duration_bucket",
    "effective_n",
    "exact_variance",
    "excess_risk_coverage_area",
    "extrapolate_pass_hat_k",
    "false_alarm_rate",
    "false_flag_probability",
    "field_rates",
    "fisher_exact",
    "fit_beta_binomial",
    "gds",
    "graceful_degradation",
    "half_life_rate",
    "half_life_time",
    "holm",
    "horizon_k_at_rate",
    "horizon_slope",
    "icc",
    "interval",
    "is_approximate",
    "late_failure_score",
    "loop_step",
    "may_gate",
    "mcnemar",
    "mean_action_similarity",
    "mean_sequence_similarity",
    "median_interval",
    "mop_step",
    "non_inferior_runs",
    "normal_cdf",
    "normal_quantile",
    "observed_pass_at",
    "observed_pass_hat",
    "one_sided",
    "outcome_consistency",
    "outcome_consistency_unbiased",
    "outcome_spread",
    "overdispersion_test",
    "paired_detectable_drop",
    "paired_difference",
    "paired_se",
    "paired_share_interval",
    "paired_tasks",
    "pass_at_curve",
    "pass_at_k",
    "pass_at_k_interval",
    "pass_at_k_naive",
    "pass_at_k_window",
    "pass_hat_curve",
    "pass_hat_k",
    "pass_hat_k_interval",
    "pass_hat_k_naive",
    "pass_hat_k_window",
    "peeking_probability",
    "posterior_at_least",
    "predictability_scores",
    "rdc_by_horizon",
    "recommend_runs",
    "reliability_horizon_k",
    "repeat_step",
    "resampling_factor",
    "resource_consistency",
    "risk_coverage_area",
    "risk_coverage_score",
    "robustness_ratio",
    "runs_for_pass_hat_k",
    "runs_to_detect",
    "safety_compliance",
    "safety_harm",
    "safety_score",
    "seed_test",
    "sequence_similarity",
    "serial_correlation",
    "split_error",
    "splits",
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
    "trials_for",
    "vaf",
    "variance_amplification",
    "variance_pass_hat_k",
    "window_entropies",
    "window_table",
    "zero_failure_runs",
]


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module 'passhat.stats' has no attribute {name!r}")
    return getattr(import_module(f"passhat.stats.{_WHERE[name]}"), name)


def __dir__() -> list[str]:
    return __all__
