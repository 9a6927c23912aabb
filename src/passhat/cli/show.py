"""`passhat show`: one trial with its tool trace, readable."""

from __future__ import annotations

from contextlib import suppress

import click

from passhat.cli import completing, options
from passhat.errors import UsageError
from passhat.model.grammar import CLEAN
from passhat.model.outcome import Outcome
from passhat.model.protocols import Store
from passhat.model.run import Run
from passhat.model.trial import Trial

_FEW = 20


@click.command()
@click.argument("where", nargs=-1, metavar="[RUN] TASK [INDEX]", shell_complete=completing.runs_and_tasks)
@options.under
@options.store
@options.output("the outcome")
def command(*, where: tuple[str, ...], under: str | None, store: str, quiet: bool, as_json: bool) -> None:
    """Show one trial of TASK with its tool trace.

    RUN is an id, the beginning of one, or 'latest', which is the default. INDEX counts the task's trials from 0;
    without one you see the first trial that did not pass. What the same trial came to under the other conditions
    stands beside it.
    """
    from passhat import api
    from passhat.cli import output
    from passhat.cli.ending import colour, width
    from passhat.model import codec
    from passhat.reports import Beside, trial_text

    opened = api.open_store(store, create=False)
    if not where:
        raise UsageError(f"name a task: {_tasks(opened.open('latest'))}")
    run, task, index = _meant(opened, where)
    trial = trial_of(run, task, index, under)
    if as_json:
        output.line(codec.encode(trial).decode())
    elif quiet:
        output.line(trial.outcome.value)
    else:
        beside = Beside(
            elsewhere=_elsewhere(run, trial),
            clean=run.trials.get(trial.task_id, CLEAN, trial.index) if CLEAN in run.header.conditions else None,
            virtual=run.header.provenance.get("time") == "virtual",
            declared=run.header.declared,
        )
        output.write(trial_text(trial, width=width(), colour=colour(), beside=beside))


def _tasks(run: Run) -> str:
    names = [task.id for task in run.header.tasks]
    more = f" and {len(names) - _FEW:,} more" if len(names) > _FEW else ""
    return f"the latest run, {run.header.id}, has {', '.join(names[:_FEW])}{more}"


def _meant(store: Store, words: tuple[str, ...]) -> tuple[Run, str, int | None]:
    """The run, the task and the index that are meant: the first way to read *words* in which there is such a task."""
    usual, *others = _ways(words)
    for name, task, index in (usual, *others):
        with suppress(UsageError):
            run = store.open(name)
            if any(known.id == task for known in run.header.tasks):
                return run, task, index
    name, task, index = usual  # none fits: what is said is about the usual way
    return store.open(name), task, index


def _ways(words: tuple[str, ...]) -> list[tuple[str, str, int | None]]:
    """How *words* may be read as run, task and index: a number at the end is the index, but it may be a task."""
    match words:
        case (task,):
            return [("latest", task, None)]
        case (first, last) if last.isdecimal():
            return [("latest", first, int(last)), (first, last, None)]
        case (run, task):
            return [(run, task, None)]
        case (run, task, index) if index.isdecimal():
            return [(run, task, int(index))]
    raise UsageError(f"show takes [RUN] TASK [INDEX], not {len(words)} words")


def trial_of(run: Run, task: str, index: int | None, under: str | None) -> Trial:
    """The trial that is meant: of all that it may be the first that did not pass, else the first."""
    from passhat import api
    from passhat.model.parts import exactly

    header = run.header
    exactly(f"task in run {header.id}", task, {known.id: known for known in header.tasks})
    conditions = header.conditions
    if under is not None:
        conditions = (api.condition_of(run, under),)
    wanted = [index] if index is not None else range(header.trials)
    first = None
    for condition in conditions:
        for number in wanted:
            trial = run.trials.get(task, condition, number)
            first = first or trial
            if trial is not None and trial.outcome != "PASS":
                return trial
    if first is None:
        raise UsageError(
            f"run {header.id} has no trial {index or 0} of task {task!r} (it planned {header.trials}, from 0)"
        )
    return first


def _elsewhere(run: Run, trial: Trial) -> dict[str, Outcome]:
    """What the trial of this index came to under the other conditions."""
    others = [name for name in run.header.conditions if name != trial.condition]
    found = {name: run.trials.get(trial.task_id, name, trial.index) for name in others}
    return {name: one.outcome for name, one in found.items() if one is not None}
