"""Agents of known behaviour under every fault of the catalogue: each struck call is given the word that is true.

What is true is worked out by `calibration.known` from the world's own account and the agent's diary, and from no trace.
Here are twenty of its thousand seeds.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from calibration.known.agents import AGENTS
from calibration.known.counts import FIXED, Tally, joined, tally_of
from calibration.known.errands import ERRANDS
from calibration.known.page import PAGE, never, tables
from calibration.known.plans import MODES
from calibration.known.runs import Bench, Case
from calibration.known.table import reasons, why_never
from calibration.page import part
from passhat import faults
from passhat.model.paths import Reason, RecoveryPath
from passhat.model.recovery import Aftermath
from tests.docs.made import same_as_made


@pytest.fixture(scope="module", name="found")
def found_once() -> Tally:
    """Run once for all tests of this file."""
    return joined(tally_of(agent, FIXED) for agent in AGENTS)


@pytest.fixture(scope="module", name="case")
def one_case() -> Case:
    """One struck trial of a naive retrier."""
    return next(case for case in Bench("naive retrier", FIXED).cases("lost_reply") if case is not None)


def test_every_word_is_right(found: Tally) -> None:
    """Path, reason, aftermath and ledger are what really happened, and nothing was struck that could not be."""
    assert list(found.problems(all_met=False)) == []


def test_every_agent_meets_every_fault(found: Tally) -> None:
    """No pair is passed over in silence."""
    able = {fault for fault in faults.FAULTS if any(not why_never("liar", fault, errand) for errand in ERRANDS)}

    assert set(found.trials) == {(agent, fault) for agent in AGENTS for fault in able}
    assert set(faults.FAULTS) - able == {"placebo", "stream_cut", "truncated_context"}


def test_every_word_comes_up(found: Tally) -> None:
    """Each path, reason and aftermath is given at least once: none of them is right by never being said.

    But for `obeyed`: none of these agents takes orders from a tool.
    """
    words = {word for _, word in found.words}

    assert words == {*RecoveryPath, *Reason} - {RecoveryPath.NONE, Reason.OBEYED}
    assert {end for _, end in found.ends} == set(Aftermath)


def test_reads_writes_and_last_calls_are_struck(found: Tally) -> None:
    """Wherever a fault can strike at all, it does."""
    assert {kind for _, kind in found.calls} == {"read", "write", "last"}
    assert all(found.calls["lost_reply", kind] > 10 for kind in ("read", "write", "last"))


def test_page_shows_what_is_found(found: Tally) -> None:
    """The tables of the page are, to the letter, what is found today."""
    text = PAGE.read_text(encoding="utf-8")

    same_as_made(PAGE, part(text, "never"), never())
    same_as_made(PAGE, part(text, "fixed"), tables(found))


def test_page_tells_of_a_whole_run_without_a_wrong_word() -> None:
    """The large part has all thousand seeds, and no wrong word in them."""
    whole = part(PAGE.read_text(encoding="utf-8"), "whole")

    assert f"{len(AGENTS)} agents × {len(MODES)} faults × 1,000 seeds" in whole
    assert " told right, 0 wrong." in whole


def test_all_modes_of_all_faults_are_planned() -> None:
    """A fault that is added to the catalogue is tried here too."""
    assert set(MODES) == set(faults.FAULTS)
    assert all(isinstance(mode, faults.FAULTS[name]) for name, modes in MODES.items() for mode in modes)


def test_table_is_about_what_there_is() -> None:
    """The table of what cannot be struck names known faults and errands, and gives a reason for each."""
    listed = reasons()

    assert set(listed) <= set(MODES)
    assert all(set(errands) <= set(ERRANDS) and all(errands.values()) for errands in listed.values())


@pytest.mark.parametrize(
    "spoiled",
    [
        {"aftermath": "nothing"},
        {"words": ()},
        {"surplus": 7},
        {"unknown": (99,)},
        {"believed": (99,)},
        {"unasked": (99,)},
        {"path": "user-handoff"},
    ],
    ids=lambda spoiled: next(iter(spoiled)),
)
def test_wrong_word_is_noticed(case: Case, spoiled: dict[str, object]) -> None:
    """A trial of which something else is said in any respect is named, with both sides."""
    found = Tally()
    assert case.said is not None

    found.add(replace(case, said=replace(case.said, **spoiled)))  # type: ignore[arg-type]

    (problem,) = found.problems(all_met=False)
    assert problem.startswith(f"naive retrier under lost_reply, seed {case.seed} ({case.errand}):")


def test_hole_and_impossible_case_are_noticed(case: Case) -> None:
    """What was never struck, and what was struck and was to be impossible, are named."""
    hole, impossible = Tally(), Tally()
    impossible.add(replace(case, fault="lost_page", errand="quote"))

    assert "rate_limit never struck the liar on total, and no reason is given" in hole.problems(all_met=True)
    assert any("to be impossible: no reply has pages" in one for one in impossible.problems(all_met=False))
