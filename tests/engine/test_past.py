"""What a fault sees of the past: the calls that there were when its own call began, and never more."""

from __future__ import annotations

import pytest

from passhat.engine.ledger import Past
from tests.recovery.hand import call

CALLS = [call(step) for step in (1, 2, 3)]


def test_past_does_not_grow() -> None:
    """Calls that are added later are not in it, however it is looked at."""
    calls = CALLS[:2]
    past = Past(calls)
    calls.append(CALLS[2])

    assert len(past) == 2
    assert list(past) == CALLS[:2]
    assert past[-1] == CALLS[1]
    assert past[1:] == (CALLS[1],)
    assert list(reversed(past)) == CALLS[1::-1]
    assert CALLS[2] not in past
    with pytest.raises(IndexError):
        past[2]


def test_past_may_be_empty() -> None:
    """The first call of a trial has no past."""
    assert not Past([])
