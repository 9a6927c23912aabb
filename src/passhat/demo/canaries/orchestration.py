"""The canary of orchestration: a step that is handed over, and that nobody has.

A service desk with teams behind it. A hand-over that gets lost looks nearly like one that worked, and so the customer
is told of a team that has never heard of the ticket.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import ClassVar

from passhat import faults, graders
from passhat.demo.canaries.base import Canary, one_of, record_of
from passhat.model.base import Json
from passhat.model.task import Suite, Task

TEAMS = ("billing", "shipping", "security")
_SUBJECTS = {
    "4101": "I was charged twice",
    "4102": "Somebody else has signed in to my account",
    "4103": "My parcel has not come",
    "4104": "The same parcel, again",
    "4105": "I need an invoice with my address",
    "4106": "Where is my lamp?",
}


class Desk:
    """A fresh service desk: tickets, each with the team that has it and what its customer was told."""

    sandbox: ClassVar[bool] = True
    reads: ClassVar[tuple[str, ...]] = ("get_ticket",)

    def __init__(self) -> None:
        """Six tickets that nobody has yet."""
        self.tickets: dict[str, dict[str, Json]] = {
            number: {"ticket": number, "subject": subject, "team": None, "told": []}
            for number, subject in _SUBJECTS.items()
        }

    @property
    def tools(self) -> Mapping[str, Callable[..., Json]]:
        """What an agent may do here."""
        return {tool.__name__: tool for tool in (self.get_ticket, self.hand_over, self.tell_customer)}

    def snapshot(self) -> Json:
        """The end state: which team has which ticket, and what the customers were told."""
        return {number: {"team": one["team"], "told": one["told"]} for number, one in self.tickets.items()}

    def get_ticket(self, *, ticket: str) -> Json:
        """One ticket: its subject, the team that has it (null: none), and the teams that its customer was told of."""
        return deepcopy(record_of(self.tickets, str(ticket), "ticket"))

    def hand_over(self, *, ticket: str, team: str) -> Json:
        """Hand a ticket to a team: billing, shipping or security. The reply is the ticket, with its team."""
        record_of(self.tickets, str(ticket), "ticket")["team"] = one_of(team, TEAMS, "team")
        return self.get_ticket(ticket=ticket)

    def tell_customer(self, *, ticket: str, team: str) -> Json:
        """Write to the customer of a ticket that this team looks after it. The reply is the ticket."""
        record = record_of(self.tickets, str(ticket), "ticket")
        record["told"] = [*_told(record), one_of(team, TEAMS, "team")]
        return self.get_ticket(ticket=ticket)


def _told(record: Mapping[str, Json]) -> list[Json]:
    told = record["told"]
    return told if isinstance(told, list) else []


def _expected(**teams: str) -> Json:
    """The end state where each of these tickets, written t4101, is with its team, and its customer knows."""
    chosen = {name.removeprefix("t"): team for name, team in teams.items()}
    return {
        number: {"team": chosen.get(number), "told": [chosen[number]] if number in chosen else []}
        for number in _SUBJECTS
    }


TASKS = (
    Task(
        "double-charge",
        "Ticket 4101 is about a double charge. Please hand it over to billing, and then tell the customer who has it.",
        expect=_expected(t4101="billing"),
    ),
    Task(
        "stranger",
        "A stranger has signed in to the account of ticket 4102: hand it over to security, then tell the customer.",
        expect=_expected(t4102="security"),
    ),
    Task(
        "one-parcel",
        "Tickets 4103 and 4104 are about one parcel. Hand both over to shipping, then tell both customers.",
        expect=_expected(t4103="shipping", t4104="shipping"),
    ),
    Task(
        "two-teams",
        "Please hand ticket 4105 over to billing and ticket 4106 to shipping, and then tell both customers.",
        expect=_expected(t4105="billing", t4106="shipping"),
    ),
)

ORCHESTRATION = Canary(
    name="orchestration",
    pathway="orchestration",
    story="a step that is handed over, and that nobody has",
    good="reads who has the ticket before it tells anybody, and takes 'pending' and 'accepted' for what they are",
    suite=Suite(
        name="canary-orchestration",
        tasks=TASKS,
        world=Desk,
        grader=graders.all_of((graders.end_state(), graders.before("hand_over", "tell_customer"))),
    ),
    under=(
        faults.lost_owner().at(match="hand_over"),
        faults.dropped_step().at(match="tell_customer"),
    ),
)
