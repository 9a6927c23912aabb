"""A command as an agent: what it is given, how its answer is read, and how each way of going wrong is told."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from passhat.agents import CommandAgent
from passhat.errors import UsageError
from passhat.model.outcome import Outcome
from passhat.model.trial import Trial
from tests.agents.shops import Shop, suite
from tests.engine.drive import drive

QUICK = (sys.executable, "-I", "-S", "-c")  # Python without its site: starts in a few milliseconds


def script(text: str, **options: Any) -> CommandAgent:  # noqa: ANN401 - the options of an adapter
    """An agent that runs this Python."""
    return CommandAgent([*QUICK, text], label="script", **options)


def trial_of(agent: CommandAgent, given: Any = "hello", **options: Any) -> Trial:  # noqa: ANN401 - any input
    """The one trial of *agent*."""
    return drive(suite(given, world=Shop), agent, **options).trial


def output(agent: CommandAgent, given: Any = "hello") -> Any:  # noqa: ANN401 - any output
    """What *agent* answers."""
    trial = trial_of(agent, given)
    assert trial.answer is not None, trial.detail
    return trial.answer.output


def test_task_is_given_as_json() -> None:
    """The command reads the input, and which trial it is."""
    agent = script("import sys, json; print(json.dumps({'output': json.load(sys.stdin)}))")

    given = output(agent, {"order": 7, "note": "größe"})

    assert given.pop("seed") > 0
    assert given == {"input": {"order": 7, "note": "größe"}, "task": "task-0", "trial": 0}


def test_input_may_be_given_as_text() -> None:
    """For a command that reads its prompt."""
    assert output(script("import sys; print(sys.stdin.read().upper())", stdin="text")) == "HELLO"


def test_arguments_are_filled_in() -> None:
    """For a command that takes its prompt as an argument; what is filled in is not looked through again."""
    agent = CommandAgent([*QUICK, "import sys; print(sys.argv[1:])", "{input}", "no-{trial}", "{other}"])

    assert output(agent, "say {seed} ; $(ls)") == "['say {seed} ; $(ls)', 'no-0', '{other}']"


def test_environment_says_which_trial_it_is() -> None:
    """An agent that writes a log of its own can name it."""
    agent = script(
        "import os; print(*(os.environ['PASSHAT_' + n] for n in ('TASK', 'TRIAL')), os.environ['MINE'])",
        environment={"MINE": "yes"},
    )

    assert output(agent) == "task-0 0 yes"


@pytest.mark.parametrize(
    ("out", "expected"),
    [
        ("done", "done"),
        ("  done\\n\\n", "done"),
        ('{"output": [1, 2]}', [1, 2]),
        ('{"refunded": 7}', {"refunded": 7}),
        ("42", "42"),
        ("{not json", "{not json"),
        ("", ""),
    ],
)
def test_answer_is_json_or_text(out: str, expected: object) -> None:
    """An object is an answer, or an output; anything else is a text."""
    assert output(script(f"print('{out}')")) == expected


def test_answer_may_say_more_than_its_output() -> None:
    """The fields of an answer come through."""
    said = {"output": "x", "claims_success": False, "handoff": True, "usage": {"input_tokens": 3}}
    answer = trial_of(script(f"print('''{json.dumps(said)}''')")).answer

    assert answer is not None
    assert (answer.claims_success, answer.handoff) == (False, True)
    assert answer.usage is not None
    assert answer.usage.input_tokens == 3


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("print('no')", "its standard output is no JSON"),
        ("pass", "its standard output is empty"),
        ("""print('{"output": 1, "usage": 3}')""", "no answer"),
    ],
)
def test_answer_that_had_to_be_json(text: str, said: str) -> None:
    """Where JSON was agreed on, anything else is the agent's failure."""
    trial = trial_of(script(text, answer="json"))

    assert trial.outcome is Outcome.CRASH
    assert said in trial.detail


def test_object_that_was_meant_as_an_answer_is_not_taken_for_a_text() -> None:
    """An answer with a wrong field is told, and not graded as if the whole of it were the output."""
    trial = trial_of(script("""print('{"output": 1, "handoff": "yes"}')"""))

    assert trial.outcome is Outcome.CRASH
    assert "handoff" in trial.detail


def test_exit_code_is_a_crash_with_the_last_that_was_said() -> None:
    """The sentence holds the code and the last line; the rest is kept with the trial."""
    trial = trial_of(script("import sys; sys.stderr.write('one\\ntwo\\n'); sys.exit(3)"), capture=True)

    assert trial.outcome is Outcome.CRASH
    assert trial.detail == "it exited with code 3: two"


def test_signal_is_a_crash_that_names_it() -> None:
    """A command that was killed did not answer."""
    trial = trial_of(script("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"))

    assert (trial.outcome, trial.detail) == (Outcome.CRASH, "it was killed by SIGSEGV")


def test_one_that_writes_without_end_is_stopped() -> None:
    """The machine's memory is not the agent's."""
    trial = trial_of(script("import sys\nwhile True: sys.stdout.write('x' * 1_000_000)"))

    assert trial.outcome is Outcome.CRASH
    assert "more than 16 MB" in trial.detail


def test_one_that_never_reads_its_input_answers_all_the_same() -> None:
    """A full pipe stops nobody."""
    assert output(script("print('done')"), "x" * 1_000_000) == "done"


def test_hung_command_is_killed_with_all_that_it_started(tmp_path: Path) -> None:
    """Children that it forked are gone, too, when its time is over."""
    pids = tmp_path / "pids"
    trial = trial_of(
        script(
            "import os, time\n"
            "child = os.fork()\n"
            f"os.write(os.open({str(pids)!r}, os.O_CREAT | os.O_APPEND | os.O_WRONLY), b'%d\\n' % os.getpid())\n"
            "time.sleep(600)"
        ),
        timeout=1.0,
    )

    assert trial.outcome is Outcome.TIMEOUT
    assert len(pids.read_text().split()) == 2
    assert not any(alive(int(pid)) for pid in pids.read_text().split())


def test_children_that_are_left_behind_keep_nobody_waiting(tmp_path: Path) -> None:
    """A child that holds the pipes open is killed when the command has ended."""
    pid = tmp_path / "pid"
    agent = script(
        f"import os, time\nif not os.fork(): time.sleep(600)\nelse: open({str(pid)!r}, 'w').write('x'); print('done')"
    )

    assert output(agent) == "done"


def alive(pid: int) -> bool:
    """True while a process that is no zombie has this id."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("no-such-command --x", "there is no command 'no-such-command'"),
        ("./nowhere.sh", r"there is no command '\./nowhere\.sh'"),
        ([], "a command is a text or a list of words"),
        ("echo 'unclosed", "No closing quotation"),
        (["echo", 7], "a command is a text or a list of words"),
    ],
)
def test_command_that_is_not_there(command: Any, said: str) -> None:  # noqa: ANN401 - a user may give anything
    """It is refused before anything runs, in one sentence."""
    with pytest.raises(UsageError, match=said):
        CommandAgent(command)


def test_file_that_may_not_be_run(tmp_path: Path) -> None:
    """The usual mistake, and what to do about it."""
    (tmp_path / "agent.sh").write_text("echo hi\n")

    with pytest.raises(UsageError, match=r"agent\.sh is not executable: chmod \+x"):
        CommandAgent("./agent.sh", folder=tmp_path)


def test_options_that_there_are_not() -> None:
    """Every problem at once."""
    with pytest.raises(UsageError) as caught:
        CommandAgent(["no-such"], stdin="xml", answer="yaml")  # type: ignore[arg-type]  # what a user may type

    assert len(caught.value.problems) == 3


def test_command_that_vanished_is_nobodys_fault(tmp_path: Path) -> None:
    """It was there when the run was planned: the trial is void."""
    program = tmp_path / "agent.sh"
    program.write_text("#!/bin/sh\necho done\n")
    program.chmod(0o755)
    agent = CommandAgent([str(program)])
    program.unlink()

    trial = trial_of(agent)

    assert trial.outcome is Outcome.VOID
    assert "could not be started" in trial.detail


def test_folder_is_where_it_runs(tmp_path: Path) -> None:
    """A command finds its own files."""
    assert output(script("import os; print(os.getcwd())", folder=tmp_path)) == os.path.realpath(tmp_path)
