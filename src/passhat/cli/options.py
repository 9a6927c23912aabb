"""Options that several commands share, so that they are called the same and mean the same everywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

DEFAULT_STORE = "passhat.db"


def store(command: F) -> F:
    """Where the trials are."""
    return click.option(
        "--store",
        default=DEFAULT_STORE,
        show_default=True,
        metavar="PATH",
        help="The file that keeps the trials, or NAME://PLACE for another kind of store.",
    )(command)


def output(quiet: str) -> Callable[[F], F]:
    """How the result is shown; *quiet* is what is left of it with -q."""

    def add(command: F) -> F:
        command = click.option("-q", "--quiet", is_flag=True, help=f"Show {quiet} and nothing else.")(command)
        return click.option("--json", "as_json", is_flag=True, help="Write JSON instead of text.")(command)

    return add


def judging(command: F) -> F:
    """What is asked of the numbers."""
    command = click.option("-k", type=NUMBER, default=None, metavar="K", help="The k of pass^k [default: 5, or N/2].")(
        command
    )
    return click.option(
        "--require",
        multiple=True,
        metavar="RULE",
        help="What must hold, such as 'pass^5 >= 0.80'; may be given again.",
    )(command)


class _Number(click.ParamType):  # type: ignore[type-arg]  # generic in newer clicks alone
    """A number; what is none is handed on as it was typed, to be complained about together with all else."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401
        """An int where it can be one, else a float, else the text."""
        for kind in (int, float):
            try:
                return kind(value)
            except ValueError:
                continue
        return value


NUMBER = _Number()
