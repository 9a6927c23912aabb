"""What customers ask of the shop, in their words, and what must be different afterwards.

`expect` lists the changes to a fresh shop by their place, such as `orders.1001.refunded`; whatever is not
listed must be as it was. None says that a place is gone.
"""

from __future__ import annotations

from passhat.model.base import Json
from passhat.model.task import Task


def _refund(order: int, amount: int) -> Json:
    return {"order": order, "amount": amount}


def _bought(order: int, customer: str, *, lines: dict[str, int], address: str, total: int) -> dict[str, Json]:
    """The changes that a new order brings."""
    record: dict[str, Json] = {
        "id": order,
        "customer": customer,
        "address": address,
        "status": "placed",
        "total": total,
        "refunded": 0,
    }
    changes: dict[str, Json] = {f"orders.{order}.{name}": value for name, value in record.items()}
    return changes | {f"orders.{order}.lines.{product}": quantity for product, quantity in lines.items()}


TASKS = (
    Task(
        "late-parcel",
        "Hello, order 1001 never arrived and nobody answers the phone. Please refund it in full.",
        expect={"orders.1001.refunded": 6_100, "refunds": [_refund(1001, 6_100)]},
        tags=("refund",),
    ),
    Task(
        "broken-mugs",
        "My parcel came badly packed. Please refund 2 of the mugs in order 1002, the others are fine.",
        expect={"orders.1002.refunded": 2_400, "refunds": [_refund(1002, 2_400)]},
        tags=("refund", "quantity"),
    ),
    Task(
        "two-refunds",
        "Both parcels came too late. Please refund whatever is left of orders 1006 and 1007.",
        expect={
            "orders.1006.refunded": 2_400,
            "orders.1007.refunded": 4_500,
            "refunds": [_refund(1006, 1_600), _refund(1007, 4_500)],
        },
        tags=("refund", "steps"),
    ),
    Task(
        "cancel",
        "Good morning, please cancel order 1003, my daughter clicked on it by mistake.",
        expect={"orders.1003.status": "cancelled", "stock.kettle": 9},
        tags=("cancel",),
    ),
    Task(
        "cancel-or-refund",
        "I changed my mind. Please cancel order 1004 if it is still in the house, otherwise refund it.",
        expect={"orders.1004.refunded": 3_000, "refunds": [_refund(1004, 3_000)]},
        tags=("cancel", "refund", "condition"),
    ),
    Task(
        "latest-order",
        "This is dee@example.com. Could you please cancel my latest order? The scarf from before is lovely.",
        expect={"orders.1008.status": "cancelled", "stock.mug": 42, "stock.notebook": 102},
        tags=("cancel", "lookup"),
    ),
    Task(
        "new-address",
        "We are moving next week, so please send order 1008 to '12 Mill Lane' rather than to our old flat.",
        expect={"orders.1008.address": "12 Mill Lane"},
        tags=("address",),
    ),
    Task(
        "fill-cart",
        "Please add 3 notebooks and 2 blue mugs to the cart of ana@example.com, she will pay this evening.",
        expect={"carts.ana.notebook": 3, "carts.ana.mug": 2},
        tags=("cart", "quantity", "steps"),
    ),
    Task(
        "swap",
        "Please take the kettle out of the cart of dee@example.com and put 4 bags of green tea in instead.",
        expect={"carts.dee.kettle": None, "carts.dee.tea": 4},
        tags=("cart", "quantity", "steps"),
    ),
    Task(
        "buy-the-rest",
        "Please remove the green tea from the cart of chi@example.com and check out what remains.",
        expect=_bought(1009, "chi", lines={"mug": 1}, address="21 Park Row", total=1_200)
        | {"carts.chi.tea": None, "carts.chi.mug": None, "stock.mug": 39},
        tags=("cart", "checkout", "steps"),
    ),
    Task(
        "buy-lamps",
        "Our office is dark. Please add 3 desk lamps to the cart of ana@example.com and check out at once.",
        expect=_bought(1009, "ana", lines={"lamp": 3}, address="3 Hill Road", total=13_500) | {"stock.lamp": 3},
        tags=("cart", "checkout", "quantity", "steps"),
    ),
    Task(
        "what-there-is",
        "Please add 5 wool scarves to the cart of ben@example.com, or as many as you have in stock.",
        expect={"carts.ben.scarf": 3},
        tags=("cart", "condition"),
    ),
)
