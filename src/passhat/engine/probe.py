"""What a world says of the planned faults and of the tools that are named, before the first trial: one is looked at.

It is made for that, and torn down. A factory says nothing of what it will make, so there is no other way to know its
tools. Nothing in the world is called. A world that cannot be made, or looked at, refuses nothing here: the trials meet
the same, and say it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from typing import Any

from passhat.engine import printing
from passhat.engine.check_faults import injections_of
from passhat.engine.declared import Named, missing, named_tools
from passhat.engine.fence import let_through
from passhat.engine.settings import Settings
from passhat.engine.stall import Stall
from passhat.engine.threads import Threads
from passhat.engine.virtual import VirtualLoop
from passhat.engine.worlds import Opened, open_world, reads_of
from passhat.model.condition import Condition, Injection
from passhat.model.match import parse_match
from passhat.model.parts import nearest
from passhat.model.protocols import Agent
from passhat.model.task import Suite
from passhat.surfaces.base import MESSAGES, toolbox


async def probe(suite: Suite, agent: Agent, conditions: Iterable[Condition], settings: Settings) -> list[str]:
    """What a world of *suite* has against the faults of these conditions, and against the tools that are named.

    No world is made where there are neither.
    """
    planned = [one for condition in conditions for one in injections_of(condition)]
    named = named_tools(suite)
    if suite.world is None or not (planned or named):
        return []
    loop = asyncio.get_running_loop()
    if isinstance(loop, VirtualLoop):
        loop.may_skip = _never  # what a world waits for is real, here as in a trial
    with printing.captured() if settings.capture else nullcontext():
        if settings.capture:
            printing.begin()
        try:
            return await _asked(suite.world, agent, planned, named, limit=float(settings.timeout))
        finally:
            if settings.capture:
                printing.end()


def _never() -> bool:
    return False


async def _asked(
    world: Callable[[], Any], agent: Agent, planned: Sequence[Injection], named: Sequence[Named], *, limit: float
) -> list[str]:
    """The same, of a world that *world* makes where the agent's own would be made."""
    threads, stall = Threads(), Stall(limit)
    thread = threads.take() if agent.blocking else None
    try:
        opened = await open_world(world, thread, threads, limit=limit)
        try:
            return list(dict.fromkeys((*_problems(opened, planned, agent), *_unnamed(opened, named, agent))))
        finally:
            await opened.close(limit)
    except BaseException as error:  # noqa: BLE001 - a fence: the trials meet it too, and say what it is
        let_through(error)
        return []
    finally:
        if thread is not None:
            threads.give_back(thread)
        threads.end()
        stall.end()


def _unnamed(opened: Opened, named: Sequence[Named], agent: Agent) -> Iterator[str]:
    """The names that no tool of this world has; an agent with tools of its own may mean those."""
    box = toolbox(getattr(opened.world, "tools", {}))
    return missing(named, () if getattr(agent, "brings_tools", False) else box)


def _problems(opened: Opened, planned: Sequence[Injection], agent: Agent) -> Iterator[str]:
    """What cannot happen in this world."""
    box = toolbox(getattr(opened.world, "tools", {}))
    reads = reads_of(opened, box)
    listed = box and not getattr(agent, "brings_tools", False)  # all tools that a fault can be aimed at
    sandbox = getattr(opened.world, "sandbox", False) is True
    for one in planned:
        if MESSAGES in one.fault.surfaces and MESSAGES in box:
            yield (
                f"{one.term}: the world has a tool of its own called 'messages', so the agent cannot pass on its "
                "messages there: give that tool another name"
            )
        match = parse_match(one.match)
        if listed and not match.among(box):
            yield f"{one.term}: no tool of the world matches {match.glob!r}{nearest(match.glob, box)}"
        elif listed and not match.among(box, reads=reads):
            yield (
                f"{one.term}: no tool of the world that matches {match.glob!r} "
                f"{'writes' if match.writes else 'only reads'}: a world names those that only read in its reads"
            )
        if one.fault.needs_sandbox and not sandbox:
            yield (
                f"{one.term}: it makes a tool do what the agent did not ask for, which needs a world that "
                "declares sandbox = True"
            )
