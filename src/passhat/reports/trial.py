"""One trial for a screen: what was asked, what came back, what went wrong, and why it was judged so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from passhat.model.base import Json
from passhat.model.exposure import exposure
from passhat.model.extra import Extra, extra
from passhat.model.ledger import NOTHING_DECLARED, Declared
from passhat.model.onsets import Trouble, onsets
from passhat.model.outcome import Outcome
from passhat.model.recovery import recovery
from passhat.model.trial import Trial
from passhat.reports._calls import call_lines, cut, event_text, fate_text, json_text, one_line
from passhat.reports._figures import counted, seconds, utc
from passhat.reports._screen import NARROWEST, Line, paint, prose

OUTCOMES = {
    Outcome.PASS: "bold green",
    Outcome.FAIL: "bold red",
    Outcome.CRASH: "bold magenta",
    Outcome.TIMEOUT: "bold yellow",
    Outcome.VOID: "bold",
}
_TROUBLES = {
    Trouble.LOOP: "loop: the same call with the same result, in a row",
    Trouble.PING_PONG: "ping-pong: two calls in turn, with the same results",
    Trouble.RETRY_STORM: "retry storm: a failing call, tried again and again",
    Trouble.NO_PROGRESS: "no progress: calls that were all made before, with the same results",
}
_HEADING = "bold cyan"
_MOST_LINES = 40
_MOST_CALLS = 200
_MOST_TURNS = 100
_MOST_CONDITIONS = 8


@dataclass(frozen=True, slots=True)
class Beside:
    """What stands beside a trial: what its index came to under other conditions, and the clean trial of its index.

    `virtual`: its seconds are those of virtual time. `declared` is what the suite says of its tools.
    """

    elsewhere: Mapping[str, Outcome] = field(default_factory=dict)
    clean: Trial | None = None
    virtual: bool = False
    declared: Declared = NOTHING_DECLARED


def trial_text(
    trial: Trial,
    *,
    width: int = 100,
    colour: bool = False,
    longest: int = 600,
    beside: Beside | None = None,
) -> str:
    """*trial*, readable; a value of more than *longest* characters is cut, and its length shown."""
    width, beside = max(NARROWEST, width), beside or Beside()
    head = _head(trial, width, longest, " of virtual time" if beside.virtual else "")
    lines = _lines(trial, beside, width, longest)
    return paint((*head, *_elsewhere(beside.elsewhere, width), *lines), colour=colour)


def _lines(trial: Trial, beside: Beside, width: int, longest: int) -> Iterator[Line]:
    for heading, lines in (
        ("input", _value(trial.input, width, longest)),
        ("talk", _talk(trial, width, longest)),
        ("answer", _answer(trial, width, longest)),
        ("grades", _grades(trial, width, longest)),
        ("faults", _faults(trial, beside, width, longest)),
        ("recovery", _recovery(trial, beside, width, longest)),
        ("off the rails", _troubles(trial, beside, width)),
        ("trace", _trace(trial, width, max(1, longest // 2))),
        ("end state", () if trial.state is None else prose(json_text(trial.state, longest), width)),
        ("printed", _text(trial.printed, width, longest) if trial.printed else ()),
        ("remarks", _remarks(trial, width, longest)),
    ):
        found = tuple(lines)
        if found:
            yield ()
            yield ((heading, _HEADING),)
            yield from found


def _head(trial: Trial, width: int, longest: int, time: str) -> Iterator[Line]:
    address = f"{one_line(trial.task_id, 200)} · {one_line(trial.condition, 300)} · trial {trial.index}"
    yield from prose(address, width, label=("", ""), style="bold")
    why = trial.detail or next((one.reason for one in trial.grades if not one.passed and one.reason), "")
    label = (f"{trial.outcome}  ", OUTCOMES[trial.outcome])
    if why or trial.outcome is not Outcome.PASS:
        yield from prose(one_line(why or "no reason was given", longest), width, label=label)
    else:
        yield (label,)
    score = [] if trial.score is None else [f"score {trial.score:g}"]
    facts = [
        f"seed {trial.seed}",
        f"took {seconds(trial.seconds)}{time}",
        f"started {utc(trial.started_at)} UTC",
        *score,
    ]
    yield from prose(" · ".join(facts), width, label=("", ""), style="dim")


def _elsewhere(outcomes: Mapping[str, Outcome], width: int) -> Iterator[Line]:
    """The outcomes under other conditions, so that nobody takes this one for all."""
    shown = [f"{outcome} under {one_line(name, 200)}" for name, outcome in outcomes.items()]
    more = len(shown) - _MOST_CONDITIONS
    if more > 0:
        shown[_MOST_CONDITIONS:] = [f"{more:,} more"]
    if shown:
        yield from prose(f"elsewhere: {' · '.join(shown)} (--under shows another)", width, label=("", ""), style="dim")


def _talk(trial: Trial, width: int, longest: int) -> Iterator[Line]:
    """What the task's user and the agent said, and which calls the agent made before it spoke."""
    calls = 0
    for turn in trial.turns[:_MOST_TURNS]:
        if turn.calls > calls:
            steps = f"step {turn.calls}" if turn.calls == calls + 1 else f"steps {calls + 1} to {turn.calls}"
            yield from prose(f"({steps})", width, label=("         ", ""), style="dim")
            calls = turn.calls
        text = one_line(turn.text, longest) or "(nothing)"
        yield from prose(text, width, label=(f"  {turn.who:5}  ", "cyan" if turn.who == "user" else ""))
    more = len(trial.turns) - _MOST_TURNS
    if more > 0:
        yield from prose(f"… {more:,} of {counted(len(trial.turns), 'turn')} are not shown", width)


def _answer(trial: Trial, width: int, longest: int) -> Iterator[Line]:
    answer = trial.answer
    if answer is None:
        yield from prose("none", width, style="dim")
        return
    yield from _value(answer.output, width, longest)
    facts = [] if answer.claims_success is None else [f"claims success: {_yes(answer.claims_success)}"]
    facts += ["handed over to a person"] if answer.handoff else []
    if (usage := answer.usage) is not None:
        named = (("tokens in", usage.input_tokens), ("tokens out", usage.output_tokens))
        facts += [f"{count:,} {name}" for name, count in named if count is not None]
        facts += [] if usage.cost is None else [f"cost {usage.cost:g}"]
    if facts:
        yield from prose(" · ".join(facts), width, style="dim")


def _grades(trial: Trial, width: int, longest: int) -> Iterator[Line]:
    for grade in trial.grades:
        label = ("  pass  ", "green") if grade.passed else ("  fail  ", "red")
        score = "" if grade.score is None else f" ({grade.score:g})"
        reason = f": {one_line(grade.reason, longest)}" if grade.reason else ""
        yield from prose(f"{one_line(grade.grader, 200)}{score}{reason}", width, label=label)


def _faults(trial: Trial, beside: Beside, width: int, longest: int) -> Iterator[Line]:
    """What became of each planned fault, and every time that one fired."""
    faults = exposure(trial, clean=beside.clean, declared=beside.declared)
    for one in faults:
        text = f"{one_line(one.fault, longest)}: {fate_text(one)}"
        yield from prose(text, width, label=("  planned  ", "dim"))
    for event in trial.faults[:_MOST_CALLS]:
        yield from prose(event_text(event), width, label=("  fired    ", "yellow"))
    more = len(trial.faults) - _MOST_CALLS
    if more > 0:
        yield from prose(f"… {more:,} of {counted(len(trial.faults), 'fired fault')} are not shown", width)
    if trial.faults_left_out:
        yield from prose(f"… {counted(trial.faults_left_out, 'later one')} fired after these and were not kept", width)
    if faults and not trial.faults:
        yield from prose("no planned fault fired: this trial shows nothing about them", width, style="yellow")


def _recovery(trial: Trial, beside: Beside, width: int, longest: int) -> Iterator[Line]:
    """How each fault was taken, what came of it, and what is out of order in the ledger."""
    said = recovery(trial, clean=beside.clean, declared=beside.declared)
    if said is None:
        return
    if beside.clean is not None and (took := _took(extra(trial, beside.clean))):
        yield from prose(f"{took} than without faults", width, label=("  took     ", "dim"))
    for fault in said.faults:
        why = "absorbed below the agent" if fault.absorbed else str(fault.reason or "")
        took = "" if fault.calls is None else f", after {counted(fault.calls, 'call')}"
        text = f"{one_line(fault.fault, 200)} at step {fault.step}: {fault.path}{took}{why and f' ({why})'}"
        yield from prose(text, width, label=("  path     ", "dim"))
    yield from prose(
        f"{said.aftermath.replace('_', ' ')}: the end state is {said.end}, and the agent "
        f"{'claims success' if said.claims else 'does not claim success'}",
        width,
        label=("  came to  ", "dim"),
    )
    for sentence in said.ledger.sentences:
        yield from prose(one_line(sentence, longest), width, label=("  ledger   ", "yellow"))


def _troubles(trial: Trial, beside: Beside, width: int) -> Iterator[Line]:
    """Which detectors fired, and from which step on. Thrash is not among them: it takes the run's other trials."""
    for kind, step in onsets(trial.trace, declared=beside.declared).items():
        yield from prose(f"{_TROUBLES[kind]}, from step {step} on", width, style="yellow")


def _took(more: Extra) -> str:
    """What a trial took beyond its clean one, as far as it is known."""
    named = ((more.calls, "call"), (more.tokens, "token"))
    parts = [f"{counted(abs(count), name)} {'fewer' if count < 0 else 'more'}" for count, name in named if count]
    parts += [f"{seconds(abs(more.seconds))} {'less' if more.seconds < 0 else 'more'}"]
    return ", ".join(parts)


def _trace(trial: Trial, width: int, longest: int) -> Iterator[Line]:
    trace = trial.trace
    if not trace:
        yield from prose("no tool was called", width, style="dim")
    for call in trace[:_MOST_CALLS]:
        yield from call_lines(call, width, longest)
    if len(trace) > _MOST_CALLS:
        yield from prose(f"… {len(trace) - _MOST_CALLS:,} of {counted(len(trace), 'call')} are not shown", width)
    if trial.calls_left_out:
        yield from prose(f"… {counted(trial.calls_left_out, 'later call')} came after these and were not kept", width)


def _remarks(trial: Trial, width: int, longest: int) -> Iterator[Line]:
    if trial.recovery_path:
        yield from prose(f"recovery: {one_line(trial.recovery_path, longest)}", width)
    for number, attempt in enumerate(trial.attempts, start=1):
        text = f"attempt {number} was {attempt.outcome} after {seconds(attempt.seconds)}"
        detail = f": {one_line(attempt.detail, longest)}" if attempt.detail else ""
        yield from prose(f"{text}{detail}", width, style="yellow")


def _value(value: Json, width: int, longest: int) -> Iterable[Line]:
    """A text as it was written, line by line; anything else as JSON."""
    return _text(value, width, longest) if isinstance(value, str) else prose(json_text(value, longest), width)


def _text(text: str, width: int, longest: int) -> Iterator[Line]:
    if not text:
        yield from prose("(an empty text)", width, style="dim")
    lines = cut(text, longest).splitlines()
    for line in lines[:_MOST_LINES]:
        yield from prose(one_line(line, 2 * longest), width)
    if len(lines) > _MOST_LINES:
        yield from prose(f"… (cut: {counted(len(lines), 'line')})", width, style="dim")


def _yes(value: bool) -> str:  # noqa: FBT001 - it is the value itself
    return "yes" if value else "no"
