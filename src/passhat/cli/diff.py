"""`passhat diff`: where two trials of a task part."""

from __future__ import annotations

import click

from passhat.cli import completing, options
from passhat.errors import UsageError
from passhat.model.run import Run
from passhat.model.trial import Trial


@click.command()
@click.argument("where", nargs=-1, metavar="[RUN] TASK I J", shell_complete=completing.runs_and_tasks)
@click.option("--under", default=None, metavar="CONDITION", help="The condition of both [default: the run's first].")
@click.option("--against", default=None, metavar="CONDITION", help="The condition of trial J, where it is another.")
@options.store
@options.output("the step at which they part")
def command(
    *, where: tuple[str, ...], under: str | None, against: str | None, store: str, quiet: bool, as_json: bool
) -> None:
    """Show the first step at which two trials of TASK part: tool, arguments, fault, reply.

    RUN is an id, the beginning of one, or 'latest', which is the default. I and J count the task's trials from 0;
    with --against they may be one.
    """
    import json
    from dataclasses import asdict

    from passhat import api
    from passhat.cli import output
    from passhat.cli.ending import colour, width
    from passhat.reports import diff_text, part

    name, task, i, j = _where(where)
    run = api.open_store(store, create=False).open(name)
    one = _trial(run, task, i, under)
    other = _trial(run, task, j, under if against is None else against)
    found = part(one, other)
    if as_json:
        output.line(json.dumps({"task": task, "trials": [i, j], **asdict(found)}))
    elif quiet:
        output.line("none" if found.place is None else str(found.place + 1))
    else:
        output.write(diff_text(one, other, width=width(), colour=colour()))


def _where(words: tuple[str, ...]) -> tuple[str, str, int, int]:
    """Run, task and the two indices."""
    names, numbers = words[:-2], words[-2:]
    if len(names) not in {1, 2} or not all(number.isdecimal() for number in numbers):
        raise UsageError(f"diff takes [RUN] TASK I J, where I and J count trials from 0, not {' '.join(words) or '-'}")
    first, second = map(int, numbers)
    return names[0] if len(names) > 1 else "latest", names[-1], first, second


def _trial(run: Run, task: str, index: int, under: str | None) -> Trial:
    """The trial that is meant."""
    from passhat import api
    from passhat.model.parts import exactly

    header = run.header
    exactly(f"task in run {header.id}", task, {known.id: known for known in header.tasks})
    condition = header.conditions[0] if under is None else api.condition_of(run, under)
    trial = run.trials.get(task, condition, index)
    if trial is None:
        raise UsageError(
            f"run {header.id} has no trial {index} of task {task!r} under {condition} "
            f"(it planned {header.trials}, from 0)"
        )
    return trial
