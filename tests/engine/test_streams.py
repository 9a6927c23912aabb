"""Tools that give their reply item by item: what the agent reads, what is kept of it, and that nothing is left open."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from typing import Any, ClassVar

import pytest

from passhat.engine.exchange import MOST_ITEMS
from passhat.errors import ToolError, TrialClosed
from passhat.faults.base import Fault
from passhat.model.condition import Condition
from passhat.model.dose import once_at
from passhat.model.effect import Cut, Delay, Fail, Forward, Hang, Hold, Reply, Then
from passhat.model.ledger import Told, ledger
from passhat.model.outcome import Outcome
from passhat.model.protocols import Tools
from passhat.model.trial import Trial
from tests.engine.drive import drive, suite_of
from tests.engine.test_effects import After, Before

LIMIT = 0.5
LINES = ["up", "slow", "down"]


class Log:
    """A world whose log is read line by line, and that knows how far it was read."""

    sandbox: ClassVar[bool] = True

    def __init__(self) -> None:
        self.given: list[str] = []
        self.closed = 0

    @property
    def tools(self) -> dict[str, Callable[..., Any]]:
        """The log, in both ways, one that breaks, one that goes on for ever, and one that is no stream."""
        return {
            "read": self.read,
            "read_async": self.read_async,
            "breaks": self.breaks,
            "stuck": self.stuck,
            "count": self.count,
            "size": lambda: len(LINES),
        }

    def snapshot(self) -> dict[str, Any]:
        """What was given, and how many streams were closed."""
        return {"given": self.given, "closed": self.closed}

    def read(self, day: int) -> Iterator[str]:
        """Three lines."""
        try:
            for line in LINES:
                self.given.append(line)
                yield f"{day}: {line}"
        finally:
            self.closed += 1

    async def read_async(self, day: int) -> AsyncIterator[str]:
        """The same, with a turn of the loop before each."""
        try:
            for line in LINES:
                await asyncio.sleep(0)
                self.given.append(line)
                yield f"{day}: {line}"
        finally:
            self.closed += 1

    async def breaks(self) -> AsyncIterator[str]:
        """A line, and then none."""
        yield "up"
        raise ToolError("log_error", "the log is gone")

    async def stuck(self) -> AsyncIterator[str]:
        """A line, and then nothing for ever."""
        try:
            yield "up"
            await asyncio.Event().wait()
        finally:
            self.closed += 1

    def count(self, most: int) -> Iterator[int]:
        """Numbers."""
        yield from range(most)


def reads(tool: str, most: int = 10**9, **arguments: Any) -> list[Callable[..., Any]]:  # noqa: ANN401
    """Two agents that read so many items and tell what they got: one awaits, one blocks."""

    async def awaiting(message: str, tools: Tools) -> Any:  # noqa: ANN401 - what it read
        got: list[Any] = []
        try:
            async for item in tools.call(tool, **arguments):
                got.append(item)
                if len(got) == most:
                    break
        except ToolError as error:
            got.append([error.kind])
        return got

    def blocking(message: str, tools: Tools) -> Any:  # noqa: ANN401 - what it read
        got: list[Any] = []
        try:
            for item in tools.call(tool, **arguments):
                got.append(item)
                if len(got) == most:
                    break
        except ToolError as error:
            got.append([error.kind])
        return got

    return [awaiting, blocking]


def trials(
    agents: list[Callable[..., Any]],
    *faults: Fault,
    timeout: float = 20.0,
    world: type[Log] = Log,
) -> list[Trial]:
    """The trial of each agent, under these faults at the first call."""
    under = (Condition(fault.at(once_at(1)) for fault in faults),) if faults else ()
    return [drive(suite_of(world), agent, under=under, clean=not faults, timeout=timeout).trial for agent in agents]


def output(trial: Trial) -> Any:  # noqa: ANN401 - what the agent says
    """What the agent says that it read."""
    assert trial.answer is not None, trial.detail
    return trial.answer.output


DAY = [f"1: {line}" for line in LINES]
BOTH = pytest.mark.parametrize("tool", ["read", "read_async"])


@BOTH
def test_stream_is_read_and_recorded(tool: str) -> None:
    """Each kind of agent reads each kind of stream; the call's reply is the list of the items."""
    for trial in trials(reads(tool, day=1)):
        assert trial.outcome is Outcome.PASS, trial.detail
        assert output(trial) == DAY
        (call,) = trial.trace
        assert (call.tool, call.arguments, call.reply, call.error) == (tool, {"day": 1}, DAY, "")
        assert (call.executed, call.upstream, call.write) == (1, None, True)
        assert trial.state == {"given": LINES, "closed": 1}


@BOTH
def test_items_pass_at_once(tool: str) -> None:
    """The agent has an item before upstream makes the next: nothing is gathered where no fault needs it."""
    seen: list[list[str]] = []

    class Watched(Log):
        made: ClassVar[list[Log]] = []

        def __init__(self) -> None:
            super().__init__()
            Watched.made.append(self)

    async def awaiting(message: str, tools: Tools) -> str:
        seen.extend([list(Watched.made[-1].given) async for _ in tools.call(tool, day=1)])
        return "done"

    def blocking(message: str, tools: Tools) -> str:
        seen.extend(list(Watched.made[-1].given) for _ in tools.call(tool, day=1))
        return "done"

    trials([awaiting, blocking], world=Watched)
    trials([awaiting, blocking], Before(Delay(0.0)), world=Watched)

    assert seen == [LINES[:1], LINES[:2], LINES] * 4


@BOTH
def test_agent_may_stop_reading(tool: str) -> None:
    """Who reads two of three items is told two, without an error, and upstream is closed before the end state."""
    for trial in trials(reads(tool, 2, day=1)):
        (call,) = trial.trace
        assert (call.reply, call.error, call.executed) == (DAY[:2], "", 1)
        assert trial.state == {"given": LINES[:2], "closed": 1}


@BOTH
def test_stream_that_is_kept_to_the_end_of_the_trial_is_closed(tool: str) -> None:
    """A stream that an agent still holds when it answers has given what was read; the end state comes after it."""
    kept: list[Any] = []

    async def awaiting(message: str, tools: Tools) -> str:
        kept.append(tools.call(tool, day=1))
        return str(await anext(kept[-1]))

    def blocking(message: str, tools: Tools) -> str:
        kept.append(tools.call(tool, day=1))
        return str(next(kept[-1]))

    for trial in trials([awaiting, blocking]):
        (call,) = trial.trace
        assert (call.reply, call.error) == (DAY[:1], "")
        assert trial.state == {"given": LINES[:1], "closed": 1}


def test_stream_that_raises() -> None:
    """Upstream's own error reaches the agent after the items before it, and both are in the trace."""
    for trial in trials(reads("breaks")):
        assert output(trial) == ["up", ["log_error"]]
        (call,) = trial.trace
        assert (call.reply, call.error, call.executed) == (["up"], "the log is gone", 1)
        assert ledger(trial).entries[0].effects == 1


def test_trial_that_ends_while_a_stream_is_awaited() -> None:
    """An agent that waits for the next item until its time is over has got the ones before; upstream is closed."""
    for trial in trials(reads("stuck"), timeout=LIMIT):
        assert trial.outcome is Outcome.TIMEOUT
        (call,) = trial.trace
        assert (call.reply, call.error) == (["up"], "there was no reply before the trial ended")
        assert trial.state == {"given": [], "closed": 1}


def test_late_reader_gets_nothing() -> None:
    """After its trial nobody reads on: the call is refused, and counted."""
    kept: list[Any] = []

    def agent(message: str, tools: Tools) -> str:
        kept.append(tools.read(day=1))
        return str(next(kept[0]))

    driven = drive(suite_of(Log), agent)

    with pytest.raises(TrialClosed):
        next(kept[0])
    assert driven.trial.trace[0].reply == DAY[:1]


def test_stream_that_nobody_reads_is_no_call() -> None:
    """To ask for a stream and not to read it is to forget it, as it is for a call that nobody awaits."""

    async def agent(message: str, tools: Tools) -> str:
        tools.read(day=1)
        return "done"

    trial = drive(suite_of(Log), agent).trial

    assert trial.outcome is Outcome.CRASH
    assert trial.trace == ()


def test_streams_side_by_side() -> None:
    """Streams that are read at the same time are two calls, each with its own items."""

    async def agent(message: str, tools: Tools) -> list[str]:
        first, second = tools.read_async(day=1), tools.read(day=2)
        return [item async for line in first for item in (line, await anext(second))]

    (trial,) = trials([agent])

    assert output(trial) == [item for line in LINES for item in (f"1: {line}", f"2: {line}")]
    assert [call.reply for call in trial.trace] == [DAY, [f"2: {line}" for line in LINES]]
    assert [call.error for call in trial.trace] == ["", ""]


def test_endless_stream_of_a_sync_tool_ends_with_the_trial() -> None:
    """A tool that never waits lets others have their turn all the same, so its trial can be ended."""

    class Endless(Log):
        def count(self, most: int) -> Iterator[int]:
            while most:
                yield 0

    async def agent(message: str, tools: Tools) -> str:
        async for _ in tools.count(most=1):
            pass
        return "read to the end"

    (trial,) = trials([agent], timeout=LIMIT, world=Endless)

    assert trial.outcome is Outcome.TIMEOUT
    assert trial.trace[0].error == "there was no reply before the trial ended"


def test_very_long_stream_is_counted() -> None:
    """Of a very long stream the first items are kept, and how many there were; the agent reads them all."""

    async def awaiting(message: str, tools: Tools) -> int:
        return sum([1 async for _ in tools.count(most=MOST_ITEMS + 5)])

    def blocking(message: str, tools: Tools) -> int:
        return sum(1 for _ in tools.count(most=MOST_ITEMS + 5))

    for trial in trials([awaiting, blocking]):
        assert output(trial) == MOST_ITEMS + 5
        kept = trial.trace[0].reply
        assert isinstance(kept, list)
        assert kept[:-1] == list(range(MOST_ITEMS))
        assert kept[-1] == "… (cut: 10,005 items)"


REFUSAL = Fail("down", "503 Service Unavailable")


@BOTH
def test_failure_before_upstream_comes_with_the_first_item(tool: str) -> None:
    """A fault before upstream raises where the agent asks for the first item, and upstream never runs."""
    for trial in trials(reads(tool, day=1), Before(REFUSAL)):
        assert output(trial) == [["down"]]
        (call,), (event,) = trial.trace, trial.faults
        assert (call.reply, call.error, call.executed) == (None, "503 Service Unavailable", 0)
        assert (event.phase, event.upstream_executed, event.agent_visible) == ("pre", False, True)
        assert trial.state == {"given": [], "closed": 0}


@BOTH
def test_fault_after_upstream_sees_all_items(tool: str) -> None:
    """A fault that bites after upstream is given the list of all items, and its reply's items are what is read."""
    for trial in trials(reads(tool, day=1), After(lambda reply: Reply([*reply[1:], "more"]))):
        assert output(trial) == [*DAY[1:], "more"]
        (call,), (event,) = trial.trace, trial.faults
        assert (call.reply, call.upstream) == ([*DAY[1:], "more"], DAY)
        assert (event.phase, event.upstream_executed, event.agent_visible) == ("post", True, True)


@BOTH
@pytest.mark.parametrize(("value", "items"), [(None, []), ({"error": "gone"}, [{"error": "gone"}]), ("text", ["text"])])
def test_reply_that_is_no_list_is_one_item_or_none(tool: str, value: Any, items: list[Any]) -> None:  # noqa: ANN401
    """A reply that is no list comes as the only item, and null as none."""
    for fault in (Before(Reply(value)), After(Reply(value))):
        for trial in trials(reads(tool, day=1), fault):
            assert output(trial) == items
            assert trial.trace[0].reply == items


def test_gathered_stream_that_is_not_read_to_its_end_was_not_changed() -> None:
    """A reply that a fault left as it was is upstream's own, however far the agent read."""
    for trial in trials(reads("read", 1, day=1), After(Delay(0.0))):
        assert (trial.trace[0].reply, trial.trace[0].upstream) == (DAY[:1], DAY[:1])
        assert ledger(trial).entries[0].told is Told.REPLY


@BOTH
def test_cut_breaks_a_stream(tool: str) -> None:
    """After so many items the connection breaks: the agent has those, an error, and upstream is told to stop."""
    for trial in trials(reads(tool, day=1), Before(Cut(1))):
        assert output(trial) == [DAY[0], ["connection_error"]]
        (call,), (event,) = trial.trace, trial.faults
        assert (call.reply, call.executed, call.upstream) == (DAY[:1], 1, DAY[:2])
        assert call.error.startswith("peer closed connection")
        assert (event.effect, event.phase, event.upstream_executed, event.agent_visible) == ("cut", "mid", True, True)
        assert trial.state == {"given": LINES[:2], "closed": 1}
        assert ledger(trial).unknown == (1,)


@BOTH
def test_clean_cut_looks_whole(tool: str) -> None:
    """A clean cut ends the stream without a word; the ledger says that the reply was not upstream's own."""
    for trial in trials(reads(tool, day=1), Before(Cut(2, clean=True))):
        assert output(trial) == DAY[:2]
        (call,), (event,) = trial.trace, trial.faults
        assert (call.reply, call.error, call.upstream) == (DAY[:2], "", DAY)
        assert (event.effect, event.agent_visible) == ("cut", True)
        assert ledger(trial).changed == (1,)


@pytest.mark.parametrize("clean", [True, False])
def test_stream_without_more_items_is_not_cut(clean: bool) -> None:  # noqa: FBT001 - pytest's parameter
    """Where nothing would be lost, nothing is cut, and the trial was not exposed."""
    for trial in trials(reads("read", day=1), Before(Cut(3, clean))):
        assert output(trial) == DAY
        assert not trial.exposed


def test_reply_that_is_no_stream_is_not_cut() -> None:
    """A tool that replies at once has nothing to cut."""

    async def awaiting(message: str, tools: Tools) -> int:
        return int(await tools.size())

    (trial,) = trials([awaiting], Before(Cut(0)))

    assert output(trial) == 3
    assert not trial.exposed


def test_first_of_two_cuts_is_made() -> None:
    """Where two faults would cut a stream, it ends where the first of them does, and one has fired."""

    class Later(Before):
        """Cuts later."""

    for trial in trials(reads("read", day=1), Later(Cut(2)), Before(Cut(1, clean=True))):
        assert output(trial) == DAY[:1]
        assert [event.fault for event in trial.faults] == ["before"]


def test_changed_list_is_cut_where_it_is_read() -> None:
    """A fault after upstream comes first, and what it left is cut."""
    for trial in trials(reads("read", day=1), After(lambda reply: Reply(reply[::-1])), Before(Cut(1, clean=True))):
        assert output(trial) == DAY[:0:-2][:1]
        assert [event.effect for event in trial.faults] == ["reply", "cut"]
        assert trial.trace[0].upstream == DAY


def test_repeated_stream_gives_its_last() -> None:
    """A stream that is delivered twice runs twice, and the agent reads the second."""
    for trial in trials(reads("read", day=1), Before(Forward(2))):
        assert output(trial) == DAY
        assert trial.trace[0].executed == 2
        assert trial.state == {"given": LINES * 2, "closed": 2}
        (event,) = trial.faults
        assert (event.phase, event.upstream_executed, event.agent_visible) == ("post", True, False)


@pytest.mark.parametrize("effect", [Hang(), Then(Delay(0.0), Hang())], ids=["hang", "then"])
def test_stream_may_hang(effect: Any) -> None:  # noqa: ANN401 - an effect
    """A stream that never begins ends with the trial, and gave nothing."""
    for trial in trials(reads("read", day=1), Before(effect), timeout=LIMIT):
        assert trial.outcome is Outcome.TIMEOUT
        assert trial.trace[0].reply is None


def test_stream_may_be_held() -> None:
    """A stream whose reply is kept back comes whole, later."""
    for trial in trials(reads("read", day=1), After(Hold(1, 0.0))):
        assert output(trial) == DAY
        assert [event.effect for event in trial.faults] == ["hold"]


def test_stream_of_a_thread_is_closed_on_its_thread() -> None:
    """What a blocking agent's tool holds open is closed where it was made, as a connection would ask for."""
    threads: list[int] = []

    class Homely(Log):
        def read(self, day: int) -> Iterator[str]:
            threads.append(threading.get_ident())
            try:
                yield "up"
            finally:
                threads.append(threading.get_ident())

    kept: list[Any] = []

    def agent(message: str, tools: Tools) -> str:
        kept.append(tools.read(day=1))
        with suppress(ToolError):
            next(kept[0])
        return "done"

    trials([agent], world=Homely)

    assert threads[0] == threads[1]


@BOTH
def test_stream_that_is_not_read_on_has_met_no_error(tool: str) -> None:
    """An agent that reads an item and then hangs elsewhere has got that item, and no error of the stream's."""

    async def agent(message: str, tools: Tools) -> str:
        lines = tools.call(tool, day=1)
        await anext(lines)
        await asyncio.Event().wait()
        return "never"

    (trial,) = trials([agent], timeout=LIMIT)

    assert trial.outcome is Outcome.TIMEOUT
    (call,) = trial.trace
    assert (call.reply, call.error) == (DAY[:1], "")
    assert trial.state == {"given": LINES[:1], "closed": 1}
