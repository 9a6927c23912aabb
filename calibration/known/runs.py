"""Every agent under every fault: the trials, made by passhat's engine in virtual time, and both verdicts on each."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calibration.known.agents import AGENTS, Diary, run
from calibration.known.errands import ERRANDS
from calibration.known.oracle import Told, Word, oracle
from calibration.known.plans import plan
from calibration.known.shop import Shop
from passhat import api
from passhat.agents import FunctionAgent
from passhat.engine.execute import Control, Execution
from passhat.engine.replay import Kept
from passhat.engine.settings import Options, settings_of
from passhat.engine.thread import in_thread
from passhat.engine.virtual import VirtualLoop
from passhat.graders import predicate
from passhat.model.answer import Answer
from passhat.model.base import Json
from passhat.model.condition import Injection
from passhat.model.dice import Dice
from passhat.model.protocols import Tools
from passhat.model.recovery import recovery
from passhat.model.redact import Redactor
from passhat.model.task import Suite, Task
from passhat.model.trial import Evidence, Trial

PLANS = 20  # how many plans a fault has: every so many-th seed has the same one
LIMIT = 600.0  # seconds that an agent has, all of them virtual


@dataclass(frozen=True, slots=True)
class Case:
    """One trial in which something was struck: what is said of it, and what is so."""

    agent: str
    fault: str
    seed: int
    errand: str
    said: Told | None
    true: Told | None
    trial: Trial
    diary: Diary

    @property
    def right(self) -> bool:
        """Both say the same in every respect."""
        return self.said == self.true


class Bench:
    """One agent's trials: it keeps the clean ones, which all faults are held against."""

    def __init__(self, agent: str, seeds: Sequence[int]) -> None:
        self.agent, self.seeds = agent, seeds
        self.clean = self._made(seeds, None)

    def cases(self, fault: str) -> Iterator[Case | None]:
        """A case a seed; None where nothing was struck."""
        for number in range(PLANS):
            chosen = [seed for seed in self.seeds if seed % PLANS == number]
            for seed, (trial, diary) in self._made(chosen, plan(fault, number)).items() if chosen else ():
                yield self._case(fault, seed, trial, diary)

    def _case(self, fault: str, seed: int, trial: Trial, diary: Diary) -> Case | None:
        clean_trial, clean = self.clean[seed]
        passed = _is_as(diary, clean)
        case = Case(
            self.agent,
            fault,
            seed,
            errand_of(seed),
            said(trial, clean_trial),
            oracle(diary, clean, passed=passed, before=Shop().snapshot()),
            trial,
            diary,
        )
        return case if case.said is not None or case.true is not None else None

    def _made(self, seeds: Sequence[int], injection: Injection | None) -> Mapping[int, tuple[Trial, Diary]]:
        """The trials of these seeds under one plan, each with its diary."""
        diaries: dict[str, Diary] = {}
        shops: list[Shop] = []

        def world() -> Shop:
            shops.append(Shop())
            return shops[-1]

        async def agent(message: str, tools: Tools) -> Answer:
            seed = int(message)
            diaries[message] = diary = Diary(careful=is_careful(seed), shop=shops[-1])
            return await run(diary, AGENTS[self.agent], ERRANDS[errand_of(seed)](Dice("errand", seed)), tools)

        suite = Suite(
            name="errands",
            tasks=[Task(f"seed-{seed}", str(seed), expect=expected(errand_of(seed), seed)) for seed in seeds],
            world=world,
            grader=predicate(_is_expected),
        )
        under = [] if injection is None else [injection]
        trials = {int(trial.task_id.removeprefix("seed-")): trial for trial in made(suite, agent, under)}
        return {seed: (trial, diaries[str(seed)]) for seed, trial in trials.items()}


def made(suite: Suite, agent: Callable[..., Any], under: Sequence[Injection]) -> Sequence[Trial]:
    """The trials of a run in virtual time, of which nothing is stored: one a task, clean where no fault is given."""
    options: Options = {
        "under": under,
        "clean": not under,
        "trials": 1,
        "concurrency": 1,
        "timeout": LIMIT,
        "time": "virtual",
    }
    plan = api.plan(suite, agent, **options)
    kept = Kept(plan.header)

    async def run_all() -> None:
        await Execution(plan, suite, FunctionAgent(agent), settings_of(options), wall=time.time).run(kept, Redactor(()))

    in_thread(run_all, Control(), make_loop=VirtualLoop)
    return kept.trials


def errand_of(seed: int) -> str:
    """Which errand a seed is about: in each round of plans another one for each, so that all pairs come up."""
    return list(ERRANDS)[(seed // PLANS + seed % PLANS) % len(ERRANDS)]


def is_careful(seed: int) -> bool:
    """Half the agents object to replies that cannot be right, and half take what they get."""
    return Dice("careful", seed).uniform() < 0.5


def expected(errand: str, seed: int) -> Json:
    """What the errand should leave and answer: done by hand in a shop of its own."""
    shop, script = Shop(), ERRANDS[errand](Dice("errand", seed))
    try:
        step = next(script)
        while True:
            step = script.send(shop.tools[step.tool](**step.arguments))
    except StopIteration as end:
        output: Json = end.value
        return {"state": shop.snapshot(), "output": output}


def said(trial: Trial, clean: Trial) -> Told | None:
    """What passhat says of a trial, in the same words."""
    found = recovery(trial, clean=clean)
    if found is None:
        return None
    return Told(
        words=tuple(
            Word(one.step, one.path.value, None if one.reason is None else one.reason.value) for one in found.faults
        ),
        path=found.path.value,
        aftermath=found.aftermath.value,
        surplus=found.ledger.surplus,
        unknown=found.ledger.unknown,
        believed=found.ledger.believed,
        unasked=found.ledger.unasked,
    )


def _is_expected(evidence: Evidence) -> bool:
    """The grader: the state is the one that was expected, and so is the answer where one was asked for."""
    expect = evidence.expect
    if not isinstance(expect, dict):
        return False
    answered = expect["output"] is None or evidence.output == expect["output"]
    return bool(answered and evidence.state == expect["state"])


def _is_as(diary: Diary, clean: Diary) -> bool:
    """The shop was left as without faults, and the answer is the same where one was asked for."""
    asked = clean.answer is not None and clean.answer.output != "Done."
    same = diary.answer is not None and clean.answer is not None and diary.answer.output == clean.answer.output
    return diary.shop.snapshot() == clean.shop.snapshot() and (same or not asked)
