"""Finding what a user names on the command line, `file.py:name` or `module:name`, or saying why it isn't there."""

from __future__ import annotations

import sys
import traceback
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from passhat.errors import UsageError
from passhat.model.parts import nearest


def load(spec: str, *, what: str, default: str) -> Any:  # noqa: ANN401 - a user's object
    """The object that *spec* names; errors say *what* it should be, *default* is its name where none is given."""
    place, _, name = spec.rpartition(":") if ":" in spec else (spec, "", default)
    module = _from_file(Path(place), what) if place.endswith(".py") else _from_module(place, what)
    try:
        return _attribute(module, name)
    except AttributeError:
        public = [known for known in vars(module) if not known.startswith("_")]
        raise UsageError(f"{what} {spec!r}: {place} has no {name!r}{nearest(name, public)}") from None


def _attribute(module: ModuleType, name: str) -> Any:  # noqa: ANN401 - a user's object
    found: Any = module
    for part in name.split("."):
        found = getattr(found, part)
    return found


def _from_file(path: Path, what: str) -> ModuleType:
    if not path.is_file():
        raise UsageError(f"{what}: there is no file {path}")
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    known = sys.modules.get(path.stem)
    if known is not None and getattr(known, "__file__", None) == str(path.resolve()):
        return known
    spec = spec_from_file_location(path.stem, path.resolve())
    if spec is None or spec.loader is None:
        raise UsageError(f"{what}: {path} cannot be loaded as Python")
    module = module_from_spec(spec)
    sys.modules[path.stem] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[path.stem]
        raise _failed(error, what, str(path)) from error
    return module


def _from_module(place: str, what: str) -> ModuleType:
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        return import_module(place)
    except ModuleNotFoundError as error:
        if error.name and (place == error.name or place.startswith(f"{error.name}.")):
            hint = f"; is it a file? then write {place}.py:NAME" if Path(f"{place}.py").exists() else ""
            raise UsageError(f"{what}: there is no module {place!r} here{hint}") from None
        raise _failed(error, what, place) from error
    except (ValueError, TypeError):
        raise UsageError(f"{what}: write file.py:NAME or module:NAME, not {place!r}") from None
    except BaseException as error:
        raise _failed(error, what, place) from error


def _failed(error: BaseException, what: str, place: str) -> BaseException:
    """Why a user's file could not be run: its own complaint, and the line that it came from."""
    if isinstance(error, UsageError | KeyboardInterrupt):
        return error
    if isinstance(error, SyntaxError):
        return UsageError(f"{what}: {place} is not Python: {error.msg} (line {error.lineno})")
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "importlib" not in frame.filename]
    at = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    text = f": {error}" if str(error) else ""
    return UsageError(f"{what}: {place} raises {type(error).__name__}{text}{at}")
