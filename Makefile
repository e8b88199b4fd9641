# The few commands that everybody needs. `make help` lists them.

PYTHON_BIN = .venv/bin/python
PORT ?= 8000
HOST ?= 127.0.0.1
REQUIRE_ALL ?=
TESTS ?=
# How many tests run at once; WORKERS=0 runs them in one process, for a debugger.
WORKERS ?= auto
export PORT HOST REQUIRE_ALL

.PHONY: help run test check bench peers release-data dev

help:
	@echo "make run                  install, prepare and serve on port $(PORT) (PORT=8001 for another)"
	@echo "make test                 every test that this machine can run (TESTS=path for some)"
	@echo "make test REQUIRE_ALL=1   a missing service is a failure, not a skip"
	@echo "make check                lint, types, import rules, migrations"
	@echo "make bench                the measurements, as tables"
	@echo "make peers                what tests question on the loopback: llmock and a small real model"

run:
	@sh config/bootstrap.sh requirements.txt
	@exec $(PYTHON_BIN) -m config.launch

dev:
	@sh config/bootstrap.sh requirements.txt requirements-dev.txt

peers:
	@sh config/bootstrap.sh requirements.txt requirements-dev.txt requirements-peers.txt

test: dev
	@$(PYTHON_BIN) -m pytest -n $(WORKERS) $(TESTS)

check: dev
	@sh config/check.sh

bench: dev
	@$(PYTHON_BIN) -m tests.bench
