"""The shop keeps its own rules: what it refuses changes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from passhat.demo.shop import Shop
from passhat.errors import ToolError


def state(shop: Shop) -> Any:  # noqa: ANN401 - JSON is what it is
    """The end state, as plain JSON."""
    return msgspec.json.decode(msgspec.json.encode(shop.snapshot()))


def test_every_shop_is_fresh() -> None:
    """What happens in one shop is not seen in another, nor in a snapshot that was taken before."""
    shop = Shop()
    before = shop.snapshot()

    shop.cancel_order(order=1003)
    shop.add_to_cart(customer="ana", product="mug", quantity=1)

    assert Shop().snapshot() == before
    assert shop.snapshot() != before


def test_tools_are_named_for_their_methods() -> None:
    """Every tool is found under its own name, and says what it does."""
    tools = Shop().tools

    assert len(tools) == 12
    assert all(tool.__name__ == name and tool.__doc__ for name, tool in tools.items())


@pytest.mark.parametrize(
    ("tool", "arguments", "kind"),
    [
        ("find_customer", {"email": "nobody@example.com"}, "not_found"),
        ("find_orders", {"customer": "nobody"}, "not_found"),
        ("get_order", {"order": 1}, "not_found"),
        ("refund_order", {"order": 1003, "amount": 100}, "conflict"),
        ("refund_order", {"order": 1006, "amount": 1_601}, "invalid"),
        ("refund_order", {"order": 1001, "amount": 0}, "invalid"),
        ("refund_order", {"order": 1001, "amount": -5}, "invalid"),
        ("refund_order", {"order": 1001, "amount": True}, "invalid"),
        ("refund_order", {"order": 1001, "amount": 1.5}, "invalid"),
        ("cancel_order", {"order": 1001}, "conflict"),
        ("change_address", {"order": 1001, "address": "12 Mill Lane"}, "conflict"),
        ("change_address", {"order": 1008, "address": " "}, "invalid"),
        ("stock_level", {"product": "boat"}, "not_found"),
        ("add_to_cart", {"customer": "ana", "product": "scarf", "quantity": 4}, "conflict"),
        ("add_to_cart", {"customer": "ana", "product": "boat", "quantity": 1}, "not_found"),
        ("remove_from_cart", {"customer": "chi", "product": "tea", "quantity": 3}, "invalid"),
        ("remove_from_cart", {"customer": "ana", "product": "tea"}, "not_found"),
        ("get_cart", {"customer": "nobody"}, "not_found"),
        ("checkout", {"customer": "ana"}, "conflict"),
    ],
)
def test_refusal_changes_nothing(tool: str, arguments: Mapping[str, Any], kind: str) -> None:
    """A tool that refuses says why, and leaves the shop as it was."""
    shop = Shop()

    with pytest.raises(ToolError) as refused:
        shop.tools[tool](**arguments)

    assert refused.value.kind == kind
    assert state(shop) == state(Shop())


def test_refunds_add_up() -> None:
    """Two refunds of one order are two entries, and the second one finds less left."""
    shop = Shop()

    shop.refund_order(order=1002, amount=1_200)
    told = shop.refund_order(order=1002, amount=1_200)

    assert told == {"order": 1002, "refunded": 2_400, "left": 3_200}
    assert state(shop)["refunds"] == [{"order": 1002, "amount": 1_200}] * 2


def test_cancelling_puts_goods_back() -> None:
    """The goods of a cancelled order are in stock again."""
    shop = Shop()

    shop.cancel_order(order=1008)

    assert shop.stock_level(product="mug") == {"product": "mug", "stock": 42}


def test_checkout_moves_goods() -> None:
    """A checkout makes an order of the cart, empties the cart and takes the goods out of stock."""
    shop = Shop()
    shop.add_to_cart(customer="chi", product="lamp", quantity=2)

    shop.checkout(customer="chi")

    end = state(shop)
    assert end["orders"]["1009"]["lines"] == {"tea": 2, "mug": 1, "lamp": 2}
    assert end["orders"]["1009"]["total"] == 11_800
    assert end["carts"]["chi"] == {}
    assert end["stock"]["lamp"] == 4


def test_cart_gives_part_of_a_product_back() -> None:
    """Taking some of a product out of a cart leaves the rest in it."""
    shop = Shop()

    shop.remove_from_cart(customer="chi", product="tea", quantity=1)

    assert shop.get_cart(customer="chi") == {"customer": "chi", "lines": {"tea": 1, "mug": 1}, "total": 2_000}


def test_orders_are_found_by_status() -> None:
    """A customer's orders come oldest first, and only those of a status where one is asked for."""
    shop = Shop()

    placed = shop.find_orders(customer="dee", status="placed")
    every = shop.find_orders(customer="dee")

    assert [order["id"] for order in every] == [1005, 1008]  # type: ignore[union-attr, index, call-overload]
    assert [order["id"] for order in placed] == [1008]  # type: ignore[union-attr, index, call-overload]
