# Every target sets up what it needs in .venv; Python 3.11 or newer, make and git are all it asks for.
PYTHON ?= python3
WORKERS ?= auto
PORT ?= 8152
VENV := .venv
BIN := $(VENV)/bin

.PHONY: help play run test soak kills lint bench format lock clean

help:
	@echo "make play   Discord on this machine: sandbox, bot and a page to play on"
	@echo "make run    the bot against real Discord, with the token from .env"
	@echo "make test   every test"
	@echo "make soak   hundreds of games with everything going wrong; up to 40 minutes, ARGS=--help for more"
	@echo "make kills  whole games in which the bot is killed at every point; about half an hour on a quiet machine"
	@echo "make lint   style and types"
	@echo "make bench  what a move costs, how long an answer takes, how much memory"

play: $(VENV)/.runtime
	@$(BIN)/python -m sandbox --port $(PORT)

run: $(VENV)/.runtime
	@$(BIN)/python -m bot

test: $(VENV)/.development
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(ARGS)

soak: $(VENV)/.development
	@$(BIN)/python -m tests.soak.long $(ARGS)

kills: $(VENV)/.development
	@$(BIN)/python -m tests.end_to_end.sweep $(ARGS)

lint: $(VENV)/.development
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

bench: $(VENV)/.development
	@$(BIN)/python -m benchmarks

format: $(VENV)/.development
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

# Writes the two lock files anew from pyproject.toml. They name versions and digests, never an address.
lock: $(VENV)/.development
	@$(BIN)/python -m pip install --quiet uv
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
		--no-emit-find-links --no-header --no-annotate pyproject.toml -o requirements.txt
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
		--no-emit-find-links --no-header --no-annotate --extra dev pyproject.toml -o requirements-dev.txt

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Fifteen Two needs Python 3.11 or newer.")'
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.runtime: requirements.txt | $(VENV)/bin/python
	@echo "Setting up ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	@touch $@

$(VENV)/.development: requirements-dev.txt | $(VENV)/bin/python
	@echo "Setting up ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	@touch $@ $(VENV)/.runtime
