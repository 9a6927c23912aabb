"""How every test runs: Hypothesis without chance or deadlines, no skips where they are forbidden, no secrets of ours.

What the shell's variables say must change no result. A secret would be masked wherever a test reads it; the others are
what passhat asks a terminal for.

No fixtures here: fakes come from `passhat.testing`, and what one folder shares stands in that folder.
"""

import os
from collections.abc import Generator

import pytest
from hypothesis import settings

from passhat.model.redact import named_like_a_secret

settings.register_profile("ci", derandomize=True, deadline=None, print_blob=True)
# For hunting by hand: pytest --hypothesis-profile=explore
settings.register_profile("explore", max_examples=2_000, deadline=None, print_blob=True)
settings.load_profile("ci")

_OF_THE_TERMINAL = {"NO_COLOR", "FORCE_COLOR", "TERM", "CI", "COLUMNS", "LINES", "PASSHAT_TRACEBACK"}

for _name in [name for name in os.environ if named_like_a_secret(name) or name in _OF_THE_TERMINAL]:
    del os.environ[_name]

NO_SKIPS = os.environ.get("PASSHAT_NO_SKIPS") == "1"


def _refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Turn a skip into a failure; an expected failure (`wasxfail`) is no skip."""
    if NO_SKIPS and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, and PASSHAT_NO_SKIPS=1 forbids it: {report.longrepr}"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Refuse a test that skips."""
    report = yield
    _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Refuse a module that skips."""
    report = yield
    _refuse_skip(report)
    return report
