"""The suite and the agent of a command, from what was typed and from `passhat.toml`; what is typed wins."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from passhat.cli.problems import Problems

if TYPE_CHECKING:
    from passhat.cli.config import Config

_UNDER = re.compile(r"(?P<claim>.*\sunder\s+)(?P<name>\S+)\s*")


def with_file(
    context: click.Context, given: Mapping[str, Any], problems: Problems
) -> tuple[dict[str, Any], Config | None]:
    """The options of `run`, where the file says what nobody has typed, and what the file says."""
    config = _read(given, problems)
    if config is None:
        return dict(given), None
    usual = click.core.ParameterSource.DEFAULT
    said = {name: value for name, value in config.given.items() if context.get_parameter_source(name) is usual}
    merged = _with_agent({**given, **said}, config)
    merged["under"] = tuple(config.conditions.get(text, text) for text in merged["under"])
    merged["require"] = tuple(_written_out(text, config.conditions) for text in merged["require"])
    return merged, config


def loaded(given: Mapping[str, Any], problems: Problems) -> tuple[Any, Any]:
    """The suite and the agent of a command that takes nothing else from the file."""
    config = _read(given, problems)
    return made(given if config is None else _with_agent(given, config), problems, config)


def _read(given: Mapping[str, Any], problems: Problems) -> Config | None:
    """What the file says that is named as the suite; None where the suite is in Python."""
    if not given["suite"].endswith(".toml"):
        return None
    from passhat.cli.config import read

    config = read(Path(given["suite"]))
    problems.extend(config.problems)
    return config


def _with_agent(given: Mapping[str, Any], config: Config) -> dict[str, Any]:
    """The options with the file's agent, where none was typed; what it is called may be typed all the same."""
    if given["agent"] is not None or given["command"] is not None:
        return dict(given)
    typed = {name: value for name in ("label", "agent_version") if (value := given.get(name))}
    return {**given, **config.agent, **typed}


def _written_out(rule: str, conditions: Mapping[str, str]) -> str:
    """A rule's text, with the condition that a name in it stands for."""
    said = _UNDER.fullmatch(rule)
    return f"{said['claim']}{conditions[said['name']]}" if said and said["name"] in conditions else rule


def made(given: Mapping[str, Any], problems: Problems, config: Config | None) -> tuple[Any, Any]:
    """The suite and the agent; what cannot be loaded is a problem, and something sound stands in for it."""
    from passhat.cli.agents import agent_of

    suite = _suite(given, problems, config)
    if config is not None and config.problems and not config.agent:
        return suite, anybody  # the file's problems tell of it
    more = Problems()
    agent = more.noted(lambda: agent_of(given), anybody)
    if config is not None and "agent_options" in given:
        problems.extend(f"{config.at_agent}: {problem.removeprefix('agent: ')}" for problem in more)
    else:  # a file that holds both, and fails, is one problem
        problems.extend(problem for problem in more if problem.replace("agent", "suite", 1) not in problems)
    return suite, agent


def _suite(given: Mapping[str, Any], problems: Problems, config: Config | None) -> Any:  # noqa: ANN401 - a stand-in too
    from passhat import Suite, Task, graders
    from passhat.cli.load import load
    from passhat.engine.check import no_suite

    sound = Suite(tasks=[Task("task", "text", expect="text")], grader=graders.equals())
    if config is not None:
        return sound if config.suite is None else config.suite
    suite = problems.noted(lambda: load(given["suite"], what="suite", default="suite"), sound)
    if not isinstance(suite, Suite):
        problems.append(f"suite {given['suite']!r}: {no_suite(suite)}")
        suite = sound
    return suite


def anybody(message: object, tools: object) -> object:
    """The agent that stands in for one that could not be loaded; it is never run."""
    del tools
    return message
