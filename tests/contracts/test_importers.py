"""Every importer keeps the promises of its kind."""

import dataclasses
import json
from collections.abc import Mapping, Sequence
from typing import get_type_hints

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from passhat import importers
from passhat.cli.import_ import command
from passhat.errors import UsageError
from passhat.importers import Imported, Origin
from passhat.model.body import decode_trial, row_of
from passhat.model.condition import Condition
from passhat.model.run import Header
from passhat.reports import portable_lines
from tests.contracts.known import IMPORTERS
from tests.importers.portable import stored
from tests.importers.tau import asks, asks2, says, tau2_row, tau_row, tells, tells2

ORIGIN = Origin("0badcafe", 1_700_000_000.0, "some.log")

# A log of each format that holds all that the importer understands.
LOGS: Mapping[str, str] = {
    "passhat": "".join(f"{line}\n" for line in portable_lines(stored())),
    "jsonl": """
{"task": "refund", "passed": true, "output": {"refunded": 7}, "seconds": 1.5, "detail": "asked twice"}
{"task": "refund", "passed": false, "output": null}
{"task": "refund", "condition": "typos(0.1) & rate_limit(rate=0.2)", "outcome": "TIMEOUT"}
{"task": "cancel", "trial": 1, "outcome": "VOID", "passed": false, "model": "bot-3"}
{"task": "cancel", "trial": 2, "outcome": "CRASH", "score": 0.5, "seed": 4, "cost": 0.01, "input": {"say": "x"}}
{"task": "cancel", "trial": 3, "passed": 1, "input": {"say": "x"}, "trace": [{"tool": "t", "ok": false}]}
""",
    "csv": """task,trial,passed,seconds,condition,input,output,score,note
refund,0,true,1.5,,"say ""hello"",
and go",done,1,a
refund,1,FAIL,,typos(0.1),"say ""hello"",
and go",,0.25,b
""",
    "tau_bench": json.dumps(
        [
            tau_row(0, 0, 1.0, traj=[asks("c1", "find", '{"id": 7}'), tells("c1", '{"found": [1, null]}'), says("ok")]),
            tau_row(0, 1, 0.25, traj=[asks("c1", "find", "{}"), tells("c1", "Error: no such order"), says("sorry")]),
            tau_row(1, 0, 0.0, info={"error": "502", "traceback": "Traceback\nHTTPError: 502"}, traj=[]),
        ]
    ),
    "tau2_bench": json.dumps(
        {
            "info": {
                "num_trials": 2,
                "seed": 300,
                "git_commit": "abc",
                "agent_info": {"implementation": "llm_agent", "llm": "m"},
                "environment_info": {"domain_name": "mock"},
            },
            "tasks": [
                {"id": "a", "user_scenario": {"instructions": "Ask."}, "evaluation_criteria": {"actions": [None]}},
                {"id": "never run", "initial_state": {"n": 1}},
            ],
            "simulations": [
                tau2_row("a", 0, 1.0, messages=[asks2("c", "make", {"n": 1}), tells2("c", "done"), says("made")]),
                tau2_row("a", 1, None, termination_reason="infrastructure_error", info={"error": "502"}),
            ],
        }
    ),
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


@pytest.mark.parametrize("name", [name for name in LOGS if name != "passhat"])  # which holds a whole run, id and all
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

    inputs = {task.id: task.input for task in header.tasks}  # a trial that was asked the task's own input keeps none
    assert [decode_trial(header, row) for row in rows] == [
        replace(trial, input=inputs[trial.task_id]) for _, trial in trials
    ]


@pytest.mark.parametrize("name", LOGS)
def test_header_survives_the_store(name: str) -> None:
    """What a log says of the run and its tasks is JSON, so that digests still agree when it is read back."""
    header = imported(name).header

    read = msgspec.json.decode(msgspec.json.encode(header), type=Header)

    assert read == header
    assert read.run_digest == header.run_digest
    assert [task.digest for task in read.tasks] == [task.digest for task in header.tasks]


@pytest.mark.parametrize("name", IMPORTERS)
def test_settings_can_be_typed(name: str) -> None:
    """Every setting has a default, a help text, a type that can be read from what is typed, and a name of its own."""
    kind = IMPORTERS[name]
    hints = get_type_hints(kind)
    settings = [field for field in dataclasses.fields(kind) if field.name not in ("suite", "agent")]

    for field in settings:
        given = {"a": "b"} if hints[field.name] == Mapping[str, str] else "1"
        assert msgspec.convert(given, hints[field.name], strict=False) is not None
        assert field.metadata["help"][:1].isupper()
    taken = {word for option in command.params for word in (option.name, *option.opts)}
    assert [field.name for field in settings if taken & {field.name, f"--{field.name}"}] == []
    assert kind() == msgspec.convert({}, kind)


@pytest.mark.parametrize("name", LOGS)
@given(data=st.data())
def test_damaged_log_is_refused_or_read_whole(name: str, data: st.DataObject) -> None:
    """A log with a piece cut out or overwritten is a run with sound trials, or a usage error that names the text."""
    log = LOGS[name]
    start = data.draw(st.integers(0, len(log)))
    end = data.draw(st.integers(start, min(len(log), start + 60)))
    piece = data.draw(
        st.sampled_from(["", "null", "-1", "1e400", "NaN", '"', "{}", "[[]]", "\\ud800", "true", ",", "\x00"])
    )
    problems: Sequence[str] = ()
    try:
        run = IMPORTERS[name]().read(log[:start] + piece + log[end:], ORIGIN)
        msgspec.json.encode(run.header)
        assert [decode_trial(run.header, row_of(cell, trial)).outcome for cell, trial in run.trials]
    except UsageError as error:
        problems = error.problems

    assert [problem for problem in problems if not problem.startswith(("some.log", "and "))] == []


@pytest.mark.parametrize("name", IMPORTERS)
@given(text=st.text() | st.sampled_from(["{}", "[]", "null", "[" * 100_000, "\x00", "\ud800", "<a>", "a,b\n1,2\n"]))
def test_anything_else_is_refused_by_name(name: str, text: str) -> None:
    """A text that is no log of this format is a usage error that names the text, and nothing else."""
    with pytest.raises(UsageError, match=r"^some\.log"):
        IMPORTERS[name]().read(text, ORIGIN)
