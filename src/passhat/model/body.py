"""A trial as a store keeps it: its address and what is counted in columns, all the rest in one JSON body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from passhat.model.answer import Answer, Usage
from passhat.model.base import Json, Noun
from passhat.model.outcome import Outcome
from passhat.model.pace import Pace
from passhat.model.plain import encoded, mended
from passhat.model.protocols import TrialRow
from passhat.model.redact import Redactor
from passhat.model.run import Header
from passhat.model.talk import Turn
from passhat.model.trial import Attempt, FaultEvent, Grade, ToolCall, Trial


class _Body(Noun, gc=False):
    """What of a trial is neither its address nor counted."""

    seed: int = 0
    score: float | None = None
    detail: str = ""
    input: Json = None
    answer: Answer | None = None
    grades: tuple[Grade, ...] = ()
    trace: tuple[ToolCall, ...] = ()
    faults_planned: tuple[str, ...] = ()
    faults: tuple[FaultEvent, ...] = ()
    recovery_path: str | None = None
    state: Json = None
    state_before: Json = None
    printed: str = ""
    attempts: tuple[Attempt, ...] = ()
    calls_left_out: int = 0
    faults_left_out: int = 0
    paces: Mapping[str, Pace] = {}
    turns: tuple[Turn, ...] = ()


_decoder = msgspec.json.Decoder(_Body)


def encode_body(trial: Trial) -> bytes:
    """The body of *trial*; what JSON can't hold in it has been made fit."""
    return encoded(_body_of(trial), lambda: _body_of(_mended(trial)))


def row_of(cell: int, trial: Trial) -> TrialRow:
    """*trial* as a row for a store, not yet masked."""
    return TrialRow(
        cell, trial.index, str(trial.outcome), bool(trial.faults), trial.started_at, trial.seconds, encode_body(trial)
    )


def masked_rows(rows: Sequence[TrialRow], redactor: Redactor) -> Sequence[TrialRow]:
    """The rows with every secret masked: the one way that a trial gets into a store."""
    bodies = [row.body for row in rows]
    clean = redactor.mask(bodies)
    if clean is bodies:
        return rows
    return [replace(row, body=body) for row, body in zip(rows, clean, strict=True)]


def decode_trial(header: Header, row: TrialRow) -> Trial:
    """The trial that *row* holds, in the run with this header."""
    task, condition = divmod(row.cell, len(header.conditions))
    body = _decoder.decode(row.body)
    if body.input is None:  # only an input that was worded anew is stored with its trial
        body = replace(body, input=header.tasks[task].input)
    return Trial(
        task_id=header.tasks[task].id,
        task_digest=header.tasks[task].digest,
        condition=header.conditions[condition],
        index=row.index,
        outcome=Outcome(row.outcome),
        started_at=row.started_at,
        seconds=row.seconds,
        **{name: getattr(body, name) for name in _Body.__struct_fields__},
    )


def _body_of(trial: Trial) -> _Body:
    return _Body(
        trial.seed,
        trial.score,
        trial.detail,
        trial.input,
        trial.answer,
        trial.grades,
        trial.trace,
        trial.faults_planned,
        trial.faults,
        trial.recovery_path,
        trial.state,
        trial.state_before,
        trial.printed,
        trial.attempts,
        trial.calls_left_out,
        trial.faults_left_out,
        trial.paces,
        trial.turns,
    )


def _mended(trial: Trial) -> Trial:
    answer = trial.answer
    return replace(
        trial,
        detail=mended(trial.detail),
        printed=mended(trial.printed),
        input=mended(trial.input),
        state=mended(trial.state),
        state_before=mended(trial.state_before),
        answer=None if answer is None else replace(answer, output=mended(answer.output), usage=_finite(answer.usage)),
        grades=tuple(replace(grade, reason=mended(grade.reason)) for grade in trial.grades),
        trace=tuple(
            replace(
                call,
                arguments=mended(call.arguments),
                reply=mended(call.reply),
                upstream=mended(call.upstream),
                error=mended(call.error),
                instead=call.instead and replace(call.instead, arguments=mended(call.instead.arguments)),
            )
            for call in trial.trace
        ),
        turns=tuple(replace(turn, text=mended(turn.text)) for turn in trial.turns),
    )


def _finite(usage: Usage | None) -> Usage | None:
    """The usage, without a cost that is no number."""
    if usage is None or usage.cost is None or abs(usage.cost) < float("inf"):
        return usage
    return replace(usage, cost=None)
