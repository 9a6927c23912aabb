"""The tree of errors, and the one table that maps each to an exit code.

PasshatError
├── UsageError            the user can mend it before anything runs: arguments, suite, agent, condition
│   └── StoreUnusable     the store's path, permissions or schema
├── StoreFailed           the store stopped working in the middle of a run
├── VerdictError          raised by `Verdict.raise_for_status()`
│   ├── Failed            a rule is broken
│   └── Inconclusive      trials were attempted and no verdict can be reached
├── AgentFailed           an agent outside of this process went wrong: its trial is a CRASH
├── OutOfReach            the surroundings kept an agent from its work: its trial is VOID
└── ToolError             what an agent sees when a tool call fails: it belongs to the agent's world
TrialClosed               (a BaseException) a tool was called after its trial had ended
Interrupted               (a KeyboardInterrupt) the run was stopped; what was finished is stored

Only classes and their exit codes live here; nothing else of passhat is imported.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum


class ExitCode(IntEnum):
    """What a shell, and so a build server, gets to know."""

    PASS = 0
    FAIL = 1
    USAGE = 2
    INCONCLUSIVE = 3
    BUG = 4
    INTERRUPTED = 130


class PasshatError(Exception):
    """The root of what passhat raises on purpose."""


class UsageError(PasshatError):
    """Something that the user can mend before running: one sentence a problem, all problems at once."""

    def __init__(self, *problems: str) -> None:
        super().__init__("\n".join(problems))
        self.problems: Sequence[str] = problems


class StoreUnusable(UsageError):
    """The store cannot be opened as it stands: its path, its permissions or its schema."""


class StoreFailed(PasshatError):
    """The store stopped working in the middle of a run; what it had reported as stored is safe.

    *run_id* is the run that can go on once the store works again. One that is *lost* cannot, whoever asks.
    """

    def __init__(self, problem: str, *, run_id: str = "", lost: bool = False) -> None:
        super().__init__(problem)
        self.run_id = run_id
        self.lost = lost


class VerdictError(PasshatError):
    """A verdict that is not PASS, raised by `Verdict.raise_for_status()`."""


class Failed(VerdictError):
    """At least one rule is broken."""


class Inconclusive(VerdictError):
    """Trials were attempted, and they cannot carry a verdict."""


class AgentFailed(PasshatError):
    """An agent outside of this process went wrong, in words: it broke down, or what it gave is no answer."""


class OutOfReach(PasshatError):
    """The surroundings kept an agent from its work: that says nothing about the agent, and makes its trial void.

    *busy*: a service said that it has too much to do, and in how many seconds it may be asked again where it knows.
    """

    def __init__(self, problem: str, *, busy: bool = False, retry_after: float | None = None) -> None:
        super().__init__(problem)
        self.busy = busy
        self.retry_after = retry_after


class ToolError(PasshatError):
    """What an agent sees when a tool call fails: *kind* is a word, the message is what the service said."""

    def __init__(self, kind: str, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.retry_after = retry_after


class TrialClosed(BaseException):
    """A tool was called after its trial had ended; the call touched nothing.

    Like a cancellation it is no `Exception`: an agent that catches those and tries again would never come to an end.
    """


class Interrupted(KeyboardInterrupt):
    """The run was stopped by hand; every finished trial is stored under *run_id*."""

    def __init__(self, run_id: str, stored: int, planned: int) -> None:
        super().__init__(f"run {run_id} was stopped: {stored:,} of {planned:,} trials are stored")
        self.run_id = run_id
        self.stored = stored
        self.planned = planned


EXIT_CODES: dict[type[BaseException], ExitCode] = {
    UsageError: ExitCode.USAGE,
    StoreFailed: ExitCode.BUG,
    Failed: ExitCode.FAIL,
    Inconclusive: ExitCode.INCONCLUSIVE,
    KeyboardInterrupt: ExitCode.INTERRUPTED,
}


def exit_code(error: BaseException) -> ExitCode:
    """The exit code of *error*: the nearest listed class in its line of descent, else a bug of ours."""
    for kind in type(error).__mro__:
        if kind in EXIT_CODES:
            return EXIT_CODES[kind]
    return ExitCode.BUG
