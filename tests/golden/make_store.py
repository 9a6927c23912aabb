"""Makes a store with one run, as this schema stores it. Run once for a schema; a released file is never made again.

python -m tests.golden.make_store tests/golden/store_v4.db
"""

from __future__ import annotations

import sys
from pathlib import Path

from msgspec.structs import replace

from passhat.model.answer import Answer, Usage
from passhat.model.body import row_of
from passhat.model.condition import Phase, Visibility
from passhat.model.ledger import Declared
from passhat.model.outcome import Outcome
from passhat.model.run import Header
from passhat.model.task import Task
from passhat.model.trial import Attempt, FaultEvent, Grade, ToolCall, Trial
from passhat.stores import SqliteStore

SCHEMA_1 = Header(
    id="a1b2c3d4",
    suite="shop",
    agent="shop.agent",
    agent_version="1.2",
    tasks=(
        Task(
            "late-parcel", "Order 7 is late. Refund it.", expect="refunded 7", tags=("refund",), metadata={"level": 2}
        ),
        Task("größe", {"size": [3, 4.5, None, True]}),
    ),
    conditions=("clean", "rate_limit(rate=0.2)"),
    grader="contains()",
    trials=3,
    seed=7,
    started_at=1_700_000_000.5,
    provenance={"passhat": "0.1.0", "python": "3.11.7"},
)
SCHEMA_3 = replace(SCHEMA_1, same_seed=True)  # which the first schema did not know
HEADER = replace(SCHEMA_3, declared=Declared(handoff=("ring",), polling=("job",)))  # nor the first three this
_EVENT = FaultEvent(
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
_OUTCOMES = (Outcome.PASS, Outcome.FAIL, Outcome.CRASH, Outcome.TIMEOUT, Outcome.VOID, Outcome.PASS)


def trial(cell: int, index: int) -> Trial:
    """The trial at one address, with something in every field."""
    task, condition = divmod(cell, len(HEADER.conditions))
    outcome = _OUTCOMES[(cell + index) % len(_OUTCOMES)]
    return Trial(
        task_id=HEADER.tasks[task].id,
        task_digest=HEADER.tasks[task].digest,
        condition=HEADER.conditions[condition],
        index=index,
        outcome=outcome,
        seed=2**53 - 1 - index,
        score=0.25 * index,
        detail='one line\n"another" \x00 ✓',
        input="Order 7 is ltae." if condition else None,
        answer=Answer({"said": "Größe ✓"}, claims_success=True, usage=Usage(input_tokens=10, cost=0.5)),
        grades=(Grade("contains", outcome is Outcome.PASS, score=0.5, reason="why"),),
        trace=(
            ToolCall(step=1, tool="refund", arguments={"order": 7}, error="429 Too Many Requests", executed=0, at=0.25),
            ToolCall(step=2, tool="refund", arguments={"order": 7}, reply=[1], upstream=[2], seconds=0.5),
        ),
        faults_planned=HEADER.conditions[1:] if condition else (),
        faults=(_EVENT,) if condition else (),
        recovery_path="retried",
        state={"refunds": [7]},
        printed="hello\n",
        attempts=(Attempt(outcome=Outcome.VOID, detail="the judge was away", seconds=1.5),),
        started_at=1_700_000_001.25 + index,
        seconds=0.125,
    )


TRIALS = tuple(trial(cell, index) for index in range(3) for cell in range(4) if (cell, index) != (3, 2))

if __name__ == "__main__":
    store = SqliteStore(Path(sys.argv[1]))
    store.create(HEADER)
    store.append(HEADER.id, [row_of(number % 4, each) for number, each in enumerate(TRIALS)])
    store.close()
