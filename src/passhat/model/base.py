"""What every noun is built from: a frozen msgspec struct, and the JSON values that it may hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, dataclass_transform

import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None
else:
    Json = Any  # msgspec reads annotations when it decodes, and knows no recursive alias


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Noun(msgspec.Struct, frozen=True, omit_defaults=True):
    """A frozen value with a JSON form; fields at their default are left out of it."""
