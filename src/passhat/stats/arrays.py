"""What the statistics share: numbers or arrays in, the same kind out, and one way to refuse bad input.

No formula lives here.
"""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

from passhat.errors import UsageError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[Any]
else:
    Array = Any  # numpy is loaded by the first call

Numbers = TypeVar("Numbers", float, Array)
Outcomes: TypeAlias = "Sequence[int] | Array"  # of one task's trials, in their order: booleans are whole numbers too


def read(*given: float | Sequence[float] | Array) -> tuple[Array, ...]:
    """What was given, as arrays of floats of one shape.

    >>> [array.tolist() for array in read([1, 2], 3)]
    [[1.0, 2.0], [3.0, 3.0]]
    """
    import numpy as np

    try:
        return tuple(np.broadcast_arrays(*(np.asarray(each, dtype=float) for each in given)))
    except (TypeError, ValueError) as error:
        raise UsageError(f"expected numbers, or arrays of them of one shape: {error}") from None


def like(sample: Numbers, value: Array) -> Numbers:
    """*value* in the kind that was given: a float for a scalar, else the array.

    >>> import numpy as np
    >>> like(8, np.array(0.8))
    0.8
    """
    import numpy as np

    del sample  # its type says it all
    given: Any = value if np.ndim(value) else float(value)
    return cast("Numbers", given)


def require(holds: Array, rule: str, **given: Array) -> None:
    """Refuse the first place where *rule* does not hold, and show what was given there.

    >>> import numpy as np
    >>> require(np.array([True, False]), "n is above 0", n=np.array([1, -1]))
    Traceback (most recent call last):
    passhat.errors.UsageError: n is above 0, not n=-1
    """
    import numpy as np

    ok = np.asarray(holds)
    if ok.all():
        return
    first = np.unravel_index(np.argmin(ok), ok.shape)
    here = {name: np.broadcast_to(value, ok.shape)[first] for name, value in given.items()}
    seen = ", ".join(f"{name}={value:.10g}" for name, value in here.items())
    raise UsageError(f"{rule}, not {seen}")


def read_counts(n: float | Array, c: float | Array, k: float | Array) -> tuple[Array, Array, Array]:
    """Trials, passes and k as arrays of one shape: whole numbers, 0 ≤ c ≤ n and 1 ≤ k ≤ n.

    >>> [array.tolist() for array in read_counts(10, 8, 3)]
    [10.0, 8.0, 3.0]
    """
    import numpy as np

    n, c, k = read(n, c, k)
    whole = (n == np.floor(n)) & (c == np.floor(c)) & (k == np.floor(k))
    require(whole & (n >= 1) & np.isfinite(n), "n, the trials, is a whole number from 1", n=n, c=c, k=k)
    require((c >= 0) & (c <= n), "c, the passes, is a whole number from 0 to n", n=n, c=c)
    require((k >= 1) & (k <= n), "k is a whole number from 1 to n", n=n, k=k)
    return n, c, k


def read_level(name: str, level: float) -> float:
    """A probability such as a confidence: above 0 and below 1.

    >>> read_level("confidence", 0.95)
    0.95
    """
    (value,) = read(level)
    require((value > 0) & (value < 1), f"{name} is above 0 and below 1", **{name: value})
    return float(value)


def read_tasks(n: float | Array, c: float | Array, *, least: int = 1) -> tuple[Array, Array]:
    """Trials and passes, one row a task, with *least* tasks or more: whole numbers, 0 ≤ c ≤ n and n ≥ 1.

    >>> [array.tolist() for array in read_tasks(10, [8, 9])]
    [[10.0, 10.0], [8.0, 9.0]]
    """
    trials, passes, _ = read_counts(n, c, 1)
    if trials.ndim != 1 or trials.size < least:
        has = f"{trials.size}" if trials.ndim == 1 else f"an array of {trials.ndim} dimensions"
        raise UsageError(f"n and c are lists with one number a task and {least} or more, not {has}")
    return trials, passes


def read_outcomes(outcomes: Outcomes) -> Array:
    """The outcomes of one task's trials in their order, as an array of booleans.

    >>> read_outcomes([1, 0, 1]).tolist()
    [True, False, True]
    """
    import numpy as np

    try:
        given = np.asarray(outcomes)
    except (TypeError, ValueError):  # ragged
        given = np.array(None)
    binary = given.dtype.kind in "biuf" and bool(((given == 0) | (given == 1)).all())
    if given.ndim != 1 or not given.size or not binary:
        raise UsageError(
            "outcomes are a list of True and False (or 1 and 0), one a trial and at least one, "
            f"not {reprlib.repr(outcomes)}"
        )
    return given.astype(bool)


def read_outcomes_by_task(outcomes_by_task: Sequence[Outcomes] | Array) -> list[Array]:
    """The outcomes of several tasks, each in its trials' order; tasks may differ in how many they have.

    >>> [each.tolist() for each in read_outcomes_by_task([[1, 0], [1]])]
    [[True, False], [True]]
    """
    listed = isinstance(outcomes_by_task, Sequence) or getattr(outcomes_by_task, "ndim", 0) > 0
    if not listed or isinstance(outcomes_by_task, str | bytes):
        raise UsageError(f"expected a list with one list of outcomes a task, not {reprlib.repr(outcomes_by_task)}")
    read_in = [read_outcomes(each) for each in outcomes_by_task]
    if not read_in:
        raise UsageError("expected one task or more, not an empty list")
    return read_in
