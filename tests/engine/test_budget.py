"""A run's spending is counted right, and said when it is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from passhat.engine.budget import Budget, Price, Spending
from passhat.model.answer import Answer, Usage
from passhat.model.outcome import Outcome
from passhat.model.trial import Trial

PRICES = {"small": Price(input=1.0, output=4.0)}


def trial(outcome: Outcome = Outcome.PASS, usage: Usage | None = None, *, answered: bool = True) -> Trial:
    """A trial that ended so."""
    answer = Answer("x", usage=usage) if answered else None
    return Trial(task_id="t", task_digest="d", condition="clean", index=0, outcome=outcome, answer=answer)


def spent(trials: Sequence[Trial], *, at: float = 0.0, **budget: Any) -> str:  # noqa: ANN401 - the numbers of a budget
    """What is said after these trials, *at* seconds after the start."""
    times = iter([0.0, at])
    spending = Spending(Budget(**budget), PRICES, lambda: next(times))
    for one in trials:
        spending.add(one)
    return spending.spent


COSTLY = Usage(cost=0.5)
TOKENS = Usage(input_tokens=600_000, output_tokens=100_000, model="small")


@pytest.mark.parametrize(
    ("trials", "budget", "said"),
    [
        ([trial(usage=COSTLY)] * 3, {"cost": 2.0}, ""),
        ([trial(usage=COSTLY)] * 4, {"cost": 2.0}, "max_cost: 2.00 of 2 is spent"),
        ([trial(usage=TOKENS)], {"cost": 1.0}, "max_cost: 1.00 of 1 is spent"),
        ([trial(usage=TOKENS)], {"cost": 1.01}, ""),
        ([trial(usage=TOKENS)] * 2, {"tokens": 1_400_000}, "max_tokens: 1,400,000 of 1,400,000 tokens are spent"),
        ([trial(Outcome.FAIL), trial(Outcome.CRASH)], {"failures": 2}, "max_failures: 2 trials have failed"),
        ([trial(Outcome.VOID)] * 9, {"failures": 1}, ""),
        ([trial()] * 9, {"failures": 1}, ""),
        ([], {"seconds": 10.0}, ""),
    ],
)
def test_budget_is_spent_when_it_is(trials: Sequence[Trial], budget: dict[str, Any], said: str) -> None:
    """Money by the agent's own word or by its model's price, tokens of both kinds, failures without voids."""
    assert spent(trials, **budget) == said


def test_time_is_the_runs() -> None:
    """And not what the agents took, many at a time."""
    assert spent([], at=10.0, seconds=10.0) == "max_time: 10 s are over"
    assert spent([], at=9.9, seconds=10.0) == ""


@pytest.mark.parametrize("usage", [None, Usage(), Usage(input_tokens=1, output_tokens=1, model="other")])
def test_cost_that_nobody_knows_ends_the_run(usage: Usage | None) -> None:
    """A budget that cannot be held is said, not ignored."""
    assert "nobody knows what a trial of task 't' cost" in spent([trial(usage=usage)], cost=1.0)


def test_trial_without_an_answer_costs_as_much_as_the_others() -> None:
    """A crash has cost something too, and nobody says how much."""
    trials = [trial(usage=COSTLY), trial(Outcome.CRASH, answered=False)]

    assert spent(trials, cost=1.0) == "max_cost: 1.00 of 1 is spent"


def test_numbers_that_are_none_are_all_named() -> None:
    """Each in a sentence."""
    budget = Budget(cost=0, tokens=-1, seconds=True, failures=0)

    assert [problem.split(":")[0] for problem in budget.problems()] == [
        "max_cost",
        "max_tokens",
        "max_time",
        "max_failures",
    ]
