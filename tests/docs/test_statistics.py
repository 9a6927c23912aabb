"""docs/statistics.md lists every public name of `passhat.stats`, in the words of its docstring."""

import inspect
import re
from importlib import import_module

import pytest

from passhat import stats
from tests.docs.made import same_as_made
from tests.docs.test_readme import ROOT

PAGE = ROOT / "docs" / "statistics.md"
MADE = re.compile(r"(?<=writes it anew -->\n).*(?=<!-- end -->)", re.DOTALL)
# What a reader looks for first; the other files follow by name.
FIRST = ("passk", "intervals")
LABEL = re.compile(r"^(?:Formula|Valid when|Source): ")
APPROXIMATE = re.compile(r"(?i)approximate(?:ly)?\b")  # `is_approximate` as well
SENTENCE = re.compile(r"(?<=[.:;])\s+(?=[A-Z*`])")


def summary(docstring: str) -> str:
    """The first paragraph's first line, which says what a thing is."""
    return docstring.strip().splitlines()[0]


def approximate(docstring: str) -> str:
    """The sentence that says what is approximate, below the summary and above the example; or nothing."""
    _, _, below = docstring.partition("\n")
    text = " ".join(below.partition(">>>")[0].split())
    found = [sentence for sentence in SENTENCE.split(text) if APPROXIMATE.search(sentence)]
    return LABEL.sub("", found[0]) if found else ""


def called(name: str, thing: object) -> str:
    """A function as it is called, without types and defaults; of a value its name."""
    if not inspect.isfunction(thing):
        return name
    given: list[str] = []
    for parameter in inspect.signature(thing).parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in given and not any("*" in each for each in given):
            given.append("*")
        given.append(f"*{parameter.name}" if parameter.kind is parameter.VAR_POSITIONAL else parameter.name)
    return f"{name}({', '.join(given)})"


def row(name: str) -> str:
    """The table's row of one public name."""
    thing = getattr(stats, name)
    docstring = inspect.getdoc(thing) or ""
    cells = (f"`{called(name, thing)}`", summary(docstring), approximate(docstring) or "–")
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def section(file: str, names: list[str]) -> str:
    """One file's heading and table."""
    title = summary(import_module(f"passhat.stats.{file}").__doc__ or "")
    head = [
        f"### {file}",
        "",
        title,
        "",
        "| function | what it gives | what is approximate |",
        "|---|---|---|",
    ]
    return "\n".join([*head, *map(row, names), "", ""])


def reference() -> str:
    """The whole generated part of the page."""
    files: dict[str, list[str]] = {}
    for name in stats.__all__:
        files.setdefault(getattr(stats, name).__module__.rpartition(".")[2], []).append(name)
    order = [*FIRST, *sorted(files.keys() - set(FIRST))]
    return "".join(["\n", *(section(file, sorted(files[file])) for file in order)])


def test_page_lists_every_statistic() -> None:
    """The page's tables are what the docstrings say today."""
    (shown,) = MADE.findall(PAGE.read_text(encoding="utf-8"))

    same_as_made(PAGE, shown, reference())


@pytest.mark.parametrize("name", stats.__all__)
def test_every_statistic_stands_on_the_page(name: str) -> None:
    """Each public name is in a table, and what it is stands in one line."""
    page = PAGE.read_text(encoding="utf-8")

    assert re.search(rf"^\| `{name}\b", page, flags=re.MULTILINE)
    assert summary(inspect.getdoc(getattr(stats, name)) or "").endswith((".", ":", "?"))


def test_approximate_is_found_where_it_is_said() -> None:
    """The sentence that says it is quoted, and only that one."""
    docstring = "One.\n\nFormula: x. Valid when: n is large. It is approximate\nat few trials. Source: me.\n\n>>> 1\n1"

    assert approximate(docstring) == "It is approximate at few trials."
    assert approximate("One.\n\nValid when: approximate at few trials.") == "approximate at few trials."
    assert approximate("What is approximate.\n\nValid when: always.\n\n>>> approximate()") == ""
