"""Maths: numbers in, numbers out. Nothing here knows a task, a trial or a run.

Scalars give a float, arrays give an array. A file of this folder is loaded when one of its functions is first used, and
numpy and scipy by the first call of one that needs them: `passhat plan` answers without either.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from passhat.stats.bayes import BayesSuite, bayes_pass_hat_k, bayes_suite
    from passhat.stats.betabinomial import (
        BetaBinomial,
        beta_binomial_from_moments,
        extrapolate_pass_hat_k,
        fit_beta_binomial,
    )
    from passhat.stats.correlation import (
        ClusteredErrors,
        clustered_se,
        design_effect,
        effective_n,
        icc,
        serial_correlation,
    )
    from passhat.stats.curves import CountTable, count_table, pass_at_curve, pass_hat_curve
    from passhat.stats.dependence import (
        DriftTest,
        OverdispersionTest,
        SeedTest,
        drift_test,
        overdispersion_test,
        seed_test,
    )
    from passhat.stats.intervals import (
        blocks,
        clopper_pearson,
        one_sided,
        pass_at_k_interval,
        pass_hat_k_interval,
        these_tasks,
    )
    from passhat.stats.passk import at_least_of_k, pass_at_k, pass_at_k_naive, pass_hat_k, pass_hat_k_naive
    from passhat.stats.power import detectable_drop
    from passhat.stats.sequences import (
        decay_curve,
        graceful_degradation,
        late_failure_score,
        outcome_spread,
        variance_amplification,
    )
    from passhat.stats.windows import (
        WindowRow,
        observed_pass_at,
        observed_pass_hat,
        pass_at_k_window,
        pass_hat_k_window,
        window_table,
    )

# Which file a name stands in.
_WHERE = {
    "BayesSuite": "bayes",
    "BetaBinomial": "betabinomial",
    "ClusteredErrors": "correlation",
    "CountTable": "curves",
    "DriftTest": "dependence",
    "OverdispersionTest": "dependence",
    "SeedTest": "dependence",
    "WindowRow": "windows",
    "at_least_of_k": "passk",
    "bayes_pass_hat_k": "bayes",
    "bayes_suite": "bayes",
    "beta_binomial_from_moments": "betabinomial",
    "blocks": "intervals",
    "clopper_pearson": "intervals",
    "clustered_se": "correlation",
    "count_table": "curves",
    "decay_curve": "sequences",
    "design_effect": "correlation",
    "detectable_drop": "power",
    "drift_test": "dependence",
    "effective_n": "correlation",
    "extrapolate_pass_hat_k": "betabinomial",
    "fit_beta_binomial": "betabinomial",
    "graceful_degradation": "sequences",
    "icc": "correlation",
    "late_failure_score": "sequences",
    "observed_pass_at": "windows",
    "observed_pass_hat": "windows",
    "one_sided": "intervals",
    "outcome_spread": "sequences",
    "overdispersion_test": "dependence",
    "pass_at_curve": "curves",
    "pass_at_k": "passk",
    "pass_at_k_interval": "intervals",
    "pass_at_k_naive": "passk",
    "pass_at_k_window": "windows",
    "pass_hat_curve": "curves",
    "pass_hat_k": "passk",
    "pass_hat_k_interval": "intervals",
    "pass_hat_k_naive": "passk",
    "pass_hat_k_window": "windows",
    "seed_test": "dependence",
    "serial_correlation": "correlation",
    "these_tasks": "intervals",
    "variance_amplification": "sequences",
    "window_table": "windows",
}

__all__ = [
    "BayesSuite",
    "BetaBinomial",
    "ClusteredErrors",
    "CountTable",
    "DriftTest",
    "OverdispersionTest",
    "SeedTest",
    "WindowRow",
    "at_least_of_k",
    "bayes_pass_hat_k",
    "bayes_suite",
    "beta_binomial_from_moments",
    "blocks",
    "clopper_pearson",
    "clustered_se",
    "count_table",
    "decay_curve",
    "design_effect",
    "detectable_drop",
    "drift_test",
    "effective_n",
    "extrapolate_pass_hat_k",
    "fit_beta_binomial",
    "graceful_degradation",
    "icc",
    "late_failure_score",
    "observed_pass_at",
    "observed_pass_hat",
    "one_sided",
    "outcome_spread",
    "overdispersion_test",
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
    "seed_test",
    "serial_correlation",
    "these_tasks",
    "variance_amplification",
    "window_table",
]


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module 'passhat.stats' has no attribute {name!r}")
    return getattr(import_module(f"passhat.stats.{_WHERE[name]}"), name)


def __dir__() -> list[str]:
    return __all__
