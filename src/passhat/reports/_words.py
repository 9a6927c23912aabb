"""The sentences that more than one report says. Foreign text in them is escaped by each report."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from passhat.errors import UsageError
from passhat.model.grammar import Term, parse
from passhat.model.run import Header, Trials
from passhat.model.summary import Estimate, Speaks, Summary
from passhat.model.verdict import Finding, Verdict
from passhat.reports._figures import SHARES, Unit, counted, number, percent, points, range_only, reason, with_voids
from passhat.reports._view import Block, Counts

Escape = Callable[[str], str]
_NAMED = 3
_LONG_NAME = 24
_DOSE = frozenset({"rate", "dose", "match", "share"})
_GRADED, _MET, _VOID = "trials are graded", "faults are met", "void_share"  # how the rules call their evidence
_USUAL = ("Clopper-Pearson", "Korn-Graubard")  # with these begin the names of the intervals that nobody asks for
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
    if at_1 is None or hat is None or at_1.value is hat.value is None:
        return ""
    if block.k == 1:
        return f"pass@1 speaks of {about(at_1, block.tasks)}"
    first, second = about(at_1, block.tasks), about(hat, block.tasks)
    if first == second:
        return f"pass@1 and pass^{block.k} speak of {first}"
    return f"pass@1 speaks of {first}, pass^{block.k} of {second}"


def other_question(block: Block, unit: Unit = SHARES) -> tuple[str, str]:
    """What the other interval of pass^k speaks of, and the interval; two empty texts where there is none."""
    other = block.other
    if other is None or other.value is None or block.tasks == 1:
        return "", ""
    of = "tasks like these" if other.speaks_of is Speaks.TASKS_LIKE_THESE else "these tasks"
    return of, f"pass^{block.k} {range_only(other, unit)}"


def voids(counts: Counts, named: Sequence[tuple[str, Estimate | None]], unit: Unit = SHARES) -> str:
    """What the numbers would be if void trials counted, or if they did not, and how many of all trials are void."""
    share = f"{percent(counts.void / counts.trials)} void: {counts.void:,} of {counted(counts.trials, 'trial')}"
    parts = [f"{name} {with_voids(estimate, unit)}" for name, estimate in named if estimate is not None]
    return " · ".join([*parts, share])


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
    return f"would have caught a drop of {lost} points (80 % power)"


def evidence(verdict: Verdict, shown: Sequence[Block], planned: int) -> tuple[str, tuple[Finding, ...]]:
    """What the verdict stands on, in one line, as far as it is sound; and the findings that are not in it."""
    sound: list[Finding] = []
    rest: list[Finding] = []
    for finding in verdict.findings:
        (sound if finding.ok and _evidence_kind(finding) else rest).append(finding)
    kinds = {_evidence_kind(finding) for finding in sound}
    met_under = {finding.condition for finding in sound if _evidence_kind(finding) == _MET}
    limits = [finding.rule for finding in sound if _evidence_kind(finding) == _VOID]
    void, total = sum(block.counts.void for block in shown), sum(block.counts.trials for block in shown)
    parts = [
        f"{total - void:,} of {counted(planned, 'trial')} graded" if _GRADED in kinds else "",
        f"{void:,} void{f' ({limits[0]})' if void else ''}" if limits else "",
        _met_in([block.counts for block in shown if block.condition in met_under]),
    ]
    return " · ".join(filter(None, parts)), tuple(rest)


def _evidence_kind(finding: Finding) -> str:
    """Which of the findings about the evidence this is; nothing where it is about the agent."""
    name = _VOID if finding.rule.startswith(f"{_VOID} <= ") else finding.rule
    return name if name in (_GRADED, _MET, _VOID) else ""


def _met_in(counts: Sequence[Counts]) -> str:
    if not counts:
        return ""
    exposed, trials = sum(one.exposed for one in counts), sum(one.trials for one in counts)
    return f"faults met in {exposed:,} of {trials:,}"


def where(finding: Finding) -> str:
    """The condition that a finding speaks of, where its own words don't name it."""
    named = finding.condition in f"{finding.rule} {finding.reason}"
    return "" if named else finding.condition


def claim(finding: Finding) -> str:
    """The rule of a finding, where its own words don't begin with what the rule is about."""
    return "" if finding.reason.startswith(f"{finding.rule.partition(' ')[0]} ") else finding.rule


def no_drop(verdict: Verdict) -> str:
    """What stands beside a verdict whose trials could not have shown a number below its line."""
    if not verdict.findings:
        return "no rule was asked, so nothing was judged"
    held = [finding for finding in verdict.findings if finding.line is not None]
    if not held or any(finding.detectable_drop is not None for finding in held):
        return ""
    return "these trials could not have caught any drop below a rule (80 % power)"


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
        worst, under = len(shown[0].lines), " under any" if len(shown) > 1 else ""
        yield (
            f"{counted(hidden[-1], 'task')} of {hidden[-1] + worst:,} left out under each condition: "
            f"the {worst} with the lowest rate{under} are shown; all are in 'passhat report {run} --json'"
        )
    if trials is None:
        yield f"left out: why single trials did not pass; see 'passhat show {run} TASK'"


def not_measured(summary: Summary) -> Iterator[str]:
    """What nobody measured, and why."""
    yield from (f"not measured: {text}" for text in summary.left_out)


def unusual(shown: Sequence[Block]) -> Iterator[str]:
    """The kinds of interval that somebody asked for, with a warning where they cover less than they say."""
    tasks = [one for block in shown for line in block.lines for one in (line.rate, line.hat)]
    suite = [one for block in shown for one in (block.at_1, block.hat, block.at_k, block.other)]
    for of, estimates in (("single tasks", tasks), ("the suite", suite)):
        kinds = {(one.method.partition("; ")[2], one.approximate) for one in estimates if one is not None}
        for kind, approximate in sorted(kinds):
            if kind and not kind.startswith(_USUAL):
                yield f"intervals of {of} by {kind}{': no rule uses these' if approximate else ''}"


def short_names(conditions: Sequence[str]) -> dict[str, str]:
    """What each condition is called in a sentence: a long one by its parts, with doses where those tell it apart."""
    for form in (bare, dosed):
        short = {one: form(one) if len(one) > _LONG_NAME else one for one in conditions}
        if len(set(short.values())) == len(short):
            return short
    return {one: one for one in conditions}


def dosed(condition: str) -> str:
    """A condition with its doses alone; a … stands for the other arguments."""
    return bare(condition, keep=_DOSE)


def bare(condition: str, *, keep: frozenset[str] = frozenset()) -> str:
    """A condition without its arguments but those to *keep*; as it is where another tool gave it its name."""
    try:
        terms = parse(condition)
    except UsageError:
        return condition
    return " & ".join(_bare(term, keep) for term in terms) or condition


def _bare(term: Term, keep: frozenset[str]) -> str:
    kept = tuple(one for one in term.arguments if one.name in keep)
    if not kept:
        return term.name
    dropped = "…" if len(kept) < len(term.arguments) else ""
    written = str(Term(term.name, kept))
    return written.replace("(", f"({dropped}, ", 1) if dropped else written


def closing(shown: Sequence[Block], escape: Escape) -> str:
    """The run in one sentence."""
    first = next((block for block in shown if block.clean), None) or (shown[0] if shown else None)
    if first is None:
        return "Nothing was run."
    names = short_names([block.condition for block in shown])
    start = "This agent" if first.clean else f"Under {escape(names[first.condition])} this agent"

    def called(block: Block) -> str:
        return escape(names[block.condition])

    return f"{start} {_performance(first, escape)}{_elsewhere(first, shown, called, escape)}."


def _performance(block: Block, escape: Escape) -> str:
    at_1, hat, trials = block.at_1, block.hat, f"({counted(block.counts.counting, 'trial')})"
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


def _elsewhere(first: Block, shown: Sequence[Block], called: Callable[[Block], str], escape: Escape) -> str:
    others = [block for block in shown if block is not first]
    if len(others) <= _NAMED:
        return "".join(f"; under {called(block)}: {_all_of_k(block, escape)}" for block in others)
    known = [(block.hat.value, block) for block in others if block.hat is not None and block.hat.value is not None]
    if not known:
        return f"; under the {len(others)} other conditions: not known"
    worst = min(known, key=lambda one: one[0])[1]
    where = f"worst of the {len(others)} other conditions, under {called(worst)}"
    return f"; {where}: {_all_of_k(worst, escape)}"


def _all_of_k(block: Block, escape: Escape) -> str:
    estimate = block.hat
    if estimate is None or estimate.value is None:
        return f"not known ({escape(reason(estimate))})"
    return f"{percent(estimate.value)} ({counted(block.counts.counting, 'trial')})"


def over_k(block: Block, symbol: str = "pass^") -> str:
    """pass^k (or pass@k) along k, in numbers. A lone @2 would mention somebody in Markdown, so pass@2 stays whole."""
    found = [(one.k, number(one.value or 0.0)) for one in block.over_k(symbol)]
    again = "^" if symbol == "pass^" else symbol
    return " · ".join(f"{symbol if i == 0 else again}{k} {value}" for i, (k, value) in enumerate(found))
