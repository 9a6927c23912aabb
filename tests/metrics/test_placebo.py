"""What a placebo shows: the pass rate and the seconds of its trials, less those of the same trials without it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from passhat.metrics import Placebo, measure
from passhat.model.outcome import Outcome
from passhat.model.run import Run
from passhat.model.summary import Estimate
from passhat.model.trial import Trial
from passhat.stats import median_interval, paired_share_interval
from tests.metrics.whole import whole

PLACEBO = "placebo(dose=permanent_from(1))"
TYPOS = "typos(0.1)"


def trial(condition: str, index: int, letter: str, *, task: str = "a", seconds: float = 1.0) -> Trial:
    """A trial with this outcome."""
    outcome = next(one for one in Outcome if one.letter == letter)
    return Trial(task_id=task, task_digest="", condition=condition, index=index, outcome=outcome, seconds=seconds)


def pairs(clean: str, placebo: str, *, condition: str = PLACEBO, against: str = "clean") -> Run:
    """A run of one task: letters of its trials, by index; a trial under the placebo takes index seconds longer."""
    return whole(
        *(trial(against, index, letter) for index, letter in enumerate(clean)),
        *(trial(condition, index, letter, seconds=1.0 + index) for index, letter in enumerate(placebo)),
    )


def found(run: Run, metric: str, condition: str = PLACEBO) -> Estimate:
    """What is said of the suite."""
    row = measure(run).suite_row(condition)
    estimate = None if row is None else row.get(metric)
    assert estimate is not None
    return estimate


def test_difference_is_of_pairs() -> None:
    """Of ten pairs one is won and three are lost: the rate is two tenths lower, with the interval for such counts."""
    one = found(pairs("PPPPPPPPPF", "FFFPPPPPPP"), "placebo_difference")

    assert (one.value, one.n) == (-0.2, 10)
    assert (one.low, one.high) == paired_share_interval(3, 1, 10)
    assert one.low is not None
    assert one.high is not None
    assert one.low < 0 < one.high


def test_seconds_are_the_median_of_pairs() -> None:
    """The seconds that trials take longer, with the interval for a median."""
    one = found(pairs("P" * 9, "P" * 9), "placebo_seconds")

    assert (one.value, one.low, one.high) == (4.0, *median_interval(range(9)))


def test_few_pairs_have_no_interval() -> None:
    """Fewer than six numbers bound no median at 95 %, and the method says so."""
    one = found(pairs("PP", "PP"), "placebo_seconds")

    assert (one.value, one.low, one.high) == (0.5, None, None)
    assert "too few for an interval" in one.method


def test_void_trials_make_no_pair() -> None:
    """A trial that does not count, on either side, leaves its pair out."""
    assert found(pairs("PVPP", "PPVP"), "placebo_difference").n == 2


def test_trials_of_two_tasks_are_not_mixed_up() -> None:
    """A pair has one task."""
    run = whole(
        trial("clean", 0, "P", task="a"),
        trial("clean", 0, "F", task="b"),
        trial(PLACEBO, 0, "P", task="a"),
        trial(PLACEBO, 0, "F", task="b"),
    )

    one = found(run, "placebo_difference")
    assert (one.value, one.n) == (0.0, 2)
    assert "0 of 2 pairs of trials differ" in one.method


def test_placebo_with_other_wordings_is_held_against_those() -> None:
    """What the wording does is not laid at the placebo's door."""
    both = f"{PLACEBO} & {TYPOS}"
    run = pairs("FFFF", "FFFF", condition=both, against=TYPOS)

    assert found(run, "placebo_difference", both).value == 0.0


@pytest.mark.parametrize(
    ("run", "condition", "reason"),
    [
        (pairs("PP", "PP"), "clean", "placebo_difference: clean is no placebo"),
        (pairs("VV", "PP"), PLACEBO, "placebo_difference: no pair of trials counts"),
        (
            pairs("PP", "PP", against=TYPOS),
            PLACEBO,
            "placebo_difference: this run has no condition clean to hold it against",
        ),
    ],
)
def test_what_cannot_be_said_has_its_reason(run: Run, condition: str, reason: str) -> None:
    """Where there is nothing to hold together, the estimate says why."""
    one = found(run, "placebo_difference", condition)

    assert (one.value, one.reason) == (None, reason)


def test_run_without_a_placebo_is_not_asked() -> None:
    """It is among the usual metrics of a run that has a placebo, and of no other."""
    run = pairs("PP", "PP", condition=TYPOS)
    row = measure(run).suite_row(TYPOS)

    assert row is not None
    assert row.get("placebo_difference") is None
    assert "placebo_difference" in {one.metric for one in measure(run, metrics=[Placebo()]).rows[0].estimates}


def test_large_run_says_that_it_was_left_out() -> None:
    """Reading very many trials has to be asked for, and the summary says so."""
    run = pairs("PP", "PP")
    many = replace(run.trials.counts(), passed=(150_000, 150_000))

    class Many(type(run.trials)):  # type: ignore[misc]  # the view of the run at hand
        def counts(self) -> object:
            return many

    large = Run(run.header, Many(list(run.trials), run.header.conditions))

    assert any("placebo_seconds" in text for text in measure(large).left_out)
