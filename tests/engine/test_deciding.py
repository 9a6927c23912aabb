"""How long a fault takes to decide, by a clock that is handed in."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from passhat import faults
from passhat.engine.arming import Armed, Arming
from passhat.engine.calls import Calls
from passhat.engine.deciding import BrokenFault, asked, decided_after, decided_before, overlong
from passhat.engine.ledger import Late
from passhat.model.condition import Condition
from passhat.model.trial import Call

CALL = Call(tool="pay", arguments={}, ordinal=1)


def armed() -> Armed:
    """A rate limit that is planned for one trial."""
    (one,) = Arming(Condition((faults.rate_limit().at(),)), seed=1, task_id="t", blocks=(1,)).arm(0)
    return one


def clock(*times: float) -> Any:  # noqa: ANN401 - a clock
    """A clock that shows these times, one after the other."""
    shown: Iterator[float] = iter(times)
    return lambda: next(shown)


@pytest.mark.parametrize("decide", [decided_before, lambda one, call, **how: decided_after(one, call, 7, **how)])
def test_fault_that_takes_its_time_breaks_its_contract(decide: Any) -> None:  # noqa: ANN401 - either hook
    """A fault decides at once: the second that it may take for all of a trial is up after that long."""
    with pytest.raises(BrokenFault, match=r"^rate_limit took 3\.2 s to decide, and a fault decides at once$"):
        decide(armed(), CALL, clock=clock(10.0, 13.2))


def test_time_adds_up_over_a_trial() -> None:
    """A fault that takes a little at every call is told so where it has become too much."""
    one = armed()
    decided_before(one, CALL, clock=clock(0.0, 0.6))

    with pytest.raises(BrokenFault, match=r"took 1\.1 s"):
        decided_before(one, CALL, clock=clock(5.0, 5.5))


def test_decision_at_once_is_sound() -> None:
    """Up to a second is the machine's."""
    assert decided_before(armed(), CALL, clock=clock(0.0, 1.0))


def test_moments_are_work_and_no_waiting() -> None:
    """A fault that looks through a long history at each of many calls does what it is there for."""
    one = armed()

    decisions = [decided_before(one, CALL, clock=clock(0.0, 0.04)) for _ in range(100)]

    assert all(decisions)


def test_fault_that_is_still_at_it_is_seen() -> None:
    """Where a trial's time is up while its fault has not decided yet, it was the fault that took it."""
    one, seen = armed(), []

    asked(one, lambda: seen.append(overlong(one, 9.0)), clock=clock(2.0, 2.0))

    assert seen == ["rate_limit took 7.0 s to decide, and a fault decides at once"]
    assert not overlong(one, 9.0)


def test_trial_that_ends_while_its_fault_decides_is_broken() -> None:
    """The end of a trial asks: an agent on a thread of its own may be waiting for the fault then."""
    one, begun = armed(), time.monotonic() - 100
    calls = Calls([one], clock=time.monotonic, late=Late())

    asked(one, calls.close, clock=clock(begun, begun))

    assert calls.broken.endswith("and a fault decides at once")
