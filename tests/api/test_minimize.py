"""`api.minimize`: what is to blame is found, whatever else the trial met; `only` makes a trial again with a part."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest

import passhat
from passhat import Suite, Task, api, graders
from passhat.errors import ToolError, UsageError
from passhat.model.minimal import Decision, Minimal
from passhat.model.outcome import Outcome
from passhat.model.run import Run
from passhat.model.trial import Trial

ASKED = "Please pay the first order of the customer who is waiting, and write a note about it."
LOST = "lost_reply(hang=0.0, dose=once_at(1), match=pay)"
BUSY = "rate_limit(retry_after=0.0, dose=once_at(1), match=look)"
BROKEN = "server_error(dose=once_at(1), match=note)"
THREE = f"{LOST} & {BUSY} & {BROKEN}"


class Desk:
    """A world in which three things can be done, and one of them only once."""

    reads = ("look",)

    def __init__(self) -> None:
        self.paid: list[int] = []

    @property
    def tools(self) -> list[Callable[..., Any]]:
        """What there is."""
        return [self.look, self.pay, self.note]

    async def look(self) -> str:
        """Look."""
        return "an order"

    async def pay(self) -> str:
        """Pay 5."""
        self.paid.append(5)
        return "paid"

    async def note(self) -> str:
        """Write it down."""
        return "written"

    def snapshot(self) -> list[int]:
        """What was paid."""
        return list(self.paid)


DESK = Suite(name="desk", tasks=[Task("pay", ASKED, expect=[5])], world=Desk, grader=graders.end_state())


async def again(call: Callable[[], Any], tries: int = 3) -> None:
    """Make a call, blindly again where it fails."""
    for _ in range(tries):
        try:
            await call()
        except ToolError:
            continue
        return


async def retries(message: str, tools: Any) -> str:  # noqa: ANN401 - the tools
    """Pay twice where the reply to the first payment is lost."""
    for tool in (tools.look, tools.pay, tools.note):
        await again(tool)
    return message


def ending(outcomes: Iterator[bool], agent: Any = retries) -> Any:  # noqa: ANN401 - any agent
    """An agent of chance: now like *agent*, now one that pays as it should."""

    async def drawn(message: str, tools: Any) -> str:  # noqa: ANN401 - as above
        if next(outcomes):
            return str(await agent(message, tools))
        await again(tools.look)
        await again(tools.pay, tries=1)
        return message

    return drawn


def made(folder: Path, condition: str = THREE, agent: Any = retries, **options: Any) -> Run:  # noqa: ANN401 - as `run`
    """A stored run, clean and under *condition*."""
    return passhat.run(DESK, agent, **{"under": [condition], "trials": 2, "store": str(folder / "runs.db"), **options})


def search(run: Run, agent: Any = retries, condition: str = THREE, **options: Any) -> Minimal:  # noqa: ANN401 - as above
    """What the search for the second trial comes to."""
    return api.minimize(run, DESK, agent, "pay", 1, condition, **options)


def test_the_one_fault_of_three_that_is_to_blame(tmp_path: Path) -> None:
    """Two faults that the agent survives are left out, and the third is left, with its call."""
    minimal = search(made(tmp_path))

    assert [(one.number, one.name, one.tool, one.ordinal) for one in minimal.suspects] == [
        (1, "rate_limit", "look", 1),
        (2, "lost_reply", "pay", 1),
        (3, "server_error", "note", 1),
    ]
    assert minimal.numbers == (2,)
    assert minimal.doubtful == ()
    assert minimal.condition == LOST


def test_no_fault_and_all_faults_come_first(tmp_path: Path) -> None:
    """It says what came of no fault at all, of all of them, and of every set after these, with its interval."""
    minimal = search(made(tmp_path))

    assert [(one.numbers, one.failed, one.n, one.decision) for one in minimal.tried] == [
        ((), 0, 9, Decision.PASSES),
        ((1, 2, 3), 11, 11, Decision.FAILS),
        ((1,), 0, 12, Decision.PASSES),
        ((2, 3), 13, 13, Decision.FAILS),
        ((2,), 14, 14, Decision.FAILS),
    ]
    assert all(one.low <= one.failed / one.n <= one.high for one in minimal.tried)
    assert sum(1 - one.confidence for one in minimal.tried) < 0.05


def test_faults_that_need_each_other_stay(tmp_path: Path) -> None:
    """Where all of several faults are needed, none is left out."""
    condition = f"{LOST} & {BUSY}"
    grader = graders.predicate(lambda evidence: len([one for one in evidence.trace if one.error]) < 2)
    suite = msgspec.structs.replace(DESK, grader=grader)
    run = passhat.run(suite, retries, under=[condition], trials=1, store=str(tmp_path / "runs.db"))
    minimal = api.minimize(run, suite, retries, "pay", 0, condition)

    assert minimal.numbers == (1, 2)
    assert minimal.condition == condition


def test_each_call_of_a_fault_is_a_suspect_of_its_own(tmp_path: Path) -> None:
    """Of a fault that fired at many calls the one call is left that did it, as a dose of its own."""
    run = made(tmp_path, "lost_reply(hang=0.0, dose=permanent_from(1))")
    minimal = search(run, condition="lost_reply(hang=0.0, dose=permanent_from(1))")

    assert len(minimal.suspects) == 9
    assert minimal.numbers == (4,)
    assert minimal.condition == LOST


def test_wording_is_a_suspect(tmp_path: Path) -> None:
    """Another wording that is to blame is left, and the fault beside it is not."""

    async def literal(message: str, tools: Any) -> str:  # noqa: ANN401 - the tools
        await again(tools.look)
        if message == ASKED:
            await tools.pay()
        return message

    condition = f"{BUSY} & typos(0.2)"
    minimal = search(made(tmp_path, condition, literal), literal, condition)

    assert [one.name for one in minimal.suspects] == ["rate_limit", "typos(0.2)"]
    assert minimal.numbers == (2,)
    assert minimal.condition == "typos(0.2)"


def test_agent_that_fails_anyway(tmp_path: Path) -> None:
    """Where it fails without any fault, none is to blame, and nothing else is tried."""

    async def never(message: str, tools: Any) -> str:  # noqa: ANN401 - the tools
        await again(tools.look)
        return message

    minimal = search(made(tmp_path, BUSY, never), never, BUSY)

    assert minimal.numbers == ()
    assert [one.numbers for one in minimal.tried] == [()]
    assert minimal.condition == ""


def test_failure_that_was_a_rare_one(tmp_path: Path) -> None:
    """Where all faults together fail in less than the rate, there is nothing to make smaller."""
    rare = ending(turn % 10 == 0 for turn in count())
    minimal = search(made(tmp_path), rare, concurrency=1)

    assert minimal.numbers is None
    assert [one.numbers for one in minimal.tried] == [(), (1, 2, 3)]
    assert minimal.tried[1].decision is Decision.PASSES


def test_rate_says_what_a_failure_is(tmp_path: Path) -> None:
    """An agent that fails in one of three is searched where a fifth is asked for."""
    rare = ending(turn % 3 == 0 for turn in count())
    minimal = search(made(tmp_path), rare, concurrency=1, rate=0.1, tries=200)

    assert minimal.numbers == (2,)
    assert minimal.found is not None
    assert minimal.found.low > 0.1


def test_what_cannot_be_decided_is_kept(tmp_path: Path) -> None:
    """A set that fails in half of its trials is not known to fail: the search goes on without it, and says so."""
    turns = count()

    async def coin(message: str, tools: Any) -> str:  # noqa: ANN401 - the tools
        errors = 0
        for tool in (tools.look, tools.pay):
            try:
                await tool()
            except ToolError:
                errors += 1
        if errors == 2 or (errors == 1 and next(turns) % 2):
            await tools.pay()
        return message

    condition = f"{LOST} & {BUSY}"
    minimal = search(made(tmp_path, condition, coin), coin, condition, concurrency=1)

    assert minimal.numbers == (1, 2)
    assert minimal.doubtful == (1, 2)


def test_virtual_time_stays_virtual(tmp_path: Path) -> None:
    """Of a run in virtual time each trial is made in virtual time: an hour of latency passes at once."""
    condition = f"{LOST} & latency(seconds=3600.0, dose=once_at(1), match=look)"
    run = made(tmp_path, condition, time="virtual", timeout=7200.0)
    minimal = search(run, condition=condition, timeout=7200.0)

    assert [one.name for one in minimal.suspects] == ["latency", "lost_reply"]
    assert minimal.numbers == (2,)


def test_nothing_is_added_to_the_run(tmp_path: Path) -> None:
    """The store holds after a search what it held before."""
    run = made(tmp_path)
    before = [one.content() for one in run.trials]
    search(run)
    store = passhat.open_store(tmp_path / "runs.db")

    assert [one.id for one in store.runs()] == [run.header.id]
    assert [one.content() for one in store.open().trials] == before


@pytest.mark.parametrize("fault", ["corrupted_value", "schema_drift", "server_error", "rate_limit", "wrong_entity"])
def test_condition_that_is_given_does_the_same(fault: str, tmp_path: Path) -> None:
    """A run under the condition that the search gives has the same trial: the same faults, calls and end state."""
    condition = f"{fault}(rate=0.5) & {LOST}"
    run = made(tmp_path, condition, trials=12)
    failed = [one for one in run.trials if one.condition != "clean" and one.outcome is Outcome.FAIL and one.faults]
    stored = max(failed, key=lambda one: len(one.faults))
    minimal = api.minimize(run, DESK, retries, "pay", stored.index, condition)
    assert minimal.numbers is not None
    (alone,) = api.replays(run, DESK, retries, "pay", stored.index, condition, only=minimal.numbers)
    other = passhat.run(DESK, retries, under=[minimal.condition], trials=12, store=str(tmp_path / "other.db"))
    same = other.trials.get("pay", minimal.condition, stored.index)

    assert same is not None
    assert _told(same) == _told(alone)
    assert same.state == alone.state


def _told(trial: Trial) -> Sequence[tuple[Any, ...]]:
    """What was asked and what the agent was told, call by call."""
    return [(one.tool, one.arguments, one.reply, one.error, one.executed) for one in trial.trace]


def test_tool_that_no_match_can_say_has_no_condition(tmp_path: Path) -> None:
    """A tool whose name is a pattern cannot be meant alone: there is no condition, and the search is as good."""

    class Odd(Desk):
        @property
        def tools(self) -> Any:  # noqa: ANN401 - tools by name
            return {"pay*": self.pay}

    async def twice(message: str, tools: Any) -> str:  # noqa: ANN401 - the tools
        await again(lambda: tools.call("pay*"))
        return message

    suite = msgspec.structs.replace(DESK, world=Odd)
    condition = "lost_reply(hang=0.0, dose=once_at(1))"
    run = passhat.run(suite, twice, under=[condition], trials=1, store=str(tmp_path / "runs.db"))
    minimal = api.minimize(run, suite, twice, "pay", 0, condition)

    assert (minimal.numbers, minimal.condition) == ((1,), "")


def test_two_faults_of_one_name_are_told_apart(tmp_path: Path) -> None:
    """Of two faults of one name and dose, the one that fired at a call fires there again, and not the other."""
    condition = "server_error(status=500, rate=0.4) & server_error(status=503, rate=0.4)"
    run = made(tmp_path, condition, trials=30)
    exposed = [one for one in run.trials if one.faults]
    anew = [
        api.replays(run, DESK, retries, "pay", one.index, condition, only=range(1, len(one.faults) + 1))[0]
        for one in exposed
    ]

    assert len({call.error for one in exposed for call in one.trace if call.error}) == 2
    assert [_told(one) for one in anew] == [_told(one) for one in exposed]
    assert [one.faults for one in anew] == [one.faults for one in exposed]


def test_only_none_is_the_clean_trial(tmp_path: Path) -> None:
    """Without any of its faults the trial is what it was in the clean condition."""
    run = made(tmp_path)
    clean = run.trials.get("pay", "clean", 1)
    (bare,) = api.replays(run, DESK, retries, "pay", 1, THREE, only=())

    assert clean is not None
    assert (bare.faults, bare.faults_planned) == ((), ())
    assert _told(bare) == _told(clean)


def test_void_trials_are_no_evidence(tmp_path: Path) -> None:
    """A world that cannot be set up any more decides nothing, and the reason is kept."""
    run = made(tmp_path)

    def gone() -> Desk:
        raise OSError("the desk is closed")

    minimal = api.minimize(run, msgspec.structs.replace(DESK, world=gone), retries, "pay", 1, THREE)

    assert minimal.numbers is None
    assert [(one.n, one.decision) for one in minimal.tried] == [(0, Decision.OPEN)] * 2
    assert "the desk is closed" in minimal.tried[0].why


def test_trials_may_be_made_elsewhere(tmp_path: Path) -> None:
    """Whoever makes trials in another way hands in how: it gets the numbers and how many are wanted."""
    run = made(tmp_path)
    wanted: list[tuple[tuple[int, ...], int]] = []

    def make(numbers: Sequence[int], times: int) -> Sequence[Trial]:
        wanted.append((tuple(numbers), times))
        return api.replays(run, DESK, retries, "pay", 1, THREE, only=numbers, times=times)

    assert search(run, make=make) == search(run)
    assert wanted == [((), 9), ((1, 2, 3), 11), ((1,), 12), ((2, 3), 13), ((2,), 14)]


def test_interrupt_says_how_far_it_has_come(tmp_path: Path) -> None:
    """A search that is stopped says what it has seen fail, and that nothing was kept."""
    run = made(tmp_path)

    def make(numbers: Sequence[int], times: int) -> Sequence[Trial]:
        if numbers == (2, 3):
            raise KeyboardInterrupt
        return api.replays(run, DESK, retries, "pay", 1, THREE, only=numbers, times=times)

    with pytest.raises(KeyboardInterrupt) as caught:
        search(run, make=make)

    assert str(caught.value) == (
        "the search was stopped after 32 trials; nothing was kept; the smallest set that was seen to fail has 3"
    )


def refusal(run: Run, condition: str = THREE, index: int = 1, **options: Any) -> Sequence[str]:  # noqa: ANN401 - as above
    """The sentences with which a search is refused."""
    with pytest.raises(UsageError) as caught:
        api.minimize(run, DESK, retries, "pay", index, condition, **options)
    return caught.value.problems


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"rate": 0}, "rate: a number above 0 and below 1, not 0"),
        ({"rate": float("nan")}, "rate: a number above 0 and below 1, not nan"),
        ({"confidence": 1}, "confidence: a number above 0 and below 1, not 1"),
        ({"confidence": "high"}, "confidence: a number above 0 and below 1, not 'high'"),
        ({"tries": 0}, "tries: a whole number from 1 on, not 0"),
        ({"tries": 10}, "tries: 10 are too few at a rate of 0.5 and a confidence of 0.95: even where all end alike"),
        ({"rate": 0.9}, "tries: 40 are too few at a rate of 0.9"),
        ({"times": 3}, "minimize has no option 'times': there are capture, concurrency, confidence, label, make"),
        ({"index": 7}, "has no trial 7"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], sentence: str, tmp_path: Path) -> None:
    """One sentence says what is wrong, before anything runs."""
    (problem,) = refusal(made(tmp_path), **options)

    assert sentence in problem


def test_all_problems_are_said_at_once(tmp_path: Path) -> None:
    """Two wrong numbers and a trial that passed are three sentences."""
    assert len(refusal(made(tmp_path), "clean", rate=2, tries=-1)) == 3


def test_trial_that_passed_is_refused(tmp_path: Path) -> None:
    """A trial that passed leaves nothing to search for."""
    (problem,) = refusal(made(tmp_path), "clean")

    assert "trial 1 of task 'pay' under clean passed, and what is looked for is what makes a trial fail: " in problem


def test_void_trial_is_refused(tmp_path: Path) -> None:
    """A void trial says nothing about the agent."""

    def closed() -> Desk:
        raise RuntimeError("the office is closed")

    options: Any = {"under": [THREE], "trials": 2, "store": str(tmp_path / "runs.db")}
    (problem,) = refusal(passhat.run(msgspec.structs.replace(DESK, world=closed), retries, **options))

    assert "is void (the world's set-up raised RuntimeError: the office is closed" in problem


def test_trial_that_met_no_fault_is_refused(tmp_path: Path) -> None:
    """A fault that never fired cannot be to blame, and the sentence says what to do instead."""

    async def idle(message: str, tools: Any) -> str:  # noqa: ANN401 - the tools
        del tools
        return message

    (problem,) = refusal(made(tmp_path, agent=idle))

    assert "met no fault and no other wording, so there is nothing to leave out: 'passhat replay'" in problem


@pytest.mark.parametrize("only", [[4], [0, 9], [True]])
def test_numbers_that_nobody_has_are_refused(only: list[int], tmp_path: Path) -> None:
    """What is not among the numbers of the trial is named."""
    with pytest.raises(UsageError) as caught:
        api.replays(made(tmp_path), DESK, retries, "pay", 1, THREE, only=only)

    assert len(caught.value.problems) == len(only)
    assert "its faults and wordings are numbered 1 to 3" in caught.value.problems[0]
