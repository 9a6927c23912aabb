"""`passhat run`: run an agent on a suite, and judge it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from passhat.cli import options, output
from passhat.cli.problems import Problems
from passhat.model.forecast import Forecast


@click.command()
@click.argument("suite", metavar="SUITE")
@options.agent
@click.option(
    "-n",
    "--trials",
    type=options.NUMBER,
    default=None,
    metavar="N",
    help="How often each task runs [default: 10, or as the resumed run].",
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
    "--time",
    type=click.Choice(["real", "virtual"]),
    default="real",
    show_default=True,
    help="Virtual time skips what an async agent waits for.",
)
@click.option(
    "--resume",
    is_flag=False,
    flag_value="latest",
    default=None,
    metavar="[RUN]",
    help="Go on with this run, or the latest: only what it lacks is run.",
)
@options.choosing
@click.option("--dry-run", is_flag=True, help="Show the plan, its cost and what it could show; run nothing.")
@options.spending
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
    from passhat.cli import again, ending, progress

    how: api.How = options.how(given)
    problems = Problems(ending.reading_problems(how, _trials(given)))
    rules = ending.rules_of(given["require"], problems)
    settings: api.Options = _settings(given, rules, problems)
    suite, agent = loaded(given, problems)
    if problems:  # look at all the rest too, so that one try shows every problem
        if agent is anybody:  # whether the real one is fit for virtual time, nobody knows
            settings["time"] = "real"
        problems.noted(lambda: api.plan(suite, agent, **settings), None)
        problems.refuse()
    if given["dry_run"]:
        return _dry_run(api.forecast(suite, agent, **settings), given)
    # What agents print outside a trial, from threads or processes of their own, is no result either.
    with progress.shown(quiet=given["quiet"] or given["as_json"]) as show, output.reserved():
        settings["progress"] = show
        run = api.run(suite, agent, **settings)
    again.tell_of_the_budget(show.latest)
    summary, verdict = ending.judged(run, rules, how)
    return ending.show(summary, verdict, form="json" if given["as_json"] else "terminal", quiet=given["quiet"])


def _dry_run(forecast: Forecast, given: Mapping[str, Any]) -> int:
    """Show what would be run."""
    import msgspec

    from passhat.errors import ExitCode
    from passhat.reports import forecast_text

    if given["as_json"]:
        output.line(msgspec.json.format(msgspec.json.encode(forecast), indent=2).decode())
    elif given["quiet"]:
        output.line(str(forecast.planned - forecast.stored))
    else:
        output.write(forecast_text(forecast))
    return ExitCode.PASS


def _trials(given: Mapping[str, Any]) -> Any:  # noqa: ANN401 - it may be anything that was typed
    """How many trials of each task there will be; a run that goes on knows it, and None is for nobody does."""
    from passhat import api
    from passhat.errors import UsageError

    more = given["top_up"]
    if (given["resume"] is None and more is None) or given["trials"] is not None:
        return 10 if given["trials"] is None else given["trials"]
    try:
        run = "latest" if given["resume"] is None else given["resume"]
        trials = api.open_store(given["store"]).open(run).header.trials
    except UsageError:  # it is told where the run is looked for in earnest
        return None
    return trials + more if isinstance(more, int) and more > 0 else trials


def _settings(given: Mapping[str, Any], rules: Sequence[Any], problems: Problems) -> Any:  # noqa: ANN401 - `api.Options`, which is loaded late
    from passhat.cli.prices import read_prices

    none: Mapping[str, Any] = {}
    prices: Mapping[str, Any] = problems.noted(lambda: read_prices(given["prices"]), none)
    return {
        "under": given["under"],
        "clean": not given["no_clean"],
        "trials": given["trials"],
        "seed": given["seed"],
        "same_seed": given["same_seed"],
        "concurrency": given["concurrency"],
        "timeout": given["timeout"],
        "time": given["time"],
        "resume": given["resume"],
        **{name: given[name] for name in options.CHOICES},
        **{name: given[name] for name in options.BUDGET},
        "prices": prices,
        "label": given["label"],
        "version": given["agent_version"],
        "store": given["store"],
        "folder": _folder(given["suite"]),
        "capture": True,
        "rules": rules,
    }


def _folder(suite: str) -> str:
    """Where the suite's file is; that of a module is where the command is used."""
    from pathlib import Path

    place = suite.rpartition(":")[0] or suite
    return str(Path(place).parent) if place.endswith(".py") else "."


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
