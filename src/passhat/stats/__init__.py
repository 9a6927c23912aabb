"""Maths: numbers in, numbers out. Nothing here knows a task, a trial or a run.

Scalars give a float, arrays give an array. numpy and scipy are loaded by the first call, not by the import.
"""

from __future__ import annotations

from passhat.stats.intervals import (
    blocks,
    clopper_pearson,
    one_sided,
    pass_at_k_interval,
    pass_hat_k_interval,
    these_tasks,
)
from passhat.stats.passk import pass_at_curve, pass_at_k, pass_hat_curve, pass_hat_k
from passhat.stats.power import detectable_drop

__all__ = [
    "blocks",
    "clopper_pearson",
    "detectable_drop",
    "one_sided",
    "pass_at_curve",
    "pass_at_k",
    "pass_at_k_interval",
    "pass_hat_curve",
    "pass_hat_k",
    "pass_hat_k_interval",
    "these_tasks",
]
