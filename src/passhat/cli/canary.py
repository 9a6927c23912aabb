"""`passhat demo canary`: three scenarios, one for each way in which failures spread, for every night."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import click

from passhat.cli import options, output
from passhat.cli.problems import Problems

WEAK = "trusting"


@click.command()
@click.option(
    "--agent",
    metavar="A",
    help="The agent: file.py:name, module:name, a service's http:// URL, or trusting or careful [default: trusting].",
)
@click.option(
    "-n", "--trials", type=options.NUMBER, default=10, show_default=True, metavar="N", help="How often each task runs."
)
@click.option(
    "--seed", type=options.NUMBER, default=7, show_default=True, metavar="S", help="The root of all randomness."
)
@click.option(
    "--concurrency", type=options.NUMBER, default=8, show_default=True, metavar="C", help="How many trials at a time."
)
@click.option(
    "--timeout", type=options.NUMBER, default=60.0, show_default=True, metavar="SECONDS", help="Time for one trial."
)
@options.store
@options.output("the verdicts")
def command(**given: Any) -> int:  # noqa: ANN401 - click gives the options by name
    """Run an agent in three small worlds, clean and under faults that spread in silence: a canary for every night.

    With --agent it exits by the worst verdict of the three, as 'run' does. Without, it shows a bundled agent that
    trusts every reply, and exits 0.
    """
    from passhat.cli import ending
    from passhat.model.verdict import Status
    from passhat.reports import overall

    agent, settings = _settings(given)
    with output.reserved():
        scenarios = _flown(agent, settings, quiet=given["quiet"] or given["as_json"])
    status = overall(scenarios)
    if given["as_json"]:
        output.line(_json(scenarios, status))
    elif given["quiet"]:
        output.write(_in_short(scenarios, status))
    else:
        _show(scenarios, given)
    return ending.CODES[Status.PASS if given["agent"] is None else status]


def _settings(given: Mapping[str, Any]) -> tuple[Any, Any]:
    """The agent and the options of every run; all that is wrong with either is said at once."""
    from passhat import api
    from passhat.cli.configured import anybody
    from passhat.demo import clerks
    from passhat.demo.canaries import CANARIES

    bundled = {"trusting": clerks.trusting, "careful": clerks.careful}
    name = WEAK if given["agent"] is None else given["agent"]
    settings: dict[str, Any] = {key: given[key] for key in ("trials", "seed", "concurrency", "timeout", "store")}
    problems = Problems()
    if name in bundled:  # their waits are known, and nobody has to sit through them
        agent: Any = bundled[name]
        settings |= {"label": f"{name} clerk", "time": "virtual"}
    else:
        agent = problems.noted(lambda: _own(name), anybody)
        settings["capture"] = True
    for canary in CANARIES.values():
        planned = partial(api.plan, canary.suite, agent, under=canary.under, rules=canary.rules, **settings)
        problems.noted(planned, None)
    problems.refuse()
    return agent, settings


def _own(name: str) -> Any:  # noqa: ANN401 - a user's object
    from passhat.cli.agents import agent_of

    return agent_of({"agent": name})


def _flown(agent: Any, settings: Mapping[str, Any], *, quiet: bool) -> Sequence[Any]:  # noqa: ANN401 - any callable
    """Each canary, run and judged."""
    from passhat import api
    from passhat.cli import ending, progress
    from passhat.demo.canaries import CANARIES
    from passhat.reports import Scenario

    found = []
    for canary in CANARIES.values():
        with progress.shown(quiet=quiet) as show:
            run = api.run(canary.suite, agent, under=canary.under, rules=canary.rules, progress=show, **settings)
        summary, verdict = ending.judged(run, canary.rules, {})
        assert verdict is not None  # noqa: S101 - there are rules
        found.append(Scenario(canary.pathway, canary.story, canary.good, summary, verdict))
    return found


def _show(scenarios: Sequence[Any], given: Mapping[str, Any]) -> None:
    """The screen, and what to do next."""
    from passhat.cli import demo, ending
    from passhat.reports import canaries_text

    output.write(canaries_text(scenarios, width=ending.width(), colour=ending.colour()))
    where = demo.where(given["store"])
    failed = [one for one in scenarios if sum(one.summary.tally.passed) < one.summary.header.planned]
    shown = (failed or scenarios)[0].summary
    hints = (
        [f"see why one failed: passhat show {shown.header.id} {demo.worst_of(shown.tally)}{where}"] if failed else []
    )
    if given["agent"] is None:
        hints.append("one that passes: passhat demo canary --agent careful")
        hints.append("your own: passhat demo canary --agent agent.py:agent")
    else:
        hints.append(f"every number: passhat report {shown.header.id}{where}")
    demo.show_hints(tuple(hints))


def _in_short(scenarios: Sequence[Any], status: str) -> str:
    """The verdict of all, that of each, and what speaks against it."""
    lines = [str(status).upper()]
    for one in scenarios:
        lines.append(f"  {one.pathway}: {one.verdict.status.value.upper()}")
        lines += [f"    {finding.reason}" for finding in one.verdict.findings if finding.ok is not True]
    return "".join(f"{line}\n" for line in lines)


def _json(scenarios: Sequence[Any], status: str) -> str:
    """All of it as one object; each report is what `passhat report --json` writes."""
    import json

    from passhat import api

    said = {
        "verdict": status,
        "canaries": [
            {
                "pathway": one.pathway,
                "run": one.summary.header.id,
                "verdict": one.verdict.status,
                "report": json.loads(api.render(one.summary, one.verdict, format="json")),
            }
            for one in scenarios
        ],
    }
    return json.dumps(said)
