#!/usr/bin/env python3
"""What a map loads until its first view is there, how long that takes, and how many markers overlap: a tileset beside clustering in the browser,
by MapLibre's clustered sources (supercluster) and Leaflet.markercluster, and tippecanoe's vector tiles.

    first_view.py PYRAMID LIBRARIES [--points N] [--runs N] [--only plain bundled maplibre markercluster tippecanoe]

With the 28,000 airports of PyPI's airportsdata, or N random points. LIBRARIES is what Tests/install.sh fills. All are asked for markers 40 pixels
apart. Bytes are those of the data as they are sent, compressed with gzip; the libraries come on top. Overlapping are markers with another one nearer
than 40 pixels in views of 1280 x 800 pixels, from the world to the zoom where most points stand alone.
"""

import argparse
import csv
import gzip
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [f"{HERE}/../preview", f"{HERE}/../web"]

from browser import Browser  # noqa: E402
from examples import Examples, airports, write_scattered  # noqa: E402

WIDTH, HEIGHT, DISTANCE = 1280, 800, 40
ALL = ["plain", "bundled", "maplibre", "markercluster", "tippecanoe"]
# As Leaflet counts zooms: longitude, latitude, zoom.
VIEWS = [(10, 30, 2), (-90, 38, 4), (10, 48, 5), (-82, 36, 6), (-80, 40, 7), (8, 47, 8)]
HEAD = f'<!doctype html><meta charset="utf-8"><style>body {{ margin: 0 }} #map {{ width: {WIDTH}px; height: {HEIGHT}px }}</style><div id="map"></div>'
# `pixel` doesn't round, as Leaflet's own functions do.
LEAFLET = """<link rel="stylesheet" href="/libraries/leaflet.css"><script src="/libraries/leaflet.js"></script><script>
window.pixel = (map, place) => {
  const { x, y } = map.project(place).subtract(map.project(map.getCenter())).add(map.getSize().divideBy(2));
  return [x, y];
};
</script>"""
FIRST = f"[{VIEWS[0][1]}, {VIEWS[0][0]}], {VIEWS[0][2]}"
# Each sets `isReady` when its markers are drawn, and has `go` and `places`, the pixels of what is drawn.
PYRAMID = (
    HEAD
    + LEAFLET
    + """<script type="module">
import { leaflet } from "/pyramid-web.js";
const map = L.map("map", { zoomAnimation: false, fadeAnimation: false }).setView("""
    + FIRST
    + """);
const markers = leaflet.addMarkers(map, "/tilesets/NAME/", { animate: false });
const settled = () => { window.isReady = markers.view.isSettled && markers.shown.length > 0; requestAnimationFrame(settled); };
settled();
window.go = (longitude, latitude, zoom) => { map.setView([latitude, longitude], zoom, { animate: false }); };
window.places = () => markers.shown.map(({ x, y }) => pixel(map, map.unproject([x * 256, y * 256], 0)));
</script>"""
)
MARKERCLUSTER = (
    HEAD
    + LEAFLET
    + """<script src="/libraries/leaflet.markercluster.js"></script><script type="module">
const map = L.map("map", { maxZoom: 18, zoomAnimation: false, fadeAnimation: false, markerZoomAnimation: false }).setView("""
    + FIRST
    + """);
const group = L.markerClusterGroup({ maxClusterRadius: """
    + str(DISTANCE)
    + """, animate: false });
group.addLayer(L.geoJSON(await (await fetch("/tilesets/points/points.json")).json()));
map.addLayer(group);
requestAnimationFrame(() => { window.isReady = true; });
window.go = (longitude, latitude, zoom) => { map.setView([latitude, longitude], zoom, { animate: false }); };
window.places = () => {
  const found = new Map();
  map.eachLayer((layer) => { if (layer instanceof L.Marker) found.set(L.stamp(layer), pixel(map, layer.getLatLng())); });
  return [...found.values()];
};
</script>"""
)
# MapLibre's distances are of tiles of 512 pixels, in which its zooms are counted; tippecanoe's are of half of that.
MAPLIBRE = (
    HEAD
    + """<link rel="stylesheet" href="/libraries/maplibre-gl.css"><script src="/libraries/maplibre-gl.js"></script><script>
const map = new maplibregl.Map({ container: "map", fadeDuration: 0, center: ["""
    + f"{VIEWS[0][0]}, {VIEWS[0][1]}], zoom: {VIEWS[0][2] - 1}"
    + """,
  style: { version: 8, sources: { points: SOURCE },
    layers: [{ id: "points", type: "circle", source: "points", SOURCE_LAYER paint: { "circle-radius": 2 } }] } });
const settled = () => {
  window.isReady = map.loaded() && map.areTilesLoaded() && !map.isMoving() && map.queryRenderedFeatures({ layers: ["points"] }).length > 0;
  setTimeout(settled, 5);
};
settled();
window.go = (longitude, latitude, zoom) => { map.jumpTo({ center: [longitude, latitude], zoom: zoom - 1 }); };
window.places = () => {
  const found = new Map();
  for (const { geometry, properties } of map.queryRenderedFeatures({ layers: ["points"] })) {
    const { x, y } = map.project(geometry.coordinates);
    // Features at borders are in several tiles.
    found.set(JSON.stringify(properties), [x, y]);
  }
  return [...found.values()];
};
</script>"""
)
CLUSTERED = MAPLIBRE.replace("SOURCE_LAYER", "").replace(
    "SOURCE", f'{{ type: "geojson", data: "/tilesets/points/points.json", cluster: true, clusterMaxZoom: 14, clusterRadius: {DISTANCE} }}'
)
TIPPECANOE = MAPLIBRE.replace("SOURCE_LAYER", '"source-layer": "points",').replace(
    "SOURCE", '{ type: "vector", maxzoom: MAX_ZOOM, tiles: [location.origin + "/tilesets/tippecanoe/{z}/{x}/{y}.pbf"] }'
)


def overlapping(places):
    """How many markers are in the window, and how many of them have another one nearer than the distance; a tenth of a pixel is forgiven."""
    places = [(x, y) for x, y in places if 0 <= x < WIDTH and 0 <= y < HEIGHT]
    cells = {}
    for index, (x, y) in enumerate(places):
        cells.setdefault((x // DISTANCE, y // DISTANCE), []).append(index)

    def touches(index):
        x, y = places[index]
        near = (other for i in (-1, 0, 1) for j in (-1, 0, 1) for other in cells.get((x // DISTANCE + i, y // DISTANCE + j), []))
        return any(other != index and (places[other][0] - x) ** 2 + (places[other][1] - y) ** 2 < (DISTANCE - 0.1) ** 2 for other in near)

    return len(places), sum(map(touches, range(len(places))))


def measured(server, name, runs, seconds):
    """Bytes and requests of the data until the first view, seconds, and markers and overlapping ones over the views."""
    times, overlaps = [], [0, 0]
    for run in range(runs):
        with Browser(WIDTH, HEIGHT) as browser:
            server.requests.clear()
            begin = time.monotonic()
            browser.open(f"{server.url}tilesets/pages/{name}.html")
            browser.wait("window.isReady === true", seconds)
            times.append(time.monotonic() - begin)
            data = [path for path in server.requests if path.startswith("/tilesets/") and not path.endswith(".html")]
            sizes = [len(found[0]) for found in map(server.content, data) if found]
            if run == 0:
                for view in VIEWS:
                    browser.evaluate(f"go({', '.join(map(str, view))})")
                    # The first frame after a move may still say that nothing is missing.
                    browser.evaluate("new Promise((done) => setTimeout(done, 500))")
                    browser.wait("window.isReady === true", seconds)
                    overlaps = [sum(pair) for pair in zip(overlaps, overlapping(browser.evaluate("places()")))]
    return sum(sizes), len(sizes), statistics.median(times), overlaps


def write_geojson(rows, path):
    with open(rows, newline="") as file, gzip.open(path, "wt", 6) as output:
        features = []
        for row in csv.DictReader(file):
            place = [float(row.pop("longitude")), float(row.pop("latitude"))]
            features.append({"type": "Feature", "geometry": {"type": "Point", "coordinates": place}, "properties": row})
        json.dump({"type": "FeatureCollection", "features": features}, output, separators=(",", ":"), ensure_ascii=False)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pyramid")
    parser.add_argument("libraries")
    parser.add_argument("--points", type=int)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=120, help="the longest that a first view may take")
    parser.add_argument("--only", nargs="+", choices=ALL, default=ALL)
    a = parser.parse_args()
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as folder:
        rows, max_zoom = f"{folder}/rows.csv", "14" if a.points else "11"
        if a.points:
            write_scattered(rows, a.points)
        else:
            airports.write_airports(f"{a.libraries}/wheels/airportsdata/airports.csv", rows)
        for name in ("pages", "points"):
            os.mkdir(f"{folder}/{name}")
        write_geojson(rows, f"{folder}/points/points.json")
        for name, options in {"plain": [], "bundled": ["--bundle", "256"]}.items():
            if name not in a.only:
                continue
            subprocess.run(
                [a.pyramid, "build", rows, f"{folder}/{name}", "--quiet", "--max-zoom", max_zoom, "--cluster-distance", str(DISTANCE), *options],
                check=True,
            )
        if "tippecanoe" in a.only:
            subprocess.run(
                [
                    "tippecanoe",
                    "-q",
                    "-e",
                    f"{folder}/tippecanoe",
                    "-l",
                    "points",
                    f"-z{max_zoom}",
                    "-r1",
                    "--buffer=0",
                    f"--cluster-distance={DISTANCE // 2}",
                    rows,
                ],
                check=True,
            )
        pages = {
            "plain": PYRAMID.replace("NAME", "plain"),
            "bundled": PYRAMID.replace("NAME", "bundled"),
            "maplibre": CLUSTERED,
            "markercluster": MARKERCLUSTER,
            "tippecanoe": TIPPECANOE.replace("MAX_ZOOM", max_zoom),
        }
        for name, page in pages.items():
            with open(f"{folder}/pages/{name}.html", "w") as file:
                file.write(page)
        server = Examples(a.libraries, {name: f"{folder}/{name}" for name in ("pages", "points", "plain", "bundled", "tippecanoe")})
        print(f"{'':16}{'requests':>10}{'kB':>10}{'seconds':>10}{'markers':>10}{'overlapping':>13}")
        for name in a.only:
            try:
                size, requests, seconds, (markers, touching) = measured(server, name, a.runs, a.seconds)
            except RuntimeError as error:
                print(f"{name:16}nothing within {a.seconds:g} s ({str(error)[:300]})")
                continue
            print(f"{name:16}{requests:10,}{size / 1000:10,.1f}{seconds:10.2f}{markers:10,}{touching:13,}", flush=True)


main()
