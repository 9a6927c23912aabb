"""A whole run as lines of JSON, which `passhat import passhat` reads as the same run. See `model.portable`.

Text stays as people read it; only characters that a terminal would obey, or that nobody sees, are escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from passhat.model.codec import MAJOR, MINOR, encode
from passhat.model.plain import encoded_alike
from passhat.model.portable import END, Checksum, End
from passhat.model.run import Run
from passhat.model.task import Task
from passhat.model.trial import Trial
from passhat.reports._escape import json_escape

# Fixed, and not what this Python's Unicode holds for printable: the same run is the same file everywhere.
_UNSEEN = re.compile(
    r"[\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    r"\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]"
)


def portable_lines(run: Run) -> Iterator[str]:
    """The header, a line for each trial, and the last line, which tells a whole file from a cut one."""
    checksum, trials = Checksum(), 0
    tasks = {task.id: task for task in run.header.tasks}
    first = _line(encode(run.header))
    checksum.add(first)
    yield first
    for trial in run.trials:
        line = _line(msgspec.json.encode(_lean(trial, tasks[trial.task_id])))
        checksum.add(line)
        trials += 1
        yield line
    yield _line(msgspec.json.encode(End(f"{MAJOR}.{MINOR}", END, trials, str(checksum))))


def _lean(trial: Trial, task: Task) -> Trial:
    """The trial without the input that its task has: the header holds it."""
    return replace(trial, input=None) if encoded_alike(trial.input, task.input) else trial


def _line(document: bytes) -> str:
    return _UNSEEN.sub(json_escape, document.decode())
