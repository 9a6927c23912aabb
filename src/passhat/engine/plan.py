"""The plan of a run: which trials there are, and in which order they begin. Pure: no clock, no I/O, no chance.

Trials are interleaved: first the first trial of every task under every condition, then the second of each, and so on.
A slow hour then hits all alike, and a run that was stopped early is balanced.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from passhat.engine.arming import Picks
from passhat.model.condition import Condition
from passhat.model.digest import digest
from passhat.model.pace import Pace
from passhat.model.run import Header
from passhat.model.task import Task

Address = tuple[int, int]


class Plan:
    """Every trial of a run by its address, (cell, index); a cell is task × conditions + condition.

    `header` is what is stored; `tasks` and `conditions` are what is run: the tasks with their secrets, where they have
    any, and the conditions with parts that can act.
    """

    __slots__ = ("conditions", "header", "tasks")

    picks: Picks | None = None  # the calls at which faults fire, where their doses have no say

    def __init__(self, header: Header, *, tasks: tuple[Task, ...], conditions: tuple[Condition, ...]) -> None:
        """The plan of the run with this header."""
        self.header = header
        self.tasks = tasks
        self.conditions = conditions

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return len(self.header.tasks) * len(self.header.conditions)

    @property
    def planned(self) -> int:
        """How many trials there are."""
        return self.header.planned

    @property
    def paces(self) -> Mapping[str, Pace]:
        """How long clean calls are known to take before the first trial."""
        return {}

    @property
    def digest(self) -> str:
        """Equal for plans that make the same trials in the same order."""
        return digest((self.header.run_digest, self.header.trials, [task.id for task in self.header.tasks]))

    def addresses(self, done: Collection[Address] = ()) -> Iterator[Address]:
        """The addresses in the order in which they begin, made as they are asked for; without those that are *done*."""
        cells, total = self.cells, self.planned
        if not done:
            yield from ((bit % cells, bit // cells) for bit in range(total))
            return
        have = bytearray(total // 8 + 1)
        for cell, index in done:
            bit = index * cells + cell
            if bit < total:
                have[bit >> 3] |= 1 << (bit & 7)
        for bit in range(total):
            if not have[bit >> 3] >> (bit & 7) & 1:
                yield bit % cells, bit // cells
