"""The waist of the hourglass: one trial, whole. Whatever makes trials ends here; whatever uses them begins here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from passhat.model.answer import Answer
from passhat.model.base import Json, Noun
from passhat.model.condition import Phase, Visibility
from passhat.model.outcome import Outcome
from passhat.model.pace import Pace
from passhat.model.talk import Turn


class FaultEvent(Noun, kw_only=True, gc=False):
    """A fault that fired: which, at which call, and what came of it by the time the call had ended.

    `phase`: where it bit. `upstream_executed`: the tool that was called ran at this call, before or after.
    `agent_visible`: the agent met something else than in a clean call, which is another reply, an error or a longer
    wait. `dose` says how often the fault was to fire, as a condition writes it. `detail`: what a number in the effect
    was based on, or what came of the effect, in words.
    """

    fault: str
    step: int
    tool: str
    ordinal: int
    phase: Phase
    visibility: Visibility
    effect: str
    upstream_executed: bool
    agent_visible: bool
    dose: str = ""
    detail: str = ""


class Instead(Noun, kw_only=True, gc=False):
    """What ran in the place of the tool that was called: another one, so often."""

    tool: str
    arguments: Mapping[str, Json] = {}
    executed: int = 1
    write: bool = True


class ToolCall(Noun, kw_only=True, gc=False):
    """One call of a tool, as the agent saw it, and what upstream really did.

    `reply` is what the agent was told, `error` the error that it got instead. The reply of a stream is the list of the
    items that the agent got; where the stream broke there is an error beside them. `executed` counts how often the tool
    ran; `upstream` is upstream's own reply where a fault fired, and `instead` what ran in the tool's place. `write` is
    True unless the world declares the tool as one that only reads. Where several calls are one of the agent's, because
    a layer below it tried again, `part_of` is the step of the first of them, on all but that one.
    """

    step: int
    tool: str
    arguments: Mapping[str, Json] = {}
    reply: Json = None
    error: str = ""
    executed: int = 1
    upstream: Json = None
    write: bool = True
    at: float = 0.0
    seconds: float = 0.0
    part_of: int | None = None
    instead: Instead | None = None

    @property
    def ok(self) -> bool:
        """True where the agent got a reply and no error."""
        return not self.error

    @property
    def of_agent(self) -> int:
        """The call of the agent's that this one belongs to: the step of its first."""
        return self.step if self.part_of is None else self.part_of


class Parameters(Noun, kw_only=True):
    """What a tool takes by name: what it needs, what it can do without, and whether it takes *more* than these."""

    needed: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    more: bool = False

    def fit(self, arguments: Mapping[str, Json]) -> Mapping[str, Json] | None:
        """Those of *arguments* that the tool knows; None where one that it needs is not among them."""
        if not arguments.keys() >= set(self.needed):
            return None
        known = {*self.needed, *self.optional}
        return {name: value for name, value in arguments.items() if self.more or name in known}


class Call(Noun, kw_only=True):
    """What a fault gets to see of a call: the tool, the arguments, its ordinal, the trace so far.

    `history` holds the calls that had ended when this one began, in the order in which they ended. `write` is True
    unless the world declares the tool as one that only reads, and `reads_declared` where it declares any as such.
    `streams` is True where the reply comes item by item. `tools` are the tools of the world, with what they take.
    `pace` is how long the tool takes for clean calls, as far as it was measured; only a fault that asks for it gets it.
    """

    tool: str
    arguments: Mapping[str, Json]
    ordinal: int
    history: Sequence[ToolCall] = ()
    write: bool = True
    reads_declared: bool = False
    streams: bool = False
    tools: Mapping[str, Parameters] = {}
    pace: Pace | None = None

    @property
    def may_read(self) -> bool:
        """False where the world says which tools only read, and this one is none of them."""
        return not (self.reads_declared and self.write)


class _Judged(Noun):
    grader: str
    passed: bool


class Grade(_Judged, kw_only=True, gc=False):
    """One grader's word on one trial; `score` is in [0, 1] where the grader gives more than yes or no.

    `of_state`: it compared the world's whole end state with what is accepted.
    """

    score: float | None = None
    reason: str = ""
    of_state: bool = False


class Evidence(Noun, kw_only=True, gc=False):
    """What a grader gets to see: the task, the answer, the end state where the world has one, and the tool trace.

    A trace holds the first calls of a very long trial; `calls_left_out` counts those that it does not hold. `faults`
    are those that fired: they tell an error that a fault made up from one of upstream's own. `turns` are what the
    task's user and the agent said, where the task has a user.
    """

    task_id: str
    input: Json
    expect: Json
    answer: Answer
    state: Json = None
    trace: tuple[ToolCall, ...] = ()
    calls_left_out: int = 0
    faults: tuple[FaultEvent, ...] = ()
    turns: tuple[Turn, ...] = ()

    @property
    def output(self) -> object:
        """The answer's output, as the agent returned it."""
        return self.answer.output


class Attempt(Noun, kw_only=True):
    """An earlier try at this trial that the surroundings spoiled."""

    outcome: Outcome
    detail: str = ""
    seconds: float = 0.0


class Trial(Noun, kw_only=True, gc=False):
    """One run of one task under one condition: the unit of evidence.

    `task_id`, `task_digest`, `condition` and `index` are its address; `seed` follows from the run's seed, the task
    and the index. Two trials are the same trial where their content is equal, times and attempts aside. `trace` and
    `faults` hold the first of each; `calls_left_out` and `faults_left_out` count what came after them. `state` is the
    world's state at the end; `state_before`, taken where a fault is planned, is its state before the agent began.
    `paces` is how long clean calls of each tool had taken until then, where a fault goes by it. `turns` are the talk
    with the task's user, whose own time is not in `seconds`.
    """

    task_id: str
    task_digest: str
    condition: str
    index: int
    outcome: Outcome
    seed: int = 0
    score: float | None = None
    detail: str = ""
    input: Json = None
    answer: Answer | None = None
    grades: tuple[Grade, ...] = ()
    trace: tuple[ToolCall, ...] = ()
    faults_planned: tuple[str, ...] = ()
    faults: tuple[FaultEvent, ...] = ()
    calls_left_out: int = 0
    faults_left_out: int = 0
    recovery_path: str | None = None
    state: Json = None
    state_before: Json = None
    printed: str = ""
    paces: Mapping[str, Pace] = {}
    turns: tuple[Turn, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    started_at: float = 0.0
    seconds: float = 0.0

    @property
    def exposed(self) -> bool:
        """True where a planned fault fired: only such a trial can be said to have survived one."""
        return bool(self.faults)

    def content(self) -> Trial:
        """This trial without its times and attempts: equal for the same trial run again.

        What a delay was based on may be a time that was measured, and so it is left out, too.
        """
        still = tuple(replace(call, at=0.0, seconds=0.0) for call in self.trace)
        faults = tuple(replace(event, detail="") for event in self.faults)
        return replace(self, started_at=0.0, seconds=0.0, attempts=(), paces={}, trace=still, faults=faults)
