"""The pages about planning show what happens: every printed answer, and every word in its place."""

import re
import shlex

import pytest

from passhat.cli import call
from tests.docs.pages import blocks
from tests.docs.test_readme import ROOT

PLANNING = (ROOT / "docs" / "planning.md").read_text(encoding="utf-8")
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
SHOWN = [
    (lines[0], "\n".join(lines[1:]).strip("\n"))
    for block in blocks(PLANNING)
    if block.language == "console"
    for part in re.split(r"^\$ ", block.content, flags=re.MULTILINE)
    if (lines := part.splitlines())
]
TERM = re.compile(r"^\*\*(.+?)\*\*:", re.MULTILINE)


@pytest.mark.parametrize(("command", "output"), [one for one in SHOWN if one[1]], ids=lambda text: text[:60])
def test_page_shows_what_is_printed(command: str, output: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What stands below a command on the page is what the command prints."""
    assert call(shlex.split(command)[1:]) == 0

    assert capsys.readouterr().out.strip("\n") == output


def test_page_shows_something() -> None:
    """The check above has answers to look at."""
    assert len([output for _, output in SHOWN if output]) >= 10


def test_method_table_is_right(capsys: pytest.CaptureFixture[str]) -> None:
    """The count beside each method is the one that it gives."""
    rows = re.findall(r"^\| `([a-z-]+)` \| .* \| (\d+) \|$", PLANNING, re.MULTILINE)

    assert len(rows) == 8
    for method, count in rows:
        assert call(["plan", "--baseline", ".9", "--drop", ".05", "--method", method, "-q"]) == 0
        assert capsys.readouterr().out.strip() == count


def test_glossary_fixes_the_words() -> None:
    """The words that planning needs each stand in the glossary once."""
    terms = TERM.findall(GLOSSARY)

    wanted = "trial task pass@k pass^k half-width power drop baseline ICC VOID margin outcome verdict spread block"
    assert set(wanted.split()) | {"confidence level", "design effect", "safe count"} <= set(terms)
    assert len(terms) == len(set(terms))


def test_glossary_can_be_looked_up() -> None:
    """Within each section the words are in the order of the alphabet."""
    for section in GLOSSARY.split("\n## ")[1:]:
        terms = [re.sub(r"\W", " ", term).casefold() for term in TERM.findall(section)]

        assert terms == sorted(terms)
