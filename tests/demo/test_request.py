"""How a request is read."""

from __future__ import annotations

import pytest

from passhat.demo.request import Clause, Item, read


def test_numbers_belong_to_the_products_after_them() -> None:
    """Each product has the number before it, in digits or as a word; without one it is one."""
    request = read("Please add 3 notebooks, two blue mugs and a lamp to the cart of ana@example.com.", closely=False)

    items = (Item("notebook", 3), Item("mug", 2), Item("lamp", 1))
    assert request.clauses == (Clause("add", items=items),)
    assert request.email == "ana@example.com"


def test_order_numbers_are_no_quantities() -> None:
    """A number above a thousand names an order."""
    request = read("Please refund 2 of the mugs in order 1002.", closely=False)

    assert request.orders == (1002,)
    assert request.clauses[0].items == (Item("mug", 2),)


def test_otherwise_marks_the_way_out() -> None:
    """The clause behind 'otherwise' is the way out of the one before it."""
    request = read("Please cancel order 1004 if you can, otherwise refund it.", closely=False)

    assert [(clause.verb, clause.otherwise) for clause in request.clauses] == [
        ("cancel", False),
        ("refund", True),
    ]


def test_quoted_text_is_an_address() -> None:
    """What stands in quotes is kept as it is."""
    assert read("Please send order 1008 to '12 Mill Lane'.", closely=False).address == "12 Mill Lane"


def test_text_without_a_known_verb_asks_for_nothing() -> None:
    """A text in which no verb is known has no clauses."""
    assert read("The weather is fine.", closely=True).clauses == ()


@pytest.mark.parametrize(
    ("word", "hasty", "close"), [("refund", 1, 1), ("refudn", 1, 1), ("rfeund", 0, 1), ("banana", 0, 0)]
)
def test_only_a_close_reader_knows_a_mistyped_word(word: str, hasty: int, close: int) -> None:
    """A hasty reader needs the first letters, a close one takes the most similar word."""
    text = f"Please {word} order 1001."

    assert len(read(text, closely=False).clauses) == hasty
    assert len(read(text, closely=True).clauses) == close
