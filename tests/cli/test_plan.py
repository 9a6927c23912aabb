"""`passhat plan`: how numbers are typed, what is written where, and the exit codes."""

import json

import pytest

from tests.cli.said import Passhat


@pytest.mark.parametrize(
    ("baseline", "drop"), [("0.9", "0.05"), (".9", ".05"), ("90%", "5%"), (" 90% ", "5.0%"), ("9e-1", "5e-2")]
)
def test_shares_are_typed_in_two_ways(baseline: str, drop: str, passhat: Passhat) -> None:
    """A share is a number from 0 to 1, or one with a per cent sign; a drop of 5% is five points."""
    said = passhat("plan", "--baseline", baseline, "--drop", drop, "-q")

    assert (said.code, said.out, said.err) == (0, "253\n", "")


def test_counts_are_typed_in_two_ways(passhat: Passhat) -> None:
    """A count of 1e2 is 100."""
    assert passhat("plan", "--runs", "1e2", "-q").out == passhat("plan", "--runs", "100", "-q").out == "0.098\n"


def test_answer_is_text(passhat: Passhat) -> None:
    """The answer goes to standard output, its number first."""
    said = passhat("plan", "--half-width", "5%")

    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("385 runs pin a pass rate to ±5 points")


def test_json_is_whole(passhat: Passhat) -> None:
    """JSON has the unrounded numbers."""
    said = passhat("plan", "--baseline", ".9", "--drop", ".05", "--cost-per-run", "0.02", "--json")

    data = json.loads(said.out)
    assert data["answer"]["runs"] == 253
    assert round(data["answer"]["formula"], 3) == 252.159
    assert data["given"] == {"baseline": 0.9, "drop": 0.05, "cost_per_run": 0.02}
    assert data["assumed"].items() >= {"power": 0.8, "alpha": 0.05, "method": "normal"}.items()
    assert data["tables"][0]["columns"] == ["drop", "to", {"power": 0.8}, {"power": 0.9}]
    assert data["tables"][0]["rows"][1] == [0.05, 0.85, 253, 362]


def test_flags_are_given_or_not(passhat: Passhat) -> None:
    """Flags that were not typed ask nothing; those that were do."""
    one = passhat("plan", "--baseline", ".9", "--drop", ".05", "-q").out
    two = passhat("plan", "--baseline", ".9", "--drop", ".05", "--two-sided", "-q").out
    paired = passhat("plan", "--baseline", ".9", "--drop", ".05", "--paired", "-q").out

    assert int(one) < int(two) < int(paired)


def test_nothing_asked_shows_what_can_be(passhat: Passhat) -> None:
    """Without an option the help goes to standard error, with examples, and the exit code is 2."""
    said = passhat("plan")

    assert (said.code, said.out) == (2, "")
    assert "passhat plan --half-width 5%" in said.err
    assert said.err.splitlines()[-1].startswith("passhat: nothing is asked: 'passhat plan --baseline 90% --drop 5%'")


def test_examples_of_the_help_are_answered(passhat: Passhat) -> None:
    """Every example that the help shows is a question."""
    shown = [
        line.split("  ")[1].split() for line in passhat("plan", "-h").out.splitlines() if "  passhat plan -" in line
    ]

    assert len(shown) >= 6
    assert [words for words in shown if passhat(*words[1:]).code != 0] == []


def test_all_problems_are_said_at_once(passhat: Passhat) -> None:
    """Three mistakes are three lines."""
    said = passhat("plan", "--baseline", "2", "--drop", "five", "--power", "1", "--trials", "0")

    assert said.refused(
        "--baseline is above 0", "--drop is a number, not 'five'", "--power is above 0", "--trials is a whole"
    )


def test_a_mistake_is_one_sentence(passhat: Passhat) -> None:
    """A drop of 5, which is no share, is not held against the baseline as well."""
    said = passhat("plan", "--baseline", ".9", "--drop", "5")

    assert said.err == "passhat: --drop is above 0 and below 1, not --drop=5\n"


def test_answer_that_there_is_not_is_refused(passhat: Passhat) -> None:
    """Where no number of trials is enough, that is one sentence and exit code 2."""
    said = passhat("plan", "--baseline", ".9", "--drop", ".05", "--tasks", "20", "--icc", ".3")

    assert said.refused("take 76 tasks or more")


def test_published_rates_are_listed(passhat: Passhat) -> None:
    """`--field list` shows names, rates and sources, as text and as JSON, and answers nothing else."""
    said, data = passhat("plan", "--field", "list"), passhat("plan", "--field", "list", "--json")

    assert "tau-bench-airline/gpt-4o" in said.out
    assert json.loads(data.out)["tau-bench-airline/gpt-4o"]["rate"] == 0.42
    assert passhat("plan", "--field", "list", "--drop", ".05").refused("leave the other options out")


def test_published_rate_is_a_baseline(passhat: Passhat) -> None:
    """A published rate plans like a typed one."""
    named = passhat("plan", "--field", "tau-bench-retail/gpt-4o", "--drop", ".05", "-q")
    typed = passhat("plan", "--baseline", ".604", "--drop", ".05", "-q")

    assert named.out == typed.out
