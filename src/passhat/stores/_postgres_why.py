"""What PostgreSQL and its client library complain of, in words that help; a password is in none of them.

A server has codes for its complaints. Whoever is not let in gets no code from the client library, but a text.
"""

from __future__ import annotations

from collections.abc import Sequence

# What stands in the text, what is said, and whether waiting cannot help.
_REFUSED: Sequence[tuple[tuple[str, ...], str, bool]] = (
    (
        ("password authentication failed", "no password supplied", "authentication failed", "SASL", "SCRAM"),
        "user or password are not right: they stand in the URL, in PGPASSWORD or in ~/.pgpass",
        True,
    ),
    (("role ",), "there is no such user: the URL names one, as in postgresql://USER@HOST/DATABASE", True),
    (("database ",), "there is no such database: make it with 'createdb', or name another", True),
    (("pg_hba.conf",), "its server lets nobody in from here: its pg_hba.conf says who may", True),
    (("could not translate host", "failed to resolve host", "Name or service"), "its host is not found", False),
    (
        ("Connection refused", "No such file or directory"),
        "nobody answers there: start the server, or name another",
        False,
    ),
    (("timeout expired", "timed out", "timeout"), "it gives no answer in time", False),
    (("starting up", "shutting down", "recovery mode"), "its server is just starting or stopping", False),
    (("too many clients", "remaining connection slots"), "its server takes no more connections", False),
    (("server closed the connection",), "its server closed the connection", False),
)
_DOES_NOT_EXIST = "does not exist"
_CODES = {
    "53100": "its disk is full: make room, and go on",
    "53200": "its server has no memory left",
    "55P03": "somebody else has held it locked for 30 seconds: let that one end first",
    "57014": "its server has stopped the statement, which took too long",
    "42501": "its user may not do this there: get the right to write to its schema passhat, or name another user",
    "25006": "it may only be read there: name a server that may be written",
    "42P01": "tables of its are gone: somebody has deleted them",
    "3F000": "its schema passhat is gone: somebody has deleted it",
    "42P07": "a schema passhat of another program is there: name another database",
}


def why(error: Exception) -> str:
    """What the server or the client library says, in words that help."""
    code = getattr(error, "sqlstate", None)
    if code in _CODES:
        return _CODES[code]
    text = str(error)
    if code is None:
        for marks, words, _ in _REFUSED:
            if _says(text, marks):
                return words
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__


def is_lasting(error: Exception) -> bool:
    """True where whoever is not let in now will not be let in a moment later."""
    text = str(error)
    return next((lasting for marks, _, lasting in _REFUSED if _says(text, marks)), False)


def _says(text: str, marks: Sequence[str]) -> bool:
    """True where one of *marks* stands in *text*; of a thing that there isn't, its kind is the mark."""
    if marks[0].endswith(" "):
        return f"FATAL:  {marks[0]}" in text and _DOES_NOT_EXIST in text
    return any(mark in text for mark in marks)
