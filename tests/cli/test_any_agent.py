"""Agents that are no Python: a command in any language, and a service, named on the command line."""

import json
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.cli.said import Passhat

AS_TEXT = """
import json, os, sys
task = json.load(sys.stdin)
print("seed", os.environ["PASSHAT_SEED"], file=sys.stderr)
print(task["input"][-1])
"""


class Service(BaseHTTPRequestHandler):
    """Answers every task with its last letter."""

    def do_POST(self) -> None:
        """Answer one task."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = json.dumps({"output": asked["input"][-1]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
        """Say nothing of each request."""


@pytest.fixture
def url() -> Iterator[str]:
    """A service that runs."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Service) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/agent"
        server.shutdown()
        thread.join()


@pytest.fixture
def line(folder: Path) -> str:
    """A command that answers with the last letter."""
    (folder / "last.py").write_text(AS_TEXT)
    return f"{sys.executable} last.py"


def test_command_is_an_agent(line: str, passhat: Passhat) -> None:
    """`--command` names an agent in any language."""
    said = passhat("run", "suite.py", "--command", line, "-n", "2", "-q", "--require", "pass^2 >= 0.2")

    assert (said.code, said.out) == (0, "PASS\n")


def test_url_is_an_agent(url: str, passhat: Passhat) -> None:
    """`--agent` with a URL names a service."""
    said = passhat("run", "suite.py", "--agent", url, "-n", "2", "-q")

    assert said.code == 0
    assert said.out.startswith("4 of 4 trials passed")


def test_url_may_be_written_in_capitals(url: str, passhat: Passhat) -> None:
    """A scheme is the same in capitals."""
    said = passhat("run", "suite.py", "--agent", url.replace("http", "HTTP"), "-n", "1", "-q")

    assert said.out.startswith("2 of 2 trials passed")


@pytest.mark.parametrize("kind", ["command", "url"])
def test_label_and_version_are_those_that_were_said(kind: str, line: str, url: str, passhat: Passhat) -> None:
    """`--label` and `--agent-version` name a command and a service as they name a function."""
    named = ("--command", line) if kind == "command" else ("--agent", url)

    assert passhat("run", "suite.py", *named, "-n", "1", "-q", "--label", "clerk", "--agent-version", "7").code == 0

    (run,) = json.loads(passhat("runs", "--json").out)
    assert run["agent"] == "clerk"
    assert passhat("run", "suite.py", *named, "-n", "1", "--resume", "latest", "--label", "clerk").code == 2


def test_trial_of_a_command_is_replayed(line: str, passhat: Passhat) -> None:
    """`replay` takes a command, and holds what it did against the stored trial."""
    assert passhat("run", "suite.py", "--command", line, "-n", "1", "-q").code == 0

    said = passhat("replay", "latest", "b", "0", "suite.py", "--command", line, "-q")

    assert (said.code, said.out) == (0, "1/1\n")


def test_canary_takes_a_service(url: str, passhat: Passhat) -> None:
    """`demo canary` takes the URL of a service; one that only repeats letters fails."""
    assert passhat("demo", "canary", "--agent", url, "-n", "1", "-q").code in {1, 3}


def test_two_agents_are_one_too_many(passhat: Passhat) -> None:
    """A command and another agent are not both the agent."""
    said = passhat("run", "suite.py", "--agent", "suite.py:agent", "--command", "true")

    assert said.refused("--agent and --command name one each")


def test_command_that_is_not_there(passhat: Passhat) -> None:
    """A command that is not installed is one clear sentence before the first trial."""
    assert passhat("run", "suite.py", "--command", "no-such-program x").refused("there is no command 'no-such-program'")


def test_empty_command_is_none(passhat: Passhat) -> None:
    """An empty line names no command."""
    assert passhat("run", "suite.py", "--command", "").refused("a command is a text or a list of words")


def test_service_that_is_not_running(passhat: Passhat) -> None:
    """A service that nobody has started is one clear sentence before the first trial."""
    said = passhat("run", "suite.py", "--agent", "http://127.0.0.1:9/agent")

    assert said.refused("is it running?")


def test_smallest_set_names_the_command(folder: Path, passhat: Passhat) -> None:
    """The line that `minimize` gives to make its set again names the command as it was typed."""
    (folder / "pays.py").write_text(PAYS)
    (folder / "pay_suite.py").write_text(PAY_SUITE)
    line = f"{sys.executable} pays.py"
    fault = "server_error(dose=once_at(1), match=pay)"
    assert passhat("run", "pay_suite.py", "--command", line, "-n", "1", "-q", "--under", fault).code == 0

    said = passhat(
        "minimize", "latest", "pay", "0", "pay_suite.py", "--command", line, "--confidence", "0.5", "--fresh", "--json"
    )

    assert said.code == 0, said
    assert f"--command '{line}'" in json.loads(said.out)["again"]


PAYS = """
import json, os, sys, urllib.request
json.load(sys.stdin)
request = urllib.request.Request(
    os.environ["PASSHAT_TOOLS_URL"] + "/call",
    json.dumps({"tool": "pay", "arguments": {}}).encode(),
    {"Authorization": "Bearer " + os.environ["PASSHAT_TOOLS_TOKEN"]},
)
with urllib.request.urlopen(request) as reply:
    print(json.load(reply).get("reply", "sorry"))
"""
PAY_SUITE = """
from passhat import Suite, Task, graders


class Till:
    def __init__(self):
        self.tools = [self.pay]

    def pay(self):
        return "paid"


suite = Suite(name="till", tasks=[Task("pay", "Pay.", expect="paid")], world=Till, grader=graders.contains())
"""
