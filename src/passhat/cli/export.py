"""`passhat export`: the trials of a stored run as rows of another format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import click

from passhat.cli import options

_ROWS = 500  # written at once


@click.command()
@click.argument("run", metavar="[RUN]", default="latest")
@click.option(
    "--format",
    "form",
    type=click.Choice(["evalrun"]),
    default="evalrun",
    show_default=True,
    help="What the rows look like.",
)
@click.option("--schema", is_flag=True, help="Write the JSON schema of a row, and no rows.")
@click.option("--key", multiple=True, metavar="NAME", help="An argument that names an operation; may be given again.")
@click.option("--handoff", multiple=True, metavar="TOOL", help="A tool that calls a person; may be given again.")
@click.option("--polling", multiple=True, metavar="TOOL", help="A tool that is polled; may be given again.")
@click.option("--substitutes", multiple=True, metavar="A,B", help="Tools that may stand in for each other.")
@options.store
@options.output("how many rows there are")
def command(*, run: str, form: str, schema: bool, store: str, quiet: bool, as_json: bool, **given: Any) -> None:  # noqa: ANN401 - what is declared
    """Write every trial of RUN as one JSON object a line, for other tools.

    RUN is an id, the beginning of one, or 'latest'. With --json the rows are one JSON array.
    """
    from passhat import api
    from passhat.cli import output
    from passhat.model.ledger import NOTHING_DECLARED, Declared
    from passhat.reports import evalrun_lines

    if schema:
        output.write(_schema(form))
        return
    declared = Declared(
        keys=given["key"] or NOTHING_DECLARED.keys,
        handoff=given["handoff"],
        polling=given["polling"],
        substitutes=tuple(tuple(tool.strip() for tool in group.split(",")) for group in given["substitutes"]),
    )
    lines = evalrun_lines(api.open_store(store, create=False).open(run).trials, declared=declared)
    if quiet:
        output.line(str(sum(1 for _ in lines)))
        return
    for text in _chunks(_array(lines) if as_json else (f"{line}\n" for line in lines)):
        output.write(text)


def _schema(form: str) -> str:
    """The published schema of a row."""
    from importlib.resources import files

    return files("passhat.reports").joinpath(f"{form}.schema.json").read_text(encoding="utf-8")


def _array(lines: Iterable[str]) -> Iterator[str]:
    """The rows as one array."""
    opening = "["
    for line in lines:
        yield f"{opening}{line}"
        opening = ",\n"
    yield "]\n" if opening != "[" else "[]\n"


def _chunks(texts: Iterable[str]) -> Iterator[str]:
    """The same text in fewer pieces."""
    rest = iter(texts)
    while piece := "".join(islice(rest, _ROWS)):
        yield piece
