"""Faults: what production does to a tool call. One file a fault, and one line here."""

from __future__ import annotations

from passhat.faults.base import Fault
from passhat.faults.rate_limit import RateLimit

rate_limit = RateLimit

FAULTS: dict[str, type[Fault]] = {
    "rate_limit": RateLimit,
}

__all__ = ["FAULTS", "Fault", "RateLimit", "rate_limit"]
