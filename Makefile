# `make` alone lists what there is. Variables may come from the environment or from this command line.
.DEFAULT_GOAL := help
.NOTPARALLEL:
SHELL := /bin/bash

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes

.PHONY: help setup setup-mysql setup-dev setup-js run demo test test-mysql lint lint-js check-deploy check-migrations \
	outage bench bench-heartbeats bench-latency lock screenshots messages stack-up stack-down clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-18s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# --- setting up: a stamp beside each lock, so that nothing is done twice -------------------------

setup: $(VENV)/.setup .env ## make .venv with what the embedded default needs; no compiler, no server

setup-mysql: setup $(VENV)/.setup-mysql ## the same and mysqlclient, with compiler and headers by apt

setup-dev: setup $(VENV)/.setup-dev ## the same and what tests and checks need

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or later is needed: make PYTHON=/path/to/python3.11 setup" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) \
		|| { rm -rf $(VENV); echo "Python has no venv module: apt-get install python3-venv" >&2; exit 1; }

$(VENV)/.setup: requirements-embedded.txt | $(BIN)/python
	@echo "Installing what the service needs into $(VENV)"
	@$(PIP) --only-binary :all: -r requirements-embedded.txt
	@touch $@

$(VENV)/.setup-mysql: requirements.txt $(VENV)/.setup
	@$(BIN)/python scripts/mysql-headers
	@$(PIP) -r requirements.txt
	@touch $@

$(VENV)/.setup-demo: requirements-demo.txt $(VENV)/.setup
	@$(PIP) --only-binary :all: -r requirements-demo.txt
	@touch $@

$(VENV)/.setup-dev: requirements-dev.txt $(VENV)/.setup
	@echo "Installing what tests and checks need into $(VENV)"
	@$(PIP) --only-binary :all: -r requirements-dev.txt
	@touch $@

setup-js: sdk/js/node_modules/.package-lock.json ## centrifuge-js for pages over Centrifugo, and what checks of scripts need

sdk/js/node_modules/.package-lock.json: sdk/js/package-lock.json
	@command -v npm > /dev/null || { echo "npm is missing: apt-get install npm (Node.js 20 or later)" >&2; exit 1; }
	@npm ci --prefix sdk/js --loglevel=error
	@touch $@

.env:
	@printf '%s\n' '# Made by make setup for development; .env.example lists every setting.' 'DEBUG=on' > $@
	@echo "Wrote .env with DEBUG=on: this checkout is for development. See .env.example."

# --- running -----------------------------------------------------------------------------------

run: setup ## the service on 127.0.0.1:PORT (8000), in the foreground; migrates first
	@PYTHONPATH=. exec $(BIN)/python scripts/serve.py

# With STACK=full the same over MariaDB, Redis and Centrifugo; without npm the board uses the native stream.
ifeq ($(STACK),full)
demo: setup-mysql $(VENV)/.setup-demo
	@$(MAKE) --no-print-directory setup-js || true
	@DEBUG=on REALTIME_TRANSPORT=centrifugo PYTHONPATH=. exec scripts/stack run -- $(BIN)/python scripts/demo.py
else
demo: setup $(VENV)/.setup-demo ## real workers on real files, shown live; DEMO_INPUT=folder, STACK=full
	@DEBUG=on PYTHONPATH=. exec $(BIN)/python scripts/demo.py
endif

# --- checking ----------------------------------------------------------------------------------

# A machine without apt still runs the suite, on SQLite, and is told so; CI insists.
test: setup-dev ## the whole suite on MariaDB, then what touches the database on SQLite too
	@$(MAKE) --no-print-directory setup-mysql setup-js || test -z "$$CI"
	@$(BIN)/python scripts/chromium || test -z "$$CI"
	@scripts/stack run -- $(BIN)/python scripts/suite $(PYTEST_ARGS)

test-mysql: setup-dev setup-mysql ## the whole suite on real MySQL
	@scripts/stack run --mysql -- $(BIN)/python scripts/suite $(PYTEST_ARGS)

lint: setup-dev ## style, types, floors, and Django's own checks
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@$(MAKE) --no-print-directory lint-js
	@$(MAKE) --no-print-directory check-deploy check-migrations

lint-js: setup-js ## types of the JavaScript: the client, the pages and the admin
	npm run --silent --prefix sdk/js check

check-deploy: setup ## Django's deployment checks, under settings like production's
	$(BIN)/python scripts/production-like manage.py check --deploy --fail-level WARNING

check-migrations: setup ## every model change has its migration
	$(BIN)/python scripts/production-like manage.py makemigrations --check --dry-run

outage: setup-dev setup-mysql ## stop a MariaDB of its own for a minute under 2,000 leases: nobody turns STALE
	@OUTAGE_LEASES=2000 OUTAGE_SECONDS=60 OUTAGE_TIMEOUT_SECONDS=30 \
		$(BIN)/python -m pytest -q -s tests/acceptance/test_h_long_outage.py

bench: setup-mysql ## the write path's rates on MariaDB; BENCH_JSON=FILE keeps them
	@scripts/stack run -- $(BIN)/python -m bench.write_path

bench-heartbeats: setup-mysql ## beats in batches of 100 beside an UPDATE for each, and the reconciler beside 20,000 live leases
	@scripts/stack run -- $(BIN)/python -m bench.heartbeats

bench-latency: setup-dev setup-mysql setup-js ## from a commit to the board in a browser, over both transports
	@$(BIN)/python scripts/chromium
	@scripts/stack run -- $(BIN)/python -m bench.latency

# --- housekeeping ------------------------------------------------------------------------------

lock: setup-dev ## pin the requirements anew; LOCK_ARGS=--upgrade takes newer versions
	@$(BIN)/python scripts/lock $(LOCK_ARGS)

WORDS := manage.py makemessages --locale zh_Hans --no-location --no-obsolete \
	--ignore '.venv/*' --ignore 'var/*' --ignore 'sdk/*' --ignore 'tests/*' --ignore 'bench/*' --ignore 'examples/*'

screenshots: setup-dev $(VENV)/.setup-demo ## take the pictures in docs/images from a running demo; needs Chromium
	@PYTHONPATH=scripts:. $(BIN)/python scripts/screenshots

messages: setup ## collect the words to be translated, and compile the catalogues; needs gettext
	@$(BIN)/python $(WORDS) --domain django
	@$(BIN)/python $(WORDS) --domain djangojs
	@$(BIN)/python manage.py compilemessages --locale zh_Hans

stack-up: ## start MariaDB, Redis and Centrifugo under var/stack and leave them running
	@scripts/stack up

stack-down: ## end them
	@scripts/stack down

clean: ## drop caches and reports; var/ and .venv stay
	@rm -rf .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis .coverage .coverage.* htmlcov
