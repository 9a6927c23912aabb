"""`export`, `diff` and `show`: trials as rows for other tools, two held against each other, one by itself."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.children import LIMIT
from tests.cli.said import Passhat

PAYING = """
from passhat import Suite, Task, graders
from passhat.errors import ToolError


class Desk:
    def __init__(self):
        self.paid = []
        self.tools = {"pay": self.pay, "ring": self.ring}

    async def pay(self, amount):
        self.paid.append(amount)
        return "paid"

    async def ring(self):
        return "somebody comes"

    def snapshot(self):
        return list(self.paid)


suite = Suite(name="desk", tasks=[Task("pay", "Pay 5.", expect=[5])], world=Desk, grader=graders.end_state())


async def agent(message, tools):
    try:
        await tools.pay(amount=5)
    except ToolError:
        await tools.pay(amount=5)
    return "Done."


async def rings(message, tools):
    try:
        await tools.pay(amount=5)
    except ToolError:
        await tools.ring()
    return "Done."
"""
FAULT = "rate_limit(retry_after=0.0, dose=once_at(1))"


@pytest.fixture(autouse=True)
def paying(folder: Path) -> None:
    """A suite whose agent meets a fault."""
    (folder / "paying.py").write_text(PAYING)


def ran(passhat: Passhat, agent: str = "agent") -> None:
    """Two trials, clean and under a fault."""
    said = passhat("run", "paying.py", "--agent", f"paying.py:{agent}", "--under", FAULT, "-n", "2", "-q")
    assert said.code == 0


def test_export_writes_a_row_a_trial(passhat: Passhat) -> None:
    """Each line is one JSON object, in the order of the trials."""
    ran(passhat)
    said = passhat("export", "--format", "evalrun")
    rows = [json.loads(line) for line in said.out.splitlines()]

    assert (said.code, said.err) == (0, "")
    assert [(row["trial"], row.get("inject"), row["recoveryPath"], row["passed"]) for row in rows] == [
        (1, None, "none", True),
        (1, "rate-limit", "retry", True),
        (2, None, "none", True),
        (2, "rate-limit", "retry", True),
    ]


def test_export_as_json_is_one_document(passhat: Passhat) -> None:
    """With --json the rows are one array; with -q there is their number alone."""
    ran(passhat)

    lines = [json.loads(line) for line in passhat("export", "latest").out.splitlines()]

    assert json.loads(passhat("export", "--json").out) == lines
    assert passhat("export", "-q").out == "4\n"


def test_export_uses_what_is_declared(passhat: Passhat) -> None:
    """A tool that calls a person is a hand-over where it is named as one, and a stand-in where it is that."""
    ran(passhat, "rings")

    def paths(*options: str) -> set[str]:
        rows = [json.loads(line) for line in passhat("export", *options).out.splitlines()]
        return {row["recoveryPath"] for row in rows if "inject" in row}

    assert paths() == {"none"}
    assert paths("--handoff", "ring") == {"user-handoff"}
    assert paths("--substitutes", "pay, ring") == {"fallback"}


def test_export_goes_by_what_the_suite_declares(folder: Path, passhat: Passhat) -> None:
    """Nothing needs to be said again, `show` says the same, and what is said here takes the suite's place."""
    declares = "suite = Suite(declared=graders.Declared(handoff=('ring',)), name="
    (folder / "paying.py").write_text(PAYING.replace("suite = Suite(name=", declares))
    ran(passhat, "rings")

    rows = [json.loads(line) for line in passhat("export").out.splitlines()]
    assert {row["recoveryPath"] for row in rows if "inject" in row} == {"user-handoff"}
    assert "at step 1: user-handoff" in passhat("show", "pay", "0", "--under", FAULT).out
    assert '"user-handoff"' not in passhat("export", "--handoff", "pay").out


def test_export_notes_a_tool_that_nobody_called(passhat: Passhat) -> None:
    """A mistyped name changes no row, so the reader is told, and the rows stay rows."""
    ran(passhat, "rings")
    said = passhat("export", "--handoff", "rign", "--idempotent", "p*")

    assert said.err == "note: --handoff rign: no trial of this run called such a tool: did you mean ring?\n"
    assert all(json.loads(line) for line in said.out.splitlines())


def test_export_shows_the_schema(passhat: Passhat) -> None:
    """The published schema comes with the program, and needs no store."""
    said = passhat("export", "--schema")

    assert json.loads(said.out)["title"] == "EvalRun"


def test_export_of_nothing_is_refused(passhat: Passhat) -> None:
    """A format that there isn't, a store that there isn't, a run that there isn't: one sentence each."""
    assert passhat("export", "--format", "csv").refused("'csv' is not one of 'evalrun', 'passhat'")
    assert passhat("export").refused("passhat.db")
    ran(passhat)
    assert passhat("export", "nope").refused("nope")


def test_run_moves_from_store_to_store(folder: Path, passhat: Passhat) -> None:
    """A run that is exported and imported is the same run: the same report, and the same bytes once more."""
    ran(passhat)
    (folder / "run.jsonl").write_text(passhat("export", "--format", "passhat").out)

    said = passhat("import", "passhat", "run.jsonl", "--store", "other.db", "-q")

    assert (said.code, said.err) == (0, "")
    assert passhat("export", "--format", "passhat", "--store", "other.db").out == (folder / "run.jsonl").read_text()
    assert passhat("report", "--store", "other.db").out == passhat("report").out
    assert passhat("export", "--format", "passhat", "-q").out == "4\n"
    assert len(json.loads(passhat("export", "--format", "passhat", "--json").out)) == 6


def test_damaged_run_is_refused(folder: Path, passhat: Passhat) -> None:
    """A file that was cut makes no run; a run that is there already, and rows of another format, are named."""
    ran(passhat)
    whole = passhat("export", "--format", "passhat").out
    (folder / "run.jsonl").write_text(whole)
    (folder / "cut.jsonl").write_text(whole[:-50])
    (folder / "rows.jsonl").write_text(passhat("export").out)

    assert passhat("import", "passhat", "run.jsonl").refused("the store passhat.db holds run ")
    assert passhat("import", "passhat", "cut.jsonl").refused("cut.jsonl:6: it breaks off here")
    assert passhat("import", "passhat", "rows.jsonl").refused("rows.jsonl:1: these are EvalRun rows")
    assert len(passhat("runs", "-q").out.splitlines()) == 1


def test_run_takes_no_option_of_rows(passhat: Passhat) -> None:
    """What is about EvalRun rows is refused for a whole run, all at once."""
    ran(passhat)

    assert passhat("export", "--format", "passhat", "--schema", "--handoff", "ring").refused(
        "--schema is about EvalRun rows", "--handoff is about EvalRun rows"
    )


def test_states_of_a_clean_run_are_written_for_a_grader(passhat: Passhat) -> None:
    """By task, each state once, whatever the number of trials and the faults of others."""
    ran(passhat)

    assert json.loads(passhat("states").out) == {"pay": [[5]]}
    assert passhat("states", "latest", "--json").out == passhat("states").out
    assert passhat("states", "-q").out == "1\n"
    assert json.loads(passhat("states", "--ids", "*").out) == {"pay": [["#1"]]}
    assert json.loads(passhat("states", "--ignore", "0", "--unordered", ".").out) == {"pay": [[]]}


def test_run_without_a_state_to_accept_is_refused(folder: Path, passhat: Passhat) -> None:
    """An agent that never passes leaves nothing that a grader should accept."""
    (folder / "paying.py").write_text(PAYING.replace("tools.pay(amount=5)", "tools.pay(amount=6)"))
    passhat("run", "paying.py", "--agent", "paying.py:agent", "-n", "2", "-q")

    assert passhat("states").refused("no clean trial passed in a world with a snapshot()")


def test_reader_that_goes_changes_nothing(folder: Path, passhat: Passhat) -> None:
    """`passhat export | head` ends in peace."""
    ran(passhat)
    command = f"{sys.executable} -m passhat export | head -c 10"
    ended = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], cwd=folder, capture_output=True, timeout=LIMIT, check=False
    )

    assert (ended.returncode, len(ended.stdout), ended.stderr) == (0, 10, b"")


def test_show_says_how_a_fault_was_taken(passhat: Passhat) -> None:
    """`passhat show` reads recovery beside the clean trial of the same index."""
    ran(passhat)
    shown = passhat("show", "pay", "0", "--under", FAULT).out

    assert "rate_limit at step 1: retry, after 1 call" in shown
    assert "recovered: the end state is correct, and the agent claims success" in shown
    assert "recovery" not in passhat("show", "pay", "0", "--under", "clean").out


def test_diff_shows_where_trials_part(passhat: Passhat) -> None:
    """Two trials under two conditions part at the fault; -q gives the call, --json all of it."""
    ran(passhat)
    words = ("diff", "pay", "0", "1", "--under", FAULT, "--against", "clean")

    said = passhat(*words)

    assert (said.code, said.err) == (0, "")
    assert "they part at call 1: fault, reply, what upstream did" in said.out
    assert passhat(*words, "-q").out == "1\n"
    assert json.loads(passhat(*words, "--json").out) == {
        "task": "pay",
        "trials": [0, 1],
        "place": 0,
        "differs": ["fault", "reply", "what upstream did"],
        "same": 0,
    }


def test_diff_of_twins_says_so(passhat: Passhat) -> None:
    """Two clean trials of an agent that draws nothing are alike."""
    ran(passhat)

    assert "they make the same 1 call, and end alike" in passhat("diff", "latest", "pay", "0", "1").out
    assert passhat("diff", "pay", "0", "1", "-q").out == "none\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "diff takes [RUN] TASK I J, where I and J count trials from 0, not -"),
        (("pay", "0"), "diff takes [RUN] TASK I J"),
        (("pay", "0", "x"), "diff takes [RUN] TASK I J"),
        (("pey", "0", "1"), "did you mean pay?"),
        (("pay", "0", "7"), "has no trial 7 of task 'pay' under clean (it planned 2, from 0)"),
        (("pay", "0", "1", "--under", "typos(0.5)"), "there is no condition"),
        (("nope", "pay", "0", "1"), "nope"),
    ],
)
def test_diff_refuses_what_is_not_there(words: tuple[str, ...], sentence: str, passhat: Passhat) -> None:
    """One sentence says what is wrong."""
    ran(passhat)

    assert passhat("diff", *words).refused(sentence)
