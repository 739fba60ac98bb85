#!/usr/bin/env python3
"""Measures `pyramid` beside one that was built before a change, turn by turn on the same points, in memory.

Usage: turns.py PYRAMID BENCHMARKS BEFORE [--points N] [--runs N] [--threshold RATIO]

Exits with 1 if the median of a work takes more than RATIO times that of the program before.
"""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
MAX_ZOOM = 14


def beside_before(old, new, csv, folder):
    """Each with its output: the works of both programs on it, one after the other."""
    for name, *options in (
        ("files",),
        ("bundles", "--bundle", "256"),
        ("archive.pmtiles",),
        ("filtered bundles", "--bundle", "256", "--filter-by", "category,value:10:20:50:100"),
        ("bundles in parts", "--bundle", "256", "--memory-limit", "100M"),
    ):
        output = f"{folder}/{name}"
        build = ["build", csv, output, "--quiet", "--max-zoom", str(MAX_ZOOM), *options]
        works = {f"build, {name}": build, f"second build, {name}": build, f"verify, {name}": ["verify", output, "--quiet"]}
        yield output, {side: {work: [program, *arguments] for work, arguments in works.items()} for side, program in (("before", old), ("now", new))}


def measured(command, directory):
    """Seconds, seconds of all cores, and the largest memory in MB, of the program and what it starts."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env={**os.environ, "TMPDIR": directory})
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - start
    if status:
        raise SystemExit(f"turns: {' '.join(command)} failed")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, usage.ru_maxrss / 1000


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pyramid")
    parser.add_argument("benchmarks")
    parser.add_argument("before")
    parser.add_argument("--points", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threshold", type=float, default=1.1)
    a = parser.parse_args()
    cache = os.path.join(tempfile.gettempdir(), "pyramid-benchmarks")
    os.makedirs(cache, exist_ok=True)

    generate = [a.benchmarks, "generate", "clustered", "csv", str(a.points), cache]
    csv, runs = subprocess.run(generate, check=True, stdout=subprocess.PIPE, text=True).stdout, {}
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        cases = list(beside_before(os.path.abspath(a.before), a.pyramid, csv, folder))
        for run in range(a.runs):
            for output, sides in cases:
                # They take turns at who is first, too.
                for side in list(sides) if run % 2 == 0 else reversed(sides):
                    for work, command in sides[side].items():
                        print(f"{a.points} points, run {run + 1}: {work}: {side}", file=sys.stderr, flush=True)
                        runs.setdefault(work, {}).setdefault(side, []).append(measured(command, folder))
                    shutil.rmtree(output) if os.path.isdir(output) else os.remove(output)
    print(f"\n{a.points:,} points to zoom {MAX_ZOOM}, {a.runs} runs: medians, their ratio to the first program's, and the ratios of single runs\n")
    print(f"{'':52}{'seconds':>9}{'CPU s':>9}{'peak MB':>9}{'ratio':>9}{'in runs':>14}")
    slower = []
    for work, sides in runs.items():
        # The first run began with the first program.
        reference = [found[0] for found in next(iter(sides.values()))]
        for side, found in sides.items():
            seconds, cpu, peak = (statistics.median(values) for values in zip(*found))
            ratios = sorted(own[0] / other for own, other in zip(found, reference))
            ratio = seconds / statistics.median(reference)
            spread = f"{ratios[0]:.2f} to {ratios[-1]:.2f}"
            print(f"{work + ': ' + side:52}{seconds:9.2f}{cpu:9.2f}{peak:9.0f}{ratio:9.3f}{spread:>14}")
            if ratio > a.threshold:
                slower.append(f"{work} takes {ratio:.2f} times as long as before")
    if slower:
        raise SystemExit("\n".join([f"\nmore than {a.threshold:g} times:", *slower]))


if __name__ == "__main__":
    main()
