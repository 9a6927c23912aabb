"""Every grader keeps the promises of its kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from passhat import graders
from passhat.model.trial import Evidence, Grade
from passhat.testing import check_grader
from tests.contracts.known import GRADERS


def _same(evidence: Evidence) -> bool:
    return evidence.output == evidence.expect


def _half(evidence: Evidence) -> Grade:
    return Grade("half", passed=False, score=0.5, reason="half of it is there")


async def _later(evidence: Evidence) -> bool:
    return evidence.state is not None


# Graders that are not made by themselves, with what they need.
MAKERS: Mapping[str, Callable[[], graders.Grader]] = {
    "predicate": lambda: graders.predicate(_same),
    "at_most_once": lambda: graders.at_most_once("get_order"),
    "before": lambda: graders.before("get_order", "ship_order"),
    "never": lambda: graders.never("refund*"),
    "conserves": lambda: graders.conserves([_same]),
    "all_of": lambda: graders.all_of([graders.equals(), graders.never("refund*")]),
}


@pytest.mark.parametrize("name", GRADERS)
def test_grader_keeps_its_contract(name: str) -> None:
    """A grader gives the same well-formed grade for the same evidence, and changes none of it."""
    check_grader(MAKERS.get(name, GRADERS[name])())


@pytest.mark.parametrize("function", [_half, _later])
def test_predicate_may_grade_and_may_be_async(function: Callable[[Evidence], bool | Grade]) -> None:
    """A function that gives a grade and an async one make graders as good as any."""
    check_grader(graders.predicate(function))


def test_contains_may_mind_case() -> None:
    """A parameter of a grader is part of its identity."""
    check_grader(graders.contains(case=True))

    assert graders.contains(case=True).identity != graders.contains().identity
