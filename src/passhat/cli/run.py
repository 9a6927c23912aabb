"""`passhat run`: run an agent on a suite, and judge it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from passhat.cli import options, output
from passhat.cli.problems import Problems


@click.command()
@click.argument("suite", metavar="SUITE")
@options.agent
@click.option(
    "-n", "--trials", type=options.NUMBER, default=10, show_default=True, metavar="N", help="How often each task runs."
)
@click.option(
    "--under",
    multiple=True,
    metavar="CONDITION",
    help="Also under this, such as 'rate_limit(rate=0.2) & typos(0.05)'; may be given again.",
)
@click.option("--no-clean", is_flag=True, help="Leave out the clean condition.")
@click.option(
    "--seed", type=options.NUMBER, default=0, show_default=True, metavar="S", help="The root of all randomness."
)
@click.option("--same-seed", is_flag=True, help="One seed for all trials of a task, to see what the seed changes.")
@click.option(
    "--concurrency",
    type=options.NUMBER,
    default=8,
    show_default=True,
    metavar="C",
    help="How many trials at a time.",
)
@options.timeout(60.0, "Time for one trial.")
@click.option(
    "--turns",
    type=options.NUMBER,
    default=20,
    show_default=True,
    metavar="N",
    help="How many turns the user of a task has at the most.",
)
@click.option(
    "--time",
    type=click.Choice(["real", "virtual"]),
    default="real",
    show_default=True,
    help="Virtual time skips what an async agent waits for.",
)
@click.option("--resume", default=None, metavar="RUN", help="Go on with this run: only what it lacks is run.")
@click.option(
    "--label", default="", metavar="NAME", help="What the agent is called in the run [default: its function]."
)
@click.option("--agent-version", default="", metavar="TEXT", help="Which version of the agent this is.")
@options.judging
@options.store
@options.output("the verdict")
def command(**given: Any) -> int:  # noqa: ANN401 - click gives the options by name
    """Run an agent on every task of SUITE, many times, and judge what came of it.

    SUITE and the agent are named as file.py:name or module:name; without a name, 'suite' and 'agent' are meant.
    """
    from passhat import api
    from passhat.cli import ending, progress

    how: api.How = options.how(given)
    problems = Problems(ending.reading_problems(how, given["trials"]))
    rules = ending.rules_of(given["require"], problems)
    settings: api.Options = _settings(given, rules)
    suite, agent = loaded(given, problems)
    if problems:  # look at all the rest too, so that one try shows every problem
        if agent is anybody:  # whether the real one is fit for virtual time, nobody knows
            settings["time"] = "real"
        problems.noted(lambda: api.plan(suite, agent, **settings), None)
        problems.refuse()
    # What agents print outside a trial, from threads or processes of their own, is no result either.
    with progress.shown(quiet=given["quiet"] or given["as_json"]) as show, output.reserved():
        settings["progress"] = show
        run = api.run(suite, agent, **settings)
    summary, verdict = ending.judged(run, rules, how)
    return ending.show(summary, verdict, form="json" if given["as_json"] else "terminal", quiet=given["quiet"])


def _settings(given: Mapping[str, Any], rules: Sequence[Any]) -> Any:  # noqa: ANN401 - `api.Options`, which is loaded late
    return {
        "under": given["under"],
        "clean": not given["no_clean"],
        "trials": given["trials"],
        "seed": given["seed"],
        "same_seed": given["same_seed"],
        "concurrency": given["concurrency"],
        "timeout": given["timeout"],
        "turns": given["turns"],
        "time": given["time"],
        "resume": given["resume"],
        "label": given["label"],
        "version": given["agent_version"],
        "store": given["store"],
        "capture": True,
        "rules": rules,
    }


def loaded(given: Mapping[str, Any], problems: Problems) -> tuple[Any, Any]:
    """The suite and the agent; what cannot be loaded is a problem, and something sound stands in for it."""
    from passhat import Suite, Task, graders
    from passhat.cli.load import load
    from passhat.engine.check import no_suite

    sound = Suite(tasks=[Task("task", "text", expect="text")], grader=graders.equals())
    suite = problems.noted(lambda: load(given["suite"], what="suite", default="suite"), sound)
    if not isinstance(suite, Suite):
        problems.append(f"suite {given['suite']!r}: {no_suite(suite)}")
        suite = sound
    if not given["agent"]:
        problems.append("agent: there is none: name it with --agent file.py:NAME or module:NAME")
        return suite, anybody
    more = Problems()
    agent = more.noted(lambda: load(given["agent"], what="agent", default="agent"), anybody)
    # A file that holds both, and fails, is one problem.
    problems.extend(problem for problem in more if problem.replace("agent", "suite", 1) not in problems)
    return suite, agent


def anybody(message: object, tools: object) -> object:
    """The agent that stands in for one that could not be loaded; it is never run."""
    del tools
    return message
