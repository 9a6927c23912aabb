"""The sentences that more than one report says. Foreign text in them is escaped by each report."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from passhat.model.run import Header, Trials
from passhat.model.summary import Estimate, Speaks, Summary
from passhat.model.verdict import Finding, Verdict
from passhat.reports._figures import bounds, counted, number, percent, points, reason
from passhat.reports._view import Block, Counts

Escape = Callable[[str], str]
_NAMED = 3
_TAME = re.compile(r"\w[\w.-]{0,60}", re.ASCII)


def size(header: Header) -> str:
    """Tasks × conditions × trials, as planned."""
    tasks, conditions = counted(len(header.tasks), "task"), counted(len(header.conditions), "condition")
    return f"{tasks} × {conditions} × {counted(header.trials, 'trial')}"


def missing(summary: Summary) -> str:
    """How many of the planned trials there are, or nothing where there are all."""
    tally = summary.tally
    stored = sum(map(sum, (tally.passed, tally.failed, tally.crashed, tally.timed_out, tally.void)))
    planned = summary.header.planned
    return "" if stored == planned else f"{stored:,} of {planned:,} planned trials are here: the rest was not run"


def about(estimate: Estimate, tasks: int) -> str:
    """What an estimate speaks of, with the number of its tasks where that is not all of them."""
    if estimate.speaks_of is Speaks.THIS_TASK or tasks == 1:
        return "tasks like this one" if estimate.speaks_of is Speaks.TASKS_LIKE_THESE else "this task"
    behind = f"{estimate.tasks:,}" if estimate.tasks == tasks else f"{estimate.tasks:,} of {tasks:,}"
    return f"tasks like these {behind}" if estimate.speaks_of is Speaks.TASKS_LIKE_THESE else f"these {behind} tasks"


def question(block: Block) -> str:
    """Which question the suite's numbers answer."""
    at_1, hat = block.at_1, block.hat
    if at_1 is None or hat is None:
        return ""
    first, second = about(at_1, block.tasks), about(hat, block.tasks)
    if first == second:
        return f"pass@1 and pass^{block.k} speak of {first}"
    return f"pass@1 speaks of {first}, pass^{block.k} of {second}"


def voids(counts: Counts, named: Sequence[tuple[str, Estimate | None]]) -> str:
    """How many trials are void, of how many, and what the numbers would be if they counted."""
    share = f"{counts.void:,} of {counted(counts.trials, 'trial')} void ({percent(counts.void / counts.trials)})"
    parts = [f"{name} {bounds(estimate)}" for name, estimate in named if estimate is not None]
    return " · ".join([share, *parts])


def met(block: Block) -> str:
    """In how many trials a planned fault fired."""
    if not block.plans_fault:
        return "-"
    return f"{block.counts.exposed:,} of {block.counts.trials:,}"


def drop(finding: Finding) -> str:
    """The drop that a finding's trials would have caught."""
    if finding.detectable_drop is None:
        return ""
    lost = points(finding.detectable_drop).lstrip("+±")
    return f"would have caught a drop of {lost} points, with 80 % probability"


def no_drop(verdict: Verdict) -> str:
    """What stands beside a verdict of which no rule knows what it could have caught."""
    if not verdict.findings:
        return "no rule was asked, so nothing was judged"
    if any(finding.detectable_drop is not None for finding in verdict.findings):
        return ""
    return "which drop these trials would have caught is not known: no rule computed it"


def standing(finding: Finding) -> str:
    """One word for what a rule found."""
    if finding.broken_evidence:
        return "no evidence"
    return {True: "held", False: "broken", None: "open"}[finding.ok]


def left_out(header: Header, shown: Sequence[Block], trials: Trials | None) -> Iterator[str]:
    """What a report does not show, and what does."""
    run = header.id if _TAME.fullmatch(header.id) else "RUN"
    hidden = sorted({block.left_out for block in shown if block.left_out})
    if hidden:
        worst = len(shown[0].lines)
        yield (
            f"{counted(hidden[-1], 'task')} of {hidden[-1] + worst:,} left out under each condition: "
            f"the {worst} with the lowest rate are shown; all are in 'passhat report {run} --json'"
        )
    if trials is None:
        yield f"left out: why single trials did not pass; 'passhat show {run} TASK' prints one"


def closing(shown: Sequence[Block], escape: Escape) -> str:
    """The run in one sentence."""
    first = next((block for block in shown if block.clean), None) or (shown[0] if shown else None)
    if first is None:
        return "Nothing was run."
    start = "This agent" if first.clean else f"Under {escape(first.condition)} this agent"
    return f"{start} {_performance(first, escape)}{_elsewhere(first, shown, escape)}."


def _performance(block: Block, escape: Escape) -> str:
    at_1, hat, trials = block.at_1, block.hat, f"({counted(block.counts.valid, 'trial')})"
    if at_1 is None or at_1.value is None:
        return f"was not measured: {escape(reason(at_1))}"
    single = f"passes {percent(at_1.value)} of single runs {trials}"
    if block.k == 1:
        return f"{single} on {about(at_1, block.tasks)}"
    if hat is None or hat.value is None:
        unknown = f"how often all {block.k} of {block.k} pass is not known: {escape(reason(hat))}"
        return f"{single} on {about(at_1, block.tasks)}; {unknown}"
    only = "but all {0} of {0} only {1} of the time" if hat.value < at_1.value else "and all {0} of {0} {1} of the time"
    return f"{single}, {only.format(block.k, percent(hat.value))} on {about(hat, block.tasks)}"


def _elsewhere(first: Block, shown: Sequence[Block], escape: Escape) -> str:
    others = [block for block in shown if block is not first]
    if len(others) <= _NAMED:
        return "".join(f"; under {escape(block.condition)}: {_all_of_k(block, escape)}" for block in others)
    known = [(block.hat.value, block) for block in others if block.hat is not None and block.hat.value is not None]
    if not known:
        return f"; under the {len(others)} other conditions: not known"
    worst = min(known, key=lambda one: one[0])[1]
    where = f"worst of the {len(others)} other conditions, under {escape(worst.condition)}"
    return f"; {where}: {_all_of_k(worst, escape)}"


def _all_of_k(block: Block, escape: Escape) -> str:
    estimate = block.hat
    if estimate is None or estimate.value is None:
        return f"not known ({escape(reason(estimate))})"
    return f"{percent(estimate.value)} ({counted(block.counts.valid, 'trial')})"


def decay(block: Block) -> str:
    """pass^k along k, in numbers."""
    found = [(one.k, "-" if one.value is None else number(one.value)) for one in block.decay()]
    return " · ".join(f"{'pass' if i == 0 else ''}^{k} {value}" for i, (k, value) in enumerate(found))
