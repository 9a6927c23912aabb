"""`passhat replay`: one stored trial made again, under the identical faults, and held against what is stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import click

from passhat.cli import completing, options, output
from passhat.cli.problems import Problems
from passhat.errors import UsageError
from passhat.model.run import Run
from passhat.model.trial import Trial


@click.command()
@click.argument("run", shell_complete=completing.runs)
@click.argument("task", shell_complete=completing.tasks)
@click.argument("index", type=int)
@click.argument("suite", metavar="SUITE", shell_complete=completing.files)
@options.agent
@options.under
@click.option(
    "--only",
    default=None,
    metavar="NUMBERS",
    help="Which of its faults, as 'minimize' numbers them: 1,3, or none.  [default: all]",
)
@click.option("--times", type=options.NUMBER, default=1, show_default=True, metavar="N", help="How often it is made.")
@options.timeout(None, "Time for each [default: that of the run].")
@options.store
@options.output("how many came to the stored outcome")
def command(**given: Any) -> None:  # noqa: ANN401 - click gives the options by name
    """Run trial INDEX of TASK again, with the seed and the faults that it had in RUN.

    SUITE and the agent are named as for 'run'. Task and grader have to be those of the run; the agent may be another.
    INDEX counts from 0. Nothing is added to the run.
    """
    from passhat import api
    from passhat.cli.configured import loaded
    from passhat.cli.show import trial_of

    run = api.open_store(given["store"], create=False).open(given["run"])
    stored = trial_of(run, given["task"], given["index"], given["under"])
    problems = Problems()
    only = problems.noted(lambda: _numbers(given["only"]), None)
    suite, agent = loaded(given, problems)
    problems.refuse()
    how: api.Replaying = {"capture": True}
    if given["timeout"] is not None:
        how["timeout"] = given["timeout"]
    with output.reserved():
        replays = api.replays(
            run,
            suite,
            agent,
            stored.task_id,
            stored.index,
            stored.condition,
            times=given["times"],
            only=only,
            **how,
        )
    if given["as_json"]:
        output.line(_json(run, stored, replays))
    elif given["quiet"]:
        output.line(f"{_same(stored, replays)}/{len(replays)}")
    else:
        output.write(_text(run, stored, replays))


def _numbers(text: str | None) -> Sequence[int] | None:
    """The numbers in *text*, `1,3`; there are none in `none`."""
    if text is None or text == "none":
        return None if text is None else ()
    words = [word.strip() for word in text.split(",")]
    if not all(word.isascii() and word.isdecimal() for word in words):
        raise UsageError(f"--only: numbers such as 1,3, or 'none', not {text!r}")
    return [int(word) for word in words]


def _same(stored: Trial, replays: Sequence[Trial]) -> int:
    return sum(trial.outcome is stored.outcome for trial in replays)


def _json(run: Run, stored: Trial, replays: Sequence[Trial]) -> str:
    """What is said on the screen, as one object; `shown` is the replay in `trial`, counted from 0."""
    import json
    from dataclasses import asdict

    from passhat.model import codec
    from passhat.reports import part, telling

    shown = telling(stored, replays)
    said = {
        "run": run.header.id,
        "task": stored.task_id,
        "index": stored.index,
        "condition": stored.condition,
        "stored": stored.outcome,
        "outcomes": Counter(trial.outcome for trial in replays),
        "same": _same(stored, replays),
        "times": len(replays),
        "shown": shown,
        "parting": asdict(part(stored, replays[shown])),
        "trial": json.loads(codec.encode(replays[shown])),
    }
    return json.dumps(said)


def _text(run: Run, stored: Trial, replays: Sequence[Trial]) -> str:
    from passhat.cli.ending import colour, width
    from passhat.model.grammar import CLEAN
    from passhat.reports import Beside, replay_text

    beside = Beside(
        clean=run.trials.get(stored.task_id, CLEAN, stored.index) if CLEAN in run.header.conditions else None,
        virtual=run.header.provenance.get("time") == "virtual",
        declared=run.header.declared,
    )
    return replay_text(stored, replays, width=width(), colour=colour(), beside=beside)
