"""Parts of an installed package are found by their names, as the built-in ones are."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from passhat import api
from passhat.errors import UsageError
from passhat.faults import FAULTS, Fault
from passhat.installed import Parts
from passhat.perturbations import PERTURBATIONS, Perturbation
from tests.installed.package import ENTRY_POINTS, SUITE, install, passhat, python

FAULT_GROUP = "passhat.faults"


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """Where the package with parts of every kind is installed."""
    folder = tmp_path / "packages"
    install(folder)
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A user's folder, with a suite and an agent."""
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "suite.py").write_text(SUITE, encoding="utf-8")
    return folder


def conditions(home: Path) -> tuple[str, ...]:
    """The conditions of the latest run in a folder's own store."""
    return api.open_store(home / "passhat.db").open().header.conditions


def test_command_line_finds_them(packages: Path, home: Path) -> None:
    """A run under an installed fault and wording, held against an installed rule, is reported in an installed form."""
    under = ("--under", "my_fault(hours=3)", "--under", "my_wording(1.0) & my_fault()")
    options = ("--agent", "suite.py:agent", "-n", "4", "--require", "my_passes >= 4")

    ran = passhat(home, "run", "suite.py:suite", *options, *under, packages=packages)
    told = passhat(home, "report", "--format", "my_report", packages=packages)

    assert (ran.returncode, ran.stderr.count("Traceback")) == (0, 0), ran.stderr
    assert conditions(home) == (
        "clean",
        "my_fault(hours=3, dose=once_at(1))",
        "my_fault(dose=once_at(1)) & my_wording(1.0)",
    )
    assert "my rule saw 4 passes" in ran.stdout
    assert (told.returncode, told.stdout) == (0, "my report: 4 passes; it leaves out the trials\n"), told.stderr


def test_stored_run_outlives_the_package(packages: Path, home: Path) -> None:
    """Where the package is gone again, its run is reported all the same: the store holds the fault's text."""
    options = ("--agent", "suite.py:agent", "-n", "2", "--under", "my_fault(hours=3)", "-q")
    passhat(home, "run", "suite.py:suite", *options, packages=packages)

    told = passhat(home, "report")

    assert told.returncode == 0, told.stderr
    assert "my_fault" in told.stdout
    assert conditions(home) == ("clean", "my_fault(hours=3, dose=once_at(1))")


@pytest.mark.parametrize("typed", ["my_log", "my-log"])
def test_importer_is_found_by_its_format(typed: str, packages: Path, home: Path) -> None:
    """`import` reads a log by the importer of an installed package, with its own options, and the run says so."""
    (home / "my.log").write_text('{"task": "refund", "passed": true}\n', encoding="utf-8")

    told = passhat(home, "import", typed, "my.log", "--level-of-trust", "3", packages=packages)

    header = api.open_store(home / "passhat.db").open().header
    assert told.returncode == 0, told.stderr
    assert (header.source, header.suite) == ("my_log", "trusted 3")


def test_rule_is_asked_of_a_stored_run(packages: Path, home: Path) -> None:
    """`report` holds a stored run against an installed rule, and fails where it is broken."""
    passhat(home, "run", "suite.py:suite", "--agent", "suite.py:agent", "-n", "2", "-q", packages=packages)

    told = passhat(home, "report", "--require", "my_passes >= 3", "-q", packages=packages)

    assert told.returncode == 1, told.stderr
    assert "my rule saw 2 passes" in told.stdout


def test_store_is_found_by_its_scheme(packages: Path, home: Path) -> None:
    """`NAME://PLACE` is the installed store of that name, for the run and for the report."""
    where = ("--store", "my_store://mine.db")

    ran = passhat(home, "run", "suite.py:suite", "--agent", "suite.py:agent", "-n", "2", *where, packages=packages)
    told = passhat(home, "report", "--format", "my_report", "--store", "my-store://mine.db", packages=packages)

    assert (home / "mine.db").is_file()
    assert not (home / "passhat.db").exists()
    assert ran.returncode in (0, 3), ran.stderr
    assert told.stdout.startswith("my report: 2 passes"), told.stderr


def test_help_names_installed_reports(packages: Path, home: Path) -> None:
    """`report --help` lists the installed reports among the formats."""
    told = passhat(home, "report", "--help", packages=packages)

    assert "terminal|markdown|json|my_report" in "".join(told.stdout.split())


def test_metric_is_measured_by_default(packages: Path, home: Path) -> None:
    """What is measured without a word holds the estimates of installed metrics, and they are found by name."""
    passhat(home, "run", "suite.py:suite", "--agent", "suite.py:agent", "-n", "2", "-q", packages=packages)
    code = """
from passhat import api
summary = api.measure(api.open_store("passhat.db").open())
metric, k = api.parse_metric("my_metric")
print(summary.suite_row("clean").get("my_metric").value, metric.name, k)
"""

    told = python(home, "-c", code, packages=packages)

    assert told.stdout == "2.0 my_metric 1\n", told.stderr


def test_contract_tests_see_them(packages: Path) -> None:
    """The tests of each kind's contract run over the installed parts too."""
    root = Path(__file__).resolve().parents[2]
    words = ("-m", "pytest", "-v", "-p", "no:cacheprovider", "tests/contracts", "-k", "my_")

    told = python(root, *words, packages=packages)

    assert told.returncode == 0, told.stdout
    for name in (name for named in ENTRY_POINTS.values() for name in named):
        assert f"[{name}" in told.stdout, name


def broken(tmp_path: Path, points: Mapping[str, Mapping[str, str]], source: str) -> Path:
    """Where a package of this source is installed."""
    install(tmp_path / "packages", points, name="sad-parts", source=source)
    return tmp_path / "packages"


@pytest.mark.parametrize(
    ("point", "source", "sentence"),
    [
        (
            "sad_parts:Sad",
            "x = 1\nraise RuntimeError('no\\nluck')",
            "cannot be loaded: RuntimeError: no luck (sad_parts.py:2)",
        ),
        ("sad_parts:Sad", "raise SystemExit(3)", "cannot be loaded: SystemExit: 3 (sad_parts.py:1)"),
        ("sad_parts:Sad", "import no_such_module", "cannot be loaded: ModuleNotFoundError: No module named"),
        ("sad_parts:Sad", "Sad = 1 +", "cannot be loaded: SyntaxError"),
        ("sad_parts:Sad", "x = 1", "cannot be loaded: AttributeError"),
        ("no_such_parts:Sad", "x = 1", "cannot be loaded: ModuleNotFoundError"),
        ("sad_parts:Sad", "Sad = 3", "is not a subclass of passhat.faults.base.Fault"),
        ("sad_parts:Sad", "class Sad: pass", "is not a subclass of passhat.faults.base.Fault"),
        (
            "sad_parts:Glad",
            "from passhat.faults import Fault\nclass Glad(Fault): pass",
            "is called 'glad' by its class: both need one name",
        ),
    ],
)
def test_broken_part_is_one_sentence(
    point: str, source: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An entry point that leads to no part is one sentence that names group, entry point and package."""
    monkeypatch.syspath_prepend(broken(tmp_path, {FAULT_GROUP: {"sad": point}}, source))
    monkeypatch.delitem(sys.modules, "sad_parts", raising=False)

    with pytest.raises(UsageError) as caught:
        Parts("faults", FAULTS, Fault)["sad"]

    (line,) = caught.value.problems
    assert line.startswith(f"passhat.faults: 'sad' of the package sad-parts 1.2 ({point}) {sentence}")
    assert "\n" not in line


@pytest.mark.parametrize(
    ("group", "words"),
    [
        ("passhat.faults", ("run", "suite.py:suite", "--agent", "suite.py:agent", "--under", "sad()")),
        ("passhat.rules", ("report", "--require", "sad >= 1")),
        ("passhat.reports", ("report", "--format", "sad")),
        ("passhat.stores", ("report", "--store", "sad://x")),
        ("passhat.metrics", ("report",)),
        ("passhat.importers", ("import", "sad", "suite.py")),
    ],
)
def test_broken_part_of_any_kind_ends_a_command_in_one_sentence(
    group: str, words: tuple[str, ...], tmp_path: Path, home: Path
) -> None:
    """The command line says the sentence and nothing else, with exit code 2, whatever kind of part it is."""
    folder = broken(tmp_path, {group: {"sad": "sad_parts:Sad"}}, "raise RuntimeError('no luck')")
    api.import_run("jsonl", '{"task": "refund", "passed": true}', store=home / "passhat.db")

    told = passhat(home, *words, packages=folder)

    assert told.returncode == 2
    (line,) = told.stderr.splitlines()
    assert f"{group}: 'sad' of the package sad-parts 1.2 (sad_parts:Sad) cannot be loaded: RuntimeError" in line


def test_broken_part_that_nobody_asked_for_is_in_nobodys_way(tmp_path: Path, home: Path) -> None:
    """A package is loaded where one of its parts is used, and not before."""
    groups = ("passhat.faults", "passhat.perturbations", "passhat.rules", "passhat.reports", "passhat.stores")
    points = {group: {f"sad_{number}": "sad_parts:Sad"} for number, group in enumerate(groups)}
    folder = broken(tmp_path, points, "raise RuntimeError('no luck')")
    options = ("--under", "rate_limit(rate=0.5)", "--require", "pass^1 >= 0.1", "-n", "2")

    ran = passhat(home, "run", "suite.py:suite", "--agent", "suite.py:agent", *options, packages=folder)

    assert ran.returncode in (0, 1, 3)
    assert "sad" not in ran.stderr


def on_path(folder: Path, monkeypatch: pytest.MonkeyPatch, **points: str) -> None:
    """Install a package with these faults where this process finds it."""
    install(folder, {FAULT_GROUP: points}, source="")
    monkeypatch.syspath_prepend(folder)


def test_name_of_a_built_in_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed part with the name of a built-in one is an error that names both."""
    on_path(tmp_path, monkeypatch, rate_limit="my_parts:RateLimit")

    with pytest.raises(UsageError) as caught:
        Parts("faults", FAULTS, Fault)

    (line,) = caught.value.problems
    assert "'rate_limit' of the package my-parts 1.2 (my_parts:RateLimit) has the name of the built-in" in line
    assert "passhat.faults.rate_limit.RateLimit" in line


def test_fault_with_the_name_of_a_perturbation_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Faults and perturbations are named by the same words, so neither may take a name of the other."""
    on_path(tmp_path, monkeypatch, typos="my_parts:Typos")

    with pytest.raises(UsageError, match=r"'typos' of .* the built-in passhat\.perturbations\.typos\.Typos"):
        Parts("faults", FAULTS, Fault, beside=PERTURBATIONS)


def test_name_that_two_packages_give_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two installed parts of one name are an error that names both, of one kind and of two."""
    on_path(tmp_path / "one", monkeypatch, slow="my_parts:Slow")
    points = {FAULT_GROUP: {"slow": "other:Slow"}, "passhat.perturbations": {"slow": "other:Slow"}}
    install(tmp_path / "two", points, name="other-parts")

    known = Parts("faults", FAULTS, Fault)
    monkeypatch.syspath_prepend(tmp_path / "two")

    with pytest.raises(UsageError, match=r"other-parts 1\.2 .* 'slow' of the package my-parts 1\.2"):
        Parts("perturbations", PERTURBATIONS, Perturbation, beside=known)
    with pytest.raises(UsageError, match=r"other-parts 1\.2 .* 'slow' of the package my-parts 1\.2"):
        Parts("faults", FAULTS, Fault)


def test_listing_names_loads_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names come from the packages' metadata: no code of theirs runs to list, count or ask for one."""
    on_path(tmp_path, monkeypatch, slow="no_such_module:Slow")

    known = Parts("faults", FAULTS, Fault)

    assert list(known) == [*FAULTS, "slow"]
    assert len(known) == len(FAULTS) + 1
    assert "slow" in known
    assert "fast" not in known


def test_built_in_store_has_a_scheme_too(tmp_path: Path) -> None:
    """`sqlite://PATH` is the file at that path, and a plain path stays one."""
    api.open_store(f"sqlite://{tmp_path / 'a.db'}", create=True).close()
    api.open_store(str(tmp_path / "b.db"), create=True).close()

    assert {path.name for path in tmp_path.glob("*.db")} == {"a.db", "b.db"}


@pytest.mark.parametrize("told", [True, False], ids=["told of writing", "not told"])
def test_store_is_told_what_it_takes(told: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: FBT001
    """A store that has a parameter `write` is told of it, and one that has none is opened all the same."""
    sign = ", write=False" if told else ""
    passed = ", write=write" if told else ", write=True"
    source = (
        "from passhat.stores import SqliteStore\n"
        "class Shelf(SqliteStore):\n"
        f"    def __init__(self, place, *, create=True{sign}):\n"
        f"        super().__init__(place, create=create{passed})\n"
    )
    name = f"shelf_{told}".lower()
    install(tmp_path, {"passhat.stores": {"shelf": f"{name}:Shelf"}}, name=name, source=source)
    monkeypatch.syspath_prepend(tmp_path)
    place = tmp_path / "a.db"
    api.open_store(f"shelf://{place}", create=True).close()

    opened = api.open_store(f"shelf://{place}", write=True)

    with pytest.raises(UsageError, match="there is no run 'none'"):
        opened.delete("none")
    opened.close()


def test_unknown_scheme_is_refused(tmp_path: Path) -> None:
    """A scheme that no store has is one sentence, with the names there are."""
    with pytest.raises(UsageError, match="there is no kind of store called 'sqlit': did you mean sqlite"):
        api.open_store(f"sqlit://{tmp_path / 'a.db'}")
