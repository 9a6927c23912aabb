"""The contract of a store, and what all stores share: how a run is found by what a person types.

A store keeps what it is given, as it is given: secrets are masked before. Calls block; the engine makes them from one
writer's thread. A listed store is made as `Kind(place, create=True)`, where *place* is what follows `NAME://`; with
`create=False`, for reading, a place where there is none is a usage error.
"""

from __future__ import annotations

from collections.abc import Sequence

from passhat.errors import UsageError
from passhat.model.protocols import Store, TrialRow

__all__ = ["Store", "TrialRow", "pick"]


def pick(asked: str, ids: Sequence[str], where: str) -> str:
    """The run that *asked* means, an id, the beginning of just one, or 'latest'; *ids* are newest first."""
    if not ids:
        raise UsageError(f"there is no run in {where} yet: 'passhat run' makes one")
    if not asked:
        raise UsageError(
            f"a run is named by its id, the beginning of it, or 'latest'; the latest are {', '.join(ids[:5])}"
        )
    if asked == "latest":
        return ids[0]
    found = [name for name in ids if name == asked] or [name for name in ids if name.startswith(asked)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise UsageError(f"there is no run {asked!r} in {where}; the latest are {', '.join(ids[:5])}")
    raise UsageError(
        f"{asked!r} is the beginning of {len(found)} runs in {where}: {', '.join(found[:5])}; add a letter"
    )
