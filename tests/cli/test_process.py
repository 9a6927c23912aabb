"""The command line as a process: interrupts, pipes, encodings, terminals. Tests wait for lines, never for time."""

import os
import pty
import re
import shlex
import signal
import sqlite3
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.children import LIMIT, deaf, hearing, limited
from tests.cli.said import Said

PASSHAT = hearing("-m", "passhat")
GATED = '''
import asyncio
import atexit
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from passhat import Suite, Task, graders

atexit.register(Path("left").touch)
suite = Suite(tasks=[Task(name, name, expect=name) for name in "abcd"], grader=graders.equals())
began = 0


async def agent(message, seed):
    """Answers, from the third trial on not before there is a file called `open`."""
    global began
    began += 1
    while began > 2 and not Path("open").exists():
        await asyncio.sleep(0.01)
    with Path("answered").open("a") as file:
        file.write(f"{seed}\\n")
    return message


async def deaf(message):
    print("deaf", file=__import__("sys").__stderr__, flush=True)
    __import__("threading").Event().wait()


def stuck(message):
    threading.Event().wait()


async def stuck_elsewhere(message):
    await asyncio.to_thread(threading.Event().wait)


def stuck_in_a_pool(message):
    with ThreadPoolExecutor() as pool:
        pool.submit(threading.Event().wait).result()


def stuck_in_a_thread(message):
    thread = threading.Thread(target=threading.Event().wait, daemon=False)
    thread.start()
    thread.join()
'''
RUN = ("run", "gated.py", "--agent", "gated.py", "-n", "5", "--concurrency", "1")


@pytest.fixture(autouse=True)
def gated(folder: Path) -> None:
    """An agent that waits for a file."""
    (folder / "gated.py").write_text(GATED)


def passhat(*words: str, **environment: str) -> Said:
    """One command as a process."""
    done = subprocess.run(
        [*PASSHAT, *words],
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        timeout=LIMIT,
        check=False,
        env=os.environ | environment,
    )
    return Said(done.returncode, done.stdout, done.stderr)


class Process:
    """A command in a process group of its own, as a shell starts it."""

    def __init__(self, *words: str, command: Callable[..., list[str]] = hearing) -> None:
        """Start it."""
        whole = command("-m", "passhat", *words)
        self._process = limited(
            subprocess.Popen(whole, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
        )

    def wait_for(self, text: str) -> None:
        """Read standard error until a line holds *text*."""
        assert self._process.stderr is not None
        for line in self._process.stderr:
            if text in line:
                return
        raise AssertionError(f"never said {text!r}")

    def interrupt(self) -> None:
        """What a terminal does at Ctrl-C."""
        os.killpg(self._process.pid, signal.SIGINT)

    def interrupt_until_it_ends(self) -> Said:
        """What somebody does who has lost patience."""
        while self._process.poll() is None:
            self.interrupt()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=0.05)
        return self.end()

    def end(self) -> Said:
        """Wait for the end, and give what was said since."""
        out, err = self._process.communicate(timeout=LIMIT)
        return Said(self._process.returncode, out, err)

    def stop(self) -> None:
        """Leave nothing behind."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.communicate()


@pytest.fixture
def running() -> Iterator[Process]:
    """A run of 20 trials of which two are stored, and the third waits."""
    process = Process(*RUN)
    process.wait_for("of 20 trials stored")
    yield process
    process.stop()


def stored(folder: Path) -> list[tuple[str, int, str]]:
    """The task, index and outcome of every trial in the store."""
    db = sqlite3.connect(folder / "passhat.db")
    rows = list(db.execute("SELECT task, trial, outcome FROM trials"))
    db.close()
    return rows


def go_on(said: Said) -> Said:
    """Do what the last line says."""
    line = said.err.splitlines()[-1]
    assert re.match(r"go on with: passhat run gated.py .* --resume \w+$", line)
    return passhat(*shlex.split(line.removeprefix("go on with: passhat ")))


def test_interrupt_drains_and_says_how_to_go_on(running: Process, folder: Path) -> None:
    """Ctrl-C lets the running trial end and stores it; the printed command completes the run, no trial twice."""
    running.interrupt()
    running.wait_for("stopping; Ctrl-C drops the trials that still run")
    (folder / "open").touch()
    said = running.end()
    first = stored(folder)

    resumed = go_on(said)

    assert (said.code, said.out) == (130, "")
    assert re.fullmatch(r"passhat: run \w+ was stopped: \d+ of 20 trials are stored", said.err.splitlines()[-2])
    assert f" {len(first)} of 20 " in said.err
    assert 3 <= len(first) < 20
    assert (resumed.code, "verdict  none: no rule was asked" in resumed.out) == (0, True)
    assert Counter((task, index) for task, index, _ in stored(folder)) == Counter(
        {(task, index): 1 for task in "abcd" for index in range(5)}
    )
    assert set(Counter((folder / "answered").read_text().split()).values()) == {1}


def test_second_interrupt_drops_what_runs(running: Process, folder: Path) -> None:
    """Ctrl-C twice ends at once, with what was stored; the printed command completes the run all the same."""
    running.interrupt()
    running.wait_for("stopping")
    running.interrupt()
    said = running.end()
    first = stored(folder)

    (folder / "open").touch()
    resumed = go_on(said)

    assert (said.code, said.out) == (130, "")
    assert len(first) == 2
    assert resumed.code == 0
    assert len(stored(folder)) == len({(task, index) for task, index, _ in stored(folder)}) == 20
    assert set(Counter((folder / "answered").read_text().split()).values()) == {1}


def test_resumed_run_can_be_interrupted_and_resumed(running: Process, folder: Path) -> None:
    """The command that is printed for a resumed run names one run to resume, however --resume was written."""
    running.interrupt()
    running.wait_for("stopping")
    running.interrupt()
    running.end()
    for resume in (("--resume", "latest"), ("--resume=latest",)):
        again = Process(*RUN, *resume)
        again.wait_for("of 20 trials stored")
        again.interrupt()
        again.wait_for("stopping")
        again.interrupt()
        said = again.end()
        assert said.code == 130
        assert said.err.splitlines()[-1].count("--resume") == 1
        assert "latest" not in said.err.splitlines()[-1]
    (folder / "open").touch()

    assert go_on(said).code == 0
    assert len(stored(folder)) == 20


def test_report_of_a_stopped_run_is_inconclusive(running: Process) -> None:
    """What was stored of a stopped run can be reported; it is never green."""
    running.interrupt()
    running.wait_for("stopping")
    running.interrupt()
    running.end()

    said = passhat("report", "-q")

    assert (said.code, said.out.splitlines()[0]) == (3, "INCONCLUSIVE")


@pytest.mark.parametrize("agent", ["stuck", "stuck_elsewhere", "stuck_in_a_pool", "stuck_in_a_thread"])
def test_agent_that_hangs_does_not_keep_the_process(agent: str, folder: Path) -> None:
    """An agent that never returns is TIMEOUT, wherever it hangs, and the process ends without it."""
    said = passhat("run", "gated.py", "--agent", f"gated.py:{agent}", "-n", "1", "--timeout", "0.05", "-q")

    assert (said.code, said.err) == (0, "")
    assert {outcome for _, _, outcome in stored(folder)} == {"TIMEOUT"}


def test_what_a_suite_does_at_the_end_of_the_program_is_done(folder: Path) -> None:
    """Where nothing hangs, a user's `atexit` is heard: a suite may have something to put away."""
    (folder / "open").touch()

    assert passhat(*RUN, "-q").code == 0
    assert (folder / "left").exists()


def test_run_that_hears_nothing_can_be_left() -> None:
    """An async agent that blocks keeps Ctrl-C from being heard; a third one ends the process, and says how to go on."""
    process = Process("run", "gated.py", "--agent", "gated.py:deaf", "-n", "1")
    process.wait_for("deaf")

    said = process.interrupt_until_it_ends()

    assert (said.code, said.out) == (130, "")
    assert re.fullmatch(
        r"passhat: run (\w+) was stopped: 0 of 4 trials are stored\n"
        r"go on with: passhat run gated.py --agent gated.py:deaf -n 1 --resume \1\n",
        said.err,
    )


def test_ignored_interrupt_stays_ignored(folder: Path) -> None:
    """Where SIGINT was ignored from the start, as in a script's background, Ctrl-C stops no run."""
    process = Process(*RUN, command=deaf)
    process.wait_for("of 20 trials stored")
    process.interrupt()
    process.interrupt()
    (folder / "open").touch()

    said = process.end()

    assert (said.code, "stopp" in said.err) == (0, False)
    assert len(stored(folder)) == 20


def test_killed_run_goes_on(running: Process, folder: Path) -> None:
    """What was reported as stored survives `kill -9`, and the run can be resumed."""
    running.stop()
    assert len(stored(folder)) == 2
    (folder / "open").touch()

    assert passhat(*RUN, "--resume", "latest", "-q").code == 0
    assert len(stored(folder)) == 20


@pytest.mark.parametrize(("rule", "code"), [("pass^1 >= 0.05", 0), ("pass^1 >= 0.99", 3)])
def test_reader_that_has_gone_changes_nothing(rule: str, code: int, folder: Path) -> None:
    """With `| head -1` a run is made whole, ends with its own code, and says nothing on standard error."""
    (folder / "open").touch()
    command = [*PASSHAT, *RUN, "--require", rule]
    with limited(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        err = process.stderr.read()

    assert process.returncode == code
    assert re.fullmatch(r"(\d+ of 20 trials stored .*\n)+", err)
    assert len(stored(folder)) == 20


def test_nobody_reads_the_progress(folder: Path) -> None:
    """With both streams closed, as in `2>&1 | head -1`, a run is made whole, and ends with its own code."""
    (folder / "open").touch()
    with limited(subprocess.Popen([*PASSHAT, *RUN], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)) as process:
        assert process.stdout is not None
        process.stdout.close()

    assert process.returncode == 0
    assert len(stored(folder)) == 20


@pytest.mark.parametrize("words", [("--help",), ("run", "--help"), ("runs",), ("nonsense",)], ids=" ".join)
def test_other_commands_survive_it_too(words: tuple[str, ...], folder: Path) -> None:
    """No command shows a traceback, or another's exit code, where its reader has gone."""
    (folder / "open").touch()
    passhat(*RUN, "-q")
    with limited(subprocess.Popen([*PASSHAT, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)) as process:
        assert process.stdout is not None
        process.stdout.close()

    assert process.returncode == (2 if words == ("nonsense",) else 0)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_full_disk_is_no_bug(folder: Path) -> None:
    """Where the report cannot be written the reason is said, and it is not green."""
    (folder / "open").touch()
    passhat(*RUN, "-q")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*PASSHAT, "report"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=LIMIT, check=False
        )

    assert done.returncode == 4
    assert done.stderr == "passhat: standard output cannot be written: No space left on device\n"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_every_encoding_will_do(encoding: str, folder: Path) -> None:
    """No character of a report is too much for the encoding of a terminal."""
    (folder / "open").touch()
    ran = passhat(*RUN, PYTHONIOENCODING=encoding)
    shown = passhat("show", "a", PYTHONIOENCODING=encoding)
    wrong = passhat("show", "\u2603 снег", PYTHONIOENCODING=encoding)

    assert (ran.code, shown.code, wrong.code) == (0, 0, 2)
    assert "verdict  none: no rule was asked" in ran.out
    assert len(wrong.problems) == 1


def test_plain_c_locale_will_do(folder: Path) -> None:
    """Neither will a system without any locale make it fail."""
    (folder / "open").touch()

    said = passhat(*RUN, LC_ALL="C", LANG="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")

    assert (said.code, "verdict  none: no rule was asked" in said.out) == (0, True)


def on_a_terminal(*words: str, **environment: str) -> str:
    """What a command writes to a terminal, standard output and standard error together."""
    mine, theirs = pty.openpty()
    process = limited(
        subprocess.Popen(
            [*PASSHAT, *words],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=os.environ | {"TERM": "xterm", "CI": ""} | environment,
        )
    )
    os.close(theirs)
    found = b""
    try:
        while more := os.read(mine, 65536):
            found += more
    except OSError:  # Linux says so where the other side has closed
        pass
    os.close(mine)
    assert process.wait(timeout=LIMIT) == 0
    return found.decode()


def read_until(terminal: int, text: str) -> str:
    """What is written to a terminal, up to *text*."""
    found = b""
    while text.encode() not in found:
        found += os.read(terminal, 65536)  # raises where the other side has closed
    return found.decode()


def test_terminal_has_colour_and_a_live_line(folder: Path) -> None:
    """On a terminal the progress is live, and the report is coloured."""
    (folder / "open").touch()
    said = on_a_terminal(*RUN)

    assert "20/20" in said
    assert "\x1b[1;32m" in said or "\x1b[32m" in said


def test_stopping_leaves_no_half_line(folder: Path) -> None:
    """Ctrl-C on a terminal: the message takes the place of the live line, which goes on below it."""
    mine, theirs = pty.openpty()
    environment = os.environ | {"TERM": "xterm", "CI": "", "COLUMNS": "100"}
    command = hearing("-m", "passhat", *RUN)
    process = limited(subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment))
    os.close(theirs)
    said = read_until(mine, "2/20")
    process.send_signal(signal.SIGINT)
    said += read_until(mine, "trials that still run")
    (folder / "open").touch()
    said += read_until(mine, "--resume")
    os.close(mine)

    assert process.wait(timeout=LIMIT) == 130
    assert "\r\x1b[2Kpasshat: stopping; Ctrl-C drops the trials that still run\r\n" in said


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_colour_may_be_unwanted(environment: dict[str, str], folder: Path) -> None:
    """With NO_COLOR, or on a terminal that has none, the report is plain text."""
    (folder / "open").touch()
    passhat(*RUN, "-q")

    assert "\x1b" not in on_a_terminal("report", **environment)


def test_empty_no_color_says_nothing(folder: Path) -> None:
    """An empty NO_COLOR is not set, as its standard says."""
    (folder / "open").touch()
    passhat(*RUN, "-q")

    assert "\x1b" in on_a_terminal("report", NO_COLOR="")


def test_console_script_is_the_module() -> None:
    """`passhat` and `python -m passhat` are one."""
    from importlib.metadata import entry_points

    (script,) = entry_points(group="console_scripts", name="passhat")

    assert script.value == "passhat.__main__:main"


def test_shell_completion_is_offered() -> None:
    """A shell can ask for the commands that begin like this."""
    said = passhat(_PASSHAT_COMPLETE="bash_complete", COMP_WORDS="passhat re", COMP_CWORD="1")

    assert (said.code, said.out) == (0, "plain,report\nplain,replay\n")
