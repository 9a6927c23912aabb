"""A fresh world a trial: made in every way that a user may make one, torn down whatever happened in between."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from typing import Any

import pytest

from passhat.errors import PasshatError
from passhat.model.outcome import Outcome
from passhat.model.protocols import Tools
from tests.engine.drive import drive, suite_of

LIMIT = 0.05
HUNG = threading.Event()  # never set


class Room:
    """A world that remembers what happened in it, and on which threads."""

    def __init__(self, log: list[str] | None = None) -> None:
        self.log = [] if log is None else log
        self.threads: list[int] = []

    @property
    def tools(self) -> dict[str, Callable[..., Any]]:
        """One tool."""
        return {"knock": self.knock}

    def knock(self) -> str:
        """Knock."""
        self.note("knock")
        return "come in"

    def snapshot(self) -> list[str]:
        """What has happened."""
        self.note("snapshot")
        return list(self.log)

    def note(self, event: str) -> None:
        """Remember *event* and its thread."""
        self.log.append(event)
        self.threads.append(threading.get_ident())


async def knocks(message: str, tools: Tools) -> str:
    """An async agent that calls the tool."""
    return str(await tools.knock())


def knocks_blocking(message: str, tools: Tools) -> str:
    """A blocking agent that calls the tool."""
    return str(tools.knock())


AGENTS = (knocks, knocks_blocking)


class Rooms:
    """Makes worlds, and keeps them to be looked at afterwards."""

    def __init__(self) -> None:
        self.made: list[Room] = []

    def room(self) -> Room:
        """A fresh world."""
        self.made.append(Room())
        self.made[-1].note("made")
        return self.made[-1]

    async def awaited(self) -> Room:
        """A fresh world, which has to be awaited."""
        await asyncio.sleep(0)
        return self.room()

    @contextmanager
    def entered(self) -> Iterator[Room]:
        """A fresh world as a context manager."""
        room = self.room()
        try:
            yield room
        finally:
            room.note("left")

    @asynccontextmanager
    async def entered_async(self) -> AsyncIterator[Room]:
        """A fresh world as an async context manager."""
        room = self.room()
        try:
            yield room
        finally:
            await asyncio.sleep(0)
            room.note("left")


KINDS = ("room", "awaited", "entered", "entered_async")


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.__name__)
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_factory_gives_a_fresh_world(kind: str, agent: Callable[..., Any]) -> None:
    """A factory may give a world, something to await, or a context manager of one; each trial has its own."""
    rooms = Rooms()

    driven = drive(suite_of(getattr(rooms, kind), tasks=3), agent, trials=2)

    assert [trial.outcome for trial in driven.trials] == [Outcome.PASS] * 6
    assert all(trial.state == ["made", "knock", "snapshot"] for trial in driven.trials)
    left = ["left"] if kind.startswith("entered") else []
    assert [room.log for room in rooms.made] == [["made", "knock", "snapshot", *left]] * 6


@pytest.mark.parametrize("fails", [False, True], ids=["answers", "raises"])
def test_blocking_agent_and_its_world_share_a_thread(fails: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """Set-up, agent, tools, snapshot and tear-down of one blocking trial happen on one thread, and not the loop's."""
    rooms = Rooms()

    def agent(message: str, tools: Tools) -> str:
        tools.knock()
        if fails:
            raise ValueError
        return "done"

    drive(suite_of(rooms.entered, tasks=4), agent, concurrency=2)

    assert [room.log for room in rooms.made] == [["made", "knock", "snapshot", "left"]] * 4
    assert all(len(set(room.threads)) == 1 for room in rooms.made)


def _raise(error: BaseException) -> Any:  # noqa: ANN401 - it returns nothing
    raise error


async def _raise_async(error: BaseException) -> Any:  # noqa: ANN401 - it returns nothing
    raise error


@asynccontextmanager
async def _raise_on_entry() -> AsyncIterator[Room]:
    raise OSError("no room")
    yield Room()


BROKEN_SETUPS: dict[str, Callable[[], Any]] = {
    "factory": lambda: _raise(OSError("no room")),
    "awaited": lambda: _raise_async(OSError("no room")),
    "entered": _raise_on_entry,
    "timeout of its own": lambda: _raise(TimeoutError("no room")),
}


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.__name__)
@pytest.mark.parametrize("broken", BROKEN_SETUPS)
def test_setup_that_raises_voids_the_trial(broken: str, agent: Callable[..., Any]) -> None:
    """A world that cannot be made is the surroundings' failure, and is told as what it was."""
    driven = drive(suite_of(BROKEN_SETUPS[broken], tasks=2), agent)

    assert [trial.outcome for trial in driven.trials] == [Outcome.VOID] * 2
    assert all("set-up raised" in trial.detail and "no room" in trial.detail for trial in driven.trials)


STRAY: dict[str, Callable[[], Any]] = {
    "exit": lambda: sys.exit(3),
    "cancelled": lambda: _raise_async(asyncio.CancelledError()),
}


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.__name__)
@pytest.mark.parametrize("stray", STRAY)
def test_setup_that_raises_no_exception_voids_the_trial(stray: str, agent: Callable[..., Any]) -> None:
    """A set-up that exits or is cancelled by itself takes no other trial with it."""
    driven = drive(suite_of(STRAY[stray], tasks=3), agent, concurrency=2)

    assert [trial.outcome for trial in driven.trials] == [Outcome.VOID] * 3


def _hang() -> Room:
    HUNG.wait()
    return Room()


async def _hang_async() -> Room:
    await asyncio.Event().wait()
    return Room()


def test_setup_too_slow_voids_the_trial() -> None:
    """A set-up has the time limit of a trial."""
    awaited = drive(suite_of(_hang_async), knocks, timeout=LIMIT)
    blocking = drive(suite_of(_hang), knocks_blocking, timeout=LIMIT)

    assert awaited.trial.outcome is blocking.trial.outcome is Outcome.VOID
    assert "set-up took longer than 0.05 s" in awaited.trial.detail
    assert "set-up took longer than 0.05 s" in blocking.trial.detail


async def crashes(message: str) -> str:
    """An async agent that raises."""
    raise ValueError(message)


def crashes_blocking(message: str) -> str:
    """A blocking agent that raises."""
    raise ValueError(message)


async def hangs(message: str) -> str:
    """An async agent that never answers."""
    await asyncio.Event().wait()
    return "never"


def hangs_blocking(message: str) -> str:
    """A blocking agent that never answers."""
    HUNG.wait()
    return "never"


@pytest.mark.parametrize("kind", ["entered", "entered_async"])
@pytest.mark.parametrize("agent", [crashes, crashes_blocking], ids=lambda agent: agent.__name__)
def test_world_is_torn_down_after_a_crash(kind: str, agent: Callable[..., Any]) -> None:
    """A crash of the agent leaves no world open."""
    rooms = Rooms()

    driven = drive(suite_of(getattr(rooms, kind), tasks=2), agent)

    assert [trial.outcome for trial in driven.trials] == [Outcome.CRASH] * 2
    assert [room.log[-1] for room in rooms.made] == ["left"] * 2


@pytest.mark.parametrize("kind", ["entered", "entered_async"])
@pytest.mark.parametrize("agent", [hangs, hangs_blocking], ids=lambda agent: agent.__name__)
def test_world_is_torn_down_after_a_timeout(kind: str, agent: Callable[..., Any]) -> None:
    """A hung agent leaves no world open."""
    rooms = Rooms()

    driven = drive(suite_of(getattr(rooms, kind), tasks=2), agent, timeout=LIMIT)

    assert [trial.outcome for trial in driven.trials] == [Outcome.TIMEOUT] * 2
    assert [room.log[-1] for room in rooms.made] == ["left"] * 2


class Stuck(Room):
    """A world whose end state cannot be had."""

    def snapshot(self) -> list[str]:
        """Fail."""
        raise OSError("no picture")


class StuckForEver(Room):
    """A world whose end state never comes."""

    async def snapshot(self) -> list[str]:  # type: ignore[override]
        """Wait."""
        await asyncio.Event().wait()
        return []


class Locked(Room):
    """A world whose end state waits for a lock that a hung tool holds."""

    def __init__(self) -> None:
        super().__init__()
        self.lock = threading.Lock()

    def knock(self) -> str:
        """Take the lock and hang."""
        with self.lock:
            HUNG.wait()
        return "never"

    def snapshot(self) -> list[str]:
        """Wait for the lock."""
        with self.lock:
            return list(self.log)


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.__name__)
def test_snapshot_that_raises_voids_the_trial(agent: Callable[..., Any]) -> None:
    """A passed trial without the end state that its world promised is no evidence."""
    trial = drive(suite_of(Stuck), agent).trial

    assert trial.outcome is Outcome.VOID
    assert "snapshot raised OSError: no picture" in trial.detail


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.__name__)
def test_snapshot_too_slow_voids_the_trial(agent: Callable[..., Any]) -> None:
    """A snapshot has a time limit."""
    trial = drive(suite_of(StuckForEver), agent, timeout=LIMIT).trial

    assert trial.outcome is Outcome.VOID
    assert "snapshot took longer than 0.05 s" in trial.detail


@pytest.mark.parametrize("agent", [crashes, crashes_blocking], ids=lambda agent: agent.__name__)
def test_crash_stays_a_crash_where_the_snapshot_fails(agent: Callable[..., Any]) -> None:
    """The agent's failure counts, whether or not there is an end state to show with it."""
    trial = drive(suite_of(Stuck), agent).trial

    assert trial.outcome is Outcome.CRASH
    assert "ValueError" in trial.detail
    assert "no picture" in trial.detail


def test_tool_that_holds_the_worlds_lock_does_not_stop_the_run() -> None:
    """A hung blocking agent is a TIMEOUT, even where its world cannot be looked at any more."""
    driven = drive(suite_of(Locked, tasks=2), knocks_blocking, timeout=LIMIT)

    assert [trial.outcome for trial in driven.trials] == [Outcome.TIMEOUT] * 2
    assert all("snapshot" in trial.detail for trial in driven.trials)


class BadExit:
    """A context manager whose end is not what it should be."""

    def __init__(self, leave: Callable[[], Any]) -> None:
        self._leave = leave

    def __enter__(self) -> Room:
        """A world."""
        return Room()

    def __exit__(self, *_: object) -> None:
        """End badly."""
        self._leave()


class BadAsyncExit(BadExit):
    """The same, to be awaited."""

    async def __aenter__(self) -> Room:
        """A world."""
        return Room()

    async def __aexit__(self, *_: object) -> None:
        """End badly."""
        await self._leave()


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.__name__)
def test_teardown_that_raises_is_reported(agent: Callable[..., Any]) -> None:
    """A tear-down that fails changes no outcome; the trial says it."""
    sync = drive(suite_of(lambda: BadExit(lambda: _raise(OSError("stuck door")))), agent).trial
    awaited = drive(suite_of(lambda: BadAsyncExit(lambda: _raise_async(OSError("stuck door")))), agent).trial

    assert sync.outcome is awaited.outcome is Outcome.PASS
    assert "tear-down raised OSError: stuck door" in sync.detail
    assert "tear-down raised OSError: stuck door" in awaited.detail


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.__name__)
def test_teardown_that_hangs_is_left_behind(agent: Callable[..., Any]) -> None:
    """A tear-down has a time limit; the run goes on and the trial says it."""
    sync = drive(suite_of(lambda: BadExit(HUNG.wait), tasks=2), agent, timeout=LIMIT)
    awaited = drive(suite_of(lambda: BadAsyncExit(_hang_async), tasks=2), agent, timeout=LIMIT)

    assert [trial.outcome for trial in (*sync.trials, *awaited.trials)] == [Outcome.PASS] * 4
    assert all("tear-down took longer" in trial.detail for trial in (*sync.trials, *awaited.trials))


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.__name__)
def test_teardown_that_raises_no_exception_is_reported(agent: Callable[..., Any]) -> None:
    """A tear-down that exits or is cancelled by itself takes no other trial with it."""
    leaving = (lambda: sys.exit(3), lambda: _raise(asyncio.CancelledError()))
    awaited = drive(suite_of(lambda: BadAsyncExit(lambda: _raise_async(asyncio.CancelledError())), tasks=2), agent)
    sync = [drive(suite_of(partial(BadExit, leave), tasks=2), agent) for leave in leaving]

    trials = [trial for driven in (awaited, *sync) for trial in driven.trials]
    assert [trial.outcome for trial in trials] == [Outcome.PASS] * 6
    assert all("tear-down raised" in trial.detail for trial in trials)


@pytest.mark.parametrize("tools", [5, [1, 2], "refund"], ids=str)
def test_tools_that_are_none_void_the_trial(tools: object) -> None:
    """A world whose tools are no tools is the surroundings' failure."""

    class Odd:
        pass

    def world() -> Odd:
        odd = Odd()
        odd.tools = tools  # type: ignore[attr-defined]
        return odd

    trial = drive(suite_of(world), knocks).trial

    assert trial.outcome is Outcome.VOID
    assert "tools" in trial.detail


def test_tools_may_be_a_list_of_functions() -> None:
    """A list of functions is a toolbox by their names."""

    class Listed:
        def __init__(self) -> None:
            self.tools = [Room().knock]

    assert drive(suite_of(Listed), knocks).trial.outcome is Outcome.PASS


def test_world_without_a_snapshot_has_no_state() -> None:
    """A world need not show its end state."""

    class Bare:
        def __init__(self) -> None:
            self.tools = {"knock": Room().knock}

    assert drive(suite_of(Bare), knocks).trial.state is None


def test_async_snapshot_is_awaited() -> None:
    """A snapshot may be async."""

    class Slow(Room):
        async def snapshot(self) -> list[str]:  # type: ignore[override]
            await asyncio.sleep(0)
            return ["seen"]

    assert drive(suite_of(Slow), knocks).trial.state == ["seen"]
    assert drive(suite_of(Slow), knocks_blocking).trial.state == ["seen"]


def test_world_that_names_its_own_problem_is_quoted() -> None:
    """The sentence of a set-up's error stands in the trial."""

    def world() -> Room:
        raise PasshatError("the shop is closed on Sundays")

    assert "the shop is closed on Sundays" in drive(suite_of(world), knocks).trial.detail
