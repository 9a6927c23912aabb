"""`api.replay`: one stored trial made again is the same trial, and whatever would make it another is refused."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

import passhat
from passhat import Suite, Task, api, faults, graders
from passhat.demo.agents import careful, hasty
from passhat.demo.suite import suite as shop
from passhat.engine.replay import replaying
from passhat.errors import ToolError, UsageError
from passhat.model.condition import Condition
from passhat.model.dose import once_at
from passhat.model.grammar import CLEAN
from passhat.model.run import Run
from passhat.testing import NaiveRetrier

LOST = "lost_reply(hang=0.0, rate=0.5, share=0.5)"
FEW = msgspec.structs.replace(shop, tasks=shop.tasks[:3])


def made(folder: Path, suite: Suite = FEW, agent: Any = hasty, **options: Any) -> Run:  # noqa: ANN401 - as `run` has it
    """A stored run, clean and under lost replies."""
    return passhat.run(suite, agent, **{"under": [LOST], "trials": 6, "store": str(folder / "runs.db"), **options})


def alike(run: Run, suite: Suite, agent: Any) -> bool:  # noqa: ANN401 - as above
    """True where every trial of *run*, made again, has the content that it had."""
    return all(
        api.replay(run, suite, agent, one.task_id, one.index, one.condition).content() == one.content()
        for one in run.trials
    )


@pytest.mark.parametrize("agent", [hasty, careful])
def test_replay_is_the_same_trial(agent: Any, tmp_path: Path) -> None:  # noqa: ANN401 - as above
    """Each trial of the demo comes out the same: seed, faults, trace, end state, grade, and who is in a share."""
    run = made(tmp_path, agent=agent)
    planned = [bool(one.faults_planned) for one in run.trials if one.condition != CLEAN]

    assert planned.count(True) == 9  # half of each task's six
    assert any(one.faults for one in run.trials)
    assert alike(run, FEW, agent)


def test_blocking_agent_is_replayed(tmp_path: Path) -> None:
    """An agent that does not await meets the identical faults too."""

    def agent(message: str, tools: Any) -> str:  # noqa: ANN401 - the tools
        for _ in range(3):
            try:
                tools.refund_order(order=1001, amount=100)
            except ToolError:
                continue
        return message

    run = made(tmp_path, agent=agent, under=["rate_limit(rate=0.5, retry_after=0.0)"])

    assert any(one.faults for one in run.trials)
    assert alike(run, FEW, agent)


def test_other_wording_is_replayed(tmp_path: Path) -> None:
    """A task that was worded anew is worded the same again."""
    run = made(tmp_path, under=["typos(0.2)"], trials=2)

    assert alike(run, FEW, hasty)


def test_run_that_kept_no_time_limit_is_replayed_with_the_usual_one(tmp_path: Path) -> None:
    """Runs that were stored before they kept theirs have 60 seconds, and others what they had or what is asked."""
    header = made(tmp_path, trials=2, timeout=7.0).header
    older = msgspec.structs.replace(header, provenance={})

    limits = [replaying(one, Condition(), {}).timeout for one in (header, older)]

    assert limits == [7.0, 60.0]
    assert replaying(header, Condition(), {"timeout": 9.0}).timeout == 9.0


def test_run_of_one_seed_is_replayed_with_it(tmp_path: Path) -> None:
    """Where all trials had the seed of the first, a replay has it too."""
    run = made(tmp_path, same_seed=True)

    assert len({one.seed for one in run.trials}) == len(FEW.tasks)
    assert alike(run, FEW, hasty)


def test_virtual_time_is_virtual_again(tmp_path: Path) -> None:
    """What a run in virtual time skipped, its replay skips; an agent for which that cannot be is refused."""

    async def sleepy(message: str, tools: Any) -> str:  # noqa: ANN401 - the tools
        del tools
        await asyncio.sleep(3600)
        return message

    run = made(tmp_path, agent=sleepy, trials=2, time="virtual", timeout=7200)
    task = FEW.tasks[0].id

    assert api.replay(run, FEW, sleepy, task, 0, "clean", timeout=7200).seconds >= 3600
    with pytest.raises(UsageError, match="blocks its thread"):
        api.replay(run, FEW, lambda message: message, task, 0, "clean")


def test_replay_is_not_added(tmp_path: Path) -> None:
    """The store holds after a replay what it held before, and no other run."""
    path = tmp_path / "runs.db"
    run = made(tmp_path)
    before = [one.content() for one in run.trials]
    api.replay(run, FEW, hasty, FEW.tasks[0].id, 0, CLEAN)
    store = passhat.open_store(path)

    assert [one.id for one in store.runs()] == [run.header.id]
    assert [one.content() for one in store.open().trials] == before


@dataclass
class Till:
    """A world that takes money."""

    paid: int = 0

    @property
    def tools(self) -> list[Callable[..., Any]]:
        """What there is."""
        return [self.pay]

    async def pay(self) -> int:
        """Take 5."""
        self.paid += 5
        return self.paid

    def snapshot(self) -> int:
        """What was taken."""
        return self.paid


TILL = Suite(name="till", tasks=[Task("pay", "Pay 5.", expect=5)], world=Till, grader=graders.end_state())
TWICE = "lost_reply(hang=0.0, dose=once_at(1))"


async def admits(message: str, tools: Any) -> str:  # noqa: ANN401 - the tools
    """Pay, and believe that it was done."""
    with suppress(ToolError):
        await tools.pay()
    return message


def test_mended_agent_meets_the_same_faults(tmp_path: Path) -> None:
    """The agent may be another than the run's: the faults of the failure are there for it."""
    run = made(tmp_path, TILL, NaiveRetrier(tool="pay"), under=[TWICE], trials=1)
    stored = run.trials.get("pay", TWICE, 0)
    replayed = api.replay(run, TILL, admits, "pay", 0, faults.lost_reply(hang=0.0).at(once_at(1)))

    assert stored is not None
    assert (stored.outcome, replayed.outcome) == ("FAIL", "PASS")
    assert replayed.faults == stored.faults


def test_replays_are_as_many_as_wanted(tmp_path: Path) -> None:
    """An agent of chance ends now so and now so, although its faults are the same; every replay is given."""
    run = made(tmp_path, TILL, admits, trials=2)
    calls = iter(range(5))

    async def chancy(message: str, tools: Any) -> str:  # noqa: ANN401 - the tools
        if next(calls) % 2 == 0:
            await tools.pay()
        return message

    replays = api.replays(run, TILL, chancy, "pay", 0, CLEAN, times=5, concurrency=1)

    assert [one.outcome for one in replays] == ["PASS", "FAIL", "PASS", "FAIL", "PASS"]
    assert {(one.seed, one.index) for one in replays} == {(replays[0].seed, 0)}


def test_secrets_are_masked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A replay is shown as a store would keep it: without the secrets of the environment."""
    monkeypatch.setenv("MY_API_KEY", "plainkey-0123456789-ABCDEFGH")

    async def tells(message: str) -> str:
        return f"{message} plainkey-0123456789-ABCDEFGH"

    run = made(tmp_path, agent=tells, trials=1, under=[])
    replayed = api.replay(run, FEW, tells, FEW.tasks[0].id, 0, CLEAN)

    assert "plainkey" not in repr(replayed)
    assert alike(run, FEW, tells)


def test_replay_works_inside_a_loop(tmp_path: Path) -> None:
    """Whoever has an event loop already may replay there."""
    run = made(tmp_path, TILL, admits, trials=2)

    async def inside() -> str:
        return api.replay(run, TILL, admits, "pay", 0, "clean").outcome

    assert asyncio.run(inside()) == "PASS"


def refusal(run: Run, **changes: Any) -> str:  # noqa: ANN401 - what `replays` takes
    """The one sentence with which a replay is refused."""
    asked = {"suite": TILL, "agent": admits, "task": "pay", "index": 0, "condition": "clean", **changes}
    with pytest.raises(UsageError) as caught:
        api.replays(run, **asked)
    (problem,) = caught.value.problems
    return problem


def till(**changes: Any) -> Suite:  # noqa: ANN401 - the fields of a task
    """The till's suite, its task with *changes*."""
    return msgspec.structs.replace(TILL, tasks=[msgspec.structs.replace(TILL.tasks[0], **changes)])


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"task": "pey"}, "called 'pey': did you mean pay?"),
        ({"index": 2}, "has no trial 2 of task 'pay' under clean (it planned 2, from 0)"),
        ({"index": -1}, "has no trial -1 of task 'pay'"),
        ({"index": "0"}, "has no trial '0' of task 'pay'"),
        ({"condition": "typos(0.5)"}, "there is no condition in run "),
        ({"condition": "nothing_known"}, "there is no fault or perturbation called 'nothing_known'"),
        ({"seed": 3}, "replay has no option 'seed': there are capture, concurrency, label, timeout, version"),
        ({"times": 0}, "times: a whole number from 1 on, not 0"),
        ({"times": True}, "times: a whole number from 1 on, not True"),
        ({"timeout": -1}, "timeout: more than 0 seconds"),
        ({"suite": till(id="other")}, "the suite has no task 'pay'"),
        ({"suite": till(input="Pay 6.", expect=6)}, "task 'pay' has changed in input, expect"),
        ({"suite": till(metadata={"a": 1})}, "task 'pay' has changed in metadata"),
        ({"suite": msgspec.structs.replace(TILL, grader=graders.equals())}, "the grader was 'end_state"),
    ],
)
def test_what_would_be_another_trial_is_refused(changes: dict[str, Any], sentence: str, tmp_path: Path) -> None:
    """One sentence says what is wrong, before anything runs."""
    run = made(tmp_path, TILL, admits, trials=2)

    assert sentence in refusal(run, **changes)


def test_task_with_other_tags_is_the_same(tmp_path: Path) -> None:
    """Tags are no part of what a task is."""
    run = made(tmp_path, TILL, admits, trials=2)

    assert api.replay(run, till(tags=("new",)), admits, "pay", 0, "clean").outcome == "PASS"


def test_trial_that_was_not_made_is_refused(tmp_path: Path) -> None:
    """What a run planned and never made is nothing that a replay could be held against."""
    run = made(tmp_path, TILL, admits, trials=2)
    longer = replace_header(run, trials=9)

    assert "has no trial 8" in refusal(longer, index=8)


def replace_header(run: Run, **changes: Any) -> Run:  # noqa: ANN401 - the fields of a header
    """*run* under a header with *changes*."""
    return msgspec.structs.replace(run, header=msgspec.structs.replace(run.header, **changes))


def test_imported_run_is_refused(tmp_path: Path) -> None:
    """What another tool has made has no plan that could be followed again."""
    log = '{"task": "pay", "passed": true}\n'
    run = api.import_run("jsonl", log, store=str(tmp_path / "runs.db"), suite="till", agent="theirs")

    assert "was imported from jsonl" in refusal(run)
