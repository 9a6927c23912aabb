"""Two agents for the canaries: one that trusts every reply, and one that looks before it believes.

Both read the same requests and know the same tools; which of the three jobs it is, the tools tell. Neither draws
anything, so that whatever they do otherwise than usual is the fault's doing.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

from passhat.errors import ToolError
from passhat.model.answer import Answer
from passhat.model.protocols import Tools

_TRIES = 3
# What a service says of the request itself: asking again changes nothing.
_FINAL = frozenset({"not_found", "invalid"})
# A job's request is read as what it is about, and then what is to be done with it: 4101 → billing, ana → a day.
_JOBS: Mapping[str, tuple[str, str]] = {
    "hand_over": (r"\b\d{4}\b", r"billing|shipping|security"),
    "order_dish": (r"\b(?:Ana|Ben|Chi|Dee)\b", r"\d{4}-\d{2}-\d{2}"),
    "book_repair": (r"[\w.]+@[\w.]+\b", r"(?:brakes|gears|wheel)[^.]*?\d{4}-\d{2}-\d{2}"),
}
Arguments: TypeAlias = Mapping[str, Any]


async def trusting(message: str, tools: Tools) -> Answer:
    """Takes every reply at its word, its notes too, and makes a call again where it failed."""
    return await _work(message, _Trusting(tools))


async def careful(message: str, tools: Tools) -> Answer:
    """Believes what it has seen: a reply that shows the thing done, or else a look. It hands over what it cannot do."""
    return await _work(message, _Careful(tools))


async def _work(message: str, clerk: _Trusting) -> Answer:
    """Do one thing after the other, and say so; or say what is in the way."""
    done = []
    try:
        for doing, subject, what in clerk.asked(message):
            await doing(subject, what)
            done.append(f"{subject}: {what}")
    except ToolError as error:
        return Answer(f"I could not do all of it: {error.message}", claims_success=False, handoff=True)
    if not done:
        return Answer("I do not understand what to do.", claims_success=False, handoff=True)
    return Answer(f"Done. {'; '.join(done)}.", claims_success=True)


def read(text: str, subject: str, end: str) -> list[tuple[str, str]]:
    """Pairs of what *text* is about and what shall become of it: "4103 and 4104 to shipping" is two pairs."""
    pairs: list[tuple[str, str]] = []
    subjects: list[str] = []
    closed = False
    for found in re.finditer(f"(?P<end>{end})|(?P<subject>{subject})", text):
        if found["end"]:
            pairs += [(one, found["end"]) for one in subjects]
            closed = True
        else:
            subjects = [found["subject"]] if closed else [*subjects, found["subject"]]
            closed = False
    return pairs


class _Trusting:
    """Knows the three jobs. The careful clerk does the same, and makes surer of each step."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools

    def asked(self, message: str) -> list[tuple[Callable[[str, str], Awaitable[None]], str, str]]:
        """What there is to do, step by step; nothing where the tools or the text are strange."""
        jobs = {"hand_over": self._pass_on, "order_dish": self._serve, "book_repair": self._book}
        job = next((name for name in jobs if name in dir(self._tools)), None)
        return [] if job is None else [(jobs[job], *pair) for pair in read(message, *_JOBS[job])]

    async def _pass_on(self, ticket: str, team: str) -> None:
        look = partial(self._call, "get_ticket", ticket=ticket)
        arguments = {"ticket": ticket, "team": team}
        await self._make("hand_over", arguments, shows=lambda seen: seen.get("team") == team, look=look)
        await self._make("tell_customer", arguments, shows=lambda seen: team in seen.get("told", ()), look=look)

    async def _serve(self, name: str, day: str) -> None:
        guest = name.lower()
        notes = await self._call("recall", guest=guest)
        order = {"guest": guest, "dish": notes["usual"], "portions": notes["portions"], "day": day}
        await self._call("order_dish", **order, without_nuts=await self._wish(guest, notes))

    async def _book(self, email: str, what: str) -> None:
        job, *_, day = what.split()
        repair = {"customer": await self._customer(email), "job": job, "day": day}
        look = partial(self._call, "list_repairs", customer=repair["customer"])

        def shows(seen: Any) -> bool:  # noqa: ANN401 - tools return what they like
            return seen == repair or (isinstance(seen, list) and repair in seen)

        await self._make("book_repair", repair, shows=shows, look=look)

    async def _customer(self, email: str) -> str:
        known = await self._known(email)
        record = known[0] if known else await self._call("create_customer", email=email)
        return str(record["id"])

    async def _known(self, email: str) -> Any:  # noqa: ANN401 - as above
        """The customers with this address, as the list has them."""
        return await self._call("find_customers", email=email)

    async def _wish(self, guest: str, notes: Arguments) -> bool:
        """Whether the guest wants no nuts: the notes know."""
        del guest
        return bool(notes["without_nuts"])

    async def _make(
        self, tool: str, arguments: Arguments, *, shows: Callable[[Any], bool], look: Callable[[], Awaitable[Any]]
    ) -> None:
        """Change something: a reply is a reply."""
        del shows, look
        await self._call(tool, **arguments)

    async def _call(self, tool: str, **arguments: Any) -> Any:  # noqa: ANN401 - as above
        """Call a tool, and again where it failed and another try may help."""
        for left in reversed(range(_TRIES)):
            try:
                return await self._tools.call(tool, **arguments)
            except ToolError as error:
                if error.kind in _FINAL or not left:
                    raise
                await asyncio.sleep(error.retry_after or 0)
        return None


class _Careful(_Trusting):
    """Looks where the trusting clerk believes."""

    async def _known(self, email: str) -> Any:  # noqa: ANN401 - as above
        """The same, and asked once more where it is said to be empty."""
        return await super()._known(email) or await super()._known(email)

    async def _wish(self, guest: str, notes: Arguments) -> bool:
        """The same from the guest's own profile, whatever the notes say."""
        del notes
        profile = await self._call("get_profile", guest=guest)
        return bool(profile["without_nuts"])

    async def _make(
        self, tool: str, arguments: Arguments, *, shows: Callable[[Any], bool], look: Callable[[], Awaitable[Any]]
    ) -> None:
        """Change something exactly once: done is what the reply shows, or a look at the state; else try again."""
        trouble = ToolError("unknown", f"{tool} was called {_TRIES} times and never done")
        for _ in range(_TRIES):
            try:
                reply = await self._tools.call(tool, **arguments)
            except ToolError as error:
                if error.kind in _FINAL:
                    raise
                trouble, reply = error, {}
                await asyncio.sleep(error.retry_after or 0)
            if shows(reply) or shows(await look()):
                return
        raise trouble
