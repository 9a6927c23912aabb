"""`passhat minimize`: what is left of a failing trial's faults, on a screen, in a line, as JSON, in fresh processes."""

import json
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.children import LIMIT, hearing, limited
from tests.cli.said import Passhat

PAYING = """
import fcntl
import os
import signal
from pathlib import Path

from passhat import Suite, Task, graders
from passhat.errors import ToolError


class Desk:
    reads = ("look",)

    def __init__(self):
        self.paid = []
        self.tools = {"look": self.look, "pay": self.pay}

    def look(self):
        return "an order"

    def pay(self, amount):
        self.paid.append(amount)
        return "paid"

    def snapshot(self):
        return list(self.paid)


suite = Suite(name="desk", tasks=[Task("pay", "Pay 5.", expect=[5])], world=Desk, grader=graders.end_state())
other = Suite(name="desk", tasks=[Task("pay", "Pay 6.", expect=[5])], world=Desk, grader=graders.end_state())
made = []


async def agent(message, tools):
    print("hello from the agent")
    for call in (tools.look, lambda: tools.pay(amount=5)):
        try:
            await call()
        except ToolError:
            await call()
    return "Done."


async def tired(message, tools):
    made.append(message)
    if len(made) == 1:
        return await agent(message, tools)
    try:
        await tools.pay(amount=5)
    except ToolError:
        pass
    return "Done."


def dies(message, tools):
    os.kill(os.getpid(), signal.SIGKILL)


def stays(message, tools):
    held = open(f"lock-{os.getpid()}", "w")
    fcntl.flock(held, fcntl.LOCK_EX)  # shared with the child: free only when both are gone
    if os.fork():
        Path(held.name.replace("lock", "begun")).touch()
    signal.pause()
"""
LOST = "lost_reply(hang=0.0, dose=once_at(1), match=pay)"
BUSY = "rate_limit(retry_after=0.0, dose=once_at(1), match=look)"
FAULTS = f"{LOST} & {BUSY}"
QUICK = ("--confidence", "0.5", "--under", LOST)  # few trials, where each is a process


@pytest.fixture(autouse=True)
def stored(folder: Path, passhat: Passhat) -> None:
    """A run of two trials, clean, under two faults and under one of them; under a lost reply the agent pays twice."""
    (folder / "paying.py").write_text(PAYING)
    said = passhat("run", "paying.py", "--agent", "paying.py", "--under", FAULTS, "--under", LOST, "-n", "2", "-q")
    assert said.code == 0


def words(*options: str, agent: str = "agent", suite: str = "suite", index: str = "1") -> tuple[str, ...]:
    """The command line that minimizes the second trial."""
    return ("minimize", "latest", "pay", index, f"paying.py:{suite}", "--agent", f"paying.py:{agent}", *options)


def test_minimize_says_what_is_left(passhat: Passhat) -> None:
    """Without --under the condition with a fault is meant; what it met, what was tried, and what is left are shown."""
    said = passhat(*words())

    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("pay · lost_reply(")
    assert "    1  rate_limit at call 1 of look\n    2  lost_reply at call 1 of pay\n" in said.out
    assert "none            0/9   [0.00, 0.49]        passes\n" in said.out
    assert "1 of 2 is enough: with 2 alone (lost_reply at call 1 of pay) it fails in 13 of 13 trials" in said.out
    assert f"as a condition of its own\n  {LOST}\n" in said.out


def test_last_line_makes_it_again(passhat: Passhat) -> None:
    """The command that is shown makes the trial with what is left, and it fails."""
    line = passhat(*words()).out.splitlines()[-1]
    program, *again = shlex.split(line)

    assert program == "passhat"
    assert again[-2:] == ["--only", "2"]
    assert passhat(*again, "-q").out == "1/1\n"


def test_condition_that_is_shown_can_be_run(passhat: Passhat) -> None:
    """-q gives the condition alone, under which the agent fails."""
    condition = passhat(*words("-q")).out.strip()
    said = passhat("run", "paying.py", "--agent", "paying.py", "--under", condition, "--no-clean", "-n", "2", "-q")

    assert condition == LOST
    assert said.out.startswith("0 of 2 trials passed")


def test_minimize_as_json(passhat: Passhat) -> None:
    """--json gives one object that holds all that the screen says."""
    said = json.loads(passhat(*words("--json")).out)

    assert said["suspects"][1] == {"number": 2, "what": "lost_reply at call 1 of pay"}
    assert [(one["numbers"], one["failed"], one["n"], one["decision"]) for one in said["tried"]] == [
        ([], 0, 9, "passes"),
        ([1, 2], 11, 11, "fails"),
        ([1], 0, 12, "passes"),
        ([2], 13, 13, "fails"),
    ]
    assert (said["smallest"], said["doubtful"], said["smallest_as_condition"]) == ([2], [], LOST)
    assert said["again"].endswith("--only 2")


def test_rate_and_tries_are_heard(passhat: Passhat) -> None:
    """Another rate takes another number of trials."""
    said = json.loads(passhat(*words("--json", "--rate", "20%", "--confidence", ".9", "--tries", "80")).out)

    assert (said["rate"], said["confidence"]) == (0.2, 0.9)
    assert said["tried"][0]["n"] > 9


def test_screen_is_not_wider_than_it_is(passhat: Passhat, monkeypatch: pytest.MonkeyPatch) -> None:
    """On 80 columns only what is to be copied is longer."""
    monkeypatch.setenv("COLUMNS", "80")
    text = passhat(*words()).out

    assert [line for line in text.splitlines() if len(line) > 80] == [text.splitlines()[-1]]


def test_fresh_processes_keep_nothing(passhat: Passhat) -> None:
    """An agent that behaves after its first trial fails in none that follow, and in each process of its own."""
    here = passhat(*words(*QUICK, "--json", agent="tired"))
    fresh = passhat(*words(*QUICK, "--json", "--fresh", agent="tired"))

    assert (here.code, fresh.code) == (0, 0)
    assert json.loads(here.out)["smallest"] is None
    assert json.loads(fresh.out)["smallest"] == [1]


def test_process_that_dies_is_void(passhat: Passhat) -> None:
    """What kills its process is no evidence; that it did is said."""
    said = passhat(*words(*QUICK, "--fresh", agent="dies"))

    assert said.code == 0
    assert "no trial of it could be made, so nothing is known" in said.out
    assert "the trial's process was killed by SIGKILL" in said.out


def test_stopped_search_leaves_no_process(folder: Path) -> None:
    """Ctrl-C ends the search with exit 130, says how far it came, and kills each process with all that it started."""
    line = hearing("-m", "passhat", *words("--fresh", agent="stays"))
    with limited(
        subprocess.Popen(line, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    ) as child:
        while child.poll() is None and not list(folder.glob("begun-*")):
            pass
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=LIMIT)

    assert (child.returncode, out) == (130, "")
    assert err.splitlines()[-1] == "passhat: the search was stopped after 0 trials; nothing was kept"
    for path in folder.glob("lock-*"):
        free = [sys.executable, "-c", "import fcntl, sys; fcntl.flock(open(sys.argv[1]), fcntl.LOCK_EX)", str(path)]
        subprocess.run(free, timeout=LIMIT, check=True)


def test_minimize_is_not_added_to_the_run(passhat: Passhat) -> None:
    """The store says afterwards what it said before."""
    before = passhat("export").out
    passhat(*words())

    assert passhat("export").out == before


@pytest.mark.parametrize(
    ("line", "sentences"),
    [
        (("minimize", "nope", "pay", "0", "paying.py", "--agent", "paying.py"), ["nope"]),
        (words("--under", "clean"), ["under clean passed, and what is looked for is what makes a trial fail"]),
        (words("--tries", "x"), ["tries: a whole number from 1 on, not 'x'"]),
        (words("--rate", "much", "--tries", "0"), ["rate: a number above 0 and below 1, not 'much'", "tries: a whole"]),
        (words("--timeout", "0"), ["timeout: more than 0 seconds"]),
        (words("--timeout", "x", "--fresh"), ["timeout: a number of seconds"]),
        (words(suite="other"), ["task 'pay' has changed in input"]),
        (words(index="7"), ["has no trial 7 of task 'pay'"]),
        (words()[:-2], ["name it with --agent"]),
        (("replay", *words("--only", "1,x")[1:]), ["--only: numbers such as 1,3, or 'none', not '1,x'"]),
        (("replay", *words("--only", "3", "--under", FAULTS)[1:]), ["only: there is no number 3 in this trial"]),
    ],
)
def test_minimize_refuses_what_makes_no_sense(line: tuple[str, ...], sentences: list[str], passhat: Passhat) -> None:
    """One sentence for each thing that is wrong."""
    assert passhat(*line).refused(*sentences)


def test_imported_run_is_refused(folder: Path, passhat: Passhat) -> None:
    """A run of another tool has no plan to follow."""
    (folder / "log.jsonl").write_text('{"task": "pay", "passed": false}\n')
    assert passhat("import", "jsonl", "log.jsonl", "--suite", "desk", "--agent", "theirs").code == 0

    assert passhat("minimize", "latest", "pay", "0", "paying.py", "--agent", "paying.py").refused("was imported from")
