"""Every fault keeps the promises of its kind."""

from __future__ import annotations

import pytest

from passhat.testing import check_fault
from tests.contracts.known import FAULTS


@pytest.mark.parametrize("name", FAULTS)
def test_fault_keeps_its_contract(name: str) -> None:
    """A fault decides purely, legally for its phase, and in words that do not give the test away."""
    check_fault(FAULTS[name]())
    check_fault(FAULTS[name]().at(0.2, match="get*", share=0.5))


@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_listed_under_its_name(name: str) -> None:
    """A fault is found by the name that it writes."""
    assert FAULTS[name]().term.name == name
