"""Two arms: a candidate and a baseline on the same tasks, and a candidate that shall be no worse by a margin."""

from __future__ import annotations

from passhat.sizing.answer import Answer, Level, Table
from passhat.sizing.question import Kind, Question
from passhat.sizing.words import baseline, cost_values, costs, counted, does, percent, points
from passhat.stats.designs import non_inferior_runs, paired_detectable_drop, paired_tasks

_TRIALS = (1, 3, 5, 10, 20)
_TASKS = (10, 20, 50, 100, 200)
_MARGINS = (0.10, 0.05, 0.02, 0.01)
_POWERS = (0.80, 0.90)
_HALVINGS = 50
_FORMULA = "tasks = ((a + b) / drop)²·(spread² + 2·(1 - icc)·p·q / trials), p·q the mean of both arms'"
_WORSE = "one that is worse, and still within the margin, takes many more. Both arms are fresh."
_WORDS = (
    "what one task's difference owes to chance: how unlike the tasks' drops are, plus the noise of its trials in both "
    "arms; over the drop, squared"
)


def paired(question: Question) -> Answer:
    """How many tasks, run in both arms, catch a drop."""
    size, trials = question.drop or 0.0, question.trials or 1
    tasks = _tasks(question, trials)
    runs = tasks * trials
    rows = [
        ("Formula", _FORMULA),
        ("In words", _WORDS),
        ("Assumes", _assumption(question)),
        *baseline(question),
        ("Shape", f"{counted(tasks, 'task')} × {counted(trials, 'trial')} = {counted(runs, 'run')} in each arm"),
        *costs(runs, question, arms=2),
    ]
    p0 = question.p0
    with_power = f"with {percent(question.the_power)} probability, at {_alarms(question)}"
    each = f"when each runs {counted(trials, 'time')} in both arms"
    says = f"{does(tasks, 'task', 'catch')} a drop from {percent(p0)} to {percent(p0 - size)} {with_power}, {each}."
    values = {"tasks": tasks, "trials": trials, "runs": runs, **cost_values(runs, question, arms=2)}
    counts = [(each, _tasks(question, each)) for each in sorted({*_TRIALS, trials})]
    table = Table(
        "Tasks by trials of each, and runs in each arm",
        ("trials", "tasks", "runs"),
        tuple((each, count, each * count) for each, count in counts),
    )
    return Answer(f"{tasks}", says, tuple(rows), values, (table,))


def paired_visible(question: Question) -> Answer:
    """Which drop some tasks show, run in both arms."""
    tasks, trials = question.tasks or 1, question.trials or 1
    size = _smallest(question, tasks)
    rows = [
        ("Formula", f"the drop at which {_FORMULA}"),
        ("In words", _WORDS),
        ("Assumes", _assumption(question)),
        *baseline(question),
        *costs(tasks * trials, question, arms=2),
    ]
    with_power = f"with {percent(question.the_power)} probability, at {_alarms(question)}"
    shape = f"{counted(tasks, 'task')} × {counted(trials, 'trial')} in each arm"
    values = {"drop": size, "runs": tasks * trials, **cost_values(tasks * trials, question, arms=2)}
    found = [(each, _smallest(question, each)) for each in sorted({*_TASKS, tasks})]
    table = Table(f"Smallest drop by tasks, {counted(trials, 'trial')} each", ("tasks", "drop"), tuple(found))
    if size is None:
        says = f"{shape} catch no drop below {percent(question.p0)} {with_power}."
        return Answer("none", says, tuple(rows), values, (table,))
    says = f"{shape} catch a drop of {points(size)} or more, {with_power}."
    return Answer(f"{size:.4g}", says, tuple(rows), values, (table,))


def margin(question: Question) -> Answer:
    """How many runs show that a candidate is no worse than the baseline by a margin."""
    p0, size, power, alpha = question.p0, question.margin or 0.0, question.the_power, question.the_alpha
    runs = non_inferior_runs(p0, size, power=power, alpha=alpha)
    rows = [
        ("Formula", "n = (a + b)²·(p0·q0 + p1·q1) / (p1 - p0 + margin)² in each arm, with p1 = p0"),
        (
            "In words",
            "the noise of both arms over the margin, times how rare and how sure the answer shall be; squared",
        ),
        ("Assumes", f"The candidate is really as good, {percent(p0)}; {_WORSE}"),
        *baseline(question),
        *costs(runs, question, arms=2),
    ]
    shown = f"with {percent(power)} probability that a candidate is worse than {percent(p0)} by less than"
    wrong = f"one that is not passes in {percent(alpha)} of cases"
    says = f"{does(runs, 'run', 'show')} in each arm {shown} {points(size)}; {wrong}."
    powers = sorted({*_POWERS, power})
    margins = [each for each in sorted({*_MARGINS, size}, reverse=True) if each < p0]
    table = Table(
        f"Runs in each arm by margin and power, at {percent(p0)}",
        ("margin", *(Level("power", one) for one in powers)),
        tuple((each, *(non_inferior_runs(p0, each, power=one, alpha=alpha) for one in powers)) for each in margins),
    )
    values = {"runs": runs, **cost_values(runs, question, arms=2)}
    return Answer(f"{runs}", says, tuple(rows), values, (table,))


def _noise(question: Question, size: float) -> float:
    """The variance of one trial within its task, the mean of both arms'."""
    p0, p1 = question.p0, question.p0 - size
    return (1 - (question.icc or 0.0)) * (p0 * (1 - p0) + p1 * (1 - p1)) / 2


def _tasks(question: Question, trials: int) -> int:
    size = question.drop or 0.0
    return paired_tasks(
        size,
        task_variance=(question.spread or 0.0) ** 2,
        trial_variance=_noise(question, size),
        trials=trials,
        power=question.the_power,
        alpha=question.the_alpha,
        two_sided=bool(question.two_sided),
    )


def _smallest(question: Question, tasks: int) -> float | None:
    """The drop that so many tasks show; the noise depends on it, so it is found by halving."""

    def shown(size: float) -> bool:
        least = paired_detectable_drop(
            tasks,
            task_variance=(question.spread or 0.0) ** 2,
            trial_variance=_noise(question, size),
            trials=question.trials or 1,
            power=question.the_power,
            alpha=question.the_alpha,
            two_sided=bool(question.two_sided),
        )
        return least <= size

    if not shown(question.p0):
        return None
    seen, unseen = question.p0, 0.0
    for _ in range(_HALVINGS):
        middle = (seen + unseen) / 2
        if shown(middle):
            seen = middle
        else:
            unseen = middle
    return seen


def _assumption(question: Question) -> str:
    if question.spread is None:
        return (
            "These very tasks are meant, or a drop that is the same on every task. Of tasks like these, whose drops "
            "differ, say by how much: --spread, the standard deviation of the drop over tasks."
        )
    return (
        "The tasks are a sample of tasks like these, some dozens at least, and their drops differ by "
        f"{points(question.spread)} (one standard deviation)."
    )


def _alarms(question: Question) -> str:
    sides = ", on both sides" if question.two_sided else ""
    return f"{percent(question.the_alpha)} false alarms{sides}"


ANSWERS = {Kind.PAIRED: paired, Kind.PAIRED_SEE: paired_visible, Kind.MARGIN: margin}
