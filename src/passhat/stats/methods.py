"""The names of interval methods, what may be claimed of each, and how an unknown name is refused.

No formula lives here: each is beside the function that takes its name.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from passhat.errors import UsageError


class Standing(StrEnum):
    """What is known of a method's coverage."""

    EXACT = "exact"  # proven to cover at every n and every rate
    CALIBRATED = "calibrated"  # no proof for all its uses; `make calibration` measures that it covers
    APPROXIMATE = "approximate"  # covers less than it says in places that occur


STANDINGS = {
    # one rate
    "clopper-pearson": Standing.EXACT,
    "confidence-sequence": Standing.EXACT,
    "wilson": Standing.APPROXIMATE,
    "wilson-cc": Standing.APPROXIMATE,
    "jeffreys": Standing.APPROXIMATE,
    "uniform": Standing.APPROXIMATE,
    "wald": Standing.APPROXIMATE,
    # a mean over these tasks
    "gate": Standing.CALIBRATED,
    "display": Standing.CALIBRATED,
    "z": Standing.APPROXIMATE,
    # a mean over tasks like these
    "korn-graubard": Standing.CALIBRATED,
    "t": Standing.APPROXIMATE,
    "bootstrap": Standing.APPROXIMATE,
    # a difference of two
    "mover": Standing.APPROXIMATE,
}
# "display" is for the eye: one of its ends alone, which is what a rule uses, is measured to cover less than 95 %.
_MAY_GATE = frozenset({"clopper-pearson", "confidence-sequence", "gate", "korn-graubard"})


def standing(method: str) -> Standing:
    """What is known of the coverage of an interval method: exact, calibrated or approximate.

    Formula: none; a table of the methods.
    Valid when: the method's own conditions hold (`interval`, `suite_intervals`, `difference_interval`).
    Source: proof for exact ones, measured coverage (`make calibration`) for the others.

    >>> standing("clopper-pearson").value, standing("gate").value, standing("bootstrap").value
    ('exact', 'calibrated', 'approximate')
    """
    return STANDINGS[read_name("method", method, STANDINGS)]


def is_approximate(method: str) -> bool:
    """Whether an interval method covers less than it says in places that occur; such a one never gates.

    Formula: its `standing` is the last of the three.
    Valid when: as for `standing`.
    Source: as for `standing`; of rates Brown, Cai & DasGupta 2001 show where.

    >>> is_approximate("wilson"), is_approximate("clopper-pearson")
    (True, False)
    """
    return standing(method) is Standing.APPROXIMATE


def may_gate(method: str) -> bool:
    """Whether a rule may rest on an interval method: it is exact, or measured to cover at its full level.

    Formula: none; a table of the methods.
    Valid when: as for `standing`. A rule uses one end alone, and that is what was measured.
    Source: as for `standing`.

    >>> may_gate("gate"), may_gate("display"), may_gate("z")
    (True, False, False)
    """
    return read_name("method", method, STANDINGS) in _MAY_GATE


def read_name(what: str, name: str, known: Iterable[str]) -> str:
    """*name*, if it is one of the *known*; else a usage error with the nearest of them.

    >>> read_name("method", "wilsn", ["wilson", "wald"])
    Traceback (most recent call last):
    passhat.errors.UsageError: there is no method called 'wilsn': did you mean wilson?
    """
    import difflib

    names = tuple(known)
    if isinstance(name, str) and name in names:
        return name
    close = difflib.get_close_matches(str(name), names, n=3, cutoff=0.5)
    hint = f"did you mean {', '.join(close)}?" if close else f"there are {', '.join(names)}"
    raise UsageError(f"there is no {what} called {name!r:.80}: {hint}")
