"""A store that cannot be used: one sentence, exit code 2, and the file is as it was."""

import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from passhat.stores._sqlite_schema import RUN_BITS
from tests.children import LIMIT
from tests.cli.said import Passhat, Said

RUN = ("run", "suite.py", "--agent", "suite.py", "-n", "1")
WRITING = [RUN, ("demo",), ("import", "jsonl", "log.jsonl")]
READING = [("report",), ("runs",), ("show", "a"), ("rm", "latest"), (*RUN, "--resume", "latest")]
DROP_RIGHTS = """
import ctypes, os, sys
if os.geteuid() == 0:  # root may write anywhere unless this right is taken from what it starts
    libc = ctypes.CDLL(None)
    libc.prctl(24, 1, 0, 0, 0), libc.prctl(24, 2, 0, 0, 0)
os.execv(sys.executable, [sys.executable, "-m", "passhat", *sys.argv[1:]])
"""


@pytest.fixture(autouse=True)
def log(folder: Path) -> None:
    """A log that could be imported."""
    (folder / "log.jsonl").write_text('{"task": "t", "passed": true}\n')


def without_rights(*words: str) -> Said:
    """The command line, used by somebody whom the file system's rights bind."""
    done = subprocess.run(
        [sys.executable, "-c", DROP_RIGHTS, *words], capture_output=True, text=True, timeout=LIMIT, check=False
    )
    return Said(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize("words", [*WRITING, *READING], ids=" ".join)
def test_file_that_is_no_database(words: tuple[str, ...], folder: Path, passhat: Passhat) -> None:
    """A text file is refused, and keeps its text."""
    (folder / "notes.txt").write_text("my notes\n" * 100)

    assert passhat(*words, "--store", "notes.txt").refused("the store notes.txt cannot be opened: it is not a database")
    assert (folder / "notes.txt").read_text() == "my notes\n" * 100


@pytest.mark.parametrize("words", [*WRITING, *READING], ids=" ".join)
def test_database_of_another_program(words: tuple[str, ...], folder: Path, passhat: Passhat) -> None:
    """Another program's database is refused, and not one table is added to it."""
    db = sqlite3.connect(folder / "other.db")
    db.execute("CREATE TABLE run (id)")
    db.close()
    before = (folder / "other.db").read_bytes()

    assert passhat(*words, "--store", "other.db").refused("other.db is a database of another program")
    assert (folder / "other.db").read_bytes() == before


@pytest.mark.parametrize("words", [*WRITING, *READING], ids=" ".join)
def test_store_of_a_newer_schema(words: tuple[str, ...], folder: Path, passhat: Passhat) -> None:
    """A newer passhat's store is refused with what to do, and nothing of it is lost."""
    passhat(*RUN)
    db = sqlite3.connect(folder / "passhat.db")
    db.execute("PRAGMA user_version = 99")

    said = passhat(*words)

    assert said.refused("the store passhat.db was made by a newer passhat (its schema is 99")
    assert re.search(r"upgrade passhat, or name another file with '--store PATH'$", said.err)
    assert db.execute("SELECT count(*) FROM trial").fetchone() == (2,)
    db.close()


@pytest.mark.parametrize(
    ("store", "says"),
    [
        (".", "the store . cannot be opened: it is a folder"),
        ("no/passhat.db", "the store no/passhat.db cannot be opened: its folder does not exist"),
        ("suite.py/passhat.db", "the store suite.py/passhat.db cannot be opened: its folder is a file"),
        ("/dev/null", "the store /dev/null cannot be opened: it is not a file"),
        ("", "store: a path names its file, and this one is empty"),
    ],
)
@pytest.mark.parametrize("words", WRITING, ids=" ".join)
def test_path_that_cannot_be_a_store(store: str, says: str, words: tuple[str, ...], passhat: Passhat) -> None:
    """What writes says why there can be no store."""
    assert passhat(*words, "--store", store).refused(says)


@pytest.mark.parametrize(
    ("store", "says"),
    [
        ("no.db", "there is no store at no.db: 'passhat run' makes one, '--store PATH' names another"),
        ("no/passhat.db", "there is no store at no/passhat.db"),
        ("suite.py/passhat.db", "there is no store at suite.py/passhat.db"),
        (".", "the store . cannot be opened: it is a folder"),
        ("/dev/null", "the store /dev/null cannot be opened: it is not a file"),
        ("empty.db", "empty.db is empty: 'passhat run' fills it"),
        ("", "store: a path names its file, and this one is empty"),
    ],
)
@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_nothing_to_read(store: str, says: str, words: tuple[str, ...], folder: Path, passhat: Passhat) -> None:
    """What reads makes no store, and says what would."""
    (folder / "empty.db").touch()

    assert passhat(*words, "--store", store).refused(says)
    assert not (folder / "no.db").exists()
    assert (folder / "empty.db").read_bytes() == b""


def test_empty_file_may_become_a_store(folder: Path, passhat: Passhat) -> None:
    """An empty file, as `mktemp` makes one, is nobody's: `run` makes a store of it."""
    (folder / "empty.db").touch()

    assert passhat(*RUN, "--store", "empty.db").code == 0
    assert passhat("report", "--store", "empty.db", "-q").code == 0


@pytest.mark.parametrize("words", [RUN, ("demo",)], ids=" ".join)
def test_folder_that_may_not_be_written(words: tuple[str, ...], folder: Path) -> None:
    """A store that can't be made in a read-only folder is one sentence."""
    (folder / "locked").mkdir(mode=0o555)

    said = without_rights(*words, "--store", "locked/passhat.db")

    assert said.refused("the store locked/passhat.db cannot be opened: it may not be written here")
    assert list((folder / "locked").iterdir()) == []


def test_store_that_may_only_be_read(folder: Path, passhat: Passhat) -> None:
    """A store in a read-only folder can be reported; what would write is refused, and nothing is lost."""
    (folder / "locked").mkdir()
    passhat(*RUN, "--store", "locked/passhat.db")
    (folder / "locked" / "passhat.db").chmod(0o444)
    (folder / "locked").chmod(0o555)
    before = (folder / "locked" / "passhat.db").read_bytes()

    reported = without_rights("report", "--store", "locked/passhat.db", "-q")
    written = [
        without_rights(*words, "--store", "locked/passhat.db")
        for words in (RUN, ("rm", "latest"), (*RUN, "--resume", "latest"))
    ]

    assert (reported.code, reported.err) == (0, "")
    assert all(said.refused("may not be written here") for said in written)
    assert (folder / "locked" / "passhat.db").read_bytes() == before


def test_store_that_fails_in_the_middle(folder: Path, passhat: Passhat) -> None:
    """A store that breaks during a run ends it with 4, and what was stored before is safe."""
    (folder / "breaks.py").write_text(
        "import sqlite3\n"
        "def agent(message):\n"
        "    db = sqlite3.connect('passhat.db')\n"
        "    db.execute('ALTER TABLE trial RENAME TO gone')\n"
        "    db.close()\n"
        "    return 'a'\n"
    )
    passhat(*RUN)

    said = passhat("run", "suite.py", "--agent", "breaks.py", "-n", "1", "--concurrency", "1", "-q")

    assert said.code == 4
    assert re.fullmatch(
        r"passhat: the store passhat.db failed: .*; what run (\w+) had stored is safe\n"
        r"go on with: passhat run suite.py --agent breaks.py .* --resume \1\n",
        said.err,
    )
    db = sqlite3.connect(folder / "passhat.db")
    assert db.execute("SELECT count(*) FROM gone").fetchone() == (2,)
    db.close()


@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_damaged_store_is_no_bug(words: tuple[str, ...], folder: Path, passhat: Passhat) -> None:
    """A store whose bytes were spoiled is the user's to mend, and the sentence says how."""
    passhat(*RUN)
    db = sqlite3.connect(folder / "passhat.db")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    with (folder / "passhat.db").open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * ((folder / "passhat.db").stat().st_size - 4096))

    assert passhat(*words).refused("the store passhat.db cannot be read: it is damaged; take a copy from before")


def test_run_that_is_deleted_while_it_is_made(folder: Path, passhat: Passhat) -> None:
    """`rm` of a run that is still being made ends that run with one sentence, and the next run is whole."""
    (folder / "deletes.py").write_text(
        "from passhat.stores import SqliteStore\n"
        "def agent(message):\n"
        "    store = SqliteStore('passhat.db')\n"
        "    for run in store.runs():\n"
        "        store.delete(run.id)\n"
        "    store.close()\n"
        "    return 'a'\n"
    )

    said = passhat("run", "suite.py", "--agent", "deletes.py", "-n", "1", "--concurrency", "1", "-q")

    assert said.code == 4
    (sentence,) = said.problems
    assert re.fullmatch(r"run \w{8} was deleted from passhat.db while it was made: run it again", sentence)
    assert passhat(*RUN).code == 0
    assert "of 2 trials" in passhat("report", "-q").out


def test_bug_has_its_own_code(passhat: Passhat, capsys: pytest.CaptureFixture[str]) -> None:
    """What nobody foresaw ends with 4 and one line that says it is ours."""
    said = passhat(*RUN, "--store", "no\0shell can type this")

    (sentence,) = said.problems
    assert said.code == 4
    assert sentence.startswith("this is a bug in passhat: ValueError: embedded null byte")
    assert "PASSHAT_TRACEBACK=1" in sentence


def test_bug_shows_where(passhat: Passhat, monkeypatch: pytest.MonkeyPatch) -> None:
    """With PASSHAT_TRACEBACK a bug shows its traceback, and ends with the same code."""
    monkeypatch.setenv("PASSHAT_TRACEBACK", "1")

    said = passhat(*RUN, "--store", "no\0shell can type this")

    assert said.code == 4
    assert "Traceback" in said.err


TWICE = """
import sqlite3
from contextlib import closing

from passhat import Suite, Task, graders

suite = Suite(tasks=[Task(f"t{i}", "say hello", expect="hello") for i in range(2)], grader=graders.equals())


def agent(message):
    with closing(sqlite3.connect("passhat.db")) as db:  # what another --resume of the same run would have stored
        if db.execute("SELECT * FROM trial").fetchone():
            return "hello"
        (run,), cells = db.execute("SELECT id FROM run").fetchone(), db.execute("SELECT id FROM cell").fetchall()
        for place, (cell,) in enumerate(cells):
            db.execute("INSERT INTO trial VALUES (?, ?, 0, 'PASS', 0, 0, 0, '{}')", ((run << BITS) + place, cell))
        db.commit()
    return "hello"
"""


def test_two_who_go_on_with_one_run(folder: Path, passhat: Passhat) -> None:
    """Where somebody else has stored the same trials, one sentence says so, which run it was, and how to go on."""
    (folder / "twice.py").write_text(TWICE.replace("BITS", str(RUN_BITS)))

    said = passhat("run", "twice.py", "--agent", "twice.py", "-n", "1", "-q")

    assert (said.code, said.out) == (4, "")
    assert re.fullmatch(
        r"passhat: run (\w+) in passhat.db holds already what is to be stored: "
        r"somebody else goes on with the same run, so let that one end first; what run \1 had stored is safe\n"
        r"go on with: passhat run twice.py --agent twice.py -n 1 -q --resume \1\n",
        said.err,
    )
