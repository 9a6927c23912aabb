"""How far a run has come: a live line on a terminal, plain lines elsewhere, always on standard error."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Protocol

from passhat.cli import output
from passhat.engine.settings import Progress
from passhat.model.outcome import Outcome

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

_PLAIN_SECONDS = 10.0
_BAR, _LEAST_BAR = 24, 4
_ECHO = "^C"  # what a terminal writes at the end of the live line when somebody presses Ctrl-C
_MARKS, _ASCII_MARKS = "█░", "#."  # what is done and what is left, apart without colour too
_ROUGH = 10
_DUMB = ("dumb", "unknown")  # terminals on which no line can be written again
_STYLES = {
    Outcome.PASS: "green",
    Outcome.FAIL: "red",
    Outcome.CRASH: "magenta",
    Outcome.TIMEOUT: "yellow",
    Outcome.VOID: "dim",
}


class Shown(Protocol):
    """Takes the news of a run."""

    def __call__(self, progress: Progress, /) -> None: ...


@contextmanager
def shown(*, quiet: bool) -> Iterator[Told]:
    """Show the progress as long as this lasts."""
    if quiet:
        told = Told(lambda _progress: None, output.tell)
        yield told
    elif sys.stderr.isatty() and not os.environ.get("CI") and os.environ.get("TERM") not in _DUMB:
        from rich.console import Console

        with live_on(Console(file=sys.stderr)) as live:
            told = Told(live, live.tell)
            yield told
    else:
        told = Told(_Plain(), output.tell)
        yield told
    told.end()


class Told:
    """Shows the progress, and says in a line of its own what somebody has to know. `latest` is what it was told."""

    def __init__(self, show: Shown, tell: Callable[[str], None]) -> None:
        """Nothing is known yet."""
        self.latest: Progress | None = None
        self._show = show
        self._tell = tell
        self._stopping = False
        self._late = 0

    def __call__(self, progress: Progress, /) -> None:
        """Show how far the run has come."""
        self.latest = progress
        self._show(progress)
        self._late = progress.late_calls
        if progress.stopping and not self._stopping:
            self._stopping = True
            self._tell("passhat: stopping; Ctrl-C drops the trials that still run")

    def end(self) -> None:
        """Say what agents did when their trials were over."""
        if self._late:
            calls = "1 tool call" if self._late == 1 else f"{self._late:,} tool calls"
            self._tell(f"passhat: {calls} came after a trial had ended: refused, and without effect")


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
            output.tell(plain_line(progress, now - self._began))


class LiveLine:
    """A line that is written again and again, on the stream that the console holds."""

    def __init__(self, console: Console) -> None:
        """Nothing is known yet."""
        self._console = console
        self._began = time.monotonic()
        self._latest: Progress | None = None

    def __call__(self, progress: Progress, /) -> None:
        """From here on the line tells this."""
        self._latest = progress

    def tell(self, sentence: str) -> None:
        """Write a sentence in the line's place, and the line below it."""
        with suppress(OSError):  # there is nowhere left to say it
            self._console.print(output.one_line(sentence), markup=False, emoji=False, highlight=False, soft_wrap=True)

    def text(self) -> Text:
        """The line as it is now."""
        from rich.text import Text

        # The last column would make some terminals begin a new line, and so would an echo: the old one would stay.
        width = self._console.width - 1 - len(_ECHO)
        marks = _ASCII_MARKS if self._console.options.ascii_only else _MARKS
        spans = live_line(self._latest, time.monotonic() - self._began, width=width, marks=marks)
        text = Text.assemble(*spans, no_wrap=True)
        text.truncate(width, overflow="crop")
        return text


@contextmanager
def live_on(console: Console) -> Iterator[LiveLine]:
    """Show a live line as long as this lasts.

    The engine puts a stream of its own in the place of standard error while it runs: a display that followed it
    there, or caught what is written, would write to itself.
    """
    from rich.live import Live

    line = LiveLine(console)
    with Live(
        get_renderable=line.text,
        console=console,
        transient=True,
        refresh_per_second=8,
        redirect_stdout=False,
        redirect_stderr=False,
    ):
        yield line


def plain_line(progress: Progress, seconds: float) -> str:
    """Where a run is after so many seconds, as a line of a log."""
    counts = ", ".join(f"{count:,} {outcome.value}" for outcome, count in _counted(progress))
    stored = f"{progress.stored:,} of {progress.planned:,} trials stored"
    return f"{stored} ({counts or 'none now'}), {', '.join(_pace(progress, seconds))}"


def live_line(progress: Progress | None, seconds: float, *, width: int, marks: str = _MARKS) -> list[tuple[str, str]]:
    """Where a run is, as text and styles within *width*: first the bar gets shorter, then the outcomes' names."""
    if progress is None:
        return [(f"starting · {_clock(seconds)}", "")]
    facts = " · ".join((f"{progress.stored:,}/{progress.planned:,}", *_pace(progress, seconds), ""))
    names = [(f"{count:,} {outcome.value.lower()}", _STYLES[outcome]) for outcome, count in _counted(progress)]
    letters = [(f"{count:,} {outcome.letter}", _STYLES[outcome]) for outcome, count in _counted(progress)]
    counts = next((one for one in (names, letters) if _room(facts, one, width) >= _LEAST_BAR), letters)
    room = max(0, min(_BAR, _room(facts, counts, width)))
    done = room * progress.stored // max(1, progress.planned)
    bar = [(marks[0] * done, "cyan"), (marks[1] * (room - done) + " ", "dim")]
    return [*bar, (facts, ""), *(span for text, style in counts for span in ((text, style), (" ", "")))]


def _room(facts: str, counts: list[tuple[str, str]], width: int) -> int:
    """What is left for the bar."""
    return width - 1 - len(facts) - sum(len(text) + 1 for text, _ in counts)


def _counted(progress: Progress) -> Iterator[tuple[Outcome, int]]:
    """The outcomes that there are, passes first."""
    return ((one, progress.outcomes[one.value]) for one in Outcome if progress.outcomes.get(one.value))


def _pace(progress: Progress, seconds: float) -> Iterator[str]:
    """Trials a second since the start, the time that has gone, and what is left at this rate."""
    made = sum(progress.outcomes.values())  # what an earlier session stored says nothing about this one's rate
    rate = made / max(seconds, 1e-9)
    yield f"{rate:,.0f}/s" if rate >= _ROUGH else f"{rate:.1f}/s"
    yield _clock(seconds)
    left = progress.planned - progress.stored
    if made and left:
        yield f"left {_clock(left / rate)}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"
