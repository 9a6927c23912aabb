"""What cannot meet what, and why: the table that the runs are held against in both directions.

A fault acts on certain things in a reply. Where an errand never has them, nothing can be struck there; everywhere else
every agent has to be struck at least once, or the runs have a hole.
"""

from __future__ import annotations

from collections.abc import Mapping

_NO_LIST = "no reply has a list that could be cut"
_ONE_READ = "nothing is read twice with a write between that would change it"
_NOTHING_MADE = "nothing is created, so there is no id that a list could lack"
_NO_PAGES = "no reply has pages"
_SHORT = "every text is shorter than what is kept"
_NO_FIELD = "no reply has an id, and no tool is called for a second thing"
_NO_NUMBER = "the only numbers are ids and counts, which it leaves alone"

_ERRANDS = ("settle", "settle_two", "settle_and_check", "total", "reorder", "dispatch", "quote")

_NEVER: Mapping[str, Mapping[str, str]] = {
    "lost_page": dict.fromkeys(("settle", "settle_two", "settle_and_check", "reorder", "dispatch", "quote"), _NO_PAGES),
    "partial_result": dict.fromkeys(("settle", "settle_two", "settle_and_check", "dispatch", "quote"), _NO_LIST),
    "stale_read": dict.fromkeys(("settle", "settle_two", "total", "dispatch", "quote"), _ONE_READ),
    "read_your_write_miss": dict.fromkeys(
        ("settle", "settle_two", "settle_and_check", "total", "dispatch", "quote"), _NOTHING_MADE
    ),
    "truncated_text": dict.fromkeys(("total", "reorder"), _SHORT),
    "corrupted_value": {"reorder": _NO_NUMBER},
    "stream_cut": dict.fromkeys(_ERRANDS, "no tool gives its reply item by item"),
    "truncated_context": dict.fromkeys(_ERRANDS, "no agent passes on messages, for none has a model"),
    "placebo": dict.fromkeys(_ERRANDS, "it does nothing"),
}
# The verifying retrier looks at the order before it sends it away, and so has what the others lack.
_UNLESS_LOOKED_AT: Mapping[str, str] = {"wrong_entity": _NO_FIELD}
LOOKS_FIRST = "verifying retrier"


def why_never(agent: str, fault: str, errand: str) -> str:
    """Why this fault cannot strike this agent on this errand; empty where it can."""
    if errand == "dispatch" and agent != LOOKS_FIRST:
        return _UNLESS_LOOKED_AT.get(fault, "") or _NEVER.get(fault, {}).get(errand, "")
    return _NEVER.get(fault, {}).get(errand, "")


def reasons() -> Mapping[str, Mapping[str, str]]:
    """For each fault that cannot strike everywhere: the errands that it cannot strike, and why not."""
    looked = {fault: {"dispatch": f"{why}; the {LOOKS_FIRST} reads more"} for fault, why in _UNLESS_LOOKED_AT.items()}
    return {**_NEVER, **looked}
