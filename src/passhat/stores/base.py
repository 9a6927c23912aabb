"""The contract of a store, and what all stores share: how a run is found by what a person types.

A store keeps what it is given, as it is given: secrets are masked before. Calls block; the engine makes them from one
writer's thread. A listed store is made as `Kind(place, create=True)`, where *place* is what follows `NAME://`; with
`create=False`, for reading, a place where there is none is a usage error. One that has a parameter `write` is told
with it whether it will be written although it is not to be made, so that it can refuse at once what may only be read.

What a store says of a run is said here, so that every store says it alike. No message holds a password.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from passhat.errors import StoreFailed, StoreUnusable, UsageError
from passhat.model.protocols import Store, TrialRow
from passhat.model.run import Header, Tally

__all__ = [
    "COLUMNS",
    "Store",
    "TrialRow",
    "already_there",
    "cell_of",
    "deleted",
    "deleted_meanwhile",
    "extended_already",
    "pick",
    "taken_already",
    "tally",
]

COLUMNS = ("passed", "failed", "crashed", "timed_out", "void", "exposed")  # what is counted of a cell, in this order


def cell_of(header: Header, task_id: str, condition: str) -> int | None:
    """The position of a cell in the run, where there is such a task and such a condition."""
    names = [task.id for task in header.tasks]
    if task_id not in names or condition not in header.conditions:
        return None
    return names.index(task_id) * len(header.conditions) + header.conditions.index(condition)


def tally(header: Header, columns: Sequence[Sequence[int]]) -> Tally:
    """The counts of all cells, which are given column by column."""
    tasks, conditions = [task.id for task in header.tasks], header.conditions
    if len(columns) != len(COLUMNS) or len(columns[0]) != len(tasks) * len(conditions):
        raise LookupError("cells are missing")
    counted = dict(zip(COLUMNS, columns, strict=True))
    return msgspec.convert({"tasks": tasks, "conditions": conditions, **counted}, Tally)


def taken_already(run_id: str, where: str) -> StoreFailed:
    """What is said of trials whose addresses somebody else has filled."""
    return StoreFailed(
        f"run {run_id} in {where} holds already what is to be stored: "
        "somebody else goes on with the same run, so let that one end first"
    )


def already_there(run_id: str, where: str) -> StoreUnusable:
    """What is said of a run that is made twice, as by an import: nothing has been done yet."""
    return StoreUnusable(f"the store {where} holds run {run_id} already: 'passhat rm {run_id}' deletes it there")


def extended_already(run_id: str, where: str) -> StoreUnusable:
    """What is said of more planned trials than there were, where there are as many already."""
    return StoreUnusable(
        f"run {run_id} in {where} has got more trials meanwhile: somebody else tops it up, so let that one end first"
    )


def deleted_meanwhile(run_id: str, where: str) -> StoreFailed:
    """What its writer is told of a run that went while it was made."""
    return StoreFailed(f"run {run_id} was deleted from {where} while it was made: run it again", lost=True)


def deleted(where: str) -> StoreUnusable:
    """What its reader is told of a run that went while it was read."""
    return StoreUnusable(
        f"the run was deleted from {where} while it was read: 'passhat runs' lists those that are left"
    )


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
