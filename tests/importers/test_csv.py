"""The csv importer: cells become what their columns need, and a table that is none is refused."""

import pytest

from passhat.errors import UsageError
from passhat.importers import Csv, Imported, Origin
from passhat.model.answer import Answer, Usage
from passhat.model.outcome import Outcome


def read(text: str, *, delimiter: str = ",") -> Imported:
    """The run that this table tells of."""
    return Csv(delimiter=delimiter).read(text, Origin("ab12cd34", 5.0, "log.csv"))


def complaints(text: str) -> list[str]:
    """The sentences with which this table is refused."""
    with pytest.raises(UsageError) as refused:
        read(text)
    return list(refused.value.problems)


def test_cells_are_read_as_their_columns_need() -> None:
    """Numbers, verdicts and texts, each in its column; an empty cell is as good as none."""
    run = read(
        "task,trial,passed,seconds,score,seed,input_tokens,cost,output,detail,condition,input\n"
        "7,1,true,1.5,0.5,3,10,0.25,12,slow,b & a,say 7\n"
        "7,2,FAIL,,,,,,,,,\n"
    )
    (_, clean), (_, first) = sorted(run.trials, key=lambda trial: trial[0])

    assert (first.outcome, first.task_id, first.condition, first.index) == (Outcome.PASS, "7", "a() & b()", 0)
    assert (first.seconds, first.score, first.seed, first.detail) == (1.5, 0.5, 3, "slow")
    assert first.answer == Answer("12", usage=Usage(input_tokens=10, cost=0.25))
    assert (clean.outcome, clean.index, clean.answer, clean.score) == (Outcome.FAIL, 1, None, None)


def test_tables_may_be_written_as_elsewhere() -> None:
    """A byte order mark, Windows line ends, empty lines, quotes with line ends, and another delimiter do no harm."""
    text = '\ufefftask;passed;detail\r\n\r\n"a ""b""";1;"one\r\ntwo\u2028three"\r\n'
    ((_, trial),) = read(text, delimiter=";").trials

    assert (trial.task_id, trial.outcome, trial.detail) == ('a "b"', Outcome.PASS, "one\r\ntwo\u2028three")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "log.csv: it holds no trial"),
        ("task,passed\n", "log.csv: it holds no trial"),
        ("<html>\n<p>", "log.csv:1: the header has no column 'task', which names the task: it has '<html>'"),
        (
            "\nname,passed\na,1",
            "log.csv:2: the header has no column 'task', which names the task: it has 'name', 'pass",
        ),
        ("task,passed,passed\na,1,0", "log.csv:1: the header has two columns 'passed'"),
        ("task,passed\na", "log.csv:2: it has not the 2 cells of the header, but 1"),
        ("task,passed\na,1,2", "log.csv:2: it has not the 2 cells of the header, but 3"),
        ('task,passed\n"a,1\n', "this is not CSV: unexpected end of data"),
        ("task,passed\na,yes", "log.csv:2: 'passed' is true or false, 1 or 0"),
        ("task,passed\na,", "log.csv:2: it says neither 'passed' nor 'outcome'"),
        ("task,passed\n,1", "log.csv:2: it has no 'task'"),
        ("task,passed,trial\na,1,x", "log.csv:2: 'trial': expected a whole number, got a text"),
        ("task,passed,trial\na,1,0.5", "log.csv:2: 'trial': expected a whole number"),
        ("task,passed,seconds\na,1,1e400", "log.csv:2: 'seconds': number out of range"),
        ("task,passed,score\na,1,nan", "log.csv:2: 'score': "),
        ("task,passed,seconds\na,1,nan", "log.csv:2: 'seconds': "),
        ("task,passed,trace\na,1,[]", "log.csv:2: 'trace': expected a list, got a text"),
        ("task,passed,trial\na,1,0\na,1,0", "log.csv:3: trial 0 of task 'a' under 'clean' stands on line 2 already"),
        ("task,passed,conditon\na,1,b", "log.csv:2: there is no field 'conditon': did you mean 'condition'?"),
    ],
)
def test_bad_table_is_refused_where_it_is_bad(text: str, sentence: str) -> None:
    """Each thing that can be wrong is one sentence with the line."""
    (said,) = complaints(text)

    assert sentence in said


@pytest.mark.parametrize("delimiter", ["", ",,", '"', "\n"])
def test_delimiter_is_one_character(delimiter: str) -> None:
    """What cannot stand between two cells is refused before anything is read."""
    with pytest.raises(UsageError, match="delimiter: one character"):
        Csv(delimiter=delimiter)
