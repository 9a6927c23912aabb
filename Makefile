# Everything a checkout needs. `make demo` and `make test` set up .venv by themselves, with python3, pip and make.
#
# .venv is always made without pip, and the machine's own pip installs into it from outside: the one way that also
# works where ensurepip is missing (Debian without python3-venv). A machine without pip has ensurepip, or is told so.

PYTHON ?= python3
VENV   := .venv
PY     := $(VENV)/bin/python
PYTEST_ARGS ?=

# Two stamps, so that the demo waits for the runtime dependencies alone.
RUNTIME := $(VENV)/.runtime
DEV     := $(VENV)/.dev
# A .venv that was moved with its checkout, or has lost its interpreter, is made again.
PLACE   := $(VENV)/.place
ifneq ($(shell test -x $(PY) && cat $(PLACE) 2>/dev/null),$(CURDIR))
.PHONY: $(PY) $(RUNTIME) $(DEV)
endif

# Byte code makes every later start quick, whatever the caller's shell says about it.
unexport PYTHONDONTWRITEBYTECODE
# The checkout's own packages, not those of a surrounding environment.
unexport PYTHONPATH
unexport PYTHONHOME
# The machine's own Python, not that of .venv, which the README has its reader put first: it has no pip.
export PATH := $(subst $(CURDIR)/$(VENV)/bin:,,$(PATH))

OUTSIDE_PIP := $(PYTHON) -m pip --python $(PY)
INSTALL := install --quiet --disable-pip-version-check --no-input --compile
# The pip inside .venv where there is one (it is newer), else the machine's.
define install
	@echo "Setting up $(VENV) (once; about a minute)"
	@if $(PY) -m pip --version >/dev/null 2>&1; then $(PY) -m pip $(INSTALL) -e '$(1)'; \
	 else $(OUTSIDE_PIP) $(INSTALL) -e '$(1)'; fi
endef

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
# Two installs at once would spoil one .venv.
.NOTPARALLEL:
.PHONY: help demo test lint format bench calibration classification wheel clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "make %-14s %s\n", $$1, $$2}' Makefile

demo: $(RUNTIME) ## the main job on one screen: an agent, its tasks, clean and under faults, a verdict
	@$(VENV)/bin/passhat demo

test: lint ## every check there is: lint, types, import contracts, tests
	$(PY) -m pytest $(PYTEST_ARGS)

lint: $(DEV) ## ruff, mypy and the import contracts
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(VENV)/bin/lint-imports --no-logo

format: $(DEV) ## rewrite the code in the house style
	$(PY) -m ruff check --fix-only .
	$(PY) -m ruff format .

bench: $(RUNTIME) ## measure: one JSON line a measurement, each with its floor
	@$(PY) -m benchmarks

calibration: $(RUNTIME) ## measure how often every interval holds the truth, and write docs/calibration.md
	@$(PY) -m calibration

classification: $(RUNTIME) ## run known agents under every fault, and write docs/classification.md
	@$(PY) -m calibration.known

wheel: $(DEV) ## build dist/passhat-*.whl
	$(PY) -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .

clean: ## remove .venv, caches and built files
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(RUNTIME): pyproject.toml | $(PY)
	$(call install,.)
	@touch $@

$(DEV): pyproject.toml | $(PY)
	$(call install,.[dev])
	@touch $(RUNTIME) $@

$(PY):
	@command -v $(PYTHON) >/dev/null || { \
	  echo "passhat needs Python 3.11 or newer and there is no $(PYTHON): name one, as in 'make PYTHON=python3.12 demo'." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "passhat needs Python 3.11 or newer and $(PYTHON) is older: name another, as in 'make PYTHON=python3.12 demo'." >&2; exit 1; }
	@$(PYTHON) -m venv --clear --without-pip $(VENV)
	@$(OUTSIDE_PIP) --version >/dev/null 2>&1 || $(PY) -m ensurepip >/dev/null 2>&1 || { rm -rf $(VENV); \
	  echo "passhat's set-up needs pip and $(PYTHON) has none: install it (Debian: apt install python3-pip)." >&2; exit 1; }
	@echo '$(CURDIR)' > $(PLACE)
