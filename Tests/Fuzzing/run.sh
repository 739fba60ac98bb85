#!/usr/bin/env bash
# Builds the fuzz targets with the address sanitizer and runs each for a while: run.sh [SECONDS] [TARGET ...]
# What is found goes on with what earlier runs found, in .build/fuzzing; an input that breaks something is kept there.
#
# Seeds are what WrittenSeeds.swift makes, and a choice of what earlier runs found, the few inputs that reach the most code:
# run.sh --minimise [TARGET ...] makes this choice anew, of all seeds and of all that was found since.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-50}
targets=("${@:2}")
[ ${#targets[@]} -gt 0 ] || targets=(csv geojson tile mvt gunzip archive lists tilejson manifest forgery part partwise http)

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

# The checks leave files behind where they end the process.
TMPDIR=$(mktemp -d)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT

fuzz() { # target, arguments of libFuzzer
    local dictionary='' leaks=1 bytes=4096
    case $1 in
    # Reading an input allocates what Swift keeps for good, so libFuzzer would look for leaks after every run, which takes
    # four fifths of the time.
    csv | partwise) dictionary=csv.dict leaks=0 ;;
    geojson) dictionary=json.dict leaks=0 ;;
    tile | tilejson) dictionary=json.dict ;;
    forgery) leaks=0 bytes=33 ;;
    manifest | part | archive) dictionary=json.dict leaks=0 bytes=8192 ;;
    http) dictionary=http.dict leaks=0 ;;
    esac
    TARGET=$1 "$scratch/release/Fuzz" -max_len=$bytes -timeout=30 -rss_limit_mb=2048 -detect_leaks=$leaks \
        -artifact_prefix="$scratch/$1-" -print_final_stats=1 ${dictionary:+-dict="$seeds/$dictionary"} "${@:2}" \
        >"$scratch/$1.log" 2>&1 || {
        tail -n 60 "$scratch/$1.log"
        exit 1
    }
}

for target in "${targets[@]}"; do
    corpus=$scratch/corpus/$target written=$scratch/written/$target
    rm -rf "$written"
    mkdir -p "$corpus" "$written" "$seeds/$target"
    TARGET=$target SEEDS=$written ASAN_OPTIONS=detect_leaks=0 "$scratch/release/Fuzz"
    [ -n "$(find "$written" "$seeds/$target" -type f -print -quit)" ] || { echo "$target has no seeds" >&2; exit 1; }
    if [ "$seconds" = --minimise ]; then
        rm -rf "$scratch/minimised"
        mkdir "$scratch/minimised"
        # What the first folder has already counts as reached.
        cp -r "$written/." "$scratch/minimised"
        fuzz "$target" -set_cover_merge=1 -use_counters=0 "$scratch/minimised" "$seeds/$target" "$corpus"
        (cd "$written" && find . -type f) | (cd "$scratch/minimised" && xargs -r rm)
        # The first reach the most: at most 60 stay, of 64 kB.
        ls -tr "$scratch/minimised" | (
            count=0 bytes=0
            while read -r name; do
                count=$((count + 1)) bytes=$((bytes + $(wc -c <"$scratch/minimised/$name")))
                [ $count -le 60 ] && [ $bytes -le 65536 ] || rm "$scratch/minimised/$name"
            done
        )
        rm -rf "${seeds:?}/$target"
        mv "$scratch/minimised" "$seeds/$target"
        echo "== $target: $(find "$seeds/$target" -type f | wc -l) seeds"
    else
        echo "== $target, $seconds s"
        fuzz "$target" -max_total_time="$seconds" "$corpus" "$written" "$seeds/$target"
        grep -E 'number_of_executed_units|new_units_added|peak_rss_mb' "$scratch/$target.log"
    fi
done
