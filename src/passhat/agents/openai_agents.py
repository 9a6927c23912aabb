"""An agent of the OpenAI Agents SDK, as it is: the `Agent` object that production runs, with all it hands over to."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from typing import Any

from passhat.agents._framework import Framework, jsonable, loaded, text_of, usage
from passhat.errors import UsageError
from passhat.model.answer import Answer
from passhat.model.plain import described
from passhat.model.protocols import Request

FRAMEWORK = Framework("The OpenAI Agents SDK", "openai-agents", "agents", "openai-agents")
MOST_TURNS = 30


class OpenAiAgentsAgent:
    """Runs an agent of the OpenAI Agents SDK with its function tools, and those of its MCP servers, behind our guard.

    So are those of the agents that it hands over to. A tool of the world that is called like one of theirs stands in
    for it; those that none of them has are offered to the first. A tool that fails is shown to the model by its own
    `failure_error_function`. *context* makes the context of each trial from its `Request`. A run that waits for an
    approval hands over to a person, and so does one that ends with an agent named in *people*.
    """

    blocking = False
    takes_tools = True
    brings_tools = True

    def __init__(
        self,
        agent: Any,  # noqa: ANN401 - one of a package that need not be here
        *,
        context: Callable[[Request], Any] | None = None,
        run_config: Any = None,  # noqa: ANN401 - as above
        max_turns: int = MOST_TURNS,
        people: Collection[str] = (),
        label: str = "",
        version: str = "",
    ) -> None:
        """The agent as it is; it is not changed. *run_config* and *max_turns* go to the runner."""
        self._parts = loaded(FRAMEWORK, "_openai_agents")
        if not isinstance(agent, self._parts.Agent):
            raise UsageError(f"agent: an Agent of the OpenAI Agents SDK, not {described(agent)}")
        problems = []
        if context is not None and not callable(context):
            problems.append(f"context: a function that makes it from a Request, not {described(context)}")
        if isinstance(people, str) or not all(isinstance(name, str) for name in people):
            problems.append(f"people: a list of the names of agents, not {described(people)}")
        if isinstance(max_turns, bool) or not isinstance(max_turns, int) or max_turns < 1:
            problems.append(f"max_turns: a whole number from 1 on, not {described(max_turns)}")
        if problems:
            raise UsageError(*problems)
        self._agent = agent
        self._context = context
        self._options = {"max_turns": max_turns, "run_config": run_config}
        self._people = frozenset(people)
        self.models_seen: set[str] = set()
        self.label = label or agent.name
        self.version = version

    def start(self, request: Request) -> Awaitable[Answer]:
        return self._run(request)

    async def _run(self, request: Request) -> Answer:
        guarding = self._parts.Guarding(request.tools, self._agent)
        result = await self._parts.Runner.run(
            guarding.first,
            text_of(request.input),
            context=None if self._context is None else self._context(request),
            hooks=guarding.watch,
            **self._options,
        )
        self.models_seen |= guarding.watch.models
        spent = result.context_wrapper.usage
        asked = [jsonable(item.raw_item) for item in result.interruptions]
        return Answer(
            asked or jsonable(result.final_output),
            handoff=bool(asked) or result.last_agent.name in self._people,
            usage=usage([(spent.input_tokens, spent.output_tokens)], guarding.watch.models),
        )
