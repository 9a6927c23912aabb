"""Latency that goes by the clean calls of the run: how long it takes, what that is based on, and what is refused."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

import passhat
from passhat import Suite, Task, api, faults, graders
from passhat.engine.pace import Paces
from passhat.errors import UsageError
from passhat.faults.latency import ENOUGH
from passhat.model.body import row_of
from passhat.model.dice import dice
from passhat.model.effect import Delay
from passhat.model.outcome import Outcome
from passhat.model.pace import Pace
from passhat.model.run import Run
from passhat.model.trial import Call, ToolCall, Trial

MEASURED = "latency(p99=measured, dose=once_at(1))"


class Shop:
    """A tool that takes a second, and one that fails after nine."""

    def __init__(self) -> None:
        self.tools = {"find": self.find, "broken": self.broken}

    async def find(self) -> str:
        await asyncio.sleep(1)
        return "found"

    async def broken(self) -> str:
        await asyncio.sleep(9)
        raise OSError("down")


SUITE = Suite(name="shop", tasks=[Task("find", "Find it.", expect="found")], world=Shop, grader=graders.contains())


async def agent(message: str, tools: Any) -> str:  # noqa: ANN401 - the tools
    """Asks a tool that fails, and then the one that works."""
    del message
    try:
        await tools.broken()
    except OSError:
        return str(await tools.find())
    return ""


def made(folder: Path, **options: Any) -> Run:  # noqa: ANN401 - as `run` has it
    """A stored run, clean and under measured latency of `find`, one trial after the other."""
    folder.mkdir(exist_ok=True)
    usual = {"under": ["latency(p99=measured, match=find)"], "trials": 3, "concurrency": 1, "time": "virtual"}
    return passhat.run(SUITE, agent, **{**usual, "store": str(folder / "runs.db"), **options})


def decided(pace: Pace | None, **parameters: Any) -> Delay:  # noqa: ANN401 - as the fault has them
    """What measured latency decides at this pace."""
    call = Call(tool="find", arguments={}, ordinal=1, pace=pace)
    effect = faults.latency(p99="measured", **parameters).on_reply(call, "found", dice(1))
    assert isinstance(effect, Delay)
    return effect


@pytest.mark.parametrize(
    ("pace", "seconds", "basis"),
    [
        (None, 2.0, "2 s, as no clean call was measured before"),
        (Pace(calls=1, p99=0.4, slowest=0.4), 1.2, "1.5 × 0.8 s, twice the slowest of 1 clean call"),
        (Pace(calls=298, p99=0.4, slowest=1.0), 3.0, "1.5 × 2 s, twice the slowest of 298 clean calls"),
        (Pace(calls=299, p99=0.4, slowest=1.0), 0.6, "1.5 × 0.4 s, the p99 measured on 299 clean calls"),
        (Pace(calls=500, p99=0.0, slowest=0.1), 2.0, "2 s, as 500 clean calls took no time that could be measured"),
    ],
)
def test_basis_is_what_is_known(pace: Pace | None, seconds: float, basis: str) -> None:
    """The delay is a multiple of the best number that there is, and says which."""
    effect = decided(pace)

    assert effect.seconds == pytest.approx(seconds)
    assert effect.basis == basis


def test_enough_calls_are_as_many_as_it_takes() -> None:
    """From 299 calls on the slowest lies above the p99 with a chance of 95 %, and with one call fewer it does not."""
    assert 1 - 0.99**ENOUGH >= 0.95 > 1 - 0.99 ** (ENOUGH - 1)


def test_declared_seconds_hold_before_the_first_clean_call() -> None:
    """Who measures may say what holds until something is measured."""
    assert decided(None, seconds=0.5).seconds == 0.5
    assert decided(Pace(calls=1, p99=1.0, slowest=1.0), seconds=0.5).seconds == 3.0


def test_seconds_and_a_declared_p99_are_two_bases() -> None:
    """Two numbers that both say how long it takes are refused."""
    with pytest.raises(UsageError, match="give seconds or p99, not both"):
        faults.latency(seconds=1.0, p99=1.0)


@pytest.mark.parametrize("value", ["mesured", ""])
def test_only_one_word_stands_for_a_p99(value: str) -> None:
    """A word that is none is refused with what may stand there."""
    with pytest.raises(UsageError, match="p99 is a number above 0, or measured, not"):
        faults.latency(p99=value)


def test_run_measures_its_own_clean_calls(tmp_path: Path) -> None:
    """Each trial goes by the clean trials that ended before it, and a call that failed tells nothing of a reply."""
    run = made(tmp_path)
    delayed = [trial for trial in run.trials if trial.exposed]

    assert [trial.faults[0].detail.partition(", ")[2] for trial in delayed] == [
        "twice the slowest of 1 clean call",
        "twice the slowest of 2 clean calls",
        "twice the slowest of 3 clean calls",
    ]
    assert [set(trial.paces) for trial in delayed] == [{"find"}] * 3
    assert all(trial.trace[1].seconds >= 1 + 3 * trial.paces["find"].slowest >= 4 for trial in delayed)


def test_clean_trials_know_nothing_of_it(tmp_path: Path) -> None:
    """Only the trials whose fault goes by it are told of the pace."""
    run = made(tmp_path, under=["latency(p99=measured, match=find, share=0.34)", "latency(seconds=1)"])

    (planned,) = [one for one in run.trials if one.faults_planned and one.condition == run.header.conditions[1]]
    assert [trial for trial in run.trials if trial.paces] == [planned]


def test_replay_goes_by_what_the_trial_went_by(tmp_path: Path) -> None:
    """A trial that is made again has the identical delay, however much was measured after it."""
    run = made(tmp_path)
    stored = run.trials.get("find", run.header.conditions[1], 0)
    assert stored is not None

    again = api.replay(run, SUITE, agent, "find", 0, run.header.conditions[1])

    assert again.faults == stored.faults
    assert again.paces == stored.paces


def test_resumed_run_remembers_its_clean_trials(tmp_path: Path) -> None:
    """What was measured before a run stopped holds when it goes on."""
    whole = made(tmp_path, trials=1)
    clean = whole.trials.get("find", "clean", 0)
    assert clean is not None
    store = api.open_store(tmp_path / "stopped.db", create=True)
    store.create(whole.header)
    store.append(whole.header.id, [row_of(0, clean)])

    run = made(tmp_path, trials=1, store=store, resume=whole.header.id)

    (delayed,) = [trial for trial in run.trials if trial.exposed]
    assert delayed.faults[0].detail.endswith("twice the slowest of 1 clean call")


@pytest.mark.parametrize("concurrency", [2, 8])
def test_faults_are_the_same_at_any_concurrency(concurrency: int, tmp_path: Path) -> None:
    """How long a delay takes is measured, and so it is no content; which calls it meets follows from the seed alone."""
    under = ["latency(p99=measured, match=find, rate=0.5)"]

    alone, together = (
        made(tmp_path / name, under=under, trials=12, concurrency=at) for name, at in (("1", 1), ("more", concurrency))
    )

    contents = [[trial.content() for trial in run.trials] for run in (alone, together)]
    assert contents[0] == contents[1]
    assert 0 < sum(trial.exposed for trial in together.trials) < 12


def test_run_without_clean_trials_is_refused(tmp_path: Path) -> None:
    """Nothing can be measured where no trial is clean: that is said before the first one."""
    with pytest.raises(UsageError, match="measures clean calls, and no trial of this run is clean"):
        made(tmp_path, clean=False)


def test_latency_that_outlasts_the_trial_is_called_a_timeout(tmp_path: Path) -> None:
    """A delay that the trial cannot survive says so in its basis, and a shorter one does not."""
    run = made(tmp_path, under=["latency(seconds=70, match=find)", "latency(seconds=5, match=find)"])

    details = [trial.faults[0].detail for trial in run.trials if trial.exposed and trial.index == 0]
    assert details == ["70 s; longer than the trial may take, so a timeout", "5 s"]
    assert {trial.outcome for trial in run.trials if "seconds=70" in trial.condition} == {"TIMEOUT"}


def test_from_299_calls_on_the_p99_is_measured() -> None:
    """The engine tells the p99 of all calls, over trials and within 1 %."""
    paces = Paces({})
    for index in range(100):
        calls = [ToolCall(step=at, tool="find", seconds=(3 * index + at) / 100) for at in (1, 2, 3)]
        paces.learn(
            Trial(task_id="t", task_digest="", condition="clean", index=index, outcome=Outcome.PASS, trace=tuple(calls))
        )

    pace = paces.now()["find"]
    assert (pace.calls, pace.slowest) == (300, 3.0)
    assert pace.p99 == pytest.approx(2.97, rel=0.01)


def test_trials_under_faults_are_not_measured() -> None:
    """A call of a trial that is not clean says nothing of upstream."""
    paces = Paces({})
    calls = (ToolCall(step=1, tool="find", seconds=40.0),)
    paces.learn(Trial(task_id="t", task_digest="", condition=MEASURED, index=0, outcome=Outcome.PASS, trace=calls))

    assert paces.now() == {}
