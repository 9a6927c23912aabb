"""What is wrong with planned faults, as far as the faults themselves tell: no world is looked at, and nothing is run.

A fault is a user's class as often as one of ours, so its parts may be anything, and may raise.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from inspect import getattr_static
from itertools import product
from typing import Any

from passhat.engine.deciding import objection
from passhat.engine.exclusion import SAMPLE_REPLIES, exclusions, has, sample_calls
from passhat.engine.fence import ends_us
from passhat.engine.ledger import MOST_CALLS
from passhat.engine.messages import Passing, objection_to_messages
from passhat.engine.waits import Waits, at_once
from passhat.engine.where import where
from passhat.faults.base import Fault
from passhat.model.callables import is_async, is_generator
from passhat.model.condition import Condition, Injection, Phase
from passhat.model.dice import dice
from passhat.model.dose import Burst, PermanentFrom
from passhat.model.effect import PROCEED, Fail, Hang, Reply
from passhat.model.grammar import PLACEBO
from passhat.model.match import Match, parse_match
from passhat.model.plain import described
from passhat.surfaces.base import MESSAGES

_HOOKS = ("on_call", "on_reply", "on_messages")
_MESSAGES = ({"role": "user", "content": "Where is order 7?"}, {"role": "assistant", "content": "It has left."})
_PHASES = "Phase.PRE (upstream never runs), Phase.POST (it has run) or Phase.MID (the reply breaks off)"


def fault_problems(conditions: Iterable[Condition], *, trials: int) -> list[str]:
    """What stands in the way of the faults of these conditions in a run of so many *trials* a task."""
    found: list[str] = []
    for condition in conditions:
        injections = injections_of(condition)
        broken = [problem for one in injections for problem in _contract_problems(one.fault)]
        found += broken
        found += [problem for one in injections for problem in _dose_problems(one, trials)]
        if not broken:
            found += [problem for one in injections for problem in _decision_problems(one)]
            found += exclusions(condition)
    return list(dict.fromkeys(found))


def injections_of(condition: Condition) -> list[Injection]:
    """The faults of *condition* in no order: the one in which they apply needs sound phases."""
    return [part for part in condition.parts if isinstance(part, Injection)]


def _contract_problems(fault: Any) -> Iterator[str]:  # noqa: ANN401 - a user's fault may be anything
    """What a fault says of itself that cannot be so."""
    name, kind = fault.term.name, type(fault)
    try:
        phase, sandbox, surfaces = fault.phase, fault.needs_sandbox, fault.surfaces
    except Exception as error:  # noqa: BLE001 - a fence: a user's fault
        yield f"{name}: what it says of itself raises {where(error)}"
        return
    own = {hook for hook in _HOOKS if getattr(kind, hook, None) is not getattr(Fault, hook, None)}
    if not isinstance(phase, Phase):
        yield f"{name}: its phase is {described(phase)}, which is none: let it be {_PHASES}"
    else:
        fixed = isinstance(getattr_static(kind, "phase", None), Phase)
        yield from _phase_problems(name, phase, own, fixed=fixed, sandbox=sandbox)
    if not own and name != PLACEBO:
        yield f"{name}: it decides nothing: give it on_call (before upstream), on_reply (after it) or on_messages"
    for hook in sorted(own):
        if is_async(getattr(fault, hook)) or is_generator(getattr(fault, hook)):
            yield f"{name}: its {hook} is async or has a 'yield', and a fault decides at once, as with Delay(2)"
    yield from _surface_problems(name, surfaces, own)


def _surface_problems(name: str, surfaces: object, own: Collection[str]) -> Iterator[str]:
    """Where a fault does not say properly where it meets an agent."""
    if not isinstance(surfaces, frozenset | set) or not all(isinstance(one, str) for one in surfaces):
        yield f"{name}: its surfaces are a set of names, such as {{'python_tools'}}, not {described(surfaces)}"
    elif "on_messages" in own and MESSAGES not in surfaces:
        yield f"{name}: it has on_messages, and no 'messages' among its surfaces"
    elif MESSAGES in surfaces and own and "on_messages" not in own:
        yield f"{name}: 'messages' is among its surfaces, and it has no on_messages"


def _phase_problems(name: str, phase: Phase, own: Collection[str], *, fixed: bool, sandbox: object) -> Iterator[str]:
    """Where a fault decides at another time than its phase says; *fixed*: the class has this one phase and no other."""
    if phase is Phase.PRE and "on_reply" in own and (fixed or "on_call" not in own):
        yield f"{name}: its phase is pre, but it decides in on_reply, after upstream: let it be Phase.POST"
    if phase is Phase.POST and "on_call" in own and "on_reply" not in own and not sandbox:
        yield f"{name}: its phase is post, but it decides in on_call, before upstream: let it be Phase.PRE"


def _decision_problems(injection: Injection) -> Iterator[str]:
    """What is wrong with what a fault decides about made-up calls; where it raises, they mean nothing to it."""
    fault: Any = injection.fault
    name = fault.term.name
    try:
        with at_once():
            found = next(_judged(fault, parse_match(injection.match)), None)
    except Waits as waits:
        yield f"{name}: it waits ({waits}), and a fault decides at once: give Delay(seconds) or Hang()"
        return
    if found is not None:
        hook, problem = found
        yield f"{name}: its {hook} gives {problem}"


def _judged(fault: Any, match: Match) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - as above
    """Each hook that gives what cannot be, and what is wrong with it."""
    for call, reply in product(sample_calls(match), (None, *SAMPLE_REPLIES)):
        concerns = _answer(partial(fault.concerns, call), otherwise=True)
        if not isinstance(concerns, bool):
            yield "concerns", f"{described(concerns)}, not True or False"
        effect = _answer(partial(fault.on_call, call, dice(1, "made up")))
        told = _answer(partial(fault.on_reply, call, reply, dice(1, "made up")))
        if concerns and (problem := objection(effect, "on_call")):
            yield "on_call", problem
        elif concerns and not has(effect, Fail | Reply | Hang) and (problem := objection(told, "on_reply")):
            yield "on_reply", problem
    passing = Passing(_MESSAGES).call(1, ())
    shown = _answer(partial(fault.on_messages, list(_MESSAGES), dice(1, "made up")))
    met = MESSAGES in fault.surfaces and _answer(partial(fault.concerns, passing), otherwise=True)
    if met and (problem := objection_to_messages(shown)):
        yield "on_messages", problem


def _answer(ask: Callable[[], Any], *, otherwise: object = PROCEED) -> Any:  # noqa: ANN401 - as above
    """What *ask* gives, and *otherwise* where it raises: a made-up call may be none that could ever be made."""
    try:
        return ask()
    except BaseException as error:
        if isinstance(error, Waits) or ends_us(error):
            raise
        return otherwise


def _dose_problems(injection: Injection, trials: int) -> Iterator[str]:
    """A dose, a share or a match that no trial of this run can meet."""
    dose, share = injection.dose, injection.share
    if injection.match != "*" and getattr(injection.fault, "surfaces", ()) == {MESSAGES}:
        yield f"{injection.term}: it meets messages, and a match names tools: leave it out"
    if isinstance(dose, Burst | PermanentFrom) and dose.at > MOST_CALLS:
        yield f"{injection.term}: a trial keeps its first {MOST_CALLS:,} calls, and call {dose.at:,} comes after them"
    if trials and not round(share * trials):
        enough = int(0.5 / share) + 1
        yield (
            f"{injection.term}: a share of {share:g} of {trials:,} trial{'s' * (trials > 1)} is no trial: "
            f"plan {enough:,} trials or more, or a larger share"
        )
