"""`passhat doctor`: what is installed, what an extra lacks, whether the store is sound. It changes nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click

from passhat.cli import options

_REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)(?:\[[^]]*])?(?P<wanted>[^;]*)(?:;.*extra == '(?P<extra>[\w-]+)')?.*")
_BOUND = re.compile(r"(>=|<)\s*([\d.]+)")
_SYSTEMS = {
    "Linux": ("ok", "tested in every build"),
    "Darwin": ("note", "macOS: expected to work, and not tested"),
    "Windows": ("bad", "Windows is not supported: take Linux, or WSL"),
}
_OTHER = ("note", "not tested")


class Finding(NamedTuple):
    """Something that was looked at: `ok`, a `note` that stops nobody, or `bad`."""

    state: str
    what: str
    says: str


@click.command()
@options.store
@options.output("what is to be mended")
def command(*, store: str, quiet: bool, as_json: bool) -> int:
    """Say what is installed, what is missing, and whether the store is sound. Exits 2 where something is to be mended.

    The store is opened to be read, all of it is checked, and nothing is changed.
    """
    import json
    from importlib.metadata import requires

    from passhat.cli import output
    from passhat.errors import ExitCode

    findings = [*_python(), *packages(requires("passhat") or (), _installed), *_store(store)]
    if as_json:
        output.line(json.dumps({"findings": [found._asdict() for found in findings]}))
    else:
        output.write("".join(_line(found) for found in findings if found.state == "bad" or not quiet))
    return ExitCode.USAGE if any(found.state == "bad" for found in findings) else ExitCode.PASS


def _line(found: Finding) -> str:
    mark = {"ok": "ok", "note": "-", "bad": "BAD"}[found.state]
    return f"{mark:<4}{found.what:<22} {found.says}\n"


def _python() -> Iterator[Finding]:
    """The versions of passhat and of Python, and the platform."""
    import platform

    yield Finding("ok", "passhat", _installed("passhat") or "from a source tree that was never installed")
    yield Finding("ok", "Python", platform.python_version())  # an older one than 3.11 gets not as far as here
    yield system(platform.system(), platform.machine())


def system(name: str, machine: str) -> Finding:
    """What is known of a platform."""
    state, says = _SYSTEMS.get(name, _OTHER)
    return Finding(state, f"{name} {machine}", says)


def _installed(name: str) -> str | None:
    """The version of an installed package."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return None


def packages(requirements: Iterable[str], installed: Callable[[str], str | None]) -> Iterator[Finding]:
    """What passhat needs, and what its extras need; those of its own development are nobody else's."""
    lacking: dict[str, list[str]] = {}
    there: dict[str, list[str]] = {}
    for requirement in requirements:
        read = _REQUIREMENT.fullmatch(requirement)
        if read is None or read["extra"] == "dev":
            continue
        name, wanted, extra = read["name"], read["wanted"].strip(" ()"), read["extra"]
        version = installed(name)
        if extra is None:
            yield _needed(name, wanted, version)
        elif version is None or not fits(version, wanted):
            lacking.setdefault(extra, []).append(f"{name}{wanted}" + (f" (there is {version})" if version else ""))
        else:
            there.setdefault(extra, []).append(f"{name} {version}")
    for extra in sorted({*there, *lacking}):
        if extra in lacking:
            says = f"needs {', '.join(lacking[extra])}: pip install 'passhat[{extra}]'"
            yield Finding("note", f"extra {extra}", says)
        else:
            yield Finding("ok", f"extra {extra}", ", ".join(there[extra]))


def _needed(name: str, wanted: str, version: str | None) -> Finding:
    if version is not None and fits(version, wanted):
        return Finding("ok", name, version)
    there = f"there is {version}, and" if version else "it is not installed:"
    return Finding("bad", name, f"{there} passhat needs {name}{wanted}: pip install --upgrade passhat")


def fits(version: str, wanted: str) -> bool:
    """Whether *version* lies within bounds such as `<4,>=3.2`; other kinds of bounds are left to pip."""
    have = _numbers(version)
    return all((have >= _numbers(bound)) == (sign == ">=") for sign, bound in _BOUND.findall(wanted))


def _numbers(version: str) -> tuple[int, ...]:
    """The numbers that a version begins with; `3.2` is `3.2.0`."""
    found = re.match(r"\d+(?:\.\d+)*", version)
    numbers = [int(number) for number in found[0].split(".")] if found else []
    return tuple((*numbers, 0, 0, 0, 0)[:4])


def _store(place: str) -> Iterator[Finding]:
    """Whether the store can be opened, and is as it was written."""
    from passhat import api
    from passhat.cli import output
    from passhat.errors import PasshatError

    shown = f"store {output.without_password(place)}"
    if "://" not in place and not Path(place).exists():
        yield Finding("note", shown, "there is none yet: 'passhat run' makes one")
        return
    try:
        store: Any = api.open_store(place, create=False)
        runs = store.runs()
        damage = store.damage() if hasattr(store, "damage") else ()
    except PasshatError as error:
        yield Finding("bad", shown, output.one_line(str(error)))
        return
    trials = sum(run.stored for run in runs)
    yield from (Finding("bad", shown, output.one_line(problem)) for problem in damage)
    if not damage:
        yield Finding("ok", shown, f"{len(runs):,} {'run' if len(runs) == 1 else 'runs'}, {trials:,} trials, sound")
