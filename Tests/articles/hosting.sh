#!/usr/bin/env bash
# Starts web servers with the very configuration of the article Hosts.md, and looks at what they answer.
#
#     Tests/articles/hosting.sh PYRAMID [SERVER ...]
#
# PYRAMID is the program to test; a server is nginx, caddy or apache2, by default all that are installed. Needs curl and
# python3.
set -euo pipefail
export LC_ALL=C

if [ $# -lt 1 ] || [ ! -x "$1" ]; then
    echo "usage: Tests/articles/hosting.sh PYRAMID [SERVER ...]" >&2
    exit 64
fi
pyramid=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
PATH=$PATH:/usr/sbin
if [ $# -eq 0 ]; then
    for name in nginx caddy apache2; do
        if command -v "$name" >/dev/null; then set -- "$@" "$name"; fi
    done
    [ $# -gt 0 ] || { echo "none of nginx, caddy and apache2 is installed" >&2; exit 69; }
fi
here=$(cd "$(dirname "$0")/../.." && pwd)
article=$here/Sources/Documentation/Pyramid.docc/Guides/Hosts.md
work=$(mktemp -d "${TMPDIR:-/tmp}/pyramid-hosting.XXXXXX")
chmod 755 "$work"
server=
stop() {
    if [ -n "$server" ]; then
        kill "$server" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
        server=
    fi
}
trap 'echo "Tests/articles/hosting.sh: line $LINENO failed" >&2' ERR
trap 'stop; rm -rf "$work"' EXIT
cd "$work"
fail() { echo "FAILED: $*" >&2; exit 1; }

port=$(PYTHONPATH=$here/Tests python3 -c 'import workshop; print(workshop.free_port())')
url=http://127.0.0.1:$port/points

# block LANGUAGE: the code block in a language, with the paths and the port of this test.
block() {
    PYTHONPATH=$here/Tests python3 -c 'import sys; from workshop import code_blocks
[(_, code)] = code_blocks(*sys.argv[1:])
print(code, end="")' "$article" "$1" | sed "s,/srv/www,$work/www,g; s,^:8080,http://127.0.0.1:$port,; s,\*:8080,127.0.0.1:$port,; s, 8080, 127.0.0.1:$port,"
}

# start COMMAND ...: starts a server for www.
start() {
    "$@" >server.log 2>&1 &
    server=$!
    for _ in $(seq 600); do
        if curl -s -o /dev/null "http://127.0.0.1:$port/"; then return; fi
        kill -0 "$server" || break
        sleep 0.1
    done
    cat server.log >&2
    fail "$1 did not start"
}

# The ending of the tiles.
suffix=.json

# serve COMMAND ...: starts a server for a tileset.
serve() {
    rm -rf out www
    "$pyramid" build "$here/Input/capitals.csv" out --quiet --max-zoom 4 --bundle 40 --tile-suffix $suffix
    "$pyramid" publish out www/points --quiet
    printf '{"type":"FeatureCollection","features":[]}' >www/empty.geojson
    start "$@"
}

# check_version: the same for a tileset in the folder of its version.
check_version() {
    local root=$url
    rm -rf www/points
    "$pyramid" publish out www/points --quiet --versioned
    url=$root/$(python3 -c 'import json; print(json.load(open("www/points/tilejson.json"))["tiles"][0].split("/")[-5])')
    check
    url=$root
}

# serve_archive COMMAND ...: starts a server for an archive.
serve_archive() {
    rm -rf www
    mkdir www
    "$pyramid" build "$here/Input/capitals.csv" www/points.pmtiles --quiet --max-zoom 4
    # Apache's ETags are weak for files of this second.
    touch -d '1 minute ago' www/points.pmtiles
    start "$@"
}

# serve_mvt COMMAND ...: the same for MVT tiles, with a configuration that mvt has changed.
serve_mvt() {
    rm -rf out www
    "$pyramid" build "$here/Input/capitals.csv" out --quiet --max-zoom 4 --format mvt
    "$pyramid" publish out www/points --quiet
    : >www/empty.mvt
    start "$@"
}

# mvt: what the article says is to be changed for MVT tiles.
mvt() {
    sed '/tiles/,/^\(    \|\t\)[}<]/ s,application/geo+json,application/vnd.mapbox-vector-tile,
        /@empty {/,/^    }/ s,application/geo+json,application/vnd.mapbox-vector-tile,
        s,return 200 .*,return 204;,; s,respond .*,respond 204,; s,empty.geojson,empty.mvt,'
}

# gunzip: what the article says is to be changed for clients that don't accept gzip.
gunzip() {
    local lines
    lines=$(sed -n 's/.*`\(rewrite [^`]*gunzip on;\)`.*/\1/p' "$article")
    [ -n "$lines" ] || fail "the article has no lines with gunzip"
    python3 -c 'import sys; print(sys.stdin.read().replace("add_header Content-Encoding gzip;", sys.argv[1]))' "$lines"
}

# check_mvt: what every configuration must do for MVT tiles.
check_mvt() {
    get tiles/0/0/0.mvt 200 -H 'Accept-Encoding: gzip'
    has 'content-type: application/vnd.mapbox-vector-tile'
    has 'content-encoding: gzip'
    has 'cache-control: public, max-age=300'
    has 'access-control-allow-origin: \*'
    cmp body out/tiles/0/0/0.mvt
    rm -f body
    get tiles/4/0/0.mvt "$1"
    [ ! -s body ] || fail "a missing tile is $(cat body)"
    has 'access-control-allow-origin: \*'
    get tilejson.json 200
    has 'content-type: application/json'
}

# get PATH STATUS [OPTION ...]: a body and headers.
get() {
    local status
    status=$(curl -s -o body -D raw -w '%{http_code}' "${@:3}" "$url/$1")
    tr -d '\r' <raw >headers
    [ "$status" = "$2" ] || fail "$1: status $status, expected $2: $(cat headers)"
}
has() { grep -qix "$1" headers || fail "expected $1, found $(cat headers)"; }
lacks() { if grep -qi "^$1:" headers; then fail "expected no $1, found $(cat headers)"; fi; }

# check: what every configuration must do.
check() {
    get tiles/0/0/0$suffix 200 -H 'Accept-Encoding: gzip'
    has 'content-type: application/geo+json'
    has 'content-encoding: gzip'
    has 'cache-control: public, max-age=300'
    has 'access-control-allow-origin: \*'
    cmp body "out/tiles/0/0/0$suffix"
    [ "$(grep -ci '^cache-control' headers)" = 1 ] || fail "two cache controls: $(cat headers)"
    get tiles/0/0/0$suffix 200 --compressed
    "$pyramid" show out 0/0/0 | python3 -c 'import json, sys; assert json.load(sys.stdin) == json.load(open("body"))'
    etag=$(sed -n 's/^etag: //Ip' headers)
    if [ -n "$etag" ]; then get tiles/0/0/0$suffix 304 --compressed -H "If-None-Match: $etag"; else fail "no ETag"; fi

    get tiles/4/0/0$suffix 200 --compressed
    [ "$(cat body)" = '{"type":"FeatureCollection","features":[]}' ] || fail "a missing tile is $(cat body)"
    has 'content-type: application/geo+json'
    has 'access-control-allow-origin: \*'
    has 'cache-control: public, max-age=300'
    lacks content-encoding
    get tiles/9/300/17$suffix 200

    bundle=$(cd out && find bundles -type f | sort | head -1)
    get "$bundle" 200 -H 'Accept-Encoding: gzip'
    has 'content-type: application/geo+json'
    has 'content-encoding: gzip'
    has 'cache-control: public, max-age=300'
    has 'access-control-allow-origin: \*'
    cmp body "out/$bundle"
    # A bundle that is missing is no empty tile.
    get bundles/4/0/0$suffix 404

    get tilejson.json 200
    has 'content-type: application/json'
    has 'cache-control: no-cache'
    has 'access-control-allow-origin: \*'
    lacks content-encoding
    cmp body out/tilejson.json
    get files.tsv 200
    grep -qi '^content-type: text/tab-separated-values' headers || fail "$(cat headers)"
    get nothing.json 404
}

# check_archive: what clients of archives need.
check_archive() {
    local size etag
    size=$(wc -c <www/points.pmtiles)
    url=http://127.0.0.1:$port
    get points.pmtiles 206 -H 'Range: bytes=5-20' -H 'Accept-Encoding: gzip, br' -H 'Origin: https://example.org'
    cmp body <(tail -c +6 www/points.pmtiles | head -c 16)
    has 'content-type: application/vnd.pmtiles'
    has 'content-length: 16'
    has "content-range: bytes 5-20/$size"
    has 'cache-control: public, max-age=300'
    has 'access-control-allow-origin: \*'
    has 'access-control-expose-headers: ETag, Content-Range'
    lacks content-encoding
    etag=$(sed -n 's/^etag: \("[^"]*"\)$/\1/Ip' headers)
    [ -n "$etag" ] || fail "no strong ETag: $(cat headers)"
    get points.pmtiles 206 -H 'Range: bytes=0-0' -H "If-Match: $etag"
    get points.pmtiles 206 -H 'Range: bytes=0-0' -H "If-Range: $etag"
    get points.pmtiles 200 -H 'Range: bytes=0-0' -H 'If-Range: "other"'
    get points.pmtiles 412 -H 'Range: bytes=0-0' -H 'If-Match: "other"'
    get points.pmtiles 416 -H "Range: bytes=$size-$((size + 9))"
    get points.pmtiles 200 -H 'Accept-Encoding: gzip, br'
    lacks content-encoding
    cmp body www/points.pmtiles
    # Browsers that don't count Range among the harmless headers ask before.
    status=$(curl -s -o /dev/null -D headers -w '%{http_code}' -X OPTIONS -H 'Origin: https://example.org' \
        -H 'Access-Control-Request-Method: GET' -H 'Access-Control-Request-Headers: range' "$url/points.pmtiles")
    tr -d '\r' <headers >lines && mv lines headers
    case $status in 200 | 204) ;; *) fail "OPTIONS is answered with $status" ;; esac
    has 'access-control-allow-origin: \*'
    has 'access-control-allow-headers: Range, If-Match'
    url=http://127.0.0.1:$port/points
}

nginx_with() {
    {
        echo "daemon off; pid $work/nginx.pid; error_log $work/error.log; worker_processes 1;"
        [ "$(id -u)" != 0 ] || echo "user root;"
        echo "events { }"
        # Debian's types know .json, which must not become that of tiles.
        echo "http { access_log off; $([ ! -f /etc/nginx/mime.types ] || echo "include /etc/nginx/mime.types;")"
        echo " client_body_temp_path $work/t1; proxy_temp_path $work/t2; fastcgi_temp_path $work/t3;"
        echo "uwsgi_temp_path $work/t4; scgi_temp_path $work/t5;"
        block nginx | ${filter:-cat}
        echo "}"
    } >nginx.conf
    "$@" nginx -c "$work/nginx.conf"
}

caddy_with() {
    { echo "{"; echo "admin off"; echo "auto_https off"; echo "}"; block caddy | ${filter:-cat}; } >Caddyfile
    HOME=$work XDG_DATA_HOME=$work XDG_CONFIG_HOME=$work "$@" caddy run --config Caddyfile --adapter caddyfile
}

apache_with() {
    modules=/usr/lib/apache2/modules
    {
        echo "ServerRoot $work"
        echo "ServerName localhost"
        echo "PidFile $work/apache.pid"
        echo "ErrorLog $work/error.log"
        echo "Mutex file:$work default"
        for module in mpm_event authz_core mime dir headers env; do
            echo "LoadModule ${module}_module $modules/mod_$module.so"
        done
        echo "TypesConfig /dev/null"
        [ "$(id -u)" != 0 ] || printf 'User www-data\nGroup www-data\n'
        block apache | ${filter:-cat}
    } >apache.conf
    "$@" apache2 -D FOREGROUND -f "$work/apache.conf"
}

for name in "$@"; do
    echo "-- $name"
    case $name in
    nginx)
        nginx_with serve
        check
        check_version
        stop
        filter=mvt nginx_with serve_mvt
        check_mvt 204
        stop
        suffix=.json.gz filter=gunzip nginx_with serve
        suffix=.json.gz check
        for path in tiles/0/0/0.json tiles/0/0/0.json.gz; do
            get $path 200
            lacks content-encoding
            python3 -c 'import json; json.load(open("body"))'
        done
        stop
        nginx_with serve_archive
        check_archive
        ;;
    caddy)
        caddy_with serve
        check
        check_version
        stop
        filter=mvt caddy_with serve_mvt
        check_mvt 204
        stop
        caddy_with serve_archive
        check_archive
        ;;
    apache2)
        apache_with serve
        check
        check_version
        stop
        filter=mvt apache_with serve_mvt
        check_mvt 200
        stop
        apache_with serve_archive
        check_archive
        ;;
    *) fail "no server is called $name" ;;
    esac
    stop
done
echo "served by $*"
