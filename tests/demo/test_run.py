"""The demo through the real engine, store, metrics and rules: what `passhat demo` argues with."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

import passhat
from passhat import faults, rules
from passhat.cli.demo import hints
from passhat.demo.agents import careful, hasty
from passhat.demo.story import FAULT
from passhat.demo.suite import suite
from passhat.model.run import Run
from passhat.model.summary import Summary
from passhat.model.verdict import Status
from tests.demo.drive import DemoAgent

# A wait of no seconds: the clerk yields to the loop, and no test sleeps.
LIMITED = replace(FAULT, fault=faults.rate_limit(retry_after=0.0))


def run(agent: DemoAgent, folder: Path, *, seed: int = 7, concurrency: int = 8) -> Run:
    """The demo's run."""
    store = str(folder / f"{seed}-{concurrency}.db")
    return passhat.run(suite, agent, under=[LIMITED], trials=10, seed=seed, concurrency=concurrency, store=store)


def value(summary: Summary, condition: str, metric: str) -> float:
    """The suite's number."""
    row = summary.suite_row(condition)
    estimate = row.get(metric) if row else None
    assert estimate is not None
    assert estimate.value is not None
    return estimate.value


@pytest.mark.parametrize("seed", [7, 8, 9, 10])
def test_hasty_clerk_passes_once_and_not_always(seed: int, tmp_path: Path) -> None:
    """pass@1 is good, pass^5 is not, and rate limits take most of what is left."""
    summary = passhat.measure(run(hasty, tmp_path, seed=seed), k=5)
    limited = summary.tally.conditions[1]

    assert 0.80 <= value(summary, "clean", "pass@1") <= 0.95
    assert value(summary, "clean", "pass^5") < 0.75
    assert value(summary, limited, "pass@1") < value(summary, "clean", "pass@1") - 0.05
    assert value(summary, limited, "pass^5") < value(summary, "clean", "pass^5") - 0.1


def test_gate_fails_the_hasty_clerk(tmp_path: Path) -> None:
    """A gate on pass^5 says no."""
    summary = passhat.measure(run(hasty, tmp_path), k=5)

    assert passhat.judge(summary, rules.at_least("pass^5", 0.80)).status is Status.FAIL


def test_gate_passes_the_careful_clerk(tmp_path: Path) -> None:
    """The improved agent passes the same gate, with the faults met."""
    stored = run(careful, tmp_path)
    summary = passhat.measure(stored, k=5)

    assert passhat.judge(summary, rules.at_least("pass^5", 0.80)).status is Status.PASS
    assert sum(summary.tally.exposed) > 50


@pytest.mark.parametrize(("width", "lines"), [(80, 40), (100, 36)])
def test_argument_fits_one_screen(width: int, lines: int, tmp_path: Path) -> None:
    """The table, the verdict, the last words and the two hints are one screen."""
    summary = passhat.measure(run(hasty, tmp_path), k=5)
    text = passhat.render(summary, passhat.judge(summary, rules.at_least("pass^5", 0.80)), width=width)

    assert text.count("\n") + 2 <= lines
    assert max(map(len, text.splitlines())) <= width


def test_hint_names_a_task_that_failed(tmp_path: Path) -> None:
    """What the demo points to is the task that failed most, in the store where it is."""
    stored = run(hasty, tmp_path)

    assert hints(stored.trials.counts(), "passhat.db") == (
        "see why one failed: passhat show broken-mugs",
        "your own agent: passhat run suite.py --agent agent.py",
    )
    assert hints(stored.trials.counts(), "my demo.db")[0].endswith(" --store 'my demo.db'")


def test_run_is_the_same_at_any_concurrency(tmp_path: Path) -> None:
    """The trials of one seed have the same content, whether they run one by one or all together."""
    alone = [trial.content() for trial in run(hasty, tmp_path, concurrency=1).trials]
    together = [trial.content() for trial in run(hasty, tmp_path, concurrency=64).trials]

    assert alone == together


def test_every_failure_has_a_reason(tmp_path: Path) -> None:
    """A trial that failed says which place of the end state is wrong; one that crashed, with which error."""
    trials = list(run(hasty, tmp_path).trials)

    failed = [trial for trial in trials if trial.outcome.value == "FAIL"]
    crashed = [trial for trial in trials if trial.outcome.value == "CRASH"]
    assert failed
    assert all(" should be " in trial.grades[0].reason for trial in failed)
    assert crashed
    assert all("429" in trial.detail for trial in crashed)
