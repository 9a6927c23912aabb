"""What is claimed of each interval method."""

import pytest

from passhat.errors import UsageError
from passhat.stats import is_approximate, may_gate, standing
from passhat.stats.methods import STANDINGS, Standing


def test_approximate_methods_never_gate() -> None:
    """No method that may gate is approximate."""
    assert [method for method in STANDINGS if may_gate(method) and is_approximate(method)] == []


def test_what_may_gate() -> None:
    """Rules may rest on these, and on no others."""
    assert {method for method in STANDINGS if may_gate(method)} == {
        "clopper-pearson",
        "confidence-sequence",
        "gate",
        "korn-graubard",
    }


def test_display_is_for_the_eye() -> None:
    """The narrower interval is calibrated, and yet gates nothing."""
    assert standing("display") is Standing.CALIBRATED
    assert not may_gate("display")


@pytest.mark.parametrize("ask", [standing, is_approximate, may_gate])
def test_unknown_method_is_refused(ask: object) -> None:
    """Of a method that there is not nothing is claimed."""
    assert callable(ask)
    with pytest.raises(UsageError, match="there is no method called 'korn-graub': did you mean korn-graubard"):
        ask("korn-graub")
