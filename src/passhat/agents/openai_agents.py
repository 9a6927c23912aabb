"""An agent of the OpenAI Agents SDK, as it is: the `Agent` object that production runs, with all it hands over to."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Any, NamedTuple

from passhat.agents._framework import Framework, jsonable, loaded, usage
from passhat.errors import UsageError
from passhat.model.answer import Answer
from passhat.model.plain import described
from passhat.model.protocols import Request
from passhat.model.talk import text_of

FRAMEWORK = Framework("The OpenAI Agents SDK", "openai-agents", "agents", "openai-agents")
MOST_TURNS = 30
_TALK = "talk"  # where a trial's memory keeps it


class _Talk(NamedTuple):
    """What one trial goes on with: copies of its agents, which of them speaks, its context, and what was said."""

    guarding: Any
    speaker: Any
    context: Any
    said: Sequence[Any] = ()


class OpenAiAgentsAgent:
    """Runs an agent of the OpenAI Agents SDK with its function tools, and those of its MCP servers, behind our guard.

    So are those of the agents that it hands over to. A tool of the world that is called like one of theirs stands in
    for it; those that none of them has are offered to the first. A tool that fails is shown to the model by its own
    `failure_error_function`. *context* makes the context of each trial from its `Request`. A run that waits for an
    approval hands over to a person, and so does one that ends with an agent named in *people*. In a talk with a user
    each run goes on with what was said before, with the agent that spoke last, and with the same context.
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
        talk = request.memory.get(_TALK)
        if talk is None:
            talk = request.memory[_TALK] = self._talk(request)
        guarding = talk.guarding
        result = await self._parts.Runner.run(
            talk.speaker,
            [*talk.said, {"role": "user", "content": text_of(request.input)}] if talk.said else text_of(request.input),
            context=talk.context,
            hooks=guarding.watch,
            **self._options,
        )
        self.models_seen |= guarding.watch.models
        request.memory[_TALK] = talk._replace(speaker=result.last_agent, said=result.to_input_list())
        spent = result.context_wrapper.usage
        asked = [jsonable(item.raw_item) for item in result.interruptions]
        return Answer(
            asked or jsonable(result.final_output),
            handoff=bool(asked) or result.last_agent.name in self._people,
            usage=usage([(spent.input_tokens, spent.output_tokens)], guarding.watch.models),
        )

    def _talk(self, request: Request) -> _Talk:
        guarding = self._parts.Guarding(request.tools, self._agent)
        return _Talk(guarding, guarding.first, None if self._context is None else self._context(request))
