#!/usr/bin/env python3
"""Makes the pictures of ChoosingClusters.md: the same airports clustered in several ways, as the preview page shows them.

    choosing.py PYRAMID LIBRARIES DIRECTORY

PYRAMID is the program; LIBRARIES is where Tests/install.sh puts the airports of airportsdata (PyPI, MIT licence). Needs Chromium and Leaflet (Debian)
and Pillow (PyPI).
"""

import os
import subprocess
import sys
import tempfile

TESTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Tests")
sys.path += [f"{TESTS}/preview", f"{TESTS}/web"]

from PIL import Image  # noqa: E402

from browser import Browser  # noqa: E402
from airports import write_airports  # noqa: E402

PICTURES = {
    "anchors": [],
    "distance-60": ["--cluster-distance", "60"],
    "distance-80": ["--cluster-distance", "80"],
    "centroid": ["--position", "centroid"],
    "min-points": ["--min-points", "4"],
}
WIDTH, HEIGHT, COLORS = 440, 300, 48
LATITUDE, LONGITUDE, ZOOM = 38.6, 23.6, 6
# Nothing but the map.
STYLE = ".glass, .leaflet-control-container, #attribution, #dock { display: none !important }"


def take(program, source, options, path):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "build", source, f"{folder}/tiles", "--bundle", "256", "--max-zoom", "14", "--quiet", *options], check=True)
        server = subprocess.Popen([program, "serve", f"{folder}/tiles", "--port", "0"], stdout=subprocess.PIPE, text=True)
        try:
            with Browser(WIDTH, HEIGHT, scale=2) as browser:
                browser.open(server.stdout.readline().strip())
                browser.wait("window.preview?.figures().isSettled")
                browser.evaluate(f"document.head.insertAdjacentHTML('beforeend', `<style>{STYLE}</style>`)")
                browser.evaluate(f"void preview.map.setView([{LATITUDE}, {LONGITUDE}], {ZOOM}, {{ animate: false }})")
                browser.evaluate("new Promise((done) => setTimeout(done, 1500))")
                browser.wait("preview.figures().isSettled")
                browser.screenshot(path)
        finally:
            server.terminate()
    picture = Image.open(path).convert("RGB").quantize(COLORS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    picture.save(path, optimize=True)
    print(f"{path}: {os.path.getsize(path):,} bytes")


def main():
    program, libraries, directory = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        source = f"{folder}/airports.csv"
        write_airports(f"{libraries}/wheels/airportsdata/airports.csv", source)
        for name, options in PICTURES.items():
            take(program, source, options, f"{directory}/clusters-{name}@2x.png")


main()
