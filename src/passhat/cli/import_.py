"""`passhat import`: read another tool's log as a run."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from passhat.cli import completing, options, output
from passhat.errors import UsageError
from passhat.model.run import Run

MOST_BYTES = 256_000_000
STDIN = "-"
_EVERYWHERE = frozenset({"suite", "agent"})
_PACKED = {b"\x1f\x8b": "packed by gzip", b"PK\x03\x04": "a zip archive", b"SQLite format 3": "an SQLite database"}


class Import(click.Command):
    """The command, which has the options of the format that is named besides its own."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments, once it is known which options there are."""
        ctx.meta[__name__] = _own_options(self._words(ctx, args))
        return super().parse_args(ctx, args)

    def _words(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The words that are no option of every format, and no value of one: FORMAT is among them."""
        parser = self.make_parser(ctx)
        parser.ignore_unknown_options = True
        found, more, _ = parser.parse_args(list(args))
        return [word for word in (found.get("form"), found.get("file"), *more) if isinstance(word, str)]

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The options of every format, and then those of the one that is named."""
        return [*super().get_params(ctx), *ctx.meta.get(__name__, ())]


@click.command(cls=Import)
@click.argument("form", metavar="FORMAT")
@click.argument("file", metavar="FILE", shell_complete=completing.files)
@click.option("--suite", default="", metavar="NAME", help="What was tested [default: what the log says].")
@click.option("--agent", default="", metavar="NAME", help="The agent that was tested [default: what the log says].")
@options.store
@options.output("the run's id")
def command(
    *,
    form: str,
    file: str,
    suite: str,
    agent: str,
    store: str,
    quiet: bool,
    as_json: bool,
    **own: Any,  # noqa: ANN401 - click gives the options by name
) -> None:
    """Read another tool's log as a run, which `report`, `show` and the rules then take like any other.

    FORMAT is jsonl, csv, tau-bench or tau2-bench, or passhat for a run that 'passhat export --format passhat' wrote;
    'passhat import FORMAT --help' shows its own options. FILE is the log, or - for what is piped in. A log with a
    wrong line is refused whole.
    """
    from passhat import api

    source = "standard input" if file == STDIN else file
    given = {name: value for name, value in own.items() if value is not None and value != ()}
    _check(form, given)
    run = api.import_run(
        form, _text(_bytes(file, source), source), store=store, suite=suite, agent=agent, source=source, **given
    )
    _show(run, store, quiet=quiet, as_json=as_json)


def _own_options(words: Sequence[str]) -> Sequence[click.Option]:
    """The options of the format that is named among *words*; none where none is, which is complained of later."""
    from passhat.importers import IMPORTERS
    from passhat.installed import Parts

    known = Parts("importers", IMPORTERS)
    form = next((name for word in words if (name := word.replace("-", "_")) in known), None)
    if form is None:
        return ()
    from passhat import api

    fields = dataclasses.fields(api.importer_kind(form))
    return [_option(field) for field in fields if field.init and field.name not in _EVERYWHERE]


def _option(field: dataclasses.Field[Any]) -> click.Option:
    """The option that sets a field of an importer; what was typed is read by the importer's own type."""
    default = field.default if field.default_factory is dataclasses.MISSING else field.default_factory()
    pairs = isinstance(default, Mapping)
    return click.Option(
        [f"--{field.name.replace('_', '-')}", field.name],
        multiple=pairs,
        metavar=field.metadata.get("metavar", "KEY=VALUE" if pairs else "VALUE"),
        help=field.metadata.get("help"),
        callback=_paired if pairs else None,
    )


def _check(form: str, given: Mapping[str, object]) -> None:
    """Refuse what the format cannot be told, in the words of whoever typed it."""
    from passhat import api
    from passhat.model.parts import configured

    try:
        configured(f"format {form}", api.importer_kind(form), given)
    except UsageError as error:
        raise UsageError(*(_as_typed(problem, given) for problem in error.problems)) from None


def _as_typed(problem: str, given: Mapping[str, object]) -> str:
    """A complaint about a setting as one about its option."""
    name, colon, rest = problem.partition(":")
    return f"--{name.replace('_', '-')}{colon}{rest}" if name in given else problem


def _paired(_context: click.Context, option: click.Parameter, given: Iterable[str]) -> Mapping[str, str] | None:
    """What was given as KEY=VALUE, again and again, as one mapping; None where it was not given."""
    found: dict[str, str] = {}
    for text in given:
        key, sign, value = text.partition("=")
        if not (key and sign and value):
            raise UsageError(f"--{option.name}: write {option.metavar}, not {text!r}")
        if key in found:
            raise UsageError(f"--{option.name}: {key!r} is given twice, as {found[key]!r} and as {value!r}")
        found[key] = value
    return found or None


def _bytes(file: str, source: str) -> bytes:
    """What is in the file or is piped in, as far as it is not too much to hold at once."""
    try:
        if file == STDIN:
            read = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with Path(file).open("rb") as opened:
                read = opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{source} cannot be read: {(error.strerror or str(error)).lower()}") from error
    if len(read) > MOST_BYTES:
        raise UsageError(f"{source} is larger than {MOST_BYTES // 1_000_000} MB: import it in parts, each a run")
    return read


def _text(read: bytes, source: str) -> str:
    for mark, what in _PACKED.items():
        if read.startswith(mark):
            raise UsageError(f"{source} is {what}, and not a text: unpack or export it first")
    try:
        return read.decode()
    except UnicodeDecodeError as error:
        line = read.count(b"\n", 0, error.start) + 1
        raise UsageError(f"{source}:{line}: byte 0x{read[error.start]:02x} is not UTF-8: save it as UTF-8") from None


def _show(run: Run, store: str, *, quiet: bool, as_json: bool) -> None:
    """Say what is stored now, and what was left out."""
    header, tally = run.header, run.trials.counts()
    outcomes = zip(tally.passed, tally.failed, tally.crashed, tally.timed_out, tally.void, strict=True)
    trials = sum(map(sum, outcomes))
    left_out, notes = (_texts(header.provenance.get(name)) for name in ("left_out", "notes"))
    if as_json:
        import msgspec

        said = {
            "run": header.id,
            "suite": header.suite,
            "agent": header.agent,
            "trials": trials,
            "tasks": len(header.tasks),
            "conditions": header.conditions,
            "left_out": left_out,
            "notes": notes,
        }
        output.line(msgspec.json.format(msgspec.json.encode(said), indent=2).decode())
    elif quiet:
        output.line(header.id)
    else:
        shown = output.without_password(store)
        output.line(f"run {header.id}: {_counted(trials, 'trial')} of {_counted(len(header.tasks), 'task')} in {shown}")
        for note in notes:
            output.line(f"note: {output.one_line(note)}")
        if left_out:
            output.line(f"left out: {', '.join(map(repr, left_out))}")
        output.line(f"'passhat report {header.id}' shows it")


def _texts(value: object) -> list[str]:
    """The texts of a list from a header, which is what a log made of it."""
    return [str(text) for text in value] if isinstance(value, list | tuple) else []


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"
