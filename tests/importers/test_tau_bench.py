"""The τ-bench importer: published figures come out as published, and each part of a row becomes what it is."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import passhat
from passhat import api
from passhat.errors import UsageError
from passhat.importers import Imported, Origin, TauBench
from passhat.model.answer import Answer
from passhat.model.outcome import Outcome
from passhat.model.trial import ToolCall, Trial
from tests.importers.tau import ROW, asks, made_up, published, says, tau_row, tells

Row = dict[str, Any]


def read(*rows: object) -> Imported:
    """The run that a file with these rows tells of."""
    return read_text(json.dumps(rows))


def read_text(text: str) -> Imported:
    """The run that this file tells of."""
    return TauBench().read(text, Origin("ab12cd34", 5.0, "log.json"))


def only(*trajectory: Row, **more: object) -> Trial:
    """The one trial with this trajectory."""
    ((_, trial),) = read(tau_row(3, 0, 1.0, traj=list(trajectory), **more)).trials
    return trial


def complaints(text: str) -> list[str]:
    """The sentences with which this file is refused."""
    with pytest.raises(UsageError) as refused:
        read_text(text)
    return list(refused.value.problems)


def notes(run: Imported) -> object:
    """What the run says to whoever imports it."""
    return run.header.provenance.get("notes")


@pytest.mark.parametrize("file", [published, made_up])
def test_published_row_comes_out_as_published(file: Callable[[], str], tmp_path: Path) -> None:
    """The file of gpt-4o on τ-bench's airline tasks gives pass^1…4 as τ-bench's README has them."""
    run = api.import_run("tau_bench", file(), store=tmp_path / "trials.db")

    row = passhat.measure(run, k=4).suite_row("clean")
    assert row is not None
    found = [estimate for k in (1, 2, 3, 4) if (estimate := row.get(f"pass^{k}"))]

    assert (len(run.header.tasks), run.header.planned) == (50, 200)
    assert [round(estimate.value or 0, 3) for estimate in found] == list(ROW)
    assert [(estimate.c, estimate.n, estimate.k) for estimate in found] == [(84, 200, k) for k in (1, 2, 3, 4)]
    for estimate in found:
        assert 0 < (estimate.low or 0) < (estimate.value or 0) < (estimate.high or 0) < 1


@pytest.mark.parametrize("file", [published, made_up])
def test_published_trials_hold_their_tool_calls(file: Callable[[], str]) -> None:
    """Every trial of that file has an input, an answer, and tool calls that were all answered."""
    run = read_text(file())
    trials = [trial for _, trial in run.trials]
    calls = [call for trial in trials for call in trial.trace]

    assert all(isinstance(task.input, str) and task.input for task in run.header.tasks)
    assert all(trial.answer for trial in trials)
    assert calls
    assert {call.executed for call in calls} == {1}
    assert all(isinstance(call.arguments, dict) for call in calls)


@pytest.mark.parametrize(
    ("reward", "outcome"),
    [
        (1.0, Outcome.PASS),
        (1, Outcome.PASS),
        (1 - 1e-7, Outcome.PASS),
        (1 + 1e-7, Outcome.PASS),
        (0.999, Outcome.FAIL),
        (0.5, Outcome.FAIL),
        (0.0, Outcome.FAIL),
    ],
)
def test_success_is_a_reward_of_one(reward: float, outcome: Outcome) -> None:
    """A trial passed where its reward is 1, the errors of floating point aside."""
    ((_, trial),) = read(tau_row(3, 0, reward)).trials

    assert trial.outcome is outcome


def test_graded_rewards_are_counted_and_said() -> None:
    """A part of the reward is no success; it is kept as the score, and whoever imports it is told."""
    run = read(tau_row(3, 0, 0.5), tau_row(3, 1, 0.25), tau_row(3, 2, 1.0), tau_row(3, 3, 0.0))

    assert [trial.score for _, trial in run.trials] == [0.5, 0.25, 1.0, 0.0]
    assert notes(run) == ["graded rewards, above 0 and below 1, which are no success: 2"]


def test_task_is_what_was_asked() -> None:
    """The user's instruction is the input, and the actions and outputs that τ-bench compares with are expected."""
    (task,) = read(tau_row(3, 0, 1.0)).header.tasks

    assert (task.id, task.input) == ("3", "Do 3.")
    assert task.expect == {"actions": [{"name": "act"}], "outputs": []}
    assert task.metadata == {"user_id": "u"}


def test_task_is_its_content_too() -> None:
    """The same id with another instruction is another task: another digest, and no part of the same run."""
    other = tau_row(3, 1, 1.0)
    other["info"]["task"]["instruction"] = "Do something else."
    first, second = read(tau_row(3, 0, 1.0)).header, read(other).header

    assert first.tasks[0].digest != second.tasks[0].digest
    assert complaints(json.dumps([tau_row(3, 0, 1.0), other])) == [
        "log.json: .[1]: task '3' asks for something else here than at .[0]: two tasks need two ids, or two files",
    ]


def test_trace_is_what_the_agent_did() -> None:
    """Arguments and replies are read where they are JSON; an error is an error; a think without reply is a text."""
    trial = only(
        says("You are an agent.", "system"),
        says("Cancel order 7.", "user"),
        asks("c1", "find", '{"id": 7}'),
        tells("c1", '{"status": "open"}'),
        asks("c2", "cancel", '{"id": 7}'),
        tells("c2", "Error: too late"),
        asks("c3", "total", "{}"),
        tells("c3", "299.0"),
    )

    assert trial.trace == (
        ToolCall(step=1, tool="find", arguments={"id": 7}, reply={"status": "open"}),
        ToolCall(step=2, tool="cancel", arguments={"id": 7}, error="Error: too late"),
        ToolCall(step=3, tool="total", reply="299.0"),
    )


def test_ids_that_come_twice_are_told_apart() -> None:
    """A reply belongs to the call of its id that still waits: real logs give one id to several calls."""
    trial = only(asks("c", "a", "{}"), tells("c", "one"), asks("c", "b", "{}"), tells("c", "two"))

    assert [(call.tool, call.reply) for call in trial.trace] == [("a", "one"), ("b", "two")]


def test_replies_find_their_calls_out_of_order() -> None:
    """Two calls in one message are answered by id, or, without one, in order."""
    both = asks("c1", "a", "{}")
    both["tool_calls"] += asks("c2", "b", "{}")["tool_calls"]

    by_id = only(both, tells("c2", "for b"), tells("c1", "for a"))
    by_order = only(both, tells("", "for a"), tells("", "for b"))

    assert [call.reply for call in by_id.trace] == [call.reply for call in by_order.trace] == ["for a", "for b"]


def test_call_without_a_reply_says_so() -> None:
    """Whether a call without a reply was carried out is not known; it is no call that went well."""
    (call,) = only(asks("c", "pay", "{}")).trace

    assert (call.ok, call.executed, call.error) == (False, 0, "the log holds no reply to this call")


@pytest.mark.parametrize(
    ("written", "kept"),
    [("not JSON", {"arguments": "not JSON"}), ("[1]", {"arguments": [1]}), ("", {}), (None, {}), ({"a": 1}, {"a": 1})],
)
def test_arguments_that_are_no_object_are_kept(written: object, kept: object) -> None:
    """What a model wrote as arguments is kept, whatever it is."""
    (call,) = only(asks("c", "pay", written), tells("c", "ok")).trace

    assert call.arguments == kept


def test_endless_reply_stays_a_text() -> None:
    """A reply that is nested deeper than anything that can be kept stays what it was: a text."""
    deep = "[" * 200 + "]" * 200

    (call,) = only(asks("c", "read", "{}"), tells("c", deep)).trace

    assert call.reply == deep


def test_answer_is_the_last_that_the_agent_said() -> None:
    """Not what the user said last, and not an empty message with a tool call."""
    trial = only(says("first"), says("and"), says("thanks", "user"), asks("c", "find", "{}"), tells("c", "x"))

    assert trial.answer == Answer("and")


def test_transfer_to_a_person_is_a_handoff() -> None:
    """The tool with which every τ-bench agent passes the job on says so; a transfer that failed does not."""
    passed_on = only(asks("c", "transfer_to_human_agents", "{}"), tells("c", "Transfer successful"))
    failed = only(asks("c", "transfer_to_human_agents", "{}"), tells("c", "Error: nobody there"))

    assert passed_on.answer == Answer(None, handoff=True)
    assert failed.answer == Answer(None)


def test_reason_stands_in_the_grade() -> None:
    """Why the reward was lost is said where τ-bench says it."""
    unsaid = tau_row(3, 0, 0.0)
    unsaid["info"]["reward_info"]["info"] = {"r_outputs": 0.0, "outputs": {"23553": False, "ok": True}}
    unended = tau_row(3, 1, 0.0)
    unended["info"]["reward_info"] = None
    run = read(unsaid, unended, tau_row(3, 2, 0.0), tau_row(3, 3, 1.0))

    assert [trial.grades[0].reason for _, trial in run.trials] == [
        "the agent did not say '23553'",
        "it ended before it was evaluated, as at the limit of steps",
        "the end state is not the expected one",
        "",
    ]
    assert [trial.grades[0].passed for _, trial in run.trials] == [False, False, False, True]


@pytest.mark.parametrize(
    "info", [{"error": "502 Bad Gateway", "traceback": "…\nHTTPError: 502"}, {"traceback": "a\n502 Bad Gateway\n"}]
)
@pytest.mark.parametrize("reward", [0.0, None])
def test_trial_that_broke_is_void(info: Row, reward: float | None) -> None:
    """An error and no trajectory is the surroundings' failure: not counted, and the reason is said."""
    run = read(tau_row(3, 0, reward, info=info, traj=[]), tau_row(3, 1, 1.0))

    assert [trial.outcome for _, trial in run.trials] == [Outcome.VOID, Outcome.PASS]
    assert run.trials[0][1].detail == "502 Bad Gateway"
    assert run.header.tasks[0].input == "Do 3."
    assert notes(run) == ["void, and so not counted: 1 of 2 trials; the first says: 502 Bad Gateway"]


def test_agent_that_did_something_is_no_void_trial() -> None:
    """An error beside a trajectory does not take the verdict away."""
    info = {**tau_row(3, 0, 0.0)["info"], "error": "late"}

    assert read(tau_row(3, 0, 0.0, info=info)).trials[0][1].outcome is Outcome.FAIL


def test_missing_trials_are_missing() -> None:
    """A task with fewer trials has fewer: what is not there did not fail, and whoever imports it is told."""
    run = read(*(tau_row(0, trial, 1.0) for trial in range(4)), tau_row(1, 0, 1.0), tau_row(1, 2, 0.0))

    assert run.header.planned == 8
    assert len(run.trials) == 6
    assert notes(run) == ["not in the log, and so neither passed nor failed: 2 of 8 trials"]


@given(
    st.dictionaries(
        st.tuples(st.integers(0, 3), st.integers(0, 5)), st.sampled_from([0.0, 0.5, 1.0, None]), min_size=1, max_size=24
    )
)
def test_counts_are_those_of_the_file(rewards: dict[tuple[int, int], float | None]) -> None:
    """For every set of trials, in any order: c is the rewards of 1, n the rewards, and what broke is in neither."""
    broken: Row = {"info": {"error": "502"}, "traj": []}
    rows = [tau_row(*where, reward, **({} if reward is not None else broken)) for where, reward in rewards.items()]
    run = read(*rows)

    for task in {task for task, _ in rewards}:
        given_rewards = [reward for (of, _), reward in rewards.items() if of == task]
        outcomes = [trial.outcome for _, trial in run.trials if trial.task_id == str(task)]
        assert outcomes.count(Outcome.PASS) == given_rewards.count(1.0)
        assert sum(outcome.counts for outcome in outcomes) == len(given_rewards) - given_rewards.count(None)
        assert len(outcomes) == len(given_rewards)


def test_same_trial_twice_is_refused_with_both_places() -> None:
    """A task and trial that stand twice are not two trials; an id is the same as a number and as a text."""
    row = tau_row(3, 1, 1.0)

    assert complaints(json.dumps([row, tau_row(3, 0, 1.0), {**row, "task_id": "3"}])) == [
        "log.json: .[2]: trial 1 of task '3' under 'clean' stands at .[0] already",
    ]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"reward": None}, "it has no 'reward', and so no verdict: a number from 0 to 1"),
        ({"reward": "1.0"}, "'reward': expected a number, got a text"),
        ({"reward": True}, "'reward': expected a number, got true or false"),
        ({"reward": float("nan")}, "'reward' is a number from 0 to 1, where 1 is a success, not nan"),
        ({"reward": float("inf")}, "'reward' is a number from 0 to 1, where 1 is a success, not inf"),
        ({"reward": -1}, "'reward' is a number from 0 to 1, where 1 is a success, not -1.0"),
        ({"reward": 2}, "'reward' is a number from 0 to 1, where 1 is a success, not 2.0"),
        ({"trial": 0.5}, "'trial': expected a whole number, got a number"),
        ({"trial": "0"}, "'trial': expected a whole number, got a text"),
        ({"trial": -1}, "'trial': expected a whole number >= 0"),
        ({"trial": 10**6}, "'trial': expected a whole number <= 999999"),
        ({"task_id": None}, "'task_id': expected a whole number or a text, got null"),
        ({"task_id": 1.5}, "'task_id': expected a whole number or a text, got a number"),
        ({"task_id": " "}, "'task_id' is empty"),
        ({"traj": "text"}, "'traj': expected a list, got a text"),
        ({"traj": [3]}, "'traj[0]': expected an object, got a whole number"),
        ({"traj": [{"content": "a"}]}, "'traj[0]' has no 'role'"),
        ({"traj": [{"role": "assistant", "tool_calls": [{}]}]}, "'traj[0].tool_calls[0]' has no 'function'"),
        ({"info": []}, "'info': expected an object, got a list"),
    ],
)
def test_bad_row_is_refused_where_it_stands(change: Row, sentence: str) -> None:
    """Each thing that can be wrong with a row is one sentence with its place, as `jq` takes it."""
    (said,) = complaints(json.dumps([tau_row(0, 0, 1.0), {**tau_row(1, 0, 1.0), **change}, tau_row(2, 0, 1.0)]))

    assert said.startswith("log.json: .[1]: ")
    assert sentence in said


def test_row_without_a_task_is_refused() -> None:
    """A row that names no task, or is no object, is told with its place; all of them at once."""
    nameless = tau_row(0, 0, 1.0)
    del nameless["task_id"]

    assert complaints(json.dumps([nameless, 7])) == [
        "log.json: .[0]: it has no 'task_id'",
        'log.json: .[1]: a trial is an object such as {"task_id": 3, "trial": 0, "reward": 1.0}, not 7',
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "log.json:1: it is empty"),
        (" \n", "log.json:2: it is empty"),
        ("<!DOCTYPE html>\n<p>", "log.json:1: this is not JSON but HTML or XML: was a page saved instead of the file?"),
        ("\x00\x01", "log.json:1: this is not JSON: expecting value in column 1"),
        ('[\n{"task_id": 0,\n', "log.json:3: this is not JSON to its end: it breaks off, in column 1; was it cut?"),
        ('[\n{"task_id": "0', "log.json:2: this is not JSON to its end: it breaks off, in column 13; was it cut?"),
        ('{"a": 1}\n{"a": 2}', "log.json:2: this is not one JSON value: another begins here"),
        ("{}", "log.json: a result file of τ-bench is a list of trials, and this is an object"),
        ('{"simulations": []}', "log.json: this looks like a result file of τ²-bench: its format is tau2-bench"),
        ("7", "log.json: a result file of τ-bench is a list of trials, and this is a single value"),
        ("[]", "log.json: it holds no trial"),
        ("[" * 100_000, "log.json:1: this is not JSON that can be kept: it is nested more than 100 levels deep"),
        ("[" * 102 + "]" * 102, "it is nested more than 100 levels deep"),
        ('[\n{"a": {"b": 1,\n"b": 2}}]', "log.json:3: the key 'b' stands twice in one object"),
        ('[\n{"{": "}", "b": "\\"b\\": 1",\n"\\u0062": 2}]', "log.json:3: the key 'b' stands twice in one object"),
        (f"[{'9' * 5000}]", "log.json:1: this is not JSON: Exceeds the limit"),
    ],
)
def test_file_that_is_something_else_is_one_sentence(text: str, sentence: str) -> None:
    """A file that is no JSON list of trials says what it is, and where it stops being one."""
    (said,) = complaints(text)

    assert sentence in said


def test_what_json_cannot_hold_is_kept_as_data() -> None:
    """Numbers beyond all bounds and half characters in a conversation do no harm: they are kept as what they are."""
    row = tau_row(3, 0, 1.0, traj=[asks("c", "say", '{"n": 1e999}'), tells("c", "half \ud83d"), says("\udc00 😀")])
    row["info"]["task"]["instruction"] = [float("inf"), 10**30, "\ud83d"]
    run = read_text(json.dumps([row], ensure_ascii=True))
    ((_, trial),) = run.trials

    assert trial.trace[0].reply == "half \\ud83d"
    assert trial.answer == Answer("\\udc00 😀")
    assert run.header.tasks[0].input == [
        {"$type": "builtins.float", "$repr": "inf"},
        {"$type": "builtins.int", "$repr": str(10**30)},
        "\\ud83d",
    ]


def test_what_is_left_out_is_named() -> None:
    """Fields that other versions of τ-bench add are named beside what is always left out."""
    run = read(tau_row(3, 0, 1.0, meta={"wall_s": 3}))

    assert run.header.provenance["left_out"] == ["what the user and the system said", "info.user_cost", "meta"]
