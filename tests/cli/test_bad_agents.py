"""What agents and graders get wrong while a run lasts: it becomes data in a trial, and the run goes on."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.said import Passhat

AGENTS = """
import asyncio
import sys

from passhat import Suite, Task, graders


async def answer(message):
    return message[-1]


def forgot(message):
    return answer(message)


async def forgot_too(message):
    return answer(message)


async def judge(evidence):
    return True


def truthy(evidence):
    return "yes"


def breaks(evidence):
    raise LookupError("no such thing")


tasks = [Task("a", "say a", expect="a")]
unawaited = Suite(tasks=tasks, grader=graders.predicate(lambda evidence: judge(evidence)))
awaited = Suite(tasks=tasks, grader=graders.predicate(judge))
unsure = Suite(tasks=tasks, grader=graders.predicate(truthy))
broken = Suite(tasks=tasks, grader=graders.predicate(breaks))


def raises(message):
    if message == "say a":
        raise ValueError("two\\nlines \\x1b[31m")
    return message[-1]


class Odd(BaseException):
    pass


def odd(message):
    if message == "say a":
        raise Odd("odd")
    return message[-1]


async def odd_too(message):
    return odd(message)


def leaves(message):
    if message == "say a":
        sys.exit(0)
    return message[-1]


def interrupts(message):
    if message == "say a":
        raise KeyboardInterrupt
    return message[-1]


async def hangs(message):
    if message == "say a":
        await asyncio.Event().wait()
    return message[-1]


def talks(message):
    print("first words", "\\x1b[2J")
    print("x" * 5_000_000)
    print("y" * 5_000_000, file=sys.stderr)
    return message[-1]


def thing(message):
    return object()


def nan(message):
    return {"deep": [float("nan")]}


def surrogate(message):
    return "only \\ud800"


def circle(message):
    found = []
    found.append(found)
    return found


def endless(message):
    return "z" * 5_000_000


def bytes_(message):
    return b"\\xff\\x00"


def yields(message):
    yield "a"


def nothing(message):
    return None
"""


@pytest.fixture(autouse=True)
def agents(folder: Path) -> None:
    """Agents that go wrong."""
    (folder / "agents.py").write_text(AGENTS)


def run(passhat: Passhat, agent: str, *more: str, trials: int = 20) -> int:
    """The exit code of a run of *agent* on the two letters; it says nothing but its verdict."""
    said = passhat("run", "suite.py", "--agent", f"agents.py:{agent}", "-n", str(trials), "-q", *more)
    assert said.err == ""
    assert len(said.out) < 500
    return said.code


def trial(passhat: Passhat, task: str) -> dict[str, Any]:
    """The first trial of *task* in the latest run; it can be shown to a person, too."""
    shown = passhat("show", task, "0")
    assert (shown.code, shown.err) == (0, "")
    assert "\x1b" not in shown.out
    assert len(shown.out) < 20_000
    value: dict[str, Any] = json.loads(passhat("show", task, "0", "--json").out)["value"]
    return value


@pytest.mark.parametrize("agent", ["forgot", "forgot_too"])
def test_agent_that_was_not_awaited_never_passes(agent: str, passhat: Passhat) -> None:
    """An async agent that somebody forgot to await is CRASH in every trial, which breaks every rule."""
    assert run(passhat, agent, "--require", "pass^1 >= 0.05", trials=40) == 1
    assert run(passhat, agent, "--require", "pass@1 >= 0.05", trials=40) == 1
    assert trial(passhat, "a")["outcome"] == "CRASH"
    assert "coroutine that nobody awaited" in passhat("show", "a").out


@pytest.mark.parametrize("rule", [(), ("--require", "pass^1 >= 0.05"), ("--require", "void_share <= 0.99")])
@pytest.mark.parametrize(
    ("suite", "says"),
    [
        ("unawaited", "coroutine that nobody awaited"),
        ("unsure", "returned 'yes', which is neither True, False nor a Grade"),
        ("broken", "the grader raised LookupError: no such thing (agents.py:"),
    ],
)
def test_grader_that_gives_no_grade_never_passes(
    suite: str, says: str, rule: tuple[str, ...], passhat: Passhat
) -> None:
    """A grader that was not awaited, or gives no grade, leaves nothing graded: 3, whatever the rules are."""
    said = passhat("run", f"agents.py:{suite}", "--agent", "agents.py:answer", "-n", "20", "-q", *rule)

    assert (said.code, said.out.splitlines()[0]) == (3, "INCONCLUSIVE")
    assert trial(passhat, "a")["outcome"] == "VOID"
    assert says in " ".join(passhat("show", "a").out.split())


def test_async_grader_is_awaited(passhat: Passhat) -> None:
    """An async grader that is handed over as it is, is awaited."""
    said = passhat("run", "agents.py:awaited", "--agent", "agents.py:answer", "-n", "2", "-q")

    assert (said.code, said.err) == (0, "")
    assert trial(passhat, "a")["outcome"] == "PASS"


@pytest.mark.parametrize(
    ("agent", "outcome", "says"),
    [
        ("raises", "CRASH", r"ValueError: two\nlines \x1b[31m (agents.py:"),
        ("odd", "CRASH", "Odd: odd"),
        ("odd_too", "CRASH", "Odd: odd"),
        ("leaves", "CRASH", "SystemExit: 0"),
        ("interrupts", "CRASH", "KeyboardInterrupt"),
        ("hangs", "TIMEOUT", "no answer within 0.05 s"),
    ],
)
def test_agent_that_goes_wrong_is_data(agent: str, outcome: str, says: str, passhat: Passhat) -> None:
    """What an agent raises, or that it hangs, is a trial with the reason, and the other trials are made."""
    limit = "0.05" if outcome == "TIMEOUT" else "30"  # a busy machine must not make a timeout of a crash
    assert run(passhat, agent, "--timeout", limit, trials=3) == 0
    assert trial(passhat, "a")["outcome"] == outcome
    assert trial(passhat, "b")["outcome"] == "PASS"
    assert says in passhat("show", "a").out
    assert json.loads(passhat("runs", "--json").out)[0]["stored"] == 6


def test_what_agents_print_is_kept_with_the_trial(passhat: Passhat) -> None:
    """The screen stays clean; the beginning of what was printed stands in the trial, and how long it was."""
    assert run(passhat, "talks", trials=1) == 0
    printed = trial(passhat, "a")["printed"]

    assert printed.startswith("first words")
    assert len(printed) < 11_000
    assert printed.endswith("(cut: 10,000,019 characters were printed)")
    assert "printed\n  first words" in passhat("show", "a").out


@pytest.mark.parametrize("agent", ["thing", "nan", "surrogate", "circle", "endless", "bytes_", "nothing"])
def test_answer_that_json_cannot_hold_is_kept(agent: str, passhat: Passhat) -> None:
    """Whatever an agent returns is stored as well as it can be, shown, and fails where it is not what was asked."""
    assert run(passhat, agent, "--require", "pass^1 >= 0.5") == 1
    found = trial(passhat, "b")

    assert found["outcome"] == "FAIL"
    assert passhat("report", "--json").code == 0
    assert passhat("report", "--format", "markdown").code == 0


def test_agent_that_is_a_generator_is_refused(passhat: Passhat) -> None:
    """A function with `yield` in it does nothing when it is called: one sentence, before anything runs."""
    said = passhat("run", "suite.py", "--agent", "agents.py:yields")

    assert (said.code, said.out) == (2, "")
    assert "agents.yields is a generator" in said.err
