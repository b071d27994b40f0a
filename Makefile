# Every target sets up .venv by itself, from the lock files. PYTHON=python3.12 chooses another Python.

PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python -m

# Stamps: an empty venv; with what crawling needs; with what testing needs too.
EMPTY := $(VENV)/.empty
RUNTIME := $(VENV)/.runtime
DEV := $(VENV)/.dev

export PIP_DISABLE_PIP_VERSION_CHECK := 1
unexport PYTHONDONTWRITEBYTECODE  # hundreds of processes of the tests would each compile everything again

.DELETE_ON_ERROR:
.PHONY: help demo quick test check bench dist lock clean

help:
	@echo "make demo    a small hidden web, and what is hidden in it"
	@echo "make quick   style, types, imports, and the tests that need no crawl, browser or server"
	@echo "make test    all tests"
	@echo "make check   style, types, imports, documentation"
	@echo "make bench   every benchmark in its quick form, and one table of the figures"
	@echo "make dist    source distribution and wheel, checked, in dist"
	@echo "make lock    new lock files from pyproject.toml"
	@echo "make clean   remove what the other targets made"

demo: $(RUNTIME)
	@$(RUN) scrapy demo

quick: $(DEV)
	$(RUN) ruff check
	$(RUN) ruff format --check
	$(RUN) mypy
	$(VENV)/bin/lint-imports --no-logo
	$(RUN) pytest -q --quick -n 2 --dist loadfile --no-loadscope-reorder

test: $(DEV)
	@scripts/install-browser
	@scripts/install-applications "$(PYTHON)" $(VENV)/applications
	@scripts/install-scrapyd "$(PYTHON)" $(VENV)/scrapyd
	$(RUN) pytest -n 3 --dist loadfile --no-loadscope-reorder

check: $(DEV)
	$(RUN) ruff check
	$(RUN) ruff format --check
	$(RUN) mypy
	$(VENV)/bin/lint-imports --no-logo
	$(RUN) pytest -q tests/test_docs.py

bench: $(DEV)
	@$(RUN) benchmarks all --quick

dist:
	@scripts/build-distributions "$(PYTHON)"

lock:
	@scripts/lock "$(PYTHON)"

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(EMPTY):
	@scripts/create-venv "$(PYTHON)" $(VENV)
	@touch $@

$(RUNTIME): requirements.lock pyproject.toml | $(EMPTY)
	@echo "Installing the packages of requirements.lock into $(VENV) ..."
	@$(RUN) pip install -qq -r requirements.lock
	@touch $@

# All that is in requirements.lock is in requirements-dev.lock too, at the same versions.
$(DEV): requirements-dev.lock requirements.lock pyproject.toml | $(EMPTY)
	@echo "Installing the packages of requirements-dev.lock into $(VENV) ..."
	@$(RUN) pip install -qq -r requirements-dev.lock
	@touch $(RUNTIME) $@
