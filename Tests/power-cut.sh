#!/usr/bin/env bash
# Cuts the power at the system calls of builds: of a small file system in a file, on which a build stands still at a call,
# the file is copied, which holds what has reached the disk by then and nothing else. On the copy, verify must take
# nothing for whole but the old pyramid or the new one, and the next build must make the new one. An archive must be whole
# at any time.
#
#     Tests/power-cut.sh PYRAMID [STEP]
#
# PYRAMID is the program to test; every STEP-th call is tried. Needs Linux, a C compiler and the right to mount.
set -euo pipefail
export LC_ALL=C.UTF-8

if [ $# -lt 1 ] || [ $# -gt 2 ] || [ ! -x "$1" ]; then
    echo "usage: Tests/power-cut.sh PYRAMID [STEP]" >&2
    exit 64
fi
pyramid=$(realpath "$1")
step=${2:-1}
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
truncate -s 24M base.img
mkfs.ext4 -q -F base.img
if ! mount -o loop base.img disk 2>/dev/null; then
    echo "no power is cut: that needs the right to mount"
    exit 0
fi

printf 'name,lat,lon\nSuva,-18.1416,178.4419\nReykjavík,64.1466,-21.9426\nUshuaia,-54.8,-68.3\nLagos,6.455,3.3841\n' >old.csv
printf 'name,lat,lon\nSuva,-18.1416,178.4419\nReykjavik,64.1466,-21.9426\nLagos,6.455,3.3841\nSapporo,43.06,141.35\n' >new.csv

options=(--max-zoom 3 --quiet --jobs 1)

# build DIRECTORY VERSION [OPTION...]
build() { "$pyramid" build "$2.csv" "$1" "${options[@]}" "${@:3}"; }

build old old
cp -R old disk/out
build old.pmtiles old
cp old.pmtiles disk/out.pmtiles
umount disk

fail() {
    echo "FAILED: $1" >&2
    exit 1
}

# cut CALL HOW: the build stands still at the call; before the cut the file system may have written nothing by itself,
# its journal (names and sizes), or everything.
cut() {
    local call=$1 how=$2 said what="$suffix, call $1, $2${bundles[*]:+, ${bundles[*]}}"
    cp base.img disk.img
    mount -o loop,commit=1 disk.img disk
    : >calls
    FAULT=PAUSE FAULT_AT=$call FAULT_LOG=$work/calls LD_PRELOAD=./faults.so \
        "$pyramid" build new.csv "disk/out$suffix" "${options[@]}" "${bundles[@]}" &
    process=$!
    while kill -0 "$process" 2>/dev/null && [ "$(wc -l <calls)" -lt "$call" ]; do sleep 0.01; done
    if [ "$how" = journal ]; then sleep 1.5; elif [ "$how" = everything ]; then sync -f disk; fi
    cp disk.img copy.img
    kill -9 "$process" 2>/dev/null || true
    wait "$process" 2>/dev/null || true
    # The build ran to its end where it has fewer calls.
    if [ "$(wc -l <calls)" -lt "$call" ]; then at_end=true; fi
    process=
    umount disk

    mount -o loop copy.img copy
    said=$("$pyramid" verify "copy/out$suffix" --quiet) || true
    if [ -z "$said" ]; then
        diff -r "copy/out$suffix" "old$suffix" >/dev/null || diff -r "copy/out$suffix" "new$suffix" >/dev/null ||
            fail "$what: a mixture is sound"
        whole=$((whole + 1))
    else
        case $said in .building:*) marked=$((marked + 1)) ;; *) fail "$what: $said" ;; esac
    fi
    build "copy/out$suffix" new "${bundles[@]}"
    diff -r "copy/out$suffix" "new$suffix" || fail "$what: the next build did not repair it"
    umount copy
}

# From tiles to tiles, from tiles to bundles with tiles above them, and from one archive to another.
marked=0 whole=0
for shape in "" "--bundle 3" .pmtiles; do
    suffix='' bundles=()
    case $shape in
    .*) suffix=$shape ;;
    *) read -ra bundles <<<"$shape" ;;
    esac
    rm -rf "new$suffix"
    build "new$suffix" new "${bundles[@]}"
    for how in nothing journal everything; do
        at_end=false
        for ((call = 1; ; call += step)); do
            cut "$call" "$how"
            if $at_end; then break; fi
        done
    done
done
echo "the power was cut $((marked + whole)) times: $marked pyramids were marked, $whole whole, all were repaired"
