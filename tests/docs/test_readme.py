"""What the README and the pages under docs show is what happens."""

import re
from pathlib import Path

import pytest

from tests.docs.pages import BadPageError, Block, Page, blocks, commands

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").rglob("*.md"))]
TARGETS = frozenset(re.findall(r"^([a-z][\w-]*):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))


def play(name: str, text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Play a page in *folder*, from where its blocks can import what they wrote."""
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(folder)
    Page(name, folder, TARGETS).play(text)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_page_does_what_it_shows(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every python block runs and every command exits as the page says."""
    name = path.relative_to(ROOT).as_posix()

    play(name, path.read_text(encoding="utf-8"), tmp_path, monkeypatch)


def test_readme_has_something_to_run() -> None:
    """The README shows Python and a `passhat` command, so that the test above proves something."""
    found = list(blocks(README.read_text(encoding="utf-8")))
    consoles = [block for block in found if block.language == "console"]
    programs = {command.program for block in consoles for command in commands(block)}

    assert any(block.language == "python" and not block.title for block in found)
    assert {"passhat", "make"} <= programs


def test_readme_leaves_the_checkout_before_it_writes() -> None:
    """Who follows the README writes no file into the checkout, where the linter would find it."""
    found = list(blocks(README.read_text(encoding="utf-8")))
    written = next(i for i, block in enumerate(found) if block.title)
    typed = [command for block in found[:written] if block.language == "console" for command in commands(block)]
    places = [place for command in typed for place in re.findall(r"\bcd (\S+)", command.text)]

    assert places
    assert not (ROOT / Path(*places)).resolve().is_relative_to(ROOT)


@pytest.mark.parametrize(
    "page",
    [
        "```python no-run\nx = 1\n```",
        "```python\n1 / 0\n```",
        "```python\nassert 1 == 2\n```",
        "```\nno language\n```",
        "```bash\npasshat demo\n```",
        "```python\nnever closed",
        "```python title='a.py'\nx = 1\n```",
        '```python title="../a.py"\nx = 1\n```',
        '```python title="/a.py"\nx = 1\n```',
        "```console\n$ make no-such-target\n```",
        "```console\n$ git clone x && make no-such-target\n```",
        "```console\n$ rm -r x\n```",
        "```console\n$ passhat --no-such-option\n```",
        "```console\n$ passhat --help  # exit 1\n```",
    ],
)
def test_bad_page_is_caught(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A block that breaks the rules, or does not do what it shows, fails its page."""
    with pytest.raises((BadPageError, AssertionError, ZeroDivisionError)):
        play("page.md", page, tmp_path, monkeypatch)


def test_blocks_of_a_page_share_names_and_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page's blocks build on each other, and import the files that the page titled."""
    page = """
```python title="page_suite.py"
ANSWER = 42
```
```python
from dataclasses import dataclass
from page_suite import ANSWER
@dataclass(slots=True)
class Box:
    value: "int"
```
- in a list
  ```python
  assert Box(ANSWER).value == 42
  open("proof", "w").close()
  ```
"""

    play("page.md", page, tmp_path, monkeypatch)

    assert (tmp_path / "proof").exists()


def test_continued_commands_are_one() -> None:
    """A command may be written over several lines; what it prints is no command."""
    shown = "$ passhat run a.py:suite \\\n    --trials 5  # exit 1\nprinted $ 5\n$ make demo\n"
    block = Block(10, "console", None, shown)

    first, second = commands(block)

    assert (first.line, first.program, first.exit_code) == (11, "passhat", 1)
    assert first.text.startswith("passhat run a.py:suite --trials 5")
    assert (second.line, second.text, second.exit_code) == (14, "make demo", 0)
