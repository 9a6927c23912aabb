"""Which calls a fault concerns: by tool, by what the call does, and by its arguments."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.errors import UsageError
from passhat.faults import rate_limit
from passhat.model.condition import Condition
from passhat.model.match import Match, parse_match


@pytest.mark.parametrize(
    ("text", "tool", "arguments", "write", "met"),
    [
        ("*", "refund", {}, True, True),
        ("refund", "refund", {}, True, True),
        ("refund", "refund_order", {}, True, False),
        ("refund*", "refund_order", {}, True, True),
        ("get_?", "get_a", {}, False, True),
        ("write:*", "refund", {}, True, True),
        ("write:*", "get_order", {}, False, False),
        ("read:*", "get_order", {}, False, True),
        ("read:get*", "find_order", {}, False, False),
        ("refund(order=7)", "refund", {"order": 7, "amount": 5}, True, True),
        ("refund(order=7)", "refund", {"order": 8}, True, False),
        ("refund(order=7)", "refund", {"order": "7"}, True, False),
        ("refund(order=7)", "refund", {}, True, False),
        ('find(name="blue mug", exact=true)', "find", {"name": "blue mug", "exact": True}, False, True),
        ("find(exact=true)", "find", {"exact": 1}, False, False),
        ("write:refund*(order=7)", "refund_order", {"order": 7}, True, True),
        ("write:refund*(order=7)", "refund_order", {"order": 7}, False, False),
    ],
)
def test_match_meets_what_it_names(text: str, tool: str, arguments: dict[str, object], write: bool, met: bool) -> None:  # noqa: FBT001 - parameters of the test
    """A match names tools by a pattern, reads or writes, and arguments that must be equal as JSON is."""
    assert parse_match(text).meets(tool, arguments, write=write) is met


@given(st.from_regex(r"[a-z_*?.-]{1,12}", fullmatch=True), st.from_regex(r"[a-z_]{0,12}", fullmatch=True))
def test_match_of_reads_and_of_writes_are_the_whole(glob: str, tool: str) -> None:
    """A call that a pattern meets is met by its reads or by its writes, and never by both."""
    whole, reads, writes = (parse_match(f"{kind}{glob}") for kind in ("", "read:", "write:"))

    for write in (True, False):
        met = [one.meets(tool, {}, write=write) for one in (reads, writes)]
        assert sum(met) == whole.meets(tool, {}, write=write)


def test_match_knows_whether_it_could_meet_a_tool() -> None:
    """Of a world's tools, a pattern that fits none could never be met."""
    assert parse_match("refund*").among(["refund_order", "look"])
    assert not parse_match("refnd*").among(["refund_order", "look"])


@pytest.mark.parametrize("text", ["", "(order=7)", "refund(order", "refund(7)", "refund(order=a(b))", "read:"])
def test_match_that_nobody_can_read_is_refused(text: str) -> None:
    """A match that names no tool, or arguments without names, is refused with the form, and with the fault's name."""
    with pytest.raises(UsageError, match="rate_limit: match="):
        rate_limit().at(0.5, match=text)


def test_match_is_written_and_read_back() -> None:
    """A match stands in the condition's text, which is read back as the same condition."""
    condition = Condition((rate_limit().at(0.5, match='write:refund*(order=7, note="a, b")'),))

    assert str(Condition.parse(condition.name)) == str(Condition.parse(Condition.parse(condition.name).name))
    assert parse_match("x").arguments == Match("x").arguments == ()
