"""The HTML error page: a gateway's page under a 200."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from passhat.faults._checks import check, one_of
from passhat.faults.base import Fault
from passhat.model.base import Json
from passhat.model.condition import Visibility
from passhat.model.dice import Dice
from passhat.model.effect import Effect, Reply
from passhat.model.trial import Call
from passhat.shapes.text import error_page

_STATUSES = (500, 502, 503, 504)


@dataclass(frozen=True, slots=True)
class HtmlErrorPage(Fault):
    """Upstream does the job, and a gateway's HTML page takes the place of its reply, under a 200.

    A good agent sees that this is no data. It reads the state before it repeats a write.
    """

    visibility: ClassVar[Visibility] = Visibility.EXPLICIT

    status: int = 502

    def __post_init__(self) -> None:
        """Refuse what is no server error."""
        check(self, one_of("status", self.status, _STATUSES))

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        return Reply(error_page(self.status))
