"""The ledger: what was done twice, what the agent does not know of, and what it believes in that never happened."""

from __future__ import annotations

from typing import Any

import pytest

from passhat.engine import ledger as engine_ledger
from passhat.model import ledger as ledgers
from passhat.model.condition import Phase
from passhat.model.ledger import Declared, Told, ledger
from passhat.model.outcome import Outcome
from passhat.model.trial import Instead, ToolCall
from passhat.testing import KeyedRetrier, NaiveRetrier
from tests.recovery.desk import PAY, Phantom, Twice, Wrong, trials_of
from tests.recovery.hand import call, fired, refused, trial

LOST = call(1, error="504 Gateway Timeout", reply=None, upstream="ok")
NAIVE = NaiveRetrier(tool="pay", arguments=PAY)


def test_words_for_silence_are_the_engines() -> None:
    """The sentence by which an unanswered call is known is the one that the engine writes."""
    assert ledgers.UNANSWERED == engine_ledger.UNANSWERED


def test_same_write_twice_is_a_duplicate() -> None:
    """A write of the same tool and arguments that was done twice is one effect too many."""
    found = ledger(trial(call(1), call(2)))

    assert [(one.steps, one.times, one.expected) for one in found.duplicates] == [((1, 2), 2, 1)]
    assert found.surplus == 1
    assert found.harm


@pytest.mark.parametrize(
    "second",
    [call(2, arguments={"amount": 6}), call(2, "refund"), call(2, write=False), refused(2)],
    ids=["other arguments", "other tool", "read", "never done"],
)
def test_other_calls_are_no_duplicate(second: ToolCall) -> None:
    """Other arguments, another tool, a read, and a call that never reached upstream duplicate nothing."""
    first = call(1, write=second.write)

    assert ledger(trial(first, second)).duplicates == ()


def test_clean_trial_says_how_often_a_write_is_due() -> None:
    """What the clean, passing trial did twice may be done twice, and not three times."""
    clean = trial(call(1), call(2))

    assert ledger(trial(call(1), call(2)), clean=clean).duplicates == ()
    assert ledger(trial(call(1), call(2), call(3)), clean=clean).surplus == 1


def test_clean_trial_that_failed_says_nothing() -> None:
    """A clean trial that did not pass is no measure of what is due."""
    clean = trial(call(1), call(2), outcome=Outcome.FAIL)

    assert ledger(trial(call(1), call(2)), clean=clean).surplus == 1


def test_one_key_is_one_effect() -> None:
    """Calls that carry the same declared key are done once; another key, or none, is done again."""
    declared = Declared(keys=("key",))
    one, other = ({"amount": 5, "key": key} for key in "ab")

    same = ledger(trial(call(1, arguments=one), call(2, arguments=one)), declared=declared)
    two = ledger(trial(call(1, arguments=one), call(2, arguments=other)), declared=declared)
    undeclared = ledger(trial(call(1, arguments=one), call(2, arguments=other)))

    assert (same.surplus, two.surplus, undeclared.surplus) == (0, 1, 0)


def test_what_may_be_done_twice_is_no_duplicate() -> None:
    """A tool that is declared idempotent, by name or pattern, duplicates nothing; others still do."""
    made = trial(call(1, "set_address"), call(2, "set_address"), call(3), call(4))

    for pattern in ("set_address", "set_*"):
        (found,) = ledger(made, declared=Declared(idempotent=(pattern,))).duplicates
        assert found.tool == "pay"


def test_own_refusal_of_upstream_is_no_effect() -> None:
    """A write that upstream itself refused did nothing, and the agent was told the truth."""
    found = ledger(trial(call(1), call(2, error="409 Conflict: it was paid", reply=None)))

    assert (found.duplicates, found.unknown) == ((), ())
    assert found.entries[1].effects == 0


def test_slow_refusal_is_still_upstreams_own() -> None:
    """A fault that only delays did not write the error."""
    late = call(1, error="409 Conflict: it was paid", reply=None)

    assert ledger(trial(late, faults=(fired(1, effect="delay"),))).unknown == ()


@pytest.mark.parametrize("upstream", ["ok", None], ids=["upstream spoke", "upstream says nothing"])
@pytest.mark.parametrize("known", [True, False], ids=["with the event", "without"])
def test_error_is_a_faults_where_one_fired_or_upstream_had_answered(upstream: str | None, known: bool) -> None:  # noqa: FBT001 - a parameter of a test
    """Either shows that the write was done: the fault's own record, or the reply that upstream gave."""
    lost = call(1, error="504 Gateway Timeout", reply=None, upstream=upstream)
    found = ledger(trial(lost, faults=(fired(1),) if known else ()))

    assert found.unknown == ((1,) if known or upstream else ())


def test_lost_reply_is_an_effect_that_the_agent_does_not_know_of() -> None:
    """The write was done, and the agent was told an error."""
    found = ledger(trial(LOST, faults=(fired(1, effect="delay"), fired(1))))

    assert found.unknown == (1,)
    assert found.entries[0].told is Told.ERROR
    assert not found.harm


@pytest.mark.parametrize("error", [ledgers.UNANSWERED, "CancelledError", "CancelledError: enough"])
def test_call_without_an_answer_told_nothing(error: str) -> None:
    """A call that the trial's end, or the agent, cut off while it ran may have been done or not: nobody knows."""
    found = ledger(trial(call(1, error=error, reply=None)))

    assert found.entries[0].told is Told.NOTHING
    assert (found.doubtful, found.unknown, found.duplicates) == ((1,), (), ())
    assert found.sentences == ("step 1: pay was broken off, and may have been done or not",)


def test_call_that_is_broken_off_and_made_again_is_done_once() -> None:
    """An agent that waits for a tool only so long, and tries again, is not told of a duplicate that nobody saw."""
    cut = call(1, error="CancelledError", reply=None)

    assert ledger(trial(cut, call(2))).duplicates == ()


def test_call_that_is_broken_off_after_upstream_had_answered_was_done() -> None:
    """A reply that a fault kept back: upstream had committed before the agent stopped waiting."""
    late = call(1, error="CancelledError", reply=None, upstream="ok")
    found = ledger(trial(late, call(2), faults=(fired(1, effect="hang", phase=Phase.POST),)))

    assert (found.doubtful, found.unknown, [one.times for one in found.duplicates]) == ((), (1,), [2])


def test_success_that_never_happened_is_believed_in() -> None:
    """The agent was told that its write was done, and upstream never ran."""
    ((phantom, _),) = trials_of(NAIVE, [Phantom().at(match="pay")])
    found = ledger(phantom)

    assert (found.believed, found.changed, found.unknown) == ((1,), (1,), ())
    assert not found.wrote
    assert not found.harm


def test_belief_that_came_true_is_none() -> None:
    """Where the same write was done later, nothing is believed in wrongly."""
    never = call(1, executed=0)

    assert ledger(trial(never, call(2), faults=(fired(1, effect="reply"),))).believed == ()


def test_part_of_what_is_believed_is_harm() -> None:
    """One write done and another one only believed in leave the world half done."""
    never = call(2, arguments={"amount": 6}, executed=0)

    assert ledger(trial(call(1), never, faults=(fired(2, effect="reply"),))).harm


def elsewhere(step: int, **more: Any) -> ToolCall:  # noqa: ANN401 - the fields of a call
    """A payment in whose place another was cancelled."""
    return call(step, executed=0, instead=Instead(tool="cancel", arguments={"amount": 5}), **more)


def test_write_that_nobody_asked_for_is_harm() -> None:
    """What another tool did in the place of the one that was called is named, and the world is wrong for it."""
    found = ledger(trial(elsewhere(1), faults=(fired(1, effect="forward"),)))

    assert (found.unasked, found.believed) == ((1,), (1,))
    assert found.wrote
    assert found.harm
    assert "step 1: cancel was done, and pay was asked for" in found.sentences


def test_write_that_was_asked_for_too_is_done_twice() -> None:
    """Where the agent asks for what had been done unasked, it is a duplicate and no longer unasked."""
    found = ledger(trial(elsewhere(1), call(2, "cancel"), faults=(fired(1, effect="forward"),)))

    assert found.unasked == ()
    (twice,) = found.duplicates
    assert (twice.tool, twice.steps, twice.times, twice.expected) == ("cancel", (1, 2), 2, 1)


def test_write_that_the_clean_trial_makes_is_not_unasked() -> None:
    """What the trial without faults does at some time was asked for."""
    found = ledger(trial(elsewhere(1), faults=(fired(1, effect="forward"),)), clean=trial(call(1), call(2, "cancel")))

    assert found.unasked == ()


def test_stream_that_broke_by_itself_had_begun() -> None:
    """Upstream's own error before the first item took no effect, and after it may have."""
    before, after = (ledger(trial(call(1, reply=got, error="log_error"))).entries[0] for got in (None, ["up"]))

    assert (before.effects, after.effects) == (0, 1)


def test_changed_reply_is_told_from_upstreams_own() -> None:
    """A reply that a fault changed is in the ledger, with what was done all the same."""
    ((wrong, _),) = trials_of(NAIVE, [Wrong().at(match="pay")])
    (entry,) = ledger(wrong).entries

    assert ledger(wrong).changed == (1,)
    assert (entry.told, entry.effects, entry.phantom, entry.unknown) == (Told.CHANGED, 1, False, False)


def test_number_and_its_text_are_two_replies() -> None:
    """1 and "1" and [1] are different things to be told; the order of keys is not."""
    event = fired(1, effect="reply")

    def told(reply: object, upstream: object) -> Told:
        return ledger(trial(call(1, reply=reply, upstream=upstream), faults=(event,))).entries[0].told

    assert told({"a": 1, "b": 2}, {"b": 2, "a": 1}) is Told.REPLY
    assert {told("1", 1), told([1], 1), told(None, 1)} == {Told.CHANGED}


def test_message_that_is_delivered_twice_is_a_duplicate() -> None:
    """Upstream ran twice for one call; with a key it did the thing once."""
    ((blind, _),) = trials_of(NAIVE, [Twice().at(match="pay")])
    ((keyed, _),) = trials_of(KeyedRetrier(tool="pay", arguments=PAY), [Twice().at(match="pay")])

    assert (blind.state, ledger(blind).surplus) == ([5, 5], 1)
    assert (keyed.state, ledger(keyed).surplus) == ([5], 0)


def test_ledger_can_be_read() -> None:
    """Everything that is out of order is one sentence."""
    changed = call(4, "look", write=False, reply=7, upstream=5)
    never = call(5, "refund", executed=0)
    events = (fired(1), fired(4, effect="reply"), fired(5, effect="reply"))

    assert ledger(trial(LOST, call(2), call(3), changed, never, faults=events)).sentences == (
        "steps 1, 2, 3: pay was done 3 times alike",
        "step 1: pay was done, and the agent was not told",
        "step 5: refund was never done, and the agent was told it was",
        "step 4: the reply to look was not upstream's own",
        "step 5: the reply to refund was not upstream's own",
    )
    assert ledger(trial(call(1))).sentences == ()


def test_trial_without_calls_has_an_empty_ledger() -> None:
    """Nothing was called, and nothing is the matter."""
    found = ledger(trial())

    assert (found.entries, found.harm, found.wrote) == ((), False, False)
