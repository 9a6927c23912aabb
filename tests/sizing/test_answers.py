"""Answers: their numbers, every cell of the printed tables, what they take for granted, and their layout."""

import json
from typing import Any

import pytest

from passhat.errors import UsageError
from passhat.sizing import Answer, Question, answer, kind_of
from passhat.sizing.answer import Cell, Level, Table
from passhat.sizing.text import answer_data, answer_text, field_text
from passhat.stats import (
    achieved_power,
    confidence_band,
    detectable_drop,
    normal_quantile,
    paired_detectable_drop,
    recommend_runs,
    runs_to_detect,
)
from passhat.stats.half_width import WIDTH_METHODS
from tests.sizing.test_question import KINDS

FIVE_POINTS: dict[str, Any] = {"baseline": 0.9, "drop": 0.05}


def ask(**given: Any) -> Answer:  # noqa: ANN401 - options of every kind
    """The answer to the question that these options ask."""
    return answer(Question(**given))


def table(found: Answer, title: str) -> Table:
    """The table whose title begins so."""
    (one,) = [each for each in found.tables if each.title.startswith(title)]
    return one


def row(found: Answer, label: str) -> str:
    """The text of a row."""
    return dict(found.rows)[label]


def test_every_cell_over_drops_and_powers() -> None:
    """The table of a drop from 90 % holds the run counts for 10, 5, 2 and 1 points at 80 and 90 % power."""
    found = table(ask(**FIVE_POINTS), "Runs by drop and power")

    assert found.heads == ("drop", "to", Level("power", 0.8), Level("power", 0.9))
    assert found.rows == (
        (0.1, 0.8, 69, 102),
        (0.05, 0.85, 253, 362),
        (0.02, 0.88, 1471, 2070),
        (0.01, 0.89, 5728, 8001),
    )


def test_every_cell_over_baselines() -> None:
    """The table over baselines holds the run counts for a drop of five points."""
    found = table(ask(**FIVE_POINTS), "Runs by baseline")

    assert found.rows == ((0.5, 617), (0.7, 534), (0.8, 419), (0.9, 253), (0.95, 150))


def test_every_cell_over_half_widths() -> None:
    """The table of half-widths holds the run counts at 90, 95 and 99 % confidence."""
    found = table(ask(half_width=0.05), "Runs by half-width")

    assert found.heads == ("half-width", *(Level("confidence", level) for level in (0.9, 0.95, 0.99)))
    assert found.rows[:2] == ((0.1, 68, 97, 166), (0.05, 271, 385, 664))


def test_exact_tables_hold_safe_counts() -> None:
    """With the exact method the tables hold the counts from which on the power stays."""
    found = ask(**FIVE_POINTS, method="exact")

    assert [cells[2:] for cells in table(found, "Runs by drop").rows[:2]] == [(89, 121), (299, 405)]
    assert [cells[1] for cells in table(found, "Runs by baseline").rows] == [654, 566, 458, 299, 191]


def test_what_was_asked_stands_in_the_tables() -> None:
    """A drop, a power and a baseline of one's own have their row and column."""
    found = ask(baseline=0.85, drop=0.03, power=0.95)

    by_drop = table(found, "Runs by drop")
    assert by_drop.heads[2:] == (Level("power", 0.8), Level("power", 0.9), Level("power", 0.95))
    assert (0.03, 0.85 - 0.03) in [cells[:2] for cells in by_drop.rows]
    assert f"{found.values['runs']:,}" in answer_text(found)
    assert (0.85, found.values["runs"]) in table(found, "Runs by baseline").rows


def test_drop_below_its_baseline_is_no_row() -> None:
    """Drops that a low baseline does not have are left out."""
    by_drop = table(ask(baseline=0.04, drop=0.02), "Runs by drop")

    assert [cells[0] for cells in by_drop.rows] == [0.02, 0.01]


@pytest.mark.parametrize(
    ("given", "number"),
    [
        ({"half_width": 0.05}, "385"),
        ({"half_width": 0.05, "method": "clopper-pearson"}, "402"),
        ({"runs": 100}, "0.098"),
        (FIVE_POINTS, "253"),
        ({**FIVE_POINTS, "method": "exact"}, "299"),
        ({**FIVE_POINTS, "method": "two-sample"}, "540"),
        ({"baseline": 0.9, "runs": 100}, "0.08181"),
        ({"baseline": 0.9, "runs": 1, "method": "exact"}, "none"),
        ({**FIVE_POINTS, "runs": 250, "method": "exact"}, "0.7574"),
        ({"baseline": 0.9, "margin": 0.05}, "446"),
        ({"pass_hat_k": 10, "at_least": 0.9}, "285"),
        ({"pass_hat_k": 5, "at_least": 0.8}, "68"),
    ],
)
def test_number_is_the_known_one(given: dict[str, Any], number: str) -> None:
    """The number alone, as a script reads it."""
    assert ask(**given).number == number


def test_first_and_safe_are_told_apart() -> None:
    """An exact answer names both counts."""
    found = ask(**FIVE_POINTS, method="exact")

    assert "270 runs have it first, and every count from 299 on" in row(found, "Safe")
    assert (found.values["first"], found.values["safe"], found.values["formula"]) == (270, 299, None)


def test_known_baseline_is_the_assumption_that_matters() -> None:
    """A one-sample answer says so, and what a fresh baseline costs."""
    assert "The baseline is known" in row(ask(**FIVE_POINTS), "Assumes")
    assert "540 in each arm" in row(ask(**FIVE_POINTS), "Assumes")
    assert "Both arms are fresh" in row(ask(**FIVE_POINTS, method="two-sample"), "Assumes")


def test_run_count_comes_with_its_interval() -> None:
    """253 runs near 90 % have an interval of ±3.7 points."""
    found = ask(**FIVE_POINTS)

    assert row(found, "Interval") == "±3.72 points around a rate near 90 % (Wilson, 95 %, approximate)"
    assert found.values["interval_half_width"] == confidence_band(253, rate=0.9, method="wilson")


def test_countless_runs_come_without_an_interval() -> None:
    """Where the runs are more than can be told apart, the count is the answer all the same."""
    found = ask(baseline=0.5, drop=1e-6)

    assert found.values["interval_half_width"] is None
    assert "Interval" not in dict(found.rows)


def test_formula_comes_with_its_numbers() -> None:
    """The formula's critical values and deviations can be followed by hand."""
    text = " ".join(answer_text(ask(**FIVE_POINTS)).split())

    assert "a = 1.6449, b = 0.8416, √(p0·q0) = 0.3000, √(p1·q1) = 0.3571: 252.16, rounded up" in text


def test_trials_turn_runs_into_tasks() -> None:
    """With ten trials of each task at a correlation of .3, 253 runs become 94 tasks × 10."""
    found = ask(**FIVE_POINTS, trials=10, icc=0.3)

    assert row(found, "Shape") == "94 tasks × 10 trials = 940 runs, worth 254.1 independent runs at an icc of 0.3"
    assert found.values["runs"] == 940


@pytest.mark.parametrize(
    ("given", "worth"),
    [
        ({"half_width": 0.05, "tasks": 2000, "icc": 0.3}, "2,000 runs, worth 2,000 independent runs"),
        ({**FIVE_POINTS, "tasks": 100, "icc": 0.3}, "800 runs, worth 258.1 independent runs"),
        ({**FIVE_POINTS, "tasks": 100, "icc": 0.3, "method": "exact"}, "2,100 runs, worth 300 independent runs"),
        ({"half_width": 0.5, "method": "wilson", "trials": 1, "icc": 0.3}, "1 run, worth 1 independent run at"),
    ],
)
def test_runs_are_worth_what_they_are_and_not_what_was_needed(given: dict[str, Any], worth: str) -> None:
    """The runs over their design effect, in words and for a program; whole tasks and trials are worth a little more."""
    found = ask(**given)

    runs, trials = found.values["runs"], found.values["trials"]
    assert worth in row(found, "Shape")
    assert isinstance(runs, int)
    assert isinstance(trials, int)
    assert found.values["independent_runs"] == pytest.approx(runs / (1 + (trials - 1) * 0.3))


@pytest.mark.parametrize("method", ["normal", "continuity", "two-sample", "exact", "wilson"])
@pytest.mark.parametrize("shape", [{"trials": 10}, {"trials": 7}, {"tasks": 400}, {"tasks": 3000}])
@pytest.mark.parametrize("icc", [None, 0.0, 0.1, 0.3])
def test_tables_agree_with_the_answer_on_drops(method: str, shape: dict[str, int], icc: float | None) -> None:
    """The cell of the very question that was asked holds the answer, and every cell is in whole tasks and trials."""
    found = ask(**FIVE_POINTS, method=method, icc=icc, **shape)

    by_drop, by_baseline = table(found, "Runs by drop").rows, table(found, "Runs by baseline").rows
    (step,) = shape.values()
    assert [cells[2] for cells in by_drop if cells[0] == 0.05] == [found.values["runs"]]
    assert [cells[1] for cells in by_baseline if cells[0] == 0.9] == [found.values["runs"]]
    cells = [cell for cells in (*by_drop, *by_baseline) for cell in cells if isinstance(cell, int)]
    assert [cell for cell in cells if cell % step] == []


@pytest.mark.parametrize("method", ["wald", "wilson", "clopper-pearson"])
@pytest.mark.parametrize("shape", [{"trials": 10}, {"trials": 7}, {"tasks": 400}, {"tasks": 3000}])
@pytest.mark.parametrize("icc", [None, 0.0, 0.1, 0.3])
def test_tables_agree_with_the_answer_on_widths(method: str, shape: dict[str, int], icc: float | None) -> None:
    """The same for half-widths."""
    found = ask(half_width=0.05, method=method, icc=icc, **shape)

    rows = table(found, "Runs by half-width").rows
    (step,) = shape.values()
    assert [cells[2] for cells in rows if cells[0] == 0.05] == [found.values["runs"]]
    assert [cell for cells in rows for cell in cells if isinstance(cell, int) and cell % step] == []


@pytest.mark.parametrize("asked", [{"half_width": 0.05}, {"runs": 400}])
def test_every_method_shows_its_own_formula_and_words(asked: dict[str, Any]) -> None:
    """No two methods show the same formula or words, and only those that have a critical value show one."""
    found = {method: ask(**asked, method=method) for method in WIDTH_METHODS}

    for label in ("Formula", "In words"):
        assert len({row(one, label) for one in found.values()}) == 3
    shown = [method for method, one in found.items() if "z = " in row(one, "Formula")]
    assert shown == ["wald", "wilson"]
    assert "critical value" not in row(found["clopper-pearson"], "In words")
    assert "z²" in row(found["wilson"], "Formula")


def test_wilsons_formula_is_walds_of_more_runs() -> None:
    """What the words say: at one half Wilson's half-width is Wald's of z² more runs."""
    z = normal_quantile(0.975)

    assert confidence_band(400, method="wilson") == pytest.approx(z * (0.25 / (400 + z * z)) ** 0.5)


@pytest.mark.parametrize("method", ["wald", "wilson"])
def test_approximate_half_widths_are_called_so(method: str) -> None:
    """What covers less than it says is approximate, and the exact way is named."""
    assert "approximate" in row(ask(half_width=0.05, method=method), "But")
    assert "But" not in dict(ask(half_width=0.05, method="clopper-pearson").rows)


@pytest.mark.parametrize("given", [{"baseline": 0.9, "runs": 200}, {"runs": 200}])
def test_runs_alone_are_one_trial_a_task(given: dict[str, Any]) -> None:
    """With a correlation and no shape, the runs count as one trial of each of so many tasks, and that is said."""
    assert "one trial of each of 200 tasks" in row(ask(**given, icc=0.3), "Assumes")
    assert "one trial" not in row(ask(**given), "Assumes")


@pytest.mark.parametrize("given", [{"half_width": 0.05, "trials": 10}, {**FIVE_POINTS, "trials": 10}])
def test_how_runs_hang_together_is_an_assumption(given: dict[str, Any]) -> None:
    """Trials of one task are independent where nothing was said, and as alike as was said otherwise."""
    assert "Trials of one task are independent" in row(ask(**given), "Assumes")
    assert "as alike as an icc of 0.3 says" in row(ask(**given, icc=0.3), "Assumes")


def test_tasks_turn_runs_into_trials() -> None:
    """A hundred tasks at a correlation of .3 need eight trials each."""
    assert row(ask(**FIVE_POINTS, tasks=100, icc=0.3), "Shape").startswith("100 tasks × 8 trials = 800 runs")
    assert row(ask(**FIVE_POINTS, tasks=100), "Shape") == "100 tasks × 3 trials = 300 runs"


def test_too_few_tasks_are_told_so() -> None:
    """Where no number of trials is enough, the answer is how many tasks are."""
    with pytest.raises(UsageError, match=r"20 tasks are never worth more than 66\.7 independent runs.*take 76 tasks"):
        ask(**FIVE_POINTS, tasks=20, icc=0.3)

    assert ask(**FIVE_POINTS, tasks=76, icc=0.3).values["runs"] is not None


def test_correlated_runs_see_less() -> None:
    """20 × 10 runs at a correlation of .45 are worth 39, and see what 39 see."""
    found = ask(baseline=0.9, tasks=20, trials=10, icc=0.45)

    assert found.values["independent_runs"] == 39
    assert found.values["drop"] == detectable_drop(0.9, 39)
    assert "39 independent runs" in row(found, "Worth")
    assert ask(tasks=20, trials=10, icc=0.45).values["independent_runs"] == 39


def test_runs_can_be_split() -> None:
    """200 runs at a correlation of .45: the table shows 100 × 2 and 20 × 10, and their errors."""
    rows = table(ask(baseline=0.8, runs=200, icc=0.45), "One standard error").rows

    errors: dict[tuple[Cell, ...], Cell] = {cells[:2]: cells[3] for cells in rows}
    assert errors[100, 2] == pytest.approx(0.034, abs=5e-4)
    assert errors[20, 10] == pytest.approx(0.064, abs=5e-4)


def test_money_and_time_are_added_up() -> None:
    """253 runs at .02 cost 5.06 and at 30 seconds take 2.1 hours; two arms twice that."""
    found = ask(**FIVE_POINTS, cost_per_run=0.02, seconds_per_run=30)
    both = ask(**FIVE_POINTS, cost_per_run=0.02, method="two-sample")

    assert row(found, "Cost") == "253 × 0.02 = 5.06"
    assert row(found, "Time") == "253 × 30 s = 2.1 hours, one run after the other"
    assert found.values["cost"] == pytest.approx(5.06)
    assert found.values["seconds"] == 7590
    assert row(both, "Cost") == "2 × 540 × 0.02 = 21.60"


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.1, "38.5 seconds"), (1, "6.4 minutes"), (60, "6.4 hours"), (3600, "16.0 days")]
)
def test_time_is_in_a_unit_that_can_be_read(seconds: float, text: str) -> None:
    """Seconds, minutes, hours or days, for 385 runs."""
    assert f"= {text}," in row(ask(half_width=0.05, seconds_per_run=seconds), "Time")


def test_published_rate_says_where_it_is_from() -> None:
    """A published baseline comes with its source, and with the advice to use one's own."""
    found = ask(field="tau-bench-airline/gpt-4o", drop=0.05)

    assert found.values["runs"] == runs_to_detect(0.42, 0.05).runs
    assert "arXiv 2406.12045" in row(found, "Baseline")
    assert "Not yours" in row(found, "Baseline")


def test_pairs_see_what_their_formula_says() -> None:
    """The drop that 50 tasks show is where Miller's formula meets the noise at that drop."""
    found = ask(baseline=0.9, tasks=50, trials=4, icc=0.3, paired=True, spread=0.1)
    drop = found.values["drop"]
    assert isinstance(drop, float)
    rate = 0.9 - drop

    noise = 0.7 * (0.09 + rate * (1 - rate)) / 2
    assert paired_detectable_drop(50, task_variance=0.01, trial_variance=noise, trials=4) == pytest.approx(drop)


def test_pairs_of_fixed_tasks_need_only_runs() -> None:
    """Without a spread more trials do as well as more tasks; with one they do not."""
    fixed = table(ask(**FIVE_POINTS, paired=True), "Tasks by trials").rows
    spread = table(ask(**FIVE_POINTS, paired=True, spread=0.2), "Tasks by trials").rows

    assert fixed == ((1, 538, 538), (3, 180, 540), (5, 108, 540), (10, 54, 540), (20, 27, 540))
    assert spread[-1][1] == 126


def test_pairs_may_show_nothing() -> None:
    """One task with one trial shows no drop."""
    found = ask(baseline=0.3, tasks=1, paired=True)

    assert (found.number, found.values["drop"]) == ("none", None)


def test_claim_says_what_the_rule_takes() -> None:
    """The rule of a suite counts in blocks: 14 of five trials for a pass^5 of .8, where 68 single runs do."""
    found = ask(pass_hat_k=5, at_least=0.8)

    assert "14 blocks, such as 14 tasks × 5 trials" in row(found, "Suites")
    assert found.values["blocks"] == 14


def test_claim_with_failures() -> None:
    """A failure more costs many runs more; the tables hold both."""
    found = ask(pass_hat_k=5, at_least=0.9, failures=1)

    assert found.number == "226"
    assert table(found, "Runs by how many of them fail").rows[:2] == ((0, 143), (1, 226))
    assert table(found, "Runs without a failure").rows[1] == (0.9, 29, 86, 143, 285)


def test_two_sides_cost_more() -> None:
    """A two-sided test is said to be one."""
    found = ask(**FIVE_POINTS, two_sided=True)

    assert found.values["runs"] == runs_to_detect(0.9, 0.05, two_sided=True).runs
    assert "on both sides" in found.says


def test_surely_is_the_power() -> None:
    """What 20 × 10 independent runs catch five points with is their power."""
    found = ask(**FIVE_POINTS, tasks=20, trials=10)

    assert found.values["power"] == achieved_power(0.9, 0.05, 200)


def test_half_width_of_correlated_runs() -> None:
    """Five trials a task at a correlation of .2 cost 1.8 times the runs."""
    found = ask(half_width=0.05, trials=5, icc=0.2)

    assert found.values["runs"] == 695
    assert found.values["independent_runs"] == 695 / 1.8
    assert found.values["needed"] == recommend_runs(0.05)


@pytest.mark.parametrize(("given", "kind"), KINDS)
def test_text_fits_a_narrow_screen(given: dict[str, Any], kind: object) -> None:
    """No line of any answer is wider than 80 columns, ends in a blank, or parts a number from its sign."""
    text = answer_text(ask(**given, cost_per_run=0.02) if "cost_per_run" not in given else ask(**given))

    assert [line for line in text.splitlines() if len(line) > 80 or line != line.rstrip()] == []
    assert [line for line in text.splitlines() if line.strip().startswith("%")] == []
    assert text.endswith("\n")


@pytest.mark.parametrize(("given", "kind"), KINDS)
def test_data_is_json(given: dict[str, Any], kind: Any) -> None:  # noqa: ANN401 - a Kind
    """The data of every answer is JSON, with the question, what was given, the numbers and the tables."""
    question = Question(**given)

    data = json.loads(json.dumps(answer_data(question, kind_of(question), answer(question))))

    assert data["question"] == kind.value
    assert data["given"] == given
    assert data["assumed"].keys() & given.keys() == set()
    assert data["answer"]
    assert data["notes"]["assumes"]
    assert all(len(cells) == len(each["columns"]) for each in data["tables"] for cells in each["rows"])


@pytest.mark.parametrize(("given", "kind"), KINDS)
def test_tables_for_a_program_hold_numbers_alone(given: dict[str, Any], kind: Any) -> None:  # noqa: ANN401 - a Kind
    """No cell is a text, and a column that belongs to a share says which."""
    question = Question(**given)

    tables = json.loads(json.dumps(answer_data(question, kind_of(question), answer(question))))["tables"]

    assert [cell for one in tables for cells in one["rows"] for cell in cells if isinstance(cell, str)] == []
    assert [head for one in tables for head in one["columns"] if isinstance(head, str) and "%" in head] == []


def test_shares_for_a_program_are_not_rounded() -> None:
    """A baseline of many digits keeps them all."""
    found = ask(baseline=0.876543219, drop=0.05, power=0.8123456789)

    assert 0.876543219 in [cells[0] for cells in table(found, "Runs by baseline").rows]
    assert 0.876543219 - 0.05 in [cells[1] for cells in table(found, "Runs by drop").rows]
    assert Level("power", 0.8123456789) in table(found, "Runs by drop").heads


def test_columns_stand_under_each_other() -> None:
    """Every line of a table is as wide as the others, numbers to the right."""
    lines = answer_text(ask(**FIVE_POINTS)).splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("Runs by drop"))

    assert {len(line) for line in lines[start + 1 : start + 6]} == {len("   5 points   85 %     253     362")}


def test_published_rates_fit_a_narrow_screen() -> None:
    """The list of published rates fits too."""
    assert [line for line in field_text().splitlines() if len(line) > 80] == []
    assert "tau-bench-airline/gpt-4o" in field_text()
