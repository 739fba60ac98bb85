# The samples and the checks, from a fresh clone on. Needs a Swift 6.3 toolchain; `make` lists the targets.

SAMPLES := $(basename $(notdir $(wildcard Input/*.csv)))
# The program, which the prerequisite `release` builds.
PROGRAM = $(shell swift build -c release --show-bin-path)/pyramid
# With optimization, the tests need half of the cores' time. In the folder of `swift run -c release`, which has other flags, each would build
# everything again after the other.
TESTED = -c release -Xswiftc -enable-testing --scratch-path .build/tests
# The tests with other programs: what each needs of Tests/install.sh, and how it is run.
WITH_OTHERS := darwin publish hosting elsewhere guides site node browser interop spark dist

.DEFAULT_GOAL := help
.PHONY: help web-test sample test tests check format lint site compare campaign races mutants examples bench dist install clean picture release libraries zlib races-program $(WITH_OTHERS:%=%-test)

# What Tests/install.sh takes from PyPI.
export PATH := $(CURDIR)/.build/python/bin:$(PATH)

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z$$-][^ ]*:.*## / { sub(/^[$$].*/, "NAME-test", $$1); printf "  make %-10s %s\n", $$1, $$2 }' Makefile
	@echo "  NAME is one of: $(WITH_OTHERS)"

sample: release ## build the pyramids of Input/ into Output/ and verify them
	@set -eu; for name in $(SAMPLES); do \
	    echo "== Input/$$name.csv -> Output/$$name"; \
	    "$(PROGRAM)" build "Input/$$name.csv" "Output/$$name"; \
	    "$(PROGRAM)" verify "Output/$$name"; \
	done

# Prints failures, what was left out, and a line at the end; with VERBOSE=1 every test. With SLOWEST=1, runs one test at a
# time, and prints the slowest.
QUIET = $(if $(VERBOSE),,--quiet)
EVENTS = .build/events.jsonl
define run-tests
swift test --skip-build $(1) --disable-xctest $(2) $(QUIET) $(if $(SLOWEST),--no-parallel --event-stream-output-path $(EVENTS) --event-stream-version 0)
$(if $(SLOWEST),python3 Tests/slowest.py $(EVENTS))
endef
tests: zlib
	swift build --build-tests $(TESTED)
test: tests ## run all tests in Swift; VERBOSE=1 SLOWEST=1
	$(call run-tests,$(TESTED))

# The suites with a tag of Swift Testing; from Swift 6.4 on, `swift test --filter tag:slow` knows them by itself.
tagged = '\.($(shell grep -rhA3 --include='*.swift' '\.tags.*\.$(1)\b' Tests | sed -nE 's/^ *(@Suite.* )?(final )?(struct|class) ([A-Za-z0-9]+).*/\4/p' | paste -sd '|' -))/'
check: lint zlib ## lint and run the quick tests, for every save
	swift build --build-tests
	$(call run-tests,,--skip $(call tagged,slow))

BIOME = biome format --config-path=.biome.json
format: ## format all sources in Swift, JavaScript and Python
	@Tests/install.sh formatters
	swift format --in-place --recursive Package.swift Sources Tests
	$(BIOME) --write
	ruff format

# All of Foundation would make the program three times as large, see Platform.swift.
lint: ## check the format of all sources, that their arrows run one way, and that links between articles lead somewhere
	@Tests/install.sh formatters
	swift format lint --strict --recursive Package.swift Sources Tests
	$(BIOME)
	ruff format --check --quiet
	python3 Tests/arrows.py
	python3 Tests/mutants.py --list > /dev/null
	@python3 Tests/site/links_test.py --quiet
	@python3 Sources/Documentation/tables.py --check
	@if grep -rn '^ *import Foundation$$' Sources --include '*.swift' --exclude-dir PyramidClient --exclude Platform.swift; then \
	    echo "import PyramidPlatform instead" >&2; exit 1; \
	fi
	@if grep -rn '^import Pyramid' Tests/Fuzzing --include '*.swift'; then \
	    echo "import it with @testable: run.sh builds the fuzzer as a package of its own" >&2; exit 1; \
	fi

site: libraries ## build the site, articles, symbols and live demos, into .build/site; BASE=/path on its host
	@Tests/install.sh leaflet airports quakes || echo "no network: the demo is smaller, and its page needs one"
	BASE="$(BASE)" python3 Sources/Distribution/website.py "$(PROGRAM)"

compare: release ## the same bytes for shuffled rows and other numbers of jobs; with BEFORE=program, the same as that writes; CASES=20
	python3 Tests/compare.py $(BEFORE) "$(PROGRAM)" --cases $(or $(CASES),$(if $(BEFORE),300,20))

campaign: release tests races ## long: faults at every system call, kills, power cuts, random data, publishing at the same time, data races, fuzzing; 50 minutes
	PYRAMID_CAMPAIGN=1 PYRAMID="$(PROGRAM)" swift test --skip-build $(TESTED) --filter "FaultTests|PowerCutTests|LiveOutputTests|LimitTests|PartJoinerTests|PublishPairTests|PublishRebuildTests|PublishingPairsTests"
	python3 Tests/compare.py "$(PROGRAM)" --cases 500
	Tests/Fuzzing/run.sh

# With THREADS=commands, only the program is built with the sanitizer, and tests of the commands run it: enough for every change.
RACES = --sanitize=thread --scratch-path .build/races
COMMANDS = PyramidCLITests$(call tagged,threads)
races-program: zlib
	swift build --product pyramid $(RACES)
races: races-program $(if $(THREADS),tests) ## run the tests that use several threads under the thread sanitizer; THREADS=commands
	$(if $(THREADS),,swift build --build-tests $(RACES))
	@set -eu; export TSAN_OPTIONS="suppressions=$$PWD/Tests/Races/suppressions.txt"; \
	if [ "$$(uname -s)" = Linux ]; then \
	    clang -Wall -shared -fPIC -o .build/races/mutex.so Tests/Races/mutex.c -ldl; \
	    export LD_PRELOAD=$$PWD/.build/races/mutex.so; \
	fi; \
	$(if $(THREADS),PYRAMID=$$PWD/.build/races/debug/pyramid swift test --skip-build $(TESTED) $(QUIET) --filter $(COMMANDS),\
	    swift test --skip-build $(RACES) $(QUIET) --filter $(call tagged,threads))

mutants: zlib ## long: plant small mistakes in the libraries, one at a time; do the tests notice? ONLY=3,17
	python3 Tests/mutants.py $(if $(ONLY),--only $(ONLY))

TOOLS.publish = s3 rclone
RUN.publish = python3 Tests/publish/publish.py "$(PROGRAM)"
TOOLS.hosting = curl web-servers
RUN.hosting = Tests/articles/hosting.sh "$(PROGRAM)"
TOOLS.elsewhere = curl gdal jq perl postgis sqlite3 unzip duckdb xlsx2csv
RUN.elsewhere = python3 Tests/articles/elsewhere.py "$(PROGRAM)"
TOOLS.guides = curl sqlite3
RUN.guides = python3 Tests/articles/guides.py "$(PROGRAM)"
TOOLS.site = chromium leaflet airports quakes
RUN.site = python3 Tests/site/site_test.py "$(PROGRAM)"
TOOLS.node = leaflet maps node tsc esbuild
TOOLS.browser = chromium leaflet maps esbuild react vue airports
RUN.node = PYRAMID="$(PROGRAM)" NODE_NO_WARNINGS=1 node --test $(if $(VERBOSE),,--test-reporter=./Tests/web/quiet.mjs) Tests/web/*.test.mjs
define RUN.browser
python3 Tests/preview/preview_test.py "$(PROGRAM)"
python3 Tests/web/browser_test.py "$(PROGRAM)" .build/web
python3 Tests/web/pages_test.py "$(PROGRAM)" .build/web
python3 Tests/web/examples_test.py "$(PROGRAM)" .build/web
python3 Tests/web/troubles_test.py "$(PROGRAM)" .build/web
python3 Tests/web/guides_test.py "$(PROGRAM)" .build/web
endef
TOOLS.interop = chromium maps readers
RUN.interop = python3 Tests/interop/interop.py "$(PROGRAM)" .build/web
TOOLS.spark = java spark s3 formatters
define RUN.spark
ruff check --config Sources/PyramidSpark/pyproject.toml Sources/PyramidSpark Tests/spark
cd Sources/PyramidSpark && mypy --cache-dir ../../.build/mypy
cd Tests/spark && python3 -W error -m unittest
python3 Tests/spark/program_test.py "$(PROGRAM)"
python3 Tests/spark/cluster_test.py "$(PROGRAM)"
endef
TOOLS.darwin =
RUN.darwin = Tests/Darwin/check.py
TOOLS.dist = debootstrap ruby
define RUN.dist
Tests/dist/pack_test.py
Tests/dist/wheel_test.py "$(PROGRAM)"
Tests/dist/action_test.py "$(PROGRAM)"
Tests/dist/dist_test.sh .build/dist "$(PROGRAM)"
endef
web-test: node-test browser-test ## test the JavaScript library, with Node and in a browser
dist-test: dist
site-test: libraries
$(WITH_OTHERS:%=%-test): %-test: release ## test with others' programs, which it installs (Debian, PyPI)
	@Tests/install.sh $(TOOLS.$*)
	$(RUN.$*)

examples: release ## serve the example pages of the JavaScript library with tilesets to look at, and to filter; PORT=8000
	@Tests/install.sh leaflet maps airports
	python3 Tests/web/examples.py "$(PROGRAM)" .build/web $(or $(PORT),8000)

picture: release ## make the pictures of README.md and the articles anew
	@Tests/install.sh chromium leaflet airports quakes gifsicle pillow
	python3 Sources/Documentation/picture.py "$(PROGRAM)" .build/web Sources/Documentation/Pyramid.docc/Resources
	python3 Sources/Documentation/choosing.py "$(PROGRAM)" .build/web Sources/Documentation/Pyramid.docc/Resources

# The benchmarks are a package of their own; the program comes from the same build. The plan is made anew, or a file that is
# new in the main package goes unnoticed.
BENCHMARKS = swift build -c release --package-path Tests/Benchmarks --scratch-path .build/benchmarks
MEASURED = "$$bin/pyramid" "$$bin/PyramidBenchmarks"
RUN.bench. = "$$bin/PyramidBenchmarks" --pyramid "$$bin/pyramid" $(if $(POINTS),--sizes "$(POINTS)") $(if $(RUNS),--runs $(RUNS)) \
    $(if $(DISK),--disk "$(DISK)") $(if $(JSON),--json "$(JSON)") && python3 Tests/Benchmarks/places.py "$$bin/pyramid" .build/web
TOOLS.bench. = airports
TURNS = python3 Tests/Benchmarks/turns.py $(MEASURED) --points $(or $(POINTS),1000000) --runs $(or $(RUNS),5)
RUN.bench.before = $(TURNS) "$(BEFORE)" --threshold $(or $(THRESHOLD),1.1)
FIRSTVIEW = python3 Tests/Benchmarks/first_view.py "$$bin/pyramid" .build/web --runs $(or $(RUNS),3)
SPEED = python3 Tests/Benchmarks/speed.py $(MEASURED) Tests/Benchmarks/speed.json --runs $(or $(RUNS),3) $(if $(DISK),--disk "$(DISK)")
RUN.bench.speed = $(SPEED) --points $(or $(POINTS),1000000 10000000) && python3 Sources/Documentation/tables.py
RUN.bench.peers = $(SPEED) --points $(or $(POINTS),1000000) --peers && python3 Sources/Documentation/tables.py && $(FIRSTVIEW) && $(FIRSTVIEW) --points $(or $(POINTS),1000000) --only bundled maplibre --seconds 300
TOOLS.bench.peers = tippecanoe freestiler chromium leaflet markercluster maps airports
RUN.bench.spark = python3 Tests/spark/measure.py $(MEASURED) $(or $(POINTS),1000000)
TOOLS.bench.spark = java spark
RUN.bench.levels = "$$bin/PyramidBenchmarks" levels $(or $(INPUT),Input/airports.csv) --max-zoom $(or $(MAXZOOM),14)
RUN.bench.filter = python3 Tests/Benchmarks/filter_steps.py "$$bin/pyramid" .build/web --points $(or $(POINTS),1000000)
TOOLS.bench.filter = chromium leaflet
KIND = $(or $(WITH),$(if $(BEFORE),before))
bench: zlib ## measure; WITH=speed (the articles' tables), peers, filter, spark or levels, or beside BEFORE=program THRESHOLD=1.1; POINTS=1000000 RUNS=3 DISK=directory JSON=file
	@Tests/install.sh $(TOOLS.bench.$(KIND))
	rm -f .build/benchmarks/*.yaml
	$(BENCHMARKS)
	$(BENCHMARKS) --product pyramid
	@bin=$$($(BENCHMARKS) --show-bin-path); $(or $(RUN.bench.$(KIND)),$(error WITH is speed, peers, filter, spark or levels))

# With Swift's libraries in it, so that it runs where there is no Swift; macOS has them. Built apart, as all of it is
# compiled otherwise. Linked by the toolchain's own lld: others warn of an mktemp in Foundation that pyramid never calls.
PORTABLE = swift build -c release $(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib -Xswiftc -use-ld=lld) --scratch-path .build/dist-build --product pyramid
dist: zlib ## pack a release for this kind of machine: archive, Debian package, wheel, libraries for npm and PyPI; .build/dist
	@Sources/Distribution/pack.py check-release
	$(PORTABLE)
	Sources/Distribution/pack.py release "$$($(PORTABLE) --show-bin-path)/pyramid" .build/dist

# Without `zlib` before it: whether there are rights is the first question.
install: ## compile the program once more, for machines without Swift, and install it with man pages and completions; PREFIX=/usr/local DESTDIR=
	@Sources/Distribution/pack.py check-install "$(or $(PREFIX),/usr/local)" "$(DESTDIR)"
	@Tests/install.sh zlib
	$(PORTABLE)
	@Sources/Distribution/pack.py install "$$($(PORTABLE) --show-bin-path)/pyramid" "$(or $(PREFIX),/usr/local)" "$(DESTDIR)"

clean: ## remove what was built, also in Output/
	swift package clean
	rm -rf .build/tests .build/races
	find Output -mindepth 1 -maxdepth 1 ! -name README.md -exec rm -rf {} +

release: zlib
	swift build -c release --product pyramid
libraries: release
	swift build -c release

zlib:
	@Tests/install.sh zlib
