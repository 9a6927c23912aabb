"""What all parts folders share: a part's name, its text, and finding a part by its name.

A part is a frozen dataclass. Its name is its class's in snake case; its term lists the parameters that differ from
their defaults.
"""

from __future__ import annotations

import dataclasses
import difflib
import re
from collections.abc import Iterable, Mapping
from enum import EnumMeta
from math import inf
from typing import Any, TypeVar, get_type_hints

import msgspec

from passhat.errors import UsageError
from passhat.model.grammar import Argument, Term
from passhat.model.numbers import typed_number

T = TypeVar("T")


def part_name(kind: type) -> str:
    """The public name of a part's class: `RateLimit` is `rate_limit`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", kind.__name__).lower()


def part_term(part: Any, *, bare: str = "") -> Term:  # noqa: ANN401 - any dataclass
    """The text of *part*: its parameters where they differ from the default; *bare* names one written without name."""
    arguments = []
    for field in dataclasses.fields(part):
        value = getattr(part, field.name)
        if field.name == bare or value != field.default:
            arguments.append(Argument("" if field.name == bare else field.name, value))
    return Term(part_name(type(part)), tuple(arguments))


def build(kind: type[T], term: Term, *, bare: str = "") -> T:
    """The part that *term* describes; a wrong parameter is named, with the ones that there are."""
    known = [field.name for field in dataclasses.fields(kind)]  # type: ignore[arg-type]
    given: dict[str, Any] = {}
    for argument in term.arguments:
        name = argument.name or bare
        if name not in known:
            raise UsageError(f"{term}: {part_name(kind)} takes {_listed(known)}, not {name or 'a bare value'}")
        given[name] = argument.value
    needed = [field.name for field in dataclasses.fields(kind) if _is_needed(field) and field.name not in given]  # type: ignore[arg-type]
    if needed:
        example = ", ".join("0.1" if name == bare else f"{name}=…" for name in needed)
        raise UsageError(f"{term}: {part_name(kind)} needs {_listed(needed)}: write {part_name(kind)}({example})")
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        raise UsageError(f"{term}: {error}".replace(" - at `$.", " for `") + _choices(kind, str(error))) from None


def _choices(kind: type, error: str) -> str:
    """What may be chosen instead, where what *error* refuses belongs to a closed set."""
    hint = get_type_hints(kind).get(error.rpartition("`$.")[2].rstrip("`"))
    return f": it is one of {_listed(hint)}" if isinstance(hint, EnumMeta) else ""


def _is_needed(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def find(what: str, name: str, known: Mapping[str, T]) -> T:
    """The part called *name*, in which `-` is as good as `_`, or an error with the nearest names there are."""
    return exactly(what, name.replace("-", "_") if isinstance(name, str) else name, known)


def exactly(what: str, name: str, known: Mapping[str, T]) -> T:
    """What is called *name*, letter by letter, or an error with the nearest names there are."""
    if name in known:
        return known[name]
    raise UsageError(f"there is no {what} called {name!r}{nearest(name, known)}")


def configured(what: str, kind: type[T], settings: Mapping[str, object]) -> T:
    """The part of this kind with these settings, which may be texts as they are typed.

    A complaint about one setting begins with its name and a colon, so that whoever typed it as an option finds it.
    """
    known = [field.name for field in dataclasses.fields(kind)]  # type: ignore[arg-type]
    unknown = [name for name in settings if name not in known]
    if unknown:
        raise UsageError(*(f"the {what} has no setting {name!r}{nearest(name, known)}" for name in unknown))
    try:
        return msgspec.convert(_with_numbers(kind, settings), kind, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError(f"the {what}: {error}".replace(" - at `$.", " for `")) from None


def _with_numbers(kind: type[Any], settings: Mapping[str, object]) -> dict[str, object]:
    """The settings, in which a text that stands for a number is that number."""
    wanted = {field.name: _number_type(field.type) for field in msgspec.inspect.type_info(kind).fields}  # type: ignore[attr-defined]
    read, problems = dict(settings), []
    for name, value in settings.items():
        number_type = wanted[name]
        if number_type is None or not isinstance(value, str):
            continue
        number = typed_number(value)
        if number is None or not _lies_within(number, number_type):
            problems.append(f"{name}: a number{_range(number_type)}, such as 0.5 or 50%, not {value!r}")
        read[name] = number
    if problems:
        raise UsageError(*problems)
    return read


def _number_type(kind: msgspec.inspect.Type) -> msgspec.inspect.FloatType | None:
    """What a field that takes a number with a fraction, and no text, says of it."""
    kinds = kind.types if isinstance(kind, msgspec.inspect.UnionType) else (kind,)
    if any(isinstance(one, msgspec.inspect.StrType | msgspec.inspect.AnyType) for one in kinds):
        return None
    return next((one for one in kinds if isinstance(one, msgspec.inspect.FloatType)), None)


def _lies_within(number: float, kind: msgspec.inspect.FloatType) -> bool:
    """True from the type's `ge` to its `le`, where it has them; NaN lies nowhere."""
    low, high = (-inf if kind.ge is None else kind.ge), (inf if kind.le is None else kind.le)
    return low <= number <= high


def _range(kind: msgspec.inspect.FloatType) -> str:
    low = "" if kind.ge is None else f" from {kind.ge:g}"
    return low if kind.le is None else f"{low} to {kind.le:g}"


def nearest(name: str, known: Iterable[str]) -> str:
    """Words that help somebody who mistyped *name*."""
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    if close:
        return f": did you mean {_listed(close)}?"
    return f": there are {_listed(names)}" if names else ""


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "no parameters"
