"""What a world has against planned faults is known before the first trial: one is made for that, and torn down."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from threading import current_thread
from typing import Any, ClassVar

import pytest

import passhat
from passhat import Suite, Task, api, faults, graders, perturbations
from passhat.errors import UsageError
from passhat.model.dose import once_at


class Desk:
    """A world with two tools: one pays, one looks."""

    reads: Any = ("look*",)

    def __init__(self) -> None:
        self.tools: Any = {"pay": lambda amount: f"paid {amount}", "look": lambda: "nothing"}


class Sandbox(Desk):
    """The same, and nothing in it is real."""

    sandbox: ClassVar[Any] = True


async def pays(message: str, tools: Any) -> str:  # noqa: ANN401 - the tools of a world
    """Pay."""
    del message
    return str(await tools.pay(amount=5))


def pays_blocking(message: str, tools: Any) -> str:  # noqa: ANN401 - as above
    """Pay, on a thread."""
    del message
    return str(tools.pay(amount=5))


def suite(world: Callable[[], Any] | None = Desk) -> Suite:
    """Pay 5."""
    return Suite(
        tasks=[Task("pay", "Please pay 5 to the customer", expect="paid 5")],
        grader=graders.contains(),
        world=world,
        name="till",
    )


def refused(folder: Path, *under: Any, world: Callable[[], Any] = Desk, agent: Any = pays) -> list[str]:  # noqa: ANN401
    """The sentences with which a run is refused; it has left no store."""
    with pytest.raises(UsageError) as caught:
        passhat.run(suite(world), agent, under=list(under), trials=2, store=str(folder / "runs.db"))
    assert list(folder.iterdir()) == []
    return list(caught.value.problems)


AGENTS = [pays, pays_blocking]


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize(
    ("under", "sentence"),
    [
        (
            "rate_limit(match=pya)",
            "rate_limit(dose=once_at(1), match=pya): no tool of the world matches 'pya': did you mean",
        ),
        ('rate_limit(match="pay(amonut=5)")', "no tool that matches 'pay' takes 'amonut': did you mean 'amount'?"),
        ("rate_limit(match=write:look)", "no tool of the world that matches 'look' writes: a world names those that"),
        ("rate_limit(match=read:pay)", "no tool of the world that matches 'pay' only reads"),
        (
            "duplicate_delivery()",
            "it makes a tool do what the agent did not ask for, which needs a world that declares",
        ),
        ("lost_owner(mode=both)", "which needs a world that declares sandbox = True"),
    ],
)
def test_fault_that_the_world_rules_out_is_refused(under: str, sentence: str, agent: Any, tmp_path: Path) -> None:  # noqa: ANN401
    """A match without a tool, and a fault without a sandbox, are told before anything runs or is stored."""
    (problem,) = refused(tmp_path, under, agent=agent)

    assert sentence in problem


def test_all_problems_come_at_once(tmp_path: Path) -> None:
    """One look at the world shows everything, each once."""
    under = [
        "rate_limit(match=pya)",
        "duplicate_delivery()",
        "typos(0.5) & duplicate_delivery()",
        "rate_limit(match=l)",
    ]

    assert len(refused(tmp_path, *under)) == 3


@pytest.mark.parametrize("agent", AGENTS)
def test_faults_that_the_world_allows_run(agent: Any, tmp_path: Path) -> None:  # noqa: ANN401 - as above
    """Where the tools are there and the world is a sandbox, nothing is refused."""
    under = ["rate_limit(match=p?y)", "duplicate_delivery(match=write:*)", "latency(seconds=0.0, match=read:look)"]
    run = passhat.run(suite(Sandbox), agent, under=under, trials=1, store=str(tmp_path / "runs.db"))

    assert run.trials.counts().void == (0, 0, 0, 0)


class Counted:
    """A factory of worlds that counts what it made and what was torn down."""

    def __init__(self) -> None:
        self.made = self.left = 0
        self.threads: list[str] = []

    @contextmanager
    def sync(self) -> Iterator[Desk]:
        """A world to enter."""
        self.made += 1
        self.threads.append(current_thread().name)
        yield Desk()
        self.left += 1

    @asynccontextmanager
    async def asynchronous(self) -> AsyncIterator[Desk]:
        """A world to enter and await."""
        await asyncio.sleep(0)
        with self.sync() as desk:
            yield desk

    async def awaited(self) -> Desk:
        """A world to await."""
        self.made, self.left = self.made + 1, self.left + 1
        return Desk()


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("kind", ["sync", "asynchronous", "awaited"])
def test_one_world_more_is_made_and_torn_down(kind: str, agent: Any, tmp_path: Path) -> None:  # noqa: ANN401
    """Whatever a factory gives is entered and left as in a trial, where the agent's own world lives."""
    counted = Counted()
    world = getattr(counted, kind)
    passhat.run(suite(world), agent, under=["rate_limit(0.0)"], trials=2, store=str(tmp_path / "runs.db"))

    assert (counted.made, counted.left) == (5, 5)
    on_thread = agent is pays_blocking and kind == "sync"
    assert {name.startswith("passhat-agent") for name in counted.threads} <= {on_thread}


@pytest.mark.parametrize("under", [[], [perturbations.typos(0.5)]])
def test_no_world_is_made_where_no_fault_is_planned(under: Any, tmp_path: Path) -> None:  # noqa: ANN401 - as above
    """A run without faults makes as many worlds as it makes trials."""
    counted = Counted()
    run = passhat.run(suite(counted.sync), pays, under=under, trials=2, store=str(tmp_path / "runs.db"))

    assert counted.made == run.header.planned


def test_refused_world_is_torn_down(tmp_path: Path) -> None:
    """The world of a run that is refused is left behind clean."""
    counted = Counted()
    refused(tmp_path, "duplicate_delivery()", world=counted.sync)

    assert (counted.made, counted.left) == (1, 1)


def test_plan_makes_no_world() -> None:
    """Nothing is run to show a plan: what the world says is known when the run begins."""
    counted = Counted()

    assert api.plan(suite(counted.sync), pays, under=["rate_limit(match=pya)"], trials=2).planned == 4
    assert counted.made == 0


def _broken() -> Desk:
    raise RuntimeError("no database")


class NoTools(Desk):
    """Its tools are none."""

    def __init__(self) -> None:
        self.tools = 5


class BadReads(Desk):
    """It names one tool without a list."""

    reads = "look"


async def _for_ever() -> Desk:
    await asyncio.get_running_loop().create_future()
    return Desk()


@pytest.mark.parametrize(
    ("world", "said"),
    [
        (_broken, "the world's set-up raised RuntimeError: no database"),
        (NoTools, "the world's tools: "),
        (BadReads, "the world's reads: a list of the names"),
        (_for_ever, "the world's set-up took longer than 0.1 s"),
    ],
)
def test_world_that_cannot_be_looked_at_refuses_nothing(world: Any, said: str, tmp_path: Path) -> None:  # noqa: ANN401
    """A set-up that fails once may go well the next time: the trials are made, and say what they met."""
    under, path = ["rate_limit(match=pya)"], str(tmp_path / "runs.db")
    run = passhat.run(suite(world), pays, under=under, clean=False, trials=1, store=path, timeout=0.1)

    (trial,) = run.trials
    assert (trial.outcome, trial.detail.startswith(said)) == ("VOID", True)


@contextmanager
def _sticky() -> Iterator[Desk]:
    yield Desk()
    raise RuntimeError("cannot leave")


def test_tear_down_that_fails_refuses_nothing(tmp_path: Path) -> None:
    """What goes wrong with the world that was only looked at is no reason not to run."""
    run = passhat.run(suite(_sticky), pays, under="rate_limit(0.0)", trials=1, store=str(tmp_path / "runs.db"))

    assert [trial.outcome for trial in run.trials] == ["PASS", "PASS"]


def test_replay_looks_first(tmp_path: Path) -> None:
    """A world that has lost the tool since the run refuses the replay, instead of a trial that is void."""
    condition = faults.rate_limit().at(once_at(2), match="pay")
    run = passhat.run(suite(), pays, under=[condition], trials=1, store=str(tmp_path / "runs.db"))

    class Other(Desk):
        def __init__(self) -> None:
            self.tools = {"refund": lambda: 1}

    with pytest.raises(UsageError, match="no tool of the world matches 'pay'"):
        api.replay(run, suite(Other), pays, "pay", 0, condition)


def test_run_async_looks_first() -> None:
    """On the caller's own loop it is the same."""
    with pytest.raises(UsageError, match="did you mean pay"):
        asyncio.run(passhat.run_async(suite(), pays, under=["rate_limit(match=pya)"], store="/nonexistent/x.db"))


def test_world_is_met_in_real_time(tmp_path: Path) -> None:
    """In virtual time the world that is looked at has real time, as those of the trials have."""
    skipped: list[float] = []

    async def world() -> Desk:
        loop = asyncio.get_running_loop()
        before = loop.time()
        await asyncio.sleep(0.01)
        skipped.append(loop.time() - before)
        return Desk()

    path = str(tmp_path / "runs.db")
    passhat.run(suite(world), pays, under="rate_limit(0.0)", clean=False, trials=1, store=path, time="virtual")

    assert len(skipped) == 2
    assert all(took < 5 for took in skipped)


def test_what_the_world_prints_is_kept_from_the_screen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """Where prints are captured, those of the world that is looked at are too."""
    caplog.set_level(logging.WARNING)

    def world() -> Desk:
        print("opening the desk")  # noqa: T201 - what is tested
        return Desk()

    path = str(tmp_path / "runs.db")
    passhat.run(suite(world), pays, under="rate_limit(0.0)", trials=1, store=path, capture=True)

    assert capsys.readouterr().out == ""
    assert caplog.records == []


class Toolless(Desk):
    """A world without a tool."""

    def __init__(self) -> None:
        self.tools = {}


class Opaque(Desk):
    """A world whose end state is no JSON."""

    def snapshot(self) -> object:
        """An object."""
        return {"paid": {5, 6}}


class Shy(Desk):
    """A world that cannot show its end state."""

    def snapshot(self) -> object:
        """Raise."""
        raise OSError("the disk is gone")


@pytest.mark.parametrize(
    ("world", "sentence"),
    [
        (None, "rate_limit(dose=once_at(1)): the suite has no world, so there is no call that it could meet"),
        (Toolless, "rate_limit(dose=once_at(1)): the world has no tools, so there is no call that it could meet"),
        (Opaque, "the world's snapshot is not JSON: "),
    ],
)
def test_world_under_which_no_trial_could_say_anything_is_refused(
    world: Any,  # noqa: ANN401 - as above
    sentence: str,
    tmp_path: Path,
) -> None:
    """Faults without a tool to meet, and an end state that cannot be kept, are told before the first trial."""
    (problem,) = refused(tmp_path, "rate_limit", world=world)

    assert problem.startswith(sentence)


def test_snapshot_that_raises_is_left_to_the_trials(tmp_path: Path) -> None:
    """It may raise for once; the trials meet it and say so."""
    run = passhat.run(suite(Shy), pays, under=["rate_limit"], trials=1, store=str(tmp_path / "runs.db"))

    assert run.trials.counts().void == (1, 1)


def test_faults_of_messages_need_no_world(tmp_path: Path) -> None:
    """What meets an agent's messages needs no tool to meet."""

    async def speaks(message: str, tools: Any) -> str:  # noqa: ANN401 - as above
        return str(tools.messages([{"role": "user", "content": message}]))

    run = passhat.run(suite(None), speaks, under=["truncated_context"], trials=1, store=str(tmp_path / "runs.db"))

    assert run.trials.counts().void == (0, 0)


def test_tool_that_a_fault_calls_is_one_of_the_world(tmp_path: Path) -> None:
    """A fault that sends calls to a tool which is not there could not do so in any trial."""
    (problem,) = refused(tmp_path, "wrong_tool(tool=lok)", world=Sandbox)

    assert problem.endswith("no tool of the world is called 'lok': did you mean 'look'?")
