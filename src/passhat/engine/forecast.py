"""What a plan comes to before it is run, by what earlier trials of the same agent and suite have shown. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from statistics import fmean

from passhat.engine.budget import Price, cost_of
from passhat.engine.check_faults import injections_of
from passhat.engine.plan import Plan
from passhat.engine.planned import Planned
from passhat.engine.settings import Settings
from passhat.model.condition import Condition
from passhat.model.forecast import Earlier, Forecast, PlannedCondition, Share
from passhat.model.grammar import CLEAN
from passhat.model.outcome import Outcome
from passhat.model.run import Run
from passhat.model.selection import selection_of
from passhat.model.trial import Trial

_MOST_READ = 2_000  # trials: a mean of more would be no better to plan by
_EXAMPLE = 0.9  # a baseline where nothing is known, or nothing but passes or failures was seen


def foreseen(
    found: Planned,
    settings: Settings,
    *,
    runs: Iterable[Run],
    stored: int,
    drop_of: Callable[[float, int], float | None],
) -> Forecast:
    """What is planned, by what *runs* have shown, newest first; *drop_of* a baseline and a number of trials."""
    header, selection = found.plan.header, selection_of(found.plan.header)
    earlier = earlier_of(runs, settings.prices)
    known = earlier.rate is not None and 0 < earlier.rate < 1
    baseline = earlier.rate if earlier.rate is not None and known else _EXAMPLE
    left = header.planned - stored

    def of_all(mean: float | None, at_a_time: int = 1) -> float | None:
        return None if mean is None else left * mean / max(1, min(at_a_time, left))

    return Forecast(
        suite=header.suite,
        agent=header.agent,
        tasks=tuple(task.id for task in header.tasks),
        conditions=planned_conditions(found.plan),
        trials=header.trials,
        planned=header.planned,
        stored=stored,
        concurrency=settings.concurrency,
        earlier=earlier,
        selection=selection.told if selection else "",
        seconds=of_all(earlier.seconds, settings.concurrency),
        tokens=of_all(earlier.tokens),
        cost=of_all(earlier.cost),
        baseline=baseline,
        baseline_known=known,
        drop=drop_of(baseline, len(header.tasks) * header.trials),
    )


def earlier_of(runs: Iterable[Run], prices: Mapping[str, Price]) -> Earlier:
    """The means of the latest trials of *runs*, which come newest first."""
    found: list[Trial] = []
    looked = 0
    for run in runs:
        some = list(islice((one for one in run.trials if one.outcome.counts), _MOST_READ - len(found)))
        looked += bool(some)
        found += some
        if len(found) >= _MOST_READ:
            break
    clean = [one.outcome is Outcome.PASS for one in found if one.condition == CLEAN]
    return Earlier(
        trials=len(found),
        runs=looked,
        seconds=_mean(one.seconds for one in found),
        tokens=_mean(_tokens(found)),
        cost=_mean(_costs(found, prices)),
        rate=_mean(map(float, clean)),
    )


def planned_conditions(plan: Plan) -> tuple[PlannedCondition, ...]:
    """The conditions of *plan*, with the trials of each task in which a fault that has a share is planned."""
    return tuple(PlannedCondition(name=one.name, shares=tuple(_shares(one, plan))) for one in plan.conditions)


def _shares(condition: Condition, plan: Plan) -> Iterator[Share]:
    for one in injections_of(condition):
        if one.share < 1:
            trials = sum(round(one.share * block) for block in plan.header.blocks)
            yield Share(fault=one.fault.term.name, trials=trials)


def _tokens(trials: Iterable[Trial]) -> Iterator[float]:
    """The tokens of each answer that tells them."""
    for trial in trials:
        usage = trial.answer.usage if trial.answer is not None else None
        counts = [] if usage is None else [one for one in (usage.input_tokens, usage.output_tokens) if one is not None]
        if counts:
            yield float(sum(counts))


def _costs(trials: Iterable[Trial], prices: Mapping[str, Price]) -> Iterator[float]:
    for trial in trials:
        cost = cost_of(trial.answer.usage if trial.answer is not None else None, prices)
        if cost is not None:
            yield cost


def _mean(numbers: Iterable[float]) -> float | None:
    found = list(numbers)
    return fmean(found) if found else None
