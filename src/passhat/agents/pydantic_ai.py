"""An agent of Pydantic AI, as it is: the `Agent` object that production runs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Literal

from passhat.agents._framework import Framework, jsonable, loaded, usage
from passhat.errors import UsageError
from passhat.model.answer import Answer
from passhat.model.plain import described
from passhat.model.protocols import Request
from passhat.model.talk import text_of

FRAMEWORK = Framework("Pydantic AI", "pydantic-ai-slim", "pydantic_ai", "pydantic-ai")
_SHOWN_AS = ("retry", "failed")
_DEPS, _MESSAGES = "deps", "messages"  # where a trial's memory keeps them


class PydanticAiAgent:
    """Runs an agent of Pydantic AI with its own tools behind our guard, and with the world's.

    A tool of the world that is called like one of the agent's stands in for it; those that the agent lacks are offered
    beside its own. *deps* makes the dependencies of each trial from its `Request`. A tool that fails is shown to the
    model as a `ModelRetry` does it, within the agent's own budget of retries, or with `shown_as="failed"` as a
    `ToolFailed`. An agent that leaves calls to somebody else (`DeferredToolRequests`) hands over. In a talk with a user
    each run goes on with the messages of the one before, and with the same dependencies.
    """

    blocking = False
    takes_tools = True
    brings_tools = True

    def __init__(
        self,
        agent: Any,  # noqa: ANN401 - one of a package that need not be here
        *,
        deps: Callable[[Request], Any] | None = None,
        shown_as: Literal["retry", "failed"] = "retry",
        label: str = "",
        version: str = "",
    ) -> None:
        """The agent as it is; it is not changed."""
        self._parts = loaded(FRAMEWORK, "_pydantic_ai")
        if not isinstance(agent, self._parts.AbstractAgent):
            raise UsageError(f"agent: an agent of Pydantic AI, not {described(agent)}")
        problems = []
        if deps is not None and not callable(deps):
            problems.append(f"deps: a function that makes them from a Request, not {described(deps)}")
        if shown_as not in _SHOWN_AS:
            problems.append(f"shown_as: one of {', '.join(_SHOWN_AS)}, not {shown_as!r}")
        if problems:
            raise UsageError(*problems)
        self._agent = agent
        self._deps = deps
        self._shown_as = shown_as
        self.models_seen: set[str] = set()
        self.label = label or agent.name or "pydantic_ai"
        self.version = version

    def start(self, request: Request) -> Awaitable[Answer]:
        return self._run(request)

    async def _run(self, request: Request) -> Answer:
        guarding, memory = self._parts.Guarding(request.tools, shown_as=self._shown_as), request.memory
        if _DEPS not in memory:
            memory[_DEPS] = None if self._deps is None else self._deps(request)
        result = await self._agent.run(
            text_of(request.input),
            message_history=memory.get(_MESSAGES),
            deps=memory[_DEPS],
            capabilities=[guarding],
            infer_name=False,
        )
        models = {reply.model_name for reply in self._parts.replies(result) if reply.model_name}
        self.models_seen |= models
        memory[_MESSAGES] = result.all_messages()
        return Answer(
            jsonable(result.output),
            handoff=isinstance(result.output, self._parts.DeferredToolRequests),
            usage=usage([(result.usage.input_tokens, result.usage.output_tokens)], models),
        )
