"""The ledger of a trial: for every call what upstream really did, and what the agent was told.

Read from the record of one trial alone, and of the same trial without faults where there is one; no grader is asked. A
call is a write unless its tool is declared as one that reads. What upstream itself refused, a 409 of its own, took no
effect, and the agent was told the truth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

from msgspec.structs import replace

from passhat.model.base import Json, Noun
from passhat.model.condition import Phase
from passhat.model.operations import NOTHING_DECLARED, Declared, is_reworded, key_of, operation_of
from passhat.model.outcome import Outcome
from passhat.model.plain import encoded_alike
from passhat.model.trial import FaultEvent, ToolCall, Trial

__all__ = [
    "NOTHING_DECLARED",
    "UNANSWERED",
    "Declared",
    "Duplicate",
    "Entry",
    "Ledger",
    "Told",
    "answers",
    "as_run",
    "done_in",
    "effects_of",
    "entries_of",
    "ledger",
    "operation_of",
]

UNANSWERED = "there was no reply before the trial ended"
_CANCELLED = "CancelledError"
_SILENT = frozenset({"delay", "forward", "hold"})  # effects that leave the reply as it is


class Told(StrEnum):
    """What the agent was told of a call."""

    REPLY = "reply"
    CHANGED = "changed"
    ERROR = "error"
    NOTHING = "nothing"


class Entry(Noun, kw_only=True):
    """One call: `executed` counts how often upstream ran, `effects` how often it then did what it was asked.

    `operation` names what was asked for, which is the tool and its arguments without the declared keys; `key` holds
    the values of those. `refused`: the last time it ran, upstream itself said no. `doubtful`: the last time it ran, it
    was broken off, so nobody knows how far it came, and it counts for no effect. `stray` names the operation of
    another tool that wrote in its place, `stray_effects` how often.
    """

    step: int
    tool: str
    operation: str
    key: str
    write: bool
    executed: int
    effects: int
    told: Told
    refused: bool = False
    doubtful: bool = False
    stray: str = ""
    stray_effects: int = 0

    @property
    def unknown(self) -> bool:
        """A write took effect, and the agent was told an error or nothing."""
        return self.write and self.effects > 0 and self.told in {Told.ERROR, Told.NOTHING}

    @property
    def phantom(self) -> bool:
        """A write was reported as done, and upstream never did it."""
        return self.write and self.executed == 0 and self.told in {Told.REPLY, Told.CHANGED}


class Duplicate(Noun, kw_only=True):
    """An operation that took effect more often than it should have: `times`, where `expected` times were due."""

    tool: str
    operation: str
    steps: tuple[int, ...]
    times: int
    expected: int

    @property
    def where(self) -> str:
        """The steps, in words."""
        steps = ", ".join(map(str, self.steps))
        return f"steps {steps}" if len(self.steps) > 1 else f"step {steps}"


class Ledger(Noun, kw_only=True):
    """What upstream did and what the agent was told, call by call, and where the two part.

    unknown: steps of writes that took effect without the agent being told.
    believed: steps of writes that the agent was told of and that never happened, in this call or in a later one.
    changed: steps whose reply was not upstream's own, and which the agent went on from.
    doubtful: steps of writes that were broken off while they ran, so that nobody knows whether they took effect.
    unasked: steps at which another tool wrote what nobody asked for, in the place of the one that was called.
    """

    entries: tuple[Entry, ...] = ()
    duplicates: tuple[Duplicate, ...] = ()
    unknown: tuple[int, ...] = ()
    believed: tuple[int, ...] = ()
    changed: tuple[int, ...] = ()
    unasked: tuple[int, ...] = ()
    doubtful: tuple[int, ...] = ()

    @property
    def surplus(self) -> int:
        """How many effects there were beyond those that were due."""
        return sum(one.times - one.expected for one in self.duplicates)

    @property
    def wrote(self) -> bool:
        """True where a write took effect."""
        return any((entry.write and entry.effects) or entry.stray_effects for entry in self.entries)

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is out of order, for a reader."""
        tools = {entry.step: entry.tool for entry in self.entries}
        strays = {entry.step: _tool_of(entry.stray) for entry in self.entries}
        return (
            *(f"{one.where}: {one.tool} was done {one.times} times alike" for one in self.duplicates),
            *(f"step {step}: {tools[step]} was done, and the agent was not told" for step in self.unknown),
            *(f"step {step}: {tools[step]} was never done, and the agent was told it was" for step in self.believed),
            *(f"step {step}: the reply to {tools[step]} was not upstream's own" for step in self.changed),
            *(f"step {step}: {strays[step]} was done, and {tools[step]} was asked for" for step in self.unasked),
            *(f"step {step}: {tools[step]} was broken off, and may have been done or not" for step in self.doubtful),
        )

    @property
    def harm(self) -> bool:
        """True where something was done twice or unasked, or only a part was done of what the agent believes in."""
        return bool(self.duplicates) or bool(self.unasked) or (bool(self.believed) and self.wrote)


def ledger(trial: Trial, *, clean: Trial | None = None, declared: Declared = NOTHING_DECLARED) -> Ledger:
    """The ledger of *trial*; *clean* is the trial of the same task and index without faults.

    Where *clean* passed, an operation is a duplicate where it took effect more often than there; else, where it did
    more than once.
    """
    sound = clean if clean is not None and clean.outcome is Outcome.PASS else None
    unheeded = _unheeded(trial, sound, declared)
    entries = entries_of(trial.trace, trial.faults, declared=declared, unheeded=unheeded)
    due = {} if sound is None else effects_of(entries_of(sound.trace, sound.faults, declared=declared))
    done = done_in(entries)
    asked = {entry.operation for entry in entries} | set(due)
    twice = (*_duplicates(entries, due), *(_reworded(trial.trace, entries, due) if sound is not None else ()))
    return Ledger(
        entries=entries,
        duplicates=tuple(one for one in twice if not declared.harmless(one.tool)),
        unknown=tuple(entry.step for entry in entries if entry.unknown),
        believed=tuple(entry.step for entry in entries if entry.phantom and entry.operation not in done),
        changed=tuple(entry.step for entry in entries if entry.told is Told.CHANGED),
        unasked=tuple(entry.step for entry in entries if entry.stray_effects and entry.stray not in asked),
        doubtful=tuple(entry.step for entry in entries if entry.doubtful and entry.write),
    )


def entries_of(
    trace: Iterable[ToolCall],
    faults: Iterable[FaultEvent] = (),
    *,
    declared: Declared = NOTHING_DECLARED,
    unheeded: Collection[str] = (),
) -> tuple[Entry, ...]:
    """The calls of a trial, one entry each; *unheeded* are operations whose keys upstream did not heed."""
    fired: dict[int, list[FaultEvent]] = {}
    for event in faults:
        fired.setdefault(event.step, []).append(event)
    return tuple(_once_a_key((_entry(call, fired.get(call.step, ()), declared) for call in trace), unheeded))


def as_run(trace: Iterable[ToolCall]) -> Iterator[ToolCall]:
    """The calls as tools ran, whoever asked for it: what ran in the place of another is a call of its own."""
    for call in trace:
        other = call.instead
        yield call if other is None else replace(call, instead=None)
        if other is not None:
            ran = {"tool": other.tool, "arguments": other.arguments, "executed": other.executed, "write": other.write}
            yield replace(call, **ran, instead=None)


def done_in(entries: Iterable[Entry]) -> frozenset[str]:
    """The operations that were done, whoever asked for them."""
    found = {entry.operation for entry in entries if entry.effects}
    return frozenset(found | {entry.stray for entry in entries if entry.stray_effects})


def answers(event: FaultEvent) -> bool:
    """True where the effect of *event* decided what the agent was told."""
    return event.effect not in _SILENT


def _entry(call: ToolCall, events: Sequence[FaultEvent], declared: Declared) -> Entry:
    told = _told(call, events)
    alone = call.upstream is None and not any(map(answers, events))
    own_error = told is Told.ERROR and alone and call.reply is None  # a stream that broke had begun
    answered = any(event.phase is Phase.POST for event in events)
    broken_off = told is Told.NOTHING and call.executed > 0 and call.reply is None and not answered
    other = call.instead if call.instead is not None and call.instead.write else None
    refused = told is Told.ERROR and not any(map(answers, events))
    return Entry(
        step=call.step,
        tool=call.tool,
        operation=operation_of(call, declared),
        key=key_of(call, declared),
        write=call.write,
        executed=call.executed,
        effects=max(0, call.executed - own_error - broken_off),
        told=told,
        refused=own_error and call.executed > 0,
        doubtful=broken_off,
        stray="" if other is None else operation_of(other, declared),
        stray_effects=0 if other is None else other.executed - refused,
    )


def _once_a_key(entries: Iterable[Entry], unheeded: Collection[str]) -> Iterable[Entry]:
    """The entries, where what carries a key takes effect once and not again."""
    done: set[tuple[str, str]] = set()
    for entry in entries:
        if not entry.key or not entry.effects or entry.operation in unheeded:
            yield entry
            continue
        yield replace(entry, effects=int((entry.operation, entry.key) not in done))
        done.add((entry.operation, entry.key))


def _tool_of(operation: str) -> str:
    return operation.partition("(")[0]


def _told(call: ToolCall, events: Sequence[FaultEvent]) -> Told:
    if call.error == UNANSWERED or call.error.startswith(_CANCELLED):
        return Told.NOTHING
    if call.error:
        return Told.ERROR
    kept = bool(events) or call.upstream is not None  # upstream's own reply is kept where a fault fired alone
    if call.executed == 0 or (kept and not encoded_alike(call.reply, call.upstream)):
        return Told.CHANGED
    return Told.REPLY


def effects_of(entries: Iterable[Entry]) -> Counter[str]:
    """How often each operation that writes was done."""
    counted: Counter[str] = Counter()
    for entry in entries:
        counted.update({entry.stray: entry.stray_effects} if entry.stray_effects else {})
        if entry.write and entry.effects:
            counted[entry.operation] += entry.effects
    return counted


def _duplicates(entries: Sequence[Entry], due: Mapping[str, int]) -> Iterable[Duplicate]:
    for operation, times in effects_of(entries).items():
        expected = max(1, due.get(operation, 1))
        if times > expected:
            involved = [entry for entry in entries if _did(entry, operation)]
            yield Duplicate(
                tool=_tool_of(operation),
                operation=operation,
                steps=tuple(entry.step for entry in involved),
                times=times,
                expected=expected,
            )


def _unheeded(trial: Trial, clean: Trial | None, declared: Declared) -> frozenset[str]:
    """The operations whose key upstream did not heed: asked again, it said something else, and the states differ."""
    if clean is None or clean.state is None or trial.state is None or encoded_alike(trial.state, clean.state):
        return frozenset()
    said: dict[tuple[str, str], Json] = {}
    found = set()
    for call in trial.trace:
        key = key_of(call, declared)
        reply = call.reply if call.upstream is None else call.upstream
        if not key or not call.executed or reply is None:
            continue
        named = operation_of(call, declared), key
        if not encoded_alike(said.setdefault(named, reply), reply):
            found.add(named[0])
    return frozenset(found)


def _reworded(trace: Sequence[ToolCall], entries: Sequence[Entry], due: Mapping[str, int]) -> Iterable[Duplicate]:
    """Writes that the agent was not told of, and that it made again with an argument more or less.

    The clean trial did it once, and does not know the other wording.
    """
    pairs = list(zip(trace, entries, strict=True))
    for place, (call, entry) in enumerate(pairs):
        if not entry.unknown or entry.operation not in due:
            continue
        again = [
            other
            for later, other in pairs[place + 1 :]
            if other.write and other.effects and other.operation not in due and is_reworded(call, later)
        ]
        if again:
            yield Duplicate(
                tool=entry.tool,
                operation=entry.operation,
                steps=(entry.step, *(other.step for other in again)),
                times=entry.effects + sum(other.effects for other in again),
                expected=entry.effects,
            )


def _did(entry: Entry, operation: str) -> bool:
    asked = entry.operation == operation and entry.write and entry.effects
    return bool(asked) or (entry.stray == operation and entry.stray_effects > 0)
