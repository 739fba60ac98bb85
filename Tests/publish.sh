#!/usr/bin/env bash
# Publishes pyramids to a real S3 server on this machine (moto) through the real aws, and compares what is there.
#
#     Tests/publish.sh PYRAMID
#
# PYRAMID is the program to test. Needs aws, moto_server, curl and python3 on the PATH; rclone is tested where it is
# installed.
set -euo pipefail
export LC_ALL=C

if [ $# -ne 1 ] || [ ! -x "$1" ]; then
    echo "usage: Tests/publish.sh PYRAMID" >&2
    exit 64
fi
pyramid=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
input=$(cd "$(dirname "$0")/../Input" && pwd)
failing_host=$(cd "$(dirname "$0")" && pwd)/failing_host.py
work=$(mktemp -d "${TMPDIR:-/tmp}/pyramid-publish.XXXXXX")
servers=()
trap 'echo "Tests/publish.sh: line $LINENO failed" >&2' ERR
trap 'kill "${servers[@]}" 2>/dev/null || true; rm -rf "$work"' EXIT
cd "$work"

# No configuration and no credentials of this machine's user take part.
export AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test AWS_DEFAULT_REGION=us-east-1
export AWS_CONFIG_FILE=/dev/null AWS_SHARED_CREDENTIALS_FILE=/dev/null
export RCLONE_CONFIG=/dev/null no_proxy='*'
unset AWS_CA_BUNDLE AWS_PROFILE AWS_SESSION_TOKEN AWS_ENDPOINT_URL

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
endpoint=http://127.0.0.1:$port
moto_server -H 127.0.0.1 -p "$port" >moto.log 2>&1 &
servers+=($!)
for _ in $(seq 100); do
    if curl -s -o /dev/null "$endpoint/moto-api/"; then break; fi
    sleep 0.2
done
curl -fsS -o /dev/null "$endpoint/moto-api/" || { cat moto.log >&2; exit 1; }
s3() { aws --endpoint-url "$endpoint" "$@"; }
s3 s3api create-bucket --bucket points >/dev/null
s3 s3api put-bucket-policy --bucket points --policy '{"Version": "2012-10-17", "Statement": [
    {"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::points/*"}]}'

destination=s3://points/a/b
publish() { "$pyramid" publish "$@" "$destination" --endpoint-url "$endpoint" --quiet --json; }
fail() { echo "FAILED: $*" >&2; exit 1; }
step() { printf '%s\n' "-- $*"; }

# is FILE KEY COUNT: how many paths stand under a key of the JSON.
is() {
    local found
    found=$(python3 -c 'import json, sys; print(len(json.load(open(sys.argv[1]))[sys.argv[2]]))' "$1" "$2")
    [ "$found" = "$3" ] || fail "$2: $found files, expected $3"
}

# objects: key, size, MD5 and time of every object but the notes of publishes.
objects() {
    s3 s3api list-objects-v2 --bucket points --output text \
        --query 'sort_by(Contents, &Key)[].[Key, Size, ETag, LastModified]' | grep -v '^[^[:space:]]*/\.publishing'
}

# same DIRECTORY: the bucket holds the files of a pyramid, byte by byte, and nothing else but the status of publishes.
same() {
    rm -rf "$work/there"
    s3 s3 cp "$destination" "$work/there" --recursive --only-show-errors
    diff -r -x '.publishing*' "$1" "$work/there" || fail "the bucket differs from $1"
}

# header KEY NAME VALUE: what a GET answers.
header() {
    curl -fsS -o body -D headers "$endpoint/${destination#s3://}/$1"
    tr -d '\r' <headers | grep -qix "$2: $3" || fail "$1: expected $2: $3, found $(cat headers)"
}

build() { "$pyramid" build "$1" "$2" --quiet --max-zoom 5 "${@:3}"; }
build "$input/capitals.csv" a
sed 's/Riga/Rigaa/' "$input/capitals.csv" >renamed.csv
build renamed.csv row
grep -v '^Suva,' "$input/capitals.csv" >fewer.csv
build fewer.csv fewer
build "$input/airports.csv" other --base-url https://cdn.example.org/points
tiles() { grep -c '^tiles/' "$1/files.tsv"; }

step "first upload"
"$pyramid" publish a "$destination" --endpoint-url "$endpoint" --dry-run --quiet >dry.txt
[ -z "$(s3 s3 ls "$destination" --recursive)" ] || fail "a dry run has uploaded something"
[ "$(wc -l <dry.txt)" = $(($(tiles a) + 3)) ] || fail "the dry run lists $(wc -l <dry.txt) files"
publish a >out.json
is out.json uploaded $(($(tiles a) + 3))
is out.json purge 0
same a

step "headers of a GET"
header tiles/0/0/0.json content-type application/geo+json
header tiles/0/0/0.json content-encoding gzip
header tiles/0/0/0.json cache-control 'public, max-age=300'
cmp body a/tiles/0/0/0.json
curl -fsS --compressed "$endpoint/points/a/b/tiles/0/0/0.json" | python3 -c 'import json, sys; json.load(sys.stdin)'
header tilejson.json content-type application/json
header tilejson.json cache-control no-cache
grep -qi '^content-encoding' headers && fail "tilejson.json has a content encoding"
header files.tsv content-type 'text/tab-separated-values; charset=utf-8'

step "unchanged"
objects >before.txt
publish a >out.json
is out.json uploaded 0
objects | cmp - before.txt || fail "a publish of the same has touched objects"

step "one row changed"
publish row >out.json
"$pyramid" diff a row --quiet | cut -c3- | sort >changed.txt || true
[ "$(wc -l <changed.txt)" -lt 12 ] || fail "$(wc -l <changed.txt) files changed"
python3 -c 'import json; print("\n".join(json.load(open("out.json"))["uploaded"]))' | sort | cmp - changed.txt
objects | comm -13 before.txt - | cut -f1 | sed 's,^a/b/,,' | sort | cmp - changed.txt
same row

step "deletion"
publish fewer >out.json
removed=$("$pyramid" diff row fewer --quiet | grep -c '^D' || true)
[ "$removed" -gt 0 ] || fail "nothing was removed"
is out.json removed "$removed"
same fewer

step "pages of clusters' points"
build "$input/capitals.csv" leaves --leaves
sed "s/Managua/Managuaa/" "$input/capitals.csv" >page.csv
build page.csv leaves-row --leaves
publish leaves >out.json
same leaves
page=$(python3 -c 'import json; print(next(p for p in json.load(open("out.json"))["uploaded"] if p.startswith("leaves/")))')
header "$page" content-type application/geo+json
header "$page" content-encoding gzip
header "$page" cache-control 'public, max-age=300'
cmp body "leaves/$page"
objects >before.txt
publish leaves-row >out.json
"$pyramid" diff leaves leaves-row --quiet | cut -c3- | sort >changed.txt || true
[ "$(grep -c '^leaves/' changed.txt)" = 1 ] || fail "pages that changed: $(grep '^leaves/' changed.txt)"
python3 -c 'import json; print("\n".join(json.load(open("out.json"))["uploaded"]))' | sort | cmp - changed.txt
objects | comm -13 before.txt - | cut -f1 | sed 's,^a/b/,,' | sort | cmp - changed.txt
same leaves-row
publish fewer >out.json
removed=$("$pyramid" diff leaves-row fewer --quiet | grep -c '^D' || true)
[ "$removed" -gt "$(grep -c '^leaves/' leaves-row/files.tsv)" ] || fail "only $removed files were removed"
is out.json removed "$removed"
same fewer

step "an archive: one object, sent once, with what range clients need"
destination=s3://points/archives
build "$input/capitals.csv" capitals.pmtiles
publish capitals.pmtiles >out.json
is out.json uploaded 1
is out.json purge 0
header capitals.pmtiles content-type application/vnd.pmtiles
header capitals.pmtiles cache-control 'public, max-age=300'
grep -qi '^content-encoding' headers && fail "the archive has a content encoding"
cmp body capitals.pmtiles
curl -fsS -r 0-126 -o start -D headers "$endpoint/points/archives/capitals.pmtiles"
head -c 127 capitals.pmtiles | cmp - start
grep -q ' 206' headers || fail "no part of the archive: $(cat headers)"
objects >before.txt
publish capitals.pmtiles >out.json
is out.json uploaded 0
objects | cmp - before.txt || fail "a publish of the same archive has touched objects"
build renamed.csv capitals.pmtiles
publish capitals.pmtiles >out.json
is out.json uploaded 1
is out.json purge 1
s3 s3 cp "$destination/capitals.pmtiles" there.pmtiles --only-show-errors
cmp there.pmtiles capitals.pmtiles
[ "$(s3 s3 ls "$destination/" | wc -l)" = 1 ] || fail "there is more than the archive: $(s3 s3 ls "$destination/")"
destination=s3://points/a/b

# Between here and the program stands an aws that does something to the program when it uploads tiles.
mkdir shim
real=$(command -v aws)
shim() {
    printf '#!/bin/bash\nif [[ "$*" == *--recursive* ]]; then\n%s\nfi\nexec "%s" "$@"\n' "$1" "$real" >shim/aws
    chmod +x shim/aws
}
interrupted() {
    local code=0
    # The shell's own word about a program that was killed is of no interest.
    {
        PATH=$work/shim:$PATH "$pyramid" publish "$1" "$destination" --endpoint-url "$endpoint" --quiet \
            >/dev/null 2>error.txt || code=$?
    } 2>/dev/null
    [ "$code" = "$2" ] || fail "exit code $code, expected $2: $(cat error.txt)"
}

step "killed after the tiles, continued"
shim "\"$real\" \"\$@\"; kill -KILL \$PPID; exit 1"
interrupted a 137
s3 s3 cp "$destination/.publishing" - | grep -q '"active"' || fail "no publish is under way"
s3 s3 ls "$destination/.publishing-" >/dev/null || fail "there is no journal"
publish a >out.json
is out.json removed 0
same a

step "killed with one pyramid, continued with another"
interrupted other 137
publish fewer >out.json
same fewer

step "killed with pages, continued without"
interrupted leaves 137
publish fewer >out.json
same fewer

step "interrupted, continued"
shim "kill -INT \$PPID; sleep 5; touch '$work/survived'"
interrupted other 130
sleep 6
[ ! -e survived ] || fail "aws went on after its publish was interrupted"
grep -q 'stopped; 0 of .* continues from there' error.txt || fail "$(cat error.txt)"
"$pyramid" publish other "$destination" --endpoint-url "$endpoint" >urls.txt 2>summary.txt
grep -q uploaded summary.txt
grep -qx https://cdn.example.org/points/tiles/0/0/0.json urls.txt || fail "$(head -3 urls.txt)"
same other

step "killed in the middle of the tiles, after a note of what is there"
shim "\"$real\" \"\$@\" | while read -r line; do
    echo \"\$line\"
    count=\$((count + 1))
    if [ \$count = 100 ]; then sleep 6; fi
    [ \$count = 110 ] || continue
    until \"$real\" --endpoint-url $endpoint s3 cp $destination/.publishing - | grep -q 'settled.:.0,'; do sleep 1; done
    kill -KILL \$PPID
    exit 1
done"
publish fewer >out.json
[ "$(tiles other)" -gt 150 ] || fail "only $(tiles other) tiles"
interrupted other 137
publish other >out.json
uploaded=$(python3 -c 'import json; print(len(json.load(open("out.json"))["uploaded"]))')
[ "$uploaded" -le $(($(tiles other) + 3 - 101)) ] || fail "$uploaded files were uploaded again"
same other

step "two at the same time, from one machine: the second is refused"
shim "touch '$work/begun'; until [ -e '$work/go' ]; do sleep 0.1; done"
(interrupted a 0) &
first=$!
until [ -e begun ]; do sleep 0.1; done
code=0
publish row >out.json 2>error2.txt || code=$?
[ "$code" = 75 ] && grep -q 'on this machine is publishing there' error2.txt || fail "$code: $(cat error2.txt)"
touch go
wait "$first"
same a

if unshare --uts hostname elsewhere 2>/dev/null; then
    step "two at the same time, from two machines: the first is overtaken, the next one repairs all"
    # before the upload: the first finds out at its end; after it: at once, and nothing is left to repair
    for when in before after; do
        rm -f begun go
        upload=
        if [ $when = after ]; then upload="\"$real\" \"\$@\";"; fi
        shim "$upload touch '$work/begun'; until [ -e '$work/go' ]; do sleep 0.1; done"
        (interrupted other 75) &
        first=$!
        until [ -e begun ]; do sleep 0.1; done
        unshare --uts sh -c 'hostname elsewhere && exec "$0" "$@"' \
            "$pyramid" publish fewer "$destination" --endpoint-url "$endpoint" --quiet >/dev/null
        same fewer
        touch go
        wait "$first"
        grep -q 'another publish has begun there' error.txt || fail "$(cat error.txt)"
        publish fewer >out.json
        same fewer
        # Nothing is in doubt any more.
        publish fewer >out.json
        is out.json uploaded 0
    done
fi

step "an aws that knows no conditions"
printf '#!/bin/bash\nif [[ "$*" == *--if-* ]]; then echo "Unknown options: --if-match" >&2; exit 252; fi\nexec "%s" "$@"\n' \
    "$real" >shim/aws
interrupted row 0
same row
[ -z "$(s3 s3 ls "$destination/.publishing")" ] || fail "a status is left: $(s3 s3 ls "$destination/")"

step "a failing aws, a missing bucket, a missing aws"
shim 'echo "fatal error: no route to host" >&2; exit 1'
interrupted a 74
grep -q 'no route to host' error.txt || fail "$(cat error.txt)"
"$pyramid" publish a s3://nowhere/a --endpoint-url "$endpoint" >/dev/null 2>error.txt && fail "there is no such bucket"
grep -q NoSuchBucket error.txt || fail "$(cat error.txt)"
mkdir empty
code=0
PATH=$work/empty "$pyramid" publish a "$destination" >/dev/null 2>error.txt || code=$?
[ "$code" = 73 ] && grep -q 'aws is not installed' error.txt || fail "$code: $(cat error.txt)"

# From here on the host fails as it is told. Whatever happens, no manifest there names a file that isn't there, and nothing
# that is said or stored has a secret in it.
touch faults log
python3 "$failing_host" "$port" faults log >failing-port 2>failing-host.log &
servers+=($!)
for _ in $(seq 100); do [ -s failing-port ] && break; sleep 0.1; done
failing=http://127.0.0.1:$(cat failing-port)
failing() { printf '%s\n' "$@" >faults; }
secrets=(AKIDABCDEFGHIJ secret-key-of-this-test session-token-of-this-test)

# attempt CODE OPTIONS: the exit code of a publish; what it says is in out.txt and error.txt.
attempt() {
    local code=0
    AWS_ACCESS_KEY_ID=${secrets[0]} AWS_SECRET_ACCESS_KEY=${secrets[1]} AWS_SESSION_TOKEN=${secrets[2]} \
        "$pyramid" publish "${@:2}" >out.txt 2>error.txt || code=$?
    [ "$code" = "$1" ] || fail "exit code $code, expected $1: $(cat error.txt log)"
    ! grep -q BROKEN log || fail "$(grep BROKEN log)"
    for secret in "${secrets[@]}"; do
        ! grep -qF "$secret" out.txt error.txt || fail "a secret is told: $(cat out.txt error.txt)"
    done
}
said() { grep -q "$1" error.txt || fail "expected $1: $(cat error.txt)"; }
build "$input/capitals.csv" bundled --bundle 8
build renamed.csv bundled-row --bundle 8

step "a host that fails now and then"
destination=s3://points/failing
# No request may fail as often in a row.
export AWS_MAX_ATTEMPTS=8
failing '* * 13n 503' '* * 17n lost' '* * 19n reset' 'PUT * 23n 500' 'PUT * 19n etag' 'GET * 5 slow'
attempt 0 bundled $destination --endpoint-url "$failing" --json
[ "$(wc -l <log)" -ge 8 ] || fail "the host has failed only $(wc -l <log) times"
same bundled

step "a host that fails for good: it is told, and the next publish continues"
export AWS_MAX_ATTEMPTS=1
failing 'GET */manifest.json 1 half'
attempt 74 bundled-row $destination --endpoint-url "$failing"
said 'manifest.json: aws says'
failing 'PUT */tiles/* 2 403' 'PUT */bundles/* 1 429'
attempt 74 fewer $destination --endpoint-url "$failing"
said '[1-9][0-9]* of [1-9][0-9]* tiles and pages are uploaded, and the next publish continues from there'
failing 'PUT */manifest.json 1 lost'
attempt 74 fewer $destination --endpoint-url "$failing"
said 'manifest.json: aws says'
failing 'POST * 1 503'
attempt 74 fewer $destination --endpoint-url "$failing"
said 'aws says.*SlowDown'
failing '* * 1 silent'
# Nobody waits for five minutes here.
printf '#!/bin/sh\nexec "%s" "$@" --cli-read-timeout 1\n' "$real" >shim/aws
PATH=$work/shim:$PATH attempt 74 fewer $destination --endpoint-url "$failing"
said 'Read timeout'
failing '* * 1 echo'
attempt 74 fewer $destination --endpoint-url "$failing"
said 'X-Amz-Security-Token=\*\*\*'
failing '* none 1 500'
attempt 0 fewer $destination --endpoint-url "$failing"
same fewer

step "a host that fails while it gets an archive"
destination=s3://points/failing-archive
failing 'PUT * 1 lost'
attempt 74 capitals.pmtiles $destination --endpoint-url "$failing"
said 'capitals.pmtiles'
attempt 0 capitals.pmtiles $destination --endpoint-url "$failing"
grep -q 'nothing to do' error.txt || fail "$(cat error.txt)"
unset AWS_MAX_ATTEMPTS

if command -v rclone >/dev/null; then
    step "rclone, to S3 and to a directory"
    destination=s3://points/r
    remote=":s3,provider=Other,env_auth=true,endpoint='$endpoint':points/r"
    for name in a fewer; do
        "$pyramid" publish $name "$remote" --quiet >/dev/null
        same $name
        header tiles/0/0/0.json content-encoding gzip
        header tiles/0/0/0.json content-type application/geo+json
        header tilejson.json cache-control no-cache
        "$pyramid" publish $name ":local:$work/local" --quiet >/dev/null
        diff -r $name local | grep -v '^Only in local' && fail "rclone's directory differs from $name"
    done
    "$pyramid" publish fewer "$remote" --json --quiet >out.json
    is out.json uploaded 0

    step "rclone, and a host that doesn't let it look"
    # Not taken for an empty place, where nothing would have to be removed.
    remote=":s3,provider=Other,access_key_id=${secrets[0]},secret_access_key=${secrets[1]},endpoint='$failing':points/failing-rclone"
    destination=s3://points/failing-rclone
    failing '* none 1 500'
    attempt 0 fewer "$remote"
    objects >before.txt
    for name in .publishing manifest.json; do
        failing "HEAD */$name 1-2 403" "GET */$name 1-2 403"
        attempt 74 a "$remote"
        said "failing-rclone/$name: rclone says"
    done
    objects | cmp - before.txt || fail "something was uploaded"
    failing '* none 1 500'
    attempt 0 a "$remote"
    same a
fi
echo "published all"
