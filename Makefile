# Every target sets up what it needs in .venv; Python 3.11 to 3.14, make and git are all it asks for.
PYTHON ?= python3
WORKERS ?= auto
PORT ?= 8152
VENV := .venv
BIN := $(VENV)/bin

# The stamps .runtime and .development are written last. Where .runtime is missing, the last set-up has failed or was
# stopped, and the next one makes a fresh folder.
# uv installs in seconds what takes pip half a minute; where there is no uv, or it cannot reach the packages,
# pip does it. Both check every file against the digests in the lock file.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes
define set_up
	@test -e $(VENV)/.runtime || { ./check_python.sh $(PYTHON) && rm -rf $(VENV) && \
		echo "Making $(VENV) with $$($(PYTHON) --version) ..." && $(PYTHON) -m venv $(VENV); }
	@rm -f $(VENV)/.development $(VENV)/.runtime
	@echo "Installing $$(grep -c == $(1)) packages ..."
	@{ test -x $(BIN)/uv || $(PIP) --quiet --no-compile -r requirements-uv.txt; } && \
		$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r $(1) || \
		{ echo "Not with uv; installing them with pip ..."; $(PIP) -r $(1); }
	@touch $(2)
endef

# Without the cache each of some hundred processes of a test run compiles all modules again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help play run test costs coverage simulate soak kills lint bench look foreign format words lock clean

help:
	@echo "make play   Discord on this machine: sandbox, bot and a page to play on"
	@echo "make run    the bot against real Discord, with the token from .env"
	@echo "make test   the cheap tests, on all cores, in some minutes; ALL=1 adds the deep ones;"
	@echo "            WORKERS=0 in one process, ARGS='-k sandbox' for some of them"
	@echo "make costs  processor seconds of each test; fails if a dear one is not marked deep"
	@echo "make coverage  the lines and branches of engine and bot that no test reaches"
	@echo "make simulate  a thousand games from seeds with everything failing; twenty minutes, ARGS='--seed 7' for one"
	@echo "make soak   hundreds of games with everything going wrong; up to 40 minutes, ARGS=--help for more"
	@echo "make kills  whole games in which the bot is killed at every point; half an hour or more on a quiet machine"
	@echo "make lint   style and types"
	@echo "make words  collects what is said to people, for translators"
	@echo "make bench  what a move costs, how long an answer takes, how much memory"
	@echo "make look   a game each way in headless Chromium: what it asks of players, and pictures of what they see"
	@echo "make foreign  small bots in discord.js (needs node) and hikari against the sandbox, fifteen steps each"

play: $(VENV)/.runtime
	@$(BIN)/python -m sandbox --port $(PORT)

run: $(VENV)/.runtime
	@$(BIN)/python -m bot

# glibc gives threads heaps of their own, and keeps what they have freed: a worker would be twice as large.
test: export MALLOC_ARENA_MAX = 1
test: export MALLOC_TRIM_THRESHOLD_ = 131072
test: $(VENV)/.development
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(if $(ALL),,-m "not deep") $(ARGS)

costs: $(VENV)/.development
	@$(BIN)/python -m programs.costs $(ARGS)

# What a SIGKILL ends cannot say what it has run, and is not counted.
coverage: $(VENV)/.development
	@$(BIN)/coverage erase
	@$(BIN)/coverage run -m pytest -n $(WORKERS) --dist worksteal -o timeout=900 -o faulthandler_timeout=1000 $(ARGS)
	@$(BIN)/coverage combine --quiet
	@$(BIN)/coverage report

simulate: $(VENV)/.development
	@$(BIN)/python -m programs.simulate $(ARGS)

soak: $(VENV)/.development
	@$(BIN)/python -m programs.soak.long $(ARGS)

kills: $(VENV)/.development
	@$(BIN)/python -m programs.sweep $(ARGS)

lint: $(VENV)/.development
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

bench: $(VENV)/.development
	@$(BIN)/python -m benchmarks

# Plays for some minutes. With ARGS=--readme the README's pictures are taken again.
look: $(VENV)/.development
	@$(BIN)/python -m programs.look $(ARGS)

# Installs the other libraries into build/foreign, at the versions of programs/foreign. ARGS=--record writes their frames.
foreign: $(VENV)/.development
	@$(BIN)/python -m programs.foreign $(ARGS)

format: $(VENV)/.development
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

# Collects every sentence for people, and brings the catalogue of each language up to date.
words: $(VENV)/.development
	@$(BIN)/python -m programs.words

# Writes the lock files from pyproject.toml. They name versions and digests, never an address.
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--no-emit-find-links --no-header --no-annotate
lock: $(VENV)/.development
	@$(COMPILE) pyproject.toml -o requirements.txt
	@$(COMPILE) --extra dev pyproject.toml -o requirements-dev.txt
	@echo uv | $(COMPILE) - -o requirements-uv.txt

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis build .coverage*

$(VENV)/.runtime: requirements.txt
	$(call set_up,requirements.txt,$@)

$(VENV)/.development: requirements-dev.txt
	$(call set_up,requirements-dev.txt,$(VENV)/.runtime $@)
