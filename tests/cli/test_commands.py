"""What each command does where nothing is wrong: its result on standard output, its exit code, its short forms."""

import json
import re
import sqlite3
from pathlib import Path

import pytest

from passhat.errors import ExitCode
from tests.cli.said import Passhat

RUN = ("run", "suite.py:suite", "--agent", "suite.py:agent", "-n", "4")


@pytest.fixture
def run_id(passhat: Passhat) -> str:
    """The id of a run that was made."""
    assert passhat(*RUN).code == 0
    return passhat("runs", "-q").out.strip()


def test_run_shows_the_verdict(passhat: Passhat) -> None:
    """A run's report goes to standard output, its progress to standard error."""
    said = passhat(*RUN)

    assert said.code == 0
    assert said.out.startswith("passhat  letters · suite.agent · 2 tasks × 1 condition × 4 trials")
    assert "verdict  none: no rule was asked" in said.out
    assert re.fullmatch(r"(\d of 8 trials stored \(\d PASS\), .*\n)+", said.err)
    assert said.err.splitlines()[-1].startswith("8 of 8 trials stored (8 PASS)")


@pytest.mark.parametrize(
    ("suite", "agent"),
    [("suite.py:suite", "suite.py:agent"), ("suite.py", "suite.py"), ("suite", "suite:agent"), ("suite.py:", "suite:")],
)
def test_suite_and_agent_are_files_or_modules(suite: str, agent: str, passhat: Passhat) -> None:
    """Both are named as file.py:name or module:name; without a name they are `suite` and `agent`."""
    said = passhat("run", suite, "--agent", agent, "-n", "1", "-q")

    assert (said.code, said.err) == (0, "")
    assert passhat("runs", "--json").out.count('"agent": "suite.agent"') == 1


def test_file_is_found_from_elsewhere(folder: Path, passhat: Passhat) -> None:
    """A suite in another folder may import what lies beside it."""
    (folder / "deep").mkdir()
    (folder / "deep" / "beside.py").write_text("from suite import agent, suite\n")
    (folder / "suite.py").rename(folder / "deep" / "suite.py")

    assert passhat("run", "deep/beside.py", "--agent", "deep/beside.py", "-n", "1", "-q").code == 0


@pytest.mark.parametrize("name", ["json", "random", "passhat", "click", "numpy"])
def test_file_may_be_called_like_a_library(name: str, folder: Path, passhat: Passhat) -> None:
    """A suite in a `json.py` takes no library's place."""
    (folder / "suite.py").rename(folder / f"{name}.py")

    assert passhat("run", f"{name}.py", "--agent", f"{name}.py", "-n", "2", "--json").code == 0


def test_what_a_file_prints_is_no_result(folder: Path, passhat: Passhat) -> None:
    """A suite that prints while it is imported does not spoil the JSON on standard output."""
    with (folder / "suite.py").open("a") as file:
        file.write("print('loading')\n")

    said = passhat(*RUN, "--json")

    assert json.loads(said.out)["kind"] == "report"
    assert said.err == "loading\n"


def test_what_an_agents_threads_print_is_no_result(folder: Path, passhat: Passhat) -> None:
    """An agent that prints from threads of its own does not spoil the JSON on standard output."""
    (folder / "threads.py").write_text(
        "import threading\n"
        "def agent(message):\n"
        "    thread = threading.Thread(target=lambda: print('from a thread'))\n"
        "    thread.start()\n"
        "    thread.join()\n"
        "    return message[-1]\n"
    )

    said = passhat("run", "suite.py", "--agent", "threads.py", "-n", "1", "--json")

    assert json.loads(said.out)["kind"] == "report"


@pytest.mark.parametrize(
    ("agent", "trials", "rule", "code", "word"),
    [
        ("agent", "20", "pass^2 >= 0.80", ExitCode.PASS, "PASS"),
        ("wrong", "20", "pass^2 >= 0.80", ExitCode.FAIL, "FAIL"),
        ("agent", "3", "pass^2 >= 0.99", ExitCode.INCONCLUSIVE, "INCONCLUSIVE"),
    ],
)
def test_verdict_is_the_exit_code(
    agent: str, trials: str, rule: str, code: ExitCode, word: str, passhat: Passhat
) -> None:
    """0, 1 and 3 say pass, fail and inconclusive, from `run` and from `report` alike."""
    ran = passhat("run", "suite.py", "--agent", f"suite.py:{agent}", "-n", trials, "--require", rule, "-q")
    reported = passhat("report", "--require", rule, "-q")

    assert (ran.code, reported.code) == (code, code)
    assert ran.out.splitlines()[0] == reported.out.splitlines()[0] == word


def test_no_rule_is_no_promise(passhat: Passhat) -> None:
    """Where no rule was given, graded trials end with 0, and -q says how many passed."""
    said = passhat("run", "suite.py", "--agent", "suite.py:wrong", "-n", "2", "-q")

    assert said.code == 0
    assert said.out == "0 of 4 trials passed; no rule was asked (--require 'pass^5 >= 0.80')\n"


def test_rules_may_be_given_again(passhat: Passhat) -> None:
    """Every --require counts."""
    rules = ("--require", "pass^1 >= 0.01", "--require", "pass@1 >= 0.98")
    said = passhat("run", "suite.py", "--agent", "suite.py:half", "-n", "20", *rules, "-q")

    assert said.code == ExitCode.FAIL
    assert len(said.out.splitlines()) == 2


def test_under_adds_conditions(passhat: Passhat) -> None:
    """Each --under is a condition besides the clean one."""
    said = passhat(*RUN, "--under", "rate_limit(rate=0.2)", "--under", "typos(0.05) & rate_limit(rate=0.2)", "--json")

    conditions = json.loads(said.out)["summary"]["value"]["header"]["conditions"]
    assert conditions == ["clean", "rate_limit(rate=0.2)", "rate_limit(rate=0.2) & typos(0.05)"]


def test_no_clean_leaves_the_clean_condition_out(passhat: Passhat) -> None:
    """With --no-clean only what --under names is run."""
    said = passhat(*RUN, "--under", "typos(0.05)", "--no-clean", "--json")

    assert json.loads(said.out)["summary"]["value"]["header"]["conditions"] == ["typos(0.05)"]


def test_k_is_shown(passhat: Passhat, run_id: str) -> None:
    """-k chooses the k of `run` and of `report`."""
    assert json.loads(passhat(*RUN, "-k", "3", "--json").out)["summary"]["value"]["k"] == 3
    assert json.loads(passhat("report", run_id, "-k", "4", "--json").out)["summary"]["value"]["k"] == 4


def test_seed_decides(passhat: Passhat) -> None:
    """The same seed gives the same trials, another seed others."""
    seeds = []
    for seed in ("3", "3", "4"):
        passhat(*RUN, "--seed", seed, "-q")
        seeds.append(json.loads(passhat("show", "a", "0", "--json").out)["value"]["seed"])

    assert seeds[0] == seeds[1] != seeds[2]


def test_resume_of_a_whole_run_runs_nothing(passhat: Passhat, run_id: str) -> None:
    """A run that lacks nothing may be resumed, and is reported."""
    said = passhat(*RUN, "--resume", run_id[:5], "-q")

    assert said.code == 0
    assert passhat("runs", "-q").out.split() == [run_id]


def test_resume_needs_the_same_run(passhat: Passhat, run_id: str) -> None:
    """What differs from the run that is to go on is said, all of it, and nothing is run."""
    said = passhat("run", "suite.py", "--agent", "suite.py:half", "-n", "5", "--seed", "2", "--resume", "latest")

    assert said.refused("the seed was 0 and is 2", "the agent was 'suite.agent'", "the trials per task was 4")
    assert passhat("runs", "-q").out.split() == [run_id]


def test_report_renders_again(passhat: Passhat, run_id: str) -> None:
    """`report` shows what `run` showed, without the user's files."""
    first = passhat("report").out
    Path("suite.py").unlink()

    assert passhat("report", run_id).out == first
    assert "verdict  none: no rule was asked" in first


def test_markdown_stands_alone(passhat: Passhat, run_id: str) -> None:
    """`report --format markdown > x.md` writes Markdown, and nothing to standard error."""
    said = passhat("report", run_id, "--format", "markdown")

    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("## passhat: no verdict\n")


@pytest.mark.parametrize("more", [(), ("-q",), ("--format", "markdown")])
def test_json_is_json_whatever_else_is_asked(more: tuple[str, ...], passhat: Passhat, run_id: str) -> None:
    """--json wins over -q and --format."""
    assert json.loads(passhat("report", run_id, "--json", *more).out)["kind"] == "report"


@pytest.mark.parametrize("more", [(), ("-q",)])
def test_every_command_has_json(more: tuple[str, ...], folder: Path, passhat: Passhat) -> None:
    """Standard output with --json is one JSON document, from every command."""
    (folder / "log.jsonl").write_text('{"task": "t", "passed": true}\n')
    commands = [
        RUN,
        ("report",),
        ("runs",),
        ("show", "a"),
        ("import", "jsonl", "log.jsonl"),
        ("demo",),
        ("rm", "latest"),
    ]

    for words in commands:
        said = passhat(*words, "--json", *more)
        assert (said.code, said.err) == (0, "")
        json.loads(said.out)


def test_quiet_is_short(folder: Path, passhat: Passhat, run_id: str) -> None:
    """-q leaves the one word that a script wants."""
    assert passhat("runs", "-q").out == f"{run_id}\n"
    assert passhat("show", "a", "-q").out == "PASS\n"
    assert passhat("rm", run_id, "-q").out == f"{run_id}\n"


def test_runs_lists_the_newest_first(passhat: Passhat, run_id: str) -> None:
    """`runs` shows every run, the latest at the top."""
    passhat(*RUN, "--seed", "5")

    said = passhat("runs")

    assert said.code == 0
    assert len(said.out.splitlines()) == 3
    assert run_id in said.out.splitlines()[2]


@pytest.mark.parametrize("length", [8, 4])
def test_run_is_found_by_its_beginning(length: int, passhat: Passhat, run_id: str) -> None:
    """RUN is an id or the beginning of one, in every command that takes one."""
    assert passhat("report", run_id[:length], "-q").code == 0
    assert passhat("show", run_id[:length], "a", "-q").code == 0
    assert passhat("rm", run_id[:length], "-q").out == f"{run_id}\n"


def test_latest_is_the_default(passhat: Passhat, run_id: str) -> None:
    """Without RUN, `report` and `show` take the latest; `latest` says so."""
    passhat("run", "suite.py", "--agent", "suite.py:wrong", "-n", "1")

    assert passhat("report").out == passhat("report", "latest").out
    assert passhat("show", "a", "-q").out == passhat("show", "latest", "a", "-q").out == "FAIL\n"
    assert passhat("show", run_id, "a", "-q").out == "PASS\n"


def test_ambiguous_run_is_refused(folder: Path, passhat: Passhat) -> None:
    """The beginning of several runs is none: all that it may mean are named."""
    passhat(*RUN)
    passhat(*RUN)
    db = sqlite3.connect(folder / "passhat.db")
    with db:
        db.execute("UPDATE run SET name = 'ab' || id")
    db.close()

    assert passhat("report", "ab").refused("'ab' is the beginning of 2 runs in passhat.db: ab2, ab1")
    assert passhat("rm", "ab").refused("'ab' is the beginning of 2 runs")


@pytest.mark.parametrize("words", [("report", "zz"), ("show", "zz", "a"), ("rm", "zz"), (*RUN, "--resume", "zz")])
def test_unknown_run_names_the_latest(words: tuple[str, ...], passhat: Passhat, run_id: str) -> None:
    """A run that isn't there is one sentence that names those that are, and nothing is lost."""
    assert passhat(*words).refused(f"there is no run 'zz' in passhat.db; the latest are {run_id}")
    assert passhat("runs", "-q").out == f"{run_id}\n"


@pytest.mark.parametrize("words", [("report", ""), ("show", "", "a"), ("rm", ""), (*RUN, "--resume", "")])
def test_empty_run_is_not_the_only_run(words: tuple[str, ...], passhat: Passhat, run_id: str) -> None:
    """An empty RUN, as an unset variable of a shell gives it, means no run: nothing is deleted."""
    assert passhat(*words).refused("a run is named by its id")
    assert passhat("runs", "-q").out == f"{run_id}\n"


def test_store_names_another_file(folder: Path, passhat: Passhat) -> None:
    """--store puts the trials elsewhere, and every command finds them there."""
    passhat(*RUN, "--store", "other.db")

    assert not (folder / "passhat.db").exists()
    assert passhat("report", "--store", "other.db", "-q").code == 0
    assert passhat("show", "a", "--store", "other.db", "-q").out == "PASS\n"


def test_show_reads_like_a_story(passhat: Passhat, run_id: str) -> None:
    """`show` tells what was asked, what was answered and how it was graded."""
    said = passhat("show", "b", "2")

    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("b · clean · trial 2\nPASS\n")
    assert all(part in said.out for part in ("input\n  say b", "answer\n  b", "grades\n  pass  contains"))


def test_show_without_an_index_shows_what_went_wrong(folder: Path, passhat: Passhat) -> None:
    """Without an INDEX, `show` picks the first trial that did not pass."""
    (folder / "second.py").write_text(
        "asked = []\ndef agent(message):\n    asked.append(message)\n"
        "    return 'a' if asked.count(message) != 3 else 'no'\n"
    )
    passhat("run", "suite.py", "--agent", "second.py", "-n", "5", "--concurrency", "1")

    assert passhat("show", "a").out.startswith("a · clean · trial 2\nFAIL")
    assert passhat("show", "a", "0").out.startswith("a · clean · trial 0\nPASS")


def test_show_of_an_index_shows_where_it_went_wrong(folder: Path, passhat: Passhat) -> None:
    """Without --under, the trial of an INDEX is shown under the condition where it first did not pass."""
    (folder / "tool.py").write_text(
        "from passhat import Suite, Task, graders\n"
        "class World:\n    def __init__(self):\n        self.tools = {'say': lambda text: text}\n"
        "suite = Suite(tasks=[Task('a', 'say a', expect='a')], world=World, grader=graders.contains())\n"
        "def agent(message, tools):\n    return tools.say(text=message)\n"
    )
    under = ("--under", "rate_limit(rate=0)", "--under", "rate_limit(rate=1)")
    passhat("run", "tool.py", "--agent", "tool.py", "-n", "2", *under)

    said = passhat("show", "a", "1")

    assert said.out.startswith("a · rate_limit(rate=1.0) · trial 1\nCRASH")
    others = "PASS under clean · PASS under rate_limit(rate=0.0)"
    assert f"\nelsewhere: {others} (--under shows another)\n" in said.out
    assert passhat("show", "a", "1", "--under", "clean").out.startswith("a · clean · trial 1\nPASS")
    assert passhat("show", "a", "1", "-q").out == "CRASH\n"


def test_show_of_one_condition_names_no_other(passhat: Passhat, run_id: str) -> None:
    """Where the run has one condition, there is nothing elsewhere; a trial that passed everywhere is shown clean."""
    assert "elsewhere" not in passhat("show", "a", "0").out
    passhat(*RUN, "--under", "rate_limit(rate=0.2)")
    assert passhat("show", "b", "0").out.startswith("b · clean · trial 0\nPASS")


def test_show_takes_a_condition(passhat: Passhat) -> None:
    """--under chooses the condition, however its parts are ordered."""
    passhat(*RUN, "--under", "typos(0.3) & rate_limit(rate=0.2)")

    said = passhat("show", "a", "0", "--under", "rate_limit(rate=0.2) & typos(0.3)")

    assert said.out.startswith("a · rate_limit(rate=0.2) & typos(0.3) · trial 0")


def test_show_without_a_task_names_the_tasks(passhat: Passhat, run_id: str) -> None:
    """`passhat show` alone says which tasks there are."""
    assert passhat("show").refused(f"name a task: the latest run, {run_id}, has a, b")


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("c",), "called 'c': there are a, b"),
        (("a", "99"), "has no trial 99 of task 'a' (it planned 4, from 0)"),
        (("a", "--under", "typos(0.1)"), "called 'typos(0.1)': there are clean"),
        (("a", "--under", "typos("), "expected a value at character 7"),
        (("latest", "a", "0", "more"), "show takes [RUN] TASK [INDEX], not 4 words"),
    ],
)
def test_show_names_what_there_is(words: tuple[str, ...], part: str, passhat: Passhat, run_id: str) -> None:
    """A task, trial or condition that isn't there is one sentence that says what is."""
    assert passhat("show", *words).refused(part)


def test_task_may_be_called_like_a_number(folder: Path, passhat: Passhat) -> None:
    """A number at the end is the index, where that makes sense, and else the task."""
    (folder / "numbers.py").write_text(
        "from passhat import Suite, Task, graders\n"
        "suite = Suite(tasks=[Task('3', 'x', expect='x'), Task('b', 'y', expect='x')], grader=graders.equals())\n"
        "def agent(message):\n    return 'x'\n"
    )
    passhat("run", "numbers.py", "--agent", "numbers.py", "-n", "4")

    starts = {words: passhat("show", *words).out.split(" ·")[0::2] for words in SHOWN}

    assert {words: (start[0], start[1].split()[1]) for words, start in starts.items()} == SHOWN
    assert passhat("show", "zz", "3").refused("called 'zz'")


SHOWN = {
    ("3",): ("3", "0"),
    ("latest", "3"): ("3", "0"),
    ("b", "3"): ("b", "3"),
    ("3", "3"): ("3", "3"),
    ("latest", "3", "2"): ("3", "2"),
}


def test_label_and_version_name_the_agent(passhat: Passhat) -> None:
    """`--label` and `--agent-version` stand in the run, and a run goes on only with the same."""
    words = (*RUN, "-n", "2", "--label", "my bot")
    passhat(*words, "--agent-version", "1.2")

    listed = json.loads(passhat("report", "--json").out)
    resumed = [passhat(*words, "--agent-version", version, "--resume", "latest", "-q") for version in ("1.2", "1.3")]

    assert [listed["summary"]["value"]["header"][name] for name in ("agent", "agent_version")] == ["my bot", "1.2"]
    assert resumed[0].code == 0
    assert resumed[1].refused("the agent's version was '1.2' and is '1.3' now")


def test_rm_deletes(passhat: Passhat, run_id: str) -> None:
    """`rm` deletes a run, and says which."""
    said = passhat("rm", run_id)

    assert (said.code, said.err) == (0, "")
    assert said.out == f"deleted run {run_id} (letters, suite.agent) from passhat.db\n"
    assert passhat("runs").out == "no runs are stored\n"


def test_rm_names_its_run(passhat: Passhat, run_id: str) -> None:
    """`rm` alone deletes nothing: there is no default for it."""
    assert passhat("rm").refused("RUN")
    assert passhat("runs", "-q").out == f"{run_id}\n"


def test_demo_ends_with_0_whatever_it_shows(passhat: Passhat) -> None:
    """The demo shows a verdict that is not PASS, ends with 0, and its run is kept like any other."""
    said = passhat("demo", "-q")

    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines()[0] == "FAIL"
    assert passhat("report", "--require", "pass^5 >= 0.80", "-q").code == 1


def test_empty_store_says_how_to_fill_it(passhat: Passhat, run_id: str) -> None:
    """Where the last run was deleted, reading commands say what makes one."""
    passhat("rm", run_id)

    assert passhat("report").refused("there is no run in passhat.db yet: 'passhat run' makes one")
    assert passhat("show").refused("there is no run in passhat.db yet")


@pytest.mark.parametrize("columns", ["20", "60", "100", "300"])
def test_any_width_will_do(columns: str, passhat: Passhat, run_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is shown has from 72 to 160 columns, whatever the terminal says."""
    monkeypatch.setenv("COLUMNS", columns)

    for words in (("report", run_id), ("show", "a"), ("runs",)):
        said = passhat(*words)
        assert (said.code, said.err) == (0, "")
        assert max(map(len, said.out.splitlines())) <= max(72, min(int(columns), 160))
