# make up      set up what is missing, then run everything on this machine (ARGS="--no-demo" hands options on)
# make test    every check and every test
# make bench   what takes long: 100 swaps under an open page, a kill at every step, every login, every major of Angular, measurements
# make check   formatters, linters, type checkers and compilers only
# make audit   licences and known vulnerabilities of everything that is installed (ARGS="--json" for machines)
# make packages  the two npm packages for other applications, in web/dist/packages
# make clean   remove what these rules made; the data in .livejoin stay

PYTHON ?= $(or $(shell command -v python3.11),python3)
export PYTHON

BIN := .venv/bin
STEP := tools/step

# Each file is the last thing that its step makes, so a step that broke off is done again.
PYTHON_READY := .venv/.livejoin-ready
JARS_READY := .cache/jars/.livejoin-ready
LOOKOUT_READY := src/livejoin/serve/java/lookout.jar
NODE_READY := web/node_modules/.livejoin-ready
PAGE_READY := web/dist/.livejoin-ready
PACKAGES_READY := web/dist/packages/.livejoin-ready

PAGE_SOURCES := $(shell find web/src web/projects web/public -type f 2>/dev/null) \
  $(wildcard web/angular.json web/tsconfig*.json web/package.json web/package-lock.json)
PACKAGES_SOURCES := $(shell find web/projects -type f 2>/dev/null) $(wildcard web/tsconfig*.json web/package.json)

# Steps that do not need each other run two at a time: most of them use one core only.
MAKEFLAGS += --jobs=2

.PHONY: help up test bench audit check check-python check-java check-web packages clean
.DELETE_ON_ERROR:

help:
	@sed -n 's/^# \(make .*\)/\1/p' Makefile

up: $(PYTHON_READY) $(JARS_READY) $(LOOKOUT_READY) $(PAGE_READY)
	@$(BIN)/livejoin up $(ARGS)

test: check $(JARS_READY) $(LOOKOUT_READY) $(PAGE_READY) $(PACKAGES_READY)
	@tools/need java17 chromium prometheus
	@tools/tests $(ARGS)

bench: $(PYTHON_READY) $(JARS_READY) $(LOOKOUT_READY) $(PAGE_READY) $(PACKAGES_READY)
	@tools/need java17 chromium
	@JAVA_TOOL_OPTIONS= $(BIN)/pytest tests/test_whole_way_swaps.py tests/whole_pipeline/test_swap_crashes.py --swaps 100 --rate 500 --every-step $(ARGS)
	@$(BIN)/pytest tests/secured_kafka/test_whole_ways.py --every-login
	@$(BIN)/pytest tests/browser_hub/test_every_angular.py --every-angular
	@$(BIN)/python bench/swap_time.py
	@PYTHONPATH=tests $(BIN)/python bench/hub.py
	@PYTHONPATH=tests $(BIN)/python bench/page.py

audit: $(PYTHON_READY) $(NODE_READY) $(JARS_READY)
	@PYTHONPATH=tools $(BIN)/python -m audit $(ARGS)

packages: $(PACKAGES_READY)

check: check-python check-java check-web

check-python: $(PYTHON_READY)
	@$(STEP) "ruff check" $(BIN)/ruff check
	@$(STEP) "ruff format" $(BIN)/ruff format --check
	@$(STEP) "mypy" $(BIN)/mypy

check-java: $(LOOKOUT_READY)

check-web: $(NODE_READY)
	@$(STEP) "eslint" npm --prefix web run --silent lint
	@$(STEP) "prettier" npm --prefix web run --silent format:check
	@$(STEP) "tsc" npm --prefix web run --silent typecheck
	@$(STEP) "vitest" npm --prefix web run --silent test

clean:
	rm -rf $(LOOKOUT_READY) .venv .cache .mypy_cache .pytest_cache .ruff_cache .hypothesis web/node_modules web/dist web/.angular

$(PYTHON_READY): requirements/uv.txt requirements/lock.txt pyproject.toml
	@tools/need python311
	@test -x $(BIN)/python || $(STEP) "Python environment" $(PYTHON) -m venv .venv
	@$(STEP) "uv" $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/uv.txt
	@$(STEP) "Python packages" $(BIN)/uv pip install --python $(BIN)/python --compile-bytecode --require-hashes -r requirements/lock.txt
	@$(STEP) "livejoin" $(BIN)/uv pip install --python $(BIN)/python --no-deps --no-build-isolation -e .
	@touch $@

$(JARS_READY): src/livejoin/embedded/jars.lock $(PYTHON_READY)
	@tools/need java17
	@$(STEP) "jars" $(BIN)/livejoin jars
	@touch $@

$(LOOKOUT_READY): $(wildcard src/livejoin/serve/java/livejoin/*.java) tools/lookout $(PYTHON_READY)
	@tools/need java17
	@$(STEP) "Java of the table server" tools/lookout

$(NODE_READY): web/package.json web/package-lock.json
	@tools/need node20
	@$(STEP) "npm packages" npm --prefix web ci --no-audit --no-fund
	@touch $@

$(PAGE_READY): $(NODE_READY) $(PAGE_SOURCES)
	@$(STEP) "page" npm --prefix web run --silent build
	@touch $@

$(PACKAGES_READY): $(NODE_READY) $(PACKAGES_SOURCES)
	@$(STEP) "npm packages for others" npm --prefix web run --silent pack
	@touch $@
