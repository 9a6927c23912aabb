"""Bad input: one clear sentence a problem, all problems at once, exit code 2, no traceback, and nothing is run."""

from pathlib import Path

import pytest

from tests.cli.said import Passhat

SUITES = """
from passhat import Suite, Task, graders

tasks = [Task("a", "say a", expect="a")]
fine = Suite(tasks=tasks, grader=graders.contains())
twice = Suite(tasks=[*tasks, Task("b", "x", expect="x"), Task("a", "y", expect="y")], grader=graders.equals())
none = Suite(tasks=[], grader=graders.equals())
no_grader = Suite(tasks=tasks, grader=None)
function = Suite(tasks=tasks, grader=lambda evidence: True)
kind = Suite(tasks=tasks, grader=graders.contains)
text = Suite(tasks=tasks, grader="contains")
set_input = Suite(
    tasks=[Task("a", object(), expect=1), Task("b", {"deep": [object()]}, expect=1)], grader=graders.equals()
)
nan = Suite(tasks=[Task("a", [1.0, float("nan")], expect=1)], grader=graders.equals())
no_equal = Suite(tasks=[Task("a", "x")], grader=graders.equals())
no_expect = Suite(tasks=[Task("a", "x")], grader=graders.contains())
one = Suite(tasks=tasks[0], grader=graders.equals())
generated = Suite(tasks=(task for task in tasks), grader=graders.equals())
word = Suite(tasks="abc", grader=graders.equals())
others = Suite(tasks=["a", 5], grader=graders.equals())
ids = Suite(tasks=[Task(id, "x", expect=1) for id in (["a"], None, " ")], grader=graders.equals())
world = Suite(tasks=tasks, grader=graders.equals(), world={})
many = Suite(tasks=[Task("a", "x"), Task("a", object()), 5], grader=None, world=3)
listed = tasks


def make():
    return fine


class Kind(Suite):
    pass
"""
AGENTS = """
class Kind:
    def __call__(self, message):
        return message


name = "agent"
def three(message, tools, memory): ...
def needs(message, *, memory): ...
def takes_none(): ...
"""
FINE = ("--agent", "suite.py:agent")


@pytest.fixture(autouse=True)
def bad_files(folder: Path) -> Path:
    """Suites and agents that are not as they should be."""
    (folder / "bad.py").write_text(SUITES)
    (folder / "people.py").write_text(AGENTS)
    return folder


def refused(passhat: Passhat, *words: str, says: tuple[str, ...]) -> bool:
    """True where the command is refused with exactly these complaints, and has left no store."""
    assert passhat(*words).refused(*says)
    assert not Path("passhat.db").exists()
    return True


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("suit.py:suite", "suite: there is no file suit.py: did you mean suite.py"),
        ("deep/suite.py:suite", "suite: there is no file deep/suite.py"),
        ("suite.py:siute", "suite 'suite.py:siute': suite.py has no 'siute': did you mean suite?"),
        ("suite.py:a.b", "suite.py has no 'a.b'"),
        ("people.py", "suite 'people.py': people.py has no 'suite'"),
        ("sute:suite", "suite: there is no module 'sute' here"),
        ("bad", "suite 'bad': bad has no 'suite'"),
        ("deep/suite", "suite: there is no module 'deep/suite' here"),
        (".suite", "suite: write file.py:NAME or module:NAME, not '.suite'"),
        ("", "suite: write file.py:NAME or module:NAME, not ''"),
        (":suite", "suite: write file.py:NAME or module:NAME, not ''"),
    ],
)
def test_suite_that_is_not_there(spec: str, says: str, passhat: Passhat) -> None:
    """A suite that isn't there is answered with the nearest names that are."""
    assert refused(passhat, "run", spec, *FINE, says=(says,))


def test_file_without_its_ending(folder: Path, passhat: Passhat) -> None:
    """A file that is typed like a module is recognised."""
    (folder / "deep").mkdir()
    (folder / "deep" / "suite.py").write_text("")

    assert refused(passhat, "run", "deep/suite", *FINE, says=("is it a file? then write deep/suite.py:NAME",))


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("x = 1\nraise ValueError('boom')\n", "broken.py raises ValueError: boom at broken.py:2"),
        ("raise ValueError('two\\nlines \\x1b[31m')\n", r"raises ValueError: two lines \x1b[31m at broken.py:1"),
        ("raise ValueError\n", "broken.py raises ValueError at broken.py:1"),
        ("def f():\n    return {}['k']\nf()\n", "raises KeyError: 'k' at broken.py:2"),
        ("\nsuite = (\n", "broken.py is not Python: '(' was never closed at broken.py:2"),
        ("import nowhere_to_be_found\n", "No module named 'nowhere_to_be_found' at broken.py:1"),
        ("from suite import nobody\n", "raises ImportError: cannot import name 'nobody'"),
        ("import deeper\n", "broken.py is not Python: invalid syntax at deeper.py:1"),
        ("import sys\nsys.exit(0)\n", "raises SystemExit: 0 at broken.py:2"),
        ("from passhat import Task\nTask()\n", "raises TypeError: Missing required argument 'id' at broken.py:2"),
        ("import json\njson.loads('{')\n", "raises JSONDecodeError"),
        ("from passhat import faults\n\nfaults.rate_limit().at(7)\n", "a rate is a number from 0 to 1"),
        ("raise BaseException('base')\n", "raises BaseException: base at broken.py:1"),
        ("raise ValueError('x' * 10_000_000)\n", "raises ValueError: xxx"),
    ],
)
def test_file_that_cannot_be_imported(source: str, says: str, folder: Path, passhat: Passhat) -> None:
    """What a user's file raises is one line, and names the file's own line."""
    (folder / "broken.py").write_text(source)
    (folder / "deeper.py").write_text("this is no Python\n")

    assert refused(passhat, "run", "broken.py", *FINE, says=(says,))


def test_line_of_a_usage_error(folder: Path, passhat: Passhat) -> None:
    """Also where passhat itself refuses what the file makes, the file's line is named."""
    (folder / "broken.py").write_text("from passhat import faults\n\nfaults.rate_limit().at(7)\n")

    assert "at broken.py:3" in passhat("run", "broken.py", *FINE).err


def test_file_with_both_is_one_problem(folder: Path, passhat: Passhat) -> None:
    """A file that holds suite and agent, and fails, is complained about once."""
    (folder / "broken.py").write_text("1 / 0\n")

    assert refused(passhat, "run", "broken.py", "--agent", "broken.py", says=("ZeroDivisionError",))


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("twice", ["task 'a': 2 tasks have this id"]),
        ("none", ["tasks: there is none"]),
        ("no_grader", ["grader: a grader such as graders.contains(), not None"]),
        ("function", ["not the function <lambda>; wrap a function in it: graders.predicate(...)"]),
        ("kind", ["not the class Contains; call it: Contains()"]),
        ("text", ["not 'contains'"]),
        ("set_input", ["task 'a': its input is not JSON", "task 'b': its input is not JSON"]),
        ("nan", ["task 'a': its input is not JSON: NaN"]),
        ("no_expect", ["task 'a': contains() looks for the text in 'expect', which is None"]),
        ("no_equal", ["task 'a': equals() compares with 'expect', and the task has none"]),
        ("one", ["tasks: a list of passhat.Task, not Task(id='a'"]),
        ("generated", ["write list(...) around it"]),
        ("word", ["tasks: a list of passhat.Task, not 'abc'"]),
        ("others", ["tasks[0]: a passhat.Task, not 'a'", "tasks[1]: a passhat.Task, not 5"]),
        ("ids", ["tasks[0]: its id", "tasks[1]: its id", "tasks[2]: its id"]),
        ("world", ["world: a factory that makes a fresh world for each trial, not {}"]),
        ("make", ["suite 'bad.py:make': a suite is a passhat.Suite, not the function make"]),
        ("Kind", ["suite 'bad.py:Kind': a suite is a passhat.Suite, not the class Kind; call it: Kind(...)"]),
        ("listed", ["suite 'bad.py:listed': a suite is a passhat.Suite, not [Task("]),
        (
            "many",
            [
                "grader: a grader",
                "world: a factory",
                "task 'a': its input is not JSON",
                "tasks[2]: a passhat.Task",
                "2 tasks have this id",
            ],
        ),
    ],
)
def test_suite_that_is_none(name: str, says: list[str], passhat: Passhat) -> None:
    """Everything that is wrong with a suite is said, one line each."""
    assert refused(passhat, "run", f"bad.py:{name}", *FINE, says=tuple(says))


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("Kind", "an agent is a function or another callable, not <class 'people.Kind'>"),
        ("name", "an agent is a function or another callable, not 'agent'"),
        ("three", "agent people.three takes (message, tools, memory): an agent takes (input), (input, tools)"),
        ("needs", "agent people.needs takes (message, memory): an agent takes"),
        ("takes_none", "agent people.takes_none takes (): an agent takes"),
        ("thre", "agent 'people.py:thre': people.py has no 'thre': did you mean three?"),
    ],
)
def test_agent_of_the_wrong_shape(name: str, says: str, passhat: Passhat) -> None:
    """An agent that could not be called says so before anything runs."""
    assert refused(passhat, "run", "suite.py", "--agent", f"people.py:{name}", says=(says,))


def test_no_agent(passhat: Passhat) -> None:
    """Without --agent the way to name one is shown."""
    assert refused(passhat, "run", "suite.py", says=("agent: there is none: name it with --agent",))


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--trials", "0"), "trials: each task runs at least once, not 0 times"),
        (("--trials", "-1"), "trials: each task runs at least once, not -1 times"),
        (("--trials", "abc"), "trials: a whole number from 1 on, not 'abc'"),
        (("--trials", "2.5"), "trials: a whole number from 1 on, not 2.5"),
        (("--trials", ""), "trials: a whole number from 1 on, not ''"),
        (("--trials", "1e12"), "trials: more than 100,000,000,000 in one run; plan fewer than 1,000,000,000,000"),
        (("--trials", "1e-3"), "trials: a whole number from 1 on, not 0.001"),
        (("--trials", "inf"), "trials: a whole number from 1 on, not inf"),
        (("--trials", "9" * 12), "trials: more than 100,000,000,000 in one run"),
        (("--turns", "0"), "turns: a whole number from 1 on, not 0"),
        (("--turns", "many"), "turns: a whole number from 1 on, not 'many'"),
        (("--concurrency", "0"), "concurrency: at least one trial runs at a time, not 0"),
        (("--concurrency", "many"), "concurrency: a whole number from 1 on, not 'many'"),
        (("--concurrency", "1.5"), "concurrency: a whole number from 1 on, not 1.5"),
        (("--timeout", "0"), "timeout: more than 0 seconds for a trial, not 0"),
        (("--timeout", "nan"), "timeout: a number of seconds, such as 60, not nan"),
        (("--timeout", "inf"), "timeout: at most 1,000,000,000 seconds for a trial, not inf"),
        (("--timeout", "1e10"), "timeout: at most 1,000,000,000 seconds for a trial, not 10000000000"),
        (("--timeout", "-5"), "timeout: more than 0 seconds for a trial, not -5"),
        (("--timeout", "1m"), "timeout: a number of seconds, such as 60, not '1m'"),
        (("--seed", "x"), "seed: a whole number of at most 64 bits, not 'x'"),
        (("--seed", "9" * 20), "seed: a whole number of at most 64 bits"),
        (("-k", "0"), "-k: a whole number from 1 on, not 0"),
        (("-k", "five"), "-k: a whole number from 1 on, not 'five'"),
        (("-k", "11"), "-k 11 needs at least 11 trials of each task, and 10 are planned"),
        (("--store", ""), "store: a path names its file"),
        (("more",), "Got unexpected extra argument (more)"),
    ],
)
def test_number_that_is_none(words: tuple[str, ...], says: str, passhat: Passhat) -> None:
    """A number that cannot be is refused with what it may be."""
    assert refused(passhat, "run", "suite.py", *FINE, *words, says=(says,))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("rate_limti(rate=0.2)", "there is no fault or perturbation called 'rate_limti': did you mean rate_limit"),
        ("rate_limit(rte=0.2)", "rate_limit takes retry_after, not rte"),
        ("rate_limit(rate=7)", "under 'rate_limit(rate=7)': a rate is a number from 0 to 1, not 7"),
        ("rate_limit(rate=often)", "a dose is a rate from 0 to 1"),
        ('rate_limit(match="refund)', "the quote at character 18 is not closed"),
        ("rate_limit(rate=0.2", "expected ',' or ')' at character 20, where the text ends"),
        ("rate_limit(share=0)", "a share of trials is above 0 and at most 1, not 0"),
        ("rate_limit(0.1, rate=0.2)", "a fault has one dose; write its own parameters by name"),
        ("rate_limit(retry_after=-1)", "retry_after is a number of seconds from 0 on, not -1"),
        ("typos", "typos needs intensity: write typos(0.1)"),
        ("typos(0.05) &", "expected the name of a fault or a perturbation"),
        ("typos(2)", "the intensity is above 0 and at most 1, not 2"),
        ("", "under: a condition has a name, and this text is empty"),
    ],
)
def test_condition_that_is_none(text: str, says: str, passhat: Passhat) -> None:
    """A condition that cannot be read says where and what may stand there; an empty one is not the clean one."""
    assert refused(passhat, "run", "suite.py", *FINE, "--under", text, says=(says,))


def test_conditions_together(passhat: Passhat) -> None:
    """Wrong conditions are all named, and so are doubled ones and none at all."""
    run = ("run", "suite.py", *FINE)

    assert refused(passhat, *run, "--under", "typo(1)", "--under", "rate(2)", says=("'typo'", "'rate'"))
    assert refused(passhat, *run, "--under", "typos(0.1)", "--under", "typos(0.1)", says=("is listed 2 times",))
    assert refused(passhat, *run, "--no-clean", says=("there is no condition to run under",))


def test_fault_that_could_reach_nobody(passhat: Passhat) -> None:
    """A fault of tools is refused for an agent that takes none: it would never land."""
    run = ("run", "suite.py", "--agent", "suite.py:half")

    assert refused(passhat, *run, "--under", "rate_limit(rate=0.2)", says=("agent suite.half takes no tools",))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("fast", "'fast' states no rule: write 'pass^K >= VALUE [under CONDITION]' or 'void_share <= VALUE'"),
        ("", "'' states no rule"),
        ("pass^5", "'pass^5' states no rule"),
        ("pass^5 > 0.8", "'pass^5 > 0.8' states no rule"),
        ("pas^5 >= 0.8", "'pas^5 >= 0.8' states no rule"),
        ("latency <= 5", "'latency <= 5' states no rule"),
        ("pass^0 >= 0.5", "'pass^0 >= 0.5' states no rule"),
        ("pass^5 >= eighty", "where VALUE is a number such as 0.8 or 80%"),
        ("pass^5 >= 800%", "pass^5 >= 8.0: the value is above 0 and below 1"),
        ("reliability.runs >= 5%", "reliability.runs is a count, and no share of anything: write 5 where 5 is meant"),
        ("pass^5 >= 80", "pass^5 >= 80.0: the value is above 0 and below 1"),
        ("pass^5 >= nan", "pass^5 >= nan: the value is above 0 and below 1"),
        ("pass^50 >= 0.8", "pass^50 needs 50 trials of each task, and 10 are planned"),
        ("pass^5 >= 0.8 under storm", "there is no condition 'storm': there are clean"),
        ("void_share <= 2", "void_share <= 2.0: the share is from 0 up to"),
    ],
)
def test_rule_that_is_none(text: str, says: str, passhat: Passhat) -> None:
    """A rule that cannot be judged is refused before anything runs."""
    assert refused(passhat, "run", "suite.py", *FINE, "--require", text, says=(says,))


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--require", "fast"), ("'fast' states no rule",)),
        (("--require", "pass^9 >= 0.5", "-k", "8"), ("pass^9 needs 9 trials", "-k 8 needs at least 8 trials")),
        (("-k", "x"), ("-k: a whole number from 1 on, not 'x'",)),
        (("--format", "md"), ("'md' is not one of 'terminal', 'markdown', 'json'",)),
        (("latest", "more"), ("Got unexpected extra argument (more)",)),
    ],
)
def test_report_refuses_the_same(words: tuple[str, ...], says: tuple[str, ...], passhat: Passhat) -> None:
    """`report` says all that is wrong with its rules and its k at once."""
    passhat("run", "suite.py", *FINE, "-n", "4")

    assert passhat("report", *words).refused(*says)


def test_everything_at_once(passhat: Passhat) -> None:
    """Suite, agent, numbers, conditions and rules: all their problems are said in one go."""
    numbers = ("--trials", "abc", "--concurrency", "0", "--timeout", "nan", "--seed", "x", "-k", "0")
    texts = ("--under", "rate_limti()", "--under", "", "--require", "fast", "--require", "slow")

    assert refused(
        passhat, "run", "bad.py:many", "--agent", "people.py:thre", *numbers, *texts,
        says=(
            "grader: a grader", "world: a factory", "task 'a': its input", "tasks[2]", "2 tasks have this id",
            "people.py has no 'thre'",
            "trials:", "concurrency:", "timeout:", "seed:", "-k:",
            "'rate_limti'", "under: a condition", "'fast' states", "'slow' states",
        ),
    )  # fmt: skip


def test_missing_files_and_wrong_numbers_at_once(passhat: Passhat) -> None:
    """Also where neither suite nor agent can be loaded, everything else is looked at."""
    run = ("run", "no.py", "--agent", "nor.py", "-n", "0", "--under", "typos(7)", "--require", "pass^3 >= 2")

    assert refused(
        passhat, *run, "--under", "rate_limit(rate=0.2)",
        says=("no file no.py", "no file nor.py", "trials:", "the intensity", "pass^3 >= 2.0"),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("import", "jsonl", "no.jsonl"), "no.jsonl cannot be read: no such file or directory"),
        (("import", "jsnl", "suite.py"), "called 'jsnl': did you mean jsonl?"),
        (("import", "jsonl", "suite.py"), "suite.py:2: this is not JSON"),
        (("import", "jsonl"), "Missing argument 'FILE'"),
        (("run",), "there is no file passhat.toml: name a suite"),
        (("demo", "--seed", "x"), "seed: a whole number of at most 64 bits, not 'x'"),
        (("demo", "more"), "there is no demo 'more': there is 'passhat demo', and canary"),
    ],
)
def test_other_commands(words: tuple[str, ...], says: str, passhat: Passhat) -> None:
    """The other commands refuse in the same way, and leave no store."""
    said = passhat(*words)

    assert said.code == 2
    assert says in said.problems[0]
    assert not Path("passhat.db").exists()
