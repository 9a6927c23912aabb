"""What a fault may decide: a closed set of effects. A fault decides, the guard acts.

`Forward` makes upstream do what the agent did not ask for, so it needs a world that declares `sandbox = True`. A `Hold`
is decided about a reply, a `Cut` before there is one: by the time a stream could be asked about, it has passed.
"""

from __future__ import annotations

from collections.abc import Mapping
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
    """The agent sees *value* as the tool's reply; *basis* says in words what a reader of the trial should know."""

    value: Json = None
    basis: str = ""


class Hang(Noun, tag=True):
    """Nothing comes back before the trial ends."""


class Forward(Noun, tag=True):
    """Upstream gets the call this many times; the agent sees the last reply.

    With *tool* it is another tool that gets it, and the one that was called does not run; *arguments* are what that
    tool is asked, or, without a word, what was asked of the first.
    """

    times: int
    tool: str = ""
    arguments: Mapping[str, Json] | None = None


class Cut(Noun, tag=True):
    """A stream ends after this many items, although there are more: with an error, or as if it were whole.

    Upstream is told to stop, as a server is whose client has gone. A reply that is no stream is left alone, and so is a
    stream that has no more items than that. *kind* and *message* are the error's, where the end is not *clean*.
    """

    after: int
    clean: bool = False
    kind: str = "connection_error"
    message: str = "peer closed connection without sending complete message body (incomplete chunked read)"


class Hold(Noun, tag=True):
    """The reply is kept back until so many later calls of the trial have ended, for *seconds* at the most."""

    calls: int
    seconds: float


class Then(Noun, tag=True):
    """First one effect, then another."""

    first: Effect
    second: Effect


Effect: TypeAlias = Proceed | Delay | Fail | Reply | Hang | Forward | Cut | Hold | Then
PROCEED = Proceed()
