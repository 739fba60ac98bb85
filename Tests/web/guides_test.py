#!/usr/bin/env python3
"""Looks with a real browser at the pages of the articles that have one: markers appear, a click takes a cluster apart, a popup has the
name, and a filter the right counts.

    guides_test.py path/to/pyramid path/to/libraries [directory for screenshots]

Tests/articles/guides.py runs the articles as a reader would. Where a page is ready, an article has a line such as

    <!-- test: run ${LOOK:-true} leaflet http://127.0.0.1:8000/ shops.csv -->

which is `true` unless this test runs it: then the browser gets what the page takes from CDNs and tile hosts from `path/to/libraries`
(Tests/install.sh leaflet maps). Nothing else of the page is changed, but its variables are made visible.
"""

import base64
import csv
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE.parent / name) for name in ("preview", "interop", "")]

from browser import Browser  # noqa: E402
from examples import BLANK, TYPES  # noqa: E402
from glyphs import glyph_range  # noqa: E402
from workshop import expect  # noqa: E402

GUIDES = ROOT / "Sources/Documentation/Pyramid.docc/Guides"
# The checks of each article, in order.
ARTICLES = {
    ROOT / "README.md": ["page"],
    GUIDES / "GettingStartedLeaflet.md": ["leaflet"],
    GUIDES / "GettingStartedMapLibre.md": ["maplibre"],
    GUIDES / "FromSupercluster.md": ["supercluster", "clusters"],
}
# What the article FromSupercluster counts: zooms of MapLibre, longitudes and latitudes.
VIEWS = [(3, 8, 50), (4, 8, 50), (5, 10, 48), (6, 11, 48), (8, 13.4, 52.5), (10, 13.4, 52.5)]
DRAWN = "map.loaded() && map.areTilesLoaded() && !map.isMoving() && map.queryRenderedFeatures({ layers: ['shops'] }).length > 0"
# Makes the variables of a page's last script visible.
SEEN = "window.page = { map, markers: typeof markers === 'undefined' ? null : markers };"


class OfflineBrowser(Browser):
    """A browser without a network but this machine's own."""

    def __init__(self, libraries):
        self.libraries, self.sent = Path(libraries), 10**9
        super().__init__()
        # A page that Fetch.fulfillRequest answers is from nowhere, and would have to ask for this machine's other servers.
        self.call("Browser.grantPermissions", permissions=["loopbackNetwork"])
        self.call("Fetch.enable", patterns=[{"urlPattern": "https://*"}, {"urlPattern": "*", "resourceType": "Document"}])

    def note(self, method, event):
        super().note(method, event)
        if method != "Fetch.requestPaused":
            return
        url = event["request"]["url"]
        status, kind, body = self.answer(url)
        # Not by `call`, which may be waiting for another answer.
        self.sent += 1
        message = {
            "id": self.sent,
            "sessionId": self.session,
            "method": "Fetch.fulfillRequest",
            "params": {
                "requestId": event["requestId"],
                "responseCode": status,
                "body": base64.b64encode(body).decode(),
                "responseHeaders": [{"name": "Content-Type", "value": kind}, {"name": "Access-Control-Allow-Origin", "value": "*"}],
            },
        }
        os.write(self.commands, json.dumps(message).encode() + b"\0")

    def answer(self, url):
        if found := re.fullmatch(r"https://unpkg\.com/(?:leaflet|maplibre-gl)@[\d.]+/dist/([\w.-]+)", url):
            return 200, TYPES[os.path.splitext(url)[1]], (self.libraries / found[1]).read_bytes()
        if url.startswith("https://tile.openstreetmap.org/"):
            return 200, TYPES[".png"], BLANK
        if found := re.fullmatch(r"https://demotiles\.maplibre\.org/font/.*/(\d+)-\d+\.pbf", url):
            return 200, "application/x-protobuf", glyph_range("Noto Sans Regular")
        if url.startswith("https:"):
            return 404, "text/plain", b""
        with urllib.request.urlopen(url) as response:
            page = response.read().decode()
        # The versions of Debian and PyPI are others.
        page = re.sub(r' integrity="[^"]*"', "", page)
        page = re.sub(r"^(?=leaflet\.addMarkers)", "const markers = ", page, flags=re.M)
        before, end, after = page.rpartition("</script>")
        return 200, TYPES[".html"], f"{before}{SEEN}\n{end}{after}".encode()


class Page:
    """A page of an article, with its variables `map` and `markers`."""

    def __init__(self, browser, url):
        self.browser, self.url = browser, url
        browser.open(url)
        browser.wait("!!window.page")

    def run(self, expression):
        return self.browser.evaluate(f"(async () => {{ const {{ map, markers }} = page; return {expression} }})()")

    def wait(self, expression):
        return self.browser.wait(f"(async () => {{ const {{ map, markers }} = page; return {expression} }})()")

    def click(self, longitude, latitude):
        # The second click of a double click would be something else.
        time.sleep(0.4)
        self.browser.click(
            *self.run(
                f"(({{ x, y }}) => [x, y])(map.jumpTo ? map.project([{longitude}, {latitude}]) : map.latLngToContainerPoint([{latitude}, {longitude}]))"
            )
        )

    def expect_popup(self, row):
        """A click on a place opens a popup with its name."""
        self.click(row["longitude"], row["latitude"])
        popup = self.wait("document.querySelector('.leaflet-popup-content, .maplibregl-popup-content')?.textContent")
        expect(row["name"] in popup, f"{self.url}: a popup has {popup!r}, expected {row['name']!r}")

    def close_up(self, longitude, latitude, zoom):
        self.run(
            f"void (map.jumpTo ? map.jumpTo({{ center: [{longitude}, {latitude}], zoom: {zoom} - 1 }}) : map.setView([{latitude}, {longitude}], {zoom}, {{ animate: false }}))"
        )


def rows_of(path):
    with open(path, newline="") as rows:
        return list(csv.DictReader(rows))


STILL = "markers.view.isSettled && !markers.isMoving && markers.shown.length > 0"
TOTAL = "markers.shown.reduce((sum, { marker }) => sum + marker.count, 0)"


def check_page(browser, url, table):
    """A page with the JavaScript library: it shows all rows, and a click on a cluster takes it apart."""
    page, rows = Page(browser, url), rows_of(table)
    page.wait(STILL)
    expect(page.run(TOTAL) == len(rows), f"{url}: shows {page.run(TOTAL)} of {len(rows)} points")
    zoom, count = page.run("[map.getZoom(), markers.shown.length]")
    longitude, latitude = page.run("markers.shown.find(({ marker }) => marker.isCluster).marker.feature.geometry.coordinates")
    page.click(longitude, latitude)
    page.wait(f"map.getZoom() > {zoom + 0.9} && {STILL}")
    expect(page.run("markers.shown.length") > 1, f"{url}: a click on one of {count} markers shows nothing")
    return page, rows


def check_library(browser, url, table):
    """The same, with a legend and popups."""
    page, rows = check_page(browser, url, table)
    page.run("void markers.fit()")
    page.wait(f"{STILL} && {TOTAL} === {len(rows)}")
    bakeries = sum(row["kind"] == "bakery" for row in rows)
    browser.evaluate("[...document.querySelectorAll('#legend li')].find((row) => row.textContent.includes('bakery')).querySelector('.only').click()")
    page.wait(f"markers.matching.count === {bakeries} && {STILL} && {TOTAL} === {bakeries}")
    cheap = sum(row["kind"] == "bakery" and float(row["price"]) < 10 for row in rows)
    page.run("void markers.filter({ kind: ['bakery'], price: { to: 10 } })")
    page.wait(f"markers.matching.count === {cheap} && {STILL} && {TOTAL} === {cheap}")
    page.run("void markers.filter(null)")
    page.wait(f"{STILL} && {TOTAL} === {len(rows)}")

    row = rows[0]
    page.close_up(row["longitude"], row["latitude"], 18)
    page.wait(f"markers.view.zoom >= 16 && {STILL}")
    page.expect_popup(row)


def markers_of(page, zoom, longitude, latitude):
    """What a clustered layer shows in the window: the pixels and the count of each marker."""
    page.run(f"void map.jumpTo({{ center: [{longitude}, {latitude}], zoom: {zoom} }})")
    page.wait(DRAWN)
    # Features at the edges of tiles are in several.
    found = page.run(
        "map.queryRenderedFeatures({ layers: ['shops'] }).map(({ id, geometry, properties }) => "
        "({ id, ...map.project(geometry.coordinates), count: properties.point_count ?? 1 }))"
    )
    markers = {(marker["id"], marker["count"]): marker for marker in found}.values()
    return [(marker["x"], marker["y"], marker["count"]) for marker in markers if 0 <= marker["x"] <= 1280 and 0 <= marker["y"] <= 800]


def too_near(markers, pixels):
    """How many markers have another within some pixels. Vector tiles round places to a sixteenth of a pixel."""
    return sum(any(other is not marker and math.dist(marker[:2], other[:2]) < pixels - 0.2 for other in markers) for marker in markers)


def check_supercluster(browser, url, table):
    """supercluster, inside MapLibre, and vector tiles show about as many markers, of which ours are no closer than they should be."""
    total = len(json.loads(Path(table).read_text())["features"])
    shown, near = [], []
    for name in ("before", "after"):
        page = Page(browser, f"{url}{name}.html")
        page.wait(DRAWN)
        shown.append([markers_of(page, *view) for view in VIEWS])
        near.append([too_near(markers, 50) for markers in shown[-1]])
        expect(sum(count for _, _, count in shown[-1][0]) == total, f"{name}: the first view hasn't all {total} points")
        page.run("void map.jumpTo({ center: [8, 50], zoom: 3 })")
        page.wait(DRAWN)
        x, y = page.run(
            "(({ x, y }) => [x, y])(map.project(map.queryRenderedFeatures({ layers: ['shops'] }).find(({ properties }) => properties.cluster).geometry.coordinates))"
        )
        time.sleep(0.4)
        browser.click(x, y)
        page.wait(f"map.getZoom() > 3.9 && {DRAWN}")
    counts = [[len(markers) for markers in found] for found in shown]
    expect(all(0.85 < after / before < 1.15 for before, after in zip(*counts)), f"{counts} markers before and after")
    expect(sum(near[0]) > sum(counts[0]) / 10 and not any(near[1]), f"{near} markers are closer than 50 pixels before and after")


def check_clusters(browser, url, table):
    """The module that takes the place of supercluster in code."""
    total = len(json.loads(Path(table).read_text())["features"])
    Page(browser, f"{url}after.html")
    found = browser.evaluate("""(async () => {
      const { getClusters, getLeaves } = await import("./clusters.js"), europe = [-15, 33, 32, 68];
      const counts = [];
      for (const zoom of [0, 5, 9]) counts.push((await getClusters(europe, zoom)).reduce((sum, { count }) => sum + count, 0));
      const cluster = (await getClusters([13.2, 52.4, 13.6, 52.6], 16)).find(({ isCluster }) => isCluster), { points, count } = await getLeaves(cluster);
      return { counts, names: points.map(({ properties }) => properties.name), listed: count, count: cluster.count };
    })()""")
    expect(found["counts"] == [total] * 3, f"getClusters counts {found['counts']} points, expected {total}")
    expect(len(set(found["names"])) == found["listed"] == found["count"] > 1, f"getLeaves has {found}")


CHECKS = {"page": check_page, "leaflet": check_library, "maplibre": check_library, "supercluster": check_supercluster, "clusters": check_clusters}


def look(name, url, *values):
    """A check in an article, where the shell is in its folder."""
    with OfflineBrowser(os.environ["LOOK_LIBRARIES"]) as browser:
        try:
            CHECKS[name](browser, url, *values)
            errors = [error for error in browser.errors if "WebGL" not in error and "status of 404" not in error]
            expect(not errors, f"{name}: errors on the console: {errors}")
        finally:
            if shots := os.environ.get("LOOK_SHOTS"):
                browser.screenshot(f"{shots}/guide-{name}.png")
    with open(os.environ["LOOK_DONE"], "a") as done:
        done.write(f"{name}\n")


def main():
    program, libraries = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as folder:
        for name in ("leaflet", "maplibre-gl"):
            for kind in ("js", "css"):
                os.symlink(os.path.abspath(f"{libraries}/{name}.{kind}"), f"{folder}/{name}.{kind}")
        done = Path(folder, "done")
        environment = {
            **os.environ,
            "LOOK": f"{sys.executable} {Path(__file__).resolve()} look",
            "LOOK_LIBRARIES": folder,
            "LOOK_DONE": str(done),
            "LOOK_SHOTS": os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else "",
        }
        if subprocess.run([sys.executable, ROOT / "Tests/articles/guides.py", program, *ARTICLES], env=environment).returncode:
            sys.exit("guides_test: an article failed")
        found, expected = done.read_text().split(), [name for names in ARTICLES.values() for name in names]
        expect(found == expected, f"the articles look at {found}, expected {expected}")
    print(f"guides_test: the pages of {len(ARTICLES)} articles passed")


if sys.argv[1] == "look":
    look(*sys.argv[2:])
else:
    main()
