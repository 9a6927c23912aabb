"""What our own tests use and users get too: agents whose behaviour is known, a clock, and conformance checks.

No fake here knows a test, and no check needs a test runner: a check raises `AssertionError` with every
problem that it found.
"""

from __future__ import annotations

from passhat.testing.agents import (
    FlakyAgent,
    GivesUp,
    HandsOff,
    KeyedRetrier,
    Lies,
    Loops,
    NaiveRetrier,
    Scripted,
    VerifyingRetrier,
)
from passhat.testing.checks import check_fault, check_grader, check_perturbation
from passhat.testing.clock import FakeClock
from passhat.testing.conversing import Converses
from passhat.testing.store_checks import check_store

__all__ = [
    "Converses",
    "FakeClock",
    "FlakyAgent",
    "GivesUp",
    "HandsOff",
    "KeyedRetrier",
    "Lies",
    "Loops",
    "NaiveRetrier",
    "Scripted",
    "VerifyingRetrier",
    "check_fault",
    "check_grader",
    "check_perturbation",
    "check_store",
]
