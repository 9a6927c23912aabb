"""`passhat demo canary`: three verdicts on one screen, an exit code for builds, and agents of one's own."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest

from passhat.cli import demo
from tests.cli.said import Passhat

SHUT = """
def silent(message, tools):
    return "Done."


def rude(message, tools):
    print("a remark of the agent")
    raise RuntimeError("no")
"""
PATHWAYS = ["orchestration", "state evolution", "environmental feedback"]


@pytest.fixture
def mine(folder: Path) -> str:
    """A file with agents of the user's own."""
    (folder / "mine.py").write_text(SHUT)
    return "mine.py"


def test_demo_shows_the_trusting_clerk_and_exits_0(passhat: Passhat) -> None:
    """The bare demo fails on each of three pathways, and is no failed build."""
    said = passhat("demo", "canary")

    assert said.code == 0
    headings = [line for line in said.out.splitlines() if line.startswith(tuple(PATHWAYS))]
    assert [heading.partition("  FAIL  run ")[0] for heading in headings] == PATHWAYS
    assert "Of 200 that met one it recovers in 0, and in 200 it leaves the world wrong" in said.out.replace("\n  ", " ")


@pytest.mark.parametrize(("agent", "code"), [("trusting", 1), ("careful", 0), ("mine.py:silent", 3)])
def test_agent_that_is_named_decides_the_exit_code(agent: str, code: int, mine: str, passhat: Passhat) -> None:
    """With --agent it exits by the verdict: failed, passed, or no fault met and so no verdict."""
    assert passhat("demo", "canary", "--agent", agent).code == code


@pytest.mark.parametrize("columns", [72, 80, 100, 120])
@pytest.mark.parametrize("agent", ["trusting", "careful", "mine.py:silent"])
def test_it_fits_one_screen(
    agent: str, columns: int, mine: str, passhat: Passhat, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No line is wider than the terminal, and all of it is one screen."""
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = passhat("demo", "canary", "--agent", agent, "--store", "c.db").out.splitlines()

    assert len(lines) <= (50 if columns < 80 else 44)
    assert max(len(line) for line in lines if not line.startswith("see why")) <= columns


def test_hints_lead_on(passhat: Passhat) -> None:
    """What it shows to do next can be done: the trial that it names is there, and did not pass."""
    said = passhat("demo", "canary", "--store", "my nights.db")
    line = next(line for line in said.out.splitlines() if line.startswith("see why one failed: "))
    _, words = line.split(": passhat ")

    assert words.endswith(" --store 'my nights.db'")
    show = [*words.split()[:3], "--store", "my nights.db"]
    assert passhat(*show).out.splitlines()[1].startswith("FAIL")


def test_agent_that_passes_gets_no_hint_of_a_failure(passhat: Passhat) -> None:
    """Where nothing failed there is nothing to see."""
    out = passhat("demo", "canary", "--agent", "careful").out

    assert "see why" not in out
    assert "every number: passhat report " in out


def test_json_holds_three_reports(passhat: Passhat) -> None:
    """--json is one object: the worst verdict, and for each canary its run and its report."""
    said = passhat("demo", "canary", "--agent", "careful", "--json")
    found = json.loads(said.out)

    assert (said.code, said.err, found["verdict"]) == (0, "", "pass")
    assert [one["pathway"] for one in found["canaries"]] == PATHWAYS
    assert [one["report"]["summary"]["value"]["header"]["id"] for one in found["canaries"]] == [
        one["run"] for one in found["canaries"]
    ]


def test_quiet_is_the_verdicts(passhat: Passhat) -> None:
    """-q leaves the verdict of all and of each, and what speaks against them."""
    said = passhat("demo", "canary", "--agent", "careful", "-q")

    assert said.out.splitlines() == ["PASS", *(f"  {pathway}: PASS" for pathway in PATHWAYS)]
    assert said.err == ""
    assert "ended in silent corruption" in passhat("demo", "canary", "-q").out


def test_runs_are_stored_like_any_other(passhat: Passhat) -> None:
    """Each canary is a run of its own, which other commands read."""
    passhat("demo", "canary", "--agent", "careful", "-n", "3", "-q", "--store", "nights.db")

    assert len(passhat("runs", "-q", "--store", "nights.db").out.split()) == 3
    assert passhat("report", "--store", "nights.db").out.startswith("passhat  canary-environment")


def test_crash_is_the_agents(mine: str, passhat: Passhat) -> None:
    """An agent that raises has not passed; what it prints is no result."""
    said = passhat("demo", "canary", "--agent", f"{mine}:rude", "-n", "1", "--json")

    assert said.code == 3
    assert json.loads(said.out)["verdict"] == "inconclusive"


def test_all_that_is_wrong_is_said_at_once(mine: str, passhat: Passhat) -> None:
    """An agent that isn't there, and numbers that are none, are one complaint each, and nothing is stored."""
    said = passhat("demo", "canary", "--agent", f"{mine}:silnt", "-n", "x", "--timeout", "0", "--concurrency", "0")

    assert said.refused("did you mean silent?", "trials: ", "timeout: ", "concurrency: ")
    assert not Path("passhat.db").exists()


def test_no_agent_at_all_is_refused(passhat: Passhat) -> None:
    """An empty --agent, as of a variable that is not set, is no bare demo: a build must not pass by it."""
    assert passhat("demo", "canary", "--agent", "").refused("agent: there is none: name it with --agent")


def test_nearly_the_name_of_a_demo(passhat: Passhat) -> None:
    """A demo that there isn't is refused with those there are, and options before a demo's name are refused."""
    assert passhat("demo", "canry").refused("there is no demo 'canry'")
    assert passhat("demo", "--seed", "3", "canary").refused("stand behind its name")


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_says_what_it_does(flag: str, passhat: Passhat) -> None:
    """Help goes to standard output; every option says what it does."""
    said = passhat("demo", "canary", flag)
    command = demo.command.get_command(click.Context(demo.command), "canary")

    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("Usage: passhat demo canary")
    assert command is not None
    options = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
    assert [option.name for option in options if not (option.help or "")[:1].isupper()] == []


def test_help_of_the_demo_lists_it(passhat: Passhat) -> None:
    """`passhat demo --help` names what stands below it."""
    assert "  canary  " in passhat("demo", "--help").out
