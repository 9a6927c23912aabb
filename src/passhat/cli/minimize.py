"""`passhat minimize`: the smallest set of faults and calls with which a stored trial still fails."""

from __future__ import annotations

from typing import Any

import click

from passhat.cli import completing, options, output
from passhat.cli.problems import Problems
from passhat.model.outcome import Outcome
from passhat.model.run import Run
from passhat.model.trial import Trial


@click.command()
@click.argument("run", shell_complete=completing.runs)
@click.argument("task", shell_complete=completing.tasks)
@click.argument("index", type=int)
@click.argument("suite", metavar="SUITE", shell_complete=completing.files)
@options.agent
@click.option("--under", default=None, metavar="CONDITION", help="The condition [default: where a fault met it].")
@click.option(
    "--rate",
    type=options.SHARE,
    default=0.5,
    show_default=True,
    metavar="R",
    help="A set fails where more than this share of its trials do.",
)
@click.option(
    "--confidence",
    type=options.SHARE,
    default=0.95,
    show_default=True,
    metavar="C",
    help="How sure all that is decided is, together.",
)
@click.option(
    "--tries", type=options.NUMBER, default=40, show_default=True, metavar="N", help="The most trials of one set."
)
@options.timeout(None, "Time for each [default: that of the run].")
@click.option("--fresh", is_flag=True, help="Make each trial in a process of its own.")
@options.store
@options.output("the smallest set, as a condition where it can be written")
def command(**given: Any) -> None:  # noqa: ANN401 - click gives the options by name
    """Find the smallest set of faults and calls with which trial INDEX of TASK, in RUN, still fails.

    Sets are tried again and again, because agents draw, until it is clear whether they fail. SUITE and the agent are
    named as for 'run'; task and grader have to be those of the run. INDEX counts from 0. Nothing is added to the run.
    """
    from passhat import api
    from passhat.cli.configured import loaded
    from passhat.cli.ending import colour, width
    from passhat.cli.fresh import Fresh, words
    from passhat.reports import minimal_json, minimal_short, minimal_text

    run = api.open_store(given["store"], create=False).open(given["run"])
    stored = _stored(run, given["task"], given["index"], given["under"])
    problems = Problems()
    suite, agent = loaded(given, problems)
    problems.refuse()
    named = {**given, "usual_store": options.DEFAULT_STORE}
    asked: api.Minimizing = {
        "rate": given["rate"],
        "confidence": given["confidence"],
        "tries": given["tries"],
        "capture": True,
    }
    if given["timeout"] is not None:
        asked["timeout"] = given["timeout"]
    if given["fresh"]:
        asked["make"] = Fresh(run, stored, named)
    with output.reserved():
        minimal = api.minimize(run, suite, agent, stored.task_id, stored.index, stored.condition, **asked)
    line = _line(words(run, stored, named, minimal.numbers)) if minimal.numbers is not None else ""
    if given["as_json"]:
        output.line(minimal_json(stored, minimal, run=run.header.id, line=line))
    elif given["quiet"]:
        output.line(minimal_short(minimal))
    else:
        output.write(minimal_text(stored, minimal, width=width(), colour=colour(), line=line))


def _stored(run: Run, task: str, index: int, under: str | None) -> Trial:
    """The trial that is meant: without a condition the first that failed after a fault had fired, if there is one."""
    from passhat.cli.show import trial_of

    usual = trial_of(run, task, index, under)
    if under is not None:
        return usual
    found = (run.trials.get(task, condition, index) for condition in run.header.conditions)
    failed = (one for one in found if one is not None and one.outcome not in {Outcome.PASS, Outcome.VOID})
    return next((one for one in failed if one.exposed), usual)


def _line(words: list[str]) -> str:
    from shlex import join

    return join(["passhat", *words])
