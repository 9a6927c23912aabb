"""From what somebody asks for to what is to be run: the tasks, the conditions, the agent and the header.

Everything that stands in the way is said at once. Stores and installed parts are handed in: the engine knows neither.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from msgspec.structs import replace

from passhat.agents.function import as_agent
from passhat.engine.check import is_sound, problems_of, unmeasured, unreachable, untimely
from passhat.engine.check_faults import fault_problems
from passhat.engine.declared import declared_of
from passhat.engine.plan import Plan
from passhat.engine.provenance import provenance
from passhat.engine.resume import resumed, topped_up
from passhat.engine.selecting import choice_problems, chosen, kept
from passhat.engine.settings import Settings
from passhat.errors import UsageError
from passhat.model.base import Json
from passhat.model.condition import Condition
from passhat.model.protocols import Agent
from passhat.model.redact import Redactor, masked
from passhat.model.run import OWN, Header, Run
from passhat.model.task import Suite

T = TypeVar("T")
_MOST = 10**11


class Earlier(Protocol):
    """Opens a stored run, by whatever names it; *write*: it is to go on."""

    def __call__(self, run: str, *, write: bool) -> Run: ...


class Planned(NamedTuple):
    """What is to be run: `suite` with its chosen tasks, and the run *before* where one goes on, as it is to be."""

    plan: Plan
    agent: Agent
    suite: Suite
    before: Run | None


class _Begun(NamedTuple):
    """The suite and the settings as they are to be, what is noted of the choice, and the run that is to go on."""

    suite: Any
    settings: Settings
    noted: dict[str, Json]
    before: Run | None


def planned(
    suite: Any,  # noqa: ANN401 - a user's may be anything
    agent: Any,  # noqa: ANN401 - as above
    settings: Settings,
    redactor: Redactor,
    *,
    conditions_of: Callable[..., tuple[Condition, ...]],
    earlier: Earlier,
    our_loop: bool = True,
    whole: bool = True,
) -> Planned:
    """What is to be run, or every problem in its way; *whole*: a run, and not one trial."""
    if not whole:  # what is made again is no run, and says nothing of itself
        settings = replace(settings, folder=None)
    problems: list[str] = []
    none: tuple[Condition, ...] = ()
    begun = _Begun(suite, settings, {}, None)
    if is_sound(suite):
        begun = _or_note(lambda: _begun(suite, settings, earlier), problems, begun)
    suite, settings, noted, before = begun
    conditions = _or_note(lambda: conditions_of(settings.under, clean=settings.clean), problems, none)
    adapter = _or_note(lambda: as_agent(agent, label=settings.label, version=settings.version), problems, None)
    problems = [*problems_of(suite, conditions, settings), *problems]
    if isinstance(settings.top_up, int) and settings.top_up > 0:
        problems.extend(fault_problems(conditions, trials=settings.top_up))
    problems.extend(unmeasured(conditions) if whole else ())
    if adapter is not None:
        problems.extend(unreachable(adapter, conditions))
        problems.extend(untimely(adapter, settings, our_loop=our_loop))
    problems.extend(_rule_problems(settings, conditions))
    if problems or adapter is None or not isinstance(suite, Suite):
        raise UsageError(*dict.fromkeys(problems))
    if len(suite.tasks) * len(conditions) * settings.trials > _MOST:
        raise UsageError(f"trials: more than {_MOST:,} in one run; plan fewer than {settings.trials:,} for each task")
    header = masked(_header(suite, adapter, conditions, settings, noted), redactor)
    plan = Plan(header, tasks=tuple(suite.tasks), conditions=conditions)
    return Planned(plan if before is None else resumed(plan, before.header), adapter, suite, before)


def _begun(suite: Suite, settings: Settings, earlier: Earlier) -> _Begun:
    if problems := list(choice_problems(settings)):
        raise UsageError(*problems)
    if settings.goes_on:
        before = earlier("latest" if settings.resume is None else settings.resume, write=True)
        more = settings.top_up
        if more is not None:
            if before.header.source != OWN:
                raise UsageError(f"top_up: run {before.header.id} was imported, so no trial can be added to it here")
            settings = replace(settings, trials=before.header.trials + more)
            header = topped_up(before.header, more)
            return _Begun(kept(suite, header), settings, {}, replace(before, header=header))
        if not settings.trials_given:
            settings = replace(settings, trials=before.header.trials)
        return _Begun(kept(suite, before.header), settings, {}, before)
    failed_in = None if settings.only_failed is None else earlier(settings.only_failed, write=False)
    suite, selection = chosen(suite, settings, failed_in)
    return _Begun(suite, settings, selection.noted() if selection else {}, None)


def _rule_problems(settings: Settings, conditions: Sequence[Condition]) -> list[str]:
    """The rules that so many trials under these conditions cannot be held against."""
    names = tuple(condition.name for condition in conditions)
    sound = isinstance(settings.trials, int) and settings.trials > 0
    return [text for rule in settings.sound_rules() if sound for text in rule.problems(settings.trials, names)]


def _header(
    suite: Suite, agent: Agent, conditions: Sequence[Condition], settings: Settings, noted: dict[str, Json]
) -> Header:
    """The header of a new run."""
    turns = settings.turns if any(task.user is not None for task in suite.tasks) else None
    made = provenance(timeout=settings.timeout, virtual=settings.virtual, folder=settings.folder, turns=turns)
    return Header(
        id=secrets.token_hex(4),
        suite=suite.name,
        agent=agent.label,
        agent_version=agent.version,
        tasks=tuple(task.stored for task in suite.tasks),
        conditions=tuple(condition.name for condition in conditions),
        grader=suite.grader.identity,
        trials=settings.trials,
        seed=settings.seed,
        same_seed=settings.same_seed,
        started_at=time.time(),
        provenance={**made, **noted},
        declared=declared_of(suite),
    )


def _or_note(make: Callable[[], T], problems: list[str], default: T) -> T:
    """What *make* gives, or *default* with its complaint noted, so that one run shows every complaint."""
    try:
        return make()
    except UsageError as error:
        problems.extend(error.problems)
        return default
