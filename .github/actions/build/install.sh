#!/usr/bin/env bash
# Builds the program of this repository with Docker, unless it is in the cache, and puts it on the PATH of later steps.
# `install.sh digest` prints what its sources are, for the cache's key.
set -euo pipefail
cd "$(dirname "$0")/../../.."
if [ "${1:-}" = digest ]; then
    find Package.swift Makefile Tests/install.sh Sources -type f | LC_ALL=C sort | xargs -d '\n' sha256sum | sha256sum | cut -c 1-16
    exit
fi
cache=$HOME/.cache/pyramid
if [ ! -x "$cache/pyramid" ]; then
    docker build --file Sources/Distribution/Dockerfile --tag pyramid .
    mkdir -p "$cache"
    container=$(docker create pyramid)
    docker cp "$container:/usr/local/bin/pyramid" "$cache/pyramid"
    docker rm "$container"
fi
echo "$cache" >> "$GITHUB_PATH"
