"""Trials as `EvalRun` rows, one JSON object a line: the exchange format of a published evaluation contract.

    {"taskId": "late-parcel", "trial": 4, "inject": "rate-limit", "passed": true, "recoveryPath": "retry",
     "toolTrace": [{"step": 1, "tool": "refund", "ok": false}, {"step": 2, "tool": "refund", "ok": true}],
     "x_passhat": {…}}

`trial` counts from 1. `inject` and `perturbation` are the contract's words where it has one, else our names; of several
faults it is the first that fired, and a fault that never fired was not injected. `recoveryPath` is the worst of all. A
void trial has no `passed`: it is no evidence. All that the contract has no word for stands below `x_passhat`. The rows
are described by `evalrun.schema.json`, beside this file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from passhat.errors import UsageError
from passhat.model.exposure import Exposure, exposure
from passhat.model.extra import Extra, extra
from passhat.model.grammar import parse
from passhat.model.ledger import NOTHING_DECLARED, Declared, Ledger, ledger
from passhat.model.onsets import onsets
from passhat.model.outcome import Outcome
from passhat.model.pairs import paired
from passhat.model.paths import FaultRecovery, RecoveryPath, hands_off
from passhat.model.plain import mended
from passhat.model.recovery import Recovery, claims_success, recovery
from passhat.model.trial import FaultEvent, Trial
from passhat.reports._escape import for_json

INJECTED = {
    "rate_limit": "rate-limit",
    "server_error": "5xx",
    "schema_drift": "schema-drift",
    "partial_result": "partial-response",
    "truncated_text": "partial-response",
    "lost_page": "partial-response",
}
PERTURBED = {"paraphrase": "paraphrase", "reorder_tools": "reorder-tools", "rename_fields": "rename-fields"}
_OF_FAULTS = frozenset({"rate", "dose"})


def evalrun_lines(trials: Iterable[Trial], *, declared: Declared = NOTHING_DECLARED) -> Iterator[str]:
    """A line of JSON for each trial, in their order; each is judged beside the clean trial of its task and index."""
    for trial, clean in paired(trials):
        row = evalrun_row(trial, clean=clean, declared=declared)
        yield for_json(msgspec.json.encode(mended(row)).decode())


def evalrun_row(trial: Trial, *, clean: Trial | None = None, declared: Declared = NOTHING_DECLARED) -> dict[str, Any]:
    """One trial as a row; what does not apply is left out."""
    said = recovery(trial, clean=clean, declared=declared)
    wording = _perturbation(trial.condition)
    injected = trial.faults[0].fault if trial.faults else ""
    row = {
        "taskId": trial.task_id,
        "trial": trial.index + 1,
        "perturbation": PERTURBED.get(wording, wording) or None,
        "inject": INJECTED.get(injected, injected) or None,
        "passed": trial.outcome is Outcome.PASS if trial.outcome.counts else None,
        "recoveryPath": RecoveryPath.NONE if said is None else said.path,
        "toolTrace": [{"step": call.step, "tool": call.tool, "ok": call.ok} for call in trial.trace],
        "x_passhat": _more(trial, said, clean, declared),
    }
    return _given(row)


def _more(trial: Trial, said: Recovery | None, clean: Trial | None, declared: Declared) -> dict[str, Any]:
    """What the contract has no word for."""
    found = ledger(trial, clean=clean, declared=declared) if said is None else said.ledger
    answered = trial.answer is not None
    more = {
        "outcome": trial.outcome,
        "condition": trial.condition,
        "seed": trial.seed,
        "planned": trial.faults_planned or None,
        "exposure": [_exposure(one) for one in exposure(trial, clean=clean, declared=declared)] or None,
        "aftermath": said and said.aftermath,
        "endState": said and said.end,
        "extra": None if clean is None or said is None else _extra(extra(trial, clean)),
        "recoveries": said and [_recovery(fault) for fault in said.faults],
        "faults": [_fault(event) for event in trial.faults] or None,
        "claimsSuccess": claims_success(trial, declared=declared) if answered else None,
        "handoff": hands_off(trial, 0, declared) if answered else None,
        "ledger": _ledger(found) if trial.trace else None,
        "onsets": onsets(trial.trace, declared=declared) or None,
        "turns": len(trial.turns) or None,
        "detail": trial.detail or None,
    }
    return _given(more)


def _given(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if value is not None}


def _perturbation(condition: str) -> str:
    """The first other wording of *condition*: a part without a dose."""
    try:
        terms = parse(condition)
    except UsageError:  # a name that another tool gave it
        return ""
    return next((term.name for term in terms if not _OF_FAULTS & {one.name for one in term.arguments}), "")


def _recovery(fault: FaultRecovery) -> dict[str, Any]:
    row = {
        "fault": fault.fault,
        "step": fault.step,
        "path": fault.path,
        "reason": fault.reason,
        "absorbed": fault.absorbed,
        "seen": fault.seen,
        "detected": fault.detected,
        "calls": fault.calls,
        "seconds": fault.seconds,
        "retryAfterViolations": fault.violations,
    }
    return _given(row)


def _exposure(found: Exposure) -> dict[str, Any]:
    row = {
        "fault": found.fault,
        "fate": found.fate,
        "fired": found.fired,
        "seen": found.seen,
        "absorbed": found.absorbed,
        "reached": found.reached,
    }
    return _given(row)


def _extra(more: Extra) -> dict[str, Any]:
    return _given({"calls": more.calls, "seconds": more.seconds, "tokens": more.tokens})


def _fault(event: FaultEvent) -> dict[str, Any]:
    return {
        "fault": event.fault,
        "step": event.step,
        "tool": event.tool,
        "ordinal": event.ordinal,
        "class": event.visibility,
        "phase": event.phase,
        "dose": event.dose,
        "effect": event.effect,
        "upstreamExecuted": event.upstream_executed,
        "agentVisible": event.agent_visible,
    }


def _ledger(found: Ledger) -> dict[str, Any]:
    return {
        "duplicates": [{"tool": one.tool, "steps": one.steps, "times": one.times} for one in found.duplicates],
        "unknownEffects": found.unknown,
        "believedEffects": found.believed,
        "unaskedEffects": found.unasked,
        "changedReplies": found.changed,
    }
