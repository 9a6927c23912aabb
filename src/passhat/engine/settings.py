"""How a run is made: numbers, never what is tested."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isnan
from os import PathLike
from pathlib import PurePath
from typing import Any, Literal, TypedDict

from passhat.engine.budget import Budget, Price
from passhat.errors import UsageError
from passhat.model.base import Noun
from passhat.model.protocols import Store
from passhat.model.trial import Trial


class Progress(Noun, kw_only=True):
    """How far a run has come. Only trials that are safe in the store are counted.

    `stopping`: the run was asked to stop, and waits for the trials that run. `spent`: which part of its budget is.
    """

    run_id: str
    planned: int
    stored: int
    outcomes: dict[str, int]
    late_calls: int = 0
    stopping: bool = False
    spent: str = ""


class Options(TypedDict, total=False):
    """What `run` and `run_async` take by name.

    under: conditions besides the clean one: faults, perturbations, both joined by `&`, or their text.
    clean: False leaves the clean condition out.
    trials: how often each task runs under each condition [10; where a run goes on, what that run has].
    seed: the root of all randomness of the run.
    same_seed: all trials of a task get the seed of its first; such trials are not independent, and carry no verdict.
    concurrency: how many trials run at a time.
    timeout: the seconds that an agent has for one trial.
    turns: how many turns the user of a task has at the most; then the talk is ended.
    time: 'virtual' skips what async agents wait for, so that an hour of it passes at once; not for `run_async`.
    store: a store, the path of a SQLite file, or `NAME://…` for a store of that name.
    resume: the id of a run to go on with; only the trials that it lacks are run.
    top_up: so many more trials of each task under each condition, in the run to go on with ['latest'].
    limit: only the first so many tasks.
    filter: only the tasks whose id matches this pattern, such as `refund-*`, or one of whose tags does, `tag:NAME`.
    only_failed: the id of a run; only the tasks of which a trial failed there. Such a run carries no verdict.
    label, version: what the agent is called in the run, and which version of it this is.
    progress: called with a `Progress` after each batch that is safe, and when the run is asked to stop.
    capture: keep what agents print with their trials, instead of showing it.
    retries: how often a trial is made again that a real service's outage spoiled.
    max_cost, max_tokens, max_time, max_failures: the budget; once one of them is spent no more trials begin.
    prices: what a model costs per million tokens, `{"model": Price(input=1.0, output=4.0)}`, for `max_cost`.
    folder: where the suite is, for the commit that the run keeps [the current one]; None for no commit.
    rules: the rules that will judge this run; one that these trials could not be held against is refused at once.
    """

    under: Sequence[Any]
    clean: bool
    trials: int | None
    seed: int
    same_seed: bool
    concurrency: int
    timeout: float
    turns: int
    time: Literal["real", "virtual"]
    store: Store | str | None
    resume: str | None
    top_up: int | None
    limit: int | None
    filter: str | None
    only_failed: str | None
    label: str
    version: str
    progress: Callable[[Progress], None] | None
    capture: bool
    retries: int
    max_cost: float | None
    max_tokens: int | None
    max_time: float | None
    max_failures: int | None
    prices: Mapping[str, Price]
    folder: str | PathLike[str] | None
    rules: Sequence[Any]


class Replaying(TypedDict, total=False):
    """What `replay` takes by name. All else is as it was in the run.

    timeout: the seconds that the agent has; those of the run, where nothing is said.
    concurrency: how many replays run at a time, where there is more than one.
    label, version, capture: as in `Options`.
    """

    timeout: float
    concurrency: int
    label: str
    version: str
    capture: bool


class Minimizing(Replaying, total=False):
    """What `minimize` takes by name, besides what `replay` does.

    rate: the share of trials that makes a failure: a set fails where more of its trials do, and passes where fewer do.
    confidence: how sure all of what is decided is, together.
    tries: how many trials one set gets at the most; what is undecided then is kept.
    make: makes the trials of the set with these numbers, so many; without it they are made in this process.
    """

    rate: float
    confidence: float
    tries: int
    make: Callable[[Sequence[int], int], Sequence[Trial]] | None


class Settings(Noun, kw_only=True):
    """The options of a run, all of them. `trials_given`: somebody said how many, and they are no default."""

    under: Sequence[Any] = ()
    clean: bool = True
    trials: int = 10
    seed: int = 0
    same_seed: bool = False
    concurrency: int = 8
    timeout: float = 60.0
    turns: int = 20
    time: str = "real"
    store: Any = None
    resume: str | None = None
    top_up: int | None = None
    limit: int | None = None
    filter: str | None = None
    only_failed: str | None = None
    label: str = ""
    version: str = ""
    progress: Callable[[Progress], None] | None = None
    capture: bool = False
    retries: int = 2
    max_cost: float | None = None
    max_tokens: int | None = None
    max_time: float | None = None
    max_failures: int | None = None
    prices: Mapping[str, Price] = {}
    folder: Any = "."
    rules: Sequence[Any] = ()
    trials_given: bool = True

    def problems(self) -> list[str]:
        """What is wrong with the numbers, one sentence each."""
        found = []
        if not _whole(self.trials):
            found.append(f"trials: a whole number from 1 on, not {self.trials!r}")
        elif self.trials < 1:
            found.append(f"trials: each task runs at least once, not {self.trials!r} times")
        if not _whole(self.concurrency):
            found.append(f"concurrency: a whole number from 1 on, not {self.concurrency!r}")
        elif self.concurrency < 1:
            found.append(f"concurrency: at least one trial runs at a time, not {self.concurrency!r}")
        if not _whole(self.seed) or not -(2**63) <= self.seed < 2**63:
            found.append(f"seed: a whole number of at most 64 bits, not {self.seed!r}")
        if isinstance(self.timeout, bool) or not isinstance(self.timeout, int | float) or isnan(self.timeout):
            found.append(f"timeout: a number of seconds, such as 60, not {self.timeout!r}")
        elif self.timeout <= 0:
            found.append(f"timeout: more than 0 seconds for a trial, not {self.timeout!r}")
        elif self.timeout > _LONGEST:
            found.append(f"timeout: at most {_LONGEST:,} seconds for a trial, not {self.timeout!r}")
        if self.time not in ("real", "virtual"):
            found.append(f"time: 'real' or 'virtual', not {self.time!r:.80}")
        return [*found, *(self.budget.problems() if self.budget else ()), *self._shapes()]

    @property
    def budget(self) -> Budget | None:
        """What the run may spend; None where nobody set a limit."""
        budget = Budget(cost=self.max_cost, tokens=self.max_tokens, seconds=self.max_time, failures=self.max_failures)
        return budget if budget != Budget() else None

    @property
    def goes_on(self) -> bool:
        """True where a run that is stored is to go on."""
        return self.resume is not None or self.top_up is not None

    @property
    def virtual(self) -> bool:
        """True where the run is to live in virtual time."""
        return self.time == "virtual"

    def sound_rules(self) -> Sequence[Any]:
        """The rules that are rules; `problems` tells of the others."""
        return [rule for rule in self.rules if _is_rule(rule)] if isinstance(self.rules, list | tuple) else ()

    def _shapes(self) -> Iterator[str]:
        """What is not even of the right kind."""
        if not _whole(self.turns) or self.turns < 1:
            yield f"turns: a whole number from 1 on, not {self.turns!r:.80}"
        if not _whole(self.retries) or self.retries < 0:
            yield f"retries: a whole number from 0 on, not {self.retries!r}"
        for name, value in (("label", self.label), ("version", self.version)):
            if not isinstance(value, str):
                yield f"{name}: a text, not {value!r:.80}"
        if self.progress is not None and not callable(self.progress):
            yield f"progress: a function that is called with a Progress, not {self.progress!r:.80}"
        if not isinstance(self.rules, list | tuple) or len(self.sound_rules()) < len(self.rules):
            yield f"rules: a list of rules such as rules.at_least('pass^5', 0.8), not {self.rules!r:.80}"
        if self.folder is not None and not isinstance(self.folder, str | PathLike):
            yield f"folder: the path of a folder, not {self.folder!r:.80}"
        if self.store is not None and not isinstance(self.store, str | PurePath | Store):
            yield f"store: a store, or the path of one, not {self.store!r:.80}"


def settings_of(options: Mapping[str, Any]) -> Settings:
    """The options of a run as settings; a name that is none is a usage error like any other."""
    if unknown := sorted(set(options) - set(Options.__annotations__)):
        raise UsageError(
            *(f"run has no option {name!r}: there are {', '.join(Options.__annotations__)}" for name in unknown)
        )
    given = {name: value for name, value in options.items() if name != "trials" or value is not None}
    return Settings(**given, trials_given="trials" in given)


_LONGEST = 1_000_000_000


def _is_rule(value: object) -> bool:
    return callable(getattr(value, "problems", None)) and not isinstance(value, type)


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
