"""TraceLens' figures: of all windows of k trials in a row, how many passed whole, and how many in part.

They depend on the order of the trials: eight passes of ten give anything from 0 to .667 for k = 5. What they can show
is that trials which follow each other are alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from passhat.metrics._estimates import NO_INTERVAL, each_k, of_suite, of_task, short, short_task
from passhat.metrics.base import Arm, Metric, Needs, Reading, numbers
from passhat.model.summary import Estimate, Row
from passhat.stats import pass_at_k_window, pass_hat_k_window

_SHARES: dict[str, Callable[[Sequence[bool], int], float]] = {
    "window_pass^": pass_hat_k_window,
    "window_pass@": pass_at_k_window,
}
_METHOD = f"share of the windows of k trials in a row; {NO_INTERVAL}"


@dataclass(frozen=True, slots=True)
class Window(Metric):
    """`window_pass^K` and `window_pass@K`: the share of sliding windows of K trials that passed whole, or in part."""

    needs: ClassVar[Needs] = Needs.OUTCOMES
    usual: ClassVar[bool] = False

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"{symbol}K" for symbol in _SHARES)

    def k_of(self, name: str) -> int | None:
        found = numbers(self.names, name)
        return found[0] if found else None

    def measure(self, reading: Reading) -> Iterator[Row]:
        ordered = {arm.position: reading.outcomes(arm) for arm in reading.arms}
        for symbol, share in _SHARES.items():

            def suite(arm: Arm, k: int, symbol: str = symbol, share: _Share = share) -> Estimate:
                name = f"{symbol}{k}"
                if reason := short(arm, name, k):
                    return of_suite(arm, reading, name, None, k=k, reason=reason)
                shares = [share(outcomes, k) for outcomes in ordered[arm.position]]
                return of_suite(
                    arm, reading, name, sum(shares) / len(shares), k=k, method=f"mean over tasks of the {_METHOD}"
                )

            def task(arm: Arm, i: int, k: int, symbol: str = symbol, share: _Share = share) -> Estimate:
                name = f"{symbol}{k}"
                if reason := short_task(arm, i, name, k):
                    return of_task(arm, i, reading, name, None, k=k, reason=reason)
                return of_task(arm, i, reading, name, share(ordered[arm.position][i], k), k=k, method=_METHOD)

            yield from each_k(reading, suite, task)


_Share = Callable[[Sequence[bool], int], float]
