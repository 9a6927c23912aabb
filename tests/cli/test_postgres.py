"""The command line with a PostgreSQL store: it is used like a file, refused in one sentence, and shows no password."""

from __future__ import annotations

from pathlib import Path

import pytest

from passhat.cli import output
from tests.cli.said import Passhat
from tests.postgres import QUOTED, cluster

RUN = ("run", "suite.py", "--agent", "suite.py", "-n", "3")
SECRETS = (QUOTED, "correct", "staple", "hunter2")


@pytest.fixture
def store() -> str:
    """The URL of an empty database."""
    return f"postgresql://{cluster().database()}"


def shows_no_password(*texts: str) -> bool:
    """True where no piece of a password stands in *texts*."""
    return not [secret for secret in SECRETS for text in texts if secret in text]


def test_commands_take_a_url(store: str, folder: Path, passhat: Passhat) -> None:
    """A run is made, listed, reported, exported to a file, imported from there and deleted, and no file is left."""
    made = passhat(*RUN, "--store", store)
    (folder / "run.jsonl").write_text(passhat("export", "--format", "passhat", "--store", store).out)
    reports = [passhat("report", "--store", store).out]
    run = passhat("runs", "--store", store, "-q").out.strip()
    removed = passhat("rm", "latest", "--store", store)
    imported = passhat("import", "passhat", "run.jsonl", "--store", store)
    reports.append(passhat("report", "--store", store).out)

    assert [said.code for said in (made, removed, imported)] == [0, 0, 0]
    assert f"deleted run {run} (letters, suite.agent) from postgresql://passhat:[redacted]@127.0.0.1" in removed.out
    assert f"run {run}: 6 trials of 2 tasks in postgresql://passhat:[redacted]@127.0.0.1" in imported.out
    assert shows_no_password(*(text for said in (made, removed, imported) for text in (said.out, said.err)))
    assert reports[0] == reports[1]
    assert not list(folder.glob("*.db"))


def test_imported_file_is_the_same_from_every_store(store: str, folder: Path, passhat: Passhat) -> None:
    """A run that moves from SQLite to PostgreSQL and back is the same bytes."""
    passhat(*RUN)
    (folder / "run.jsonl").write_text(passhat("export", "--format", "passhat").out)

    passhat("import", "passhat", "run.jsonl", "--store", store)
    (folder / "again.jsonl").write_text(passhat("export", "--format", "passhat", "--store", store).out)
    passhat("import", "passhat", "again.jsonl", "--store", "other.db")

    assert (folder / "again.jsonl").read_bytes() == (folder / "run.jsonl").read_bytes()
    assert passhat("export", "--format", "passhat", "--store", "other.db").out == (folder / "run.jsonl").read_text()


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ((QUOTED, "hunter2"), "cannot be opened: user or password are not right"),
        (("/shelf_", "/no_shelf_"), "cannot be opened: there is no such database"),
        (("127.0.0.1", "no-such-host.invalid"), "cannot be opened: its host is not found"),
    ],
)
@pytest.mark.parametrize("words", [RUN, ("report",), ("rm", "latest")], ids=" ".join)
def test_store_that_is_not_reached_is_refused_before_the_first_trial(
    words: tuple[str, ...], wrong: tuple[str, str], sentence: str, store: str, folder: Path, passhat: Passhat
) -> None:
    """One sentence, exit code 2, and the agent is never asked."""
    (folder / "suite.py").write_text(
        (folder / "suite.py").read_text().replace("return message[-1]", "open('asked', 'w').close()")
    )

    said = passhat(*words, "--store", store.replace(*wrong))

    assert said.refused(sentence)
    assert shows_no_password(said.err)
    assert not (folder / "asked").exists()


def test_line_that_goes_on_holds_no_password(store: str, folder: Path, passhat: Passhat) -> None:
    """Where the store is lost in the middle, what to type next is shown without the password."""
    (folder / "drops.py").write_text(
        "import passhat\n"
        f"def agent(message):\n    store = passhat.open_store({store!r}, write=True)\n"
        "    store._line.do(lambda db, _: db.execute('ALTER TABLE passhat.trial RENAME TO gone'))\n"
        "    store.close()\n    return 'a'\n"
    )

    said = passhat("run", "suite.py", "--agent", "drops.py", "-n", "1", "--concurrency", "1", "-q", "--store", store)

    assert said.code == 4
    assert "failed: tables of its are gone: somebody has deleted them; what run" in said.err
    assert "go on with: passhat run suite.py" in said.err
    assert "--store 'postgresql://passhat:[redacted]@127.0.0.1" in said.err
    assert shows_no_password(said.err)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("passhat.db", "passhat.db"),
        ("postgresql://h/d", "postgresql://h/d"),
        ("postgresql://u@h:5432/d", "postgresql://u@h:5432/d"),
        ("postgresql://u:hunter2@h/d", "postgresql://u:[redacted]@h/d"),
        ("postgres://u:hun@ter2@h/d", "postgres://u:[redacted]@h/d"),
        ("--store=postgresql://u:hunter2@h/d", "--store=postgresql://u:[redacted]@h/d"),
        ("postgresql://h/d?password=hunter2&user=u", "postgresql://h/d?password=[redacted]&user=u"),
        ("other://:hunter2@h", "other://:[redacted]@h"),
    ],
)
def test_password_is_taken_out_of_what_was_typed(typed: str, shown: str) -> None:
    """Whatever was typed for a store is shown without the password, also where the URL is not a sound one."""
    assert output.without_password(typed) == shown
