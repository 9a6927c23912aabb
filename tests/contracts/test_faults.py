"""Every fault keeps the promises of its kind, and every one of the catalogue those that are made for it."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator, Sequence

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passhat import faults
from passhat.errors import UsageError
from passhat.faults import Fault
from passhat.faults.base import bind
from passhat.model.base import Json
from passhat.model.codec import decode, encode
from passhat.model.condition import Condition, Visibility
from passhat.model.dice import Dice, dice
from passhat.model.effect import Effect, Fail, Forward, Hang, Reply, Then
from passhat.model.grammar import Argument, Term, parse
from passhat.model.trial import Call, ToolCall
from passhat.testing import check_fault
from tests.contracts.known import FAULTS
from tests.faults.variants import ALL, CALLS, REPLIES, VARIANTS
from tests.shapes.jsons import DICE, JSONS

# An agent that reads one of these, as a word or within one, has reason to think that it is being tested.
TELLTALE = re.compile(
    r"inject|simulat|chaos|fault|(?<![a-z])(?:un)?test|mock|fake|passhat|dummy|sandbox", re.IGNORECASE
)
# What an implicit fault says has the form of what upstream said, but for these, which say what else they give.
OTHER_FORM = {
    "error_in_200": "an envelope with an error",
    "null_result": "nothing",
    "schema_drift": "the new form is the fault",
    "dropped_step": "an acknowledgement",
    "lost_owner": "an acknowledgement",
}
CURSORS = frozenset({"next_cursor", "has_more"})
RUBBISH: Sequence[object] = (object(), [], -1, -0.5, float("nan"), float("inf"), "\N{SNOWMAN}", True, 10**9)


def ids(fault: Fault) -> str:
    """The fault as its text."""
    return str(fault.term)


def decided(fault: Fault) -> Iterator[tuple[Effect, Json]]:
    """What a fault decides on the samples, each with upstream's reply (None before it)."""
    for throw in range(6):
        for call in CALLS:
            yield fault.on_call(call, dice(throw)), None
            yield from ((fault.on_reply(call, reply, dice(throw)), reply) for reply in REPLIES)


def flat(effect: Effect) -> list[Effect]:
    """An effect as the sequence that it stands for."""
    return [*flat(effect.first), *flat(effect.second)] if isinstance(effect, Then) else [effect]


def has_form(told: Json, said: Json, name: str = "") -> bool:
    """True where *told* has the types and the names of *said*; a list may be shorter, and a cursor may be null."""
    if isinstance(said, dict) and isinstance(told, dict):
        return list(told) == list(said) and all(has_form(told[one], said[one], one) for one in said)
    if isinstance(said, list) and isinstance(told, list):
        return all(any(has_form(item, one) for one in said) for item in told)
    return type(told) is type(said) or (told is None and name in CURSORS)


@pytest.mark.parametrize("name", FAULTS)
def test_fault_keeps_its_contract(name: str) -> None:
    """A fault decides purely, legally for its phase, and in words that do not give the test away."""
    check_fault(FAULTS[name]())
    check_fault(FAULTS[name]().at(0.2, match="get*", share=0.5))


@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_listed_under_its_name(name: str) -> None:
    """A fault is found by the name that it writes."""
    assert FAULTS[name]().term.name == name


def test_every_fault_of_the_catalogue_is_tried_in_all_its_modes() -> None:
    """No fault is left out of the checks below."""
    assert set(VARIANTS) == set(faults.FAULTS)
    assert all(isinstance(fault, faults.FAULTS[name]) for name, variants in VARIANTS.items() for fault in variants)


@pytest.mark.parametrize("fault", ALL, ids=ids)
def test_every_mode_keeps_the_contract(fault: Fault) -> None:
    """In every mode a fault is pure and deterministic, gives what JSON can hold, and is legal for its phase."""
    check_fault(fault, calls=CALLS, replies=REPLIES)


@pytest.mark.parametrize("fault", ALL, ids=ids)
@settings(max_examples=25)
@given(reply=JSONS, past=st.lists(st.tuples(st.sampled_from(["get", "list"]), JSONS), max_size=3), throw=DICE)
def test_no_reply_breaks_a_fault(fault: Fault, reply: Json, past: list[tuple[str, Json]], throw: Dice) -> None:
    """Whatever upstream says, and has said before, a fault decides, and what it decides can be stored and read."""
    history = tuple(ToolCall(step=at, tool=tool, reply=said) for at, (tool, said) in enumerate(past, start=1))
    call = Call(tool="get", arguments={}, ordinal=1, history=history)

    for effect in (fault.on_call(call, throw), fault.on_reply(call, reply, throw)):
        assert decode(encode(effect), type(effect)) == effect


@pytest.mark.parametrize("fault", ALL, ids=ids)
def test_text_is_what_a_real_service_would_say(fault: Fault) -> None:
    """Nothing that an agent reads of a fault is a word of ours."""
    said = "\n".join(msgspec.json.encode(effect).decode() for effect, _ in decided(fault))
    own = "\n".join(msgspec.json.encode(value).decode() for value in (*REPLIES, *CALLS))

    assert set(TELLTALE.findall(said)) <= set(TELLTALE.findall(own))


@pytest.mark.parametrize("fault", ALL, ids=ids)
def test_visibility_says_what_the_agent_is_told(fault: Fault) -> None:
    """An implicit fault never raises and never hangs: its reply looks like one."""
    effects = {type(one) for effect, _ in decided(fault) for one in flat(effect)}

    if fault.visibility is Visibility.IMPLICIT:
        assert not effects & {Fail, Hang}
    assert fault.needs_sandbox == (Forward in effects)


@pytest.mark.parametrize("fault", ALL, ids=ids)
def test_implicit_reply_keeps_its_form(fault: Fault) -> None:
    """A reply that is silently wrong has the names and the types of the right one."""
    changed = [
        (one.value, said)
        for effect, said in decided(fault)
        for one in flat(effect)
        if isinstance(one, Reply) and said is not None and fault.visibility is Visibility.IMPLICIT
    ]

    # A reply out of the past has the form of what was said then: only the same tool's are held against it.
    from_the_past = fault.name in {"stale_read", "wrong_entity"}
    assert fault.name in OTHER_FORM or all(
        has_form(told, said) or (from_the_past and any(has_form(told, one) for one in REPLIES[:2]))
        for told, said in changed
    )


@pytest.mark.parametrize("name", VARIANTS)
def test_docstring_says_what_a_good_agent_does(name: str) -> None:
    """A fault says what happens in the world, and what a good agent makes of it."""
    paragraphs = (faults.FAULTS[name].__doc__ or "").split("\n\n")

    assert len(paragraphs) > 1
    assert paragraphs[-1].strip().startswith("A good agent ")


FIELDS = [(name, field.name) for name, kind in faults.FAULTS.items() for field in dataclasses.fields(kind)]
TAKES_ANY_TEXT = frozenset({"field", "marker", "message", "payload", "canary", "status", "tool"})


@pytest.mark.parametrize(("name", "field"), FIELDS)
def test_bad_parameter_is_refused_with_what_is_allowed(name: str, field: str) -> None:
    """No parameter takes rubbish, and the refusal names the fault, the parameter and what it may be."""
    refused = []
    for value in RUBBISH:
        try:
            faults.FAULTS[name](**{field: value})
        except UsageError as error:
            refused.append(str(error))

    assert len(refused) >= 4
    assert all(re.match(rf"{name}: {field} is (?:a |one of )", said) for said in refused)


@pytest.mark.parametrize(("name", "field"), FIELDS)
def test_bad_parameter_is_refused_as_text_too(name: str, field: str) -> None:
    """What is typed for a condition is refused in one sentence that names the parameter."""
    with pytest.raises(UsageError, match=field):
        bind(faults.FAULTS[name], Term(name, (Argument(field, -0.5),)))


def test_all_bad_parameters_are_named_at_once() -> None:
    """Whoever gets two parameters wrong reads of both."""
    with pytest.raises(UsageError) as refused:
        faults.latency(seconds=-1.0, factor=0.5)

    assert len(refused.value.problems) == 2


@pytest.mark.parametrize("fault", ALL, ids=ids)
def test_text_of_a_fault_is_read_back(fault: Fault) -> None:
    """A fault's text names it among the conditions of a stored run, and is read back as the same fault."""
    (term,) = Condition.parse(str(Condition([fault.at()]).name)).parts

    assert isinstance(term, Term)
    assert bind(type(fault), term) == fault.at()


@pytest.mark.parametrize("name", ["server_error", "connection_reset"])
def test_nothing_tells_before_from_after(name: str) -> None:
    """The agent reads the same whether upstream ran or not: that is what makes a retry a risk."""
    before, after = (bind(faults.FAULTS[name], parse(f"{name}(phase={one})")[0]).fault for one in ("pre", "post"))

    assert before.on_call(CALLS[0], dice(1)) == after.on_reply(CALLS[0], REPLIES[0], dice(1))


def test_lost_request_and_lost_reply_read_the_same() -> None:
    """A timeout does not tell whether the job was done."""
    request, reply = faults.lost_request(), faults.lost_reply()

    assert request.on_call(CALLS[0], dice(1)) == reply.on_reply(CALLS[0], REPLIES[0], dice(1))


IN_TEXT = [fault for fault in ALL if fault.name not in OTHER_FORM and fault.visibility is Visibility.IMPLICIT]


@pytest.mark.parametrize("fault", IN_TEXT, ids=ids)
def test_json_in_a_text_is_changed_as_json(fault: Fault) -> None:
    """A tool that writes its JSON into a text gets the same fault, and the text can still be read."""
    call = msgspec.structs.replace(CALLS[2], history=tuple(_as_text(past) for past in CALLS[2].history))
    for reply in REPLIES[:3]:
        effect = fault.on_reply(CALLS[2], reply, dice(1))
        told = fault.on_reply(call, json.dumps(reply), dice(1))

        assert isinstance(effect, Reply) == isinstance(told, Reply)
        if isinstance(effect, Reply) and isinstance(told, Reply):
            assert json.loads(str(told.value)) == effect.value


def _as_text(past: ToolCall) -> ToolCall:
    return msgspec.structs.replace(past, reply=json.dumps(past.reply))
