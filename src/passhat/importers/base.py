"""The contract of an importer: a frozen dataclass that reads another tool's log, a text, as a run.

An importer is pure. It opens no file, and the id and the time of the new run are handed to it (`Origin`). It gives
all of the log or nothing: whatever is wrong with the log is said at once, with the place of each problem. An answer
that the log does not hold stays unknown; nothing is guessed. Only a file of our own that holds a whole run says its id
and its time itself.

Its fields are its settings, and so the options of `passhat import`: a field `threshold` is `--threshold`. One that is
a mapping by default is an option that may be given again, as KEY=VALUE. What a field's metadata holds under "help"
and "metavar" is shown by `passhat import FORMAT --help`. What is typed for a number may be `.5`, `0.5` or `50%`. A
complaint about a setting begins with its name and a colon, `threshold: …`; the command line puts the dashes before it.
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

    @property
    def judge(self) -> str:
        """Who judged the trials: part of the run's design, so it tells settings that change verdicts."""
        return f"imported({self.name})"

    def read(self, text: str, origin: Origin) -> Imported:
        """The run that *text* tells of, or one error with every place that is wrong."""
        raise TypeError(f"{type(self).__name__} is a contract: an importer overrides read")


class Problems:
    """Collects what is wrong with a log, trial by trial."""

    def __init__(self, source: str, rows: str = "") -> None:
        """No problem yet with the text that errors call *source*.

        Its trials stand on lines, or in the JSON list *rows*, such as `simulations`; `.` is a list that is the whole
        document.
        """
        self._source = source
        self._rows = rows
        self._found: list[tuple[int, str]] = []

    def __bool__(self) -> bool:
        """True where there is a problem."""
        return bool(self._found)

    def note(self, position: int, sentence: str) -> None:
        """Remember a problem; lines and rows count from 1 here, and 0 is the log as a whole."""
        self._found.append((position, sentence))

    def place(self, position: int) -> str:
        """Where a trial stands, in words; a row of a JSON list is written as `jq` takes it, from 0."""
        return f"at {self._path(position)}" if self._rows else f"on line {position}"

    def refuse(self) -> None:
        """Raise one error that says all of it, the first places first; nothing where there is no problem."""
        if not self._found:
            return
        said = [self._placed(position, sentence) for position, sentence in sorted(self._found)]
        more = len(said) - MOST_SHOWN
        raise UsageError(*said[:MOST_SHOWN], *([f"and {more:,} more"] if more > 0 else []))

    def _placed(self, position: int, sentence: str) -> str:
        where = f" {self._path(position)}:" if self._rows else f"{position}:"
        return f"{self._source}:{where if position else ''} {sentence}"

    def _path(self, position: int) -> str:
        return f".{self._rows.removeprefix('.')}[{position - 1}]"
