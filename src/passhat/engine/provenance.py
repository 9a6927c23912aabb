"""What a run says of where it came from and how it was made: never an address and never the environment."""

from __future__ import annotations

import platform
import sys
from collections.abc import Collection
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from passhat.engine.checkout import checkout
from passhat.model.base import Json

# What agents are built with: the module that is imported, and the package that it is from.
_FRAMEWORKS = {
    "agents": "openai-agents",
    "anthropic": "anthropic",
    "autogen_core": "autogen-core",
    "crewai": "crewai",
    "google.genai": "google-genai",
    "langchain_core": "langchain-core",
    "langgraph": "langgraph",
    "litellm": "litellm",
    "llama_index.core": "llama-index-core",
    "mcp": "mcp",
    "openai": "openai",
    "pydantic_ai": "pydantic-ai-slim",
    "smolagents": "smolagents",
}


def provenance(
    *, timeout: float, virtual: bool = False, folder: str | Path | None = None, turns: int | None = None
) -> dict[str, Json]:
    """The versions that made this run, the seconds that a trial had, and that they are virtual where they are.

    *folder* is that of the suite: which commit it is at, and whether it was changed since. *turns*: how many turns a
    user had, where a task has one.
    """
    frameworks: dict[str, Json] = {**frameworks_among(sys.modules)}
    git = checkout(Path(folder)) if folder is not None else {}
    found: dict[str, Json] = {
        "passhat": _version("passhat") or "unknown",  # where a source tree was never installed
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "timeout": timeout,
    }
    return {
        **found,
        **({"time": "virtual"} if virtual else {}),
        **({"turns": turns} if turns is not None else {}),
        **({"frameworks": frameworks} if frameworks else {}),
        **({"git": git} if git else {}),
    }


def frameworks_among(modules: Collection[str]) -> dict[str, str]:
    """The versions of the frameworks whose modules are imported: those that the agent may use."""
    found = {package: _version(package) for module, package in _FRAMEWORKS.items() if module in modules}
    return {package: number for package, number in found.items() if number}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
