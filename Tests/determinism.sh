#!/usr/bin/env bash
# Builds the same data over and over, with the rows shuffled, with other numbers of jobs and by every method, and
# compares the pyramids byte by byte.
#
#     Tests/determinism.sh PYRAMID [DATASETS]
#
# PYRAMID is the program to test. With a number of DATASETS, so many of random rows are built instead, cold and, after
# random edits, in place of each other.
set -euo pipefail
export LC_ALL=C

if [ $# -lt 1 ] || [ $# -gt 2 ] || [ ! -x "$1" ]; then
    echo "usage: Tests/determinism.sh PYRAMID [DATASETS]" >&2
    exit 64
fi
pyramid=$1
datasets=${2:-0}
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

# shuffle SEED FILE [EDITS]: the header, then the rows in another order. A row with a quoted newline stays whole. With
# EDITS, one row in so many is left out, one gets another name, and one comes twice, the second time somewhere else.
shuffle() {
    awk -v state="$1" -v edits="${3:-0}" "$random"'
        function edit(row,   longitude, place) {
            if (!edits) { rows[++count] = row; return }
            if (random(edits) == 0) return
            if (random(edits) == 0) row = "edited " row
            rows[++count] = row
            if (random(edits) == 0) {
                place = sprintf("moved,%.6f,%.6f,", random(360000000) / 1000000 - 180, random(160000000) / 1000000 - 80)
                rows[++count] = place random(1000) ","
            }
        }
        {
            row = open ? row "\n" $0 : $0
            if (gsub(/"/, "\"") % 2) open = !open
            if (open) next
            if (header) edit(row)
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
# generate SEED TOWNS SHARE: with so many towns, and that share of the rest.
generate() {
    awk -v state="$1" -v towns="$2" -v share="$3" "$random"'
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
            for (town = 1; town <= towns; town++) {
                east = -170 + random(230000) / 1000
                north = -35 + random(105000) / 1000
                for (i = 0; i < 200; i++) {
                    across = (random(1000) + random(1000) - random(2000)) / 4000
                    along = (random(1000) + random(1000) - random(1500)) / 6000
                    write("town " town " no. " i, east + across, north + along, i % 3 ? "" : word)
                }
            }
            for (i = 0; i < 5000 * share; i++)
                write("place " i, random(360000000) / 1000000 - 180, random(165000000) / 1000000 - 80, "")
            for (i = 0; i < 1500 * share; i++)
                write("strait " i, (random(2) ? 179.9 : -180) + random(100000) / 1000000, \
                    -20 + random(30000000) / 1000000, "")
            for (i = 0; i < 300 * share; i++) write("ice " i, random(300000) / 1000 - 150, 84 + random(6000) / 1000, "")
            for (i = 0; i < 200 * share; i++) print "pile " i ",-17.444061,14.693702," i ","
            for (i = 0; i < 20 * share; i++) {
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

# campaign NUMBER: three versions of a dataset, each an edit of the one before.
campaign() {
    local number=$1 version jobs shuffled=$work/shuffled.csv other=$work/other rows=
    local methods=(anchors/anchor anchors/centroid grid/centroid grid/nearest grid/inset)
    local contents=("" "--accumulate-attribute weight:sum --count-by note:1" "--parents --scale"
        "--members 4 --member-properties name,weight" "--min-points 3 --priority weight" "--min-zoom 2 --cluster-maxzoom 3")
    local method=${methods[number % 5]}
    local options=(--method "${method%/*}" --position "${method#*/}" --max-zoom $((5 + number % 4)))
    # Bundles not with --parents, whose numbers are even.
    local shapes=("" "--bundle 7" "--format mvt" "--bundle 60")
    # shellcheck disable=SC2206 # several words each
    options+=(${contents[number % 6]} ${shapes[number % 4]})

    generate $((1000 + 37 * number)) $((2 + number % 5)) 0.1 >"$work/1.csv"
    shuffle $((2000 + number)) "$work/1.csv" 12 >"$work/2.csv"
    shuffle $((3000 + number)) "$work/2.csv" 30 >"$work/3.csv"
    for version in 1 2 3; do
        build "$work/clean-$version" "$work/$version.csv" --jobs 1 "${options[@]}"
        "$pyramid" verify "$work/clean-$version" --quiet
        rows="$rows $(wc -l <"$work/$version.csv" | tr -d ' ')"
    done
    if diff -rq "$work/clean-1" "$work/clean-2" >/dev/null || diff -rq "$work/clean-2" "$work/clean-3" >/dev/null; then
        echo "NOT DIFFERENT: the versions of dataset $number" >&2
        exit 1
    fi
    for jobs in 1 2 7; do
        for version in 1 2 3; do
            shuffle $((number + 10 * version + jobs)) "$work/$version.csv" >"$shuffled"
            build "$other" "$shuffled" --jobs "$jobs" "${options[@]}"
            same "dataset $number, version $version cold, --jobs $jobs" "$other" "$work/clean-$version" >>"$work/log"
        done
        # In place, and at last back to the first version.
        for version in 1 2 3 1; do
            shuffle $((7 * number + version + jobs)) "$work/$version.csv" >"$shuffled"
            build "$work/place" "$shuffled" --jobs "$jobs" "${options[@]}"
            cp -R "$work/place" "$other"
            same "dataset $number, version $version in place, --jobs $jobs" "$other" "$work/clean-$version" >>"$work/log"
        done
        rm -rf "$work/place"
    done
    echo "same: dataset $number, lines$rows, ${options[*]}"
    rm -rf "$work"/clean-*
}

if [ "$datasets" -gt 0 ]; then
    for ((number = 1; number <= datasets; number++)); do campaign "$number"; done
    echo "all $(wc -l <"$work/log" | tr -d ' ') pyramids are the same as clean ones"
    exit
fi

generate 20117 60 1 >"$work/generated.csv"
echo "generated $(wc -l <"$work/generated.csv" | tr -d ' ') lines"
check capitals "$input/capitals.csv"
check airports "$input/airports.csv"
check generated "$work/generated.csv" --max-zoom 8
echo "all pyramids are the same"
