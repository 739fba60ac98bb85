#!/usr/bin/env python3
"""Runs PyramidSpark on a cluster of one master and two workers, processes of this machine that listen on loopback only.

    Tests/spark/cluster_test.py PYRAMID

PYRAMID is the path of the program to test, built from these sources; its tilesets are compared byte by byte with those that it builds
from the same rows by itself. Needs Java 17 or later, pyspark, pyarrow, moto and aws.
"""

import concurrent.futures
import contextlib
import csv
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from unittest import mock

import package
from cluster import Cluster
from pyramid_spark import OptionError, ProgramError, build
from pyramid_spark import options as option_rules
from pyramid_spark import rows as row_rules
from pyramid_spark.columns import Columns
from pyspark.sql import functions
from workshop import differences, executable, free_port, s3_server

PROGRAM = str(Path(sys.argv.pop(1)).resolve())
ROWS = 30_000
# Tasks are so short here that Java's optimizing compiler costs more than it saves.
os.environ["JAVA_TOOL_OPTIONS"] = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
OPTIONS = {"max_zoom": 10, "rows_per_part": ROWS // 8, "join_markers": ROWS}

# Runs the program and notes the parts that it builds, but does what the files of a folder say first: z-x-y.KIND.NUMBER, once each.
TROUBLE = """#!{python}
import os, pathlib, sys, time
arguments = sys.argv[1:]
if arguments[0] == "build" and arguments[1] == "-":
    with open({noted!r}, "a") as file:
        file.write(arguments[arguments.index("--part") + 1] + "\\n")
    tile = arguments[arguments.index("--part") + 1].replace("/", "-")
    for file in sorted(pathlib.Path({folder!r}).glob(tile + ".*.*")):
        kind = file.name.split(".")[1]
        file.unlink()
        if kind == "fail":
            # Another part is finished by then, however busy the machine is.
            for _ in range(600):
                if any(pathlib.Path(arguments[2]).parent.glob("[0-9]*.part")):
                    break
                time.sleep(0.1)
            sys.exit("told to fail")
        if kind == "hang":
            pathlib.Path({folder!r}, "hanging").write_text(str(os.getpid()))
            time.sleep(60)
            sys.exit("was not killed")
        while kind == "wait" and pathlib.Path({noted!r} + ".wait").exists():
            time.sleep(0.1)
os.execv({program!r}, [{program!r}, *arguments])
"""


# Builds what it is told with Spark Connect, and once more with a program that fails. Prints the cores and the error.
CONNECTED = """
import json, sys
from pyramid_spark import ProgramError, build
from pyramid_spark.survey import count_cores
from pyspark.sql import SparkSession
url, path, out, program, failing, options = sys.argv[1:]
df = SparkSession.builder.remote(url).getOrCreate().read.parquet(path)
options = dict(json.loads(options), longitude="lon", latitude="lat")
build(df.unionAll(df.filter("number between 20 and 40")), out, pyramid=program, **options)
try:
    build(df, out + "-failing", pyramid=failing, **options)
except ProgramError as error:
    print(json.dumps([count_cores(df), str(error)]))
"""


def places(count):
    """Points all over the world, at its edges, in a town, and at one place; some rows have no usable place, some no values; one column has none at all,
    and one only where there is no place."""
    source = random.Random(15)
    table = []
    for number in range(count):
        kind = number % 10
        longitude, latitude = source.uniform(-180, 180), source.uniform(-88, 88)
        if kind in (1, 2):
            longitude, latitude = (source.gauss(180, 0.4) + 180) % 360 - 180, source.gauss(-17, 0.5)
        elif kind in (3, 4, 5):
            longitude, latitude = source.gauss(11.5, 0.4), source.gauss(48.1, 0.2)
        elif kind in (6, 7):
            longitude, latitude = source.gauss(-0.1, 0.02), source.gauss(51.5, 0.01)
        elif number % 100 == 8:
            longitude, latitude = source.choice(
                [
                    (None, 1.5),
                    (2.5, None),
                    (180.5, 3.0),
                    (275.25, -41.0),
                    (360.0000004, 12.5),
                    (360.5, 3.0),
                    (180.0000003, 3.0),
                    (-180.0000007, 3.0),
                    (-200.25, 21.0),
                    (-360.0000004, -9.5),
                    (-360.5, 3.0),
                    (4.0, -90.5),
                    (float("nan"), 5.0),
                    (180.0, 85.2),
                    (6.0, 90.0),
                    (7.5, 8.5),
                ]
            )
        price = round(source.uniform(1, 500), 2) if number % 7 else None
        table.append(
            (
                number,
                longitude,
                latitude,
                f'Café "{number % 13}"\n',
                source.choice("abcdef"),
                price,
                source.randint(1, 9),
                number % 3 == 0,
                None,
                "a" if longitude is None else None,
            )
        )
    return table


def wait_for(port):
    """Until a server of this machine listens."""
    for _ in range(6000):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.1)


COLUMNS = "number long, lon double, lat double, `full.name` string, kind string, price double, seats int, open boolean, never string, nowhere string"


class ClusterTest(unittest.TestCase):
    plan = None

    @classmethod
    def setUpClass(cls):
        cls.stack = contextlib.ExitStack()
        cls.addClassCleanup(cls.stack.close)
        cls.folder = Path(cls.stack.enter_context(tempfile.TemporaryDirectory(prefix="pyramid-spark-")))
        cls.cluster = cls.stack.enter_context(Cluster(cls.folder))
        cls.spark = cls.cluster.session(spark_executor_memory="512m", spark_sql_shuffle_partitions="4")
        cls.trouble = cls.folder / "trouble"
        cls.trouble.mkdir()
        cls.noted = cls.folder / "noted"
        cls.troubled = cls.folder / "troubled_pyramid"
        script = TROUBLE.format(python=sys.executable, folder=str(cls.trouble), noted=str(cls.noted), program=PROGRAM)
        executable(cls.troubled, script)
        table = cls.spark.createDataFrame(places(ROWS), COLUMNS)
        table.write.parquet(str(cls.folder / "places.parquet"))
        cls.df = cls.spark.read.parquet(str(cls.folder / "places.parquet"))

    def reference(self, df, name, **options):
        """The tileset that one machine builds from the rows that the parts get; made once for `df` without options."""
        if df is self.df and not options:
            name = "usual"
        if (self.folder / f"one-{name}").exists():
            return self.folder / f"one-{name}"
        columns = Columns.of(df.schema, "lon", "lat", include=options.get("include"), id_column=options.get("id_column"))
        rows = row_rules.features(df, columns).select("text").collect()
        out = self.folder / f"one-{name}"
        ndjson = self.folder / f"{name}.ndjson"
        ndjson.write_text("".join(row.text for row in rows))
        arguments = [*option_rules.part_arguments(options, name), *option_rules.join_arguments(options), "--max-zoom=10"]
        subprocess.run([PROGRAM, "build", ndjson, out, "--quiet", *arguments], check=True)
        return out

    def check(self, df, name, program=PROGRAM, **options):
        result = build(df, str(self.folder / name), longitude="lon", latitude="lat", pyramid=str(program), **OPTIONS, **options)
        self.assertEqual(differences(self.reference(df, name, **options), self.folder / name), [])
        self.assertGreater(len(result.plan.parts), 8)
        self.assertFalse((self.folder / f"{name}.parts").exists())
        return result

    def built_parts(self):
        """The tiles of the parts that `troubled` has started to build since the last time."""
        tiles = self.noted.read_text().split() if self.noted.exists() else []
        self.noted.unlink(missing_ok=True)
        return sorted(tiles)

    def largest_part(self):
        """The tile with the most points, in the plan that all builds of `df` without options have."""
        if self.plan is None:
            type(self).plan = self.check(self.df, "usual").plan
        return max(self.plan.parts, key=lambda part: part.rows).tile

    def test_1_a_directory_from_parquet(self):
        options = {
            "accumulate": {"price": ["sum", "max:dearest"]},
            "count_by": {"kind": 3},
            "filter_by": ["kind", "price:20"],
            "preview": True,
        }
        result = self.check(self.df, "plain", **options)
        skipped = {"missing coordinate": 31, "unreadable coordinate": 23, "coordinate out of range": 60}
        self.assertEqual(result.summary["input"]["rows_skipped"], skipped)

    def test_2_a_bundled_directory_from_csv(self):
        path = self.folder / "places.csv"
        with path.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["number", "lon", "lat", "name", "kind"])
            for row in places(ROWS):
                values = ["" if value is None else value for value in row[:5]]
                writer.writerow([*values[:3], values[3].strip(), values[4]])
        # Coordinates stay texts, so that one that is no number is counted rather than nulled.
        df = self.spark.read.csv(str(path), header=True, escape='"', schema="number long, lon string, lat string, name string, kind string")
        self.check(df, "bundled", bundle=64, id_column="number", members=5, group_by="kind")

    def test_3_an_archive(self):
        # Numbers like days, except for one: so all of them are seconds, in whatever part.
        days = functions.when(functions.col("number") == 7, 123).otherwise(20240101 + functions.col("number") % 28)
        df = self.df.withColumns({"opened": 1990 + functions.col("number") % 30, "day": days})
        self.check(df, "places.pmtiles", position="centroid", filter_by=["opened:year", "day:month"])

    def test_4_a_part_that_fails_twice(self):
        tile = self.largest_part()
        for number in (1, 2):
            (self.trouble / f"{tile.z}-{tile.x}-{tile.y}.fail.{number}").touch()
        self.check(self.df, "failed-twice", self.troubled)
        self.assertEqual(list(self.trouble.iterdir()), [])

    def test_5_a_part_that_always_fails_is_named_with_what_the_program_said(self):
        tile = self.largest_part()
        for number in range(20):
            (self.trouble / f"{tile.z}-{tile.x}-{tile.y}.fail.{number}").touch()
        try:
            with self.assertRaises(ProgramError) as caught:
                self.check(self.df, "never", self.troubled)
        finally:
            for file in self.trouble.iterdir():
                file.unlink()
        self.assertRegex(
            str(caught.exception),
            rf"^part {tile} on .*: told to fail \(exit code 1\); finished parts are kept in .*/never\.parts/",
        )
        self.assertFalse((self.folder / "never").exists())
        # The same call builds the others only.
        finished = {file.name.rsplit("-", 1)[0].replace("-", "/") for file in (self.folder / "never.parts").glob("*/*.part")}
        self.assertGreater(len(finished), 0)
        begun = set(self.built_parts())
        result = self.check(self.df, "never", self.troubled)
        again = self.built_parts()
        built = set(again)
        self.assertIn(str(tile), built)
        self.assertEqual(built & finished, set())
        # A task of the call that failed may have begun or ended after it.
        self.assertEqual({tile for tile in built - begun if again.count(tile) > 1}, set())
        self.assertLessEqual({str(part.tile) for part in result.plan.parts} - finished - built, begun)

    def test_51_a_join_that_fails_keeps_the_parts(self):
        out = self.folder / "occupied"
        out.mkdir()
        (out / "of-another-program").write_text("mine")
        self.built_parts()
        with self.assertRaisesRegex(
            ProgramError,
            r"^join: .*; finished parts are kept in .*/occupied\.parts/.*: the same call reuses them; to give up, remove that folder$",
        ):
            self.check(self.df, "occupied", self.troubled)
        tiles = self.built_parts()
        self.assertGreater(len(tiles), 8)
        # Rows that have changed in nothing but a price, and other options, make other parts.
        moved = functions.when(functions.col("number") == 13, -1).otherwise(functions.col("price")).alias("price")
        changed = self.df.select(*(moved if name == "price" else f"`{name}`" for name in self.df.columns))
        for df, options in [(changed, {}), (self.df, {"coincident_limit": 9})]:
            with self.assertRaisesRegex(ProgramError, "^join: "):
                self.check(df, "occupied", self.troubled, **options)
            built = self.built_parts()
            self.assertTrue(set(built) <= set(tiles) and built)
            if not options:
                self.assertLess(len(built), 5)
        shutil.rmtree(out)
        self.check(changed, "occupied", self.troubled)
        self.assertEqual(self.built_parts(), [])
        self.check(self.df, "occupied-again", self.troubled)
        self.assertEqual(self.built_parts(), tiles)

    def test_52_an_error_is_not_hidden_by_what_comes_after_it(self):
        """A folder for the parts that is a link, or a mount point, can't be removed."""
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        link = self.folder / "linked.parts"
        link.symlink_to(elsewhere, target_is_directory=True)
        for options in ({}, {"work": str(link)}):
            with self.assertRaisesRegex(ProgramError, "^options: "):
                self.check(self.df, "linked", position="middle", **options)
            self.assertEqual(list(elsewhere.iterdir()), [])
        build(self.df, str(self.folder / "linked"), longitude="lon", latitude="lat", pyramid=PROGRAM, **OPTIONS)
        self.assertEqual(differences(self.reference(self.df, "linked"), self.folder / "linked"), [])
        self.assertEqual(list(elsewhere.iterdir()), [])

    def test_53_two_builds_at_once(self):
        tile = self.largest_part()
        wait = Path(f"{self.noted}.wait")
        wait.touch()
        (self.trouble / f"{tile.z}-{tile.x}-{tile.y}.wait.1").touch()
        self.built_parts()
        with concurrent.futures.ThreadPoolExecutor() as threads:
            try:
                first = threads.submit(self.check, self.df, "first", self.troubled)
                while any(self.trouble.iterdir()) and not first.done():
                    time.sleep(0.1)
                self.check(self.df, "second", position="centroid")
                self.assertFalse(first.done())
            finally:
                wait.unlink()
            first.result()

    def test_6_a_program_that_is_missing_on_the_executors(self):
        only_here = self.folder / "bin"
        only_here.mkdir()
        shutil.copy(PROGRAM, only_here / "only-here")
        path = os.environ["PATH"]
        os.environ["PATH"] = f"{only_here}:{path}"
        try:
            with self.assertRaisesRegex(ProgramError, r'^there is no program "only-here" on .*, expected it in PATH'):
                self.check(self.df, "nowhere", "only-here")
        finally:
            os.environ["PATH"] = path

    def test_7_columns_that_are_not_there(self):
        with self.assertRaisesRegex(OptionError, '^no column "long" for longitude, expected one of "number"'):
            build(self.df, "out", longitude="long", latitude="lat", pyramid=PROGRAM, **OPTIONS)

    def test_8_of_rows_with_the_same_id_one_is_kept(self):
        usable = "lon between -180 and 180 and lat between -90 and 90 and number % 100 in (3, 8)"
        # Less than the others by their bytes, so these are the ones that go.
        lesser = self.df.filter(usable).withColumn("full.name", functions.lit("A"))
        out = self.folder / "twice"
        reads = self.spark.sparkContext.accumulator(0)

        def counted(batches):
            for batch in batches:
                reads.add(batch.num_rows)
                yield batch

        # mapInArrow can't have a dot in a name.
        both = self.df.unionAll(lesser).withColumnRenamed("full.name", "name")
        both = both.mapInArrow(counted, both.schema).withColumnRenamed("name", "full.name")
        surplus = lesser.count()
        self.assertGreater(surplus, 0)
        options = {"id_column": "number"}
        with self.assertWarnsRegex(UserWarning, rf"^skipped {surplus:,} rows \(duplicate id: {surplus:,}\)"):
            result = build(both, str(out), longitude="lon", latitude="lat", pyramid=PROGRAM, **OPTIONS, **options)
        self.assertEqual(differences(self.reference(self.df, "once", **options), out), [])
        self.assertEqual(result.duplicate_ids, surplus)
        # For the sample, which looks for values in empty columns; to count the ids; and to keep what is left.
        self.assertLess(reads.value, 4 * both.count())
        self.assertTrue(self.spark.sparkContext._jsc.getPersistentRDDs().isEmpty())
        # One machine keeps the same rows, and says in the manifest how many it has skipped.
        self.assertEqual(differences(self.reference(both, "both", **options), out), ["manifest.json"])

    def test_9_a_worker_that_is_killed_in_the_middle_of_a_part(self):
        tile = self.largest_part()
        (self.trouble / f"{tile.z}-{tile.x}-{tile.y}.hang.1").touch()
        killed = []

        def kill():
            hanging = self.trouble / "hanging"
            while not hanging.exists() or not hanging.read_text():
                time.sleep(0.1)
            # The program, Python, Python's daemon, the executor, and the worker.
            process = int(hanging.read_text())
            workers = {worker.pid for worker in self.cluster.workers}
            while process not in workers:
                killed.append(process)
                process = int(Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[1])
            for each in [process, *killed[:1:-1]]:
                os.kill(each, signal.SIGKILL)
            hanging.unlink()

        killer = threading.Thread(target=kill, daemon=True)
        killer.start()
        self.check(self.df, "killed", self.troubled)
        killer.join(1)
        self.assertTrue(killed)
        self.assertEqual(list(self.trouble.iterdir()), [])

    def test_91_the_command(self):
        """A process of its own, with the program and the package sent along rather than installed."""
        out = self.folder / "command"
        sent = shutil.make_archive(str(self.folder / "pyramid_spark"), "zip", package.SOURCES, "pyramid_spark")
        program = self.folder / "sent-pyramid"
        shutil.copy(PROGRAM, program)
        # Sent files lose their mode.
        program.chmod(0o644)
        main = shutil.copy(package.SOURCES / "pyramid_spark/__main__.py", self.folder / "build_tileset.py")
        result = subprocess.run(
            [
                *[self.cluster.bin / "spark-submit", "--master", "local[2]", "--files", program, "--py-files", sent],
                *["--conf", "spark.ui.enabled=false", "--conf", "spark.driver.bindAddress=127.0.0.1"],
                *["--conf", "spark.sql.shuffle.partitions=4"],
                *[main, "--input", self.folder / "places.parquet", "--output", out],
                *["--longitude", "lon", "--latitude", "lat", "--max-zoom", "10", "--pyramid", program.name],
                *["--count-by", "kind:3", "--rows-per-part", str(ROWS // 8)],
            ],
            capture_output=True,
            text=True,
        )
        self.assertEqual(result.returncode, 0, result.stderr[-3000:])
        self.assertEqual(differences(self.reference(self.df, "by-command", count_by="kind:3"), out), [])

    def test_911_spark_connect(self):
        """A client of its own, of a server that hasn't the package, with more cores than one."""
        port, out, tile = free_port(), self.folder / "connected", self.largest_part()
        log = self.stack.enter_context(open(self.folder / "connect.log", "wb"))
        settings = {"ui.enabled": False, "sql.shuffle.partitions": 4, "connect.grpc.binding.port": port}
        settings |= {"connect.grpc.binding.address": "127.0.0.1", "driver.bindAddress": "127.0.0.1"}
        server = subprocess.Popen(
            [
                *[self.cluster.bin / "spark-submit", "--class", "org.apache.spark.sql.connect.service.SparkConnectServer"],
                *[
                    "--master",
                    "local[3]",
                    *(f"--conf=spark.{name}={value}" for name, value in settings.items()),
                    "spark-internal",
                ],
            ],
            stdout=log,
            stderr=log,
        )
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        wait_for(port)
        for number in range(20):
            (self.trouble / f"{tile.z}-{tile.x}-{tile.y}.fail.{number}").touch()
        options = json.dumps({**OPTIONS, "id_column": "number"})
        places = str(self.folder / "places.parquet")
        try:
            result = subprocess.run(
                [
                    sys.executable,
                    "-c",
                    CONNECTED,
                    f"sc://127.0.0.1:{port}",
                    places,
                    str(out),
                    PROGRAM,
                    str(self.troubled),
                    options,
                ],
                env={**os.environ, "PYTHONPATH": str(package.SOURCES)},
                capture_output=True,
                text=True,
            )
        finally:
            for file in self.trouble.iterdir():
                file.unlink()
        self.assertEqual(result.returncode, 0, result.stderr[-3000:])
        cores, error = json.loads(result.stdout)
        self.assertEqual(cores, 3)
        self.assertRegex(error, rf"^part {tile} on .*: told to fail \(exit code 1\); finished parts are kept in ")
        self.assertEqual(differences(self.reference(self.df, "once", id_column="number"), out), [])

    def test_92_s3(self):
        self.enterContext(mock.patch.dict(os.environ))
        os.environ["AWS_ENDPOINT_URL"] = self.enterContext(s3_server())
        work = str(self.folder / "work-of-s3")
        # Few files, which is what moto can take.
        options = {"bundle": 256, "longitude": "lon", "latitude": "lat", "pyramid": str(self.troubled), "work": work}
        with self.assertRaisesRegex(ProgramError, "^publish: .*; finished parts are kept in .*/work-of-s3/all-.*: the same call reuses them"):
            build(self.df, "s3://places/all", **OPTIONS, **options)
        subprocess.run(["aws", "s3", "mb", "s3://places"], check=True, stdout=subprocess.DEVNULL)
        self.built_parts()
        build(self.df, "s3://places/all", **OPTIONS, **options)
        self.assertEqual(self.built_parts(), [])
        fetched = self.folder / "fetched"
        subprocess.run(["aws", "s3", "cp", "--recursive", "--quiet", "s3://places/all", str(fetched)], check=True)
        wrong = differences(self.reference(self.df, "for-s3", bundle=256), fetched)
        self.assertEqual([name for name in wrong if not name.startswith(".")], [])
        self.assertEqual(list(Path(work).iterdir()), [])


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
