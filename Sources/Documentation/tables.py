#!/usr/bin/env python3
"""Writes the tables of speed and memory in the articles, from Tests/Benchmarks/speed.json, which `make bench WITH=speed` measures.

    tables.py [--check]

Each table is between `<!-- table: NAME -->` and `<!-- end of table -->`. With --check, nothing is written, and a table that differs is an error.
"""

import json
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
ARTICLES = os.path.join(ROOT, "Sources/Documentation/Pyramid.docc")


def million(count):
    return f"{count // 1_000_000} million"


def seconds(value):
    return f"{value:.1f} s" if value < 10 else f"{value:,.0f} s"


def megabytes(value):
    return f"{value:,} MB" if value < 1000 else f"{value / 1000:.1f} GB"


def table(head, rows):
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows))


def speed(results):
    """On a disk, then in memory; of works that were measured at one place only, that one."""
    found = {}
    for row in results["speed"]:
        found.setdefault((row["points"], row["output"]), {})[row["work"], row["place"]] = row
    rows = []
    for (points, output), works in found.items():
        cells = []
        for work in ("build", "second build", "verify"):
            pair = [seconds(works[work, place]["seconds"]) for place in ("disk", "memory") if (work, place) in works]
            cells.append(" / ".join(pair))
        build = works.get(("build", "disk")) or works["build", "memory"]
        rows.append(
            [million(points), output, *cells, megabytes(build["peak_megabytes"]), f"{build['files']:,}", megabytes(round(build["megabytes"]))]
        )
    machine, most = results["machine"]["speed"], max(row["runs"] for row in results["speed"])
    caption = (
        f"{machine['cores']} shared cores ({machine['processor']}), {machine['date']}, {'one run each' if most == 1 else f'medians of up to {most} runs'}. "
        f"Of two times, the first is on a disk ({machine['file_systems']['disk']}), with syncing, and the second in memory ({machine['file_systems']['memory']}):"
    )
    return caption + "\n\n" + table(["points", "output", "build", "second build", "verify", "peak memory of a build", "files", "size"], rows)


def peers(results):
    own, programs = results["peers"], results["peers"]["programs"]
    reference, runs, date = programs[0]["seconds"], programs[0]["runs"], results["machine"]["peers"]["date"]
    rows = [
        [
            " ".join(part for part in (row["program"], own["versions"].get(row["program"])) if part),
            seconds(row["seconds"]),
            f"{row['seconds'] / reference:.1f}",
            seconds(row["cpu_seconds"]),
            megabytes(row["peak_megabytes"]),
            megabytes(round(row["megabytes"])),
        ]
        for row in programs
    ]
    return f"One archive of vector tiles from {million(own['points'])} points to zoom 14, medians of {runs} runs, {date}:\n\n" + table(
        ["program", "time", "times pyramid's", "CPU time", "peak memory", "archive"], rows
    )


TABLES = {"Reference/SpeedAndReliability.md": {"speed": speed}, "Reference/Compared.md": {"peers": peers}}


def main():
    with open(os.path.join(ROOT, "Tests/Benchmarks/speed.json"), encoding="utf-8") as file:
        results = json.load(file)
    for name, tables in TABLES.items():
        path = os.path.join(ARTICLES, name)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        written = text
        for table_name, made in tables.items():
            if table_name not in results:
                continue
            pattern = re.compile(rf"(<!-- table: {table_name} -->\n).*?(?=<!-- end of table -->)", re.S)
            if not pattern.search(written):
                sys.exit(f"{path}: there is no <!-- table: {table_name} -->")
            content = made(results)
            written = pattern.sub(lambda match: match[1] + content + "\n", written)
        if written == text:
            continue
        if "--check" in sys.argv:
            sys.exit(f"{path}: its tables aren't those of Tests/Benchmarks/speed.json: run {os.path.relpath(__file__)}")
        with open(path, "w", encoding="utf-8") as file:
            file.write(written)


main()
