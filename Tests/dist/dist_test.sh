#!/usr/bin/env bash
# Installs a release in a clean Debian without Swift: the Debian package is installed, upgraded and removed, pip installs the
# wheel, the archive is unpacked. All must do what a program does that was built from source, byte for byte. Also tries the libraries for npm and
# PyPI. Needs root, debootstrap and a mirror of Debian in apt's sources; the Debian is kept in .build/debian for the next run.
#
# Usage: dist_test.sh RELEASE PROGRAM
#   RELEASE  a directory that pack.py has filled
#   PROGRAM  a program built from the same sources, with Swift's libraries on this machine
set -euo pipefail
cd "$(dirname "$0")/../.."
release=$(realpath "$1")
program=$(realpath "$2")
clean=.build/debian

if [ ! -e "$clean/usr/bin/python3" ]; then
    rm -rf "$clean"
    mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | head -n 1)
    echo "making a clean Debian in $clean"
    debootstrap --variant=minbase --include=python3-venv "$(. /etc/os-release; echo "$VERSION_CODENAME")" "$clean" "$mirror" >"$clean.log" 2>&1 \
        || { tail -n 20 "$clean.log"; rm -rf "$clean"; exit 1; }
fi

work=$(mktemp -d)
debian=$work/debian
server=
cleanup() {
    if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; fi
    umount "$debian/proc" "$debian/dev/null" 2>/dev/null || true
    rm -rf --one-file-system "$work"
}
trap cleanup EXIT

cp -a "$clean" "$debian"
mount -t proc proc "$debian/proc"
# Devices can't be made everywhere.
rm -f "$debian/dev/null"
touch "$debian/dev/null"
mount --bind /dev/null "$debian/dev/null"
cp -R Input "$debian/root/Input"
cp "$release"/*.deb "$release"/pyramid_clusters-*.whl "$release"/*.tar.gz "$debian/root"
inside=(env -i HOME=/root LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/root/venv/bin chroot "$debian")
inside() { "${inside[@]}" "$@"; }
inside_root() { inside sh -c 'cd /root && exec pyramid "$@"' sh "$@"; }
step() { printf -- '-- %s\n' "$*"; }
fail() { echo "dist-test: $*" >&2; exit 1; }
# Where CI is set, nothing is left out.
left_out() { if [ -n "${CI:-}" ]; then fail "$release has no $*"; else step "not tested, because it isn't there: $*"; fi; }
# dpkg's own notes aside; what else a package leaves behind would show.
files() { (cd "$debian" && find . -xdev \( -path ./proc -o -path ./root -o -path ./tmp -o -path ./var/lib/dpkg \
    -o -path ./var/log -o -path ./var/cache \) -prune -o -print | LC_ALL=C sort); }

(cd "$release" && sha256sum --check --quiet SHA256SUMS)
if inside sh -c 'command -v swift || ls /usr/lib/swift' >/dev/null 2>&1; then fail "there is Swift in the clean Debian"; fi

# What the program from source makes of the samples.
build() { # OUTPUT COMMAND...
    local output=$1
    shift
    for input in Input/*.csv; do
        local name
        name=$(basename "$input" .csv)
        "$@" build "$input" "$output/$name" --quiet
        "$@" build "$input" "$output/$name.pmtiles" --quiet
        "$@" build "$input" "$output/$name-bundled" --bundle 256 --quiet
        for tileset in "$name" "$name.pmtiles" "$name-bundled"; do "$@" verify "$output/$tileset" --quiet; done
    done
}
mkdir "$work/source"
build "$work/source" "$program"

try() { # where the program is expected
    [ "$(inside sh -c 'command -v pyramid')" = "$1" ] || fail "pyramid is not at $1"
    [ "$(inside pyramid --version)" = "$("$program" --version)" ] || fail "another version"
    rm -rf "$debian/root/out"
    mkdir "$debian/root/out"
    (cd "$debian/root" && build out inside_root)
    diff -r "$work/source" "$debian/root/out" || fail "other bytes than the program from source makes"
    # Not a function, whose process would not be the server's.
    "${inside[@]}" pyramid serve "/root/out/$sample" --port 0 >"$work/url" &
    server=$!
    for _ in $(seq 600); do [ -s "$work/url" ] && break; sleep 0.1; done
    python3 - "$(cat "$work/url")" <<'PYTHON'
import gzip, json, sys, urllib.request
read = lambda path: urllib.request.urlopen(urllib.request.Request(sys.argv[1] + path, headers={"Accept-Encoding": "gzip"})).read()
assert b"<html" in read("")
markers = json.loads(gzip.decompress(read("tiles/0/0/0.json")))["features"]
assert sum(marker["properties"].get("point_count", 1) for marker in markers) == json.loads(read("manifest.json"))["input"]["rows_accepted"]
PYTHON
    kill "$server"
    wait "$server" || true
    server=
}
sample=$(basename "$(ls Input/*.csv | head -n 1)" .csv)

files >"$work/before"
step "the Debian package is installed"
inside sh -c 'dpkg -i /root/*.deb' >"$work/log" 2>&1 || { cat "$work/log"; fail "can't be installed"; }
for path in share/man/man1/pyramid-build.1.gz share/bash-completion/completions/pyramid \
    share/zsh/vendor-completions/_pyramid share/fish/vendor_completions.d/pyramid.fish share/doc/pyramid-clusters/Options.md; do
    [ -s "$debian/usr/$path" ] || fail "/usr/$path is missing"
done
inside bash -c '. /usr/share/bash-completion/completions/pyramid && complete -p pyramid' >/dev/null
try /usr/bin/pyramid

step "it is upgraded"
dpkg-deb -R "$release"/*.deb "$work/newer"
sed -i 's/^Version: .*/Version: 999/' "$work/newer/DEBIAN/control"
dpkg-deb --root-owner-group -b "$work/newer" "$debian/root/newer.deb" >/dev/null
inside sh -c 'dpkg -i /root/newer.deb' >"$work/log" 2>&1 || { cat "$work/log"; fail "can't be upgraded"; }
[ "$(inside dpkg-query -W -f '${Version}' pyramid-clusters)" = 999 ] || fail "wasn't upgraded"
inside pyramid --version >/dev/null
[ -z "$(inside dpkg --verify pyramid-clusters)" ] || fail "files differ from the package's"

step "it is removed"
inside dpkg --purge pyramid-clusters >"$work/log" 2>&1 || { cat "$work/log"; fail "can't be removed"; }
files | diff "$work/before" - || fail "something is left behind"

step "pip installs the wheel into a virtual environment"
inside python3 -m venv /root/venv
inside sh -c 'pip install --quiet --no-index /root/pyramid_clusters-*.whl'
try /root/venv/bin/pyramid
rm -r "$debian/root/venv"

step "the archive is unpacked into /usr/local"
tar -xzf "$release"/pyramid-[0-9]*.tar.gz -C "$debian/usr/local" --strip-components=1 --no-same-owner
try /usr/local/bin/pyramid

if ls "$release"/pyramid-web-*.tgz >/dev/null 2>&1; then
    step "the JavaScript library is imported"
    mkdir -p "$work/web/node_modules/pyramid-web"
    tar -xzf "$release"/pyramid-web-*.tgz -C "$work/web/node_modules/pyramid-web" --strip-components=1
    (cd "$work/web" && node --input-type=module -e '
        import { Tileset } from "pyramid-web";
        import { leaflet } from "pyramid-web/pyramid-web.js";
        if (!Tileset || !leaflet.addMarkers) process.exit(1)')
    # The package's pyramid-web.js loads its other files.
    cmp "$release/pyramid-web.global.js" "$work/web/node_modules/pyramid-web/pyramid-web.global.js" || fail "pyramid-web.global.js is another in the package"
else
    left_out "JavaScript library"
fi
if ls "$release"/pyramid_spark-*.whl >/dev/null 2>&1; then
    step "the Python library's wheel is complete"
    python3 -m pip install --quiet --no-deps --target "$work/python" "$release"/pyramid_spark-*.whl
    diff -r -x __pycache__ Sources/PyramidSpark/pyramid_spark "$work/python/pyramid_spark"
else
    left_out "Python library"
fi
echo "dist-test: passed"
