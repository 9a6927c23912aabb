"""What an agent sees of a call that nobody answers: the same whether upstream ran or not."""

from __future__ import annotations

from passhat.model.effect import Delay, Effect, Fail, Hang, Then


def unanswered(hang: float | None) -> Effect:
    """Nothing for *hang* seconds, and then the client's own timeout; nothing at all where the client has none."""
    if hang is None:
        return Hang()
    return Then(Delay(hang), timed_out(hang))


def timed_out(hang: float) -> Fail:
    """The timeout of a client that has waited for *hang* seconds."""
    return Fail("timeout", f"Timed out: no response within {hang:g} s")
