"""The one file that knows both sides of the waist. It reads as the program: plan, execute, measure, judge, render."""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, nullcontext
from pathlib import Path
from typing import Any, TypeVar, Unpack

from passhat import metrics as metrics_list
from passhat import reports, rules
from passhat.agents import FunctionAgent, adapter_for
from passhat.engine.binding import Catalogue
from passhat.engine.check import problems_of, unreachable, untimely
from passhat.engine.execute import Control, Execution
from passhat.engine.plan import Plan
from passhat.engine.printing import captured
from passhat.engine.provenance import provenance
from passhat.engine.replay import made_again, replayed, replaying, stored_trial
from passhat.engine.resume import resumed
from passhat.engine.settings import Options, Progress, Replaying, Settings
from passhat.engine.thread import in_thread
from passhat.engine.virtual import VirtualLoop
from passhat.errors import Interrupted, UsageError
from passhat.faults import FAULTS, Fault
from passhat.importers import IMPORTERS, Importer, Origin
from passhat.installed import Parts
from passhat.metrics import METRICS, How, Metric
from passhat.model.body import masked_rows, row_of
from passhat.model.comparison import Comparison
from passhat.model.condition import Condition
from passhat.model.parts import configured, find
from passhat.model.protocols import Agent, Store
from passhat.model.redact import Redactor, masked
from passhat.model.run import Header, Run, Trials
from passhat.model.summary import Summary
from passhat.model.task import Suite
from passhat.model.trial import Trial
from passhat.model.verdict import Verdict
from passhat.perturbations import PERTURBATIONS, Perturbation
from passhat.reports import REPORTS, Report
from passhat.rules import RULES, Rule, judge
from passhat.stores import STORES, SqliteStore

__all__ = [
    "How",
    "Options",
    "Plan",
    "Progress",
    "Replaying",
    "compare",
    "import_run",
    "importer_kind",
    "judge",
    "measure",
    "open_store",
    "parse_metric",
    "parse_rule",
    "plan",
    "reading_problems",
    "render",
    "replay",
    "replays",
    "run",
    "run_async",
]

DEFAULT_STORE = "passhat.db"
_STORE_URL = re.compile(r"(?P<name>[a-z][\w-]*)://(?P<place>.*)", re.DOTALL)
T = TypeVar("T")
_MOST = 10**11


def run(suite: Suite, agent: Any, **options: Unpack[Options]) -> Run:  # noqa: ANN401 - an agent is any callable
    """Run *agent* on every task of *suite*, and give the stored run. `Options` lists what can be said by name.

    It blocks, and works inside a running event loop too: the trials have a loop and a thread of their own. A first
    Ctrl-C lets the running trials end, a second drops them; what has ended is stored, and `Interrupted` says where.
    """
    control, settings = Control(), _settings(options)
    make_loop = VirtualLoop if settings.virtual else asyncio.new_event_loop
    return in_thread(lambda: _run(suite, agent, settings, control), control, make_loop=make_loop)


async def run_async(suite: Suite, agent: Any, **options: Unpack[Options]) -> Run:  # noqa: ANN401 - as above
    """The same as `run`, on the event loop of the caller."""
    return await _run(suite, agent, _settings(options), Control(), our_loop=False)


def plan(suite: Suite, agent: Any, **options: Unpack[Options]) -> Plan:  # noqa: ANN401 - as above
    """The plan of the run that `run` would make; nothing is run, and nothing is stored."""
    planned, _ = _planned(suite, agent, _settings(options), _redactor())
    return planned


def replay(
    run: Run,
    suite: Suite,
    agent: Any,  # noqa: ANN401 - as above
    task: str,
    index: int,
    condition: Any,  # noqa: ANN401 - a fault, a perturbation, a condition, or the text of one
    **options: Unpack[Replaying],
) -> Trial:
    """That trial of *run* made again, under the identical faults; it is not added to the run.

    Task, grader and condition have to be those of the run; the agent may be another, a mended one.
    """
    return replays(run, suite, agent, task, index, condition, **options)[0]


def replays(
    run: Run,
    suite: Suite,
    agent: Any,  # noqa: ANN401 - as above
    task: str,
    index: int,
    condition: Any,  # noqa: ANN401 - as above
    *,
    times: int = 1,
    **options: Unpack[Replaying],
) -> Sequence[Trial]:
    """The same as `replay`, *times* times: an agent may draw, and end otherwise although the faults are the same."""
    meant = _catalogue().condition(condition)
    stored = stored_trial(run, task, index, meant.name)
    settings, redactor = replaying(run.header, meant, options), _redactor()
    planned, adapter = _planned(suite, agent, settings, redactor)
    plan = replayed(planned, run.header, stored, times=times)
    return made_again(plan, suite, adapter, settings, redactor=redactor, wall=time.time)


def import_run(
    format: str,  # noqa: A002 - the word that users type
    text: str,
    *,
    store: Store | str | Path | None = None,
    suite: str = "",
    agent: str = "",
    source: str = "the log",
    **options: object,
) -> Run:
    """Store the run that *text*, a log in this format, tells of, and give it; a log with a wrong line leaves nothing.

    *suite* and *agent* name what was tested where the log does not; *source* is what errors call the text. *options*
    are the format's own, such as the `threshold` of jsonl.
    """
    settings = {"suite": suite, "agent": agent, **options}
    importer = configured(f"format {format}", importer_kind(format), settings)
    imported = importer.read(text, Origin(secrets.token_hex(4), time.time(), source))
    redactor = _redactor()
    header, rows = (
        masked(imported.header, redactor),
        masked_rows([row_of(cell, trial) for cell, trial in imported.trials], redactor),
    )
    opened = open_store(store, create=True)
    with ExitStack() as undo:
        opened.create(header)
        undo.callback(opened.delete, header.id)
        opened.append(header.id, rows)
        undo.pop_all()
    return opened.open(header.id)


def importer_kind(format: str) -> type[Importer]:  # noqa: A002 - the word that users type
    """The importer of this format, a built-in one or one of an installed package; its fields are its options."""
    return find("format to import", format, Parts("importers", IMPORTERS, Importer))


def measure(run: Run, *, metrics: Sequence[Metric] | None = None, **how: Unpack[How]) -> Summary:
    """What the trials of *run* say: every usual metric, unless *metrics* names some. `How` lists the options."""
    return metrics_list.measure(run, metrics=metrics, known=_metrics(), **how)


def compare(before: Run, after: Run, **how: Unpack[How]) -> Comparison:
    """*after* held against *before*: paired differences with intervals, what to notice, and no verdict."""
    return metrics_list.compare(measure(before, **how), measure(after, **how))


def reading_problems(**how: Unpack[How]) -> list[str]:
    """What `measure` would refuse in *how*, known before anything is run."""
    return metrics_list.problems(known=_metrics(), **how)


def render(
    summary: Summary,
    verdict: Verdict | None = None,
    *,
    format: str = "terminal",  # noqa: A002 - the word that users type
    trials: Trials | None = None,
    **options: object,
) -> str:
    """The report of this format as text; *options* are the report's own, such as the terminal's `width`."""
    known = Parts("reports", REPORTS, Report)
    return reports.render(summary, verdict, format=format, trials=trials, known=known, **options)


def parse_rule(text: str) -> Rule:
    """The rule that *text* states, a built-in one or one of an installed package."""
    return rules.parse_rule(text, known=Parts("rules", RULES, Rule))


def parse_metric(name: str) -> tuple[Metric, int]:
    """The metric that gives the estimate called *name*, a built-in one or an installed one, and its k or 1."""
    return metrics_list.parse_metric(name, known=_metrics())


def open_store(store: Store | str | Path | None = None, *, create: bool = False, write: bool = False) -> Store:
    """The store that *store* means: one as it is, or the SQLite file at a path (`passhat.db` by default).

    `NAME://PLACE` is the store of that name, a built-in one or one of an installed package, at that place.
    *create* makes one where there is none; *write* refuses one that may only be read, and is meant by *create*.
    """
    url = _STORE_URL.fullmatch(store) if isinstance(store, str) else None
    if url:
        kinds: Mapping[str, Any] = Parts("stores", STORES)
        opened: Store = find("kind of store", url["name"], kinds)(url["place"], create=create)
        return opened
    if store is None or isinstance(store, str | Path):
        if store == "":
            raise UsageError("store: a path names its file, and this one is empty")
        return SqliteStore(store or DEFAULT_STORE, create=create, write=write)
    return store


async def _run(suite: Suite, agent: Any, settings: Settings, control: Control, *, our_loop: bool = True) -> Run:  # noqa: ANN401
    redactor = _redactor()
    planned, adapter = _planned(suite, agent, settings, redactor, our_loop=our_loop)
    store = open_store(settings.store, create=settings.resume is None, write=True)
    if settings.resume is not None:
        planned = resumed(planned, store.open(settings.resume).header)
    async with Execution(planned, suite, adapter, settings, wall=time.time) as execution:
        if settings.resume is None:
            store.create(planned.header)
        control.attach(execution)
        with captured() if settings.capture else nullcontext():
            progress = await execution.run(store, redactor, frozenset(store.stored(planned.header.id)))
    if progress.stored < progress.planned and not progress.spent:
        raise Interrupted(progress.run_id, progress.stored, progress.planned)
    return store.open(progress.run_id)


def _planned(
    suite: object,
    agent: Any,  # noqa: ANN401 - as above
    settings: Settings,
    redactor: Redactor,
    *,
    our_loop: bool = True,
) -> tuple[Plan, Agent]:
    """The plan and the agent's adapter, or every problem that stands in the way."""
    problems: list[str] = []
    none: tuple[Condition, ...] = ()
    conditions = _or_note(lambda: _catalogue().conditions(settings.under, clean=settings.clean), problems, none)
    adapter = _or_note(lambda: _as_agent(agent, settings), problems, None)
    problems = [*problems_of(suite, conditions, settings), *problems]
    names = tuple(condition.name for condition in conditions)
    if adapter is not None:
        problems.extend(unreachable(adapter, conditions))
        problems.extend(untimely(adapter, settings, our_loop=our_loop))
    for rule in settings.sound_rules() if isinstance(settings.trials, int) and settings.trials > 0 else ():
        problems.extend(rule.problems(settings.trials, names))
    if problems or adapter is None or not isinstance(suite, Suite):
        raise UsageError(*problems)
    if len(suite.tasks) * len(conditions) * settings.trials > _MOST:
        raise UsageError(f"trials: more than {_MOST:,} in one run; plan fewer than {settings.trials:,} for each task")
    header = Header(
        id=secrets.token_hex(4),
        suite=suite.name,
        agent=adapter.label,
        agent_version=adapter.version,
        tasks=tuple(suite.tasks),
        conditions=names,
        grader=suite.grader.identity,
        trials=settings.trials,
        seed=settings.seed,
        same_seed=settings.same_seed,
        started_at=time.time(),
        provenance=provenance(virtual=settings.virtual),
    )
    return Plan(masked(header, redactor), tasks=tuple(suite.tasks), conditions=conditions), adapter


def _as_agent(agent: Any, settings: Settings) -> Agent:  # noqa: ANN401 - any callable, or an adapter
    """*agent* as the engine calls it: an adapter as it is, a framework's object or a callable in one."""
    if isinstance(agent, Agent) and not isinstance(agent, type):
        if settings.label or settings.version:
            raise UsageError(f"label, version: this agent says itself what it is, {agent.label!r}: leave them out")
        return agent
    kind = adapter_for(agent) or FunctionAgent
    return kind(agent, label=settings.label, version=settings.version)


def _settings(options: Mapping[str, Any]) -> Settings:
    """The options as settings; a name that is none is a usage error like any other."""
    unknown = sorted(set(options) - set(Settings.__struct_fields__))
    if unknown:
        raise UsageError(
            *(f"run has no option {name!r}: there are {', '.join(Settings.__struct_fields__)}" for name in unknown)
        )
    return Settings(**options)


def _redactor() -> Redactor:
    return Redactor.from_environment(os.environ, _is_there)


def _is_there(path: str) -> bool:
    """True where *path* leads to something; what is too long for a path, or has no home, is none."""
    try:
        return Path(path).expanduser().exists()
    except (OSError, RuntimeError):
        return False


def _catalogue() -> Catalogue:
    """What a condition's text may name; faults and perturbations share their names."""
    known = Parts("faults", FAULTS, Fault, beside=PERTURBATIONS)
    return Catalogue(known, Parts("perturbations", PERTURBATIONS, Perturbation, beside=known))


def _metrics() -> Parts[type[Metric]]:
    return Parts("metrics", METRICS, Metric)


def _or_note(make: Callable[[], T], problems: list[str], default: T) -> T:
    """What *make* gives, or *default* with its complaint noted, so that one run shows every complaint."""
    try:
        return make()
    except UsageError as error:
        problems.extend(error.problems)
        return default
