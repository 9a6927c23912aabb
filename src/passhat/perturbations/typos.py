"""Typing errors: what a hurried person's fingers do to a request."""

from __future__ import annotations

from dataclasses import dataclass

from passhat.model.dice import Dice
from passhat.perturbations.base import Perturbation
from passhat.shapes.spans import free_words, protected

_SHORTEST = 4
_NEIGHBOURS = {
    "a": "qwsz", "b": "vghn", "c": "xdfv", "d": "serfcx", "e": "wsdr", "f": "drtgvc", "g": "ftyhbv", "h": "gyujnb",
    "i": "ujko", "j": "huikmn", "k": "jiolm", "l": "kop", "m": "njk", "n": "bhjm", "o": "iklp", "p": "ol",
    "q": "wa", "r": "edft", "s": "awedxz", "t": "rfgy", "u": "yhji", "v": "cfgb", "w": "qase", "x": "zsdc",
    "y": "tghu", "z": "asx",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Typos(Perturbation):
    """Mistype a share of the words: a neighbouring key, two letters swapped, one doubled or dropped.

    One error a word, in words of four letters or more, never at the first letter and never in a protected span
    (numbers, ids, names, quoted text, negations).
    """

    def perturb(self, text: str, dice: Dice) -> str | None:
        """*text* with typing errors, or None where no word may be touched."""
        words = list(free_words(text, shortest=_SHORTEST))
        if not words:
            return None
        count = max(1, round(self.intensity * len(words)))
        chosen = sorted((words[i] + (i,) for i in dice.ranked(len(words), "word")[:count]), reverse=True)
        changed = text
        for start, end, i in chosen:
            changed = changed[:start] + _mistyped(text[start:end], dice.at(i)) + changed[end:]
        return changed if changed != text and protected(changed) == protected(text) else None


def _mistyped(word: str, dice: Dice) -> str:
    """*word* with one error, which always changes it."""
    at = 1 + dice.integer(len(word) - 2, "at")
    kind = dice.choice(("neighbour", "swap", "double", "drop"), "kind")
    if kind == "swap" and word[at] != word[at + 1]:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if kind == "double":
        return word[: at + 1] + word[at:]
    if kind == "drop":
        return word[:at] + word[at + 1 :]
    key = dice.choice(_NEIGHBOURS[word[at].lower()], "key")
    return word[:at] + (key.upper() if word[at].isupper() else key) + word[at + 1 :]
