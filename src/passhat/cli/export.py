"""`passhat export`: the trials of a stored run as lines: rows for other tools, or the run itself to be moved."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from itertools import islice
from typing import Any

import click

from passhat.cli import completing, options
from passhat.errors import UsageError
from passhat.model.ledger import Declared
from passhat.model.outcome import Outcome
from passhat.model.parts import nearest
from passhat.model.run import Run
from passhat.model.trial import Trial

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
@click.option("--idempotent", multiple=True, metavar="TOOL", help="A tool that may do the same twice, or a pattern.")
@options.store
@options.output("how many trials there are")
def command(*, run: str, form: str, store: str, quiet: bool, as_json: bool, **given: Any) -> None:  # noqa: ANN401 - what is declared
    """Write every trial of RUN as one JSON object a line.

    RUN is an id, the beginning of one, or 'latest'. With --json the lines are one JSON array. What the suite declares
    of its tools is in the run; an option says otherwise.
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
    called: set[str] = set()
    lines = _lines(found, form, given, called)
    for text in _chunks(_array(lines) if as_json else (f"{line}\n" for line in lines)):
        output.write(text)
    for sentence in _never_called(given, called):
        output.tell(sentence)


def _check(form: str, given: Mapping[str, Any]) -> None:
    """Refuse what the format cannot be told."""
    wrong = [name for name, value in given.items() if value] if form == _PASSHAT else []
    if wrong:
        raise UsageError(
            *(f"--{name} is about EvalRun rows, and the format passhat has none: leave it out" for name in wrong)
        )


def _lines(run: Run, form: str, given: Mapping[str, Any], called: set[str]) -> Iterator[str]:
    """The run in this format, line by line; rows leave in *called* the tools of the trials that went by."""
    from passhat.reports import evalrun_lines, portable_lines

    if form == _PASSHAT:
        return portable_lines(run)
    return evalrun_lines(_noting(run.trials, called), declared=_declared(run.header.declared, given))


def _declared(own: Declared, given: Mapping[str, Any]) -> Declared:
    """What the run's suite declares, and instead of it what is said here."""
    return Declared(
        keys=given["key"] or own.keys,
        handoff=given["handoff"] or own.handoff,
        polling=given["polling"] or own.polling,
        substitutes=_groups(given) or own.substitutes,
        idempotent=given["idempotent"] or own.idempotent,
    )


def _groups(given: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(tool.strip() for tool in group.split(",")) for group in given["substitutes"])


def _noting(trials: Iterable[Trial], called: set[str]) -> Iterator[Trial]:
    """The trials, whose tools are noted as they go by."""
    for trial in trials:
        called.update(call.tool for call in trial.trace)
        yield trial


def _never_called(given: Mapping[str, Any], called: Collection[str]) -> Iterator[str]:
    """The tools named here that no trial called: a mistyped one changes nothing, and nobody would notice."""
    named = {name: given[name] for name in ("handoff", "polling", "idempotent")}
    named["substitutes"] = tuple(tool for group in _groups(given) for tool in group)
    for option, tools in named.items():
        for tool in tools:
            if not any(fnmatchcase(one, tool) for one in called):
                yield f"note: --{option} {tool}: no trial of this run called such a tool{nearest(tool, called)}"


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
