"""What a real service said is told from what an agent did, and from what a fault made up."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from passhat.engine.outage import outage
from passhat.errors import OutOfReach, ToolError


class ApiError(Exception):
    """An error as clients of model services raise it."""

    def __init__(self, status: int, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(f"Error code: {status}")
        self.status_code = status
        self.response = type("Response", (), {"headers": dict(headers or {})})()


class ResponseError(Exception):
    """An error as clients of HTTP raise it: the status is the response's."""

    def __init__(self, status: int) -> None:
        super().__init__("for url")
        self.response = type("Response", (), {"status_code": status, "headers": {}})()


def caught(error: BaseException, cause: BaseException | None = None) -> BaseException:
    """*error*, raised from *cause*."""
    try:
        raise error from cause
    except type(error) as raised:
        return raised


@pytest.mark.parametrize(("status", "busy"), [(429, True), (503, True), (529, True), (502, False), (504, False)])
@pytest.mark.parametrize("kind", [ApiError, ResponseError])
def test_service_that_is_busy_or_gone_is_an_outage(kind: type[ApiError], status: int, busy: bool) -> None:  # noqa: FBT001 - pytest's parameter
    """It is recognised by its status, however the client holds it."""
    found = outage(caught(kind(status)))

    assert found is not None
    assert found.busy is busy
    assert str(status) in str(found)


@pytest.mark.parametrize("status", [400, 401, 404, 500])
def test_other_statuses_are_the_agents(status: int) -> None:
    """A request that was wrong is nobody else's fault."""
    assert outage(caught(ApiError(status))) is None


def test_retry_after_is_read() -> None:
    """Where the client kept the headers."""
    found = outage(caught(ApiError(429, {"retry-after": "7"})))

    assert found is not None
    assert found.retry_after == 7


@pytest.mark.parametrize("error", [ValueError("no"), KeyError("order"), TimeoutError()])
def test_what_is_no_service_is_the_agents(error: Exception) -> None:
    """An exception without a status is a crash."""
    assert outage(caught(error)) is None


def test_error_that_goes_back_to_a_fault_is_the_agents() -> None:
    """An agent may wrap a 429 of ours into its client's own error; it is still between it and its tools."""
    ours = ToolError("rate_limit", "429 Too Many Requests", retry_after=1)

    assert outage(caught(ours)) is None
    assert outage(caught(ApiError(429), ours)) is None


def test_cause_is_looked_for() -> None:
    """A framework wraps what its client raises."""
    assert outage(caught(RuntimeError("the step failed"), ApiError(503))) is not None


def test_what_an_adapter_says_is_taken_as_it_is() -> None:
    """It knows best."""
    said = OutOfReach("the line is dead")

    assert outage(caught(RuntimeError(), said)) is said
