"""How stored trials are read: intervals, tasks, voids and metrics that somebody asked for, and two runs compared."""

import json
import re
from pathlib import Path

import pytest

from passhat.errors import ExitCode
from tests.cli.said import Passhat, Said

SUITE = """
from passhat import Suite, Task, graders

TASKS = [Task("long", "please tell the friend of mine", expect="mine"), Task("short", "ab", expect="b")]
suite = Suite(name="words", tasks=TASKS, grader=graders.contains())
other = Suite(name="words", tasks=[TASKS[0], Task("new", "ab", expect="b")], grader=graders.contains())


def agent(message, tools, seed):
    return "no" if seed % 4 == 0 else message


def fixed(message, tools, seed):
    return "no" if seed % 2 else message
"""


@pytest.fixture
def words(folder: Path) -> Path:
    """A suite of two tasks, of which one is too short for any typo."""
    (folder / "words.py").write_text(SUITE)
    return folder


@pytest.fixture
def run_id(words: Path, passhat: Passhat) -> str:
    """The id of a run of twelve trials a task."""
    assert words.exists()
    return made(passhat)


def made(passhat: Passhat, *more: str, suite: str = "suite", agent: str = "agent", trials: str = "12") -> str:
    """The id of one more run."""
    said = passhat("run", f"words.py:{suite}", "--agent", f"words.py:{agent}", "-n", trials, "-q", *more)
    assert said.code in {ExitCode.PASS, ExitCode.INCONCLUSIVE}, said.err
    return passhat("runs", "-q").out.split()[0]


def flat(said: Said) -> str:
    """What was shown, on one line."""
    return " ".join(said.out.split())


@pytest.mark.parametrize("command", ["run", "report"])
def test_metrics_may_be_asked_for(command: str, passhat: Passhat, run_id: str) -> None:
    """Each --metric stands in the report with its number or its reason, what it is counted from, and its method."""
    asked = ("--metric", "icc", "--metric", "modelled_pass^20", "--metric", "pass^40", "--metric", "reliability")
    first = (run_id,) if command == "report" else ("words.py", "--agent", "words.py", "-n", "12")
    said = passhat(command, *first, *asked)

    assert said.code == 0
    assert "also icc of all 2 tasks under clean: " in flat(said)
    assert "24 trials · beta-binomial, model-extrapolated; no interval" in flat(said)
    assert "- (pass^40 needs 40 valid trials of each task, and 'long' has 12)" in flat(said)
    assert "also reliability of each task under clean: mcptest's figures, in per cent" in flat(said)
    assert re.search(r"^    long +12 +100 +0 ", said.out, flags=re.MULTILINE)
    assert "^40" not in flat(said).partition("also")[0]


def test_asked_metrics_are_in_json(passhat: Passhat, run_id: str) -> None:
    """--json says what was asked for, and holds it."""
    summary = json.loads(passhat("report", run_id, "--metric", "pass^3", "--json").out)["summary"]["value"]

    assert summary["asked"] == ["pass^3"]


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("wilson", "intervals of single tasks by Wilson (approximate) to the power of k: no rule uses these"),
        ("z", "intervals of the suite by normal (approximate): no rule uses these"),
        ("bootstrap", "intervals of the suite by bootstrap over tasks (approximate): no rule uses these"),
        ("confidence-sequence", "intervals of single tasks by confidence sequence to the power of k"),
    ],
)
def test_other_interval_is_named(kind: str, says: str, passhat: Passhat, run_id: str) -> None:
    """A report with another kind of interval says which, of what, and whether a rule may rest on it."""
    said = passhat("report", run_id, "--interval", kind)

    assert said.code == 0
    assert says in flat(said)


@pytest.mark.parametrize("kind", ["t", "z", "bootstrap", "wilson", "gate"])
def test_interval_and_metric_beyond_the_trials(kind: str, passhat: Passhat, run_id: str) -> None:
    """An interval that can't be made at a metric's k is a number's reason, and no refusal."""
    assert passhat("report", run_id, "--interval", kind, "--metric", "pass^20", "-q").code == 0


def test_tasks_like_these_change_places(passhat: Passhat, run_id: str) -> None:
    """--for-tasks like-these puts the wider interval into the table, and the other one below."""
    these, like = (passhat("report", run_id, "--for-tasks", which) for which in ("these", "like-these"))

    assert "pass@1 and pass^5 speak of these 2 tasks" in flat(these)
    assert "of tasks like these: pass^5 [" in flat(these)
    assert "pass@1 and pass^5 speak of tasks like these 2" in flat(like)
    assert "of these tasks: pass^5 [" in flat(like)


def test_voids_may_count_as_failures(passhat: Passhat, run_id: str) -> None:
    """--voids fail puts void trials into the denominator, and says so."""
    made(passhat, "--under", "typos(0.3)", "--no-clean")
    without, failed = passhat("report"), passhat("report", "--voids", "fail")

    assert re.search(r"  short +V{12} +0/0 ", without.out)
    assert re.search(r"  short +V{12} +0/12 ", failed.out)
    assert "void counts as failure" in flat(failed)
    assert "void counts as failure" not in flat(without)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--interval", "wilsen"), "there is no interval called 'wilsen': did you mean wilson"),
        (("--confidence", "0"), "--confidence: a number above 0 and below 1, such as 0.95 or 95%, not 0"),
        (("--confidence", "1"), "--confidence: a number above 0 and below 1, such as 0.95 or 95%, not 1"),
        (("--confidence", "2"), "--confidence: a number above 0 and below 1, such as 0.95 or 95%, not 2"),
        (("--confidence", "nan"), "--confidence: a number above 0 and below 1, such as 0.95 or 95%, not nan"),
        (("--confidence", "high"), "--confidence: a number above 0 and below 1, such as 0.95 or 95%, not 'high'"),
        (("-k", "13"), "-k 13 needs at least 13 trials of each task, and 12 are planned"),
        (("-k", "0"), "-k: a whole number from 1 on, not 0"),
    ],
)
@pytest.mark.parametrize("command", ["run", "report", "compare"])
def test_wrong_reading_is_refused(
    command: str, options: tuple[str, ...], says: str, passhat: Passhat, run_id: str
) -> None:
    """What the trials cannot be read with is one sentence that names the option, from every command that has it."""
    first = {"report": (run_id,), "compare": (run_id,), "run": ("words.py", "--agent", "words.py", "-n", "12")}[command]
    assert passhat(command, *first, *options).refused(says)
    assert passhat("runs", "-q").out.split() == [run_id]


def test_confidence_is_typed_like_any_share(passhat: Passhat, run_id: str) -> None:
    """A level is a fraction, with or without its zero, or a per cent."""
    first, *others = (passhat("report", run_id, "--confidence", typed).out for typed in ("0.9", ".9", "90%", "90 %"))

    assert "90 %" in first
    assert [other == first for other in others] == [True] * 3


@pytest.mark.parametrize("command", ["run", "report"])
def test_unknown_metric_is_refused(command: str, passhat: Passhat, run_id: str) -> None:
    """A metric that there is not is answered with the nearest names."""
    first = (run_id,) if command == "report" else ("words.py", "--agent", "words.py")

    assert passhat(command, *first, "--metric", "iccc").refused("there is no metric called 'iccc': did you mean icc")


@pytest.mark.parametrize("command", ["run", "report", "compare"])
def test_all_that_is_wrong_is_said_at_once(command: str, passhat: Passhat, run_id: str) -> None:
    """One try shows every problem."""
    first = {"report": (run_id,), "compare": (run_id,), "run": ("words.py", "--agent", "words.py")}[command]
    said = passhat(command, *first, "--interval", "wilsen", "--confidence", "2", "-k", "0")

    assert said.refused("no interval called 'wilsen'", "--confidence: a number", "-k: a whole number")


@pytest.mark.parametrize("option", [("--voids", "maybe"), ("--for-tasks", "others")])
def test_unknown_choice_names_the_choices(option: tuple[str, str], passhat: Passhat, run_id: str) -> None:
    """A choice that there is not is answered with those that there are."""
    said = passhat("report", run_id, *option)

    assert said.code == 2
    assert f"'{option[1]}' is not one of" in said.err


def test_target_is_judged_task_by_task(passhat: Passhat, run_id: str) -> None:
    """A rule over mcptest's figures says on how many tasks it held, and which are furthest from it."""
    said = passhat("report", run_id, "--require", "reliability.passhat_k >= 80", "-q")

    assert said.code == ExitCode.FAIL
    wanted = r"  reliability\.passhat_k under clean was observed >= 80 on \d of 2 tasks, not on \w+ \(0\)(, \w+ \(0\))?"
    assert re.fullmatch(f"FAIL\n{wanted}\n", said.out)


def test_compare_shows_both_runs(passhat: Passhat, run_id: str) -> None:
    """Both runs, each number twice with what it is counted from, the difference, and no verdict: exit code 0."""
    after = made(passhat, agent="fixed")
    said = passhat("compare", run_id)

    assert (said.code, said.err) == (0, "")
    assert re.match(rf"before +run {run_id} · words .*\nafter +run {after} · words ", said.out)
    assert re.search(r"^  clean · \d+/24 passed before, \d+/24 after$", said.out, flags=re.MULTILINE)
    number = r"\S+ \[\S+, \S+\]"
    assert re.search(rf"^    pass\^5  {number} +{number} +{number}$", said.out, flags=re.MULTILINE)
    assert "all numbers speak of these 2 tasks" in flat(said)
    assert said.out.endswith("no verdict: a difference says what was seen, a rule says what may be\n")


def test_compare_takes_two_runs(passhat: Passhat, run_id: str) -> None:
    """The second RUN is the later one; without it the latest is meant, and each may be the beginning of an id."""
    after = made(passhat, agent="fixed")

    assert passhat("compare", run_id[:6], after[:6]).out == passhat("compare", run_id, "latest").out
    assert passhat("compare", after, run_id).out.startswith(f"before   run {after}")


def test_compare_has_json(passhat: Passhat, run_id: str) -> None:
    """--json is one document of the comparison, however quiet it is."""
    made(passhat, agent="fixed")

    for more in ((), ("-q",)):
        document = json.loads(passhat("compare", run_id, "--json", *more).out)
        assert document["kind"] == "comparison"
        assert {one["metric"] for one in document["value"]["differences"]} == {"pass@1", "pass^5", "pass@5"}


def test_quiet_compare_says_what_is_to_be_noticed(passhat: Passhat, run_id: str) -> None:
    """-q leaves the notices, and nothing where there is none."""
    assert passhat("compare", run_id, run_id, "-q").out == ""

    made(passhat, "--same-seed")
    (notice,) = passhat("compare", run_id, "-q").out.splitlines()
    assert notice.startswith("under clean the outcomes of a task have a variance of ")


def test_one_seed_is_no_evidence(passhat: Passhat, run_id: str) -> None:
    """A run of one seed is INCONCLUSIVE whatever is asked, also where nothing is, and the report says why."""
    same = made(passhat, "--same-seed")
    said = passhat("report", same)

    assert said.code == ExitCode.INCONCLUSIVE
    assert "judge a run without --same-seed" in flat(said)
    assert "all trials of a task had one seed" in flat(said)


def test_compare_refuses_other_tasks(passhat: Passhat, run_id: str) -> None:
    """Runs of other tasks are not compared: what is gone and what is new is said."""
    made(passhat, suite="other")

    assert passhat("compare", run_id).refused("'short' is gone", "'new' is new")


@pytest.mark.parametrize("runs", [("zz",), ("latest", "zz")])
def test_compare_refuses_an_unknown_run(runs: tuple[str, ...], passhat: Passhat, run_id: str) -> None:
    """A run that isn't there is one sentence that names those that are."""
    assert passhat("compare", *runs).refused(f"there is no run 'zz' in passhat.db; the latest are {run_id}")


def test_compare_needs_a_run(passhat: Passhat, run_id: str) -> None:
    """One run at the least is named, and no more than two."""
    assert passhat("compare").refused("RUN")
    assert passhat("compare", run_id, run_id, run_id).refused("unexpected extra argument")


def test_compare_needs_one_k(passhat: Passhat, run_id: str) -> None:
    """Runs that are read at two k are refused, with the way out; -k is that way."""
    made(passhat, trials="4")

    assert passhat("compare", run_id).refused("these runs are read at two k: 5 and 2; name one with -k")
    assert passhat("compare", run_id, "-k", "2").code == 0
    assert passhat("compare", run_id, "-k", "5").refused("-k 5 needs at least 5 trials of each task, and 4 are planned")
