"""`passhat replay`: one stored trial again, beside the stored one; what cannot be replayed is one sentence, exit 2."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.children import LIMIT, hearing
from tests.cli.said import Passhat

PAYING = """
import os
import signal

from passhat import Suite, Task, graders
from passhat.errors import ToolError


class Desk:
    def __init__(self):
        self.paid = []
        self.tools = {"pay": self.pay}

    def pay(self, amount):
        self.paid.append(amount)
        return "paid"

    def snapshot(self):
        return list(self.paid)


suite = Suite(name="desk", tasks=[Task("pay", "Pay 5.", expect=[5])], world=Desk, grader=graders.end_state())
other = Suite(name="desk", tasks=[Task("pay", "Pay 6.", expect=[5])], world=Desk, grader=graders.end_state())
graded = Suite(name="desk", tasks=[Task("pay", "Pay 5.", expect=[5])], world=Desk, grader=graders.equals())
empty = Suite(name="desk", tasks=[Task("ring", "Ring.", expect=[])], world=Desk, grader=graders.end_state())


async def agent(message, tools):
    print("hello from the agent")
    try:
        await tools.pay(amount=5)
    except ToolError:
        await tools.pay(amount=5)
    return "Done."


def trusts(message, tools):
    try:
        tools.pay(amount=5)
    except ToolError:
        pass
    return "Done."


calls = []


async def wavers(message, tools):
    calls.append(message)
    await (agent if len(calls) % 2 else trusting)(message, tools)
    return "Done."


async def trusting(message, tools):
    try:
        await tools.pay(amount=5)
    except ToolError:
        pass


async def stopped(message, tools):
    os.kill(os.getpid(), signal.SIGINT)
    return "Done."
"""
WAITING = """
import asyncio

from passhat import Suite, Task, graders

suite = Suite(name="waits", tasks=[Task("wait", "Wait.", expect="done")], grader=graders.contains())


async def agent(message, tools):
    await asyncio.sleep(20)
    return "done"
"""
FAULT = "lost_reply(hang=0.0, dose=once_at(1))"


@pytest.fixture(autouse=True)
def stored(folder: Path, passhat: Passhat) -> None:
    """A run of two trials, clean and under a fault; under the fault the agent pays twice."""
    (folder / "paying.py").write_text(PAYING)
    said = passhat("run", "paying.py", "--agent", "paying.py", "--under", FAULT, "-n", "2", "-q")
    assert said.code == 0


def words(*options: str, agent: str = "agent", suite: str = "suite") -> tuple[str, ...]:
    """The command line that replays the second trial."""
    return ("replay", "latest", "pay", "1", f"paying.py:{suite}", "--agent", f"paying.py:{agent}", *options)


def test_replay_shows_the_trial_beside_the_stored_one(passhat: Passhat) -> None:
    """Without --under the condition is meant under which the trial failed; it fails again, alike."""
    said = passhat(*words())

    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(f"pay · {FAULT} · trial 1\nFAIL")
    assert "they make the same 2 calls, and end alike" in said.out
    assert said.out.endswith("the outcome is the same: FAIL\n")


def test_replay_shows_where_another_agent_parts(passhat: Passhat) -> None:
    """A mended agent, which blocks, meets the same fault, and the first step that it takes otherwise is shown."""
    said = passhat(*words("--under", FAULT, agent="trusts"))

    assert said.code == 0
    assert "they part at call 2: number of calls" in said.out
    assert said.out.endswith("the outcome was FAIL, and is PASS now\n")


def test_replay_many_times_counts_the_stored_outcome(passhat: Passhat) -> None:
    """--times says in how many the outcome was the stored one, and shows one in which it was not."""
    said = passhat(*words("--times", "5", agent="wavers"))

    assert said.code == 0
    assert said.out.startswith("replay 2 of 5\n")
    assert "3 of 5 replays came to the stored outcome, FAIL (all: FAIL 3, PASS 2)" in said.out


def test_replay_in_short(passhat: Passhat) -> None:
    """-q gives how many of the replays ended as the stored trial did."""
    assert passhat(*words("-q")).out == "1/1\n"
    assert passhat(*words("-q", agent="trusts")).out == "0/1\n"


def test_replay_as_json(passhat: Passhat) -> None:
    """--json gives one object, in which the trial is whole."""
    said = json.loads(passhat(*words("--json", agent="trusts")).out)

    assert {name: said[name] for name in ("task", "index", "condition", "stored", "outcomes", "same", "times")} == {
        "task": "pay",
        "index": 1,
        "condition": FAULT,
        "stored": "FAIL",
        "outcomes": {"PASS": 1},
        "same": 0,
        "times": 1,
    }
    assert said["parting"] == {"place": 1, "differs": ["number of calls"], "same": 1}
    assert said["trial"]["value"]["faults"][0]["fault"] == "lost_reply"


def test_replay_is_not_added_to_the_run(passhat: Passhat) -> None:
    """The store says after a replay what it said before."""
    before = passhat("export").out
    passhat(*words("--times", "3"))

    assert passhat("export").out == before


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (("replay", "nope", "pay", "0", "paying.py", "--agent", "paying.py"), "nope"),
        (("replay", "latest", "pey", "0", "paying.py", "--agent", "paying.py"), "did you mean pay?"),
        (("replay", "latest", "pay", "7", "paying.py", "--agent", "paying.py"), "has no trial 7 of task 'pay'"),
        (("replay", "latest", "pay", "x", "paying.py", "--agent", "paying.py"), "'x' is not a valid integer"),
        (("replay", "latest", "pay", "0", "paying.py"), "name it with --agent"),
        (words("--under", "typos(0.5)"), "there is no condition in run"),
        (words("--times", "0"), "times: a whole number from 1 on, not 0"),
        (words("--times", "x"), "times: a whole number from 1 on, not 'x'"),
        (words(suite="other"), "task 'pay' has changed in input"),
        (words(suite="graded"), "the grader was 'end_state"),
        (words(suite="empty"), "the suite has no task 'pay'"),
        (words(suite="nothing"), "has no 'nothing'"),
    ],
)
def test_replay_refuses_what_is_not_there(line: tuple[str, ...], sentence: str, passhat: Passhat) -> None:
    """One sentence says what is wrong."""
    assert passhat(*line).refused(sentence)


def test_imported_run_is_refused(folder: Path, passhat: Passhat) -> None:
    """A run of another tool has no plan to follow."""
    (folder / "log.jsonl").write_text('{"task": "pay", "passed": true}\n')
    assert passhat("import", "jsonl", "log.jsonl", "--suite", "desk", "--agent", "theirs").code == 0

    assert passhat("replay", "latest", "pay", "0", "paying.py", "--agent", "paying.py").refused("was imported from")


def test_stopped_replay_says_that_nothing_was_kept(folder: Path) -> None:
    """Ctrl-C ends a replay with exit 130, and with no advice to go on with a run."""
    line = hearing("-m", "passhat", *words("--times", "9999", agent="stopped"))
    ended = subprocess.run(line, cwd=folder, capture_output=True, text=True, timeout=LIMIT, check=False)

    assert (ended.returncode, ended.stdout) == (130, "")
    assert ended.stderr.splitlines()[-1].endswith("of 9,999; nothing was kept")


@pytest.mark.parametrize("command", ["show", "diff", "replay"])
def test_condition_is_typed_as_for_run(command: str, passhat: Passhat) -> None:
    """Which trial is meant is said as `run` takes it, although the stored name says the dose."""
    typed = {
        "show": ("show", "latest", "pay", "1", "--under", "lost-reply(hang=0)", "--json"),
        "diff": ("diff", "latest", "pay", "1", "1", "--under", "clean", "--against", "lost_reply( hang = 0.0 )", "-q"),
        "replay": words("--under", "lost_reply(hang=0)", "--json"),
    }[command]

    said = passhat(*typed)

    assert said.code == 0
    assert FAULT in said.out or said.out == "1\n"


@pytest.mark.parametrize("typed", ["lost_reply(hang=1)", "no_such_fault()"])
def test_condition_that_the_run_has_not_is_named(typed: str, passhat: Passhat) -> None:
    """A condition that no trial was made under is refused, with the ones that are near."""
    (problem,) = passhat(*words("--under", typed)).problems

    assert problem.startswith("there is no condition in run ")
    assert FAULT in problem


def test_replay_has_the_time_limit_of_the_run(passhat: Passhat, folder: Path) -> None:
    """A trial that ended at the run's own limit does so again, unless a longer one is given."""
    (folder / "waits.py").write_text(WAITING)
    run = ("run", "waits.py", "--agent", "waits.py", "-n", "1", "--timeout", "0.05", "--time", "virtual", "-q")
    assert passhat(*run).code == 0
    again = ("replay", "latest", "wait", "0", "waits.py", "--agent", "waits.py", "--json")

    same, longer = passhat(*again), passhat(*again, "--timeout", "60")

    assert json.loads(same.out)["outcomes"] == {"TIMEOUT": 1}
    assert json.loads(longer.out)["outcomes"] == {"PASS": 1}
