"""What became of each fault that was planned for a trial: the words of exposure, each meant in one way.

    planned   it was armed for this trial
    fired     a call met it, and it did something to that call
    seen      the agent was told, or made to wait, otherwise than without it
    absorbed  a layer below the agent made up for it: the agent never heard of it, and has no merit in it
    reached   a call came at which it could fire; where none came, the trial says nothing about it

All is read from the record of the trial alone. At which calls a fault could fire stands in the condition's name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from enum import StrEnum

from passhat.errors import UsageError
from passhat.model.base import Noun
from passhat.model.dose import Dose, read_dose
from passhat.model.grammar import Term, parse
from passhat.model.ledger import NOTHING_DECLARED, Declared, ledger
from passhat.model.match import Match, parse_match
from passhat.model.paths import Scene
from passhat.model.recovery import claims_success
from passhat.model.trial import ToolCall, Trial

_LEAST = 0.0  # the draw at which every rate above 0 fires


class Fate(StrEnum):
    """What became of a planned fault, by the farthest that it came.

    SPARED: it did not fire, and as far as the record shows a call came at which it could have.
    """

    SEEN = "seen"
    ABSORBED = "absorbed"
    UNSEEN = "unseen"
    SPARED = "spared"
    UNREACHED = "never reached"


class Exposure(Noun, kw_only=True):
    """What became of one planned fault; two of one kind are one. Counted are the calls that it struck.

    `unseen` is what is left of those: upstream did more than it was asked to, and the agent was told the same.
    `reached` is None where the record does not show it: another tool named the condition, or left calls out.
    """

    fault: str
    fired: int = 0
    seen: int = 0
    absorbed: int = 0
    reached: bool | None = None

    @property
    def unseen(self) -> int:
        """The calls that it struck without the agent or a layer below it being told anything else."""
        return self.fired - self.seen - self.absorbed

    @property
    def fate(self) -> Fate:
        """The farthest that it came; where it did not fire, whether it could have."""
        if self.seen:
            return Fate.SEEN
        if self.absorbed:
            return Fate.ABSORBED
        if self.fired:
            return Fate.UNSEEN
        return Fate.UNREACHED if self.reached is False else Fate.SPARED


def exposure(
    trial: Trial, *, clean: Trial | None = None, declared: Declared = NOTHING_DECLARED
) -> tuple[Exposure, ...]:
    """What became of each fault that was planned for *trial*, in the order of its plan.

    *clean* is the trial of the same task and index without faults. A fault that fired was planned, whatever the record
    says.
    """
    names = dict.fromkeys((*trial.faults_planned, *(event.fault for event in trial.faults)))
    absorbed = _absorbed(trial, clean, declared) if trial.faults else frozenset()
    terms = _terms(trial.condition) if names else ()
    return tuple(_exposure(name, trial, absorbed, terms) for name in names)


def _absorbed(trial: Trial, clean: Trial | None, declared: Declared) -> frozenset[tuple[int, str]]:
    """The steps at which a layer below the agent made up for which fault."""
    found = ledger(trial, clean=clean, declared=declared)
    scene = Scene(trial, found, claims=claims_success(trial, declared=declared), clean=clean, declared=declared)
    return frozenset((one.step, one.fault) for one in scene.faults() if one.absorbed)


def _exposure(name: str, trial: Trial, absorbed: AbstractSet[tuple[int, str]], terms: Sequence[Term]) -> Exposure:
    events = [event for event in trial.faults if event.fault == name]
    steps = {event.step for event in events}
    made_up = {step for step in steps if (step, name) in absorbed}
    return Exposure(
        fault=name,
        fired=len(steps),
        seen=len({event.step for event in events if event.agent_visible} - made_up),
        absorbed=len(made_up),
        reached=True if steps else _reached(trial, [term for term in terms if term.name == name]),
    )


def _reached(trial: Trial, terms: Sequence[Term]) -> bool | None:
    """Whether a call came at which one of *terms* could fire."""
    if not terms:
        return None
    try:
        found = any(_could_fire(trial.trace, *_aimed(term)) for term in terms)
    except UsageError:  # not a dose or a match of ours
        return None
    return None if not found and trial.calls_left_out else found


def _could_fire(trace: Iterable[ToolCall], match: Match, dose: Dose) -> bool:
    met = sum(match.meets(call.tool, call.arguments, write=call.write) for call in trace)
    return any(dose.fires(ordinal, _LEAST) for ordinal in range(1, met + 1))


def _aimed(term: Term) -> tuple[Match, Dose]:
    """The calls that *term* is aimed at, and its dose."""
    given = {argument.name: argument.value for argument in term.arguments}
    return parse_match(str(given.get("match", "*"))), read_dose(given["rate"] if "rate" in given else given["dose"])


def _terms(condition: str) -> Sequence[Term]:
    """The faults of *condition*; none where another tool gave it its name."""
    try:
        terms = parse(condition)
    except UsageError:
        return ()
    return [term for term in terms if any(argument.name in {"rate", "dose"} for argument in term.arguments)]
