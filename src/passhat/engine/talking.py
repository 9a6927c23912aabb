"""A talk between a task's user and the agent: who speaks when, and where it ends. It judges nothing.

The task's input is the first that the user says. The agent answers, the user says the next, and so on, until the user
is done, the agent hands over to a person, or the user had so many turns. The last answer is the trial's. What the
user's code raises is the surroundings' failure: the trial is void.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from msgspec.structs import replace

from passhat.engine.fence import let_through
from passhat.engine.making import Making, Void
from passhat.engine.outage import outage
from passhat.engine.threads import AgentThread, Threads
from passhat.engine.unfinished import unfinished
from passhat.engine.watch import Slot
from passhat.engine.where import where
from passhat.model.answer import Answer, Usage, added, as_answer, problem_of
from passhat.model.callables import is_async
from passhat.model.outcome import Outcome
from passhat.model.plain import described
from passhat.model.protocols import Agent, Request
from passhat.model.talk import Turn, text_of


class Talks:
    """Leads the talks of one run."""

    def __init__(self, agent: Agent, threads: Threads, *, clock: Callable[[], float], most: int) -> None:
        """Talks with *agent*, of at most so many turns of the user's; sync users speak on one of *threads*."""
        self._agent = agent
        self._threads = threads
        self._clock = clock
        self._most = most

    async def lead(self, slot: Slot, making: Making, request: Request, thread: AgentThread | None) -> Answer:
        """The agent's last answer; what was said, and how long the user took for it, is kept with *making*."""
        spent: list[Usage] = []
        words: Any = request.input
        for count in range(1, self._most + 1):
            _say(making, "user", words)
            asked = replace(request, input=words, turns=making.turns)  # and with the same memory
            answer = as_answer(await self._answer(asked, thread))
            if problem_of(answer) or unfinished(answer.output):
                return answer  # which ends the trial as a crash
            _say(making, "agent", answer.output)
            spent += [] if answer.usage is None else [answer.usage]
            if answer.handoff or (words := await self._words(slot, making)) is None:
                break
            if count == self._most:
                making.note(f"the user had more to say after {_turns(self._most)}: the talk was ended there")
        return replace(answer, usage=added(spent))

    async def _answer(self, request: Request, thread: AgentThread | None) -> Any:  # noqa: ANN401 - what agents return
        if thread is None:
            return await self._agent.start(request)
        return await thread.call(lambda: self._agent.start(request))

    async def _words(self, slot: Slot, making: Making) -> str | None:
        """What the user says next; None where there is nothing."""
        user, turns = making.cell.task.user, making.turns
        if not callable(user):
            said = len(turns) // 2  # by the user, the input among them
            return str(user[said - 1]) if said <= len(user) else None
        begun = self._clock()
        slot.real_time = making.user_speaks = True
        try:
            words = await self._spoken(user, turns)
        except BaseException as error:  # the user's fence: whatever it raises says nothing about the agent
            let_through(error)
            raise Void(f"the task's user raised {where(error)}", outage(error)) from error
        finally:
            slot.real_time = making.user_speaks = False
            making.user_seconds += self._clock() - begun
        if words is not None and not isinstance(words, str):
            raise Void(f"the task's user said {described(words)}, which is neither a text nor None")
        return words

    async def _spoken(self, user: Callable[..., Any], turns: tuple[Turn, ...]) -> Any:  # noqa: ANN401 - a user's code
        if is_async(user):
            return await user(turns)
        thread = self._threads.take()
        try:
            words = await thread.call(lambda: user(turns))
        finally:
            self._threads.give_back(thread)
        return await words if hasattr(words, "__await__") else words


def overdue(making: Making, limit: float) -> tuple[Outcome, str]:
    """How a trial ends whose time is over. Where the user took more of it than the agent, that is not the agent's."""
    if making.user_seconds > making.seconds / 2:
        return Outcome.VOID, f"the task's user took more than half of the {limit:g} s that a talk may take"
    return Outcome.TIMEOUT, f"no answer within {limit:g} s"


def unstopped(making: Making, limit: float) -> tuple[Outcome, str]:
    """How a trial ends in which somebody goes on after its time is over."""
    if making.user_speaks:
        return Outcome.VOID, f"the task's user had not spoken within {limit:g} s, and did not stop when asked to"
    return Outcome.TIMEOUT, f"no answer within {limit:g} s, and the agent did not stop when asked to"


def _say(making: Making, who: Literal["user", "agent"], words: object) -> None:
    assert making.guard is not None  # noqa: S101 - for the type checker
    making.turns += (Turn(who, text_of(words), making.guard.step),)


def _turns(count: int) -> str:
    return "1 turn" if count == 1 else f"{count:,} turns"
