"""The τ²-bench importer: what each part of a simulation becomes, and what is refused."""

import json

import pytest

from passhat.errors import UsageError
from passhat.importers import Imported, Origin, Tau2Bench
from passhat.model.answer import Answer, Usage
from passhat.model.outcome import Outcome
from passhat.model.trial import ToolCall, Trial
from tests.importers.tau import Json, asks2, says, tau2_file, tau2_row, tells2

NEEDED = "a number from 0 to 1, where 1 is a success"


def read(*simulations: Json, **more: object) -> Imported:
    """The run that a file with these simulations tells of."""
    return Tau2Bench().read(json.dumps(tau2_file(*simulations, **more)), Origin("ab12cd34", 5.0, "results.json"))


def only(*messages: Json, **more: object) -> Trial:
    """The one trial with these messages."""
    ((_, trial),) = read(tau2_row("a", 0, 1.0, messages=list(messages), **more)).trials
    return trial


def complaints(text: str) -> list[str]:
    """The sentences with which this file is refused."""
    with pytest.raises(UsageError) as refused:
        Tau2Bench().read(text, Origin("ab12cd34", 5.0, "results.json"))
    return list(refused.value.problems)


def test_header_says_what_the_file_says() -> None:
    """The domain is the suite, the agent is the agent, and seed and planned trials are the file's own."""
    info = {
        "num_trials": 4,
        "seed": 300,
        "git_commit": "abc",
        "agent_info": {"implementation": "llm_agent", "llm": "gpt"},
        "environment_info": {"domain_name": "airline"},
    }
    header = read(tau2_row("a", 0, 1.0), info=info).header

    assert (header.suite, header.agent, header.seed, header.trials) == ("airline", "llm_agent gpt", 300, 4)
    assert header.provenance["git_commit"] == "abc"


def test_task_is_what_was_asked() -> None:
    """The user's scenario is the input, the evaluation criteria are expected, and the first state is told apart."""
    asked = {"id": "a", "user_scenario": {"instructions": "Ask."}, "evaluation_criteria": {"actions": [1]}}
    (task,) = read(tau2_row("a", 0, 1.0), tasks=[{**asked, "initial_state": {"n": 1}, "ticket": "t"}]).header.tasks

    assert (task.input, task.expect, task.metadata) == (
        {"instructions": "Ask."},
        {"actions": [1]},
        {"initial_state": {"n": 1}},
    )


def test_task_that_was_never_run_is_missing() -> None:
    """A task without a simulation was planned, and counts as missing."""
    run = read(tau2_row("a", 0, 1.0), tasks=[{"id": "a"}, {"id": "b"}])

    assert [task.id for task in run.header.tasks] == ["a", "b"]
    assert run.header.provenance["notes"] == ["not in the log, and so neither passed nor failed: 1 of 2 trials"]


def test_infrastructure_errors_are_void() -> None:
    """What τ²-bench leaves out is void, with the reason, and has no verdict to need."""
    void = tau2_row("a", 0, None, termination_reason="infrastructure_error", info={"error": "502\nBad"}, messages=[])
    run = read(void, tau2_row("a", 1, 1.0))

    assert [(trial.outcome, trial.detail) for _, trial in run.trials] == [
        (Outcome.VOID, "502 Bad"),
        (Outcome.PASS, ""),
    ]
    assert run.header.provenance["notes"] == ["void, and so not counted: 1 of 2 trials; the first says: 502 Bad"]


@pytest.mark.parametrize(
    ("ending", "reward", "outcome", "detail"),
    [
        ("user_stop", 1.0, Outcome.PASS, ""),
        ("agent_stop", 0.0, Outcome.FAIL, ""),
        ("max_steps", 0.0, Outcome.FAIL, "it ended by max_steps"),
        ("too_many_errors", 0.0, Outcome.FAIL, "it ended by too_many_errors"),
        ("user_error", 0.0, Outcome.FAIL, "it ended by user_error"),
        ("timeout", 0.0, Outcome.TIMEOUT, "it ended by timeout"),
        ("agent_error", 0.0, Outcome.CRASH, "it ended by agent_error"),
        ("timeout", 1.0, Outcome.PASS, ""),
        (None, 0.5, Outcome.FAIL, "it ended by unknown"),
    ],
)
def test_all_other_endings_count_by_their_reward(
    ending: str | None, reward: float, outcome: Outcome, detail: str
) -> None:
    """Passed is a reward of 1; of what did not pass, the ending says more."""
    ((_, trial),) = read(tau2_row("a", 0, reward, termination_reason=ending)).trials

    assert (trial.outcome, trial.detail, trial.score) == (outcome, detail, reward)


def test_trace_is_the_agents_alone() -> None:
    """A user of τ² has tools, too; a trace holds what the agent called, and an error where the reply is one."""
    trial = only(
        asks2("c1", "make", {"n": 1}),
        tells2("c1", '{"id": 7}'),
        asks2("c2", "restart_phone", {}, "user"),
        tells2("c2", "restarted", "user"),
        asks2("c3", "make", {"n": 2}),
        tells2("c3", "no room", error=True),
        says("made one"),
    )

    assert trial.trace == (
        ToolCall(step=1, tool="make", arguments={"n": 1}, reply={"id": 7}),
        ToolCall(step=2, tool="make", arguments={"n": 2}, error="no room"),
    )
    assert trial.answer == Answer("made one", usage=Usage(input_tokens=100, output_tokens=20, cost=0.25))


def test_times_and_seeds_are_the_simulations_own() -> None:
    """When it began, how long it took, and with which seed."""
    trial = only(start_time="2026-11-18T19:28:02.5+00:00")

    assert (trial.seed, trial.seconds) == (7, 1.5)
    assert trial.started_at == 1_795_030_082.5


@pytest.mark.parametrize("written", [None, "", "yesterday"])
def test_unknown_time_is_no_time(written: str | None) -> None:
    """A start that cannot be read stays unknown."""
    assert only(start_time=written).started_at == 0.0


def test_reason_names_the_lost_parts() -> None:
    """The grade says in which parts the reward was lost."""
    ((_, trial),) = read(tau2_row("a", 0, 0.0)).trials

    assert [(grade.passed, grade.score, grade.reason) for grade in trial.grades] == [(False, 0.0, "lost in DB 0")]


def test_simulation_without_a_verdict_is_refused_where_it_stands() -> None:
    """No reward, and no infrastructure error that explains it: nobody can say how it ended."""
    log = tau2_file(tau2_row("a", 0, 1.0), tau2_row("a", 1, None), tau2_row("a", 0, 2.0))

    assert complaints(json.dumps(log)) == [
        f"results.json: .simulations[1]: it has no 'reward', and so no verdict: {NEEDED}",
        "results.json: .simulations[2]: 'reward' is a number from 0 to 1, where 1 is a success, not 2.0",
    ]


def test_same_trial_twice_is_refused_with_both_places() -> None:
    """A task and trial that stand twice are not two trials."""
    log = tau2_file(tau2_row("a", 0, 1.0), tau2_row("a", 0, 1.0))

    assert complaints(json.dumps(log)) == [
        "results.json: .simulations[1]: trial 0 of task 'a' under 'clean' stands at .simulations[0] already",
    ]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"trial": 0.5}, "'trial': expected a whole number, got a number"),
        ({"seed": 2**70}, "'seed': expected a whole number"),
        ({"duration": -1}, "'duration': expected a number >= 0"),
        ({"messages": [{}]}, "'messages[0]' has no 'role'"),
        ({"messages": [{"role": "assistant", "tool_calls": [{}]}]}, "'messages[0].tool_calls[0]' has no 'name'"),
    ],
)
def test_bad_simulation_is_refused_where_it_stands(change: Json, sentence: str) -> None:
    """Each thing that can be wrong is one sentence with its place."""
    (said,) = complaints(json.dumps(tau2_file({**tau2_row("a", 0, 1.0), **change})))

    assert said.startswith("results.json: .simulations[0]: ")
    assert sentence in said


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "results.json:1: it is empty"),
        ("<html>", "results.json:1: this is not JSON but HTML or XML"),
        ("[]", "results.json: this is a list, as a result file of τ-bench is: its format is tau-bench"),
        ("{}", "results.json: this is no result file of τ²-bench: it has no 'simulations'"),
        ("7", "results.json: this is no result file of τ²-bench: expected an object, got a whole number"),
        ('{"simulations": []}', "results.json: it holds no trial"),
        ('{"simulations": [7]}', "results.json: .simulations[0]: expected an object, got a whole number"),
        ('{"simulations": {}}', "results.json: this is no result file of τ²-bench: 'simulations': expected a list"),
        ('{"simulation_index": [{"id": "s"}], "simulations": null}', "its simulations stand in files of their own"),
        ('{"simulations": [], "tasks": [{"id": "a"}, {"id": "a", "user_scenario": 1}]}', "tasks: 'a' is two tasks"),
        ('{"simulations": [], "info": {"num_trials": 1e9}}', "'info.num_trials': expected a whole number"),
        ('{"simulations": [],\n"simulations": []}', "results.json:2: the key 'simulations' stands twice"),
    ],
)
def test_file_that_is_something_else_is_one_sentence(text: str, sentence: str) -> None:
    """A file that is no object with simulations says what it is."""
    assert any(sentence in said for said in complaints(text))
