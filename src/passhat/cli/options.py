"""Options that several commands share, so that they are called the same and mean the same everywhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from passhat.cli import completing
from passhat.model.numbers import typed_number

F = TypeVar("F", bound=Callable[..., Any])

DEFAULT_STORE = "passhat.db"


def store(command: F) -> F:
    """Where the trials are."""
    return click.option(
        "--store",
        default=DEFAULT_STORE,
        show_default=True,
        metavar="PATH",
        is_eager=True,  # what a shell offers for a run is looked up in it
        shell_complete=completing.files,
        help="The file that keeps the trials, or postgresql://USER@HOST/DATABASE.",
    )(command)


def output(quiet: str) -> Callable[[F], F]:
    """How the result is shown; *quiet* is what is left of it with -q."""

    def add(command: F) -> F:
        command = click.option("-q", "--quiet", is_flag=True, help=f"Show {quiet} and nothing else.")(command)
        return click.option("--json", "as_json", is_flag=True, help="Write JSON instead of text.")(command)

    return add


def agent(command: F) -> F:
    """Who is to do the job."""
    command = click.option(
        "--command", metavar="LINE", help="The agent as a command in any language, such as 'node agent.js'."
    )(command)
    return click.option(
        "--agent",
        metavar="A",
        shell_complete=completing.files,
        help="The agent: file.py:name, module:name, or the http:// URL of a service.",
    )(command)


def under(command: F) -> F:
    """Under which condition the trial that is meant was made."""
    text = "The condition [default: where it first went wrong]."
    return click.option("--under", default=None, metavar="CONDITION", help=text)(command)


def timeout(default: float | None, text: str) -> Callable[[F], F]:
    """How long a trial may take; *text* says which, and what the default is where it is no number."""

    def add(command: F) -> F:
        shown = default is not None
        return click.option(
            "--timeout", type=NUMBER, default=default, show_default=shown, metavar="SECONDS", help=text
        )(command)

    return add


def choosing(command: F) -> F:
    """Which tasks are run, and how many trials more."""
    for option in reversed(_CHOOSING):
        command = option(command)
    return command


def spending(command: F) -> F:
    """What a run may cost, and how often the surroundings are tried again."""
    for option in reversed(_SPENDING):
        command = option(command)
    return command


def judging(command: F) -> F:
    """What is asked of the numbers, and how they are read."""
    for option in reversed((_REQUIRE, *_READING, _METRIC)):
        command = option(command)
    return command


def reading(command: F) -> F:
    """How the numbers are read."""
    for option in reversed(_READING):
        command = option(command)
    return command


def how(given: Mapping[str, Any]) -> Any:  # noqa: ANN401 - `api.How`, which is loaded late
    """How the trials are to be read, from the options that say so."""
    return {
        "k": given["k"],
        "confidence": given["confidence"],
        "tasks": given["for_tasks"],
        "voids": given["voids"],
        "interval": given["interval"],
        "asked": given.get("metric", ()),
    }


_EXACT = 2**53  # from here on a float is no exact number


class _Number(click.ParamType):  # type: ignore[type-arg]  # generic in newer clicks alone
    """A number; what is none is handed on as it was typed, to be complained about together with all else."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401
        """An int where it is whole, as 1e3 is, else a float, else the text; a default is a number already."""
        if not isinstance(value, str):
            return value
        for kind in (int, float):
            try:
                number = kind(value)
            except ValueError:
                continue
            return int(number) if abs(number) < _EXACT and number == int(number) else number
        return value


class _Share(click.ParamType):  # type: ignore[type-arg]  # as above
    """A share or a difference of shares: 0.05, .05 or 5%; what is none is handed on, to be complained about."""

    name = "share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401
        """A float where it can be one, else the text; a default is a number already."""
        number = typed_number(value) if isinstance(value, str) else None
        return value if number is None else number


NUMBER, SHARE = _Number(), _Share()

_REQUIRE = click.option(
    "--require",
    multiple=True,
    metavar="RULE",
    help="What must hold, such as 'pass^5 >= 0.80'; may be given again.",
)
_METRIC = click.option("--metric", multiple=True, metavar="NAME", help="Show this metric too; may be given again.")
_READING = (
    click.option("-k", type=NUMBER, default=None, metavar="K", help="The k of pass^k [default: 5, or N/2]."),
    click.option(
        "--for-tasks",
        type=click.Choice(["these", "like-these"]),
        default="these",
        show_default=True,
        help="Of which tasks the suite's intervals speak.",
    ),
    click.option(
        "--voids",
        type=click.Choice(["exclude", "fail"]),
        default="exclude",
        show_default=True,
        help="What void trials count as.",
    ),
    click.option(
        "--confidence", type=SHARE, default=0.95, show_default=True, metavar="C", help="The level of the intervals."
    ),
    click.option("--interval", default=None, metavar="KIND", help="Another kind of interval, such as wilson."),
)

CHOICES = ("top_up", "limit", "filter", "only_failed")
_CHOOSING = (
    click.option(
        "--top-up", type=NUMBER, default=None, metavar="N", help="N more trials of each task, in the run to go on with."
    ),
    click.option("--limit", type=NUMBER, default=None, metavar="N", help="Only the first N tasks."),
    click.option("--filter", default=None, metavar="GLOB", help="Only tasks whose id matches, or tag:NAME."),
    click.option("--only-failed", default=None, metavar="RUN", help="Only tasks that failed in this run; no verdict."),
)
BUDGET = ("retries", "max_cost", "max_tokens", "max_time", "max_failures")
_SPENDING = (
    click.option(
        "--retries",
        type=NUMBER,
        default=2,
        show_default=True,
        metavar="N",
        help="How often a trial is made again that a real service's outage spoiled.",
    ),
    click.option("--max-cost", type=NUMBER, default=None, metavar="X", help="Begin no more once this much is spent."),
    click.option("--max-tokens", type=NUMBER, default=None, metavar="N", help="Begin no more after so many tokens."),
    click.option("--max-time", type=NUMBER, default=None, metavar="SECONDS", help="Begin no more after this time."),
    click.option(
        "--max-failures", type=NUMBER, default=None, metavar="N", help="Begin no more after so many failures."
    ),
    click.option("--prices", default=None, metavar="FILE", help="What models cost, as TOML, for --max-cost."),
)
