"""A number is typed in several ways, and is one number."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.model.numbers import typed_number


@pytest.mark.parametrize("text", ["0.05", ".05", "5%", "5 %", " 5.0% ", "5e-2", "5e0%", "+.05"])
def test_share_is_typed_in_many_ways(text: str) -> None:
    """A fraction, with or without its zero, and a per cent are the same number."""
    assert typed_number(text) == 0.05


@pytest.mark.parametrize("text", ["", "%", "five", "5%%", "5 5", "0x5", "%5", "e-2", "--5"])
def test_text_that_is_no_number_is_none(text: str) -> None:
    """What is no number is not guessed at."""
    assert typed_number(text) is None


@given(st.integers(0, 10_000_000), st.integers(0, 5))
def test_per_cent_is_the_nearest_float(digits: int, places: int) -> None:
    """A per cent is the very float that its fraction would be: 12.3% is 0.123, to the last digit."""
    per_cent = f"{digits}e-{places}"

    assert typed_number(f"{digits / 10**places:.{places}f}%") == float(per_cent.replace(f"-{places}", f"-{places + 2}"))
