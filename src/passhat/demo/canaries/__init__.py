"""Canaries: three scenarios to run an agent in every night, one for each way in which failures spread.

One file a canary, and one line here. `passhat demo canary` runs them all; `passhat.demo.clerks` has two agents that
work in them.
"""

from __future__ import annotations

from passhat.demo.canaries.base import RULES, Canary
from passhat.demo.canaries.environment import ENVIRONMENT
from passhat.demo.canaries.orchestration import ORCHESTRATION
from passhat.demo.canaries.state import STATE

orchestration = ORCHESTRATION
state = STATE
environment = ENVIRONMENT

CANARIES: dict[str, Canary] = {
    "orchestration": ORCHESTRATION,
    "state": STATE,
    "environment": ENVIRONMENT,
}

__all__ = ["CANARIES", "RULES", "Canary", "environment", "orchestration", "state"]
