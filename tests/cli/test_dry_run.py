"""What `passhat run --dry-run` says, and that it does nothing else."""

import json
from pathlib import Path

from tests.cli.said import Passhat

RUN = ("run", "suite.py", "--agent", "suite.py")
UNDER = ("--under", "rate_limit(share=0.25)")
COSTLY = """
from passhat import Answer
from passhat.model.answer import Usage
from pathlib import Path


def agent(message, tools, seed):
    Path("was-run").touch()
    return Answer("a", usage=Usage(input_tokens=900, output_tokens=100, model="small"))
"""


def test_plan_is_shown_and_nothing_done(folder: Path, passhat: Passhat) -> None:
    """Tasks by conditions by trials, the trials of a share, and no store, no trial and no verdict."""
    (folder / "costly.py").write_text(COSTLY)
    said = passhat("run", "suite.py", "--agent", "costly.py", "-n", "8", *UNDER, "--dry-run")

    assert said.code == 0
    assert "2 tasks × 2 conditions × 8 trials = 32 trials" in said.out
    assert "rate_limit is planned in 2 of 8 trials of each task" in said.out
    assert said.out.count("unknown") == 3
    assert not (folder / "passhat.db").exists()
    assert not (folder / "was-run").exists()


def test_cost_goes_by_earlier_trials(folder: Path, passhat: Passhat) -> None:
    """Of the same agent and suite: 1,000 tokens a trial, at the prices that are given."""
    (folder / "costly.py").write_text(COSTLY)
    (folder / "prices.toml").write_text('["small"]\ninput = 1000\noutput = 1000\n')
    run = ("run", "suite.py", "--agent", "costly.py", "--prices", "prices.toml")
    passhat(*run, "-n", "4")

    told = json.loads(passhat(*run, "-n", "30", "--dry-run", "--json").out)
    other = json.loads(passhat(*run, "-n", "30", "--label", "other", "--dry-run", "--json").out)

    assert (told["tokens"], told["cost"], told["earlier"]["trials"]) == (60_000, 60, 8)
    assert (told["baseline"], told["baseline_known"]) == (0.5, True)
    assert 0 < told["drop"] < 0.5
    assert (other["tokens"], other["cost"], other["earlier"]["trials"]) == (None, None, 0)
    assert len(passhat("runs", "-q").out.splitlines()) == 1


def test_what_is_stored_is_not_paid_again(passhat: Passhat) -> None:
    """A run that would go on is asked for the trials that it lacks."""
    run = ("run", "suite.py", "--agent", "suite.py:half")
    passhat(*run, "-n", "4", "--max-failures", "1", "--concurrency", "1")

    assert passhat(*run, "--resume", "--dry-run", "-q").out == "6\n"
    assert "8 trials, 2 of them stored already" in passhat(*run, "--resume", "--dry-run").out
    assert "2/8" in passhat("runs").out


def test_what_would_be_refused_is_refused(passhat: Passhat) -> None:
    """Every problem, as for the run."""
    said = passhat(*RUN, "--dry-run", "--under", "rate_limt", "--timeout", "0")

    assert said.code == 2
    assert "rate_limit" in said.err
    assert "timeout" in said.err
