"""Numbers as people type and read them: `.05`, `0.05`, `5%` and `5 %` are one number, and a trial is not "1 trials".

Reading and saying alone: which numbers are allowed is known where they are used. Nothing is loaded for it, since every
command reads its options with it.
"""

from __future__ import annotations


def typed_number(text: str) -> float | None:
    """The number that *text* is; None where it is none.

    >>> typed_number(".05"), typed_number("5%"), typed_number("12.3 %"), typed_number("five")
    (0.05, 0.05, 0.123, None)
    """
    bare = text.strip()
    share = bare.removesuffix("%").rstrip()
    try:
        number = float(share)
        if share == bare:
            return number
        # The exponent makes 12.3% the float 0.123, which a division by 100 misses by its last digit.
        return number / 100 if not share[-1].isdigit() or "e" in share.lower() else float(f"{share}e-2")
    except ValueError:
        return None


def counted(count: int, noun: str, *, some: str = "") -> str:
    """*count* of what *noun* names, or of *some* where more than one has a word of its own.

    >>> counted(1, "trial"), counted(1200, "trial"), counted(2, "trial that counts", some="trials that count")
    ('1 trial', '1,200 trials', '2 trials that count')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {some or f'{noun}s'}"
