"""What the tests of stores share: a run to keep, its rows, and a user who may not write."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from passhat.model.answer import Answer
from passhat.model.body import row_of
from passhat.model.condition import Phase, Visibility
from passhat.model.outcome import Outcome
from passhat.model.protocols import TrialRow
from passhat.model.run import Header
from passhat.model.task import Task
from passhat.model.trial import FaultEvent, Trial

NOBODY = 65534
TASKS = (Task("late-parcel", "Order 7 is late.", expect="refunded"), Task("größe", {"size": 3}))
CONDITIONS = ("clean", "rate_limit(rate=0.2)", "typos(0.1)")
EVENT = FaultEvent(
    fault="rate_limit",
    step=1,
    tool="refund",
    ordinal=1,
    phase=Phase.PRE,
    visibility=Visibility.EXPLICIT,
    effect="fail",
    upstream_executed=False,
    agent_visible=True,
)


def header(run_id: str = "run-1", *, trials: int = 10, tasks: tuple[Task, ...] = TASKS) -> Header:
    """The header of a run of two tasks under three conditions."""
    return Header(
        id=run_id,
        suite="shop",
        agent="agent",
        tasks=tasks,
        conditions=CONDITIONS,
        grader="equals()",
        trials=trials,
        started_at=1_700_000_000.0,
    )


def row(
    cell: int, index: int, outcome: Outcome = Outcome.PASS, *, exposed: bool = False, text: str = "done"
) -> TrialRow:
    """The row of one trial."""
    task, condition = divmod(cell, len(CONDITIONS))
    trial = Trial(
        task_id=TASKS[task].id,
        task_digest=TASKS[task].digest,
        condition=CONDITIONS[condition],
        index=index,
        outcome=outcome,
        answer=Answer(text),
        faults=(EVENT,) if exposed else (),
        started_at=1_700_000_000.0,
        seconds=0.5,
    )
    return row_of(cell, trial)


@contextmanager
def unprivileged() -> Iterator[None]:
    """Go on as a user who may write only what everybody may; the superuser would be refused nothing."""
    if os.getuid() != 0:
        yield
        return
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that everybody may read; made read-only, it can still be taken away afterwards."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        try:
            yield folder
        finally:
            folder.chmod(0o755)
