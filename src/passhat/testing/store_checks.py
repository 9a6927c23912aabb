"""A conformance check for stores: what the `Store` protocol promises, tried on a store that is empty.

The promises are tried one after the other on one store, as runs would: what is created, appended, counted, read,
listed, deleted, and given more trials. A durable store is closed and opened anew in between, and must still hold all
of it; it is also opened twice at a time, as by a run and by a command that deletes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial

from msgspec.structs import replace

from passhat.errors import PasshatError, UsageError
from passhat.model.answer import Answer
from passhat.model.body import encode_body
from passhat.model.condition import Phase, Visibility
from passhat.model.ledger import Declared
from passhat.model.outcome import LETTERS, Outcome
from passhat.model.protocols import Store, TrialRow
from passhat.model.run import Header, Tally, Trials
from passhat.model.task import Task
from passhat.model.trial import FaultEvent, Grade, ToolCall, Trial

_TASKS = (
    Task("late-parcel", "Order 7 is late.", expect={"refunded": 7}),
    Task("größe", {"größe": 3}, tags=("ü",)),
)
_CONDITIONS = ("clean", "rate_limit(rate=0.2)")
_FIRST = Header(
    id="run-aa1",
    suite="shop",
    agent="agent",
    tasks=_TASKS,
    conditions=_CONDITIONS,
    grader="equals()",
    trials=4,
    seed=7,
    started_at=1_700_000_000.5,
    provenance={"python": "3.11", "dirty": None},
    declared=Declared(handoff=("ring",), substitutes=(("pay", "pay_by_phone"),)),
)
_SECOND = Header(
    id="run-ab2",
    suite="other",
    agent="agent",
    tasks=_TASKS[:1],
    conditions=_CONDITIONS[:1],
    grader="equals()",
    trials=2,
    started_at=1_700_000_100.0,
)
_THIRD = replace(_SECOND, id="run-ac3")
# Out of order and with holes, as a run that was stopped leaves them; every outcome is among them.
_OUTCOMES: Mapping[tuple[int, int], Outcome] = {
    (0, 0): Outcome.PASS,
    (3, 0): Outcome.VOID,
    (1, 0): Outcome.CRASH,
    (2, 0): Outcome.PASS,
    (0, 1): Outcome.FAIL,
    (1, 2): Outcome.PASS,
    (1, 1): Outcome.TIMEOUT,
    (3, 3): Outcome.PASS,
}


def check_store(make_store: Callable[[], Store], *, durable: bool = True) -> None:
    """Check a store against the protocol; *make_store* opens the same place each time, at first an empty one.

    A store that is not *durable* is made once, and is not asked to hold anything after it was closed.
    """
    shelf = _Shelf(make_store, durable=durable)
    found: list[str] = []
    promises = (
        _starts_empty,
        _keeps_a_run,
        _refuses_repetition,
        _finds_runs,
        _deletes,
        _begins_anew,
        _keeps_apart,
        _grows,
    )
    for promise in promises:
        try:
            found += dict.fromkeys(promise(shelf))
        except PasshatError as error:
            found.append(f"it refuses what it may not refuse ({promise.__name__[1:]}): {error}")
        if found:
            break  # what comes next builds on this
    shelf.store.close()
    if found:
        raise AssertionError("\n".join(("the store breaks its contract:", *(f"  - {one}" for one in found))))


class _Shelf:
    """The store under test, which can be closed and opened anew where it is durable."""

    def __init__(self, make_store: Callable[[], Store], *, durable: bool) -> None:
        self._make_store = make_store
        self._durable = durable
        self.store = make_store()

    def views(self) -> Iterator[tuple[Store, str]]:
        """The store as it is and, where it is durable, opened anew, with words that say so."""
        yield self.store, ""
        if self._durable:
            self.store.close()
            self.store = self._make_store()
            yield self.store, ", after it was closed and opened"

    @contextmanager
    def opened_twice(self) -> Iterator[Store]:
        """The store as somebody else has it open at the same time, where it is durable."""
        if not self._durable:
            yield self.store
            return
        other = self._make_store()
        try:
            yield other
        finally:
            other.close()


def _starts_empty(shelf: _Shelf) -> Iterator[str]:
    yield from _differing("an empty store's runs()", list(shelf.store.runs()), [])
    yield from _taken("open() of an empty store", shelf.store.open)


def _keeps_a_run(shelf: _Shelf) -> Iterator[str]:
    shelf.store.create(_FIRST)
    yield from _differing("counts() of a run without trials", shelf.store.open().trials.counts(), _tally(_FIRST, {}))
    rows = [_row(address) for address in _OUTCOMES]
    shelf.store.append(_FIRST.id, rows[:3])
    shelf.store.append(_FIRST.id, ())
    shelf.store.append(_FIRST.id, rows[3:])
    for store, when in shelf.views():
        yield from _first_run_problems(store, when)


def _refuses_repetition(shelf: _Shelf) -> Iterator[str]:
    """A trial that is stored is refused, with all that came with it; so is a run."""
    batch = (_row((2, 3), Outcome.PASS), _row((0, 0), Outcome.FAIL))
    yield from _taken("append() of a trial that is stored", lambda: shelf.store.append(_FIRST.id, batch), PasshatError)
    yield from _taken("create() of a run that is there", lambda: shelf.store.create(_FIRST), PasshatError)
    for store, when in shelf.views():
        yield from _first_run_problems(store, f" after a refused append(){when}")


def _finds_runs(shelf: _Shelf) -> Iterator[str]:
    shelf.store.create(_SECOND)
    shelf.store.append(_SECOND.id, (_row((0, 0), Outcome.FAIL),))
    for store, when in shelf.views():
        listed = [(one.id, one.suite, one.agent, one.stored, one.planned) for one in store.runs()]
        wanted = [("run-ab2", "other", "agent", 1, 2), ("run-aa1", "shop", "agent", len(_OUTCOMES), 16)]
        yield from _differing(f"runs(), newest first{when}", listed, wanted)
        for asked, name in (("latest", "run-ab2"), ("run-aa1", "run-aa1"), ("run-ab", "run-ab2")):
            yield from _differing(f"open({asked!r}){when}", store.open(asked).header.id, name)
        yield from _first_run_problems(store, f" beside another run{when}")
        for asked, what in (("run-a", "the beginning of two runs"), ("run-zz", "a run that is not there")):
            yield from _taken(f"open() of {what}{when}", partial(store.open, asked))
        yield from _taken(f"stored() of no run{when}", partial(store.stored, "run-zz"))
        yield from _taken(f"append() to no run{when}", partial(store.append, "run-zz", (_row((0, 0)),)))


def _deletes(shelf: _Shelf) -> Iterator[str]:
    yield from _taken("delete() of no run", lambda: shelf.store.delete("run-zz"))
    shelf.store.delete(_SECOND.id)
    for store, when in shelf.views():
        yield from _differing(f"runs() after delete(){when}", [one.id for one in store.runs()], [_FIRST.id])
        yield from _taken(f"open() of a deleted run{when}", partial(store.open, _SECOND.id))
        yield from _first_run_problems(store, f" after another was deleted{when}")


def _begins_anew(shelf: _Shelf) -> Iterator[str]:
    """A run that was deleted may be made again, and has no trials then."""
    shelf.store.create(_SECOND)
    yield from _differing("stored() of a run made again", list(shelf.store.stored(_SECOND.id)), [])


def _keeps_apart(shelf: _Shelf) -> Iterator[str]:
    """Who still writes or reads a run that somebody else has deleted does not meet the run that was made next."""
    shelf.store.append(_SECOND.id, (_row((0, 0)),))
    old = shelf.store.open(_SECOND.id).trials
    with shelf.opened_twice() as other:
        other.delete(_SECOND.id)
        other.create(_THIRD)
        late = partial(shelf.store.append, _SECOND.id, (_row((0, 0)),))
        yield from _taken("append() to a run that was deleted meanwhile", late, PasshatError)
        other.append(_THIRD.id, (_row((0, 1), Outcome.FAIL),))
        yield from _differing("stored() of the run made next", list(map(tuple, other.stored(_THIRD.id))), [(0, 1)])
        yield from _differing("the trials of a run that was deleted meanwhile", _still_in(old), [])
    for store, when in shelf.views():
        third = store.open(_THIRD.id).trials.counts()
        wanted = {(0, 1): Outcome.FAIL}
        yield from _differing(f"counts() of the run made next{when}", third, _tally(_THIRD, wanted))
        yield from _first_run_problems(store, f" after another was deleted meanwhile{when}")


def _grows(shelf: _Shelf) -> Iterator[str]:
    """A run that gets more planned trials keeps those that it has; nobody's else are taken for its own."""
    grown = replace(_THIRD, trials=5, provenance={"blocks": [2, 3]}, suite="not this")
    shelf.store.extend(grown)
    wanted = replace(grown, suite=_THIRD.suite)
    for blocks in ([2, 3], [1, 9], [5], [2]):
        refused = partial(shelf.store.extend, replace(grown, trials=sum(blocks), provenance={"blocks": blocks}))
        yield from _taken(f"extend() by blocks of {blocks} where there are 5 trials", refused)
    yield from _taken("extend() of no run", partial(shelf.store.extend, replace(grown, id="run-zz")))
    shelf.store.append(_THIRD.id, (_row((0, 4), Outcome.PASS),))
    for store, when in shelf.views():
        run = store.open(_THIRD.id)
        yield from _differing(f"the header after extend(){when}", run.header, wanted)
        yield from _differing(
            f"stored() after extend(){when}", sorted(map(tuple, store.stored(_THIRD.id))), [(0, 1), (0, 4)]
        )
        yield from _differing(f"strips() after extend(){when}", tuple(run.trials.strips(5)), ("FP",))
        planned = [one.planned for one in store.runs() if one.id == _THIRD.id]
        yield from _differing(f"the planned trials in runs() after extend(){when}", planned, [5])
        yield from _first_run_problems(store, f" after another got more trials{when}")


def _still_in(trials: Trials) -> list[Trial]:
    """The trials, or none where they are refused."""
    try:
        return list(trials)
    except PasshatError:
        return []


def _first_run_problems(store: Store, when: str) -> Iterator[str]:
    """Whatever of the first run is not as it was stored."""
    run = store.open(_FIRST.id)
    trials = {address: _trial(address) for address in _OUTCOMES}
    in_order = [trials[cell, index] for cell, index in sorted(trials, key=lambda address: address[::-1])]
    yield from _differing(f"the header{when}", run.header, _FIRST)
    yield from _differing(f"counts(){when}", run.trials.counts(), _tally(_FIRST, _OUTCOMES))
    for first in (0, 2, 9):
        yield from _differing(f"strips({first}){when}", tuple(run.trials.strips(first)), _strips(first))
    yield from _differing(f"the trials, by index and then by cell{when}", list(run.trials), in_order)
    yield from _differing(f"stored(){when}", sorted(map(tuple, store.stored(_FIRST.id))), sorted(_OUTCOMES))
    for trial in in_order:
        got = run.trials.get(trial.task_id, trial.condition, trial.index)
        yield from _differing(f"get() of a trial{when}", got, trial)
    for missing in (("late-parcel", "clean", 3), ("no-task", "clean", 0), ("late-parcel", "no condition", 0)):
        yield from _differing(f"get{missing}{when}", run.trials.get(*missing), None)


def _differing(what: str, got: object, wanted: object) -> Iterator[str]:
    if got != wanted:
        yield f"{what}: {got!r:.300} and not {wanted!r:.300}"


def _taken(what: str, action: Callable[[], object], kind: type[PasshatError] = UsageError) -> Iterator[str]:
    """A sentence where *action*, which is to be refused, is not."""
    try:
        action()
    except kind:
        return
    yield f"{what} is not refused with a {kind.__name__}"


def _trial(address: tuple[int, int], outcome: Outcome | None = None) -> Trial:
    """The trial at an address, with something in every field that a store has to give back."""
    cell, index = address
    task, condition = divmod(cell, len(_CONDITIONS))
    event = FaultEvent(
        fault=_CONDITIONS[1],
        step=1,
        tool="refund",
        ordinal=1,
        phase=Phase.PRE,
        visibility=Visibility.EXPLICIT,
        effect="fail",
        upstream_executed=False,
        agent_visible=True,
    )
    return Trial(
        task_id=_TASKS[task].id,
        task_digest=_TASKS[task].digest,
        condition=_CONDITIONS[condition],
        index=index,
        outcome=outcome or _OUTCOMES[address],
        seed=2**53 - 1 - index,
        score=index / 4,
        detail='a line\nand "another", with ∞ and \x00',
        input=_TASKS[task].input,
        answer=Answer({"said": "Größe 3 ✓", "order": index}, claims_success=True),
        grades=(Grade("equals", passed=False, reason="no"),),
        trace=(ToolCall(step=1, tool="refund", arguments={"order": 7}, error="rate_limit: 429", executed=0),),
        faults_planned=_CONDITIONS[1:] if condition else (),
        faults=(event,) if condition else (),
        started_at=1_700_000_000.25 + index,
        seconds=0.125,
    )


def _row(address: tuple[int, int], outcome: Outcome | None = None) -> TrialRow:
    trial = _trial(address, outcome)
    body = encode_body(trial)
    return TrialRow(*address, trial.outcome.value, trial.exposed, trial.started_at, trial.seconds, body)


def _tally(header: Header, outcomes: Mapping[tuple[int, int], Outcome]) -> Tally:
    cells = range(len(header.tasks) * len(header.conditions))
    found = {kind: tuple(_count(outcomes, cell, kind) for cell in cells) for kind in Outcome}
    return Tally(
        tasks=tuple(task.id for task in header.tasks),
        conditions=header.conditions,
        passed=found[Outcome.PASS],
        failed=found[Outcome.FAIL],
        crashed=found[Outcome.CRASH],
        timed_out=found[Outcome.TIMEOUT],
        void=found[Outcome.VOID],
        exposed=tuple(sum(one == cell and _trial((one, at)).exposed for one, at in outcomes) for cell in cells),
    )


def _count(outcomes: Mapping[tuple[int, int], Outcome], cell: int, kind: Outcome) -> int:
    return sum(one == cell and outcome is kind for (one, _), outcome in outcomes.items())


def _strips(first: int) -> Sequence[str]:
    """The letters of each cell's trials with an index below *first*."""
    cells = range(len(_TASKS) * len(_CONDITIONS))
    letters = {address: LETTERS[outcome] for address, outcome in sorted(_OUTCOMES.items())}
    return tuple(
        "".join(letter for (one, index), letter in letters.items() if one == cell and index < first) for cell in cells
    )
