"""Pieces of a trial for a screen: one tool call, one fault, a value on one line. Foreign text is made harmless here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from passhat.model.base import Json
from passhat.model.exposure import Exposure, Fate
from passhat.model.plain import mended
from passhat.model.trial import FaultEvent, ToolCall
from passhat.reports._escape import for_terminal
from passhat.reports._figures import counted, seconds
from passhat.reports._screen import Line, prose


def call_lines(call: ToolCall, width: int, longest: int) -> Iterator[Line]:
    """A call: what was asked, what the agent was told, and what upstream said where that was something else."""
    given = _named(call.arguments, longest)
    ran = "" if call.executed == 1 else f" · upstream ran {counted(call.executed, 'time')}"
    if call.instead is not None:
        ran = f" · {one_line(call.instead.tool, 100)}({_named(call.instead.arguments, longest)}) ran instead"
    again = "" if call.part_of is None else f" · one call with step {call.part_of}"
    text = f"{one_line(call.tool, 100)}({given}) · {seconds(call.seconds)}{ran}{again}"
    yield from prose(text, width, label=(f"  {call.step:>3}  ", "dim"))
    if call.ok:
        yield from prose(json_text(call.reply, longest), width, label=("       → ", "green"))
    else:
        if call.reply is not None:  # a stream that broke
            yield from prose(json_text(call.reply, longest), width, label=("       → ", "green"))
        yield from prose(one_line(call.error, longest), width, label=("       ✗ ", "red"))
    if call.upstream is not None:
        yield from prose(json_text(call.upstream, longest), width, label=("       upstream said ", "yellow"))


def _named(arguments: Mapping[str, Json], longest: int) -> str:
    given = ", ".join(f"{one_line(name, 100)}={json_text(value, longest)}" for name, value in arguments.items())
    return cut(given, 2 * longest)


def event_text(event: FaultEvent) -> str:
    """A fault that fired: which, where, and what came of it."""
    ran = "upstream ran" if event.upstream_executed else "upstream did not run"
    seen = "its caller saw it" if event.agent_visible else "its caller did not see it"
    where = f"at step {event.step}, call {event.ordinal} of {one_line(event.tool, 100)}"
    kind = f"{one_line(event.fault, 200)} ({event.phase}, {event.visibility})"
    effect = f"{event.effect} ({event.detail})" if event.detail else event.effect
    return f"{kind} {where}: {one_line(effect, 200)}; {ran}; {seen}"


def fate_text(found: Exposure) -> str:
    """What became of a planned fault: at how many calls it fired, and of these how many the agent came to know of."""
    if found.fired:
        rest = ((found.absorbed, "absorbed below the agent"), (found.unseen, "without a sign"))
        also = "".join(f", {count:,} {what}" for count, what in rest if count)
        return f"fired at {counted(found.fired, 'call')}, {found.seen:,} seen by the agent{also}"
    if found.fate is Fate.UNREACHED:
        return "never reached, no call came at which it could fire"
    return "did not fire" if found.reached is None else "did not fire, though a call came at which it could"


def json_text(value: Json, longest: int) -> str:
    """A value as JSON on one line."""
    return one_line(msgspec.json.encode(mended(value)).decode(), longest)


def one_line(text: str, longest: int) -> str:
    """A text on one line, cut at *longest* characters."""
    return for_terminal(cut(text, longest), longest=2 * longest)


def cut(text: str, longest: int) -> str:
    """The beginning of a text that is too long, and how long it was."""
    return text if len(text) <= longest else f"{text[:longest]} … (cut: {len(text):,} characters)"
