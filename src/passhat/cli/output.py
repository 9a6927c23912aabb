"""What the commands write: results to standard output, complaints to standard error, one line each.

A reader that has gone, as `head` does, changes neither what is done nor the exit code.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
from typing import TextIO

import click

from passhat.errors import PasshatError

_LONGEST = 2_000
# Up to the last @, because a password that was typed as it is may hold one.
_IN_URL = re.compile(r"(\w://[^:/?@]*:).*(?=@)", re.DOTALL)
_IN_QUERY = re.compile(r"(\w://.*?[?&](?:ssl)?password=)[^&]*", re.DOTALL)


def write(text: str) -> None:
    """Write *text*, as it is, to standard output."""
    try:
        click.echo(text, nl=False)
    except BrokenPipeError:
        forget(sys.stdout)
    except OSError as error:
        forget(sys.stdout)
        raise PasshatError(f"standard output cannot be written: {error.strerror or error}") from error


def line(text: str) -> None:
    """Write *text* and a line's end to standard output."""
    write(f"{text}\n")


def without_password(words: str) -> str:
    """What somebody typed, without the password of a URL in it; it takes more for one rather than less."""
    return _IN_QUERY.sub(r"\1[redacted]", _IN_URL.sub(r"\1[redacted]", words))


def tell(sentence: str) -> None:
    """Write one line to standard error, whatever the sentence holds."""
    try:
        click.echo(one_line(sentence), err=True)
    except OSError:  # there is nowhere left to say it
        forget(sys.stderr)


@contextmanager
def reserved() -> Iterator[None]:
    """Keep standard output for results: what others, child processes too, write there now goes to standard error."""
    with redirect_stdout(sys.stderr), suppress(OSError), ExitStack() as undo:
        with suppress(OSError):  # one of the two is closed: then there is nothing to keep
            kept = os.dup(1)
            undo.callback(os.close, kept)
            os.dup2(2, 1)
            undo.callback(os.dup2, kept, 1)
        yield


def open_all() -> None:
    """Let what is written to a stream that was closed, as with `>&-`, go nowhere.

    This comes before any file is opened: one that got the number of a closed stream would be written to by whoever
    means the stream.
    """
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
            stream = os.fdopen(number, mode, closefd=False)
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)


def lenient(*streams: TextIO | None) -> None:
    """From here on, a character that a stream's encoding does not have is shown as '?' instead of raising."""
    for stream in streams:
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def forget(stream: TextIO) -> None:
    """Let what is still to come on *stream* go nowhere, so that the end of the program does not stumble on it."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def one_line(text: str) -> str:
    """*text* on one line, without what a terminal would obey."""
    whole = " ".join(text.split())
    shown = whole if len(whole) <= _LONGEST else f"{whole[:_LONGEST]} …"
    if shown.isprintable():
        return shown
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in shown)
