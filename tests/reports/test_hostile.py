"""Foreign text: no name, reason or answer makes a report do anything but show it."""

from __future__ import annotations

import json
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from passhat.model.outcome import Outcome
from passhat.model.run import Listing
from passhat.reports import REPORTS, Beside, Scenario, canaries_text, comparison_text, render, runs_text, trial_text
from passhat.reports._escape import for_json, for_markdown, for_terminal
from passhat.reports._screen import NARROWEST, cells, fit, wrap
from tests.reports.asked import asked_for, compared
from tests.reports.summaries import HOSTILE, HandTrials, hostile, hostile_trial

CONTROLS = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
OURS = re.compile(r"</?(?:details|summary|code)>")
ANY_TEXT = st.text(st.characters(), max_size=60)
WIDTHS = st.integers(1, 160)


def listing(text: str) -> Listing:
    """A run in whose names *text* stands."""
    return Listing(id=text, suite=text, agent=text, started_at=1e300, stored=1, planned=2)


def screens(text: str, width: int) -> list[str]:
    """Every text for a terminal, with *text* wherever foreign text may stand."""
    summary, verdict = hostile(text)
    trials = HandTrials(summary, detail=text)
    return [
        render(summary, verdict, width=width),
        render(summary, verdict, width=width, trials=trials),
        render(asked_for(summary), None, width=width),
        comparison_text(compared(summary, said=text), width=width),
        trial_text(hostile_trial(text), width=width, beside=Beside({text: Outcome.CRASH})),
        runs_text([listing(text)], width=width),
        canaries_text([Scenario(text, text, text, summary, verdict)], width=width),
    ]


def controls(text: str) -> set[str]:
    """The characters of *text*, newlines aside, that a terminal or a reader's eye would obey."""
    return {char for char in text if char != "\n" and unicodedata.category(char) in CONTROLS}


def inline(tokens: list[Token]) -> list[Token]:
    """The inline tokens of parsed Markdown."""
    return [child for token in tokens for child in token.children or ()]


def parsed(text: str) -> list[Token]:
    """Markdown as GitHub would read it, as far as this parser goes."""
    return MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)


def pull_request(text: str) -> str:
    """The Markdown report with *text* wherever foreign text may stand."""
    summary, verdict = hostile(text)
    return render(asked_for(summary), verdict, format="markdown", trials=HandTrials(summary, detail=text))


@pytest.mark.parametrize("text", HOSTILE)
def test_screen_obeys_nobody(text: str) -> None:
    """No control or direction character of a foreign text reaches the terminal."""
    assert set().union(*map(controls, screens(text, 100))) == set()


@given(ANY_TEXT, WIDTHS)
def test_any_text_fits_the_screen(text: str, width: int) -> None:
    """Whatever the names hold, nothing raises, nothing is obeyed, and no line is wider than asked."""
    for screen in screens(text, width):
        assert not controls(screen)
        assert max(map(cells, screen.split("\n"))) <= max(width, NARROWEST)


@pytest.mark.parametrize("text", HOSTILE)
def test_long_text_fits_the_screen(text: str) -> None:
    """Also the longest foreign text keeps the lines within the width, and the screen short."""
    for screen in screens(text, 80):
        assert max(map(cells, screen.split("\n"))) <= 80
        assert screen.count("\n") < 400


@pytest.mark.parametrize("text", ["[bold]x[/bold]", "[/]", ":smile:"])
def test_markup_is_shown_as_it_is(text: str) -> None:
    """What rich would take for markup is text like any other."""
    summary, verdict = hostile(text)
    assert text in render(summary, verdict, colour=True)


def test_colour_comes_from_us_alone() -> None:
    """In colour, every escape is one of ours: it selects graphics and nothing else."""
    summary, verdict = hostile(HOSTILE[0])
    text = render(summary, verdict, colour=True)
    assert "\x1b" not in re.sub(r"\x1b\[[0-9;]*m", "", text)
    assert "\\x1b[31mred" in text


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_formats_and_loads_nothing(text: str) -> None:
    """A foreign text makes no link, image, tag, heading, quote or rule in a pull request."""
    tokens = parsed(pull_request(text))
    kinds = {token.type for token in inline(tokens)}
    tags = [token.content for token in inline(tokens) if token.type == "html_inline"]
    blocks = "".join(token.content for token in tokens if token.type == "html_block")
    ours = parsed(pull_request("tame"))

    assert kinds <= {"text", "code_inline", "html_inline", "softbreak", "strong_open", "strong_close"}
    assert [tag for tag in tags if not OURS.fullmatch(tag)] == []
    assert "<" not in OURS.sub("", blocks)
    assert {token.type for token in tokens} <= {token.type for token in ours}


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_tables_keep_their_shape(text: str) -> None:
    """A pipe or a newline in a name moves no cell: the tables are those of a tame name."""

    def shape(document: str) -> list[str]:
        return [token.type for token in parsed(document) if token.type.startswith(("t", "heading"))]

    assert shape(pull_request(text)) == shape(pull_request("tame"))


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_mentions_nobody(text: str) -> None:
    """No @name, #number or bare address stands in text that GitHub would act on."""
    tokens = inline(parsed(pull_request(text)))
    outside, within = [], 0
    for token in tokens:
        within += {"<code>": 1, "</code>": -1}.get(token.content, 0) if token.type == "html_inline" else 0
        if token.type == "text" and not within:
            outside.append(token.content)
    assert not re.search(r"(?<!pass)@\w|#\d|GH-\d|www\.|://", "\n".join(outside))


@given(ANY_TEXT)
def test_markdown_code_shows_the_text(text: str) -> None:
    """Inline code shows the text as the terminal would, character by character."""
    tokens = inline(parsed(f"x {for_markdown(text)} y"))
    shown = "".join(token.content for token in tokens if token.type in ("text", "code_inline"))
    assert " ".join(shown.split()) == " ".join(f"x {for_terminal(text)} y".split())


@pytest.mark.parametrize("text", HOSTILE)
def test_json_stays_json_in_ascii(text: str) -> None:
    """Every foreign text leaves the JSON whole, and free of characters that a terminal obeys."""
    summary, verdict = hostile(text)
    document = render(summary, verdict, format="json", trials=HandTrials(summary, detail=text))
    assert document.isascii()
    assert not controls(document)
    assert json.loads(document)["kind"] == "report"


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_ascii_json_has_the_same_value(text: str) -> None:
    """Escaping JSON changes its letters and not its value."""
    assert json.loads(for_json(json.dumps(text, ensure_ascii=False))) == text


@pytest.mark.parametrize("name", REPORTS)
@given(text=ANY_TEXT)
def test_no_text_breaks_a_report(name: str, text: str) -> None:
    """Every report renders whatever text it is given."""
    summary, verdict = hostile(text)
    assert render(summary, verdict, format=name)


@given(ANY_TEXT, st.integers(1, 40))
def test_fit_keeps_its_width(text: str, room: int) -> None:
    """A text that is cut is no wider than its room, and one that fits is not cut."""
    fitted = fit(text, room)
    assert cells(fitted) <= room
    assert fitted == text or cells(text) > room or len(text) > room


@given(st.text("ab \u9b5a\u0301", max_size=80), st.integers(2, 30))
def test_wrap_loses_nothing(text: str, room: int) -> None:
    """Wrapped lines fit, and together hold every character but white space."""
    lines = wrap(text, room)
    assert all(cells(line) <= room for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())
