#!/usr/bin/env bash
# Cuts the power at the system calls of builds: of a small file system in a file, on which a build stands still at a call,
# the file is copied, which holds what has reached the disk by then and nothing else. On the copy, verify must take
# nothing for whole but the old pyramid or the new one, and the next build must make the new one. An archive must be whole
# at any time.
#
#     Tests/power-cut.sh PYRAMID [CUTS]
#
# PYRAMID is the program to test; the power is cut CUTS times for each shape of output, 50 unless given. Needs Linux, a C
# compiler and the right to mount.
set -euo pipefail
export LC_ALL=C.UTF-8

if [ $# -lt 1 ] || [ $# -gt 2 ] || [ ! -x "$1" ]; then
    echo "usage: Tests/power-cut.sh PYRAMID [CUTS]" >&2
    exit 64
fi
pyramid=$(realpath "$1")
cuts=${2:-50}
faults=$(realpath "$(dirname "$0")/Faults/faults.c")
work=$(mktemp -d /dev/shm/pyramid-power-cut.XXXXXX)
process=
clean_up() {
    [ -z "$process" ] || kill -9 "$process" 2>/dev/null || true
    umount "$work/disk" "$work/copy" 2>/dev/null || true
    rm -rf "$work"
}
trap clean_up EXIT
cd "$work"

mkdir disk copy
cc -shared -fPIC -o faults.so "$faults" -ldl

cat >old.txt <<'END'
Suva -18.1416 178.4419
Reykjavík 64.1466 -21.9426
Ushuaia -54.8 -68.3
Lagos 6.455 3.3841
END
cat >new.txt <<'END'
Suva -18.1416 178.4419
Reykjavik 64.1466 -21.9426
Lagos 6.455 3.3841
Sapporo 43.06 141.35
END
feature='{"type":"Feature","geometry":{"type":"Point","coordinates":[%s,%s]},"properties":{"name":"%s"}}\n'
options=(--max-zoom 3 --quiet --jobs 1)
for version in old new; do
    while read -r name latitude longitude; do
        # shellcheck disable=SC2059 # the format is in a variable
        printf "$feature" "$longitude" "$latitude" "$name"
    done <$version.txt >$version.ndjson
    "$pyramid" schema $version.ndjson >schema.json
    for part in 1/0/0 1/1/0 1/0/1 1/1/1; do
        "$pyramid" build $version.ndjson "$version-part-${part//\//-}" --part $part --cut-zoom 1 --schema schema.json \
            --bundle 3 "${options[@]}"
    done
done

fail() {
    echo "FAILED: $1" >&2
    exit 1
}

# arguments_of VERSION: what makes a version of the shape, without its output.
arguments_of() {
    arguments=(build "$1.ndjson" "${options[@]}")
    case $shape:$1 in
    bundled:* | bundling:new) arguments+=(--bundle 3) ;;
    joined:*) arguments=(join "$1"-part-* --quiet --jobs 1) ;;
    esac
}

# make VERSION OUTPUT
make() {
    arguments_of "$1"
    "$pyramid" "${arguments[@]}" "$2"
}

# cut CALL HOW: the build stands still at the call; before the cut the file system may have written nothing by itself,
# its journal (names and sizes), or everything.
cut() {
    local call=$1 how=$2 said what="$shape, call $1, $2"
    cp base.img disk.img
    mount -o loop,commit=1 disk.img disk
    : >calls
    arguments_of new
    FAULT=PAUSE FAULT_AT=$call FAULT_LOG=$work/calls LD_PRELOAD=./faults.so \
        "$pyramid" "${arguments[@]}" "disk/$name" &
    process=$!
    while kill -0 "$process" 2>/dev/null && [ "$(wc -l <calls)" -lt "$call" ]; do sleep 0.01; done
    if [ "$how" = journal ]; then sleep 1.5; elif [ "$how" = everything ]; then sync -f disk; fi
    cp disk.img copy.img
    kill -9 "$process" 2>/dev/null || true
    wait "$process" 2>/dev/null || true
    process=
    umount disk

    mount -o loop copy.img copy
    said=$("$pyramid" verify "copy/$name" --quiet) || true
    if [ -z "$said" ]; then
        diff -r "copy/$name" "old/$name" >/dev/null || diff -r "copy/$name" "new/$name" >/dev/null ||
            fail "$what: a mixture is sound"
        whole=$((whole + 1))
    else
        case $said in .building:*) marked=$((marked + 1)) ;; *) fail "$what: $said" ;; esac
    fi
    make new "copy/$name"
    diff -r "copy/$name" "new/$name" || fail "$what: the next build did not repair it"
    umount copy
}

# From tiles to tiles, from bundles to bundles with tiles above them, from tiles to bundles, from one archive to another;
# and bundles that are joined of parts.
for shape in plain bundled bundling archive joined; do
    name=out
    if [ $shape = archive ]; then name=out.pmtiles; fi
    rm -rf old new
    mkdir old new
    make old "old/$name"
    make new "new/$name"
    truncate -s 24M base.img
    mkfs.ext4 -q -F base.img
    if ! mount -o loop base.img disk 2>/dev/null; then
        echo "no power is cut: that needs the right to mount"
        exit 0
    fi
    cp -R "old/$name" disk
    # How many calls there are, on another copy.
    : >calls
    cp -R old counted
    arguments_of new
    FAULT=NONE FAULT_LOG=$work/calls LD_PRELOAD=./faults.so "$pyramid" "${arguments[@]}" "counted/$name"
    rm -rf counted
    umount disk

    calls=$(wc -l <calls) marked=0 whole=0
    hows=(nothing journal everything)
    for ((number = 0; number < cuts; number++)); do cut $((1 + number * calls / cuts)) "${hows[number % 3]}"; done
    echo "$shape: of $calls calls the power was cut at $cuts: $marked were marked, $whole whole, all were repaired"
    if [ $shape != archive ] && { [ $marked = 0 ] || [ $whole = 0 ]; }; then fail "$shape: nothing was cut in the middle"; fi
done
