#!/usr/bin/env bash
# Builds the same data over and over, with the rows shuffled, with other numbers of jobs and by every method, and
# compares the pyramids byte by byte.
#
#     Tests/determinism.sh PYRAMID
#
# PYRAMID is the program to test. Random data and options are for Tests/compare.py.
set -euo pipefail
export LC_ALL=C

if [ $# -ne 1 ] || [ ! -x "$1" ]; then
    echo "usage: Tests/determinism.sh PYRAMID" >&2
    exit 64
fi
pyramid=$1
input=$(cd "$(dirname "$0")/../Input" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/pyramid-determinism.XXXXXX")
trap 'rm -rf "$work"' EXIT

# Numbers that are the same on every machine: rand() of awk is not.
random='
    function random(below) {
        state = (state * 16807) % 2147483647
        return state % below
    }
'

# shuffle SEED FILE: the header, then the rows in another order. A row with a quoted newline stays whole.
shuffle() {
    awk -v state="$1" "$random"'
        {
            row = open ? row "\n" $0 : $0
            if (gsub(/"/, "\"") % 2) open = !open
            if (open) next
            if (header) rows[++count] = row
            else { header = 1; print row }
        }
        END {
            for (i = count; i > 1; i--) {
                j = 1 + random(i)
                row = rows[i]; rows[i] = rows[j]; rows[j] = row
            }
            for (i = 1; i <= count; i++) print rows[i]
        }
    ' "$2"
}

# Some 20,000 rows, more in the north-west than in the south-east: dense towns, places all over the map, places along
# the antimeridian, places beyond the map's upper edge, several points at one place, the same row twice, notes over two
# lines, and rows that can not be used.
#
# generate SEED
generate() {
    awk -v state="$1" "$random"'
        function write(name, longitude, latitude, note) {
            row = sprintf("%s,%.6f,%.6f,%d,%s", name, longitude, latitude, random(1000), note)
            print row
            if (random(40) == 0) print row
            if (random(40) == 0)
                printf "%s again,%.6f,%.6f,%d,\"the same place,\nanother row\"\n", name, longitude, latitude, random(9)
        }
        BEGIN {
            print "name,longitude,latitude,weight,note"
            word = "\"a \"\"quoted\"\" word, and a comma\""
            for (town = 1; town <= 60; town++) {
                east = -170 + random(230000) / 1000
                north = -35 + random(105000) / 1000
                for (i = 0; i < 200; i++) {
                    across = (random(1000) + random(1000) - random(2000)) / 4000
                    along = (random(1000) + random(1000) - random(1500)) / 6000
                    write("town " town " no. " i, east + across, north + along, i % 3 ? "" : word)
                }
            }
            for (i = 0; i < 5000; i++)
                write("place " i, random(360000000) / 1000000 - 180, random(165000000) / 1000000 - 80, "")
            for (i = 0; i < 1500; i++)
                write("strait " i, (random(2) ? 179.9 : -180) + random(100000) / 1000000, \
                    -20 + random(30000000) / 1000000, "")
            for (i = 0; i < 300; i++) write("ice " i, random(300000) / 1000 - 150, 84 + random(6000) / 1000, "")
            for (i = 0; i < 200; i++) print "pile " i ",-17.444061,14.693702," i ","
            for (i = 0; i < 20; i++) {
                print "no latitude " i ",12.5,," i ","
                print "off the earth " i ",12.5,9" i ".5," i ","
                print "not a number " i ",east,1.5," i ","
            }
        }
    '
}

# build OUTPUT FILE OPTION...
build() {
    local directory=$1 file=$2
    shift 2
    "$pyramid" build "$file" "$directory" --quiet --no-sync "$@" 2>"$work/messages" || {
        cat "$work/messages" >&2
        exit 1
    }
    if [ ! -f "$directory" ] && { [ ! -s "$directory/manifest.json" ] || \
        [ -z "$(find "$directory/tiles" "$directory/bundles" '(' -name '*.json' -o -name '*.mvt' ')' -print -quit 2>/dev/null)" ]; }
    then
        echo "nothing was built from $file into $directory" >&2
        exit 1
    fi
}

# same WHAT OUTPUT REFERENCE: the two must not differ in a single byte; removes the first.
same() {
    if ! diff -r "$3" "$2" >"$work/differences"; then
        echo "DIFFERENT: $1" >&2
        head -n 20 "$work/differences" >&2
        exit 1
    fi
    echo "same: $1, $(find "$2" -type f | wc -l | tr -d ' ') files"
    rm -rf "$2"
}

# different WHAT DIRECTORY DIRECTORY: the two must differ, else an option does nothing and the rest proves little.
different() {
    if diff -rq "$2" "$3" >/dev/null; then
        echo "NOT DIFFERENT: $1" >&2
        exit 1
    fi
    echo "different, as it should be: $1"
}

# check NAME FILE OPTION...: everything for one file.
check() {
    local name=$1 file=$2
    shift 2
    local reference=$work/$name-reference shuffled=$work/$name-shuffled.csv other=$work/$name-other
    local seed jobs method position combination shape options previous=

    build "$reference" "$file" --jobs 1 "$@"
    for jobs in 1 2 7; do
        build "$other" "$file" --jobs "$jobs" "$@"
        same "$name, --jobs $jobs once more" "$other" "$reference"
    done
    for seed in 11 222 3333; do
        shuffle "$seed" "$file" >"$shuffled"
        if cmp -s "$file" "$shuffled" || [ "$(wc -c <"$file")" -ne "$(wc -c <"$shuffled")" ]; then
            echo "$file was not shuffled well" >&2
            exit 1
        fi
        for jobs in 1 2 7; do
            build "$other" "$shuffled" --jobs "$jobs" "$@"
            same "$name, rows shuffled by $seed, --jobs $jobs" "$other" "$reference"
        done
    done

    for combination in anchors/anchor anchors/centroid grid/centroid grid/nearest grid/inset; do
        method=${combination%/*}
        position=${combination#*/}
        build "$work/$name-$method-$position" "$file" --jobs 1 --method "$method" --position "$position" "$@"
        build "$other" "$shuffled" --jobs 7 --method "$method" --position "$position" "$@"
        same "$name, $combination, rows shuffled, --jobs 7" "$other" "$work/$name-$method-$position"
        if [ -n "$previous" ]; then
            different "$name, $combination and $previous" \
                "$work/$name-$method-$position/tiles" "$work/$name-${previous%/*}-${previous#*/}/tiles"
        fi
        previous=$combination
    done

    # A reference that the next steps use, and shapes of their own.
    for shape in "bundles --bundle 40" "vector --format mvt" "archive.pmtiles --format geojson" "vector.pmtiles"; do
        read -r shape options <<<"$shape"
        # shellcheck disable=SC2086 # several words
        build "$work/$name-$shape" "$file" --jobs 1 $options "$@"
        for jobs in 2 7; do
            # shellcheck disable=SC2086 # several words
            build "$work/other-$shape" "$shuffled" --jobs "$jobs" $options "$@"
            same "$name, $shape, rows shuffled, --jobs $jobs" "$work/other-$shape" "$work/$name-$shape"
        done
    done

    # A pyramid that takes another one's place leaves nothing of it behind.
    build "$work/$name-grid-nearest" "$shuffled" --jobs 2 "$@"
    same "$name, built over another pyramid" "$work/$name-grid-nearest" "$reference"
    build "$work/$name-grid-inset" "$shuffled" --jobs 2 --bundle 40 "$@"
    same "$name, bundles built over tiles" "$work/$name-grid-inset" "$work/$name-bundles"
    build "$work/$name-bundles" "$shuffled" --jobs 2 "$@"
    same "$name, tiles built over bundles" "$work/$name-bundles" "$reference"
    rm -rf "$work/$name"-*
}

generate 20117 >"$work/generated.csv"
echo "generated $(wc -l <"$work/generated.csv" | tr -d ' ') lines"
check capitals "$input/capitals.csv"
check airports "$input/airports.csv"
check generated "$work/generated.csv" --max-zoom 8
echo "all pyramids are the same"
