"""Conformance checks for parts: what every fault, perturbation and grader promises, ours and everybody's.

A check tries a part on samples and raises one `AssertionError` that names every promise that was broken. A
part that never does anything on the samples fails too: then pass samples that it acts on.
"""

from __future__ import annotations

import asyncio
import dataclasses
import inspect
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from passhat import faults, perturbations
from passhat.engine.waits import Waits, at_once
from passhat.errors import UsageError
from passhat.model.base import Json
from passhat.model.codec import KINDS, encode
from passhat.model.condition import Injection, Phase
from passhat.model.dice import dice
from passhat.model.effect import Cut, Delay, Effect, Fail, Forward, Hang, Hold, Proceed, Reply, Then
from passhat.model.grammar import PLACEBO, Term, parse
from passhat.model.protocols import Grader
from passhat.model.trial import Call, Evidence, Grade
from passhat.shapes.spans import protected
from passhat.testing._words import TELLTALE, as_text, comes_back
from passhat.testing.message_checks import tried_on_messages
from passhat.testing.samples import CALLS, EVIDENCE, MESSAGES, REPLIES, TEXTS

_THROWS = 4
_INTENSITIES = (0.05, 0.1, 0.25, 0.5, 1.0)
_BEFORE = object()
# What a fault may do, by its phase and whether upstream is still to run; to do nothing is always allowed.
_LEGAL: dict[tuple[Phase, bool], tuple[type, ...]] = {
    (Phase.PRE, True): (Delay, Fail, Forward, Hang, Reply),
    (Phase.PRE, False): (),
    (Phase.MID, True): (Cut, Delay),
    (Phase.MID, False): (),
    (Phase.POST, True): (Forward,),
    (Phase.POST, False): (Delay, Fail, Hang, Hold, Reply),
}


def check_fault(
    part: faults.Fault | Injection,
    *,
    calls: Sequence[Call] = CALLS,
    replies: Sequence[Json] = REPLIES,
    messages: Sequence[Sequence[Json]] = MESSAGES,
) -> None:
    """Check that a fault decides purely, legally for its phase, in words that a real service would use.

    A fault of messages is tried on the lists in *messages* too. A decision that sleeps or waits is told as well.
    """
    injection = part if isinstance(part, Injection) else part.at()
    fault = injection.fault
    problems = [*_part_problems(fault), *_fault_term_problems(injection)]
    try:
        with at_once():
            found, acts = _decisions(fault, calls, replies)
            wrong, changes = tried_on_messages(fault, messages)
    except Waits as waits:
        problems.append(f"it waits ({waits}), and a fault decides at once: it gives Delay(seconds) or Hang()")
    else:
        problems += [*found, *wrong]
        if not acts and not changes and fault.term.name != PLACEBO:
            problems.append("it does nothing with any sample: pass calls= and replies=, or messages=, that it acts on")
    _report(injection.term, problems)


def _decisions(fault: Any, calls: Sequence[Call], replies: Sequence[Json]) -> tuple[list[str], bool]:  # noqa: ANN401
    """Every promise that a fault breaks on these calls and replies, and whether it does anything with them."""
    decided = [
        _Decision(fault, call, throw, reply)
        for call in calls
        for throw in range(_THROWS)
        for reply in (_BEFORE, *replies)
    ]
    return [problem for decision in decided for problem in decision.problems()], any(one.acts for one in decided)


def check_perturbation(perturbation: perturbations.Perturbation, texts: Sequence[str] = TEXTS) -> None:
    """Check that a perturbation keeps protected spans, changes the text or gives None, and is nested in ε."""
    problems = [*_part_problems(perturbation), *_perturbation_term_problems(perturbation)]
    variants = 0
    for text in texts:
        for throw in range(_THROWS):
            variant = perturbation.perturb(text, dice(throw, "check"))
            variants += variant is not None
            if perturbation.perturb(text, dice(throw, "check")) != variant:
                problems.append(f"it words {text!r:.80} in two ways for the same dice")
            problems += _variant_problems(text, variant)
            problems += _nesting_problems(perturbation, text, throw)
    if not variants:
        problems.append("it gives no variant of any sample: pass texts that it can word anew")
    _report(perturbation.term, problems)


def check_grader(grader: Grader, *, evidence: Sequence[Evidence] = EVIDENCE) -> None:
    """Check that a grader gives the same well-formed grade for the same evidence, and changes none of it.

    It is tried on the evidence of tasks that it has no problems with. An async one gets a loop of its own.
    """
    problems = list(_part_problems(grader))
    if not grader.identity or grader.identity != grader.identity.strip():
        problems.append(f"its identity is {grader.identity!r}, and a name is needed to compare runs by")
    fit = [one for one in evidence if not _task_problems(grader, one, problems)]
    for one in fit:
        problems += _grade_problems(grader, one)
    if not fit:
        problems.append("it takes no sample's task: pass evidence= of tasks that it can judge")
    _report(grader.identity, problems)


def _report(subject: object, problems: Iterable[str]) -> None:
    found = list(dict.fromkeys(problems))
    if found:
        raise AssertionError("\n".join((f"{subject} breaks its contract:", *(f"  - {one}" for one in found))))


def _part_problems(part: object) -> Iterator[str]:
    """What every part is: a frozen, slotted dataclass that says what it does."""
    kind = type(part)
    settings = getattr(kind, "__dataclass_params__", None)
    if settings is None or not settings.frozen:
        yield f"{kind.__name__} is no frozen dataclass"
    if hasattr(part, "__dict__"):
        yield f"{kind.__name__} has no slots: use @dataclass(frozen=True, slots=True)"
    doc = vars(kind).get("__doc__") or ""
    if not doc.strip() or doc.startswith(f"{kind.__name__}("):
        yield f"{kind.__name__} has no docstring"


def _fault_term_problems(injection: Injection) -> Iterator[str]:
    kind = type(injection.fault)
    if not issubclass(kind, faults.Fault):
        yield f"{kind.__name__} is no subclass of passhat.faults.Fault"
        return
    if not kind.surfaces:
        yield "it names no surface that can deliver it"
    for term in _read_back(injection.term):
        if isinstance(term, str):
            yield term
        elif faults.base.bind(kind, term) != injection:
            yield f"{term} is bound to another fault than the one that it was written for"


def _perturbation_term_problems(perturbation: perturbations.Perturbation) -> Iterator[str]:
    for term in _read_back(perturbation.term):
        if isinstance(term, str):
            yield term
        elif perturbations.base.bind(type(perturbation), term) != perturbation:
            yield f"{term} is bound to another perturbation than the one that it was written for"


def _read_back(term: Term) -> Iterator[Term | str]:
    """*term*, written and read again; a sentence where that goes wrong."""
    try:
        read = parse(str(term))
    except UsageError as error:
        yield f"its text cannot be read back: {error}"
        return
    if read != (term,):
        yield f"its text {term} is read back as {' & '.join(map(str, read))}"
    else:
        yield term


class _Decision:
    """What a fault decided about one call, before it or about one reply to it."""

    def __init__(self, fault: Any, call: Call, throw: int, reply: object) -> None:  # noqa: ANN401 - see protocols
        before = reply is _BEFORE
        self.hook = "on_call" if before else "on_reply"
        self._phase: Phase = fault.phase
        self._before = before
        self._given = as_text((call, None if before else reply))
        arguments = (call,) if before else (call, reply)
        decide = getattr(fault, self.hook)
        self.effect = decide(*arguments, dice(throw, "check"))
        self._again = decide(*arguments, dice(throw, "check"))
        self._concerns: object = getattr(fault, "concerns", _always)(call)
        self._left = as_text((call, None if before else reply))
        self.acts = any(
            not isinstance(one, Proceed) and not (isinstance(one, Reply) and one.value == reply)
            for one in _flat(self.effect)
        )

    def problems(self) -> Iterator[str]:
        """Every promise that this decision breaks."""
        if self._left != self._given:
            yield f"{self.hook} changes the call or the reply that it is given"
        if not isinstance(self._concerns, bool):
            yield f"concerns gives {self._concerns!r:.80}, which is neither True nor False"
        elif self.acts and not self._concerns:
            yield f"{self.hook} acts at a call that it says does not concern it"
        if self._again != self.effect:
            yield f"{self.hook} decides twice for the same dice, and not the same"
        for one in _flat(self.effect):
            if not isinstance(one, Effect):
                yield f"{self.hook} gives {one!r:.80}, which is no effect"
                return
            yield from self._legal(one)
        if not comes_back(self.effect, KINDS["effect"]):
            yield f"{self.hook} gives {self.effect!r:.80}, which JSON cannot hold"
        told = set(TELLTALE.findall(as_text(self.effect))) - set(TELLTALE.findall(self._given))
        for word in sorted(told):
            yield f"{self.hook} lets the agent read {word!r}, which says that this is a test"

    def _legal(self, effect: Effect) -> Iterator[str]:
        """Whether *effect* can be decided here; only `Forward` is a matter of `on_call` in every phase."""
        if isinstance(effect, Forward | Cut) and not self._before:
            yield f"on_reply gives a {type(effect).__name__}, and by then upstream has run"
        elif isinstance(effect, Hold) and self._before:
            yield "on_call gives a Hold, and there is no reply yet that could be kept back"
        elif isinstance(effect, Cut) and self._phase is not Phase.MID:
            yield f"on_call gives a Cut, and its phase is {self._phase}: say mid"
        elif not isinstance(effect, (Proceed, *_LEGAL[self._phase, self._before])):
            yield f"{self.hook} acts ({effect!r:.80}), and its phase is {self._phase}"
        if isinstance(effect, Delay) and not 0 <= effect.seconds < math.inf:
            yield f"{self.hook} delays by {effect.seconds!r} seconds"
        if isinstance(effect, Forward) and effect.times < 1:
            yield f"{self.hook} forwards {effect.times} times"
        if isinstance(effect, Cut) and effect.after < 0:
            yield f"{self.hook} cuts after {effect.after} items"
        if isinstance(effect, Hold) and not (effect.calls >= 1 and 0 <= effect.seconds < math.inf):
            yield f"{self.hook} holds for {effect.calls} calls or {effect.seconds!r} seconds"


def _always(call: Call) -> bool:
    """What is said for a stranger that is no `Fault`, which is told so elsewhere."""
    del call
    return True


def _flat(effect: object) -> list[object]:
    return [*_flat(effect.first), *_flat(effect.second)] if isinstance(effect, Then) else [effect]


def _variant_problems(text: str, variant: str | None) -> Iterator[str]:
    if variant == text:
        yield f"it gives {text!r:.80} back unchanged, where None would say that there is no variant"
    elif variant is not None and Counter(protected(variant)) != Counter(protected(text)):
        yield f"it touches a protected span: {text!r:.80} became {variant!r:.80}"


def _nesting_problems(perturbation: perturbations.Perturbation, text: str, throw: int) -> Iterator[str]:
    """What a small intensity changes, a larger one changes too."""
    smaller: Counter[str] = Counter()
    for intensity in _INTENSITIES:
        dosed = dataclasses.replace(perturbation, intensity=intensity)
        variant = dosed.perturb(text, dice(throw, "check"))
        if variant is None:
            continue
        changed = _changed(text, variant)
        if smaller - changed:
            yield f"at intensity {intensity} it leaves alone what a smaller one changes in {text!r:.80}"
        smaller = changed


def _changed(text: str, variant: str) -> Counter[str]:
    """The words of *text*, by place where the places can be told, that *variant* has no longer."""
    old, new = text.split(), variant.split()
    if len(old) == len(new):
        return Counter(f"{at}" for at, (one, other) in enumerate(zip(old, new, strict=True)) if one != other)
    return Counter(old) - Counter(new)


def _task_problems(grader: Grader, evidence: Evidence, problems: list[str]) -> bool:
    """True where the grader refuses the task; what is wrong with how it does so is added to *problems*."""
    said = grader.problems(evidence.task_id, evidence.expect)
    if isinstance(said, str) or not all(isinstance(one, str) for one in said):
        problems.append(f"problems() gives {said!r:.80}, which is no sequence of sentences")
    return bool(said)


def _grade_problems(grader: Grader, evidence: Evidence) -> Iterator[str]:
    given = encode(evidence)
    grade, again = _graded(grader, evidence), _graded(grader, evidence)
    shown = f"the output {evidence.output!r:.40}"
    if encode(evidence) != given:
        yield f"it changes the evidence of {shown}"
    if not isinstance(grade, Grade):
        yield f"it gives {grade!r:.80} for {shown}, which is no Grade"
        return
    if again != grade:
        yield f"it grades {shown} twice, and not the same"
    if not isinstance(grade.passed, bool):
        yield f"it says {grade.passed!r:.40} for {shown}, which is neither True nor False"
    if grade.score is not None and not 0 <= grade.score <= 1:
        yield f"it scores {shown} {grade.score!r}, which is not from 0 to 1"
    if not grade.grader:
        yield "its grades do not name it"
    if not comes_back(grade, Grade):
        yield f"its grade of {shown} does not come back from JSON"


def _graded(grader: Grader, evidence: Evidence) -> object:
    said = grader.grade(evidence)
    return asyncio.run(_awaited(said)) if inspect.isawaitable(said) else said


async def _awaited(said: Any) -> object:  # noqa: ANN401 - whatever can be awaited
    return await said
