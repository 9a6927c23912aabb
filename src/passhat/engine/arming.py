"""Which faults are planned for a trial, and on which calls they fire: drawn by address, so nobody's order matters.

A fault's address is its kind, its match and its position among equals; never its dose and never the condition's
name. So the same draw is held against every intensity, and what fires at 0.1 also fires at 0.2.

Where a trial is to be made again with a part of its faults, the calls at which each fires are picked instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeAlias

from passhat.faults.base import Fault
from passhat.model.condition import Condition, Injection
from passhat.model.dice import Dice
from passhat.model.dose import Burst, Rate, dose_text
from passhat.model.match import Match, parse_match
from passhat.model.trial import Call
from passhat.surfaces.base import MESSAGES

Picks: TypeAlias = Mapping[str, Collection[tuple[str, int]]]  # the address of a fault to the calls, (tool, ordinal)


class Armed:
    """A fault that is planned for one trial."""

    __slots__ = (
        "_dice",
        "_drawn",
        "_every",
        "_fires",
        "_last",
        "_matched",
        "asks",
        "dose",
        "injection",
        "match",
        "name",
        "on_calls",
        "on_messages",
        "part",
        "took",
        "under_way",
    )

    def __init__(self, planned: Planned, dice: Dice) -> None:
        """The fault that is *planned*, drawing at the address of its trial."""
        self.injection = planned.injection
        self.name = planned.injection.fault.term.name
        self.part = planned.part
        self.match = planned.match
        self.dose = planned.dose
        self.on_calls, self.on_messages, self.asks = planned.on_calls, planned.on_messages, planned.asks
        self._dice = dice
        self._every = planned.every
        self._drawn = planned.drawn
        self._last = planned.last
        self._fires = planned.injection.dose.fires
        self._matched = 0
        self.took = 0.0  # the real seconds that its decisions took
        self.under_way: list[float] = []  # when each decision began that has not come yet

    def meets(self, tool: str, arguments: Mapping[str, Any], *, write: bool) -> bool:
        """True where this call is one of its match."""
        return self._every or self.match.meets(tool, arguments, write=write)

    def counts(self, call: Call) -> bool:
        """True where *call* is one that its dose counts; the guard asks the two in turn, the cheaper one first."""
        met = self.meets(call.tool, call.arguments, write=call.write)
        return met and (not self.asks or self.injection.fault.concerns(call))

    def strikes(self, tool: str, ordinal: int) -> bool:
        """True where it bites at a call that it meets, the *ordinal*-th of *tool*. It counts: ask once."""
        self._matched = matched = self._matched + 1
        return self.due(tool, ordinal, matched)

    def due(self, tool: str, ordinal: int, matched: int) -> bool:
        """True where it bites at the *ordinal*-th call of *tool*, the *matched*-th that it concerns."""
        return self._fires(matched, self._dice.uniform(tool, ordinal) if self._drawn else 0.0)

    @property
    def spent(self) -> bool:
        """True where it can bite no more, whatever calls there are to come."""
        return self._matched >= self._last

    def dice(self, tool: str, ordinal: int) -> Dice:
        """The dice that the fault itself may use at this call."""
        return self._dice.at(tool, ordinal)


class Picked(Armed):
    """A fault that fires at the calls that were picked and at no other, whatever its dose says."""

    __slots__ = ("_calls",)

    def __init__(self, planned: Planned, dice: Dice, calls: Collection[tuple[str, int]]) -> None:
        """The fault that is *planned*, at these *calls*."""
        super().__init__(planned, dice)
        self._calls = calls
        self._last = float("inf")

    def due(self, tool: str, ordinal: int, matched: int) -> bool:
        """True at the picked calls."""
        return (tool, ordinal) in self._calls


class Planned:
    """What the trials of a cell share of one fault: its address, its match, its dose and where it meets, read once."""

    __slots__ = ("asks", "dose", "drawn", "every", "injection", "last", "match", "on_calls", "on_messages", "part")

    def __init__(self, part: str, injection: Injection) -> None:
        """*injection* at the address *part*."""
        self.part = part
        self.injection = injection
        self.match = parse_match(injection.match)
        self.every = self.match == Match()  # a call need not be looked at
        self.dose = dose_text(injection.dose)
        self.asks = getattr(type(injection.fault), "concerns", None) is not Fault.concerns  # most concern every call
        surfaces = injection.fault.surfaces
        self.on_messages = MESSAGES in surfaces
        self.on_calls = not self.on_messages or len(surfaces) > 1
        # A burst has an end, after which the fault can bite no more; no other dose has one.
        dose = injection.dose
        self.last = dose.at + dose.count - 1 if isinstance(dose, Burst) else float("inf")
        self.drawn = isinstance(injection.dose, Rate)  # no other dose looks at its draw


class Arming:
    """The faults of one cell, and the trials that each is planned for.

    In a run of one seed a fault fires in every trial where it fires in the first.
    """

    __slots__ = ("_blocks", "_parts", "_picks", "_planned", "_same", "_seed", "_task")

    def __init__(
        self,
        condition: Condition,
        *,
        seed: int,
        task_id: str,
        blocks: Sequence[int],
        same: bool = False,
        picks: Picks | None = None,
    ) -> None:
        """The faults of *condition* for the task's trials, which come in *blocks*; with *picks* those alone."""
        self._seed, self._task, self._blocks, self._same = seed, task_id, tuple(blocks), same
        self._picks = picks
        self._parts = [Planned(part, injection) for part, injection in _addressed(condition.injections)]
        self._planned: dict[str, frozenset[int]] = {}

    def arm(self, index: int) -> Sequence[Armed]:
        """The faults that are planned for the trial with this index."""
        drawn = 0 if self._same else index
        if self._picks is not None:
            return [
                Picked(planned, Dice(self._seed, self._task, planned.part, drawn), self._picks[planned.part])
                for planned in self._parts
                if planned.part in self._picks
            ]
        return [
            Armed(planned, Dice(self._seed, self._task, planned.part, drawn))
            for planned in self._parts
            if planned.injection.share == 1 or index in self._share(planned.part, planned.injection.share)
        ]

    def _share(self, part: str, share: float) -> frozenset[int]:
        """The trials of a share: of each block the first in a drawn order, so it is balanced and nested.

        A block keeps its draw whatever comes after it, so that trials which are stored stay as they were planned.
        """
        if part not in self._planned:
            dice, begin = Dice(self._seed, self._task, part), 0
            found: set[int] = set()
            for size in self._blocks:
                order = dice.ranked(size, "share", begin) if begin else dice.ranked(size, "share")
                found.update(begin + index for index in order[: round(share * size)])
                begin += size
            self._planned[part] = frozenset(found)
        return self._planned[part]


def _addressed(injections: Sequence[Injection]) -> list[tuple[str, Injection]]:
    """Each injection with its address among the parts of its condition."""
    seen: Counter[str] = Counter()
    found = []
    for injection in injections:
        kind = f"{injection.fault.term.name} {injection.match}"
        found.append((f"{kind} {seen[kind]}", injection))
        seen[kind] += 1
    return found
