"""The parts that the contract tests run over: of each kind the built-in ones, and those of installed packages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from passhat import agents, faults, graders, importers, metrics, perturbations, reports, rules, stores, surfaces
from passhat.installed import Parts
from passhat.model.protocols import Store

FAULTS = Parts("faults", faults.FAULTS, faults.Fault, beside=perturbations.PERTURBATIONS)
PERTURBATIONS = Parts("perturbations", perturbations.PERTURBATIONS, perturbations.Perturbation, beside=FAULTS)
IMPORTERS = Parts("importers", importers.IMPORTERS, importers.Importer)
METRICS = Parts("metrics", metrics.METRICS, metrics.Metric)
RULES = Parts("rules", rules.RULES, rules.Rule)
REPORTS = Parts("reports", reports.REPORTS, reports.Report)
GRADERS = Parts("graders", graders.GRADERS, graders.Grader)
# What keeps to a protocol has no class in common.
AGENTS = Parts("agents", agents.AGENTS)
SURFACES = Parts("surfaces", surfaces.SURFACES)
STORES: Parts[Callable[..., Store]] = Parts("stores", stores.STORES)


def value_problems(part: Any) -> list[str]:  # noqa: ANN401 - any part
    """What keeps *part* from being a value: parts are frozen, slotted dataclasses that say what they do."""
    kind = type(part)
    settings = getattr(kind, "__dataclass_params__", None)
    doc = vars(kind).get("__doc__") or ""
    held = {
        "a frozen dataclass": settings is not None and settings.frozen,
        "without a __dict__": not hasattr(part, "__dict__"),
        "documented by itself": bool(doc.strip()) and not doc.startswith(f"{kind.__name__}("),
    }
    return [promise for promise, kept in held.items() if not kept]
