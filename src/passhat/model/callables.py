"""What can be known of a user's callable without calling it: whether it is async, and what it is called."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from passhat.model.digest import digest
from passhat.model.plain import described

_LONGEST = 10_000


def bare(function: Callable[..., Any]) -> Callable[..., Any]:
    """*function* without the `functools.partial`s around it."""
    while isinstance(function, functools.partial):
        function = function.func
    return function


def is_async(function: Callable[..., Any]) -> bool:
    """True for an async function, also behind `functools.partial` or as a `__call__`."""
    function = bare(function)
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__)


def is_generator(function: Callable[..., Any]) -> bool:
    """True for a function with `yield` in it, sync or async, whose body does not run when it is called."""
    function = bare(function)
    return any(
        test(each)
        for test in (inspect.isgeneratorfunction, inspect.isasyncgenfunction)
        for each in (function, type(function).__call__)
    )


def label(function: Callable[..., Any]) -> str:
    """The name of a function, or how an object describes itself where it has a description of its own."""
    function = bare(function)
    if hasattr(function, "__qualname__"):
        return f"{function.__module__}.{function.__qualname__}"
    if "__repr__" in vars(type(function)):
        return described(function, _LONGEST)
    return f"{type(function).__module__}.{type(function).__qualname__}"


def source_digest(function: Callable[..., Any]) -> str:
    """A digest of a function's source, or of its code where there is no source to read."""
    function = bare(function)
    try:
        return digest(inspect.getsource(function))
    except (OSError, TypeError):
        code = getattr(function, "__code__", None)
        return digest(code.co_code.hex() if code else label(function))
