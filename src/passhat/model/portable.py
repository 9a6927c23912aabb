"""A run as a file of its own: what its writer and its reader have to agree on. JSON, one document a line.

    {"schema":"1.0","kind":"header","value":{"id":"0badcafe","suite":"shop", …}}      the header, tasks and all
    {"task_id":"refund", …,"condition":"clean","index":0,"outcome":"PASS", …}         a trial a line
    {"schema":"1.0","kind":"end","trials":240,"digest":"…"}                           how many, and their digest

Trials stand by index and then by cell, the fields of a record always in one order, so that two files are compared line
by line. A trial that was asked what its task asks holds no input. The digest is that of all lines before the last:
a file that was cut or changed on its way is known by it. Later versions may add fields, which earlier ones skip.
"""

from __future__ import annotations

from hashlib import blake2b

from passhat.model.base import Noun

HEADER, END = "header", "end"


class End(Noun):
    """The last line: how many trials there are, and the digest of every line before this one."""

    schema: str
    kind: str
    trials: int
    digest: str


class Checksum:
    """The digest of lines, one after the other."""

    __slots__ = ("_hash",)

    def __init__(self) -> None:
        """Of no line yet."""
        self._hash = blake2b(digest_size=10)

    def add(self, line: str) -> None:
        """Take in a line, which is given without its end."""
        self._hash.update(line.encode("utf-8", "surrogatepass"))
        self._hash.update(b"\n")

    def __str__(self) -> str:
        """Twenty hexadecimal digits."""
        return self._hash.hexdigest()
