"""From what a user writes for conditions, objects or text, to conditions whose parts can act."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import chain
from typing import Any

from passhat import faults, perturbations
from passhat.errors import UsageError
from passhat.faults.base import bind as bind_fault
from passhat.model.condition import Condition, Fault, Injection, Part, Perturbation
from passhat.model.grammar import Term
from passhat.model.parts import exactly, nearest
from passhat.model.run import Header
from passhat.perturbations.base import bind as bind_perturbation


class Catalogue:
    """The faults and perturbations that a text may name: the built-in ones and those of installed packages."""

    __slots__ = ("_faults", "_perturbations")

    def __init__(
        self, known_faults: Mapping[str, Any] | None = None, known_perturbations: Mapping[str, Any] | None = None
    ) -> None:
        """The parts that are known by name; without a word, the built-in ones."""
        self._faults = faults.FAULTS if known_faults is None else known_faults
        self._perturbations = perturbations.PERTURBATIONS if known_perturbations is None else known_perturbations

    def bind(self, term: Term) -> Part:
        """The part that *term* describes."""
        if term.name in self._faults:
            return bind_fault(self._faults[term.name], term)
        if term.name in self._perturbations:
            return bind_perturbation(self._perturbations[term.name], term)
        known = [*self._faults, *self._perturbations, *faults.sets.SETS]
        hint = nearest(term.name, known)
        if term.name in faults.sets.SETS:
            hint = ": it is a set, which is named alone, because each of its faults is a condition of its own"
        raise UsageError(f"there is no fault or perturbation called {term.name!r}{hint}")

    def condition(self, given: object) -> Condition:
        """The condition that *given* means: a text, a part, or a condition."""
        if isinstance(given, str):
            if not given.strip():
                raise UsageError(
                    "under: a condition has a name, and this text is empty; 'clean' is the one without faults"
                )
            given = Condition.parse(given)
        if isinstance(given, Condition):
            return Condition(self.bind(part) if isinstance(part, Term) else part for part in given.parts)
        if isinstance(given, Injection | Perturbation) and not isinstance(given, type):
            return Condition((given,))
        if isinstance(given, Fault) and not isinstance(given, type):
            return Condition((Injection(given, given.usual_dose),))
        hint = "; call it: " + given.__name__ + "(...)" if isinstance(given, type) else ""
        raise UsageError(f"under: a fault, a perturbation or their text, not {given!r:.80}{hint}")

    def stored(self, text: str, header: Header) -> str:
        """The condition of the run with *header* that *text* means: as it is stored, or as a run would read it."""
        known = {name: name for name in header.conditions}
        if text in known:  # it may be a name that another tool gave, and that nobody here could read
            return text
        name = Condition.parse(text).name
        if name not in known:
            with suppress(UsageError):  # a part that nobody knows is none of the run's
                name = self.condition(text).name
        return exactly(f"condition in run {header.id}", name, known)

    def conditions(self, under: object, *, clean: bool) -> tuple[Condition, ...]:
        """All conditions of a run, the clean one first; every problem at once."""
        if isinstance(under, str | Condition | Part) or not isinstance(under, Iterable):
            under = (under,)
        found = [Condition()] if clean else []
        problems: list[str] = []
        for given, in_a_set in chain.from_iterable(_members(named) for named in under):
            try:
                condition = self.condition(given)
            except UsageError as error:
                problems.extend(_placed(problem, given) for problem in error.problems)
            else:
                known = (condition.is_clean and clean) or (in_a_set and condition in found)  # sets may overlap
                found.extend([] if known else [condition])
        if not found and not problems:
            problems.append("there is no condition to run under: keep the clean one, or name one with under=")
        if problems:
            raise UsageError(*problems)
        return tuple(found)


def _members(given: object) -> Iterable[tuple[object, bool]]:
    """What *given* means: each fault of the set that it names, or *given* alone; and whether that is a set's."""
    members = faults.sets.SETS.get(given.strip()) if isinstance(given, str) else None
    return ((given, False),) if members is None else ((member, True) for member in members)


def _placed(problem: str, given: object) -> str:
    """*problem*, with the text that it is about where it does not show it by itself."""
    shown = not isinstance(given, str) or not given.strip() or given in problem or repr(given) in problem
    return problem if shown else f"under {given!r}: {problem}"
