"""Text that was cut, that is no JSON any longer, or that is a page where data was expected."""

from __future__ import annotations

import json
from http import HTTPStatus

from passhat.model.base import Json
from passhat.shapes.written import held


def cut_at_word(text: str, keep: int) -> str:
    """The first *keep* characters of *text* at most, ending with a whole word where there is one."""
    if len(text) <= keep:
        return text
    kept = text[:keep]
    if not text[keep].isspace():
        words = kept.rstrip().rsplit(maxsplit=1)
        end = len(kept) - len(words[-1]) if len(words) > 1 and not kept[-1].isspace() else len(kept)
        kept = kept[:end]
    return kept.rstrip()


def malformed(value: Json, how: str, *, share: float = 0.6) -> str:
    """*value* as JSON, or the JSON in it, made such that it cannot be read, and what stays of it is as it was.

    Either it is "cut" after a *share* of it, or it has a bad "escape", or a "trailing" bracket. Where a cut or an
    escape would leave sound JSON (a number has no quotes), it is the bracket.
    """
    written = str(value) if held(value) is not None else json.dumps(value, ensure_ascii=False)
    if how == "cut" and written[0] in '{["':
        return written[: max(1, min(len(written) - 1, round(share * len(written))))]
    quote = written.find('"')
    if how == "escape" and quote >= 0:
        return f"{written[: quote + 1]}\\x{written[quote + 1 :]}"
    return f"{written}}}"


def error_page(status: int) -> str:
    """The page that a gateway in front of a service shows."""
    title = f"{status} {HTTPStatus(status).phrase}"
    return (
        f"<!DOCTYPE html>\n<html>\n<head><title>{title}</title></head>\n"
        f"<body>\n<h1>{title}</h1>\n<p>The server could not complete your request.</p>\n</body>\n</html>\n"
    )
