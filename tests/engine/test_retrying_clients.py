"""Real packages that retry below an agent: what they make up for is theirs, and what they let through is seen."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

import httpx2
import openai
import pytest
import tenacity

from passhat.agents import one_call
from passhat.errors import ToolError
from passhat.faults import rate_limit
from passhat.model.answer import Answer
from passhat.model.dose import Burst
from passhat.model.exposure import Fate, exposure
from passhat.model.paths import RecoveryPath
from passhat.model.protocols import Tools
from passhat.model.recovery import Aftermath, recovery
from passhat.model.trial import Evidence, Trial
from tests.engine.drive import drive, suite_of

TRIES = 3  # what both clients are told, and what the openai package does if nobody tells it
SAID = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 0,
    "model": "m",
    "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Refunded."}}],
}
Agent = Callable[[str, Tools], Awaitable[Answer]]


class Model:
    """A service behind a tool: it answers, and counts how often it did."""

    def __init__(self) -> None:
        """Not asked yet."""
        self.asked = 0

    @property
    def tools(self) -> dict[str, Callable[..., Any]]:
        """The tool."""
        return {"complete": self.complete}

    def complete(self, **_asked: Any) -> dict[str, Any]:  # noqa: ANN401 - what a client sends
        """Answer."""
        self.asked += 1
        return SAID

    def snapshot(self) -> int:
        """How often it was asked."""
        return self.asked


async def with_openai(message: str, tools: Tools) -> Answer:
    """An agent on the openai package, whose requests go to the guarded tool."""

    async def served(request: httpx2.Request) -> httpx2.Response:
        sent = json.loads(request.content)
        try:
            return httpx2.Response(200, json=await tools.complete(model=sent["model"], messages=sent["messages"]))
        except ToolError as error:
            headers = {} if error.retry_after is None else {"retry-after-ms": "1"}
            return httpx2.Response(429, json={"error": {"message": str(error)}}, headers=headers)

    async with openai.AsyncOpenAI(
        api_key="none",
        base_url="http://localhost/v1",
        http_client=httpx2.AsyncClient(transport=httpx2.MockTransport(served)),
        max_retries=TRIES - 1,
    ) as client:
        try:
            with one_call():
                said = await client.chat.completions.create(model="m", messages=[{"role": "user", "content": message}])
        except openai.RateLimitError:
            return Answer("I could not.", claims_success=False)
    return Answer(said.choices[0].message.content, claims_success=True)


async def with_tenacity(message: str, tools: Tools) -> Answer:
    """An agent whose tool is wrapped by a decorator that tries again."""

    @tenacity.retry(stop=tenacity.stop_after_attempt(TRIES), wait=tenacity.wait_none(), reraise=True)
    async def complete() -> Any:  # noqa: ANN401 - what the tool replies
        return await tools.complete(messages=message)

    try:
        with one_call():
            said = await complete()
    except ToolError:
        return Answer("I could not.", claims_success=False)
    return Answer(said["choices"][0]["message"]["content"], claims_success=True)


def answered(evidence: Evidence) -> bool:
    """The grader: the agent got the answer."""
    return evidence.output == "Refunded."


def struck(agent: Agent, times: int) -> Trial:
    """The trial of *agent* in which the first calls are refused, so many of them."""
    condition = rate_limit().at(Burst(times))
    return drive(suite_of(Model, grade=answered), agent, under=[condition], clean=False).trial


@pytest.mark.parametrize("agent", [with_openai, with_tenacity])
def test_what_the_client_makes_up_for_is_absorbed(agent: Agent) -> None:
    """Two 429s in a row are made up for by the third try: the agent never heard of them, and has no merit in it."""
    trial = struck(agent, TRIES - 1)
    (found,) = exposure(trial)
    said = recovery(trial)

    assert [(call.ok, call.part_of) for call in trial.trace] == [(False, None), (False, 1), (True, 1)]
    assert (found.fired, found.absorbed, found.seen, found.fate) == (2, 2, 0, Fate.ABSORBED)
    assert said is not None
    assert (said.absorbed, said.seen, said.path) == (True, False, RecoveryPath.NONE)
    assert said.aftermath is Aftermath.RECOVERED


@pytest.mark.parametrize("agent", [with_openai, with_tenacity])
def test_what_the_client_gives_up_on_is_seen(agent: Agent) -> None:
    """Three in a row are more than the client tries: the agent is told, and what it then does is its own."""
    trial = struck(agent, TRIES)
    (found,) = exposure(trial)
    said = recovery(trial)

    assert [call.part_of for call in trial.trace] == [None, 1, 1]
    assert (found.fired, found.absorbed, found.seen, found.fate) == (3, 0, 3, Fate.SEEN)
    assert said is not None
    assert (said.absorbed, said.seen, said.aftermath) == (False, True, Aftermath.SAFE_FAILURE)


def test_without_a_word_the_clients_tries_are_the_agents() -> None:
    """Nobody can tell from outside who tried again: what is not said to be one call counts as the agent's retry."""

    async def agent(message: str, tools: Tools) -> Answer:
        @tenacity.retry(stop=tenacity.stop_after_attempt(TRIES), wait=tenacity.wait_none())
        async def complete() -> None:
            await tools.complete(messages=message)

        await complete()
        return Answer("Refunded.", claims_success=True)

    said = recovery(struck(agent, 1))

    assert said is not None
    assert (said.path, said.absorbed) == (RecoveryPath.RETRY, False)
