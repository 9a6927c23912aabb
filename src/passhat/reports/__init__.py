"""Reports: what was measured and judged, as text. One file a report, and one line here.

Besides the reports on a run there are two texts about less and more than one: a single trial, and a list of
runs.
"""

from __future__ import annotations

from passhat.model.parts import find
from passhat.model.run import Trials
from passhat.model.summary import Summary
from passhat.model.verdict import Verdict
from passhat.reports.base import Report, build
from passhat.reports.json import Json
from passhat.reports.markdown import Markdown
from passhat.reports.runs import runs_text
from passhat.reports.terminal import Terminal
from passhat.reports.trial import trial_text

terminal = Terminal
markdown = Markdown
json = Json

REPORTS: dict[str, type[Report]] = {
    "terminal": Terminal,
    "markdown": Markdown,
    "json": Json,
}


def render(
    summary: Summary,
    verdict: Verdict | None = None,
    *,
    format: str = "terminal",  # noqa: A002 - the word that users type
    trials: Trials | None = None,
    **options: object,
) -> str:
    """The report of this format as text; *options* are the report's own, such as the terminal's `width`."""
    report = build(find("report", format, REPORTS), options)
    return report.render(summary, verdict, trials=trials)


__all__ = [
    "REPORTS",
    "Json",
    "Markdown",
    "Report",
    "Terminal",
    "json",
    "markdown",
    "render",
    "runs_text",
    "terminal",
    "trial_text",
]
