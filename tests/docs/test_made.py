"""The README's screen, that of the canaries and the sample report are what passhat prints today."""

import shutil
from pathlib import Path

import pytest

from tests.docs.made import printed, same_as_made, without_ids
from tests.docs.pages import Block, Command, blocks, commands
from tests.docs.test_readme import README, ROOT, play

HELLO = ROOT / "examples" / "hello"
SCREEN = "passhat demo --seed 7"
CANARIES, CANARY = ROOT / "docs" / "canaries.md", "passhat demo canary --store canary.db"


def consoles(path: Path) -> list[Block]:
    """The console blocks of a page."""
    return [block for block in blocks(path.read_text(encoding="utf-8")) if block.language == "console"]


def hello_commands() -> list[Command]:
    """What the example's README tells its reader to type."""
    return [command for block in consoles(HELLO / "README.md") for command in commands(block)]


def test_readme_shows_the_demo() -> None:
    """The README holds one screen of the demo."""
    assert [block.content.startswith(f"$ {SCREEN}\n") for block in consoles(README)].count(True) == 1


def test_screen_in_the_readme_is_what_the_demo_prints(tmp_path: Path) -> None:
    """The README's screen is, line by line, what the demo prints on 100 columns."""
    (block,) = [block for block in consoles(README) if block.content.startswith(f"$ {SCREEN}\n")]

    made = f"$ {SCREEN}\n{printed(SCREEN, tmp_path)}"

    same_as_made(README, block.content, made)


def test_screen_of_the_canaries_is_what_the_demo_prints(tmp_path: Path) -> None:
    """The screen in docs/canaries.md is, line by line, what `passhat demo canary` prints on 100 columns."""
    (block,) = [block for block in consoles(CANARIES) if block.content.startswith(f"$ {CANARY}\n")]

    made = f"$ {CANARY}\n{printed(CANARY, tmp_path)}"

    same_as_made(CANARIES, block.content, made)


def test_sample_report_is_what_the_example_gives(tmp_path: Path) -> None:
    """The checked-in report of examples/hello is what its two commands give."""
    shutil.copytree(HELLO, tmp_path, dirs_exist_ok=True)
    sample = HELLO / "report.md"

    run, report = (command.text for command in hello_commands())
    printed(run, tmp_path)

    same_as_made(sample, sample.read_text(encoding="utf-8"), printed(report, tmp_path))


def test_sample_report_shows_both_metrics() -> None:
    """The sample report has pass@k and pass^k at one k side by side, and a verdict."""
    report = (HELLO / "report.md").read_text(encoding="utf-8")

    assert "| pass^5 (95 %) | pass@5 |" in report
    assert report.startswith("## passhat: FAIL\n")


def test_example_does_what_its_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each block of examples/hello/README.md does what it shows, in a copy of the folder."""
    shutil.copytree(HELLO, tmp_path, dirs_exist_ok=True)

    play("examples_hello", (HELLO / "README.md").read_text(encoding="utf-8"), tmp_path, monkeypatch)


def test_only_the_ids_of_runs_may_differ() -> None:
    """The comparison passes over the id of a run, also at the end of a line, and over nothing else."""
    one = without_ids("seed 7 · run da33ee0a\n'passhat show da33ee0a TASK'\nRun `da33ee0a`: 0.55")

    assert one == without_ids("seed 7 · run 12345678\n'passhat show 12345678 TASK'\nRun `12345678`: 0.55")
    assert one != without_ids("seed 7 · run da33ee0a\n'passhat show da33ee0a TASK'\nRun `da33ee0a`: 0.56")
    assert without_ids("run\n  da33ee0a") == without_ids("run\n  12345678")
