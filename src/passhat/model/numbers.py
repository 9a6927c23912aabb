"""Numbers as people type them: `.05`, `0.05`, `5%` and `5 %` are one number, wherever one is typed.

Reading alone: which numbers are allowed is known where they are used. Nothing is loaded for it, since every command
reads its options with it.
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
