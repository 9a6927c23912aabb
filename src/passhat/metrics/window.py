"""TraceLens' figures: of all windows of k trials in a row, how many passed whole, and how many in part.

They depend on the order of the trials: eight passes of ten give anything from 0 to .667 for k = 5. What they can show
is that trials which follow each other are alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from passhat.metrics._estimates import NO_INTERVAL
from passhat.metrics._per_k import Found, PerK
from passhat.metrics.base import Arm, Needs, Reading
from passhat.stats import pass_at_k_window, pass_hat_k_window

_METHOD = f"the share of windows of k trials in a row; {NO_INTERVAL}"


@dataclass(frozen=True, slots=True)
class Window(PerK):
    """`window_pass^K` and `window_pass@K`: the share of sliding windows of K trials that passed whole, or in part."""

    needs: ClassVar[Needs] = Needs.OUTCOMES

    @property
    def names(self) -> tuple[str, ...]:
        return ("window_pass^K", "window_pass@K")

    def suite(self, arm: Arm, reading: Reading, name: str, k: int) -> Found:
        shares = [_share(name, outcomes, k) for outcomes in reading.outcomes(arm)]
        return {"value": sum(shares) / len(shares), "method": f"mean over tasks of {_METHOD}"}

    def task(self, arm: Arm, position: int, reading: Reading, name: str, k: int) -> Found:
        return {"value": _share(name, reading.outcomes_of(arm, position), k), "method": _METHOD}


def _share(name: str, outcomes: list[bool], k: int) -> float:
    return pass_hat_k_window(outcomes, k) if "^" in name else pass_at_k_window(outcomes, k)
