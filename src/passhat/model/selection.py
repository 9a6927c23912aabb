"""Which of a suite's tasks a run has, where it has not all of them: chosen by number, by name, or by how they ended.

It stands in the provenance of a run, so that every store keeps it and every report can say it.
"""

from __future__ import annotations

import msgspec

from passhat.model.base import Json, Noun
from passhat.model.run import Header

_KEY = "selected"


class Selection(Noun, kw_only=True):
    """How `tasks` of a suite's `of` tasks were chosen; what was not asked is empty.

    failed_in: the run in which a trial of each of them did not pass. filter: what their names or tags match. limit: how
    many at the most.
    """

    tasks: int
    of: int
    failed_in: str = ""
    filter: str = ""
    limit: int | None = None

    @property
    def told(self) -> str:
        """The choice in words."""
        how = []
        if self.failed_in:
            how.append(f"those that failed in run {self.failed_in}")
        if self.filter:
            how.append(f"those that match {self.filter!r}")
        if self.limit is not None:
            how.append(f"the first {self.limit:,}")
        were = "was" if self.tasks == 1 else "were"
        return f"{self.tasks:,} of the suite's {self.of:,} tasks {were} selected: {', of these '.join(how)}"

    def noted(self) -> dict[str, Json]:
        """This, as provenance holds it."""
        return {_KEY: {name: value for name, value in msgspec.structs.asdict(self).items() if value not in ("", None)}}


def selection_of(header: Header) -> Selection | None:
    """What the run says of its tasks; None where it has all of the suite's."""
    try:
        return msgspec.convert(header.provenance.get(_KEY), Selection | None)
    except msgspec.ValidationError:  # another's file may say there what it likes
        return None
