"""`equals`: an answer that is odd is a wrong answer, and never the grader's failure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from passhat import graders
from passhat.model.answer import Answer
from passhat.model.outcome import Outcome
from passhat.model.task import Suite, Task
from passhat.model.trial import Evidence, Grade
from tests.engine.drive import drive


def graded(output: object, expect: Any) -> Grade:  # noqa: ANN401 - any JSON
    """The grade of *output*."""
    return graders.equals().grade(Evidence(task_id="task", input="input", expect=expect, answer=Answer(output)))


class Incomparable:
    """An object that raises when it is compared, and when it is shown."""

    def __eq__(self, other: object) -> bool:
        raise ValueError

    def __repr__(self) -> str:
        raise ValueError

    __hash__ = None  # type: ignore[assignment]


ODD: dict[str, Callable[[], object]] = {
    "array": lambda: np.arange(3),
    "incomparable": Incomparable,
    "within": lambda: [Incomparable()],
}


@pytest.mark.parametrize("name", ODD)
def test_answer_that_cannot_be_compared_is_a_fail(name: str) -> None:
    """What raises when it is compared is not what was expected: the trial counts, and says why it failed."""

    async def agent(message: str) -> object:
        return ODD[name]()

    trial = drive(Suite(tasks=[Task("a", "input", expect=[0])], grader=graders.equals()), agent).trial

    assert trial.outcome is Outcome.FAIL
    assert "which raises ValueError when it is compared" in trial.detail


@pytest.mark.parametrize(
    ("output", "expect", "passed"),
    [
        (" yes\n", "yes", True),
        ("Yes", "yes", False),
        (1, 1.0, True),
        (True, 1, False),
        (1, True, False),
        (np.int64(3), 3, True),
        ({"a": [1]}, {"a": [1]}, True),
        (None, "yes", False),
    ],
)
def test_equal_is_what_python_says_and_a_truth_is_no_number(output: object, expect: object, passed: bool) -> None:  # noqa: FBT001
    """Texts are compared without the white space at their ends; numbers of any kind are numbers, and True is none."""
    assert graded(output, expect).passed is passed
