"""What the SQLite store keeps, counts and forgets."""

from __future__ import annotations

import hashlib
import random
import sqlite3
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passhat.errors import StoreFailed, StoreUnusable, UsageError
from passhat.model.outcome import Outcome
from passhat.model.protocols import TrialRow
from passhat.model.run import Tally
from passhat.model.task import Task
from passhat.stores import SqliteStore
from passhat.stores._sqlite_schema import MIGRATIONS
from passhat.testing import check_store
from tests.stores.shelves import CONDITIONS, TASKS, header, row

# A migration that was released never changes: a new one is added below.
RELEASED = (
    "4676e4ea359d834853b07970c06ef39066049790ac8ccac42ddf8edb5517b73e",
    "1c347bf216826513dbb248a6549852d06125428c9911fa91732a4fd71460c548",
    "d3855afcb77e44411e7a20a6d96ecbc23051e9ad9fced658179dfa5accfc16ce",
    "db2ba72b572ca09c778536f0bc4454b5e2a941317166fb900afc8fba515096ea",
)

addresses = st.tuples(st.integers(0, 5), st.integers(0, 9))
outcomes = st.tuples(st.sampled_from(Outcome), st.booleans())


def counted(rows: list[TrialRow]) -> Tally:
    """The tally of *rows*, counted one by one."""
    counts = Counter((one.cell, one.outcome) for one in rows)
    exposed = Counter(one.cell for one in rows if one.exposed)
    columns = {outcome: tuple(counts[cell, outcome.value] for cell in range(6)) for outcome in Outcome}
    return Tally(
        tasks=tuple(task.id for task in TASKS),
        conditions=CONDITIONS,
        passed=columns[Outcome.PASS],
        failed=columns[Outcome.FAIL],
        crashed=columns[Outcome.CRASH],
        timed_out=columns[Outcome.TIMEOUT],
        void=columns[Outcome.VOID],
        exposed=tuple(exposed[cell] for cell in range(6)),
    )


def test_store_keeps_the_contract(tmp_path: Path) -> None:
    """The default store does what every store promises."""
    check_store(lambda: SqliteStore(tmp_path / "runs.db"))


def test_migrations_never_change() -> None:
    """What was released stays as it was; a new migration is appended, and pinned here."""
    digests = tuple(hashlib.sha256(text.encode()).hexdigest() for text in MIGRATIONS)

    assert digests == RELEASED


@settings(max_examples=40)
@given(st.lists(st.dictionaries(addresses, outcomes, max_size=8), max_size=5))
def test_counts_are_always_a_recount(
    tmp_path_factory: pytest.TempPathFactory, batches: list[dict[tuple[int, int], tuple[Outcome, bool]]]
) -> None:
    """Whatever comes in whatever batches, refused ones included, the counts are those of the stored trials."""
    store = SqliteStore(tmp_path_factory.mktemp("store") / "runs.db")
    store.create(header("other"))
    store.append("other", [row(cell, 0) for cell in range(6)])
    store.create(header())
    kept: dict[tuple[int, int], TrialRow] = {}
    for batch in batches:
        rows = [row(cell, index, outcome, exposed=exposed) for (cell, index), (outcome, exposed) in batch.items()]
        if kept.keys() & batch.keys():
            with pytest.raises(StoreFailed, match="already"):
                store.append("run-1", rows)
        else:
            store.append("run-1", rows)
            kept |= {(one.cell, one.index): one for one in rows}

    run = store.open("run-1")
    trials = [(trial.task_id, trial.condition, trial.index, trial.outcome) for trial in run.trials]
    tally, stored = run.trials.counts(), set(store.stored("run-1"))
    store.close()

    assert tally == counted(list(kept.values()))
    assert stored == set(kept)
    assert len(trials) == len(kept)


def test_counts_read_no_trial(tmp_path: Path) -> None:
    """Counting touches the cells alone: neither trials nor their bodies are read."""
    store = SqliteStore(tmp_path / "runs.db")
    store.create(header())
    store.append("run-1", [row(0, index) for index in range(5)])
    run, read = store.open(), set()

    def authorizer(action: int, table: str | None, *_: object) -> int:
        if action == sqlite3.SQLITE_READ:
            read.add(table)
        return sqlite3.SQLITE_OK

    store._db.set_authorizer(authorizer)  # noqa: SLF001 - to see what SQLite reads
    tally = run.trials.counts()
    listed = store.runs()
    store._db.set_authorizer(None)  # noqa: SLF001 - as above
    store.close()

    assert tally.passed == (5, 0, 0, 0, 0, 0)
    assert listed[0].stored == 5
    assert read == {"cell", "run"}


def test_trials_are_looked_up_by_their_address(tmp_path: Path) -> None:
    """One trial, and the trials of a run, are found by the primary key: no table is scanned, nothing is sorted."""
    SqliteStore(tmp_path / "runs.db").close()
    plain = sqlite3.connect(tmp_path / "runs.db")
    plans = [
        plain.execute(f"EXPLAIN QUERY PLAN SELECT * FROM trial WHERE {where}").fetchall()  # noqa: S608 - our own text
        for where in ("id = 5", "id BETWEEN 5 AND 9 ORDER BY id", "id >= 5 AND id < 9 ORDER BY id")
    ]
    plain.close()

    details = [line[3] for plan in plans for line in plan]
    assert len(details) == 3
    assert all(detail.startswith("SEARCH trial USING INTEGER PRIMARY KEY") for detail in details)


def test_views_spell_everything_out(tmp_path: Path) -> None:
    """A person reads `trials` and `counts` with plain SQLite, without knowing how trials are addressed."""
    store = SqliteStore(tmp_path / "runs.db")
    store.create(header("other"))
    store.create(header())
    store.append("run-1", [row(0, 0), row(4, 0, Outcome.CRASH, exposed=True), row(4, 1)])
    store.close()

    plain = sqlite3.connect(tmp_path / "runs.db")
    trials = plain.execute("SELECT run, task, condition, trial, outcome, exposed, started_at FROM trials").fetchall()
    counts = plain.execute(
        "SELECT task, condition, passed, crashed, exposed FROM counts WHERE run = 'run-1' AND passed + crashed > 0"
    ).fetchall()
    answers = plain.execute("SELECT json_extract(body, '$.answer.output') FROM trials").fetchall()
    plain.close()

    when = "2023-11-14 22:13:20"
    assert trials == [
        ("run-1", "late-parcel", "clean", 0, "PASS", 0, when),
        ("run-1", "größe", "rate_limit(rate=0.2)", 0, "CRASH", 1, when),
        ("run-1", "größe", "rate_limit(rate=0.2)", 1, "PASS", 0, when),
    ]
    assert counts == [("late-parcel", "clean", 1, 0, 0), ("größe", "rate_limit(rate=0.2)", 1, 1, 1)]
    assert answers == [("done",)] * 3


def test_deleting_leaves_no_bytes(tmp_path: Path) -> None:
    """A deleted run's texts are gone from the file and its log, and so are tasks that no other run has."""
    path = tmp_path / "runs.db"
    store = SqliteStore(path)
    lone = Task("lone", "LONELY-TASK-TEXT")
    store.create(header("kept"))
    store.append("kept", [row(0, 0, text="KEPT-ANSWER")])
    store.create(header("gone", tasks=(TASKS[0], lone)))
    store.append("gone", [row(0, index, text=f"GONE-ANSWER-{index} " * 200) for index in range(10)])

    def everything() -> bytes:
        return b"".join(each.read_bytes() for each in tmp_path.iterdir())

    assert b"GONE-ANSWER" in everything()
    store.delete("gone")

    left = everything()
    assert b"GONE-ANSWER" not in left
    assert b"LONELY-TASK-TEXT" not in left
    assert b"KEPT-ANSWER" in left
    assert [one.id for one in store.runs()] == ["kept"]
    assert len(list(store.open("kept").trials)) == 1
    store.close()


def test_run_that_is_deleted_while_it_is_made_says_so(tmp_path: Path) -> None:
    """Its trials are refused in one sentence, and none of them is counted under the run that was made next."""
    writer, other = SqliteStore(tmp_path / "runs.db"), SqliteStore(tmp_path / "runs.db")
    writer.create(header())
    writer.append("run-1", [row(0, 0)])
    other.delete("run-1")
    other.create(header("run-2"))

    with pytest.raises(StoreFailed, match=r"run run-1 was deleted from .*runs.db while it was made: run it again"):
        writer.append("run-1", [row(0, 1)])
    other.append("run-2", [row(0, 1, Outcome.FAIL)])
    counts = other.open("run-2").trials.counts()
    writer.close()
    other.close()

    assert (counts.passed[0], counts.failed[0]) == (0, 1)


def test_ids_are_given_once(tmp_path: Path) -> None:
    """Neither a run nor a cell gets an id that a deleted one had."""
    store, given = SqliteStore(tmp_path / "runs.db"), []
    for number in range(3):
        store.create(header(f"run-{number}"))
        with sqlite3.connect(tmp_path / "runs.db") as plain:
            given.append({*plain.execute("SELECT 'run', id FROM run"), *plain.execute("SELECT 'cell', id FROM cell")})
        plain.close()
        store.delete(f"run-{number}")
    store.close()

    assert [len(ids) for ids in given] == [7, 7, 7]
    assert len(set().union(*given)) == 21


def test_reader_of_a_deleted_run_is_told(tmp_path: Path) -> None:
    """Whoever counts a run that somebody has deleted gets a sentence, and no zeros."""
    store = SqliteStore(tmp_path / "runs.db")
    store.create(header())
    run = store.open()
    store.delete("run-1")

    with pytest.raises(StoreUnusable, match=r"the run was deleted from .* while it was read"):
        run.trials.counts()
    store.close()


@pytest.mark.parametrize("seed", range(40))
def test_damaged_file_is_one_sentence(seed: int, tmp_path: Path) -> None:
    """Whatever has become of the bytes, what is read of them is read, or is a usage error: never a bug of ours."""
    path, chance = tmp_path / "runs.db", random.Random(seed)  # noqa: S311 - no secret
    store = SqliteStore(path)
    store.create(header())
    store.append("run-1", [row(cell, index) for cell in range(6) for index in range(10)])
    store.close()
    damaged = bytearray(path.read_bytes())
    for _ in range(chance.choice([3, 30, 300])):
        damaged[chance.randrange(100, len(damaged))] = chance.randrange(256)
    path.write_bytes(damaged)

    with suppress(UsageError):
        read_all(path)


def read_all(path: Path) -> None:
    """Ask everything there is to ask of a store."""
    with closing(SqliteStore(path, create=False)) as store:
        store.runs()
        store.stored("run-1")
        run = store.open("run-1")
        run.trials.counts()
        run.trials.strips(10)
        run.trials.get(TASKS[0].id, CONDITIONS[0], 1)
        list(run.trials)


def test_damage_says_what_to_do(tmp_path: Path) -> None:
    """Reading a damaged file, and beginning a run in it, are refused alike."""
    path = tmp_path / "runs.db"
    store = SqliteStore(path)
    store.create(header(tasks=tuple(Task(f"task-{number}", "x" * 500) for number in range(100))))
    store.close()
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (path.stat().st_size - 4096))

    with pytest.raises(StoreUnusable, match="cannot be read: it is damaged; take a copy from before"):
        read_all(path)
    store = SqliteStore(path)
    with pytest.raises(StoreUnusable, match="failed: it is damaged"):
        store.create(header("run-2"))
    store.close()


def test_tasks_are_kept_once(tmp_path: Path) -> None:
    """Runs of the same tasks share them."""
    store = SqliteStore(tmp_path / "runs.db")
    for number in range(5):
        store.create(header(f"run-{number}"))
    store.close()

    plain = sqlite3.connect(tmp_path / "runs.db")
    (tasks,) = plain.execute("SELECT count(*) FROM task").fetchone()
    plain.close()

    assert tasks == 2


def test_run_is_made_once(tmp_path: Path) -> None:
    """A second run of the same id is refused, and changes nothing."""
    store = SqliteStore(tmp_path / "runs.db")
    store.create(header())
    store.append("run-1", [row(0, 0)])

    with pytest.raises(StoreUnusable, match="holds run run-1 already: 'passhat rm run-1' deletes it there"):
        store.create(header(trials=3))

    assert store.open().header == header()
    assert store.runs()[0].stored == 1
    store.close()


def test_trial_outside_the_run_is_none(tmp_path: Path) -> None:
    """What lies before or beyond a run's trials is not found in another run."""
    store = SqliteStore(tmp_path / "runs.db")
    for name in ("run-1", "run-2"):
        store.create(header(name))
        store.append(name, [row(cell, index) for cell in range(6) for index in range(10)])
    trials = store.open("run-2").trials

    found = [trials.get("late-parcel", "clean", index) for index in (-1, -(2**40), 10, 2**40, 2**70)]
    store.close()

    assert found == [None] * 5
