"""How many trials run at a time follows what real services say."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from hypothesis import given
from hypothesis import strategies as st

from passhat.engine.throttle import BEFORE_ALL, Throttle
from passhat.engine.virtual import VirtualLoop

T = TypeVar("T")


def paced(most: int, what: Callable[[Throttle], Awaitable[T]]) -> T:
    """What comes of *what*, in virtual time."""

    async def run() -> T:
        throttle = Throttle(most, asyncio.get_running_loop().time)
        try:
            return await what(throttle)
        finally:
            throttle.stop()

    loop = VirtualLoop()
    try:
        return loop.run_until_complete(run())
    finally:
        loop.close()


def test_nobody_waits_while_nobody_is_busy() -> None:
    """As many run as the run's concurrency says."""

    async def begin(throttle: Throttle) -> int:
        return len([await throttle.begin() for _ in range(8)])

    assert paced(8, begin) == 8


def test_busy_service_halves_the_limit() -> None:
    """Once for all that was under way: those who began before the cut say nothing new."""

    async def cut(throttle: Throttle) -> list[float]:
        begun = [await throttle.begin() for _ in range(8)]
        await asyncio.sleep(1)
        limits = []
        for at in begun:
            throttle.busy(at)
            limits.append(throttle.limit)
        return limits

    assert paced(8, cut) == [4.0] * 8


def test_limit_never_falls_below_one() -> None:
    """Somebody has to find out that the service answers again."""

    async def cut(throttle: Throttle) -> float:
        for _ in range(10):
            begun = await throttle.begin()
            throttle.end()
            await asyncio.sleep(1)
            throttle.busy(begun)
        return throttle.limit

    assert paced(8, cut) == 1.0


def test_limit_comes_back_by_one_for_each_round_of_answers() -> None:
    """Additive increase: as many answers as run at a time allow one more."""

    async def recover(throttle: Throttle) -> tuple[float, float]:
        throttle.busy(await throttle.begin())
        low = throttle.limit
        for _ in range(1_000):
            throttle.answered()
        return low, throttle.limit

    assert paced(8, recover) == (4.0, 8.0)


def test_nothing_begins_before_the_time_that_the_service_named() -> None:
    """Retry-After is obeyed by all, not by the one who was told."""

    async def wait(throttle: Throttle) -> float:
        begun = await throttle.begin()
        throttle.end()
        throttle.busy(begun, retry_after=30)
        throttle.busy(begun, retry_after=5)
        return await throttle.begin() - begun

    assert 30 <= paced(8, wait) < 31


@given(st.integers(1, 6), st.lists(st.sampled_from(["ok", "busy"]), min_size=1, max_size=40))
def test_never_more_at_a_time_than_the_limit(most: int, script: list[str]) -> None:
    """Whatever the services say, every trial gets its turn, and no more begin than the limit allows."""

    async def work(throttle: Throttle) -> int:
        running = most_at_once = done = 0

        async def trial(said: str) -> None:
            nonlocal running, most_at_once, done
            begun = await throttle.begin()
            running += 1
            assert running <= max(1, most)
            most_at_once = max(most_at_once, running)
            await asyncio.sleep(1)
            running -= 1
            throttle.end()
            throttle.busy(begun) if said == "busy" else throttle.answered()
            done += 1

        await asyncio.gather(*map(trial, script))
        assert most_at_once <= most
        return done

    assert paced(most, work) == len(script)


def test_stop_lets_all_go_on() -> None:
    """Who waits for a turn when the run ends does not wait for ever."""

    async def stop(throttle: Throttle) -> int:
        throttle.busy(await throttle.begin(), retry_after=1_000)
        waiting = [asyncio.ensure_future(throttle.begin()) for _ in range(5)]
        await asyncio.sleep(0)
        throttle.stop()
        return len(await asyncio.gather(*waiting))

    assert paced(1, stop) == 5


def test_trials_that_began_at_once_are_cut_once() -> None:
    """Nobody looked at a clock for them: what they say of the time before the first cut counts once, too."""

    async def cut(throttle: Throttle) -> list[float]:
        assert all(throttle.at_once() for _ in range(8))
        assert not throttle.at_once()
        limits = []
        for _ in range(8):
            throttle.busy(BEFORE_ALL)
            throttle.end()
            limits.append(throttle.limit)
        assert not throttle.at_once()
        return limits

    assert paced(8, cut) == [4.0] * 8
