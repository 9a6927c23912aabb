"""`passhat export`: the trials of a stored run as lines: rows for other tools, or the run itself to be moved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

import click

from passhat.cli import completing, options
from passhat.errors import UsageError
from passhat.model.outcome import Outcome
from passhat.model.run import Run

_EVALRUN, _PASSHAT = "evalrun", "passhat"
_ROWS = 500  # written at once


@click.command()
@click.argument("run", metavar="[RUN]", default="latest", shell_complete=completing.runs)
@click.option(
    "--format",
    "form",
    type=click.Choice([_EVALRUN, _PASSHAT]),
    default=_EVALRUN,
    show_default=True,
    help="EvalRun rows for other tools, or the whole run, which 'passhat import passhat' reads.",
)
@click.option("--schema", is_flag=True, help="Write the JSON schema of an EvalRun row, and no rows.")
@click.option("--key", multiple=True, metavar="NAME", help="An argument that names an operation; may be given again.")
@click.option("--handoff", multiple=True, metavar="TOOL", help="A tool that calls a person; may be given again.")
@click.option("--polling", multiple=True, metavar="TOOL", help="A tool that is polled; may be given again.")
@click.option("--substitutes", multiple=True, metavar="A,B", help="Tools that may stand in for each other.")
@options.store
@options.output("how many trials there are")
def command(*, run: str, form: str, store: str, quiet: bool, as_json: bool, **given: Any) -> None:  # noqa: ANN401 - what is declared
    """Write every trial of RUN as one JSON object a line.

    RUN is an id, the beginning of one, or 'latest'. With --json the lines are one JSON array.
    """
    from passhat import api
    from passhat.cli import output

    _check(form, given)
    if given["schema"]:
        output.write(_schema(form))
        return
    found = api.open_store(store, create=False).open(run)
    if quiet:
        tally = found.trials.counts()
        output.line(str(sum(map(tally.total, Outcome))))
        return
    lines = _lines(found, form, given)
    for text in _chunks(_array(lines) if as_json else (f"{line}\n" for line in lines)):
        output.write(text)


def _check(form: str, given: Mapping[str, Any]) -> None:
    """Refuse what the format cannot be told."""
    wrong = [name for name, value in given.items() if value] if form == _PASSHAT else []
    if wrong:
        raise UsageError(
            *(f"--{name} is about EvalRun rows, and the format passhat has none: leave it out" for name in wrong)
        )


def _lines(run: Run, form: str, given: Mapping[str, Any]) -> Iterator[str]:
    """The run in this format, line by line."""
    from passhat.model.ledger import NOTHING_DECLARED, Declared
    from passhat.reports import evalrun_lines, portable_lines

    if form == _PASSHAT:
        return portable_lines(run)
    declared = Declared(
        keys=given["key"] or NOTHING_DECLARED.keys,
        handoff=given["handoff"],
        polling=given["polling"],
        substitutes=tuple(tuple(tool.strip() for tool in group.split(",")) for group in given["substitutes"]),
    )
    return evalrun_lines(run.trials, declared=declared)


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
