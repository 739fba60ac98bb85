#!/usr/bin/env bash
# Builds the fuzz targets with the address sanitizer and runs each for a while: run.sh [SECONDS] [TARGET ...]
# What is found goes on with what earlier runs found, in .build/fuzzing; an input that breaks something is kept there.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-60}
targets=("${@:2}")
[ ${#targets[@]} -gt 0 ] || targets=(csv geojson tile mvt gunzip archive)

seeds=Tests/Fuzzing/Seeds
scratch=.build/fuzzing
# The gold linker fails on what the sanitizers add to the debug information.
linker=()
[ "$(uname -s)" = Darwin ] || linker=(-Xswiftc -use-ld=lld)
# The plan is made anew, or a file that is new in the main package goes unnoticed.
rm -f "$scratch"/*.yaml
# Release, because it is 20 times as fast; it still stops at overflows and bounds. The tests of internals need testing.
swift build --package-path Tests/Fuzzing --scratch-path "$scratch" -c release --product Fuzz \
    -Xswiftc -enable-testing -Xswiftc -sanitize=fuzzer,address ${linker[@]+"${linker[@]}"}

# Swift's own crash handler trips over the sanitizer's stack, and can hang.
export SWIFT_BACKTRACE=enable=no

mkdir -p "$scratch"/corpus/{csv,geojson,tile,mvt,gunzip,archive}
for seed in "$seeds"/{csv,geojson,tile}/*; do
    gzip -cn "$seed" >"$scratch/corpus/gunzip/$(basename "$(dirname "$seed")")-$(basename "$seed")"
done

for target in "${targets[@]}"; do
    dictionary=$seeds/json.dict
    own=("$seeds/$target")
    leaks=1
    case $target in
    # Reading an input allocates what Swift keeps for good, so libFuzzer would look for leaks after every run, which takes
    # four fifths of the time.
    csv) dictionary=$seeds/csv.dict leaks=0 ;;
    geojson) leaks=0 ;;
    mvt | archive) dictionary='' ;;
    gunzip) dictionary='' own=() ;;
    esac
    echo "== $target, $seconds s"
    log=$scratch/$target.log
    "$scratch/release/Fuzz" "$target" -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=2048 \
        -detect_leaks="$leaks" -artifact_prefix="$scratch/$target-" -print_final_stats=1 ${dictionary:+-dict="$dictionary"} \
        "$scratch/corpus/$target" ${own[@]+"${own[@]}"} >"$log" 2>&1 || {
        tail -n 60 "$log"
        exit 1
    }
    grep -E 'number_of_executed_units|new_units_added|peak_rss_mb' "$log"
done
