"""A stream of events is taken apart right, however it arrives."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.clients.events import events
from passhat.clients.wire import WireError

LINES = st.lists(
    st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), max_size=12), min_size=1, max_size=3
)


async def _arriving(pieces: Sequence[bytes]) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece


def told(pieces: Sequence[bytes], *, most: int = 10_000) -> list[str]:
    """The events in *pieces*."""

    async def gather() -> list[str]:
        return [event async for event in events(_arriving(pieces), most=most)]

    return asyncio.run(gather())


@given(st.lists(LINES, max_size=4), st.integers(1, 9), st.sampled_from(["\n", "\r\n"]))
def test_events_are_the_same_however_they_arrive(given_events: list[list[str]], size: int, end: str) -> None:
    """An event is its lines of data, wherever the network cuts them."""
    stream = "".join("".join(f"data: {line}{end}" for line in lines) + end for lines in given_events).encode()

    found = told([stream[at : at + size] for at in range(0, len(stream), size)])

    assert found == ["\n".join(lines) for lines in given_events]


def test_other_fields_are_passed_over() -> None:
    """Names, ids and comments are no data."""
    assert told([b": hello\nevent: ping\nid: 7\ndata: a\n\nevent: end\n\n"]) == ["a"]


def test_last_event_may_lack_its_end() -> None:
    """A service that closes after its last line has said it all the same."""
    assert told([b"data: a\n\ndata: b"]) == ["a", "b"]


def test_endless_stream_is_cut_off() -> None:
    """Nobody has to hold what never ends."""
    with pytest.raises(WireError, match="more than 100 bytes"):
        told([b"data: aaaaaaaa\n\n"] * 20, most=100)
