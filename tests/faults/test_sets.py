"""The named sets: what they hold, and that a text names them as Python does."""

from __future__ import annotations

import pytest

from passhat import faults
from passhat.engine.binding import Catalogue
from passhat.errors import UsageError
from passhat.faults import FAULTS, latency, sets
from passhat.model.condition import Condition, Visibility
from passhat.model.outcome import Outcome
from tests.engine.drive import drive, suite_of
from tests.faults.desk import Desk, Step, awaiting

GET: Step = ("get_order", {"order": 7})


@pytest.mark.parametrize("name", sets.SETS)
def test_name_of_a_set_is_each_of_its_faults(name: str) -> None:
    """A set's name means one condition for each fault in it, beside the clean one."""
    by_name = Catalogue().conditions([name, "typos(0.05)"], clean=True)
    by_hand = Catalogue().conditions([*sets.SETS[name], "typos(0.05)"], clean=True)

    assert by_name == by_hand
    assert len(by_name) == len(sets.SETS[name]) + 2


def test_one_set_may_be_named_without_a_list() -> None:
    """A single text is a set's name as well."""
    assert Catalogue().conditions(" silent ", clean=False) == Catalogue().conditions(sets.SILENT, clean=False)


def test_sets_may_overlap() -> None:
    """A fault of two sets is one condition; one that is written out twice is still refused, elsewhere."""
    both = Catalogue().conditions(["silent", "canary"], clean=False)

    assert set(both) == {Condition([one]) for one in (*sets.SILENT, *sets.CANARY)}
    assert len(both) == len(set(both))


def test_set_is_no_part_of_a_condition() -> None:
    """A set cannot be joined to something: it is several conditions and not one."""
    with pytest.raises(UsageError, match="fault or perturbation called 'default': it is a set, which is named alone"):
        Catalogue().conditions(["default & typos(0.05)"], clean=False)
    with pytest.raises(UsageError, match="'silent': it is a set"):
        Catalogue().conditions(["silent(0.2)"], clean=False)


def test_mistyped_set_is_told_the_right_one() -> None:
    """A wrong name is answered with the nearest."""
    with pytest.raises(UsageError, match="did you mean silent"):
        Catalogue().conditions(["slient"], clean=False)


def test_silent_set_raises_nothing_but_the_lost_reply() -> None:
    """What is called silent tells the agent of no error, except that a reply is missing."""
    loud = [one.fault.term.name for one in sets.SILENT if one.fault.visibility is Visibility.EXPLICIT]

    assert loud == ["lost_reply"]


@pytest.mark.parametrize("name", ["stale_read", "memory_drift", "read_your_write_miss", "wrong_tool"])
def test_fault_that_needs_a_past_fires_without_a_dose(name: str) -> None:
    """Named alone, by text or as an object, it waits for a call at which it can act."""
    script: list[Step] = [GET, ("place", {"product": "mug"}), ("list_orders", {}), ("ship", {"order": 7}), GET]
    joined = FAULTS[name]() & latency(seconds=0.0)

    trials = drive(suite_of(Desk), awaiting(script), under=(name, FAULTS[name](), joined), clean=False).trials

    assert [any(event.fault == name for event in trial.faults) for trial in trials] == [True] * 3


@pytest.mark.parametrize("name", ["default", "canary"])
def test_every_fault_of_a_set_fires(name: str) -> None:
    """An agent that reads, writes and reads again meets each of these, with no word on matches or doses."""
    script: list[Step] = [("list_orders", {}), GET, ("ship", {"order": 7}), GET]

    quick = [faults.latency(p99=0.001).at() if one.fault.term.name == "latency" else one for one in sets.SETS[name]]

    trials = drive(suite_of(Desk), awaiting(script), under=quick, clean=False).trials

    assert [trial.exposed for trial in trials] == [True] * len(sets.SETS[name])
    assert {trial.outcome for trial in trials} == {Outcome.PASS}
