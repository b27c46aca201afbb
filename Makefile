# Two commands for a newcomer: `make demo` and `make test`. They need Python 3.11+ and make; the rest they install.
PYTHON ?= python3
BIN := .venv/bin
# Into a file, uv would write a line or two for each package.
QUIET := $(shell test -t 2 || echo --quiet)
# Bytecode is kept even where Python is told to write none beside its sources: without it each of the 200 processes of
# the tests compiles all that it imports.
export PYTHONDONTWRITEBYTECODE :=
export PYTHONPYCACHEPREFIX ?= $(CURDIR)/.venv/pycache

.PHONY: demo serve test storm check browser clients lint types walls schema lock clean

demo: .venv/server
	$(BIN)/graphmem demo

serve: .venv/server
	$(BIN)/graphmem serve

# Two workers, each with a Neo4j of its own.
test: .venv/dev
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

# Eight processes write 1,000 turns each to one thread of a Neo4j of their own; many minutes.
storm: .venv/dev
	$(BIN)/python -m tests.conversation.storm 8 1000

check: lint types walls clients browser

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/dev
	$(BIN)/mypy

walls: .venv/dev
	$(BIN)/lint-imports
	$(BIN)/python -m tests.house

browser: .venv/dev
	$(BIN)/python tests/browser/run.py

clients: .venv/dev
	$(BIN)/python tests/docs/typescript.py

schema: .venv/server
	$(BIN)/graphmem schema > schema.graphql

# The locks name every package with its hashes; `make lock` renews them from pyproject.toml.
lock: .venv/bin/uv
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-annotate --no-header --extra server -o requirements.lock pyproject.toml
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-annotate --no-header --extra dev -o requirements-dev.lock pyproject.toml

.venv/bin/uv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "graphmem needs Python 3.11 or newer; set PYTHON=…"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check 'uv>=0.9'

.venv/server: requirements.lock pyproject.toml | .venv/bin/uv
	@echo "Installing packages (about 6 GB with PyTorch; a minute or two the first time) …"
	VIRTUAL_ENV=.venv $(BIN)/uv pip install $(QUIET) --require-hashes -r requirements.lock
	VIRTUAL_ENV=.venv $(BIN)/uv pip install --quiet --no-deps -e .
	@touch $@

.venv/dev: requirements-dev.lock pyproject.toml | .venv/bin/uv
	@echo "Installing packages (about 6 GB with PyTorch; a minute or two the first time) …"
	VIRTUAL_ENV=.venv $(BIN)/uv pip install $(QUIET) --require-hashes -r requirements-dev.lock
	VIRTUAL_ENV=.venv $(BIN)/uv pip install --quiet --no-deps -e .
	@touch $@

clean:
	rm -rf .venv
