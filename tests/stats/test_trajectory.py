"""Entropy, meltdown and loops within one trajectory, against independent calculations and laws."""

from collections.abc import Hashable, Sequence
from itertools import product
from math import log2, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.errors import UsageError
from passhat.stats import (
    calibrated_threshold,
    loop_step,
    mop_step,
    repeat_step,
    tool_entropy,
    window_entropies,
)

TOOLS = st.lists(st.sampled_from("abcdef"), max_size=30)


@given(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_entropy_knows_no_order(tools: list[str], random: object) -> None:
    """The same calls in another order have the same entropy, to the last bit; it is from 0 to log2 of the tools."""
    bits = tool_entropy(tools)

    assert tool_entropy(sorted(tools)) == tool_entropy(tools[::-1]) == bits
    assert 0 <= bits <= log2(len(set(tools))) + 1e-12


def test_one_tool_has_no_entropy() -> None:
    """However often one tool is called, its entropy is 0 and never -0."""
    assert str(tool_entropy("aaaaaa")) == "0.0"


def test_five_calls_have_seven_entropies() -> None:
    """In a window of five there are seven values; the paper's threshold means four tools or more."""
    windows = list(product("abcde", repeat=5))

    values = {round(tool_entropy(window), 4) for window in windows}

    assert values == {0.0, 0.7219, 0.971, 1.371, 1.5219, 1.9219, 2.3219}
    assert all((tool_entropy(window) > 1.711) == (len(set(window)) >= 4) for window in windows)


@given(TOOLS, st.integers(1, 8))
def test_every_full_window_counts(tools: list[str], window: int) -> None:
    """There is one entropy a full window, each that of its calls alone."""
    bits = window_entropies(tools, window=window)

    assert len(bits) == max(0, len(tools) - window + 1)
    assert all(bits[i] == tool_entropy(tools[i : i + window]) for i in range(len(bits)))


@pytest.mark.parametrize("tools", ["", "abcd", "aaaaaaaaaa", "ababababab", "abcabcabcabc"])
def test_no_meltdown_without_spread(tools: str) -> None:
    """Too few calls, one tool, and loops over two or three tools never fire."""
    assert mop_step(tools) is None


@given(TOOLS, st.sampled_from([0.0, 0.9, 1.4, 1.711]), st.sampled_from([-0.5, 0.0, 0.4, 1.2]))
def test_meltdown_step_keeps_its_definition(tools: list[str], threshold: float, delta: float) -> None:
    """It is the first step at which both conditions hold, by the definition read word by word."""
    steps = [
        t
        for t in range(4, len(tools))
        if (now := tool_entropy(tools[t - 4 : t + 1])) > threshold
        and now - (tool_entropy(tools[t - 9 : t - 4]) if t >= 9 else 0.0) > delta
    ]

    assert mop_step(tools, threshold=threshold, delta=delta) == (steps[0] if steps else None)


@given(TOOLS)
def test_a_delta_of_zero_asks_for_nothing_more(tools: list[str]) -> None:
    """The first window beyond the threshold is above the one before it anyway: there, delta 0 has no say."""
    beyond = [step for step, bits in enumerate(window_entropies(tools), start=4) if bits > 1.711]

    assert mop_step(tools, delta=0) == (beyond[0] if beyond else None)


@given(st.lists(st.lists(st.sampled_from("abcdef"), min_size=5, max_size=20), min_size=1, max_size=40))
def test_calibrated_threshold_spares_passing_trajectories(passing: list[list[str]]) -> None:
    """At the 90 % threshold at most a tenth of the trajectories that it was calibrated on fire."""
    threshold = calibrated_threshold(passing, quantile=0.9)

    fired = sum(mop_step(tools, threshold=threshold) is not None for tools in passing)

    assert fired <= 0.1 * len(passing) + 1e-9


def test_threshold_is_a_value_that_occurred() -> None:
    """Of ten trajectories the 90 % threshold is the ninth largest entropy: one may lie beyond."""
    passing = ["aaaaa"] * 8 + ["aaabb", "abcde"]

    assert calibrated_threshold(passing, quantile=0.9) == tool_entropy("aaabb")
    assert calibrated_threshold(passing, quantile=0.91) == tool_entropy("abcde")


def test_threshold_needs_a_full_window() -> None:
    """Nothing to calibrate on is said, and no threshold invented."""
    with pytest.raises(UsageError, match="a trajectory of 5 calls or more"):
        calibrated_threshold(["abc", ""])


@pytest.mark.parametrize(
    ("calls", "repeats", "longest", "step"),
    [
        ("aaa", 3, 1, 2),
        ("aa", 3, 2, None),
        ("aabaa", 3, 2, None),
        ("abab", 2, 2, 3),
        ("ababab", 3, 2, 5),
        ("ababab", 3, 1, None),
        ("abcabcabc", 3, 3, 8),
        ("xyzaabbaabbaabb", 3, 4, 14),
        ("abcdefgh", 2, 4, None),
    ],
)
def test_circles_are_found(calls: str, repeats: int, longest: int, step: int | None) -> None:
    """A block that comes back to back as often as asked is a loop, at the call that completes it."""
    assert loop_step(calls, repeats=repeats, longest=longest) == step


@given(st.lists(st.sampled_from("ab"), max_size=16), st.integers(2, 4), st.integers(1, 4))
def test_loop_is_the_first_block_that_repeats(calls: list[str], repeats: int, longest: int) -> None:
    """It agrees with looking at every step for every block."""

    def loops_at(end: int) -> bool:
        return any(
            end + 1 >= size * repeats
            and calls[end + 1 - size * repeats : end + 1] == calls[end + 1 - size : end + 1] * repeats
            for size in range(1, longest + 1)
        )

    first = next((t for t in range(len(calls)) if loops_at(t)), None)

    assert loop_step(calls, repeats=repeats, longest=longest) == first


@given(TOOLS, st.integers(2, 4), st.integers(4, 8))
def test_repeat_is_the_first_call_too_many(calls: list[str], repeats: int, within: int) -> None:
    """It agrees with counting each call within the calls before it."""
    first = next(
        (t for t in range(len(calls)) if calls[max(0, t + 1 - within) : t + 1].count(calls[t]) >= repeats), None
    )

    assert repeat_step(calls, repeats=repeats, within=within) == first


def test_arguments_belong_to_a_call() -> None:
    """The same tool with other arguments is another call."""
    calls = [("search", "a"), ("search", "b"), ("search", "c")]

    assert loop_step(calls) is None
    assert loop_step([("search", "a")] * 3) == 2


@pytest.mark.parametrize("tools", [[], ()])
def test_entropy_of_nothing_is_refused(tools: Sequence[Hashable]) -> None:
    """No call has no entropy, and not one of 0."""
    with pytest.raises(UsageError, match="a call or more"):
        tool_entropy(tools)


def test_dicts_are_refused_with_advice() -> None:
    """Arguments given as a dict are the likely mistake: the error says what to give."""
    calls: list[Hashable] = [("search", {"q": 1})]  # a tuple is hashable to a type checker, whatever it holds

    with pytest.raises(UsageError, match="as text, not as a dict"):
        tool_entropy(calls)


def test_what_is_out_of_range_is_refused() -> None:
    """Windows, repeats and thresholds say their range."""
    with pytest.raises(UsageError, match="window is a whole number from 1"):
        mop_step("abc", window=0)
    with pytest.raises(UsageError, match="not NaN"):
        mop_step("abcdef", threshold=nan)
    with pytest.raises(UsageError, match="repeats is a whole number from 2"):
        loop_step("abc", repeats=1)
    with pytest.raises(UsageError, match="longest is a whole number from 1"):
        loop_step("abc", longest=0)
    with pytest.raises(UsageError, match="within is a whole number from 3"):
        repeat_step("abc", within=2)
    with pytest.raises(UsageError, match="quantile is above 0 and below 1"):
        calibrated_threshold(["abcde"], quantile=1)
