"""Reading and running a documentation page: its fenced blocks, in order, in one folder and one namespace.

    ```python                   runs; the blocks of a page share their names
    ```python title="suite.py"  is written to that file (any language)
    ```console                  its lines `$ passhat …` run; `$ make X` must be a target; other output is free
    ```text                     and other data languages are only shown

Everything else, a python block that says it should not run included, is refused.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from tests.children import LIMIT

SHOWN = frozenset({"text", "json", "jsonl", "toml", "yaml", "xml", "html", "markdown", "diff", "mermaid"})
RUN = frozenset({"python", "console"})
# Commands that set a machine up; a test neither installs nor clones.
NOT_RUN = frozenset({"make", "pip", "pipx", "uv", "git", "cd", "mkdir", "sqlite3", "apt", "export"})

FENCE = re.compile(r"^(?P<indent> *)(?P<marks>`{3,}|~{3,})(?P<info>.*)$")
INFO = re.compile(r"""^(?P<language>[a-z]+)(?: title="(?P<title>[\w./-]+)")?$""")
EXIT = re.compile(r"#\s*exit (?P<code>\d+)\s*$")
TARGET = re.compile(r"\bmake\s+(?:-\S+\s+|\w+=\S+\s+)*(?P<name>[a-z][\w-]*)")


class BadPageError(AssertionError):
    """A block that breaks the rules of a page, or does not do what it shows."""


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block: its first line's number, language, title and content."""

    line: int
    language: str
    title: str | None
    content: str


@dataclass(frozen=True, slots=True)
class Command:
    """One `$` line of a console block, continued lines joined, and the exit code that it shows."""

    line: int
    text: str
    exit_code: int

    @property
    def program(self) -> str:
        """The first word."""
        return self.text.split()[0] if self.text.split() else ""


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a page; a fence that breaks the rules is refused."""
    lines = iter(enumerate(text.splitlines(), start=1))
    for number, line in lines:
        if opening := FENCE.match(line):
            content = list(_until_closed(number, opening, lines))
            yield _block(number, opening["info"].strip(), "\n".join(content) + "\n")


def _until_closed(start: int, opening: re.Match[str], lines: Iterator[tuple[int, str]]) -> Iterator[str]:
    for _, line in lines:
        if line.strip() == opening["marks"]:
            return
        yield line.removeprefix(opening["indent"])
    raise BadPageError(f"line {start}: the block is never closed")


def _block(number: int, info: str, content: str) -> Block:
    parsed = INFO.match(info)
    if parsed is None:
        raise BadPageError(f"line {number}: '{info}' is not a language and perhaps a title")
    language, title = parsed["language"], parsed["title"]
    if language not in RUN | SHOWN:
        raise BadPageError(f"line {number}: '{language}' is no fence of ours: use python, console or text")
    if title and (title.startswith("/") or ".." in title or language == "console"):
        raise BadPageError(f"line {number}: '{title}' is no file that a page may write")
    return Block(number, language, title, content)


def commands(block: Block) -> Iterator[Command]:
    """The commands of a console block."""
    lines = iter(enumerate(block.content.splitlines(), start=block.line + 1))
    for number, line in lines:
        if not line.startswith("$ "):
            continue
        text = line.removeprefix("$ ")
        while text.endswith("\\"):
            text = text.removesuffix("\\") + next(lines, (0, ""))[1].lstrip("> ")
        shown = EXIT.search(text)
        yield Command(number, text, int(shown["code"]) if shown else 0)


class Page:
    """A page at work: a folder, a namespace, and the targets that `make` knows."""

    def __init__(self, name: str, folder: Path, targets: frozenset[str]) -> None:
        self.name = name
        self.folder = folder
        self.targets = targets
        # A module of its own, because dataclasses look their module up by name.
        self.module = ModuleType(re.sub(r"\W", "_", f"page_{name}"))

    def play(self, text: str) -> None:
        """Do, block by block, what a reader of *text* would do."""
        outside = set(sys.modules)
        sys.modules[self.module.__name__] = self.module
        try:
            for block in list(blocks(text)):
                self._do(block)
        finally:
            self._forget(set(sys.modules) - outside)

    def _do(self, block: Block) -> None:
        if block.title:
            path = self.folder / block.title
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.content, encoding="utf-8")
        elif block.language == "python":
            # The empty lines in front make a traceback name the page's own line.
            code = compile("\n" * block.line + block.content, self.name, "exec")
            exec(code, self.module.__dict__)  # noqa: S102  (the pages are ours)
        elif block.language == "console":
            for command in commands(block):
                self._command(command)

    def _command(self, command: Command) -> None:
        where = f"{self.name}:{command.line}: $ {command.text}"
        unknown = {match["name"] for match in TARGET.finditer(command.text)} - self.targets
        if unknown and command.program in NOT_RUN:
            raise BadPageError(f"{where}\nno such target in the Makefile: {', '.join(sorted(unknown))}")
        if command.program == "passhat":
            self._run(where, command)
        elif command.program not in NOT_RUN:
            raise BadPageError(f"{where}\nis neither passhat nor a command that sets a machine up")

    def _run(self, where: str, command: Command) -> None:
        beside_python = Path(sys.executable).parent
        environment = os.environ | {
            "PATH": f"{beside_python}:{os.environ.get('PATH', '')}",
            "HOME": str(self.folder),
            "COLUMNS": "100",
        }
        done = subprocess.run(
            ["sh", "-c", command.text],
            cwd=self.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=LIMIT,
        )
        if done.returncode != command.exit_code:
            output = f"{done.stdout[-2000:]}{done.stderr[-2000:]}"
            raise BadPageError(f"{where}\nexit {done.returncode}, not {command.exit_code}\n{output}")

    def _forget(self, names: set[str]) -> None:
        """Unload what the page wrote and imported, so that the next page may use the same file names."""
        for name in names:
            source = getattr(sys.modules[name], "__file__", None)
            if name == self.module.__name__ or (source and Path(source).is_relative_to(self.folder)):
                del sys.modules[name]
