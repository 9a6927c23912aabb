"""How far a run has come: a live line on a terminal, plain lines elsewhere, always on standard error."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from passhat.cli import output
from passhat.engine.settings import Progress

_PLAIN_SECONDS = 10.0


class Shown(Protocol):
    """Takes the news of a run."""

    def __call__(self, progress: Progress, /) -> None: ...


@contextmanager
def shown(*, quiet: bool) -> Iterator[Shown]:
    """Show the progress as long as this lasts."""
    if quiet:
        yield _told_once(lambda _progress: None)
    elif sys.stderr.isatty() and not os.environ.get("CI"):
        with _live() as show:
            yield _told_once(show)
    else:
        yield _told_once(_Plain())


def _told_once(show: Shown) -> Shown:
    """*show*, and a line that says what is going on once the run was asked to stop."""
    told = False

    def shown_and_told(progress: Progress, /) -> None:
        nonlocal told
        show(progress)
        if progress.stopping and not told:
            told = True
            output.tell("passhat: stopping once the running trials have ended; Ctrl-C again drops them")

    return shown_and_told


class _Plain:
    """A line now and then: at the first trials, at each tenth, every ten seconds, and at the end."""

    def __init__(self) -> None:
        self._began = self._last = time.monotonic()
        self._tenth = -1

    def __call__(self, progress: Progress, /) -> None:
        now = time.monotonic()
        tenth = 10 * progress.stored // max(1, progress.planned)
        if tenth > self._tenth or now - self._last >= _PLAIN_SECONDS:
            self._tenth, self._last = tenth, now
            counts = ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(progress.outcomes.items()))
            rate = progress.outcomes and sum(progress.outcomes.values()) / max(now - self._began, 1e-9)
            line = f"{progress.stored:,} of {progress.planned:,} trials stored ({counts}), {rate:,.0f}/s"
            output.tell(line)


@contextmanager
def _live() -> Iterator[Shown]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns: list[Any] = [
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[outcomes]}"),
    ]
    began = time.monotonic()
    with Bar(*columns, console=Console(stderr=True), transient=True, refresh_per_second=8) as bar:
        task = bar.add_task("trials", total=None, rate="", outcomes="")

        def show(progress: Progress, /) -> None:
            made = sum(progress.outcomes.values())
            colours = {"PASS": "green", "FAIL": "red", "CRASH": "magenta", "TIMEOUT": "yellow", "VOID": "dim"}
            outcomes = "  ".join(f"[{colours[o]}]{n:,} {o}[/]" for o, n in sorted(progress.outcomes.items()))
            rate = f"{made / max(time.monotonic() - began, 1e-9):,.0f}/s"
            bar.update(task, total=progress.planned, completed=progress.stored, rate=rate, outcomes=outcomes)

        yield show
