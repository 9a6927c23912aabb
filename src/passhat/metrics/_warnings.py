"""What a reader of the numbers must know first: a sentence for each thing that is wrong with the evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from passhat.model.grammar import plans_a_fault
from passhat.model.independence import Sign, signs
from passhat.model.numbers import counted
from passhat.model.outcome import Outcome
from passhat.model.run import Header, Tally
from passhat.model.selection import selection_of
from passhat.model.summary import Row
from passhat.model.trial import Trial


def warnings(header: Header, tally: Tally, example: Trial | None = None) -> Iterator[str]:
    """Void trials with the reason of one, *example*; faults that no trial met; conditions under which all crashed."""
    void = tally.total(Outcome.VOID)
    stored = sum(tally.total(outcome) for outcome in Outcome)
    if not stored:
        yield f"none of {counted(header.planned, 'planned trial')} is stored"
        return
    if stored < header.planned:
        yield f"{header.planned - stored:,} of {counted(header.planned, 'planned trial')} were not run"
    if (selection := selection_of(header)) is not None:
        yield selection.told
    if header.same_seed:
        yield "all trials of a task had one seed: they are not independent, and the intervals do not hold"
    if void:
        why = f"; the first: {example.detail}" if example is not None and example.detail else ""
        yield f"{void:,} of {counted(stored, 'trial is', some='trials are')} void, {100 * void / stored:.3g} %{why}"
    for position, condition in enumerate(tally.conditions):
        yield from _under(tally, position, condition)


def dependence(header: Header, tally: Tally, rows: Sequence[Row]) -> Iterator[str]:
    """Signs that the trials depend on each other, a sentence for each kind; none where all had one seed, as is said."""
    kinds: dict[str, list[Sign]] = {}
    for sign in () if header.same_seed else signs(tally, rows):
        kinds.setdefault(sign.metric, []).append(sign)
    for first, *others in kinds.values():
        more = f" and {len(others)} more condition{'s' * (len(others) > 1)}" if others else ""
        yield f"under {first.condition}{more} {first.told}"


def _under(tally: Tally, position: int, condition: str) -> Iterator[str]:
    """What is wrong with the trials under one condition."""
    cells = tally.of(position)
    stored = sum(tally.valid(cell) + tally.void[cell] for cell in cells)
    if not stored:
        yield f"under {condition} no trial is stored"
        return
    if plans_a_fault(condition) and not any(tally.exposed[cell] for cell in cells):
        yield f"under {condition} no trial met its fault"
    if sum(tally.crashed[cell] for cell in cells) == stored:
        yield f"under {condition} every trial ended in CRASH"
