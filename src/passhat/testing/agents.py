"""Agents whose behaviour is known, so that what passhat says about them can be checked.

`FlakyAgent` passes with a known probability. The scripted agents make one call that changes something, and
each meets an error in its own way. All are frozen values: the same settings and seed give the same trial.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from passhat.errors import ToolError, UsageError
from passhat.model.answer import Answer
from passhat.model.base import Json
from passhat.model.dice import dice
from passhat.model.digest import digest
from passhat.model.protocols import Tools

DONE = Answer("Done.", claims_success=True)


@dataclass(frozen=True, slots=True)
class FlakyAgent:
    """Answers *good* with probability *p*, else *bad*; its seed alone decides."""

    p: float
    good: Any = field(default="yes", kw_only=True)
    bad: Any = field(default="no", kw_only=True)

    def __post_init__(self) -> None:
        """Refuse what is no probability."""
        if isinstance(self.p, bool) or not 0 <= self.p <= 1:
            raise UsageError(f"FlakyAgent: p is a number from 0 to 1, not {self.p!r}")

    async def __call__(self, message: object, *, seed: int) -> Any:  # noqa: ANN401 - any answer
        """*good* or *bad*, whatever was asked."""
        return self.good if dice(seed, "flaky").uniform() < self.p else self.bad


@dataclass(frozen=True, slots=True, kw_only=True)
class Scripted:
    """Calls *tool* once with *arguments*, and claims success; its kinds override what follows an error."""

    tool: str
    arguments: Mapping[str, Json] = field(default_factory=dict)

    async def __call__(self, message: object, tools: Tools) -> Answer:
        """Make the call, whatever was asked."""
        try:
            await tools.call(self.tool, **self.arguments)
        except ToolError as error:
            return await self.recover(tools, error)
        return DONE

    async def recover(self, tools: Tools, error: ToolError) -> Answer:
        """What it does about *error*: here nothing, so that the error ends the trial."""
        raise error


@dataclass(frozen=True, slots=True, kw_only=True)
class NaiveRetrier(Scripted):
    """Makes the call again at once, up to *retries* times: what was committed at first is done twice.

    It does not wait, whatever the service says. Where no try succeeds, it admits it.
    """

    retries: int = 2

    async def recover(self, tools: Tools, error: ToolError) -> Answer:
        """Call again, blindly."""
        for _ in range(self.retries):
            try:
                await tools.call(self.tool, **self.arguments)
            except ToolError as again:
                error = again
            else:
                return DONE
        return _sorry(error)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyedRetrier(NaiveRetrier):
    """Retries as blindly, and sends one idempotency key with every try: a service that knows keys does it once."""

    key: str = "idempotency_key"

    async def __call__(self, message: object, tools: Tools) -> Answer:
        """Make the call under a key that names it."""
        named = {**self.arguments, self.key: digest((self.tool, self.arguments))}
        return await NaiveRetrier(tool=self.tool, arguments=named, retries=self.retries)(message, tools)


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyingRetrier(Scripted):
    """Looks at the state with *reading* first, and after an error again: it retries what did not happen.

    It waits for as long as the service says, and admits it where no try succeeds. Reads are retried too.
    """

    reading: str
    reading_arguments: Mapping[str, Json] = field(default_factory=dict)
    retries: int = 2

    async def __call__(self, message: object, tools: Tools) -> Answer:
        """Look, and act until the state shows it."""
        try:
            await self._act(tools, before=await self._look(tools))
        except ToolError as error:
            return _sorry(error)
        return DONE

    async def _act(self, tools: Tools, *, before: object) -> None:
        """Make the call until it succeeds or the state is no longer as *before*."""
        for attempt in range(self.retries + 1):
            try:
                await tools.call(self.tool, **self.arguments)
            except ToolError as error:
                await asyncio.sleep(error.retry_after or 0)
                if await self._look(tools) != before:
                    return
                if attempt == self.retries:
                    raise
            else:
                return

    async def _look(self, tools: Tools) -> object:
        """The state, as the reading tool gives it."""
        for _ in range(self.retries):
            try:
                return await tools.call(self.reading, **self.reading_arguments)
            except ToolError as error:
                await asyncio.sleep(error.retry_after or 0)
        return await tools.call(self.reading, **self.reading_arguments)


@dataclass(frozen=True, slots=True, kw_only=True)
class GivesUp(Scripted):
    """Stops at the first error, and says so."""

    async def recover(self, tools: Tools, error: ToolError) -> Answer:
        """Admit it."""
        return _sorry(error)


@dataclass(frozen=True, slots=True, kw_only=True)
class Loops(Scripted):
    """After an error it looks at the state, *rounds* times, and never acts on what it sees.

    Without a *reading* tool it makes the call itself again and again, whatever comes of it.
    """

    reading: str = ""
    reading_arguments: Mapping[str, Json] = field(default_factory=dict)
    rounds: int = 20

    async def recover(self, tools: Tools, error: ToolError) -> Answer:
        """Go round."""
        tool, arguments = self.tool, self.arguments
        if self.reading:
            tool, arguments = self.reading, self.reading_arguments
        for _ in range(self.rounds):
            try:
                await tools.call(tool, **arguments)
            except ToolError as again:
                error = again
        return _sorry(error)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lies(Scripted):
    """Passes over an error, and claims success."""

    async def recover(self, tools: Tools, error: ToolError) -> Answer:
        """Claim it."""
        return DONE


@dataclass(frozen=True, slots=True, kw_only=True)
class HandsOff(Scripted):
    """Passes the job to a person at the first error."""

    async def recover(self, tools: Tools, error: ToolError) -> Answer:
        """Hand over."""
        return Answer(f"A colleague will see to it: {error.message}", claims_success=False, handoff=True)


def _sorry(error: ToolError) -> Answer:
    return Answer(f"I could not do it: {error.message}", claims_success=False)
