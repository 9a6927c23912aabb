"""What two layers must agree on: the protocols by which the layers above are handed to each other."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from passhat.model.base import Json, Noun
from passhat.model.run import Header, Listing, Run
from passhat.model.talk import Turn
from passhat.model.trial import Evidence, Grade


class Request(Noun, gc=False):
    """What an agent is given: the task's input (perturbed, where the condition says so), its tools, and its seed.

    `task` and `trial` say which trial this is, for an agent that writes files or logs of its own. Where the task has a
    user the agent is called for each turn of the user's: `input` is what the user says now, `turns` the talk so far,
    with these words as the last. `memory` is one for all calls of a trial: an adapter keeps there what it goes on with.
    """

    input: Any
    tools: Any
    seed: int
    task: str = ""
    trial: int = 0
    turns: Sequence[Turn] = ()
    memory: dict[str, Any] = {}  # noqa: RUF012 - each request without one gets a new one


@runtime_checkable
class Agent(Protocol):
    """An agent under test, as the engine calls it.

    `label` and `version` name it in the run digest. `takes_tools` is False where no tool call of it can be seen, so
    that no fault could reach it. `blocking` says that `start` does its work before it returns,
    and so belongs on a thread of its own; otherwise `start` gives something to await.

    What an adapter need not have: `on_loop` says that all of the work is done on the event loop and by its clock, as
    that of no other agent that could live in virtual time. `surface` names how it takes its tools, python_tools unless
    it says so. `brings_tools` is True where it has tools of its own beside the world's, which nobody can list
    beforehand. `begin()` is awaited before the first trial, and raises a `UsageError` where the agent cannot be
    reached; `end()` is awaited after the last.
    """

    @property
    def label(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def blocking(self) -> bool: ...
    @property
    def takes_tools(self) -> bool: ...
    def start(self, request: Request) -> Any: ...  # noqa: ANN401 - an agent returns what it likes


class Guard(Protocol):
    """What stands between an agent and a tool: every call goes through it, and is recorded.

    A surface asks for each tool as the agent may call it: `bind` for agents that await, `bind_blocking` for those that
    don't. A tool that there isn't is bound to None. `messages` gives what an agent's model is to see of its messages.
    """

    def bind(self, tool: str, upstream: Callable[..., Any] | None) -> Callable[..., Awaitable[Any]]: ...
    def bind_blocking(self, tool: str, upstream: Callable[..., Any] | None) -> Callable[..., Any]: ...
    def messages(self, history: Iterable[Any]) -> list[Any]: ...


class Tools(Protocol):
    """The tools as the agent holds them: `tools.refund(order=7)`, or by name, `tools.call("refund", order=7)`.

    `tools.messages(history)` gives the messages that the agent is to show its model; it is never awaited.
    """

    def call(self, name: str, /, **arguments: Any) -> Any: ...  # noqa: ANN401 - tools return what they like
    def __getattr__(self, name: str) -> Callable[..., Any]: ...


class World(Protocol):
    """A fresh place for one trial. `snapshot()`, where there is one, gives the end state as JSON."""

    @property
    def tools(self) -> Mapping[str, Callable[..., Any]] | Sequence[Callable[..., Any]]: ...


class Grader(Protocol):
    """Judges the evidence of one trial. It may be async, where it asks a service.

    One that only computes may say `blocking = False`; any other that is sync is called on a thread.
    """

    @property
    def identity(self) -> str: ...
    def problems(self, task_id: str, expect: Json) -> Sequence[str]: ...
    def grade(self, evidence: Evidence) -> Grade | Awaitable[Grade]: ...


class TrialRow(Noun, gc=False):
    """A trial on its way into a store: where it belongs, what is counted, and its body, already redacted.

    `cell` is the cell's position in the run: task × conditions + condition.
    """

    cell: int
    index: int
    outcome: str
    exposed: bool
    started_at: float
    seconds: float
    body: bytes


@runtime_checkable
class Store(Protocol):
    """Where trials live. Calls block; they come from one writer, in batches.

    What `append` has returned from is safe: it survives the death of the process. A trial's address (run, cell,
    index) is stored once: appending it again is refused whole. `extend` gives the run of this id more planned trials:
    those of the header, with its provenance; all else stays. It is refused where the run has not the trials that the
    header's blocks tell of without the last: then somebody else has extended it.
    """

    def create(self, header: Header) -> None: ...
    def extend(self, header: Header) -> None: ...
    def append(self, run_id: str, rows: Sequence[TrialRow]) -> None: ...
    def runs(self) -> Sequence[Listing]: ...
    def open(self, run: str = "latest") -> Run: ...
    def stored(self, run_id: str) -> Sequence[tuple[int, int]]: ...
    def delete(self, run_id: str) -> None: ...
    def close(self) -> None: ...
