"""`max_void_share`: too many void trials break the evidence."""

import pytest

from passhat.errors import UsageError
from passhat.metrics import measure
from passhat.rules import max_void_share
from tests.metrics.runs import CLEAN, FAULT, run_of, strip


def test_share_at_the_limit_holds() -> None:
    """5 of 100 are not more than 5 %."""
    (found,) = max_void_share(0.05).judge(measure(run_of({CLEAN: [strip(95, 0, void=5)]})))

    assert found.ok is True
    assert found.reason == "at most 5 % of the trials under any condition are void, and 5 % may be"


def test_share_above_the_limit_breaks_the_evidence() -> None:
    """6 of 100 are more than 5 %: broken, and no verdict can follow."""
    (found,) = max_void_share(0.05).judge(measure(run_of({CLEAN: [strip(94, 0, void=6)]})))

    assert (found.ok, found.broken_evidence, found.condition) == (False, True, CLEAN)
    assert "6 of 100 trials are void, 6 %" in found.reason


def test_each_condition_is_looked_at() -> None:
    """Voids under one condition are not thinned by the trials under another."""
    summary = measure(run_of({CLEAN: [strip(90, 0)] * 9, FAULT: [strip(80, 0, void=10), *[strip(10, 0)] * 8]}))

    (found,) = max_void_share(0.05).judge(summary)

    assert found.condition == FAULT
    assert summary.tally.void.count(10) == 1


def test_nothing_stored_is_not_void() -> None:
    """A run without trials has no void ones; that it is empty is said elsewhere."""
    (found,) = max_void_share(0.0).judge(measure(run_of({CLEAN: [""]})))

    assert found.ok is True


@pytest.mark.parametrize("share", [-0.1, 1.0, 5.0, float("nan")])
def test_share_out_of_range_is_refused(share: float) -> None:
    """A share is a probability, and not a percentage."""
    with pytest.raises(UsageError, match="the share is from 0 up to, and not including, 1"):
        max_void_share(share)


@pytest.mark.parametrize("void", range(1, 100))
def test_share_that_is_just_reached_is_allowed(void: int) -> None:
    """As many void trials of a hundred as the rule allows are not too many, whatever their share is as a float."""
    summary = measure(run_of({CLEAN: [strip(100 - void, 0, void=void)]}))

    assert [finding.ok for finding in max_void_share(void / 100).judge(summary)] == [True]
