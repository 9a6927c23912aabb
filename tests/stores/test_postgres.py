"""What the PostgreSQL store keeps, whoever else writes at the same time, and whatever becomes of the server."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing

import pytest

import passhat
from passhat import Suite, Task, graders
from passhat.errors import StoreFailed, StoreUnusable, UsageError, exit_code
from passhat.model.outcome import Outcome
from passhat.model.protocols import TrialRow
from passhat.stores import PostgresStore
from passhat.stores._postgres_schema import MIGRATIONS
from tests.children import LIMIT, limited
from tests.postgres import PASSWORD, QUOTED, USER, Cluster, cluster
from tests.stores.shelves import CONDITIONS, TASKS, header, row
from tests.stores.wire import Wire

# A migration that was released never changes: a new one is added below.
RELEASED = ("5d78dec834c6fa3f1e129f7ed5461b328eb7d43f1565d47d640794e8dcbee4b4",)
CELLS = range(6)


@pytest.fixture
def server() -> Iterator[Cluster]:
    """The server, which runs again after the test."""
    made = cluster()
    yield made
    made.start()


@pytest.fixture
def place(server: Cluster) -> str:
    """An empty database."""
    return server.database()


@pytest.fixture
def store(place: str) -> Iterator[PostgresStore]:
    """A store in an empty database, with a run that has no trials."""
    with closing(PostgresStore(place)) as made:
        made.create(header())
        yield made


class Clock:
    """A clock that goes on when somebody sleeps; at the first nap the server comes back, if it is to."""

    def __init__(self, server: Cluster | None = None) -> None:
        self.now = 0.0
        self._server = server

    def __call__(self) -> float:
        """Now."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Let time go by."""
        self.now += seconds
        if self._server is not None:
            self._server.start()


def whole(store: PostgresStore, run: str = "run-1") -> tuple[list[tuple[int, int]], int]:
    """The addresses of a run's trials, and how many trials its cells count."""
    return sorted(store.stored(run)), sum(map(store.open(run).trials.counts().total, Outcome))


def read_all(store: PostgresStore) -> None:
    """Ask everything that a report asks."""
    run = store.open()
    run.trials.counts()
    run.trials.strips(5)
    list(run.trials)


def test_migrations_never_change() -> None:
    """What was released stays as it was; a new migration is appended, and pinned here."""
    assert tuple(hashlib.sha256(text.encode()).hexdigest() for text in MIGRATIONS) == RELEASED


@pytest.mark.parametrize("scheme", ["postgresql", "postgres"])
def test_store_is_named_by_a_url(scheme: str, place: str) -> None:
    """Both words that PostgreSQL's own clients take name it, and a run goes in and comes out."""
    url = f"{scheme}://{place}"
    suite = Suite(name="tiny", tasks=[Task("greet", "Say hello.", expect="hello")], grader=graders.equals())

    run = passhat.run(suite, lambda _message: "hello", trials=5, store=url)

    with closing(passhat.open_store(url)) as opened:
        assert opened.open("latest").header == run.header
        assert opened.open(run.header.id).trials.counts().passed == (5,)


def test_url_may_say_more(server: Cluster, place: str) -> None:
    """What libpq takes in a URL is taken: a socket's folder, an encoding, which is ours all the same."""
    name = place.rpartition("/")[2]
    url = f"postgresql://{USER}@/{name}?host={server.folder}&port={server.port}&client_encoding=LATIN1"

    with closing(PostgresStore(url)) as store:
        store.create(header())
        store.append("run-1", [row(0, 0, text="漢")])
        answers = [trial.answer.output for trial in store.open().trials if trial.answer]

        assert answers == ["漢"]
        assert str(store._line.address) == (  # noqa: SLF001 - what is shown of it
            f"postgresql://{USER}@/{name}?host={server.folder}&port={server.port}"
        )


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE passhat.trial SET body = '[7]'",
        "UPDATE passhat.trial SET outcome = 'GOOD'",
        "DELETE FROM passhat.cell WHERE position = 3",
        "UPDATE passhat.run SET header = '{}'",
        "UPDATE passhat.task SET body = '7'",
    ],
)
def test_what_somebody_has_changed_is_one_sentence(
    change: str, server: Cluster, store: PostgresStore, place: str
) -> None:
    """Rows that are not as they were written are a usage error, and no bug of ours."""
    store.append("run-1", [row(0, 0)])
    server.ask(change, place.rpartition("/")[2])

    with pytest.raises(StoreUnusable, match="holds what passhat never wrote"):
        read_all(store)


def test_other_tables_are_left_alone(server: Cluster, place: str) -> None:
    """A database may hold other things, tables with our names among them."""
    name = place.rpartition("/")[2]
    server.ask("CREATE TABLE public.run (id integer); INSERT INTO public.run VALUES (7)", name)

    with closing(PostgresStore(place)) as store:
        store.create(header())
        store.append("run-1", [row(0, 0)])
        store.delete("run-1")

    assert server.ask("SELECT id FROM public.run", name) == [(7,)]


def test_views_spell_everything_out(server: Cluster, place: str) -> None:
    """A person reads `trials` and `counts` with psql."""
    with closing(PostgresStore(place)) as store:
        store.create(header())
        store.append("run-1", [row(0, 0), row(4, 0, Outcome.CRASH, exposed=True), row(4, 1)])
    name = place.rpartition("/")[2]

    trials = server.ask("SELECT run, task, condition, trial, outcome, exposed FROM passhat.trials ORDER BY 2, 4", name)
    counts = server.ask("SELECT task, condition, passed, crashed, exposed FROM passhat.counts WHERE passed > 0", name)
    answers = server.ask("SELECT body -> 'answer' ->> 'output' FROM passhat.trials", name)

    assert trials == [
        ("run-1", "größe", CONDITIONS[1], 0, "CRASH", True),
        ("run-1", "größe", CONDITIONS[1], 1, "PASS", False),
        ("run-1", "late-parcel", "clean", 0, "PASS", False),
    ]
    assert sorted(counts) == [("größe", CONDITIONS[1], 1, 1, 1), ("late-parcel", "clean", 1, 0, 0)]
    assert answers == [("done",)] * 3


def test_many_trials_are_read_in_order(store: PostgresStore) -> None:
    """More trials than are read at a time come by index and then by cell, none twice and none left out."""
    addresses = [(cell, index) for index in range(90) for cell in CELLS]
    store.append("run-1", [row(cell, index) for cell, index in reversed(addresses)])

    read = [(TASKS.index(next(t for t in TASKS if t.id == one.task_id)), one.index) for one in store.open().trials]

    assert read == [(cell // len(CONDITIONS), index) for cell, index in addresses]


@pytest.mark.parametrize("known", [False, True], ids=["just filled", "analysed"])
def test_trials_are_looked_up_by_their_address(
    known: bool,  # noqa: FBT001 - a parameter of the test
    server: Cluster,
    store: PostgresStore,
    place: str,
) -> None:
    """One trial, and the next page of them, are found in the primary key: nothing is scanned and nothing is sorted."""
    server.ask(
        "INSERT INTO passhat.trial SELECT 1, i, c, '', false, 0, 0, '{}'"
        " FROM generate_series(1, 5000) i, generate_series(0, 5) c",
        place.rpartition("/")[2],
    )
    if known:
        server.ask("ANALYZE", place.rpartition("/")[2])
    query, plans = "EXPLAIN (FORMAT json) SELECT * FROM passhat.trial WHERE run = 1 AND ", []
    for rest in ("idx = 5 AND cell = 1", "(idx, cell) > (5, 1) ORDER BY idx, cell LIMIT 200"):
        plans += store._read(query + rest)  # noqa: SLF001 - as the store itself asks

    said = [json.dumps(plan) for plan in plans]
    assert all('"Index Name": "trial_pkey"' in plan for plan in said)
    assert not any('"Sort"' in plan or '"Seq Scan"' in plan or "Bitmap" in plan for plan in said)


def _append(place: str, first: int, batches: int, said: multiprocessing.SimpleQueue[str]) -> None:
    """Another runner: it appends every second batch of a run, and then one that somebody else has stored."""
    with closing(PostgresStore(place, create=False, write=True)) as store:
        for batch in range(first, batches, 2):
            store.append("run-1", [row(cell, batch) for cell in CELLS])
        try:
            store.append("run-1", [row(0, first), row(0, batches + first)])
        except StoreFailed as error:
            said.put(str(error))


def test_two_processes_append_to_one_run_at_once(store: PostgresStore, place: str) -> None:
    """Every trial of both is there once, the counts agree, and what is there already is refused whole."""
    context = multiprocessing.get_context("spawn")
    said = context.SimpleQueue()
    children = [context.Process(target=_append, args=(place, first, 60, said)) for first in (0, 1)]

    for child in children:
        child.start()
    for child in children:
        child.join(LIMIT)

    refusals = [said.get() for _ in children]
    assert [child.exitcode for child in children] == [0, 0]
    assert whole(store) == ([(cell, index) for cell in CELLS for index in range(60)], 360)
    assert all(
        one.endswith(
            "holds already what is to be stored: somebody else goes on with the same run, so let that one end first"
        )
        for one in refusals
    )


def test_store_may_be_made_by_many_at_once(place: str) -> None:
    """Processes that make one store at the same moment all get it."""
    code = f"from passhat.stores import PostgresStore; PostgresStore({place!r}).close()"
    words = [sys.executable, "-c", code]
    children = [limited(subprocess.Popen(words, stderr=subprocess.PIPE)) for _ in range(4)]
    errors = [child.communicate()[1] for child in children]

    assert errors == [b""] * 4


def test_address_that_another_run_has_is_free(store: PostgresStore) -> None:
    """Addresses belong to a run: two runs have the same ones."""
    store.create(header("run-2"))
    for run in ("run-1", "run-2"):
        store.append(run, [row(0, 0)])

    assert (whole(store), whole(store, "run-2")) == (([(0, 0)], 1), ([(0, 0)], 1))


def test_run_that_is_deleted_while_it_is_made_says_so(store: PostgresStore, place: str) -> None:
    """Its writer gets one sentence, and the run that was made next is untouched; its reader gets one as well."""
    store.append("run-1", [row(0, 0)])
    reading = store.open().trials
    with closing(PostgresStore(place)) as other:
        other.delete("run-1")
        other.create(header("run-1"))

        with pytest.raises(
            StoreFailed, match=r"run run-1 was deleted from postgresql://.* while it was made"
        ) as caught:
            store.append("run-1", [row(0, 1)])
        with pytest.raises(StoreUnusable, match=r"was deleted from .* while it was read"):
            reading.counts()
        with pytest.raises(StoreUnusable, match=r"was deleted from .* while it was read"):
            list(reading)

        assert caught.value.lost
        assert whole(other) == ([], 0)


def test_deleting_keeps_what_others_need(server: Cluster, store: PostgresStore, place: str) -> None:
    """Tasks are kept once for all runs, and go with the last of them."""
    tasks = "SELECT count(*) FROM passhat.task"
    name = place.rpartition("/")[2]
    store.create(header("run-2"))
    store.delete("run-1")
    one_left = server.ask(tasks, name)
    store.delete("run-2")

    assert (one_left, server.ask(tasks, name)) == ([(2,)], [(0,)])


@pytest.mark.parametrize("mode", ["fast", "immediate"])
def test_server_that_comes_back_is_gone_on_with(mode: str, server: Cluster, place: str) -> None:
    """Between two batches the server is stopped and started: what was stored is there, and the next batch as well."""
    clock = Clock(server)
    with closing(PostgresStore(place, clock=clock, sleep=clock.sleep)) as store:
        store.create(header())
        store.append("run-1", [row(0, 0)])
        server.stop(mode)
        store.append("run-1", [row(0, 1)])

        assert whole(store) == ([(0, 0), (0, 1)], 2)
        assert clock.now == 0.1


class Stopping(list[TrialRow]):
    """Rows in the middle of which the server is stopped, the first time."""

    def __init__(self, rows: Sequence[TrialRow], server: Cluster) -> None:
        super().__init__(rows)
        self._server: Cluster | None = server

    def __iter__(self) -> Iterator[TrialRow]:
        """The rows; with the half of them the server goes."""
        for number, one in enumerate(super().__iter__()):
            if number == len(self) // 2 and self._server is not None:
                self._server.stop("immediate")
                self._server = None
            yield one


def test_server_that_goes_in_the_middle_of_a_batch(server: Cluster, place: str) -> None:
    """A batch that was half sent is stored whole and once."""
    clock = Clock(server)
    with closing(PostgresStore(place, clock=clock, sleep=clock.sleep)) as store:
        store.create(header(trials=500))
        rows = [row(cell, index) for index in range(500) for cell in CELLS]

        store.append("run-1", Stopping(rows, server))

        assert whole(store) == (sorted((one.cell, one.index) for one in rows), 3_000)


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("what", ["append", "create", "delete"])
def test_commit_without_an_answer_is_found_out(what: str, when: str, server: Cluster, place: str) -> None:
    """Whether the commit was carried out or not: what it was for is done once, and nobody is told a lie."""
    wire = Wire(server.port)
    with closing(wire), closing(PostgresStore(place.replace(f":{server.port}", f":{wire.port}"))) as store:
        store.create(header())
        store.append("run-1", [row(0, 0)])
        wire.cut(when)
        if what == "append":
            store.append("run-1", [row(0, 1), row(1, 1)])
        elif what == "create":
            store.create(header("run-2"))
        else:
            store.delete("run-1")

        assert wire.cuts == 1
        with closing(PostgresStore(place, create=False)) as plain:
            listed = [(one.id, one.stored) for one in plain.runs()]
    assert listed == {"append": [("run-1", 3)], "create": [("run-2", 0), ("run-1", 1)], "delete": []}[what]


def test_commit_of_somebody_else_is_not_taken_for_ours(server: Cluster, place: str) -> None:
    """After a cut, other trials at the same addresses are refused: they are not the ones that were to be stored."""
    wire = Wire(server.port)
    with (
        closing(wire),
        closing(PostgresStore(place.replace(f":{server.port}", f":{wire.port}"))) as store,
        closing(PostgresStore(place)) as other,
    ):
        store.create(header())
        wire.cut("before", meanwhile=lambda: other.append("run-1", [row(0, 1, text="another")]))

        with pytest.raises(StoreFailed, match="holds already what is to be stored"):
            store.append("run-1", [row(0, 1), row(1, 1)])

        assert whole(other) == ([(0, 1)], 1)


def test_server_that_stays_away_ends_the_waiting(server: Cluster, place: str) -> None:
    """A minute is waited for, by the clock that was handed in, and then one sentence says what happened."""
    clock = Clock()
    with closing(PostgresStore(place, clock=clock, sleep=clock.sleep)) as store:
        store.create(header())
        server.stop()

        with pytest.raises(StoreFailed) as caught:
            store.append("run-1", [row(0, 0)])

    assert str(caught.value) == (
        f"the store postgresql://{USER}@127.0.0.1:{server.port}/{place.rpartition('/')[2]} went away and did not come "
        "back within 60 seconds: nobody answers there: start the server, or name another"
    )
    assert 50 < clock.now <= 60


def test_reading_goes_on_after_the_server_was_away(server: Cluster, place: str) -> None:
    """Whoever is in the middle of many trials reads on behind the last one."""
    clock = Clock(server)
    with closing(PostgresStore(place, clock=clock, sleep=clock.sleep)) as store:
        store.create(header(trials=100))
        store.append("run-1", [row(cell, index) for index in range(100) for cell in CELLS])
        trials = iter(store.open().trials)
        first = [next(trials) for _ in range(10)]
        server.stop("immediate")

        rest = list(trials)

    assert [one.index for one in [*first, *rest]] == [index for index in range(100) for _ in CELLS]


def test_server_that_goes_in_the_middle_of_a_run(server: Cluster, place: str) -> None:
    """A run goes on by itself: every trial is stored once, and none is void."""
    clock, calls = Clock(server), iter(range(1_000))
    suite = Suite(name="tiny", tasks=[Task("greet", "Say hello.", expect="hello")], grader=graders.equals())

    def agent(_message: str) -> str:
        if next(calls) == 50:
            server.stop("immediate")
        return "hello"

    with closing(PostgresStore(place, clock=clock, sleep=clock.sleep)) as store:
        run = passhat.run(suite, agent, trials=300, store=store, concurrency=2)

        assert run.trials.counts().passed == (300,)
        assert len(list(run.trials)) == 300


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ((QUOTED, "wrong"), "cannot be opened: user or password are not right: they stand in the URL, in PGPASSWORD"),
        ((f"{USER}:", "nobody:"), "cannot be opened: user or password are not right"),
        (("/shelf_", "/no_shelf_"), "cannot be opened: there is no such database: make it with 'createdb'"),
        (("127.0.0.1", "no-such-host.invalid"), "cannot be opened: its host is not found"),
        (("127.0.0.1", "127.0.0.2"), "cannot be opened: nobody answers there: start the server, or name another"),
        (("/shelf_", "/x?sslmode=odd&y="), "is no URL of a PostgreSQL database: write it as postgresql://USER@HOST"),
        ((QUOTED, PASSWORD), "the store's URL has an @, : or / too many: write those of a user's name, a password"),
        ((QUOTED, "a:b"), "the store's URL has an @, : or / too many"),
    ],
)
@pytest.mark.parametrize("create", [True, False], ids=["to write", "to read"])
def test_store_that_is_not_reached_is_one_sentence(
    wrong: tuple[str, str],
    sentence: str,
    create: bool,  # noqa: FBT001 - a parameter of the test
    place: str,
) -> None:
    """Wrong password, user, host, database, URL: what it is and what to do, before anything runs, and no password."""
    bad = place.replace(*wrong)
    with pytest.raises(StoreUnusable) as caught:
        PostgresStore(bad, create=create)

    (said,) = caught.value.problems
    assert sentence in said
    assert "\n" not in said
    assert exit_code(caught.value) == 2
    assert [secret for secret in (QUOTED, PASSWORD, "correct", "wrong", "staple") if secret in said] == []


def test_password_stands_in_nothing_that_is_shown(store: PostgresStore, place: str) -> None:
    """Neither the store's own name nor any complaint of it holds the password."""
    said = [str(store._line.address), repr(store._line.address)]  # noqa: SLF001 - whatever might be shown of it
    for asked in (lambda: store.open("zzz"), lambda: store.create(header()), lambda: store.stored("zzz")):
        with pytest.raises((UsageError, StoreFailed)) as caught:
            asked()
        said.append(str(caught.value))

    assert all("postgresql://" in one for one in said)
    assert [one for one in said if "correct" in one or "staple" in one] == []


def test_database_without_a_store_is_not_read(place: str) -> None:
    """Reading makes no tables, and says how they are made."""
    with pytest.raises(StoreUnusable, match=r"there is no store in postgresql://.*/shelf_\d+ yet: 'passhat run' makes"):
        PostgresStore(place, create=False)


def test_newer_schema_is_refused(server: Cluster, place: str) -> None:
    """A store that a newer passhat made is refused, with what to do."""
    PostgresStore(place).close()
    server.ask("UPDATE passhat.schema_version SET version = 99", place.rpartition("/")[2])

    for create in (True, False):
        with pytest.raises(StoreUnusable, match=r"newer passhat \(its schema is 99, .*upgrade passhat"):
            PostgresStore(place, create=create)


def test_schema_of_another_program_is_left_alone(server: Cluster, place: str) -> None:
    """A schema with our name that is not ours is named as that."""
    server.ask("CREATE SCHEMA passhat; CREATE TABLE passhat.run (id integer)", place.rpartition("/")[2])

    with pytest.raises(StoreUnusable, match="a schema passhat of another program is there: name another database"):
        PostgresStore(place)

    assert server.ask("SELECT count(*) FROM passhat.run", place.rpartition("/")[2]) == [(0,)]


def test_database_that_cannot_hold_any_text_is_refused(server: Cluster) -> None:
    """A database in an old encoding would refuse trials in the middle of a run: it is refused before."""
    place = server.database("ENCODING 'LATIN1' TEMPLATE template0")

    with pytest.raises(StoreUnusable, match="is in LATIN1, and a trial may hold any text: make one with 'createdb -E"):
        PostgresStore(place)


def test_store_that_is_read_is_not_written(store: PostgresStore, place: str) -> None:
    """A store that was opened for reading refuses to write, in our words and in the server's own."""
    with closing(PostgresStore(place, create=False)) as reader:
        with pytest.raises(StoreUnusable, match="was opened for reading: open it with write=True"):
            reader.append("run-1", [row(0, 0)])
        with pytest.raises(StoreUnusable, match="it may only be read there"):
            reader._read("DELETE FROM passhat.run RETURNING id")  # noqa: SLF001 - past our own refusal

    assert whole(store) == ([], 0)


def test_user_who_may_only_read_is_told_before_the_run(server: Cluster, store: PostgresStore, place: str) -> None:
    """Whoever may not write gets one sentence where writing begins, and may still read."""
    name = place.rpartition("/")[2]
    user = f"reader_{name}"
    server.ask(
        f"CREATE ROLE {user} LOGIN PASSWORD 'p'; GRANT USAGE ON SCHEMA passhat TO {user};"
        f" GRANT SELECT ON ALL TABLES IN SCHEMA passhat TO {user}",
        name,
    )
    other = f"{user}:p@127.0.0.1:{server.port}/{name}"

    with pytest.raises(StoreUnusable, match="may not be written by this user: get the right, or name another"):
        PostgresStore(other, create=False, write=True)
    with closing(PostgresStore(other, create=False)) as reader:
        assert [one.id for one in reader.runs()] == ["run-1"]


def test_run_that_is_locked_is_not_waited_for_without_end(server: Cluster, store: PostgresStore, place: str) -> None:
    """A lock that nobody gives back ends in one sentence, nothing is lost, and the next try is free."""
    store._line.do(lambda db, _: db.execute("SET lock_timeout TO '50ms'"))  # noqa: SLF001 - 30 seconds otherwise
    with closing(PostgresStore(place, create=False, write=True)) as other:

        def hold(db: object, _again: object) -> None:
            db.execute("SELECT 1 FROM passhat.run FOR UPDATE")  # type: ignore[attr-defined]
            with pytest.raises(StoreFailed, match="somebody else has held it locked for 30 seconds"):
                store.append("run-1", [row(0, 0)])

        other._line.do(hold)  # noqa: SLF001 - as a runner that stands still in the middle
    store.append("run-1", [row(0, 0)])

    assert whole(store) == ([(0, 0)], 1)


def test_missing_driver_names_the_line_that_installs_it() -> None:
    """Without the extra there is one sentence with what to type; nothing else of passhat needs it."""
    code = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from passhat.errors import StoreUnusable\n"
        "from passhat import open_store\n"
        "try: open_store('postgresql://u:secret@h/d')\n"
        "except StoreUnusable as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LIMIT, check=True)

    assert done.stdout.startswith(
        "the store postgresql://h/d needs PostgreSQL's driver: install it with pip install 'passhat[postgres]'"
    )


def test_closed_store_stays_closed(store: PostgresStore) -> None:
    """What is asked of a store that was closed is one sentence, and no new connection."""
    store.close()

    with pytest.raises(StoreFailed, match="was closed"):
        store.append("run-1", [row(0, 0)])
