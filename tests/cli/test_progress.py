"""How far a run has come, in words: rate, time gone, time left and outcomes, within the width."""

from __future__ import annotations

import sys
from contextlib import redirect_stderr
from io import StringIO

import pytest
from rich.console import Console

from passhat.cli.progress import LiveLine, live_line, live_on, plain_line, shown
from passhat.engine.settings import Progress
from tests.cli.screen import on_screen

SOME = {"PASS": 204, "FAIL": 53, "CRASH": 25, "TIMEOUT": 10}


def news(stored: int, outcomes: dict[str, int], planned: int = 960) -> Progress:
    """What the engine tells."""
    return Progress(run_id="r", planned=planned, stored=stored, outcomes=outcomes)


def live(progress: Progress | None, seconds: float, width: int = 99) -> str:
    """The live line without its styles."""
    return "".join(text for text, _ in live_line(progress, seconds, width=width))


def test_live_line_shows_everything() -> None:
    """The bar, the trials, the rate, the time gone, the time left, and every outcome."""
    line = live(news(292, SOME), 8.0)

    assert line.endswith(" 292/960 · 36/s · 0:00:08 · left 0:00:18 · 204 pass 53 fail 25 crash 10 timeout ")
    assert line.startswith("█████░░░░░░░░░░░░░░ ")


@pytest.mark.parametrize("width", [79, 99, 139])
@pytest.mark.parametrize("stored", [292, 99_999])
def test_live_line_fits(width: int, stored: int) -> None:
    """On a narrow terminal the bar is shorter and the outcomes are letters."""
    line = live(news(stored, {**SOME, "VOID": 3}, planned=max(960, stored + 1)), 8.0, width)

    assert len(line) <= width
    assert "204" in line


def test_live_line_before_the_first_trial() -> None:
    """While nothing is known, there is no rate and no time left."""
    assert live(None, 3.2) == "starting · 0:00:03"


def test_rate_is_since_the_start() -> None:
    """A log's line gives trials a second since the start, and the time that is left at this rate."""
    line = plain_line(news(292, SOME), 8.0)

    assert line == ("292 of 960 trials stored (204 PASS, 53 FAIL, 25 CRASH, 10 TIMEOUT), 36/s, 0:00:08, left 0:00:18")


def test_resumed_run_has_the_rate_of_this_session() -> None:
    """Trials that an earlier session stored make nothing look quicker."""
    line = plain_line(news(900, {"PASS": 10}), 20.0)

    assert line == "900 of 960 trials stored (10 PASS), 0.5/s, 0:00:20, left 0:02:00"


def test_run_with_nothing_to_do_is_told() -> None:
    """Where every trial is there already, the line says so and divides by nothing."""
    assert plain_line(news(960, {}), 0.0) == "960 of 960 trials stored (none now), 0.0/s, 0:00:00"


def test_live_line_goes_to_its_own_stream() -> None:
    """However standard error is replaced while it is shown, the display neither follows it nor catches it."""
    terminal, before = StringIO(), sys.stderr
    console = Console(file=terminal, force_terminal=True, width=100, _environ={})

    with live_on(console) as show:
        assert sys.stderr is before
        with redirect_stderr(StringIO()) as replaced:
            show(news(292, SOME))

    assert "292/960" in terminal.getvalue()
    assert replaced.getvalue() == ""


@pytest.mark.parametrize("width", [30, 50, 60, 76, 100])
def test_live_line_leaves_room_for_an_echo(width: int) -> None:
    """The ^C that a terminal writes at the end of the line fits on it, short of the last column."""
    line = LiveLine(Console(file=StringIO(), width=width, _environ={}))
    line(news(292, {**SOME, "VOID": 3}))

    assert line.text().cell_len + len("^C") < width


@pytest.mark.parametrize("width", [50, 60, 76, 100])
def test_message_takes_the_place_of_the_live_line(width: int) -> None:
    """At Ctrl-C, which the terminal echoes, the message stands on lines of its own, and no old line stays."""
    terminal = StringIO()
    console = Console(file=terminal, force_terminal=True, width=width, _environ={})

    with live_on(console) as live:
        live(news(292, SOME))
        live.tell("waiting")
        terminal.write("^C")
        live.tell("passhat: stopping; Ctrl-C drops the trials that still run")
        terminal.write("^C")

    said, *more = on_screen(terminal.getvalue(), width)
    assert said == "waiting"
    assert "".join(more) == "passhat: stopping; Ctrl-C drops the trials that still run"


def test_bar_is_read_without_colour() -> None:
    """What is done and what is left have two marks, in ASCII too."""
    text = "".join(span for span, _ in live_line(news(480, {"PASS": 480}), 8.0, width=99, marks="#."))

    assert text.startswith("############............ 480/960")


def test_late_calls_are_told_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    """What agents did when their trials were over is said once, after the run, however quiet it is."""
    with shown(quiet=True) as show:
        show(Progress(run_id="r", planned=2, stored=1, outcomes={"PASS": 1}, late_calls=1))
        show(Progress(run_id="r", planned=2, stored=2, outcomes={"PASS": 2}, late_calls=3))

    said = capsys.readouterr().err
    assert said == "passhat: 3 tool calls came after a trial had ended: refused, and without effect\n"
