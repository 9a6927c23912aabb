"""Tables as spreadsheets save them: a header with the names of the columns, and a row a trial.

task,trial,passed,seconds
refund,0,true,2.1
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import StringIO
from typing import ClassVar

from passhat.errors import UsageError
from passhat.importers._table import Row, Table
from passhat.importers.base import Problems


@dataclass(frozen=True, slots=True)
class Csv(Table):
    """A table with a header: `task`, and `passed` or `outcome`, and what else the table of columns has.

    A cell is a text, and read as what its column needs; an empty one is as good as none. There is no column `trace`.
    """

    typed: ClassVar[bool] = False

    delimiter: str = field(
        default=",",
        metadata={"help": "What stands between two cells [default: a comma].", "metavar": "CHARACTER"},
    )

    def __post_init__(self) -> None:
        """Refuse what cannot stand between two cells."""
        Table.__post_init__(self)
        if len(self.delimiter) != 1 or self.delimiter in '"\r\n':
            raise UsageError(f"delimiter: one character that is no quote and ends no line, not {self.delimiter!r}")

    def rows(self, text: str, problems: Problems) -> Iterator[tuple[int, Row]]:
        lines = StringIO(text.removeprefix("\ufeff"), newline="")
        reader = csv.reader(lines, delimiter=self.delimiter, strict=True)
        header: list[str] | None = None
        try:
            for cells in reader:
                if not any(cells):
                    continue
                if header is None:
                    header = cells
                    if not self._is_sound(header, reader.line_num, problems):
                        return
                elif len(cells) != len(header):
                    problems.note(
                        reader.line_num, f"it has not the {len(header)} cells of the header, but {len(cells)}"
                    )
                else:
                    yield reader.line_num, {name: cell for name, cell in zip(header, cells, strict=True) if cell}
        except csv.Error as error:
            problems.note(reader.line_num, f"this is not CSV: {error}")

    def _is_sound(self, header: list[str], line: int, problems: Problems) -> bool:
        """True where *header* can be one: each name once, and a column for the task."""
        twice = sorted({name for name in header if header.count(name) > 1})
        if twice:
            problems.note(line, f"the header has two columns {twice[0]!r:.80}")
        task = self.map.get("task", "task")
        if task not in header:
            shown = ", ".join(map(repr, header))
            problems.note(line, f"the header has no column {task!r:.80}, which names the task: it has {shown:.200}")
        return task in header and not twice
