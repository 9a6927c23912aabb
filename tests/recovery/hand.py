"""Trials written by hand, for what no scripted agent does."""

from __future__ import annotations

from typing import Any

from passhat.model.answer import Answer
from passhat.model.condition import Phase, Visibility
from passhat.model.outcome import Outcome
from passhat.model.trial import FaultEvent, ToolCall, Trial

DONE = Answer("Done.", claims_success=True)
SORRY = Answer("I could not.", claims_success=False)


def fired(step: int, *, effect: str = "fail", fault: str = "server_error", **more: Any) -> FaultEvent:  # noqa: ANN401 - fields
    """A fault that fired at this step."""
    settings: dict[str, Any] = {
        "tool": "pay",
        "ordinal": 1,
        "phase": Phase.PRE,
        "visibility": Visibility.EXPLICIT,
        "upstream_executed": False,
        "agent_visible": True,
    }
    return FaultEvent(fault=fault, step=step, effect=effect, **{**settings, **more})


def call(step: int, tool: str = "pay", **more: Any) -> ToolCall:  # noqa: ANN401 - the fields of a call
    """A call that went well, unless more is said of it; each takes a second."""
    settings: dict[str, Any] = {"arguments": {"amount": 5}, "reply": "ok", "at": float(step), "seconds": 1.0}
    return ToolCall(step=step, tool=tool, **{**settings, **more})


def refused(step: int, tool: str = "pay", **more: Any) -> ToolCall:  # noqa: ANN401 - the fields of a call
    """A call that was refused before anything was done."""
    return call(step, tool, **{"error": "503 Service Unavailable", "reply": None, "executed": 0, **more})


def trial(
    *trace: ToolCall,
    faults: tuple[FaultEvent, ...] = (),
    outcome: Outcome = Outcome.PASS,
    answer: Answer | None = DONE,
    **more: Any,  # noqa: ANN401 - the fields of a trial
) -> Trial:
    """A trial with these calls."""
    return Trial(
        task_id="t",
        task_digest="d",
        condition=more.pop("condition", "server_error(dose=once_at(1))" if faults else "clean"),
        index=more.pop("index", 0),
        outcome=outcome,
        trace=trace,
        faults=faults,
        answer=answer,
        **more,
    )
