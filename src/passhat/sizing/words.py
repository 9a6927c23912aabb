"""Numbers as the answers say them, and the rows that every answer has: what the runs cost, and the time they take."""

from __future__ import annotations

from collections.abc import Iterator

from passhat.sizing.question import Question

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
# Each kind of time: from how many seconds on it is used, its length, and its name.
_UNITS = ((2 * _DAY, _DAY, "days"), (2 * _HOUR, _HOUR, "hours"), (2 * _MINUTE, _MINUTE, "minutes"))


def percent(share: float) -> str:
    """``90 %``, ``99.9 %``: as many digits as the share has, six at most."""
    return f"{100 * share:.6g} %"


def points(difference: float) -> str:
    """A difference of two shares: ``5 points``, ``1 point``, ``8.2 points``."""
    number = f"{100 * difference:.3g}" if difference < 1 else f"{100 * difference:.0f}"
    return f"{number} point" if number == "1" else f"{number} points"


def counted(count: int, noun: str) -> str:
    """``1 run``, ``8,001 runs``."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def does(count: int, noun: str, verb: str) -> str:
    """``1 run catches``, ``253 runs catch``."""
    if count != 1:
        return f"{counted(count, noun)} {verb}"
    return f"{counted(count, noun)} {verb}es" if verb.endswith("ch") else f"{counted(count, noun)} {verb}s"


def surety(power: float) -> str:
    """A probability to a tenth of a per cent, which is 0 % or 100 % only where it is exactly that."""
    text = percent(round(power, 3))
    if text == "100 %" and power < 1:
        return ">99.9 %"
    return "<0.1 %" if text == "0 %" and power > 0 else text


def costs(runs: int, question: Question, *, arms: int = 1) -> Iterator[tuple[str, str]]:
    """What *runs* runs cost, in each of *arms* arms, in money and in time."""
    count = f"{runs:,}" if arms == 1 else f"{arms} × {runs:,}"
    if question.cost_per_run is not None:
        total = arms * runs * question.cost_per_run
        yield "Cost", f"{count} × {question.cost_per_run:.10g} = {total:,.2f}"
    if question.seconds_per_run is not None:
        seconds = arms * runs * question.seconds_per_run
        yield "Time", f"{count} × {question.seconds_per_run:.10g} s = {duration(seconds)}, one run after the other"


def cost_values(runs: int, question: Question, *, arms: int = 1) -> dict[str, float]:
    """The same for a program."""
    each = {"cost": question.cost_per_run, "seconds": question.seconds_per_run}
    return {name: arms * runs * value for name, value in each.items() if value is not None}


def duration(seconds: float) -> str:
    """``45 seconds``, ``12.5 minutes``, ``3.2 hours``, ``2.5 days``."""
    for least, length, name in _UNITS:
        if seconds >= least:
            return f"{seconds / length:,.1f} {name}"
    return f"{seconds:,.3g} seconds"


def baseline(question: Question) -> Iterator[tuple[str, str]]:
    """Where a published baseline comes from; nothing where it was typed."""
    if question.field is not None:
        from passhat.stats.field import field_rates

        one = field_rates()[question.field]
        yield (
            "Baseline",
            f"{percent(one.rate)}: {one.what}. {one.source}. Not yours: use your own as soon as there is one.",
        )
