"""The metrics that stand under their own names: each gives the figure of its source, or says why there is none."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from passhat.metrics import measure, summarize
from passhat.model.run import Run
from passhat.model.summary import Estimate, Row
from passhat.stats import at_least_of_k_interval, pass_hat_k_interval, these_tasks
from tests.metrics.runs import CLEAN, FAULT, run_of, strip

TRACELENS = "PPFPPPFPPP"  # the ten trials of its worked example


def of(row: Row | None, metric: str) -> Estimate:
    """The estimate, which has to be there."""
    found = row.get(metric) if row else None
    assert found is not None
    return found


def suite(strips: Sequence[str], *asked: str) -> list[Estimate]:
    """The suite's estimates that were asked for."""
    row = measure(run_of({CLEAN: strips}), asked=asked).suite_row(CLEAN)
    return [of(row, name) for name in asked]


def values(strips: Sequence[str], *asked: str) -> list[float | None]:
    """Their values."""
    return [one.value for one in suite(strips, *asked)]


def test_observed_says_whether_all_and_any_passed() -> None:
    """A task is 1 or 0; the suite is the share of such tasks, each of which counts as one trial."""
    summary = measure(run_of({CLEAN: ["PPPP", "PPPF", "FFFF"]}))
    row, tasks = summary.suite_row(CLEAN), summary.task_rows(CLEAN)

    assert [of(row, name).value for name in ("all_passed", "any_passed")] == pytest.approx([1 / 3, 2 / 3])
    assert (of(row, "all_passed").low, of(row, "all_passed").high) == these_tasks(1 / 3, 3)
    assert [of(task, "all_passed").value for task in tasks] == [1, 0, 0]
    assert [of(task, "any_passed").value for task in tasks] == [1, 1, 0]
    assert (of(tasks[0], "all_passed").low, of(tasks[0], "all_passed").high) == pass_hat_k_interval(4, 4, 4)


def test_naive_is_the_power_of_the_rate() -> None:
    """Eight of ten at k = 5: .8^5 and 1 - .2^5, where the unbiased figures are .222 and 1."""
    assert values([strip(8, 2)], "naive_pass^5", "naive_pass@5") == pytest.approx([0.32768, 0.99968])
    assert "biased" in suite([strip(8, 2)], "naive_pass^5")[0].method


@pytest.mark.parametrize(("k", "hat"), [(1, 0.8), (2, 5 / 9), (3, 0.25), (5, 0.0)])
def test_window_gives_the_worked_example(k: int, hat: float) -> None:
    """TraceLens' sequence gives the figures of its table."""
    assert values([TRACELENS], f"window_pass^{k}") == [pytest.approx(hat)]


def test_window_depends_on_the_order() -> None:
    """The same eight passes in another order give another figure."""
    assert values(["PPPPPPPPFF"], "window_pass^5") == [pytest.approx(4 / 6)]


def test_bayes_gives_the_known_suite() -> None:
    """3 and 4 of 5 at k = 2: .446 with a normal interval from .160 to .733, which is approximate."""
    found = suite(["FPPFP", "PPFPP"], "bayes_pass^2")[0]

    assert (found.value, found.low, found.high) == pytest.approx((0.446429, 0.1599, 0.7329), abs=1e-4)
    assert found.approximate


def test_at_least_lies_between_the_two_metrics() -> None:
    """Eight of ten: 3 or more of 4 pass with .867, all 4 with .333, as pass^4 has it."""
    assert values([strip(8, 2)], "at_least_3_of_4", "at_least_4_of_4", "pass^4") == pytest.approx(
        [0.866667, 0.333333, 0.333333], abs=1e-6
    )


def test_at_least_has_the_interval_of_its_task() -> None:
    """A task's interval is the probability at the ends of its rate's."""
    row = measure(run_of({CLEAN: [strip(8, 2)]}), asked=["at_least_3_of_4"]).task_rows(CLEAN)[0]

    assert (of(row, "at_least_3_of_4").low, of(row, "at_least_3_of_4").high) == at_least_of_k_interval(10, 8, 4, 3)


def test_model_goes_beyond_the_trials_and_says_so() -> None:
    """Half always pass and half pass at .5: pass^20 stays near .5, which ten trials of each task cannot show."""
    tasks = [strip(10, 0)] * 10 + [strip(5, 5)] * 10
    within, beyond, known = suite(tasks, "modelled_pass^5", "modelled_pass^20", "pass^5")

    assert known.value is not None
    assert within.value == pytest.approx(known.value, abs=0.05)
    assert beyond.value == pytest.approx(0.43, abs=0.1)
    assert ("fitted" in within.method, "model-extrapolated" in beyond.method) == (True, True)


def test_correlation_gives_the_known_icc() -> None:
    """Four tasks of four trials give ICC .586, and what that leaves of sixteen trials."""
    icc, effect, effective = suite(["PPPP", "PPPF", "FFFP", "FFFF"], "icc", "design_effect", "effective_n")

    assert icc.value == pytest.approx(0.586207, abs=1e-6)
    assert effect.value == pytest.approx(1 + 3 * 0.586207, abs=1e-5)
    assert effective.value == pytest.approx(16 / (1 + 3 * 0.586207), abs=1e-5)


def test_correlation_of_a_suite_that_always_passes_is_not_defined() -> None:
    """Where all trials ended alike nothing says what decided, and the reason stands there."""
    (found,) = suite([strip(5, 0)] * 3, "icc")

    assert found.value is None
    assert found.reason.startswith("icc: ")


def test_drift_is_seen() -> None:
    """An agent that passes early and fails late drifts; one that fails now and then does not."""
    (falling,) = values(["PPPPPFFFFF"] * 6, "drift_p")
    (steady,) = values(["PFPFPFPFPF", "FPFPFPFPFP"] * 3, "drift_p")

    assert falling is not None
    assert steady is not None
    assert falling < 0.001
    assert steady > 0.5


def test_overdispersion_is_seen() -> None:
    """Tasks of one rate, and tasks that always or never pass, are told apart."""
    even, split = (
        values([strip(7, 3)] * 10, "overdispersion_p"),
        values([strip(10, 0), strip(0, 10)] * 5, "overdispersion_p"),
    )

    assert even[0] is not None
    assert split[0] is not None
    assert split[0] < 0.001
    assert even[0] > 0.5


def test_reliability_describes_every_task() -> None:
    """Each task under each condition has mcptest's figures of its valid trials, in their order."""
    summary = measure(run_of({CLEAN: ["PPPF", "PFPVF"], FAULT: ["VVV", "PPPP"]}, exposed={FAULT: 1}))
    described = {(row.condition, row.task): row.reliability for row in summary.rows if row.reliability is not None}

    assert described == {
        (CLEAN, "task-0"): summarize([True, True, True, False]),
        (CLEAN, "task-1"): summarize([True, False, True, False]),
        (FAULT, "task-1"): summarize([True] * 4),
    }


def test_summary_of_outcomes_has_the_figures_of_the_page() -> None:
    """P P P F: the curve, the spread and the late failure of mcptest's page, in whole per cents."""
    assert summarize([True, True, True, False]).metrics_object() == {
        "runs": 4,
        "pass_at_k": 100,
        "passhat_k": 0,
        "variance_amplification": 87,
        "graceful_degradation": 60,
        "decay_curve": [100, 100, 100, 31],
    }


def lengths(*minutes: float | None) -> Run:
    """A run of tasks of these lengths; the longer they are, the less they pass."""
    run = run_of({CLEAN: [strip(10 - 2 * i, 2 * i) for i in range(len(minutes))]})
    given = [{} if one is None else {"minutes": one} for one in minutes]
    tasks = tuple(replace(task, metadata=each) for task, each in zip(run.header.tasks, given, strict=True))
    return replace(run, header=replace(run.header, tasks=tasks))


def test_horizon_is_pass_hat_k_by_length() -> None:
    """Each length has the pass^k of its tasks; a length without tasks has none, and says so."""
    asked = ["rdc_short", "rdc_medium", "rdc_long", "rdc_very_long", "rdc_slope"]
    row = measure(lengths(4, 5, 30, 121), k=1, asked=asked).suite_row(CLEAN)

    assert [of(row, name).value for name in asked] == pytest.approx([0.9, 0.6, None, 0.4, -0.25])
    assert of(row, "rdc_long").reason == "no task is long"


def test_horizon_needs_the_lengths() -> None:
    """Where a task does not say how long it takes, there is no curve."""
    row = measure(lengths(4, None), asked=["rdc_short"]).suite_row(CLEAN)

    assert of(row, "rdc_short").reason == "not every task says its length: metadata={'minutes': 12}"


def test_horizon_over_k_is_the_largest_that_holds() -> None:
    """9 of 10 pass: pass^2 is .8 and pass^3 is .7, so 2 runs in a row still reach .8."""
    assert values([strip(9, 1)], "reliability_horizon") == [2]


def test_asked_metrics_are_named_in_the_summary() -> None:
    """What was asked for stands in the summary, each once, for reports to show."""
    assert measure(run_of({CLEAN: ["PPPP"]}), asked=["icc", "icc", "naive_pass^2"]).asked == ("icc", "naive_pass^2")


def test_very_many_trials_are_not_read_unasked() -> None:
    """Metrics that read outcomes one by one are left out of a huge run, and the summary says so, unless asked for."""
    run = run_of({CLEAN: ["P" * 200_001]})
    usual, asked = measure(run), measure(run, asked=["drift_p"])
    why = "to read 200,001 trials one by one takes long; ask with --metric"

    assert usual.left_out == (f"drift_p, serial_correlation, reliability, identical_share: {why}",)
    assert usual.task_rows(CLEAN)[0].reliability is None
    assert of(asked.suite_row(CLEAN), "drift_p").value == 1
    assert asked.left_out == (f"reliability, identical_share: {why}",)
