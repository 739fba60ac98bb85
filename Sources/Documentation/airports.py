#!/usr/bin/env python3
"""Writes the 28,298 airports of the pictures as CSV, from airportsdata (PyPI, MIT licence).

airports.py FILE
"""

import csv
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

RELEASE = "airportsdata==20260905"
KINDS = [
    ("military", r"\bair (force )?base|\bafb\b|\barmy\b|naval|\bmilitary|air station|air national"),
    ("international airport", r"\binternational|\bintl"),
    ("airstrip", r"airstrip|\bstrip\b|landing|fazenda|ranch\b|farm|flying|airpark|private|estancia|\bacres"),
    ("airfield", r"airfield|\bfield\b|aerodrome|flugplatz"),
]
# What the demo and the examples build them with.
OPTIONS = [
    "--filter-by",
    "kind,elevation_ft:0:500:1000:2000:4000:8000,country",
    "--name",
    "Airports",
    "--attribution",
    'Airports: <a href="https://github.com/mborsetti/airportsdata">airportsdata</a>, MIT licence',
]


def write_airports(source, path):
    """28,000 airports and landing strips; their kind is a guess from words in their names."""
    with open(source, newline="", encoding="utf-8") as rows, open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["code", "name", "city", "country", "kind", "elevation_ft", "latitude", "longitude"])
        for row in csv.DictReader(rows):
            kind = next((kind for kind, words in KINDS if re.search(words, row["name"].lower())), "airport")
            writer.writerow([row["icao"], row["name"], row["city"], row["country"], kind, row["elevation"], row["lat"], row["lon"]])


def main(path):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, RELEASE], check=True)
        with zipfile.ZipFile(next(Path(folder).glob("*.whl"))) as wheel:
            write_airports(wheel.extract("airportsdata/airports.csv", folder), path)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
