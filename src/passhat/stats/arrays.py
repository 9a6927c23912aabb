"""What the statistics share: numbers or arrays in, the same kind out, and one way to refuse bad input.

No formula lives here.
"""

from __future__ import annotations

import reprlib
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from operator import index
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

from passhat.errors import UsageError
from passhat.stats.scalars import read_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[Any]
else:
    Array = Any  # numpy is loaded by the first call

Numbers = TypeVar("Numbers", float, Array)
Many: TypeAlias = Sequence[float] | Array
Outcomes: TypeAlias = "Sequence[int] | Array"  # of one task's trials, in their order: booleans are whole numbers too
Item = TypeVar("Item", bound=Hashable)

_MOST = 2**53  # trials; from here on a float no longer tells a count from the next


def read(*given: float | Many) -> tuple[Array, ...]:
    """What was given, as arrays of floats of one shape.

    >>> [array.tolist() for array in read([1, 2], 3)]
    [[1.0, 2.0], [3.0, 3.0]]
    """
    import numpy as np

    if any(isinstance(each, str | bytes) for each in given):
        raise UsageError(f"expected numbers, or arrays of them, not a text: {reprlib.repr(given)}")
    try:
        return tuple(np.broadcast_arrays(*(np.asarray(each, dtype=float) for each in given)))
    except (TypeError, ValueError, OverflowError) as error:
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


def read_counts(n: float | Many, c: float | Many, k: float | Many) -> tuple[Array, Array, Array]:
    """Trials, passes and k as arrays of one shape: whole numbers, 0 ≤ c ≤ n and 1 ≤ k ≤ n.

    >>> [array.tolist() for array in read_counts(10, 8, 3)]
    [10.0, 8.0, 3.0]
    """
    import numpy as np

    n, c, k = read(n, c, k)
    whole = (n == np.floor(n)) & (c == np.floor(c)) & (k == np.floor(k))
    require(whole & (n >= 1) & np.isfinite(n), "n, the trials, is a whole number from 1", n=n, c=c, k=k)
    require(n < _MOST, "n, the trials, is below 2^53", n=n)
    require((c >= 0) & (c <= n), "c, the passes, is a whole number from 0 to n", n=n, c=c)
    require((k >= 1) & (k <= n), "k is a whole number from 1 to n", n=n, k=k)
    return n, c, k


def read_rate(c: float | Array, n: float | Array) -> tuple[Array, Array]:
    """Passes and trials behind one rate, as arrays of one shape: real numbers, n > 0 and 0 ≤ c ≤ n.

    >>> [array.tolist() for array in read_rate(8.5, 10)]
    [8.5, 10.0]
    """
    passes, trials = read(c, n)
    require((trials > 0) & (trials < _MOST), "n, the trials, is above 0 and below 2^53", n=trials)
    require((passes >= 0) & (passes <= trials), "c, the passes, is from 0 to n", c=passes, n=trials)
    return passes, trials


def read_row(name: str, given: Many, *, least: int = 1) -> Array:
    """One row of finite numbers, *least* of them or more.

    >>> read_row("values", [1, 2]).tolist()
    [1.0, 2.0]
    """
    import numpy as np

    (row,) = read(given)
    if row.ndim != 1 or row.size < least:
        raise UsageError(f"{name} is one row of {least} or more numbers, not an array of shape {row.shape}")
    require(np.isfinite(row), f"{name} holds finite numbers", **{name: row})
    return row


def read_rows(least: int = 1, **given: Many) -> tuple[Array, ...]:
    """Rows of finite numbers that are equally long, each checked under its own name.

    >>> [row.tolist() for row in read_rows(a=[1, 2], b=[3, 4])]
    [[1.0, 2.0], [3.0, 4.0]]
    """
    rows = [read_row(name, row, least=least) for name, row in given.items()]
    if len({row.size for row in rows}) > 1:
        lengths = ", ".join(f"{row.size} in {name}" for name, row in zip(given, rows, strict=True))
        raise UsageError(f"the rows are equally long, not {lengths}")
    return tuple(rows)


def require_flags(**given: Array) -> None:
    """Refuse what is neither 0 (false) nor 1 (true).

    >>> import numpy as np
    >>> require_flags(passed=np.array([0, 2]))
    Traceback (most recent call last):
    passhat.errors.UsageError: passed is true or false, 1 or 0, not passed=2
    """
    for name, values in given.items():
        require((values == 0) | (values == 1), f"{name} is true or false, 1 or 0", **{name: values})


def require_shares(**given: Array) -> None:
    """Refuse what is below 0 or above 1.

    >>> import numpy as np
    >>> require_shares(rate=np.array(1.2))
    Traceback (most recent call last):
    passhat.errors.UsageError: rate is from 0 to 1, not rate=1.2
    """
    for name, values in given.items():
        require((values >= 0) & (values <= 1), f"{name} is from 0 to 1", **{name: values})


def read_items(name: str, items: Iterable[Item]) -> tuple[Item, ...]:
    """What happened, in its order: hashable things, such as the names of the tools that were called.

    >>> read_items("tools", "ab")
    ('a', 'b')
    """
    if isinstance(items, AbstractSet | Mapping):
        raise UsageError(f"{name} has an order, which a set and a dict don't tell: give a list")
    found: tuple[Item, ...] = read_list(name, items)
    count_alike(found)
    return found


def read_list(name: str, items: Iterable[Any]) -> tuple[Any, ...]:
    """Several things of one kind, each to be read by itself.

    >>> read_list("grid", [[1], [2]])
    ([1], [2])
    """
    try:
        return tuple(items)
    except TypeError:
        raise UsageError(f"{name} is a list, not {reprlib.repr(items)}") from None


def count_alike(items: Iterable[Item]) -> Counter[Item]:
    """How often each item occurs, in the order in which they first do.

    >>> count_alike("aab")
    Counter({'a': 2, 'b': 1})
    """
    try:
        return Counter(items)
    except TypeError:
        raise UsageError("actions are hashable, as text is: give a call's arguments as text, not as a dict") from None


def read_tasks(n: float | Many, c: float | Many, *, least: int = 1) -> tuple[Array, Array]:
    """Trials and passes, one row a task, with *least* tasks or more: whole numbers, 0 ≤ c ≤ n and n ≥ 1.

    >>> [array.tolist() for array in read_tasks(10, [8, 9])]
    [[10.0, 10.0], [8.0, 9.0]]
    """
    trials, passes, _ = read_counts(n, c, 1)
    if trials.ndim != 1 or trials.size < least:
        has = f"{trials.size}" if trials.ndim == 1 else f"an array of {trials.ndim} dimensions"
        raise UsageError(f"n and c are lists with one number a task and {least} or more, not {has}")
    return trials, passes


def read_suite(n: float | Many, c: float | Many, k: int, *, name: str = "k") -> tuple[Array, Array, Array]:
    """Trials and passes, one row a task, and one k for all of them, as arrays of one shape.

    >>> [array.tolist() for array in read_suite([10, 10], [8, 9], 2)]
    [[10.0, 10.0], [8.0, 9.0], [2.0, 2.0]]
    """
    return read_counts(*read_tasks(n, c), read_number(name, k))


def read_seed(seed: int) -> int:
    """The seed of a simulation: a whole number from 0, as large as you like.

    >>> read_seed(7)
    7
    """
    try:
        number = index(seed)
    except TypeError:
        raise UsageError(f"seed is a whole number from 0, not {reprlib.repr(seed)}") from None
    if number < 0:
        raise UsageError(f"seed is a whole number from 0, not {number}")
    return number


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
