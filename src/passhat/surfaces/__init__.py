"""Surfaces: where a fault meets a real tool call. One file a surface, and one line here."""

from __future__ import annotations

from passhat.surfaces.base import MESSAGES, Surface
from passhat.surfaces.python_tools import HeldTools, PythonTools
from passhat.surfaces.tool_server import ServedTools, ToolServer

python_tools = PythonTools
tool_server = ToolServer

SURFACES: dict[str, type[Surface]] = {
    "python_tools": PythonTools,
    "tool_server": ToolServer,
}

__all__ = [
    "MESSAGES",
    "SURFACES",
    "HeldTools",
    "PythonTools",
    "ServedTools",
    "Surface",
    "ToolServer",
    "python_tools",
    "tool_server",
]
