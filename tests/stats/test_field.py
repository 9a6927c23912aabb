"""Published pass rates: each can be planned from, and says where it was read."""

from passhat.stats import field_rates, runs_to_detect


def test_every_rate_can_be_planned_from() -> None:
    """Each is a baseline, and has a text and a source with a year."""
    for name, one in field_rates().items():
        assert runs_to_detect(one.rate, 0.05).runs > 100
        assert name == name.lower()
        assert "/" in name
        assert one.what
        assert "20" in one.source


def test_published_rows_are_as_published() -> None:
    """The rates of tau-bench's tables, pass^1."""
    rows = {name: one.rate for name, one in field_rates().items() if name.startswith("tau-bench")}

    assert rows == {
        "tau-bench-retail/claude-3.5-sonnet": 0.692,
        "tau-bench-retail/gpt-4o": 0.604,
        "tau-bench-airline/claude-3.5-sonnet": 0.460,
        "tau-bench-airline/gpt-4o": 0.420,
    }
