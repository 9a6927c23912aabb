"""The contract of an importer: a frozen dataclass that reads another tool's log, a text, as a run.

An importer is pure. It opens no file, and the id and the time of the new run are handed to it (`Origin`). It gives
all of the log or nothing: whatever is wrong with the log is said at once, with the line of each problem. An answer
that the log does not hold stays unknown; nothing is guessed.
"""

from __future__ import annotations

from dataclasses import dataclass

from passhat.errors import UsageError
from passhat.model.base import Noun
from passhat.model.parts import part_name
from passhat.model.run import Header
from passhat.model.trial import Trial

MOST_SHOWN = 20


class Origin(Noun):
    """What an importer cannot know by itself: the new run's id, when it is made, and how errors name the text."""

    id: str
    started_at: float
    source: str


class Imported(Noun):
    """A run as a store takes it: its header, and its trials with their cells, by index and then by cell."""

    header: Header
    trials: tuple[tuple[int, Trial], ...]


@dataclass(frozen=True, slots=True)
class Importer:
    """Reads one format. `suite` and `agent` name what was tested, where the log does not say it or says it badly."""

    suite: str = ""
    agent: str = ""

    @property
    def name(self) -> str:
        """The name of this kind of importer, which is the format's."""
        return part_name(type(self))

    def read(self, text: str, origin: Origin) -> Imported:
        """The run that *text* tells of, or one error with every line that is wrong."""
        raise TypeError(f"{type(self).__name__} is a contract: an importer overrides read")


class Problems:
    """Collects what is wrong with a log, line by line."""

    def __init__(self, source: str) -> None:
        """No problem yet with the text that errors call *source*."""
        self._source = source
        self._found: list[tuple[int, str]] = []

    def __bool__(self) -> bool:
        """True where there is a problem."""
        return bool(self._found)

    def note(self, line: int, sentence: str) -> None:
        """Remember a problem; lines count from 1, and 0 is the log as a whole."""
        self._found.append((line, sentence))

    def refuse(self) -> None:
        """Raise one error that says all of it, the first lines first; nothing where there is no problem."""
        if not self._found:
            return
        said = [self._placed(line, sentence) for line, sentence in sorted(self._found)]
        more = len(said) - MOST_SHOWN
        raise UsageError(*said[:MOST_SHOWN], *([f"and {more:,} more"] if more > 0 else []))

    def _placed(self, line: int, sentence: str) -> str:
        return f"{self._source}:{line}: {sentence}" if line else f"{self._source}: {sentence}"
