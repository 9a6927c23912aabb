"""`passhat init`: write a small example that runs at once, offline, and say what to type next."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from passhat.cli import options

_RUN = {
    "command": "passhat run",
    "python": "passhat run suite.py --agent agent.py -n 50 --under 'rate_limit(rate=0.3)' --require 'pass^5 >= 0.80'",
}


@click.command()
@click.argument("folder", metavar="[FOLDER]", default=".", type=click.Path(path_type=Path))
@click.option(
    "--command", "of_command", is_flag=True, help="Without Python: passhat.toml, tasks, and an agent that is a command."
)
@click.option("--schema", is_flag=True, help="Write the JSON schema of passhat.toml, for editors, and no files.")
@options.output("the files that were written")
def command(*, folder: Path, of_command: bool, schema: bool, quiet: bool, as_json: bool) -> None:
    """Write a suite and an agent that run at once, offline, into FOLDER, which is this one if not said.

    A file that is there already is never written over.
    """
    import json

    from passhat.cli import output

    if schema:
        from passhat.cli.config.schema import schema_text

        output.write(schema_text())
        return
    kind = "command" if of_command else "python"
    written = _write(folder, _files(kind))
    if as_json:
        output.line(json.dumps({"folder": str(folder), "written": written, "next": _next(folder, kind)}))
    elif quiet:
        for name in written:
            output.line(str(folder / name))
    else:
        output.write(_text(folder, written, kind))


def _files(kind: str) -> Mapping[str, bytes]:
    """The files of an example, by name; the ones that are shipped are the ones that are tested."""
    from importlib.resources import files

    example = files("passhat.demo").joinpath("start", kind)
    return {
        each.name: each.read_bytes() for each in sorted(example.iterdir(), key=lambda one: one.name) if each.is_file()
    }


def _write(folder: Path, found: Mapping[str, bytes]) -> list[str]:
    """Write *found* into *folder*, all or, where one is there already, nothing."""
    from passhat.errors import UsageError

    there = [folder / name for name in found if (folder / name).exists() or (folder / name).is_symlink()]
    if there:
        raise UsageError(
            *(f"init: {path} is there already: name another folder, as in 'passhat init try'" for path in there)
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in found.items():
            with (folder / name).open("xb") as file:
                file.write(content)
    except OSError as error:
        raise UsageError(f"init: {error.filename or folder} cannot be written: {error.strerror or error}") from error
    return list(found)


def _next(folder: Path, kind: str) -> list[str]:
    """What to type now."""
    from shlex import quote

    return [*([f"cd {quote(str(folder))}"] if folder != Path() else []), _RUN[kind]]


def _text(folder: Path, written: list[str], kind: str) -> str:
    """What was written, and what to type now."""
    lines = [f"wrote {folder / name}" for name in written]
    return "".join(f"{line}\n" for line in (*lines, "", "now type:", *(f"  {line}" for line in _next(folder, kind))))
