"""`passhat show`: one trial with its tool trace, readable."""

from __future__ import annotations

import click

from passhat.cli import options
from passhat.errors import UsageError
from passhat.model.grammar import CLEAN
from passhat.model.run import Run
from passhat.model.trial import Trial

_FEW = 20


@click.command()
@click.argument("where", nargs=-1, metavar="[RUN] TASK [INDEX]")
@click.option("--under", default=None, metavar="CONDITION", help="The condition [default: where it first went wrong].")
@options.store
@options.output("the outcome")
def command(*, where: tuple[str, ...], under: str | None, store: str, quiet: bool, as_json: bool) -> None:
    """Show one trial of TASK with its tool trace.

    RUN is an id, the beginning of one, or 'latest', which is the default. INDEX counts the task's trials from 0;
    without one you see the first trial that did not pass.
    """
    from passhat import api
    from passhat.cli import output
    from passhat.cli.ending import colour, width
    from passhat.model import codec
    from passhat.reports import trial_text

    opened = api.open_store(store, create=False)
    if not where:
        raise UsageError(f"name a task: {_tasks(opened.open('latest'))}")
    run, task, index = _where(where)
    found = opened.open(run)
    trial = _trial(found, task, index, under)
    if as_json:
        output.line(codec.encode(trial).decode())
    elif quiet:
        output.line(trial.outcome.value)
    else:
        clean = found.trials.get(task, CLEAN, trial.index) if CLEAN in found.header.conditions else None
        output.write(trial_text(trial, width=width(), colour=colour(), clean=clean))


def _tasks(run: Run) -> str:
    names = [task.id for task in run.header.tasks]
    more = f" and {len(names) - _FEW:,} more" if len(names) > _FEW else ""
    return f"the latest run, {run.header.id}, has {', '.join(names[:_FEW])}{more}"


def _where(words: tuple[str, ...]) -> tuple[str, str, int | None]:
    """Run, task and index from one, two or three words; a last word that is a number is the index."""
    *names, last = words
    index = int(last) if names and last.isdecimal() else None
    if index is None:
        names.append(last)
    if len(names) > 2:  # noqa: PLR2004 - a run and a task
        raise UsageError(f"show takes [RUN] TASK [INDEX], not {len(words)} words")
    return (names[0], names[1], index) if len(names) == 2 else ("latest", names[0], index)  # noqa: PLR2004


def _trial(run: Run, task: str, index: int | None, under: str | None) -> Trial:
    """The trial that is meant."""
    from passhat.model.condition import Condition
    from passhat.model.parts import exactly

    header = run.header
    exactly(f"task in run {header.id}", task, {known.id: known for known in header.tasks})
    conditions = header.conditions
    if under is not None:
        name = Condition.parse(under).name
        conditions = (exactly(f"condition in run {header.id}", name, {known: known for known in conditions}),)
    wanted = [index] if index is not None else range(header.trials)
    first = None
    for condition in conditions:
        for number in wanted:
            trial = run.trials.get(task, condition, number)
            first = first or trial
            if trial is not None and (index is not None or trial.outcome != "PASS"):
                return trial
    if first is None:
        raise UsageError(
            f"run {header.id} has no trial {index or 0} of task {task!r} (it planned {header.trials}, from 0)"
        )
    return first
