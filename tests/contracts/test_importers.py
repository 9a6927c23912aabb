"""Every importer keeps the promises of its kind."""

import dataclasses
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat import importers
from passhat.errors import UsageError
from passhat.importers import Imported, Origin
from passhat.model.body import decode_trial, row_of
from passhat.model.condition import Condition
from tests.contracts.known import IMPORTERS

ORIGIN = Origin("0badcafe", 1_700_000_000.0, "some.log")

# A log of each format that holds all that the importer understands.
LOGS: Mapping[str, str] = {
    "jsonl": """
{"task": "refund", "passed": true, "output": {"refunded": 7}, "seconds": 1.5, "detail": "asked twice"}
{"task": "refund", "passed": false, "output": null}
{"task": "refund", "condition": "typos(0.1) & rate_limit(rate=0.2)", "outcome": "TIMEOUT"}
{"task": "cancel", "trial": 1, "outcome": "VOID", "passed": false, "model": "bot-3"}
{"task": "cancel", "trial": 2, "outcome": "CRASH"}
""",
}


def imported(name: str) -> Imported:
    """What the importer of this name makes of its log."""
    return IMPORTERS[name]().read(LOGS[name], ORIGIN)


def test_every_importer_has_a_log() -> None:
    """The tests below see every built-in importer at work; an installed one is seen as far as that needs no log."""
    assert LOGS.keys() == importers.IMPORTERS.keys()


@pytest.mark.parametrize("name", IMPORTERS)
def test_importer_is_listed_under_its_name(name: str) -> None:
    """An importer is found by the name of its format."""
    assert IMPORTERS[name]().name == name


@pytest.mark.parametrize("name", LOGS)
def test_runs_carry_their_format(name: str) -> None:
    """An imported run says which format it was read from."""
    assert imported(name).header.source == name


@pytest.mark.parametrize("name", IMPORTERS)
def test_importer_is_a_documented_value(name: str) -> None:
    """An importer is a frozen dataclass that says what it reads; two with equal settings are equal."""
    kind = IMPORTERS[name]

    assert kind.__doc__
    assert kind() == kind()
    with pytest.raises(dataclasses.FrozenInstanceError):
        kind().suite = "another"  # type: ignore[misc]


@pytest.mark.parametrize("name", LOGS)
def test_importer_is_deterministic(name: str) -> None:
    """The same text gives the same run."""
    assert imported(name) == imported(name)


@pytest.mark.parametrize("name", LOGS)
def test_importer_makes_no_id_and_reads_no_clock(name: str) -> None:
    """The id and the time of a run are the caller's, and nothing else of the run depends on them."""
    later = Origin("other", 2.0, "elsewhere")
    first, second = imported(name), IMPORTERS[name]().read(LOGS[name], later)

    assert (first.header.id, first.header.started_at) == (ORIGIN.id, ORIGIN.started_at)
    assert (second.header.id, second.header.started_at) == (later.id, later.started_at)
    assert first.trials == second.trials
    assert first.header.run_digest == second.header.run_digest


@pytest.mark.parametrize("name", LOGS)
def test_caller_may_name_suite_and_agent(name: str) -> None:
    """What the caller says of suite and agent goes before what the log says."""
    header = IMPORTERS[name](suite="shop", agent="bot-3").read(LOGS[name], ORIGIN).header

    assert (header.suite, header.agent) == ("shop", "bot-3")


@pytest.mark.parametrize("name", LOGS)
def test_importer_fills_a_store(name: str) -> None:
    """Every trial stands once, in its own cell, within the planned trials, by index and then by cell."""
    header, trials = imported(name).header, imported(name).trials
    addresses = [(trial.index, cell) for cell, trial in trials]

    assert trials
    assert addresses == sorted(set(addresses))
    for cell, trial in trials:
        task, condition = divmod(cell, len(header.conditions))
        assert (trial.task_id, trial.task_digest) == (header.tasks[task].id, header.tasks[task].digest)
        assert trial.condition == header.conditions[condition]
        assert 0 <= trial.index < header.trials


@pytest.mark.parametrize("name", LOGS)
def test_conditions_bear_their_canonical_names(name: str) -> None:
    """A condition from a log is written as every run writes it."""
    names = imported(name).header.conditions

    assert tuple(Condition.parse(text).name for text in names) == names


@pytest.mark.parametrize("name", LOGS)
def test_trials_survive_the_store(name: str) -> None:
    """What a store keeps of an imported trial is the whole trial."""
    header, trials = imported(name).header, imported(name).trials

    rows = [row_of(cell, trial) for cell, trial in trials]

    assert [decode_trial(header, row) for row in rows] == [trial for _, trial in trials]


@pytest.mark.parametrize("name", IMPORTERS)
@given(text=st.text() | st.sampled_from(["{}", "[]", "null", "[" * 100_000, "\x00", "\ud800", "<a>", "a,b\n1,2\n"]))
def test_anything_else_is_refused_by_name(name: str, text: str) -> None:
    """A text that is no log of this format is a usage error that names the text, and nothing else."""
    with pytest.raises(UsageError, match=r"^some\.log"):
        IMPORTERS[name]().read(text, ORIGIN)
