"""A run of our own as a file: what was written is read as the same run, and what is not as it was is refused whole."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import msgspec
import pytest

from passhat import api
from passhat.errors import UsageError
from passhat.importers import Origin, Passhat
from passhat.importers.passhat import MOST_CHARACTERS
from passhat.model.portable import Checksum
from passhat.reports import portable_lines
from passhat.stores import MemoryStore
from tests.golden.make_store import HEADER, TRIALS
from tests.importers.portable import stored

ORIGIN = Origin("0badcafe", 1_700_000_000.0, "run.jsonl")
LINES = tuple(portable_lines(stored(worded_anew=True)))


def text_of(lines: Sequence[str]) -> str:
    """The file with these lines."""
    return "".join(f"{line}\n" for line in lines)


def sealed(lines: Sequence[str]) -> str:
    """The file with these lines and a last line that is right: as somebody writes it who means to."""
    checksum = Checksum()
    for line in lines:
        checksum.add(line)
    end = {"schema": "1.0", "kind": "end", "trials": len(lines) - 1, "digest": str(checksum)}
    return text_of([*lines, json.dumps(end)])


def refusals(text: str) -> list[str]:
    """What is said of a file that is refused."""
    with pytest.raises(UsageError) as caught:
        Passhat().read(text, ORIGIN)
    return list(caught.value.problems)


def changed(line: int, **fields: object) -> list[str]:
    """The lines before the last, where one of them (from 1) says something else."""
    lines = list(LINES[:-1])
    value = json.loads(lines[line - 1])
    (value["value"] if line == 1 else value).update(fields)
    lines[line - 1] = json.dumps(value)
    return lines


def test_run_is_read_as_it_was() -> None:
    """Header, digests, order, and every field of every trial are those of the run that was written."""
    read = Passhat().read(text_of(LINES), ORIGIN)
    store = MemoryStore()
    run = api.import_run("passhat", text_of(LINES), store=store)

    assert read.header == run.header == HEADER
    assert (run.header.design_digest, run.header.run_digest) == (HEADER.design_digest, HEADER.run_digest)
    assert list(run.trials) == list(stored(worded_anew=True).trials)
    assert len(read.trials) == len(TRIALS)


def test_reading_and_writing_again_changes_no_byte() -> None:
    """Export, import and export again are the same file."""
    store = MemoryStore()
    api.import_run("passhat", text_of(LINES), store=store)

    assert tuple(portable_lines(store.open())) == LINES


def test_reports_are_the_same() -> None:
    """Whatever is rendered of the run is rendered of its copy, letter by letter."""
    run, copy = stored(worded_anew=True), api.import_run("passhat", text_of(LINES), store=MemoryStore())

    reports = [
        [api.render(api.measure(each), format=form) for form in ("terminal", "markdown", "json")]
        for each in (run, copy)
    ]

    assert reports[0] == reports[1]
    assert run.trials.counts() == copy.trials.counts()


def test_every_line_is_one_document_that_diffs_well() -> None:
    """A line a trial, in the order of the plan, address first; equal inputs are not repeated."""
    first, *trials, last = [json.loads(line) for line in LINES]

    assert (first["kind"], first["schema"], last["kind"], last["trials"]) == ("header", "1.0", "end", len(TRIALS))
    assert [list(one)[:5] for one in trials] == [["task_id", "task_digest", "condition", "index", "outcome"]] * 11
    assert [one["index"] for one in trials] == sorted(one["index"] for one in trials)
    assert {"input" in one for one in trials if one["condition"] == "clean"} == {False}


def test_text_stays_readable_and_harmless() -> None:
    """Letters stay letters; what a terminal would obey, or nobody sees, is an escape of JSON."""
    store = MemoryStore()
    tasks = (msgspec.structs.replace(HEADER.tasks[0], id="größe 漢\x1b\x9b\u202e\u2066\U000e0041"), HEADER.tasks[1])
    store.create(msgspec.structs.replace(HEADER, tasks=tasks))

    lines = list(portable_lines(store.open()))

    assert r"größe 漢\u001b\u009b\u202e\u2066\udb40\udc41" in lines[0]
    assert Passhat().read(text_of(lines), ORIGIN).header.tasks == tasks


def test_ends_of_lines_may_have_been_rewritten() -> None:
    """A file that went through Windows, or through an editor that marks UTF-8, is still the same run."""
    windows = "\ufeff" + text_of(LINES).replace("\n", "\r\n")

    assert Passhat().read(windows, ORIGIN) == Passhat().read(text_of(LINES), ORIGIN)


@pytest.mark.parametrize("kept", range(1, len(LINES)))
def test_file_that_was_cut_between_lines_is_refused(kept: int) -> None:
    """However many whole lines are left, the missing end is noticed."""
    assert refusals(text_of(LINES[:kept])) == [
        f"run.jsonl:{kept}: it breaks off here, without the last line, which counts the trials: was it cut?"
    ]


@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.999])
def test_file_that_was_cut_within_a_line_is_refused(share: float) -> None:
    """A file that ends in the middle of a line is one sentence with that line."""
    text = text_of(LINES)
    cut = text[: int(len(text) * share)]

    (sentence,) = refusals(cut)

    assert sentence.startswith(f"run.jsonl:{cut.count(chr(10)) + 1}: ")
    assert "was it cut?" in sentence


def test_missing_last_end_of_line_is_a_cut() -> None:
    """The last byte counts as well."""
    assert "was it cut?" in refusals(text_of(LINES)[:-1])[0]


@pytest.mark.parametrize("line", range(2, len(LINES)))
def test_line_that_is_gone_is_missed(line: int) -> None:
    """A trial that somebody took out is noticed by the count."""
    assert refusals(text_of([*LINES[: line - 1], *LINES[line:]])) == [
        f"run.jsonl:{len(LINES) - 1}: it counts 11 trials, and there are 10: was it cut?"
    ]


def test_changed_outcome_is_noticed() -> None:
    """A trial that was made to pass breaks the digest."""
    lines = list(LINES)
    at = next(number for number, line in enumerate(lines) if '"outcome":"FAIL"' in line)
    lines[at] = lines[at].replace('"outcome":"FAIL"', '"outcome":"PASS"')

    (sentence,) = refusals(text_of(lines))

    assert sentence.startswith(f"run.jsonl:{len(LINES)}: the lines before were changed since passhat wrote them")


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (changed(2, task_id="other"), "run.jsonl:2: there is no task 'other' in the header"),
        (changed(2, task_digest="00"), "run.jsonl:2: task 'late-parcel' is another in the header: its digest is"),
        (changed(3, condition="odd"), "run.jsonl:3: there is no condition 'odd' in the header"),
        (changed(3, index=-1), "run.jsonl:3: trial -1 was never planned: there are 3, from 0"),
        (changed(3, index=3), "run.jsonl:3: trial 3 was never planned"),
        (changed(3, outcome="GOOD"), "run.jsonl:3: 'outcome': invalid enum value 'GOOD'"),
        (changed(3, seconds=-1), "run.jsonl:3: 'started_at' or 'seconds': it is no time"),
        (changed(3, started_at=1e300), "run.jsonl:3: 'started_at' or 'seconds': it is no time"),
        ([*LINES[:3], LINES[2], *LINES[3:-1]], "run.jsonl:4: it stands behind a trial that comes later, or twice"),
        ([LINES[0], LINES[2], LINES[1], *LINES[3:-1]], "run.jsonl:3: it stands behind a trial that comes later"),
        ([*LINES[:2], "", *LINES[2:-1]], "run.jsonl:3: it is empty"),
        ([*LINES[:2], "[" * 200, *LINES[2:-1]], "run.jsonl:3: this is not JSON"),
        ([*LINES[:2], "[" * 150 + "]" * 150, *LINES[2:-1]], "nested more than 100 levels deep"),
        ([*LINES[:2], '{"a":1,"a":2}', *LINES[2:-1]], "run.jsonl:3: the key 'a' stands twice in one object"),
        ([*LINES[:2], '{"task_id":7}', *LINES[2:-1]], "run.jsonl:3: 'task_id': expected a text, got a whole number"),
    ],
)
def test_line_that_does_not_fit_is_named(lines: Sequence[str], sentence: str) -> None:
    """Each line is held against the header, also where the digest is right."""
    (said,) = refusals(sealed(lines))

    assert sentence in said


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"id": "latest"}, "the id 'latest' is none of a run"),
        ({"id": "a\nb"}, "the id 'a\\nb' is none of a run"),
        ({"tasks": []}, "there are 0 tasks under 2 conditions"),
        ({"conditions": ["clean", "clean"]}, "a task or a condition stands twice"),
        ({"trials": 0}, "'trials': 0 of each task"),
        ({"trials": 10**11}, "'trials': 100,000,000,000 of each task"),
        ({"seed": 2**63}, "'seed': it has more than 64 bits"),
        ({"started_at": -1}, "'started_at': it is no moment from 1970 on"),
        ({"suite": 7}, "'suite': expected a text, got a whole number"),
    ],
)
def test_header_that_no_run_has_is_refused(fields: dict[str, object], sentence: str) -> None:
    """What a header says is checked before a trial is read."""
    said = refusals(sealed(changed(1, **fields)))

    assert [one for one in said if sentence in one and one.startswith("run.jsonl:1: in the header, ")]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            '{"taskId":"a","trial":1}\n',
            "run.jsonl:1: these are EvalRun rows, which hold no whole run: write the run with",
        ),
        ('{"task":"a","passed":true}\n', "run.jsonl:1: this is no run as passhat writes it: write the run with"),
        ("", "run.jsonl:1: it is empty"),
        ("<html>", "run.jsonl:1: this is not JSON but HTML or XML"),
        ('{"schema":"9.0","kind":"header","value":{}}\n', "was written by a newer passhat (schema 9.0"),
    ],
)
def test_what_is_no_run_says_what_it_is(text: str, sentence: str) -> None:
    """Another file is refused with what to do."""
    (said,) = refusals(text)

    assert sentence in said


def test_endless_line_is_not_read() -> None:
    """A line beyond all measure is refused before it is parsed."""
    long = f'{{"a":"{"x" * MOST_CHARACTERS}"}}'

    (said,) = refusals(text_of([LINES[0], long, *LINES[1:]]))

    assert said == "run.jsonl:2: this line has more than 50,000,000 characters, and no trial has"


def _again(text: str, store: MemoryStore) -> None:
    api.import_run("passhat", text, store=store, source="run.jsonl")


@pytest.mark.parametrize("damage", [lambda text: text[:-200], lambda text: text.replace("PASS", "FAIL", 1)])
def test_damaged_file_leaves_nothing(damage: Callable[[str], str]) -> None:
    """No run is begun where the file is not whole."""
    store = MemoryStore()

    with pytest.raises(UsageError):
        _again(damage(text_of(LINES)), store)

    assert list(store.runs()) == []


def test_run_that_is_there_is_not_imported_twice() -> None:
    """The second time is refused in one sentence, and the first stays."""
    store = MemoryStore()
    _again(text_of(LINES), store)

    with pytest.raises(
        UsageError, match=r"the store memory:// holds run a1b2c3d4 already: 'passhat rm a1b2c3d4' deletes"
    ):
        _again(text_of(LINES), store)

    assert len(list(store.open().trials)) == len(TRIALS)
