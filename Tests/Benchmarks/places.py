#!/usr/bin/env python3
"""How far clusters are drawn from the middle of their points, in pixels, at each zoom.

    places.py PYRAMID LIBRARIES [CSV LONGITUDE LATITUDE]

Of the 28,000 airports of PyPI's airportsdata, which Tests/install.sh puts into LIBRARIES, or of a file. Also how many tiles change if 0.1% of
the rows do.
"""

import csv
import json
import math
import os
import random
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../web"))
from examples import airports  # noqa: E402

MAX_ZOOM, TILE = 12, 256


def world(longitude, latitude):
    """The place in Web Mercator, from 0 to 1."""
    sine = max(min(math.sin(math.radians(latitude)), 0.99), -0.99)
    return longitude / 360 + 0.5, 0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi)


def build(program, places, output):
    """Builds points of which clusters state the mean place in the world."""
    with open(f"{output}.csv", "w", encoding="utf-8") as file:
        file.write("longitude,latitude,x,y\n")
        file.writelines(f"{longitude},{latitude},{x:.12f},{y:.12f}\n" for longitude, latitude in places for x, y in [world(longitude, latitude)])
    subprocess.run(
        [
            program,
            "build",
            f"{output}.csv",
            output,
            "--quiet",
            "--no-sync",
            "--max-zoom",
            str(MAX_ZOOM + 1),
            "--compression",
            "none",
            "--accumulate-attribute",
            "x:mean",
            "--accumulate-attribute",
            "y:mean",
        ],
        check=True,
    )


def distances(tileset):
    """Of all clusters but those over the antimeridian: the zoom, the pixels between the marker and the mean of its points, and how many
    points it has."""
    for folder, _, names in os.walk(f"{tileset}/tiles"):
        for name in names:
            with open(f"{folder}/{name}", encoding="utf-8") as file:
                features = json.load(file)["features"]
            zoom = int(folder.split("/")[-2])
            for feature in features:
                properties = feature["properties"]
                if properties.get("cluster") and feature["bbox"][0] <= feature["bbox"][2]:
                    x, y = world(*feature["geometry"]["coordinates"])
                    yield zoom, math.hypot(x - properties["x"], y - properties["y"]) * TILE * 2**zoom, properties["point_count"]


def report(program, places, folder):
    build(program, places, f"{folder}/points")
    found = sorted(distances(f"{folder}/points"))
    print("From a cluster to the mean of its points, in pixels:\nzoom  clusters  mean, weighted by points  95% of ten points or more, at most")
    for zoom in range(MAX_ZOOM + 1):
        own = [(distance, count) for at, distance, count in found if at == zoom]
        mean = sum(distance * count for distance, count in own) / max(sum(count for _, count in own), 1)
        large = [distance for distance, count in own if count >= 10] or [0]
        print(f"{zoom:4}  {len(own):8}  {mean:24.1f}  {large[int(0.95 * len(large))]:34.1f}")
    # The edits move points by some kilometres.
    chance = random.Random(1)
    moved = [(longitude + 0.03, latitude - 0.02) if chance.random() < 0.001 else (longitude, latitude) for longitude, latitude in places]
    build(program, moved, f"{folder}/moved")
    changed = subprocess.run([program, "diff", f"{folder}/points", f"{folder}/moved", "--quiet"], stdout=subprocess.PIPE, text=True).stdout
    tiles = sum(len(names) for _, _, names in os.walk(f"{folder}/moved/tiles"))
    print(f"{changed.count('tiles/')} of {tiles} tiles change with 0.1% of the points ({100 * changed.count('tiles/') / tiles:.2f}%)")


def main():
    program, libraries, *given = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        source, longitude, latitude = given or (f"{folder}/airports.csv", "longitude", "latitude")
        if not given:
            airports.write_airports(f"{libraries}/wheels/airportsdata/airports.csv", source)
        with open(source, encoding="utf-8", newline="") as file:
            places = [(float(row[longitude]), float(row[latitude])) for row in csv.DictReader(file)]
        report(os.path.abspath(program), places, folder)


main()
