#!/usr/bin/env python3
"""Measures PyramidSpark on two workers of one core each beside `pyramid build --jobs 2` of the same rows, both bundled.

Usage: measure.py path/to/pyramid path/to/PyramidBenchmarks [points]
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import package  # noqa: F401
from cluster import Cluster
from pyramid_spark import build
from pyramid_spark.columns import Columns
from pyramid_spark.rows import features
from pyspark.sql import functions
from workshop import differences, executable

PYRAMID, BENCHMARKS = (str(Path(path).resolve()) for path in sys.argv[1:3])
POINTS = int(sys.argv[3]) if len(sys.argv) > 3 else 1_000_000
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
COLUMNS = "id long, name string, category string, value double, lat double, lon double"
MAX_ZOOM, BUNDLE = 12, 256

# Runs the program and notes how long it took and what it needed.
NOTING = """#!{python}
import json, os, resource, subprocess, sys, time
start = time.time()
code = subprocess.run([{program!r}, *sys.argv[1:]]).returncode
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
note = dict(arguments=sys.argv[1:], start=start, end=time.time(), cpu=usage.ru_utime + usage.ru_stime, peak=usage.ru_maxrss * 1024)
with open({notes!r}, "a") as file:
    file.write(json.dumps(note) + "\\n")
sys.exit(code)
"""


def prepared(spark, cache):
    """The same points as Parquet and as the rows that the parts get."""
    parquet, ndjson = cache / f"clustered-{POINTS}.parquet", cache / f"clustered-{POINTS}-spark.ndjson"
    if not (parquet / "_SUCCESS").exists():
        command = [BENCHMARKS, "generate", "clustered", "csv", str(POINTS), str(cache)]
        path = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        spark.read.csv(path, header=True, schema=COLUMNS).write.mode("overwrite").parquet(str(parquet))
    df = spark.read.parquet(str(parquet))
    if not ndjson.exists():
        rows = features(df, Columns.of(df.schema, "lon", "lat", include=None, id_column=None))
        lines = Path(f"{ndjson}.lines")
        rows.select(functions.rtrim("text", functions.lit("\n"))).write.mode("overwrite").text(str(lines))
        with open(f"{ndjson}.tmp", "wb") as whole:
            for piece in sorted(lines.glob("part-*")):
                with piece.open("rb") as file:
                    shutil.copyfileobj(file, whole)
        shutil.rmtree(lines)
        os.rename(f"{ndjson}.tmp", ndjson)
    return df, ndjson


def main():
    cache = Path(tempfile.gettempdir(), "pyramid-benchmarks")
    cache.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=MEMORY) as directory:
        folder = Path(directory)
        os.environ["TMPDIR"] = os.environ["SPARK_LOCAL_DIRS"] = directory
        notes, noting = folder / "notes", folder / "noting-pyramid"
        executable(noting, NOTING.format(python=sys.executable, program=PYRAMID, notes=str(notes)))
        with Cluster(folder) as cluster:
            # Two workers would wait for a third task of 128 MB.
            settings = {"spark_sql_files_maxPartitionBytes": "32m"}
            spark = cluster.session(spark_executor_memory="1g", spark_driver_memory="1g", **settings)
            df, ndjson = prepared(spark, cache)
            print(f"{POINTS} points: one machine", file=sys.stderr, flush=True)
            one = [noting, "build", ndjson, folder / "one", "--max-zoom", str(MAX_ZOOM), "--bundle", str(BUNDLE)]
            subprocess.run([*one, "--jobs", "2", "--quiet"], check=True)
            print(f"{POINTS} points: Spark", file=sys.stderr, flush=True)
            start = time.time()
            out = str(folder / "parts")
            options = {"max_zoom": MAX_ZOOM, "bundle": BUNDLE, "jobs": 2}
            result = build(df, out, longitude="lon", latitude="lat", pyramid=str(noting), **options)
            seconds = time.time() - start
        wrong = differences(folder / "one", out)
        row_bytes = ndjson.stat().st_size / POINTS
        size = sum(file.stat().st_size for file in (folder / "one").rglob("*") if file.is_file())
        runs = [json.loads(line) for line in notes.read_text().splitlines()]
    if wrong:
        raise SystemExit(f"measure: {len(wrong)} files differ, {wrong[0]} is one")
    report(start, seconds, size, row_bytes, result, runs)


def report(start, seconds, size, row_bytes, result, runs):
    one = runs[0]
    part_runs = {run["arguments"][run["arguments"].index("--part") + 1]: run for run in runs if run["arguments"][:2] == ["build", "-"]}
    joined = next(run for run in runs if run["arguments"][0] == "join")
    own = one["end"] - one["start"]
    parts = sorted(result.plan.parts, key=lambda part: part.rows_with_halo)
    largest = parts[-1]
    # The rows that come by standard input are in a file, whose mapped pages the system can take back.
    peaks = [(part_runs[str(part.tile)]["peak"], part.rows_with_halo * row_bytes) for part in parts]
    peak, mapped = max(peaks)
    own_peak = max(peak - mapped for peak, mapped in peaks)
    join_seconds = joined["end"] - joined["start"]
    first, last = min(run["start"] for run in part_runs.values()), max(run["end"] for run in part_runs.values())
    print(f"{POINTS:,} points to zoom {MAX_ZOOM}, bundled, the same {size / 1e6:.0f} MB")
    print(f"one machine, 2 threads   {own:8.1f} s   {one['cpu']:8.1f} CPU s   {one['peak'] / 1e6:8.0f} MB")
    print(f"Spark, 2 workers         {seconds:8.1f} s   {seconds / own:8.2f} times as long")
    print(f"  before the parts       {first - start:8.1f} s")
    print(f"  parts                  {last - first:8.1f} s   {sum(run['cpu'] for run in part_runs.values()):8.1f} CPU s")
    print(f"  join                   {join_seconds:8.1f} s   {100 * join_seconds / seconds:8.1f} %   {joined['peak'] / 1e6:8.0f} MB")
    print(f"parts                    {len(parts):8}     cut zoom {result.plan.cut_zoom}, in {len(result.plan.tasks)} tasks")
    print(f"rows sent / rows         {result.rows_sent / POINTS:8.2f}")
    print(f"largest part             {largest.rows_with_halo:8,} rows, estimated {largest.memory_bytes / 1e6:.0f} MB")
    print(f"peak of a part           {peak / 1e6:8.0f} MB, with some {mapped / 1e6:.0f} MB of mapped rows")
    print(f"without mapped rows      {own_peak / 1e6:8.0f} MB, {own_peak / largest.memory_bytes:.2f} times the estimate")


main()
