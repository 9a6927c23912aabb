"""Questions: which kind one is, and all that can be wrong with one, at once."""

from typing import Any

import pytest

from passhat.errors import UsageError
from passhat.sizing import Kind, Question, answer, kind_of
from passhat.sizing.question import assumed
from passhat.stats import recommend_runs

KINDS: list[tuple[dict[str, Any], Kind]] = [
    ({"half_width": 0.05}, Kind.WIDTH),
    ({"half_width": 0.05, "trials": 5, "icc": 0.2}, Kind.WIDTH),
    ({"runs": 100}, Kind.BAND),
    ({"tasks": 20, "trials": 5}, Kind.BAND),
    ({"baseline": 0.9, "drop": 0.05}, Kind.DROP),
    ({"baseline": 0.9, "drop": 0.05, "tasks": 50, "icc": 0.1}, Kind.DROP),
    ({"baseline": 0.9, "drop": 0.05, "runs": 100}, Kind.POWER),
    ({"baseline": 0.9, "drop": 0.05, "tasks": 20, "trials": 10}, Kind.POWER),
    ({"baseline": 0.9, "runs": 100}, Kind.SEE),
    ({"field": "tau-bench-retail/gpt-4o", "tasks": 20, "trials": 10, "icc": 0.4}, Kind.SEE),
    ({"baseline": 0.9, "drop": 0.05, "paired": True}, Kind.PAIRED),
    ({"baseline": 0.9, "tasks": 50, "paired": True}, Kind.PAIRED_SEE),
    ({"baseline": 0.9, "margin": 0.05}, Kind.MARGIN),
    ({"pass_hat_k": 5, "at_least": 0.8}, Kind.CLAIM),
]


@pytest.mark.parametrize(("given", "kind"), KINDS)
def test_options_decide_the_kind(given: dict[str, Any], kind: Kind) -> None:
    """What was given says what is asked."""
    assert kind_of(Question(**given)) is kind


PROBLEMS: list[tuple[dict[str, Any], list[str]]] = [
    ({}, ["nothing is asked: name --half-width, --drop, --margin, --pass-hat-k or --runs"]),
    ({"baseline": 0.9}, ["a baseline alone asks nothing"]),
    ({"half_width": 0.05, "drop": 0.1}, ["one question at a time: --half-width and --drop ask different ones"]),
    ({"half_width": 0.6}, ["--half-width is from 1e-06 to 0.5, not --half-width=0.6: that of an interval from 0 to 1"]),
    ({"half_width": 1e-7}, ["--half-width is from 1e-06 to 0.5, not --half-width=1e-07"]),
    ({"half_width": "x"}, ["--half-width is a number, not 'x'"]),
    ({"half_width": 0.05, "confidence": 1}, ["--confidence is above 0 and below 1, not --confidence=1"]),
    (
        {"half_width": 0.05, "alpha": 0.05},
        ["--alpha has no say in how many runs for a half-width: it is --confidence here"],
    ),
    ({"half_width": 0.05, "method": "exact"}, ["--method is one of wald, wilson, clopper-pearson here, not 'exact'"]),
    ({"half_width": 0.05, "tasks": 5, "trials": 5}, ["--tasks and --trials are the runs that --half-width asks for"]),
    ({"half_width": 0.05, "icc": 0.2}, ["--icc needs --trials or --tasks"]),
    ({"runs": 0}, ["--runs is a whole number from 1, not --runs=0"]),
    ({"runs": 100, "tasks": 10}, ["--runs and --tasks: give --runs and --trials, or --tasks and --trials"]),
    ({"drop": 0.05}, ["a baseline is missing"]),
    ({"drop": 0.05, "baseline": 0.9, "field": "tau-bench-retail/gpt-4o"}, ["are two baselines: give one"]),
    ({"drop": 0.05, "field": "tau"}, ["there is no published rate 'tau': --field list shows them all"]),
    ({"drop": 0.7, "field": "tau-bench-retail/gpt-4o"}, ["--drop is at most the baseline, 0.604, not 0.7"]),
    ({"drop": 0.95, "baseline": 0.9}, ["--drop is at most the baseline, 0.9, not 0.95"]),
    ({"drop": 5, "baseline": 0.9}, ["--drop is above 0 and below 1, not --drop=5"]),
    ({"drop": 1e-8, "baseline": 0.9}, ["--drop is from 1e-06 to the baseline, not --drop=1e-08"]),
    ({"drop": 0.05, "baseline": 0.9, "alpha": 1e-305}, ["--alpha is at least 1e-299, not --alpha=1e-305"]),
    ({"drop": 0.05, "baseline": 0.9, "tasks": "x", "trials": 4}, ["--tasks is a number, not 'x'"]),
    (
        {"drop": 0.05, "baseline": 0.9, "tasks": 10**10, "trials": 10**4},
        ["--tasks and --trials are at most 1,000,000,000,000 runs together"],
    ),
    ({"drop": 0.05, "baseline": 1}, ["--baseline is above 0 and below 1, not --baseline=1"]),
    ({"drop": 0.05, "baseline": 0.9, "power": 0.04}, ["--power is above --alpha, 0.05, not 0.04"]),
    ({"drop": 0.05, "baseline": 0.9, "alpha": 0.6}, ["--alpha is above 0 and below 0.5, not --alpha=0.6"]),
    ({"drop": 0.05, "baseline": 0.9, "confidence": 0.9}, ["it is --alpha here"]),
    ({"drop": 0.05, "baseline": 0.9, "method": "wald"}, ["--method is one of normal, continuity,"]),
    ({"drop": 0.05, "baseline": 0.9, "icc": -1, "trials": 3}, ["--icc is from 0 to 1, not --icc=-1"]),
    ({"drop": 0.05, "baseline": 0.9, "spread": 0.1}, ["--spread has no say in how many runs catch a drop"]),
    ({"drop": 0.05, "baseline": 0.9, "cost_per_run": -1}, ["--cost-per-run is a number from 0 on"]),
    ({"drop": 0.05, "baseline": 0.9, "paired": True, "method": "exact"}, ["--method has no say in how many tasks"]),
    ({"paired": True, "baseline": 0.9}, ["--tasks is missing: how many tasks run in both arms?"]),
    ({"drop": 0.05, "baseline": 0.9, "paired": True, "icc": 1}, ["--icc 1 leaves nothing to chance"]),
    ({"drop": 0.05, "baseline": 0.9, "paired": True, "spread": 1e200}, ["--spread is from 0 to 1"]),
    ({"margin": 0.95, "baseline": 0.9}, ["--margin is below the baseline, 0.9, not 0.95"]),
    ({"margin": 0.9, "baseline": 0.9}, ["--margin is below the baseline, 0.9, not 0.9"]),
    ({"margin": 1e-300, "baseline": 0.9}, ["--margin is from 1e-06 to the baseline"]),
    ({"margin": 0.05, "baseline": 0.9, "runs": 5}, ["--runs has no say in how many runs show that a candidate"]),
    ({"pass_hat_k": 5}, ["--at-least is missing"]),
    ({"at_least": 0.9}, ["--pass-hat-k is missing"]),
    ({"pass_hat_k": 3, "at_least": 0.9, "failures": 20_000}, ["--failures is at most 10,000, not --failures=20000"]),
    ({"pass_hat_k": -1, "at_least": 0.9}, ["--pass-hat-k is a whole number from 1, not --pass-hat-k=-1"]),
    (
        {"pass_hat_k": 5, "at_least": 1, "failures": -1},
        ["--at-least is above 0", "--failures is a whole number from 0"],
    ),
    (
        {"drop": 1.5, "baseline": 2, "icc": "x", "trials": 0, "power": 1},
        [
            "--drop is above 0",
            "--baseline is above 0",
            "--icc is a number",
            "--trials is a whole",
            "--power is above 0",
        ],
    ),
]


@pytest.mark.parametrize(("given", "says"), PROBLEMS)
def test_all_that_is_wrong_is_said_at_once(given: dict[str, Any], says: list[str]) -> None:
    """Each mistake is one sentence with the allowed range, and no sentence is said beside."""
    with pytest.raises(UsageError) as caught:
        kind_of(Question(**given))

    problems = list(caught.value.problems)
    assert len(problems) == len(says), problems
    assert [text for text in says if not any(text in problem for problem in problems)] == []


EXTREMES: dict[str, tuple[Any, ...]] = {
    "half_width": (1e-6, 0.5, 1e-300, 1 - 1e-16),
    "drop": (1e-6, 0.9, 1e-300, 1e300),
    "margin": (1e-6, 0.9, 1e-300, 1e300),
    "alpha": (1e-299, 1e-300, 0.5),
    "power": (1e-300, 1 - 1e-16),
    "confidence": (1e-300, 1 - 1e-16),
    "at_least": (1e-300, 1 - 1e-16),
    "pass_hat_k": (10**12, 10**13),
    "failures": (10_000, 10_001),
    "runs": (10**12, 10**13),
    "tasks": (1, 10**12, 10**13),
    "trials": (10**12, 10**13),
    "icc": (1, 1e-300, 1e300),
    "spread": (1, 1e-300, 1e300),
}


@pytest.mark.parametrize(
    "changed",
    [{**given, name: value} for given, _ in KINDS for name in given for value in EXTREMES.get(name, ())]
    + [{**given, "alpha": value} for given, _ in KINDS if "baseline" in given for value in EXTREMES["alpha"]]
    + [{**given, "confidence": value} for given, _ in KINDS[:4] for value in EXTREMES["confidence"]],
    ids=repr,
)
def test_extremes_are_answered_or_refused_by_the_option_s_name(changed: dict[str, Any]) -> None:
    """At the ends of the ranges and beyond there is an answer, or a sentence that calls the option as it is typed."""
    try:
        assert answer(Question(**changed)).number
    except UsageError as error:
        names = [problem for problem in error.problems if any(f"{name}=" in problem for name in Question._fields)]
        assert [one for one in names if not one.startswith("--")] == []


def test_widest_half_width_is_answered_on_the_command_line_too() -> None:
    """What the library accepts, the command line accepts: 0.5 is the half-width of an interval from 0 to 1."""
    assert answer(Question(half_width=0.5)).values["runs"] == recommend_runs(0.5)


def test_what_was_taken_for_granted_is_told() -> None:
    """Every option with a say that was not given is there with the value that was taken for it."""
    asked = Question(field="tau-bench-airline/gpt-4o", drop=0.05, alpha=0.1)

    assert assumed(asked, Kind.DROP) == {
        "baseline": 0.42,
        "power": 0.8,
        "two_sided": False,
        "trials": 1,
        "icc": 0.0,
        "method": "normal",
    }


def test_what_is_asked_for_is_not_taken_for_granted() -> None:
    """Where tasks are given, the trials are the answer and no assumption."""
    assert "trials" not in assumed(Question(half_width=0.05, tasks=500), Kind.WIDTH)


def test_every_option_has_a_say_somewhere() -> None:
    """No option is refused in every kind of question."""
    used = {name for given, _ in KINDS for name in given}
    rest: dict[str, dict[str, Any]] = {
        "failures": {"pass_hat_k": 5, "at_least": 0.8, "failures": 1},
        "spread": {"baseline": 0.9, "tasks": 50, "paired": True, "spread": 0.1},
        "power": {"baseline": 0.9, "drop": 0.05, "power": 0.9},
        "alpha": {"baseline": 0.9, "drop": 0.05, "alpha": 0.1},
        "two_sided": {"baseline": 0.9, "drop": 0.05, "two_sided": True},
        "confidence": {"half_width": 0.05, "confidence": 0.9},
        "method": {"half_width": 0.05, "method": "wilson"},
        "cost_per_run": {"half_width": 0.05, "cost_per_run": 1},
        "seconds_per_run": {"half_width": 0.05, "seconds_per_run": 1},
    }

    assert {kind_of(Question(**given)) for given in rest.values()} <= set(Kind)
    assert used | rest.keys() == set(Question._fields)
