"""A run to be moved: stored in memory, with something in every field that a trial has."""

from __future__ import annotations

from msgspec.structs import replace

from passhat.model.body import row_of
from passhat.model.run import Run
from passhat.stores import MemoryStore
from tests.golden.make_store import HEADER, TRIALS


def stored(*, worded_anew: bool = False) -> Run:
    """The run; its trials were asked what their tasks ask, unless some are to be *worded_anew*."""
    store = MemoryStore()
    store.create(HEADER)
    trials = TRIALS if worded_anew else [replace(trial, input=None) for trial in TRIALS]
    store.append(HEADER.id, [row_of(number % 4, each) for number, each in enumerate(trials)])
    return store.open()
