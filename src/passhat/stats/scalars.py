"""Single numbers, checked without an array library, and the normal distribution of `math`: what planning needs.

`statistics.NormalDist` would do for the latter, but the module brings `decimal`, `fractions` and `random` along: seven
milliseconds, where all of `passhat plan` may take fifteen more than its command-line library.
"""

from __future__ import annotations

from math import ceil, erfc, exp, inf, isfinite, isnan, log, pi, sqrt

from passhat.errors import UsageError

_ROUNDING = 4e-15  # of a count: what a dozen operations on floats may add
MOST_RUNS = 10**12  # runs; far beyond, a float no longer tells a count from the next
_SMALLEST_TAIL = 1e-300


def read_share(name: str, value: float, *, low: float = 0.0, high: float = 1.0) -> float:
    """A number above *low* and below *high*.

    >>> read_share("power", 0.8)
    0.8
    """
    number = read_number(name, value)
    if not low < number < high:
        raise UsageError(f"{name} is above {low:g} and below {high:g}, not {name}={number:.10g}")
    return number


def read_level(name: str, level: float) -> float:
    """A probability such as a confidence: above 0 and below 1.

    >>> read_level("confidence", 0.95)
    0.95
    """
    asked = read_share(name, level)
    if asked < _SMALLEST_TAIL:
        raise UsageError(f"{name} is at least {_SMALLEST_TAIL}, not {name}={asked:.10g}")
    return asked


def read_whole(name: str, value: float, *, least: int = 1) -> int:
    """A whole number from *least*; as an int, however it was typed.

    >>> read_whole("runs", 100)
    100
    """
    number = read_number(name, value)
    if not isfinite(number) or number != int(number) or number < least:
        raise UsageError(f"{name} is a whole number from {least}, not {name}={number:.10g}")
    if number > MOST_RUNS:
        raise UsageError(f"{name} is at most {MOST_RUNS:,}, not {name}={number:.10g}")
    return int(number)


def read_at_least(name: str, value: float, *, least: float = 0.0) -> float:
    """A finite number from *least* on.

    >>> read_at_least("cost_per_run", 0.02)
    0.02
    """
    number = read_number(name, value)
    if not isfinite(number) or number < least:
        raise UsageError(f"{name} is a number from {least:g} on, not {name}={number:.10g}")
    return number


def read_icc(icc: float, *, name: str = "icc") -> float:
    """An intra-task correlation to plan with: from 0 to 1.

    >>> read_icc(0.45)
    0.45
    """
    number = read_number(name, icc)
    if not 0 <= number <= 1:
        raise UsageError(f"{name} is from 0 to 1, not {name}={number:.10g}")
    return number


def normal_cdf(z: float) -> float:
    """The probability that a standard normal variable is at most *z*.

    Formula: erfc(-z/√2) / 2.
    Valid when: z is a number or ±∞.
    Source: the definition of the complementary error function.

    >>> round(normal_cdf(1.96), 6)
    0.975002
    """
    place = read_number("z", z)
    if isnan(place):
        raise UsageError("z is a number, not NaN")
    return erfc(-place / sqrt(2)) / 2


def normal_quantile(level: float) -> float:
    """The z at which the standard normal distribution reaches *level*, to about 15 digits.

    Formula: Newton's method on ln P(Z > z), from z = √(-2 ln 2q) on, with q = min(level, 1-level).
    Valid when: 0 < level < 1, and the tail q is at least 1e-300. The start lies right of the root, because
    P(Z > z) ≤ exp(-z²/2)/2, and the logarithm of the tail is concave: every step stays right of the root.
    Source: the definition; tested against `scipy.special.ndtri`.

    >>> round(normal_quantile(0.95), 6), round(normal_quantile(0.2), 6)
    (1.644854, -0.841621)
    """
    asked = read_share("level", level)
    tail = min(asked, 1 - asked)
    if tail < _SMALLEST_TAIL:
        raise UsageError(f"level is at least {_SMALLEST_TAIL} away from 0 and 1, not level={asked:.10g}")
    z = sqrt(max(0.0, -2 * log(2 * tail)))
    before = inf
    while z < before:  # until rounding is all that moves it
        here = normal_cdf(-z)
        density = exp(-z * z / 2) / sqrt(2 * pi)
        before, z = z, z + here / density * log(here / tail)
    return -before if asked < 0.5 else before


def whole_up(count: float) -> int:
    """The least whole number of runs from *count* on, and at least 1.

    What lies above a whole number by rounding alone is that number: (1.96/.07)²/4 is 196, and costs no 197th run.

    >>> whole_up(384.16), whole_up(196.00000000000003), whole_up(0.2)
    (385, 196, 1)
    """
    if not isfinite(count):
        raise UsageError("this takes more runs than can be counted")
    nearest = round(count)
    return max(1, nearest if abs(count - nearest) <= _ROUNDING * max(1.0, count) else ceil(count))


def read_number(name: str, value: float) -> float:
    """*value* as a float; a text or an array is refused.

    >>> read_number("z", 2)
    2.0
    """
    if isinstance(value, str | bytes):
        raise UsageError(f"{name} is a number, not {value!r}")
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise UsageError(f"{name} is a number, not {type(value).__name__}") from None
