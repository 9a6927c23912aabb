"""What a run may cost, and what it has cost so far: money, tokens, time and failures.

A budget is looked at after each trial. Once it is spent no more trials begin; those under way end, and are stored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from passhat.model.answer import Usage
from passhat.model.base import Noun
from passhat.model.outcome import Outcome
from passhat.model.trial import Trial

_PER = 1_000_000


class Price(Noun, kw_only=True):
    """What a model costs per million tokens."""

    input: float
    output: float


class Budget(Noun, kw_only=True):
    """The most that a run may spend. `seconds` are those of the run, not of its agents."""

    cost: float | None = None
    tokens: int | None = None
    seconds: float | None = None
    failures: int | None = None

    def problems(self) -> list[str]:
        """What is wrong with the numbers, one sentence each."""
        found = []
        for name, value in (("cost", self.cost), ("tokens", self.tokens), ("time", self.seconds)):
            if value is not None and not (isinstance(value, int | float) and not isinstance(value, bool) and value > 0):
                found.append(f"max_{name}: more than 0, not {value!r}")
        whole = isinstance(self.failures, int) and not isinstance(self.failures, bool)
        if self.failures is not None and not (whole and self.failures >= 1):
            found.append(f"max_failures: a whole number from 1 on, not {self.failures!r}")
        return found


class Spending:
    """What a run has spent, beside its budget."""

    def __init__(self, budget: Budget, prices: Mapping[str, Price], clock: Callable[[], float]) -> None:
        """Nothing is spent yet."""
        self._budget = budget
        self._prices = prices
        self._clock = clock
        self._begun = clock()
        self._known = 0.0
        self._priced = self._unanswered = 0
        self._unpriced = ""
        self.tokens = 0
        self.failures = 0

    def add(self, trial: Trial) -> None:
        """Count one trial. A failure is any outcome that is not a pass; a void trial is none."""
        self.failures += trial.outcome.counts and trial.outcome is not Outcome.PASS
        usage = trial.answer.usage if trial.answer is not None else None
        self.tokens += sum(count or 0 for count in (usage.input_tokens, usage.output_tokens)) if usage else 0
        cost = cost_of(usage, self._prices)
        if cost is not None:
            self._known += cost
            self._priced += 1
        elif trial.answer is None:
            self._unanswered += 1
        else:
            self._unpriced = self._unpriced or trial.task_id

    @property
    def cost(self) -> float:
        """What the trials cost; those that ended without an answer as much as the others, on average."""
        return self._known * (1 + self._unanswered / self._priced) if self._priced else 0.0

    @property
    def spent(self) -> str:
        """Which part of the budget is spent, in words; empty while there is some of each."""
        budget = self._budget
        if budget.cost is not None and self._unpriced:
            return (
                f"max_cost: nobody knows what a trial of task {self._unpriced!r} cost; let the agent report its usage "
                "with a cost, or with tokens and a model that the price table has"
            )
        if budget.cost is not None and self.cost >= budget.cost:
            return f"max_cost: {self.cost:.2f} of {budget.cost:g} is spent"
        if budget.tokens is not None and self.tokens >= budget.tokens:
            return f"max_tokens: {self.tokens:,} of {budget.tokens:,} tokens are spent"
        if budget.failures is not None and self.failures >= budget.failures:
            return f"max_failures: {self.failures:,} {'trial has' if self.failures == 1 else 'trials have'} failed"
        if budget.seconds is not None and self._clock() - self._begun >= budget.seconds:
            return f"max_time: {budget.seconds:g} s are over"
        return ""


def cost_of(usage: Usage | None, prices: Mapping[str, Price]) -> float | None:
    """What an answer cost, as it says itself or by its model's price; None where nobody knows."""
    if usage is None:
        return None
    if usage.cost is not None:
        return usage.cost
    price = prices.get(usage.model)
    if price is None or usage.input_tokens is None or usage.output_tokens is None:
        return None
    return (usage.input_tokens * price.input + usage.output_tokens * price.output) / _PER
