"""How long a tool takes where nothing is wrong: what a fault is told that goes by it."""

from __future__ import annotations

from passhat.model.base import Noun


class Pace(Noun, kw_only=True, gc=False):
    """The seconds that a tool took for the *calls* of it that no fault struck and that it answered."""

    calls: int
    p99: float
    slowest: float
