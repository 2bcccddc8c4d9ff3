# `make check` is what continuous integration runs. Every target uses the tools of $(VENV), which `make install` makes.

VENV ?= .venv
PYTHON ?= python3
BIN := $(VENV)/bin
CODE := sdk/mtref_sdk referee/mtref bots tests proto

.PHONY: help install format check static lint types contracts proto test test-fast compiled bench clean

help:  ## show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## /\1\t/' | expand -t 12

install:  ## make the virtual environment with everything a developer needs
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -e ./sdk -e '.[dev]'

format:  ## format the code and mend what ruff can mend
	$(BIN)/ruff check --fix --quiet . ; $(BIN)/ruff format .

check: static test  ## everything: static checks, then all tests

static: lint types contracts proto  ## all checks that run no code of ours

lint:  ## format and lint
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types:  ## mypy --strict over everything
	$(BIN)/mypy $(CODE)

contracts:  ## who may import whom
	$(BIN)/lint-imports --no-logo

proto:  ## lint the proto file; compare the generated code with a fresh run of the generator
	$(BIN)/buf lint proto
	$(BIN)/python proto/generate.py --check

test:  ## all tests
	$(BIN)/pytest -n 1

test-fast:  ## all tests but the slow ones
	$(BIN)/pytest -n 2 -m "not slow"

compiled:  ## build the compiled core apart, in build/compiled, and measure it
	MTREF_COMPILE=1 $(BIN)/pip install --quiet --disable-pip-version-check --upgrade --no-deps --target build/compiled ./sdk .
	PYTHONPATH=build/compiled MTREF_REQUIRE_COMPILED=1 $(BIN)/python -m mtref.sim.bench
	PYTHONPATH=build/compiled MTREF_REQUIRE_COMPILED=1 $(BIN)/python -m mtref.bench table ladder

bench:  ## speed of the rules core, then of everything from end to end; absolute and against floors of the same run
	$(BIN)/python -m mtref.sim.bench
	$(BIN)/python -m mtref.bench

clean:  ## remove what builds and checks left behind
	rm -rf build dist sdk/build sdk/dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -not -path './.venv/*' -prune -exec rm -rf {} +
