"""How many trials may run at a time: fewer once a real service says that it is busy, more again while it answers.

Additive increase, multiplicative decrease, as networks do it. Only what an agent's service said to us counts here; an
error that a fault made up is between the agent and its tools, and never comes by.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

BEFORE_ALL = -1.0  # the begin of a trial that began while nothing was amiss: before any cut
_BACK = 0.5


class Throttle:
    """The limit on trials at a time, from the run's concurrency down to one."""

    __slots__ = (
        "_amiss",
        "_clock",
        "_cut_at",
        "_loop",
        "_quiet_until",
        "_running",
        "_stopped",
        "_timer",
        "_waiting",
        "limit",
        "most",
    )

    def __init__(self, most: int, clock: Callable[[], float]) -> None:
        """No limit but *most*, as long as nobody is busy; *clock* is the loop's."""
        self.most = most
        self._clock = clock
        self._loop = asyncio.get_running_loop()
        self._running = 0
        self._amiss = False
        self._stopped = False
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._quiet_until = self._cut_at = float("-inf")
        self._timer: asyncio.TimerHandle | None = None
        self.limit = float(most)

    def at_once(self) -> bool:
        """Begin one more trial where nothing was ever amiss, so that nobody has to wait or to look at a clock."""
        if self._amiss or self._running + 1 > self.limit:
            return False
        self._running += 1
        return True

    async def begin(self) -> float:
        """Wait until one more trial may begin, and give the time at which it does."""
        while self._full():
            turn = self._loop.create_future()
            self._waiting.append(turn)
            try:
                await turn
            finally:
                if turn in self._waiting:
                    self._waiting.remove(turn)
        self._running += 1
        return self._clock()

    def end(self) -> None:
        """A trial that had begun is over."""
        self._running -= 1
        if self._waiting:
            self._wake()

    def answered(self) -> None:
        """A service did its work: a little more may run at a time."""
        if self.limit < self.most:
            self.limit = min(self.most, self.limit + 1 / self.limit)
            self._wake()

    def busy(self, begun: float, retry_after: float | None = None) -> None:
        """A service had too much to do, in a trial that began at *begun*.

        What was under way when the limit was last cut says nothing new. Nothing begins before *retry_after* seconds.
        """
        now, self._amiss = self._clock(), True
        if begun > self._cut_at:
            self.limit = max(1.0, self.limit * _BACK)
            self._cut_at = now
        if retry_after is not None and now + retry_after > self._quiet_until:
            self._quiet_until = now + retry_after
            if self._timer is not None:
                self._timer.cancel()
            self._timer = self._loop.call_at(self._quiet_until, self._wake)

    def stop(self) -> None:
        """The run ends: whoever waits goes on, to find that there is nothing left to do."""
        self._stopped = True
        if self._timer is not None:
            self._timer.cancel()
        self._wake()

    def _full(self) -> bool:
        return not self._stopped and (self._running + 1 > self.limit or self._clock() < self._quiet_until)

    def _wake(self) -> None:
        """Let as many go on as there is room for; each looks for itself."""
        room = len(self._waiting) if self._stopped else int(self.limit) - self._running
        while self._waiting and room > 0:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                room -= 1
