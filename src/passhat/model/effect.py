"""What a fault may decide: a closed set of effects. A fault decides, the guard acts.

`Forward` makes upstream do what the agent did not ask for, so it needs a world that declares `sandbox = True`.
"""

from __future__ import annotations

from typing import TypeAlias

from passhat.model.base import Json, Noun


class Proceed(Noun, tag=True):
    """Nothing happens here."""


class Delay(Noun, tag=True):
    """The call, or its reply, takes this many seconds longer; *basis* says in words where the number comes from."""

    seconds: float
    basis: str = ""


class Fail(Noun, tag=True):
    """The agent sees an error: *kind* is a word, *message* is what a real service would say."""

    kind: str
    message: str
    retry_after: float | None = None


class Reply(Noun, tag=True):
    """The agent sees *value* as the tool's reply."""

    value: Json = None


class Hang(Noun, tag=True):
    """Nothing comes back before the trial ends."""


class Forward(Noun, tag=True):
    """Upstream gets the call this many times; the agent sees the last reply."""

    times: int


class Then(Noun, tag=True):
    """First one effect, then another."""

    first: Effect
    second: Effect


Effect: TypeAlias = Proceed | Delay | Fail | Reply | Hang | Forward | Then
PROCEED = Proceed()
