"""How often, and after how long, something is tried again that an outage of a real service spoiled."""

from __future__ import annotations

import asyncio

from passhat.errors import OutOfReach
from passhat.model.dice import Dice

_FIRST, _LONGEST = 1.0, 60.0  # the seconds before the second try, doubled for each further one, and the most of them


class Patience:
    """What the trials of one run share: how many times more, and that the run may end meanwhile."""

    __slots__ = ("_ending", "_retries")

    def __init__(self, retries: int) -> None:
        """Up to *retries* more tries of the same thing."""
        self._retries = retries
        self._ending = asyncio.Event()

    def end(self) -> None:
        """The run is to end: nothing is tried again, and nobody waits to."""
        self._ending.set()

    def lasts(self, tries: int) -> bool:
        """True where something may be tried again after so many *tries*."""
        return tries <= self._retries and not self._ending.is_set()

    async def rest(self, outage: OutOfReach, seed: int, tries: int) -> None:
        """Wait before the next try, but not beyond the end of the run."""
        try:
            await asyncio.wait_for(self._ending.wait(), pause(outage, seed, tries))
        except TimeoutError:
            return


def pause(outage: OutOfReach, seed: int, tries: int) -> float:
    """The seconds to wait: as long as the service said, else longer each time, and not all at the same moment."""
    if outage.retry_after is not None:
        return min(_LONGEST, outage.retry_after)
    spread = 0.5 + Dice(seed, "pause").uniform(tries)
    return min(_LONGEST, float(_FIRST * 2 ** (tries - 1)) * spread)
