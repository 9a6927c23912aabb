"""A share held against a line on its one-sided bounds: what every rule of the kind "at least so much" finds.

The rules say which share and of how many; no rule lives here.
"""

from __future__ import annotations

from passhat.model.verdict import Finding
from passhat.rules.base import told_apart
from passhat.stats import detectable_drop, one_sided


def on_bounds(line: float, *, share: float, size: int, rule: str, metric: str, condition: str, trials: str) -> Finding:
    """The finding that *share* of *size* trials, or blocks of them, reaches *line*, stays below it, or can't be told.

    *metric* and *trials* are the words for what was seen and for how many trials it was seen in.
    """
    low, high = one_sided(share * size, float(size))
    low_text, high_text, asked = told_apart(low, high, line)
    seen = f"{metric} under {condition} is {share:.2f}"
    ok, shown, doubt = None, f"at least {low_text}, at most {high_text}", f": {trials} can't tell"
    if low >= line:
        ok, shown, doubt = True, f"at least {low_text}", ""
    elif high < line:
        ok, shown, doubt = False, f"at most {high_text}", ""
    return Finding(
        rule=rule,
        ok=ok,
        reason=f"{seen} [95 %: {shown}], {asked} was asked{doubt}",
        condition=condition,
        line=line,
        detectable_drop=detectable_drop(line, size, method="exact"),
    )
