"""Claims: how many runs prove that pass^k is at least so much."""

from __future__ import annotations

from passhat.sizing.answer import Answer, Cell, Share, Table
from passhat.sizing.question import Kind, Question
from passhat.sizing.words import cost_values, costs, counted, percent
from passhat.stats.claims import runs_for_pass_hat_k

_RATES = (0.80, 0.90, 0.95, 0.99)
_KS = (1, 3, 5, 10)
_FAILURES = (0, 1, 2, 3, 5)


def claim(question: Question) -> Answer:
    """How many runs prove it."""
    k, least, level, failures = (
        question.pass_hat_k or 1,
        question.at_least or 0.0,
        question.the_confidence,
        question.failures or 0,
    )
    runs = runs_for_pass_hat_k(k, least, confidence=level, failures=failures)
    blocks = runs_for_pass_hat_k(1, least, confidence=level, failures=failures)
    rows = [
        ("Formula", _formula(failures)),
        (
            "In words",
            "so few failures would be a surprise of at most 1 - confidence if pass^k were just below the claim",
        ),
        (
            "Assumes",
            "The runs are of one task, or of tasks that are alike, and their number was fixed before they began.",
        ),
        ("Suites", _suite(k, least, blocks, failures)),
        *costs(runs, question),
    ]
    passed = "without a failure" if not failures else f"of which {failures:,} may fail"
    proven = f"at {percent(level)} confidence that pass^{k} is at least {percent(least)}"
    says = f"{counted(runs, 'run')} {passed} {'proves' if runs == 1 else 'prove'} {proven}."
    values = {"runs": runs, "blocks": blocks, "failures": failures, **cost_values(runs, question)}
    tables = (_by_rate(k, least, level), _by_failures(k, least, level, failures))
    return Answer(f"{runs}", says, tuple(rows), values, tables)


def _formula(failures: int) -> str:
    if not failures:
        return "n = k·ln(1 - confidence) / ln(at least), rounded up"
    return "the least n with P(F ≤ failures) ≤ 1 - confidence, F binomial at the failure rate 1 - (at least)^(1/k)"


def _suite(k: int, least: float, blocks: int, failures: int) -> str:
    """What passhat's own rule takes, which allows tasks to differ."""
    rule = f"The rule 'pass^{k} >= {least:g}' lets tasks differ and counts blocks of {counted(k, 'trial')}"
    failed = f", {failures:,} of them failed" if failures else ""
    return f"{rule}: {counted(blocks, 'block')}{failed}, such as {counted(blocks, 'task')} × {counted(k, 'trial')}."


def _by_rate(k: int, least: float, level: float) -> Table:
    """Runs without a failure, over claims and k."""
    ks = sorted({*_KS, k})
    rows: list[tuple[Cell, ...]] = [
        (Share(rate), *(runs_for_pass_hat_k(each, rate, confidence=level) for each in ks))
        for rate in sorted({*_RATES, least})
    ]
    return Table("Runs without a failure", ("at least", *(f"pass^{each}" for each in ks)), tuple(rows))


def _by_failures(k: int, least: float, level: float, failures: int) -> Table:
    """Runs over how many of them fail."""
    rows = [
        (each, runs_for_pass_hat_k(k, least, confidence=level, failures=each))
        for each in sorted({*_FAILURES, failures})
    ]
    return Table("Runs by how many of them fail", ("failures", "runs"), tuple(rows))


ANSWERS = {Kind.CLAIM: claim}
