"""The path by which an agent came past one fault that fired, decided from the trace of its trial.

The rules are tried in one order, and the first that holds gives the word: absorbed, retry, fallback, hand-over, none.
Absorbed is what a layer below the agent made up for, within the same call of the agent's: no merit of the agent's.
What a trace cannot show, that two tools stand in for each other or that one calls a person, has to be declared.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from enum import StrEnum

from passhat.model.base import Noun
from passhat.model.ledger import UNANSWERED, Declared, Entry, Ledger, Told, answers, done_in, entries_of
from passhat.model.outcome import Outcome
from passhat.model.trial import FaultEvent, ToolCall, Trial

_ROUNDS = 3  # calls that succeed, made so often in a row, are a loop
_ATTEMPTS = 5  # and calls of which one fails, so often: four tries are retries
_LONGEST = 2  # one call again and again, or two in turn
_SLACK = 0.001  # seconds: a clock may ring a little early
_RETRY_AFTER = re.compile(r"retry[- ]after\W{0,3}(\d+(?:\.\d+)?)", re.IGNORECASE)


class RecoveryPath(StrEnum):
    """How the agent came past a fault, from the worst to the best."""

    NONE = "none"
    HANDOFF = "user-handoff"
    FALLBACK = "fallback"
    RETRY = "retry"

    @classmethod
    def worst(cls, paths: Collection[RecoveryPath]) -> RecoveryPath:
        """The worst of *paths*; of none it is none."""
        return min(paths, key=list(cls).index, default=cls.NONE)


class Reason(StrEnum):
    """What became of a fault that the agent found no path past."""

    GAVE_UP = "gave-up-honest"
    CRASHED = "crashed"
    TIMED_OUT = "timed-out"
    LOOPED = "looped"
    IGNORED = "ignored"
    UNAFFECTED = "unaffected"


class FaultRecovery(Noun, kw_only=True):
    """How the agent took one fault that fired.

    reason: stands beside the path none. absorbed: a layer below the agent made up for it, so that the agent was told
    nothing else than without it. seen: the agent was. detected: of a reply that was changed, whether the agent looked
    again, or refrained, before its next write; None of any other. calls, seconds: from the fault to the end of the call
    that made up for it. violations: calls of the same tool that came earlier than the error's own Retry-After allowed.
    """

    fault: str
    step: int
    tool: str
    path: RecoveryPath
    reason: Reason | None = None
    absorbed: bool = False
    seen: bool = False
    detected: bool | None = None
    calls: int | None = None
    seconds: float | None = None
    violations: int = 0


class Seen(Noun, kw_only=True):
    """A call as it was recorded, beside its line in the ledger."""

    call: ToolCall
    entry: Entry

    @property
    def true(self) -> bool:
        """The agent was told what upstream said."""
        return self.entry.told is Told.REPLY

    @property
    def refused(self) -> bool:
        """Upstream itself said no: the agent was told so, and no fault had a hand in it."""
        return self.entry.told is Told.ERROR and self.entry.effects < self.entry.executed


class Scene:
    """One trial with its ledger, to be looked at from each of its faults in turn."""

    def __init__(self, trial: Trial, found: Ledger, *, claims: bool, clean: Trial | None, declared: Declared) -> None:
        """*trial*, of which *found* is the ledger and *claims* says whether the agent claims success."""
        self._trial, self._claims, self._declared = trial, claims, declared
        pairs = zip(trial.trace, found.entries, strict=True)
        self._seen = [Seen(call=call, entry=entry) for call, entry in pairs]
        usual: tuple[Entry, ...] | None = None
        if clean is not None and clean.outcome is Outcome.PASS:
            usual = entries_of(clean.trace, clean.faults, declared=declared)
        self._usual = None if usual is None else Counter(entry.operation for entry in usual)
        due = frozenset(entry.operation for entry in usual or () if entry.write and entry.effects)
        self.undone = due - done_in(found.entries)
        self._twice = frozenset(one.operation for one in found.duplicates)
        amiss = found.duplicates or found.believed or found.unasked
        self._sound = trial.outcome is Outcome.PASS and not amiss

    def faults(self) -> Iterator[FaultRecovery]:
        """How the agent took each fault; a fault that waits first and then fails is one."""
        grouped: dict[tuple[int, str], list[FaultEvent]] = {}
        for event in self._trial.faults:
            grouped.setdefault((event.step, event.fault), []).append(event)
        places = {seen.call.step: place for place, seen in enumerate(self._seen)}
        for (step, _), events in grouped.items():
            if step in places:
                yield self._met(places[step], events)

    def operation(self, step: int) -> str:
        """What the call of this step asked for."""
        return next(seen.entry.operation for seen in self._seen if seen.call.step == step)

    def _met(self, place: int, events: Sequence[FaultEvent]) -> FaultRecovery:
        struck, after = self._seen[place], self._after(place)
        absorbed = self._absorbed(place, events)
        path, by = (RecoveryPath.NONE, None) if struck.true or absorbed else self._path(struck, after)
        call = struck.call
        return FaultRecovery(
            fault=events[0].fault,
            step=call.step,
            tool=call.tool,
            path=path,
            reason=self._reason(struck, after, absorbed=absorbed) if path is RecoveryPath.NONE else None,
            absorbed=absorbed,
            seen=not absorbed and any(event.agent_visible for event in events),
            detected=self._noticed(struck, after) if struck.entry.told is Told.CHANGED and not absorbed else None,
            calls=None if by is None else sum(seen.call.step <= by.step for seen in after),
            seconds=None if by is None else by.at + by.seconds - _end(call),
            violations=_violations(call, after),
        )

    def _absorbed(self, place: int, events: Sequence[FaultEvent]) -> bool:
        """A layer below the agent made up for it, in the call itself or later within the same call of the agent's.

        What would be a path of the agent's, had it made the calls, is one of that layer's.
        """
        struck = self._seen[place]
        if struck.true:
            return any(map(answers, events))
        within = [seen for seen in self._seen[place + 1 :] if seen.call.of_agent == struck.call.of_agent]
        return bool(within) and self._made_up(struck, within)[1] is not None

    def _after(self, place: int) -> Sequence[Seen]:
        """The calls that were begun when the agent knew how the one at *place* had ended."""
        call, later = self._seen[place].call, self._seen[place + 1 :]
        if call.error == UNANSWERED:
            return later
        return [seen for seen in later if seen.call.at + _SLACK >= _end(call)]

    def _path(self, struck: Seen, after: Sequence[Seen]) -> tuple[RecoveryPath, ToolCall | None]:
        """The path past the fault at *struck*, and the call that made up for it."""
        path, by = self._made_up(struck, after)
        if by is None and hands_off(self._trial, struck.call.step, self._declared):
            path = RecoveryPath.HANDOFF
        return path, by

    def _made_up(self, struck: Seen, after: Sequence[Seen]) -> tuple[RecoveryPath, ToolCall | None]:
        """The call of those *after* that made up for the fault at *struck*, and how."""
        lied_to = struck.entry.told is Told.CHANGED
        made_up = _until_write(after) if lied_to and not struck.entry.write else after
        good = [seen for seen in made_up if (seen.true if lied_to else seen.call.ok)]
        for path, found in (
            (RecoveryPath.RETRY, [seen for seen in good if seen.entry.operation == struck.entry.operation]),
            (RecoveryPath.RETRY, [seen for seen in after if self._told_done(struck, seen)]),
            (RecoveryPath.FALLBACK, [seen for seen in good if self._stands_in(struck, seen)]),
            (RecoveryPath.FALLBACK, [seen for seen in good if self._verifies(struck, seen)]),
        ):
            if found:
                return path, found[0].call
        return RecoveryPath.NONE, None

    def _told_done(self, struck: Seen, seen: Seen) -> bool:
        """The call was made again, and upstream said no: it had been done the first time."""
        return struck.entry.unknown and seen.refused and seen.entry.operation == struck.entry.operation

    def _stands_in(self, struck: Seen, seen: Seen) -> bool:
        """Another tool of a declared group, or the same one asked for something else that it was not asked for else."""
        tool, other = struck.entry.tool, seen.entry.tool
        if tool != other:
            return any(tool in group and other in group for group in self._declared.substitutes)
        if seen.entry.operation == struck.entry.operation or not self._alike(struck.call, seen.call):
            return False
        return seen.entry.operation not in self._usual if self._usual is not None else self._sound

    def _alike(self, one: ToolCall, other: ToolCall) -> bool:
        """True where an argument is the same in both, so that both are about one thing."""
        names = (one.arguments.keys() & other.arguments.keys()) - set(self._declared.keys)
        return any(one.arguments[name] == other.arguments[name] for name in names)

    def _verifies(self, struck: Seen, seen: Seen) -> bool:
        """A look at the state told the agent that its write had been made after all."""
        made = struck.entry.write and struck.entry.effects > 0
        return made and self._claims and seen.true and self._looks(seen)

    def _looks(self, seen: Seen) -> bool:
        """A read, and one that the clean trial does not make as often."""
        if seen.entry.write:
            return False
        return self._usual is None or self._made(seen.entry.operation) > self._usual[seen.entry.operation]

    def _made(self, operation: str) -> int:
        return sum(seen.entry.operation == operation for seen in self._seen)

    def _noticed(self, struck: Seen, after: Sequence[Seen]) -> bool:
        """The agent looked again before it wrote the next time, or wrote nothing more and did not claim success."""
        before = _until_write(after)
        again = any(seen.entry.operation == struck.entry.operation and not seen.entry.write for seen in before)
        if again or any(self._looks(seen) for seen in before if struck.entry.write or self._usual is not None):
            return True
        refrained = not any(seen.entry.write for seen in after) and not self._claims
        return refrained and self._trial.outcome not in {Outcome.CRASH, Outcome.TIMEOUT}

    def _reason(self, struck: Seen, after: Sequence[Seen], *, absorbed: bool) -> Reason:
        if absorbed:
            return Reason.UNAFFECTED
        if self._trial.outcome is Outcome.CRASH:
            return Reason.CRASHED
        if _goes_round(after, self._declared.polling):
            return Reason.LOOPED
        if self._trial.outcome is Outcome.TIMEOUT:
            return Reason.TIMED_OUT
        if struck.true:
            return Reason.IGNORED if struck.entry.operation in self._twice else Reason.UNAFFECTED
        if not self._claims:
            return Reason.GAVE_UP
        needed = struck.entry.unknown or struck.entry.operation in self.undone
        return Reason.UNAFFECTED if self._sound and not needed else Reason.IGNORED


def hands_off(trial: Trial, after: int, declared: Declared) -> bool:
    """True where the agent's answer hands the job to a person, or a tool for it was called after step *after*."""
    said = trial.answer is not None and trial.answer.handoff
    return said or any(call.ok and call.step > after and call.tool in declared.handoff for call in trial.trace)


def _end(call: ToolCall) -> float:
    return call.at + call.seconds


def _until_write(after: Sequence[Seen]) -> list[Seen]:
    """The calls up to the next write, and that one."""
    first = next((place for place, seen in enumerate(after) if seen.entry.write), len(after))
    return list(after[: first + 1])


def _violations(call: ToolCall, after: Sequence[Seen]) -> int:
    """The calls of the same tool that came before the time that the error named was over."""
    named = _RETRY_AFTER.search(call.error)
    if named is None:
        return 0
    allowed = _end(call) + float(named[1]) - _SLACK
    return sum(seen.call.tool == call.tool and seen.call.at < allowed for seen in after)


def _goes_round(after: Sequence[Seen], polling: Collection[str]) -> bool:
    """True where one call, or two in turn, were made again and again with the same result.

    Of several that are one call of the agent's it knows the last, and that one counts.
    """
    known = {seen.call.of_agent: seen for seen in after if seen.call.tool not in polling}
    steps = [
        (seen.entry.operation, seen.entry.told, seen.call.error, repr(seen.call.reply), seen.call.ok)
        for seen in known.values()
    ]
    for period in range(1, _LONGEST + 1):
        alike = 0
        for place in range(period, len(steps)):
            alike = alike + 1 if steps[place] == steps[place - period] else 0
            block = steps[place - period + 1 : place + 1]
            most = _ROUNDS if all(ok for *_, ok in block) else _ATTEMPTS
            if alike >= period * (most - 1):
                return True
    return False
