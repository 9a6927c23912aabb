"""Opening a fresh world for a trial, and closing it whatever happened in between.

A factory gives a world, something to await for one, or a context manager of one, sync or async. What is sync is done
where the trial's agent lives; a tear-down has a time limit, so a sync one is always done on a thread.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable
from fnmatch import fnmatchcase
from typing import Any

from passhat.engine.fence import Overdue, let_through, within
from passhat.engine.reads import Named
from passhat.engine.threads import AgentThread, Threads
from passhat.engine.where import where
from passhat.errors import UsageError
from passhat.model.plain import described

Leave = Callable[[], Awaitable[object]]


class Opened:
    """A world, and how to leave it."""

    __slots__ = ("leave", "world")

    def __init__(self, world: Any, leave: Leave | None = None) -> None:  # noqa: ANN401 - a user's world
        """*world*, and what tears it down, if anything."""
        self.world = world
        self.leave = leave

    async def close(self, limit: float) -> str:
        """Tear the world down within *limit* seconds; what went wrong, in words."""
        leave, self.leave = self.leave, None
        if leave is None:
            return ""
        try:
            await within(limit, leave())
        except Overdue as overdue:
            return f"the world's tear-down took {overdue} and was left behind"
        except BaseException as error:  # noqa: BLE001 - a fence: what it raises is data, unless it comes from outside
            let_through(error)
            return f"the world's tear-down raised {where(error)}"
        return ""


NO_WORLD = Opened(None)


def reads_of(opened: Opened, tools: Iterable[str] | None) -> Collection[str]:
    """The tools that the world declares as ones that only read; names may be patterns, such as ``get_*``.

    *tools* is None where not all of them are known beforehand.
    """
    declared: Any = getattr(opened.world, "reads", ())
    if not declared:
        return ()
    listed = isinstance(declared, Collection) and not isinstance(declared, str)
    if not listed or not all(isinstance(name, str) for name in declared):
        raise UsageError(f"reads: a list of the names of tools that only read, not {described(declared)}")
    if tools is None:
        return Named(tuple(declared))
    return frozenset(tool for tool in tools if any(fnmatchcase(tool, name) for name in declared))


async def open_world(
    factory: Callable[[], Any], thread: AgentThread | None, threads: Threads, *, limit: float
) -> Opened:
    """A fresh world within *limit* seconds; what is sync is done on *thread*, or on the event loop without one."""
    if thread is None:
        made = factory()
        if not any(hasattr(made, name) for name in ("__aenter__", "__enter__", "__await__")):
            return Opened(made)
        return await within(limit, _entered(made, None, threads))
    return await within(limit, _made(factory, thread, threads))


async def _made(factory: Callable[[], Any], thread: AgentThread, threads: Threads) -> Opened:
    return await _entered(await thread.call(factory), thread, threads)


async def _entered(made: Any, thread: AgentThread | None, threads: Threads) -> Opened:  # noqa: ANN401 - a user's object
    """The world that *made* stands for: what is to be awaited, a context manager, or the world itself."""
    if hasattr(made, "__aenter__"):
        return Opened(await made.__aenter__(), lambda: made.__aexit__(None, None, None))
    if hasattr(made, "__enter__"):
        world = made.__enter__() if thread is None else await thread.call(made.__enter__)
        return Opened(world, lambda: _leave(made, thread, threads))
    return Opened(await made if hasattr(made, "__await__") else made)


async def _leave(made: Any, thread: AgentThread | None, threads: Threads) -> None:  # noqa: ANN401 - a context manager
    """Leave a sync context manager on the trial's thread, or on another where that one is still at work."""
    home = threads.take() if thread is None or thread.busy else thread
    try:
        await home.call(lambda: made.__exit__(None, None, None))
    finally:
        if home is not thread:
            threads.give_back(home)
