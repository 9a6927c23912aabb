"""What a run would be, before any of it is run: its trials, what they may cost, and the drop that they could show."""

from __future__ import annotations

from passhat.model.base import Noun


class Share(Noun, kw_only=True):
    """A fault that is planned in a share of the trials of each task: in how many."""

    fault: str
    trials: int


class PlannedCondition(Noun, kw_only=True):
    """A condition, and the faults of it that are not planned in every trial."""

    name: str
    shares: tuple[Share, ...] = ()


class Earlier(Noun, kw_only=True):
    """What trials of the same agent and suite have shown: means for one trial, None where nobody knows.

    `rate` is the share of those that passed among those that count, under the clean condition.
    """

    trials: int
    runs: int
    seconds: float | None
    tokens: float | None
    cost: float | None
    rate: float | None


class Forecast(Noun, kw_only=True):
    """A run that was not made. `stored` trials are there already, where a run is to go on.

    The totals are those of the trials that are left, None where nobody knows; `seconds` are of the whole run, so many
    trials at a time. `drop` is the smallest drop of a pass rate below `baseline` that one condition's trials would show
    with 80 % probability, at 5 % false alarms; None where they would show none. `baseline_known`: it is what the
    earlier trials have shown.
    """

    suite: str
    agent: str
    tasks: tuple[str, ...]
    conditions: tuple[PlannedCondition, ...]
    trials: int
    planned: int
    stored: int
    concurrency: int
    earlier: Earlier
    selection: str
    seconds: float | None
    tokens: float | None
    cost: float | None
    baseline: float
    baseline_known: bool
    drop: float | None
