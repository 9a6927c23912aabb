"""Named sets of faults: each of a set is a condition of its own. `--under default` is `under=sets.DEFAULT`.

A set is a tuple like any other, so that your own stands in your own file: `(*sets.SILENT, faults.conflict().at(0.1))`.
"""

from __future__ import annotations

from passhat.faults.dropped_step import DroppedStep
from passhat.faults.empty_result import EmptyResult
from passhat.faults.latency import Latency
from passhat.faults.lost_reply import LostReply
from passhat.faults.memory_drift import MemoryDrift
from passhat.faults.partial_result import PartialResult
from passhat.faults.rate_limit import RateLimit
from passhat.faults.schema_drift import SchemaDrift
from passhat.faults.server_error import ServerError
from passhat.faults.stale_read import StaleRead
from passhat.faults.wrong_entity import WrongEntity
from passhat.model.condition import Injection

# What every external tool does to its callers sooner or later. The p99 of 1 s is assumed; declare your own.
DEFAULT: tuple[Injection, ...] = (RateLimit().at(), ServerError().at(), SchemaDrift().at(), Latency(p99=1.0).at())

# Replies that look right and are not, and the job that was done without a word.
SILENT: tuple[Injection, ...] = (
    EmptyResult().at(),
    StaleRead().at(),
    WrongEntity().at(),
    PartialResult().at(),
    LostReply().at(),
)

# One for each way in which a failure spreads: the plan, the state, and what the surroundings answer.
CANARY: tuple[Injection, ...] = (DroppedStep().at(), MemoryDrift().at(), EmptyResult().at())

SETS: dict[str, tuple[Injection, ...]] = {"default": DEFAULT, "silent": SILENT, "canary": CANARY}
