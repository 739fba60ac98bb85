#!/usr/bin/env python3
"""Looks at the example pages of the JavaScript library with a real browser and the real map libraries: they show what
the tiles hold, move, take clusters apart, open popups, spread points, filter by their legends, and get over a host that
fails for a while.

Usage: browser_test.py path/to/pyramid path/to/libraries [directory for screenshots]
MAPS="leaflet openlayers" and CHECKS="popups icons" run only these.
"""

import base64
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../preview"), os.path.join(HERE, "..")]

from browser import Browser  # noqa: E402
from checks import Checks  # noqa: E402
from examples import OFFLINE, REPLACED, Examples  # noqa: E402
from workshop import code_blocks, expect, features, serving, write_csv  # noqa: E402

PROGRAM, LIBRARIES = sys.argv[1], sys.argv[2]
SCREENSHOTS = sys.argv[3] if len(sys.argv) > 3 else None
MAX_ZOOM = 10
HOSTILE = "<img src=x onerror='window.hacked=1'><b>bold</b>"
ATTRIBUTION = 'Points: <a href="https://example.org/">Example</a>' + HOSTILE

# Zooms are those of a world 256 pixels wide at zoom 0.
MAPS = {
    "leaflet": {
        "go": "map.setView([{latitude}, {longitude}], {zoom}, {{ animate: false }})",
        "zoom to": "map.setZoom({zoom})",
        "zoom": "map.getZoom()",
        "pixel": "(({{ x, y }}) => [x, y])(map.latLngToContainerPoint([{latitude}, {longitude}]))",
        "remove": "markers.layer._map === null && !document.querySelector('.leaflet-pyramid-pane canvas')",
        "destroy": "map.remove()",
        "center": "map.getCenter().lng",
        "focus": "map.getContainer()",
        "attribution": ".leaflet-control-attribution",
    },
    "maplibre": {
        "go": "map.jumpTo({{ center: [{longitude}, {latitude}], zoom: {zoom} - 1 }})",
        "zoom to": "map.easeTo({{ zoom: {zoom} - 1, duration: 250 }})",
        "zoom": "map.getZoom() + 1",
        "pixel": "(({{ x, y }}) => [x, y])(map.project([{longitude}, {latitude}]))",
        "remove": "!map.getSource('pyramid') && !map.getLayer('pyramid-circles') && !map.listImages().some((name) => name.startsWith('pyramid'))",
        "destroy": "map.remove()",
        "center": "map.getCenter().lng",
        "focus": "map.getCanvas()",
        "attribution": ".maplibregl-ctrl-attrib-inner",
    },
    "openlayers": {
        "go": "(map.getView().cancelAnimations(), map.getView().setCenter(ol.proj.fromLonLat([{longitude}, {latitude}])), "
        "map.getView().setResolution(156543.03392804097 / 2 ** {zoom}), map.renderSync())",
        "zoom to": "map.getView().animate({{ resolution: 156543.03392804097 / 2 ** {zoom}, duration: 250 }})",
        "zoom": "Math.log2(156543.03392804097 / map.getView().getResolution())",
        "pixel": "map.getPixelFromCoordinate(ol.proj.fromLonLat([{longitude}, {latitude}]))",
        "remove": "map.getLayers().getLength() === 0 && map.getOverlays().getLength() === 0",
        "destroy": "map.dispose()",
        "center": "map.getView().getCenter()[0] / 20037508.342789244 * 180",
        "focus": "map.getTargetElement()",
        "attribution": ".ol-attribution",
    },
}


check = Checks("browser_test", MAPS)


def expect_quiet(name, browser):
    """Nothing on the console but the statuses that the test wants, and what the browser says of WebGL without a GPU."""
    harmless = ("status of 404", "status of 503", "WebGL", "performance warning: READ-usage buffer")
    errors = [error for error in browser.errors if not any(text in error for text in harmless)]
    expect(not errors, f"{name}: errors on the console: {errors}")


def rows():
    """Points around the antimeridian and in Europe; 4 and 130 share a place, and one name is HTML."""
    chance = random.Random(9)
    lines = ["name,kind,link,longitude,latitude"]
    for number in range(1200):
        longitude, latitude = (
            (150 + 50 * chance.random(), -45 + 40 * chance.random()) if number % 3 else (4 + 9 * chance.random() ** 2, 44 + 8 * chance.random())
        )
        lines.append(
            f"place {number},{chance.choice(['bar', 'café', 'museum'])},,{longitude - 360 if longitude >= 180 else longitude:.6f},{latitude:.6f}"
        )
    lines += [f"twin {number},bar,,-71.06,42.36" for number in range(4)]
    lines += [f"crowd {number},bar,,-46.63,-23.55" for number in range(130)]
    lines.append(f'"{HOSTILE}",bar,https://example.org/<b>bold</b>,-20.5,12.25')
    return "\n".join(lines) + "\n"


LONG = "Donaudampfschifffahrtsgesellschaftskapitänsmützenfabrik"
EDGES = [0, 10, 50]


def shops():
    """Points with columns to filter by: kinds, of which one is HTML and one a long word, prices, and 30 numbered areas."""
    chance = random.Random(5)
    return [
        {
            "name": f"shop {number}",
            "kind": chance.choice(["bar", "café", HOSTILE, LONG, "", "bar"]),
            "price": chance.choice(["", -5, 0, 9.99, 10, 49, 50, 120]),
            "area": f"area {min(chance.randrange(30), chance.randrange(30))}",
            "longitude": round(chance.uniform(-120, 140), 6),
            "latitude": round(chance.uniform(-40, 60), 6),
        }
        for number in range(2000)
    ]


def range_of(price):
    return "" if price == "" else "<0" if price < 0 else "0-10" if price < 10 else "10-50" if price < 50 else "50+"


def picture(browser):
    """The rows of the window's pixels."""
    # Chromium unpacks its PNG, which takes Python some seconds.
    packed = browser.call("Page.captureScreenshot", format="png")["data"]
    width, pixels = browser.evaluate(f"""(async () => {{
        const bytes = Uint8Array.from(atob("{packed}"), (letter) => letter.charCodeAt(0));
        const image = await createImageBitmap(new Blob([bytes]));
        const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
        canvas.drawImage(image, 0, 0);
        const file = new FileReader();
        await new Promise((done) => {{
            file.onload = done;
            file.readAsDataURL(new Blob([canvas.getImageData(0, 0, image.width, image.height).data]));
        }});
        return [image.width, file.result.split(",")[1]];
    }})()""")
    pixels = base64.b64decode(pixels)
    rows = (pixels[start : start + 4 * width] for start in range(0, len(pixels), 4 * width))
    return [list(zip(row[::4], row[1::4], row[2::4])) for row in rows]


class Page:
    """An example page in a browser."""

    def __init__(self, browser, name, server):
        self.browser, self.name, self.server, self.map = browser, name, server, MAPS[name]

    def open(self, tileset):
        self.browser.open(f"{self.server.url}examples/{self.name}.html?tiles=/tilesets/{tileset}/")
        self.browser.wait("window.example && example.markers.view.isSettled && example.markers.shown.length > 0")
        # The other checks need the whole map.
        if tileset != "shops":
            self.browser.evaluate("document.getElementById('legend').style.display = 'none'")

    def run(self, expression):
        return self.browser.evaluate(f"(() => {{ const {{ map, markers }} = example; return {expression} }})()")

    def act(self, action, after="", **values):
        """Does one of the things that the map libraries do differently, and then something else before the browser goes on."""
        action = self.map[action].format(**values)
        return self.browser.evaluate(f"(() => {{ const {{ map, markers }} = example; {action}; {after} }})()")

    def wait(self, expression):
        return self.browser.wait(f"(() => {{ const {{ map, markers }} = example; return {expression} }})()")

    def settle(self):
        """Waits until all is read and nothing moves."""
        self.wait("markers.view.isSettled && !markers.isMoving")
        # Two more frames, and what the map's worker has to do, which MapLibre tells.
        self.browser.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 150))))")
        self.wait(
            "!map.isSourceLoaded || Object.keys(map.getStyle()?.sources ?? {}).filter((id) => id.startsWith('pyramid')).every((id) => map.isSourceLoaded(id))"
        )

    def go(self, zoom, latitude, longitude):
        # Leaflet ignores what comes while it zooms.
        self.wait("!map._animatingZoom")
        self.act("go", zoom=zoom, latitude=latitude, longitude=longitude)
        self.wait(f"markers.view.zoom === {min(zoom, MAX_ZOOM)}")
        time.sleep(0.25)
        self.settle()

    def pixel(self, longitude, latitude):
        return self.run(self.map["pixel"].format(longitude=longitude, latitude=latitude))

    def click(self, x, y):
        # The second click of a double click would be something else.
        time.sleep(0.4)
        self.browser.click(x, y)

    def place(self, condition):
        """Where something is drawn that the expression over `item` chooses."""
        longitude, latitude = self.wait(
            f"(() => {{ const item = markers.shown.find((item) => !item.isLeaving && {condition}); "
            "return item && [(item.x - 0.5) * 360, Math.atan(Math.sinh(Math.PI * (1 - 2 * item.y))) * 180 / Math.PI] })()"
        )
        return self.pixel(longitude, latitude)

    def replace(self, options="", source="'/tilesets/plain/'", then="0"):
        """Puts other markers onto the map."""
        self.browser.evaluate(f"""(async () => {{
          const {{ map }} = example, source = {source}, {{ addMarkers }} = await import('/{self.name}.js');
          example.markers.remove();
          const markers = example.markers = addMarkers(map, source, {{ {options} }});
          return {then};
        }})()""")

    def renew(self, options):
        self.replace(options)
        self.wait("markers.view.isSettled")
        self.settle()

    def move_mouse(self, x, y):
        self.browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def press(self, key, code=0):
        for kind in ("rawKeyDown", "keyUp"):
            self.browser.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)

    def in_window(self):
        """The pixels of the drawn markers in the window, by key, from top to bottom."""
        longitude, latitude = "(item.x - 0.5) * 360", "Math.atan(Math.sinh(Math.PI * (1 - 2 * item.y))) * 180 / Math.PI"
        longitude = f"{longitude} + 360 * Math.round(({self.map['center']} - {longitude}) / 360)"
        found = self.run(f"markers.shown.map((item) => [item.key, {self.map['pixel'].format(longitude=longitude, latitude=latitude)}])")
        width, height = self.browser.evaluate("[innerWidth, innerHeight]")
        return {key: (x, y) for key, (x, y) in sorted(found, key=lambda item: item[1][::-1]) if 0 <= x <= width and 0 <= y <= height}

    def details(self, condition):
        return self.browser.wait(
            f"(() => {{ const node = document.querySelector('.pyramid-details'), box = node?.getBoundingClientRect(); return box?.width > 0 && {condition} }})()"
        )

    def shoot(self, name):
        if SCREENSHOTS:
            self.browser.screenshot(f"{SCREENSHOTS}/{self.name}-{name}.png")


@check(scale=1)
def check_markers(page):
    """Every marker of the tiles that is in the window is drawn, in its colour and with its count, and no other."""
    for zoom, latitude, longitude in ((5, 47, 8), (6, -25, 179.5), (9, 46.5, 5)):
        page.go(zoom, latitude, longitude)
        rows = picture(page.browser)
        width, height = len(rows[0]), len(rows)
        expected = {}
        for feature in features(page.server.tilesets["plain"], zoom):
            if (abs((feature["geometry"]["coordinates"][0] - longitude + 180) % 360 - 180)) > 120:
                continue
            x, y = feature["geometry"]["coordinates"]
            x += 360 * round((longitude - x) / 360)
            pixel = page.pixel(x, y)
            if 0 <= pixel[0] < width and 0 <= pixel[1] < height:
                expected[(round(x, 6), y)] = (pixel, feature["properties"].get("point_count"))
        shown = page.run("markers.shown.map(({ marker }) => [marker.feature.geometry.coordinates, marker.count, markers.appearance.look(marker)])")
        drawn = {(round(x + 360 * round((longitude - x) / 360), 6), y): look for (x, y), _, look in shown}
        missing = [place for place in expected if place not in drawn]
        expect(not missing and len(expected) > 8, f"{page.name}: {len(missing)} of {len(expected)} markers are missing at {zoom}")
        counts, painted = 0, 0
        for place, ((x, y), count) in expected.items():
            look = drawn[place]
            if not (20 < x < width - 20 and 60 < y < height - 60) or (y < 100 and x < 60):
                continue
            color = tuple(int(look["color"][index : index + 2], 16) for index in (1, 3, 5))
            inside = [rows[round(y + dy)][round(x + dx)] for dx in range(-9, 10) for dy in range(-9, 10) if math.hypot(dx, dy) < look["radius"] - 2.5]
            near = [pixel for pixel in inside if max(abs(a - b) for a, b in zip(pixel, color)) < 12]
            painted += len(near) > len(inside) * 0.4
            counts += bool(count) and sum(min(pixel) > 200 for pixel in inside) > 8
            expect(len(near) > len(inside) * 0.4, f"{page.name}: the marker at {place}, zoom {zoom}, is not painted in its colour")
            for other, ((other_x, other_y), _) in expected.items():
                gap = math.hypot(x - other_x, y - other_y) - look["radius"] - drawn[other]["radius"]
                expect(other == place or gap > -0.5, f"{page.name}: the markers at {place} and {other} overlap by {-gap} pixels, zoom {zoom}")
        clusters = sum(bool(count) for (x, y), count in expected.values() if 20 < x < width - 20 and 100 < y < height - 60)
        expect(painted > 5 and counts >= clusters > 0, f"{page.name}: {counts} counts can be read of {clusters}")


@check()
def check_cluster(page):
    page.go(3, -25, 179.5)
    expansion = page.run("markers.shown.find(({ marker }) => marker.isCluster && marker.count > 5).marker.feature.properties.expansion_zoom")
    x, y = page.place("item.marker.isCluster && item.marker.count > 5")
    page.click(x, y)
    # It may go on to where the points fill the window.
    page.wait(f"markers.view.zoom >= {expansion}")
    page.settle()


@check()
def check_motion(page):
    """Markers come out of their clusters; however quickly the zoom changes, nothing stays that is not in the tiles."""
    watch = """new Promise((done) => {
      const { markers } = example, seen = { between: 0, frames: 0 }, until = performance.now() + 1500;
      const look = () => {
        seen.frames += 1;
        seen.between += markers.shown.filter((item) => item.isLeaving || Math.abs(item.x - item.marker.x) > 1e-9).length;
        if (performance.now() < until) requestAnimationFrame(look); else done(seen);
      };
      look();
      setTimeout(() => { const { map } = example; ACTION; }, 50);
    })"""
    page.go(4, 47, 8)
    # A busy machine may draw no frame in between, but not every time.
    for zoom in (6, 4) * 4:
        seen = page.browser.evaluate(watch.replace("ACTION", page.map["zoom to"].format(zoom=zoom)))
        page.settle()
        if seen["between"] > 10:
            break
    expect(seen["between"] > 10, f"{page.name}: nothing moves when the map is zoomed: {seen}")
    for zoom in (5, 7, 4, 6, 3, 8, 5):
        page.act("zoom to", zoom=zoom)
        time.sleep(0.12)
    page.go(5, 47, 8)
    same = page.run(
        "JSON.stringify(markers.shown.map(({ marker }) => marker.key).sort()) === JSON.stringify(markers.view.markers.map(({ key }) => key).sort())"
    )
    expect(same, f"{page.name}: ghosts stay after quick zooms")
    page.browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    page.open("plain")
    page.go(4, 47, 8)
    seen = page.browser.evaluate(watch.replace("ACTION", page.map["zoom to"].format(zoom=6)))
    expect(seen["between"] == 0, f"{page.name}: markers move although the user wants no motion: {seen}")
    page.browser.call("Emulation.setEmulatedMedia", features=[])
    page.open("plain")


@check()
def check_popups(page):
    page.go(8, 12.2, -20.4)
    page.click(*page.place("item.marker.count === 1"))
    page.details(f"node.querySelector('strong').textContent === {json.dumps(HOSTILE)}")
    expect(
        page.browser.evaluate("!document.querySelector('.pyramid-details b, .pyramid-details img') && !window.hacked"),
        f"{page.name}: a value is taken for HTML",
    )
    page.shoot("popup")
    for zoom in (6, MAX_ZOOM + 2):
        page.go(zoom, 42.4, -71)
        page.click(*page.place("item.marker.count === 4"))
        page.wait("markers.shown.filter(({ key }) => key.startsWith('spread ')).length === 4")
        page.settle()
        page.shoot(f"spider-{zoom}")
        x, y = page.place("item.key === 'spread 2'")
        page.click(x, y)
        page.details("/^twin \\d$/.test(node.querySelector('strong').textContent)")
        page.act("zoom to", zoom=zoom - 1)
        page.wait("!markers.shown.some(({ key }) => key.startsWith('spread '))")
        page.settle()
    page.go(7, -23.5, -46.6)
    page.click(*page.place("item.marker.count === 130"))
    page.details("node.querySelectorAll('summary').length === 100 && /^130 points/.test(node.textContent)")
    page.shoot("crowd")
    page.browser.evaluate("document.querySelector('.pyramid-details button').click()")
    page.details("node.querySelectorAll('summary').length === 130 && !node.querySelector('button')")


@check(scale=1)
def check_icons(page):
    """Icons are drawn instead of circles, stand on their places, and can be clicked."""
    page.go(8, 12.2, -20.4)
    page.run("""(() => {
      const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }), context = canvas.getContext("2d");
      context.fillStyle = "#ff0000";
      context.fillRect(0, 0, 1, 1);
      const url = canvas.toDataURL();
      markers.restyle({ look: () => ({ icon: url, iconSize: [30, 20], iconAnchor: [15, 20] }) });
    })()""")
    x, y = page.place("item.marker.count === 1")
    page.wait("markers.shown.some(({ marker }) => markers.appearance.look(marker).icon)")
    page.settle()
    page.shoot("icons")
    rows, is_red = picture(page.browser), lambda color: color[0] > 240 and max(color[1:]) < 20
    found = [is_red(rows[round(y + south)][round(x + east)]) for east, south in ((0, -10), (-13, -18), (13, -2), (0, 4), (-18, -10), (0, -24))]
    expect(found == [True, True, True, False, False, False], f"{page.name}: the icon isn't where it belongs: {found}")
    # Far from its place, but on the icon.
    page.click(x + 12, y - 17)
    page.details("node.textContent.includes('bold')")


@check()
def check_failures(page):
    """A host that fails for a while: what can be read is shown, the page says so, and the rest comes by itself."""
    page.go(3, -20, 178)
    page.server.fault = lambda path: 503 if path.startswith("/tilesets/plain/tiles/5/") and int(path.split("/")[5]) % 2 else None
    page.act("go", zoom=5, latitude=-20, longitude=178)
    page.browser.wait("!document.getElementById('notice').hidden")
    partly = page.run("markers.view.zoom === 5 && markers.view.markers.length")
    expect(partly, f"{page.name}: where a tile fails nothing is shown")
    page.shoot("failing")
    page.server.fault = lambda path: None
    page.wait("markers.view.isSettled")
    page.settle()
    whole = page.run("markers.view.markers.length")
    expect(
        whole > partly and page.browser.evaluate("document.getElementById('notice').hidden"),
        f"{page.name}: {whole} markers after the failure, {partly} during it",
    )


ROWS = """[...document.querySelectorAll('#legend fieldset')].map((set) => [...set.querySelectorAll('li')].map((row) => [
  row.querySelector('.text').textContent, row.querySelector('input').checked, row.querySelector('.counts .unseen').textContent]))"""


@check()
def check_legend(page):
    """Each row of the legend is a switch with right counts; switches need no request, can be used by keyboard, and are kept in the URL."""
    browser, rows = page.browser, shops()

    def count(**chosen):
        return sum(all((range_of(row["price"]) if column == "price" else row[column]) in values for column, values in chosen.items()) for row in rows)

    def settle():
        browser.evaluate("new Promise((done) => setTimeout(done, 60))")
        page.settle()

    def expect_counts(chosen):
        """What the legend, the map, and the rows of the input say is the same."""
        settle()
        kinds, others = chosen.get("kind", {row["kind"] for row in rows}), {name: values for name, values in chosen.items() if name != "kind"}
        expected = {kind or "no value": [kind in kinds, count(**others, kind=[kind])] for kind in {row["kind"] for row in rows}}
        shown = browser.evaluate(ROWS)[0]
        expect(
            {text: [is_on, int(words.split(", ")[1].split()[0].replace(",", ""))] for text, is_on, words in shown} == expected,
            f"{page.name}: the rows are {shown}, expected {expected}",
        )
        total, drawn = count(**chosen), page.run("markers.view.markers.reduce((sum, { count }) => sum + count, 0)")
        in_view = sum(int(words.split()[0].replace(",", "")) for _, _, words in shown)
        expect(drawn == total == in_view, f"{page.name}: {drawn} points are drawn, and {in_view} in the legend, of {total}")
        text = browser.evaluate("document.querySelector('#legend .total').textContent")
        expect(
            text == (f"{total:,} of {len(rows):,}" if chosen else f"{total:,} points"), f"{page.name}: the legend's total is {text}, expected {total}"
        )

    page.open("shops")
    # The whole world, once.
    page.act("go", zoom=1, latitude=20, longitude=0)
    page.wait("markers.view.zoom === 1")
    settle()
    expect_counts({})
    page.shoot("legend")
    asked = len(page.server.requests)
    row = "[...document.querySelectorAll('#legend li')].find((row) => row.querySelector('.text').textContent === {})"
    browser.evaluate(row.format("'bar'") + ".querySelector('input').click()")
    expect_counts({"kind": ["café", HOSTILE, LONG, ""]})
    browser.evaluate(row.format("'café'") + ".querySelector('.only').click()")
    expect_counts({"kind": ["café"]})
    # Space and arrows, as a keyboard gives them.
    browser.evaluate(row.format("'no value'") + ".querySelector('input').focus()")
    browser.press(" ")
    expect_counts({"kind": ["café", ""]})
    browser.evaluate("document.querySelector('#legend .slider input').focus()")
    for _ in range(2):
        browser.call("Input.dispatchKeyEvent", type="keyDown", key="ArrowRight", code="ArrowRight", windowsVirtualKeyCode=39)
        browser.call("Input.dispatchKeyEvent", type="keyUp", key="ArrowRight", code="ArrowRight", windowsVirtualKeyCode=39)
    expect_counts({"kind": ["café", ""], "price": ["10-50", "50+", ""]})
    expect(
        browser.evaluate(
            "[...document.querySelectorAll('#legend .slider input')].map((handle) => [handle.getAttribute('aria-label'), handle.getAttribute('aria-valuetext')])"
        )
        == [["price, from", "10"], ["price, to", "no limit"]],
        f"{page.name}: the handles don't say where they are",
    )
    browser.evaluate("[...document.querySelectorAll('#legend fieldset')][1].querySelector('li .only').click()")
    expect_counts({"kind": ["café", ""], "price": [""]})
    browser.evaluate("document.querySelector('#legend fieldset:nth-child(2) .all').click()")
    expect_counts({"kind": ["café", ""]})
    # 30 areas: 12, and the others behind a button or found by a search.
    areas = "[...document.querySelectorAll('#legend fieldset:nth-child(3) li')]"
    expect(
        browser.evaluate(f"{areas}.length === 12 && document.querySelector('#legend fieldset:nth-child(3) .more').textContent === '18 more'"),
        f"{page.name}: a long list isn't cut",
    )
    search = "document.querySelector('#legend fieldset:nth-child(3) input[type=search]')"

    def find(text):
        browser.evaluate(f"void ({search}.value = '{text}', {search}.dispatchEvent(new Event('input')))")
        return browser.evaluate(f"{search}.getClientRects().length ? {areas}.map((row) => row.querySelector('.text').textContent) : []")

    found = find("AREA 1")
    expect(set(found) == {row["area"] for row in rows if row["area"].startswith("area 1")}, f"{page.name}: a search in the short list finds {found}")
    browser.evaluate("document.querySelector('#legend fieldset:nth-child(3) .more').click()")
    expect(browser.evaluate(f"{areas}.length") == 30, f"{page.name}: the long list isn't whole")
    expect(find("AREA 7") == ["area 7"], f"{page.name}: a search in the long list finds {find('AREA 7')}")
    browser.evaluate(f"{areas}[0].querySelector('.only').click()")
    expect_counts({"kind": ["café", ""], "area": ["area 7"]})
    page.shoot("legend-chosen")
    expect(len(page.server.requests) == asked, f"{page.name}: switches make requests: {page.server.requests[asked:]}")
    browser.wait("document.querySelector('#legend [role=status]').textContent.endsWith(' of 2,000 points')")
    found = browser.wait("location.hash.includes('filter.area') && location.hash")
    expect(found == "#filter.kind=caf%C3%A9,null&filter.area=area+7", f"{page.name}: the hash is {found}")
    # The hash brings the filter back, and a page's own filter is shown.
    browser.evaluate("window.isOld = true; location.reload()")
    browser.wait("!window.isOld && window.example && example.markers.view.isSettled && example.markers.shown.length > 0")
    page.act("go", zoom=1, latitude=20, longitude=0)
    expect_counts({"kind": ["café", ""], "area": ["area 7"]})
    browser.evaluate("location.hash = '#1/2/3&filter.price=0-10'")
    browser.wait("example.markers.currentFilter?.price")
    expect_counts({"price": ["0-10"]})
    browser.evaluate("example.markers.filter({ price: { from: 0, to: 50 } })")
    expect_counts({"price": ["0-10", "10-50"]})
    browser.wait("location.hash === '#1/2/3&filter.price=0-10,10-50'")
    browser.evaluate("[...document.querySelectorAll('#legend button')].find((button) => button.textContent === 'Show all').click()")
    expect_counts({})
    browser.wait("location.hash === '#1/2/3'")
    expect(browser.evaluate("document.activeElement.closest('#legend') !== null"), f"{page.name}: the focus is lost")
    # A function knows no columns, and a switch replaces it.
    browser.evaluate("example.markers.filter((point) => point.properties.kind === 'bar')")
    browser.wait("document.querySelector('#legend .total').textContent === 'some of 2,000'")
    browser.evaluate(row.format("'café'") + ".querySelector('.only').click()")
    expect_counts({"kind": ["café"]})
    # Rings have the colours of the rows.
    browser.evaluate("example.markers.filter(null)")
    settle()
    colors = page.run(
        "[...new Set(markers.shown.flatMap(({ marker }) => markers.appearance.look(marker).slices ?? []).map(({ color }) => color))].sort()"
    )
    dots = browser.evaluate(
        "[...document.querySelectorAll('#legend fieldset:first-child .dot')].map((dot) => '#' + getComputedStyle(dot).backgroundColor.match(/\\d+/g).map((part) => Number(part).toString(16).padStart(2, '0')).join('')).sort()"
    )
    expect(colors == dots and len(dots) == 5, f"{page.name}: the rings have the colours {colors}, the legend {dots}")
    expect(browser.evaluate("!document.querySelector('#legend b b, #legend img') && !window.hacked"), f"{page.name}: a value is taken for HTML")
    check_names(page)
    page.run("example.legend.remove()")
    expect(browser.evaluate("document.getElementById('legend').childNodes.length === 0"), f"{page.name}: the legend stays")


def check_names(page):
    """All controls of the legend have names, and texts are inside of it."""
    nodes = page.browser.call("Accessibility.getFullAXTree")["nodes"]
    controls = [
        (node["role"]["value"], node.get("name", {}).get("value", ""))
        for node in nodes
        if not node["ignored"] and node["role"]["value"] in ("checkbox", "slider", "button", "combobox", "group")
    ]
    nameless = [role for role, name in controls if not name and role != "group"]
    expect(not nameless and ("group", "price") in controls, f"{page.name}: controls without names: {nameless}")
    wide = page.browser.evaluate(
        "(() => { const legend = document.getElementById('legend'), right = legend.getBoundingClientRect().right; return [...legend.querySelectorAll('*')].filter((node) => "
        "!node.closest('.unseen') && node.getBoundingClientRect().right > right).map((node) => node.className || node.localName) })()"
    )
    expect(not wide, f"{page.name}: outside of the legend: {wide}")


# What must be read, and its colours: the nearest opaque background.
CONTRASTS = """(() => {
  const parts = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = (rgb) => rgb.slice(0, 3).map((part) => part / 255).map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const back = (node) => { for (; node; node = node.parentElement) { const rgb = parts(getComputedStyle(node).backgroundColor); if (rgb.length < 4 || rgb[3] > 0.8) return rgb; } return [255, 255, 255]; };
  return [...document.querySelectorAll('#legend *')].filter((node) => node.getClientRects().length && [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim())).map((node) => {
    const pair = [light(parts(getComputedStyle(node).color)), light(back(node))].sort();
    return [(pair[1] + 0.05) / (pair[0] + 0.05), node.textContent, getComputedStyle(node).color];
  }).sort((one, other) => one[0] - other[0])[0];
})()"""


@check()
def check_legend_on_phones(page):
    """On a phone the legend is folded; its controls are large enough for fingers, and its texts can be read, light and dark."""
    name, server = page.name, page.server
    for dark in (False, True):
        with Browser(390, 844, 2, dark=dark, touch=True) as browser:
            page = Page(browser, name, server)
            page.open("shops")
            if dark:
                page.run("void markers.restyle({ colorScheme: 'dark' })")
            expect(browser.evaluate("document.querySelector('#legend fieldset').getClientRects().length") == 0, f"{name}: the legend covers a phone")
            browser.evaluate("document.querySelector('#legend .toggle').click()")
            page.settle()
            small = browser.evaluate(
                "[...document.querySelectorAll('#legend label, #legend button, #legend select, #legend .slider input')].filter((node) => node.getClientRects().length && "
                "(node.getBoundingClientRect().height < 40 || node.getBoundingClientRect().width < 40)).map((node) => node.textContent || node.localName)"
            )
            expect(not small, f"{name}: too small for fingers: {small}")
            contrast, text, color = browser.evaluate(CONTRASTS)
            expect(contrast >= 4.5, f"{name}: {text} in {color} has a contrast of {contrast:.2f}, {'dark' if dark else 'light'}")
            check_names(page)
            page.shoot("legend-phone-dark" if dark else "legend-phone")
            expect_quiet(name, browser)


@check("maplibre")
def check_alone(page):
    """Vector tiles on MapLibre, without the library: expressions filter, and add up the counts of the chosen values."""
    # MapLibre itself needs a host that says what is gzip.
    rows, server = shops(), Examples(LIBRARIES, page.server.tilesets, is_offline=True)
    with Browser(900, 700) as browser:
        browser.open(f"{server.url}examples/maplibre-alone.html?tiles=/tilesets/vector/&column=kind")
        browser.wait("window.example && example.map.loaded() && example.map.areTilesLoaded()")
        sums = """(() => {
          const features = new Map(example.map.queryRenderedFeatures({ layers: ["clusters", "points"] }).map(({ layer, properties, id, geometry }) => (
            [JSON.stringify([id, properties.cluster_id, geometry]), layer.id === "points" ? 1 : Number(layer.layout["icon-image"].toString().split(" ")[1])])));
          return [...features.values()].reduce((sum, count) => sum + count, 0);
        })()"""
        browser.evaluate("example.map.jumpTo({ center: [10, 20], zoom: 0.2 }); 0")
        for chosen in (["bar", "café", HOSTILE, LONG], ["café", HOSTILE, LONG], ["café", LONG]):
            browser.evaluate(
                f"[...document.querySelectorAll('#filter label')].forEach((label) => {{ const wanted = {json.dumps(chosen)}.some((value) => label.textContent.startsWith(value)); if (label.firstChild.checked !== wanted) label.firstChild.click() }})"
            )
            expected = sum(row["kind"] in chosen for row in rows)
            try:
                browser.wait(f"{sums} === {expected}")
            except RuntimeError:
                expect(False, f"MapLibre alone shows {browser.evaluate(sums)} points, expected {expected}")
            if SCREENSHOTS:
                browser.screenshot(f"{SCREENSHOTS}/alone-{len(chosen)}.png")
        expect(browser.evaluate("!window.hacked"), "MapLibre alone: a value is taken for HTML")
        # MapLibre takes no relative URLs in TileJSON; this page is of another origin than what `pyramid serve` serves.
        with serving(PROGRAM, server.tilesets["vector"]) as url:
            url = url.replace("127.0.0.1", "localhost") + "tilejson.json"
            browser.evaluate(
                f"(() => {{ const {{ map }} = example; map.addSource('served', {{ type: 'vector', url: '{url}' }}); "
                "map.addLayer({ id: 'served', type: 'circle', source: 'served', 'source-layer': 'points' }) })()"
            )
            browser.wait("example.map.queryRenderedFeatures({ layers: ['served'] }).length > 10")
        expect_quiet("maplibre-alone", browser)


@check()
def check_fit(page):
    """All points are in the window, with a margin, though they cross the antimeridian; a small map isn't taken up by the margin."""
    places = [(float(line.rsplit(",", 2)[1]), float(line.rsplit(",", 2)[2])) for line in rows().splitlines()[1:]]
    # The widest gap without points is between Europe and 150 degrees east.
    places = json.dumps([(x if x > 100 else x + 360, y) for x, y in places])

    def ends():
        # A place may be drawn in any copy of the world, but all of them in the same one.
        pixels = page.run(f"{places}.map(([x, y]) => {page.map['pixel'].format(longitude='x', latitude='y')})")
        world = page.pixel(360, 0)[0] - page.pixel(0, 0)[0]
        xs, ys = [x for x, _ in pixels], [y for _, y in pixels]
        shift = world * round((page.browser.evaluate("innerWidth") / 2 - (min(xs) + max(xs)) / 2) / world)
        return min(xs) + shift, max(xs) + shift, min(ys), max(ys)

    def expect_fit(padding):
        # OpenLayers' pixels are those of its last frame.
        page.browser.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))")
        left, right, top, bottom = ends()
        width, height = page.browser.evaluate("[innerWidth, innerHeight]")
        expect(
            left >= padding - 1 and right <= width - padding + 1 and top >= padding - 1 and bottom <= height - padding + 1,
            f"{page.name}: the points are from {left:.0f} to {right:.0f} and from {top:.0f} to {bottom:.0f} of {width} x {height}, expected a padding of {padding}",
        )
        # Leaflet has whole zooms only.
        most = (right - left) * (2 if page.name == "leaflet" else 1)
        expect(most > width - 2 * padding - 4, f"{page.name}: the points are only {right - left:.0f} of {width} pixels wide")

    page.go(8, 47, 8)
    page.renew("fit: true")
    expect_fit(40)
    page.go(3, -40, -120)
    page.run("void markers.fit({ padding: 100 }).then(() => { window.isThere = true })")
    page.browser.wait("window.isThere")
    expect_fit(100)
    before = page.run(page.map["zoom"])
    page.browser.evaluate("example.markers.fit({ padding: 4000, animate: false }).then(() => 0)")
    expect(page.run(page.map["zoom"]) < before, f"{page.name}: more padding doesn't zoom out")
    page.browser.evaluate(f"example.markers.fit({{ maxZoom: {0 if page.name == 'maplibre' else 1}, animate: false }}).then(() => 0)")
    expect(page.run(page.map["zoom"]) < 1.9, f"{page.name}: maxZoom is not kept")
    # While the map zooms, and before the tileset is open.
    page.go(4, 47, 8)
    page.act("zoom to", zoom=6)
    # Leaflet begins with the next frame, however long that takes.
    page.browser.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 80))).then(() => example.markers.fit())")
    expect_fit(40)
    page.replace(then="markers.fit({ animate: false })")
    expect_fit(40)


@check()
def check_attribution(page):
    """The map's own control names the tileset's source while it is on the map, once, and as text with links only; `remove` takes everything off."""
    text = f"document.querySelector('{page.map['attribution']}').textContent.split('Points: Example').length - 1"
    page.renew("")
    page.browser.wait(f"{text} === 1")
    page.shoot("attribution")
    links = page.browser.evaluate(f"[...document.querySelectorAll('{page.map['attribution']} a')].map(({{ href }}) => href)")
    expect(
        "https://example.org/" in links and page.browser.evaluate(f"!document.querySelector('{page.map['attribution']} img') && !window.hacked"),
        f"{page.name}: the attribution has {links}",
    )
    if page.name == "leaflet":
        page.run("void map.removeLayer(markers.layer)")
        expect(page.browser.evaluate(text) == 0, "leaflet: the attribution of a removed layer stays")
        page.run("void map.addLayer(markers.layer)")
        expect(page.browser.evaluate(text) == 1, "leaflet: a layer that is added again has no attribution")
    # An open tileset gives the same.
    page.replace(source="example.markers.view.tileset")
    page.settle()
    page.browser.wait(f"{text} === 1")
    page.run("void markers.remove()")
    page.browser.wait(f"{text} === 0")
    page.wait(page.map["remove"])


ELEMENTS = """animate: false, element: (marker) => {
  const { isCluster, count, feature } = marker;
  if (!isCluster && Number(feature.properties.name.split(' ')[1]) % 2) return;
  const node = document.createElement("b");
  Object.assign(node.style, { display: "block", padding: "5px 11px 3px 4px", background: "#fd0", font: "12px sans-serif" });
  node.dataset.place = JSON.stringify(feature.geometry.coordinates);
  node.textContent = isCluster ? count : "x";
  return node;
}"""


@check(scale=1)
def check_elements(page):
    """HTML elements stay at their markers while the map moves, take clicks and drags, and are kept while their markers are."""
    pixel = page.map["pixel"].format(longitude=f"longitude + 360 * Math.round(({page.map['center']} - longitude) / 360)", latitude="latitude")
    # How far each element is from where the map says that its place is.
    errors = f"""[...document.querySelectorAll('.pyramid-element')].map((node) => {{
      const {{ left, right, top, bottom }} = node.getBoundingClientRect(), [longitude, latitude] = JSON.parse(node.firstChild.dataset.place), [x, y] = {pixel};
      return Math.hypot((left + right) / 2 - x, (top + bottom) / 2 - y);
    }})"""

    def expect_in_place(where, least=6):
        page.settle()
        found = page.run(errors)
        count = page.run(
            "markers.shown.filter(({ marker: { isCluster, feature } }) => isCluster || Number(feature.properties.name.split(' ')[1]) % 2 === 0).length"
        )
        expect(
            len(found) == count >= least and max(found) < 1.5,
            f"{page.name}: {len(found)} elements of {count}, up to {max(found, default=0):.1f} px from their markers {where}",
        )

    page.go(6, -20, 179.5)
    page.renew(ELEMENTS)
    expect_in_place("at the antimeridian")
    page.shoot("elements")
    # The others are drawn, and only they.
    page.browser.evaluate("document.head.insertAdjacentHTML('beforeend', '<style id=hiding>.pyramid-element { visibility: hidden }</style>')")
    time.sleep(0.2)
    rows_of_pixels = picture(page.browser)
    back = rows_of_pixels[350][899]
    places = [
        (x, y, page.run(f"markers.shown.find(({{ key }}) => key === {json.dumps(key)}).marker.isCluster"))
        for key, (x, y) in page.in_window().items()
        if 80 < x < 820 and 80 < y < 620
    ]
    painted = [rows_of_pixels[round(y)][round(x)] != back for x, y, is_cluster in places if is_cluster]
    expect(
        len(painted) > 3 and sum(painted) < len(painted) / 3, f"{page.name}: {sum(painted)} of {len(painted)} clusters are drawn below their elements"
    )
    page.browser.evaluate("document.getElementById('hiding').remove()")
    # A drag that begins on an element moves the map.
    page.go(7, 46.5, 5)
    x, y = page.place("item.marker.isCluster")
    before = page.run(page.map["center"])
    # OpenLayers takes no notice of the first drag of a page, wherever it begins.
    for _ in range(2):
        page.browser.drag(x, y, x + 140, y + 35)
        time.sleep(0.7)
        if abs(page.run(page.map["center"]) - before) > 0.5:
            break
    else:
        expect(False, f"{page.name}: a drag that begins on an element doesn't move the map")
    expect_in_place("after a drag")
    # The last zooms have the same markers, so the same elements move along.
    watch = """new Promise((done) => {
      const { map, markers } = example, seen = [], until = performance.now() + 700;
      const centerOf = (node) => { const { left, right, top, bottom } = node.getBoundingClientRect(); return [(left + right) / 2, (top + bottom) / 2] };
      const node = window.nodes.find((node) => centerOf(node).every((place, axis) => Math.abs(place - [innerWidth, innerHeight][axis] / 2) < 150) && Math.abs(centerOf(node)[0] - innerWidth / 2) > 40);
      const [longitude, latitude] = JSON.parse(node.firstChild.dataset.place);
      const look = () => {
        const [x, y] = centerOf(node), [right, down] = PIXEL;
        seen.push([x, Math.hypot(x - right, y - down)]);
        if (performance.now() < until) requestAnimationFrame(look);
        else done({ xs: seen.map(([x]) => x), error: Math.max(...seen.map(([, error]) => error)) });
      };
      setTimeout(() => { ACTION; look() }, 30);
    })""".replace("PIXEL", pixel).replace("ACTION", page.map["zoom to"].format(zoom=MAX_ZOOM + 1))
    # A busy machine may draw no frame in between, but not every time.
    for _ in range(4):
        page.go(MAX_ZOOM, 46.5, 5)
        page.browser.evaluate("window.nodes = [...document.querySelectorAll('.pyramid-element')]")
        seen = page.browser.evaluate(watch)
        xs, error = seen["xs"], seen["error"]
        if len(set(xs)) > 2:
            break
    is_straight = all((after - before) * (xs[-1] - xs[0]) >= 0 for before, after in zip(xs, xs[1:]))
    # Leaflet only says where places are before and after a zoom.
    expect(
        abs(xs[-1] - xs[0]) > 40 and len(set(xs)) > 2 and is_straight and (page.name == "leaflet" or error < 2),
        f"{page.name}: during a zoom the element is at {xs}, up to {error:.1f} px beside its place",
    )
    page.settle()
    expect(
        page.browser.evaluate("[...document.querySelectorAll('.pyramid-element')].filter((node) => !nodes.includes(node)).length") == 0,
        f"{page.name}: elements are made again for the same markers",
    )
    expect_in_place("after a zoom", 1)
    page.go(MAX_ZOOM, 46.5, 5)
    x, y = page.place(
        "!item.marker.isCluster && Number(item.marker.feature.properties.name.split(' ')[1]) % 2 === 0 && Math.hypot(item.x - 0.5 - 5 / 360) < 300 / 256 / 1024"
    )
    page.click(x, y)
    page.details("/^place \\d*[02468]$/.test(node.querySelector('strong').textContent)")
    page.shoot("element-popup")
    page.run("markers.remove()")
    expect(
        page.browser.evaluate("!document.querySelector('.pyramid-element, .pyramid-ring, .pyramid-announcement, .pyramid-loading')"),
        f"{page.name}: elements stay",
    )
    page.open("plain")


@check()
def check_keyboard(page):
    """With Tab, N, P, Enter and Escape every marker in the window can be reached and opened, and is announced."""
    browser = page.browser
    page.go(9, 46.5, 5)
    page.renew("animate: false")
    browser.evaluate("document.activeElement.blur(); getSelection().removeAllRanges()")
    for _ in range(3):
        page.press("Tab", 9)
        if page.run(f"document.activeElement === {page.map['focus']}"):
            break
    expect(page.run(f"document.activeElement === {page.map['focus']}"), f"{page.name}: Tab doesn't reach the map")
    expect(
        page.run(f"document.getElementById({page.map['focus']}.getAttribute('aria-describedby')).textContent.includes('N and P')"),
        f"{page.name}: the keys aren't described",
    )
    nodes = [
        (node["role"]["value"], node.get("name", {}).get("value", ""))
        for node in browser.call("Accessibility.getFullAXTree")["nodes"]
        if not node["ignored"]
    ]
    expect(any(role == "region" and "Map" in name for role, name in nodes), f"{page.name}: the map has no name")
    center = page.run(page.map["center"])
    page.press("ArrowRight", 39)
    page.wait(f"{page.map['center']} > {center} + 0.01")
    time.sleep(0.6)
    page.settle()
    visible = page.in_window()
    ring = "(() => { const box = document.querySelector('.pyramid-ring')?.getBoundingClientRect(); return box && [(box.left + box.right) / 2, (box.top + box.bottom) / 2, box.width] })()"

    def expect_ring(index):
        x, y, width = browser.wait(ring)
        # Leaflet's pixels are whole, so two markers may seem to be equally high.
        key, radius = page.run("[markers.focused, markers.appearance.look(markers.shown.find(({ key }) => key === markers.focused).marker).radius]")
        place, level = visible[key], list(visible.values())[index][1]
        expect(
            math.hypot(x - place[0], y - place[1]) < 1.5 and abs(y - level) < 1.5 and 2 * radius < width < 2 * radius + 12,
            f"{page.name}: the ring of {width} px is at {x:.0f}, {y:.0f}, expected {place} and the height {level}",
        )
        said = browser.evaluate("document.querySelector('.pyramid-announcement').textContent")
        expect(
            said.endswith(f", {index % len(visible) + 1} of {len(visible)}"),
            f"{page.name}: the announcement is {said}, expected {index % len(visible) + 1} of {len(visible)}",
        )

    def press(key):
        browser.press(key)
        browser.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 60))))")

    for key, index in (("n", 0), ("n", 1), ("p", 0), ("p", -1)):
        press(key)
        expect_ring(index)
    page.shoot("keyboard")
    chosen = page.run("markers.shown.find(({ key }) => key === markers.focused).marker.count")
    for _ in range(len(visible)):
        if chosen == 1:
            break
        press("p")
        chosen = page.run("markers.shown.find(({ key }) => key === markers.focused).marker.count")
    press("Enter")
    page.details("node.contains(document.activeElement)")
    browser.press("Escape")
    browser.wait(f"!document.querySelector('.pyramid-details')?.getClientRects().length && !document.querySelector('.pyramid-ring')")
    expect(page.run(f"document.activeElement === {page.map['focus']}"), f"{page.name}: Escape loses the focus")
    # A click takes the ring away.
    press("n")
    browser.wait(ring)
    page.click(*next((x, y) for x, y in visible.values() if 100 < x < 800 and 100 < y < 600))
    browser.wait("!document.querySelector('.pyramid-ring')")
    page.settle()
    page.renew("keyboard: false")
    expect(
        page.run(f"!{page.map['focus']}.hasAttribute('aria-describedby') && !document.querySelector('.pyramid-announcement')"),
        f"{page.name}: keyboard: false leaves texts",
    )
    page.run(f"void {page.map['focus']}.focus()")
    press("n")
    expect(page.run("markers.focused") is None, f"{page.name}: keyboard: false doesn't turn the keys off")


@check()
def check_hover(page):
    """One event when the pointer comes onto a marker and one when it leaves, with the box of a cluster's points."""
    page.go(5, -20, -179)
    page.move_mouse(450, 5)
    page.run(
        "void (window.hovers = [], markers.addEventListener('hover', ({ detail }) => hovers.push([detail.marker?.key ?? null, detail.coverage])))"
    )
    # A cluster on the other side of the antimeridian, so that its longitude isn't that of the pointer.
    key = page.run(
        "markers.shown.filter(({ marker: { isCluster, count, x, y } }) => isCluster && count > 5 && x > 0.97 && x < 0.999 && Math.abs(y - 0.5567) < 0.02).sort((a, b) => b.x - a.x)[0].key"
    )
    x, y = page.in_window()[key]
    for step in range(3):
        page.move_mouse(x + step, y)
    page.browser.wait("hovers.length > 0")
    page.move_mouse(450, 5)
    page.browser.wait("hovers.length > 1")
    hovers = page.browser.evaluate("hovers")
    expect([found for found, _ in hovers] == [key, None] and hovers[1][1] is None, f"{page.name}: the events of the pointer are {hovers}")
    west, south, east, north = hovers[0][1]
    feature = page.run(f"markers.shown.find(({{ key }}) => key === {json.dumps(key)}).marker.feature")
    expect(
        [south, north] == feature["bbox"][1::2] and abs((west - feature["bbox"][0]) % 360) < 1e-6 and west < east < west + 30,
        f"{page.name}: {feature['bbox']} is {hovers[0][1]}",
    )
    left, right = page.pixel(west, south)[0], page.pixel(east, north)[0]
    expect(left <= x <= right, f"{page.name}: the box from {left:.0f} to {right:.0f} is not around the pointer at {x:.0f}")
    # A marker that goes away under a pointer that stays.
    page.move_mouse(x, y)
    page.browser.wait("hovers.length === 3")
    page.act("go", zoom=5, latitude=47, longitude=8)
    page.browser.wait("hovers.length === 4 && hovers[3][0] === null")


@check()
def check_indicator(page):
    """A bar appears at the map's upper edge while a slow host is read, and is gone afterwards; a quick one needs none."""
    browser = page.browser
    page.go(5, 47, 8)
    state = "(() => { const box = document.querySelector('.pyramid-loading').getBoundingClientRect(); return [box.width, box.top, box.height] })()"
    page.renew("")
    size = browser.evaluate("JSON.stringify(document.getElementById('map').getBoundingClientRect())")
    expect(browser.evaluate(state)[0] == 0, f"{page.name}: the bar is there though nothing is read")
    answered = threading.Event()
    page.server.fault = lambda path: answered if "/tiles/" in path else None
    expect(page.act("go", f"return {state}", zoom=6, latitude=-20, longitude=170)[0] == 0, f"{page.name}: the bar is there at once")
    browser.wait(f"{state}[0] > 0")
    page.shoot("loading")
    expect(browser.evaluate(state) == [browser.evaluate("innerWidth"), 0, 3], f"{page.name}: the bar is {browser.evaluate(state)}")
    expect(browser.evaluate("JSON.stringify(document.getElementById('map').getBoundingClientRect())") == size, f"{page.name}: the bar moves the map")
    page.server.fault = lambda path: None
    answered.set()
    page.settle()
    expect(browser.evaluate(state)[0] == 0, f"{page.name}: the bar stays")
    page.renew("loadingBar: false")
    expect(browser.evaluate("!document.querySelector('.pyramid-loading')"), f"{page.name}: loadingBar: false doesn't turn the bar off")


def pages():
    """The pages in the documentation, by name. One that needs more than it has replaces the script of the first page of its file."""
    found = {}
    for path in ("README.md", "Sources/PyramidWeb/README.md", "Sources/Documentation/Pyramid.docc/Guides/ShowingMarkers.md"):
        blocks = [code for _, code in code_blocks(os.path.join(HERE, "../..", path), "html") if "addMarkers" in code]
        for number, block in enumerate(blocks):
            page = block if "stylesheet" in block else re.sub(r'<script type="module">.*?</script>', lambda _: block, blocks[0], flags=re.DOTALL)
            found[f"{os.path.basename(path)[:-3]}-{len(found)}-{number}.html"] = page
    return found


@check("leaflet")
def check_pages(page):
    """The pages in the documentation show markers with the one file that a release has, as a module and as a script."""
    server = page.server
    folder = server.tilesets["pages"]
    os.mkdir(folder)
    subprocess.run([sys.executable, os.path.join(HERE, "../../Sources/Distribution/pack.py"), "web", folder], check=True)
    files = pages()
    expect(len(files) == 4, f"the documentation has the pages {list(files)}")
    with Browser(900, 700) as browser:
        for name, page in files.items():
            for pattern, text in [
                *REPLACED,
                *OFFLINE,
                (r'"\./pyramid-web/', '"./'),
                (r'"(https://tiles\.example\.org/[^"]*|capitals/)"', '"/tilesets/plain/"'),
                (r"(pyramid\.)?(leaflet|maplibre|openlayers)\.addMarkers\(", r"window.example = \g<0>"),
            ]:
                page = re.sub(pattern, text, page)
            with open(f"{folder}/{name}", "w") as file:
                file.write(page)
            browser.asked.clear()
            browser.open(f"{server.url}tilesets/pages/{name}")
            browser.wait("window.example?.view.isSettled && example.shown.length > 3 && !example.isMoving")
            color = browser.evaluate("example.appearance.look(example.shown[0].marker).color")
            browser.evaluate("new Promise((done) => setTimeout(done, 300))")
            expect(tuple(bytes.fromhex(color[1:])) in {pixel for row in picture(browser) for pixel in row}, f"{name}: no marker is painted")
            scripts = [url for url in browser.asked if "/pages/" in url and url.endswith(".js")]
            expect(len(scripts) == 1, f"{name}: the library is not one file: {scripts}")
            expect(
                "addLegend" not in page or browser.evaluate("document.getElementById('legend').textContent.includes('1,335')"),
                f"{name}: the legend is empty",
            )
            if SCREENSHOTS:
                browser.screenshot(f"{SCREENSHOTS}/page-{name}.png")
        expect_quiet("pages", browser)


@check()
def check_destruction(page):
    """A map that is thrown away while markers move and tiles fail takes all requests with it, and the markers may be removed after it."""
    page.renew("retryMilliseconds: 100")
    page.go(4, 47, 8)
    page.server.fault = lambda path: 503 if "/tiles/6/" in path else None
    page.act("go", zoom=6, latitude=47, longitude=8)
    page.wait("!markers.view.isSettled && markers.view.zoom === 6")
    page.act("go", zoom=5, latitude=47, longitude=8)
    page.act("go", zoom=6, latitude=47, longitude=8)
    page.act("destroy")
    time.sleep(0.5)
    asked = len(page.server.requests)
    page.browser.evaluate("dispatchEvent(new Event('online'))")
    time.sleep(1)
    expect(len(page.server.requests) == asked, f"{page.name}: {len(page.server.requests) - asked} requests after the map is gone")
    page.run("markers.remove()")
    page.server.fault = lambda path: None


@check()
def check_popup_on_phones(page):
    with Browser(390, 800, 2, touch=True) as browser:
        phone = Page(browser, page.name, page.server)
        phone.open("bundled")
        phone.go(8, 12.2, -20.4)
        phone.click(*phone.place("item.marker.count === 1"))
        phone.details("box.left >= 0 && box.right <= innerWidth")
        size = browser.evaluate(
            "(({ width, height }) => [width, height])(document.querySelector('.leaflet-popup-close-button, [aria-label^=Close]').getBoundingClientRect())"
        )
        expect(min(size) >= 40, f"{page.name}: the button that closes a popup is {size} pixels large on a phone")
        phone.shoot("phone")
        expect_quiet(page.name, browser)


def main():
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/rows.csv", "w") as file:
            file.write(rows())
        write_csv(f"{folder}/shops.csv", shops())
        filters = ["--filter-by", f"kind,price:{':'.join(map(str, EDGES))},area"]
        tilesets = {
            "plain": ["rows", "--attribution", ATTRIBUTION],
            "bundled": ["rows", "--bundle", "32"],
            "shops": ["shops", "--bundle", "64", *filters],
            "vector": ["shops", "--format", "mvt", *filters],
        }
        for name, (rows_of, *options) in tilesets.items():
            subprocess.run(
                [PROGRAM, "build", f"{folder}/{rows_of}.csv", f"{folder}/{name}", "--max-zoom", str(MAX_ZOOM), "--quiet", *options], check=True
            )
        directories = {name: f"{folder}/{name}" for name in [*tilesets, "pages"]}

        def page_of(browser, name, server):
            page = Page(browser, name, server)
            page.open("plain")
            return page

        # MapLibre's host does not say what is gzip.
        check.run(lambda name: Examples(LIBRARIES, directories, is_offline=True, declares_gzip=name != "maplibre"), page_of, expect_quiet)


if __name__ == "__main__":
    main()
