"""Perturbations: other wordings of the same request. One file a perturbation, and one line here."""

from __future__ import annotations

from passhat.perturbations.base import Perturbation
from passhat.perturbations.typos import Typos

typos = Typos

PERTURBATIONS: dict[str, type[Perturbation]] = {
    "typos": Typos,
}

__all__ = ["PERTURBATIONS", "Perturbation", "Typos", "typos"]
