"""The contract of an agent adapter: it turns one kind of agent into something that the engine can call.

The engine calls `start` with a `Request`, on the event loop where `blocking` is False (and awaits what it gives), on a
thread of the trial's own where it is True. The adapter never retries, never catches the agent's errors and never
touches the guard: what an agent does wrong is data.
"""

from __future__ import annotations

from passhat.model.protocols import Agent, Request

__all__ = ["Agent", "Request"]
