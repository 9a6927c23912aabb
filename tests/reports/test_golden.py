"""Every report on the same shop, as a person sees it."""

from __future__ import annotations

import pytest

from passhat.model.outcome import Outcome
from passhat.model.run import Listing
from passhat.reports import Beside, comparison_text, render, runs_text, trial_text
from tests.reports.asked import asked_for, compared, taken
from tests.reports.golden import same_as_golden
from tests.reports.summaries import HandTrials, many, refund_trial, shop, shop_verdict, three

LISTINGS = (
    Listing(id="3f9ac2d1", suite="shop", agent="careful_bot", started_at=1_795_037_520.0, stored=160, planned=160),
    Listing(id="77aa01b2", suite="shop", agent="hasty_bot", started_at=0.0, stored=1_200, planned=10_000),
)


@pytest.mark.parametrize("width", [80, 100, 160])
def test_terminal(width: int) -> None:
    """The screen is the one that was last found good."""
    same_as_golden(f"terminal-{width}.txt", render(shop(), shop_verdict(), width=width))


def test_terminal_in_colour_with_trials() -> None:
    """Colour adds escapes of its own, and trials add why."""
    summary = shop()
    text = render(summary, shop_verdict(), width=100, colour=True, trials=HandTrials(summary))
    same_as_golden("terminal-colour.txt", text)


def test_terminal_of_many_tasks() -> None:
    """Of many tasks the worst stand on the screen."""
    same_as_golden("terminal-many.txt", render(many(60), None, width=90))


def test_terminal_of_three_conditions() -> None:
    """Three conditions are a block each where the screen is narrow."""
    same_as_golden("terminal-blocks.txt", render(three(), shop_verdict(), width=80))


def test_markdown() -> None:
    """The pull request's body is the one that was last found good."""
    summary = shop()
    text = render(summary, shop_verdict(), format="markdown", trials=HandTrials(summary))
    same_as_golden("report.md", text)


def test_json() -> None:
    """The object for machines is the one that was last found good."""
    same_as_golden("report.json", render(shop(), shop_verdict(), format="json"))


@pytest.mark.parametrize("width", [80, 120])
def test_what_was_asked_for(width: int) -> None:
    """Metrics that were asked for stand a line each, and the figures of the tasks in a table."""
    same_as_golden(f"terminal-asked-{width}.txt", render(asked_for(shop()), None, width=width))


def test_what_was_asked_for_in_markdown() -> None:
    """In a pull request too."""
    same_as_golden("report-asked.md", render(asked_for(shop()), None, format="markdown"))


@pytest.mark.parametrize("width", [80, 160])
def test_table_of_faults(width: int) -> None:
    """Where recovery was measured, a table says which faults landed and how they were taken."""
    same_as_golden(f"terminal-faults-{width}.txt", render(taken(shop()), None, width=width))


def test_table_of_faults_in_markdown() -> None:
    """In a pull request too."""
    same_as_golden("report-faults.md", render(taken(shop()), None, format="markdown"))


@pytest.mark.parametrize("width", [80, 120])
def test_comparison(width: int) -> None:
    """Two runs, each number twice, the difference, and what was counted."""
    same_as_golden(f"comparison-{width}.txt", comparison_text(compared(shop()), width=width))


def test_comparison_in_colour() -> None:
    """What is told from chance is coloured."""
    same_as_golden("comparison-colour.txt", comparison_text(compared(shop()), colour=True))


def test_trial() -> None:
    """One trial with everything in it."""
    same_as_golden(
        "trial.txt", trial_text(refund_trial(), beside=Beside({"clean": Outcome.PASS, "typos": Outcome.CRASH}))
    )


def test_runs() -> None:
    """A list of runs, one of them unfinished and without a time."""
    same_as_golden("runs.txt", runs_text(LISTINGS))
