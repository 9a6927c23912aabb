"""Finding what a user names on the command line, `file.py:name` or `module:name`, or saying why it isn't there."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from contextlib import redirect_stdout
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from passhat.agents import adapter_for
from passhat.errors import UsageError
from passhat.model.parts import nearest
from passhat.model.task import Suite

_FEW = 50
_LIBRARIES = frozenset({"site-packages", "dist-packages"})
_KINDS: dict[str, Callable[[object], bool]] = {
    "suite": lambda value: isinstance(value, Suite),
    "agent": lambda value: not isinstance(value, type) and (callable(value) or adapter_for(value) is not None),
    "world": callable,
    "grader": lambda value: callable(value) or hasattr(value, "grade"),
}


def load(spec: str, *, what: str, default: str) -> Any:  # noqa: ANN401 - a user's object
    """The object that *spec* names; errors say *what* it should be, *default* is its name where none is given.

    What the user's file prints goes to standard error: standard output is for results.
    """
    place, _, name = spec.rpartition(":") if ":" in spec else (spec, "", "")
    with redirect_stdout(sys.stderr):
        module = _from_file(Path(place), what) if place.endswith(".py") else _from_module(place, what)
        try:
            return _attribute(module, name or default)
        except AttributeError:
            known = nearest(name or default, _offered(module, what))
            raise UsageError(f"{what} {spec!r}: {place} has no {name or default!r}{known}") from None


def _attribute(module: ModuleType, name: str) -> Any:  # noqa: ANN401 - a user's object
    found: Any = module
    for part in name.split("."):
        found = getattr(found, part)
    return found


def _offered(module: ModuleType, what: str) -> list[str]:
    """The names in *module* that may be meant: those of the right kind that it doesn't import, else all of its own."""
    own = [name for name, value in vars(module).items() if not name.startswith("_") and _made_in(module, value)]
    return [name for name in own if _KINDS[what](getattr(module, name))] or own


def _made_in(module: ModuleType, value: object) -> bool:
    """True for what *module* does not merely import; a suite or a framework's agent is never merely imported."""
    if isinstance(value, ModuleType):
        return False
    return (
        isinstance(value, Suite)
        or adapter_for(value) is not None
        or getattr(value, "__module__", module.__name__) == module.__name__
    )


def _let_import_from(folder: Path) -> None:
    """Let the user's files import each other: before installed packages, after Python's own modules."""
    if str(folder) not in sys.path:
        installed = (i for i, entry in enumerate(sys.path) if _LIBRARIES & set(Path(entry).parts))
        sys.path.insert(next(installed, len(sys.path)), str(folder))


def _from_file(path: Path, what: str) -> ModuleType:
    if not path.is_file():
        raise UsageError(f"{what}: there is no file {path}{_nearest_file(path)}")
    whole = path.resolve()
    _let_import_from(whole.parent)
    name = _free_name(whole)
    if name in sys.modules:
        return sys.modules[name]
    spec = spec_from_file_location(name, whole)
    if spec is None or spec.loader is None:
        raise UsageError(f"{what}: {path} cannot be loaded as Python")
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        raise _failed(error, what, str(path)) from error
    return module


def _free_name(path: Path) -> str:
    """The file's name for imports, or a longer one where another module has it already, as with a `json.py`."""
    for name in (path.stem, f"{path.parent.name}_{path.stem}"):
        taken = sys.modules.get(name)
        if getattr(taken, "__file__", None) == str(path) or (taken is None and name not in sys.stdlib_module_names):
            return name
    return str(path)


def _nearest_file(path: Path) -> str:
    beside = [str(near) for near in path.parent.glob("*.py")] if path.parent.is_dir() else []
    return nearest(str(path), beside) if len(beside) <= _FEW else ""


def _from_module(place: str, what: str) -> ModuleType:
    _let_import_from(Path.cwd())
    try:
        return import_module(place)
    except ModuleNotFoundError as error:
        if error.name and (place == error.name or place.startswith(f"{error.name}.")):
            hint = f"; is it a file? then write {place}.py:NAME" if Path(f"{place}.py").exists() else ""
            raise UsageError(f"{what}: there is no module {place!r} here{hint}") from None
        raise _failed(error, what, place) from error
    except (ValueError, TypeError) as error:
        if not place or place.startswith("."):
            raise UsageError(f"{what}: write file.py:NAME or module:NAME, not {place!r}") from None
        raise _failed(error, what, place) from error
    except BaseException as error:
        raise _failed(error, what, place) from error


def _failed(error: BaseException, what: str, place: str) -> BaseException:
    """Why a user's file could not be run: its own complaint, and the line that it came from."""
    if isinstance(error, KeyboardInterrupt):
        return error
    if isinstance(error, SyntaxError) and error.filename:
        return UsageError(f"{what}: {place} is not Python: {error.msg} at {Path(error.filename).name}:{error.lineno}")
    text = f": {error}" if str(error) else ""
    return UsageError(f"{what}: {place} raises {type(error).__name__}{text}{_at(error)}")


def _at(error: BaseException) -> str:
    """The innermost line of the user's own, or of whatever there is."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "importlib" not in frame.filename]
    own = [frame for frame in frames if not _LIBRARIES & set(Path(frame.filename).parts) and not _ours(frame.filename)]
    last = (own or frames)[-1:]
    return f" at {Path(last[0].filename).name}:{last[0].lineno}" if last else ""


def _ours(filename: str) -> bool:
    return Path(__file__).parents[1] in Path(filename).parents
