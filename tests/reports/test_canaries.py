"""Several scenarios on one screen: the worst verdict counts, and no trial is lost between the columns."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from passhat.model.summary import Estimate, Summary
from passhat.model.verdict import Finding, Status, Verdict
from passhat.reports import Scenario, canaries_text, overall
from tests.reports.asked import taken
from tests.reports.summaries import shop, summary_of

PASS, OPEN, FAIL = Status.PASS, Status.INCONCLUSIVE, Status.FAIL
FAULT = "lost_reply(hang=2.0, dose=once_at(1), match=add_to_cart)"


def scenario(summary: Summary, status: Status, *findings: Finding) -> Scenario:
    """A scenario that came to *status*."""
    verdict = Verdict(status=status, findings=findings)
    return Scenario("the pathway", "a story", "a good deed", summary, verdict)


def small(*, fired: int = 10) -> Summary:
    """One task, clean and under a fault."""
    strips = {"clean": {"cart": "PPPPPPPPPP"}, FAULT: {"cart": "PPPPPPPPPF"}}
    return taken(summary_of(strips, exposed={FAULT: [fired]}), fired=fired)


def ending(summary: Summary, metric: str, count: int) -> Summary:
    """*summary* with so many trials that ended so, under the fault."""
    one = Estimate(metric=metric, value=count / 10, n=10, c=count)
    rows = [
        replace(row, estimates=(*row.estimates, one)) if (row.task, row.condition) == (None, FAULT) else row
        for row in summary.rows
    ]
    return replace(summary, rows=tuple(rows))


def text(*scenarios: Scenario, width: int = 100) -> str:
    """The screen with its lines joined, so that no wrapping hides a sentence."""
    return " ".join(canaries_text(scenarios, width=width).split())


@pytest.mark.parametrize(
    ("statuses", "worst"),
    [
        ([PASS, PASS], PASS),
        ([PASS, OPEN], OPEN),
        ([FAIL, OPEN], FAIL),
        ([PASS, FAIL, PASS], FAIL),
    ],
)
def test_worst_verdict_counts(statuses: list[Status], worst: Status) -> None:
    """One that fails fails all, and one that is not reached lets none pass."""
    scenarios = [scenario(small(), status) for status in statuses]

    assert overall(scenarios) is worst
    assert f"verdict {worst.value.upper()} " in text(*scenarios)


def test_row_shows_what_fired_and_how_it_ended() -> None:
    """A row has pass^k with its interval, fired of planned, and the ends in the order of their heads."""
    lines = canaries_text([scenario(ending(small(), "false_success_share", 2), PASS)], width=100).splitlines()
    row = next(line for line in lines if "lost_reply" in line)

    assert row.split()[1:] == ["0.50", "[0.08,", "0.91]", "10/77", "4", "3", "2", "1"]


def test_what_no_column_counts_is_said() -> None:
    """Trials that were over-cautious, or loud about what they spoiled, are counted below."""
    odd = ending(ending(small(), "over_cautious_share", 2), "loud_corruption_share", 1)

    assert "3 trials ended over-cautious or in loud corruption" in text(scenario(odd, PASS))
    assert "over-cautious" not in text(scenario(small(), PASS))


def test_void_trials_are_counted() -> None:
    """Void trials stand below the table, with all there are."""
    assert "void 3 trials of 160" in text(scenario(taken(shop()), PASS))
    assert "void" not in text(scenario(small(), PASS))


def test_no_fault_met_is_said() -> None:
    """Where nothing fired, the last sentence does not speak of recovery."""
    said = text(scenario(small(fired=0), OPEN))

    assert said.endswith("Without a fault this agent passes 10 of 10 trials. It met no fault.")


def test_no_silent_corruption_is_not_said_as_a_number() -> None:
    """Where nothing ended in silent corruption, the last sentence says none."""
    strips = {"clean": {"cart": "P" * 10}, FAULT: {"cart": "P" * 10}}
    safe = taken(summary_of(strips, exposed={FAULT: [10]}), fired=10, silent=0)

    assert text(scenario(safe, PASS)).endswith("recovers in 4, and in none it leaves the world wrong in silence.")


def test_broken_and_open_rules_are_named() -> None:
    """A broken rule and one without evidence stand by their names, once; one that trials can't tell with its reason."""
    close = f"recovered_share under {FAULT} is 0.90: 10 trials can't tell"
    said = text(
        scenario(
            small(),
            FAIL,
            Finding(rule="silent_corruption_share <= 0", ok=False, reason="10 of 10", condition="clean"),
            Finding(rule="silent_corruption_share <= 0", ok=False, reason="9 of 10", condition=FAULT),
            Finding(rule="landed_share >= 0.9", ok=False, reason="too few", condition=FAULT, broken_evidence=True),
            Finding(rule="recovered_share >= 0.8", ok=None, reason=close, condition=FAULT, line=0.8),
            Finding(rule="void_share <= 0.05", ok=True, reason="none is void"),
        )
    )

    assert said.count("silent_corruption_share <= 0") == 1
    assert (
        "broken silent_corruption_share <= 0 open landed_share >= 0.9 open recovered_share under lost_reply is" in said
    )
    assert "void_share" not in said


def test_only_a_failure_is_told_what_is_good() -> None:
    """What a good agent does stands where one failed, and nowhere else."""
    assert "a good agent a good deed" in text(scenario(small(), FAIL))
    assert "a good deed" not in text(scenario(small(), PASS), scenario(small(), OPEN))


def test_narrow_screen_has_all_columns() -> None:
    """On 72 columns the same stands closer, with pass^k in per cent."""
    lines = canaries_text([scenario(small(), FAIL)], width=72).splitlines()

    assert max(map(len, lines)) <= 72
    assert "50 [8,91]" in "\n".join(lines)
    assert "in per cent" in " ".join(lines)


def test_colour_is_asked_for() -> None:
    """Escapes come with colour alone, and change no letter."""
    plain = canaries_text([scenario(small(), FAIL)])

    assert "\x1b" not in plain
    assert "\x1b[" in canaries_text([scenario(small(), FAIL)], colour=True)
