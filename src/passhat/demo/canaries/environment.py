"""The canary of feedback: replies that look right, and mean something else.

A workshop that knows its customers. An empty list there may be a service that could not answer, and a call that timed
out may have been done.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from passhat import faults, graders
from passhat.demo.canaries.base import Canary, day_of, one_of, record_of
from passhat.errors import ToolError
from passhat.model.base import Json
from passhat.model.task import Suite, Task

JOBS = ("brakes", "gears", "wheel")
_EMAILS = {"C1": "lena@example.com", "C2": "omar@example.com", "C3": "pia@example.com", "C4": "rui@example.com"}


class Workshop:
    """A fresh workshop: customers, and the repairs that are booked for them."""

    sandbox: ClassVar[bool] = True
    reads: ClassVar[tuple[str, ...]] = ("find_customers", "list_repairs")

    def __init__(self) -> None:
        """Four customers, and no repair."""
        self.customers: dict[str, dict[str, Json]] = {id_: _customer(id_, email) for id_, email in _EMAILS.items()}
        self.repairs: list[dict[str, Json]] = []

    @property
    def tools(self) -> Mapping[str, Callable[..., Json]]:
        """What an agent may do here."""
        tools = (self.find_customers, self.create_customer, self.list_repairs, self.book_repair)
        return {tool.__name__: tool for tool in tools}

    def snapshot(self) -> Json:
        """The end state: all of it."""
        customers: Json = {id_: dict(record) for id_, record in self.customers.items()}
        return {"customers": customers, "repairs": [dict(repair) for repair in self.repairs]}

    def find_customers(self, *, email: str) -> Json:
        """The customers who have this address: a list, which is empty where there is none."""
        return [dict(record) for record in self.customers.values() if record["email"] == email]

    def create_customer(self, *, email: str) -> Json:
        """Make a record for a new customer. The reply is the record, with its id."""
        if "@" not in email:
            raise ToolError("invalid", f"422 Unprocessable: {email!r} is no address")
        id_ = f"C{len(self.customers) + 1}"
        self.customers[id_] = _customer(id_, email)
        return dict(self.customers[id_])

    def list_repairs(self, *, customer: str) -> Json:
        """The repairs that are booked for the customer of this id."""
        record_of(self.customers, customer, "customer")
        return [dict(repair) for repair in self.repairs if repair["customer"] == customer]

    def book_repair(self, *, customer: str, job: str, day: str) -> Json:
        """Book a repair for the customer of this id on a day, such as 2026-12-07: brakes, gears or wheel.

        The same may be booked twice, because some have two bicycles.
        """
        record_of(self.customers, customer, "customer")
        one_of(job, JOBS, "job")
        repair: dict[str, Json] = {"customer": customer, "job": job, "day": day_of(day)}
        self.repairs.append(repair)
        return dict(repair)


def _customer(id_: str, email: str) -> dict[str, Json]:
    return {"id": id_, "email": email}


def _expected(*repairs: tuple[str, str, str]) -> Json:
    """The end state with these repairs, and with nobody new."""
    return {
        "customers": {id_: _customer(id_, email) for id_, email in _EMAILS.items()},
        "repairs": [{"customer": customer, "job": job, "day": day} for customer, job, day in repairs],
    }


_NEW = "Make a record first for whoever is new."
TASKS = (
    Task(
        "brakes",
        f"This is lena@example.com: could you please book me in for new brakes on 2026-12-07? {_NEW}",
        expect=_expected(("C1", "brakes", "2026-12-07")),
    ),
    Task(
        "two-repairs",
        f"For omar@example.com, please book the gears on 2026-12-08 and a wheel on 2026-12-10. {_NEW}",
        expect=_expected(("C2", "gears", "2026-12-08"), ("C2", "wheel", "2026-12-10")),
    ),
    Task(
        "wheel",
        f"Good morning, pia@example.com wants a wheel mended, and can bring it on 2026-12-09. Please book it. {_NEW}",
        expect=_expected(("C3", "wheel", "2026-12-09")),
    ),
    Task(
        "two-customers",
        f"Book rui@example.com in for brakes on 2026-12-14, and lena@example.com for gears on 2026-12-15. {_NEW}",
        expect=_expected(("C4", "brakes", "2026-12-14"), ("C1", "gears", "2026-12-15")),
    ),
)

ENVIRONMENT = Canary(
    name="environment",
    pathway="environmental feedback",
    story="an empty list that was really an error, and a timeout after the job was done",
    good="asks again before it acts on 'there is none', and looks what was done before it repeats a write",
    suite=Suite(
        name="canary-environment",
        tasks=TASKS,
        world=Workshop,
        grader=graders.all_of((graders.end_state(unordered=["repairs"]), graders.at_most_once("book_repair"))),
    ),
    under=(
        faults.empty_result().at(match="find_customers"),
        faults.lost_reply(hang=2.0).at(match="book_repair"),
    ),
)
