#!/usr/bin/env python3
"""Situations of real pages, with a real browser and the real map libraries: hidden maps, several tilesets on one map, other layers around the
markers, texts from right to left, hosts that refuse.

    pages_test.py path/to/pyramid path/to/libraries [directory for screenshots]

MAPS="leaflet openlayers" and CHECKS="in_view fit" run only these.
"""

import concurrent.futures
import csv
import json
import os
import random
import subprocess
import sys
import tempfile
import time

from browser_test import HERE, LIBRARIES, MAPS, PROGRAM, ROWS, Page, expect_quiet, shops
from browser import Browser
from examples import Examples
from workshop import expect

MAX_ZOOM = 10
CHECKS = []


def check(*maps):
    """Marks a function as a check, which gets a page of each of these map libraries (default: all)."""
    def add(function):
        CHECKS.append((function, maps or tuple(MAPS)))
        return function
    return add


# The markers of the view that the library has in the window, in any copy of the world.
IN_WINDOW = """markers.view.markers.filter(({ x, y }) => [-360, 0, 360].some((copy) => {
  const [right, down] = PIXEL;
  return right >= 0 && down >= 0 && right <= map_width && down <= map_height;
}))"""


def in_window(page):
    pixel = page.map["pixel"].format(longitude="((x - 0.5) * 360 + copy)", latitude="(Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180 / Math.PI)")
    if page.name == "leaflet":
        # Its own pixels are whole.
        pixel = "(({ x: left, y: top }) => [(x + copy / 360) * 256 * 2 ** map.getZoom() - left + map.getSize().x / 2, y * 256 * 2 ** map.getZoom() - top + map.getSize().y / 2])(map.project(map.getCenter()))"
    width, height = page.browser.evaluate("(({ clientWidth, clientHeight }) => [clientWidth, clientHeight])(document.getElementById('map'))")
    return IN_WINDOW.replace("PIXEL", pixel).replace("map_width", str(width)).replace("map_height", str(height))


@check()
def check_in_view(page):
    """`counts` and the legend are of the markers in the window, and follow the map also where no tile is read."""
    browser, chance = page.browser, random.Random(3)

    def expect_counts(where):
        browser.evaluate("new Promise((done) => setTimeout(done, 300))")
        expected = page.run(f"{in_window(page)}.reduce((sum, {{ count }}) => sum + count, 0)")
        counted = page.run("[...markers.counts('kind').values()].reduce((sum, { inView }) => sum + inView, 0)")
        told = sum(int(words.split()[0].replace(",", "")) for _, _, words in browser.evaluate(ROWS)[0])
        expect(counted == told == expected, f"{page.name}: {counted} points in view and {told} in the legend, {expected} in the window, {where}")
        return expected

    for width, height in ((900, 700), (390, 700)):
        browser.resize(width, height)
        page.open("shops")
        browser.evaluate("document.querySelector('#legend fieldset').getClientRects().length || document.querySelector('#legend .toggle').click()")
        found = []
        for _ in range(3):
            zoom, latitude, longitude = chance.choice([3, 4, 5, 6]), chance.uniform(-30, 50), chance.uniform(-110, 130)
            page.go(zoom, latitude, longitude)
            found.append(expect_counts(f"at {zoom}/{latitude:.2f}/{longitude:.2f}"))
            for pixels in (25, -40):
                longitude += pixels * 360 / 256 / 2 ** zoom
                page.act("go", zoom=zoom, latitude=latitude, longitude=longitude)
                found.append(expect_counts("after a short way"))
        expect(len(set(found)) > 5, f"{page.name}: the views don't differ: {found}")
    browser.resize(900, 700)
    # Two worlds beside each other.
    page.act("go", zoom=1, latitude=20, longitude=100)
    page.wait("markers.view.zoom === 1")
    page.settle()
    expect(expect_counts("with two worlds") == 2000, f"{page.name}: points are counted twice, or not at all")
    page.shoot("in-view")
    if page.name != "maplibre":
        return
    page.run("void map.jumpTo({ center: [10, 40], zoom: 3, bearing: 40, pitch: 55 })")
    page.settle()
    expect_counts("on a map that is turned and tilted")
    page.run("void map.jumpTo({ center: [10, 20], zoom: 1, bearing: 0, pitch: 0 })")
    page.run("void map.setProjection({ type: 'globe' })")
    page.settle()
    degrees = "Math.acos(Math.min(Math.sin(lat) * Math.sin(20 * rad) + Math.cos(lat) * Math.cos(20 * rad) * Math.cos(lng - 10 * rad), 1)) / rad"
    near, far = page.run(f"""[55, 90].map((limit) => markers.view.markers.filter(({{ feature: {{ geometry: {{ coordinates }} }} }}) => {{
      const rad = Math.PI / 180, [lng, lat] = coordinates.map((degrees) => degrees * rad);
      return {degrees} < limit;
    }}).reduce((sum, {{ count }}) => sum + count, 0))""")
    counted = page.run("[...markers.counts('kind').values()].reduce((sum, { inView }) => sum + inView, 0)")
    expect(near <= counted <= far < 2000, f"maplibre: {counted} points in view on a globe, expected from {near} to {far}")


def main():
    wanted = os.environ.get("CHECKS", "").split()
    chosen = [(function, maps) for function, maps in CHECKS if not wanted or function.__name__.removeprefix("check_") in wanted]
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/shops.csv", "w", newline="") as file:
            writer = csv.DictWriter(file, list(shops()[0]))
            writer.writeheader()
            writer.writerows(shops())
        filters = ["--filter-by", "kind,price:0:10:50,area"]
        tilesets = {"shops": ["--bundle", "64", *filters], "plain": filters}
        for name, options in tilesets.items():
            subprocess.run([PROGRAM, "build", f"{folder}/shops.csv", f"{folder}/{name}", "--max-zoom", str(MAX_ZOOM), "--quiet", *options], check=True)

        def run(name):
            server = Examples(LIBRARIES, {name: f"{folder}/{name}" for name in tilesets}, is_offline=True).start()
            for function, maps in chosen:
                if name not in maps:
                    continue
                with Browser(900, 700) as browser:
                    page = Page(browser, name, server)
                    function(page)
                    expect_quiet(f"{name}, {function.__name__}", browser)
                    print(f"pages_test: {name}, {function.__name__} passed", flush=True)

        names = os.environ.get("MAPS", " ".join(MAPS)).split()
        with concurrent.futures.ThreadPoolExecutor() as pool:
            for result in [pool.submit(run, name) for name in names]:
                result.result()


main()
