"""A run that passhat itself wrote, `passhat export --format passhat`: read whole, it is the same run again, id and all.

Whoever has sent the file is not trusted: every line is held against the header, and all of them against the digest on
the last one. The format is in `model.portable`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from passhat.errors import UsageError
from passhat.importers._json import NotReadable, one_line, said
from passhat.importers._records import MOST_CELLS
from passhat.importers.base import Imported, Importer, Origin, Problems
from passhat.model.codec import check_schema
from passhat.model.portable import END, HEADER, Checksum, End
from passhat.model.run import Header
from passhat.model.trial import Trial

T = TypeVar("T")
MOST_CHARACTERS = 50_000_000  # of one line; what the engine stores of a trial is far less
_MOST_PLANNED = 10**11  # as for a run that is made here
_LATEST = 253_402_300_800.0  # the year 10000, in seconds since 1970
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_MORE = "write the run with 'passhat export RUN --format passhat'"


class _Document(msgspec.Struct, frozen=True):
    """What the first line looks like."""

    schema: str
    kind: str
    value: Any


@dataclass(frozen=True, slots=True)
class Passhat(Importer):
    """A file that `passhat export RUN --format passhat` wrote. The run keeps its id: it is the same run elsewhere.

    A file that was cut, or changed on its way, is refused whole.
    """

    def read(self, text: str, origin: Origin) -> Imported:
        # Ends of lines may have been rewritten on the way: within a line there is none that would be changed.
        lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
        problems = Problems(origin.source)
        header = _header(lines[0], problems)
        problems.refuse()
        assert header is not None  # noqa: S101 - for the type checker: otherwise it was refused
        end = _end(lines, problems)
        trials = tuple(_trials(lines[1 : -2 if end else -1], header, problems))
        if end and not problems:
            _compare(lines[:-2], end, len(trials), problems)
        problems.refuse()
        named = replace(header, suite=self.suite or header.suite, agent=self.agent or header.agent)
        return Imported(named, trials)


def _header(line: str, problems: Problems) -> Header | None:
    """The header on the first line, or problems that say what there is instead."""
    try:
        value = _value(line)
    except NotReadable as error:
        problems.note(1, error.sentence)
        return None
    if not isinstance(value, dict) or value.get("kind") != HEADER:
        rows = isinstance(value, dict) and "taskId" in value
        what = "these are EvalRun rows, which hold no whole run" if rows else "this is no run as passhat writes it"
        problems.note(1, f"{what}: {_MORE}")
        return None
    try:
        document = msgspec.convert(value, _Document)
        check_schema(document.schema, "this run")
        header = msgspec.convert(document.value, Header)
    except msgspec.ValidationError as error:
        problems.note(1, f"in the header, {said(error)}")
        return None
    except UsageError as error:
        problems.note(1, str(error))
        return None
    for sentence in _unsound(header):
        problems.note(1, f"in the header, {sentence}")
    return header


def _unsound(header: Header) -> Iterator[str]:
    """What no header of ours says."""
    tasks, conditions = [task.id for task in header.tasks], header.conditions
    if not _ID.fullmatch(header.id) or header.id == "latest":
        yield f"the id {header.id!r:.80} is none of a run: 1 to 64 letters, digits, - and _"
    if not tasks or not conditions or len(tasks) * len(conditions) > MOST_CELLS:
        yield f"there are {len(tasks):,} tasks under {len(conditions):,} conditions: from 1 to {MOST_CELLS:,} in all"
    if len(set(tasks)) < len(tasks) or len(set(conditions)) < len(conditions):
        yield "a task or a condition stands twice"
    if not 0 < header.trials <= _MOST_PLANNED // max(1, len(tasks) * len(conditions)):
        yield f"'trials': {header.trials:,} of each task is not a number from 1 on that a run may have"
    if not -(2**63) <= header.seed < 2**63:
        yield "'seed': it has more than 64 bits"
    if not 0 <= header.started_at < _LATEST:
        yield "'started_at': it is no moment from 1970 on"


def _end(lines: Sequence[str], problems: Problems) -> End | None:
    """What the last line says, or one problem where it is not there: the file was cut."""
    try:
        if len(lines) > 2 and lines[-1] == "":  # noqa: PLR2004 - a header, this, and what follows its end
            value = _value(lines[-2])
            if isinstance(value, dict) and value.get("kind") == END:
                return msgspec.convert(value, End)
    except (NotReadable, msgspec.ValidationError):
        pass
    at = len(lines) - (lines[-1] == "")
    problems.note(at, "it breaks off here, without the last line, which counts the trials: was it cut?")
    problems.refuse()
    return None


def _trials(lines: Sequence[str], header: Header, problems: Problems) -> Iterator[tuple[int, Trial]]:
    """The trials with their cells, each as the header allows it; what is wrong is noted with its line."""
    tasks = {task.id: (position, task.digest) for position, task in enumerate(header.tasks)}
    conditions = {name: position for position, name in enumerate(header.conditions)}
    last = (-1, 0)
    for number, line in enumerate(lines, start=2):
        try:
            trial = msgspec.convert(_value(line), Trial)
        except NotReadable as error:
            problems.note(number, error.sentence)
            continue
        except msgspec.ValidationError as error:
            problems.note(number, said(error))
            continue
        wrong = _misplaced(trial, tasks, conditions, header)
        if wrong:
            problems.note(number, wrong)
            continue
        cell = tasks[trial.task_id][0] * len(conditions) + conditions[trial.condition]
        if (trial.index, cell) <= last:
            problems.note(number, "it stands behind a trial that comes later, or twice: trials stand in order")
            continue
        last = (trial.index, cell)
        yield cell, trial


def _misplaced(
    trial: Trial, tasks: Mapping[str, tuple[int, str]], conditions: Mapping[str, int], header: Header
) -> str:
    """Why *trial* is none of this run, or nothing."""
    if trial.task_id not in tasks:
        return f"there is no task {trial.task_id!r:.80} in the header"
    if trial.task_digest != tasks[trial.task_id][1]:
        return f"task {trial.task_id!r:.80} is another in the header: its digest is {tasks[trial.task_id][1]}"
    if trial.condition not in conditions:
        return f"there is no condition {trial.condition!r:.80} in the header"
    if not 0 <= trial.index < header.trials:
        return f"trial {trial.index:,} was never planned: there are {header.trials:,}, from 0"
    if not (0 <= trial.started_at < _LATEST and trial.seconds >= 0 and isfinite(trial.seconds)):
        return "'started_at' or 'seconds': it is no time"
    return ""


def _compare(lines: Sequence[str], end: End, trials: int, problems: Problems) -> None:
    """Hold the whole file against its last line."""
    if end.trials != trials:
        problems.note(len(lines) + 1, f"it counts {end.trials:,} trials, and there are {trials:,}: was it cut?")
        return
    checksum = Checksum()
    for line in lines:
        checksum.add(line)
    if str(checksum) != end.digest:
        problems.note(
            len(lines) + 1, f"the lines before were changed since passhat wrote them, for their digest differs: {_MORE}"
        )


def _value(line: str) -> object:
    """The JSON on a line, as far as it is not too long to look at."""
    if len(line) > MOST_CHARACTERS:
        raise NotReadable(f"this line has more than {MOST_CHARACTERS:,} characters, and no trial has")
    return one_line(line)
