"""Choosing tasks, spending a budget and going on, as they are typed."""

import json
from pathlib import Path

import pytest

from tests.cli.said import Passhat

RUN = ("run", "suite.py", "--agent", "suite.py:half", "-n", "4")
COSTLY = """
from passhat import Answer
from passhat.model.answer import Usage


def agent(message):
    return Answer(message, usage=Usage(input_tokens=1_000_000, output_tokens=0, model="small"))
"""


def test_only_failed_is_inconclusive(passhat: Passhat) -> None:
    """The task that failed is run, the report warns, and the exit code is not green."""
    passhat(*RUN)
    said = passhat(*RUN, "--only-failed", "latest", "--require", "pass^1 >= 0.1", "--json")
    summary = json.loads(said.out)["summary"]["value"]

    assert said.code == 3
    assert [task["id"] for task in summary["header"]["tasks"]] == ["b"]
    assert any("was selected: those that failed in run" in text for text in summary["warnings"])


def test_filter_without_a_match_is_a_usage_error(passhat: Passhat) -> None:
    """Beside everything else that is wrong."""
    said = passhat(*RUN, "--filter", "x*", "--timeout", "0")

    assert said.code == 2
    assert "none has an id that matches 'x*'" in said.err
    assert "timeout: more than 0 seconds" in said.err


def test_budget_that_is_spent_says_how_to_go_on(passhat: Passhat) -> None:
    """How many of how many trials are stored, and the command that runs the others."""
    said = passhat(*RUN, "--max-failures", "1", "--concurrency", "1", "--limit", "2")
    run_id = passhat("runs", "-q").out.strip()

    assert said.code == 3
    assert f"passhat: max_failures: 1 trial has failed; run {run_id} has ended there: 2 of 8 trials" in said.err
    again = f"passhat run suite.py --agent suite.py:half -n 4 --max-failures 1 --concurrency 1 --resume {run_id}"
    assert f"go on with: {again}\n" in said.err


def test_resume_without_a_run_means_the_latest(passhat: Passhat) -> None:
    """And needs no number of trials: the run has one."""
    passhat(*RUN, "--max-failures", "1", "--concurrency", "1")

    said = passhat("run", "suite.py", "--agent", "suite.py:half", "--resume")

    assert said.code == 0
    assert len(passhat("runs", "-q").out.splitlines()) == 1
    assert "8/8" in passhat("runs").out


def test_prices_make_a_cost(folder: Path, passhat: Passhat) -> None:
    """Tokens of a model that the table has are money."""
    (folder / "costly.py").write_text(COSTLY)
    (folder / "prices.toml").write_text('["small"]\ninput = 2.5\noutput = 10\n')
    said = passhat(
        "run", "suite.py", "--agent", "costly.py", "--concurrency", "1", "--max-cost", "5", "--prices", "prices.toml"
    )

    assert "max_cost: 5.00 of 5 is spent" in said.err
    assert "2 of 20 trials are stored" in said.err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("small = 1", "'small' is no section"),
        ('["small"]\ninput = 1', "'small' has no output: what do a million output tokens cost?"),
        ('["small"]\ninput = -1\noutput = "x"', "'small': input is a number from 0 on, not -1"),
        ('["small"]\ninput = -1\noutput = "x"', "'small': output is a number from 0 on, not 'x'"),
        ('["small"]\ninput = 1\noutput = 1\ncached = 1', "'small' has a 'cached', which is no price"),
        ("small =", "it is no TOML"),
        ("", "there is no price in it"),
    ],
)
def test_prices_that_are_none_are_refused(text: str, said: str, folder: Path, passhat: Passhat) -> None:
    """Each with the file, the model and what to write."""
    (folder / "prices.toml").write_text(text)

    refused = passhat(*RUN, "--prices", "prices.toml")

    assert refused.code == 2
    assert f"--prices prices.toml: {said}" in refused.err


def test_missing_price_file_is_said(passhat: Passhat) -> None:
    """By its name."""
    refused = passhat(*RUN, "--prices", "none.toml", "--max-tokens", "0")

    assert refused.code == 2
    assert "--prices none.toml: it cannot be read: No such file" in refused.err
    assert "max_tokens: more than 0, not 0" in refused.err
