"""What the command line said, and what may be asked of it."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Said:
    """The end of one command."""

    code: int
    out: str
    err: str

    @property
    def problems(self) -> list[str]:
        """The complaints, one a line. Nothing else may stand on either stream."""
        assert self.out == ""
        lines = self.err.splitlines()
        assert [line for line in lines if not line.startswith("passhat: ")] == []
        return [line.removeprefix("passhat: ") for line in lines]

    def refused(self, *parts: str) -> bool:
        """True where there is exactly one complaint for each of *parts*, in any order, and it holds the part."""
        assert self.code == 2, self
        left = self.problems
        for part in parts:
            found = [line for line in left if part in line]
            assert found, f"no complaint says {part!r}: {left}"
            left.remove(found[0])
        assert left == []
        return True


Passhat = Callable[..., Said]
