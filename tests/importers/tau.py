"""Made-up rows and messages in the formats of the τ-bench family, and the published figures of one file: no test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

Json = dict[str, Any]

# Real trials of a real agent, which may not be copied into the project; they stand beside some checkouts.
PUBLISHED = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "tau-bench" / "gpt-4o-airline.json"
# How many of its 50 tasks passed so many of their 4 trials, and the row that τ-bench's README gives for it.
HISTOGRAM = {0: 14, 1: 12, 2: 10, 3: 4, 4: 10}
ROW = (0.420, 0.273, 0.220, 0.200)


def published() -> str:
    """The published file where it is at hand, else one that is made up."""
    return PUBLISHED.read_text(encoding="utf-8") if PUBLISHED.is_file() else made_up()


def made_up() -> str:
    """A file of the published form, with the published counts."""
    passes = [c for c, tasks in HISTOGRAM.items() for _ in range(tasks)]
    calls = [asks("c1", "find", '{"id": 7}'), tells("c1", '{"found": true}')]
    rows = [
        tau_row(task, trial, float(trial < c), traj=[*calls, says(f"done with {task}")])
        for trial in range(4)
        for task, c in enumerate(passes)
    ]
    return json.dumps(rows)


def tau_row(task: int, trial: int, reward: float | None, **more: object) -> Json:
    """A row of τ-bench: a task, a trial and a reward, and what else is given."""
    asked = {"user_id": "u", "instruction": f"Do {task}.", "actions": [{"name": "act"}], "outputs": []}
    evaluation: Json = {"reward": reward, "info": {"r_actions": reward}, "actions": []}
    info = {"task": asked, "source": "user", "user_cost": 0.1, "reward_info": evaluation}
    return {"task_id": task, "reward": reward, "info": info, "traj": [says("done")], "trial": trial} | more


def tau2_row(task: str, trial: int, reward: float | None, **more: object) -> Json:
    """A simulation of τ²-bench: a task, a trial and a reward, and what else is given."""
    evaluation: Json | None = (
        None if reward is None else {"reward": reward, "reward_breakdown": {"DB": reward, "COMMUNICATE": 1.0}}
    )
    row = {"id": "s", "task_id": task, "trial": trial, "seed": 7 + trial, "termination_reason": "user_stop"}
    row |= {"start_time": "2026-11-18T19:28:02.498631", "duration": 1.5, "agent_cost": 0.25, "user_cost": 0.1}
    return row | {"reward_info": evaluation, "messages": [says("done")], "info": None} | more


def tau2_file(*simulations: Json, **more: object) -> Json:
    """A file of τ²-bench with these simulations."""
    tasks = [{"id": name} for name in dict.fromkeys(row["task_id"] for row in simulations)]
    return {"timestamp": "t", "info": {"num_trials": 1}, "tasks": tasks, "simulations": list(simulations)} | more


def says(text: str | None, role: str = "assistant") -> Json:
    """A message without calls."""
    return {"role": role, "content": text}


def asks(call: str, tool: str, arguments: object) -> Json:
    """The agent's message that calls a tool, as OpenAI writes it and τ-bench keeps it."""
    function = {"name": tool, "arguments": arguments}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": call, "type": "function", "function": function}],
    }


def tells(call: str, content: str) -> Json:
    """A tool's reply in τ-bench."""
    return {"role": "tool", "tool_call_id": call, "name": "tool", "content": content}


def asks2(call: str, tool: str, arguments: Json, requestor: str = "assistant") -> Json:
    """A message of τ²-bench that calls a tool; users have tools, too."""
    calls = [{"id": call, "name": tool, "arguments": arguments, "requestor": requestor}]
    used = {"prompt_tokens": 50, "completion_tokens": 10}
    return {"role": requestor, "content": None, "tool_calls": calls, "usage": used}


def tells2(call: str, content: str, requestor: str = "assistant", *, error: bool = False) -> Json:
    """A tool's reply in τ²-bench."""
    return {"role": "tool", "id": call, "content": content, "requestor": requestor, "error": error}
