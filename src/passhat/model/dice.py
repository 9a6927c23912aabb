"""Randomness by address: a draw is a hash of where it is used, so it does not depend on who asks first.

The same address gives the same draw at any concurrency, in any process and on any machine. No state, no stream.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")
_TWO_53 = float(2**53)
_encode = msgspec.json.encode


class Dice:
    """Draws at one address. `dice.at("call", 3)` is a longer address; the methods draw there.

    Most dice are handed out and never thrown: an address is hashed where somebody first draws there.
    """

    __slots__ = ("_above", "_address", "_hash", "_key")

    def __init__(self, *address: str | int, above: Dice | None = None) -> None:
        """The dice that lie at *address*, below those *above*."""
        self._address = address
        self._above = above
        self._key = b""
        self._hash: Any = None

    def at(self, *address: str | int) -> Dice:
        """The dice at an address below this one."""
        return Dice(*address, above=self)

    def uniform(self, *label: str | int) -> float:
        """A number in [0, 1), the same for the same address and label.

        It has 53 bits of a keyed hash: they fit a double exactly, in every language's JSON.
        """
        if self._hash is None:
            self._hash = blake2b(digest_size=8, key=self.key())
        drawn = self._hash.copy()  # to begin with a key takes longer than to copy what has begun
        drawn.update(_encode(label))
        return (int.from_bytes(drawn.digest(), "big") >> 11) / _TWO_53

    def key(self) -> bytes:
        """The address, as the key of what is drawn there."""
        if not self._key:
            above = b"" if self._above is None else self._above.key()
            self._key = blake2b(_encode(self._address), digest_size=32, key=above).digest()
        return self._key

    def integer(self, below: int, *label: str | int) -> int:
        """A whole number in [0, *below*)."""
        return int(self.uniform(*label) * below)

    def choice(self, items: Sequence[T], *label: str | int) -> T:
        """One of *items*."""
        return items[self.integer(len(items), *label)]

    def ranked(self, count: int, *label: str | int) -> list[int]:
        """The numbers 0 … *count* − 1 in a drawn order: its first m are a subset of its first m + 1."""
        return sorted(range(count), key=lambda i: (self.uniform(*label, i), i))


def dice(seed: int, *address: str | int) -> Dice:
    """The dice at *address* in the run that has this seed."""
    return Dice(seed, *address)


class TrialSeeds:
    """The seeds of one task's trials, in 53 bits each: a seed knows its run, its task and its index, not its condition.

    Leaving the condition out pairs the conditions: trial 3 under a fault is trial 3 of the clean run, plus the fault.
    Where all have the *same* seed, it is that of the first trial.
    """

    __slots__ = ("_same", "_task")

    def __init__(self, seed: int, task_id: str, *, same: bool = False) -> None:
        """The seeds of *task_id* in the run that has this seed."""
        self._task = blake2b(_encode((seed, task_id)), digest_size=8)
        self._same = same

    def __call__(self, index: int) -> int:
        """The seed of the trial with this index."""
        trial = self._task.copy()
        trial.update(b"#%d" % (0 if self._same else index))
        return int.from_bytes(trial.digest(), "big") >> 11
