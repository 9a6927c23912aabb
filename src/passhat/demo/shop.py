"""The shop: customers, products, orders, carts and refunds, and the tools that change them.

State and its rules alone; nothing here knows an agent or a task. Amounts are in cents. A tool that refuses
raises `ToolError`, and has then changed nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from passhat.errors import ToolError
from passhat.model.base import Json

Record = dict[str, Json]


@dataclass(frozen=True, slots=True)
class Product:
    """What the shop sells."""

    name: str
    price: int


@dataclass(slots=True)
class Order:
    """A bought basket: `lines` are quantities by product."""

    id: int
    customer: str
    lines: dict[str, int]
    address: str
    status: str = "placed"
    refunded: int = 0

    @property
    def total(self) -> int:
        """What the customer paid."""
        return sum(PRODUCTS[product].price * quantity for product, quantity in self.lines.items())

    def record(self) -> Record:
        """The order as a tool shows it."""
        return {
            "id": self.id,
            "customer": self.customer,
            "lines": dict(self.lines),
            "address": self.address,
            "status": self.status,
            "total": self.total,
            "refunded": self.refunded,
        }


PRODUCTS: Mapping[str, Product] = {
    "mug": Product("blue mug", 1_200),
    "tea": Product("green tea", 800),
    "lamp": Product("desk lamp", 4_500),
    "notebook": Product("notebook", 600),
    "kettle": Product("steel kettle", 3_900),
    "scarf": Product("wool scarf", 2_500),
}
CUSTOMERS: Mapping[str, str] = {
    "ana@example.com": "ana",
    "ben@example.com": "ben",
    "chi@example.com": "chi",
    "dee@example.com": "dee",
}
_STOCK = {"mug": 40, "tea": 25, "lamp": 6, "notebook": 100, "kettle": 8, "scarf": 3}


def _orders() -> dict[int, Order]:
    """The orders that the shop opens with."""
    orders = (
        Order(1001, "ana", {"lamp": 1, "tea": 2}, "3 Hill Road", status="shipped"),
        Order(1002, "ben", {"mug": 4, "tea": 1}, "9 Dock Street", status="delivered"),
        Order(1003, "chi", {"kettle": 1}, "21 Park Row"),
        Order(1004, "ana", {"notebook": 5}, "3 Hill Road", status="shipped"),
        Order(1005, "dee", {"scarf": 1}, "7 Bell Yard", status="delivered"),
        Order(1006, "ben", {"tea": 3}, "9 Dock Street", status="delivered", refunded=800),
        Order(1007, "ben", {"lamp": 1}, "9 Dock Street", status="delivered"),
        Order(1008, "dee", {"mug": 2, "notebook": 2}, "7 Bell Yard"),
    )
    return {order.id: order for order in orders}


def _carts() -> dict[str, dict[str, int]]:
    """The carts that the shop opens with."""
    return {"ana": {}, "ben": {"tea": 1}, "chi": {"tea": 2, "mug": 1}, "dee": {"kettle": 1}}


@dataclass(slots=True)
class Shop:
    """A fresh shop: the world of one trial."""

    sandbox: ClassVar[bool] = True
    reads: ClassVar[tuple[str, ...]] = ("find_*", "get_*", "stock_level")

    orders: dict[int, Order] = field(default_factory=_orders)
    carts: dict[str, dict[str, int]] = field(default_factory=_carts)
    stock: dict[str, int] = field(default_factory=lambda: dict(_STOCK))
    refunds: list[Record] = field(default_factory=list)

    @property
    def tools(self) -> Mapping[str, Callable[..., Json]]:
        """What an agent may do here."""
        tools: tuple[Callable[..., Json], ...] = (
            self.find_customer,
            self.find_orders,
            self.get_order,
            self.refund_order,
            self.cancel_order,
            self.change_address,
            self.find_product,
            self.stock_level,
            self.get_cart,
            self.add_to_cart,
            self.remove_from_cart,
            self.checkout,
        )
        return {tool.__name__: tool for tool in tools}

    def snapshot(self) -> Json:
        """The end state: all of it."""
        return {
            "orders": {str(order.id): order.record() for order in self.orders.values()},
            "carts": {customer: dict(cart) for customer, cart in self.carts.items()},
            "stock": dict(self.stock),
            "refunds": [dict(refund) for refund in self.refunds],
        }

    def find_customer(self, *, email: str) -> Json:
        """The customer who has this address."""
        if email not in CUSTOMERS:
            raise ToolError("not_found", f"404 Not Found: no customer has the address {email}")
        return {"id": CUSTOMERS[email], "email": email}

    def find_orders(self, *, customer: str, status: str | None = None) -> Json:
        """A customer's orders, oldest first, with this status where one is given."""
        self._check_customer(customer)
        theirs = [order for order in self.orders.values() if order.customer == customer]
        return [order.record() for order in theirs if status in (None, order.status)]

    def get_order(self, *, order: int) -> Json:
        """One order."""
        return self._order(order).record()

    def refund_order(self, *, order: int, amount: int) -> Json:
        """Pay back *amount* of an order that was shipped or delivered: at most what is left of its total."""
        found = self._order(order)
        if found.status not in {"shipped", "delivered"}:
            raise ToolError("conflict", f"409 Conflict: order {order} is {found.status} and cannot be refunded")
        left = found.total - found.refunded
        if _whole(amount, "amount") > left:
            raise ToolError("invalid", f"422 Unprocessable: {left} can be refunded, not {amount}")
        found.refunded += amount
        self.refunds.append({"order": order, "amount": amount})
        return {"order": order, "refunded": found.refunded, "left": left - amount}

    def cancel_order(self, *, order: int) -> Json:
        """Cancel an order that has not left the house; its goods go back into stock."""
        found = self._order(order)
        if found.status != "placed":
            raise ToolError("conflict", f"409 Conflict: order {order} is {found.status} and cannot be cancelled")
        found.status = "cancelled"
        for product, quantity in found.lines.items():
            self.stock[product] += quantity
        return found.record()

    def change_address(self, *, order: int, address: str) -> Json:
        """Send an order that has not left the house to another address."""
        found = self._order(order)
        if found.status != "placed":
            raise ToolError("conflict", f"409 Conflict: order {order} is {found.status}")
        if not address.strip():
            raise ToolError("invalid", "422 Unprocessable: the address is empty")
        found.address = address
        return found.record()

    def find_product(self, *, name: str) -> Json:
        """The products whose name holds *name*, with their prices."""
        wanted = name.casefold()
        found = {id_: product for id_, product in PRODUCTS.items() if wanted in product.name}
        return [{"id": id_, "name": product.name, "price": product.price} for id_, product in found.items()]

    def stock_level(self, *, product: str) -> Json:
        """How many of a product there are."""
        self._check_product(product)
        return {"product": product, "stock": self.stock[product]}

    def get_cart(self, *, customer: str) -> Json:
        """What is in a customer's cart."""
        self._check_customer(customer)
        return self._cart(customer)

    def add_to_cart(self, *, customer: str, product: str, quantity: int) -> Json:
        """Put more of a product into a cart: as many as there are in stock, at most."""
        self._check_customer(customer)
        self._check_product(product)
        held = self.carts[customer].get(product, 0) + _whole(quantity, "quantity")
        if held > self.stock[product]:
            raise ToolError("conflict", f"409 Conflict: there are {self.stock[product]} of {product}, not {held}")
        self.carts[customer][product] = held
        return self._cart(customer)

    def remove_from_cart(self, *, customer: str, product: str, quantity: int | None = None) -> Json:
        """Take *quantity* of a product out of a cart, or all of it."""
        self._check_customer(customer)
        held = self.carts[customer].get(product, 0)
        if not held:
            raise ToolError("not_found", f"404 Not Found: there is no {product} in the cart")
        taken = held if quantity is None else _whole(quantity, "quantity")
        if taken > held:
            raise ToolError("invalid", f"422 Unprocessable: the cart holds {held} of {product}, not {taken}")
        self.carts[customer][product] = held - taken
        if taken == held:
            del self.carts[customer][product]
        return self._cart(customer)

    def checkout(self, *, customer: str) -> Json:
        """Turn a cart into an order."""
        self._check_customer(customer)
        lines = self.carts[customer]
        if not lines:
            raise ToolError("conflict", "409 Conflict: the cart is empty")
        for product, quantity in lines.items():
            if quantity > self.stock[product]:
                raise ToolError("conflict", f"409 Conflict: {self.stock[product]} of {product} are in stock")
        for product, quantity in lines.items():
            self.stock[product] -= quantity
        address = next(order.address for order in self.orders.values() if order.customer == customer)
        order = Order(max(self.orders) + 1, customer, dict(lines), address)
        self.orders[order.id] = order
        self.carts[customer] = {}
        return order.record()

    def _cart(self, customer: str) -> Json:
        lines = self.carts[customer]
        total = sum(PRODUCTS[product].price * quantity for product, quantity in lines.items())
        return {"customer": customer, "lines": dict(lines), "total": total}

    def _order(self, order: int) -> Order:
        if order not in self.orders:
            raise ToolError("not_found", f"404 Not Found: there is no order {order}")
        return self.orders[order]

    def _check_customer(self, customer: str) -> None:
        if customer not in self.carts:
            raise ToolError("not_found", f"404 Not Found: there is no customer {customer}")

    def _check_product(self, product: str) -> None:
        if product not in PRODUCTS:
            raise ToolError("not_found", f"404 Not Found: there is no product {product}")


def _whole(number: int, what: str) -> int:
    """*number*, where it is a whole number above 0."""
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise ToolError("invalid", f"422 Unprocessable: the {what} is a whole number above 0, not {number!r}")
    return number
