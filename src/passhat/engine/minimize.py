"""The smallest set of faults, calls and wordings with which a stored trial still fails.

An agent may draw, so one trial proves nothing: each set is tried until its share of failures lies on one side of the
rate that was asked for, or its tries are over. What cannot be decided counts as not failing, so a suspect is left out
only where the rest was seen to fail.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from passhat.engine.ddmin import ddmin
from passhat.engine.replay import Remaking
from passhat.engine.scales import Scales, part_of
from passhat.engine.settings import Minimizing
from passhat.engine.written import written
from passhat.errors import UsageError
from passhat.model.minimal import Decision, Minimal, Tried
from passhat.model.outcome import Outcome
from passhat.model.run import Run
from passhat.model.trial import Trial

Make = Callable[[Sequence[int], int], Sequence[Trial]]


class Asked(NamedTuple):
    """What is asked of the search: see `Minimizing`."""

    rate: float = 0.5
    confidence: float = 0.95
    tries: int = 40
    make: Make | None = None

    def problems(self) -> Iterator[str]:
        """What is wrong with the numbers, one sentence each."""
        wrong = False
        for name, value in (("rate", self.rate), ("confidence", self.confidence)):
            if not _is_share(value):
                wrong = True
                yield f"{name}: a number above 0 and below 1, not {value!r}"
        if isinstance(self.tries, bool) or not isinstance(self.tries, int) or self.tries < 1:
            yield f"tries: a whole number from 1 on, not {self.tries!r}"
        elif not wrong and not Scales(self.rate, part_of(self.confidence, 2)).reaches_both(self.tries):
            yield (
                f"tries: {self.tries:,} are too few at a rate of {self.rate:g} and a confidence of "
                f"{self.confidence:g}: even where all end alike, one of the two answers is out of reach; allow more"
            )


def asking(run: Run, trial: Trial, options: Mapping[str, Any]) -> tuple[Asked, dict[str, Any]]:
    """What is asked of the search, and the options that are left; refused where *trial* leaves nothing to search."""
    asked = Asked(**{name: value for name, value in options.items() if name in Asked._fields})
    known = Minimizing.__optional_keys__
    unknown = [
        f"minimize has no option {name!r}: there are {', '.join(sorted(known))}"
        for name in sorted(options)
        if name not in known
    ]
    problems = [*unknown, *asked.problems(), *_unfit(run, trial)]
    if problems:
        raise UsageError(*problems)
    return asked, {name: value for name, value in options.items() if name not in Asked._fields}


def minimized(remaking: Remaking, asked: Asked) -> Minimal:
    """What the search comes to: first without any suspect, then with all, then with ever fewer."""
    suspects = remaking.suspects
    if not suspects:
        raise UsageError(
            f"{_named(remaking.stored)} met no fault and no other wording, so there is nothing to leave out: "
            "'passhat replay' makes it again as it was"
        )

    def here(numbers: Sequence[int], times: int) -> Sequence[Trial]:
        return remaking.trials(numbers, times=times)

    search, everything = Search(asked.make or here, asked), tuple(one.number for one in suspects)
    numbers = _smallest(everything, search.fails)
    return Minimal(
        suspects=suspects,
        tried=tuple(search.tried),
        numbers=numbers,
        rate=asked.rate,
        confidence=asked.confidence,
        condition=written(remaking, numbers, search.witness(numbers)) if numbers else "",
    )


def _smallest(everything: tuple[int, ...], fails: Callable[[tuple[int, ...]], bool]) -> tuple[int, ...] | None:
    """None where not even all suspects together fail."""
    if fails(()):
        return ()
    return ddmin(everything, fails) if fails(everything) else None


class Search:
    """Tries sets of suspects, and keeps what came of each."""

    def __init__(self, make: Make, asked: Asked) -> None:
        """A search that has tried nothing; *make* makes the trials of a set."""
        self._make = make
        self._asked = asked
        self._trials = 0
        self._failed: dict[tuple[int, ...], Trial] = {}
        self.tried: list[Tried] = []

    def fails(self, numbers: tuple[int, ...]) -> bool:
        """True where the set with these *numbers* is known to fail."""
        confidence = part_of(self._asked.confidence, len(self.tried) + 1)
        made = self._made(numbers, Scales(self._asked.rate, confidence))
        self.tried.append(_weighed(numbers, made, Scales(self._asked.rate, confidence)))
        if self.tried[-1].decision is not Decision.FAILS:
            return False
        self._failed[numbers] = next(trial for trial in made if _fell(trial))
        return True

    def witness(self, numbers: tuple[int, ...]) -> Trial:
        """A trial of a set that fails, one that did."""
        return self._failed[numbers]

    def _made(self, numbers: tuple[int, ...], scales: Scales) -> Sequence[Trial]:
        """Trials of a set: no more than its decision takes, as many at a time as it takes at the least."""
        made: list[Trial] = []
        while True:
            failed, n = _counted(made)
            decided = scales.decide(failed, n) is not Decision.OPEN
            if decided or (made and not n):  # the surroundings spoil them all: more would be more of the same
                return made
            wanted = scales.least(failed, n, most=self._asked.tries - len(made))
            if wanted is None:
                return made
            made += self._more(numbers, wanted)

    def _more(self, numbers: tuple[int, ...], wanted: int) -> Sequence[Trial]:
        try:
            trials = self._make(numbers, wanted)
        except KeyboardInterrupt as stopped:
            raise KeyboardInterrupt(self._stopped()) from stopped
        self._trials += len(trials)
        return trials

    def _stopped(self) -> str:
        """How far it has come."""
        failing = [len(one.numbers) for one in self.tried if one.decision is Decision.FAILS]
        best = f"; the smallest set that was seen to fail has {min(failing):,}" if failing else ""
        return f"the search was stopped after {self._trials:,} trials; nothing was kept{best}"


def _weighed(numbers: tuple[int, ...], made: Sequence[Trial], scales: Scales) -> Tried:
    failed, n = _counted(made)
    low, high = scales.interval(failed, n)
    return Tried(
        numbers=numbers,
        failed=failed,
        n=n,
        void=len(made) - n,
        decision=scales.decide(failed, n),
        confidence=scales.confidence,
        low=low,
        high=high,
        why=next((trial.detail for trial in made if trial.outcome is Outcome.VOID), ""),
    )


def _counted(made: Collection[Trial]) -> tuple[int, int]:
    """How many did not pass, of how many that were not void."""
    return sum(map(_fell, made)), sum(trial.outcome is not Outcome.VOID for trial in made)


def _fell(trial: Trial) -> bool:
    """True for a trial that neither passed nor was void."""
    return trial.outcome not in {Outcome.PASS, Outcome.VOID}


def _unfit(run: Run, trial: Trial) -> Iterator[str]:
    """Why there is nothing to search for in this trial."""
    if trial.outcome is Outcome.PASS:
        yield f"{_named(trial)} passed: name one that failed ('passhat show {run.header.id} {trial.task_id}' finds one)"
    if trial.outcome is Outcome.VOID:
        why = f" ({trial.detail})" if trial.detail else ""
        yield f"{_named(trial)} is void{why}, which says nothing about the agent: name one that failed"
    if trial.faults_left_out:
        yield (
            f"{_named(trial)} met {trial.faults_left_out:,} faults more than were kept, so they cannot be told apart: "
            "name another that failed"
        )


def _named(trial: Trial) -> str:
    return f"trial {trial.index} of task {trial.task_id!r} under {trial.condition}"


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1
