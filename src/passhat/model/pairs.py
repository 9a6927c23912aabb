"""Trials beside their clean ones: the same task and index, so the same seed, without faults and other wordings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from passhat.model.grammar import CLEAN
from passhat.model.trial import Trial


def paired(trials: Iterable[Trial]) -> Iterator[tuple[Trial, Trial | None]]:
    """Every trial, and beside it the clean one of its task and index, where there is one and it is not void.

    Trials come by index, so no more than those of one index are held. A clean trial stands beside none.
    """
    for _, group in groupby(trials, key=lambda trial: trial.index):
        alike = list(group)
        clean = {trial.task_id: trial for trial in alike if trial.condition == CLEAN and trial.outcome.counts}
        for trial in alike:
            yield trial, None if trial.condition == CLEAN else clean.get(trial.task_id)
