"""What a search for the smallest set of faults came to: for a screen, in a line, as JSON. What it claims, it proves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from passhat.model.minimal import Decision, Minimal, Suspect, Tried
from passhat.model.trial import Trial
from passhat.reports._calls import one_line
from passhat.reports._cells import cell
from passhat.reports._figures import counted, number, percent
from passhat.reports._screen import NARROWEST, Line, cells, columns, paint, prose, squeeze
from passhat.reports.trial import OUTCOMES

_HEADING = "bold cyan"
_NOTHING = "none"
_WIDEST_SET = 30
_LONGEST = 400
_FEW = 3
_STYLES = {Decision.FAILS: "red", Decision.PASSES: "green", Decision.OPEN: "yellow"}


def minimal_text(stored: Trial, minimal: Minimal, *, width: int = 100, colour: bool = False, line: str = "") -> str:
    """What *stored* met, what was tried, and what is left; *line* is the command that makes that again."""
    width = max(NARROWEST, width)
    lines = (
        *_head(stored, width),
        (),
        (("what it met", _HEADING),),
        *_suspects(minimal, width),
        (),
        *_tried(minimal, width),
        (),
        *_result(minimal, width),
        *_again(minimal, line),
    )
    return paint(lines, colour=colour)


def minimal_short(minimal: Minimal) -> str:
    """The smallest set in a line: its condition, else its members; `clean` where no fault is needed, else a dash."""
    if minimal.numbers is None:
        return "-"
    members = (one for one in minimal.suspects if one.number in minimal.numbers)
    return one_line(minimal.condition or ", ".join(map(_named, members)) or "clean", 10 * _LONGEST)


def minimal_json(stored: Trial, minimal: Minimal, *, run: str = "", line: str = "") -> str:
    """The same as one object, for the run with this id; `again` is the command that makes what is left again."""
    tried = [
        {**msgspec.to_builtins(one), "numbers": one.numbers, "decision": one.decision, "why": one.why}
        for one in minimal.tried
    ]
    said = {
        "run": run,
        "task": stored.task_id,
        "index": stored.index,
        "condition": stored.condition,
        "stored": stored.outcome,
        "rate": minimal.rate,
        "confidence": minimal.confidence,
        "suspects": [{"number": one.number, "what": _named(one)} for one in minimal.suspects],
        "tried": tried,
        "smallest": minimal.numbers,
        "doubtful": minimal.doubtful,
        "smallest_as_condition": minimal.condition or None,
        "again": line or None,
    }
    return msgspec.json.encode(said).decode()


def _head(stored: Trial, width: int) -> Iterator[Line]:
    name = f"{one_line(stored.task_id, 200)} · {one_line(stored.condition, _LONGEST)} · trial {stored.index}"
    yield from prose(name, width, label=("", ""), style="bold")
    label = (f"{stored.outcome}  ", OUTCOMES[stored.outcome])
    yield from prose(one_line(stored.detail, _LONGEST) or "no reason was given", width, label=label)


def _suspects(minimal: Minimal, width: int) -> Iterator[Line]:
    for one in minimal.suspects:
        yield from prose(_named(one), width, label=(f"  {one.number:>3}  ", "dim"))


def _named(one: Suspect) -> str:
    """A suspect in words."""
    if one.wording:
        return f"the wording {one_line(one.name, 200)}"
    return f"{one_line(one.name, 200)} at call {one.ordinal} of {one_line(one.tool, 100)}"


def _tried(minimal: Minimal, width: int) -> Iterator[Line]:
    """A line a set, in the order in which they were tried."""
    rows = [
        (_set(one.numbers), f"{one.failed:,}/{one.n:,}", _interval(one), str(one.decision)) for one in minimal.tried
    ]
    heads = ("tried with", "failed", "share of failures", "so it")
    widest = [max(map(cells, column)) for column in zip(heads, *rows, strict=True)]
    room = width - sum(widest[1:]) - 9
    widths = (min(widest[0], room), -widest[1], widest[2], widest[3])
    gaps = (0, 3, 3, 3)
    yield from columns([cell(head, _HEADING) for head in heads], widths, gaps=gaps)
    for row, one in zip(rows, minimal.tried, strict=True):
        texts = [[(row[0], "")], cell(row[1]), cell(row[2], "dim")]
        yield from columns([*texts, cell(row[3], _STYLES[one.decision])], widths, gaps=gaps)
    void = sum(one.void for one in minimal.tried)
    if void:
        why = next(one.why for one in minimal.tried if one.void)
        text = f"{counted(void, 'trial')} besides came out void and count for nothing: {one_line(why, _LONGEST)}"
        yield from prose(text, width, label=("", ""), style="yellow")


def _set(numbers: Sequence[int]) -> str:
    """Numbers with their rows drawn together: ``1-4, 7``."""
    rows: list[list[int]] = []
    for one in numbers:
        if rows and one == rows[-1][-1] + 1:
            rows[-1].append(one)
        else:
            rows.append([one])
    return ", ".join(f"{row[0]}-{row[-1]}" if len(row) > 1 else str(row[0]) for row in rows) or _NOTHING


def _interval(one: Tried) -> str:
    return f"[{number(one.low)}, {number(one.high)}]"


def _result(minimal: Minimal, width: int) -> Iterator[Line]:
    """What is left, in whole sentences, and how sure they are."""
    style = "bold" if minimal.numbers else "bold yellow"
    yield from prose(_sentence(minimal), width, label=("", ""), style=style)
    for text in _remarks(minimal):
        yield from prose(text, width, label=("", ""), style="yellow")
    sure = (
        f"a set fails where more than {percent(minimal.rate)} of its trials do; all that is decided above, and every "
        f"interval, holds together with {percent(minimal.confidence)} confidence"
    )
    yield from prose(sure, width, label=("", ""), style="dim")


def _sentence(minimal: Minimal) -> str:
    found, all_of_them = minimal.found, minimal.of(tuple(one.number for one in minimal.suspects))
    if minimal.numbers is None:
        return _not_again(all_of_them, minimal)
    assert found is not None  # noqa: S101 - the smallest set was tried
    often = f"in {found.failed:,} of {counted(found.n, 'trial')}"
    if not minimal.numbers:
        return f"it fails without any of that, {often}: neither faults nor wordings are the reason"
    of = f"{len(minimal.numbers):,} of {len(minimal.suspects):,}"
    enough = "is enough" if len(minimal.numbers) == 1 else "are enough"
    names = [_named(one) for one in minimal.suspects if one.number in minimal.numbers]
    shown = f" ({', '.join(names)})" if len(names) <= _FEW else ""
    text = f"{of} {enough}: with {squeeze(_set(minimal.numbers), _WIDEST_SET)} alone{shown} it fails {often}"
    if minimal.doubtful:
        return text
    without = "without it" if len(minimal.numbers) == 1 else "without any one of them"
    return f"{text}; {without}, in less than {percent(minimal.rate)} of them"


def _not_again(whole: Tried | None, minimal: Minimal) -> str:
    """Why there is nothing to make smaller."""
    if whole is None or not whole.n:
        return "no trial of it could be made, so nothing is known"
    often = f"with all of that it failed in {whole.failed:,} of {counted(whole.n, 'trial')}"
    if whole.decision is Decision.PASSES:
        return f"{often}, less than {percent(minimal.rate)}: it fails too seldom to search; --rate asks for less"
    return f"{often}, and that is too few to tell: allow more --tries, or ask for another --rate"


def _remarks(minimal: Minimal) -> Iterator[str]:
    """What could not be decided, and what became of it."""
    clean = minimal.of(())
    if minimal.numbers and clean is not None and clean.decision is Decision.OPEN:
        yield f"whether it fails with none of that is open: it did in {clean.failed:,} of {counted(clean.n, 'trial')}"
    if minimal.numbers and minimal.doubtful:
        members = squeeze(_set(minimal.doubtful), _WIDEST_SET)
        yield f"{members} stayed because nobody could tell whether it fails without: more --tries may show that"


def _again(minimal: Minimal, line: str) -> Iterator[Line]:
    """How to have it again: lines to be copied, which are not broken, however long they are."""
    if minimal.condition:
        yield ()
        yield (("as a condition of its own", _HEADING),)
        yield (("  ", ""), (one_line(minimal.condition, 10 * _LONGEST), ""))
    if line:
        yield ()
        yield (("again", _HEADING),)
        yield (("  ", ""), (one_line(line, 10 * _LONGEST), ""))
