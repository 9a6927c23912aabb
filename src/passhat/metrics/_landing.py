"""Whether faults landed: in how many of the trials that planned them they fired, and in how many the agent saw it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from passhat.metrics._pairs import share
from passhat.metrics.base import Arm, Reading
from passhat.model.summary import Estimate
from passhat.model.trial import Trial

NAMES = ("exposed_share", "landed_share", "seen_share")
EXPOSED = "trials in which a fault fired"


class Landing:
    """The trials of one condition that count, as far as faults were planned for them; two of one kind are one fault."""

    def __init__(self) -> None:
        """No trial yet."""
        self._planning = self._exposed = self._seen = 0
        self._planned: Counter[str] = Counter()
        self._fired: Counter[str] = Counter()

    def add(self, trial: Trial) -> None:
        """Count *trial*; a fault that fired was planned, whatever the record says."""
        fired = {event.fault for event in trial.faults}
        planned = fired.union(trial.faults_planned)
        self._planned.update(planned)
        self._fired.update(fired)
        self._planning += bool(planned)
        self._exposed += bool(fired)
        self._seen += any(event.agent_visible for event in trial.faults)

    def estimates(self, arm: Arm, reading: Reading) -> Iterator[Estimate]:
        """The three shares; where several faults are planned, the one that fired least often is the one that landed."""
        planning = "trials that planned a fault"
        yield share(arm, reading, "exposed_share", self._exposed, self._planning, of=planning)
        worst = min(self._planned, key=lambda name: (self._fired[name] / self._planned[name], name), default="")
        fired, planned = self._fired[worst], self._planned[worst]
        of = f"trials that planned {worst}, of which fewest met it" if len(self._planned) > 1 else planning
        yield share(arm, reading, "landed_share", fired, planned, of=of)
        yield share(arm, reading, "seen_share", self._seen, self._exposed, of=EXPOSED)
