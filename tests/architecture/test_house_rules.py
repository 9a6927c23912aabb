"""The house rules that a linter does not know: sizes, opening prose, and where anything may be caught."""

import ast
from collections.abc import Iterator

from tests.architecture.tree import Function, Module, functions, modules, modules_of_tests, parse

MOST_LINES = 350
MOST_LINES_OF_A_FUNCTION = 50
MOST_PARAMETERS = 8

# The fences: the only files that may catch whatever comes, each with what stands behind it.
FENCES: dict[str, str] = {
    "passhat/agents/_framework.py": "a user's model may do anything when it is written as JSON",
    "passhat/agents/_langgraph_tools.py": "a tool that the world alone has: what it raises is the model's to see",
    "passhat/agents/_openai_agents.py": "a tool's error: shown as the framework shows it, or raised again",
    "passhat/agents/_pydantic_ai.py": "a tool that the world alone has: what it raises is the model's to see",
    "passhat/agents/http.py": "a tool's error: a model is told of it, as an agent in process would see it",
    "passhat/cli/__init__.py": "the last fence: a bug of ours ends with its own exit code",
    "passhat/cli/load.py": "a user's file may raise anything while it is imported",
    "passhat/engine/attempt.py": "a user's agent, world and grader: what they raise is data of a trial",
    "passhat/engine/check.py": "a user's grader, asked before anything runs: what it raises is a problem of the suite",
    "passhat/engine/declared.py": "a user's grader, asked at which tools it looks: what it raises is a problem too",
    "passhat/engine/deciding.py": "a fault that raises breaks its contract: the trial is void",
    "passhat/engine/desk.py": "handed to the worker that waits for the grader",
    "passhat/engine/driving.py": "a user's tool: what it raises is handed to the exchange, which lets it pass",
    "passhat/engine/check_faults.py": "a user's fault may do anything when it is asked what it is",
    "passhat/engine/exclusion.py": "a user's fault, asked what it does to a call: where it raises, nothing is said",
    "passhat/engine/guard.py": "a user's tool: what it raises is written down and passed on",
    "passhat/engine/making.py": "a perturbation that raises breaks its contract: the trial is void",
    "passhat/engine/probe.py": "a user's world: what it raises is met again, and told, by the trials",
    "passhat/engine/record.py": "a store may fail in any way: the run ends, and says so",
    "passhat/engine/streaming.py": "a user's stream: what it raises is written down and passed on",
    "passhat/engine/talking.py": "a task's user: what it raises says nothing about the agent",
    "passhat/engine/thread.py": "handed to the thread that waits for the run",
    "passhat/engine/threads.py": "handed to the worker that waits for the agent",
    "passhat/engine/unfinished.py": "a user's answer may do anything when it is looked at",
    "passhat/engine/worlds.py": "a user's tear-down: what it raises is noted in the trial",
    "passhat/graders/equals.py": "an agent's answer may raise when it is compared: then it is not equal",
    "passhat/installed.py": "an installed package may raise anything while it is imported",
    "passhat/model/plain.py": "a user's value may do anything when it is looked at",
    "passhat/stores/sqlite.py": "whatever happens inside a transaction takes it back",
    "passhat/surfaces/tool_server.py": "a tool's error: the agent is told of it, as one in process would see it",
}


def code_lines(function: Function) -> int:
    """The length of *function* without its docstring: a formula's source and example are not code."""
    lines = (function.end_lineno or function.lineno) - function.lineno + 1
    if ast.get_docstring(function) is None:
        return lines
    docstring = function.body[0]
    return lines - ((docstring.end_lineno or docstring.lineno) - docstring.lineno + 1)


def parameters(function: Function) -> int:
    """How many parameters a caller of *function* has to know."""
    arguments = function.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return sum(argument.arg not in {"self", "cls"} for argument in named)


def oversized(module: Module) -> Iterator[str]:
    """What in *module* is too long to be read at once."""
    length = len(module.text.splitlines())
    if length > MOST_LINES:
        yield f"{module.path}: {length} lines"
    for function in functions(module):
        where = f"{module.path}:{function.lineno}: {function.name}"
        if code_lines(function) > MOST_LINES_OF_A_FUNCTION:
            yield f"{where} has {code_lines(function)} lines"
        if parameters(function) > MOST_PARAMETERS:
            yield f"{where} has {parameters(function)} parameters"


def _is_broad(kind: ast.expr | None) -> bool:
    match kind:
        case None | ast.Name("Exception" | "BaseException" | "ANYTHING"):
            return True
        case ast.Tuple(kinds):
            return any(_is_broad(each) for each in kinds)
        case _:
            return False


def catch_alls(module: Module) -> Iterator[str]:
    """Where *module* catches whatever comes."""
    for node in ast.walk(module.tree):
        match node:
            case ast.ExceptHandler(kind) if _is_broad(kind):
                yield f"{module.path}:{node.lineno}"
            case ast.Call(ast.Name("suppress") | ast.Attribute(attr="suppress"), kinds) if any(map(_is_broad, kinds)):
                yield f"{module.path}:{node.lineno}"


def endless_waits(module: Module) -> Iterator[str]:
    """Where *module* starts a child process that it would wait for without end."""
    calls = [node for node in ast.walk(module.tree) if isinstance(node, ast.Call)]
    limited = {id(call.args[0]) for call in calls if _called(call) == "limited" and call.args}
    for call in calls:
        timed = any(keyword.arg == "timeout" for keyword in call.keywords)
        name = _called(call)
        if (name == "subprocess.run" and not timed) or (name == "subprocess.Popen" and id(call) not in limited):
            yield f"{module.path}:{call.lineno}"


def _called(call: ast.Call) -> str:
    return ast.unparse(call.func)


def test_files_and_functions_can_be_read_at_once() -> None:
    """No file, function or parameter list is longer than a reader can hold."""
    assert [line for module in modules() for line in oversized(module)] == []


def test_every_file_opens_with_prose() -> None:
    """Every source file says at its top what may live in it."""
    assert [module.path for module in modules() if not ast.get_docstring(module.tree)] == []


def test_only_fences_catch_everything() -> None:
    """A bug of ours propagates: `except Exception` stands only at the named fences."""
    outside = [line for module in modules() if module.path not in FENCES for line in catch_alls(module)]

    assert outside == []


def test_every_fence_is_one() -> None:
    """A fence on the list still catches everything, and says why."""
    catching = {module.path for module in modules() if any(catch_alls(module))}

    assert set(FENCES) <= catching
    assert all(FENCES.values())


def test_no_test_waits_without_end() -> None:
    """A child that hangs fails its test: `subprocess.run` has a timeout, and a `Popen` stands in `limited`."""
    assert [line for module in modules_of_tests() for line in endless_waits(module)] == []


def test_checker_sees_size() -> None:
    """The check catches a long file, a long function and a long list of parameters."""
    long_body = "def f():\n" + "    x = 1\n" * MOST_LINES_OF_A_FUNCTION
    many = ", ".join(f"p{i}" for i in range(MOST_PARAMETERS))

    assert list(oversized(parse("x = 1\n" * (MOST_LINES + 1))))
    assert list(oversized(parse(long_body)))
    assert list(oversized(parse(f"def f({many}, *, more): pass")))
    assert list(oversized(parse(f"def f(self, {many}): pass"))) == []


def test_docstring_is_no_code() -> None:
    """A function's docstring does not count towards its length."""
    docstring = "'''One.\n" + "\n" * MOST_LINES_OF_A_FUNCTION + "'''"

    assert list(oversized(parse(f"def f():\n    {docstring}\n    return 1"))) == []


def test_checker_sees_catch_alls() -> None:
    """The check catches every way to catch everything, and no narrow one."""
    broad = [
        "except:",
        "except Exception:",
        "except BaseException as e:",
        "except (ValueError, Exception):",
        "except ANYTHING:",
    ]
    sources = [f"try: pass\n{line} pass" for line in broad]
    sources += ["with contextlib.suppress(Exception): pass", "with suppress(Exception): pass"]

    assert all(list(catch_alls(parse(source))) for source in sources)
    assert list(catch_alls(parse("try: pass\nexcept (OSError, ValueError): pass"))) == []


def test_checker_sees_endless_waits() -> None:
    """The check catches a child without a limit, and none that has one."""
    endless = ["subprocess.run(a, check=True)", "subprocess.Popen(a)", "f(subprocess.Popen(a))"]

    assert all(list(endless_waits(parse(source))) for source in endless)
    assert list(endless_waits(parse("subprocess.run(a, timeout=9); limited(subprocess.Popen(a))"))) == []
