"""What fills the cells of the tables on a screen: names, strips, numbers with their marks, differences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from passhat.model.summary import Estimate
from passhat.reports._escape import for_terminal
from passhat.reports._figures import Notes, interval, points
from passhat.reports._screen import CUT, Line, Span, cells, prose
from passhat.reports._view import Line as TaskLine
from passhat.reports._words import bare, dosed, short_names

STYLES = {"P": "green", "F": "red", "E": "magenta", "T": "yellow", "V": "dim"}
EMPTY: Line = ()
_LONGEST_NAME = 200


def cell(text: str, style: str = "") -> list[Span]:
    """A cell that is not wrapped."""
    return [(text, style), ("", "")]


def shown_name(text: str) -> str:
    """A foreign name as a terminal may show it."""
    return for_terminal(text, longest=_LONGEST_NAME)


def titles(conditions: Sequence[str], room: int) -> list[str]:
    """Each condition's name in the longest of its forms that fits, where that tells them apart; else to be wrapped."""
    forms = (str, dosed, bare)
    for fewer in range(len(forms)):
        found = [_title(one, forms[fewer:], room) for one in conditions]
        if len(set(found)) == len(found):
            return found
    return [shown_name(one) for one in (short_names(conditions)[one] for one in conditions)]


def _title(condition: str, forms: Sequence[Callable[[str], str]], room: int) -> str:
    names = [shown_name(form(condition)) for form in forms]
    return next((name for name in names if cells(name) <= room), names[-1])


def strip_of(line: TaskLine, room: int) -> list[Span]:
    """The letters in their colours, equal neighbours in one span; a … stands for those that are missing."""
    letters = _letters(line.strip)
    if len(letters) > room or line.cut:
        letters = letters[: room - 1] + CUT
    spans: list[Span] = [("", "")]
    for letter in letters:
        style = STYLES.get(letter, "dim")
        text, last = spans[-1]
        spans[-1:] = [(text + letter, style)] if style == last else [(text, last), (letter, style)]
    return [("", ""), *spans]


def strip_width(line: TaskLine) -> int:
    """How many columns the whole strip takes."""
    return len(line.strip) + line.cut


def passed_of(line: TaskLine) -> str:
    """The trials that passed, of those that count."""
    return f"{line.counts.passed}/{line.counts.counting}"


def noted(estimate: Estimate | None, notes: Notes, style: str = "") -> list[Span]:
    """An estimate with its interval, or the mark of the reason."""
    return cell(interval(estimate, notes), style)


def difference(estimate: Estimate | None, base: Estimate | None) -> list[Span]:
    """The points between two estimates, where there are both."""
    if estimate is None or base is None or estimate.value is None or base.value is None:
        return []
    text = points(estimate.value - base.value)
    return [(f" {text:>3}", {"−": "red", "+": "green"}.get(text[0], "dim"))]


def reasons(notes: Notes, width: int) -> Iterator[Line]:
    """Every mark of the cells with its reason, a line each."""
    for mark, reason in notes.lines():
        yield from prose(for_terminal(reason), width, label=(f"  {mark} ", "dim"), style="dim")


def _letters(strip: str) -> str:
    """A strip holds its five letters; whatever else a foreign summary holds shows as a question mark."""
    return "".join(letter if letter in STYLES else "?" for letter in strip)
