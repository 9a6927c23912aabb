"""The command line, as `passhat` and as `python -m passhat`: nothing is loaded before an interrupt is provided for."""

from __future__ import annotations


def main() -> None:
    """Load the command line and run it; Ctrl-C while it is being loaded ends like any other."""
    try:
        from passhat.cli import main as command_line

        command_line()
    except KeyboardInterrupt:
        import sys

        if sys.stderr is not None:
            sys.stderr.write("passhat: stopped\n")
        sys.exit(130)  # `ExitCode.INTERRUPTED`; loading that might have been what was interrupted


if __name__ == "__main__":
    main()
