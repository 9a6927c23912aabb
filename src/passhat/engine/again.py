"""A trial that the surroundings spoiled is made again, in a fresh world, a few times and not at once.

Only an outage is tried again: a real service that was busy or out of reach. What the agent did stands, whatever it was.
Each try is kept with the trial, and the waiting between them is ours: it is no part of the agent's time.
"""

from __future__ import annotations

from msgspec.structs import replace

from passhat.engine.attempt import Attempts
from passhat.engine.making import CellPlan, Making
from passhat.engine.throttle import BEFORE_ALL, Throttle
from passhat.engine.watch import Slot
from passhat.model.trial import Attempt, Trial


class Again:
    """Makes the trials of one run, each as often as its patience lasts."""

    def __init__(self, attempts: Attempts, throttle: Throttle) -> None:
        """Trials by *attempts*, as many at a time as *throttle* allows."""
        self._attempts = attempts
        self._throttle = throttle

    def end(self) -> None:
        """The run is to end: nothing is tried again, and nobody waits to."""
        self._attempts.patience.end()
        self._throttle.stop()

    def give_up(self) -> None:
        """A worker was left behind in the middle of its trial: another takes its place."""
        self._throttle.end()

    async def make(self, slot: Slot, cell: CellPlan, index: int) -> Trial:
        """The trial of *cell* with this index."""
        earlier: tuple[Attempt, ...] = ()
        patience, throttle = self._attempts.patience, self._throttle
        while True:
            begun = BEFORE_ALL if throttle.at_once() else await throttle.begin()
            try:
                trial = await self._attempts.make(slot, cell, index)
            finally:
                if not slot.abandoned:  # its place went to the worker that stands in for it
                    throttle.end()
            outage = slot.making.outage if isinstance(slot.making, Making) else None
            if outage is None:
                if throttle.limit < throttle.most:
                    throttle.answered()
            elif outage.busy:
                throttle.busy(begun, outage.retry_after)
            if outage is None or slot.abandoned or not patience.lasts(len(earlier) + 1):
                return replace(trial, attempts=earlier) if earlier else trial
            earlier += (Attempt(outcome=trial.outcome, detail=trial.detail, seconds=trial.seconds),)
            await patience.rest(outage, trial.seed, len(earlier))
