"""What the checks try parts on: calls, replies, texts and evidence of many shapes. Values alone."""

from __future__ import annotations

from collections.abc import Sequence

from passhat.model.answer import Answer
from passhat.model.base import Json
from passhat.model.trial import Call, Evidence, Parameters, ToolCall

_ORDER: Json = {
    "id": 7,
    "status": "shipped",
    "total": 61.5,
    "paid": True,
    "note": None,
    "lines": [{"product": "mug", "quantity": 2}, {"product": "tea", "quantity": 1}],
    "next": "page-2",
}

REPLIES: Sequence[Json] = (
    _ORDER,
    [_ORDER, {"id": 8, "status": "placed", "total": 12.0, "lines": []}],
    {"orders": [_ORDER], "count": 1},
    {},
    [],
    "Order 7 was shipped on 3 May and will arrive within two days. " * 8,
    "",
    12,
    True,
    None,
)

_EARLIER = (
    ToolCall(step=1, tool="get_order", arguments={"order": 8}, reply={"id": 8, "status": "placed"}),
    ToolCall(step=2, tool="get_order", arguments={"order": 7}, reply={"id": 7, "status": "placed"}),
    ToolCall(step=3, tool="ship_order", arguments={"order": 7}, reply={"id": 7, "status": "shipped"}),
)

_CREATED = (*_EARLIER, ToolCall(step=4, tool="place_order", arguments={"product": "mug"}, reply={"id": 8}))

_TOOLS = {
    "get_order": Parameters(needed=("order",)),
    "cancel_order": Parameters(needed=("order",), optional=("reason",)),
    "list_orders": Parameters(),
}

CALLS: Sequence[Call] = (
    Call(tool="get_order", arguments={"order": 7}, ordinal=1),
    Call(tool="get_order", arguments={"order": 7}, ordinal=3, history=_EARLIER),
    Call(
        tool="refund_order",
        arguments={"order": 7, "amount": 61.5, "reason": "late"},
        ordinal=1,
        history=_EARLIER,
    ),
    Call(tool="list_orders", arguments={}, ordinal=2, history=_EARLIER),
    Call(tool="list_orders", arguments={}, ordinal=3, history=_CREATED),
    Call(tool="get_order", arguments={"order": 7}, ordinal=1, tools=_TOOLS),
    Call(tool="get_order", arguments={"order": 7}, ordinal=3, history=_CREATED, reads_declared=True),
    Call(tool="follow_order", arguments={"order": 7}, ordinal=1, write=False, reads_declared=True, streams=True),
)


def _look(turn: int) -> list[Json]:
    """A look at an order, as messages."""
    made: Json = [{"id": f"call_{turn}", "type": "function", "function": {"name": "get_order", "arguments": "{}"}}]
    return [
        {"role": "assistant", "content": None, "tool_calls": made},
        {"role": "tool", "tool_call_id": f"call_{turn}", "content": f"Order {turn} was shipped on 3 May. " * 30},
    ]


_READING: list[Json] = [
    {"role": "system", "content": "You look after the orders of a shop."},
    {"role": "user", "content": "Refund order 7, and never more than 50."},
    *(message for turn in range(12) for message in _look(turn)),
    {"role": "user", "content": "Is it done?"},
]

MESSAGES: Sequence[Sequence[Json]] = (_READING, _READING[:2], [])

TEXTS: Sequence[str] = (
    "Order 7 never arrived. Please refund it in full and write to ana@example.com when that is done.",
    "please add three notebooks and two blue mugs to the cart, but do not check out before Friday",
    'Could you find out why "the green lamp" costs more than $45.00, and cancel order A-1029 otherwise?',
    "Ship it.",
    "7",
    "",
)

_OUTPUTS: Sequence[Json] = (
    "refunded 7",
    "Order 7: REFUNDED 7, as asked.",
    "no",
    "",
    None,
    7,
    True,
    {"order": 7},
    [1, 2],
)
_EXPECTED: Sequence[Json] = ("refunded 7", 7, None, {"order": 7}, [1, 2])

EVIDENCE: Sequence[Evidence] = tuple(
    Evidence(
        task_id="late-parcel",
        input="Order 7 is late. Refund it.",
        expect=expect,
        answer=Answer(output, claims_success=True),
        state={"orders": {"7": {"refunded": 61.5}}},
        trace=_EARLIER,
    )
    for expect in _EXPECTED
    for output in _OUTPUTS
)
