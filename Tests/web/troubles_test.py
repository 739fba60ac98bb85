#!/usr/bin/env python3
"""Makes the mistakes of the article Troubleshooting with a real browser: it prints the messages that the article quotes.

troubles_test.py path/to/pyramid path/to/libraries
"""

import functools
import gzip
import itertools
import math
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE.parent / "preview"), str(HERE.parent)]

from browser import Browser  # noqa: E402
from workshop import Host, Quiet, expect, features  # noqa: E402

ARTICLE = ROOT / "Sources/Documentation/Pyramid.docc/Guides/Troubleshooting.md"
TEXT = " ".join(ARTICLE.read_text(encoding="utf-8").split())
PAGE = """<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><link rel="stylesheet" href="libraries/leaflet.css">
<style>{style}</style><script src="libraries/leaflet.js"></script><div id="map"></div><script type="module">
import {{ leaflet }} from "./pyramid-web.js";
const markers = leaflet.addMarkers(L.map("map").setView([20, 0], 3), "{url}");
markers.addEventListener("settled", () => {{ window.isSettled = true; }});
</script>"""
OWN_CODE = """<!doctype html><link rel="icon" href="data:,"><script>
fetch("{url}").then((answer) => answer.json()).catch((error) => console.error(error.message));
</script>"""
MAPLIBRE = """<!doctype html><link rel="icon" href="data:,"><script src="libraries/maplibre-gl.js"></script><div id="map" style="height: 400px"></div><script>
const map = new maplibregl.Map({{ container: "map", style: {{ version: 8, sources: {{ points: {{ type: "vector", maxzoom: 3, tiles: ["{url}"] }} }},
  layers: [{{ id: "points", type: "circle", source: "points", "source-layer": "points" }}] }} }});
map.on("error", ({{ error }}) => console.error(error.message));
</script>"""
STYLE = "html, body, #map { height: 100%; margin: 0; }"
HTML = b"<html>Welcome</html>"


class Mistaken(Quiet):
    """A host with mistakes: fields to send with tiles, whether pages of other origins may read, whether it compresses what is
    compressed, and the answer for what is missing."""

    def __init__(self, *arguments, fields=(), allows_others=True, compresses=False, missing=(404, b""), **others):
        self.fields, self.allows_others, self.compresses, self.missing = fields, allows_others, compresses, missing
        super().__init__(*arguments, **others)

    def do_GET(self):
        path = Path(self.translate_path(self.path))
        status, body = (200, path.read_bytes()) if path.is_file() else self.missing
        self.send_response(status)
        if "/tiles/" in self.path and path.is_file():
            body = gzip.compress(body) if self.compresses else body
            for name, value in self.fields:
                self.send_header(name, value)
        self.send_header("Content-Type", self.guess_type(self.path) if status == 200 else "text/html")
        if self.allows_others:
            self.send_header("Access-Control-Allow-Origin", "*")
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def serve(folder, **mistakes):
    return Host(functools.partial(Mistaken, directory=folder, **mistakes)).url


class Troubles:
    def __init__(self, folder):
        self.folder, self.home, self.pages = folder, serve(folder), itertools.count()

    def show(self, browser, page, url):
        name = f"{next(self.pages)}.html"
        (self.folder / name).write_text(page.format(url=url, style=STYLE))
        browser.errors.clear()
        browser.open(f"{self.home}/{name}")

    def printed(self, browser, message, host=""):
        """Waits for a message that the article quotes."""
        expect(message in TEXT, f"the article doesn't have the message: {message}")
        deadline = time.monotonic() + 30
        while True:
            errors = [
                error.replace(self.home, "http://127.0.0.1:8000")
                .replace(host or self.home, "http://127.0.0.1:8080")
                .replace(str(self.folder), "/home/me/map")
                for error in browser.errors
            ]
            if any(message in error for error in errors):
                print(f"ok     {message[:100]}")
                return
            expect(time.monotonic() < deadline, f"the browser doesn't print\n{message}\nbut\n{errors}")
            browser.evaluate("new Promise((done) => setTimeout(done, 50))")


GZIP = [("Content-Encoding", "gzip")]


def check_messages(troubles, browser):
    quoted = lambda beginning, end="`": TEXT[(start := TEXT.index(beginning)) : TEXT.index(end, start)]  # noqa: E731
    for page, path, message, mistakes in [
        (PAGE, "/capitols/", quoted("TilesetError"), {"fields": GZIP}),
        (PAGE, "/capitals/", quoted("Access to fetch"), {"fields": GZIP, "allows_others": False}),
        (OWN_CODE, "/capitals/tiles/0/0/0.json", "is not valid JSON", {}),
        (OWN_CODE, "/capitals/tiles/0/0/0.json", "is not valid JSON", {"fields": GZIP, "compresses": True}),
        (MAPLIBRE, "/mvt/tiles/{z}/{x}/{y}.mvt", quoted("please make sure"), {}),
        (OWN_CODE, "/plain/tiles/0/0/0.json", "net::ERR_CONTENT_DECODING_FAILED", {"fields": GZIP}),
        (PAGE, "/capitals/", quoted("Failed to load resource"), {"fields": GZIP}),
        (PAGE, "/capitals/", quoted("isn't JSON"), {"fields": GZIP, "missing": (200, HTML)}),
    ]:
        host = serve(troubles.folder, **mistakes)
        troubles.show(browser, page, host + path)
        troubles.printed(browser, message, host)
    browser.errors.clear()
    browser.open(f"file://{troubles.folder}/0.html")
    troubles.printed(browser, quoted("Access to script"))


def check_what_is_no_error(troubles, browser):
    """PyramidWeb reads tiles without Content-Encoding, compressed twice, and hosts that answer 403 or 204 for tiles without markers."""
    for mistakes in [{}, {"fields": GZIP, "compresses": True}, {"fields": GZIP, "missing": (403, b"")}, {"fields": GZIP, "missing": (204, b"")}]:
        troubles.show(browser, PAGE, serve(troubles.folder, **mistakes) + "/capitals/")
        browser.wait("window.isSettled")
        # Chromium itself logs these; 204 is quiet.
        loud = [error for error in browser.errors if not re.search(r"status of 40[34] \((Not Found|Forbidden)\)", error)]
        expect(not loud, f"with {mistakes}: {loud}")
        expect(browser.evaluate("document.getElementById('map').clientHeight") > 0, "the map has no height")


def check_a_map_without_height(troubles, browser):
    troubles.show(browser, PAGE.replace("{style}", ""), serve(troubles.folder, fields=GZIP, missing=(204, b"")) + "/capitals/")
    browser.wait("window.isSettled")
    expect(not browser.errors, browser.errors)
    expect(browser.evaluate("document.getElementById('map').clientHeight") == 0, "the map has a height")


def check_cache(troubles, browser):
    tile = troubles.folder / "capitals/tiles/0/0/0.json"
    host = serve(troubles.folder, fields=[*GZIP, ("Cache-Control", "public, max-age=300")])
    troubles.show(browser, OWN_CODE, f"{host}/capitals/tiles/0/0/0.json")
    read = f"fetch('{host}/capitals/tiles/0/0/0.json').then((answer) => answer.text())"
    before = browser.evaluate(read)
    tile.write_bytes(gzip.compress(b"{}"))
    browser.call("Page.reload")
    browser.wait("document.readyState === 'complete'")
    expect(browser.evaluate(read) == before, "a reload gets the host's tile")
    browser.call("Network.setCacheDisabled", cacheDisabled=True)
    expect(browser.evaluate(read) == "{}", "without the cache there is still the old tile")


def nearest(tileset, zoom, width):
    """The smallest distance between two markers of a zoom, where a map draws the world that wide."""
    places = []
    for feature in features(tileset, zoom):
        longitude, latitude = feature["geometry"]["coordinates"]
        places.append((longitude / 360 * width, math.asinh(math.tan(math.radians(latitude))) / math.tau * width))
    return min(math.dist(*pair) for pair in itertools.combinations(places, 2))


def main():
    program, libraries = sys.argv[1], Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "libraries").symlink_to(libraries.resolve())
        shutil.copytree(ROOT / "Sources/PyramidWeb", folder, dirs_exist_ok=True)
        for tileset, *options in [["capitals"], ["plain", "--compression", "none"], ["mvt", "--format", "mvt"], ["wide", "--tile-size", "512"]]:
            subprocess.run([program, "build", "--quiet", ROOT / "Input/capitals.csv", folder / tileset, *options], check=True)
        expect(20 <= nearest(folder / "wide", 3, 256 << 3) < 30, "a map of 256-pixel tiles doesn't show markers half as far apart")
        expect(nearest(folder / "capitals", 3, 512 << 3) >= 80, "a map of 512-pixel tiles doesn't show markers twice as far apart")
        troubles = Troubles(folder)
        with Browser(800, 600) as browser:
            check_messages(troubles, browser)
            check_what_is_no_error(troubles, browser)
            check_a_map_without_height(troubles, browser)
            check_cache(troubles, browser)


main()
