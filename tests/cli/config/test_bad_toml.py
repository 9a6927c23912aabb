"""Bad input in `passhat.toml`: every problem at once, each with its file, line and key, and nothing is run."""

from pathlib import Path

import pytest

from passhat.cli.config.lines import Lines
from tests.cli.said import Passhat

GOOD = """grader = "contains()"
[suite]
tasks = "tasks.jsonl"
[agent]
command = "cat"
"""
TASK = '{"id": "a", "input": "x", "expect": "x"}\n'


@pytest.fixture(autouse=True)
def files(folder: Path) -> None:
    """A file that is as it should be."""
    (folder / "passhat.toml").write_text(GOOD)
    (folder / "tasks.jsonl").write_text(TASK)


def refused(passhat: Passhat, *says: str) -> bool:
    """True where `passhat run` says exactly this, and stores nothing."""
    return passhat("run").refused(*says) and not Path("passhat.db").exists()


def test_everything_is_said_at_once(passhat: Passhat) -> None:
    """One try shows every problem: unknown names, wrong kinds, wrong values, and what the parts say."""
    Path("passhat.toml").write_text(
        'grader = "containz()"\n[suite]\nname = 7\ntaks = "x"\ntasks = "tasks.jsonl"\n[agnt]\n[agent]\n'
        'command = "cat"\nurl = "http://x"\n[run]\ntrials = 0\nseed = "x"\nunder = [\n"typos(0.05)",\n"typo"]\n'
        'time = "unreal"\n[conditions]\nclean = "typos(0.1)"\n[gate]\nrequire = ["pas >> 1"]\nk = 0\n'
        'confidence = "150%"\ninterval = "wilsen"\nmetric = ["nope"]\n[store]\npath = ""\n'
    )

    assert refused(
        passhat,
        "passhat.toml:1: grader: there is no grader called 'containz': did you mean contains?",
        "passhat.toml:3: suite.name: a text, not 7",
        "passhat.toml:4: suite.taks: there is no such key: did you mean tasks?",
        "passhat.toml:6: agnt: there is no table 'agnt': did you mean agent, gate?",
        "passhat.toml:7: agent: one of command, url, python, not command and url",
        "passhat.toml:11: run.trials: each task runs at least once, not 0 times",
        "passhat.toml:12: run.seed: a whole number, not 'x'",
        "passhat.toml:13: run.under[2]: there is no fault or perturbation called 'typo'",
        "passhat.toml:16: run.time: one of 'real', 'virtual', not 'unreal'",
        "passhat.toml:18: conditions.clean: clean is a name that passhat has itself",
        "passhat.toml:20: gate.require[1]: 'pas >> 1' states no rule",
        "passhat.toml:21: gate.k: a whole number from 1 on, not 0",
        "passhat.toml:22: gate.confidence: a number above 0 and below 1, not 1.5",
        "passhat.toml:23: gate.interval: there is no interval called 'wilsen': did you mean wilson",
        "passhat.toml:24: gate.metric: there is no metric called 'nope'",
        "passhat.toml:26: store.path: a text, not ''",
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a = \n", "passhat.toml: this is not TOML: Invalid value (at line 1, column 5)"),
        ("x = " + "[" * 5_000, "passhat.toml: this is not TOML"),
        ("suite = 3\n" + GOOD.replace("[suite]\ntasks", "a.tasks"), "suite: a table, [suite], not 3"),
    ],
)
def test_file_that_is_none(text: str, says: str, passhat: Passhat) -> None:
    """What is no TOML, or not even tables, is said in a sentence with its line."""
    Path("passhat.toml").write_text(text)

    said = passhat("run")

    assert said.code == 2
    assert any(says in line for line in said.problems)


def test_no_file(passhat: Passhat) -> None:
    """Without a suite and without a file it is said what to type."""
    Path("passhat.toml").unlink()

    assert refused(passhat, "there is no file passhat.toml: name a suite, or let 'passhat init --command' write one")


def test_file_that_is_not_utf8(passhat: Passhat) -> None:
    """Another encoding is named."""
    Path("passhat.toml").write_bytes(b"name = '\xff'")

    assert refused(passhat, "passhat.toml is not UTF-8: save it as UTF-8")


def test_file_that_is_a_folder(passhat: Passhat) -> None:
    """A folder is no file."""
    Path("passhat.toml").unlink()
    Path("passhat.toml").mkdir()

    assert refused(passhat, "passhat.toml cannot be read: Is a directory")


def test_empty_file_needs_three_tables(passhat: Passhat) -> None:
    """An empty file says what it needs."""
    Path("passhat.toml").write_text("")

    assert refused(passhat, "there is no [suite]", "there is no [agent]", "there is no [grader]")


@pytest.mark.parametrize(
    ("agent", "says"),
    [
        ('command = "no-such-program x"', ["passhat.toml:4: agent", "there is no command 'no-such-program'"]),
        ('url = "http//x"', ["passhat.toml:4: agent", "no module"]),
        ('url = "http://127.0.0.1:9/agent"\nshape = "chatt"', ["passhat.toml:6: agent.shape", "one of 'auto'"]),
        ('python = "nowhere.py:agent"', ["passhat.toml:4: agent", "there is no file nowhere.py"]),
        ('command = "cat"\nshape = "chat"', ["passhat.toml:6: agent.shape", "an agent that is a command has no"]),
        ("command = []", ["passhat.toml:5: agent.command", "a text, or a list of words"]),
        ('command = "cat"\nenvironment = {A = 1}', ["passhat.toml:6: agent.environment", "a table of texts"]),
    ],
)
def test_agent_that_is_none(agent: str, says: list[str], passhat: Passhat) -> None:
    """What is wrong with the agent stands beside its line."""
    Path("passhat.toml").write_text(GOOD.replace('command = "cat"', agent))

    said = passhat("run")

    assert said.code == 2
    assert any(all(part in line for part in says) for line in said.problems), said


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ("", "tasks.jsonl holds no task"),
        ("{\n", "tasks.jsonl:1: this is not JSON"),
        (TASK + "[1]\n", "tasks.jsonl:2: a task is an object with id and input, not [1]"),
        (TASK + '\n{"id": "b"}\n', "tasks.jsonl:3: a task needs 'input'"),
        ('{"id": "a", "inputs": "x"}\n', "tasks.jsonl:1: there is no field 'inputs': did you mean 'input'?"),
        ('{"id": 4, "input": "x"}\n', "tasks.jsonl:1: id: a text, not 4"),
        ('{"id": "a", "input": "x", "tags": "x"}\n', "tasks.jsonl:1: tags: a list of texts"),
        (TASK + TASK, "task 'a': 2 tasks have this id"),
        ('{"id": "a", "input": "x"}\n', "task 'a': contains() looks for the text in 'expect'"),
    ],
)
def test_rows_that_are_no_tasks(rows: str, says: str, passhat: Passhat) -> None:
    """What is wrong with a task stands beside its line."""
    Path("tasks.jsonl").write_text(rows)

    said = passhat("run")

    assert said.code == 2
    assert any(says in line for line in said.problems), said


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ("id,input\na\n", "tasks.csv:2: it has 1 cells, and the header 2"),
        ('id,input\n"a,x\n', "tasks.csv:2: this is not CSV"),
        ("id,input\na,\n", "tasks.csv:2: a task needs 'input'"),
    ],
)
def test_table_that_is_none(table: str, says: str, passhat: Passhat) -> None:
    """What is wrong with a row of a table stands beside its line."""
    Path("tasks.csv").write_text(table)
    Path("passhat.toml").write_text(GOOD.replace("tasks.jsonl", "tasks.csv"))

    assert refused(passhat, says)


@pytest.mark.parametrize("tasks", ["none.jsonl", "suite.py"])
def test_tasks_that_are_no_file(tasks: str, passhat: Passhat) -> None:
    """A file that is not there, and one of another kind, are each a sentence at the key's line."""
    Path("passhat.toml").write_text(GOOD.replace("tasks.jsonl", tasks))

    assert refused(passhat, f"passhat.toml:3: suite.tasks: {'a file of tasks ends' if 'py' in tasks else tasks}")


@pytest.mark.parametrize(
    ("grader", "says"),
    [
        ('"contains(cas=true)"', "the grader contains has no setting 'cas': did you mean case?"),
        ('"contains(case=3)"', "Expected `bool`, got `int`"),
        ('"never()"', "Object missing required field `tool`"),
        ('"contains("', "where the text ends"),
        ('"predicate()"', "predicate is made in Python: name it with python = 'file.py:name'"),
        ('"all_of()"', "all_of is made in Python: write a list of graders"),
        ("{nam = 'x'}", "a grader is a text such as 'contains()'"),
        ("{name = 'end_state', like = 'none.json'}", "none.json: cannot be read"),
        ("{python = 'nowhere.py:x'}", "there is no file nowhere.py"),
        ("{python = 'suite.py:suite'}", "Suite"),
        ("[]", "a list of graders names one or more"),
        ("['contains()', 5]", "grader[2]: a grader is a text"),
        ("5", "a grader is a text such as 'contains()'"),
    ],
)
def test_grader_that_is_none(grader: str, says: str, passhat: Passhat) -> None:
    """What is wrong with the grader is said at its line."""
    Path("passhat.toml").write_text(GOOD.replace('"contains()"', grader))

    said = passhat("run")

    assert said.code == 2
    assert any(says in line for line in said.problems), said


def test_very_many_problems_are_counted(passhat: Passhat) -> None:
    """Of a thousand problems the first are said, and how many more there are."""
    Path("tasks.jsonl").write_text("{\n" * 1_000)

    problems = passhat("run").problems

    assert len(problems) == 31
    assert problems[-1].endswith("970 more problems")


def test_lines_are_found() -> None:
    """A key's line is found in tables, lists of tables, inline tables and behind values of several lines."""
    text = """# a comment
a = 1
[t]
x.y = { z = [
  1, # ] not here
  "[no]",
] }
"quoted key" = '''
[not.a.table]
'''
[[t.list]]
id = 1
[[t.list]]
id = 2
[t.list.below]
deep = 3
"""
    lines = Lines(text)

    assert lines.of(("a",)) == 2
    assert lines.of(("t",)) == 3
    assert lines.of(("t", "x", "y", "z")) == 4
    assert lines.of(("t", "quoted key")) == 8
    assert lines.of(("t", "list", 1, "id")) == 14
    assert lines.of(("t", "list", 1, "below", "deep")) == 16
    assert lines.of(("t", "nowhere")) == 3
    assert lines.of(("nowhere",)) is None
