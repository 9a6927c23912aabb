"""What holds for an agent of every framework: it is taken as it is, and its tools are behind the guard."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import passhat
from passhat import Suite, Task, api, faults, graders
from passhat.agents import AGENTS, Agent
from passhat.errors import ToolError, UsageError
from passhat.model.answer import Usage
from passhat.model.dose import once_at
from passhat.model.ledger import ledger
from passhat.model.outcome import Outcome
from passhat.model.trial import Trial
from tests.agents.scripted import IN, KITS, OUT, Ask, Desk, Kit, Said, gives_up, insists
from tests.children import LIMIT
from tests.engine.drive import drive

pytestmark = pytest.mark.parametrize("kit", KITS.values(), ids=KITS)


class Shop:
    """A world with a tool like the agent's, and one more."""

    sandbox = True
    reads = ("count*",)

    def __init__(self) -> None:
        self.refunded: list[int] = []
        self.tools: dict[str, Callable[..., Any]] = {"refund": self.refund, "count": self.count}

    def refund(self, order: int) -> str:
        """Give the money for an order back."""
        self.refunded.append(order)
        return f"refunded {order}"

    def count(self, since: int = 0) -> dict[str, int]:
        """How many orders were refunded."""
        return {"count": len(self.refunded), "since": since}

    def snapshot(self) -> list[int]:
        """What was refunded."""
        return self.refunded


def suite(world: Callable[[], Any] | None, *orders: int) -> Suite:
    """A suite with a task for each order."""
    tasks = [Task(f"order-{order}", f"Refund order {order}", expect=f"refunded {order}") for order in orders or (7,)]
    return Suite(tasks=tasks, world=world, grader=graders.contains(), name="shop")


def trial(agent: Agent, world: Callable[[], Any] | None = Shop, **options: Any) -> Trial:  # noqa: ANN401 - a run's
    """The one trial, under a fault where *options* name one."""
    return drive(suite(world), agent, clean="under" not in options, **options).trial


def limited(**where: Any) -> Any:  # noqa: ANN401 - a fault at its dose
    """A rate limit at the first call."""
    return faults.rate_limit().at(once_at(1), **where)


def test_tool_of_the_world_stands_in(kit: Kit) -> None:
    """A tool of the world that is called like the agent's is called instead, and the agent's own is not."""
    desk = Desk()

    made = trial(kit.agent(insists, desk))

    assert made.outcome is Outcome.PASS, made.detail
    assert (made.answer and made.answer.output, made.state, desk.orders) == ("refunded 7", [7], [])


def test_own_tool_goes_through_the_guard(kit: Kit) -> None:
    """Without a world the agent's own tool does its work, and its calls are traced all the same."""
    desk = Desk()

    made = trial(kit.agent(insists, desk), None)

    assert made.answer is not None, made.detail
    assert (made.answer.output, desk.orders) == ("really refunded 7", [7])
    assert [(call.tool, call.arguments, call.reply, call.ok) for call in made.trace] == [
        ("refund", {"order": 7}, "really refunded 7", True)
    ]


@pytest.mark.parametrize("world", [Shop, None], ids=["world", "own tool"])
def test_rate_limit_is_seen_and_tried_again(kit: Kit, world: Callable[[], Any] | None) -> None:
    """The model is told of a 429 as of a failed call, and can ask again."""
    desk = Desk()

    made = trial(kit.agent(insists, desk), world, under=limited())

    assert made.outcome is Outcome.PASS, made.detail
    assert [(call.ok, call.error[:3]) for call in made.trace] == [(False, "429"), (True, "")]
    assert [event.agent_visible for event in made.faults] == [True]
    assert (made.state or desk.orders) == [7]


def test_failure_is_told_as_one(kit: Kit) -> None:
    """What the model reads of a failed call is what the service said."""
    told: list[Said] = []

    def watches(said: Said) -> Ask | str:
        told.append(said)
        return gives_up(said)

    made = trial(kit.agent(watches), under=limited())

    assert made.outcome is Outcome.FAIL, made.detail
    assert not told[-1].heard[-1].ok
    assert told[-1].heard[-1].text.startswith("429 Too Many Requests")


def test_lost_reply_leads_to_a_duplicate(kit: Kit) -> None:
    """An agent that asks again after a reply is lost refunds twice, and the ledger says so."""
    clean, lost = drive(suite(Shop), kit.agent(insists), under=faults.lost_reply().at(once_at(1))).trials

    found = ledger(lost, clean=clean)

    assert (clean.state, lost.state) == ([7], [7, 7])
    assert [duplicate.tool for duplicate in found.duplicates] == ["refund"]


def test_fault_may_be_aimed_at_an_own_tool(kit: Kit) -> None:
    """The agent's tools need not be the world's for a fault to name one."""

    class Empty:
        tools = {"elsewhere": print}  # noqa: RUF012 - a world of a test

    desk = Desk()

    made = trial(kit.agent(insists, desk), Empty, under=limited(match="refund"))

    assert made.outcome is Outcome.PASS, made.detail
    assert [call.ok for call in made.trace] == [False, True]
    assert desk.orders == [7]


def test_world_says_what_reads_of_brings_tools(kit: Kit) -> None:
    """A world's `reads` count for the agent's tools, too, as names or patterns."""

    class Reading:
        reads = ("ref*",)
        tools: dict[str, Any] = {}  # noqa: RUF012 - a world of a test

    made = trial(kit.agent(insists), Reading)

    assert [call.write for call in made.trace] == [False]


def test_own_error_ends_the_agent_as_ever(kit: Kit) -> None:
    """What the agent's tool raises goes the way that it goes without passhat: on, or to the model."""
    made = trial(kit.agent(gives_up, Desk(error=ZeroDivisionError("the till is empty"))), None)

    said = made.detail or str(made.answer and made.answer.output)
    assert "the till is empty" in said
    assert made.outcome is (Outcome.FAIL if "openai" in kit_name(kit) else Outcome.CRASH)
    assert [call.ok for call in made.trace] == [False]


def test_error_of_the_world_is_told(kit: Kit) -> None:
    """A tool of the world that refuses is the model's to see, like a fault."""

    class Closed(Shop):
        def refund(self, order: int) -> str:
            raise ToolError("closed", f"503 No refunds today, not even for {order}")

    made = trial(kit.agent(gives_up), Closed)

    assert made.answer is not None, made.detail
    assert made.answer.output == "503 No refunds today, not even for 7"


async def pieces(order: int) -> AsyncIterator[str]:
    """Give the money for an order back, word by word."""
    yield "refunded "
    yield str(order)


def words_of(order: int) -> Iterator[str]:
    """Give the money for an order back, word by word."""
    yield "refunded "
    yield str(order)


async def awaited(order: int) -> str:
    """Give the money for an order back, in a while."""
    return f"refunded {order}"


@pytest.mark.parametrize("tool", [pieces, words_of, awaited], ids=lambda tool: tool.__name__)
def test_tool_of_the_world_may_be_of_any_kind(kit: Kit, tool: Callable[..., Any]) -> None:
    """A tool that is async, or replies in pieces, is whole for a model."""

    class Speaking:
        tools = {"refund": tool}  # noqa: RUF012 - a world of a test

    made = trial(kit.agent(insists), Speaking)

    assert made.answer is not None, made.detail
    assert made.answer.output == "refunded 7"


def test_usage_is_read(kit: Kit) -> None:
    """The tokens of all replies are added up, and the model is named."""
    agent = kit.agent(insists)

    made = trial(agent)

    assert made.answer is not None
    usage = made.answer.usage
    assert usage is not None
    if kit.spends:
        assert usage == Usage(input_tokens=2 * IN, output_tokens=2 * OUT, model="scripted")
    assert usage.input_tokens
    assert usage.output_tokens
    assert getattr(agent, "models_seen", None) == {"scripted"}


def test_fifty_trials_at_a_time_keep_apart(kit: Kit) -> None:
    """One agent object serves many trials at once, and each has its own world, tools and answer."""
    orders = range(100, 125)
    lost = faults.lost_reply().at(once_at(1), share=0.5)

    driven = drive(suite(Shop, *orders), kit.agent(insists), under=lost, trials=2, concurrency=50)

    assert len(driven.trials) == 100
    for made in driven.trials:
        order, calls = int(made.task_id.removeprefix("order-")), 2 if made.faults else 1
        assert made.outcome is Outcome.PASS, made.detail
        assert made.state == [order] * calls
        assert [call.arguments for call in made.trace] == [{"order": order}] * calls
    assert sum(bool(made.faults) for made in driven.trials) == 25


def test_object_is_left_as_it_was(kit: Kit) -> None:
    """After a run the user's own object is made of the same things, and so runs as it did."""
    made = kit.make(insists, Desk())
    before = inside(made)

    trial(kit.adapter(made), under=limited())

    assert inside(made) == before


def inside(value: Any) -> dict[str, int]:  # noqa: ANN401 - any object
    """What *value* is made of, by identity, two levels deep."""
    found: dict[str, int] = {}
    for name, held in vars(value).items():
        found[name] = id(held)
        for place, one in enumerate(held if isinstance(held, list | tuple) else getattr(held, "values", tuple)()):
            found |= {f"{name}.{place}.{inner}": id(deep) for inner, deep in getattr(one, "__dict__", {}).items()}
    return {name: place for name, place in found.items() if "cache" not in name}


def test_object_is_taken_as_it_is(kit: Kit, tmp_path: Path) -> None:
    """`passhat.run` knows a framework's object by itself, and calls it by its name."""
    run = passhat.run(suite(Shop), kit.make(insists, Desk()), trials=1, store=str(tmp_path / "p.db"), version="3")

    assert (run.header.agent, run.header.agent_version) == ("clerk", "3")
    assert [made.outcome for made in run.trials] == [Outcome.PASS]


def test_time_is_real(kit: Kit) -> None:
    """What a framework waits for cannot be skipped, and virtual time is refused before the first trial."""
    with pytest.raises(UsageError, match=r"^time: agent clerk is run by a framework, .* leave it real time$"):
        api.plan(suite(Shop), kit.agent(insists), trials=1, time="virtual")


def test_input_that_is_no_text_is_told_as_json(kit: Kit) -> None:
    """A task's input may be any JSON; a model reads it as a text."""
    asked = Suite(tasks=[Task("a", ["Refund order", 7], expect="Refund")], grader=graders.contains(), world=Shop)

    made = drive(asked, kit.agent(lambda said: said.user)).trial

    assert made.answer is not None, made.detail
    assert made.answer.output == '["Refund order",7]'


@pytest.mark.parametrize("given", [None, "clerk", object], ids=repr)
def test_what_is_no_agent_is_refused(kit: Kit, given: object) -> None:
    """An adapter says what it takes."""
    with pytest.raises(UsageError, match=r"^(agent|graph): an? .* not "):
        kit.adapter(given)


def kit_name(kit: Kit) -> str:
    """The name of *kit* in the list of adapters."""
    return next(name for name, known in KITS.items() if known is kit)


MISSING = """
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from passhat.agents import AGENTS
from passhat.errors import UsageError
name, how = sys.argv[1:]
adapter = AGENTS[name]
module = sys.modules[adapter.__module__].FRAMEWORK.module
sys.modules[module] = None
if how == "old":
    sys.modules[module] = ModuleType(module)
    sys.modules[module].__spec__ = ModuleSpec(module, None)
try:
    adapter(object())
except UsageError as error:
    print(error)
"""


def refused(name: str, how: str) -> str:
    """What the adapter called *name* says in a process where its framework is *how*."""
    done = subprocess.run(
        [sys.executable, "-c", MISSING, name, how], capture_output=True, text=True, timeout=LIMIT, check=True
    )
    return done.stdout.strip()


def test_framework_that_is_not_there_is_named_with_the_remedy(kit: Kit) -> None:
    """Who lacks the framework reads what to type."""
    name = kit_name(kit)

    said = refused(name, "missing")

    assert said.endswith(f" is not installed: pip install 'passhat[{name.replace('_', '-')}]'")


def test_framework_without_the_hook_is_named_with_its_version(kit: Kit) -> None:
    """A version that has not what the adapter needs is refused in one sentence."""
    name = kit_name(kit)

    said = refused(name, "old")

    assert " is not one that passhat can guard (" in said
    assert said.endswith(f": pip install 'passhat[{name.replace('_', '-')}]'")
    assert len(said.splitlines()) == 1


def test_every_framework_of_the_list_is_tried(kit: Kit) -> None:
    """The adapters above are those of the list that need a framework."""
    assert kit_name(kit) in AGENTS
    assert KITS.keys() == {name for name, adapter in AGENTS.items() if hasattr(adapter, "brings_tools")}
