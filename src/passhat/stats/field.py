"""Pass rates that others have published, to plan from where there is no history of one's own. Data, and nothing else.

A published rate is no baseline of yours: it is from other tasks, another harness and other dates. It says where to
start counting.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class FieldRate:
    """One published pass rate: the *rate*, *what* passed, and the *source* it was read in."""

    rate: float
    what: str
    source: str


_TAU = "tau-bench, README of its repository, pass^1 with tool calling (Yao et al. 2024, arXiv 2406.12045)"
_KHANAL = (
    "Khanal, Tao & Zhou 2026, arXiv 2603.29231, pass@1 of 10 open models by the time that a task takes a "
    "person (as quoted by two readers of the paper)"
)
_GUPTA = "Gupta 2026, ReliabilityBench, arXiv 2601.06112v1, two models (as quoted by readers of the paper)"

_RATES = MappingProxyType(
    {
        "tau-bench-retail/claude-3.5-sonnet": FieldRate(0.692, "retail service, 20241022", _TAU),
        "tau-bench-retail/gpt-4o": FieldRate(0.604, "retail service", _TAU),
        "tau-bench-airline/claude-3.5-sonnet": FieldRate(0.460, "airline service, 20241022", _TAU),
        "tau-bench-airline/gpt-4o": FieldRate(0.420, "airline service", _TAU),
        "khanal-2026/short": FieldRate(0.763, "tasks of up to 5 minutes", _KHANAL),
        "khanal-2026/medium": FieldRate(0.598, "tasks of 5 to 30 minutes", _KHANAL),
        "khanal-2026/long": FieldRate(0.505, "tasks of 30 to 120 minutes", _KHANAL),
        "khanal-2026/very-long": FieldRate(0.521, "tasks of 120 minutes and more", _KHANAL),
        "reliabilitybench/clean": FieldRate(0.9688, "requests as written", _GUPTA),
        "reliabilitybench/reworded": FieldRate(0.8812, "requests reworded (epsilon 0.2)", _GUPTA),
        "reliabilitybench/reworded-and-faults": FieldRate(0.84, "reworded (0.2) and faults (0.2)", _GUPTA),
        "reliabilitybench/rate-limits": FieldRate(0.9375, "rate limits alone (lambda 0.2)", _GUPTA),
    }
)


def field_rates() -> Mapping[str, FieldRate]:
    """The published pass rates, by their names.

    Formula: none; figures as they were printed.
    Valid when: there is no history of one's own to start from; other tasks and other harnesses have other rates.
    Source: each has its own, in `source`.

    >>> field_rates()["tau-bench-airline/gpt-4o"].rate
    0.42
    """
    return _RATES
