"""An agent that is a command, in any language: the task on its standard input, the answer on its standard output."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import sys
from collections.abc import Awaitable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from passhat.agents._process import Ended, TooMuch, carried_out
from passhat.agents._said import from_json
from passhat.errors import AgentFailed, OutOfReach, UsageError
from passhat.model.answer import Answer
from passhat.model.plain import as_json, described, plain
from passhat.model.protocols import Request
from passhat.model.talk import as_told

MOST = 16 * 1024 * 1024
_PLACE = re.compile(r"\{(input|task|trial|seed)\}")
_GIVES = ("json", "text", "nothing")
_ANSWERS = ("auto", "json", "text")


class CommandAgent:
    """Starts *command* for each trial, in a group of its own that is killed whole when the trial's time is over.

    The command gets `{"input", "task", "trial", "seed"}` as JSON on its standard input, or the bare input as text, or
    nothing; `{input}`, `{task}`, `{trial}` and `{seed}` in its arguments are filled in. The environment carries
    PASSHAT_TASK, PASSHAT_TRIAL and PASSHAT_SEED, and PASSHAT_TOOLS_URL and PASSHAT_TOOLS_TOKEN for the tools. What it
    writes to its standard output is the answer: JSON, or text. What it writes to standard error is kept with the trial.
    Where the task has a user it is started for each turn of the user's, and the JSON holds the `turns` so far, too.
    """

    blocking = False
    takes_tools = True
    surface = "tool_server"

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        stdin: Literal["json", "text", "nothing"] = "json",
        answer: Literal["auto", "json", "text"] = "auto",
        folder: str | Path | None = None,
        environment: Mapping[str, str] | None = None,
        label: str = "",
        version: str = "",
    ) -> None:
        """The agent that *command* is: a list of words, or one text that is split as a shell would."""
        self._argv = _split(command)
        self._stdin, self._answer = stdin, answer
        self._folder = None if folder is None else str(folder)
        self._environment = {**os.environ, **(environment or {})}
        self.label = label or " ".join(Path(word).name if place == 0 else word for place, word in enumerate(self._argv))
        self.version = version
        problems = [
            *([f"stdin: one of {', '.join(_GIVES)}, not {stdin!r}"] if stdin not in _GIVES else []),
            *([f"answer: one of {', '.join(_ANSWERS)}, not {answer!r}"] if answer not in _ANSWERS else []),
            *self._missing(),
        ]
        if problems:
            raise UsageError(*(f"agent {self.label}: {problem}" for problem in problems))

    def start(self, request: Request) -> Awaitable[Answer]:
        return self._run(request)

    def _missing(self) -> list[str]:
        """What is not there, of all that can be looked for before the first trial."""
        if self._folder is not None and not Path(self._folder).is_dir():
            return [f"there is no folder {self._folder}"]
        program = self._argv[0]
        beside = Path(self._folder or ".") / program
        found = shutil.which(str(beside) if os.sep in program else program, path=self._environment.get("PATH"))
        if found is not None:
            return []
        if os.sep in program and beside.is_file():
            return [f"{program} is not executable: chmod +x {program}, or name what runs it first"]
        return [f"there is no command {program!r}; is it installed, and on the PATH?"]

    async def _run(self, request: Request) -> Answer:
        trial: dict[str, object] = {
            "input": plain(request.input),
            "task": request.task,
            "trial": request.trial,
            "seed": request.seed,
        }
        if request.turns:
            trial["turns"] = as_told(request.turns)
        try:
            ended = await carried_out(
                [_filled(word, trial) for word in self._argv],
                stdin=self._given(trial),
                environment={**self._environment, **_environment(request)},
                folder=self._folder,
                most=MOST,
            )
        except TooMuch:
            raise AgentFailed(f"it wrote more than {MOST // 2**20} MB to its standard output, and was killed") from None
        except OSError as error:  # it was there when the run began
            raise OutOfReach(f"{self._argv[0]} could not be started: {error.strerror or error}") from error
        if ended.err:
            sys.stderr.write(ended.err)  # what a trial prints is kept with it
        if ended.code:
            raise AgentFailed(_broke_down(ended))
        return self._read(ended.out)

    def _given(self, trial: Mapping[str, object]) -> bytes:
        match self._stdin:
            case "json":
                return as_json(trial) + b"\n"
            case "text":
                return _text(trial["input"]).encode(errors="replace")
            case _:
                return b""

    def _read(self, out: bytes) -> Answer:
        if self._answer == "json":
            return from_json(out, who="its standard output")
        if self._answer == "auto" and out.lstrip()[:1] == b"{":
            try:
                return from_json(out, who="its standard output")
            except AgentFailed:
                if b'"output"' in out:  # meant as an answer, and none
                    raise
        return Answer(out.decode(errors="replace").strip())


def _split(command: str | Sequence[str]) -> list[str]:
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError as error:
        raise UsageError(f"command {command!r:.200}: {error}") from None
    if not words or not all(isinstance(word, str) for word in words) or not words[0]:
        raise UsageError(f"a command is a text or a list of words, such as ['node', 'agent.js'], not {command!r:.200}")
    return words


def _filled(word: str, trial: Mapping[str, object]) -> str:
    """*word* with the places in it filled, all at once: what is filled in is not looked through again."""
    return _PLACE.sub(lambda place: _text(trial[place[1]]), word) if "{" in word else word


def _text(value: object) -> str:
    return value if isinstance(value, str) else as_json(value).decode()


def _environment(request: Request) -> dict[str, str]:
    given = {"PASSHAT_TASK": request.task, "PASSHAT_TRIAL": str(request.trial), "PASSHAT_SEED": str(request.seed)}
    return {**given, **getattr(request.tools, "environment", {})}


def _broke_down(ended: Ended) -> str:
    """How a process ended that did not end well, and the last that it said."""
    killed = ended.code < 0
    how = f"it was killed by {_signal(-ended.code)}" if killed else f"it exited with code {ended.code}"
    said = next((line.strip() for line in reversed(ended.err.splitlines()) if line.strip()), "")
    return f"{how}: {described(said, 300)[1:-1]}" if said else how


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
