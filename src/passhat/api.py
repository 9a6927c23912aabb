"""The one file that knows both sides of the waist. It reads as the program: plan, execute, measure, judge, render."""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack, nullcontext
from functools import partial
from inspect import signature
from pathlib import Path
from typing import Any, Unpack

from passhat import metrics as metrics_list
from passhat import reports, rules, sizing
from passhat.engine.execute import Control, Execution
from passhat.engine.forecast import foreseen
from passhat.engine.masking import own_redactor
from passhat.engine.minimize import asking, minimized
from passhat.engine.plan import Plan
from passhat.engine.planned import Planned, planned
from passhat.engine.printing import captured
from passhat.engine.probe import probe
from passhat.engine.replay import Remaking, made_again, replayed, replaying, stored_trial
from passhat.engine.settings import Minimizing, Options, Progress, Replaying, Settings, settings_of
from passhat.engine.thread import in_thread
from passhat.engine.virtual import VirtualLoop
from passhat.errors import Interrupted, StoreUnusable, UsageError
from passhat.importers import IMPORTERS, Importer, Origin
from passhat.installed import Parts, catalogue, installed_metrics
from passhat.metrics import How, Metric
from passhat.model.body import masked_rows, row_of
from passhat.model.comparison import Comparison
from passhat.model.forecast import Forecast
from passhat.model.minimal import Minimal
from passhat.model.parts import configured, find
from passhat.model.protocols import Store
from passhat.model.redact import Redactor, masked
from passhat.model.run import Run, Trials
from passhat.model.summary import Summary
from passhat.model.task import Suite
from passhat.model.trial import Trial
from passhat.model.verdict import Verdict
from passhat.reports import REPORTS, Report
from passhat.rules import RULES, Rule, judge
from passhat.stores import ALIASES, STORES, SqliteStore

__all__ = [
    "How",
    "Minimizing",
    "Options",
    "Plan",
    "Progress",
    "Replaying",
    "compare",
    "condition_of",
    "forecast",
    "import_run",
    "importer_kind",
    "judge",
    "measure",
    "minimize",
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


def run(suite: Suite, agent: Any, **options: Unpack[Options]) -> Run:  # noqa: ANN401 - an agent is any callable
    """Run *agent* on every task of *suite*, and give the stored run. `Options` lists what can be said by name.

    It blocks, and works inside a running event loop too: the trials have a loop and a thread of their own. A first
    Ctrl-C lets the running trials end, a second drops them; what has ended is stored, and `Interrupted` says where.
    """
    control, settings = Control(), settings_of(options)
    make_loop = VirtualLoop if settings.virtual else asyncio.new_event_loop
    return in_thread(lambda: _run(suite, agent, settings, control), control, make_loop=make_loop)


async def run_async(suite: Suite, agent: Any, **options: Unpack[Options]) -> Run:  # noqa: ANN401 - as above
    """The same as `run`, on the event loop of the caller."""
    return await _run(suite, agent, settings_of(options), Control(), our_loop=False)


def plan(suite: Suite, agent: Any, **options: Unpack[Options]) -> Plan:  # noqa: ANN401 - as above
    """The plan of the run that `run` would make; nothing is run, and nothing is stored."""
    return _planned(suite, agent, settings_of(options), own_redactor()).plan


def forecast(suite: Suite, agent: Any, **options: Unpack[Options]) -> Forecast:  # noqa: ANN401 - as above
    """What the run that `run` would make comes to; nothing is run, and nothing is stored.

    What it may cost and take goes by the trials of the same agent and suite in the store.
    """
    settings = settings_of(options)
    found = _planned(suite, agent, settings, own_redactor())
    header = found.plan.header
    try:
        store = open_store(settings.store)
    except StoreUnusable:  # there is none yet, so there is nothing to go by
        return foreseen(found, settings, runs=(), stored=0, drop_of=_drop_of)
    stored = len(store.stored(header.id)) if found.before is not None else 0
    alike = (one.id for one in store.runs() if (one.suite, one.agent) == (header.suite, header.agent))
    return foreseen(found, settings, runs=map(store.open, alike), stored=stored, drop_of=_drop_of)


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
    only: Collection[int] | None = None,
    **options: Unpack[Replaying],
) -> Sequence[Trial]:
    """The same as `replay`, *times* times: an agent may draw, and end otherwise although the faults are the same.

    With *only*, the faults and wordings that have these numbers in `minimize` are at work, and no others.
    """
    trial = stored_trial(run, task, index, catalogue().condition(condition).name)
    return _remaking(run, suite, agent, trial, options, times=times).trials(only, times=times)


def minimize(
    run: Run,
    suite: Suite,
    agent: Any,  # noqa: ANN401 - as above
    task: str,
    index: int,
    condition: Any,  # noqa: ANN401 - as above
    **options: Unpack[Minimizing],
) -> Minimal:
    """The smallest set of faults, calls and wordings with which that trial of *run* still fails; the run is as before.

    `Minimizing` lists the options. It says what was tried, how often each set failed, and how sure that is.
    """
    trial = stored_trial(run, task, index, catalogue().condition(condition).name)
    asked, rest = asking(run, trial, options)
    return minimized(_remaking(run, suite, agent, trial, rest), asked)


def condition_of(run: Run, text: str) -> str:
    """The condition of *run* that *text* means: as it is stored, or as `run` would read it."""
    return catalogue().stored(text, run.header)


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

    A file in our own format, `passhat`, is the same run again, id and all; a store holds it once. *suite* and *agent*
    name what was tested where the log does not; *source* is what errors call the text. *options* are the format's own,
    such as the `threshold` of jsonl.
    """
    settings = {"suite": suite, "agent": agent, **options}
    importer = configured(f"format {format}", importer_kind(format), settings)
    imported = importer.read(text, Origin(secrets.token_hex(4), time.time(), source))
    redactor = own_redactor()
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
    return metrics_list.measure(run, metrics=metrics, known=installed_metrics(), **how)


def compare(before: Run, after: Run, **how: Unpack[How]) -> Comparison:
    """*after* held against *before*: paired differences with intervals, what to notice, and no verdict."""
    return metrics_list.compare(measure(before, **how), measure(after, **how))


def reading_problems(**how: Unpack[How]) -> list[str]:
    """What `measure` would refuse in *how*, known before anything is run."""
    return metrics_list.problems(known=installed_metrics(), **how)


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
    return metrics_list.parse_metric(name, known=installed_metrics())


def open_store(store: Store | str | Path | None = None, *, create: bool = False, write: bool = False) -> Store:
    """The store that *store* means: one as it is, or the SQLite file at a path (`passhat.db` by default).

    `NAME://PLACE` is the store of that name, a built-in one or one of an installed package, at that place.
    *create* makes one where there is none; *write* refuses one that may only be read, and is meant by *create*.
    """
    url = _STORE_URL.fullmatch(store) if isinstance(store, str) else None
    if url:
        kinds: Mapping[str, Any] = Parts("stores", STORES)
        kind = find("kind of store", ALIASES.get(url["name"], url["name"]), kinds)
        told = {"write": write} if "write" in signature(kind).parameters else {}
        opened: Store = kind(url["place"], create=create, **told)
        return opened
    if store is None or isinstance(store, str | Path):
        if store == "":
            raise UsageError("store: a path names its file, and this one is empty")
        return SqliteStore(store or DEFAULT_STORE, create=create, write=write)
    return store


def _remaking(
    run: Run,
    suite: Suite,
    agent: Any,  # noqa: ANN401 - as above
    trial: Trial,
    options: Mapping[str, Any],
    *,
    times: int = 1,
) -> Remaking:
    """*trial* of *run*, and how it is made again; whatever would make it another trial is refused."""
    settings, redactor = replaying(run.header, catalogue().condition(trial.condition), options), own_redactor()
    found = _planned(suite, agent, settings, redactor, whole=False)
    plan = replayed(found.plan, run.header, trial, times=times)
    make = partial(made_again, suite=suite, agent=found.agent, settings=settings, redactor=redactor, wall=time.time)
    return Remaking(trial, plan, make)


async def _run(suite: Suite, agent: Any, settings: Settings, control: Control, *, our_loop: bool = True) -> Run:  # noqa: ANN401
    redactor = own_redactor()
    plan, adapter, suite, before = _planned(suite, agent, settings, redactor, our_loop=our_loop)
    if problems := await probe(suite, adapter, plan.conditions, settings):
        raise UsageError(*problems)
    store = open_store(settings.store, create=before is None, write=True)
    async with Execution(plan, suite, adapter, settings, wall=time.time) as execution:
        if before is None:
            store.create(plan.header)
        else:
            if settings.top_up is not None:
                store.extend(before.header)
            execution.recall(before.trials)
        control.attach(execution)
        with captured() if settings.capture else nullcontext():
            progress = await execution.run(store, redactor, frozenset(store.stored(plan.header.id)))
    if progress.stored < progress.planned and not progress.spent:
        raise Interrupted(progress.run_id, progress.stored, progress.planned)
    return store.open(progress.run_id)


def _planned(suite: Any, agent: Any, settings: Settings, redactor: Redactor, **how: bool) -> Planned:  # noqa: ANN401
    """What is to be run, or every problem in its way."""

    def earlier(run: str, *, write: bool) -> Run:
        return open_store(settings.store, write=write).open(run)

    return planned(suite, agent, settings, redactor, conditions_of=catalogue().conditions, earlier=earlier, **how)


def _drop_of(baseline: float, runs: int) -> float | None:
    """The smallest drop below *baseline* that so many runs catch."""
    drop = sizing.answer(sizing.Question(baseline=baseline, runs=runs, method="exact")).values["drop"]
    return drop if isinstance(drop, float) else None
