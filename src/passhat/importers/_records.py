"""What importers share: records, trials as a log tells them one by one, put together as a run.

A log may number its trials from 0 or from 1, or not at all; a run counts from 0. A number that is missing stays
missing, because it is a trial that was made and lost. Nothing here knows a format.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from passhat.importers.base import Imported, Importer, Origin, Problems
from passhat.model.answer import Answer
from passhat.model.base import Json, Noun
from passhat.model.grammar import CLEAN
from passhat.model.outcome import Outcome
from passhat.model.run import Header
from passhat.model.task import Task
from passhat.model.trial import Trial

# Their product is below what a store can address in one run.
MOST_TRIALS = 1_000_000
MOST_CELLS = 1_000_000
UNNAMED_SUITE = "imported"
UNNAMED_AGENT = "unknown"

Key = tuple[str, str]


class Record(Noun, kw_only=True):
    """One trial as a log tells it; `number` is the log's own, where it has one."""

    line: int
    task: str
    outcome: Outcome
    condition: str = CLEAN
    number: int | None = None
    answer: Answer | None = None
    detail: str = ""
    seconds: float = 0.0


def assembled(
    records: Sequence[Record],
    origin: Origin,
    importer: Importer,
    problems: Problems,
    *,
    provenance: dict[str, Json] | None = None,
) -> Imported:
    """The run that *records* make, once there is no problem."""
    indices = list(_numbered(records, problems))
    tasks = {name: position for position, name in enumerate(dict.fromkeys(record.task for record in records))}
    names = sorted(dict.fromkeys(record.condition for record in records), key=lambda name: name != CLEAN)
    conditions = {name: position for position, name in enumerate(names)}
    if not records and not problems:
        problems.note(0, "it holds no trial")
    if len(tasks) * len(conditions) > MOST_CELLS:
        problems.note(0, f"{len(tasks):,} tasks under {len(conditions):,} conditions are too many for one run")
    problems.refuse()
    header = Header(
        id=origin.id,
        suite=importer.suite or UNNAMED_SUITE,
        agent=importer.agent or UNNAMED_AGENT,
        tasks=tuple(Task(name, None) for name in tasks),
        conditions=tuple(names),
        grader=f"imported({importer.name})",
        trials=max(indices) + 1,
        source=importer.name,
        started_at=origin.started_at,
        provenance=provenance or {},
    )
    digests = [task.digest for task in header.tasks]
    trials = [
        (
            tasks[record.task] * len(names) + conditions[record.condition],
            _trial(record, digests[tasks[record.task]], index),
        )
        for record, index in zip(records, indices, strict=True)
    ]
    return Imported(header, tuple(sorted(trials, key=lambda trial: (trial[1].index, trial[0]))))


def _trial(record: Record, task_digest: str, index: int) -> Trial:
    return Trial(
        task_id=record.task,
        task_digest=task_digest,
        condition=record.condition,
        index=index,
        outcome=record.outcome,
        detail=record.detail,
        answer=record.answer,
        seconds=record.seconds,
    )


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
    """The indices that the log gives in each cell, with their lines; one that is given twice is a problem."""
    taken: dict[Key, dict[int, int]] = {}
    for record in records:
        if record.number is None:
            continue
        lines = taken.setdefault((record.task, record.condition), {})
        before = lines.setdefault(record.number - first, record.line)
        if before != record.line:
            trial = f"trial {record.number} of task {record.task!r:.200} under {record.condition!r:.200}"
            problems.note(record.line, f"{trial} stands on line {before} already")
    return taken
