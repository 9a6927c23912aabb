"""What the runs found, counted: a tally an agent, that tallies of other agents can be added to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

from calibration.known.agents import AGENTS
from calibration.known.errands import ERRANDS
from calibration.known.plans import MODES
from calibration.known.runs import PLANS, Bench, Case
from calibration.known.shop import writes
from calibration.known.table import why_never

WHOLE = range(1000)
# Twenty seeds for every test run: each fault as it is on all seven errands, and in other plans on some of them.
_SOME = tuple(plan + PLANS * turn for plan in (3, 8, 13, 18) for turn in range(3))
_SILK = 220  # the first of these on which something has to be ordered, so that a list can lack it
FIXED = (*(PLANS * turn for turn in range(len(ERRANDS))), *_SOME, _SILK)


@dataclass(slots=True)
class Tally:
    """Struck trials and calls, by agent and fault, and every trial of which passhat says something else."""

    seeds: int = 0
    trials: Counter[tuple[str, str]] = field(default_factory=Counter)
    calls: Counter[tuple[str, str]] = field(default_factory=Counter)
    words: Counter[tuple[str, str]] = field(default_factory=Counter)
    ends: Counter[tuple[str, str]] = field(default_factory=Counter)
    met: set[tuple[str, str, str]] = field(default_factory=set)
    wrong: list[str] = field(default_factory=list)

    def add(self, case: Case) -> None:
        """Count one struck trial."""
        self.trials[case.agent, case.fault] += 1
        self.met.add((case.agent, case.fault, case.errand))
        if not case.right or case.true is None:
            self.wrong.append(
                f"{case.agent} under {case.fault}, seed {case.seed} ({case.errand}):\n"
                f"  passhat says {case.said}\n  and true is  {case.true}"
            )
            return
        self.ends[case.agent, case.true.aftermath] += 1
        for word in case.true.words:
            note = case.diary.notes[word.step - 1]
            last = word.step == len(case.diary.notes)
            self.calls[case.fault, "write" if writes(note.tool) else "read"] += 1
            self.calls[case.fault, "last"] += last
            self.words[case.agent, word.reason or word.path] += 1

    def join(self, other: Tally) -> None:
        """Count what *other* has counted."""
        for mine, theirs in (
            (self.trials, other.trials),
            (self.calls, other.calls),
            (self.words, other.words),
            (self.ends, other.ends),
        ):
            mine.update(theirs)
        self.met |= other.met
        self.wrong += other.wrong
        self.seeds = max(self.seeds, other.seeds)

    def problems(self, *, all_met: bool) -> Iterator[str]:
        """What is not as it should be; with *all_met*, also what was never struck and could have been."""
        yield from self.wrong
        for agent in AGENTS:
            for fault in MODES:
                for errand in ERRANDS:
                    was, why = (agent, fault, errand) in self.met, why_never(agent, fault, errand)
                    if was and why:
                        yield f"{fault} struck the {agent} on {errand}, and that was to be impossible: {why}"
                    if all_met and not was and not why:
                        yield f"{fault} never struck the {agent} on {errand}, and no reason is given"


def tally_of(agent: str, seeds: Sequence[int]) -> Tally:
    """One agent under every fault, over these seeds."""
    bench, found = Bench(agent, seeds), Tally(seeds=len(seeds))
    for fault in MODES:
        for case in bench.cases(fault):
            if case is not None:
                found.add(case)
    return found


def joined(tallies: Iterable[Tally]) -> Tally:
    """All of them as one."""
    whole = Tally()
    for tally in tallies:
        whole.join(tally)
    return whole


def whole(seeds: Sequence[int] = WHOLE) -> Tally:
    """Every agent, in two processes; some minutes."""
    with ProcessPoolExecutor(2) as pool:
        return joined(pool.map(tally_of, AGENTS, [seeds] * len(AGENTS)))
