"""What a suite declares of its tools goes with its runs, and names that no tool has are refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

import passhat
from passhat import Answer, Suite, Task, graders
from passhat.errors import UsageError
from passhat.graders import Declared
from passhat.model.ledger import NOTHING_DECLARED
from passhat.model.run import Header, Run
from passhat.model.trial import Evidence, Grade

FAULT = "server_error(dose=permanent_from(1), match=pay)"
NO_DUPLICATES = "duplicate_share"


class Desk:
    """Three tools: one pays, one sets an address, one rings for a person."""

    def __init__(self) -> None:
        self.tools = dict.fromkeys(("pay", "set_address", "ring"), self.work)

    async def work(self, **arguments: Any) -> str:  # noqa: ANN401 - tools take what they like
        """Do it."""
        return f"done {sorted(arguments)}"


def desk() -> Desk:
    """A world."""
    return Desk()


async def rings(message: str, tools: Any) -> Answer:  # noqa: ANN401 - the tools of a world
    """Pay; where that fails, ring for a person."""
    try:
        await tools.pay(amount=5)
    except passhat.errors.ToolError:
        await tools.ring(about=message)
    return Answer("done")


async def sets_twice(message: str, tools: Any) -> str:  # noqa: ANN401 - as above
    """Set the address twice."""
    for _ in range(2):
        await tools.set_address(to=message)
    return "done"


def suite(
    declared: Declared = NOTHING_DECLARED,
    *,
    grader: Any = None,  # noqa: ANN401 - as above
    world: Callable[[], Any] | None = desk,
) -> Suite:
    """One task at the desk."""
    judged = graders.contains() if grader is None else grader
    return Suite(tasks=[Task("pay", "Pay 5", expect="done")], grader=judged, world=world, declared=declared)


def made(folder: Path, agent: Any, declared: Declared, *under: str, trials: int = 2) -> Run:  # noqa: ANN401
    """A run of the suite, as the store has it."""
    return passhat.run(suite(declared), agent, under=list(under), trials=trials, store=str(folder / "runs.db"))


def share(run: Run, metric: str, condition: str) -> float | None:
    """What the run itself says, with nothing declared anew."""
    row = passhat.measure(run, asked=[metric]).suite_row(condition)
    found = None if row is None else row.get(metric)
    assert found is not None
    return found.value


def test_run_keeps_what_its_suite_declares(tmp_path: Path) -> None:
    """Measured from the store, a run is read by its own suite's words: a ring is a hand-over."""
    undeclared = made(tmp_path, rings, NOTHING_DECLARED, FAULT)
    declared = made(tmp_path, rings, Declared(handoff=("ring",)), FAULT)

    assert share(undeclared, "handoff_share", FAULT) == 0
    assert share(declared, "handoff_share", FAULT) == 1
    assert declared.header.declared == Declared(handoff=("ring",))


def test_idempotent_tool_does_nothing_twice(tmp_path: Path) -> None:
    """What may be done twice alike is no duplicate, and a rule holds that was broken."""
    run = made(tmp_path, sets_twice, NOTHING_DECLARED)
    harmless = made(tmp_path, sets_twice, Declared(idempotent=("set_*",)))

    assert share(run, NO_DUPLICATES, "clean") == 1
    assert share(harmless, NO_DUPLICATES, "clean") == 0


def test_lists_are_kept_as_tuples(tmp_path: Path) -> None:
    """A list is as good as a tuple, and the header holds the same before and after it is stored."""
    given: Any = {"handoff": ["ring"], "substitutes": [["pay", "ring"]]}
    run = made(tmp_path, sets_twice, Declared(**given))

    assert run.header.declared == Declared(handoff=("ring",), substitutes=(("pay", "ring"),))


def test_header_of_before_declares_nothing() -> None:
    """A header that was stored without the field is read, and its digests are what they were."""
    told = {"id": "a", "suite": "s", "agent": "x", "tasks": [], "conditions": ["clean"], "grader": "g", "trials": 3}
    header = msgspec.convert(told, Header)

    assert header.declared == NOTHING_DECLARED
    assert b"declared" not in msgspec.json.encode(header)
    assert header.run_digest == "9cfac4440db1d3ca884c"


def test_resumed_run_declares_the_same(tmp_path: Path) -> None:
    """A run cannot go on under other words than it began with."""
    run = made(tmp_path, sets_twice, NOTHING_DECLARED)

    with pytest.raises(UsageError, match="what is declared of the tools was"):
        passhat.run(
            suite(Declared(polling=("ring",))),
            sets_twice,
            trials=2,
            store=str(tmp_path / "runs.db"),
            resume=run.header.id,
        )


def test_comparison_tells_of_other_declarations(tmp_path: Path) -> None:
    """Two runs of one suite that declare different things are compared, and the reader is told."""
    from passhat import api

    before = made(tmp_path, sets_twice, NOTHING_DECLARED)
    after = made(tmp_path, sets_twice, Declared(idempotent=("set_*",)))

    assert any("declare different things" in text for text in api.compare(before, after).warnings)
    assert not any("declare different things" in text for text in api.compare(before, before).warnings)


class Looks:
    """A grader of somebody's own that says at which tools it looks, but in no list."""

    identity = "looks"

    def __init__(self, names_tools: object) -> None:
        self.names_tools = names_tools

    def problems(self, task_id: str, expect: object) -> Sequence[str]:
        """Nothing."""
        del task_id, expect
        return ()

    def grade(self, evidence: Evidence) -> Grade:
        """Pass."""
        del evidence
        return Grade("looks", passed=True)


def refused(folder: Path, asked: Suite) -> list[str]:
    """The sentences with which a run without faults is refused; it has left no store."""
    with pytest.raises(UsageError) as caught:
        passhat.run(asked, sets_twice, trials=2, store=str(folder / "runs.db"))
    assert list(folder.iterdir()) == []
    return list(caught.value.problems)


@pytest.mark.parametrize(
    ("declared", "sentence"),
    [
        (Declared(handoff=("rign",)), "declared.handoff: no tool of the world is called 'rign': did you mean ring?"),
        (Declared(polling=("pya",)), "declared.polling: no tool of the world is called 'pya': did you mean pay?"),
        (Declared(substitutes=(("pay", "fax"),)), "declared.substitutes: no tool of the world is called 'fax'"),
        (Declared(idempotent=("put_*",)), "declared.idempotent: no tool of the world is called 'put_*'"),
    ],
)
def test_declared_name_that_no_tool_has_is_refused(declared: Declared, sentence: str, tmp_path: Path) -> None:
    """A mistyped name would change nothing and go unnoticed, so it is refused with the nearest one."""
    (problem,) = refused(tmp_path, suite(declared))

    assert problem.startswith(sentence)


@pytest.mark.parametrize(
    ("declared", "sentence"),
    [
        ({"handoff": "ring"}, "its handoff is a list of names, not 'ring'"),
        ({"keys": ("",)}, "its keys is a list of names"),
        ({"substitutes": ("pay", "ring")}, "its substitutes are a list of groups of names"),
    ],
)
def test_declaration_that_cannot_be_read_is_refused(declared: Any, sentence: str, tmp_path: Path) -> None:  # noqa: ANN401
    """A text alone would be read letter by letter."""
    (problem,) = refused(tmp_path, suite(Declared(**declared)))

    assert sentence in problem


@pytest.mark.parametrize(
    ("grader", "names"),
    [
        (graders.never("remov"), ["remov"]),
        (graders.at_most_once("payy"), ["payy"]),
        (graders.before("look", "pay"), ["look"]),
        (
            graders.all_of([graders.contains(), graders.never("fax*"), graders.all_of([graders.never("payy")])]),
            ["fax*", "payy"],
        ),
        (Looks(["pay", "rign"]), ["rign"]),
    ],
)
def test_invariant_of_a_tool_that_is_not_there_is_refused(grader: Any, names: list[str], tmp_path: Path) -> None:  # noqa: ANN401
    """An invariant about no tool always holds, so it is refused before the first trial."""
    problems = refused(tmp_path, suite(grader=grader))

    assert [
        name for name in names for problem in problems if f"no tool of the world is called {name!r}" in problem
    ] == names
    assert len(problems) == len(names)


@pytest.mark.parametrize("given", ["pay", [5], 5])
def test_grader_that_names_tools_in_no_list_is_refused(given: object, tmp_path: Path) -> None:
    """What a grader of somebody's own says is checked like everything else."""
    (problem,) = refused(tmp_path, suite(grader=Looks(given)))

    assert "its names_tools is a list of tools' names" in problem


def test_world_without_tools_rules_out_no_name(tmp_path: Path) -> None:
    """Where no world says which tools there are, an invariant may be about any."""
    asked = suite(Declared(handoff=("anybody",)), grader=graders.never("anything"), world=None)

    async def says(message: str) -> str:
        return message

    run = passhat.run(asked, says, trials=1, store=str(tmp_path / "runs.db"))

    assert run.trials.counts().passed == (1,)
