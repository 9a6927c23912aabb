"""Graders: what says whether a trial passed. One file a grader, and one line here.

Beside them stands `Declared`, which a suite says of the tools that graders and readers look at.
"""

from __future__ import annotations

from passhat.graders._accepted import accepted_states, read_states, states_text
from passhat.graders.all_of import AllOf
from passhat.graders.at_most_once import AtMostOnce
from passhat.graders.base import Grader
from passhat.graders.before import Before
from passhat.graders.conserves import Conserves
from passhat.graders.contains import Contains
from passhat.graders.end_state import EndState
from passhat.graders.equals import Equals
from passhat.graders.never import Never
from passhat.graders.predicate import Predicate
from passhat.model.ledger import Declared

all_of = AllOf
at_most_once = AtMostOnce
before = Before
conserves = Conserves
contains = Contains
end_state = EndState
equals = Equals
never = Never
predicate = Predicate

GRADERS: dict[str, type[Grader]] = {
    "contains": Contains,
    "equals": Equals,
    "predicate": Predicate,
    "end_state": EndState,
    "at_most_once": AtMostOnce,
    "before": Before,
    "never": Never,
    "conserves": Conserves,
    "all_of": AllOf,
}

__all__ = [
    "GRADERS",
    "AllOf",
    "AtMostOnce",
    "Before",
    "Conserves",
    "Contains",
    "Declared",
    "EndState",
    "Equals",
    "Grader",
    "Never",
    "Predicate",
    "accepted_states",
    "all_of",
    "at_most_once",
    "before",
    "conserves",
    "contains",
    "end_state",
    "equals",
    "never",
    "predicate",
    "read_states",
    "states_text",
]
