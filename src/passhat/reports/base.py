"""The contract of a report: a frozen dataclass that turns a summary and a verdict into text.

A report is pure: it holds its own settings (a width, colour), and reads no terminal, no clock and no file.
Whatever comes from outside goes through the one escaping function of the report's sink (`_escape`). A report
that is handed no trials says what it leaves out. A number stands beside its denominator; no number, and the
reason stands there.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

import msgspec

from passhat.errors import UsageError
from passhat.model.parts import find, nearest, part_name
from passhat.model.run import Trials
from passhat.model.summary import Summary
from passhat.model.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Report:
    """Summary and verdict as text that ends with a newline, as a text file does."""

    @property
    def name(self) -> str:
        """The name of this kind of report."""
        return part_name(type(self))

    def render(self, summary: Summary, verdict: Verdict | None = None, *, trials: Trials | None = None) -> str:
        """The report; *trials* let it show why trials did not pass."""
        raise TypeError(f"{type(self).__name__} is a contract: a report overrides render")


def render(
    summary: Summary,
    verdict: Verdict | None = None,
    *,
    format: str = "terminal",  # noqa: A002 - the word that users type
    trials: Trials | None = None,
    known: Mapping[str, type[Report]] | None = None,
    **options: object,
) -> str:
    """The report of this format as text; *options* are the report's own, such as the terminal's `width`.

    It is one of the kinds that are *known*: the built-in ones, where nothing else is said.
    """
    from passhat.reports import REPORTS  # the list imports every part, and every part this file

    report = build(find("report", format, REPORTS if known is None else known), options)
    return report.render(summary, verdict, trials=trials)


R = TypeVar("R", bound=Report)


def build(kind: type[R], options: Mapping[str, object]) -> R:
    """The report of this kind with these settings; one that it doesn't have is named."""
    known = [field.name for field in dataclasses.fields(kind)]
    for name in options:
        if name not in known:
            raise UsageError(f"the report {part_name(kind)} has no setting {name!r}{nearest(name, known)}")
    try:
        return msgspec.convert(dict(options), kind)
    except msgspec.ValidationError as error:
        raise UsageError(f"the report {part_name(kind)}: {error}".replace(" - at `$.", " for `")) from None
