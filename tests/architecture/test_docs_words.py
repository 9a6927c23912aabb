"""What no tracked file may say: where it was written, from whose registry, and what is not done."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.tree import ROOT
from tests.children import LIMIT

# Written so that no pattern matches its own text.
ANYWHERE = {
    "a machine's path": re.compile(r"(?<![\w.])/(?:(?:work|root)\b|(?:home|Users)/)|file:[/]{3}"),
    "a private registry": re.compile(
        r"(?i)(?:artifactory|jfrog|devpi|nexus)[\w.-]*\.\w|\.(?:internal|corp|intranet|local)[/:]"
        r"|(?:index-|index_)ur[l]|find[-]links|trusted[-]host"
    ),
}
IN_SOURCE = {
    "unfinished work": re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b"),
    "an empty promise": re.compile(r"\bNotImplementedError\b"),
}
# Where the word is another library's protocol and no promise of ours.
HOOKS = {
    "src/passhat/model/codec.py": "a hook of msgspec refuses a type by raising it",
}


def listed() -> list[Path]:
    """The files that git tracks or is about to; in an archive without git, the folders that the project consists of."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        folders = ("src", "tests", "docs", "examples", "benchmarks", "calibration", ".ci")
        deep = [path for folder in folders for path in (ROOT / folder).rglob("*") if "__pycache__" not in path.parts]
        return [*ROOT.glob("*.*"), *deep]
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT, check=True)
    return [ROOT / name for name in done.stdout.split("\0") if name]


def tracked() -> dict[str, str]:
    """Every text file of the project, by its path."""
    paths = listed()
    contents = {path: path.read_bytes() for path in paths if path.is_file()}
    return {
        path.relative_to(ROOT).as_posix(): content.decode(errors="replace")
        for path, content in contents.items()
        if b"\0" not in content
    }


def forbidden(path: str, text: str) -> Iterator[str]:
    """The lines of *text* that say what no file may say."""
    rules = ANYWHERE | (IN_SOURCE if path.startswith("src/") else {})
    if path in HOOKS:
        del rules["an empty promise"]
    for number, line in enumerate(text.splitlines(), start=1):
        for what, pattern in rules.items():
            if pattern.search(line):
                yield f"{path}:{number}: {what}: {line.strip()[:80]}"


def test_no_file_says_what_it_may_not() -> None:
    """No tracked file holds a machine's path, a private registry, or, in the source, unfinished work."""
    files = tracked()

    assert "pyproject.toml" in files
    assert [line for path, text in files.items() for line in forbidden(path, text)] == []


@pytest.mark.parametrize(
    "line",
    [
        "see /" + "work/notes.md",
        "cd /" + "root",
        "PATH=/" + "home/me/bin",
        "url = 'file:" + "///opt/x'",
        "https://pypi.example." + "internal/simple",
        "https://artifactory" + ".example.com/x",
        "--extra-index-" + "url x",
        "# TO" + "DO later",
        "raise NotImplemented" + "Error",
    ],
)
def test_checker_sees_forbidden_words(line: str) -> None:
    """The check catches each kind of forbidden word."""
    assert list(forbidden("src/passhat/x.py", line))


@pytest.mark.parametrize("line", ["src/workers/pool.py", "a/root/b", "the word to do", "https://pypi.org/simple"])
def test_checker_lets_other_words_be(line: str) -> None:
    """The check complains of no ordinary path, word or address."""
    assert list(forbidden("src/passhat/x.py", line)) == []
