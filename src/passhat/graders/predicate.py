"""The user's own grader: a function of the evidence."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from passhat.graders.base import Grader
from passhat.model import callables
from passhat.model.plain import described
from passhat.model.trial import Evidence, Grade


@dataclass(frozen=True, slots=True)
class Predicate(Grader):
    """Pass where the user's function says True. It gets the `Evidence`, and returns a bool or a `Grade`.

    It may be async. Anything else that it returns, such as a coroutine that nobody awaited, is no grade, and the
    trial is VOID.
    """

    function: Callable[[Evidence], bool | Grade | Awaitable[bool | Grade]]

    @property
    def identity(self) -> str:
        """The function's name and a digest of its source, so that an edited grader is another grader."""
        return f"predicate({callables.label(self.function)}, source={callables.source_digest(self.function)})"

    @property
    def blocking(self) -> bool:
        """An async function's coroutine is made at once."""
        return not callables.is_async(self.function)

    def grade(self, evidence: Evidence) -> Grade | Awaitable[Grade]:
        """Ask the function."""
        if callables.is_async(self.function):
            return self._awaited(evidence)
        return self._as_grade(self.function(evidence))

    async def _awaited(self, evidence: Evidence) -> Grade:
        said = self.function(evidence)
        return self._as_grade(await said if inspect.isawaitable(said) else said)

    def _as_grade(self, said: object) -> Grade:
        if isinstance(said, Grade):
            return said
        if isinstance(said, bool):
            return Grade(callables.label(self.function), said)
        if inspect.iscoroutine(said):
            said.close()
            raise TypeError(
                f"{callables.label(self.function)} returned a coroutine that nobody awaited: make it 'async def'"
            )
        raise TypeError(
            f"{callables.label(self.function)} returned {described(said)}, which is neither True, False nor a Grade"
        )
