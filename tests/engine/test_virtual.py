"""Virtual time: waiting for a timer takes no time, and whatever else is under way is waited for as ever."""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, Self, TypeVar

import pytest

from passhat.engine.execute import Control
from passhat.engine.virtual import LOG, VirtualLoop
from passhat.faults.base import Fault
from passhat.model.condition import Phase
from passhat.model.dice import Dice
from passhat.model.dose import PermanentFrom, once_at
from passhat.model.effect import PROCEED, Delay, Effect, Hang, Then
from passhat.model.outcome import Outcome
from passhat.model.protocols import Tools
from passhat.model.trial import Call, Evidence
from tests.engine.drive import drive, suite_of

T = TypeVar("T")
HOUR = 3600.0


def still() -> float:
    """A clock that stands still, so that all time that passes was skipped."""
    return 0.0


def live(make: Callable[[], Coroutine[Any, Any, T]], **options: Any) -> T:  # noqa: ANN401 - the options of a loop
    """What the coroutine gives on a loop of its own, whose machine stands still."""
    loop = VirtualLoop(**{"clock": still, **options})
    with closing(loop):
        return loop.run_until_complete(make())


def now() -> float:
    """The time on the running loop."""
    return asyncio.get_running_loop().time()


def held_by() -> str:
    """What keeps the running loop's clock from jumping."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    return loop.held_by()


# ------------------------------------------------------------------------------------------------ the clock


def test_sleep_takes_exactly_its_time() -> None:
    """An hour has passed where somebody slept for an hour."""

    async def main() -> float:
        await asyncio.sleep(HOUR)
        return now()

    assert live(main) == HOUR


def test_sleepers_wake_in_order() -> None:
    """Who sleeps shorter wakes first, whoever began first, and each at its own time."""
    woken = []

    async def sleeper(seconds: float) -> None:
        await asyncio.sleep(seconds)
        woken.append((seconds, now()))

    async def main() -> None:
        await asyncio.gather(*(sleeper(seconds) for seconds in (2, 1, 64, 32)))

    live(main)

    assert woken == [(1, 1), (2, 2), (32, 32), (64, 64)]


def test_shorter_limit_is_met_first() -> None:
    """`wait_for` and `asyncio.timeout` end what takes longer, at their own time."""

    async def main() -> Sequence[float]:
        at = []
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.sleep(10), 5)
        at.append(now())
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(7):
                await asyncio.get_running_loop().create_future()
        return [*at, now()]

    assert live(main) == [5, 12]


def test_longer_limit_is_not_met() -> None:
    """A limit beyond what is waited for does not ring."""

    async def main() -> float:
        await asyncio.wait_for(asyncio.sleep(5), 10)
        return now()

    assert live(main) == 5


def test_no_time_passes_while_a_task_is_ready() -> None:
    """However long somebody works, a timer does not ring early."""

    async def worker() -> float:
        for _ in range(1_000):
            await asyncio.sleep(0)
        return now()

    async def main() -> float:
        sleeper = asyncio.create_task(asyncio.sleep(HOUR))
        ended = await worker()
        await sleeper
        return ended

    assert live(main) == 0


def test_time_goes_on_while_somebody_works() -> None:
    """The machine's clock is part of it, so what never comes to rest can be over its time."""
    ticks = iter(range(1_000_000))

    async def never_rests() -> None:
        while True:  # noqa: ASYNC110 - the claim is about who does so
            await asyncio.sleep(0)

    async def main() -> None:
        await asyncio.wait_for(never_rests(), 100)

    with pytest.raises(TimeoutError):
        live(main, clock=lambda: float(next(ticks)))


# ------------------------------------------------------------------------------------------------ what holds it


def test_nothing_holds_a_loop_that_only_waits() -> None:
    """Without anything under way the clock may jump."""

    async def main() -> str:
        return held_by()

    assert live(main) == ""


def test_thread_of_the_pool_is_waited_for() -> None:
    """`to_thread` takes no virtual time, and nothing is skipped before it has answered."""
    gate = threading.Event()

    async def main() -> tuple[str, float, str]:
        job = asyncio.ensure_future(asyncio.to_thread(gate.wait))
        await asyncio.sleep(0)
        held = held_by()
        asyncio.get_running_loop().call_soon(gate.set)
        await asyncio.wait_for(job, HOUR)
        return held, now(), held_by()

    held, at, later = live(main)

    assert "a thread works" in held
    assert (at, later) == (0, "")


def test_job_that_nobody_awaits_holds_nothing() -> None:
    """A thread that hangs is left behind with the call that gave it up, and does not make time real for good."""
    gate = threading.Event()

    async def main() -> str:
        job = asyncio.get_running_loop().run_in_executor(None, gate.wait)
        job.cancel()
        await asyncio.sleep(0)
        held = held_by()
        gate.set()
        return held

    assert live(main) == ""


def test_thread_of_ones_own_is_waited_for() -> None:
    """Of a thread that began with the loop running nobody knows whether it will answer, so nothing is skipped."""

    async def main() -> tuple[float, str]:
        loop, answered = asyncio.get_running_loop(), asyncio.Event()
        thread = threading.Thread(target=loop.call_soon_threadsafe, args=(answered.set,), name="own")
        thread.start()
        await asyncio.wait_for(answered.wait(), HOUR)
        thread.join()
        return now(), held_by()

    assert live(main) == (0, "")


def test_thread_of_ones_own_is_named() -> None:
    """What holds the clock is said so that it can be found."""
    gate = threading.Event()

    async def main() -> str:
        thread = threading.Thread(target=gate.wait, name="telemetry")
        thread.start()
        held = held_by()
        gate.set()
        thread.join()
        return held

    assert "'telemetry'" in live(main)


def test_socket_is_waited_for() -> None:
    """While a connection is open nothing is skipped, however long its other side takes."""
    ours, theirs = socket.socketpair()

    async def main() -> tuple[bytes, float]:
        reader, writer = await asyncio.open_connection(sock=ours)
        asyncio.get_running_loop().run_in_executor(None, theirs.sendall, b"late\n")
        line = await asyncio.wait_for(reader.readline(), HOUR)
        at = now()
        writer.close()
        await writer.wait_closed()
        await asyncio.sleep(HOUR)
        return line, now() - at

    with theirs:
        assert live(main) == (b"late\n", HOUR)


def test_child_process_is_waited_for() -> None:
    """A child without a pipe is waited for, too."""

    async def main() -> tuple[int, float]:
        child = await asyncio.create_subprocess_exec(sys.executable, "-I", "-S", "-c", "raise SystemExit(3)")
        return await asyncio.wait_for(child.wait(), HOUR), now()

    assert live(main) == (3, 0)


def test_loop_without_timers_waits_to_be_woken() -> None:
    """Where nothing is scheduled no time passes, until a thread that was there before wakes the loop."""
    ready: list[Callable[[], object]] = []
    begun = threading.Event()

    def wake() -> None:
        begun.wait()
        ready.pop()()

    thread = threading.Thread(target=wake)
    thread.start()

    async def main() -> float:
        loop, woken = asyncio.get_running_loop(), asyncio.Event()
        ready.append(lambda: loop.call_soon_threadsafe(woken.set))
        begun.set()
        await woken.wait()
        return now()

    assert live(main) == 0
    thread.join()


@contextmanager
def heard() -> Iterator[list[str]]:
    """What is logged in the meantime."""
    said: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: said.append(record.getMessage())  # type: ignore[method-assign]
    LOG.addHandler(handler)
    try:
        yield said
    finally:
        LOG.removeHandler(handler)


def test_real_time_is_explained_once() -> None:
    """Who waits in vain for time to be skipped is told what holds it."""
    ours, theirs = socket.socketpair()

    async def main() -> None:
        asyncio.get_running_loop().add_reader(ours, print)
        for _ in range(3):
            await asyncio.sleep(0.001)
        asyncio.get_running_loop().remove_reader(ours)

    with ours, theirs, heard() as said:
        loop = VirtualLoop(patience=0)
        with closing(loop):
            loop.run_until_complete(main())

    assert len(said) == 1
    assert "no faster than real time while a connection" in said[0]


# ------------------------------------------------------------------------------------------------ runs


class Desk:
    """A world with a quick tool and a slow one."""

    @property
    def tools(self) -> dict[str, Callable[..., Any]]:
        """Both."""
        return {"look": lambda: "seen", "search": self.search}

    async def search(self) -> str:
        """Take ten seconds."""
        await asyncio.sleep(10)
        return "found"


@dataclass(frozen=True, slots=True)
class Slow(Fault):
    """Makes a call take longer, or hang after that."""

    phase: ClassVar[Phase] = Phase.PRE

    seconds: float = 30.0
    hangs: bool = False

    def on_call(self, call: Call, dice: Dice) -> Effect:
        """Wait, and perhaps for good."""
        delay = Delay(self.seconds)
        return Then(delay, Hang()) if self.hangs else delay


@dataclass(frozen=True, slots=True)
class Late(Fault):
    """Makes a reply take longer."""

    seconds: float = 4.0

    def on_reply(self, call: Call, reply: Any, dice: Dice) -> Effect:  # noqa: ANN401 - any reply
        """Wait."""
        return Delay(self.seconds) if reply else PROCEED


async def looks(message: str, tools: Tools) -> str:
    """Look once."""
    return str(await tools.look())


async def looks_again(message: str, tools: Tools) -> str:
    """Look until there is a reply, with a limit and a pause of its own."""
    for attempt in range(4):
        try:
            return str(await asyncio.wait_for(tools.look(), 40))
        except TimeoutError:
            await asyncio.sleep(2**attempt)
    return "gave up"


def test_agent_that_sleeps_for_an_hour_answers() -> None:
    """The agent's own sleep is skipped, and its trial says how long it took."""

    async def agent(message: str) -> str:
        await asyncio.sleep(HOUR)
        return "done"

    trial = drive(suite_of(), agent, time="virtual", timeout=2 * HOUR).trial

    assert trial.outcome is Outcome.PASS
    assert HOUR <= trial.seconds < 2 * HOUR


def test_slow_tool_is_over_the_agents_limit() -> None:
    """An agent's `wait_for` of 5 s ends a tool that takes 10 s."""

    async def agent(message: str, tools: Tools) -> str:
        try:
            return str(await asyncio.wait_for(tools.search(), 5))
        except TimeoutError:
            return "too slow"

    trial = drive(suite_of(Desk), agent, time="virtual").trial

    assert trial.answer is not None
    assert trial.answer.output == "too slow"
    assert trial.seconds >= 5


def test_hang_is_a_timeout() -> None:
    """A trial's limit ends a call that hangs, at the limit."""
    driven = drive(
        suite_of(Desk), looks, time="virtual", timeout=60, clean=False, under=[Slow(hangs=True).at(once_at(1))]
    )

    assert driven.trial.outcome is Outcome.TIMEOUT
    assert "within 60 s" in driven.trial.detail
    assert driven.trial.seconds >= 60


def test_nested_faults_add_up() -> None:
    """What is slow before upstream and what is slow after it take their time one after the other."""
    driven = drive(suite_of(Desk), looks, time="virtual", clean=False, timeout=60, under=[Slow().at() & Late().at()])

    (call,) = driven.trial.trace
    assert driven.trial.outcome is Outcome.PASS
    assert [event.fault for event in driven.trial.faults] == ["slow", "late"]
    assert call.seconds >= 34


def test_agents_limits_and_pauses_are_virtual_among_faults() -> None:
    """An agent that gives up a hanging call, pauses and tries again meets each of its own times."""
    hangs = Slow(hangs=True).at(PermanentFrom(1))

    driven = drive(suite_of(Desk), looks_again, time="virtual", clean=False, timeout=HOUR, under=[hangs])

    assert driven.trial.answer is not None
    assert driven.trial.answer.output == "gave up"
    assert [round(call.at) for call in driven.trial.trace] == [0, 41, 83, 127]


async def looks_by_seed(message: str, tools: Tools, *, seed: int) -> str:
    """Look, half of the agents with a limit of their own."""
    try:
        return str(await asyncio.wait_for(tools.look(), 20)) if seed % 2 else str(await tools.look())
    except TimeoutError:
        return "too slow"


def test_virtual_trials_are_the_real_ones() -> None:
    """In virtual time a run has the trials that it has in real time."""
    under = [Slow(seconds=0.002).at(0.5), Slow(seconds=0.001).at(0.2) & Late(seconds=0.001).at(0.5)]
    options: dict[str, Any] = {"under": under, "trials": 16, "seed": 7, "timeout": 60}

    virtual, real = (drive(suite_of(Desk), looks_by_seed, **options, time=time) for time in ("virtual", "real"))

    assert virtual.contents == real.contents


def test_concurrency_changes_no_virtual_trial() -> None:
    """One at a time or 64, the trials are the same, those with limits and time limits among them."""
    under = [Slow(hangs=True).at(0.5), Slow().at(0.3) & Late().at(0.5)]
    options: dict[str, Any] = {"under": under, "trials": 64, "seed": 7, "timeout": 60, "time": "virtual"}

    one, many = (drive(suite_of(Desk), looks_by_seed, **options, concurrency=number) for number in (1, 64))

    assert one.contents == many.contents
    assert {Outcome.PASS, Outcome.TIMEOUT} == {trial.outcome for trial in one.trials}


@contextmanager
def echo() -> Iterator[int]:
    """The port of a server on this machine that gives back a line to each who connects, one after the other."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            with connection, connection.makefile("rb") as lines:
                connection.sendall(lines.readline())

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield listening.getsockname()[1]
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join()


def test_agent_that_asks_a_server_gets_its_answer() -> None:
    """A real round-trip is neither skipped nor starved by others that sleep, and sleeping is still skipped."""

    async def agent(message: str, tools: Tools) -> str:
        if "order 0 " in message:
            await asyncio.sleep(HOUR)
            return "slept"
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"hello\n")
        line = await asyncio.wait_for(reader.readline(), 20)
        writer.close()
        await writer.wait_closed()
        return line.decode().strip()

    with echo() as port:
        driven = drive(suite_of(Desk, tasks=4), agent, time="virtual", concurrency=4, timeout=2 * HOUR)

    assert [trial.answer.output for trial in driven.trials if trial.answer] == ["slept", "hello", "hello", "hello"]


def test_agent_that_never_rests_is_a_timeout() -> None:
    """Nothing is skipped while an agent turns the loop, so its time passes as ever, and ends it."""

    async def agent(message: str) -> str:
        while True:  # noqa: ASYNC110 - the claim is about who does so
            await asyncio.sleep(0)

    trial = drive(suite_of(), agent, time="virtual", timeout=0.05).trial

    assert trial.outcome is Outcome.TIMEOUT


def test_agent_that_does_not_stop_is_given_up() -> None:
    """An agent that swallows its end and sleeps on costs no time, and others go on."""
    over = asyncio.Event()

    async def agent(message: str) -> str:
        while "order 0 " in message and not over.is_set():
            try:
                await asyncio.sleep(HOUR)
            except asyncio.CancelledError:
                continue
        over.set()
        return "done"

    driven = drive(suite_of(tasks=2), agent, time="virtual", concurrency=1, timeout=60)

    assert "".join(trial.outcome.letter for trial in driven.trials) == "TP"
    assert "did not stop" in driven.trials[0].detail


class Noting:
    """A world that notes, at each thing that it is asked for, what holds the clock."""

    notes: ClassVar[dict[str, str]] = {}
    loop: ClassVar[VirtualLoop]

    def __enter__(self) -> Self:
        """Begin, on the event loop."""
        self.notes["set-up"] = held_by()
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        Noting.loop = loop
        return self

    def __exit__(self, *_: object) -> None:
        """End, on a thread."""
        self.notes["tear-down"] = self.loop.held_by()

    @property
    def tools(self) -> dict[str, Callable[..., Any]]:
        """One tool, which belongs to the agent's own time."""
        return {"look": lambda: held_by() or "nothing"}

    async def snapshot(self) -> str:
        """Show the end state."""
        self.notes["snapshot"] = held_by()
        return ""


@pytest.mark.parametrize("awaited", [False, True])
def test_surroundings_have_real_time(*, awaited: bool) -> None:
    """While a world is made, shown or torn down and while a grader works nothing is skipped.

    What they wait for is real. While the agent works, and so while its tools and its faults do, the clock may jump.
    """

    def graded(evidence: Evidence) -> bool:
        Noting.notes["grader"] = Noting.loop.held_by()
        return evidence.answer is not None and bool(evidence.answer.output == "nothing")

    async def graded_async(evidence: Evidence) -> bool:
        return graded(evidence)

    Noting.notes.clear()
    driven = drive(suite_of(Noting, grade=graded_async if awaited else graded), looks, time="virtual")

    assert driven.trial.outcome is Outcome.PASS
    assert set(Noting.notes) == {"set-up", "snapshot", "tear-down", "grader"}
    assert all("surrounds the agents" in note for note in Noting.notes.values())


def test_stopped_run_lets_its_trials_end() -> None:
    """A first Ctrl-C begins no more trials; those that run end, however long they sleep."""
    control = Control()

    async def agent(message: str) -> str:
        control.stop()
        await asyncio.sleep(HOUR)
        return "done"

    driven = drive(suite_of(tasks=9), agent, control=control, time="virtual", concurrency=4, timeout=2 * HOUR)

    assert [trial.outcome for trial in driven.trials] == [Outcome.PASS] * 4


def test_aborted_run_drops_its_trials() -> None:
    """A second Ctrl-C drops the trials that run, those too that hold the clock in real time."""
    control = Control()
    ours, theirs = socket.socketpair()

    async def agent(message: str) -> str:
        if "order 0 " in message:
            return "done"
        control.abort()
        reader, writer = await asyncio.open_connection(sock=ours)
        with closing(writer):
            await reader.read()
        return "never"

    with theirs:
        driven = drive(suite_of(tasks=9), agent, control=control, time="virtual", concurrency=1, timeout=2 * HOUR)

    assert [trial.outcome for trial in driven.trials] == [Outcome.PASS]
