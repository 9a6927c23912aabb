"""Every command and every option is documented, and nothing is said twice."""

import click
import pytest

from passhat.cli import COMMANDS
from passhat.cli import passhat as group
from tests.cli.said import Passhat

# Commands that no trial is needed for.
WITHOUT_TRIALS = {"init", "plan"}


def command(name: str) -> click.Command:
    """The command of this name, loaded."""
    found = group.get_command(click.Context(group), name)
    assert found is not None
    return found


@pytest.mark.parametrize("name", COMMANDS)
def test_command_says_what_it_does(name: str) -> None:
    """Each command's help, and its line in the list, is a sentence."""
    _, line = COMMANDS[name]
    first = (command(name).help or "").split("\n\n", maxsplit=1)[0]

    for sentence in (first, line):
        assert sentence[:1].isupper()
        assert sentence.endswith(".")


@pytest.mark.parametrize("name", COMMANDS)
def test_option_says_what_it_does(name: str) -> None:
    """Each option has a help text, and each argument stands in the help of its command."""
    loaded = command(name)
    options = [parameter for parameter in loaded.params if isinstance(parameter, click.Option)]
    arguments = [parameter for parameter in loaded.params if isinstance(parameter, click.Argument)]

    assert options
    assert [option.name for option in options if not (option.help or "")[:1].isupper()] == []
    for word in (word for argument in arguments for word in argument.make_metavar(click.Context(loaded)).split()):
        assert word.strip("[]") in (loaded.help or "")


@pytest.mark.parametrize("name", COMMANDS)
def test_everywhere_options_are_everywhere(name: str) -> None:
    """`--json` and `-q` are options of every command, and `--store` of every one that reads or writes trials."""
    known = {flag for parameter in command(name).params for flag in parameter.opts}

    assert {"--json", "-q", "--quiet"} <= known
    assert ("--store" in known) == (name not in WITHOUT_TRIALS)


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_is_a_result(name: str, flag: str, passhat: Passhat) -> None:
    """Help goes to standard output, and ends with 0."""
    said = passhat(name, flag)

    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(f"Usage: passhat {name}")


def test_list_of_commands(passhat: Passhat) -> None:
    """`passhat --help` lists every command."""
    said = passhat("--help")

    assert (said.code, said.err) == (0, "")
    assert all(f"  {name} " in said.out for name in COMMANDS)


def test_version(passhat: Passhat) -> None:
    """`passhat --version` names the version."""
    said = passhat("--version")

    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("passhat ")


def test_nothing_asked_is_not_green(passhat: Passhat) -> None:
    """`passhat` alone shows its help as a complaint: a build whose command got lost must not pass."""
    said = passhat()

    assert (said.code, said.out) == (2, "")
    assert "Commands:" in said.err
    assert said.err.splitlines()[-1] == "passhat: name a command, such as 'passhat demo' (see 'passhat --help')"


@pytest.mark.parametrize(
    ("typed", "meant"), [("reprot", "'report'"), ("shwo", "'show'"), ("frobnicate", "demo, init, run")]
)
def test_unknown_command_names_the_nearest(typed: str, meant: str, passhat: Passhat) -> None:
    """A mistyped command is answered with the one that was probably meant, or with all."""
    said = passhat(typed)

    assert said.refused(meant)


def test_unknown_option_names_the_nearest(passhat: Passhat) -> None:
    """A mistyped option is answered with the one that was probably meant."""
    assert passhat("report", "--jsn").refused("--json")
