"""Choosing tasks of a suite: the first few, those of a name or tag, those that failed in an earlier run. Pure.

A run that goes on has its tasks already: nothing is chosen anew there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from fnmatch import fnmatchcase

from msgspec.structs import replace

from passhat.engine.settings import Settings
from passhat.errors import UsageError
from passhat.model.outcome import Outcome
from passhat.model.parts import nearest
from passhat.model.run import Header, Run
from passhat.model.selection import Selection, selection_of
from passhat.model.task import Suite, Task

_TAG = "tag:"


def choice_problems(settings: Settings) -> Iterator[str]:
    """What is wrong with how tasks are chosen, or with how a run is to go on."""
    for name, value in (("limit", settings.limit), ("top_up", settings.top_up)):
        if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 1):
            yield f"{name}: a whole number from 1 on, not {value!r:.80}"
    for name, text in (("filter", settings.filter), ("only_failed", settings.only_failed)):
        if text is not None and (not isinstance(text, str) or not text.removeprefix(_TAG)):
            yield f"{name}: {_MEANT[name]}, not {text!r:.80}"
    chosen = [name for name in ("limit", "filter", "only_failed") if getattr(settings, name) is not None]
    if settings.goes_on and chosen:
        yield f"{' and '.join(chosen)}: a run that goes on keeps the tasks that it has; leave this out"
    if settings.top_up is not None and settings.trials_given:
        yield "top_up: it says how many more trials there are to be, and trials how many in all: leave one out"


_MEANT = {
    "filter": "a pattern of task ids such as 'refund-*', or 'tag:NAME'",
    "only_failed": "the id of a run, the beginning of it, or 'latest'",
}


def chosen(suite: Suite, settings: Settings, failed_in: Run | None = None) -> tuple[Suite, Selection | None]:
    """*suite* with the tasks that are wanted, and how they were chosen; refused where none is left."""
    if failed_in is None and settings.filter is None and settings.limit is None:
        return suite, None
    tasks: Sequence[Task] = suite.tasks
    if failed_in is not None:
        tasks = _failed(tasks, failed_in)
    if settings.filter is not None:
        tasks = _matching(tasks, settings.filter)
    tasks = tasks[: settings.limit]
    selection = Selection(
        tasks=len(tasks),
        of=len(suite.tasks),
        failed_in=failed_in.header.id if failed_in is not None else "",
        filter=settings.filter or "",
        limit=settings.limit,
    )
    return replace(suite, tasks=tuple(tasks)), selection


def kept(suite: Suite, header: Header) -> Suite:
    """*suite* with the tasks of the run that goes on, where that has not all of them."""
    if selection_of(header) is None:
        return suite
    names = {task.id for task in header.tasks}
    return replace(suite, tasks=tuple(task for task in suite.tasks if task.id in names))


def _failed(tasks: Sequence[Task], run: Run) -> Sequence[Task]:
    """Those of which a trial that counts did not pass, under whichever condition."""
    tally, name = run.trials.counts(), run.header.id
    width, bad = len(tally.conditions), (Outcome.FAIL, Outcome.CRASH, Outcome.TIMEOUT)
    failed = {
        tally.tasks[cell // width] for outcome in bad for cell, count in enumerate(tally.column(outcome)) if count
    }
    if not failed:
        raise UsageError(f"only_failed: in run {name} no task failed, so there is nothing to run")
    found = [task for task in tasks if task.id in failed]
    gone = sorted(failed - {task.id for task in found})
    if gone:
        raise UsageError(
            *(f"only_failed: task {task!r} failed in run {name}, and the suite has it no more" for task in gone)
        )
    return found


def _matching(tasks: Sequence[Task], wanted: str) -> Sequence[Task]:
    """Those whose id, or one of whose tags, matches."""
    tags = wanted.startswith(_TAG)
    pattern = wanted.removeprefix(_TAG)

    def names(task: Task) -> Collection[str]:
        return task.tags if tags else (task.id,)

    found = [task for task in tasks if any(fnmatchcase(name, pattern) for name in names(task))]
    if not found:
        known = list(dict.fromkeys(name for task in tasks for name in names(task)))
        what = "has a tag" if tags else "has an id"
        raise UsageError(
            f"filter: of {len(tasks):,} tasks none {what} that matches {pattern!r}{nearest(pattern, known)}"
        )
    return found
