"""How often a fault bites: at fixed calls (the default, and what gates use) or at a rate per call.

A dose sees the ordinal of the call (the first of a trial's matching calls is 1) and one draw. Rates are nested: the
calls that fire at 0.1 also fire at 0.2, because the draw is the same.
"""

from __future__ import annotations

from typing import TypeAlias

from passhat.errors import UsageError
from passhat.model.base import Noun
from passhat.model.grammar import Argument, Scalar, Term


class Rate(Noun, tag="rate"):
    """Each matching call with this probability."""

    probability: float

    def __post_init__(self) -> None:
        """Refuse what is no probability."""
        number = isinstance(self.probability, int | float) and not isinstance(self.probability, bool)
        if not number or not 0 <= self.probability <= 1:
            raise UsageError(f"a rate is a number from 0 to 1, not {self.probability!r}")

    def fires(self, ordinal: int, draw: float) -> bool:
        """True where the draw is below the probability."""
        del ordinal
        return draw < self.probability


class Burst(Noun, tag="burst"):
    """*count* matching calls in a row, from the call *at* on."""

    count: int
    at: int = 1

    def __post_init__(self) -> None:
        """Refuse calls that cannot be."""
        if not _counts(self.count):
            raise UsageError(f"burst: it is 1 call at the least, not {self.count!r}")
        _check_ordinal("burst", self.at)

    def fires(self, ordinal: int, draw: float) -> bool:
        """True for the calls of the burst."""
        del draw
        return self.at <= ordinal < self.at + self.count


class PermanentFrom(Noun, tag="permanent_from"):
    """Every matching call from the call *at* on."""

    at: int

    def __post_init__(self) -> None:
        """Refuse calls that cannot be."""
        _check_ordinal("permanent_from", self.at)

    def fires(self, ordinal: int, draw: float) -> bool:
        """True from the call on."""
        del draw
        return ordinal >= self.at


Dose: TypeAlias = Rate | Burst | PermanentFrom


def once_at(call: int) -> Burst:
    """The *call*-th matching call and no other."""
    _check_ordinal("once_at", call)
    return Burst(1, call)


def as_dose(value: object) -> Dose:
    """*value* as a dose: a bare number is a rate."""
    if isinstance(value, Rate | Burst | PermanentFrom):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return Rate(float(value))
    raise UsageError(f"a dose is a rate from 0 to 1, once_at(k), burst(n, at=k) or permanent_from(k), not {value!r}")


def dose_argument(dose: Dose) -> Argument:
    """The dose as it is written among a fault's parameters."""
    match dose:
        case Rate(probability):
            return Argument("rate", probability)
        case Burst(1, at):
            return Argument("dose", Term("once_at", (Argument("", at),)))
        case Burst(count, at):
            return Argument("dose", Term("burst", (Argument("", count), Argument("at", at))))
        case PermanentFrom(at):
            return Argument("dose", Term("permanent_from", (Argument("", at),)))


def dose_text(dose: Dose) -> str:
    """The dose as a label says it: ``rate=0.2``, ``once_at(1)``.

    >>> dose_text(Rate(0.2)), dose_text(once_at(3))
    ('rate=0.2', 'once_at(3)')
    """
    argument = dose_argument(dose)
    return str(argument.value) if isinstance(argument.value, Term) else f"{argument.name}={argument.value}"


def read_dose(value: Scalar | Term) -> Dose:
    """The dose that *value*, an argument of the grammar, stands for."""
    if not isinstance(value, Term):
        return as_dose(value)
    numbers = {argument.name: argument.value for argument in value.arguments}
    match value.name, numbers:
        case "rate", {"": int() | float() as probability}:
            return Rate(float(probability))
        case "once_at", {"": int(at)}:
            return once_at(at)
        case "burst", {"": int(count), **rest} if set(rest) <= {"at"}:
            return Burst(count, _ordinal(rest.get("at", 1)))
        case "permanent_from", {"": int(at)}:
            return PermanentFrom(at)
    raise UsageError(f"a dose is a rate from 0 to 1, once_at(k), burst(n, at=k) or permanent_from(k), not {value}")


def _ordinal(value: Scalar | Term) -> int:
    if isinstance(value, int):
        return value
    raise UsageError(f"a call is counted from 1, not {value}")


def _check_ordinal(dose: str, number: int) -> None:
    if not _counts(number):
        raise UsageError(f"{dose}: calls are counted from 1, not {number!r}")


def _counts(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and number >= 1
