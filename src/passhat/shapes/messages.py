"""Lists of messages as models take them: which belong together, about how long they are, and fewer of them.

What is known of a message is its `role`, and how a tool call and its results name each other: `tool_calls` and
`tool_call_id` (chat completions), blocks of type `tool_use` and `tool_result` (messages), items of type `function_call`
and `function_call_output` (responses). Anything else is a message that stands for itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from passhat.model.base import Json

_SYSTEM = ("system", "developer")
_RESULT_ROLES = ("tool", "function")
_CHARACTERS = 4  # of English, for each token


def tokens(message: Json) -> int:
    """About how many tokens a message is: a quarter of the characters of its JSON, rounded up.

    >>> tokens({"role": "user", "content": "Refund order 7, please."})
    14
    """
    return -(-len(json.dumps(message, ensure_ascii=False, default=repr)) // _CHARACTERS)


def is_system(message: Json) -> bool:
    """True for a message that instructs the model, and is no part of the conversation."""
    return isinstance(message, Mapping) and message.get("role") in _SYSTEM


def units(messages: Sequence[Json]) -> list[list[int]]:
    """The places of the messages that stand or fall together, in order: a tool call with its results, or one message.

    What instructs the model is in no unit.
    """
    found: list[list[int]] = []
    unit_of: dict[str, list[int]] = {}
    for place, message in enumerate(messages):
        if is_system(message):
            continue
        known = [unit_of[name] for name in results(message) if name in unit_of]
        if known:
            unit = _joined(known, found, unit_of)
        elif found and _is_result(message):
            unit = found[-1]
        else:
            unit = []
            found.append(unit)
        unit.append(place)
        unit_of.update(dict.fromkeys(calls(message), unit))
    return found


def _joined(known: list[list[int]], found: list[list[int]], unit_of: dict[str, list[int]]) -> list[int]:
    """One unit out of all that a message answers."""
    first, *others = sorted({id(unit): unit for unit in known}.values())
    for other in others:
        first.extend(other)
        found[:] = [unit for unit in found if unit is not other]
        for name in [name for name, unit in unit_of.items() if unit is other]:
            unit_of[name] = first
    return first


def truncated(messages: Sequence[Json], keep: int, *, middle: bool = False) -> list[Json]:
    """*messages* cut to about *keep* tokens: the oldest go first, or those in the *middle*.

    What instructs the model stays, and so does the newest unit. A tool call and its results go together.
    """
    used = sum(tokens(message) for message in messages if is_system(message))
    kept = {place for place, message in enumerate(messages) if is_system(message)}
    ordered = units(messages)
    for turn, unit in enumerate(_from_both_ends(ordered) if middle else ordered[::-1]):
        used += sum(tokens(messages[place]) for place in unit)
        if turn and used > keep:
            break
        kept.update(unit)
    return [message for place, message in enumerate(messages) if place in kept]


def _from_both_ends(ordered: Sequence[list[int]]) -> Iterator[list[int]]:
    """The newest, the oldest, the second newest, the second oldest, and so on."""
    first, last = 0, len(ordered) - 1
    while first <= last:
        yield ordered[last]
        if first < last:
            yield ordered[first]
        first, last = first + 1, last - 1


def calls(message: Json) -> list[str]:
    """The ids of the tool calls that a message makes."""
    if not isinstance(message, Mapping):
        return []
    listed = message.get("tool_calls")
    found = [one.get("id") for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []
    found += [block.get("id") for block in _blocks(message, "tool_use")]
    if message.get("type") == "function_call":
        found.append(message.get("call_id"))
    return [name for name in found if isinstance(name, str)]


def results(message: Json) -> list[str]:
    """The ids of the tool calls that a message answers."""
    if not isinstance(message, Mapping):
        return []
    found = [message.get("tool_call_id"), *(block.get("tool_use_id") for block in _blocks(message, "tool_result"))]
    if message.get("type") == "function_call_output":
        found.append(message.get("call_id"))
    return [name for name in found if isinstance(name, str)]


def _is_result(message: Json) -> bool:
    """True for a message that answers a call which it does not name, or one that is not there."""
    return isinstance(message, Mapping) and (message.get("role") in _RESULT_ROLES or bool(results(message)))


def _blocks(message: Mapping[str, Json], kind: str) -> list[Mapping[str, Json]]:
    content = message.get("content")
    listed = content if isinstance(content, list) else []
    return [block for block in listed if isinstance(block, Mapping) and block.get("type") == kind]
