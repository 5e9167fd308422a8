# p2p-hearts: every target makes its own environment first. Nothing is needed but Python and make.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.ready
MO     := $(patsubst %.po,%.mo,$(wildcard p2p_hearts/locale/*/LC_MESSAGES/*.po))
JOBS   ?= 2
ARGS   ?=
# Where the tests are that need network namespaces.
LAN    := tests/lan tests/net tests/e2e

.PHONY: help setup demo test check format lint types contracts bench opinions deep browser lan deeplan soak mutants chaos ladder docs screenshots messages lock dist installs advisories clean

help:            ## this list
	@awk -F ': .*## ' '/^[a-z]+: .*## / { printf "%-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(STAMP): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.12 setup")'
	@echo "Making the environment in $(VENV) from requirements.lock: a minute or two, once."
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

$(MO): %.mo: %.po $(STAMP)
	@$(BIN)/python -m tools.messages compile
	@touch $@

setup: $(STAMP) $(MO)  ## the environment in .venv, from the lock file

demo: setup      ## a whole match of four real peers, then the audit of their logs
	@$(BIN)/p2p-hearts demo $(ARGS)

test: setup      ## the tests
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(ARGS)

check: setup format lint types contracts test  ## everything that must be green

format:
	$(BIN)/ruff format --check .

lint:
	$(BIN)/ruff check .

types:
	$(BIN)/mypy

contracts:
	$(BIN)/lint-imports

bench: setup     ## figures beside the cost of one primitive
	$(BIN)/python -m tools.bench $(ARGS)

opinions: setup  ## every audit of the tests compared with protocol/verify.py
	$(BIN)/python -m pytest -n $(JOBS) -m "" tests/record tests/table/test_absence.py tests/table/test_claims.py tests/table/test_moon.py --second-opinion --timeout 3600 $(ARGS)

deep: setup      ## long property, fault, noise and fuzz runs
	$(BIN)/python -m pytest -n $(JOBS) -m "deep and not lan and not browser" --timeout 3600 $(ARGS)

browser: setup   ## the HTML reports in a real browser (needs chromium and chromium-driver)
	$(BIN)/python -m pytest -m browser tests/browser $(ARGS)

lan: setup       ## four network namespaces on one bridge (needs root)
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m "lan and not deep" --timeout 900 $(LAN) $(ARGS)

deeplan: setup   ## the long ones of them: a LAN apart for minutes (needs root)
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m "lan and deep" --timeout 1800 $(LAN) $(ARGS)

ladder: setup    ## how strong the computer players are; ARGS="--deals 2000 --pairs hard:normal"
	@$(BIN)/python -m tools.ladder $(ARGS)

soak: setup      ## hands with kills, pauses and returns; ARGS="--hands 200"
	@$(BIN)/python -m tools.soak $(ARGS)

mutants: setup   ## take every check out in turn: a test or mypy must miss it; ARGS="crypto cards"
	@nice -n 10 $(BIN)/python -m tools.mutants $(ARGS)

chaos: setup     ## the tests while their processes sleep now and then; ARGS=tests/e2e
	@$(BIN)/python -m tools.chaos -- $(BIN)/python -m pytest -n $(JOBS) --timeout 1800 $(ARGS)

docs: setup      ## regenerate the parts of protocol/ and docs/ that are made from the code
	$(BIN)/python -m tools.generate $(ARGS)

screenshots: setup  ## pictures of the guide, from the real program (needs tmux)
	$(BIN)/python -m tools.screenshots

messages: setup  ## bring the catalogues of the languages up to date with the source
	$(BIN)/python -m tools.messages

lock:            ## renew requirements.lock (needs uv)
	uv pip compile --universal --generate-hashes --extra dev pyproject.toml -o requirements.lock --no-header

dist: setup      ## the files of a release in dist/, built twice and compared
	@$(BIN)/python -m tools.release dist

installs: dist   ## the wheel in an empty environment of every Python there is, and with pipx
	@$(BIN)/python -m tools.release installs $(ARGS)

advisories: setup  ## ask for known holes in what the program needs (needs the network)
	@$(BIN)/python -m tools.release advisories

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
