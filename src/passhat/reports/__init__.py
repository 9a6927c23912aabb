"""Reports: what was measured and judged, as text. One file a report, and one line here.

Besides the reports on a run there are texts about less and more than one: a single trial, one that was made again, the
smallest set of faults that makes one fail, a run that was not made, two trials and two runs held against each other, a
list of runs, several scenarios on one screen, and all trials of a run as rows, of another format or of our own.
"""

from __future__ import annotations

from passhat.reports.base import Report, render
from passhat.reports.canaries import Scenario, canaries_text, overall
from passhat.reports.comparison import comparison_text
from passhat.reports.diff import diff_text, part
from passhat.reports.dry_run import forecast_text
from passhat.reports.evalrun import evalrun_lines
from passhat.reports.json import Json
from passhat.reports.markdown import Markdown
from passhat.reports.minimize import minimal_json, minimal_short, minimal_text
from passhat.reports.portable import portable_lines
from passhat.reports.replay import replay_text, telling
from passhat.reports.runs import runs_text
from passhat.reports.terminal import Terminal
from passhat.reports.trial import Beside, trial_text

terminal = Terminal
markdown = Markdown
json = Json

REPORTS: dict[str, type[Report]] = {
    "terminal": Terminal,
    "markdown": Markdown,
    "json": Json,
}


__all__ = [
    "REPORTS",
    "Beside",
    "Json",
    "Markdown",
    "Report",
    "Scenario",
    "Terminal",
    "canaries_text",
    "comparison_text",
    "diff_text",
    "evalrun_lines",
    "forecast_text",
    "json",
    "markdown",
    "minimal_json",
    "minimal_short",
    "minimal_text",
    "overall",
    "part",
    "portable_lines",
    "render",
    "replay_text",
    "runs_text",
    "telling",
    "terminal",
    "trial_text",
]
