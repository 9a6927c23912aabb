"""The command line: one file a command, loaded when it is used. `--help` loads click and nothing heavier."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import NoReturn

import click

from passhat.errors import ExitCode, Interrupted, PasshatError, UsageError, exit_code

COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("passhat.cli.demo", "See what passhat does: a bundled shop, an agent with weaknesses, a verdict."),
    "run": ("passhat.cli.run", "Run an agent on every task of a suite, many times, and judge it."),
    "report": ("passhat.cli.report", "Measure and judge a stored run again, and show it."),
    "runs": ("passhat.cli.runs", "List the stored runs."),
    "show": ("passhat.cli.show", "Show one trial with its tool trace."),
    "import": ("passhat.cli.import_", "Read another tool's log as a run."),
    "rm": ("passhat.cli.rm", "Delete a stored run."),
}


class Commands(click.Group):
    """Commands that are named in a table and loaded when they are used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name; while help is written, only its line of help."""
        if cmd_name not in COMMANDS:
            return None
        module, line = COMMANDS[cmd_name]
        if ctx.meta.get("passhat.only_help"):
            return click.Command(cmd_name, short_help=line)
        command = import_module(module).command
        assert isinstance(command, click.Command)  # noqa: S101 - a bug of ours if not
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without loading one."""
        ctx.meta["passhat.only_help"] = True
        super().format_commands(ctx, formatter)
        ctx.meta["passhat.only_help"] = False

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is meant, or an error with the nearest names."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            close = get_close_matches(args[0], COMMANDS, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(COMMANDS)}"
            raise click.UsageError(f"there is no command {args[0]!r}: {hint}", ctx)
        return super().resolve_command(ctx, args)


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="passhat", message="passhat %(version)s")
def passhat() -> None:
    """Will your AI agent do the job every time?

    passhat runs each task many times, under faults and other wordings, keeps every trial, and judges what it saw.
    """


def main() -> NoReturn:
    """Run the command line and end with the exit code of `passhat.errors`."""
    sys.exit(int(call(sys.argv[1:])))


def call(arguments: list[str]) -> int:
    """Run the command line with these arguments; what goes wrong is one clear sentence and an exit code."""
    try:
        code = passhat.main(arguments, prog_name="passhat", standalone_mode=False)
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        command = f" (see '{context.command_path} --help')" if context is not None else ""
        return _complain(f"{error.format_message().rstrip('.')}{command}", ExitCode.USAGE)
    except click.Abort as error:  # click's word for an interrupt; ours, which names the run, is its cause
        return _refuse(error.__cause__ if isinstance(error.__cause__, KeyboardInterrupt) else KeyboardInterrupt())
    except (PasshatError, KeyboardInterrupt) as error:
        return _refuse(error)
    except BrokenPipeError:  # the reader of our output has gone, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.PASS
    except Exception as error:  # noqa: BLE001 - the last fence: a bug of ours ends with its own code
        return _bug(error)
    return code if isinstance(code, int) else ExitCode.PASS


def _refuse(error: BaseException) -> int:
    problems = error.problems if isinstance(error, UsageError) else [str(error) or "stopped"]
    for problem in problems:
        _complain(problem, exit_code(error))
    if isinstance(error, Interrupted):
        again = " ".join(_quoted(_without_resume(sys.argv[1:])))
        click.echo(f"go on with: passhat {again} --resume {error.run_id}", err=True)
    return exit_code(error)


def _without_resume(words: list[str]) -> list[str]:
    """The words of a command line without `--resume RUN`."""
    before = ["", *words]
    return [
        word
        for last, word in zip(before, words, strict=False)
        if "--resume" not in (last, word) and not word.startswith("--resume=")
    ]


def _quoted(words: list[str]) -> list[str]:
    from shlex import quote

    return [quote(word) for word in words]


def _complain(sentence: str, code: int) -> int:
    click.echo(f"passhat: {sentence}", err=True)
    return code


def _bug(error: Exception) -> int:
    if os.environ.get("PASSHAT_TRACEBACK"):
        raise error
    said = f"{type(error).__name__}: {error}"
    return _complain(f"this is a bug in passhat: {said} (PASSHAT_TRACEBACK=1 shows where)", ExitCode.BUG)
