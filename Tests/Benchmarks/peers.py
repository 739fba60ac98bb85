#!/usr/bin/env python3
"""Measures `pyramid build` beside tippecanoe, which clusters points too: the same points, zooms, tile size and distance, turn by
turn, each into an archive in memory.

Usage: peers.py path/to/pyramid path/to/PyramidBenchmarks path/to/tippecanoe [points] [runs]
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

PYRAMID, BENCHMARKS, TIPPECANOE = sys.argv[1:4]
POINTS = int(sys.argv[4]) if len(sys.argv) > 4 else 1_000_000
RUNS = int(sys.argv[5]) if len(sys.argv) > 5 else 3
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
# Of a tile 256 pixels wide, as tippecanoe counts them.
DISTANCE, MAX_ZOOM = 10, 14


def generated(kind, directory):
    result = subprocess.run([BENCHMARKS, "generate", "clustered", kind, str(POINTS), directory], check=True, stdout=subprocess.PIPE)
    return result.stdout.decode()


def commands(csv, ndjson, output):
    pyramid = [PYRAMID, "build", "--quiet", "--max-zoom", str(MAX_ZOOM), "--tile-size", "256", "--cluster-distance", str(DISTANCE), csv, output]
    tippecanoe = [TIPPECANOE, "-q", "-f", "-r1", f"--cluster-distance={DISTANCE}", f"-z{MAX_ZOOM}", "-l", "points", "-o", output]
    return {
        "pyramid, CSV": pyramid,
        "tippecanoe, CSV": [*tippecanoe, csv],
        # What it reads with all cores.
        "tippecanoe, GeoJSON by lines, -P": [*tippecanoe, "-P", ndjson],
    }


def measured(command, directory):
    """Seconds, seconds of all cores, and the largest memory in MB, of the program and what it starts."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env={**os.environ, "TMPDIR": directory})
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - start
    if status:
        raise SystemExit(f"peers: {' '.join(command)} failed")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, usage.ru_maxrss / 1000


def main():
    cache = os.path.join(tempfile.gettempdir(), "pyramid-benchmarks")
    os.makedirs(cache, exist_ok=True)
    csv, ndjson = (generated(kind, cache) for kind in ("csv", "ndjson"))
    runs, sizes = {}, {}
    with tempfile.TemporaryDirectory(dir=MEMORY) as directory:
        output = f"{directory}/points.pmtiles"
        for run in range(1, RUNS + 1):
            for name, command in commands(csv, ndjson, output).items():
                print(f"{POINTS} points, run {run}: {name}", file=sys.stderr, flush=True)
                runs.setdefault(name, []).append(measured(command, directory))
                with open(output, "rb") as file:
                    header = file.read(127)
                sizes[name] = os.path.getsize(output), int.from_bytes(header[72:80], "little")
                os.remove(output)
    reference = [seconds for seconds, _, _ in runs["pyramid, CSV"]]
    print(f"\n{POINTS:,} points to zoom {MAX_ZOOM}, markers {DISTANCE} pixels apart, {RUNS} runs, medians\n")
    print(f"{'':34}{'seconds':>9}{'CPU s':>9}{'peak MB':>9}{'tiles':>12}{'MB':>9}{'times':>8}")
    for name, found in runs.items():
        seconds, cpu, peak = (statistics.median(values) for values in zip(*found))
        ratio = statistics.median(own[0] / other for own, other in zip(found, reference))
        size, tiles = sizes[name]
        print(f"{name:34}{seconds:9.2f}{cpu:9.2f}{peak:9.0f}{tiles:12,}{size / 1e6:9.1f}{ratio:8.1f}")


main()
