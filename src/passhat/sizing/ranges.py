"""The range of each number that can be asked with, as the library has it, and what is said of one outside."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeGuard

from passhat.errors import UsageError
from passhat.stats.half_width import read_half_width
from passhat.stats.planning import read_drop
from passhat.stats.scalars import read_at_least, read_icc, read_share, read_whole

_SMALLEST_ALPHA = 1e-299  # half of it, on both sides, still has a quantile


def complaints(name: str, label: str, value: float) -> Iterator[str]:
    """What is wrong with *value* for the option *name*, which the sentence calls *label*; nothing for most options."""
    check = _CHECKS.get(name)
    try:
        if check is not None:
            check(label, value)
    except UsageError as error:
        yield from error.problems


def is_share(value: object) -> TypeGuard[float]:
    """Whether it is a number above 0 and below 1."""
    return isinstance(value, int | float) and 0 < value < 1


def _drop(label: str, value: float) -> None:
    """A drop or a margin: what is no share at all is told so, and the baseline is for a second look."""
    read_drop(read_share(label, value), name=label)


def _alpha(label: str, value: float) -> None:
    if read_share(label, value, high=0.5) < _SMALLEST_ALPHA:
        raise UsageError(f"{label} is at least {_SMALLEST_ALPHA:g}, not {label}={value:.10g}")


def _failures(label: str, value: float) -> None:
    from passhat.stats.claims import read_failures  # which one kind of question needs

    read_failures(value, name=label)


_CHECKS: dict[str, Callable[[str, float], object]] = {
    "half_width": lambda label, value: read_half_width(value, name=label),
    "baseline": read_share,
    "drop": _drop,
    "margin": _drop,
    "pass_hat_k": read_whole,
    "at_least": read_share,
    "failures": _failures,
    "runs": read_whole,
    "tasks": read_whole,
    "trials": read_whole,
    "icc": lambda label, value: read_icc(value, name=label),
    "spread": lambda label, value: read_icc(value, name=label),  # no difference of two rates is further from another
    "power": read_share,
    "alpha": _alpha,
    "confidence": read_share,
    "cost_per_run": read_at_least,
    "seconds_per_run": read_at_least,
}
