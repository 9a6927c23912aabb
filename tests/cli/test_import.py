"""`passhat import`: a log becomes a run that every other command takes."""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from passhat import api
from passhat.cli import call
from passhat.errors import UsageError
from passhat.model.condition import Condition
from passhat.model.protocols import TrialRow
from passhat.model.run import Header, Run
from passhat.stores import SqliteStore
from tests.children import LIMIT
from tests.importers.tau import asks, published, says, tau_row, tells

Import = Callable[..., int]
ROWS = [
    *({"task": "refund", "passed": True} for _ in range(40)),
    *({"task": "cancel", "passed": number % 4 != 0, "detail": "two refunds"} for number in range(40)),
]
LOG = "\n".join(map(json.dumps, ROWS))


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Where no store is yet."""
    return tmp_path / "trials.db"


@pytest.fixture
def run_import(tmp_path: Path, store: Path) -> Import:
    """Imports a text or bytes, as a file, into the store, and gives the exit code."""

    def run(log: str | bytes, *options: str) -> int:
        path = tmp_path / "log.jsonl"
        path.write_bytes(log.encode() if isinstance(log, str) else log)
        return call(["import", "jsonl", str(path), "--store", str(store), *options])

    return run


def only_run(store: Path) -> Run:
    """The one run in the store."""
    opened = SqliteStore(store, create=False)
    (listing,) = opened.runs()
    return opened.open(listing.id)


def test_import_says_what_it_stored(run_import: Import, store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The run's id, its trials and tasks, and how to see them are printed."""
    code = run_import(LOG)

    header = only_run(store).header
    said = capsys.readouterr().out
    assert code == 0
    assert f"run {header.id}: 80 trials of 2 tasks in {store}" in said
    assert f"'passhat report {header.id}' shows it" in said


def test_import_keeps_what_the_log_says(run_import: Import, store: Path) -> None:
    """The stored run counts what the log counted, under the names that were given."""
    run_import(LOG, "--suite", "shop", "--agent", "bot-3")

    run = only_run(store)
    trial = run.trials.get("cancel", "clean", 4)
    assert (run.header.suite, run.header.agent, run.header.source) == ("shop", "bot-3", "jsonl")
    assert run.trials.counts().passed == (40, 30)
    assert trial is not None
    assert (trial.outcome, trial.detail) == ("FAIL", "two refunds")


def test_report_and_rules_take_an_imported_run(
    run_import: Import, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An imported run is reported and judged like any other: a rule that it breaks fails it."""
    run_import(LOG)
    capsys.readouterr()

    codes = [call(["report", "--store", str(store), "--require", f"pass^1 >= {line}"]) for line in ("0.5", "0.99")]

    said = capsys.readouterr().out
    assert codes == [0, 1]
    assert "70/80" in said


def test_show_takes_an_imported_trial(run_import: Import, store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One trial of an imported run can be looked at, with the log's own detail."""
    run_import(LOG)
    capsys.readouterr()

    code = call(["show", "cancel", "--store", str(store)])

    assert code == 0
    assert "two refunds" in capsys.readouterr().out


def test_json_is_for_programs(run_import: Import, store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With --json the same is said as one JSON value."""
    run_import('{"task": "a", "passed": true, "model": "m"}', "--json")

    assert json.loads(capsys.readouterr().out) == {
        "run": only_run(store).header.id,
        "suite": "imported",
        "agent": "unknown",
        "trials": 1,
        "tasks": 1,
        "conditions": ["clean"],
        "left_out": ["model"],
        "notes": [],
    }


def test_quiet_prints_the_id_alone(run_import: Import, store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With -q a script gets the new run's id and nothing else."""
    run_import(LOG, "-q")

    assert capsys.readouterr().out == f"{only_run(store).header.id}\n"


def test_fields_that_were_left_out_are_named(run_import: Import, capsys: pytest.CaptureFixture[str]) -> None:
    """What the run does not hold is said, without writing a log's control characters to the screen."""
    run_import('{"task": "a", "passed": true, "price": 1, "\\u001b[31m": 2}')

    assert r"left out: '\x1b[31m', 'price'" in capsys.readouterr().out


def test_wrong_log_leaves_no_run(run_import: Import, store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A log with wrong lines is refused whole, each line in a sentence, and not even a store is made."""
    code = run_import('{"task": "a", "passed": true}\n{}\n{"task": "b"}')

    sentences = capsys.readouterr().err.splitlines()
    assert code == 2
    assert ["log.jsonl:2: " in sentences[0], "log.jsonl:3: " in sentences[1]] == [True, True]
    assert len(sentences) == 2
    assert not store.exists()


def test_other_encodings_are_refused(run_import: Import, capsys: pytest.CaptureFixture[str]) -> None:
    """What is not UTF-8 is one sentence, with the line."""
    code = run_import(b'{"task": "a", "passed": true}\n{"task": "caf\xe9"}')

    (sentence,) = capsys.readouterr().err.splitlines()
    assert code == 2
    assert "log.jsonl:2: byte 0xe9 is not UTF-8" in sentence


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["jsonl", "no/such.jsonl"], "no/such.jsonl cannot be read: no such file or directory"),
        (["jsonl", "."], ". cannot be read: is a directory"),
        (["jsonl", "/dev/zero"], "/dev/zero is larger than 256 MB"),
        (["jsonl"], "Missing argument 'FILE'"),
        (["json", "/dev/null"], "there is no format to import called 'json': did you mean jsonl?"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(
    words: list[str], sentence: str, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wrong file or format is said in one sentence, with exit code 2."""
    code = call(["import", *words, "--store", str(store)])

    (said,) = capsys.readouterr().err.splitlines()
    assert code == 2
    assert sentence in said
    assert not store.exists()


def test_log_may_be_piped_in(store: Path) -> None:
    """A dash reads standard input."""
    command = [sys.executable, "-m", "passhat", "import", "jsonl", "-", "--store", str(store), "-q"]

    done = subprocess.run(command, input=LOG, capture_output=True, text=True, timeout=LIMIT, check=False)

    assert (done.returncode, done.stderr) == (0, "")
    assert only_run(store).trials.counts().passed == (40, 30)


def test_secrets_of_a_log_are_masked(store: Path) -> None:
    """What looks like a key is masked before it is stored, in trials and in the header."""
    key = "sk-" + "a1b2c3d4" * 4
    row = {"task": f"with {key}", "passed": True, "output": {"said": key}, "detail": key}

    run = api.import_run("jsonl", json.dumps(row), store=store, suite=key)

    (trial,) = run.trials
    assert trial.answer is not None
    assert trial.answer.output == {"said": "[redacted]"}
    assert (trial.task_id, trial.detail, run.header.suite) == ("with [redacted]", "[redacted]", "[redacted]")
    assert key.encode() not in b"".join(path.read_bytes() for path in store.parent.iterdir())


def test_imported_conditions_are_found_by_show(
    run_import: Import, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A condition is found however it is written."""
    run_import('{"task": "a", "passed": false, "condition": "b & a", "detail": "here"}')
    capsys.readouterr()

    code = call(["show", "a", "--under", "a() & b", "--store", str(store)])

    assert code == 0
    assert only_run(store).header.conditions == (Condition.parse("a & b").name,)
    assert "here" in capsys.readouterr().out


@pytest.mark.parametrize("form", ["tau-bench", "tau_bench"])
def test_tau_bench_is_stored_reported_and_shown(
    form: str, tmp_path: Path, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A τ-bench file is a run like any other: a report gives its pass^k, and `show` the tool calls of a trial."""
    path = tmp_path / "results.json"
    path.write_text(published(), encoding="utf-8")

    codes = [
        call(["import", form, str(path), "--store", str(store), "--suite", "airline", "--agent", "gpt-4o"]),
        call(["report", "--store", str(store), "-k", "4"]),
        call(["show", "latest", "2", "0", "--store", str(store)]),
    ]

    run, said = only_run(store), capsys.readouterr().out
    trial = run.trials.get("2", "clean", 0)
    assert trial is not None
    assert codes == [0, 0, 0]
    assert f"run {run.header.id}: 200 trials of 50 tasks in {store}" in said
    assert "airline · gpt-4o · 50 tasks" in said
    assert "pass^1 0.42 · ^2 0.27 · ^3 0.22 · ^4 0.20" in said
    assert all(f"{number}  {called.tool}(" in said for number, called in enumerate(trial.trace, start=1))


def test_what_an_importer_notes_is_said(tmp_path: Path, store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Void, graded and missing trials are counted when a log is imported, on one line each, harmless for a terminal."""
    broken = {"error": "502 \x1b[31m\nBad Gateway"}
    rows = [tau_row(0, 0, 0.5), tau_row(0, 1, 0.0, info=broken, traj=[]), tau_row(1, 0, 1.0)]
    path = tmp_path / "results.json"
    path.write_text(json.dumps(rows), encoding="utf-8")

    call(["import", "tau-bench", str(path), "--store", str(store)])
    text = capsys.readouterr().out
    call(["import", "tau-bench", str(path), "--store", str(store), "--json"])
    notes = json.loads(capsys.readouterr().out)["notes"]

    assert [line for line in text.splitlines() if line.startswith("note: ")] == [
        "note: graded rewards, above 0 and below 1, which are no success: 1",
        r"note: void, and so not counted: 1 of 3 trials; the first says: 502 \x1b[31m Bad Gateway",
        "note: not in the log, and so neither passed nor failed: 1 of 4 trials",
    ]
    assert len(notes) == 3


def test_secrets_of_a_conversation_are_masked(store: Path) -> None:
    """A key in a tool call, a reply, an instruction or an error never reaches the store."""
    key = "sk-" + "a1b2c3d4" * 4
    messages = [asks("c", "login", json.dumps({"key": key})), tells("c", json.dumps({"token": key})), says(key)]
    row = tau_row(0, 0, 0.0, traj=messages)
    row["info"]["task"]["instruction"] = f"Use {key}."
    log = [row, tau_row(1, 0, 0.0, info={"error": f"401 for {key}"}, traj=[])]

    run = api.import_run("tau_bench", json.dumps(log), store=store)

    told, void = run.trials
    assert told.trace[0].arguments == {"key": "[redacted]"}
    assert told.trace[0].reply == {"token": "[redacted]"}
    assert void.detail == "401 for [redacted]"
    assert run.header.tasks[0].input == "Use [redacted]."
    assert key.encode() not in b"".join(path.read_bytes() for path in store.parent.iterdir())


def test_options_of_a_format_are_options_of_import(run_import: Import, store: Path) -> None:
    """What an importer can be told is typed as it is called: again and again where it is a mapping."""
    rows = '{"case": {"id": "a"}, "rating": 0.9}\n{"case": {"id": "a"}, "rating": 0.7}'

    code = run_import(rows, "--map", "task=case.id", "--map=score=rating", "--threshold", "0.8")

    run = only_run(store)
    assert code == 0
    assert run.trials.counts().passed == (1,)
    assert run.header.grader == "imported(jsonl, threshold=0.8)"


@pytest.mark.parametrize("threshold", ["0.8", ".8", "80%", "80 %"])
def test_threshold_is_typed_like_any_share(threshold: str, run_import: Import, store: Path) -> None:
    """A threshold is a fraction, with or without its zero, or a per cent."""
    code = run_import('{"task": "a", "score": 0.9}\n{"task": "a", "score": 0.7}', "--threshold", threshold)

    assert code == 0
    assert only_run(store).header.grader == "imported(jsonl, threshold=0.8)"


def test_options_may_stand_before_the_format(tmp_path: Path, store: Path) -> None:
    """The order of the words does not matter, as everywhere."""
    path = tmp_path / "log.csv"
    path.write_text("task;passed\na;1\n", encoding="utf-8")

    code = call(["import", "--suite", "tau-bench", "--store", str(store), "--delimiter", ";", "csv", str(path)])

    assert code == 0
    assert only_run(store).header.suite == "tau-bench"
    assert only_run(store).trials.counts().passed == (1,)


def test_help_shows_the_options_of_the_format(capsys: pytest.CaptureFixture[str]) -> None:
    """`import FORMAT --help` has the format's own options, and `import --help` those of all."""
    for words in (["import", "csv", "--help"], ["import", "tau-bench", "--help"], ["import", "--help"]):
        assert call(words) == 0
    csv, tau, every = capsys.readouterr().out.split("Usage: ")[1:]

    for option in ("--map COLUMN=PATH", "--threshold SCORE", "--delimiter CHARACTER"):
        assert option in csv
        assert option not in tau
        assert option not in every
    assert all("--suite NAME" in said for said in (csv, tau, every))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--map", "task"], "--map: write COLUMN=PATH, not 'task'"),
        (["--map", "=x"], "--map: write COLUMN=PATH, not '=x'"),
        (["--map", "task=a", "--map", "task=b"], "--map: 'task' is given twice, as 'a' and as 'b'"),
        (["--map", "tsk=a"], "passhat: --map: there is no column 'tsk': did you mean 'task'?"),
        (["--threshold", "high"], "passhat: --threshold: a number from 0 to 1, such as 0.5 or 50%, not 'high'"),
        (["--threshold", "2"], "passhat: --threshold: a number from 0 to 1, such as 0.5 or 50%, not '2'"),
        (["--threshold", "nan"], "passhat: --threshold: a number from 0 to 1, such as 0.5 or 50%, not 'nan'"),
        (["--delimiter", ";"], "No such option '--delimiter'"),
        (["--treshold", "1"], "--threshold"),
    ],
)
def test_wrong_option_is_one_sentence(
    options: list[str], sentence: str, run_import: Import, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What an option cannot be, or a format does not have, is said in one sentence, and nothing is stored."""
    code = run_import(LOG, *options)

    (said,) = capsys.readouterr().err.splitlines()
    assert code == 2
    assert sentence in said
    assert not store.exists()


def test_unknown_setting_of_a_format_is_named(store: Path) -> None:
    """From Python, too, a format is told only what it knows."""
    with pytest.raises(UsageError, match="the format jsonl has no setting 'treshold': did you mean threshold"):
        api.import_run("jsonl", LOG, store=store, treshold=0.8)


@pytest.mark.parametrize("threshold", ["many", 2, -0.1])
def test_setting_of_the_wrong_size_is_named(threshold: object, store: Path) -> None:
    """From Python a complaint about a setting begins with its name and says its range."""
    with pytest.raises(UsageError, match=r"threshold"):
        api.import_run("jsonl", LOG, store=store, threshold=threshold)


@pytest.mark.parametrize(
    ("start", "what"),
    [(b"\x1f\x8b\x08\x00", "packed by gzip"), (b"PK\x03\x04", "a zip archive"), (b"SQLite format 3\x00", "an SQLite")],
)
def test_packed_files_are_called_what_they_are(
    start: bytes, what: str, run_import: Import, capsys: pytest.CaptureFixture[str]
) -> None:
    """An archive or a database is refused by its name, not by its first odd byte."""
    code = run_import(start + b"\x00" * 10)

    assert code == 2
    assert f"log.jsonl is {what}" in capsys.readouterr().err


class FullStore(SqliteStore):
    """A store that has room for a header and for no trial."""

    def append(self, run_id: str, rows: Sequence[TrialRow]) -> None:
        """Refuse."""
        raise UsageError(f"no room for {len(rows)} trials of {run_id}")


def test_store_that_fails_keeps_nothing(store: Path) -> None:
    """Where the trials cannot be stored, no empty run is left."""
    full = FullStore(store)

    with pytest.raises(UsageError, match="no room"):
        api.import_run("jsonl", LOG, store=full)

    assert list(full.runs()) == []


def test_store_may_be_handed_in(store: Path) -> None:
    """The imported run is in the store that was handed in, and each import is a run of its own."""
    opened = SqliteStore(store)

    headers: list[Header] = [api.import_run("jsonl", LOG, store=opened).header for _ in range(2)]

    assert [listing.id for listing in opened.runs()] == [header.id for header in reversed(headers)]
    assert headers[0].design_digest == headers[1].design_digest
