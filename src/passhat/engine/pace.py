"""How long clean calls take, tool by tool, in the run so far: for the faults that go by it, and for no others.

It is read from the recorded calls of a clean trial that has ended, so that no call costs more for it. What a trial was
told of it is kept with the trial: with the same numbers it can be made again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from passhat.engine.plan import Plan
from passhat.model.condition import Condition, Injection
from passhat.model.grammar import CLEAN
from passhat.model.pace import Pace
from passhat.model.quantile import Sketch, merged, sketch
from passhat.model.trial import Trial


class Paces:
    """What the clean trials of one run have shown so far."""

    __slots__ = ("_now", "_sketches")

    def __init__(self, known: Mapping[str, Pace]) -> None:
        """Nothing is measured yet; until then what is *known* holds."""
        self._now: Mapping[str, Pace] | None = known
        self._sketches: dict[str, Sketch] = {}

    @classmethod
    def wanted(cls, plan: Plan) -> Paces | None:
        """The measurement for *plan*; None where no fault of it goes by it."""
        return cls(plan.paces) if any(map(goes_by_pace, plan.conditions)) else None

    def learn(self, trial: Trial) -> None:
        """Add what *trial* shows, where it is a clean one; a call that got no reply says nothing of a reply's time."""
        if trial.condition != CLEAN:
            return
        seconds: defaultdict[str, list[float]] = defaultdict(list)
        for call in trial.trace:
            if call.ok:
                seconds[call.tool].append(call.seconds)
        for tool, found in seconds.items():
            self._sketches[tool] = merged(self._sketches.get(tool, Sketch()), sketch(found))
            self._now = None

    def recall(self, trials: Iterable[Trial]) -> None:
        """Add what stored trials show."""
        for trial in trials:
            self.learn(trial)

    def now(self) -> Mapping[str, Pace]:
        """The pace of each tool, as far as it is known."""
        if self._now is None:
            self._now = {
                tool: Pace(calls=one.count, p99=one.quantile(0.99), slowest=one.most)
                for tool, one in self._sketches.items()
            }
        return self._now


def goes_by_pace(condition: Condition) -> bool:
    """True where a fault of *condition* is to know how long clean calls take."""
    return any(map(needs_pace, condition.injections))


def needs_pace(injection: Injection) -> bool:
    """True where this fault is to know it."""
    return getattr(injection.fault, "needs_pace", False) is True
