"""More trials in a run that is there: the same as if they had been planned at once, and never in a run of another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import passhat
from passhat import Suite, Task, api, graders
from passhat.engine.arming import Arming
from passhat.engine.resume import topped_up
from passhat.errors import UsageError
from passhat.faults import rate_limit
from passhat.model.condition import Condition
from passhat.model.protocols import Store, Tools
from passhat.model.run import Run
from passhat.stores import MemoryStore, SqliteStore


class Desk:
    """A world with one tool, which looks things up."""

    def __init__(self) -> None:
        """A fresh one."""
        self.tools: dict[str, Callable[..., str]] = {"look": lambda number: f"found {number}"}


SUITE = Suite(
    name="desk",
    tasks=[Task("one", "1", expect="found 1"), Task("two", "2", expect="found 2")],
    world=Desk,
    grader=graders.equals(),
)
RATE = "rate_limit(rate=0.5)"
SHARE = "rate_limit(share=0.4)"


async def clerk(message: str, tools: Tools, *, seed: int) -> str:
    """Looks once or twice, and says what was found."""
    if seed % 2:
        await tools.call("look", number=0)
    return str(await tools.call("look", number=message))


def run(store: Store, **options: Any) -> Run:  # noqa: ANN401 - whatever is tried
    """A run of the desk."""
    return passhat.run(SUITE, clerk, store=store, **{"under": [RATE], "seed": 3, **options})


def contents(made: Run) -> list[Any]:
    """The trials without their times."""
    return [trial.content() for trial in made.trials]


def test_five_and_five_are_ten() -> None:
    """Where no share is drawn, a run that was topped up holds the very trials of one that was planned whole."""
    store = MemoryStore()
    run(store, trials=5)

    grown, whole = run(store, top_up=5), run(MemoryStore(), trials=10)

    assert grown.header.trials == 10
    assert len(store.runs()) == 1
    assert contents(grown) == contents(whole)


def test_stored_trials_stay_in_their_share() -> None:
    """The share of the first trials is drawn as it was, that of the others among themselves, and both are balanced."""
    store = MemoryStore()
    first = contents(run(store, trials=5, under=[SHARE]))
    grown = run(store, top_up=10, under=[SHARE])
    planned = [trial.index for trial in grown.trials if trial.task_id == "one" and trial.faults_planned]

    assert contents(grown)[: len(first)] == first
    assert [sum(index < 5 for index in planned), sum(index >= 5 for index in planned)] == [2, 4]
    assert grown.header.blocks == (5, 10)


def test_shares_of_blocks_are_drawn_apart() -> None:
    """Two blocks of one size do not plan the same places."""
    arming = Arming(Condition([rate_limit().at(1.0, share=0.5)]), seed=1, task_id="task", blocks=(40, 40))
    planned = {index for index in range(80) if arming.arm(index)}

    assert {index - 40 for index in planned if index >= 40} != {index for index in planned if index < 40}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"top_up": 5, "seed": 4}, "the seed was 3 and is 4 now"),
        ({"top_up": 5, "under": []}, "condition 'rate_limit(rate=0.5)' is gone"),
        ({"top_up": 5, "label": "other"}, "the agent was"),
        ({"top_up": 0}, "top_up: a whole number from 1 on"),
        ({"top_up": 5, "trials": 10}, "top_up: it says how many more"),
        ({"top_up": 1, "under": [SHARE]}, "a share of 0.4 of 1 trial is no trial"),
    ],
)
def test_other_plan_is_refused(options: dict[str, Any], said: str) -> None:
    """With what differs; and the run is as it was."""
    store = MemoryStore()
    before = run(store, trials=5).header

    with pytest.raises(UsageError) as caught:
        run(store, **options)

    assert said in str(caught.value)
    assert store.open().header == before


def test_two_who_top_up_do_not_meet(tmp_path: Path) -> None:
    """Who planned on a run that has grown meanwhile is refused: the blocks would be told wrong."""
    store = SqliteStore(tmp_path / "runs.db")
    header = run(store, trials=5).header
    store.extend(topped_up(header, 5))

    with pytest.raises(UsageError, match="has got more trials meanwhile"):
        store.extend(topped_up(header, 20))


def test_trial_of_a_later_block_is_replayed() -> None:
    """Under the identical faults: its share is that of its block."""
    store = MemoryStore()
    run(store, trials=5, under=[SHARE])
    grown = run(store, top_up=10, under=[SHARE])
    faulty = next(trial for trial in grown.trials if trial.index >= 5 and trial.faults)

    again = api.replay(grown, SUITE, clerk, faulty.task_id, faulty.index, faulty.condition)

    assert again.content() == replace(faulty.content(), printed=again.printed)


def test_blocks_that_do_not_add_up_are_one() -> None:
    """Another's file may say what it likes."""
    header = run(MemoryStore(), trials=5).header

    told: tuple[Any, ...] = ([2, 2], "5", [5, "x", 1], [-5, 10], None)
    assert {replace(header, provenance={"blocks": one}).blocks for one in told} == {(5,)}
