"""The plan is pure: every trial once, interleaved, in an order that depends on nothing but the header."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from passhat.engine.plan import Plan
from passhat.model.condition import Condition
from passhat.model.run import Header
from passhat.model.task import Task


def plan_of(tasks: int, conditions: int, trials: int, *, seed: int = 0) -> Plan:
    """A plan of this size."""
    header = Header(
        id="run",
        suite="suite",
        agent="agent",
        tasks=tuple(Task(f"task-{number}", number) for number in range(tasks)),
        conditions=tuple(f"part(number={number})" for number in range(conditions)),
        grader="grader()",
        trials=trials,
        seed=seed,
    )
    return Plan(header, tasks=header.tasks, conditions=tuple(map(Condition.parse, header.conditions)))


sizes = st.integers(1, 6)


@given(sizes, sizes, sizes)
def test_every_trial_is_planned_once(tasks: int, conditions: int, trials: int) -> None:
    """A plan holds each (cell, index) exactly once."""
    plan = plan_of(tasks, conditions, trials)

    planned = list(plan.addresses())

    assert len(planned) == plan.planned == tasks * conditions * trials
    assert set(planned) == {(cell, index) for cell in range(plan.cells) for index in range(trials)}


@given(sizes, sizes, sizes)
def test_trials_are_interleaved(tasks: int, conditions: int, trials: int) -> None:
    """All first trials come before any second one, so a run that stops early is balanced."""
    plan = plan_of(tasks, conditions, trials)

    assert [index for _, index in plan.addresses()] == sorted(index for _, index in plan.addresses())


@given(sizes, sizes, sizes, st.data())
def test_resumed_plan_is_the_rest_in_the_same_order(
    tasks: int, conditions: int, trials: int, data: st.DataObject
) -> None:
    """What is done is skipped, the rest keeps its order, and strangers are ignored."""
    plan = plan_of(tasks, conditions, trials)
    whole = list(plan.addresses())
    done = data.draw(st.sets(st.sampled_from(whole)))

    rest = list(plan.addresses(done | {(0, trials), (plan.cells - 1, trials + 3)}))

    assert rest == [address for address in whole if address not in done]


def test_plan_is_deterministic() -> None:
    """The same header gives the same plan and digest."""
    one, other = plan_of(3, 2, 4), plan_of(3, 2, 4)

    assert list(one.addresses()) == list(other.addresses())
    assert one.digest == other.digest


def test_plan_is_made_as_it_is_asked_for() -> None:
    """A plan of 10^9 trials costs nothing before its trials are asked for."""
    plan = plan_of(1, 1, 10**9)
    addresses = plan_of(10, 10, 10**4).addresses()

    assert plan.planned == 10**9
    assert next(addresses) == (0, 0)


def test_digest_names_what_is_run() -> None:
    """Another seed, agent, task order or number of trials is another plan; another id is not."""
    plan = plan_of(2, 2, 3)
    header = plan.header
    others = (
        replace(header, seed=1),
        replace(header, agent="another"),
        replace(header, agent_version="2"),
        replace(header, trials=4),
        replace(header, tasks=header.tasks[::-1]),
        replace(header, conditions=header.conditions[:1]),
    )
    digests = {Plan(other, tasks=other.tasks, conditions=plan.conditions).digest for other in others}

    assert len(digests | {plan.digest}) == 7
    same = replace(header, id="another", started_at=1.0)
    assert Plan(same, tasks=same.tasks, conditions=plan.conditions).digest == plan.digest
