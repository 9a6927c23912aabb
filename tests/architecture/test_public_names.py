"""The public names, pinned: adding one is a decision, losing one is a break."""

import passhat

MOST = 20

PUBLIC = [
    "Answer",
    "Condition",
    "Suite",
    "Task",
    "agents",
    "errors",
    "faults",
    "graders",
    "judge",
    "measure",
    "metrics",
    "open_store",
    "perturbations",
    "render",
    "reports",
    "rules",
    "run",
    "run_async",
    "stats",
    "testing",
]


def test_public_names_are_pinned() -> None:
    """`passhat` offers exactly these names."""
    assert sorted(passhat.__all__) == sorted(PUBLIC)


def test_public_names_are_few() -> None:
    """A newcomer can read the public names at one glance, each once."""
    assert len(passhat.__all__) <= MOST
    assert len(set(passhat.__all__)) == len(passhat.__all__)


def test_public_names_resolve() -> None:
    """Every public name is there, and `dir` shows it."""
    assert [name for name in passhat.__all__ if getattr(passhat, name, None) is None] == []
    assert set(passhat.__all__) <= set(dir(passhat))
