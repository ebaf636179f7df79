# make up      set up what is missing, then run everything on this machine (ARGS="--no-demo" hands options on)
# make test    every check and every test
# make bench   what takes long: 100 swaps under an open page, a kill at every step, 100,000 seeds, every Angular, measurements
# make bench-quick  livejoin beside its peers in ten minutes: how late rows are seen, how fast a backlog is joined
# make nemesis everything breaks for half an hour while somebody looks on; every frame is checked (MINUTES=30)
# make soak    hours of everything that happens in months, sampled and plotted; what grows is named (HOURS=8)
# make check   formatters, linters, type checkers and compilers only
# make audit   licences and known vulnerabilities of everything that is installed (ARGS="--json" for machines)
# make packages  the two npm packages for other applications, in web/dist/packages
# make release  what people install, in dist: wheel, sdist, npm packages, bill of materials, checksums
# make clean   remove what these rules made; the data in .livejoin stay

PYTHON ?= $(or $(shell command -v python3.11),python3)
export PYTHON

BIN := .venv/bin
STEP := tools/step

# Each file is the last thing that its step makes, so a step that broke off is done again.
PYTHON_READY := .venv/.livejoin-ready
JARS_READY := .cache/jars/.livejoin-ready
LOOKOUT_READY := src/livejoin/serve/engine/java/lookout.jar
RENEWAL_READY := src/livejoin/pipeline/spark/java/renewal.jar
JAVA_READY := $(LOOKOUT_READY) $(RENEWAL_READY)
CLASSES_READY := .cache/jars/classes/.livejoin-ready
NODE_READY := web/node_modules/.livejoin-ready
PAGE_READY := web/dist/.livejoin-ready
PACKAGES_READY := web/dist/packages/.livejoin-ready

PAGE_SOURCES := $(shell find web/src web/projects web/public -type f 2>/dev/null) \
  $(wildcard web/angular.json web/tsconfig*.json web/package.json web/package-lock.json)
PACKAGES_SOURCES := $(shell find web/projects -type f 2>/dev/null) $(wildcard web/tsconfig*.json web/package.json)

# Steps that do not need each other run two at a time: most of them use one core only.
MAKEFLAGS += --jobs=2

.PHONY: help up test bench bench-quick nemesis soak audit check check-python check-java check-web packages release clean
.DELETE_ON_ERROR:

help:
	@sed -n 's/^# \(make .*\)/\1/p' Makefile

up: $(PYTHON_READY) $(JARS_READY) $(JAVA_READY) $(PAGE_READY) $(CLASSES_READY)
	@$(BIN)/livejoin up $(ARGS)

test: check $(JARS_READY) $(JAVA_READY) $(PAGE_READY) $(PACKAGES_READY) $(CLASSES_READY)
	@tools/need java17 chromium prometheus
	@tools/tests $(ARGS)

bench: $(PYTHON_READY) $(JARS_READY) $(JAVA_READY) $(PAGE_READY) $(PACKAGES_READY) $(CLASSES_READY)
	@tools/need java17 chromium
	@JAVA_TOOL_OPTIONS= $(BIN)/pytest tests/whole_way/test_swaps.py tests/whole_pipeline/test_swap_crashes.py tests/orchestrator/test_crashes.py --swaps 100 --rate 500 --every-step $(ARGS)
	@$(BIN)/pytest tests/simulation --seeds 100000
	@$(BIN)/pytest tests/pipeline/test_join_property.py --declarations 24
	@$(BIN)/pytest tests/serve_tables/test_flood.py --letters 100000
	@$(BIN)/pytest tests/browser_hub/test_every_angular.py --every-angular
	@$(BIN)/python tests/bench/swap_time.py
	@PYTHONPATH=tests/support $(BIN)/python tests/bench/hub.py
	@PYTHONPATH=tests/support $(BIN)/python tests/bench/page.py
	@PYTHONPATH=tests/support $(BIN)/python tests/bench/many_viewers.py

bench-quick: $(PYTHON_READY) $(JARS_READY) $(JAVA_READY) $(PAGE_READY) $(CLASSES_READY)
	@tools/need java17 chromium
	@PYTHONPATH=tests/support:tests/bench $(BIN)/python -m contest $(ARGS)

nemesis: $(PYTHON_READY) $(JARS_READY) $(JAVA_READY) $(PAGE_READY) $(CLASSES_READY)
	@tools/need java17 chromium
	@JAVA_TOOL_OPTIONS= $(BIN)/pytest tests/whole_pipeline/test_nemesis.py --minutes $(or $(MINUTES),30) $(ARGS)

soak: $(PYTHON_READY) $(JARS_READY) $(JAVA_READY) $(PAGE_READY) $(CLASSES_READY)
	@tools/need java17 chromium
	@PYTHONPATH=tests/support:. $(BIN)/python -m tests.soak.run --hours $(or $(HOURS),8) $(ARGS)

audit: $(PYTHON_READY) $(NODE_READY) $(JARS_READY)
	@PYTHONPATH=tools $(BIN)/python -m audit $(ARGS)

packages: $(PACKAGES_READY)

release: $(PYTHON_READY) $(JARS_READY) $(JAVA_READY) $(PAGE_READY) $(PACKAGES_READY)
	@tools/release

check: check-python check-java check-web

check-python: $(PYTHON_READY)
	@$(STEP) "ruff check" $(BIN)/ruff check
	@$(STEP) "ruff format" $(BIN)/ruff format --check
	@$(STEP) "mypy" $(BIN)/mypy
	@$(STEP) "import-linter" $(BIN)/lint-imports --no-cache

check-java: $(JAVA_READY)

check-web: $(NODE_READY)
	@$(STEP) "eslint" npm --prefix web run --silent lint
	@$(STEP) "prettier" npm --prefix web run --silent format:check
	@$(STEP) "tsc" npm --prefix web run --silent typecheck
	@$(STEP) "vitest" npm --prefix web run --silent test

clean:
	rm -rf $(JAVA_READY) dist .venv .cache .mypy_cache .pytest_cache .ruff_cache .hypothesis web/node_modules web/dist web/.angular

$(PYTHON_READY): requirements/uv.txt requirements/lock.txt pyproject.toml
	@tools/need python311
	@test -x $(BIN)/python || $(STEP) "Python environment" $(PYTHON) -m venv .venv
	@$(STEP) "uv" $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/uv.txt
	@$(STEP) "Python packages" $(BIN)/uv pip install --python $(BIN)/python --compile-bytecode --require-hashes -r requirements/lock.txt
	@$(STEP) "livejoin" $(BIN)/uv pip install --python $(BIN)/python --no-deps --no-build-isolation -e .
	@touch $@

$(JARS_READY): src/livejoin/jvm/jars.lock $(PYTHON_READY)
	@tools/need java17
	@$(STEP) "jars" $(BIN)/livejoin jars
	@touch $@

$(LOOKOUT_READY): $(wildcard src/livejoin/serve/engine/java/livejoin/*.java) tools/jar $(PYTHON_READY)
	@tools/need java17
	@$(STEP) "Java of the table server" tools/jar lookout

$(RENEWAL_READY): $(wildcard src/livejoin/pipeline/spark/java/livejoin/*.java) tools/jar $(JARS_READY)
	@tools/need java17
	@$(STEP) "Java of the pipeline" tools/jar renewal

# What Java has loaded once is not read from jars again: every later start of a JVM takes less time.
$(CLASSES_READY): $(PYTHON_READY) $(JARS_READY) $(JAVA_READY)
	@$(STEP) "class archives" $(BIN)/livejoin archive
	@mkdir -p $(@D)
	@touch $@

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
