"""Lists of messages that are cut: whatever is left can be shown to a model, and less of it is a part of more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.model.base import Json
from passhat.shapes.messages import calls, is_system, results, tokens, truncated, units
from tests.shapes.jsons import JSONS

Message = dict[str, Any]
WORDS = st.text("abc ", max_size=60)


def _chat(names: Sequence[str], words: str) -> list[Message]:
    """A call of some tools and their results, as chat completions have it."""
    made = [{"id": name, "type": "function", "function": {"name": "look", "arguments": "{}"}} for name in names]
    answers = [{"role": "tool", "tool_call_id": name, "content": words} for name in names]
    return [{"role": "assistant", "content": None, "tool_calls": made}, *answers]


def _blocks(names: Sequence[str], words: str) -> list[Message]:
    """The same, as messages of blocks: all results in one."""
    made = [{"type": "tool_use", "id": name, "name": "look", "input": {}} for name in names]
    answers = [{"type": "tool_result", "tool_use_id": name, "content": words} for name in names]
    return [{"role": "assistant", "content": made}, {"role": "user", "content": answers}]


def _items(names: Sequence[str], words: str) -> list[Message]:
    """The same, as items of their own."""
    made = [{"type": "function_call", "call_id": name, "name": "look", "arguments": "{}"} for name in names]
    return [*made, *({"type": "function_call_output", "call_id": name, "output": words} for name in names)]


SAYS = st.tuples(st.sampled_from(["user", "assistant", "system", "developer"]), WORDS)
LOOKS = st.tuples(st.sampled_from([_chat, _blocks, _items]), st.integers(1, 3), WORDS)


@st.composite
def conversations(draw: st.DrawFn) -> list[Json]:
    """Messages in the forms that models take, with tool calls that are all answered."""
    found: list[Json] = []
    for turn, part in enumerate(draw(st.lists(st.one_of(SAYS, LOOKS), max_size=12))):
        if len(part) == 2:
            found.append({"role": part[0], "content": part[1]})
        else:
            shape, count, words = part
            found.extend(shape([f"{turn}-{number}" for number in range(count)], words))
    return found


CUTS = st.tuples(conversations(), st.integers(1, 400), st.booleans())


def _is_part(small: Sequence[Json], large: Sequence[Json]) -> bool:
    """True where *small* is *large* with some left out, in its order."""
    rest = iter(large)
    return all(any(one is other for other in rest) for one in small)


@given(CUTS)
def test_no_orphans(cut: tuple[list[Json], int, bool]) -> None:
    """THEOREM: what is left answers no call that is gone, and leaves no call without the answers that it had."""
    messages, keep, middle = cut
    left = truncated(messages, keep, middle=middle)

    made = [name for message in left for name in calls(message)]
    answered = [name for message in left for name in results(message)]
    assert sorted(made) == sorted(answered)


@given(CUTS)
def test_order_is_kept(cut: tuple[list[Json], int, bool]) -> None:
    """THEOREM: what is left is the list with some messages left out, each the same object as before."""
    messages, keep, middle = cut

    assert _is_part(truncated(messages, keep, middle=middle), messages)


@given(CUTS)
def test_instructions_and_the_newest_are_kept(cut: tuple[list[Json], int, bool]) -> None:
    """THEOREM: every system message stays, and so does the last of the others, however little is to be kept."""
    messages, keep, middle = cut
    left = truncated(messages, keep, middle=middle)
    others = [message for message in messages if not is_system(message)]

    assert [one for one in left if is_system(one)] == [one for one in messages if is_system(one)]
    assert others[-1:] == [one for one in left if not is_system(one)][-1:]


@given(CUTS, st.integers(0, 400))
def test_less_is_a_part_of_more(cut: tuple[list[Json], int, bool], more: int) -> None:
    """THEOREM: what is kept of few tokens is kept of more, so that intensities are nested."""
    messages, keep, middle = cut

    few = truncated(messages, keep, middle=middle)
    assert _is_part(few, truncated(messages, keep + more, middle=middle))


@given(CUTS)
def test_what_is_left_fits(cut: tuple[list[Json], int, bool]) -> None:
    """THEOREM: beyond the system messages and the newest unit, nothing is kept that does not fit."""
    messages, keep, middle = cut
    left = truncated(messages, keep, middle=middle)
    least = [*filter(is_system, messages), *(messages[place] for unit in units(messages)[-1:] for place in unit)]

    assert sum(map(tokens, left)) <= max(keep, sum(map(tokens, least)))


@given(conversations())
def test_what_fits_is_left_alone(messages: list[Json]) -> None:
    """THEOREM: nothing is left out of what is short enough."""
    assert truncated(messages, sum(map(tokens, messages))) == messages


@given(
    st.lists(st.one_of(JSONS, st.builds(dict, role=JSONS, content=JSONS, tool_calls=JSONS, tool_call_id=JSONS))),
    st.booleans(),
)
def test_no_list_breaks_it(messages: list[Json], middle: bool) -> None:  # noqa: FBT001 - drawn
    """THEOREM: whatever stands in a list, some of it is left, in its order, and every place is in one unit or none."""
    places = [place for unit in units(messages) for place in unit]

    assert _is_part(truncated(messages, 1, middle=middle), messages)
    assert sorted(places) == [place for place, message in enumerate(messages) if not is_system(message)]


def _say(number: int) -> Json:
    return {"role": "user", "content": f"{number}" * 100}


@pytest.mark.parametrize(("middle", "left"), [(False, [3, 4, 5]), (True, [0, 4, 5])])
def test_oldest_or_middle_go_first(middle: bool, left: list[int]) -> None:  # noqa: FBT001 - a case
    """Of six messages of equal length, three are kept: the newest three, or those at both ends."""
    messages = [_say(number) for number in range(6)]

    assert truncated(messages, 3 * tokens(messages[0]), middle=middle) == [messages[number] for number in left]


@pytest.mark.parametrize(("shape", "lengths"), [(_chat, [3]), (_blocks, [2]), (_items, [2, 2])])
def test_calls_and_results_stand_together(shape: Any, lengths: list[int]) -> None:  # noqa: ANN401 - a case
    """One message that calls two tools stands or falls with both results; two that call one, each with its own."""
    said: list[Json] = [{"role": "user", "content": "a"}, *shape(["x", "y"], "b"), {"role": "user", "content": "c"}]

    assert [len(unit) for unit in units(said)] == [1, *lengths, 1]


def test_result_without_a_name_belongs_to_what_came_before() -> None:
    """Where a result does not say which call it answers, it goes with the message before it."""
    said: list[Json] = [
        {"role": "user"},
        {"role": "assistant", "function_call": {}},
        {"role": "function", "name": "look"},
    ]

    assert units(said) == [[0], [1, 2]]
