"""Importing the statistics, and what is built on them, is cheap."""

import subprocess
import sys
from pkgutil import iter_modules

import pytest

from passhat import stats
from tests.children import LIMIT


@pytest.mark.parametrize("package", ["passhat.stats", "passhat.metrics", "passhat.rules"])
def test_import_loads_no_array_library(package: str) -> None:
    """Importing loads neither numpy nor scipy: the first call does."""
    code = f"import sys, {package}; print(sorted({{'numpy', 'scipy'}} & set(sys.modules)))"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LIMIT, check=True)

    assert done.stdout.strip() == "[]"


def test_first_call_loads_no_distributions() -> None:
    """`scipy.stats` takes a second to load, and nothing here needs it."""
    code = "import sys, passhat.stats as s; s.clopper_pearson(8, 10); print('scipy.stats' in sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LIMIT, check=True)

    assert done.stdout.strip() == "False"


def test_no_name_is_hidden_by_a_file() -> None:
    """A function named like a file of the folder would turn into that file as soon as it is loaded."""
    files = {module.name for module in iter_modules(stats.__path__)}

    assert files & set(stats.__all__) == set()


def test_every_name_is_there() -> None:
    """Each name that the statistics offer is found, and no other."""
    assert [name for name in stats.__all__ if not callable(getattr(stats, name))] == []
    assert dir(stats) == sorted(stats.__all__)
    with pytest.raises(AttributeError, match="no attribute 'mean'"):
        _ = stats.mean
