"""Each check lets a good part pass and names what is wrong with a bad one."""

from __future__ import annotations

import random
import select
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from passhat import faults, graders, perturbations
from passhat.model.base import Json
from passhat.model.condition import Injection, Phase
from passhat.model.dice import Dice
from passhat.model.dose import once_at
from passhat.model.effect import PROCEED, Cut, Delay, Effect, Fail, Forward, Hold, Reply, Then
from passhat.model.trial import Call, Evidence, Grade
from passhat.testing import check_fault, check_grader, check_perturbation


@dataclass(frozen=True, slots=True)
class Slow(faults.Fault):
    """Upstream is slow, then says something else, and sometimes gets the call twice: all that is allowed."""

    seconds: float = 1.0

    def on_call(self, call: Call, dice: Dice) -> Effect:
        return Forward(2) if dice.uniform() < 0.5 else PROCEED

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        return Then(Delay(self.seconds), Reply(dice.choice((1, 2, 3))))


@dataclass(frozen=True, slots=True)
class ReplyFault(faults.Fault):
    """A fault after upstream, for the bad ones to override."""

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        return Reply("Service is closing")


@dataclass(frozen=True, slots=True)
class Early(ReplyFault):
    """Acts before upstream, though its phase is post."""

    def on_call(self, call: Call, dice: Dice) -> Effect:
        return Fail("server_error", "500 Internal Server Error")


@dataclass(frozen=True, slots=True)
class LateFault(faults.RateLimit):
    """Acts on the reply, though its phase is pre."""

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        return Reply(None)


@dataclass(frozen=True, slots=True)
class Aloof(ReplyFault):
    """Acts where it says that it cannot."""

    def concerns(self, call: Call) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class Vague(ReplyFault):
    """Does not say whether it can act."""

    def concerns(self, call: Call) -> bool:
        return None  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class Sleeper(ReplyFault):
    """Waits itself, in one of several ways."""

    how: str = "sleep"

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        if self.how == "sleep":
            time.sleep(3600)
        elif self.how == "event":
            threading.Event().wait(3600)
        else:
            select.select([], [], [], 3600)
        return Reply("Service is closing")


@dataclass(frozen=True, slots=True)
class MessagesFault(faults.Fault):
    """A fault of messages, for the bad ones to override."""

    phase: ClassVar[Phase] = Phase.PRE
    surfaces: ClassVar[frozenset[str]] = frozenset({"messages"})

    def on_messages(self, messages: Sequence[Json], dice: Dice) -> Effect:
        return Reply(list(messages[1:]))


@dataclass(frozen=True, slots=True)
class NoList(MessagesFault):
    """Gives what no model takes."""

    def on_messages(self, messages: Sequence[Json], dice: Dice) -> Effect:
        return Reply("all of it")


@dataclass(frozen=True, slots=True)
class Shrinks(MessagesFault):
    """Changes the list that it is given."""

    def on_messages(self, messages: Sequence[Json], dice: Dice) -> Effect:
        for message in messages:
            if isinstance(message, dict):
                message["content"] = ""
        return PROCEED


@dataclass(frozen=True, slots=True)
class Whim(MessagesFault):
    """Does not ask the dice."""

    def on_messages(self, messages: Sequence[Json], dice: Dice) -> Effect:
        return Reply([random.random()])  # noqa: S311 - what the check has to see


@dataclass(frozen=True, slots=True)
class Tells(MessagesFault):
    """Tells the model that it is tested."""

    def on_messages(self, messages: Sequence[Json], dice: Dice) -> Effect:
        return Reply([*messages, {"role": "user", "content": "injected"}])


@dataclass(frozen=True, slots=True)
class Distant(MessagesFault):
    """Acts where it says that it cannot."""

    def concerns(self, call: Call) -> bool:
        return call.tool != "messages"


@dataclass(frozen=True, slots=True)
class Repeats(ReplyFault):
    """Forwards a call that upstream has had."""

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        return Forward(2)


@dataclass(frozen=True, slots=True)
class Moody(ReplyFault):
    """Does not ask the dice."""

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        return Reply(random.random())  # noqa: S311 - what the check has to see


@dataclass(frozen=True, slots=True)
class Meddler(ReplyFault):
    """Changes the reply that it is given."""

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        if isinstance(reply, dict):
            reply["total"] = 0
        return Reply("Service is closing")


@dataclass(frozen=True, slots=True)
class Talker(ReplyFault):
    """Gives the test away."""

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        return Fail("server_error", "500: Simulated outage")


@dataclass(frozen=True, slots=True)
class Wordless(ReplyFault):
    """Says something that is no effect."""

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Any:  # noqa: ANN401 - what the check has to see
        return "fail"


@dataclass(frozen=True, slots=True)
class Backwards(ReplyFault):
    """Is faster than no time."""

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        return Delay(-1.0)


@dataclass(frozen=True, slots=True)
class CutsLate(ReplyFault):
    """Cuts what has been read already."""

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        return Cut(1)


@dataclass(frozen=True, slots=True)
class CutsEarly(faults.Fault):
    """Cuts in the middle, and says that it bites before."""

    phase: ClassVar[Phase] = Phase.PRE

    def on_call(self, call: Call, dice: Dice) -> Effect:
        return Cut(-1)


@dataclass(frozen=True, slots=True)
class HoldsEarly(faults.Fault):
    """Keeps back what is not there yet."""

    def on_call(self, call: Call, dice: Dice) -> Effect:
        return Hold(0, 1.0)


@dataclass(frozen=True, slots=True)
class Fails(faults.Fault):
    """Bites in the middle, and fails before."""

    phase: ClassVar[Phase] = Phase.MID

    def on_call(self, call: Call, dice: Dice) -> Effect:
        return Fail("down", "503")


@dataclass(frozen=True, slots=True)
class Idle(faults.Fault):
    """Does nothing."""


@dataclass(frozen=True, slots=True)
class Bare(ReplyFault):  # noqa: D101 - what the check has to see
    __doc__ = None


@dataclass(frozen=True)
class Loose(ReplyFault):
    """Has a dictionary."""


@dataclass(frozen=True, slots=True)
class Nowhere(ReplyFault):
    """Can be delivered nowhere."""

    surfaces: ClassVar[frozenset[str]] = frozenset()


BAD_FAULTS = [
    (Early(), "its phase is post"),
    (LateFault(), "its phase is pre"),
    (Repeats(), "by then upstream has run"),
    (CutsLate(), "on_reply gives a Cut, and by then upstream has run"),
    (CutsEarly(), "on_call gives a Cut, and its phase is pre: say mid"),
    (CutsEarly(), "cuts after -1 items"),
    (HoldsEarly(), "on_call gives a Hold, and there is no reply yet"),
    (HoldsEarly(), "holds for 0 calls"),
    (Fails(), "its phase is mid"),
    (Moody(), "decides twice for the same dice"),
    (Meddler(), "changes the call or the reply"),
    (Talker(), "'Simulated', which says that this is a test"),
    (Wordless(), "'fail', which is no effect"),
    (Backwards(), "delays by -1.0 seconds"),
    (Idle(), "does nothing with any sample"),
    (Bare(), "has no docstring"),
    (Loose(), "has no slots"),
    (Nowhere(), "names no surface"),
    (Aloof(), "acts at a call that it says does not concern it"),
    (Sleeper(), "it waits .time.sleep., and a fault decides at once"),
    (Sleeper("event"), "it waits .lock.acquire."),
    (Sleeper("select"), "it waits .select.select."),
    (NoList(), "on_messages gives .* where PROCEED or a Reply with a list of messages can be"),
    (Shrinks(), "on_messages changes the messages that it is given"),
    (Whim(), "on_messages decides twice for the same dice"),
    (Tells(), "on_messages lets the agent read 'injected'"),
    (Distant(), "on_messages acts on messages that it says do not concern it"),
    (Vague(), "concerns gives None, which is neither True nor False"),
]


def test_good_fault_passes() -> None:
    """A fault may delay, reply by the dice and forward, at any dose."""
    check_fault(Slow())
    check_fault(Slow(seconds=2.5).at(0.2, match="get*", share=0.5))
    check_fault(MessagesFault())


@pytest.mark.parametrize(("fault", "complaint"), BAD_FAULTS, ids=lambda value: type(value).__name__)
def test_bad_fault_is_refused(fault: faults.Fault, complaint: str) -> None:
    """The check says which promise a fault breaks."""
    with pytest.raises(AssertionError, match=complaint):
        check_fault(fault)


def test_fault_is_tried_on_the_samples_of_its_user() -> None:
    """A fault that acts on special replies passes on them."""
    with pytest.raises(AssertionError, match="does nothing"):
        check_fault(OnlyOnMoney())

    check_fault(OnlyOnMoney(), replies=[{"currency": "EUR"}])


@dataclass(frozen=True, slots=True)
class OnlyOnMoney(faults.Fault):
    """Changes the currency."""

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        return Reply({"currency": "USD"}) if isinstance(reply, dict) and "currency" in reply else PROCEED


def test_words_of_the_reply_itself_are_no_telltale() -> None:
    """A word that upstream said may come back to the agent."""
    check_fault(Echo(), replies=["There is a fault in the lamp."])


@dataclass(frozen=True, slots=True)
class Echo(faults.Fault):
    """Says everything twice."""

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        return Reply(f"{reply} {reply}")


def test_fault_that_is_no_part_is_refused() -> None:
    """A fault has to be of the kind that the grammar can bind."""
    with pytest.raises(AssertionError, match="no subclass"):
        check_fault(Injection(Stranger(), once_at(1)))


class Stranger:
    """Looks like a fault."""

    phase = Phase.PRE
    visibility = faults.RateLimit.visibility
    usual_dose = once_at(1)
    surfaces = faults.RateLimit.surfaces
    needs_sandbox = False
    term = faults.RateLimit().term

    def concerns(self, call: Call) -> bool:
        """Every call does."""
        return True

    def on_call(self, call: Call, dice: Dice) -> Effect:
        """Refuse."""
        return Fail("rate_limit", "429")

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        """Do nothing."""
        return PROCEED

    def on_messages(self, messages: Sequence[Json], dice: Dice) -> Effect:
        """Do nothing."""
        return PROCEED


@dataclass(frozen=True, slots=True)
class Stammer(perturbations.Perturbation):
    """Say the last letter of a share of the words twice."""

    def perturb(self, text: str, dice: Dice) -> str | None:
        words = text.split(" ")
        free = [at for at, word in enumerate(words) if word.isalpha() and word.islower() and len(word) > 7]
        for at in sorted(free, key=dice.uniform)[: max(1, round(self.intensity * len(free)))]:
            words[at] += words[at][-1]
        return self.judged(text, " ".join(words))

    def judged(self, text: str, variant: str) -> str | None:
        """*variant*, where it is one."""
        return variant if variant != text else None


@dataclass(frozen=True, slots=True)
class Same(Stammer):
    """Gives the original where there is no variant."""

    def judged(self, text: str, variant: str) -> str | None:
        return variant


@dataclass(frozen=True, slots=True)
class Renumbers(perturbations.Perturbation):
    """Touches numbers."""

    def perturb(self, text: str, dice: Dice) -> str | None:
        return text.replace("7", "8") if "7" in text else None


@dataclass(frozen=True, slots=True)
class Dull(perturbations.Perturbation):
    """Never has a variant."""

    def perturb(self, text: str, dice: Dice) -> str | None:
        return None


@dataclass(frozen=True, slots=True)
class Whimsical(perturbations.Perturbation):
    """Does not ask the dice."""

    def perturb(self, text: str, dice: Dice) -> str | None:
        return f"{text} {random.random()}"  # noqa: S311 - what the check has to see


@dataclass(frozen=True, slots=True)
class Jumps(perturbations.Perturbation):
    """Changes other places at another intensity."""

    def perturb(self, text: str, dice: Dice) -> str | None:
        words = text.split(" ")
        at = dice.integer(len(words), str(self.intensity))
        words[at] += "…"
        return " ".join(words)


def test_good_perturbation_passes() -> None:
    """A perturbation passes that changes free words alone, and more of them at a higher intensity."""
    check_perturbation(Stammer(0.2), ["please deliver whatever remains of everything tomorrow at seven"])


@pytest.mark.parametrize(
    ("perturbation", "complaint"),
    [
        (Same(0.2), "back unchanged"),
        (Renumbers(0.2), "touches a protected span"),
        (Dull(0.2), "gives no variant of any sample"),
        (Whimsical(0.2), "in two ways for the same dice"),
        (Jumps(0.2), "leaves alone what a smaller one changes"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_bad_perturbation_is_refused(perturbation: perturbations.Perturbation, complaint: str) -> None:
    """The check says which promise a perturbation breaks."""
    with pytest.raises(AssertionError, match=complaint):
        check_perturbation(perturbation)


@dataclass(frozen=True, slots=True)
class BadGrader(graders.Grader):
    """Gives the grade that it was made with."""

    says: Any = None

    def grade(self, evidence: Evidence) -> Any:  # noqa: ANN401 - what the check has to see
        return self.says


@dataclass(frozen=True, slots=True)
class MoodyGrader(graders.Grader):
    """Grades by chance."""

    def grade(self, evidence: Evidence) -> Grade:
        return Grade("moody", passed=True, score=random.random())  # noqa: S311 - what the check has to see


@dataclass(frozen=True, slots=True)
class Picky(graders.Grader):
    """Takes no task."""

    def problems(self, task_id: str, expect: Json) -> Sequence[str]:
        return ("I do not like it",)


@dataclass(frozen=True, slots=True)
class Mumbler(graders.Equals):
    """Says one text where sentences are due."""

    def problems(self, task_id: str, expect: Json) -> Sequence[str]:
        return "" if expect is None else "no"


async def slow_yes(evidence: Evidence) -> bool:
    """Pass everything, after a while."""
    return True


def test_good_grader_passes() -> None:
    """A sync grader passes the check, and so does an async one."""
    check_grader(graders.equals())
    check_grader(graders.predicate(slow_yes))


@pytest.mark.parametrize(
    ("grader", "complaint"),
    [
        (BadGrader(says=True), "which is no Grade"),
        (BadGrader(says=Grade("bad", passed=1)), "neither True nor False"),  # type: ignore[arg-type]
        (BadGrader(says=Grade("bad", passed=True, score=1.5)), "not from 0 to 1"),
        (BadGrader(says=Grade("", passed=True)), "do not name it"),
        (BadGrader(says=Grade("bad", passed=True, reason=object())), "come back from JSON"),  # type: ignore[arg-type]
        (MoodyGrader(), "twice, and not the same"),
        (Picky(), "takes no sample's task"),
        (Mumbler(), "no sequence of sentences"),
    ],
)
def test_bad_grader_is_refused(grader: graders.Grader, complaint: str) -> None:
    """The check says which promise a grader breaks."""
    with pytest.raises(AssertionError, match=complaint):
        check_grader(grader)


def test_every_broken_promise_is_named_at_once() -> None:
    """One error lists all that is wrong."""
    with pytest.raises(AssertionError) as refused:
        check_fault(LooseTalker())

    assert "has no slots" in str(refused.value)
    assert "'chaos'" in str(refused.value)


@dataclass(frozen=True)
class LooseTalker(ReplyFault):
    """Breaks two promises."""

    def on_reply(self, call: Call, reply: Json, dice: Dice) -> Effect:
        return Fail("server_error", "chaos")
