"""The store that lives as long as its object: what is run into it is read from it, and nothing is left behind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import passhat
from passhat import Suite, Task, graders
from passhat.errors import StoreFailed, StoreUnusable, UsageError
from passhat.model.outcome import Outcome
from passhat.stores import MemoryStore
from passhat.testing import check_store
from tests.stores.shelves import header, row


def says(word: str) -> Callable[[object], str]:
    """An agent that has one answer."""

    def agent(message: object) -> str:
        return word

    return agent


SUITE = Suite(name="tiny", tasks=[Task("greet", "Say hello.", expect="hello")], grader=graders.equals())


def test_memory_store_keeps_the_contract() -> None:
    """It does what every store promises, as far as that can be asked of one that forgets."""
    check_store(MemoryStore, durable=False)


def test_run_goes_into_memory_and_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run is made into a store that is handed in, read from it again, and no file is made."""
    monkeypatch.chdir(tmp_path)
    store = MemoryStore()

    run = passhat.run(SUITE, says("hello"), trials=3, store=store)

    assert store.open().header == run.header
    assert [trial.outcome for trial in store.open("latest").trials] == [Outcome.PASS] * 3
    assert list(tmp_path.iterdir()) == []


def test_memory_has_a_scheme() -> None:
    """`memory://` is a new, empty store each time; the run that was made into it is still at hand."""
    first = passhat.run(SUITE, says("hello"), trials=2, store="memory://")
    second = passhat.run(SUITE, says("no"), trials=2, store="memory://")

    assert (first.trials.counts().passed, second.trials.counts().passed) == ((2,), (0,))


def test_reading_memory_says_what_to_do() -> None:
    """There is nothing to read in a new one, and the sentence says what reads instead."""
    with pytest.raises(StoreUnusable, match="there is nothing to read: name a file with '--store PATH'"):
        passhat.open_store("memory://")


def test_batch_is_refused_whole() -> None:
    """A batch with one address that is taken, or twice in it, leaves nothing."""
    store = MemoryStore()
    store.create(header())
    store.append("run-1", [row(0, 0)])

    with pytest.raises(StoreFailed, match=r"run run-1 in memory:// holds already what is to be stored"):
        store.append("run-1", [row(0, 1), row(0, 0)])
    with pytest.raises(StoreFailed):
        store.append("run-1", [row(0, 1), row(0, 1)])

    assert store.stored("run-1") == [(0, 0)]
    assert store.open().trials.counts().passed[0] == 1


def test_reader_of_a_deleted_run_is_told() -> None:
    """Whoever counts or reads a run that is gone gets a sentence, and no zeros; its writer is told as well."""
    store = MemoryStore("notebook")
    store.create(header())
    run = store.open()
    store.delete("run-1")

    with pytest.raises(StoreUnusable, match="the run was deleted from memory://notebook while it was read"):
        run.trials.counts()
    with pytest.raises(StoreUnusable, match="while it was read"):
        list(run.trials)
    with pytest.raises(StoreFailed, match="was deleted from memory://notebook while it was made"):
        store.append("run-1", [row(0, 0)])
    with pytest.raises(UsageError, match="there is no run"):
        store.open("run-1")
