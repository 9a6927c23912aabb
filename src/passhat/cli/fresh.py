"""Trials of `passhat minimize --fresh`: each is `passhat replay --only …` in a process of its own."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from passhat.cli import agents, output
from passhat.engine.fresh import Ended, Processes
from passhat.engine.replay import time_limit
from passhat.errors import UsageError
from passhat.model import codec
from passhat.model.outcome import Outcome
from passhat.model.run import Run
from passhat.model.trial import Trial

_PARTS = 6  # set-up, agent, end state (twice), tear-down and grade have a trial's time each
_START = 60.0


def words(run: Run, stored: Trial, given: Mapping[str, Any], numbers: Sequence[int]) -> list[str]:
    """The words after `passhat` that make *stored* again where what has these *numbers* is alone at work."""
    return [
        "replay",
        run.header.id,
        stored.task_id,
        str(stored.index),
        given["suite"],
        *agents.words(given),
        *("--under", stored.condition),
        *("--only", ",".join(map(str, numbers)) or "none"),
        *(() if given["timeout"] is None else ("--timeout", str(given["timeout"]))),
        *(() if given["store"] == given["usual_store"] else ("--store", given["store"])),
    ]


class Fresh:
    """Makes trials of *stored* in processes of their own."""

    def __init__(self, run: Run, stored: Trial, given: Mapping[str, Any]) -> None:
        """Trials as the command line, *given*, wants them."""
        self._run = run
        self._stored = stored
        self._given = given
        self._processes = Processes()

    def __call__(self, numbers: Sequence[int], times: int) -> Sequence[Trial]:
        """So many trials where what has these *numbers* is alone at work; a process that dies makes a void one."""
        line = [sys.executable, "-P", "-m", "passhat", *words(self._run, self._stored, self._given, numbers), "--json"]
        limit = _START + _PARTS * float(self._given["timeout"] or time_limit(self._run.header))
        return [self._trial(ended) for ended in self._processes.outputs(line, times, limit=limit)]

    def _trial(self, ended: Ended) -> Trial:
        import json

        try:
            return codec.decode(json.dumps(json.loads(ended.out)["trial"]), Trial)
        except (ValueError, TypeError, KeyError, UsageError):
            return self._void(ended)

    def _void(self, ended: Ended) -> Trial:
        """The trial that could not be made, and why."""
        said = ended.err.strip().splitlines()[-1:]
        last = f": {output.one_line(said[0])}" if said else ""
        how = "took too long" if ended.code is None else _how(ended.code)
        stored = self._stored
        return Trial(
            task_id=stored.task_id,
            task_digest=stored.task_digest,
            condition=stored.condition,
            index=stored.index,
            seed=stored.seed,
            outcome=Outcome.VOID,
            detail=f"the trial's process {how}{last}",
        )


def _how(code: int) -> str:
    """How a process ended."""
    from signal import Signals

    names = {number.value: number.name for number in Signals}
    return f"was killed by {names.get(-code, -code)}" if code < 0 else f"ended with exit code {code}"
