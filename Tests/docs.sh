#!/usr/bin/env bash
# Builds the articles and symbols of all library products that have articles into a static site, with the toolchain's own
# docc and without the network. Fails if a link in them leads nowhere.
#
# Usage: docs.sh [output directory]
set -euo pipefail
cd "$(dirname "$0")/.."
site=${1:-.build/docs}

docc=$(command -v docc || xcrun --find docc)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

swift build
binaries=$(swift build --show-bin-path)
target=$(swift -print-target-info | python3 -c 'import json, sys; print(json.load(sys.stdin)["target"]["triple"])')
sdk=()
if [ "$(uname -s)" = Darwin ]; then sdk=(-sdk "$(xcrun --show-sdk-path)"); fi
modules=$(swift package dump-package | python3 -c '
import json, sys
products = json.load(sys.stdin)["products"]
print(*(target for product in products if "library" in product["type"] for target in product["targets"]))')

archives=()
for module in $modules; do
    [ -d "Sources/$module/$module.docc" ] || continue
    mkdir "$work/$module"
    # A module that has been read from its library refers to the headers of zlib.
    swift symbolgraph-extract -module-name "$module" -target "$target" ${sdk[@]+"${sdk[@]}"} \
        -I "$binaries/Modules" -I Sources/CZlib -Xcc "-fmodule-map-file=$PWD/Sources/CZlib/module.modulemap" \
        -minimum-access-level public -output-dir "$work/$module"
    "$docc" convert "Sources/$module/$module.docc" --additional-symbol-graph-dir "$work/$module" \
        --fallback-display-name "$module" --fallback-bundle-identifier "$module" \
        --output-path "$work/$module.doccarchive" --diagnostics-file "$work/$module.json" >"$work/$module.log" 2>&1 \
        || { cat "$work/$module.log"; exit 1; }
    archives+=("$work/$module.doccarchive")
done

# docc also warns where a comment documents some parameters and not others, which is our style.
python3 - "$work"/*.json <<'PYTHON'
import json, sys
wrong = [finding for path in sys.argv[1:] for finding in json.load(open(path))["diagnostics"]
         if "is missing documentation" not in finding["summary"]]
for finding in wrong:
    source, line = finding.get("source", ""), finding.get("range", {}).get("start", {}).get("line", 0)
    print(f"{source.split('/Sources/')[-1]}:{line}: {finding['summary']}", file=sys.stderr)
sys.exit(1 if wrong else 0)
PYTHON

rm -rf "$site"
"$docc" merge "${archives[@]}" --synthesized-landing-page-name pyramid --output-path "$site"
echo "The documentation is in $site. To read it: python3 -m http.server --directory $site, then http://127.0.0.1:8000/documentation/"
