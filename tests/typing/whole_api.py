"""The whole public interface, as a user's type checker sees it. mypy reads this file; nothing runs it.

`test_whole_api.py` checks that every name of `passhat.__all__` is used here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, assert_type

import passhat
from passhat import (
    Answer,
    Condition,
    Suite,
    Task,
    agents,
    errors,
    faults,
    graders,
    metrics,
    perturbations,
    reports,
    rules,
    stats,
    testing,
)
from passhat.model.answer import Usage
from passhat.model.condition import Injection, Phase
from passhat.model.dice import Dice
from passhat.model.effect import PROCEED, Effect, Reply
from passhat.model.protocols import Store, Tools
from passhat.model.run import Run, Tally
from passhat.model.summary import Estimate, Row, Summary
from passhat.model.trial import Call, Evidence, Grade, Trial
from passhat.model.verdict import Verdict


class Shop:
    """A world that is typed."""

    def __init__(self) -> None:
        self.refunded: list[int] = []

    @property
    def tools(self) -> Mapping[str, Callable[..., Any]]:
        """What the agent may call."""
        return {"refund": self.refund}

    def refund(self, order: int) -> str:
        """Pay back."""
        self.refunded.append(order)
        return f"refunded {order}"

    def snapshot(self) -> list[int]:
        """The end state."""
        return self.refunded


@dataclass(frozen=True, slots=True)
class TruncatedReply(faults.Fault):
    """A user's own fault."""

    limit: int = 200

    def on_reply(self, call: Call, reply: object, dice: Dice) -> Effect:
        """Cut what is text."""
        return Reply(reply[: self.limit]) if isinstance(reply, str) else PROCEED


def sync_agent(message: str, tools: Tools, *, seed: int) -> str:
    """An agent that blocks."""
    return f"{tools.refund(order=seed)} {tools.call('refund', order=seed)}: {message}"


async def async_agent(message: str, tools: Tools) -> Answer:
    """An agent that awaits."""
    try:
        output = await tools.refund(order=7)
    except errors.ToolError as error:
        return Answer(f"{error.kind}: {error.message} {error.retry_after}", claims_success=False, handoff=True)
    return Answer(output, claims_success=True, usage=Usage(input_tokens=1, output_tokens=2, cost=0.1))


def right(evidence: Evidence) -> Grade:
    """A user's own grader."""
    return Grade("right", passed=evidence.output == evidence.expect, score=0.5, reason="as expected")


async def right_later(evidence: Evidence) -> bool:
    """A user's own grader that asks a service."""
    return evidence.state == evidence.expect


async def retrying(message: str, tools: Tools) -> str:
    """An agent whose client tries again by itself."""
    with agents.one_call("call_1"):
        return str(await tools.refund(order=7))


def a_suite() -> Suite:
    """Tasks, a world and a grader."""
    tasks = [Task("late", "Refund order 7.", expect="refunded 7", tags=("refund",), metadata={"level": 1})]
    golden = graders.end_state(like=graders.read_states("accepted.json"), ids=["orders.*~"])
    for grader in (graders.contains(case=True), graders.equals(), graders.predicate(right_later), golden):
        assert_type(Suite(tasks=tasks, grader=grader), Suite)
    return Suite(name="shop", tasks=tasks, world=Shop, grader=graders.predicate(right))


def conditions() -> list[Injection | Condition | perturbations.Perturbation]:
    """Parts alone, joined, and read from text."""
    broken = faults.server_error(status=502, phase=Phase.POST)
    assert_type(faults.latency(p99=0.8, factor=2.0).at(0.1) & broken, Condition)
    assert_type(faults.sets.SILENT, tuple[Injection, ...])
    slow, typos = faults.rate_limit(retry_after=2.0).at(0.2, match="refund*", share=0.5), perturbations.typos(0.05)
    both = slow & typos
    assert_type(both, Condition)
    assert_type(Condition.parse(both.name), Condition)
    return [slow, typos, both, both & TruncatedReply(limit=8).at(), TruncatedReply().at()]


def a_run() -> Run:
    """A run with every option that is said by name."""
    shop = a_suite()
    kept = passhat.open_store("passhat.db", create=True)
    assert_type(kept, Store)
    adapter: agents.Agent = agents.function(sync_agent, label="clerk", version="3")
    first = passhat.run(shop, adapter, trials=5, seed=7, concurrency=4, timeout=1.0, store=kept, label="", version="")
    return passhat.run(
        shop,
        async_agent,
        under=conditions(),
        clean=False,
        store="passhat.db",
        resume=first.header.id,
        progress=lambda progress: print(progress.stored, progress.planned),  # noqa: T201
        capture=True,
        rules=[rules.at_least("pass^5", 0.8)],
    )


async def a_run_on_my_loop() -> Run:
    """The same on the loop of the caller."""
    return await passhat.run_async(a_suite(), testing.FlakyAgent(0.9, good="refunded 7"), under=["typos(0.05)"])


def what_it_says(run: Run) -> Verdict:
    """From trials to a verdict."""
    summary = passhat.measure(run, k=5, confidence=0.9, metrics=[metrics.pass_hat_k(), metrics.pass_at_k()])
    assert_type(summary, Summary)
    assert_type(summary.suite_row("clean"), Row | None)
    for row in summary.task_rows("clean"):
        assert_type(row.get("pass^5"), Estimate | None)
    of_faults = (
        rules.no_silent_corruption(),
        rules.no_duplicate_effects(condition="clean"),
        rules.recovery_at_least(0.9),
        rules.fault_landed(0.8, condition="clean"),
    )
    asked = rules.parse_rule("pass^5 >= 0.8"), rules.at_least("pass@3", 0.99, condition="clean"), rules.max_void_share()
    verdict = passhat.judge(summary, *asked, *of_faults)
    assert_type(verdict, Verdict)
    text = passhat.render(summary, verdict, format="terminal", trials=run.trials, width=100, colour=True)
    assert_type(text, str)
    assert_type(reports.markdown().render(summary, verdict), str)
    return verdict


def in_a_build(verdict: Verdict) -> errors.ExitCode:
    """What a caller may catch."""
    try:
        verdict.raise_for_status()
    except errors.Failed:
        return errors.ExitCode.FAIL
    except errors.Inconclusive as error:
        return errors.exit_code(error)
    except errors.PasshatError:
        return errors.ExitCode.USAGE
    return errors.ExitCode.PASS


def the_trials(run: Run) -> tuple[Tally, Trial | None]:
    """Counts first, trials where they are wanted."""
    for trial in run.trials:
        assert_type(trial, Trial)
    return run.trials.counts(), run.trials.get("late", "clean", 0)


def the_maths() -> float | None:
    """Statistics take numbers and know nothing of trials."""
    low, high = stats.clopper_pearson(8, 10)
    return float(low) + float(high) + float(stats.pass_hat_k(10, 8, 5)) + float(stats.pass_at_k(10, 8, 5))


def my_parts_keep_their_word() -> None:
    """The checks that passhat ships."""
    testing.check_fault(TruncatedReply(limit=20))
    testing.check_perturbation(perturbations.typos(0.1))
    testing.check_grader(graders.predicate(right))
