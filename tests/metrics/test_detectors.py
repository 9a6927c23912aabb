"""Detectors find each kind of trouble at its onset, and leave healthy work alone."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from passhat.metrics import Detectors, Graded, measure
from passhat.metrics.detectors import Onsets
from passhat.model.ledger import Declared
from passhat.model.outcome import Outcome
from passhat.model.run import Run
from passhat.model.summary import Estimate, Summary
from passhat.model.trial import Grade, ToolCall, Trial
from tests.metrics.whole import whole

FAULT = "rate_limit(rate=0.2)"
QUIET: Onsets = dict.fromkeys(
    ["thrash_share", "loop_share", "ping_pong_share", "retry_storm_share", "no_progress_share"]
)


def trace_of(tools: str) -> tuple[ToolCall, ...]:
    """A call for each letter; a capital one fails."""
    return tuple(
        ToolCall(step=step, tool=tool.lower(), error="503" if tool.isupper() else "", at=float(step))
        for step, tool in enumerate(tools, start=1)
    )


def trial(tools: str, *, index: int = 0, condition: str = "clean", outcome: Outcome = Outcome.PASS) -> Trial:
    """A trial with these calls and two grades, of which the second passed in the first trial alone."""
    grades = (Grade("one", passed=True), Grade("two", passed=index == 0))
    return Trial(
        task_id="t",
        task_digest="",
        condition=condition,
        index=index,
        outcome=outcome,
        trace=trace_of(tools),
        grades=grades,
    )


def estimate(summary: Summary, metric: str, condition: str = "clean") -> Estimate:
    """What the suite's row says."""
    row = summary.suite_row(condition)
    found = None if row is None else row.get(metric)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("tools", "onsets"),
    [
        ("xaaab", {"loop_share": 4}),
        ("xababab", {"ping_pong_share": 7}),
        ("xAAAAA", {"loop_share": 4, "retry_storm_share": 6}),
        ("abcabcabc", {"no_progress_share": 9}),
        ("aaaaabcdef", {"loop_share": 3, "thrash_share": 8}),
        ("aabacabc", {}),
        ("", {}),
    ],
)
def test_each_kind_of_trouble_has_its_step(tools: str, onsets: Onsets) -> None:
    """The onset is the step that completes the pattern, as the trace counts it."""
    assert Detectors().onsets(trace_of(tools)) == {**QUIET, **onsets}


def test_news_is_no_loop() -> None:
    """The same call with another result each time is work that goes on."""
    trace = tuple(ToolCall(step=step, tool="status", reply=step) for step in range(1, 10))

    assert Detectors().onsets(trace) == QUIET


def test_asking_at_once_is_asking_once() -> None:
    """Calls alike that were begun before the first had ended are one turn."""
    trace = tuple(ToolCall(step=step, tool="a", at=0.1 * step, seconds=1.0) for step in range(1, 6))

    assert Detectors().onsets(trace) == QUIET


def test_clients_tries_are_no_loop_of_the_agents() -> None:
    """Calls that are one call of the agent's count once for what the agent does, and each for what a service bears."""
    trace = tuple(ToolCall(step=step, tool="a", error="503", at=2.0 * step, part_of=1) for step in range(2, 11))
    onsets = Detectors().onsets((ToolCall(step=1, tool="a", error="503", at=2.0), *trace))

    assert (onsets["loop_share"], onsets["no_progress_share"], onsets["retry_storm_share"]) == (None, None, 5)


def test_polled_tool_may_be_asked_again() -> None:
    """A tool that is named as polled does not loop; its steps still count for the others."""
    assert Detectors(declared=Declared(polling=("a",))).onsets(trace_of("aaaaaabbb"))["loop_share"] == 9


def test_new_key_is_no_new_call() -> None:
    """Who sends another value of a declared key with every try does the same again; another argument is news."""
    keyed, other = (
        tuple(ToolCall(step=step, tool="a", arguments={name: step}, error="503") for step in range(1, 7))
        for name in ("request_id", "page")
    )
    detectors = Detectors(declared=Declared(keys=("request_id",)))

    assert detectors.onsets(keyed)["loop_share"] == 3
    assert detectors.onsets(keyed)["retry_storm_share"] == 5
    assert detectors.onsets(other) == QUIET
    assert Detectors().onsets(keyed) == QUIET


def test_run_says_which_tools_are_polled() -> None:
    """Without a declaration of their own detectors go by that of the run."""
    run = whole(trial("aaaa"))
    declared = Run(replace(run.header, declared=Declared(polling=("a",))), run.trials)

    assert estimate(measure(run, metrics=[Detectors()]), "loop_share").value == 1
    assert estimate(measure(declared, metrics=[Detectors()]), "loop_share").value == 0


def test_one_trial_is_no_trials() -> None:
    """The words around a number go with it."""
    method = estimate(measure(whole(trial("aaaa")), metrics=[Detectors()]), "loop_share").method

    assert method.startswith("share of 1 trial with tool calls")


def test_success_ends_a_storm() -> None:
    """Tries are counted since the call last succeeded."""
    assert Detectors().onsets(trace_of("AAAaAAA"))["retry_storm_share"] is None
    assert Detectors(attempts=2).onsets(trace_of("AAA"))["retry_storm_share"] == 3


def test_shares_are_of_trials_with_calls() -> None:
    """Each share has its denominator and interval, each step is the median of its onsets."""
    run = whole(*(trial(tools, index=i) for i, tools in enumerate(["aaaa", "baaa", "abababab", "abc", ""])))
    summary = measure(run, metrics=[Detectors()])

    loops, pong = (estimate(summary, name) for name in ("loop_share", "ping_pong_share"))
    assert (loops.value, pong.value) == (0.5, 0.25)
    assert loops.low is not None
    assert loops.method.startswith("share of 4 trials with tool calls")
    assert (estimate(summary, "loop_step").value, estimate(summary, "ping_pong_step").value) == (4, 6)
    assert estimate(summary, "retry_storm_step").reason == "retry_storm_step: it began in no trial"


def test_thrash_is_held_against_clean_trials_that_passed() -> None:
    """The threshold is what healthy trials reach; an agent with many tools does not thrash by using them."""
    healthy = [trial("abcdefgh", index=i) for i in range(3)]
    busy = [trial("abcdeabc", index=i, condition=FAULT, outcome=Outcome.FAIL) for i in range(3)]
    calm = [trial("aabbaabb", index=i) for i in range(3)]

    same = measure(whole(*healthy, *busy), metrics=[Detectors()])
    worse = measure(whole(*calm, *busy), metrics=[Detectors()])

    assert estimate(same, "thrash_share", FAULT).value == 0
    assert estimate(worse, "thrash_share", FAULT).value == 1
    assert estimate(worse, "thrash_share").value == 0
    assert "from 3 clean trials that passed" in estimate(worse, "thrash_share").method


def test_published_threshold_is_said_to_be_one() -> None:
    """Where no clean trial is long enough, or a threshold is asked for, the method says so."""
    run = whole(trial("aaaaabcdef", condition=FAULT))

    published = estimate(measure(run, metrics=[Detectors()]), "thrash_share", FAULT)
    asked = estimate(measure(run, metrics=[Detectors(threshold=3.0)]), "thrash_share", FAULT)

    assert (published.value, asked.value) == (1, 0)
    assert "1.711 bits as published" in published.method
    assert "3 bits as asked" in asked.method


def test_without_calls_it_says_so() -> None:
    """No tool call, nothing to tell."""
    found = estimate(measure(whole(trial("")), metrics=[Detectors()]), "thrash_share")

    assert found.reason == "thrash_share: no trial holds a tool call"


def test_grades_are_counted() -> None:
    """Two graders, the second passed once in two trials: a mean of three quarters."""
    run = whole(trial("a"), trial("a", index=1))

    assert estimate(measure(run, metrics=[Graded()]), "gds").value == 0.75
