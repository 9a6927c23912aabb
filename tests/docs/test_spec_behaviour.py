"""What the documents in docs/specs.md ask of a run, seen from outside: through `passhat.run` and the command line."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import passhat
from passhat import Suite, Task, cli, faults, graders, perturbations, rules
from passhat.errors import ExitCode, ToolError
from passhat.model.dose import once_at
from passhat.model.outcome import Outcome
from passhat.model.run import Run
from passhat.model.trial import Evidence, Trial
from passhat.model.verdict import Status

TASK = Task("refund", "Please refund the parcel of order 7", expect="refunded")


class Till:
    """A world that counts its refunds."""

    def __init__(self) -> None:
        self.refunds = 0
        self.tools = {"refund": self.refund}

    def refund(self) -> int:
        """Pay once more."""
        self.refunds += 1
        return self.refunds

    def snapshot(self) -> dict[str, int]:
        """The end state."""
        return {"refunds": self.refunds}


def retrier(_message: str, tools: Any) -> str:  # noqa: ANN401
    """Refund, and once more where the tool fails."""
    try:
        tools.refund()
    except ToolError:
        tools.refund()
    return "refunded"


def every_fifth_fails() -> Callable[[str, Any], str]:
    """An agent that fails one run in five."""
    runs = iter(range(10_000))
    return lambda _message, _tools: "forgot" if next(runs) % 5 == 4 else "refunded"


@pytest.fixture
def store(tmp_path: Path) -> str:
    """The path of a store that is not there yet."""
    return str(tmp_path / "passhat.db")


def run(store: str, agent: Any = retrier, *, grader: Any = None, **options: Any) -> Run:  # noqa: ANN401
    """The stored run of one task."""
    suite = Suite(tasks=[TASK], grader=grader or graders.contains(), world=Till)
    return passhat.run(suite, agent, store=store, **options)


def one(made: Run, index: int = 0, condition: str = "clean") -> Trial:
    """A trial of the run, as the store gives it."""
    found = made.trials.get(TASK.id, condition, index)
    assert found is not None
    return found


def test_task_runs_ten_times_unless_told_otherwise(store: str) -> None:
    """A task runs as often as asked, and ten times where nothing is asked."""
    assert len(list(run(store).trials)) == 10
    assert len(list(run(store, trials=3).trials)) == 3


def test_every_trial_has_a_world_and_a_seed_of_its_own(store: str) -> None:
    """No trial sees what another did, and no two trials of a task share a seed."""
    trials = list(run(store, trials=10).trials)

    assert [trial.state for trial in trials] == [{"refunds": 1}] * 10
    assert len({trial.seed for trial in trials}) == 10


def test_seeds_are_those_of_the_run(store: str) -> None:
    """The same seed gives the same trials, another one other seeds; conditions share them, so trials are paired."""
    first, again, other = (run(store, trials=3, seed=seed, under=["typos(0.5)"]) for seed in (1, 1, 2))

    assert [trial.content() for trial in first.trials] == [trial.content() for trial in again.trials]
    assert {trial.seed for trial in first.trials}.isdisjoint({trial.seed for trial in other.trials})
    assert one(first).seed == one(first, condition="typos(0.5)").seed


def test_trial_is_kept_whole(store: str) -> None:
    """A stored trial says which task, which condition, which of them, how it ended, and what each grader found."""
    trial = one(run(store, trials=2), 1)

    assert (trial.task_id, trial.task_digest) == (TASK.id, TASK.digest)
    assert (trial.condition, trial.index, trial.outcome) == ("clean", 1, Outcome.PASS)
    assert [(grade.grader, grade.passed) for grade in trial.grades] == [("contains", True)]


def test_trace_says_what_ran_and_what_the_agent_was_told(store: str) -> None:
    """A refused call is in the trace as not run, and told to the agent; its retry is another step that went well."""
    under = faults.rate_limit(retry_after=2.0).at()
    made = run(store, trials=1, under=[under])
    refused, retried = one(made, condition=made.header.conditions[1]).trace

    assert (refused.step, refused.tool, refused.ok, refused.executed) == (1, "refund", False, 0)
    assert "429" in refused.error
    assert "Retry-After: 2" in refused.error
    assert (retried.step, retried.tool, retried.ok, retried.executed) == (2, "refund", True, 1)


def test_faults_are_recorded_as_planned_and_as_fired(store: str) -> None:
    """A trial says which faults were planned, which fired, at which call, and whether the agent was told."""
    made = run(store, trials=1, under=[faults.rate_limit().at(), faults.rate_limit().at(once_at(9))])
    _, met, missed = (one(made, condition=condition) for condition in made.header.conditions)
    (event,) = met.faults

    assert (met.faults_planned, met.exposed) == (("rate_limit",), True)
    assert (event.tool, event.ordinal, event.upstream_executed, event.agent_visible) == ("refund", 1, False, True)
    assert (missed.faults_planned, missed.exposed) == (("rate_limit",), False)


def test_share_of_trials_is_balanced(store: str) -> None:
    """A fault for half of the trials is planned for exactly half of them."""
    made = run(store, trials=10, under=[faults.rate_limit().at(share=0.5)], clean=False)

    assert sum(bool(trial.faults_planned) for trial in made.trials) == 5


def test_every_condition_has_its_own_numbers(store: str) -> None:
    """Clean, under a fault and in other words: each has its row, with an interval."""
    made = run(store, trials=4, under=[faults.rate_limit().at(), perturbations.typos(0.5)])
    summary = passhat.measure(made)
    rows = [summary.suite_row(condition) for condition in made.header.conditions]
    estimates = [row.get("pass^1") for row in rows if row]

    assert len(estimates) == 3
    assert all(each and each.low is not None and each.n == 4 for each in estimates)


def test_graders_see_the_end_state(store: str) -> None:
    """An answer that claims success does not pass where the world says otherwise."""

    def paid_once(evidence: Evidence) -> bool:
        return evidence.state == {"refunds": 1}

    lying = run(store, lambda _message, _tools: "refunded", grader=graders.predicate(paid_once), trials=1)

    assert one(lying).outcome is Outcome.FAIL


def test_outcome_tells_the_agent_from_its_surroundings(store: str) -> None:
    """An agent that raises has crashed, and counts; a grader that raises makes the trial void, and does not."""

    def broken(*_given: object) -> bool:
        raise ValueError("broken")

    crashed = run(store, broken, trials=1)
    void = run(store, grader=graders.predicate(broken), trials=1)

    assert (one(crashed).outcome, crashed.trials.counts().valid(0)) == (Outcome.CRASH, 1)
    assert (one(void).outcome, void.trials.counts().valid(0)) == (Outcome.VOID, 0)


def test_flaky_agent_passes_on_the_one_metric_and_fails_on_the_other(store: str) -> None:
    """An agent that fails one run in five passes a rule on pass@5, and fails the same rule on pass^5."""
    summary = passhat.measure(run(store, every_fifth_fails(), trials=100, concurrency=1), k=5)

    assert passhat.judge(summary, rules.at_least("pass@5", 0.8)).status is Status.PASS
    assert passhat.judge(summary, rules.at_least("pass^5", 0.8)).status is Status.FAIL


def test_too_few_trials_are_inconclusive_and_say_what_they_could_see(store: str) -> None:
    """Ten clean trials do not show a pass^5 of .8: no pass, and the drop that they would have caught beside it."""
    verdict = passhat.judge(passhat.measure(run(store)), rules.at_least("pass^5", 0.8))
    (finding,) = (each for each in verdict.findings if each.rule == "pass^5 >= 0.8")

    assert verdict.status is Status.INCONCLUSIVE
    assert finding.ok is None
    assert finding.detectable_drop is not None
    assert finding.detectable_drop > 0.5


SUITE = """
from passhat import Suite, Task, graders

suite = Suite(tasks=[Task("refund", "Refund order 7", expect="refunded")], grader=graders.contains())

def good(message, tools):
    return "refunded"

def bad(message, tools):
    return "forgot"
"""


@pytest.fixture
def command(tmp_path: Path, store: str) -> Callable[..., int]:
    """The command line, on a suite in a file and on the store of this test."""
    file = tmp_path / "suite.py"
    file.write_text(SUITE, encoding="utf-8")
    return lambda *words: cli.call([word.replace("FILE", str(file)) for word in words] + ["--store", store])


def test_run_and_report_give_pass_hat_k_and_a_verdict(
    command: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    """A run of ten trials shows pass^k, its exit code is the verdict's, and the report shows it again."""
    ran = command("run", "FILE:suite", "--agent", "FILE:bad", "--trials", "10", "--require", "pass^1 >= 0.8")
    capsys.readouterr()
    reported = command("report", "--format", "markdown", "--require", "pass^1 >= 0.8")
    shown = capsys.readouterr().out

    assert (ran, reported) == (ExitCode.FAIL, ExitCode.FAIL)
    assert "pass@1" in shown
    assert "pass^5" in shown


def test_one_trial_can_be_read(command: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    """A stored trial is shown with its outcome and its reason."""
    command("run", "FILE:suite", "--agent", "FILE:bad", "--trials", "2", "--quiet")
    capsys.readouterr()

    assert command("show", "latest", "refund", "1") == ExitCode.PASS
    shown = capsys.readouterr().out
    assert "FAIL" in shown
    assert "forgot" in shown


def test_demo_needs_nothing_and_ends_in_a_verdict(
    command: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    """The demo runs offline, shows its conditions and a verdict, and exits 0 whatever that is."""
    assert command("demo") == ExitCode.PASS
    shown = capsys.readouterr().out

    assert "rate_limit" in shown
    assert "verdict" in shown
