"""Where a trial goes off the rails, with or without a fault: of which kind, and from which step of its trace on.

Read from one trace alone. Two calls are the same where their tool and arguments are, without the declared keys: who
sends a new key with every try does the same again. Of several calls that are one call of the agent's, the last is what
the agent was told; to a service each of them is a try.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from enum import StrEnum

import msgspec

from passhat.model.operations import NOTHING_DECLARED, Declared, operation_of
from passhat.model.plain import mended
from passhat.model.trial import ToolCall

REPEATS, ATTEMPTS, PATIENCE = 3, 4, 6


class Trouble(StrEnum):
    """A way to go off the rails."""

    LOOP = "loop"
    PING_PONG = "ping_pong"
    RETRY_STORM = "retry_storm"
    NO_PROGRESS = "no_progress"


def onsets(
    trace: Sequence[ToolCall],
    *,
    declared: Declared = NOTHING_DECLARED,
    repeats: int = REPEATS,
    attempts: int = ATTEMPTS,
    patience: int = PATIENCE,
) -> Mapping[Trouble, int]:
    """The kinds of trouble that *trace* shows, each with the step of its onset.

    A loop is one call, *repeats* times in a row with the same result, and ping-pong two calls in turn, likewise. A
    retry storm is a call that is tried again after *attempts* failures. No progress are *patience* calls in a row of
    which each was made before with the same result. Only the storm asks about tools that are declared as polled.
    """
    asked = [operation_of(call, declared) for call in trace]
    last = {call.of_agent: place for place, call in enumerate(trace)}  # of several that are one call of the agent's
    places = [
        place
        for place, call in enumerate(trace)
        if last[call.of_agent] == place and call.tool not in declared.polling and not _at_once(trace, asked, place)
    ]
    tokens = [_token(asked[place], trace[place]) for place in places]
    among_tokens = (
        (Trouble.LOOP, _in_a_row(tokens, repeats)),
        (Trouble.PING_PONG, _in_turn(tokens, repeats)),
        (Trouble.NO_PROGRESS, _nothing_new(tokens, patience)),
    )
    found = {kind: places[at] for kind, at in among_tokens if at is not None}
    if (storm := _storm(trace, asked, attempts)) is not None:
        found[Trouble.RETRY_STORM] = storm
    return {kind: trace[found[kind]].step for kind in Trouble if kind in found}


def _token(asked: str, call: ToolCall) -> Hashable:
    """What was asked and what came of it."""
    return asked, call.error, msgspec.json.encode(mended(call.reply), order="sorted")


def _at_once(trace: Sequence[ToolCall], asked: Sequence[str], place: int) -> bool:
    """True where the call before is the same one and had not ended: a turn that asks twice at once asks once."""
    if place == 0:
        return False
    before, call = trace[place - 1], trace[place]
    return call.at < before.at + before.seconds and asked[place] == asked[place - 1]


def _in_a_row(tokens: Sequence[Hashable], repeats: int) -> int | None:
    """The first place at which one call has been made *repeats* times with nothing between."""
    alike = 0
    for place, token in enumerate(tokens):
        alike = alike + 1 if place and token == tokens[place - 1] else 1
        if alike == repeats:
            return place
    return None


def _in_turn(tokens: Sequence[Hashable], repeats: int) -> int | None:
    """The first place at which two different calls have been made in turn, *repeats* times each."""
    alike = 0
    for place in range(2, len(tokens)):
        turn = tokens[place] == tokens[place - 2] and tokens[place] != tokens[place - 1]
        alike = alike + 1 if turn else 0
        if alike == 2 * (repeats - 1):
            return place
    return None


def _storm(trace: Sequence[ToolCall], asked: Sequence[str], attempts: int) -> int | None:
    """The first place at which a call is tried again though it has failed *attempts* times since it last succeeded."""
    failed: Counter[str] = Counter()
    for place, call in enumerate(trace):
        if failed[asked[place]] >= attempts:
            return place
        failed[asked[place]] = 0 if call.ok else failed[asked[place]] + 1
    return None


def _nothing_new(tokens: Sequence[Hashable], patience: int) -> int | None:
    """The first place at which *patience* calls in a row, with their results, were all known before."""
    known: set[Hashable] = set()
    stale = 0
    for place, token in enumerate(tokens):
        stale = stale + 1 if token in known else 0
        known.add(token)
        if stale == patience:
            return place
    return None
