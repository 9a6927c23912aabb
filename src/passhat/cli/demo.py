"""`passhat demo`: the product's argument on one screen, offline, in seconds; `passhat demo canary` stands below it."""

from __future__ import annotations

from importlib import import_module
from shlex import quote

import click

from passhat.cli import options, output
from passhat.model.run import Tally

_BELOW = {"canary": ("passhat.cli.canary", "Run an agent in three small worlds, each with a fault that spreads.")}


class Demo(click.Group):
    """The demo itself, and the demos below it, which are loaded when they are used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names."""
        return list(_BELOW)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The demo of this name."""
        if cmd_name not in _BELOW:
            return None
        command: click.Command = import_module(_BELOW[cmd_name][0]).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list without loading anything."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in _BELOW.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The demo that is meant, or an error that names those there are; the demo's own options go after its name."""
        if args[0] not in _BELOW:
            raise click.UsageError(
                f"there is no demo {args[0]!r}: there is 'passhat demo', and {', '.join(_BELOW)}", ctx
            )
        early = [
            name for name in ctx.params if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
        ]
        if early:
            raise click.UsageError(f"options of 'passhat demo {args[0]}' stand behind its name", ctx)
        return super().resolve_command(ctx, args)


@click.group(cls=Demo, invoke_without_command=True, subcommand_metavar="[canary [OPTIONS]]")
@click.option(
    "--seed", type=options.NUMBER, default=7, show_default=True, metavar="S", help="The root of all randomness."
)
@options.store
@options.output("the verdict")
@click.pass_context
def command(context: click.Context, *, seed: int, store: str, quiet: bool, as_json: bool) -> int:
    """Run a bundled shop with an agent that has known weaknesses, clean and under rate limits.

    It goes through the real engine and the real store, and ends in a verdict. The demo itself exits 0, whatever the
    verdict is.
    """
    if context.invoked_subcommand is not None:
        return 0
    from passhat import api, rules
    from passhat.cli import ending, progress
    from passhat.demo import agents, story
    from passhat.demo.suite import suite

    made: api.Options = {"under": [story.FAULT], "trials": 10, "seed": seed, "store": store, "label": "hasty clerk"}
    with progress.shown(quiet=quiet or as_json) as show:
        made["progress"] = show
        run = api.run(suite, agents.hasty, **made)
    summary, verdict = ending.judged(run, [rules.at_least("pass^5", 0.80)], {"k": 5})
    ending.show(summary, verdict, form="json" if as_json else "terminal", quiet=quiet)
    if not quiet and not as_json:
        show_hints(hints(summary.tally, store))
    return 0


def show_hints(found: tuple[str, ...]) -> None:
    """Write what to do next on one line, or on one each where that is too long."""
    from passhat.cli import ending

    line = " · ".join(found)
    for text in (line,) if len(line) <= ending.width() else found:
        output.line(click.style(text, dim=True) if ending.colour() else text)


def hints(tally: Tally, store: str) -> tuple[str, str]:
    """What to do next: look at a task that really failed, and bring an agent of one's own."""
    return (
        f"see why one failed: passhat show {worst_of(tally)}{where(store)}",
        "your own agent: passhat run suite.py --agent agent.py",
    )


def worst_of(tally: Tally) -> str:
    """The task that passed least often."""
    conditions = range(len(tally.conditions))
    passed = [sum(tally.passed[tally.cell(task, one)] for one in conditions) for task in range(len(tally.tasks))]
    return tally.tasks[passed.index(min(passed))]


def where(store: str) -> str:
    """The option that names this store, where it has to be named."""
    return "" if store == options.DEFAULT_STORE else f" --store {quote(output.without_password(store))}"
