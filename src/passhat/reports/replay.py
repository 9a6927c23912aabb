"""A trial made again, for a screen: how it went now, where it parts from the stored one, and whether it ends alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from passhat.model.trial import Trial
from passhat.reports._figures import counted
from passhat.reports._screen import NARROWEST, Line, paint, prose
from passhat.reports.diff import diff_text
from passhat.reports.trial import OUTCOMES, Beside, trial_text

_NAMES = ("stored", "replayed")


def telling(stored: Trial, replays: Sequence[Trial]) -> int:
    """Which of the *replays* tells most: the first that ended otherwise than the *stored* trial, else the first."""
    others = (place for place, trial in enumerate(replays) if trial.outcome is not stored.outcome)
    return next(others, 0)


def replay_text(
    stored: Trial,
    replays: Sequence[Trial],
    *,
    width: int = 100,
    colour: bool = False,
    beside: Beside | None = None,
) -> str:
    """The replay that tells most, what sets it apart from the *stored* trial, and how many ended as that did."""
    width, place = max(NARROWEST, width), telling(stored, replays)
    shown = replays[place]
    return "\n".join(
        (
            paint(_which(place, len(replays)), colour=colour)
            + trial_text(shown, width=width, colour=colour, beside=beside),
            diff_text(stored, shown, width=width, colour=colour, names=_NAMES),
            paint(_outcome(stored, replays, width), colour=colour),
        )
    )


def _which(place: int, times: int) -> Iterator[Line]:
    """Which replay is shown, where there is more than one."""
    if times > 1:
        yield ((f"replay {place + 1:,} of {times:,}", "dim"),)


def _outcome(stored: Trial, replays: Sequence[Trial], width: int) -> Iterator[Line]:
    """Whether it ended as the stored trial did, or how often."""
    counts, was = Counter(trial.outcome for trial in replays), stored.outcome
    if len(replays) == 1:
        now = replays[0].outcome
        text = f"the outcome is the same: {was}" if now is was else f"the outcome was {was}, and is {now} now"
    else:
        each = ", ".join(f"{outcome} {count:,}" for outcome, count in counts.most_common())
        text = f"{counts[was]:,} of {counted(len(replays), 'replay')} came to the stored outcome, {was} (all: {each})"
    yield from prose(text, width, label=("", ""), style=OUTCOMES[was] if counts[was] else "bold")
