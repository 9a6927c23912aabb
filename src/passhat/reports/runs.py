"""The list of runs for a screen: which there are, of what, and how far they got."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from passhat.model.run import Listing
from passhat.reports._escape import for_terminal
from passhat.reports._figures import utc
from passhat.reports._screen import NARROWEST, Line, Span, cells, columns, fit, paint

_HEADS = ("run", "when (UTC)", "suite", "agent", "stored")
_WHEN = 16
_GAPS = 2 * len(_HEADS)


def runs_text(listings: Sequence[Listing], *, width: int = 100, colour: bool = False) -> str:
    """A table of *listings* in their order: id, when, suite, agent, and stored of planned trials."""
    if not listings:
        return "no runs are stored\n"
    return paint(_table(listings, max(NARROWEST, width)), colour=colour)


def _table(listings: Sequence[Listing], width: int) -> Iterator[Line]:
    ids = [for_terminal(one.id) for one in listings]
    stored = [f"{one.stored:,}/{one.planned:,}" for one in listings]
    widest, counts = max(map(cells, ids)), max(6, *map(len, stored))
    run = min(max(3, widest), width // 4)
    room = width - _GAPS - run - _WHEN - counts
    suite = min(max(5, *(cells(for_terminal(one.suite)) for one in listings)), room // 2)
    agent = min(max(5, *(cells(for_terminal(one.agent)) for one in listings)), room - suite)
    widths = (run, _WHEN, suite, agent, -counts)
    yield from columns([[(head, "dim")] for head in _HEADS], widths)
    for one, shown, count in zip(listings, ids, stored, strict=True):
        names = (fit(shown, run), utc(one.started_at), fit(for_terminal(one.suite), suite))
        row = [*names, fit(for_terminal(one.agent), agent)]
        style = "" if one.stored == one.planned else "yellow"
        spans: list[list[Span]] = [[(text, ""), ("", "")] for text in row]
        yield from columns([*spans, [(count, style), ("", "")]], widths)
