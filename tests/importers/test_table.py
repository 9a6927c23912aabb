"""Formats with a row a trial: columns under other names, and verdicts that come from a score."""

import json
from collections.abc import Mapping

import pytest

from passhat.errors import UsageError
from passhat.importers import Csv, Imported, Jsonl, Origin
from passhat.model.outcome import Outcome

ORIGIN = Origin("ab12cd34", 5.0, "log.jsonl")
ROWS = (
    {"case": {"id": "a", "tags": ["x", "y"]}, "result": {"ok": True, "text": "done"}, "run": 1, "model": "m"},
    {"case": {"id": "a", "tags": ["z"]}, "result": {"ok": False}, "run": 2},
)
PATHS = {"task": "case.id", "passed": "result.ok", "trial": "run", "output": "result.text", "condition": "case.tags.1"}


def read(*rows: object, mapping: Mapping[str, str] | None = None, threshold: float | None = None) -> Imported:
    """The run that a log of these rows tells of."""
    return Jsonl(map=mapping or {}, threshold=threshold).read("\n".join(map(json.dumps, rows)), ORIGIN)


def complaints(*rows: object, mapping: Mapping[str, str] | None = None, threshold: float | None = None) -> list[str]:
    """The sentences with which it is refused."""
    with pytest.raises(UsageError) as refused:
        read(*rows, mapping=mapping, threshold=threshold)
    return list(refused.value.problems)


def test_columns_are_found_by_path() -> None:
    """A path goes through objects by name and through lists by number; where a row lacks it, the column is absent."""
    run = read(*ROWS, mapping=PATHS)
    (_, first), (_, second) = run.trials

    assert (first.task_id, first.condition, first.outcome, first.index) == ("a", "y()", Outcome.PASS, 0)
    assert first.answer is not None
    assert first.answer.output == "done"
    assert (second.condition, second.outcome, second.index, second.answer) == ("clean", Outcome.FAIL, 1, None)


def test_what_a_path_uses_is_not_left_out() -> None:
    """Only what no column was taken from is named as left out."""
    assert read(*ROWS, mapping=PATHS).header.provenance["left_out"] == ["model"]


def test_name_with_a_dot_goes_before_a_path() -> None:
    """A field that is called like the path is meant."""
    run = read({"a.b": "one", "a": {"b": "two"}, "passed": True}, mapping={"task": "a.b"})

    assert run.header.tasks[0].id == "one"


def test_column_that_is_mapped_has_no_other_name() -> None:
    """Where `passed` is taken from elsewhere, a field called `passed` is not it."""
    run = read({"task": "a", "passed": True, "ok": False}, mapping={"passed": "ok"})

    assert run.trials[0][1].outcome is Outcome.FAIL
    assert run.header.provenance["left_out"] == ["passed"]


def test_paths_hold_for_csv_by_name() -> None:
    """A table's columns are renamed in the same way."""
    run = Csv(map={"task": "case", "passed": "result ok"}).read("case,result ok\na,pass\n", ORIGIN)

    assert (run.header.tasks[0].id, run.trials[0][1].outcome) == ("a", Outcome.PASS)


def test_path_that_no_row_has_is_refused() -> None:
    """A misspelt path would silently be as good as no column: a condition would pass for the clean one."""
    assert complaints({"task": "a", "passed": True}, mapping={"condition": "setup.nmae"}) == [
        "log.jsonl: map: no row has 'setup.nmae', which is to be 'condition'",
    ]


@pytest.mark.parametrize(
    ("name", "hint"), [("tsk", "did you mean 'task'?"), ("verdict", "there are task, trial, passed, outcome")]
)
def test_unknown_column_is_refused(name: str, hint: str) -> None:
    """What is mapped is one of the columns."""
    with pytest.raises(UsageError, match=f"map: there is no column '{name}': ") as refused:
        Jsonl(map={name: "x"})

    assert hint in str(refused.value)


def test_score_passes_from_the_threshold_on() -> None:
    """Where a row has only a score, the threshold decides; where it says how it ended, that counts."""
    run = read(
        *({"task": "a", "score": score} for score in (0.79, 0.8, 1)),
        {"task": "a", "score": 0.1, "passed": True},
        {"task": "a", "score": 1, "outcome": "VOID"},
        threshold=0.8,
    )

    assert "".join(trial.outcome.letter for _, trial in run.trials) == "FPPPV"
    assert [trial.score for _, trial in run.trials] == [0.79, 0.8, 1, 0.1, 1]


def test_threshold_is_part_of_the_design() -> None:
    """Runs that were judged by other thresholds were judged by other judges, and are not compared in silence."""
    headers = [read({"task": "a", "score": 1}, threshold=threshold).header for threshold in (0.5, 0.8, 0.8)]
    digests = [header.design_digest for header in headers]

    assert [header.grader for header in headers] == ["imported(jsonl, threshold=0.5)"] + [
        "imported(jsonl, threshold=0.8)"
    ] * 2
    assert digests[0] != digests[1] == digests[2]


@pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan")])
def test_threshold_is_a_score(threshold: float) -> None:
    """A threshold that no score can be compared with is refused."""
    with pytest.raises(UsageError, match="threshold: a number from 0 to 1, such as"):
        Jsonl(threshold=threshold)
