"""How a run that stopped goes on: the command line that was typed, with the run in it."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import join

import click

from passhat.cli import output
from passhat.engine.settings import Progress

ARGUMENTS = "passhat.arguments"  # where the command line is kept, in what click hands from context to context
# What the run that goes on has been told already, and would be told twice.
_TOLD = ("--resume", "--top-up", "--limit", "--filter", "--only-failed")


def again(arguments: Sequence[str], run_id: str) -> str:
    """The command line that goes on with a run; a password in a URL is to be put in again."""
    kept: list[str] = []
    words = [output.without_password(word) for word in arguments]
    while words:
        word = words.pop(0)
        if word in _TOLD:
            if words and not (word == "--resume" and words[0].startswith("-")):
                words.pop(0)
        elif not word.startswith(tuple(f"{told}=" for told in _TOLD)):
            kept.append(word)
    end = kept.index("--") if "--" in kept else len(kept)  # what follows it is no option
    return join(["passhat", *kept[:end], "--resume", run_id, *kept[end:]])


def tell_of_the_budget(progress: Progress | None) -> None:
    """Say that a budget has ended the run, how far it has come, and how it goes on."""
    if progress is None or not progress.spent or progress.stored >= progress.planned:
        return
    come = f"{progress.stored:,} of {progress.planned:,} trials are stored"
    output.tell(f"passhat: {progress.spent}; run {progress.run_id} has ended there: {come}")
    arguments = click.get_current_context().meta.get(ARGUMENTS, ())
    output.tell(f"go on with: {again(arguments, progress.run_id)}")
