"""What importers share: records, trials as a log tells them one by one, put together as a run.

A log may number its trials from 0 or from 1, or not at all; a run counts from 0. A number that is missing stays
missing, because it is a trial that was made and lost. Nothing here knows a format.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

import msgspec
from msgspec.structs import replace

from passhat.importers.base import Imported, Importer, Origin, Problems
from passhat.model.answer import Answer
from passhat.model.base import Json, Noun
from passhat.model.grammar import CLEAN
from passhat.model.outcome import Outcome
from passhat.model.plain import mended
from passhat.model.run import Header
from passhat.model.task import Task
from passhat.model.trial import Grade, ToolCall, Trial

# Their product is below what a store can address in one run.
MOST_TRIALS = 1_000_000
MOST_CELLS = 1_000_000
UNNAMED_SUITE = "imported"
UNNAMED_AGENT = "unknown"

Key = tuple[str, str]
# A whole number that every store can keep.
Whole = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]


class Record(Noun, kw_only=True):
    """One trial as a log tells it, `position` saying where; `number` is the log's own, where it has one.

    `asked` is what the task asked for, where the log holds it.
    """

    position: int
    task: str
    outcome: Outcome
    asked: Task | None = None
    condition: str = CLEAN
    number: int | None = None
    seed: int = 0
    score: float | None = None
    answer: Answer | None = None
    grades: tuple[Grade, ...] = ()
    trace: tuple[ToolCall, ...] = ()
    detail: str = ""
    started_at: float = 0.0
    seconds: float = 0.0


class Log(Noun, kw_only=True):
    """A whole log: its records, and what it says of all of them, as far as it does.

    `tasks` are those that were to run, where the log says it, and `trials` how often each was to. `left_out` names what
    the run will not hold; `notes` are sentences for whoever imports it.
    """

    records: Sequence[Record]
    tasks: Sequence[Task] = ()
    suite: str = ""
    agent: str = ""
    trials: int = 1
    seed: int = 0
    left_out: Sequence[str] = ()
    notes: Sequence[str] = ()
    provenance: Mapping[str, Json] = {}


def assembled(log: Log, origin: Origin, importer: Importer, problems: Problems) -> Imported:
    """The run that the log tells of, once there is no problem."""
    records = log.records
    indices = list(_numbered(records, problems))
    tasks = _tasks(log, problems)
    names = sorted(dict.fromkeys(record.condition for record in records), key=lambda name: name != CLEAN)
    if not records and not problems:
        problems.note(0, "it holds no trial")
    if len(tasks) * len(names) > MOST_CELLS:
        problems.note(0, f"{len(tasks):,} tasks under {len(names):,} conditions are too many for one run")
    problems.refuse()
    header = Header(
        id=origin.id,
        suite=importer.suite or mended(log.suite) or UNNAMED_SUITE,
        agent=importer.agent or mended(log.agent) or UNNAMED_AGENT,
        tasks=tuple(tasks.values()),
        conditions=tuple(names),
        grader=importer.judge,
        trials=max(max(indices) + 1, log.trials),
        seed=log.seed,
        source=importer.name,
        started_at=origin.started_at,
    )
    trials = sorted(_trials(records, indices, header), key=lambda trial: (trial[1].index, trial[0]))
    return Imported(replace(header, provenance=_provenance(log, header)), tuple(trials))


def _trials(records: Sequence[Record], indices: Sequence[int], header: Header) -> Iterator[tuple[int, Trial]]:
    """Each record as a trial, with its cell."""
    tasks = {task.id: (position, task.digest) for position, task in enumerate(header.tasks)}
    conditions = {name: position for position, name in enumerate(header.conditions)}
    for record, index in zip(records, indices, strict=True):
        task, digest = tasks[record.task]
        yield (
            task * len(conditions) + conditions[record.condition],
            Trial(
                task_id=record.task,
                task_digest=digest,
                condition=record.condition,
                index=index,
                outcome=record.outcome,
                seed=record.seed,
                score=record.score,
                detail=record.detail,
                answer=record.answer,
                grades=record.grades,
                trace=record.trace,
                started_at=record.started_at,
                seconds=record.seconds,
            ),
        )


def _tasks(log: Log, problems: Problems) -> dict[str, Task]:
    """The tasks by id, in the order of the log. Two that share an id are one task where they ask for the same."""
    found = {task.id: _kept(task) for task in log.tasks}
    first: dict[str, Record] = {}
    for record in log.records:
        if record.asked is None:
            found.setdefault(record.task, Task(record.task, None))
            continue
        known = first.setdefault(record.task, record)
        if known is record:
            found[record.task] = _kept(record.asked)
        elif known.asked != record.asked:
            where = problems.place(known.position)
            problems.note(
                record.position,
                f"task {record.task!r:.200} asks for something else here than {where}: "
                "two tasks need two ids, or two files",
            )
    return found


def _kept(task: Task) -> Task:
    """*task* with what JSON cannot hold made fit for it: its digest and the store's copy must agree."""
    return Task(task.id, mended(task.input), expect=mended(task.expect), metadata=mended(task.metadata))


def _provenance(log: Log, header: Header) -> dict[str, Json]:
    """What the log says of itself, what was left out of it, and what its reader should know."""
    found: dict[str, Json] = dict(mended(log.provenance))
    if log.left_out:
        found["left_out"] = [mended(name) for name in log.left_out]
    missing = header.planned - len(log.records)
    void = [record for record in log.records if record.outcome is Outcome.VOID]
    notes = list(log.notes)
    if void:
        notes.append(
            f"void, and so not counted: {len(void):,} of {_trials_said(len(log.records))}; "
            f"the first says: {mended(void[0].detail or 'nothing'):.200}"
        )
    if missing:
        notes.append(f"not in the log, and so neither passed nor failed: {missing:,} of {_trials_said(header.planned)}")
    if notes:
        found["notes"] = list(notes)
    return found


def _trials_said(count: int) -> str:
    return f"{count:,} trial" if count == 1 else f"{count:,} trials"


def _numbered(records: Sequence[Record], problems: Problems) -> Iterator[int]:
    """The index of each record: its number, counted from 0, or the lowest that is free in its cell."""
    given = [record.number for record in records if record.number is not None]
    first = 1 if given and min(given) == 1 else 0
    taken = _taken(records, first, problems)
    free: dict[Key, int] = {}
    for record in records:
        if record.number is not None:
            yield record.number - first
            continue
        key = (record.task, record.condition)
        index = free.get(key, 0)
        while index in taken.get(key, {}):
            index += 1
        free[key] = index + 1
        yield index


def _taken(records: Sequence[Record], first: int, problems: Problems) -> dict[Key, dict[int, int]]:
    """The indices that the log gives in each cell, with their places; one that is given twice is a problem."""
    taken: dict[Key, dict[int, int]] = {}
    for record in records:
        if record.number is None:
            continue
        places = taken.setdefault((record.task, record.condition), {})
        before = places.setdefault(record.number - first, record.position)
        if before != record.position:
            trial = f"trial {record.number} of task {record.task!r:.200} under {record.condition!r:.200}"
            problems.note(record.position, f"{trial} stands {problems.place(before)} already")
    return taken
