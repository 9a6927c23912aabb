"""The text of a condition: what can be written can be read back, and a mistake is pointed at."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.engine.binding import Catalogue
from passhat.errors import UsageError
from passhat.faults import rate_limit
from passhat.model.condition import Condition
from passhat.model.dose import Burst, PermanentFrom, once_at
from passhat.model.grammar import Argument, Term, parse
from passhat.perturbations import typos
from tests.model.nouns import terms


@given(st.lists(terms, min_size=1, max_size=3))
def test_terms_round_trip(written: list[Term]) -> None:
    """Every term that can be written is read back as the same value, types included."""
    read = parse(" & ".join(map(str, written)))

    assert read == tuple(written)
    assert repr(read) == repr(tuple(written))


def test_name_may_be_typed_with_hyphens() -> None:
    """In the name of a part `-` is as good as `_`; in a value it is itself."""
    typed = parse("rate-limit(rate=0.2, match=refund-*) & a-b(c-d(1))")

    assert typed == parse("rate_limit(rate=0.2, match=refund-*) & a_b(c_d(1))")
    assert "rate_limit(rate=0.2, match=refund-*)" in map(str, typed)


@given(st.text(alphabet='ab&(),= "\\\n.0-1é*%', max_size=15))
def test_any_text_is_read_or_refused(text: str) -> None:
    """No text makes anything but terms or a sentence; and what was read writes itself as it was meant."""
    try:
        read = parse(text)
    except UsageError:
        read = ()

    assert parse(" & ".join(map(str, read))) == read


@pytest.mark.parametrize("text", ["clean", "", "  clean  ", "\n"])
def test_clean_condition_has_no_terms(text: str) -> None:
    """The clean condition is written `clean`."""
    assert parse(text) == ()
    assert Condition.parse(text) == Condition()


def test_values_have_their_types() -> None:
    """Numbers, literals, quoted texts, bare words and nested terms are told apart."""
    (term,) = parse('part(1, -2.5, 1e3, true, false, null, word*, "two words", "true", nested(3), key=value)')

    values = [argument.value for argument in term.arguments]
    assert values == [
        1,
        -2.5,
        1e3,
        True,
        False,
        None,
        "word*",
        "two words",
        "true",
        Term("nested", (Argument("", 3),)),
        "value",
    ]
    assert [type(value) for value in values[:6]] == [int, float, float, bool, bool, type(None)]
    assert term.arguments[-1].name == "key"


def test_share_is_typed_in_two_ways() -> None:
    """A per cent is a number, and is written as one; a text that looks like one is quoted."""
    typed = Condition.parse("rate_limit(20%, share=50%) & typos(5%)")

    assert typed == Condition.parse("rate_limit(0.2, share=0.5) & typos(0.05)")
    assert str(Term("part", (Argument("", "5%"),))) == 'part("5%")'


@pytest.mark.parametrize(
    ("text", "place", "what"),
    [
        ("rate_limit(", 12, "the text ends"),
        ("rate_limit(rate=)", 17, "found ')'"),
        ("rate_limit(a b)", 14, "found 'b'"),
        ("rate_limit & ", 14, "the text ends"),
        ("& typos", 1, "found '&'"),
        ("typos(0.1) typos", 12, "found 'typos'"),
        ("5(1)", 1, "found '5'"),
        ('typos("\\q")', 7, "found"),
        ("a(b=(1))", 5, "found '('"),
    ],
)
def test_mistake_is_pointed_at(text: str, place: int, what: str) -> None:
    """A complaint quotes the condition, and names the character and what stands there."""
    with pytest.raises(UsageError, match=re.escape(f"at character {place}, where {what}")) as caught:
        parse(text)

    assert repr(text) in str(caught.value)


def test_open_quote_is_pointed_at() -> None:
    """A quote that is never closed is named by its place."""
    with pytest.raises(UsageError, match="quote at character 7 is not closed"):
        parse('typos("abc')


def test_order_of_parts_does_not_matter() -> None:
    """`a & b` and `b & a` are one condition, with one name and one hash."""
    a, b = rate_limit().at(0.2), typos(0.1)

    assert a & b == b & a
    assert (a & b).name == (b & a).name == "rate_limit(rate=0.2) & typos(0.1)"
    assert hash(a & b) == hash(b & a)
    assert Condition.parse("typos(0.1) & rate_limit(rate=0.2)") == a & b


def test_joining_is_associative() -> None:
    """`(a & b) & c` is `a & (b & c)`."""
    a, b, c = rate_limit().at(0.2), typos(0.1), rate_limit(retry_after=5.0).at(once_at(2), match="x*")

    assert (a & b) & c == a & (b & c)


@pytest.mark.parametrize(
    "part",
    [
        rate_limit().at(0.25),
        rate_limit().at(0.0),
        rate_limit().at(once_at(3)),
        rate_limit().at(Burst(2, at=4)),
        rate_limit().at(Burst(3)),
        rate_limit().at(PermanentFrom(2)),
        rate_limit(retry_after=2.5).at(0.5, match="refund*", share=0.3),
        rate_limit().at(match="two words"),
        rate_limit().at(match="a,b"),
        rate_limit().at(match="5"),
        rate_limit().at(match='"'),
        typos(0.05),
    ],
    ids=lambda part: str(part.term),
)
def test_parts_name_binds_to_the_part(part: object) -> None:
    """A condition's derived name, read and bound, is the same condition with parts that act."""
    condition = Condition([part])  # type: ignore[list-item]

    bound = Catalogue().condition(condition.name)

    assert bound == condition
    assert bound.parts == condition.parts


def test_condition_is_frozen() -> None:
    """A condition is a value: nothing can be set on it."""
    with pytest.raises(AttributeError, match="frozen"):
        Condition().name = "other"
    with pytest.raises(AttributeError):
        Condition().colour = "red"


def test_condition_holds_for_sets_and_keys() -> None:
    """Equal conditions are one member of a set; others are not."""
    assert len({Condition(), Condition.parse("clean"), typos(0.1) & typos(0.1), Condition([typos(0.1)])}) == 3


def test_what_is_no_part_is_refused() -> None:
    """Joining a fault with anything else is a sentence."""
    with pytest.raises(UsageError, match="neither a fault nor a perturbation"):
        rate_limit() & 5  # type: ignore[operator]


@pytest.mark.parametrize("share", [0, 1.5, -1, True, float("nan"), "half"])
def test_share_is_checked(share: float) -> None:
    """A share is above 0 and at most 1."""
    with pytest.raises(UsageError, match="share"):
        rate_limit().at(share=share)
