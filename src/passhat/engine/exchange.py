"""One tool call under faults, decided without doing anything: a generator that asks its driver to wait, hang or run.

Faults are applied in the order of `Condition.injections`. Before upstream: delays add up, and the first effect that
answers (Fail, Reply, Hang) keeps the call from reaching it. After upstream: each fault sees the reply that the one
before it left. A fault that does nothing, or gives back the reply that it was given, has not fired.

The items of a stream pass by one after the other, and are counted and cut here. Only a fault after upstream needs all
of them: then they are gathered first, and what the faults leave of the list is what the agent reads.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from enum import Enum
from typing import Any, TypeAlias, assert_never, get_args

from msgspec.structs import replace

from passhat.engine.arming import Armed
from passhat.engine.box import NO_BOX, Box
from passhat.engine.deciding import BrokenFault, decided_after, decided_before
from passhat.errors import ToolError
from passhat.model.base import Json
from passhat.model.condition import Phase
from passhat.model.effect import Cut, Delay, Effect, Fail, Forward, Hang, Hold, Proceed, Reply, Then
from passhat.model.parts import part_name
from passhat.model.plain import CUT, encoded_alike, plain
from passhat.model.trial import Call, FaultEvent, Instead


class Ask(Enum):
    """What the generator asks of its driver.

    A number asks it to wait so many seconds, a `Hold` to wait for other calls, and a `Forward` to run another tool.
    """

    RUN = "run"
    HANG = "hang"


Asked: TypeAlias = Ask | float | Hold | Forward
MOST_ITEMS = 10_000  # of a stream are kept; the rest is counted
PASSING = object()  # the value of an exchange whose stream is to be passed on as it comes
_NOTHING = object()
_WORDS: dict[type, str] = {kind: part_name(kind) for kind in get_args(Effect)}
_FORWARD, _REPLY = _WORDS[Forward], _WORDS[Reply]


class Exchange:
    """What happens to one call, and what is known of it afterwards."""

    __slots__ = (
        "_beyond",
        "_box",
        "_cut",
        "_firing",
        "_first",
        "_left",
        "_other",
        "_times",
        "_upstream",
        "at",
        "call",
        "count",
        "events",
        "executed",
        "got",
        "idle",
        "instead",
        "part_of",
        "step",
    )

    def __init__(
        self,
        firing: Sequence[Armed],
        call: Call,
        *,
        step: int,
        at: float,
        left: float = float("inf"),
        box: Box = NO_BOX,
        streams: bool = False,
    ) -> None:
        """The exchange of *call*, begun at *at*, under the faults that fire at it.

        *left*: the seconds that the trial has from then on. *box* has the world's tools.
        """
        self._firing = firing
        self._left = left
        self._box = box
        self._times = 1
        self._other: Forward | None = None
        self._cut: tuple[Armed, Cut] | None = None
        self._first: Any = _NOTHING  # what a clean call would have told the agent
        self._upstream: Any = _NOTHING
        self._beyond: list[Json] = []  # the items that upstream gave and the agent did not get
        self.count = 0  # of the items that the agent got
        self.got: list[Json] | None = [] if streams else None
        self.idle = False  # it is the agent's turn to ask for the next item
        self.call = call
        self.step = step
        self.at = at
        self.events: list[FaultEvent] = []
        self.executed = 0
        self.part_of: int | None = None
        self.instead: Instead | None = None

    def run(self) -> Generator[Asked, Any, Any]:
        """Go through the call. Its value is what the agent is told, or `PASSING` for a stream's own items."""
        told = yield from self._before()
        if told is not _NOTHING:
            return told
        passing = self.got is not None and self._other is None and not self._gathers
        for _ in range(self._times - passing):
            reply = yield from self._ran()
        if passing:
            self.executed += 1
            return PASSING
        return (yield from self._answered(reply))

    def passes(self, item: object) -> bool:
        """Take note of a stream's next item: False where the stream ends before it, an error where it breaks there."""
        assert self.got is not None  # noqa: S101 - for the type checker
        copy = plain(item)
        if self._cut is not None and self.count >= self._cut[1].after:
            armed, cut = self._cut
            self._beyond.append(copy)
            self._fired(armed, cut, phase=Phase.MID)
            if cut.clean:
                return False
            raise ToolError(cut.kind, cut.message)
        self.count += 1
        if self.count <= MOST_ITEMS:
            self.got.append(copy)
        return True

    @property
    def upstream(self) -> Json:
        """What upstream really said; of a stream that the agent did not read to its end, as much as it read."""
        if self._upstream is not _NOTHING:
            return self._as_far(self._upstream)
        return [*self.read, *self._beyond] if self.got is not None and self.executed else None

    @property
    def read(self) -> list[Json]:
        """The items that the agent got; of a very long stream the first, and how many there were."""
        got = self.got or []
        return [*got, f"{CUT.lstrip()}{self.count:,} items)"] if self.count > MOST_ITEMS else list(got)

    def settled(self, told: Json, error: str) -> Sequence[FaultEvent]:
        """The events as they turned out in the end, when the agent was told this, or got this error.

        What upstream refuses is not sent once more: then the fault that would have done so has not fired.
        """
        ran = self.executed > 0
        different = self._is_different(told, error)
        happened = [event for event in self.events if event.effect != _FORWARD or self.executed != 1 or self.instead]
        return [_settled(event, ran=ran, different=different) for event in happened]

    @property
    def _gathers(self) -> bool:
        """True where a fault that fires here bites after upstream, and so sees a stream's items all at once."""
        return any(armed.injection.fault.phase is Phase.POST for armed in self._firing)

    def _before(self) -> Generator[Asked, Any, Any]:
        for armed in self._firing:
            for effect in decided_before(armed, self.call):
                match effect:
                    case Forward():
                        self._forward(armed, effect)
                    case Cut():
                        self._plan(armed, effect)
                    case _:
                        told = yield from self._act(armed, effect)
                        if told is not _NOTHING:
                            return told
        return _NOTHING

    def _plan(self, armed: Armed, cut: Cut) -> None:
        """Where several faults would cut a stream, it ends where the first of them does."""
        if self.got is not None and (self._cut is None or cut.after < self._cut[1].after):
            self._cut = armed, cut

    def _ran(self) -> Generator[Asked, Any, Any]:
        other = self._other
        if other is None:
            self.executed += 1
            reply = yield Ask.RUN
            if self._first is _NOTHING and self._firing:
                self._first = plain(reply)
            return reply
        runs = 1 if self.instead is None else self.instead.executed + 1
        given = self.call.arguments if other.arguments is None else other.arguments
        write = other.tool not in self._box.reads
        self.instead = Instead(tool=other.tool, arguments=plain(given), executed=runs, write=write)
        return (yield other)

    def _answered(self, reply: object) -> Generator[Asked, Any, Any]:
        if not self._firing:
            return reply
        self._upstream = self._first if self.executed == 1 else plain(reply)
        for armed in self._firing:
            for effect in decided_after(armed, self.call, reply):
                if isinstance(effect, Reply) and _same(effect.value, reply):
                    continue
                told = yield from self._act(armed, effect)
                if told is not _NOTHING:
                    reply = told
        return reply

    def _act(self, armed: Armed, effect: Effect) -> Generator[Asked, Any, Any]:
        """Carry out one effect; its value is what the agent is told instead, if anything."""
        match effect:
            case Proceed():
                return _NOTHING
            case Delay(seconds):
                self._fired(armed, effect, detail=self._basis(effect))
                yield seconds
                return _NOTHING
            case Hold():
                self._fired(armed, effect)
                outcome = yield effect
                if outcome is None:  # another reply is kept back, and this one is what that waits for
                    self.events.pop()
                else:
                    self.events[-1] = replace(self.events[-1], detail=outcome)
                return _NOTHING
            case Hang():
                self._fired(armed, effect)
                yield Ask.HANG
                return _NOTHING
            case Reply(value, basis):
                self._fired(armed, effect, detail=basis)
                return value
            case Fail(kind, message, retry_after):
                self._fired(armed, effect)
                raise ToolError(kind, message, retry_after=retry_after)
            case Forward() | Cut() | Then():  # these are planned before upstream, and no decision gets here with them
                raise TypeError(f"{effect!r} cannot be carried out here")
            case _:
                assert_never(effect)

    def _forward(self, armed: Armed, effect: Forward) -> None:
        if not self._box.sandbox:
            does = "calls another tool" if effect.tool else "repeats calls"
            raise BrokenFault(f"{armed.name} {does}, which needs a world that declares sandbox = True")
        if effect.tool and effect.tool not in self._box.tools:
            raise BrokenFault(f"{armed.name}: there is no tool called {effect.tool!r}{self._box.hint(effect.tool)}")
        self._fired(armed, effect, detail=f"{effect.tool} ran instead" if effect.tool else "")
        self._times *= effect.times
        if effect.tool:
            self._other = effect

    def _fired(self, armed: Armed, effect: Effect, *, phase: Phase | None = None, detail: str = "") -> None:
        answered = self.executed or self.instead is not None
        self.events.append(
            FaultEvent(
                fault=armed.name,
                step=self.step,
                tool=self.call.tool,
                ordinal=self.call.ordinal,
                phase=phase or (Phase.POST if answered else Phase.PRE),
                visibility=armed.injection.fault.visibility,
                effect=_WORDS[type(effect)],
                upstream_executed=bool(self.executed),
                agent_visible=True,
                dose=armed.dose,
                detail=detail,
            )
        )

    def _basis(self, delay: Delay) -> str:
        """What a delay is based on; one that outlasts the trial is no mere delay, and is called what it is."""
        outlasts = "longer than the trial may take, so a timeout" if delay.seconds >= self._left else ""
        return "; ".join(filter(None, (delay.basis, outlasts)))

    def _is_different(self, told: Json, error: str) -> bool:
        """True where the agent was told something else than one run of the tool would have told it."""
        if not self.executed:
            return True
        if error:
            return self._first is not _NOTHING or self.executed > 1  # else it is upstream's own
        return not encoded_alike(told, self.upstream if self._first is _NOTHING else self._as_far(self._first))

    def _as_far(self, said: Json) -> Json:
        """What upstream *said*, as far as the agent cared to read it."""
        return said[: self.count] if self.idle and isinstance(said, list) else said


def items_of(told: object) -> Iterable[object]:
    """What an agent reads where a fault gives a stream's reply as one value: a list's items, nothing, or the value."""
    if told is None:
        return ()
    return told if isinstance(told, list | tuple) else (told,)


def _settled(event: FaultEvent, *, ran: bool, different: bool) -> FaultEvent:
    """*event* with what could not be known when it fired."""
    forward = event.effect == _FORWARD
    visible = different if forward or event.effect == _REPLY else True
    phase = Phase.POST if forward and ran else event.phase
    if (event.upstream_executed, event.agent_visible, event.phase) == (ran, visible, phase):
        return event
    return replace(event, upstream_executed=ran, agent_visible=visible, phase=phase)


def _same(told: object, reply: object) -> bool:
    """True where both are the same JSON: 1 and True are not, a tuple and its list are."""
    return encoded_alike(plain(told), plain(reply))
