"""Graders: what says whether a trial passed. One file a grader, and one line here."""

from __future__ import annotations

from passhat.graders.base import Grader
from passhat.graders.contains import Contains
from passhat.graders.equals import Equals
from passhat.graders.predicate import Predicate

contains = Contains
equals = Equals
predicate = Predicate

GRADERS: dict[str, type[Grader]] = {
    "contains": Contains,
    "equals": Equals,
    "predicate": Predicate,
}

__all__ = ["GRADERS", "Contains", "Equals", "Grader", "Predicate", "contains", "equals", "predicate"]
