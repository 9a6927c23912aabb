"""Whether faults landed: in how many of the trials that planned them they fired, were seen, or were never reached."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from passhat.metrics._pairs import share
from passhat.metrics.base import Arm, Reading
from passhat.model.exposure import Exposure, Fate
from passhat.model.summary import Estimate

NAMES = ("exposed_share", "landed_share", "unreached_share", "seen_share", "absorbed_share")
EXPOSED = "trials in which a fault fired"
SEEN = "trials in which the agent saw a fault"


class Landing:
    """The trials of one condition that count, as far as faults were planned for them; two of one kind are one fault."""

    def __init__(self) -> None:
        """No trial yet."""
        self._planning = self._exposed = self._unreached = self._seen = self._absorbed = 0
        self._planned: Counter[str] = Counter()
        self._fired: Counter[str] = Counter()

    def add(self, faults: Sequence[Exposure]) -> None:
        """Count a trial for which these *faults* were planned."""
        fired = [one for one in faults if one.fired]
        self._planned.update(one.fault for one in faults)
        self._fired.update(one.fault for one in fired)
        self._planning += bool(faults)
        self._exposed += bool(fired)
        self._unreached += bool(faults) and all(one.fate is Fate.UNREACHED for one in faults)
        self._seen += any(one.seen for one in faults)
        self._absorbed += bool(fired) and all(one.absorbed == one.fired for one in fired)

    def estimates(self, arm: Arm, reading: Reading) -> Iterator[Estimate]:
        """The shares; where several faults are planned, the one that fired least often is the one that landed."""
        planning = "trials that planned a fault"
        yield share(arm, reading, "exposed_share", self._exposed, self._planning, of=planning)
        worst = min(self._planned, key=lambda name: (self._fired[name] / self._planned[name], name), default="")
        fired, planned = self._fired[worst], self._planned[worst]
        of = f"trials that planned {worst}, of which fewest met it" if len(self._planned) > 1 else planning
        yield share(arm, reading, "landed_share", fired, planned, of=of)
        yield share(arm, reading, "unreached_share", self._unreached, self._planning, of=planning)
        yield share(arm, reading, "seen_share", self._seen, self._exposed, of=EXPOSED)
        yield share(arm, reading, "absorbed_share", self._absorbed, self._exposed, of=EXPOSED)
