"""docs/specs.md keeps its word: what a row names is there, and the count at its top is right.

A name that stands between backticks in the column "how passhat does it" is one of

    passhat.stats.pass_hat_k      a dotted name, which must resolve
    passhat run --under           a command with its options, which click must know
    make demo                     a target of the Makefile
    examples/hello                a path in the checkout

and in the column "shown by" it is a test, `tests/…/test_x.py::test_y` or `::TestClass::test_y`.
"""

import ast
import pkgutil
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import click
import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "specs.md"

COLUMNS = ("id", "what the document asks", "how passhat does it", "shown by")
RULER = re.compile(r"^[\s|:-]+$")
CELL = re.compile(r"(?<!\\)\|")
ID = re.compile(r"(?P<document>[A-Z])-\d{2,3}")
NAME = re.compile(r"`([^`]+)`")
BARE = re.compile(r"passhat\.[a-z_]|::|(?<!\w)--[a-z]")
COUNT = re.compile(r"^\*\*(?P<done>\d+) done, (?P<later>\d+) later, (?P<declined>\d+) declined\*\*", re.MULTILINE)

# The letter of a document's rows, and a word of its section's heading.
DOCUMENTS = {"M": "mcptest", "T": "TraceLens", "V": "Vally", "L": "latenteval", "B": "blog"}


class Status(StrEnum):
    """What a row says of itself."""

    DONE = "done"
    LATER = "later"
    DECLINED = "declined"


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table: where it stands, and its cells."""

    line: int
    section: str
    cells: tuple[str, ...]

    @property
    def id(self) -> str:
        """The first cell."""
        return self.cells[0]

    @property
    def how(self) -> str:
        """The third cell."""
        return self.cells[2]

    @property
    def shown_by(self) -> str:
        """The fourth cell."""
        return self.cells[3]

    @property
    def status(self) -> Status:
        """Done, unless the row opens with another word."""
        return next((one for one in Status if self.how.startswith(f"{one}: ")), Status.DONE)


@dataclass(frozen=True, slots=True)
class Checkout:
    """What rows may name: the files under a root, and the command line."""

    root: Path
    cli: Callable[[], click.Command]


def real_cli() -> click.Command:
    """The root of passhat's own commands."""
    from passhat.cli import passhat

    return passhat


REAL = Checkout(ROOT, real_cli)


def rows(text: str) -> Iterator[Row]:
    """Every line of every table, the headers and rulers left out."""
    section = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("## "):
            section = line.removeprefix("## ")
        if line.startswith("|") and not RULER.match(line):
            cells = tuple(cell.strip() for cell in CELL.split(line.strip().strip("|")))
            if cells != COLUMNS:
                yield Row(number, section, cells)


def page_problems(text: str, checkout: Checkout) -> Iterator[str]:
    """What is wrong with a page."""
    found = list(rows(text))
    whole = [row for row in found if len(row.cells) == len(COLUMNS)]
    yield from (f"line {row.line}: {len(row.cells)} cells" for row in found if row not in whole)
    for row in whole:
        yield from (f"line {row.line}: {row.id}: {problem}" for problem in row_problems(row, checkout))
    counted = Counter(row.id for row in whole)
    yield from (f"{name} stands {times} times" for name, times in counted.items() if times > 1)
    missing = DOCUMENTS.keys() - {row.id[:1] for row in whole}
    yield from (f"no row of {DOCUMENTS[letter]}" for letter in sorted(missing))
    yield from count_problems(text, Counter(row.status for row in whole))


def count_problems(text: str, counted: Counter[Status]) -> Iterator[str]:
    """Whether the page says how many rows it has, once and rightly."""
    said = [{status: int(match[status]) for status in Status} for match in COUNT.finditer(text)]
    right = {status: counted[status] for status in Status}
    if said != [right]:
        yield f"the page counts {said}, and it is {right}"


def row_problems(row: Row, checkout: Checkout) -> Iterator[str]:
    """What is wrong with one row."""
    document = ID.fullmatch(row.id)
    if document is None or DOCUMENTS.get(document["document"], "?") not in row.section:
        yield f"is no id of the section {row.section!r}"
    if not all(row.cells):
        yield "has an empty cell"
    names, tests = NAME.findall(row.how), NAME.findall(row.shown_by)
    if BARE.search(NAME.sub("", row.how)):
        yield "names something without backticks"
    if row.status is Status.DONE and not (names and tests):
        yield "is done, and names nothing, or no test"
    if row.status is not Status.DONE and row.shown_by != "–":
        yield f"is {row.status}, and yet shown by something"
    if row.status is Status.DONE and re.sub(r"[,\s]", "", NAME.sub("", row.shown_by)):
        yield "is shown by something besides tests"
    yield from (f"there is no {name}" for name in names if not exists(name, checkout))
    yield from (f"there is no test {name}" for name in tests if not is_test(name, checkout.root))


def exists(name: str, checkout: Checkout) -> bool:
    """Whether *name* is a thing of the product."""
    if name.startswith("passhat."):
        return resolves(name)
    if name.split(maxsplit=1)[0] == "passhat":
        return is_command(name, checkout.cli())
    if name.startswith("make "):
        makefile = (checkout.root / "Makefile").read_text(encoding="utf-8")
        return bool(re.search(rf"^{re.escape(name.removeprefix('make '))}:", makefile, re.MULTILINE))
    return "/" in name and (checkout.root / name).exists()


def resolves(name: str) -> bool:
    """Whether a dotted name leads to something."""
    try:
        pkgutil.resolve_name(name)
    except (AttributeError, ModuleNotFoundError):
        return False
    return True


def is_command(text: str, here: click.Command) -> bool:
    """Whether click knows each command and option of *text*; what follows a command is its arguments."""
    for word in text.split()[1:]:
        if word.startswith("-"):
            # Not `get_params`: it would make the option of help, and keep it as this context would have it.
            known = {flag for each in here.params for flag in each.opts + each.secondary_opts}
            if word.partition("=")[0] not in known | {"--help"}:
                return False
        elif isinstance(here, click.Group):
            below = here.get_command(click.Context(here), word)
            if below is None:
                return False
            here = below
    return True


def is_test(name: str, root: Path) -> bool:
    """Whether a test of this name stands in its file, read and not run."""
    path, *inside = name.split("::")
    file = root / path
    if not (path.startswith("tests/") and file.is_file() and inside and inside[-1].startswith("test_")):
        return False
    body: list[ast.stmt] = ast.parse(file.read_text(encoding="utf-8")).body
    for part in inside[:-1]:
        body = [stmt for node in body if isinstance(node, ast.ClassDef) and node.name == part for stmt in node.body]
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return any(isinstance(node, functions) and node.name == inside[-1] for node in body)


# ------------------------------------------------------------------------------------------------ the page


def test_every_row_keeps_its_word() -> None:
    """Each row of docs/specs.md names what exists, and the count at its top is right."""
    assert list(page_problems(PAGE.read_text(encoding="utf-8"), REAL)) == []


def test_every_document_has_its_rows() -> None:
    """The page has rows in plenty: a reader that finds no table would pass every row of it."""
    found = Counter(row.id[:1] for row in rows(PAGE.read_text(encoding="utf-8")))

    assert found.keys() == DOCUMENTS.keys()
    assert min(found.values()) >= 30


# ------------------------------------------------------------------------------------- the test of the test

GOOD = {
    "M": ("M-01", "asks", "`passhat.errors.exit_code`", "`tests/a/test_a.py::test_one`"),
    "T": ("T-01", "asks `what.ever`", "later: a curve", "–"),
    "V": ("V-01", "asks", "declined: a pointer", "–"),
    "L": (
        "L-01",
        "asks",
        "`passhat.model.trial.Trial.outcome`, as text",
        "`tests/a/test_a.py::TestIt::test_two`",
    ),
    "B": (
        "B-01",
        "asks",
        "`passhat run SUITE --trials 10`, `make demo`, `tests/a`",
        "`tests/a/test_a.py::test_one`",
    ),
}


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """A small checkout, and a command line with one command."""
    folder = tmp_path / "tests" / "a"
    folder.mkdir(parents=True)
    source = "async def test_one(): ...\nclass TestIt:\n    def test_two(self): ...\ndef helper(): ...\n"
    (folder / "test_a.py").write_text(source, encoding="utf-8")
    (tmp_path / "Makefile").write_text("demo: x\n\techo\n", encoding="utf-8")
    run = click.Command("run", params=[click.Argument(["suite"]), click.Option(["--trials/--no-trials"])])
    return Checkout(tmp_path, lambda: click.Group("passhat", commands=[run]))


def page(*, count: str = "**3 done, 1 later, 1 declined**", **changed: tuple[str, ...]) -> str:
    """A good page, with the rows of some documents changed."""
    parts = ["# Title", count]
    for letter, heading in DOCUMENTS.items():
        lines = (COLUMNS, ("---",) * 4, changed.get(letter, GOOD[letter]))
        parts += [f"## {heading}", *("| " + " | ".join(line) + " |" for line in lines)]
    return "\n".join(parts)


def test_good_page_has_no_problem(checkout: Checkout) -> None:
    """The check lets every kind of good row be."""
    assert list(page_problems(page(), checkout)) == []


TEST = "`tests/a/test_a.py::test_one`"


@pytest.mark.parametrize(
    ("how", "shown_by", "problem"),
    [
        ("`passhat.stats.no_such_name`", TEST, "there is no passhat"),
        ("`passhat.no_such_module.x`", TEST, "there is no passhat"),
        ("`passhat.model.trial.Trial.no_such_field`", TEST, "there is no passhat"),
        ("`passhat walk`", TEST, "there is no passhat walk"),
        ("`passhat run --no-such-option`", TEST, "there is no passhat run"),
        ("`passhat run --trial`", TEST, "there is no passhat run"),
        ("`passhat --trials`", TEST, "there is no passhat --trials"),
        ("`make tea`", TEST, "there is no make tea"),
        ("`tests/b`", TEST, "there is no tests/b"),
        ("`a word`", TEST, "there is no a word"),
        ("later: `passhat.stats.no_such_name`", "–", "there is no passhat"),
        ("words alone", TEST, "names nothing"),
        ("`passhat run`", "–", "no test"),
        ("`passhat run`", "a test", "no test"),
        ("`passhat run` and passhat.errors.exit_code", TEST, "without backticks"),
        ("`passhat run` with --trials", TEST, "without backticks"),
        ("`passhat run`", f"{TEST} and words", "besides tests"),
        ("`passhat run`", "`tests/a/test_a.py`", "there is no test"),
        ("`passhat run`", "`tests/a/test_a.py::test_two`", "there is no test"),
        ("`passhat run`", "`tests/a/test_a.py::TestIt::test_one`", "there is no test"),
        ("`passhat run`", "`tests/a/test_a.py::helper`", "there is no test"),
        ("`passhat run`", "`tests/a/test_b.py::test_one`", "there is no test"),
        ("`passhat run`", "`Makefile::test_one`", "there is no test"),
        ("later: a curve", TEST, "is later, and yet shown"),
        ("declined: a pointer", TEST, "is declined, and yet shown"),
        ("", TEST, "empty cell"),
    ],
)
def test_bad_row_is_caught(how: str, shown_by: str, problem: str, checkout: Checkout) -> None:
    """A row that names what doesn't exist, or says too little, is a problem, and the right one."""
    row = Row(1, "mcptest", ("M-01", "asks", how, shown_by))

    assert [found for found in row_problems(row, checkout) if problem in found]


@pytest.mark.parametrize("name", ["X-01", "T-01", "M-1", "M01", "m-01"])
def test_bad_id_is_caught(name: str, checkout: Checkout) -> None:
    """An id has the letter of its document and two digits or three."""
    assert list(row_problems(Row(1, "mcptest", (name, *GOOD["M"][1:])), checkout))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (page(count="no count"), "the page counts"),
        (page(count="**4 done, 1 later, 1 declined**"), "the page counts"),
        (page(count="**3 done, 1 later, 1 declined**\n\n**3 done, 1 later, 1 declined**"), "the page counts"),
        (page(M=("M-01", "asks", "`passhat run`")), "3 cells"),
        (page(M=("M-01", "asks", "`passhat run`", TEST, "more")), "5 cells"),
        (page(M=("M-01", "asks", "`passhat.no_such_name`", TEST)), "M-01: there is no passhat.no_such_name"),
        (page() + "\n| B-01 | again | later: a curve | – |", "B-01 stands 2 times"),
        (page().replace("| M-01", "M-01"), "no row of mcptest"),
    ],
)
def test_bad_page_is_caught(text: str, problem: str, checkout: Checkout) -> None:
    """A wrong count, a row of too few or too many cells, an id twice, a document without rows: caught."""
    assert [found for found in page_problems(text, checkout) if problem in found]
