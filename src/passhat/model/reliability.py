"""What the outcomes of one task look like in their order, as mcptest's reliability page describes them.

The numbers are whole per cents there and here. They describe what was observed: none has an interval, and all but the
first three depend on the order in which the trials were run.
"""

from __future__ import annotations

from passhat.errors import UsageError
from passhat.model.base import Noun

_PREFIX = "reliability."


class ReliabilitySummary(Noun, kw_only=True):
    """One task's outcomes, summed up: `passhat.metrics.summarize` makes it.

    `pass_at_k` and `passhat_k` are 100 where any, and where every trial passed, else 0. `decay_curve` has an entry for
    each k from 1 to the number of trials.
    """

    runs: int
    pass_at_k: int
    passhat_k: int
    variance_amplification: int
    graceful_degradation: int
    decay_curve: tuple[int, ...] = ()

    def resolve_target(self, target: str) -> int:
        """The figure that a dotted name such as ``reliability.passhat_k`` stands for."""
        figures = self._figures()
        name = target.removeprefix(_PREFIX)
        if not target.startswith(_PREFIX) or name not in figures:
            raise UsageError(f"there is no target {target!r}: there are {', '.join(TARGETS)}")
        return figures[name]

    def metrics_object(self) -> dict[str, int | list[int]]:
        """The figures and the curve, ready for JSON."""
        return {**self._figures(), "decay_curve": list(self.decay_curve)}

    def _figures(self) -> dict[str, int]:
        return {name.removeprefix(_PREFIX): getattr(self, name.removeprefix(_PREFIX)) for name in TARGETS}


TARGETS = (
    "reliability.runs",
    "reliability.pass_at_k",
    "reliability.passhat_k",
    "reliability.variance_amplification",
    "reliability.graceful_degradation",
)
