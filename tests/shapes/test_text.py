"""Cut text, broken JSON and error pages."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.model.base import Json
from passhat.shapes.text import cut_at_word, error_page, malformed
from tests.shapes.jsons import JSONS

WORDS = st.lists(st.text("abcde", min_size=1, max_size=6), max_size=8).map(" ".join)


@given(WORDS | st.text(), st.integers(1, 30))
def test_cut_text_is_a_beginning(text: str, keep: int) -> None:
    """A cut text is the beginning of the whole, and no longer than it may be; a short one stays."""
    cut = cut_at_word(text, keep)

    assert text.startswith(cut)
    assert cut == text if len(text) <= keep else len(cut) <= keep


@given(WORDS, st.integers(1, 30))
def test_cut_text_ends_with_a_whole_word(text: str, keep: int) -> None:
    """No word is cut, unless the first alone is too long."""
    cut = cut_at_word(text, keep)

    assert cut.split() == text.split()[: len(cut.split())] or len(text.split(maxsplit=1)[0]) > keep


@given(JSONS, st.sampled_from(["cut", "escape", "trailing"]), st.floats(0, 1, exclude_max=True))
def test_malformed_json_cannot_be_read(value: Json, how: str, share: float) -> None:
    """No value, however it is broken, leaves a text that is JSON."""
    broken = malformed(value, how, share=share)

    assert broken
    with pytest.raises(json.JSONDecodeError):
        json.loads(broken)


@given(JSONS, st.sampled_from(["cut", "escape", "trailing"]))
def test_what_stays_of_broken_json_is_as_it_was(value: Json, how: str) -> None:
    """A cut is a beginning, a rest comes behind the whole, and without the bad escape the text is the whole."""
    whole = json.dumps(value, ensure_ascii=False)
    broken = malformed(value, how)

    assert whole.startswith(broken) or broken.startswith(whole) or broken.replace("\\x", "", 1) == whole


def test_cut_keeps_its_share() -> None:
    """A share of the characters is left."""
    assert malformed([1, 2, 3, 4], "cut", share=0.5) == "[1, 2,"


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_error_page_is_a_page(status: int) -> None:
    """The page names its status and its phrase, and is closed."""
    page = error_page(status)

    assert page.count(f"<h1>{status} ") == 1
    assert page.startswith("<!DOCTYPE html>")
    assert page.endswith("</html>\n")
