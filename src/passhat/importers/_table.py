"""What logs with a row a trial share, whatever the rows are written in: the columns, their names, and their verdict.

A row is a mapping of names to values. Which name means which column is said by `map`, where it is not the column's
own; what a value means is decided here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from typing import Annotated, Any, ClassVar, TypeAlias

import msgspec

from passhat.errors import UsageError
from passhat.importers._json import said
from passhat.importers._records import MOST_TRIALS, Log, Record, Whole, assembled
from passhat.importers.base import Imported, Importer, Origin, Problems
from passhat.model.answer import Answer, Usage
from passhat.model.condition import Condition
from passhat.model.outcome import Outcome
from passhat.model.task import Task
from passhat.model.trial import ToolCall

_MOST_LEFT_OUT = 100
_ABSENT = object()
_WORDS = {
    "true": True,
    "pass": True,
    "passed": True,
    "1": True,
    "false": False,
    "fail": False,
    "failed": False,
    "0": False,
}

Row: TypeAlias = Mapping[str, Any]
_Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
_Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
# Bounded, because a number such as 1e400 is read as infinite.
_Amount = Annotated[float, msgspec.Meta(ge=0, le=1e15)]


class _Call(msgspec.Struct, frozen=True):
    """A row of the column `trace`: a tool call, and what came of it."""

    tool: str
    ok: bool | None = None
    arguments: dict[str, Any] | None = None
    reply: Any = None
    error: str | None = None
    seconds: _Amount | None = None


class _Row(msgspec.Struct, frozen=True):
    """The columns; null is as good as one that is not there, but for `output`."""

    task: str
    trial: Annotated[int, msgspec.Meta(ge=0, lt=MOST_TRIALS)] | None = None
    passed: Any = None
    outcome: str | None = None
    score: _Share | None = None
    condition: str | None = None
    seed: Whole | None = None
    input: Any = None
    expect: Any = None
    output: Any = msgspec.UNSET
    detail: str | None = None
    seconds: _Amount | None = None
    input_tokens: _Count | None = None
    output_tokens: _Count | None = None
    cost: _Amount | None = None
    trace: list[_Call] | None = None


COLUMNS = _Row.__struct_fields__


@dataclass(frozen=True, slots=True)
class Table(Importer):
    """What every format with a row a trial can be told."""

    # False where every value is a text, to be read as what its column needs.
    typed: ClassVar[bool] = True

    map: Mapping[str, str] = field(
        default_factory=dict,
        metadata={
            "help": "Where a column stands, if not under its own name: passed=result.ok; may be given again.",
            "metavar": "COLUMN=PATH",
        },
    )
    threshold: _Share | None = field(
        default=None,
        metadata={"help": "Where a row has only a score: it passed from this score on.", "metavar": "SCORE"},
    )

    def __post_init__(self) -> None:
        """Refuse a column that there is not, and a threshold that is no score."""
        for name in self.map:
            if name not in COLUMNS:
                near = _meant(name)
                hint = f"did you mean {near!r}?" if near else f"there are {', '.join(COLUMNS)}"
                raise UsageError(f"map: there is no column {name!r:.80}: {hint}")
        if self.threshold is not None and not 0 <= self.threshold <= 1:
            raise UsageError(f"threshold: a number from 0 to 1, such as 0.5 or 50%, not {self.threshold!r}")

    @property
    def judge(self) -> str:
        """The format, and the threshold: trials that passed by another threshold were judged by another judge."""
        settings = "" if self.threshold is None else f", threshold={float(self.threshold)!r}"
        return f"imported({self.name}{settings})"

    def rows(self, text: str, problems: Problems) -> Iterator[tuple[int, Row]]:
        """The rows of *text*, each with its line; what is none is noted as a problem."""
        raise TypeError(f"{type(self).__name__} is a contract: a format with a row a trial overrides rows")

    def read(self, text: str, origin: Origin) -> Imported:
        problems, records = Problems(origin.source), []
        unseen, others = set(self.map), set[str]()
        for line, row in self.rows(text, problems):
            try:
                columns = {name: value for name in COLUMNS if (value := self._found(row, name)) is not _ABSENT}
                unseen -= columns.keys()
                others |= self._others(row)
                records.append(_record(line, columns, self))
            except UsageError as error:
                problems.note(line, str(error))
        for name in sorted(unseen) if records or problems else ():
            problems.note(0, f"map: no row has {self.map[name]!r:.80}, which is to be {name!r}")
        log = Log(records=records, left_out=sorted(others)[:_MOST_LEFT_OUT])
        return assembled(log, origin, self, problems)

    def _found(self, row: Row, column: str) -> object:
        """The value of a column, found by its path where one is given."""
        path = self.map.get(column, column)
        if path in row or column not in self.map:
            return row.get(path, _ABSENT)
        value: Any = row
        for step in path.split("."):
            if isinstance(value, Mapping) and step in value:
                value = value[step]
            elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
                value = value[int(step)]
            else:
                return _ABSENT
        return value

    def _others(self, row: Row) -> set[str]:
        """The names in *row* that are no column of ours; one that looks like a slip of the pen is an error."""
        own = {name for name in COLUMNS if name not in self.map}
        mapped = {path if path in row else path.partition(".")[0] for path in self.map.values()}
        others = row.keys() - own - mapped
        for name in sorted(others):
            meant = _meant(name)
            if meant and meant not in row and meant not in self.map:
                raise UsageError(f"there is no field {name!r:.80}: did you mean {meant!r}?")
        return others


def _record(line: int, columns: Row, table: Table) -> Record:
    """The trial that a row tells of."""
    if type(columns.get("task")) is int:
        columns = {**columns, "task": str(columns["task"])}
    try:
        read = msgspec.convert(columns, _Row, strict=table.typed)
    except msgspec.ValidationError as error:
        raise UsageError(said(error)) from None
    if not read.task.strip():
        raise UsageError("'task' is empty, and it names the task")
    asked = None
    if read.input is not None or read.expect is not None:
        asked = Task(read.task, read.input, expect=read.expect)
    return Record(
        position=line,
        task=read.task,
        outcome=_outcome(read, table.threshold),
        asked=asked,
        condition=Condition.parse(read.condition or "").name,
        number=read.trial,
        seed=read.seed or 0,
        score=read.score,
        answer=_answer(read),
        trace=tuple(_tool_call(step, call) for step, call in enumerate(read.trace or (), start=1)),
        detail=read.detail or "",
        seconds=read.seconds or 0.0,
    )


def _answer(read: _Row) -> Answer | None:
    usage = Usage(input_tokens=read.input_tokens, output_tokens=read.output_tokens, cost=read.cost)
    if read.output is msgspec.UNSET and usage == Usage():
        return None
    return Answer(None if read.output is msgspec.UNSET else read.output, usage=None if usage == Usage() else usage)


def _outcome(read: _Row, threshold: float | None) -> Outcome:
    """How the trial ended, as far as all that is said of it agrees."""
    passed = _passed(read.passed)
    if read.outcome is not None:
        if read.outcome not in list(Outcome):
            raise UsageError(f"'outcome' is one of {', '.join(Outcome)}, not {read.outcome!r:.80}")
        if passed is not None and passed != (read.outcome == Outcome.PASS):
            raise UsageError(f"'passed' is {str(passed).lower()}, and 'outcome' is {read.outcome}")
        return Outcome(read.outcome)
    if passed is None and read.score is not None and threshold is not None:
        passed = read.score >= threshold
    if passed is None:
        hint = "" if read.score is None else "; it has a 'score': say with 'threshold' from which score on it passed"
        raise UsageError(f"it says neither 'passed' nor 'outcome'{hint}")
    return Outcome.PASS if passed else Outcome.FAIL


def _passed(value: object) -> bool | None:
    """The verdict that *value* is: true or false, 1 or 0, or such a word; None where there is none."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | float) and value in (0, 1):
        return bool(value)
    found = _WORDS.get(value.strip().lower()) if isinstance(value, str) else None
    if found is None:
        raise UsageError(f'\'passed\' is true or false, 1 or 0, "pass" or "fail", not {value!r:.80}')
    return found


def _tool_call(step: int, call: _Call) -> ToolCall:
    if call.ok and call.error:
        raise UsageError(f"'trace': call {step} of the tool {call.tool!r:.80} is ok, and has an error")
    failed = call.ok is False
    return ToolCall(
        step=step,
        tool=call.tool,
        arguments=call.arguments or {},
        reply=call.reply,
        error=call.error or ("the log says that it failed, and not why" if failed else ""),
        seconds=call.seconds or 0.0,
    )


@lru_cache(maxsize=256)
def _meant(name: str) -> str:
    """The column that *name* nearly is, or an empty text. A misspelt condition must not pass for the clean one."""
    return next(iter(get_close_matches(name.lower(), COLUMNS, n=1, cutoff=0.8)), "")
