"""One trajectory, as the sequence of its tool calls: entropy, the meltdown onset point, loops.

Tools and calls are anything hashable, such as a tool's name or (tool, arguments as text). Steps count from 0.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Sequence
from math import ceil, fsum, isnan, log2

from passhat.errors import UsageError
from passhat.stats.arrays import count_alike, read_items, read_list
from passhat.stats.scalars import read_level, read_number, read_whole


def tool_entropy(tools: Sequence[Hashable]) -> float:
    """How evenly the calls are spread over tools, in bits: 0 for one tool, log2(m) for m alike.

    Formula: H = -Σ p·log2 p over the shares p of the tools.
    Valid when: there is a call or more.
    Source: Shannon 1948; of a window of tool calls, Khanal et al. 2026, definition 6.

    >>> round(tool_entropy("aaabc"), 6)
    1.370951
    """
    made = read_items("tools", tools)
    if not made:
        raise UsageError("tools holds a call or more, not none")
    return _entropy(made)


def window_entropies(tools: Sequence[Hashable], *, window: int = 5) -> list[float]:
    """The entropy of each full window: the first belongs to step window-1, the last to the last step.

    Formula: `tool_entropy` of the *window* most recent calls.
    Valid when: always; fewer calls than *window* give an empty list. The paper's text sums over [t-w, t], which is
    w+1 calls, and divides by w: six like calls then have an entropy of -.316.
    Source: Khanal et al. 2026, definition 6, with w calls in a window of w.

    >>> [round(bits, 4) for bits in window_entropies("aaaaabc")]
    [0.0, 0.7219, 1.371]
    """
    size, made = read_whole("window", window), read_items("tools", tools)
    return [_entropy(made[end - size : end]) for end in range(size, len(made) + 1)]


def mop_step(tools: Sequence[Hashable], *, window: int = 5, threshold: float = 1.711, delta: float = 0.0) -> int | None:
    """The meltdown onset point: the first step at which tool use has become erratic; None where it never does.

    Formula: the first full window with H(t) > threshold and H(t) - H(t-window) > delta; what stands before the first
    full window counts as 0.
    Valid when: the threshold was calibrated on this suite (`calibrated_threshold`). With five calls 1.711 bits
    means "four tools or more", which an agent with many tools does in good health; a delta of 0 asks for nothing
    more, since the first window beyond the threshold is above the one before. A loop has little entropy and never
    fires: see `loop_step`.
    Source: Khanal et al. 2026, definition 6, with its threshold, delta and window. A blog post on agent reliability
    gives the name to a number of repeats (`reliability_horizon_k`).

    >>> mop_step("aaaaabcdef"), mop_step("ababababab")
    (7, None)
    """
    line, rise = read_number("threshold", threshold), read_number("delta", delta)
    if isnan(line) or isnan(rise):
        raise UsageError("threshold and delta are numbers of bits, not NaN")
    size = read_whole("window", window)
    bits = window_entropies(tools, window=size)
    for place, now in enumerate(bits):
        before = bits[place - size] if place >= size else 0.0
        if now > line and now - before > rise:
            return place + size - 1
    return None


def calibrated_threshold(passing: Iterable[Sequence[Hashable]], *, window: int = 5, quantile: float = 0.99) -> float:
    """A threshold for `mop_step` that at most 1-quantile of the passing trajectories go beyond.

    Formula: the smallest of their largest window entropies that a share of *quantile* does not exceed.
    Valid when: the trajectories passed and are like those to be judged; below 1/(1-quantile) of them it is
    just the largest. Trajectories without a full window are left out, for they can't fire.
    Source: calibration on passing episodes as in Khanal et al. 2026; by trajectory and not by window, so that the
    share of false alarms is one of trajectories.

    >>> round(calibrated_threshold(["aabbc", "aaaab", "ab"]), 6)
    1.521928
    """
    share = read_level("quantile", quantile)
    found = (window_entropies(tools, window=window) for tools in read_list("passing", passing))
    most = sorted(max(bits) for bits in found if bits)
    if not most:
        raise UsageError(f"passing holds a trajectory of {window} calls or more, not none")
    return most[ceil(share * len(most) - 1e-9) - 1]


def loop_step(calls: Sequence[Hashable], *, repeats: int = 3, longest: int = 2) -> int | None:
    """The first step at which the agent goes in circles: one block of calls, *repeats* times back to back.

    Formula: the first t at which, for a period m ≤ longest, the last m·repeats calls repeat every m calls.
    Valid when: a call holds its arguments as well as its tool; asking again with other arguments is no loop.
    Polling a job that is under way looks like one.
    Source: ours; period 1 is the same call again and again, period 2 is ping-pong between two.

    >>> loop_step("xaaab"), loop_step("xababab"), loop_step("abcabcabc")
    (3, 6, None)
    """
    times, most = read_whole("repeats", repeats, least=2), read_whole("longest", longest)
    made = read_items("calls", calls)
    most = min(most, len(made))
    alike = [0] * (most + 1)  # for each period, how many calls in a row were those of one period before
    for step, call in enumerate(made):
        for period in range(1, min(most, step) + 1):
            alike[period] = alike[period] + 1 if call == made[step - period] else 0
            if alike[period] == period * (times - 1):
                return step
    return None


def repeat_step(calls: Sequence[Hashable], *, repeats: int = 3, within: int = 6) -> int | None:
    """The first step that makes one call for the *repeats*-th time within the last *within* calls; None if none does.

    Formula: the first t with |{j in (t-within, t] : call j = call t}| ≥ repeats.
    Valid when: as for `loop_step`; the repeats need not follow each other.
    Source: the loop guard of Khanal et al. 2026 (three alike within six steps). It stopped their episodes before
    entropy could rise, so that their meltdown onset points are those of what was left.

    >>> repeat_step("abaca"), repeat_step("abcabca"), repeat_step("abcabca", within=7)
    (4, None, 6)
    """
    times = read_whole("repeats", repeats, least=2)
    size = read_whole("within", within, least=times)
    made = read_items("calls", calls)
    recent: deque[Hashable] = deque(maxlen=min(size, len(made)))
    for step, call in enumerate(made):
        recent.append(call)
        if recent.count(call) >= times:
            return step
    return None


def _entropy(made: Sequence[Hashable]) -> float:
    """The entropy of calls that were checked."""
    shares = [times / len(made) for times in count_alike(made).values()]
    # fsum: the same tools in another order give the same number, to the last bit. max: one tool gives 0, not -0.
    return max(0.0, -fsum(share * log2(share) for share in shares))
