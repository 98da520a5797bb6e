# Everything you do with a checkout. `make help` lists the targets.
# You need make, Python 3.11 or later, and Node 20.19 or later for the workers' pages. You need no root rights and no servers.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV := $(shell command -v uv 2>/dev/null)

# Like pip, uv then trusts the certificates that the machine trusts. Older versions of uv read the first name.
export UV_NATIVE_TLS := 1
export UV_SYSTEM_CERTS := 1

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules

.PHONY: help
help: ## list the targets
	@sed -nE 's/^([a-z%-]+):.*## (.*)$$/\1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{printf "%-12s %s\n", $$1, $$2}'

# Environment: a stamp for each requirements file, so that nothing is installed twice ---------------------------

.PHONY: env
env: $(VENV)/.installed-dev ## make the environment with everything for development

$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { echo "There is no $(PYTHON). Install Python 3.11 or later, or name another one: make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Groundcrew needs Python 3.11 or later, and $(PYTHON) is $$($(PYTHON) -V). Name another one: make PYTHON=/path/to/python3.12"; exit 1; }
ifdef UV
	$(UV) venv --quiet --python $$(command -v $(PYTHON)) $(VENV)
else
	$(PYTHON) -m venv $(VENV) || { echo "Python's module venv is missing. On Debian and Ubuntu, install the package python3-venv."; exit 1; }
endif

$(VENV)/.installed: requirements.txt | $(BIN)/python
	$(call install,$<)
	@touch $@

$(VENV)/.installed-baselines: requirements-baselines.txt $(VENV)/.installed
	$(call install,$<)
	@touch $@

$(VENV)/.installed-dev: requirements-dev.txt | $(BIN)/python
	$(call install,$<)
	@touch $(VENV)/.installed $(VENV)/.installed-baselines $@

ifdef UV
install = $(UV) pip install --quiet --python $(BIN)/python --require-hashes --requirement $(1)
else
# An environment made by uv has no pip.
install = { $(BIN)/python -m pip --version >/dev/null 2>&1 || $(BIN)/python -m ensurepip; } && \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --requirement $(1)
endif

# The workers' pages --------------------------------------------------------------------------------------------

# The build writes this file last. A build by hand, which compresses nothing, removes it.
PAGES := frontend/dist/index.html.gz
# The folders are listed, too: they change when a file is deleted.
PAGE_SOURCES := $(shell find frontend/src) $(wildcard frontend/*.html frontend/*.json frontend/*.ts frontend/*.js \
	console/static/console/palette.css)
# The versions of Node on which both eslint and vite run.
NODE_RUNS = const [a, b] = process.versions.node.split(".").map(Number); \
	process.exit(a >= 24 || (a === 22 && b >= 13) || (a === 20 && b >= 19) ? 0 : 1)
NODE_HELP = install Node 24 or later, 22 from 22.13, or 20 from 20.19, with npm: https://nodejs.org/

.PHONY: frontend
frontend: $(PAGES) ## build the workers' pages into frontend/dist

frontend/node_modules/.installed: frontend/package.json frontend/package-lock.json
	@command -v node >/dev/null && command -v npm >/dev/null || { echo "There is no Node with npm: $(NODE_HELP)"; exit 1; }
	@node -e '$(NODE_RUNS)' || { echo "Node $$(node --version) is too old for the workers' pages: $(NODE_HELP)"; exit 1; }
	cd frontend && npm ci --no-audit --no-fund --no-update-notifier
	@touch $@

# The server does not compress replies itself: each file has its .gz beside it.
$(PAGES): frontend/node_modules/.installed $(PAGE_SOURCES) | $(VENV)/.installed
	cd frontend && npm run build
	$(BIN)/python -m scripts.compress_pages frontend/dist
	@touch $@

# Use -----------------------------------------------------------------------------------------------------------

.PHONY: demo rehearsal serve
demo: $(VENV)/.installed $(PAGES) ## draw scenes, let a simulated crowd annotate them, export and report (PROVIDER=mturk, prolific or link: through an emulator; PROTOCOL=fast: by the second protocol; with MODELS=1: with models that suggest and judge boxes; CAMPAIGN=captions: of scenes whose captions it writes first; CAMPAIGN=relevance: judge which captions fit)
	$(BIN)/python -m simulation.demo $(if $(PROVIDER),--provider $(PROVIDER)) $(if $(PROTOCOL),--protocol $(PROTOCOL)) $(if $(MODELS),--models) $(if $(CAMPAIGN),--campaign $(CAMPAIGN) --scenes 30 --workers 16)

rehearsal: $(VENV)/.installed-dev $(PAGES) ## run the demo through Prolific's emulator, in browsers (SCENES=4: a short one)
	$(BIN)/python -m scripts.rehearsal $(if $(SCENES),--scenes $(SCENES))

serve: $(VENV)/.installed $(PAGES) ## run web, worker and beat on http://127.0.0.1:8000 (PORT=... for another port)
	$(BIN)/python -m config.serve

.PHONY: offline
offline: $(VENV)/.installed-dev $(PAGES) ## pack all that a Linux machine without a network needs, into groundcrew-offline.tar (MACHINE=aarch64, VERSION=3.12: for another processor or Python)
	$(BIN)/python -m pip --version >/dev/null 2>&1 || $(BIN)/python -m ensurepip
	$(BIN)/python -m scripts.offline groundcrew-offline.tar $(if $(MACHINE),--machine $(MACHINE)) $(if $(VERSION),--python $(VERSION))

# Scenes of the demo, with their truth: 400 to learn from, 100 to choose weights with, and 100 to measure with.
var/baselines/scenes/test.txt: | $(VENV)/.installed
	rm -rf var/baselines/scenes
	$(BIN)/python -m simulation.scenes var/baselines/scenes

.PHONY: baselines
baselines: $(VENV)/.installed-baselines var/baselines/scenes/test.txt ## train and measure the papers' systems on drawn scenes, and write one page
	$(BIN)/python -m baselines report --dataset var/baselines/scenes --images var/baselines/scenes/images --out var/baselines/report

# Checks --------------------------------------------------------------------------------------------------------

.PHONY: test test-all test-nightly lint audit screenshots mutations fault-drill other-machines
test: $(VENV)/.installed-dev $(PAGES) ## run all checks and most tests, before a commit (tests/selection.py)
	$(BIN)/python -m scripts.test --quick

test-all: $(VENV)/.installed-dev $(PAGES) ## run all checks and every test, on SQLite too where that matters
	$(BIN)/python -m scripts.test

test-nightly: $(VENV)/.installed-dev $(PAGES) ## run all checks, every test on both databases, a fault drill, and most tests as on other machines
	$(BIN)/python -m scripts.test --nightly

lint: $(VENV)/.installed-dev ## check style, types, directions of imports, migrations
	$(BIN)/python -m scripts.test lint

audit: $(VENV)/.installed-dev frontend/node_modules/.installed ## look for known vulnerabilities and for licences that are not allowed
	-@test -x .venv-audit/bin/pip-audit || { $(PYTHON) -m venv .venv-audit && .venv-audit/bin/pip install --quiet --disable-pip-version-check pip-audit==2.10.1; }
	$(BIN)/python -m scripts.audit

screenshots: $(VENV)/.installed-dev $(PAGES) ## save every page, on desktop and phone, light and dark, in screenshots/
	$(BIN)/python -m scripts.screenshots

.PHONY: chart-tools
chart-tools: .chart-tools/.installed ## install Helm's library and Kubernetes' schemas, for the tests of the Helm chart

.chart-tools/.installed: requirements-chart.txt $(VENV)/.installed-dev
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(BIN)/python -m ensurepip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --target .chart-tools --upgrade --no-deps --require-hashes \
		--only-binary :all: --ignore-requires-python --requirement requirements-chart.txt
	@touch $@

mutations: $(VENV)/.installed-dev $(PAGES) ## plant faults one at a time and say which test notices each (TREE=... for another checkout)
	$(BIN)/python -m scripts.mutations $(if $(TREE),--tree $(TREE))

fault-drill: $(VENV)/.installed-dev $(PAGES) ## kill and disturb everything on both databases, and judge by workers' receipts (SEED=1, MINUTES=15)
	$(BIN)/python -m scripts.fault_drill --seed $(or $(SEED),1) --minutes $(or $(MINUTES),15)

other-machines: $(VENV)/.installed-dev $(PAGES) ## run most tests with the kernels of other processors, and on a machine three times slower (ONLY=slow)
	$(BIN)/python -m scripts.other_machines $(ONLY)

bench-%: $(VENV)/.installed-dev ## run a benchmark, such as bench-dispatch, or a program of research, such as bench-strategies
	$(BIN)/python -m $(if $(wildcard research/$*.py),research,benchmarks).$*

# Generated files -----------------------------------------------------------------------------------------------

.PHONY: openapi lock clean
openapi: $(VENV)/.installed-dev ## write docs/openapi.yaml from the code
	$(BIN)/python manage.py spectacular --validate --fail-on-warn --file docs/openapi.yaml

LOCK = $(UV) pip compile --quiet --universal --generate-hashes --python-version 3.11 --custom-compile-command "make lock"
lock: ## write requirements*.txt from requirements*.in (needs uv; keeps versions unless UPGRADE=1)
	@test -n "$(UV)" || { echo "make lock needs uv: https://docs.astral.sh/uv/"; exit 1; }
	$(LOCK) $(if $(UPGRADE),--upgrade) requirements.in --output-file requirements.txt
	$(LOCK) $(if $(UPGRADE),--upgrade) requirements-baselines.in --output-file requirements-baselines.txt
	$(LOCK) $(if $(UPGRADE),--upgrade) requirements-dev.in --output-file requirements-dev.txt

clean: ## remove what tools leave behind; keep .venv and var
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -path ./$(VENV) -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +
