"""What a world says of the planned faults and of the tools that are named, before the first trial: one is looked at.

It is made for that, and torn down. A factory says nothing of what it will make, so there is no other way to know its
tools. Nothing in the world is called but its `snapshot`. A world that cannot be made, or looked at, refuses nothing
here: the trials meet the same, and say it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from typing import Any

from passhat.engine import printing
from passhat.engine.box import Box
from passhat.engine.check_faults import injections_of
from passhat.engine.declared import Named, missing, named_tools
from passhat.engine.fence import let_through, within
from passhat.engine.settings import Settings
from passhat.engine.stall import Stall
from passhat.engine.threads import AgentThread, Threads
from passhat.engine.virtual import VirtualLoop
from passhat.engine.worlds import Opened, open_world, reads_of
from passhat.model.condition import Condition, Injection
from passhat.model.match import parse_match
from passhat.model.parts import nearest
from passhat.model.plain import json_problem
from passhat.model.protocols import Agent
from passhat.model.task import Suite
from passhat.surfaces.base import MESSAGES, toolbox


async def probe(suite: Suite, agent: Agent, conditions: Iterable[Condition], settings: Settings) -> list[str]:
    """What a world of *suite* has against the faults of these conditions, and against the tools that are named.

    No world is made where there are neither.
    """
    planned = [one for condition in conditions for one in injections_of(condition)]
    named = named_tools(suite)
    if not planned and not named:
        return []
    if suite.world is None:
        return list(dict.fromkeys(_toolless("the suite has no world", agent, planned)))
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
            found = list(dict.fromkeys((*_problems(opened, agent, planned), *_unnamed(opened, named, agent))))
            if unfit := await _unfit_snapshot(opened, thread, limit=limit):
                found.append(f"the world's snapshot is not JSON: {unfit}")
            return found
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


async def _unfit_snapshot(opened: Opened, thread: AgentThread | None, *, limit: float) -> str:
    """Why what the world shows of its state is no JSON, which would void every trial; what raises is left to them."""
    snapshot = getattr(opened.world, "snapshot", None)
    if snapshot is None:
        return ""
    try:
        return json_problem(await within(limit, _shown(snapshot, thread)))
    except BaseException as error:  # noqa: BLE001 - a fence: the trials meet it too, and say what it is
        let_through(error)
        return ""


async def _shown(snapshot: Callable[[], Any], thread: AgentThread | None) -> Any:  # noqa: ANN401 - a world's state
    shown = snapshot() if thread is None else await thread.call(snapshot)
    return await shown if hasattr(shown, "__await__") else shown


def _problems(opened: Opened, agent: Agent, planned: Sequence[Injection]) -> Iterator[str]:
    """What cannot happen in this world."""
    tools = toolbox(getattr(opened.world, "tools", {}))
    sandbox = getattr(opened.world, "sandbox", False) is True
    box = Box(tools, reads=reads_of(opened, tools), sandbox=sandbox)
    if not tools:
        yield from _toolless("the world has no tools", agent, planned)
    for one in planned:
        if MESSAGES in one.fault.surfaces and MESSAGES in tools:
            yield (
                f"{one.term}: the world has a tool of its own called 'messages', so the agent cannot pass on its "
                "messages there: give that tool another name"
            )
        if tools and not getattr(agent, "brings_tools", False):  # else nobody can list all that it can be aimed at
            yield from _unmatched(one, box)
        if one.fault.needs_sandbox and not sandbox:
            yield (
                f"{one.term}: it makes a tool do what the agent did not ask for, which needs a world that "
                "declares sandbox = True"
            )


def _toolless(lack: str, agent: Agent, planned: Sequence[Injection]) -> Iterator[str]:
    """The faults of tool calls, where there is no tool to be called; an agent may bring its own."""
    for one in () if getattr(agent, "brings_tools", False) else planned:
        if one.fault.surfaces != {MESSAGES}:
            yield f"{one.term}: {lack}, so there is no call that it could meet: give the suite a world with tools"


def _unmatched(one: Injection, box: Box) -> Iterator[str]:
    """What a fault speaks of and the world's tools have not."""
    match, tools = parse_match(one.match), box.tools
    met = match.those(tools, reads=box.reads)
    if not match.among(tools):
        yield f"{one.term}: no tool of the world matches {match.glob!r}{nearest(match.glob, tools)}"
    elif not met:
        yield (
            f"{one.term}: no tool of the world that matches {match.glob!r} "
            f"{'writes' if match.writes else 'only reads'}: a world names those that only read in its reads"
        )
    taken = [box.parameters[tool] for tool in met]
    names = {name for each in taken for name in (*each.needed, *each.optional)}
    for name, _ in match.arguments if met and not any(each.more for each in taken) else ():
        if name not in names:
            yield f"{one.term}: no tool that matches {match.glob!r} takes {name!r}{nearest(name, names)}"
    for tool in getattr(one.fault, "needs_tools", ()):
        if tool not in tools:
            yield f"{one.term}: no tool of the world is called {tool!r}{box.hint(tool)}"
