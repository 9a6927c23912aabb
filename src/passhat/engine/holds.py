"""Replies that are kept back until other calls have ended: who waits, and for how many calls more.

A call counts where it was begun after the one that waits, and has ended. Each wait has an end of its own besides, so
that an agent that asks for one thing after the other is kept for a while and not for ever.

One reply is kept back at a time: two that wait for each other would both wait to the end, and come in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from passhat.model.trial import ToolCall


class Held:
    """One reply that is kept back: the step of its call, and how many later calls it still waits for."""

    __slots__ = ("calls", "left", "step", "wake")

    def __init__(self, step: int, calls: int, left: int, wake: Callable[[], object]) -> None:
        """Wait for *calls* begun after *step*, so many of them *left*; *wake* is called once all have ended."""
        self.step = step
        self.calls = calls
        self.left = left
        self.wake = wake

    @property
    def over(self) -> bool:
        """True where enough later calls have ended."""
        return self.left <= 0

    @property
    def outcome(self) -> str:
        """How it ended, in words."""
        if self.over:
            return "later calls were answered first"
        first = self.calls - self.left
        return f"{f'{first} of {self.calls} later calls were' if first else 'no later call was'} answered first"


class Holds:
    """The replies of one trial that are kept back."""

    __slots__ = ("held",)

    def __init__(self) -> None:
        """None yet."""
        self.held: list[Held] = []

    def keep(self, step: int, calls: int, past: Iterable[ToolCall], wake: Callable[[], object]) -> Held | None:
        """Keep the reply to the call of this step until so many later *calls* have ended; of *past* some may have.

        None where another reply is kept back: then this one passes.
        """
        if self.held:
            return None
        held = Held(step, calls, calls - sum(call.step > step for call in past), wake)
        self.held.append(held)
        return held

    def let_go(self, held: Held) -> None:
        """It waits no longer."""
        self.held.remove(held)

    def ended(self, step: int) -> None:
        """The call of this step has ended."""
        for held in self.held:
            if step > held.step:
                held.left -= 1
                if held.over:
                    held.wake()

    def release(self) -> None:
        """The trial is over: nobody waits any more."""
        for held in self.held:
            held.wake()
