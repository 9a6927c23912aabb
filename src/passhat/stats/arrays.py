"""What the statistics share: numbers or arrays in, the same kind out, and one way to refuse bad input.

No formula lives here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

from passhat.errors import UsageError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[Any]
else:
    Array = Any  # numpy is loaded by the first call

Numbers = TypeVar("Numbers", float, Array)
Many: TypeAlias = Sequence[float] | Array


def read(*given: float | Many) -> tuple[Array, ...]:
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


def read_counts(n: float | Many, c: float | Many, k: float | Many) -> tuple[Array, Array, Array]:
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


def read_rate(c: float | Array, n: float | Array) -> tuple[Array, Array]:
    """Passes and trials behind one rate, as arrays of one shape: real numbers, n > 0 and 0 ≤ c ≤ n.

    >>> [array.tolist() for array in read_rate(8.5, 10)]
    [8.5, 10.0]
    """
    import numpy as np

    passes, trials = read(c, n)
    require((trials > 0) & np.isfinite(trials), "n, the trials, is above 0", n=trials)
    require((passes >= 0) & (passes <= trials), "c, the passes, is from 0 to n", c=passes, n=trials)
    return passes, trials


def read_level(name: str, level: float) -> float:
    """A probability such as a confidence: above 0 and below 1.

    >>> read_level("confidence", 0.95)
    0.95
    """
    (value,) = read(level)
    require((value > 0) & (value < 1), f"{name} is above 0 and below 1", **{name: value})
    return float(value)
