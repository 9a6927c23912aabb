"""Invariants of the user's own: what must hold of the end state and the trace, however the job was done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from passhat.graders.base import Grader, refuse
from passhat.model import callables
from passhat.model.trial import Evidence, Grade

Invariant = Callable[[Evidence], bool]


@dataclass(frozen=True, slots=True)
class Conserves(Grader):
    """Pass where every one of *invariants*, functions of the `Evidence`, says True; the grade names those that don't.

    Such as: no more was refunded than was paid. One that raises, or says neither True nor False, makes the trial VOID.
    """

    invariants: Invariant | Sequence[Invariant]

    def __post_init__(self) -> None:
        """Refuse what cannot be called, and what would have to be awaited."""
        refuse(
            *([] if self._all else ["conserves: name a function of the evidence, or several"]),
            *(f"conserves: an invariant is a function, not {one!r:.80}" for one in self._all if not callable(one)),
            *(
                f"conserves: {callables.label(one)} is async, and an invariant looks at what is there"
                for one in self._all
                if callable(one) and callables.is_async(one)
            ),
        )

    @property
    def identity(self) -> str:
        """The functions' names, and a digest of the source of each."""
        told = (f"{callables.label(one)}, source={callables.source_digest(one)}" for one in self._all)
        return f"conserves({'; '.join(told)})"

    def grade(self, evidence: Evidence) -> Grade:
        """Ask each."""
        broken = [callables.label(one) for one in self._all if not _holds(one, evidence)]
        return Grade("conserves", passed=not broken, reason=f"broken: {', '.join(broken)}" if broken else "")

    @property
    def _all(self) -> Sequence[Invariant]:
        return self.invariants if isinstance(self.invariants, Sequence) else (self.invariants,)


def _holds(invariant: Invariant, evidence: Evidence) -> bool:
    said: object = invariant(evidence)
    if isinstance(said, bool):
        return said
    raise TypeError(f"{callables.label(invariant)} returned {said!r:.80}, which is neither True nor False")
