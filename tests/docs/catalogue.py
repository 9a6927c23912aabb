"""The table of faults in docs/faults.md, made from the faults themselves: what each does to a sample is shown as it is.

No test: `test_faults_page.py` holds the page against what is made here.
"""

from __future__ import annotations

import dataclasses
import json
import re

from passhat import faults
from passhat.faults import Fault
from passhat.model.base import Json
from passhat.model.dice import dice
from passhat.model.dose import Dose, PermanentFrom, once_at
from passhat.model.effect import PROCEED, Cut, Delay, Effect, Fail, Forward, Hang, Hold, Proceed, Reply, Then
from passhat.model.grammar import PLACEBO
from passhat.model.trial import Call, Parameters, ToolCall
from passhat.testing.samples import MESSAGES
from tests.faults.variants import VARIANTS

_HEAD = (
    "| fault | phase | class | fires | what the agent sees | what a good agent does |\n"
    "|---|---|---|---|---|---|\n"
)  # fmt: skip
_LONGEST = 75
_FIRES: dict[Dose, str] = {once_at(1): "first call", PermanentFrom(1): "every call"}
_ORDER: Json = {
    "id": 7,
    "total": 61.5,
    "lines": ["mug", "tea"],
    "note": "Please leave the parcel with the neighbour at number nine. Ring twice, as the bell is weak, and wait.",
}
_BEFORE: Json = {**_ORDER, "total": 70.5}  # type: ignore[dict-item]
_PAGE: Json = {"orders": [{"id": 7}, {"id": 9}], "count": 2, "next_cursor": "p2"}
_PAST = (
    ToolCall(step=1, tool="get_order", arguments={"order": 7}, reply=_BEFORE),
    ToolCall(step=2, tool="place_order", arguments={"product": "mug"}, reply={"id": 9}),
)
_CALL = Call(tool="get_order", arguments={"order": 7}, ordinal=1)
_LATER = Call(tool="get_order", arguments={"order": 7}, ordinal=2, history=_PAST)
_ONE_OF_TWO = Call(
    tool="get_order",
    arguments={"order": 7},
    ordinal=1,
    tools={name: Parameters(needed=("order",)) for name in ("get_order", "cancel_order")},
)
_STREAM = Call(tool="track_order", arguments={"order": 7}, ordinal=1, streams=True)
# The first of these that a fault acts on is its example.
_SAMPLES: tuple[tuple[Call, Json], ...] = (
    (_CALL, _ORDER),
    (_LATER, _ORDER),
    (_LATER, _PAGE),
    (_ONE_OF_TWO, _ORDER),
    (_STREAM, ["packed", "sent"]),
)


def table() -> str:
    """The catalogue as Markdown."""
    return _HEAD + "".join(f"| {' | '.join(_row(name))} |\n" for name in faults.FAULTS)


def _row(name: str) -> list[str]:
    kind = faults.FAULTS[name]
    phases = dict.fromkeys(str(fault.phase) for fault in VARIANTS[name])
    sandboxed = [fault.needs_sandbox for fault in VARIANTS[name]]
    need = "" if not any(sandboxed) else " (sandbox)" if all(sandboxed) else " (sandbox for one mode)"
    return [
        f"`{_signature(kind)}`",
        " or ".join(phases) + need,
        " or ".join(dict.fromkeys(str(fault.visibility) for fault in VARIANTS[name])),
        _FIRES[kind.usual_dose],
        _example(kind()),
        _good(kind),
    ]


def _signature(kind: type[Fault]) -> str:
    """The name with every parameter and its default, as a condition is written; a long text is left out."""
    given = [f"{field.name}={_default(field.default)}" for field in dataclasses.fields(kind)]
    return f"{kind().name}({', '.join(given)})"


def _default(value: object) -> str:
    if isinstance(value, str):
        return '""' if not value else value if re.fullmatch(r"[\w-]+", value) else "…"
    return json.dumps(value)


def _good(kind: type[Fault]) -> str:
    last = (kind.__doc__ or "").split("\n\n")[-1]
    return " ".join(last.split()).removeprefix("A good agent ").replace("|", "\\|")


def _example(fault: Fault) -> str:
    """What the agent is told in the first sample that the fault acts on."""
    if fault.name == PLACEBO:
        return "what the tool says"
    if "messages" in fault.surfaces:
        return _left(fault)
    for call, reply in _SAMPLES:
        effects = [*_flat(fault.on_call(call, dice(3))), *_flat(fault.on_reply(call, reply, dice(3)))]
        shown = [_shown(effect, reply) for effect in effects if effect not in (PROCEED, Reply(reply))]
        if shown:
            return ", then ".join(shown)
    raise AssertionError(f"no sample shows what {fault.name} does")


def _left(fault: Fault) -> str:
    """What an agent's model gets to see of the first sample of messages."""
    effect = fault.on_messages(MESSAGES[0], dice(3))
    assert isinstance(effect, Reply)
    assert isinstance(effect.value, list)
    return f"{len(effect.value)} of {len(MESSAGES[0])} messages"


def _flat(effect: Effect) -> list[Effect]:
    return [*_flat(effect.first), *_flat(effect.second)] if isinstance(effect, Then) else [effect]


def _shown(effect: Effect, reply: Json) -> str:
    match effect:
        case Fail(kind, message):
            return f"the error {kind}: {_code(message)}"
        case Reply(value):
            return _changed(value, reply)
        case Delay(seconds, basis):
            return f"{seconds:g} s of waiting" + (f" ({basis})" if basis and "p99" in basis else "")
        case Forward(_, tool) if tool:
            return f"the reply of another tool, {_code(tool)}, that runs instead"
        case Cut(after, clean, _, message):
            items = "1 item" if after == 1 else f"{after} items"
            return f"{items} of a stream, then {'its end' if clean else f'an error: {_code(message)}'}"
        case Hold(calls, seconds):
            later = "1 later call" if calls == 1 else f"{calls} later calls"
            return f"the reply after that to {later}, or {seconds:g} s later"
        case Forward(times):
            return f"the reply to the last of {times} calls"
        case Hang():
            return "nothing"
        case Proceed():
            return ""
    raise AssertionError(effect)


def _changed(told: Json, said: Json) -> str:
    """The parts of an object that are not what upstream said, or the whole of another value."""
    if not isinstance(told, dict) or not isinstance(said, dict) or not told.keys() & said.keys():
        return _code(told if isinstance(told, str) else json.dumps(told, ensure_ascii=False))
    names = [name for name in {**said, **told} if told.get(name, _GONE) != said.get(name, _GONE)]
    new = {name: told[name] for name in names if name in told}
    old = {name: said[name] for name in names if name in said}
    if not new:
        return f"no {_code(json.dumps(old, ensure_ascii=False))}"
    return f"{_code(json.dumps(new, ensure_ascii=False))}" + (
        f" for {_code(json.dumps(old, ensure_ascii=False))}" if old else " more"
    )


_GONE = object()


def _code(text: str) -> str:
    line = " ".join(text.split())
    if len(line) > 2 * _LONGEST:
        line = f"{line[:_LONGEST]} … {line[-_LONGEST:]}"
    return f"`{line}`".replace("|", "\\|")
