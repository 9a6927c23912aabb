"""A table of prices as a person writes it: TOML, a section for each model."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from math import isfinite
from pathlib import Path
from typing import Any

from passhat.engine.budget import Price
from passhat.errors import UsageError

_KINDS = ("input", "output")
_FORM = 'a section for each model, ["NAME"] with input = 2.5 and output = 10.0, per million tokens'


def read_prices(path: str | None) -> dict[str, Price]:
    """The prices that stand in the file at *path*; whatever is wrong in it is said at once."""
    if path is None:
        return {}
    try:
        table = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"--prices {path}: it cannot be read: {error.strerror or error}") from error
    except ValueError as error:  # no TOML, or no UTF-8
        raise UsageError(f"--prices {path}: it is no TOML: {error}; write {_FORM}") from error
    problems = [f"--prices {path}: {problem}" for problem in _problems(table)]
    if problems or not table:
        raise UsageError(*problems or [f"--prices {path}: there is no price in it; write {_FORM}"])
    return {model: Price(input=float(price["input"]), output=float(price["output"])) for model, price in table.items()}


def _problems(table: Mapping[str, Any]) -> Iterator[str]:
    for model, price in table.items():
        if not isinstance(price, dict):
            yield f"{model!r} is no section; write {_FORM}"
            continue
        for kind in sorted({*_KINDS, *price}):
            if kind not in _KINDS:
                yield f"{model!r} has a {kind!r}, which is no price: there are input and output"
            elif kind not in price:
                yield f"{model!r} has no {kind}: what do a million {kind} tokens cost?"
            elif not _is_price(price[kind]):
                yield f"{model!r}: {kind} is a number from 0 on, not {price[kind]!r:.80}"


def _is_price(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value) and value >= 0
