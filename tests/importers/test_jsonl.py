"""The jsonl importer: what each field of a line becomes, and what is refused."""

import json

import pytest

from passhat.errors import UsageError
from passhat.importers import Imported, Jsonl, Origin
from passhat.model.answer import Answer, Usage
from passhat.model.outcome import Outcome
from passhat.model.task import Task
from passhat.model.trial import ToolCall
from tests.importers.tau import tau2_file, tau2_row, tau_row

Row = dict[str, object]


def read(*rows: Row) -> Imported:
    """The run that a log of these rows tells of."""
    return read_text("\n".join(json.dumps(row) for row in rows))


def read_text(text: str) -> Imported:
    """The run that this log tells of."""
    return Jsonl().read(text, Origin("ab12cd34", 5.0, "log.jsonl"))


def complaints(text: str) -> list[str]:
    """The sentences with which this log is refused."""
    with pytest.raises(UsageError) as refused:
        read_text(text)
    return list(refused.value.problems)


def addresses(imported: Imported) -> list[tuple[str, str, int]]:
    """Task, condition and index of each trial."""
    return [(trial.task_id, trial.condition, trial.index) for _, trial in imported.trials]


def test_passed_is_an_outcome() -> None:
    """True is PASS and false is FAIL."""
    run = read({"task": "a", "passed": True}, {"task": "a", "passed": False})

    assert [trial.outcome for _, trial in run.trials] == [Outcome.PASS, Outcome.FAIL]


@pytest.mark.parametrize("outcome", Outcome)
def test_outcome_says_more_than_passed(outcome: Outcome) -> None:
    """Every outcome can be given, with or without an agreeing `passed`."""
    run = read({"task": "a", "outcome": outcome}, {"task": "a", "outcome": outcome, "passed": outcome == "PASS"})

    assert [trial.outcome for _, trial in run.trials] == [outcome, outcome]


def test_fields_of_a_trial_are_kept() -> None:
    """Output, detail and seconds stand in the trial."""
    run = read({"task": "a", "passed": True, "output": {"n": [1]}, "detail": "slow", "seconds": 2})
    ((_, trial),) = run.trials

    assert trial.answer == Answer({"n": [1]})
    assert (trial.detail, trial.seconds) == ("slow", 2.0)


@pytest.mark.parametrize(
    ("value", "outcome"),
    [
        *((value, Outcome.PASS) for value in (True, 1, 1.0, "true", "True", "PASS", "passed", " pass ", "1")),
        *((value, Outcome.FAIL) for value in (False, 0, 0.0, "false", "FALSE", "fail", "Failed", "0")),
    ],
)
def test_verdict_may_be_a_number_or_a_word(value: object, outcome: Outcome) -> None:
    """What other tools write for true and false is the same verdict."""
    ((_, trial),) = read({"task": "a", "passed": value}).trials

    assert trial.outcome is outcome


def test_everything_that_a_line_may_say_is_kept() -> None:
    """Input and expectation are the task's; seed, score, cost and tool calls are the trial's."""
    row: Row = {"task": "a", "passed": False, "input": {"say": "a"}, "expect": ["a"], "seed": 7, "score": 0.25}
    row |= {"input_tokens": 10, "output_tokens": 2, "cost": 0.5, "output": "b"}
    row["trace"] = [
        {"tool": "read", "arguments": {"id": 1}, "reply": {"n": 2}, "seconds": 0.5, "model": "m"},
        {"tool": "write", "ok": False, "error": "disk full"},
        {"tool": "write", "ok": False},
    ]
    run = read(row)
    ((_, trial),) = run.trials

    assert run.header.tasks == (Task("a", {"say": "a"}, expect=["a"]),)
    assert (trial.seed, trial.score) == (7, 0.25)
    assert trial.answer == Answer("b", usage=Usage(input_tokens=10, output_tokens=2, cost=0.5))
    assert trial.trace == (
        ToolCall(step=1, tool="read", arguments={"id": 1}, reply={"n": 2}, seconds=0.5),
        ToolCall(step=2, tool="write", error="disk full"),
        ToolCall(step=3, tool="write", error="the log says that it failed, and not why"),
    )


def test_null_is_no_verdict_of_its_own() -> None:
    """`passed` may be null where `outcome` says it."""
    ((_, trial),) = read({"task": "a", "passed": None, "outcome": "VOID"}).trials

    assert trial.outcome is Outcome.VOID


def test_no_output_is_no_answer() -> None:
    """An output of null is an answer that is null; without the field there is no answer."""
    run = read({"task": "a", "passed": True, "output": None}, {"task": "a", "passed": True})

    assert [trial.answer for _, trial in run.trials] == [Answer(None), None]


def test_null_is_as_good_as_left_out() -> None:
    """Tools that write every field may write null for what they don't know."""
    names = ("trial", "outcome", "condition", "detail", "seconds", "input", "expect", "seed", "score", "cost", "trace")
    bare: Row = {"task": "a", "passed": True}

    assert read({**bare, **dict.fromkeys(names)}) == read(bare)


def test_header_says_what_is_known() -> None:
    """A header holds the tasks by name alone, and says who graded: not us."""
    header = read({"task": "b", "passed": True}, {"task": "a", "passed": True}).header

    assert [(task.id, task.input, task.expect) for task in header.tasks] == [("b", None, None), ("a", None, None)]
    assert (header.suite, header.agent, header.source) == ("imported", "unknown", "jsonl")
    assert header.grader == "imported(jsonl)"
    assert header.conditions == ("clean",)


def test_planned_trials_are_the_most_of_a_cell() -> None:
    """N is the trials of the cell that has most, so a report sees what the others lack."""
    run = read(*[{"task": "a", "passed": True}] * 3, {"task": "b", "passed": True})

    assert run.header.trials == 3
    assert run.header.planned == 6
    assert len(run.trials) == 4


def test_trials_without_number_are_counted_in_order() -> None:
    """Each cell counts its own trials."""
    run = read(
        {"task": "a", "passed": True},
        {"task": "b", "passed": True},
        {"task": "a", "passed": True, "condition": "noise()"},
        {"task": "a", "passed": False},
    )

    assert addresses(run) == [("a", "clean", 0), ("a", "noise()", 0), ("b", "clean", 0), ("a", "clean", 1)]
    assert run.trials[-1][1].outcome is Outcome.FAIL


def test_numbers_may_begin_at_one() -> None:
    """A log that counts its trials from 1 is the same run as one that counts from 0."""
    from_zero: list[Row] = [{"task": task, "trial": trial, "passed": True} for task in "ab" for trial in (0, 1)]
    from_one: list[Row] = [{"task": task, "trial": trial, "passed": True} for task in "ab" for trial in (1, 2)]

    assert read(*from_one) == read(*from_zero)


def test_missing_number_stays_missing() -> None:
    """A trial that the log skips was made and lost: it is planned, and not there."""
    run = read({"task": "a", "trial": 0, "passed": True}, {"task": "a", "trial": 3, "passed": True})

    assert [index for _, _, index in addresses(run)] == [0, 3]
    assert run.header.planned == 4


def test_trial_without_number_takes_a_free_one() -> None:
    """Where only some trials are numbered, the others fill the gaps from below."""
    numbered = ({"trial": number} if number is not None else {} for number in (None, 0, 2, None))
    run = read(*({"task": "a", "passed": True, "detail": str(i)} | row for i, row in enumerate(numbered)))

    assert [(trial.index, trial.detail) for _, trial in run.trials] == [(0, "1"), (1, "0"), (2, "2"), (3, "3")]


def test_condition_is_written_in_its_canonical_way() -> None:
    """However a log writes a condition, it is one condition; the clean one comes first."""
    run = read(
        {"task": "a", "passed": True, "condition": "b(2) & a"},
        {"task": "a", "passed": True, "condition": "a() & b(2)"},
        {"task": "a", "passed": True, "condition": ""},
        {"task": "a", "passed": True, "condition": "clean"},
    )

    assert run.header.conditions == ("clean", "a() & b(2)")
    assert run.header.trials == 2


def test_other_fields_are_left_out_and_named() -> None:
    """Fields that passhat has no place for are named in the run's provenance."""
    run = read({"task": "a", "passed": True, "model": "m", "price": 1}, {"task": "a", "passed": True, "id": 7})

    assert run.header.provenance == {"left_out": ["id", "model", "price"]}


def test_lines_may_end_and_begin_as_they_do_elsewhere() -> None:
    """A byte order mark, Windows line ends, empty lines and rare separators within a text do no harm."""
    text = '\ufeff{"task": "a", "passed": true, "detail": "x\u2028y\x85z"}\r\n\r\n  \n{"task": "a", "passed": true}\r\n'

    assert [trial.detail for _, trial in read_text(text).trials] == ["x\u2028y\x85z", ""]


@pytest.mark.parametrize("text", ["", "\n", " \r\n\n", "\ufeff"])
def test_empty_log_is_refused(text: str) -> None:
    """A log without a trial is no run."""
    assert complaints(text) == ["log.jsonl: it holds no trial"]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ('{"task": "a", "passed": tru}', "this is not JSON"),
        ('{"task": "a", "passed": true, "output": NaN}', "this is not JSON"),
        ("[" * 100_000, "this is not JSON that can be kept: it is nested more than 100 levels deep"),
        ('{"task": "a", "passed": true, "output": ' + "[" * 101 + "]" * 101 + "}", "nested more than 100 levels deep"),
        ('{"task": "a", "passed": false, "passed": true}', "the key 'passed' stands twice in one object"),
        ('{"task": "a", "passed": true, "output": {"\\u0061": 1, "a": 2}}', "the key 'a' stands twice in one object"),
        ('{"task": "\\ud83d", "passed": true}', "this is not JSON: half of a surrogate pair"),
        ('{"task": "a", "passed": true', "it breaks off, in column 29; was it cut?"),
        ('{"task": "a", "passed": true} {}', "another begins here"),
        ("<html>", "this is not JSON but HTML or XML"),
        ("[1]", "a trial is an object"),
        ('{"passed": true}', "it has no 'task'"),
        ('{"task": " ", "passed": true}', "'task' is empty"),
        ('{"task": "a"}', "it says neither 'passed' nor 'outcome'"),
        ('{"task": "a", "passed": "yes"}', """'passed' is true or false, 1 or 0, "pass" or "fail", not 'yes'"""),
        ('{"task": "a", "passed": 2}', "'passed' is true or false, 1 or 0"),
        ('{"task": "a", "passed": 0.5}', "'passed' is true or false, 1 or 0"),
        ('{"task": "a", "passed": []}', "'passed' is true or false, 1 or 0"),
        ('{"task": "a", "score": 0.5}', "it has a 'score': say with 'threshold' from which score on it passed"),
        ('{"task": "a", "passed": true, "score": 1.5}', "'score': expected a number <= 1"),
        ('{"task": "a", "passed": true, "score": 1e400}', "'score': expected a number <= 1"),
        ('{"task": "a", "passed": true, "score": NaN}', "this is not JSON: NaN is no number of JSON"),
        ('{"task": "a", "passed": true, "seconds": 1e400}', "'seconds': expected a number <= "),
        ('{"task": "a", "passed": true, "seed": 1.5}', "'seed': expected a whole number, got a number"),
        ('{"task": "a", "passed": true, "seed": 1e400}', "'seed': expected a whole number, got a number"),
        ('{"task": "a", "passed": true, "cost": -1}', "'cost': expected a number >= 0"),
        ('{"task": "a", "passed": true, "input_tokens": 1.5}', "'input_tokens': expected a whole number, got a number"),
        ('{"task": "a", "passed": true, "trace": {}}', "'trace': expected a list, got an object"),
        ('{"task": "a", "passed": true, "trace": [{}]}', "'trace[0]' has no 'tool'"),
        ('{"task": "a", "passed": true, "trace": [{"tool": 1}]}', "'trace[0].tool': expected a text"),
        (
            '{"task": "a", "passed": true, "trace": [{"tool": "b", "ok": true, "error": "c"}]}',
            "'trace': call 1 of the tool 'b' is ok, and has an error",
        ),
        ('{"task": "a", "outcome": "pass"}', "'outcome' is one of PASS, FAIL, CRASH, TIMEOUT, VOID, not 'pass'"),
        ('{"task": "a", "passed": true, "outcome": "VOID"}', "'passed' is true, and 'outcome' is VOID"),
        ('{"task": "a", "passed": false, "outcome": "PASS"}', "'passed' is false, and 'outcome' is PASS"),
        ('{"task": "a", "passed": true, "trial": -1}', "'trial': expected a whole number >= 0"),
        ('{"task": "a", "passed": true, "trial": 0.5}', "'trial': expected a whole number, got a number"),
        ('{"task": "a", "passed": true, "trial": 1000000}', "'trial': expected a whole number <= 999999"),
        ('{"task": "a", "passed": true, "seconds": -1}', "'seconds': expected a number >= 0"),
        ('{"task": "a", "passed": true, "condition": "high load"}', "condition 'high load': expected '&'"),
        ('{"task": "a", "passed": true, "conditon": "b"}', "'conditon': did you mean 'condition'?"),
        ('{"task": "a", "Passed": true}', "'Passed': did you mean 'passed'?"),
    ],
)
def test_bad_line_is_refused_where_it_stands(line: str, sentence: str) -> None:
    """Each thing that can be wrong is one sentence with the line, whatever the other lines hold."""
    (said,) = complaints(f'{{"task": "a", "passed": true}}\n\n{line}\n{{"task": "a", "passed": true}}')

    assert said.startswith("log.jsonl:3: ")
    assert sentence in said


def test_trial_that_stands_twice_is_refused_with_both_lines() -> None:
    """The same task, condition and number cannot be two trials."""
    row = '{"task": "a", "trial": 4, "condition": "b", "passed": true}'

    assert complaints(f"{row}\n\n{row}") == [
        "log.jsonl:3: trial 4 of task 'a' under 'b()' stands on line 1 already",
    ]


def test_task_that_asks_for_something_else_is_refused_with_both_lines() -> None:
    """One id is one task: where its input or what it expects differs, two tasks would be taken for one."""
    rows = ['{"task": "a", "passed": true, "input": "say a"}', '{"task": "a", "passed": true, "input": "say b"}']

    assert complaints("\n".join(rows)) == [
        "log.jsonl:2: task 'a' asks for something else here than on line 1: two tasks need two ids, or two files",
    ]


def test_same_number_elsewhere_is_another_trial() -> None:
    """A number belongs to its task and condition."""
    rows: list[Row] = [
        {"task": task, "condition": name, "trial": 0, "passed": True} for task in "ab" for name in ("clean", "c")
    ]

    assert len(read(*rows).trials) == 4


def test_every_problem_is_told_at_once() -> None:
    """Wrong lines of every kind are told together, in the order of the log."""
    text = '{"task": "a", "trial": 0, "passed": true}\n{}\n{"task": "a", "trial": 0, "passed": true}\n['

    assert [said.split(":")[1] for said in complaints(text)] == ["2", "3", "4"]


def test_long_list_of_problems_is_cut() -> None:
    """Twenty problems are told, and how many more there are."""
    said = complaints("{}\n" * 1_025)

    assert len(said) == 21
    assert said[19].startswith("log.jsonl:20: ")
    assert said[20] == "and 1,005 more"


def test_too_many_cells_are_refused() -> None:
    """A log in which every line is a task and a condition of its own is not one run."""
    text = "\n".join(f'{{"task": "t{i}", "condition": "c{i}", "passed": true}}' for i in range(1_001))

    assert complaints(text) == ["log.jsonl: 1,001 tasks under 1,001 conditions are too many for one run"]


ONE_A_LINE = "and jsonl is one JSON object a line: "


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize(
    ("value", "instead"),
    [
        ([tau_row(0, 0, 1.0), tau_row(0, 1, 0.0)], "it looks like a result file of τ-bench, whose format is tau-bench"),
        ([{"task": "a", "passed": True}], "write one with 'jq -c \".[]\" FILE', and import that"),
        ([], "write one with 'jq -c \".[]\" FILE', and import that"),
    ],
)
def test_json_list_is_refused_in_one_sentence(value: object, instead: str, indent: int | None) -> None:
    """A JSON list, on many lines or on one, is one complaint, which says what to do with it."""
    assert complaints(json.dumps(value, indent=indent)) == [f"log.jsonl: this is a JSON list, {ONE_A_LINE}{instead}"]


@pytest.mark.parametrize(
    ("value", "instead"),
    [
        (tau2_file(tau2_row("0", 0, 1.0)), "it looks like a result file of τ²-bench, whose format is tau2-bench"),
        ({"task": "a", "passed": True}, "write one with 'jq -c . FILE', and import that"),
    ],
)
def test_object_on_many_lines_is_refused_in_one_sentence(value: object, instead: str) -> None:
    """A pretty-printed object is one complaint, and not one for each of its lines."""
    assert complaints(json.dumps(value, indent=2)) == [
        f"log.jsonl: this is one JSON object over many lines, {ONE_A_LINE}{instead}"
    ]


@pytest.mark.parametrize("text", ['[\n  {\n    "task_id": 0,\n    "rew', '\n [ {\n"task": "a"', '[{\n"a": 1}]\n[]'])
def test_broken_document_is_still_one_sentence(text: str) -> None:
    """A list that breaks off, or has more behind it, is refused as what it begins to be."""
    (sentence,) = complaints(text)

    assert sentence.startswith(f"log.jsonl: this is a JSON list, {ONE_A_LINE}")


def test_number_of_a_task_is_its_name() -> None:
    """A task may be called by a whole number, which is taken as text; what is true or broken is no name."""
    run = read({"task": 7, "passed": True}, {"task": "7", "passed": False})

    assert addresses(run) == [("7", "clean", 0), ("7", "clean", 1)]
    assert complaints('{"task": true, "passed": true}\n{"task": 1.5, "passed": true}') == [
        "log.jsonl:1: 'task': expected a text, got true or false",
        "log.jsonl:2: 'task': expected a text, got a number",
    ]
