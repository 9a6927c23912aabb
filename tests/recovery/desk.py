"""A desk that takes payments, faults of every phase, and agents driven through both.

The engine makes the trials. What a world declares of its tools and its state before the agent began is written in here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from msgspec.structs import replace

from passhat.faults import Fault
from passhat.model.base import Json
from passhat.model.condition import Injection, Phase, Visibility
from passhat.model.dice import Dice
from passhat.model.effect import PROCEED, Delay, Effect, Fail, Forward, Hang, Reply, Then
from passhat.model.trial import Call, Evidence, Trial
from tests.engine.drive import drive, suite_of

PAY = {"amount": 5}
READS = frozenset({"payments"})


class Desk:
    """Takes payments; one that carries a key it has seen is taken once."""

    sandbox = True

    def __init__(self) -> None:
        self._paid: list[int] = []
        self._keys: set[str] = set()

    @property
    def tools(self) -> dict[str, Callable[..., Any]]:
        """The tools."""
        return {"pay": self.pay, "pay_by_phone": self.pay, "payments": self.payments, "call_a_person": self.wait}

    async def pay(self, *, amount: int, idempotency_key: str | None = None) -> Json:
        """Take a payment."""
        if idempotency_key is None or idempotency_key not in self._keys:
            self._paid.append(amount)
        if idempotency_key is not None:
            self._keys.add(idempotency_key)
        return {"paid": amount}

    async def payments(self) -> Json:
        """What was paid."""
        return list(self._paid)

    async def wait(self) -> Json:
        """Ring for somebody."""
        return {"ticket": 1}

    def snapshot(self) -> Json:
        """What was paid."""
        return list(self._paid)


@dataclass(frozen=True, slots=True)
class Refused(Fault):
    """A service that answers 503 before it does anything."""

    phase: ClassVar[Phase] = Phase.PRE
    visibility: ClassVar[Visibility] = Visibility.EXPLICIT

    def on_call(self, call: Call, dice: Dice) -> Effect:
        """Refuse."""
        return Fail("server_error", "503 Service Unavailable")


@dataclass(frozen=True, slots=True)
class Lost(Fault):
    """A service that does it, and whose reply does not arrive."""

    visibility: ClassVar[Visibility] = Visibility.EXPLICIT

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        """Time out, after some waiting, as two effects of one fault."""
        return Then(Delay(0.0), Fail("timeout", "504 Gateway Timeout"))


@dataclass(frozen=True, slots=True)
class Failed(Fault):
    """A service that does it, and then says 500."""

    visibility: ClassVar[Visibility] = Visibility.EXPLICIT

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        """Fail."""
        return Fail("server_error", "500 Internal Server Error")


@dataclass(frozen=True, slots=True)
class Wrong(Fault):
    """A reply that is not what upstream said."""

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        """Say that something else was paid."""
        return Reply([50] if isinstance(reply, list) else {"paid": 50})


@dataclass(frozen=True, slots=True)
class Phantom(Fault):
    """A proxy that says yes, and forgets to pass it on."""

    phase: ClassVar[Phase] = Phase.PRE

    def on_call(self, call: Call, dice: Dice) -> Effect:
        """Say yes."""
        return Reply({"paid": call.arguments["amount"]})


@dataclass(frozen=True, slots=True)
class Twice(Fault):
    """A queue that delivers a message twice."""

    phase: ClassVar[Phase] = Phase.PRE

    def on_call(self, call: Call, dice: Dice) -> Effect:
        """Deliver it twice."""
        return Forward(2)


@dataclass(frozen=True, slots=True)
class Slow(Fault):
    """A reply that is late and whole."""

    visibility: ClassVar[Visibility] = Visibility.EXPLICIT

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        """Take some time."""
        return Delay(0.0)


@dataclass(frozen=True, slots=True)
class Silence(Fault):
    """Nothing comes back: before anything was done, or after."""

    visibility: ClassVar[Visibility] = Visibility.EXPLICIT

    after: bool = False

    def on_call(self, call: Call, dice: Dice) -> Effect:
        """Swallow the call."""
        return PROCEED if self.after else Hang()

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        """Swallow the reply."""
        return Hang() if self.after else PROCEED


def paid_once(evidence: Evidence) -> bool:
    """The grader: the payment was made, once."""
    return evidence.state == [5]


def passes(evidence: Evidence) -> bool:
    """A grader that sees nothing."""
    return evidence.task_id != ""


def trials_of(
    agent: Callable[..., Any],
    under: Sequence[Injection],
    *,
    trials: int = 1,
    grade: Callable[[Evidence], bool] = paid_once,
    timeout: float = 20.0,
) -> list[tuple[Trial, Trial]]:
    """The trials of *agent* under these faults together, each beside its clean one."""
    condition = under[0]
    joined = condition if len(under) == 1 else condition & under[1]
    suite = suite_of(Desk, grade=grade)
    made = [_declared(trial) for trial in drive(suite, agent, under=[joined], trials=trials, timeout=timeout).trials]
    clean = {trial.index: trial for trial in made if trial.condition == "clean"}
    return [(trial, clean[trial.index]) for trial in made if trial.condition != "clean"]


def _declared(trial: Trial) -> Trial:
    """The trial with what its world declares."""
    trace = tuple(replace(call, write=call.tool not in READS) for call in trial.trace)
    return replace(trial, trace=trace, state_before=[])
