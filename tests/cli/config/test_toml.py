"""`passhat.toml`: what it says is what is run, what is typed wins, and no Python is needed."""

import json
import sys
from pathlib import Path

import pytest

from tests.cli.said import Passhat

LAST = """
import sys
print(sys.stdin.read().strip()[-1:])
"""
BASE = f"""
grader = "contains()"

[suite]
name = "letters"
tasks = "tasks.jsonl"

[agent]
command = ["{sys.executable}", "last.py"]
stdin = "text"

[run]
trials = 2
"""
TASKS = [
    {"id": "a", "input": "please tell me the letter a", "expect": "a"},
    {"id": "b", "input": "please tell me the letter b", "expect": "b", "tags": ["x"]},
]


@pytest.fixture(autouse=True)
def files(folder: Path) -> None:
    """A suite without Python, and an agent that is a command."""
    (folder / "last.py").write_text(LAST)
    (folder / "passhat.toml").write_text(BASE)
    (folder / "tasks.jsonl").write_text("".join(f"{json.dumps(task)}\n" for task in TASKS))


def add(text: str) -> None:
    """Write more into the file."""
    with Path("passhat.toml").open("a") as file:
        file.write(text)


def replace(old: str, new: str) -> None:
    """Write something else into the file."""
    path = Path("passhat.toml")
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


def the_run(passhat: Passhat, *words: str) -> dict[str, object]:
    """What is stored of the one run."""
    (run,) = json.loads(passhat("runs", "--json", *words).out)
    assert isinstance(run, dict)
    return run


def conditions(passhat: Passhat) -> object:
    """The conditions of the latest run."""
    return json.loads(passhat("export", "--format", "passhat").out.splitlines()[0])["value"]["conditions"]


def test_run_without_a_suite_reads_the_file(passhat: Passhat) -> None:
    """`passhat run` alone runs what `passhat.toml` says."""
    said = passhat("run", "-q")

    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("4 of 4 trials passed")
    assert the_run(passhat)["suite"] == "letters"


def test_rules_of_the_file_judge(passhat: Passhat) -> None:
    """`[gate]` makes the exit code: a rule that cannot be shown by two trials is open, an easy one holds."""
    add('[gate]\nrequire = ["pass^2 >= 0.99"]\n')
    assert passhat("run", "-q").code == 3
    replace("0.99", "0.1")
    assert passhat("run", "-q").out == "PASS\n"


def test_what_is_typed_wins(passhat: Passhat) -> None:
    """An option that is typed takes the place of the file's, also where it is the usual value."""
    add('seed = 5\n[store]\npath = "other.db"\n')

    assert passhat("run", "-q", "-n", "1", "--seed", "0", "--label", "typed").out.startswith("2 of 2 trials")

    run = the_run(passhat, "--store", "other.db")
    assert run["agent"] == "typed"
    header = json.loads(passhat("export", "--format", "passhat", "--store", "other.db").out.splitlines()[0])
    assert header["value"].get("seed", 0) == 0


def test_agent_that_is_typed_wins(passhat: Passhat) -> None:
    """An agent that is typed takes the whole place of the file's."""
    assert passhat("run", "-q", "--agent", "suite.py:wrong").out.startswith("0 of 4 trials passed")


def test_file_elsewhere_brings_its_folder(folder: Path, passhat: Passhat) -> None:
    """Tasks, the command's folder and the store lie beside the file, wherever the command line is used."""
    deep = folder / "deep"
    deep.mkdir()
    for name in ("passhat.toml", "tasks.jsonl", "last.py"):
        (folder / name).rename(deep / name)
    with (deep / "passhat.toml").open("a") as file:
        file.write('[store]\npath = "runs.db"\n')

    assert passhat("run", "deep/passhat.toml", "-q").out.startswith("4 of 4 trials passed")
    assert (deep / "runs.db").exists()


def test_trial_is_replayed_from_the_file(passhat: Passhat) -> None:
    """`replay` takes the file where a suite is named, and its agent."""
    assert passhat("run", "-q").code == 0

    assert passhat("replay", "latest", "a", "1", "passhat.toml", "-q").out == "1/1\n"


def test_conditions_have_names(passhat: Passhat) -> None:
    """A named condition is one wherever a condition stands: in the run, in a rule, and on the command line."""
    add(
        'under = ["sloppy"]\n[conditions]\nsloppy = "typos(0.05)"\n[conditions.worse]\ntypos = {intensity = 0.2}\n'
        '[gate]\nrequire = ["pass^2 >= 0.01 under sloppy"]\n'
    )

    said = passhat("run", "-q", "--under", "worse", "--under", "sloppy", "--require", "pass^1 >= 0.01 under worse")

    assert said.code in {0, 3}
    assert conditions(passhat) == ["clean", "typos(0.2)", "typos(0.05)"]
    assert passhat("run", "-q").code in {0, 3}


def test_tasks_may_stand_in_the_file(passhat: Passhat) -> None:
    """`[[suite.tasks]]` needs no other file."""
    replace('tasks = "tasks.jsonl"\n', "")
    add('[[suite.tasks]]\nid = "c"\ninput = "say c"\nexpect = "c"\n')

    assert passhat("run", "-q").out.startswith("2 of 2 trials passed")


def test_tasks_may_be_a_table_with_its_own_columns(folder: Path, passhat: Passhat) -> None:
    """A CSV file is read as it is; `[suite.columns]` says what its columns mean, and others are left alone."""
    (folder / "tasks.csv").write_text("nr,question,answer,who\n1,say a,a,me\n\n2,say b,b,\n")
    replace("tasks.jsonl", "tasks.csv")
    add('[suite.columns]\nid = "nr"\ninput = "question"\nexpect = "answer"\n')

    assert passhat("run", "-q").out.startswith("4 of 4 trials passed")


@pytest.mark.parametrize(
    ("grader", "passed"),
    [
        ('grader = "equals()"', 4),
        ('grader = "contains(case=true) & never(refund)"', 4),
        ('grader = ["contains()", "never(tool=refund)"]', 4),
        ('grader = [{name = "at_most_once", tool = "refund", by = ["order"]}, "contains()"]', 4),
        ('grader = {python = "graders_of_mine.py:strict"}', 2),
        ('grader = {python = "graders_of_mine.py:ready"}', 4),
    ],
)
def test_graders_are_named(grader: str, passed: int, folder: Path, passhat: Passhat) -> None:
    """A grader is a text, a table with parameters, a list of both, or a name in Python: a grader or a function."""
    (folder / "graders_of_mine.py").write_text(
        "from passhat import graders\nready = graders.equals()\ndef strict(evidence): return evidence.output == 'a'\n"
    )
    replace('grader = "contains()"', grader)

    assert passhat("run", "-q").out.startswith(f"{passed} of 4 trials passed")


def test_world_is_named_in_python(folder: Path, passhat: Passhat) -> None:
    """`[world]` gives a command its tools, and the end state is graded."""
    (folder / "shop.py").write_text(
        "class World:\n"
        "    def __init__(self): self.tools = []\n"
        "    def snapshot(self): return {'left': ['as', 'it', 'was']}\n"
    )
    (folder / "states.json").write_text(json.dumps({each: [{"left": ["as", "it", "was"]}] for each in "ab"}))
    replace('grader = "contains()"', 'grader = {name = "end_state", like = "states.json"}')
    add('[world]\npython = "shop.py"\n')

    assert passhat("run", "-q").out.startswith("4 of 4 trials passed")


def test_agent_is_named_in_python(passhat: Passhat) -> None:
    """An agent in Python is called as the file says."""
    replace(f'command = ["{sys.executable}", "last.py"]\nstdin = "text"', 'python = "suite.py:half"\nlabel = "halb"')

    assert passhat("run", "-q").out.startswith("2 of 4 trials passed")
    assert the_run(passhat)["agent"] == "halb"


def test_clean_may_be_left_out(passhat: Passhat) -> None:
    """`clean = false` leaves the clean condition out."""
    add('clean = false\nunder = ["typos(0.05)"]\n')

    assert passhat("run", "-q").code == 0
    assert conditions(passhat) == ["typos(0.05)"]
