"""`passhat import`: read another tool's log as a run."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from passhat.cli import options, output
from passhat.errors import UsageError
from passhat.model.run import Run

MOST_BYTES = 100_000_000
STDIN = "-"


@click.command()
@click.argument("form", metavar="FORMAT")
@click.argument("file", metavar="FILE")
@click.option("--suite", default="", metavar="NAME", help="What was tested [default: what the log says].")
@click.option("--agent", default="", metavar="NAME", help="The agent that was tested [default: what the log says].")
@options.store
@options.output("the run's id")
def command(*, form: str, file: str, suite: str, agent: str, store: str, quiet: bool, as_json: bool) -> None:
    """Read another tool's log as a run, which `report`, `show` and the rules then take like any other.

    FORMAT is jsonl: one JSON object a line, with "task" and "passed" or "outcome". FILE is the log, or - for what
    is piped in. A log with a wrong line is refused whole.
    """
    from passhat import api

    source = "standard input" if file == STDIN else file
    run = api.import_run(
        form, _text(_bytes(file, source), source), store=store, suite=suite, agent=agent, source=source
    )
    _show(run, store, quiet=quiet, as_json=as_json)


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
    left_out = header.provenance.get("left_out", ())
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
        }
        output.line(msgspec.json.format(msgspec.json.encode(said), indent=2).decode())
    elif quiet:
        output.line(header.id)
    else:
        output.line(f"run {header.id}: {_counted(trials, 'trial')} of {_counted(len(header.tasks), 'task')} in {store}")
        if isinstance(left_out, list | tuple) and left_out:
            output.line(f"left out: {', '.join(map(repr, left_out))}")
        output.line(f"'passhat report {header.id}' shows it")


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"
