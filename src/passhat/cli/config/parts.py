"""The parts that `passhat.toml` names: its grader, its conditions and its rules."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from passhat import api, graders
from passhat.cli.config.notes import Notes
from passhat.cli.load import load
from passhat.errors import UsageError
from passhat.faults import FAULTS
from passhat.faults.sets import SETS
from passhat.installed import Parts, catalogue
from passhat.model import grammar
from passhat.model.grammar import Argument, Term
from passhat.model.parts import configured, find
from passhat.perturbations import PERTURBATIONS

_NAME = re.compile(r"[A-Za-z_][\w-]*")
_UNDER = re.compile(r"(?P<claim>.*\sunder\s+)(?P<name>[A-Za-z_][\w-]*)\s*")
# These are made of functions or of other graders, which no text can name.
_IN_PYTHON = ("predicate", "conserves")


def beside(folder: Path, spec: str) -> str:
    """A name in Python, `file.py:name`, where a file lies in *folder*."""
    place, colon, name = spec.partition(":")
    return f"{folder / place}{colon}{name}" if place.endswith(".py") else spec


def grader_of(value: object, folder: Path, notes: Notes) -> Any:  # noqa: ANN401 - any grader
    """The grader that *value* names, a text, a table or a list of them; None where there is a problem."""
    if not isinstance(value, list):
        return notes.tried(("grader",), lambda: _grader(value, folder))
    if not value:
        notes.add(("grader",), "a list of graders names one or more")
        return None
    found = [notes.tried(("grader", at), partial(_grader, one, folder)) for at, one in enumerate(value)]
    return None if None in found else graders.all_of([one for one in found if one is not None])


def _grader(value: object, folder: Path) -> Any:  # noqa: ANN401 - as above
    if isinstance(value, str):
        made = [_named(term.name, _arguments(term), folder) for term in grammar.parse(value)]
        return made[0] if len(made) == 1 else graders.all_of(made)
    if not isinstance(value, dict) or ("name" in value) == ("python" in value):
        raise UsageError(
            "a grader is a text such as 'contains()', or a table with name and parameters, or with "
            f"python = 'file.py:name', not {value!r:.80}"
        )
    if "name" in value:
        return _named(value["name"], {key: each for key, each in value.items() if key != "name"}, folder)
    if len(value) > 1 or not isinstance(value["python"], str):
        raise UsageError("python names a grader or a function in Python, as file.py:name, and takes no parameters")
    found = load(beside(folder, value["python"]), what="grader", default="grader")
    if not hasattr(found, "grade") and not callable(found):
        raise UsageError(
            f"{value['python']} is a {type(found).__name__}, and no grader and no function of the evidence"
        )
    return found if hasattr(found, "grade") else graders.predicate(found)


def _named(name: object, settings: Mapping[str, Any], folder: Path) -> Any:  # noqa: ANN401 - as above
    known = Parts("graders", graders.GRADERS, graders.Grader)
    kind = find("grader", str(name), known)
    if kind.__module__.startswith("passhat.") and str(name).replace("-", "_") in (*_IN_PYTHON, "all_of"):
        hint = "write a list of graders" if name in {"all_of", "all-of"} else "name it with python = 'file.py:name'"
        raise UsageError(f"{name} is made in Python: {hint}")
    if isinstance(settings.get("like"), str):
        settings = {**settings, "like": graders.read_states(folder / settings["like"])}
    fields = [field.name for field in dataclasses.fields(kind)]
    placed = {
        fields[int(key)] if key.isdecimal() and int(key) < len(fields) else key: settings[key] for key in settings
    }
    return configured(f"grader {name}", kind, placed)


def _arguments(term: Term) -> dict[str, Any]:
    """The arguments of *term* by name; those without one are numbered."""
    if nested := [str(argument.value) for argument in term.arguments if isinstance(argument.value, Term)]:
        raise UsageError(f"{term}: {nested[0]} is no value here")
    return {argument.name or str(at): argument.value for at, argument in enumerate(term.arguments)}


def conditions_of(table: object, notes: Notes) -> dict[str, str]:
    """The conditions that have names, each as the text that it stands for."""
    if not isinstance(table, dict):
        notes.add(("conditions",), f"a table of names and conditions, not {table!r:.80}")
        return {}
    found = {}
    for name, value in table.items():
        path = ("conditions", name)
        text = notes.tried(path, partial(_condition, name, value))
        if text is not None:
            found[name] = text
    return found


def _condition(name: str, value: object) -> str:
    taken = name.replace("-", "_")
    if not _NAME.fullmatch(name):
        raise UsageError("a name is made of letters, digits, - and _, and begins with a letter")
    if taken in FAULTS or taken in PERTURBATIONS or taken in SETS or taken == grammar.CLEAN:
        raise UsageError(f"{name} is a name that passhat has itself: take another")
    if isinstance(value, dict) and value and all(isinstance(settings, dict) for settings in value.values()):
        terms = (Term(part, tuple(Argument(key, each) for key, each in its.items())) for part, its in value.items())
        value = " & ".join(map(str, terms))
    if not isinstance(value, str):
        raise UsageError(
            f"a text such as 'rate_limit(rate=0.2)', or a table such as rate_limit = {{rate = 0.2}}, not {value!r:.60}"
        )
    return catalogue().condition(value).name


def sound(condition: str) -> str:
    """*condition*, where there is such a one."""
    catalogue().conditions([condition], clean=False)
    return condition


def rule(text: str, conditions: Mapping[str, str]) -> str:
    """A rule's text, in which a named condition is written out, and which states a rule."""
    said = _UNDER.fullmatch(text)
    if said and said["name"] in conditions:
        text = f"{said['claim']}{conditions[said['name']]}"
    api.parse_rule(text)
    return text
