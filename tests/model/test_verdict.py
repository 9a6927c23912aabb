"""Findings to a verdict, errors to exit codes, and the two identities of a run."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from passhat import errors
from passhat.errors import (
    EXIT_CODES,
    ExitCode,
    Failed,
    Inconclusive,
    Interrupted,
    PasshatError,
    TrialClosed,
    UsageError,
    exit_code,
)
from passhat.model.outcome import LETTERS, Outcome
from passhat.model.run import Header, Tally
from passhat.model.task import Task
from passhat.model.verdict import Finding, Status, conclude

oks = st.none() | st.booleans()


def finding(*, ok: bool | None, broken: bool = False) -> Finding:
    """A finding."""
    return Finding(rule="rule", ok=ok, reason=f"it is {ok}", broken_evidence=broken)


@given(st.lists(oks, min_size=1, max_size=5), st.booleans())
def test_verdict_follows_from_the_findings(found: list[bool | None], broken: bool) -> None:  # noqa: FBT001
    """Broken evidence is inconclusive, then a broken rule fails, then all must hold."""
    findings = tuple(finding(ok=ok, broken=broken) for ok in found)

    verdict = conclude(findings)

    if broken:
        expected = Status.INCONCLUSIVE
    elif False in found:
        expected = Status.FAIL
    elif None in found:
        expected = Status.INCONCLUSIVE
    else:
        expected = Status.PASS
    assert (verdict.status, verdict.findings) == (expected, findings)


def test_no_findings_are_no_pass() -> None:
    """Nothing judged is never green."""
    assert conclude(()).status is Status.INCONCLUSIVE


def test_verdict_raises_its_reasons() -> None:
    """`raise_for_status` raises what the verdict is, with the reasons of what did not hold."""
    conclude((finding(ok=True),)).raise_for_status()
    with pytest.raises(Failed, match=r"^it is False$"):
        conclude((finding(ok=True), finding(ok=False))).raise_for_status()
    with pytest.raises(Inconclusive, match=r"^it is None$"):
        conclude((finding(ok=None), finding(ok=True))).raise_for_status()


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.UsageError("no"), 2),
        (errors.StoreUnusable("no"), 2),
        (errors.StoreFailed("no"), 4),
        (errors.Failed("no"), 1),
        (errors.Inconclusive("no"), 3),
        (Interrupted("run", 1, 2), 130),
        (KeyboardInterrupt(), 130),
        (ValueError("a bug"), 4),
        (errors.ToolError("kind", "no"), 4),
        (errors.TrialClosed("no"), 4),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else str(value),
)
def test_every_error_has_its_exit_code(error: BaseException, code: int) -> None:
    """One table maps every error to its code; what is not on it is a bug of ours."""
    assert exit_code(error) == code


def test_exit_codes_are_the_table_of_the_design() -> None:
    """The codes are what a build server has been told."""
    assert {code.name: code.value for code in ExitCode} == {
        "PASS": 0, "FAIL": 1, "USAGE": 2, "INCONCLUSIVE": 3, "BUG": 4, "INTERRUPTED": 130,
    }  # fmt: skip
    assert set(EXIT_CODES.values()) <= set(ExitCode)


def test_every_error_is_drawn_in_the_tree() -> None:
    """The picture at the top of the module shows every error that is raised on purpose."""
    own = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, BaseException)]

    assert all(kind.__name__ in (errors.__doc__ or "") for kind in own)
    assert all(issubclass(kind, PasshatError) or kind in {Interrupted, TrialClosed} for kind in own)


def test_usage_error_holds_all_problems() -> None:
    """Problems are told one a line, and can be read one by one."""
    error = UsageError("first", "second")

    assert (str(error), list(error.problems)) == ("first\nsecond", ["first", "second"])


def test_every_outcome_has_its_letter() -> None:
    """A strip's letters tell the outcomes apart, and all but VOID count."""
    assert "".join(LETTERS[outcome] for outcome in Outcome) == "PFETV"
    assert [outcome for outcome in Outcome if not outcome.counts] == [Outcome.VOID]


def test_task_is_its_content() -> None:
    """A task's digest knows its input, expectation and metadata, not its tags, and no order of keys."""
    task = Task("a", {"x": 1, "y": 2}, expect="e", metadata={"m": 1})

    assert replace(task, tags=("new",)).digest == task.digest
    assert replace(task, input={"y": 2, "x": 1}).digest == task.digest
    others = {replace(task, input=1).digest, replace(task, expect=1).digest, replace(task, metadata={}).digest}
    assert len(others | {task.digest}) == 4


HEADER = Header(
    id="r",
    suite="s",
    agent="agent",
    tasks=(Task("a", 1), Task("b", 2)),
    conditions=("clean", "x()"),
    grader="g()",
    trials=5,
    seed=1,
)


def test_design_is_what_is_compared() -> None:
    """The design digest knows tasks, conditions and grader; not their order, N, seed or agent."""
    same = replace(
        HEADER, id="q", trials=9, seed=2, agent="other", tasks=HEADER.tasks[::-1], conditions=("x()", "clean")
    )
    others = (
        replace(HEADER, grader="h()"),
        replace(HEADER, conditions=("clean",)),
        replace(HEADER, tasks=(Task("a", 1), Task("b", 3))),
        replace(HEADER, tasks=(Task("a", 1), Task("c", 2))),
    )

    assert same.design_digest == HEADER.design_digest
    assert len({other.design_digest for other in others} | {HEADER.design_digest}) == 5


def test_run_is_what_goes_on() -> None:
    """The run digest knows the design, the seed, and the agent with its version; not N."""
    others = (
        replace(HEADER, seed=2),
        replace(HEADER, agent="b"),
        replace(HEADER, agent_version="2"),
        replace(HEADER, grader="h()"),
    )

    assert replace(HEADER, trials=50, id="q").run_digest == HEADER.run_digest
    assert len({other.run_digest for other in others} | {HEADER.run_digest}) == 5
    assert HEADER.planned == 20


def test_tally_counts_by_cell() -> None:
    """Columns are read by cell, condition and outcome; VOID is in no denominator."""
    tally = Tally(
        tasks=("a", "b"),
        conditions=("clean", "x()"),
        passed=(1, 2, 3, 4),
        failed=(1, 0, 0, 0),
        crashed=(0, 1, 0, 0),
        timed_out=(0, 0, 1, 0),
        void=(9, 9, 9, 9),
        exposed=(0, 2, 0, 4),
    )

    assert [tally.valid(cell) for cell in range(4)] == [2, 3, 4, 4]
    assert list(tally.of(1)) == [tally.cell(0, 1), tally.cell(1, 1)] == [1, 3]
    assert [tally.total(outcome) for outcome in Outcome] == [10, 1, 1, 1, 36]
