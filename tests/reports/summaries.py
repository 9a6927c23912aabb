"""Summaries made by hand for the tests of reports: strips in, a whole summary out. Makes no assertion.

The numbers are exact where that is a line of arithmetic (pass^k, pass@k, Wilson's interval); an interval of
the suite is the mean of its tasks', wider for tasks like these, which is not statistics and need not be: reports
print what they are given.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import comb, sqrt

from passhat.model.answer import Answer, Usage
from passhat.model.condition import Phase, Visibility
from passhat.model.outcome import LETTERS, Outcome
from passhat.model.run import Header, Tally
from passhat.model.summary import Estimate, Row, Speaks, Summary
from passhat.model.task import Task
from passhat.model.trial import Attempt, FaultEvent, Grade, ToolCall, Trial
from passhat.model.verdict import Finding, Status, Verdict

HOSTILE = (
    "\x1b[31mred\x1b[0m \x1b]8;;http://evil.example\x07link\x1b]8;;\x07",
    "[bold]not bold[/bold] [link=http://evil.example]x[/link] [/]",
    "two\nlines\r\nand\ttabs\x0b\x0c\u2028\u2029\x85",
    "abc\u202eevil\u2066\u200b\u200d\ufeff\U000e0041",
    "| pipe | `tick` ``two`` \\| back\\",
    "@octocat #12 octo/repo#3 GH-7 www.evil.example https://evil.example",
    "![image](http://evil.example/x.png) [link](javascript:alert(1))",
    "<img src=x onerror=alert(1)> <script>alert(1)</script> </details> <!-- hidden",
    "a\u0301\u0301\u0301\u0301\u0301\u0301\u0301 zalgo, \u9b5a\U0001f469\u200d\U0001f4bb\u2764\ufe0f wide",
    "# heading\n---\n- [x] done\n> quote *bold* _it_ ~~no~~",
    "\x9b31m c1 \x00 null \ud800 lone",
    "",
    " ",
    "`",
    "x" * 5_000,
    "\u0301" * 3_000,
    "\U0001f600" * 300,
    "&lt;b&gt; &#64;octocat &amp;",
)


def wilson(passed: int, valid: int) -> tuple[float, float]:
    """Wilson's interval at 95 %."""
    z, p = 1.959964, passed / valid
    middle, half = p + z * z / (2 * valid), z * sqrt(p * (1 - p) / valid + z * z / (4 * valid * valid))
    whole = 1 + z * z / valid
    return max(0.0, (middle - half) / whole), min(1.0, (middle + half) / whole)


def every(passed: int, valid: int, k: int) -> float:
    """C(c, k) / C(n, k)."""
    return comb(passed, k) / comb(valid, k)


def estimate(metric: str, strip: str, k: int) -> Estimate:
    """pass^k or pass@k of one strip."""
    passed, void = strip.count("P"), strip.count("V")
    valid = len(strip) - void
    if k > valid:
        why = f"k = {k} needs {k} trials that count, and there are {valid}"
        return Estimate(metric=metric, value=None, n=valid, c=passed, k=k, reason=why)

    def value(c: int, n: int) -> float:
        return every(c, n, k) if "^" in metric else 1 - every(n - c, n, k)

    low, high = (bound**k if "^" in metric else 1 - (1 - bound) ** k for bound in wilson(passed, valid))
    bounds = (value(passed, len(strip)), value(passed + void, len(strip))) if void else (None, None)
    return Estimate(
        metric=metric,
        value=value(passed, valid),
        low=low,
        high=high,
        n=valid,
        c=passed,
        k=k,
        method="by hand",
        if_voids_failed=bounds[0],
        if_voids_passed=bounds[1],
    )


def suite_estimate(metric: str, strips: Sequence[str], k: int, speaks_of: Speaks) -> Estimate:
    """The mean over the tasks that have a value."""
    found = [one for one in (estimate(metric, strip, k) for strip in strips) if one.value is not None]
    if not found:
        return Estimate(metric=metric, value=None, reason=f"no task has {k} trials that count", tasks=0, k=k)

    def mean(values: Iterator[float | None]) -> float:
        return sum(value or 0.0 for value in values) / len(found)

    voids = any(one.if_voids_failed is not None for one in found)
    wider = 0.1 if speaks_of is Speaks.TASKS_LIKE_THESE else 0.0
    failed = mean(one.value if one.if_voids_failed is None else one.if_voids_failed for one in found)
    passed = mean(one.value if one.if_voids_passed is None else one.if_voids_passed for one in found)
    return Estimate(
        metric=metric,
        value=mean(one.value for one in found),
        low=max(0.0, mean(one.low for one in found) - wider),
        high=min(1.0, mean(one.high for one in found) + wider),
        tasks=len(found),
        speaks_of=speaks_of,
        if_voids_failed=failed if voids else None,
        if_voids_passed=passed if voids else None,
        n=sum(one.n for one in found),
        c=sum(one.c for one in found),
        k=k,
    )


def summary_of(
    strips: Mapping[str, Mapping[str, str]],
    *,
    k: int = 5,
    exposed: Mapping[str, Sequence[int]] | None = None,
    warnings: tuple[str, ...] = (),
    labels: tuple[str, str, str] = ("shop", "careful_bot", "3f9ac2d1"),
    speaks_of: Speaks = Speaks.THESE_TASKS,
) -> Summary:
    """A summary of *strips* by condition, then by task; *exposed* counts trials by condition and task."""
    conditions = tuple(strips)
    tasks = tuple(next(iter(strips.values()), {}))
    flat = [strips[condition][task] for task in tasks for condition in conditions]
    met = exposed or {}
    trials = max(map(len, flat), default=0)
    rows = [_row(condition, task, strips[condition][task], k) for task in tasks for condition in conditions]
    rows += [_suite_row(condition, list(strips[condition].values()), k, speaks_of) for condition in conditions]
    columns = {outcome: tuple(strip.count(letter) for strip in flat) for outcome, letter in LETTERS.items()}
    suite, agent, run = labels
    return Summary(
        header=Header(
            id=run,
            suite=suite,
            agent=agent,
            tasks=tuple(Task(task, f"do {task}") for task in tasks),
            conditions=conditions,
            grader="contains()",
            trials=trials,
            seed=7,
        ),
        k=k,
        tally=Tally(
            tasks=tasks,
            conditions=conditions,
            passed=columns[Outcome.PASS],
            failed=columns[Outcome.FAIL],
            crashed=columns[Outcome.CRASH],
            timed_out=columns[Outcome.TIMEOUT],
            void=columns[Outcome.VOID],
            exposed=tuple(met.get(c, [0] * len(tasks))[i] for i in range(len(tasks)) for c in conditions),
        ),
        rows=tuple(rows),
        strips=tuple(flat),
        warnings=warnings,
    )


def _row(condition: str, task: str, strip: str, k: int) -> Row:
    names = {"pass^1": 1, f"pass^{k}": k, f"pass@{k}": k}
    return Row(
        condition=condition,
        task=task,
        estimates=tuple(estimate(name, strip, one) for name, one in names.items()),
    )


def _suite_row(condition: str, strips: Sequence[str], k: int, speaks_of: Speaks) -> Row:
    most = max(map(len, strips), default=1)
    names = {"pass@1": 1, **{f"pass^{one}": one for one in range(1, most + 1)}, f"pass@{k}": k}
    both = sorted((Speaks.THESE_TASKS, Speaks.TASKS_LIKE_THESE), key=lambda one: one is not speaks_of)
    return Row(
        condition=condition,
        estimates=tuple(suite_estimate(name, strips, one, of) for of in both for name, one in names.items()),
    )


CLEAN_STRIPS = {
    "late-parcel": "PPFPPPPPFP",
    "double-refund": "PPPPPPPPPP",
    "cancel-order": "PPPPPPPPPP",
    "change-address": "PPPFPPPPPP",
    "cart-total": "PPPPPPPPPP",
    "lost-voucher": "PFPEPPTPPF",
    "partial-refund-of-a-bundle": "PPPPPPPPFP",
    "where-is-it": "PPPPPPPPPP",
}
FAULTY_STRIPS = {
    "late-parcel": "FPFPFFPPFE",
    "double-refund": "PPPPPFPPVP",
    "cancel-order": "PPFPPPPPPP",
    "change-address": "PFPFPPFPVV",
    "cart-total": "PPPPPPPPPP",
    "lost-voucher": "FFPEFFTPFF",
    "partial-refund-of-a-bundle": "PPFPFPPFFP",
    "where-is-it": "PPPPPPTPPP",
}


def shop() -> Summary:
    """Eight tasks, clean and under a fault, ten trials each, three of them void."""
    return summary_of(
        {"clean": CLEAN_STRIPS, "rate_limit(rate=0.2)": FAULTY_STRIPS},
        exposed={"rate_limit(rate=0.2)": [8, 7, 8, 9, 8, 7, 8, 8]},
        warnings=("2 of 3 void trials fell on change-address",),
    )


def three() -> Summary:
    """Three conditions, of which two have the same parts; a task that was never graded, and a long name."""
    doses = [f"rate_limit(retry_after=0.01, rate=0.{i})" for i in (1, 2)]
    strips = ("PPPPP", "PPFPE", "TFFPE")
    tasks = ("late-parcel", "a-name-that-is-much-too-long-for-its-column")
    by_condition = dict(zip(("clean", *doses), strips, strict=True))
    return summary_of(
        {
            name: {tasks[0]: strip, tasks[1]: "VVVVV" if name == doses[1] else strip}
            for name, strip in by_condition.items()
        },
        k=2,
        exposed={doses[0]: [4, 0], doses[1]: [5, 0]},
    )


def shop_verdict() -> Verdict:
    """Sound evidence, a broken rule, one that held and one that is open."""
    return Verdict(
        status=Status.FAIL,
        findings=(
            Finding(rule="trials are graded", ok=True, reason="157 of 160 planned trials are graded"),
            Finding(rule="void_share <= 0.05", ok=True, reason="at most 4 % are void, and 5 % may be"),
            Finding(
                rule="pass^5 >= 0.8",
                ok=False,
                condition="clean",
                reason="pass^5 under clean is 0.61 [95 %: at most 0.74], 0.80 was asked",
                detectable_drop=0.12,
            ),
            Finding(rule="no_refund_twice", ok=True, reason="160 of 160 trials refunded once"),
            Finding(
                rule="pass@1 >= 0.9",
                ok=None,
                condition="clean",
                reason="0.90 lies within [0.70, 0.96]",
                detectable_drop=0.2,
            ),
        ),
    )


def many(tasks: int, conditions: int = 1) -> Summary:
    """A summary of many tasks, of which every tenth fails once or more."""
    names = ["clean", *(f"rate_limit(rate=0.{i:03})" for i in range(1, conditions))]
    strips = ["PPPPPPPPPP", *(f"{'F' * bad}{'P' * (10 - bad)}" for bad in range(1, 10))]
    by_task = {f"task-{i:05}": strips[i % 10 if i % 10 == i % 7 else 0] for i in range(tasks)}
    return summary_of(dict.fromkeys(names, by_task))


def hostile(text: str) -> tuple[Summary, Verdict]:
    """A summary and a verdict in which *text* stands wherever foreign text may stand."""
    condition = f"{text} & other"
    strips = {"clean": {text: "PPFPE", "plain": "VVVVV"}, condition: {text: "PTFPV", "plain": "PPPPP"}}
    summary = summary_of(strips, exposed={condition: [2, 3]}, warnings=(text,), labels=(text, text, text))
    row = Row(condition="clean", task=text, estimates=(Estimate(metric="pass^1", value=None, reason=text),))
    finding = Finding(rule=text, ok=False, reason=text, condition=text)
    rows = tuple(row if one.task == text and one.condition == "clean" else one for one in summary.rows)
    verdict = Verdict(status=Status.INCONCLUSIVE, findings=(finding,))
    return Summary(
        header=summary.header,
        k=summary.k,
        tally=summary.tally,
        rows=rows,
        strips=summary.strips,
        warnings=summary.warnings,
    ), verdict


def hostile_trial(text: str) -> Trial:
    """A trial in which *text* stands wherever foreign text may stand."""
    return Trial(
        task_id=text,
        task_digest="d",
        condition=text,
        index=2,
        outcome=Outcome.CRASH,
        detail=text,
        input={text: [text]},
        answer=Answer(text),
        grades=(Grade(text, passed=False, reason=text),),
        trace=(ToolCall(step=0, tool=text, arguments={text: text}, error=text, upstream=text),),
        faults_planned=(text,),
        faults=(_fired(text, text),),
        recovery_path=text,
        state=text,
        printed=text,
        attempts=(Attempt(outcome=Outcome.VOID, detail=text),),
    )


def _fired(fault: str, tool: str) -> FaultEvent:
    return FaultEvent(
        fault=fault,
        step=1,
        tool=tool,
        ordinal=1,
        phase=Phase.PRE,
        visibility=Visibility.EXPLICIT,
        effect="Fail",
        upstream_executed=False,
        agent_visible=True,
    )


def refund_trial() -> Trial:
    """A trial with everything that a trial can show."""
    return Trial(
        task_id="late-parcel",
        task_digest="d1",
        condition="rate_limit(rate=0.2)",
        index=3,
        outcome=Outcome.FAIL,
        seed=123456789,
        score=0.5,
        input="Order 7 is late.\nRefund it.",
        answer=Answer(
            "I refunded order 7.",
            claims_success=True,
            usage=Usage(input_tokens=1200, output_tokens=45, cost=0.0021),
        ),
        grades=(
            Grade("contains", passed=True),
            Grade("end_state", passed=False, score=0.5, reason="order 7 was refunded twice"),
        ),
        trace=(
            ToolCall(step=0, tool="find_order", arguments={"order": 7}, reply={"state": "late"}, seconds=0.012),
            ToolCall(
                step=1,
                tool="refund",
                arguments={"order": 7},
                error="rate_limit: 429 Too Many Requests. Retry-After: 1",
                executed=0,
                seconds=0.0004,
            ),
            ToolCall(
                step=2,
                tool="refund",
                arguments={"order": 7, "note": "n" * 900},
                reply={"ok": True},
                executed=2,
                upstream={"ok": True, "refunds": 2},
                seconds=1.25,
            ),
        ),
        faults_planned=("rate_limit",),
        faults=(_fired("rate_limit", "refund"),),
        recovery_path="retried",
        printed="thinking …\nretrying",
        state={"order 7": "refunded", "refunds": 2},
        attempts=(Attempt(outcome=Outcome.VOID, detail="the world could not be set up: no disk", seconds=0.3),),
        started_at=1_795_037_520.0,
        seconds=2.5,
    )


class HandTrials:
    """The trials of a summary made by hand: each that did not pass gives a reason."""

    def __init__(self, summary: Summary, *, detail: str = "'refunded 7' is not in 'Sorry, I cannot.'") -> None:
        self._summary = summary
        self._detail = detail

    def counts(self) -> Tally:
        """The summary's tally."""
        return self._summary.tally

    def strips(self, first: int) -> tuple[str, ...]:
        """The first letters of the summary's strips."""
        return tuple(strip[:first] for strip in self._summary.strips)

    def __iter__(self) -> Iterator[Trial]:
        """Every trial."""
        tally = self._summary.tally
        for task in tally.tasks:
            for condition in tally.conditions:
                for index in range(self._summary.header.trials):
                    trial = self.get(task, condition, index)
                    if trial is not None:
                        yield trial

    def get(self, task_id: str, condition: str, index: int) -> Trial | None:
        """The trial that stands at this place of its strip."""
        tally = self._summary.tally
        strip = self._summary.strips[tally.cell(tally.tasks.index(task_id), tally.conditions.index(condition))]
        if index >= len(strip):
            return None
        outcome = {letter: one for one, letter in LETTERS.items()}[strip[index]]
        detail = "" if outcome is Outcome.PASS else self._detail
        return Trial(task_id=task_id, task_digest="d", condition=condition, index=index, outcome=outcome, detail=detail)
