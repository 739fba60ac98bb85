#!/usr/bin/env python3
"""Serves the example pages of the JavaScript library, with tilesets to look at.

Usage: examples.py path/to/pyramid path/to/libraries [port]

The libraries, which the pages take from CDNs, come from the second directory: leaflet.js and leaflet.css (Debian's
libjs-leaflet), maplibre-gl.js and maplibre-gl.css (PyPI's maplibre), openlayers.standalone.js and .css (PyPI's
openlayers).
"""

import csv
import json
import os
import random
import re
import subprocess
import sys
import threading
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, ".."), os.path.join(HERE, "../../Sources/Documentation")]

import airports  # noqa: E402
from workshop import Host, Quiet  # noqa: E402

LIBRARY = os.path.join(HERE, "../../Sources/PyramidWeb")
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css", ".png": "image/png"}
# What the pages take from CDNs, and what they get here.
REPLACED = [
    (r"https://unpkg\.com/leaflet@[\d.]+/dist/", "/libraries/"),
    (r"https://unpkg\.com/maplibre-gl@[\d.]+/dist/", "/libraries/"),
    (r"https://cdn\.jsdelivr\.net/npm/ol@[\d.]+/ol\.css", "/libraries/openlayers.standalone.css"),
    (
        r'<script src="https://cdn\.jsdelivr\.net/npm/ol@[\d.]+/dist/ol\.js">',
        '<script src="/libraries/openlayers.standalone.js"></script><script src="/openlayers-classes.js">',
    ),
    (r' integrity="[^"]*" crossorigin=""', ""),
    (r"https://esm\.sh/react(-dom)?@[\d.]+(/client)?\?dev", "/libraries/react.js"),
    (r"https://unpkg\.com/vue@[\d.]+/dist/vue\.esm-browser\.prod\.js", "/libraries/vue.js"),
    # PyPI's bundle doesn't let out the classes of a base map.
    (r"new ol\.layer\.Tile\(\{ source: new ol\.source\.OSM\(\) \}\)", ""),
]
# No pictures from elsewhere: one of a single colour.
OFFLINE = [(r"https://tile\.openstreetmap\.org/\{z\}/\{x\}/\{y\}\.png", "/blank.png")]
BLANK = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c6378f1e63d00058302c45b9b0e620000000049454e44ae426082"
)


class Examples(Host):
    """`tilesets` are directories by name. `fault(path)` may return a status, seconds to wait, or None."""

    def __init__(self, libraries, tilesets, port=0, is_offline=False, declares_gzip=True):
        self.libraries, self.tilesets, self.is_offline, self.declares_gzip = libraries, tilesets, is_offline, declares_gzip
        self.fault, self.requests = lambda path: None, []
        # Of the last request, by path.
        self.authorization = {}
        super().__init__(Handler, port)
        self.url += "/"

    def content(self, path):
        """The bytes and the media type of a path, or None."""
        parts = path.strip("/").split("/")
        if path == "/favicon.ico":
            return b"", "image/x-icon"
        if path == "/":
            return self.index().encode(), TYPES[".html"]
        if path == "/blank.png":
            return BLANK, TYPES[".png"]
        if path == "/openlayers-classes.js":
            return self.file(HERE, "openlayers.js")
        if parts == ["libraries", "openlayers.standalone.js"]:
            code, kind = self.file(self.libraries, parts[1])
            # The bundle calls useGeographic(), which the example does not expect.
            return code.replace(b"var dA=new Sd;f_();", b"var dA=new Sd;"), kind
        if parts[0] == "libraries":
            return self.file(self.libraries, "/".join(parts[1:]))
        if parts[0] == "tilesets" and len(parts) > 2 and parts[1] in self.tilesets:
            return self.file(self.tilesets[parts[1]], "/".join(parts[2:]))
        found = self.file(LIBRARY, "/".join(parts))
        if found and parts[0] == "examples":
            page = found[0].decode()
            for pattern, text in REPLACED + (OFFLINE if self.is_offline else []):
                page = re.sub(pattern, text, page)
            return page.encode(), found[1]
        return found

    @staticmethod
    def file(folder, name):
        path = os.path.realpath(os.path.join(folder, name))
        if not path.startswith(os.path.realpath(folder) + os.sep) or not os.path.isfile(path):
            return None
        with open(path, "rb") as file:
            return file.read(), TYPES.get(os.path.splitext(path)[1], "application/json")

    def index(self):
        links = "".join(
            f"<li>{library}: "
            + ", ".join(
                f'<a href="/examples/{library}.html?{urllib.parse.urlencode({"tiles": f"/tilesets/{name}/"})}">{name}</a>'
                # Styles need vector tiles with counts of their own for each value.
                for name in self.tilesets
                if (library != "maplibre-alone" or name.endswith("mvt")) and (library != "search" or name == "airports")
            )
            + "</li>"
            for library in ("leaflet", "maplibre", "openlayers", "maplibre-alone", "list", "search")
        )
        links += "".join(
            f'<li><a href="/examples/{page}.html?tiles=/tilesets/scattered/">{page}</a></li>'
            for page in ("averages", "members", "popups")
            if "scattered" in self.tilesets
        )
        return f'<!doctype html><meta charset="utf-8"><title>Examples</title><body style="font: 16px system-ui"><ul>{links}</ul>'


class Handler(Quiet):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = urllib.parse.unquote(self.path.split("?")[0])
        self.server.requests.append(path)
        self.server.authorization[path] = self.headers["Authorization"]
        fault = self.server.fault(path)
        if isinstance(fault, threading.Event):
            fault.wait()
            fault = None
        found = None if fault else self.server.content(path)
        body, kind = found or (b"", "text/plain")
        self.send_response(fault or (200 if found else 404))
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        if body[:2] == b"\x1f\x8b" and self.server.declares_gzip:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            pass  # The page has given up.


def write_scattered(path, count=100000):
    """Points around a few hundred middles, of five kinds; some share a place, and some have no price."""
    chance = random.Random(4)
    middles = [(chance.uniform(-125, 150), chance.uniform(-40, 62), chance.uniform(0.05, 2.5)) for _ in range(300)]
    with open(path, "w") as file:
        file.write("name,kind,price,longitude,latitude\n")
        place = (0, 0)
        for number in range(count):
            middle = chance.choice(middles)
            if chance.random() > 0.1:
                place = (middle[0] + chance.gauss(0, middle[2]), middle[1] + chance.gauss(0, middle[2]))
            price = "" if chance.random() < 0.1 else f"{chance.lognormvariate(3, 0.8):.2f}"
            file.write(f"Place {number},{chance.choice('café bar museum park shop'.split())},{price},{place[0]:.6f},{place[1]:.6f}\n")


def main():
    program, libraries, port = sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 8000
    # Not beside the tilesets of `make sample` and of the README, which have other options.
    output = os.path.join(HERE, "../../Output/examples")
    os.makedirs(output, exist_ok=True)
    scattered, rows_of_airports = os.path.join(output, "scattered.csv"), os.path.join(output, "airports.csv")
    write_scattered(scattered)
    # From PyPI's wheel of airportsdata.
    airports.write_airports(os.path.join(libraries, "wheels/airportsdata/airports.csv"), rows_of_airports)
    inputs = {
        "airports": [rows_of_airports, "--bundle", "256", *airports.OPTIONS],
        "airports-mvt": [rows_of_airports, "--format", "mvt", *airports.OPTIONS],
        "capitals": [os.path.join(HERE, "../../Input/capitals.csv"), "--group-by", "continent"],
        "scattered": [scattered, "--bundle", "256", "--filter-by", "kind,price:10:20:50:100", "--accumulate-attribute", "price:mean"],
    }
    tilesets = {name: os.path.join(output, name) for name in inputs}
    for name, (rows, *options) in inputs.items():
        subprocess.run([program, "build", rows, tilesets[name], *options], check=True)
    with open(rows_of_airports, newline="") as rows, open(os.path.join(tilesets["airports"], "places.json"), "w") as file:
        json.dump([{"name": row["name"], "lngLat": [float(row["longitude"]), float(row["latitude"])]} for row in csv.DictReader(rows)], file)
    with Examples(libraries, tilesets, port) as server:
        print(f"Examples: {server.url}", flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    main()
