"""What makes a report honest: denominators, reasons, bounds, and words about what it leaves out."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import FrozenInstanceError

import pytest
from msgspec.structs import replace

from passhat.errors import UsageError
from passhat.metrics import measure
from passhat.model.codec import decode
from passhat.model.run import Listing
from passhat.model.summary import Speaks, Summary
from passhat.model.verdict import Finding, Status, Verdict
from passhat.reports import REPORTS, Terminal, render, runs_text, trial_text
from passhat.reports._figures import number, percent, points, utc
from passhat.reports._words import short_names
from passhat.rules import judge, max_void_share
from tests.children import LIMIT
from tests.metrics.runs import run_of
from tests.reports.asked import taken
from tests.reports.summaries import (
    CLEAN_STRIPS,
    HandTrials,
    many,
    refund_trial,
    shop,
    shop_verdict,
    summary_of,
)

READABLE = ["terminal", "markdown"]


def unwrapped(text: str) -> str:
    """*text* on one line."""
    return " ".join(text.split())


@pytest.mark.parametrize("name", READABLE)
def test_every_task_shows_its_denominator(name: str) -> None:
    """Beside each rate stand the passes and the trials that they are counted from."""
    text = render(shop(), format=name)
    assert {"8/10", "9/10", "5/8", "72/80", "53/77"} <= set(re.findall(r"\d+/\d+", text))


@pytest.mark.parametrize("name", READABLE)
def test_voids_show_denominator_and_bounds(name: str) -> None:
    """Void trials are counted out of all trials, with what the numbers would be if they counted."""
    text = unwrapped(render(shop(), format=name))
    assert "pass@1 0.69 (0.66 with voids as failures, 0.70 as passes) · pass^5 0.31" in text
    assert "· 4 % void: 3 of 80 trials" in text


@pytest.mark.parametrize("name", READABLE)
def test_missing_number_shows_its_reason(name: str) -> None:
    """Where k is more than the trials that count, there is no number but the reason."""
    text = unwrapped(render(summary_of({"clean": {"a": "PPV", "b": "PPP"}}, k=3), format=name))
    assert "- (1)" in text
    assert "k = 3 needs 3 trials that count, and there are 2" in text


@pytest.mark.parametrize("name", READABLE)
def test_nothing_measured_is_said(name: str) -> None:
    """A run whose trials are all void has no number at all, and says why."""
    text = unwrapped(render(summary_of({"clean": {"a": "VVV"}}, k=2), format=name))
    assert "was not measured: " in text
    assert "no task has 1 trials that count" in text


@pytest.mark.parametrize("name", READABLE)
def test_verdict_shows_what_it_could_have_caught(name: str) -> None:
    """Beside a finding stands the drop that its trials would have caught."""
    text = unwrapped(render(shop(), shop_verdict(), format=name))
    assert "would have caught a drop of 12 points (80 % power)" in text


def test_sound_evidence_is_one_line() -> None:
    """What the real rules find sound in the evidence is told once, in numbers."""
    text = render(shop(), judge(replace(shop(), rows=()), max_void_share(0.1)))
    assert "held    evidence: 157 of 160 trials graded · 3 void (void_share <= 0.1) · faults met in 63 of 80\n" in text
    assert text.count("held") == 1


def test_unsound_evidence_is_not_folded() -> None:
    """What is wrong with the evidence keeps a line of its own."""
    unmet = summary_of({"rate_limit(rate=0.2)": {"a": "PPPPP"}}, k=2)
    text = unwrapped(render(unmet, judge(unmet, max_void_share(0.05))))
    assert "evidence: 5 of 5 trials graded · 0 void open faults are met: under" in text


def test_long_condition_has_a_short_name_in_sentences() -> None:
    """A long condition stands whole above its half, and by its parts in the verdict and in the last words."""
    name = "rate_limit(retry_after=0.01, rate=0.2)"
    summary = summary_of({"clean": {"a": "PPPPP"}, name: {"a": "PPPPF"}}, k=2)
    reason = f"pass^2 under {name} is 0.60 [95 %: at most 0.70], 0.80 was asked"
    finding = Finding(rule="pass^2 >= 0.8", ok=False, reason=reason, condition=name)
    text = render(summary, Verdict(status=Status.FAIL, findings=(finding,)), width=120)
    assert text.count(name) == 1
    assert "broken  pass^2 under rate_limit is 0.60 [95 %: at most 0.70], 0.80 was asked\n" in text
    assert "under rate_limit: 60 % (5 trials)." in text


def test_short_names_tell_conditions_apart() -> None:
    """Where two conditions have the same parts, their doses stand in the short names."""
    names = [f"rate_limit(retry_after=0.01, rate=0.{i})" for i in (1, 2)]
    assert short_names(names) == {name: f"rate_limit(…, rate=0.{i})" for i, name in enumerate(names, 1)}
    assert short_names(["clean", "their long name of a condition"])["clean"] == "clean"


SHARES = ("[0.31, 0.83]", "[0.06, 0.51]", " 0.02 ", " 0.66 [0.12, 0.87]", " 0.31 [0.05, 0.60]")
PER_CENT = ("[31,83]", "[6,51]", " 2 ", " 66 [12,87]", " 31 [5,60]")


@pytest.mark.parametrize(("width", "shown"), [(79, PER_CENT), (80, PER_CENT), (100, SHARES), (160, SHARES)])
def test_two_conditions_stand_side_by_side(width: int, shown: tuple[str, ...]) -> None:
    """One line a task holds both conditions, each with its denominator, its interval and its pass^k."""
    (line,) = (one for one in render(shop(), width=width).splitlines() if "lost" in one)
    first, second, hat, *_ = shown
    assert line.index("6/10") < line.index(first) < line.index(hat) < line.index("2/10") < line.index(second)


@pytest.mark.parametrize(("width", "shown"), [(79, PER_CENT), (80, PER_CENT), (100, SHARES), (160, SHARES)])
def test_suite_keeps_its_intervals_at_any_width(width: int, shown: tuple[str, ...]) -> None:
    """The suite's pass^k has its interval under each condition, and its points to clean."""
    (line,) = (one for one in render(shop(), width=width).splitlines() if "5 of 5  " in one)
    assert line.index(shown[3]) < line.index(shown[4])
    assert line.endswith("−34")


@pytest.mark.parametrize("width", range(72, 161, 4))
@pytest.mark.parametrize("strips", [CLEAN_STRIPS, {"a": "P" * 200, "b": "PPF" * 66 + "PP"}], ids=["few", "many"])
def test_no_width_loses_pass_hat_k_of_a_task(width: int, strips: dict[str, str]) -> None:
    """However narrow the screen is, pass^k has a column of its own, and no line is wider than the screen."""
    lines = render(summary_of({"clean": strips, "typos(0.05)": strips}), width=width).splitlines()
    (head, *_) = (line for line in lines if line.startswith("  task"))
    assert "^5" in head
    assert max(map(len, lines)) <= width


def test_per_cent_are_said() -> None:
    """Where a table is in per cent, so that pass^k has room, the legend says so."""
    assert "numbers in per cent, ^5 is pass^5" in unwrapped(render(shop(), width=80))
    assert "per cent" not in render(shop(), width=100)


def test_conditions_without_room_stand_in_blocks() -> None:
    """Where conditions are too many for the width, each has its block, and a table compares them."""
    names = ["clean", "typos(0.05)", "typos(0.1)", "typos(0.2)"]
    text = render(summary_of({name: {"a": "PPPPF"} for name in names}, k=2))
    assert text.count("pass@1 and pass^2 speak of this task") == 4
    assert "pass@1, to clean" in text


def test_where_k_is_1_no_number_stands_twice() -> None:
    """With k = 1 pass^k is the rate: there is one column of it."""
    text = render(summary_of({"clean": {"a": "PF"}, "typos(0.05)": {"a": "PP"}}, k=1))
    assert "pass^1" not in text.replace("pass^1 2", "")
    assert "pass@1 speaks of this task" in text


def test_long_names_keep_their_ends() -> None:
    """Names that differ at their ends are told apart where they are cut."""
    tasks = {f"a-task-with-a-very-long-name-{i}": "PPPPP" for i in range(3)}
    text = render(summary_of({"clean": tasks, "typos(0.05)": tasks}, k=2), width=80)
    assert all(f"-name-{i} " in text for i in range(3))


@pytest.mark.parametrize("name", READABLE)
def test_unknown_power_is_said(name: str) -> None:
    """Where a number was held against a line that so few trials could not show to be broken, the report says that."""
    verdict = Verdict(status=Status.PASS, findings=(Finding(rule="r", ok=True, reason="held", line=0.8),))
    assert "hese trials could not have caught any drop below a rule" in render(shop(), verdict, format=name)


@pytest.mark.parametrize("name", READABLE)
def test_power_is_said_of_lines_alone(name: str) -> None:
    """A rule about void trials has no drop to catch, and nothing is said of one."""
    verdict = judge(shop(), max_void_share(0.2))
    assert "could not have caught" not in render(shop(), verdict, format=name)


@pytest.mark.parametrize("name", READABLE)
@pytest.mark.parametrize("kind", ["bootstrap", "t"])
def test_interval_without_width_is_called_approximate(name: str, kind: str) -> None:
    """An approximate interval has no width where all passed: wherever it stands, the report says what it is."""
    summary = measure(run_of({"clean": ["PPPPPPPPPP"] * 5}), interval=kind)
    text = unwrapped(render(summary, format=name).replace("\\", ""))
    assert "pass^5 [1.00, 1.00]" in text
    assert "(approximate): no rule uses these" in text


@pytest.mark.parametrize("name", READABLE)
def test_both_metrics_stand_side_by_side_over_k(name: str) -> None:
    """Along k one metric falls and the other rises: a report shows both."""
    text = unwrapped(render(measure(run_of({"clean": ["PPFPPPFPPP"]})), format=name)).replace("| ", "")
    assert "pass^1 0.80 · ^2 0.62 · ^3 0.47 · ^5 0.22" in text
    assert "pass@1 0.80 · pass@2 0.98 · pass@3 1.00 · pass@5 1.00" in text


@pytest.mark.parametrize("name", READABLE)
@pytest.mark.parametrize("status", Status)
def test_verdict_is_one_word(name: str, status: Status) -> None:
    """The verdict stands in capitals."""
    assert status.value.upper() in render(shop(), Verdict(status=status), format=name)


@pytest.mark.parametrize("name", READABLE)
def test_verdict_without_rules_says_so(name: str) -> None:
    """A verdict behind which no finding stands says that nothing was judged."""
    text = render(shop(), Verdict(status=Status.INCONCLUSIVE), format=name)
    assert "o rule was asked, so nothing was judged" in text


@pytest.mark.parametrize("name", READABLE)
def test_broken_evidence_is_no_broken_rule(name: str) -> None:
    """A finding whose trials carry no verdict says so."""
    finding = Finding(rule="r", ok=False, reason="all void", broken_evidence=True)
    text = render(shop(), Verdict(status=Status.INCONCLUSIVE, findings=(finding,)), format=name)
    assert "no evidence" in text


@pytest.mark.parametrize("name", REPORTS)
def test_report_without_trials_says_what_it_leaves_out(name: str) -> None:
    """Without trials a report cannot say why one failed, and says that it does not."""
    text = render(shop(), format=name)
    assert "left out: why" in text or "leaves_out" in text


@pytest.mark.parametrize("name", REPORTS)
def test_report_with_trials_says_why(name: str) -> None:
    """With trials, the worst tasks show why a trial did not pass."""
    summary = shop()
    assert "the word was wrong" in render(summary, format=name, trials=HandTrials(summary, detail="the word was wrong"))


@pytest.mark.parametrize("name", READABLE)
def test_fault_exposure_is_shown(name: str) -> None:
    """Beside a condition with a fault stands in how many trials the fault was met."""
    assert "63 of 80" in render(shop(), format=name)


@pytest.mark.parametrize("name", READABLE)
def test_unfinished_run_is_said(name: str) -> None:
    """A run that lacks trials says how many of the planned ones there are."""
    summary = shop()
    longer = replace(summary, header=replace(summary.header, trials=20))
    assert "160 of 320 planned trials" in unwrapped(render(longer, format=name))


@pytest.mark.parametrize("name", READABLE)
def test_many_tasks_show_the_worst(name: str) -> None:
    """Of many tasks the twenty worst are shown, and the rest is counted, with the way to see it."""
    text = unwrapped(render(many(100), format=name))
    assert len(re.findall(r"task-\d+", text)) == 20
    assert "80 tasks of 100 left out" in text
    assert "passhat report 3f9ac2d1 --json" in text


def test_every_task_can_be_shown() -> None:
    """The worst are a choice: all tasks are shown to who asks."""
    assert len(re.findall(r"task-\d+", render(many(100), every_task=True))) == 100


def test_large_summary_shows_the_worst_of_all() -> None:
    """A summary of very many cells renders, and its first line is the worst task of all."""
    few = summary_of({"clean": {f"t{i:05}": "PPPPP" for i in range(20_000)} | {"bad": "FFFFF"}})
    lines = render(few).splitlines()
    assert lines[4].split()[0] == "bad"
    assert len(lines) < 60


def test_last_words_are_the_run_in_a_sentence() -> None:
    """The last line says what happens once, what happens every time, and what a fault does to it."""
    text = unwrapped(render(shop()))
    assert text.endswith(
        "This agent passes 90 % of single runs (80 trials), but all 5 of 5 only 66 % of the time on "
        "these 8 tasks; under rate_limit(rate=0.2): 31 % (77 trials)."
    )


def test_last_words_name_the_worst_of_many_conditions() -> None:
    """Where conditions are many, the sentence names the worst."""
    names = ["clean", *(f"rate_limit(rate=0.{i})" for i in range(1, 6))]
    summary = summary_of({name: {"a": "P" * (10 - i) + "F" * i} for i, name in enumerate(names)}, k=2)
    assert "worst of the 5 other conditions, under rate_limit(rate=0.5)" in unwrapped(render(summary))


def test_last_words_without_a_clean_condition() -> None:
    """Without a clean condition, the sentence says under what it was measured."""
    text = unwrapped(render(summary_of({"typos(0.05)": CLEAN_STRIPS})))
    assert "Under typos(0.05) this agent passes 90 %" in text


def test_question_is_named() -> None:
    """An interval for tasks like these says that it is one."""
    summary = summary_of({"clean": CLEAN_STRIPS}, speaks_of=Speaks.TASKS_LIKE_THESE)
    assert "speak of tasks like these 8" in unwrapped(render(summary))


def test_long_strip_is_cut() -> None:
    """A strip that is longer than its column ends in an ellipsis."""
    text = render(summary_of({"clean": {"a": "P" * 200}}), width=80)
    assert "P… 200/200" in unwrapped(text)


def test_perturbation_meets_no_fault() -> None:
    """Under a wording alone there is no fault to meet, so none is counted."""
    text = render(summary_of({"clean": {"a": "PPPPP"}, "typos(0.05)": {"a": "PPPPF"}}), format="markdown")
    assert "| `typos(0.05)` |" in text
    assert "0 of 5" not in text


def test_markdown_opens_with_the_verdict() -> None:
    """The first line of the pull request's report is the verdict."""
    assert render(shop(), shop_verdict(), format="markdown").startswith("## passhat: FAIL\n")


def test_markdown_shows_both_metrics_side_by_side() -> None:
    """pass@1 and pass^k stand beside each other, for the suite and for each task."""
    text = render(shop(), format="markdown")
    assert "| pass@1 (95 %) | pass^5 (95 %) |" in text
    assert text.count("| pass@1 | pass^5 |") == 2


def test_json_is_read_back_by_the_codec() -> None:
    """The summary and the verdict in the JSON report are documents of the codec, and nothing is lost."""
    document = json.loads(render(shop(), shop_verdict(), format="json"))
    assert decode(json.dumps(document["summary"]), Summary) == shop()
    assert decode(json.dumps(document["verdict"]), Verdict) == shop_verdict()


def test_json_estimates_carry_their_denominators() -> None:
    """Every estimate says its trials, its passes, its k, its tasks and its level, also at their defaults."""
    document = json.loads(render(summary_of({"clean": {"a": "VV"}}, k=1), format="json"))
    estimates = [one for row in document["summary"]["value"]["rows"] for one in row["estimates"]]
    assert estimates
    assert all({"n", "c", "k", "tasks", "level", "reason", "speaks_of"} <= set(one) for one in estimates)


def test_json_carries_its_schema() -> None:
    """The report says in which schema it is written."""
    document = json.loads(render(shop(), format="json", indent=0))
    assert (document["schema"], document["kind"], document["verdict"]) == ("1.0", "report", None)


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.0, "0.00"), (0.001, "<0.01"), (0.996, ">0.99"), (1.0, "1.00"), (1 - 1e-15, "1.00"), (0.5, "0.50")],
)
def test_rounding_does_not_lie(value: float, shown: str) -> None:
    """Only what is exactly all or nothing is shown as 1.00 or 0.00."""
    assert number(value) == shown


@pytest.mark.parametrize(("value", "shown"), [(0.0, "0 %"), (0.001, "<1 %"), (0.999, ">99 %"), (1.0, "100 %")])
def test_per_cent_do_not_lie(value: float, shown: str) -> None:
    """Only what is exactly all or nothing is 100 % or 0 %."""
    assert percent(value) == shown


@pytest.mark.parametrize(("change", "shown"), [(-0.31, "−31"), (0.05, "+5"), (0.0, "±0"), (-0.001, "±0")])
def test_points_have_a_sign(change: float, shown: str) -> None:
    """A difference shows which way it goes."""
    assert points(change) == shown


@pytest.mark.parametrize(
    ("timestamp", "shown"),
    [(1_795_037_520.0, "2026-11-18 21:32"), (0.0, "-"), (1e300, "-"), (float("nan"), "-")],
)
def test_time_is_utc(timestamp: float, shown: str) -> None:
    """A timestamp is shown in UTC to the minute, and a dash where there is none."""
    assert utc(timestamp) == shown


def test_long_value_shows_its_length() -> None:
    """A value that is cut says how long it was."""
    trial = replace(refund_trial(), input="x" * 5_000)
    assert "(cut: 5,000 characters)" in unwrapped(trial_text(trial))


def test_fault_that_never_fired_is_said() -> None:
    """A trial whose planned fault never fired says that it shows nothing about the fault."""
    assert "no planned fault fired" in trial_text(replace(refund_trial(), faults=()))


def test_no_runs_are_said() -> None:
    """An empty store is a sentence and not an empty table."""
    assert runs_text([]) == "no runs are stored\n"


def test_runs_show_how_far_they_got() -> None:
    """Beside the stored trials stand the planned ones."""
    listing = Listing(id="a1", suite="s", agent="b", started_at=1.0, stored=3, planned=8)
    assert "3/8" in runs_text([listing])


def test_unknown_report_is_named() -> None:
    """A format that there is not is an error with the ones that there are."""
    with pytest.raises(UsageError, match="markdown"):
        render(shop(), format="markdwn")


@pytest.mark.parametrize("options", [{"widht": 80}, {"width": "wide"}])
def test_wrong_setting_is_named(options: dict[str, object]) -> None:
    """A setting that the report does not have, or of the wrong type, is an error that names it."""
    with pytest.raises(UsageError, match="width"):
        render(shop(), **options)  # type: ignore[arg-type]


def test_report_is_frozen() -> None:
    """A report is a value."""
    with pytest.raises(FrozenInstanceError):
        Terminal().width = 5  # type: ignore[misc]


def test_colour_changes_no_letter() -> None:
    """Without its colours, the coloured screen is the plain one."""
    coloured = render(shop(), shop_verdict(), colour=True)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert [line.rstrip() for line in plain.splitlines()] == render(shop(), shop_verdict()).splitlines()


@pytest.mark.parametrize("name", REPORTS)
def test_report_ends_as_a_text_file_does(name: str) -> None:
    """A report ends with one newline."""
    text = render(shop(), shop_verdict(), format=name)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


@pytest.mark.parametrize("name", REPORTS)
def test_report_is_deterministic(name: str) -> None:
    """The same summary gives the same text."""
    assert render(shop(), shop_verdict(), format=name) == render(shop(), shop_verdict(), format=name)


def test_reports_load_nothing_heavy() -> None:
    """Importing the reports leaves rich out."""
    code = "import sys, passhat.reports; print('rich' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LIMIT, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize("name", READABLE)
def test_faults_have_a_table_only_where_recovery_was_measured(name: str) -> None:
    """A run whose recovery nobody asked for shows none, and the clean condition is in no such table."""
    assert "silent corruption" not in unwrapped(render(shop(), format=name))
    assert "silent corruption" not in unwrapped(render(taken(summary_of({"clean": CLEAN_STRIPS})), format=name))


@pytest.mark.parametrize("name", READABLE)
def test_fault_that_never_fired_shows_the_reason(name: str) -> None:
    """Nothing fired, so no share is shown, and the reason stands below the table."""
    text = unwrapped(render(taken(shop(), fired=0, silent=0), format=name))

    assert "silent_corruption_share: there are no trials in which a fault fired" in text.replace("\\", "")
    terminal = " 77 19 0 0 0 - (1) 0 - (2)" in text
    assert terminal or " 77 | 19 | 0 | 0 | 0 | - (1) | 0 | - (2) | - |" in text


@pytest.mark.parametrize("width", range(72, 161, 4))
def test_table_of_faults_keeps_within_the_screen(width: int) -> None:
    """On any width no line is wider, and every condition is told apart."""
    doses = [f"lost_reply(match=add_to_cart, rate=0.{i}) & rate_limit(retry_after=0.01, rate=0.{i})" for i in (1, 2)]
    strips = {"clean": CLEAN_STRIPS, **dict.fromkeys(doses, CLEAN_STRIPS)}
    lines = render(taken(summary_of(strips), silent=60), width=width).splitlines()

    assert max(map(len, lines)) <= width
    assert len([line for line in lines if re.search(r"\b77 +(4 +)?60 +54\b", line)]) == 2
