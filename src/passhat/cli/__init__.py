"""The command line: one file a command, loaded when it is used. `--help` loads click and nothing heavier."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from signal import SIG_IGN, SIGINT, signal
from typing import TYPE_CHECKING, NoReturn

import click

from passhat.cli import output
from passhat.errors import ExitCode, Interrupted, PasshatError, StoreFailed, UsageError, exit_code

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("passhat.cli.demo", "See what passhat does: a bundled shop, an agent with weaknesses, a verdict."),
    "init": ("passhat.cli.init", "Write a small example that runs at once, and say what to type next."),
    "run": ("passhat.cli.run", "Run an agent on every task of a suite, many times, and judge it."),
    "plan": ("passhat.cli.plan", "Say how many runs it takes to show something, and what they cost."),
    "report": ("passhat.cli.report", "Measure and judge a stored run again, and show it."),
    "compare": ("passhat.cli.compare", "Hold one stored run against another."),
    "runs": ("passhat.cli.runs", "List the stored runs."),
    "show": ("passhat.cli.show", "Show one trial with its tool trace."),
    "diff": ("passhat.cli.diff", "Show the first step at which two trials of a task part."),
    "replay": ("passhat.cli.replay", "Run one stored trial again, with the identical faults."),
    "minimize": ("passhat.cli.minimize", "Find the smallest set of faults with which a stored trial still fails."),
    "export": ("passhat.cli.export", "Write a stored run as lines: rows for other tools, or the run itself."),
    "states": ("passhat.cli.states", "Write the end states of a stored run's clean trials, as accepted ones."),
    "import": ("passhat.cli.import_", "Read another tool's log, or an exported run, as a run."),
    "rm": ("passhat.cli.rm", "Delete a stored run."),
    "doctor": ("passhat.cli.doctor", "Say what is installed, what is missing, and whether the store is sound."),
}
_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
_COMPLETE = "_PASSHAT_COMPLETE"
_LAST_MOMENT = 1.0


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

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The commands and their lines of help, without loading one."""
        ctx.meta["passhat.only_help"] = True
        found = super().shell_complete(ctx, incomplete)
        ctx.meta["passhat.only_help"] = False
        return found

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


@click.group(
    cls=Commands, invoke_without_command=True, subcommand_metavar="COMMAND [ARGS]...", context_settings=_CONTEXT
)
@click.version_option(package_name="passhat", message="passhat %(version)s")
@click.pass_context
def passhat(ctx: click.Context) -> None:
    """Will your AI agent do the job every time?

    passhat runs each task many times, under faults and other wordings, keeps every trial, and judges what it saw.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help(), err=True)
        raise click.UsageError("name a command, such as 'passhat demo'")


def main() -> NoReturn:
    """Run the command line and end with the exit code of `passhat.errors`."""
    output.open_all()
    output.lenient(sys.stdout, sys.stderr)
    code = int(call(sys.argv[1:]))
    with suppress(ValueError):  # this is not the main thread
        signal(SIGINT, SIG_IGN)  # all is done: an interrupt from here on could only spoil the exit code
    _wait_no_longer(code)
    sys.exit(code)


def _wait_no_longer(code: int) -> None:
    """End the program with *code* soon, whatever an agent has left running.

    Python waits at its exit for threads that are no daemons, for those of `asyncio.to_thread` and of pools, which may
    look like daemons, and for what was registered with `atexit`. All of it gets a moment, and no more than that.
    """
    if "threading" not in sys.modules:  # then there is none, and `--help` need not load it
        return
    from threading import Timer, active_count

    if active_count() == 1:
        return
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # closed, or there is none
            stream.flush()
    end = Timer(_LAST_MOMENT, os._exit, (code,))
    end.daemon = True
    end.start()


def call(arguments: Sequence[str]) -> int:
    """Run the command line with these arguments; what goes wrong is one clear sentence and an exit code."""
    try:
        return _done(arguments)
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        command = f" (see '{context.command_path} --help')" if context is not None else ""
        return _complain(f"{error.format_message().rstrip('.')}{command}", ExitCode.USAGE)
    except (PasshatError, KeyboardInterrupt) as error:
        return _refuse(error, arguments)
    except BrokenPipeError:  # the reader of a help text has gone; results are written by `output`
        output.forget(sys.stdout)
        return ExitCode.PASS
    except BaseException as error:  # noqa: BLE001 - the last fence: a bug of ours ends with its own code
        return _bug(error)


def _done(arguments: Sequence[str]) -> int:
    """The exit code of the command. `click`'s own `main` would swallow an interrupt, and has other exit codes."""
    if _COMPLETE in os.environ:
        from click.shell_completion import shell_complete

        return shell_complete(passhat, {}, "passhat", _COMPLETE, os.environ[_COMPLETE])
    with passhat.make_context("passhat", list(arguments)) as context:
        context.meta["passhat.arguments"] = list(arguments)
        code = passhat.invoke(context)
    return code if isinstance(code, int) else ExitCode.PASS


def _refuse(error: BaseException, arguments: Sequence[str]) -> int:
    problems = error.problems if isinstance(error, UsageError) else [str(error) or "stopped"]
    for problem in problems:
        _complain(problem, exit_code(error))
    if isinstance(error, Interrupted | StoreFailed) and error.run_id and "run" in arguments[:1]:
        from passhat.cli.again import again

        output.tell(f"go on with: {again(arguments, error.run_id)}")
    return exit_code(error)


def _complain(sentence: str, code: int) -> int:
    output.tell(f"passhat: {sentence}")
    return code


def _bug(error: BaseException) -> int:
    if os.environ.get("PASSHAT_TRACEBACK"):
        import traceback

        traceback.print_exception(error)
    said = f"{type(error).__name__}: {error}"
    return _complain(f"this is a bug in passhat: {said} (PASSHAT_TRACEBACK=1 shows where)", ExitCode.BUG)
