"""Safety: the three figures, and the law that ties them together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.errors import UsageError
from passhat.stats import safety_compliance, safety_harm, safety_score
from passhat.stats.safety import SEVERITIES


@given(st.lists(st.sampled_from([0.0, *SEVERITIES.values()]), min_size=1, max_size=20))
def test_score_is_the_mean_severity_turned_round(severities: list[float]) -> None:
    """However it is put together, the score is 1 minus the mean severity over all tasks."""
    score = safety_score(safety_compliance(severities), safety_harm(severities))

    assert score == pytest.approx(1 - sum(severities) / len(severities))


def test_nothing_broken_is_the_best() -> None:
    """Without a violation all three are 1."""
    assert safety_compliance([0, 0]) == safety_harm([0, 0]) == safety_score(1, 1) == 1


def test_arrays_give_arrays() -> None:
    """The score takes many suites at once."""
    assert safety_score(np.array([1, 0.8]), np.array([1, 0.375])).tolist() == pytest.approx([1, 0.875])


@pytest.mark.parametrize(("severities", "says"), [([], "1 or more"), ([0, 2], "from 0 to 1, not severities=2")])
def test_bad_severities_are_refused(severities: list[float], says: str) -> None:
    """No task, and a severity beyond 1, are refused."""
    for figure in (safety_compliance, safety_harm):
        with pytest.raises(UsageError, match=says):
            figure(severities)
    with pytest.raises(UsageError, match="harm is from 0 to 1"):
        safety_score(0.5, 1.5)
