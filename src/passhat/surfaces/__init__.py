"""Surfaces: where a fault meets a real tool call. One file a surface, and one line here."""

from __future__ import annotations

from passhat.surfaces.base import MESSAGES, Surface
from passhat.surfaces.python_tools import HeldTools, PythonTools

python_tools = PythonTools

SURFACES: dict[str, type[Surface]] = {
    "python_tools": PythonTools,
}

__all__ = ["MESSAGES", "SURFACES", "HeldTools", "PythonTools", "Surface", "python_tools"]
