"""Every report keeps the promises of its kind."""

from __future__ import annotations

import dataclasses
import unicodedata

import msgspec
import pytest

from passhat import reports
from passhat.model.codec import encode
from passhat.model.summary import Summary
from tests.contracts.known import REPORTS, value_problems
from tests.reports.summaries import HOSTILE, HandTrials, hostile, shop, shop_verdict, summary_of

SUMMARIES = {
    "a shop": shop(),
    "one trial": summary_of({"clean": {"task": "P"}}, k=1),
    "nothing but voids": summary_of({"clean": {"a": "VV", "b": "VV"}}, k=1),
    "no trials": summary_of({"clean": {"a": "", "b": ""}}, k=1),
}


@pytest.mark.parametrize("name", REPORTS)
def test_report_is_listed_under_its_name(name: str) -> None:
    """A report is found by the name of its format."""
    assert REPORTS[name]().name == name


@pytest.mark.parametrize("name", REPORTS)
def test_report_is_a_documented_value(name: str) -> None:
    """A report is a frozen, slotted dataclass that says what it is for, and needs no settings."""
    assert value_problems(REPORTS[name]()) == []
    assert REPORTS[name]() == REPORTS[name]()


@pytest.mark.parametrize("name", REPORTS)
def test_settings_are_json(name: str) -> None:
    """The settings of a report can be written in a file."""
    settings = {field.name: getattr(REPORTS[name](), field.name) for field in dataclasses.fields(REPORTS[name])}

    assert msgspec.json.decode(msgspec.json.encode(settings)) == settings


@pytest.mark.parametrize("name", REPORTS)
@pytest.mark.parametrize("summary", SUMMARIES.values(), ids=SUMMARIES)
def test_report_is_deterministic_text(name: str, summary: Summary) -> None:
    """The same summary and verdict give the same text, which ends its last line."""
    for verdict in (None, shop_verdict()):
        for trials in (None, HandTrials(summary)):
            text = REPORTS[name]().render(summary, verdict, trials=trials)

            assert text.endswith("\n")
            assert text.strip()
            assert REPORTS[name]().render(summary, verdict, trials=trials) == text


@pytest.mark.parametrize("name", REPORTS)
def test_report_changes_nothing(name: str) -> None:
    """Summary and verdict are after a report what they were before it."""
    summary, verdict = shop(), shop_verdict()

    REPORTS[name]().render(summary, verdict, trials=HandTrials(summary))

    assert (encode(summary), encode(verdict)) == (encode(shop()), encode(shop_verdict()))


@pytest.mark.parametrize("name", REPORTS)
def test_report_without_trials_says_so(name: str) -> None:
    """A report that was handed no trials says what it leaves out."""
    without = REPORTS[name]().render(shop(), shop_verdict())

    assert "trials" in without
    assert without != REPORTS[name]().render(shop(), shop_verdict(), trials=HandTrials(shop()))


@pytest.mark.parametrize("name", REPORTS)
@pytest.mark.parametrize("foreign", HOSTILE, ids=range(len(HOSTILE)))
def test_foreign_text_controls_nothing(name: str, foreign: str) -> None:
    """Whatever names and details hold, a report is UTF-8 without a control character but the end of a line."""
    summary, verdict = hostile(foreign)

    text = REPORTS[name]().render(summary, verdict, trials=HandTrials(summary, detail=foreign))

    assert text.encode()
    assert {letter for letter in text if unicodedata.category(letter) == "Cc"} <= {"\n"}


@pytest.mark.parametrize("name", REPORTS)
def test_report_is_rendered_by_its_name(name: str) -> None:
    """`render` gives what the report itself gives."""
    text = reports.render(shop(), shop_verdict(), format=name, known=REPORTS)

    assert text == REPORTS[name]().render(shop(), shop_verdict())
