"""The contract of a fault: a frozen dataclass that decides an effect, and does nothing itself.

A fault never sleeps, never raises into the agent and is never async: it says what should happen, and the guard does
it. It holds its own parameters only; how often, to which tools and in which share of the trials is said by `.at`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import ClassVar

from passhat.errors import UsageError
from passhat.model.base import Json
from passhat.model.condition import Condition, Injection, Joined, Phase, Visibility, together
from passhat.model.dice import Dice
from passhat.model.dose import Dose, as_dose, once_at, read_dose
from passhat.model.effect import PROCEED, Effect
from passhat.model.grammar import Term
from passhat.model.parts import build, part_name, part_term
from passhat.model.trial import Call


@dataclass(frozen=True, slots=True)
class Fault:
    """What happens to a tool call. Override `on_call` for a fault before upstream runs, `on_reply` for one after.

    A fault of what the agent's model gets to see overrides `on_messages`.
    """

    surfaces: ClassVar[frozenset[str]] = frozenset({"python_tools", "tool_server"})
    # When it fires where nobody says so.
    usual_dose: ClassVar[Dose] = once_at(1)

    @property
    def visibility(self) -> Visibility:
        """Whether the agent is told. A fault says so as `visibility: ClassVar[Visibility]`, unless a field does."""
        return Visibility.IMPLICIT

    @property
    def phase(self) -> Phase:
        """When it bites. A fault of one phase says so as `phase: ClassVar[Phase]`; one of two takes it as a field."""
        return Phase.POST

    @property
    def needs_sandbox(self) -> bool:
        """True where upstream may do what the agent did not ask for, which needs a world with `sandbox = True`."""
        return False

    @property
    def needs_tools(self) -> Collection[str]:
        """The tools that it calls by name: a world that lacks one is told so before the first trial."""
        return ()

    @property
    def needs_pace(self) -> bool:
        """True where it goes by how long clean calls of the tool take: they are measured, and `call.pace` says it."""
        return False

    def concerns(self, call: Call) -> bool:
        """False where the call alone shows that this fault can do nothing at it: then no dose counts the call."""
        del call
        return True

    def on_call(self, call: Call, dice: Dice) -> Effect:
        """What happens before upstream is reached."""
        del call, dice
        return PROCEED

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        """What happens to the reply, after upstream committed."""
        del call, reply, dice
        return PROCEED

    def on_messages(self, messages: Sequence[Json], dice: Dice) -> Effect:
        """What the agent's model gets to see of the *messages* that the agent passes on: a `Reply` with a list of them.

        A fault of messages says so in its surfaces, `frozenset({"messages"})`. Nothing but `Reply` and `PROCEED` can
        happen to messages. For `concerns` and the dose, passing them on is a call of "messages".
        """
        del messages, dice
        return PROCEED

    def at(self, dose: float | Dose | None = None, *, match: str = "*", share: float = 1.0) -> Injection:
        """This fault at a dose: a bare number is a rate per call, none is the usual dose of this fault."""
        return Injection(self, self.usual_dose if dose is None else as_dose(dose), match, share)

    def __and__(self, other: Joined) -> Condition:
        """This fault, at its default dose, together with *other*."""
        return together(self.at(), other)

    @property
    def name(self) -> str:
        """The name of this kind of fault."""
        return part_name(type(self))

    @property
    def term(self) -> Term:
        """The fault as text."""
        return part_term(self)


def bind(kind: type[Fault], term: Term) -> Injection:
    """The injection that *term* describes: rate or dose, match and share stand among the fault's own parameters."""
    dose = kind.usual_dose
    match, share, own, dosed = "*", 1.0, [], False
    for argument in term.arguments:
        match argument.name, argument.value:
            case (("rate" | "" | "dose"), value) if not dosed:
                dose, dosed = read_dose(value), True
            case (("rate" | "" | "dose"), value):
                raise UsageError(f"{term}: a fault has one dose; write its own parameters by name")
            case "match", str(value):
                match = value
            case "share", int() | float() as value:
                share = float(value)
            case _:
                own.append(argument)
    return build(kind, Term(term.name, tuple(own))).at(dose, match=match, share=share)
