"""The scripted agents on an errand, each with a diary: what it asked, what it was told, and for which step.

The agents are those of `passhat.testing`, one a step; what they do about an error is theirs. Every call goes through
`Watched`, which stands between the agent and passhat's tools, and writes the diary from the agent's side. A careful
agent takes a reply that it objects to for an error; a hasty one takes what it gets.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from calibration.known.errands import HOURS, Errand, Step, sound
from calibration.known.shop import Line, Shop, asked_for, writes
from passhat.errors import ToolError
from passhat.model.answer import Answer
from passhat.model.base import Json
from passhat.model.protocols import Tools
from passhat.testing import (
    GivesUp,
    HandsOff,
    KeyedRetrier,
    Lies,
    Loops,
    NaiveRetrier,
    Scripted,
    VerifyingRetrier,
)

DONE = Answer("Done.", claims_success=True)


@dataclass(slots=True)
class Note:
    """One call as the agent saw it, and the lines that the shop wrote meanwhile."""

    tool: str
    asked: str
    step: int
    acts: bool
    begun: float
    seconds: float = 0.0
    told: Json = None
    error: str = ""
    kind: str = ""
    doubted: bool = False
    answered: bool = False
    lines: tuple[Line, ...] = ()

    @property
    def fine(self) -> bool:
        """The agent got a reply that it was content with."""
        return self.answered and not self.error and not self.doubted


@dataclass(slots=True)
class Diary:
    """All calls of one trial, the steps that the errand took, how it ended, and the shop that it was in."""

    careful: bool
    shop: Shop
    steps: list[Step] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    answer: Answer | None = None
    crashed: bool = False
    timed_out: bool = False


class Watched:
    """The tools, as the agent of one trial has them."""

    def __init__(self, tools: Tools, diary: Diary) -> None:
        self._tools = tools
        self._diary = diary

    async def call(self, tool: str, **arguments: Json) -> Json:
        """Make the call and write it down."""
        diary, clock, begin = self._diary, asyncio.get_running_loop().time, len(self._diary.shop.account)
        step, asked = diary.steps[-1], asked_for(tool, arguments)
        acts = asked == asked_for(step.tool, step.arguments)
        note = Note(tool, asked, len(diary.steps) - 1, acts, clock())
        diary.notes.append(note)
        try:
            told: Json = await self._tools.call(tool, **arguments)
            note.told = told
            note.answered = True
        except ToolError as error:
            note.error, note.kind, note.answered = error.message, error.kind, True
            raise
        finally:
            note.seconds, note.lines = clock() - note.begun, tuple(diary.shop.account[begin:])
        if diary.careful and not sound(tool, arguments, told):
            note.doubted = True
            raise ToolError("bad_reply", f"the reply to {tool} cannot be right")
        return told


def _naive(step: Step) -> Scripted:
    return NaiveRetrier(tool=step.tool, arguments=step.arguments)


def _keyed(step: Step) -> Scripted:
    return KeyedRetrier(tool=step.tool, arguments=step.arguments) if writes(step.tool) else _naive(step)


def _verifying(step: Step) -> Scripted:
    if not writes(step.tool):
        return _naive(step)
    tool, arguments = step.look
    return VerifyingRetrier(tool=step.tool, arguments=step.arguments, reading=tool, reading_arguments=arguments)


def _loops(step: Step) -> Scripted:
    tool, arguments = step.look if writes(step.tool) else HOURS
    return Loops(tool=step.tool, arguments=step.arguments, reading=tool, reading_arguments=arguments)


# How each agent goes about one step. A key names a write; a read has nothing to verify. Both are simply made again.
AGENTS: Mapping[str, Callable[[Step], Scripted]] = {
    "naive retrier": _naive,
    "key user": _keyed,
    "verifying retrier": _verifying,
    "gives up": lambda step: GivesUp(tool=step.tool, arguments=step.arguments),
    "liar": lambda step: Lies(tool=step.tool, arguments=step.arguments),
    "looper": _loops,
    "hands off": lambda step: HandsOff(tool=step.tool, arguments=step.arguments),
    "crashes": lambda step: Scripted(tool=step.tool, arguments=step.arguments),
}


async def run(diary: Diary, kind: Callable[[Step], Scripted], errand: Errand, tools: Tools) -> Answer:
    """Run the errand as this kind of agent does, and write down how it ended."""
    try:
        diary.answer = await _steps(diary, kind, errand, Watched(tools, diary))
    except ToolError:
        diary.crashed = True
        raise
    except asyncio.CancelledError:
        diary.timed_out = True
        raise
    return diary.answer


async def _steps(diary: Diary, kind: Callable[[Step], Scripted], errand: Errand, tools: Any) -> Answer:  # noqa: ANN401
    try:
        step = next(errand)
        while True:
            diary.steps.append(step)
            answer = await kind(step)("", tools)
            if not answer.claims_success:
                return answer
            step = errand.send(believed(diary, len(diary.steps) - 1))
    except StopIteration as end:
        return DONE if end.value is None else Answer(end.value, claims_success=True)


def believed(diary: Diary, step: int) -> Json:
    """What the agent goes on from after a step: the reply that it was content with, if there was one."""
    return next((note.told for note in diary.notes if note.step == step and note.acts and note.fine), None)
