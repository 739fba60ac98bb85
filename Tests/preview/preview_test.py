#!/usr/bin/env python3
"""Looks at a pyramid with a real browser: the page loads, shows the markers that the tiles hold, zooms, tells what
markers are, and leaves no error on the console.

Usage: preview_test.py path/to/pyramid [directory for screenshots]
Needs Debian's packages chromium and libjs-leaflet.
"""

import base64
import contextlib
import csv
import functools
import gzip
import io
import json
import math
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from browser import Browser  # noqa: E402
from workshop import Host, Quiet, expect, features, serving  # noqa: E402

PROGRAM = sys.argv[1]
SCREENSHOTS = sys.argv[2] if len(sys.argv) > 2 else None
SETTLED = "window.preview && preview.figures().isSettled"
# A name with places to break it, and an attribution with links and with what must not come to life.
NAME = "islands_and_places_around_the_antimeridian_of_which_one_is_hostile"
ATTRIBUTION = (
    "© <a href='https://data.example/licence' onclick='window.hacked=1'>Example <b>data</b></a>"
    "<img src=x onerror='window.hacked=1'><script>window.hacked=1</script><a href='javascript:window.hacked=1'>, free</a>"
)
FORCED = [{"name": "forced-colors", "value": "active"}]
KINDS = ["bar", "café", "café", "", "museum", "bar", "café"]
HOSTILE = "<img src=x onerror='window.hacked=1'><b>bold</b>"


def points():
    """Rows around the antimeridian and in Europe; 4 and 130 share a place, and one name is HTML."""
    rows = ["name,rank,kind,lon,lat"]
    for index in range(600):
        longitude = (170 + 0.37 * (index * 7 % 83)) if index % 3 else (5 + 0.11 * (index * 5 % 97))
        latitude = (-40 + 0.29 * (index * 11 % 101)) if index % 3 else (45 + 0.07 * (index * 13 % 89))
        longitude = longitude - 360 if longitude > 180 else longitude
        rows.append(f"place {index},{index % 9},{KINDS[index // 3 % 7]},{longitude:.6f},{latitude:.6f}")
    rows += [f"twin {index},{index},{KINDS[index % 2]},-71.06,42.36" for index in range(4)]
    rows += [f"crowd {index},{index},bar,-68.3,-54.8" for index in range(130)]
    rows.append(f'"{HOSTILE}",1,museum,-60.5,-12.25')
    return "\n".join(rows) + "\n"


def pole_points():
    """Rows of 500 codes around the world, also at the South Pole, as of a research station."""
    rows = ["code,height,lon,lat"]
    for index in range(3000):
        longitude, latitude = -180 + 0.36 * (index * 37 % 1000), -55 + 0.12 * (index * 53 % 1000)
        rows.append(f"c{index % 500},{index * 7 % 9000},{longitude:.5f},{latitude:.5f}")
    rows += [f"c{index},4,{index * 60 - 170},-89.99" for index in range(5)]
    return "\n".join(rows) + "\n"


def world(longitude, latitude):
    return longitude / 360 + 0.5, 0.5 - math.asinh(math.tan(math.radians(latitude))) / (2 * math.pi)


def expected_markers(directory, browser):
    """How many markers of the zoom are in the browser's window, from the files alone."""
    view = browser.evaluate(
        "(() => { const c = preview.map.getCenter(); return "
        "{ lng: c.lng, lat: c.lat, zoom: preview.map.getZoom(), width: innerWidth, height: innerHeight } })()"
    )
    size = 256 * 2 ** view["zoom"]
    center_x, center_y = world(view["lng"], view["lat"])
    count = 0
    for feature in features(directory, int(view["zoom"])):
        x, y = world(*feature["geometry"]["coordinates"])
        copies = range(math.floor(center_x - x) - 3, math.floor(center_x - x) + 5)
        across = any(abs(x + copy - center_x) * size <= view["width"] / 2 for copy in copies)
        count += across and abs(y - center_y) * size <= view["height"] / 2
    return count


def marker_place(browser, condition):
    """Where a marker is in the window that the browser's expression over `hit` chooses."""
    return browser.wait(f"(() => {{ const hit = preview.visible().find((hit) => {condition}); return hit && [hit.x, hit.y] }})()")


def go(browser, zoom, latitude, longitude):
    # Else the end of the motion would write another hash.
    browser.wait("!preview.map._panAnim?._inProgress")
    browser.evaluate(f"location.hash = '{zoom}/{latitude}/{longitude}'")
    browser.wait(f"preview.map.getZoom() === {zoom} && {SETTLED}")


@contextlib.contextmanager
def settled(url, width=1280, height=800, scale=1, noise=(), **options):
    """A browser with the page, which has shown everything; in the end its console has no errors but such as `noise` has words of."""
    with Browser(width, height, scale, **options) as browser:
        browser.open(url)
        browser.wait(SETTLED)
        yield browser
        errors = [error for error in browser.errors if not any(word in error for word in noise)]
        expect(not errors, f"errors on the console: {errors}")


def differs(one, other):
    """Whether two pixels can be told apart."""
    return max(abs(a - b) for a, b in zip(one, other)) > 60


def picture(browser):
    """A function that gives the pixel at a place of the window."""
    packed = browser.call("Page.captureScreenshot", format="png")["data"]
    browser.evaluate(f"""(async () => {{
      const image = await createImageBitmap(new Blob([Uint8Array.from(atob("{packed}"), (letter) => letter.charCodeAt(0))]));
      window.shot = new OffscreenCanvas(image.width, image.height).getContext("2d");
      shot.drawImage(image, 0, 0);
    }})()""")
    return lambda x, y: browser.evaluate(f"[...shot.getImageData({x}, {y}, 1, 1).data].slice(0, 3)")


def shoot(browser, name):
    if SCREENSHOTS:
        browser.screenshot(f"{SCREENSHOTS}/{name}.png")


def check_desktop(url, directory, manifest):
    with settled(url) as browser:
        figures = browser.evaluate("preview.figures()")
        zoom = next(zoom for zoom in manifest["zooms"] if zoom["zoom"] == figures["level"])
        for name in ("markers", "clusters", "tiles"):
            expect(figures[name] == zoom[name], f"the first view has {figures[name]} {name}, expected {zoom[name]}")
        expect(figures["points"] == manifest["input"]["rows_accepted"], f"{figures['points']} points are shown")
        expect(figures["bytes"] == zoom["stored_bytes"], f"{figures['bytes']} bytes, expected {zoom['stored_bytes']}")
        expect(browser.evaluate("document.getElementById('figures').hidden"), "figures of files are shown without the tiles")
        browser.evaluate("document.getElementById('tiles').click()")
        browser.wait(f"{SETTLED} && !document.getElementById('figures').hidden")
        shown = browser.evaluate("document.getElementById('figure-markers').textContent")
        expect(shown == str(figures["markers"]), f"the card shows {shown} markers")
        x, y, radius = browser.evaluate("(({ x, y, radius }) => [x, y, radius])(preview.visible()[0])")
        inside, outside = (pixel(browser, x + radius + way, y, "pyramid") for way in (-4, 3))
        expect(inside[3] == 255 and outside[3] == 0, f"where a marker is, {inside} is painted, and beside it {outside}")
        browser.evaluate("document.getElementById('tiles').click()")
        browser.wait(f"{SETTLED} && document.getElementById('figures').hidden")
        shoot(browser, "desktop")
        check_first_view(browser)

        for step in ("zoom-in", "zoom-in", "zoom-out"):
            level = browser.evaluate("preview.map.getZoom()")
            browser.evaluate(f"document.getElementById('{step}').click()")
            browser.wait(f"preview.map.getZoom() === {math.floor(level) + 1 if step == 'zoom-in' else math.ceil(level) - 1} && {SETTLED}")
            found, expected = browser.evaluate("preview.figures().markers"), expected_markers(directory, browser)
            expect(found == expected, f"{found} markers after {step}, expected {expected}")
        go(browser, 4, -25.5, 179.9)
        found, expected = browser.evaluate("preview.figures().markers"), expected_markers(directory, browser)
        expect(found == expected > 20, f"{found} markers around the antimeridian, expected {expected}")

        check_title(browser, url)
        check_geography(browser)
        check_labels(browser)
        check_one_world(browser)
        check_twins(browser)
        check_point(browser)
        check_keyboard(browser)
        for button in ("tiles", "theme", "fit"):
            browser.evaluate(f"document.getElementById('{button}').click()")
        browser.wait(SETTLED)
        shoot(browser, "dark")


def check_first_view(browser):
    """Points all around the world fill the space beside the card, and every marker is in it."""
    found = browser.evaluate("""(() => {
      const left = document.getElementById('card').getBoundingClientRect().right, hits = preview.visible();
      return { left, size: preview.backdrop.canvas.area.size, hidden: hits.filter(({ x }) => x < left).length,
        bottom: Math.max(...hits.map(({ y }) => y)), dock: document.getElementById('dock').getBoundingClientRect().top };
    })()""")
    expect(found["hidden"] == 0 and found["bottom"] < found["dock"], f"markers of the first view are covered: {found}")
    expect(found["size"] > 700 and found["size"] % 256 > 1, f"the first view doesn't fill the window: {found}")


# The markers of which a panel covers a part.
COVERED = """preview.visible().filter(({ x, y, radius }) => [...document.querySelectorAll(".glass")].some((panel) => {
  const { left, top, right, bottom } = panel.getBoundingClientRect();
  return Math.hypot(x - Math.min(Math.max(x, left), right), y - Math.min(Math.max(y, top), bottom)) < radius && right > left;
})).map(({ key }) => key)"""


def check_pole(url):
    """The first view has all points, also at the pole, so the legend says all of all; no panel covers a marker. Numbers have separators,
    and a list of 500 values can be searched."""
    with settled(url) as browser:
        expect(
            browser.evaluate("preview.figures().points") == 3005,
            f"{browser.evaluate('preview.figures().points')} of 3005 points are in the first view",
        )
        browser.wait("document.querySelectorAll('#legend .counts').length > 2")
        found = browser.evaluate("[...document.querySelectorAll('#legend .range .counts bdi')].map((node) => node.textContent)")
        expect(found == ["3,005 / 3,005"], f"the legend says {found} of all points")
        found = browser.evaluate(COVERED)
        expect(found == [], f"panels cover {found}")
        edges = browser.evaluate("[...document.querySelectorAll('#legend .edges span')].map((node) => node.textContent)")
        expect(edges == ["500", "1,000", "5,000"], f"the slider's edges are {edges}")
        names = {label["text"] for label in browser.evaluate("preview.backdrop.labels")}
        expect(names & {"Greenland", "Russia", "Canada", "China", "Brazil"}, f"no large country has its name in {names}")
        shoot(browser, "pole")
        browser.evaluate(
            "(() => { const search = document.querySelector('#legend input[type=search]'); search.value = 'c49'; search.dispatchEvent(new Event('input')) })()"
        )
        found = browser.evaluate("[...document.querySelectorAll('#legend fieldset:first-child li .text')].map((node) => node.textContent)")
        expect(sorted(found) == ["c49", *(f"c49{digit}" for digit in range(10))], f"a search among 500 values finds {found}")
    with Browser() as browser:
        browser.call("Network.setUserAgentOverride", userAgent="Test", acceptLanguage="de")
        browser.open(url)
        browser.wait(SETTLED)
        found = browser.evaluate("document.getElementById('summary').textContent + document.querySelector('#legend .total').textContent")
        expect(found.count("3.005") == 2, f"a German browser gets the numbers {found}")
    check_phone_world(url)


def check_phone_world(url):
    """On a phone the world fills the height. The map makes room for a legend that is opened, and goes back."""
    with settled(url, 390, 844, 2, touch=True) as browser:
        top, size = browser.evaluate("(({ top, size }) => [-top * size, size])(preview.backdrop.canvas.area)")
        expect(top <= 0.5 and top + size >= 843.5, f"the world is from {top} to {top + size}")
        shoot(browser, "phone-world")
        middle = "preview.map.latLngToContainerPoint([40, 0]).y"
        before, lower = browser.evaluate(middle), "document.getElementById('card').getBoundingClientRect().bottom"
        browser.evaluate("document.querySelector('#legend .toggle').click()")
        browser.wait(f"{SETTLED} && preview.lid > 200 && {middle} - {before} > 20")
        shoot(browser, "phone-world-legend")
        browser.evaluate("document.querySelector('#legend .toggle').click()")
        browser.wait(f"{SETTLED} && preview.lid === 0 && Math.abs({middle} - {before}) < 2")
        expect(browser.evaluate(lower) < 200, "the legend stays open")


def check_opened_legend(url):
    """On a phone, a legend that is opened covers no marker of a map that shows all points."""
    with settled(url, 390, 844, 2, touch=True) as browser:
        for _ in range(2):
            browser.wait(f"{SETTLED} && preview.lid === 0 && preview.figures().points === 900 && {COVERED}.length === 0")
            browser.evaluate("document.querySelector('#legend .toggle').click()")
            browser.wait(f"{SETTLED} && preview.lid > 200 && preview.figures().points === 900 && {COVERED}.length === 0")
            shoot(browser, "phone-legend")
            browser.evaluate("document.querySelector('#legend .toggle').click()")


def check_empty(url):
    """Where no points are, the page says so, and leads to them, also under a filter; among points it says nothing."""
    hint = "(document.getElementById('empty').hidden ? null : document.getElementById('empty').textContent)"
    with settled(url) as browser:
        expect(browser.evaluate(hint) is None, "among points, the page says that there are none")
        for place, words in (("8/20/-150", "No points here. "), ("8/20/-150&filter.kind=bar", "No points here match the filter. ")):
            browser.evaluate(f"location.hash = '{place}'")
            browser.wait(f"{SETTLED} && {hint} === {json.dumps(words + 'Show all')}")
            shoot(browser, "empty")
            browser.evaluate("document.getElementById('show-all').click()")
            browser.wait(f"{SETTLED} && {hint} === null && preview.figures().markers > 3")
        browser.evaluate("location.hash = '8/20/-150&filter.kind='")
        browser.wait(f"{SETTLED} && preview.markers.matching.count === 0 && {hint} !== null")
        browser.evaluate("document.getElementById('show-all').click()")
        browser.wait(f"{SETTLED} && {hint} === null && preview.markers.currentFilter === null")


def check_forced_colors(url):
    """With forced colours, panels are opaque and have edges, a button that is pressed looks so, and the land has its coasts."""
    for dark in (False, True):
        with Browser() as browser:
            browser.call("Emulation.setEmulatedMedia", features=[*FORCED, {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
            browser.open(url)
            browser.wait(SETTLED)
            browser.evaluate("document.getElementById('tiles').click()")
            browser.evaluate("location.hash = '3/-25/135'")
            browser.wait(f"preview.map.getZoom() === 3 && {SETTLED}")
            at = picture(browser)
            shoot(browser, f"forced-{'dark' if dark else 'light'}")
            box = browser.evaluate(
                "Object.fromEntries(['tiles', 'theme', 'card', 'dock'].map((id) => [id, document.getElementById(id).getBoundingClientRect().toJSON()]).concat([['rule', document.querySelector('.rule').getBoundingClientRect().toJSON()]]))"
            )
            canvas = [0, 0, 0] if dark else [255, 255, 255]
            for name in ("card", "dock"):
                x, y = round(box[name]["left"]), round(box[name]["top"])
                middle = round(y + box[name]["height"] / 2)
                expect(at(x + 5, middle) == canvas, f"behind the {name} is {at(x + 5, middle)}")
                expect(any(differs(at(x + way, middle), canvas) for way in (-1, 0, 1)), f"the {name} has no edge")
            pressed, other = (at(round(box[name]["left"]) + 6, round(box[name]["top"]) + 8) for name in ("tiles", "theme"))
            expect(differs(pressed, other), f"a button that is pressed is {pressed}, another one {other}")
            x, y = round(box["rule"]["left"]), round(box["rule"]["top"] + 10)
            expect(any(differs(at(x + way, y), canvas) for way in (-1, 0, 1)), "the rule between the buttons vanishes")
            # Along the parallel at 25° S through Australia, there are its coasts.
            line = [colour(browser, longitude / 4, -25) for longitude in range(4 * 108, 4 * 158)]
            expect(sum(differs(one, canvas) for one in line) >= 2, "the coasts vanish")


def pixel(browser, x, y, pane="backdrop"):
    """Red, green, blue and alpha at a place of the window."""
    return browser.evaluate(
        f"(() => {{ const canvas = document.querySelector('.leaflet-{pane}-pane canvas'), box = canvas.getBoundingClientRect(); "
        "const scale = canvas.width / box.width, pixel = new OffscreenCanvas(1, 1).getContext('2d'); "
        f"pixel.drawImage(canvas, -Math.floor(({x} - box.left) * scale), -Math.floor(({y} - box.top) * scale)); "
        "return [...pixel.getImageData(0, 0, 1, 1).data] })()"
    )


def colour(browser, longitude, latitude):
    """What is painted at a place on the map, which must be in the window."""
    x, y = world(longitude, latitude)
    area = browser.evaluate("preview.backdrop.canvas.area")
    # A world that is shown once begins at `from`, else copies of it are all around.
    x += math.ceil((area["left"] if area["from"] is None else area["from"]) - x)
    return pixel(browser, (x - area["left"]) * area["size"], (y - area["top"]) * area["size"])[:3]


def check_geography(browser):
    """Land is where these places say, drawn on both sides of the antimeridian and around the pole, and nowhere else."""
    go(browser, 2, 10, 20)
    land = {
        "Sahara": (4, 24),
        "Siberia": (98, 63),
        "Brazil": (-52, -9),
        "Australia": (133, -25),
        "Antarctica": (82, -76),
        "Antarctica at the map's edge": (82, -84.95),
        "Lesotho, within South Africa": (28.3, -29.6),
        "Chukotka, east of the antimeridian": (-178, 67.5),
    }
    sea = {
        "Atlantic": (-33, 20),
        "Caspian Sea": (51, 41.6),
        "Pacific": (-150, -12),
        "Indian Ocean": (78, -31),
        "Black Sea": (34, 43.2),
        "Ross Sea": (178, -76),
    }
    for places, expected in ((land, True), (sea, False)):
        for name, place in places.items():
            x, y = world(*place)
            found = browser.evaluate(
                "[-1, 0, 1].some((copy) => new OffscreenCanvas(1, 1).getContext('2d')"
                f".isPointInPath(preview.backdrop.geography.land, {x} + copy, {y}))"
            )
            expect(found == expected, f"{name} is {'land' if found else 'sea'}")
    theme = browser.evaluate("({ land: preview.theme.land, sea: preview.theme.sea })")
    painted = {name: list(bytes.fromhex(text[1:])) for name, text in theme.items()}
    expect(colour(browser, 4, 24) == painted["land"] and colour(browser, -33, 20) == painted["sea"], "the land is not painted")
    # A line that crosses the world by mistake would be seen in the Atlantic and in the Pacific.
    for longitude in (-33, -125):
        go(browser, 3, -25, longitude)
        found = [colour(browser, longitude, latitude / 4) for latitude in range(-180, -20) if abs(latitude / 4) % 10 > 1]
        expect(all(rgb == painted["sea"] for rgb in found), f"in the sea at {longitude} are {found}")
    # Russia goes on at the antimeridian without a coast: it looks there as at any other meridian.
    go(browser, 5, 67.6, 176)
    expect(colour(browser, 180, 67.6) == colour(browser, 170, 67.6) != painted["sea"], "there is a line at the antimeridian")
    # Inland is land at every zoom. Coasts, which are kilometres off, would mislead.
    for zoom, latitude, longitude in ((7, 49.137, 12.373), (8, 49.137, 12.373), (12, 49.137, 12.373)):
        go(browser, zoom, latitude, longitude)
        expect(colour(browser, longitude, latitude) == painted["land"], f"at zoom {zoom} inland isn't painted as land")
    go(browser, 8, 36.6, -2.4)
    found = {tuple(colour(browser, -2.4, 36.4 + step / 400)) for step in range(200)}
    # One more is the edge of the land.
    expect({tuple(painted["land"]), tuple(painted["sea"])} <= found and len(found) <= 3, f"at zoom 8, across the coast are {found}")


def check_labels(browser):
    """Labels of cities and of the graticule are drawn, and none meets a marker."""
    go(browser, 3, 30, 40)
    found = browser.evaluate("""(() => {
      const { labels } = preview.backdrop, drawn = preview.visible();
      const meets = ({ x, y, width, height }) => drawn.some((hit) => {
        const dx = hit.x - Math.min(Math.max(hit.x, x), x + width), dy = hit.y - Math.min(Math.max(hit.y, y), y + height);
        return Math.hypot(dx, dy) < hit.radius;
      });
      return { texts: labels.map(({ text }) => text), under: labels.filter(meets).map(({ text }) => text), markers: drawn.length };
    })()""")
    expect(found["under"] == [] and found["markers"] >= 3, f"labels meet markers: {found}")
    expect({"Cairo", "Mumbai", "Algeria", "Mongolia", "30° W", "30° N"} <= set(found["texts"]), f"labels are missing: {found['texts']}")
    shoot(browser, "labels")


def check_one_world(browser):
    """A world smaller than the window is shown once, with every marker at one place."""
    go(browser, 0, 0, 0)
    drawn, figures = browser.evaluate("preview.visible().map(({ key }) => key)"), browser.evaluate("preview.figures()")
    expect(len(drawn) == len(set(drawn)) == figures["markers"] > 2, f"{len(drawn)} circles for {figures['markers']} markers")
    # It is in the middle of what the card doesn't cover.
    middle = (1280 + browser.evaluate("document.getElementById('card').getBoundingClientRect().right")) / 2
    for x, y in browser.evaluate("preview.visible().map(({ x, y }) => [x, y])"):
        expect(abs(x - middle) <= 129 and pixel(browser, x, y, "pyramid")[3] == 255, f"no marker is painted at {x}, {y}")
        beside = [x + way for way in (-512, -256, 256) if abs(x + way - middle) > 150]
        expect(all(pixel(browser, other, y, "pyramid")[3] == 0 for other in beside), "markers are beside the world")
    center = browser.evaluate("preview.map.getCenter().lng")
    browser.drag(640, 300, 440, 300)
    browser.wait(SETTLED)
    moved = browser.evaluate("preview.map.getCenter().lng") - center
    expect(abs(moved) < 1, f"the whole world can be pulled away, by {moved} degrees")
    shoot(browser, "world")


def check_limits(url):
    """Maps of any size come back to where they may be, after motions of any kind, and drags are held at the world's edge."""
    frames = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    for motion in ("reduce", "no-preference"):
        with Browser(1281, 801) as browser:
            browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": motion}])
            browser.open(url)
            browser.wait(SETTLED)
            for step in range(60):
                browser.evaluate(f"void preview.map.setView([{step * 37 % 160 - 80}, {step * 53 % 360 - 180}], {step * 7 % 30 / 10})")
                browser.evaluate(frames)
                browser.wait(SETTLED)
            expect(not browser.errors, f"errors on the console: {browser.errors[:3]}")
            edge = "preview.map.latLngToContainerPoint([85.0511, preview.map.getCenter().lng]).y"
            go(browser, 3, 85, 0)
            browser.wait(f"{SETTLED} && Math.abs({edge}) < 2")
            # The second drag begins while the map still moves.
            browser.drag(700, 400, 400, 400, 3)
            browser.evaluate(frames)
            browser.call("Input.dispatchMouseEvent", type="mousePressed", x=700, y=200, button="left", clickCount=1)
            # Leaflet takes the first step for the start of a drag.
            places = []
            for step in (0.04, 1, 2, 3, 4):
                browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=700 + 50 * step, y=200 + 100 * step, button="left", buttons=1)
                browser.evaluate(frames)
                places.append(browser.evaluate(f"[preview.map.getCenter().lng, {edge}]"))
            (first, _), *_, (last, pulled) = places
            browser.call("Input.dispatchMouseEvent", type="mouseReleased", x=900, y=600, button="left", clickCount=1)
            expect(pulled < 120 and last < first - 10, f"the world's edge is pulled away by a drag: {places}")
            browser.wait(f"{SETTLED} && Math.abs({edge}) < 2")


def check_title(browser, url):
    expect(browser.evaluate("document.title") == NAME, f"the title is {browser.evaluate('document.title')}")
    broken = browser.evaluate("""(() => {
      const range = document.createRange(), ends = [];
      for (const node of document.getElementById("title").childNodes) {
        if (node.nodeType !== Node.TEXT_NODE) continue;
        range.selectNodeContents(node);
        if (range.getClientRects().length !== 1) ends.push(node.data);
      }
      return { height: document.getElementById("title").offsetHeight, ends };
    })()""")
    expect(broken["ends"] == [] and broken["height"] > 30, f"the name is broken within words: {broken}")
    text = browser.evaluate("document.getElementById('attribution').textContent")
    expect(text == "© Example data, free · Natural Earth", f"the attribution is {text}")
    links = browser.evaluate("[...document.querySelectorAll('#attribution *')].map((node) => node.outerHTML)")
    expect(len(links) == 2 and "data.example/licence" in links[0] and "onclick" not in links[0], f"the attribution has {links}")
    expect(not browser.evaluate("window.hacked"), "the attribution is taken for HTML")
    others = [asked for asked in browser.asked if not asked.startswith((url, "data:"))]
    expect(others == [], f"other hosts are asked for {others}")
    expect(not any("manifest" in asked for asked in browser.asked), "the page needs the manifest")


def check_twins(browser):
    go(browser, 6, 42.4, -71)
    browser.click(*marker_place(browser, "hit.marker.feature.properties.coincident"))
    browser.wait("document.querySelectorAll('#details-content summary').length === 4")
    text = browser.evaluate("document.getElementById('details').textContent")
    expect("4 points at one place" in text and all(f"twin {index}" in text for index in range(4)), text)
    # The first of a few is open; the others are made when they are opened, also with the keyboard.
    tables = "document.querySelectorAll('#details-content table').length"
    expect(browser.evaluate(tables) == 1, f"{browser.evaluate(tables)} of 4 points are open")
    shoot(browser, "twins")
    browser.evaluate("document.querySelectorAll('#details-content summary')[2].focus()")
    browser.press("Enter")
    browser.wait(f"{tables} === 2 && document.querySelectorAll('#details-content details')[2].querySelector('table').textContent.includes('twin 2')")
    browser.press("Escape")


def check_point(browser):
    go(browser, 7, -12.2, -60.4)
    browser.click(*marker_place(browser, "!hit.marker.isCluster"))
    text = browser.wait("document.getElementById('details-title').textContent")
    browser.wait(f"document.getElementById('details-title').textContent === {json.dumps(HOSTILE)}")
    expect(
        browser.evaluate("document.querySelectorAll('#details b, #details img').length === 0 && !window.hacked"),
        f"a property is taken for HTML: {text}",
    )
    shoot(browser, "point")


def check_keyboard(browser):
    go(browser, 6, 42.4, -71)
    browser.press("Escape")
    expect(browser.evaluate("document.getElementById('details').hidden && document.activeElement.id === 'map'"), "Escape does not close the panel")
    browser.press("n")
    browser.wait("/Cluster of 4 points/.test(document.querySelector('.pyramid-announcement').textContent)")
    browser.press("Enter")
    browser.wait("!document.getElementById('details').hidden && document.activeElement.id === 'details-title'")
    browser.press("Escape")


def check_crowd(url, directory):
    """A cluster that stays one at the last zoom opens what it lists: no zoom takes it apart."""
    x, y = (int(value * 2**9) for value in world(-71.06, 42.36))
    path = f"{directory}/tiles/9/{x}/{y}.json"
    stored = open(path, "rb").read()
    place = [-71.06, 42.36]
    cluster = {
        "type": "Feature",
        "id": 5,
        "bbox": [-71.0601, 42.36, -71.06, 42.36],
        "geometry": {"type": "Point", "coordinates": place},
        "properties": {"cluster": True, "cluster_id": 5, "point_count": 4, "point_count_abbreviated": 4, "members": ["twin 0", "twin 1"]},
    }
    with open(path, "wb") as file:
        file.write(gzip.compress(json.dumps({"type": "FeatureCollection", "features": [cluster]}).encode()))
    with settled(url + "#9/42.4/-71") as browser:
        browser.click(*marker_place(browser, "hit.marker.isCluster"))
        text = browser.wait("!document.getElementById('details').hidden && document.getElementById('details').textContent")
        expect("2 of 4 points" in text and "twin 1" in text, f"the panel of a crowd says {text}")
        expect(browser.evaluate("preview.map.getZoom()") == 9, "a click zooms to where nothing comes apart")
    with open(path, "wb") as file:
        file.write(stored)


def check_phone(url):
    with settled(url + "#5/-30/179", 390, 844, 2, dark=True, touch=True) as browser:
        expect(browser.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than a phone")
        hidden = browser.evaluate(
            "[...document.querySelectorAll('#dock button, #card')].filter((node) => { const box = "
            "node.getBoundingClientRect(); return box.left < 0 || box.right > innerWidth || "
            "box.bottom > innerHeight }).map((node) => node.id)"
        )
        expect(hidden == [], f"outside of a phone's screen: {hidden}")
        expect(browser.evaluate("preview.theme.name") == "dark", "the page is light where the system is dark")
        shoot(browser, "phone")
        check_targets(browser, "#dock button, #dock input, #legend .toggle")
        check_sheet(browser)


def check_targets(browser, selector):
    """Fingers need 40 pixels."""
    small = browser.evaluate(f"""[...document.querySelectorAll({json.dumps(selector)})].map((node) => [node.textContent || node.id, node.getBoundingClientRect()])
      .filter(([, {{ width, height }}]) => height > 0 && (width < 40 || height < 40)).map(([text, {{ width, height }}]) => [text, width, height])""")
    expect(not small, f"too small for fingers: {small}")


def tap(browser, x, y):
    browser.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    browser.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])


def check_sheet(browser):
    """The marker that was tapped is in sight between the card and the sheet that tells of it, wherever it was, also at
    the lower end of a world that is shown whole."""
    free = (
        "(() => { const top = document.getElementById('card').getBoundingClientRect().bottom, bottom = document.getElementById('details').getBoundingClientRect().top; "
        "const hit = preview.visible().find(({ key }) => key === preview.markers.selected?.key); "
        "return hit && hit.y - hit.radius >= top && hit.y + hit.radius <= bottom && hit.x - hit.radius >= 0 && hit.x + hit.radius <= innerWidth })()"
    )
    # Where the marker is in the window, from its upper to its lower end.
    for zoom, way in ((9, 300), (9, 60), (6, 0), (8, -230), (11, -250), (7, 190)):
        go(browser, zoom, -54.8, -68.3)
        browser.evaluate(f"void preview.map.panBy([20, {-way}], {{ animate: false }})")
        browser.wait(SETTLED)
        x, y = marker_place(browser, "hit.marker.count === 130")
        expect(abs(y - 422 - way) < 2, f"the marker is at {y}")
        tap(browser, x, y)
        browser.wait("document.querySelectorAll('#details-content summary').length === 100")
        browser.wait(free)
        browser.wait(SETTLED)
        check_targets(browser, "#close, #details summary, #details-content button")
        expect(browser.evaluate(free), f"at zoom {zoom} the marker that was tapped at {y} is hidden")
        browser.evaluate("document.getElementById('close').click()")
        browser.wait(SETTLED)
    # A finger may be beside the circle: the panel opens at once, and stays.
    go(browser, 9, -54.8, -68.3)
    x, y = marker_place(browser, "hit.marker.count === 130")
    radius = browser.evaluate("preview.visible().find(({ marker }) => marker.count === 130).radius")
    browser.evaluate("""void (window.closings = 0, new MutationObserver((records) => { closings += records.filter(({ oldValue }) => oldValue === null).length })
      .observe(document.getElementById("details"), { attributeFilter: ["hidden"], attributeOldValue: true }))""")
    tap(browser, x + radius + 9, y)
    browser.wait("document.querySelectorAll('#details-content summary').length === 100")
    expect(browser.evaluate("closings") == 0, "a tap beside a marker closes the panel that it opens")
    browser.evaluate("document.getElementById('close').click()")
    browser.wait(SETTLED)
    shoot(browser, "phone-closed")
    # The lowest zoom, at which the world fills the screen.
    browser.evaluate("location.hash = '0/0/0'")
    browser.wait(f"preview.map.getZoom() === preview.map.getMinZoom() && {SETTLED}")
    browser.evaluate(f"void preview.markers.click(preview.markers.shown.find(({{ marker }}) => marker.feature.geometry.coordinates[1] < -54), -68)")
    browser.wait("!document.getElementById('details').hidden")
    browser.wait(free)
    # Leaflet takes back what goes beyond the map's limits.
    browser.evaluate("new Promise((done) => setTimeout(done, 600))")
    browser.wait(SETTLED)
    expect(browser.evaluate(free), "the marker goes back below the sheet")
    shoot(browser, "phone-sheet")
    browser.evaluate("document.getElementById('close').click()")
    browser.wait(f"{SETTLED} && Math.abs(preview.map.latLngToContainerPoint([0, 0]).y - innerHeight / 2) < 2")


class TileHandler(Quiet):
    """A host of raster tiles: all are one red pixel. It notes what it is asked for."""

    asked = set()
    pixel = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==")

    def do_GET(self):
        self.asked.add(self.path)
        self.send_response(200)
        self.send_header("Content-Type", "image/png")
        self.end_headers()
        self.wfile.write(self.pixel)


def check_basemap(directory):
    """Raster tiles come from the host that was named, with its credit, beneath the markers and only within the world."""
    with Host(TileHandler) as host:
        with (
            serving(
                PROGRAM,
                directory,
                "--basemap",
                host.url + "/{s}/{z}/{x}/{y}{r}.png?key=a'b",
                "--basemap-attribution",
                "© <a href='https://tiles.example'>Tiles</a></script>",
            ) as url,
            settled(url + "#1/10/20") as browser,
        ):
            browser.wait("document.querySelectorAll('.leaflet-tile-loaded').length >= 4")
            expected = {f"/1/{x}/{y}.png?key=a%27b" for x in (0, 1) for y in (0, 1)}
            found = {"/" + path.split("/", 2)[2] for path in TileHandler.asked}
            expect(expected <= found, f"the basemap's host was asked for {found}")
            text = browser.evaluate("document.getElementById('attribution').textContent")
            expect(text.endswith("· © Tiles"), f"the attribution is {text}")
            # The world is 512 pixels wide and high, in the middle of what is beside the card.
            alpha = [pixel(browser, *place)[3] for place in ((400, 400), (1180, 400), (543, 146))]
            expect(alpha == [255, 255, 0], f"the basemap is hidden, or shown beside the world: {alpha}")
            shoot(browser, "basemap")


def check_static_host(directory, manifest):
    """The page that the build wrote, from a host that knows nothing of gzip. Leaflet is in it."""
    tilejson = json.load(open(f"{directory}/tilejson.json"))
    del tilejson["name"]
    with open(f"{directory}/tilejson.json", "w") as file:
        json.dump(tilejson, file)
    with (
        Host(functools.partial(Quiet, directory=os.path.dirname(directory))) as host,
        settled(url := f"{host.url}/{os.path.basename(directory)}/", noise=["404"]) as browser,
    ):
        elsewhere = [asked for asked in browser.asked if not asked.startswith((url, "data:", "blob:"))]
        expect(not elsewhere, f"the page asks other hosts: {elsewhere}")
        title = browser.evaluate("document.title")
        expect(title == os.path.basename(directory), f"a tileset without a name has the title {title}")
        figures = browser.evaluate("preview.figures()")
        zoom = next(zoom for zoom in manifest["zooms"] if zoom["zoom"] == figures["level"])
        expect(figures["markers"] == zoom["markers"], f"{figures['markers']} markers, expected {zoom['markers']}")
        expect(figures["bytes"] == zoom["stored_bytes"], f"{figures['bytes']} bytes, expected {zoom['stored_bytes']}")
        # Without Leaflet, as where unpkg.com can't be reached, the page says what it lacks.
        page = open(f"{directory}/index.html").read()
        start, end = page.index("<script>"), page.index("</script>")
        expect("typeof exports" in page[start:end], "the first script isn't Leaflet")
        with open(f"{directory}/without.html", "w") as file:
            file.write(page[:start] + page[end + len("</script>") :])
        browser.open(url + "without.html")
        browser.wait("/Leaflet could not be loaded/.test(document.getElementById('notice')?.textContent)")


def legend(browser):
    """The rows of the legend: name, colour, and number."""
    return browser.evaluate(
        "[...document.querySelectorAll('#legend .plain li')].map(({ children: [swatch, name, count] }) => "
        "[name.textContent, getComputedStyle(swatch).backgroundColor.match(/\\d+/g).map(Number), count.textContent])"
    )


def kind_counts():
    counts = {}
    for row in csv.DictReader(io.StringIO(points())):
        counts[row["kind"] or "no value"] = counts.get(row["kind"] or "no value", 0) + 1
    return counts


def is_near(found, expected):
    return max(abs(a - b) for a, b in zip(found, expected)) < 24


def check_groups(url, directory):
    """Clusters have the colours of their groups, and the legend names these, until another choice is made."""
    with settled(url + "#4/46/9", dark=True) as browser:
        browser.wait("document.querySelector('#legend .plain li') !== null")
        rows = legend(browser)
        expected = sorted(([name, str(count)] for name, count in kind_counts().items()), key=lambda row: -int(row[1]))
        expect([[name, count] for name, _, count in rows] == expected, f"the legend has {rows}, expected {expected}")
        expect(len({tuple(color) for _, color, _ in rows}) == len(rows), f"groups share colours: {rows}")
        looks = (
            "preview.visible().map(({ marker }) => { const { color, slices = [{ color }] } = preview.markers.appearance.look(marker); "
            "return [marker.feature.properties.kind ?? 'no value', slices.map(({ color }) => color.match(/\\w\\w/g).map((pair) => parseInt(pair, 16)))] })"
        )
        found, colors = browser.evaluate(looks), {name: color for name, color, _ in rows}
        expect(
            {name for name, _ in found} == set(colors) and all(shown == [colors[name]] for name, shown in found),
            f"{found} are the colours, expected {colors}",
        )
        shoot(browser, "groups-dark")
        # Without colours by group there are those by the number of points.
        choose(browser, "")
        browser.wait(f"{SETTLED} && document.querySelector('#legend .plain li') === null")
        expect(all(shown != [colors[name]] for name, shown in browser.evaluate(looks)), "the choice of colours has no effect")


def choose(browser, column):
    """Chooses the column that gives the colours."""
    browser.evaluate(
        f"(() => {{ const choice = document.querySelector('#legend select'); choice.value = '{column}'; choice.dispatchEvent(new Event('change')) }})()"
    )


def check_fewer_counts(url, directory):
    """Where clusters have only the most frequent value, the legend has its count, and that of all other points."""
    with settled(url) as browser:
        expect(legend(browser) == [], "a value of few points gives the colours by itself")
        choose(browser, "kind")
        browser.wait(f"{SETTLED} && document.querySelector('#legend .plain li') !== null")
        rows = legend(browser)
        counts = kind_counts()
        most, count = max(counts.items(), key=lambda pair: pair[1])
        expect({name: int(count) for name, _, count in rows} == {most: count, "other": sum(counts.values()) - count}, f"the legend has {rows}")


def check_counts(url, directory):
    """Clusters with counts by value are rings, with a part for each value that is as large as its share."""
    with settled(url + "#4/46/9", scale=2) as browser:
        browser.wait("document.querySelector('#legend .plain li') !== null")
        colors = {name: color for name, color, _ in legend(browser)}
        expect({name: int(count) for name, _, count in legend(browser)} == kind_counts(), f"the legend has {legend(browser)}")
        checked = 0
        for x, y, radius, longitude, latitude in browser.evaluate(
            "preview.visible().map(({ marker, x, y, radius }) => [x, y, radius, ...marker.feature.geometry.coordinates])"
        ):
            if not (330 < x < 1250 and 20 < y < 700):
                continue
            feature = next(feature for feature in features(directory, 4) if feature["geometry"]["coordinates"] == [longitude, latitude])
            counts = (
                {name or "no value": count for name, count in feature["properties"].get("kind", {}).items()}
                if "cluster" in feature["properties"]
                else {}
            )
            if len(counts) < 2:
                continue
            found = dict.fromkeys(colors, 0)
            for step in range(120):
                angle = (step + 0.5) / 120 * 2 * math.pi
                inside = pixel(browser, x + (radius - 3.2) * math.sin(angle), y - (radius - 3.2) * math.cos(angle), "pyramid")[:3]
                for name, color in colors.items():
                    found[name] += is_near(inside, color)
            for name in colors:
                share = counts.get(name, 0) / sum(counts.values())
                expect(abs(found[name] / 120 - share) < 0.05, f"{found[name]} of 120 are painted for {name} of {counts}")
            checked += 1
            if checked == 6:
                break
        expect(checked > 3, f"only {checked} rings are in the window")
        shoot(browser, "counts")


def check_filters(url, directory):
    """The legend filters the markers; the URL keeps the filter beside the place, and the card fits on a phone."""
    rows = list(csv.DictReader(io.StringIO(points())))
    bars, high = sum(row["kind"] == "bar" for row in rows), sum(int(row["rank"]) >= 3 for row in rows)
    total = "document.querySelector('#legend .total').textContent"
    with settled(url) as browser:
        browser.wait("document.querySelectorAll('#legend fieldset').length === 2")
        browser.evaluate("[...document.querySelectorAll('#legend li')].find((row) => /bar/.test(row.textContent)).querySelector('.only').click()")
        browser.wait(f"{SETTLED} && preview.figures().points === {bars} && {total} === '{bars} of {len(rows)}'")
        browser.evaluate("document.getElementById('zoom-in').click()")
        browser.wait(f"{SETTLED} && /^#[\\d.]+\\/[-\\d.]+\\/[-\\d.]+&filter\\.kind=bar$/.test(location.hash)")
        browser.evaluate("location.hash = '#3/20/10&filter.rank=3-6,6%2B'")
        browser.wait(f"{SETTLED} && preview.map.getZoom() === 3 && {total} === '{high} of {len(rows)}'")
        shoot(browser, "filters")
    with settled(url + "#5/-30/179&filter.kind=bar,null", 390, 844, 2, touch=True) as browser:
        browser.wait(f"/ of /.test({total})")
        box = "document.getElementById('card').getBoundingClientRect()"
        expect(browser.evaluate(f"{box}.height < 160"), "the card covers a phone")
        browser.evaluate("document.querySelector('#legend .toggle').click()")
        browser.wait(SETTLED)
        expect(
            browser.evaluate(f"(({{ right, bottom }}) => right <= innerWidth && bottom < innerHeight / 2)({box})"),
            "the legend is larger than half of a phone",
        )
        shoot(browser, "filters-phone")


def check_layout(url, offset=0, title=None):
    """Bundles, vector tiles and archives have figures of their files; tiles for 512 pixels are shown one zoom later. No file is asked for in vain."""
    # A plain tileset has no file for a tile without points.
    with settled(url, noise=["404"]) as browser:
        expect(title in (None, browser.evaluate("document.title")), "an archive's page isn't called by its name")
        for zoom, latitude, longitude in ((5, -30, 179), (9, 47.5, 8.2)):
            go(browser, zoom + offset, latitude, longitude)
            found = browser.evaluate("preview.figures()")
            expect(
                found["level"] == zoom and found["markers"] > 0 and found["bytes"] > 0,
                f"{found} is shown on a map of zoom {zoom + offset}, expected zoom {zoom}",
            )
        browser.evaluate("document.getElementById('tiles').click()")
        browser.wait(SETTLED)
        shoot(browser, f"layout-{title or offset}")
        holes = () if browser.evaluate("'bundles' in preview.tileset.tileJSON") else ("/tiles/",)
        missing = [asked for asked, status in browser.requests.items() if status not in (200, 206) and not any(part in asked for part in holes)]
        expect(not missing, f"files are asked for that aren't there: {missing}")


class FailingHandler(Quiet):
    """A host that can fail for tiles, with 503."""

    is_failing = False

    def do_GET(self):
        if FailingHandler.is_failing and "/tiles/" in self.path:
            self.send_error(503)
        else:
            super().do_GET()


def check_failures(directory):
    """The page says what it can't read, and shows it as soon as it can; a tileset without a tile is an empty map."""
    with Host(functools.partial(FailingHandler, directory=directory)) as host, settled(f"{host.url}/index.html#3/20/10", noise=["404"]) as browser:
        FailingHandler.is_failing = True
        browser.evaluate("location.hash = '6/-25/178'")
        browser.wait("/could not be read.*503.*Trying again/.test(document.getElementById('notice').textContent)")
        FailingHandler.is_failing = False
        browser.wait(f"document.getElementById('notice').hidden && {SETTLED} && preview.figures().level === 6")
        os.rename(f"{directory}/tiles", f"{directory}/no-tiles")
        browser.errors.clear()
        browser.open("about:blank")
        browser.open(f"{host.url}/index.html")
        browser.wait(SETTLED)
        figures = browser.evaluate("preview.figures()")
        expect(figures["markers"] == figures["tiles"] == figures["bytes"] == 0, f"an empty tileset has {figures}")
        expect(browser.evaluate("document.getElementById('notice').hidden"), "an empty tileset has a problem")


def main():
    with tempfile.TemporaryDirectory() as folder:
        rows, directory = f"{folder}/rows.csv", f"{folder}/out"
        with open(rows, "w") as file:
            file.write(points())

        def build(directory, *options):
            subprocess.run(
                [PROGRAM, "build", rows, directory, "--max-zoom", "9", "--preview", "--quiet", *options], check=True, stderr=subprocess.DEVNULL
            )
            return directory

        build(directory, "--name", NAME, "--attribution", ATTRIBUTION)
        manifest = json.load(open(f"{directory}/manifest.json"))
        with serving(PROGRAM, directory) as url:
            check_desktop(url, directory, manifest)
            check_limits(url)
            check_phone(url)
            check_forced_colors(url)
            check_crowd(url, directory)
        check_basemap(directory)
        check_static_host(directory, manifest)
        check_failures(directory)
        for options, check in (
            (["--group-by", "kind"], check_groups),
            (["--count-by", "kind"], check_counts),
            (["--count-by", "kind:1"], check_fewer_counts),
            (["--filter-by", "kind,rank:3:6", "--bundle", "40"], check_filters),
        ):
            tileset = build(f"{folder}/{check.__name__}", *options)
            with serving(PROGRAM, tileset) as url:
                check(url, tileset)
                if check == check_filters:
                    check_empty(url)
        with Host(functools.partial(Quiet, directory=build(f"{folder}/bundled", "--bundle", "40"))) as host:
            check_layout(f"{host.url}/index.html")
        for name, tile_size in (("vector", "256"), ("large", "512")):
            with serving(PROGRAM, build(f"{folder}/{name}", "--format", "mvt", "--tile-size", tile_size)) as url:
                check_layout(url, int(tile_size == "512"))
        with open(rows, "w") as file:
            file.write(pole_points())
        with serving(PROGRAM, build(f"{folder}/pole", "--filter-by", "code,height:500:1000:5000", "--bundle", "40")) as url:
            check_pole(url)
        with open(rows, "w") as file:
            lines = [f"{index % 3},{6 + index * 37 % 400 / 40},{45 + index * 53 % 900 / 100}" for index in range(900)]
            file.write("\n".join(["kind,lon,lat", *lines]) + "\n")
        with serving(PROGRAM, build(f"{folder}/region", "--filter-by", "kind", "--bundle", "40")) as url:
            check_opened_legend(url)
        with open(rows, "w") as file:
            file.write(points())
        archive = f"{folder}/geojson.pmtiles"
        subprocess.run([PROGRAM, "build", rows, archive, "--max-zoom", "9", "--quiet", "--format", "geojson"], check=True, stderr=subprocess.DEVNULL)
        with serving(PROGRAM, archive) as url:
            check_layout(url, title="geojson.pmtiles")
    print("preview_test: passed")


main()
