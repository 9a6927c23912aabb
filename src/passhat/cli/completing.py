"""What a shell offers where a word is being typed: runs, tasks and files. It only reads, and where it can't, is silent.

A file is opened and nothing is loaded that measures or runs: somebody waits for the key that was pressed.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from passhat.errors import PasshatError, UsageError

_LATEST = "latest"
_SHORTEST = 2  # `show RUN TASK` has two words, and `show TASK` has one


def runs(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """The ids of the stored runs, the newest first, and `latest`."""
    del parameter
    return _begin(begun, _runs(context))


def tasks(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """The tasks of the run that was typed."""
    del parameter
    return _begin(begun, _tasks(context, context.params.get("run") or _LATEST))


def runs_and_tasks(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """What may stand in `[RUN] TASK`: a run or a task of the latest one, and behind a run a task of that one."""
    typed = context.params.get(parameter.name or "") or ()
    if len(typed) >= _SHORTEST:
        return []
    return _begin(begun, _tasks(context, typed[0]) if typed else [*_tasks(context, _LATEST), *_runs(context)])


def files(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Files, which the shell knows best."""
    del context, parameter
    return [CompletionItem(begun, type="file")]


def _store(context: click.Context) -> Any:  # noqa: ANN401 - a store, whose module is loaded late
    """The store, where it is a file that is there; a server is not asked at every key."""
    place = context.params.get("store") or "passhat.db"
    if "://" in place or not Path(place).is_file():
        raise UsageError(f"{place} is no file that could be asked")
    from passhat.stores.sqlite import SqliteStore

    return SqliteStore(place, create=False)


def _runs(context: click.Context) -> list[tuple[str, str]]:
    try:
        listed = _store(context).runs()
    except PasshatError:
        return []
    return [*((run.id, f"{run.suite}, {run.agent}") for run in listed), (_LATEST, "the newest run")]


def _tasks(context: click.Context, run: str) -> list[tuple[str, str]]:
    try:
        header = _store(context).open(run).header
    except PasshatError:
        return []
    return [(task.id, f"a task of run {header.id}") for task in header.tasks]


def _begin(begun: str, words: Iterable[tuple[str, str]]) -> list[CompletionItem]:
    return [CompletionItem(word, help=text) for word, text in words if word.startswith(begun)]
