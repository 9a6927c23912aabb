"""The page of the faults says what the faults do, and its ten lines make a fault."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path

import pytest

from passhat import api
from passhat.faults import sets
from tests.docs.catalogue import table
from tests.docs.pages import Block, blocks
from tests.docs.test_readme import ROOT
from tests.installed.package import install, passhat

PAGE = ROOT / "docs" / "faults.md"
BETWEEN = re.compile(r"<!-- catalogue -->\n(.*?)<!-- end of the catalogue -->", re.DOTALL)
SUITE = """
from passhat import Suite, Task, graders


class Shop:
    def __init__(self):
        self.tools = {"stock_level": lambda product: {"product": product, "stock": 40}}


async def agent(message, tools):
    return str((await tools.stock_level(product="mug"))["stock"])


suite = Suite(tasks=[Task("mugs", "How many mugs?", expect="40")], world=Shop, grader=graders.contains())
"""


def page() -> str:
    """The page as it is."""
    return PAGE.read_text(encoding="utf-8")


def titled(title: str) -> Block:
    """The block of the page that is the file *title*."""
    (block,) = [block for block in blocks(page()) if block.title == title]
    return block


def test_catalogue_is_what_the_faults_do() -> None:
    """The table is what the code writes, line by line."""
    (shown,) = BETWEEN.findall(page())
    made = f"\n{table()}\n"

    if os.environ.get("PASSHAT_WRITE_GOLDEN") == "1" and shown != made:
        PAGE.write_text(page().replace(f"<!-- catalogue -->\n{shown}", f"<!-- catalogue -->\n{made}"), encoding="utf-8")
        return
    assert shown == made, "PASSHAT_WRITE_GOLDEN=1 writes it anew"


@pytest.mark.parametrize("name", sets.SETS)
def test_set_is_what_the_page_says(name: str) -> None:
    """The row of a set lists its faults, in their order."""
    (row,) = [line for line in page().splitlines() if line.startswith(f"| `{name}` |")]

    assert re.findall(r"`(\w+)`", row) == [name, *(one.fault.term.name for one in sets.SETS[name])]


def test_fault_is_ten_lines() -> None:
    """The file of the page's own fault has ten lines of code at the most."""
    assert len([line for line in titled("sold_out.py").content.splitlines() if line.strip()]) <= 10


def test_one_file_and_one_line_make_a_fault(tmp_path: Path) -> None:
    """Who follows the page, with its file and its one line, has a fault that the command line knows."""
    points = tomllib.loads(titled("pyproject.toml").content)["project"]["entry-points"]
    packages, home = tmp_path / "packages", tmp_path / "home"
    home.mkdir()
    install(packages, points, name="sold-out", source=titled("sold_out.py").content)
    (home / "suite.py").write_text(SUITE, encoding="utf-8")
    (command,) = [line for line in page().splitlines() if "sold_out(left=1" in line]
    words = [word.strip("'") for word in re.findall(r"'[^']*'|\S+", command)[2:]]

    ran = passhat(home, *words, "-n", "4", packages=packages)

    assert [len(lines) for lines in points.values()] == [1]
    assert "Traceback" not in ran.stderr, ran.stderr
    run = api.open_store(home / "passhat.db").open()
    assert run.header.conditions[1] == "sold_out(left=1, rate=0.5)"
    told = {trial.answer.output for trial in run.trials if trial.exposed and trial.answer}
    assert told == {"1"}
