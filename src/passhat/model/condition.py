"""Under what a trial runs: perturbations and faults, joined by `&`. The clean condition has none.

A condition's name is derived from its parts, in one canonical order, so `a & b` and `b & a` are one condition.
Parts are handed in by the layers above; a condition that was read from a file holds `Term`s, which name parts
without being them: reading a stored run never runs anybody's code.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

from passhat.errors import UsageError
from passhat.model.base import Noun
from passhat.model.dose import Burst, Dose, PermanentFrom, Rate, dose_argument
from passhat.model.grammar import CLEAN, Argument, Term, parse
from passhat.model.match import parse_match

if TYPE_CHECKING:
    from passhat.model.base import Json
    from passhat.model.dice import Dice
    from passhat.model.effect import Effect
    from passhat.model.trial import Call


class Phase(StrEnum):
    """When a fault bites, relative to what upstream does: before it ran, after it committed, or in between."""

    PRE = "pre"
    POST = "post"
    MID = "mid"


class Visibility(StrEnum):
    """Whether the agent is told: an explicit fault is an error, an implicit one is a valid reply that is wrong."""

    EXPLICIT = "explicit"
    IMPLICIT = "implicit"


@runtime_checkable
class Fault(Protocol):
    """What happens to a tool call: decides an effect, and does nothing itself."""

    @property
    def phase(self) -> Phase: ...
    @property
    def visibility(self) -> Visibility: ...
    @property
    def surfaces(self) -> frozenset[str]: ...
    @property
    def needs_sandbox(self) -> bool: ...
    @property
    def usual_dose(self) -> Dose: ...
    @property
    def term(self) -> Term: ...
    def concerns(self, call: Call) -> bool: ...
    def on_call(self, call: Call, dice: Dice) -> Effect: ...
    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect: ...
    def on_messages(self, messages: Sequence[Json], dice: Dice) -> Effect: ...


@runtime_checkable
class Perturbation(Protocol):
    """A change of wording that keeps the meaning; None where this text gives no valid variant."""

    @property
    def term(self) -> Term: ...
    def perturb(self, text: str, dice: Dice) -> str | None: ...


class Injection(Noun):
    """A fault with its dose, the calls that it meets, and the share of trials that it is planned for."""

    fault: Fault
    dose: Dose
    match: str = "*"
    share: float = 1.0

    def __post_init__(self) -> None:
        """Refuse what is no fault and no dose, a share that is none, and a match that nobody could read."""
        if isinstance(self.fault, type) or not hasattr(type(self.fault), "on_call"):
            raise UsageError(f"an injection holds a fault, such as faults.rate_limit(), not {self.fault!r:.80}")
        if not isinstance(self.dose, Rate | Burst | PermanentFrom):
            raise UsageError(f"{self.fault.term.name}: {self.dose!r:.80} is no dose: write .at({self.dose!r:.80})")
        if isinstance(self.share, bool) or not isinstance(self.share, int | float) or not 0 < self.share <= 1:
            raise UsageError(f"{self.fault.term.name}: a share of trials is above 0 and at most 1, not {self.share!r}")
        try:
            parse_match(self.match)
        except UsageError as error:
            raise UsageError(f"{self.fault.term.name}: {error}") from None

    @property
    def term(self) -> Term:
        """The injection as text: its dose, match and share stand among the fault's own parameters."""
        extra = [dose_argument(self.dose)]
        if self.match != "*":
            extra.append(Argument("match", self.match))
        if self.share != 1:
            extra.append(Argument("share", float(self.share)))
        return Term(self.fault.term.name, (*self.fault.term.arguments, *extra))

    def __and__(self, other: Joined) -> Condition:
        """This and *other* together."""
        return together(self, other)


Part = Injection | Perturbation | Term
Joined: TypeAlias = "Part | Fault | Condition"


class Condition:
    """The parts that hold together in one arm of a run; `Condition()` is the clean one."""

    __slots__ = ("name", "parts")

    name: str
    parts: tuple[Part, ...]

    def __init__(self, parts: Iterable[Part] = ()) -> None:
        """The condition in which all *parts* hold."""
        ordered = tuple(sorted(parts, key=lambda part: str(part if isinstance(part, Term) else part.term)))
        names = [str(part if isinstance(part, Term) else part.term) for part in ordered]
        object.__setattr__(self, "parts", ordered)
        object.__setattr__(self, "name", " & ".join(names) or CLEAN)

    @classmethod
    def parse(cls, text: str) -> Condition:
        """The condition that *text* names; its parts are terms until they are bound."""
        return cls(parse(text))

    @property
    def is_clean(self) -> bool:
        """True for the condition without parts."""
        return not self.parts

    @property
    def injections(self) -> tuple[Injection, ...]:
        """The faults of this condition, in the order in which they are applied: by phase, then by name."""
        found = [part for part in self.parts if isinstance(part, Injection)]
        return tuple(sorted(found, key=lambda one: (list(Phase).index(one.fault.phase), str(one.term))))

    @property
    def perturbations(self) -> tuple[Perturbation, ...]:
        """The perturbations of this condition, by name; they are applied before any fault."""
        return tuple(part for part in self.parts if not isinstance(part, Injection | Term))

    def __and__(self, other: Joined) -> Condition:
        """This and *other* together."""
        return together(self, other)

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse: a condition is a value."""
        raise AttributeError(f"a condition is frozen: {name} cannot be set to {value!r}")

    def __eq__(self, other: object) -> bool:
        """Two conditions are one where their names are."""
        return isinstance(other, Condition) and self.name == other.name

    def __hash__(self) -> int:
        """The hash of the name."""
        return hash(self.name)

    def __repr__(self) -> str:
        """The condition as its text."""
        return f"Condition({self.name!r})"


def together(a: Joined, b: Joined) -> Condition:
    """The condition in which both hold."""
    return Condition((*_parts(a), *_parts(b)))


def _parts(value: object) -> tuple[Part, ...]:
    if isinstance(value, Condition):
        return value.parts
    if isinstance(value, Injection | Term | Perturbation):
        return (value,)
    if isinstance(value, Fault):
        return (Injection(value, value.usual_dose),)
    raise UsageError(f"{value!r} is neither a fault nor a perturbation, so it cannot be joined with '&'")
