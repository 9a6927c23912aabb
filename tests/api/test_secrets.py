"""Secrets of the environment never reach the store, whatever they look like and wherever a text was cut."""

from __future__ import annotations

from pathlib import Path

import pytest

import passhat
from passhat import Suite, Task, graders


class Sealed:
    """An object that shows what is in it."""

    def __init__(self, within: str) -> None:
        """Hold *within*."""
        self._within = within

    def __repr__(self) -> str:
        return f"Sealed({self._within!r}, 'it is', \"isn't it\")"


def stored(secret: str, folder: Path) -> bytes:
    """Every byte that is stored of a run whose agent says *secret* in all the ways there are."""

    def agent(message: str) -> object:
        print("y" * 9_980 + secret)  # noqa: T201 - what is printed is stored
        if message == "raise":
            raise ValueError("z" * 980 + secret)
        if message == "object":
            return [Sealed(secret)]
        return {"cut": "z" * 180 + secret}.get(message, f"it is {secret}")

    tasks = [Task(name, name, expect=f"w{'x' * 180}") for name in ("cut", "whole", "raise", "object")]
    for grader in (graders.equals(), graders.contains()):
        store = passhat.open_store(folder / "runs.db", create=True)
        passhat.run(Suite(tasks=tasks, grader=grader), agent, trials=1, capture=True, store=store)
        store.close()
    return b"".join(each.read_bytes() for each in folder.iterdir())


@pytest.mark.parametrize(
    "secret",
    [
        "plainkey-0123456789-ABCDEFGHIJKLMNOPQRSTUVWXYZ-and-on",
        "back\\slash-0123456789-ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "both'quotes\"0123456789-ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "größer-0123456789-ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "/abs/pathkey123-ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "/" + "0123456789abcdef" * 40,
        "~nobody-at-all/0123456789-ABCDEFGH",
    ],
)
def test_no_piece_of_a_secret_is_stored(secret: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a whole key nor eight characters of one are in the file."""
    monkeypatch.setenv("MY_API_KEY", secret)

    everything = stored(secret, tmp_path)

    assert b"[redacted]" in everything
    assert [at for at in range(len(secret) - 7) if secret[at : at + 8].encode() in everything] == []


def test_path_of_a_key_is_no_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable that names a file which is there holds no key."""
    key = tmp_path / "the-key.pem"
    key.touch()
    monkeypatch.setenv("MY_API_KEY", str(key))
    (tmp_path / "store").mkdir()

    assert str(key).encode() in stored(str(key), tmp_path / "store")
