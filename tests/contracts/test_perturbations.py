"""Every perturbation keeps the promises of its kind."""

from __future__ import annotations

import pytest

from passhat.testing import check_perturbation
from tests.contracts.known import PERTURBATIONS


@pytest.mark.parametrize("name", PERTURBATIONS)
@pytest.mark.parametrize("intensity", [0.05, 0.5, 1.0])
def test_perturbation_keeps_its_contract(name: str, intensity: float) -> None:
    """A perturbation keeps protected spans, is nested in its intensity and never passes the original off."""
    check_perturbation(PERTURBATIONS[name](intensity))


@pytest.mark.parametrize("name", PERTURBATIONS)
def test_perturbation_is_listed_under_its_name(name: str) -> None:
    """A perturbation is found by the name that it writes."""
    assert PERTURBATIONS[name](0.5).term.name == name
