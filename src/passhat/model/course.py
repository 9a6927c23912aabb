"""The course of a trial beside that of its clean trial: which calls were made once more, and where the two part.

An agent may ask the same thing twice because it always does, or because the first answer was no good. Only the clean
trial tells one from the other. Nothing here knows a fault: a call went well, or it did not.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import SequenceMatcher

from passhat.model.base import Noun
from passhat.model.ledger import Entry, Told

_ANSWERED = frozenset({Told.REPLY, Told.CHANGED})
Rows = list[list[int]]


class Made(Noun, kw_only=True):
    """A call of a course: what it asked for, if that is a write and was done, if it was answered, and if truly."""

    operation: str
    write: bool
    done: bool
    ok: bool
    true: bool


def course_of(entries: Sequence[Entry]) -> list[Made]:
    """The calls of a ledger as a course."""
    return [
        Made(
            operation=one.operation,
            write=one.write,
            done=one.effects > 0,
            ok=one.told in _ANSWERED,
            true=one.told is Told.REPLY,
        )
        for one in entries
    ]


class Course:
    """The calls of one trial, to be held against those of its clean trial."""

    def __init__(self, made: Sequence[Made], usual: Sequence[Made], *, same_answer: bool) -> None:
        """*made* beside *usual*; *same_answer* says that both trials ended with the same answer."""
        self._made, self._usual, self._same_answer = made, usual, same_answer
        self._known_rows: dict[str, tuple[Rows, Rows]] = {}
        self._known_partings: list[int] | None = None
        self._known_looks: dict[str, bool] = {}

    def repeats(self, place: int) -> range:
        """The places of the calls among which the one at *place* may have been made once more, and not as usual.

        A row is all calls of one operation before the agent goes on to another one. A call in it that went well makes
        up for errors before it; and for wrong replies, of which the agent need not have known, where the row is
        longer than in the clean trial. Where the agent has gone on, it comes back to an operation only if the clean
        trial never does.
        """
        rows, usual = self._rows(self._made[place].operation)
        nth = next(at for at, row in enumerate(rows) if place in row)
        row, struck = rows[nth], self._made[place]
        if place not in self._mended(row, struck):
            more = sum(map(len, rows)) > sum(map(len, usual))
            return range(row[-1] + 1, len(self._made)) if more and len(usual) <= 1 else range(0)
        longer = not struck.ok or len(row) > _due(nth, usual)
        return range(place + 1, row[-1] + 1) if longer and not self._goes_astray(row, place) else range(0)

    def asked_again(self, place: int) -> bool:
        """True where the call was made once more in its row, whatever came of it, and not as usual."""
        rows, usual = self._rows(self._made[place].operation)
        nth = next(at for at, row in enumerate(rows) if place in row)
        more = len(rows[nth]) > _due(nth, usual) and place < rows[nth][-1]
        return more and not self._goes_astray(rows[nth], place)

    def knows(self, operation: str) -> bool:
        """True where the clean trial makes this call too."""
        return any(one.operation == operation for one in self._usual)

    def looked_more(self, operation: str) -> bool:
        """True where the agent asked this more often than in the clean trial, and not only because it went wrong."""
        if operation not in self._known_looks:
            rows, usual = self._rows(operation)
            again = sum(
                min(len(self._mended(row, self._made[row[0]])), max(0, len(row) - _due(nth, usual)))
                for nth, row in enumerate(rows)
            )
            self._known_looks[operation] = sum(map(len, rows)) - again > sum(map(len, usual))
        return self._known_looks[operation]

    def parts_after(self, place: int) -> bool:
        """True where the agent went on otherwise than in the clean trial: another call, one less, another answer."""
        return not self._same_answer or any(at > place for at in self._partings())

    def _mended(self, row: Sequence[int], struck: Made) -> list[int]:
        """The calls of a row that went as wrong as *struck*, before one that went well."""
        bad = [at for at in row if not (self._made[at].true if struck.ok else self._made[at].ok)]
        good = [at for at in row if at not in set(bad)]
        return [at for at in bad if good and at < good[-1]]

    def _goes_astray(self, row: Sequence[int], place: int) -> bool:
        """Having heard the truth, the agent does at once what it would not have done had it believed it."""
        struck, end = self._made[place], row[-1]
        heard = next((at for at in row if at > place and self._made[at].true), None)
        if heard != end or not struck.ok or struck.write:
            return False
        return end + 1 < len(self._made) and end + 1 in self._partings()

    def _rows(self, operation: str) -> tuple[Rows, Rows]:
        """The places of *operation*, row by row: in this trial, and in the clean one."""
        if operation not in self._known_rows:
            known = {one.operation for one in self._usual}
            found = _rows(self._made, operation, known), _rows(self._usual, operation, known)
            self._known_rows[operation] = found
        return self._known_rows[operation]

    def _partings(self) -> list[int]:
        """The places of the calls with which the two courses part; one that is missing parts them at the next."""
        if self._known_partings is None:
            usual, made = ([one.operation for one in course] for course in (self._usual, self._made))
            found: list[int] = []
            for tag, _, _, begin, end in SequenceMatcher(None, usual, made, autojunk=False).get_opcodes():
                other = [at for at in range(begin, end) if not self._is_again(at)] if tag != "equal" else []
                found.extend(other or ([end] if tag in {"delete", "replace"} else []))
            self._known_partings = found
        return self._known_partings

    def _is_again(self, place: int) -> bool:
        """The call looks at what the agent usually looks at; or it is one of two because one of them went wrong.

        A write that is made again after a wrong look is another step, for the look misled the agent; and so is one
        that had been done, after a look that showed it.
        """
        one = self._made[place]
        known = self.knows(one.operation)
        if not one.write:
            return known
        alike = [at for at, other in enumerate(self._made) if other.operation == one.operation]
        if place == alike[0]:
            return known and len(alike) > 1 and not one.true
        at = alike[alike.index(place) - 1]
        earlier = self._made[at]
        return not earlier.true and (at == place - 1 or (self._made[place - 1].true and not earlier.done))


def _due(nth: int, usual: Rows) -> int:
    """How long the row would be in the clean trial."""
    return len(usual[nth]) if nth < len(usual) else 0


def _rows(course: Sequence[Made], operation: str, known: Collection[str]) -> Rows:
    """The places of *operation*; a write, or a call that is known from the clean trial, begins a new row."""
    rows: Rows = [[]]
    for at, one in enumerate(course):
        if one.operation == operation:
            rows[-1].append(at)
        elif rows[-1] and (one.write or one.operation in known):
            rows.append([])
    return rows if rows[-1] else rows[:-1]
