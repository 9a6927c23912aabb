"""Numbers as text: rounded so that they do not lie, and beside what they are counted from."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from passhat.model import numbers
from passhat.model.summary import Estimate

counted = numbers.counted  # metrics and rules count in the same words
_BARS = "▁▂▃▄▅▆▇█"
_NOISE = 1e-9  # what floating point adds to a bound that is exactly 0 or 1
_MINUTES_FROM = 600


class Notes:
    """Why numbers are missing: a cell shows a mark, and a line below the mark with its reason."""

    def __init__(self) -> None:
        self._reasons: dict[str, int] = {}

    def mark(self, reason: str) -> str:
        """The mark of *reason*, such as ``(1)``."""
        return f"({self._reasons.setdefault(reason, len(self._reasons) + 1)})"

    def lines(self) -> Iterable[tuple[str, str]]:
        """Every mark with its reason."""
        return [(f"({number})", reason) for reason, number in self._reasons.items()]


def number(value: float) -> str:
    """A share in two digits: 0.996 is ``>0.99``, because 1.00 would say that nothing failed."""
    text = f"{value:.2f}"
    if text == "1.00" and value < 1 - _NOISE:
        return ">0.99"
    if text in ("0.00", "-0.00") and value > _NOISE:
        return "<0.01"
    return text.removeprefix("-") if text == "-0.00" else text


def figure(value: float) -> str:
    """A number that need not be a share: between -1 and 1 as `number` has it, others with four digits."""
    if not -1 <= value <= 1:
        return f"{value:,.4g}".replace("-", "−")
    if value >= 0:
        return number(value)
    text = number(-value)
    return f">−{text[1:]}" if text[0] == "<" else f"<−{text[1:]}" if text[0] == ">" else f"−{text}"


def percent(value: float) -> str:
    """A share in per cent, which is 100 % or 0 % only where it is exactly that."""
    text = f"{100 * float(f'{value:.2f}'):.0f}"  # as `number` rounds: not 0.07 here and 8 % there
    if text == "100" and value < 1 - _NOISE:
        return ">99 %"
    if text in ("0", "-0"):
        return "<1 %" if value > _NOISE else "0 %"
    return f"{text} %"


@dataclass(frozen=True, slots=True)
class Unit:
    """How a table writes shares, and what stands between the bounds of an interval."""

    write: Callable[[float], str]
    between: str


SHARES = Unit(number, ", ")
FIGURES = Unit(figure, ", ")
PER_CENT = Unit(lambda value: percent(value).removesuffix(" %"), ",")  # the same digits on half the columns


def points(difference: float) -> str:
    """A difference of two shares, in points, with its sign."""
    text = f"{100 * difference:+.0f}"
    return "±0" if text in ("+0", "-0") else text.replace("-", "−")


def interval(estimate: Estimate | None, notes: Notes, unit: Unit = SHARES) -> str:
    """An estimate for a cell: the number with its interval, or a dash, and the mark of the reason."""
    if estimate is None:
        return f"- {notes.mark('not measured')}"
    if estimate.value is None:
        return f"- {notes.mark(reason(estimate))}"
    if estimate.low is None or estimate.high is None:
        return f"{unit.write(estimate.value)} {notes.mark(estimate.reason or 'no interval was measured')}"
    return f"{unit.write(estimate.value)} {range_only(estimate, unit)}"


def range_of(estimate: Estimate | None, notes: Notes, unit: Unit = SHARES) -> str:
    """The interval alone, for a cell beside the counts that the number is made of; else as `interval`."""
    if estimate is None or estimate.value is None or estimate.low is None or estimate.high is None:
        return interval(estimate, notes, unit)
    return range_only(estimate, unit)


def value_of(estimate: Estimate | None, notes: Notes, unit: Unit = SHARES) -> str:
    """The number alone, for a cell whose column is too narrow; else as `interval`."""
    if estimate is None or estimate.value is None:
        return interval(estimate, notes, unit)
    return unit.write(estimate.value)


def reason(estimate: Estimate | None) -> str:
    """Why there is no number."""
    return "not measured" if estimate is None else estimate.reason or "no reason is given"


def with_voids(estimate: Estimate, unit: Unit = SHARES) -> str:
    """An estimate and what it would be had the void trials counted, or had they not."""
    value = "-" if estimate.value is None else unit.write(estimate.value)
    if estimate.if_voids_failed is None or estimate.if_voids_passed is None:
        return f"{value} (what the void trials could have made of it is not measured)"
    failed, passed = unit.write(estimate.if_voids_failed), unit.write(estimate.if_voids_passed)
    if estimate.if_voids_excluded is not None:
        without = unit.write(estimate.if_voids_excluded)
        return f"{value} with voids as failures ({without} without them, {passed} as passes)"
    return f"{value} ({failed} with voids as failures, {passed} as passes)"


def range_only(estimate: Estimate, unit: Unit = SHARES) -> str:
    """The interval alone, where there is one."""
    if estimate.low is None or estimate.high is None:
        return "no interval"
    return f"[{unit.write(estimate.low)}{unit.between}{unit.write(estimate.high)}]"


def levels(estimates: Iterable[Estimate | None]) -> str:
    """The levels of the intervals among *estimates*, such as ``95 %``."""
    found = {f"{100 * one.level:g}" for one in estimates if one is not None and one.low is not None}
    return f"{'/'.join(sorted(found))} %" if found else "no interval"


def bars(values: Iterable[float | None]) -> str:
    """Shares as a row of bars."""
    return "".join(
        " " if value is None or not 0 <= value <= 1 else _BARS[round(value * 7)] for value in values
    ).rstrip()


def utc(timestamp: float) -> str:
    """A unix timestamp to the minute, in UTC; a dash where none was recorded."""
    try:
        return f"{datetime.fromtimestamp(timestamp, tz=UTC):%Y-%m-%d %H:%M}" if timestamp else "-"
    except (OverflowError, ValueError, OSError):
        return "-"


def seconds(value: float) -> str:
    """A duration in the unit that suits it."""
    if value < 1:
        return f"{min(999, 1000 * value):.3g} ms"
    return f"{value:.1f} s" if value < _MINUTES_FROM else f"{value / 60:.0f} min"
