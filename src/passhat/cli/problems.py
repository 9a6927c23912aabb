"""Collecting what is wrong with a command line, so that all of it is said at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from passhat.errors import UsageError

T = TypeVar("T")


class Problems(list[str]):
    """What is wrong with a command line, so that all of it is said at once."""

    def noted(self, make: Callable[[], T], default: T) -> T:
        """What *make* gives, or *default* with its complaints noted."""
        try:
            return make()
        except UsageError as error:
            self.extend(error.problems)
            return default

    def refuse(self) -> None:
        """Raise one error that says all of it; nothing where there is no problem."""
        if self:
            raise UsageError(*dict.fromkeys(self))
