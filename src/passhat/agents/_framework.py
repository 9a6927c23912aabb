"""What the adapters for frameworks have in common: how one is loaded, what it is asked, and what it answers.

No framework is named or imported here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any, NamedTuple, Protocol

from passhat.errors import UsageError
from passhat.model.answer import Usage
from passhat.model.plain import as_json, plain
from passhat.model.tools import ToolSpec


class Framework(NamedTuple):
    """A package that users install by themselves: its name for people, for pip and for imports, and our extra."""

    title: str
    package: str
    module: str
    extra: str


class Tools(Protocol):
    """The tools of one trial, as an adapter whose agent has tools of its own holds them."""

    def __specs__(self) -> Sequence[ToolSpec]: ...
    def __bind__(self, name: str, own: Callable[..., Any] | None) -> Callable[..., Any]: ...


def loaded(framework: Framework, part: str) -> Any:  # noqa: ANN401 - a module
    """Our module *part*, which imports *framework*; where that is not there or lacks something, the error says so."""
    pip = f"pip install 'passhat[{framework.extra}]'"
    try:
        return import_module(f"passhat.agents.{part}")
    except ImportError as error:
        if not _is_there(framework.module):
            raise UsageError(f"{framework.title} is not installed: {pip}") from None
        raise UsageError(
            f"{framework.package} {_version(framework.package)} is not one that passhat can guard ({error}): {pip}"
        ) from error


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "as it is"


def usage(counts: Iterable[tuple[int, int]], models: Iterable[str]) -> Usage | None:
    """What all calls of the models cost together; None where no model said so. One model's name is kept."""
    counted = list(counts)
    if not any(given or written for given, written in counted):
        return None
    named = sorted(set(models))
    return Usage(
        input_tokens=sum(given for given, _ in counted),
        output_tokens=sum(written for _, written in counted),
        model=named[0] if len(named) == 1 else "",
    )


def jsonable(value: object) -> Any:  # noqa: ANN401 - JSON is what it is
    """*value* as JSON, as the frameworks themselves would write it: the fields of a model, not the look of one."""
    from pydantic_core import to_jsonable_python  # all of the frameworks bring it

    try:
        return to_jsonable_python(value, fallback=plain)
    except Exception:  # noqa: BLE001 - a fence: a user's model may do anything when it is written
        return plain(value)


def reply_text(reply: object) -> str:
    """What a tool of the world replies, as a model reads it."""
    return reply if isinstance(reply, str) else as_json(reply).decode()


class Own:
    """An agent's own tool behind the guard: the guard is shown its reply as JSON, the agent gets the reply itself."""

    __slots__ = ("_call", "_reply", "_shown", "failed")

    def __init__(self, call: Callable[[], Any]) -> None:
        """The tool, called with what the agent gave: *call* gives its reply, or what is to be awaited for it."""
        self._call = call
        self._shown: Any = self  # nothing that a guard could give back
        self._reply: Any = None
        self.failed = False

    async def __call__(self, **_: object) -> Any:  # noqa: ANN401 - tools return what they like
        """Call it; the arguments are known already, as the framework has read them."""
        self.failed = True
        return self._took(await self._call())

    def blocking(self, **_: object) -> Any:  # noqa: ANN401 - as above
        """The same for an agent that blocks its thread."""
        self.failed = True
        return self._took(self._call())

    def _took(self, reply: object) -> Any:  # noqa: ANN401 - JSON is what it is
        shown = plain(reply) if hasattr(reply, "__next__") else jsonable(reply)  # what is read once is the agent's
        self._reply, self._shown, self.failed = reply, shown, False
        return self._shown

    def given(self, told: object, *, written: Callable[[object], object] = lambda told: told) -> Any:  # noqa: ANN401
        """What the agent gets where the guard says that it is *told* this: the tool's own reply, or *written* anew."""
        return self._reply if told is self._shown else written(told)


def named(mapping: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a call as JSON, by their names."""
    return {str(name): jsonable(value) for name, value in mapping.items()}
