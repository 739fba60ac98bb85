#!/usr/bin/env python3
"""Publishes tilesets to a real S3 server on this machine (moto) through the real aws, and compares what is there.

    Tests/publish/publish.py PYRAMID

Runs in the Python that has moto; needs aws and rclone. All requests go through a host that fails when it
is told to. Whatever happens, no manifest there names a file that isn't there, and nothing that is said has a secret in it.
"""

import concurrent.futures
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Tests"))

from failing_host import FailingHost  # noqa: E402
from loaded_aws import loaded_aws  # noqa: E402
from workshop import executable, expect, s3_server, tree  # noqa: E402

PYRAMID = os.path.abspath(sys.argv[1])
INPUT = ROOT / "Input"
SECRETS = {
    "AWS_ACCESS_KEY_ID": "AKIDABCDEFGHIJ",
    "AWS_SECRET_ACCESS_KEY": "secret-key-of-this-test",
    "AWS_SESSION_TOKEN": "session-token-of-this-test",
}
CACHED, FRESH = "public, max-age=300", "no-cache"


class Program:
    """A run of pyramid, which must end with this code and tell no secret."""

    def __init__(self, *arguments, code=0, **environment):
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
            # Not pipes, which an aws holds open whose program was killed.
            done = subprocess.run([PYRAMID, *map(str, arguments)], stdout=out, stderr=err, env={**os.environ, **environment}, timeout=600)
            self.out, self.err = (file.seek(0) or file.read() for file in (out, err))
        what = f"{' '.join(map(str, arguments))}: "
        expect(done.returncode == code, f"{what}exit code {done.returncode}, expected {code}: {self.err} {host.faulted}")
        expect(not any(secret in self.out + self.err for secret in SECRETS.values()), f"{what}a secret is told: {self.out} {self.err}")
        expect(not host.broken, f"{what}{host.broken}")

    def says(self, pattern):
        expect(re.search(pattern, self.err), f"expected {pattern}, found {self.err}")


class Place:
    """A destination of publishes."""

    def __init__(self, name, url=None):
        self.name, self.url = name, url or f"s3://points/{name}"

    def publish(self, tileset, *options, code=0, **environment):
        return Program("publish", tileset, self.url, "--endpoint-url", host.url, *options, code=code, **environment)

    def report(self, tileset, *options):
        """What a publish reports that succeeds."""
        host.fail()
        return json.loads(self.publish(tileset, "--quiet", "--json", *options).out)

    def keys(self):
        pages = s3.get_paginator("list_objects_v2").paginate(Bucket="points", Prefix=f"{self.name}/")
        return [found["Key"].removeprefix(f"{self.name}/") for page in pages for found in page.get("Contents", [])]

    def get(self, path, **options):
        """The body and the header fields of an answer."""
        answer = s3.get_object(Bucket="points", Key=f"{self.name}/{path}", **options)
        return answer["Body"].read(), answer["ResponseMetadata"]["HTTPHeaders"]

    def holds(self, tileset):
        """The files of a tileset are there, byte by byte, and nothing else."""
        found = {key: self.get(key)[0] for key in self.keys()}
        expect(found == tree(tileset), f"{self.url} differs from {tileset}: {sorted(found.keys() ^ tree(tileset).keys())[:9]}")

    def holds_versions(self, *tilesets):
        """The versions of these tilesets are there, and the TileJSON leads to the first; its folder."""
        found = json.loads(self.get("tilejson.json")[0])
        expect(len(found["versions"]) == len(tilesets) and found["tiles"][0].startswith(found["versions"][0] + "/tiles/"), f"{found}")
        files = {f"{version}/{path}": body for version, name in zip(found["versions"], tilesets) for path, body in tree(name).items()}
        there = {key: self.get(key)[0] for key in self.keys() if key != "tilejson.json"}
        expect(there == files, f"{sorted(there.keys() ^ files.keys())[:9]}")
        return found["versions"][0]

    def has_header(self, path, body, **expected):
        found, headers = self.get(path)
        values = {name: headers.get(name.replace("_", "-")) for name in expected}
        expect(values == expected and found == Path(body).read_bytes(), f"{path}: {values}, expected {expected}")


def changed():
    """The keys that were stored or deleted since the host was told to fail or not to, but for the notes of publishes."""
    return {key.removeprefix("points/") for key in host.changed if not key.rpartition("/")[2].startswith(".publishing")}


def build(rows, output, *options, max_zoom=3):
    Program("build", rows, output, "--quiet", "--max-zoom", max_zoom, *options)


def count_tiles(tileset):
    return sum(line.startswith("tiles/") for line in Path(tileset, "files.tsv").read_text().splitlines())


def difference(old, new):
    """The lines of `pyramid diff`."""
    return Program("diff", old, new, "--quiet", code=1).out.splitlines()


def publish_change(place, old, new):
    """Publishes what has changed, and nothing else; the paths."""
    report, paths = place.report(new), {line[2:] for line in difference(old, new)}
    expect(set(report["uploaded"]) == paths, f"uploaded {report['uploaded']}, expected {paths}")
    expect(changed() == {f"{place.name}/{path}" for path in paths}, f"stored {changed()}, expected {paths}")
    place.holds(new)
    return paths


def publish_removal(place, old, new):
    """Publishes a tileset that lacks files; how many."""
    count = sum(line.startswith("D") for line in difference(old, new))
    removed = place.report(new)["removed"]
    expect(0 < count == len(removed), f"{len(removed)} files were removed, expected {count}")
    place.holds(new)
    return count


def aws(script, only="*--recursive*"):
    """An aws between here and the program that does something when it uploads tiles, else what the real one does."""
    os.makedirs("shim", exist_ok=True)
    executable("shim/aws", f'#!/bin/bash\nif [[ "$*" == {only} ]]; then\n{script}\nfi\nexec "{REAL_AWS}" "$@"\n')
    return {"PATH": f"{os.getcwd()}/shim:{os.environ['PATH']}"}


# The steps. Each finds what the one before has left.


def first_upload():
    dry = place.publish("a", "--dry-run", "--quiet")
    expect(not changed(), f"a dry run has stored {changed()}")
    count = count_tiles("a") + 3
    expect(len(dry.out.splitlines()) == count, f"the dry run lists {len(dry.out.splitlines())} files, expected {count}")
    report = place.report("a")
    expect((len(report["uploaded"]), report["purge"]) == (count, []), f"{report}")
    place.holds("a")


def headers_of_a_get():
    tile = "tiles/0/0/0.json"
    place.has_header(tile, f"a/{tile}", content_type="application/geo+json", content_encoding="gzip", cache_control=CACHED)
    json.loads(gzip.decompress(place.get(tile)[0]))
    place.has_header("tilejson.json", "a/tilejson.json", content_type="application/json", content_encoding=None, cache_control=FRESH)
    place.has_header("files.tsv", "a/files.tsv", content_type="text/tab-separated-values; charset=utf-8")


def unchanged():
    expect(place.report("a")["uploaded"] == [] and not changed(), f"a publish of the same has stored {changed()}")


def one_row_changed():
    count = len(publish_change(place, "a", "row"))
    expect(count < 12, f"{count} files changed")


def deletion():
    publish_removal(place, "row", "fewer")


def bundles():
    bundle = next(path for path in place.report("bundled")["uploaded"] if path.startswith("bundles/"))
    place.holds("bundled")
    place.has_header(bundle, f"bundled/{bundle}", content_type="application/geo+json", content_encoding="gzip", cache_control=CACHED)
    changes = [path for path in publish_change(place, "bundled", "bundled-row") if path.startswith("bundles/")]
    expect(len(changes) == 1, f"bundles that changed: {changes}")
    count = publish_removal(place, "bundled-row", "fewer")
    all_bundles = Path("bundled-row/files.tsv").read_text().count("\nbundles/")
    expect(count >= all_bundles > 1, f"only {count} files were removed")


def an_archive():
    """One object, sent once, with what range clients need."""
    archives = Place("archives")
    report = archives.report("capitals.pmtiles")
    expect((len(report["uploaded"]), report["purge"]) == (1, []), f"{report}")
    archives.has_header("capitals.pmtiles", "capitals.pmtiles", content_type="application/vnd.pmtiles", content_encoding=None, cache_control=CACHED)
    start, headers = archives.get("capitals.pmtiles", Range="bytes=0-126")
    expect(start == Path("capitals.pmtiles").read_bytes()[:127] and "content-range" in headers, f"no part of the archive: {headers}")
    expect(archives.report("capitals.pmtiles")["uploaded"] == [] and not changed(), f"the same archive was sent: {changed()}")
    build("renamed.csv", "capitals.pmtiles")
    report = archives.report("capitals.pmtiles")
    expect((len(report["uploaded"]), len(report["purge"])) == (1, 1), f"{report}")
    expect(archives.keys() == ["capitals.pmtiles"], f"{archives.keys()}")
    expect(archives.get("capitals.pmtiles")[0] == Path("capitals.pmtiles").read_bytes(), "the archive is another one")


def killed_and_continued():
    """A killed publish holds the place until it is taken over, and leaves nothing behind."""
    killing = aws(f'"{REAL_AWS}" "$@"; kill -KILL $PPID; exit 1')
    place.publish("a", "--quiet", code=-9, **killing)
    expect(b'"owner"' in place.get(".publishing")[0], "no publish is under way")
    expect(place.get(".publishing-journal")[0].count(b"\ntiles/") > 1, "the journal lists no tiles")
    place.publish("a", code=75).says("has been publishing there since 20.*; if it has died, --take-over continues it")
    expect(place.report("a", "--take-over")["removed"] == [], "something was removed")
    place.holds("a")
    for killed in ("other", "bundled"):
        place.publish(killed, "--quiet", code=-9, **killing)
        place.report("fewer", "--take-over")
        place.holds("fewer")


def interrupted_and_continued():
    run = place.publish("other", "--quiet", code=130, **aws("kill -INT $PPID; sleep 3; touch survived"))
    time.sleep(4)
    expect(not os.path.exists("survived"), "aws went on after its publish was interrupted")
    run.says("stopped; 0 of .* continues from there")
    run = place.publish("other")
    run.says("uploaded")
    expect("https://cdn.example.org/points/tiles/0/0/0.json" in run.out.splitlines(), f"{run.out[:300]}")
    place.holds("other")


def waiting(tileset, code, before=""):
    """Begins a publish whose aws waits for a file named `go`; the future of its program."""
    for name in ("begun", "go"):
        Path(name).unlink(missing_ok=True)
    environment = aws(f"{before} touch '{os.getcwd()}/begun'; until [ -e '{os.getcwd()}/go' ]; do sleep 0.1; done")
    first = pool.submit(place.publish, tileset, "--quiet", code=code, **environment)
    while not os.path.exists("begun") and not first.done():
        time.sleep(0.05)
    return first


def two_at_the_same_time():
    first = waiting("a", 0)
    place.publish("row", code=75).says("has been publishing there since")
    Path("go").touch()
    first.result()
    place.holds("a")


def the_contract_with_aws():
    """What `publish` expects of each call, of the version that is there."""

    def call(*arguments, code=0):
        done = subprocess.run([AWS, "--endpoint-url", server, *arguments], capture_output=True, text=True)
        expect((done.returncode == 0) == (code == 0), f"{arguments}: exit code {done.returncode}, {done.stderr}")
        return done

    def api(operation, *arguments, code=0):
        out = call("s3api", operation, "--bucket", "points", "--output", "json", *arguments, code=code).stdout
        return json.loads(out) if out.strip() else None

    for name in ("b", "bb"):
        Path(f"contract/{name}").parent.mkdir(exist_ok=True)
        Path(f"contract/{name}").write_text(name)
    # A line for each file that is uploaded on standard output, for each that isn't on standard error.
    done = call("s3", "cp", "contract", "s3://points/contract", "--recursive", "--no-progress")
    expect((done.stdout.count("\n"), done.stderr) == (2, ""), f"{done}")
    done = call("s3", "cp", "contract", "s3://nowhere/contract", "--recursive", "--no-progress", code=1)
    expect((done.stdout, done.stderr.strip().count("\n")) == ("", 1), f"{done}")
    # A line for each key with its size.
    query = ("--output", "text", "--query", "Contents[].[Key,Size]", "--prefix")
    for prefix, expected in (("contract/b", "contract/b\t1\ncontract/bb\t2\n"), ("contract/c", "None\n")):
        listed = call("s3api", "list-objects-v2", "--bucket", "points", "--output", "json", *query, prefix).stdout
        expect(listed == expected, f"{prefix}: {listed}")
    answer = api("get-object", "--key", "contract/bb", "got")
    expect(Path("got").read_text() == "bb" and answer["ETag"], f"{answer}")
    expect(api("get-object", "--key", "contract/bb", "--range", "bytes=0-0", "got")["ContentRange"] == "bytes 0-0/2", "no range")
    api("get-object", "--key", "contract/c", "got", code=1)
    put = ("--key", "contract/b", "--body", "contract/bb")
    api("put-object", *put, "--if-none-match", "*", code=1)
    api("put-object", *put, "--if-match", answer["ETag"], code=1)
    tag = api("get-object", "--key", "contract/b", "got")["ETag"]
    expect(api("put-object", *put, "--if-match", tag)["ETag"] == answer["ETag"], "another tag of the same content")
    objects = {"Objects": [{"Key": key} for key in ("contract/b", "contract/bb", "contract/c")], "Quiet": True}
    Path("batch.json").write_text(json.dumps(objects))
    expect(not (api("delete-objects", "--delete", "file://batch.json") or {}).get("Errors"), "missing files are errors")
    expect(api("list-objects-v2", "--prefix", "contract/").get("Contents") is None, "something was left")


def an_aws_without_conditions():
    place.publish("row", "--quiet", **aws('echo "Unknown options: --if-match" >&2; exit 252', only="*--if-*"))
    place.holds("row")


def versions():
    """Each in a folder of its own, which caches may keep; going back is one small write."""
    versioned = Place("versions")
    for name, *older in (("a",), ("row", "a"), ("bundled", "row")):
        host.fail()
        versioned.report(name, "--versioned", "--keep", "1")
        version = versioned.holds_versions(name, *older)
    tile = next(path for path in tree("bundled") if path.startswith("bundles/"))
    year = "public, max-age=31536000, immutable"
    versioned.has_header(f"{version}/{tile}", f"bundled/{tile}", content_type="application/geo+json", content_encoding="gzip", cache_control=year)
    expect(versioned.get("tilejson.json")[1]["cache-control"] == FRESH, "caches keep the tilejson.json")
    expect(versioned.report("row", "--versioned", "--keep", "1")["uploaded"] == ["tilejson.json"], "more was uploaded than the tilejson.json")
    expect(changed() == {"versions/tilejson.json"}, f"stored {changed()}")
    versioned.holds_versions("row", "bundled")
    versioned.publish("fewer", "--versioned", "--quiet", code=-9, **aws(f'"{REAL_AWS}" "$@"; kill -KILL $PPID; exit 1'))
    versioned.report("row", "--versioned", "--keep", "1", "--take-over")
    versioned.holds_versions("row", "bundled")
    versioned.publish("row", code=73).says("holds versions of a tileset")


def a_failing_or_missing_aws():
    place.publish("a", "--quiet", code=74, **aws('echo "fatal error: no route to host" >&2; exit 1')).says("no route to host")
    Place("a", "s3://nowhere/a").publish("a", code=74).says("NoSuchBucket")
    os.mkdir("empty")
    place.publish("a", code=73, PATH=f"{os.getcwd()}/empty").says("aws is not installed")


def a_host_that_fails_now_and_then():
    failing = Place("failing")
    host.fail("* * 13n 503", "* * 17n lost", "* * 19n reset", "PUT * 23n 500", "PUT * 19n etag", "GET * 5 slow")
    # No request may fail as often in a row.
    failing.publish("bundled", "--json", AWS_MAX_ATTEMPTS="8")
    expect(len(host.faulted) >= 8, f"the host has failed only {len(host.faulted)} times")
    failing.holds("bundled")


def a_host_that_fails_for_good():
    """It is told, and the next publish continues."""
    failing = Place("failing")
    # Nobody waits for five minutes here.
    impatient = aws(f'exec "{REAL_AWS}" "$@" --cli-read-timeout 1', only="*")
    for tileset, faults, message in (
        ("bundled-row", ["GET */manifest.json 1 half"], "manifest.json: aws says"),
        (
            "fewer",
            ["PUT */tiles/* 2 403", "PUT */bundles/* 1 429"],
            "[0-9]+ of [1-9][0-9]* tiles are uploaded, and the next publish continues from there",
        ),
        ("fewer", ["PUT */manifest.json 1 lost"], "aws says: upload failed: .*manifest.json"),
        ("fewer", ["POST * 1 503"], "aws says.*SlowDown"),
        ("fewer", ["* * 1 silent"], "Read timeout"),
        ("fewer", ["* * 1 echo"], r"X-Amz-Security-Token=\*\*\*"),
    ):
        host.fail(*faults)
        more = impatient if faults[0].endswith("silent") else {}
        failing.publish(tileset, code=74, AWS_MAX_ATTEMPTS="1", **more).says(message)
    failing.report("fewer")
    failing.holds("fewer")


def a_host_that_fails_while_it_gets_an_archive():
    failing = Place("failing-archive")
    host.fail("PUT * 1 lost")
    failing.publish("capitals.pmtiles", code=74, AWS_MAX_ATTEMPTS="1").says("capitals.pmtiles")
    failing.publish("capitals.pmtiles").says("nothing to do")


def rclone():
    """To S3, to a directory, and to a host that doesn't let it look, which is not taken for an empty place."""
    remote = Place("r", f":s3,provider=Other,env_auth=true,endpoint='{host.url}':points/r")
    for name in ("a", "fewer"):
        Program("publish", name, remote.url, "--quiet")
        remote.holds(name)
        tile = "tiles/0/0/0.json"
        remote.has_header(tile, f"{name}/{tile}", content_type="application/geo+json", content_encoding="gzip")
        remote.has_header("tilejson.json", f"{name}/tilejson.json", cache_control=FRESH)
        Program("publish", name, f":local:{os.getcwd()}/local", "--quiet")
        expect(tree("local") == tree(name), f"rclone's directory differs from {name}")
    expect(json.loads(Program("publish", "fewer", remote.url, "--json", "--quiet").out)["uploaded"] == [], "the same was uploaded")
    # It lists the sizes of what is there.
    s3.delete_object(Bucket="points", Key=f"r/{tile}")
    Program("publish", "fewer", remote.url, "--check", "--quiet")
    remote.holds("fewer")
    versioned = Place("r-versions", remote.url + "-versions")
    for name, *older in (("a",), ("row", "a"), ("bundled", "row"), ("row", "bundled")):
        Program("publish", name, versioned.url, "--versioned", "--keep", "1", "--quiet")
        versioned.holds_versions(name, *older)
    for name in (".publishing", "manifest.json"):
        host.fail(f"HEAD */{name} 1-2 403", f"GET */{name} 1-2 403")
        Program("publish", "a", remote.url, code=74).says(f"r/{name}: rclone says")
        expect(not changed(), f"something was stored: {changed()}")
    host.fail()
    Program("publish", "a", remote.url)
    remote.holds("a")


AWS = shutil.which("aws") or sys.exit("Tests/publish/publish.py: aws is not installed")
with (
    tempfile.TemporaryDirectory(prefix="pyramid-publish.") as work,
    s3_server() as server,
    tempfile.TemporaryDirectory() as programs,
    loaded_aws(programs, AWS) as REAL_AWS,
    concurrent.futures.ThreadPoolExecutor() as pool,
):
    import boto3

    os.chdir(work)
    os.environ.update(SECRETS, RCLONE_CONFIG=os.devnull, PATH=f"{programs}:{os.environ['PATH']}")
    s3 = boto3.client("s3", endpoint_url=server)
    s3.create_bucket(Bucket="points")
    host, place = FailingHost(server), Place("a/b")
    capitals = (INPUT / "capitals.csv").read_text()
    Path("capitals.csv").write_text(capitals)
    Path("renamed.csv").write_text(capitals.replace("Riga", "Rigaa"))
    Path("fewer.csv").write_text(re.sub("^Wellington,.*\n", "", capitals, flags=re.M))
    for rows, output, *options in (
        ("capitals", "a"),
        ("renamed", "row"),
        ("fewer", "fewer"),
        ("capitals", "capitals.pmtiles"),
        ("capitals", "bundled", "--bundle", "8"),
        ("renamed", "bundled-row", "--bundle", "8"),
    ):
        build(f"{rows}.csv", output, *options)
    build(INPUT / "airports.csv", "other", "--base-url", "https://cdn.example.org/points")
    for step in (
        first_upload,
        headers_of_a_get,
        unchanged,
        one_row_changed,
        deletion,
        bundles,
        an_archive,
        killed_and_continued,
        interrupted_and_continued,
        two_at_the_same_time,
        the_contract_with_aws,
        versions,
        an_aws_without_conditions,
        a_failing_or_missing_aws,
        a_host_that_fails_now_and_then,
        a_host_that_fails_for_good,
        a_host_that_fails_while_it_gets_an_archive,
        rclone,
    ):
        began = time.monotonic()
        host.fail()
        step()
        print(f"{time.monotonic() - began:7.1f} s {step.__name__.replace('_', ' ')}", flush=True)
    os.chdir("/")
print("published all")
