#!/usr/bin/env python3
"""Looks at a pyramid with a real browser: the page loads, shows the markers that the tiles hold, zooms, tells what
markers are, and leaves no error on the console.

Usage: preview_test.py path/to/pyramid [directory for screenshots]
Needs Debian's packages chromium and libjs-leaflet.
"""

import base64
import contextlib
import functools
import gzip
import http.server
import json
import math
import os
import subprocess
import sys
import tempfile
import threading

from browser import Browser

PROGRAM = sys.argv[1]
SCREENSHOTS = sys.argv[2] if len(sys.argv) > 2 else None
SETTLED = "window.preview && preview.figures().isSettled"
# A name with places to break it, and an attribution with links and with what must not come to life.
NAME = "islands_and_places_around_the_antimeridian_of_which_one_is_hostile"
ATTRIBUTION = ("© <a href='https://data.example/licence' onclick='window.hacked=1'>Example <b>data</b></a>"
               "<img src=x onerror='window.hacked=1'><script>window.hacked=1</script><a href='javascript:window.hacked=1'>, free</a>")
HOSTILE = "<img src=x onerror='window.hacked=1'><b>bold</b>"


def expect(is_right, what):
    if not is_right:
        raise SystemExit(f"preview_test: {what}")


def points():
    """Rows around the antimeridian and in Europe; four share a place, and one name is HTML."""
    rows = ["name,rank,lon,lat"]
    for index in range(600):
        longitude = (170 + 0.37 * (index * 7 % 83)) if index % 3 else (5 + 0.11 * (index * 5 % 97))
        latitude = (-40 + 0.29 * (index * 11 % 101)) if index % 3 else (45 + 0.07 * (index * 13 % 89))
        longitude = longitude - 360 if longitude > 180 else longitude
        rows.append(f"place {index},{index % 9},{longitude:.6f},{latitude:.6f}")
    rows += [f"twin {index},{index},-71.06,42.36" for index in range(4)]
    rows.append(f'"{HOSTILE}",1,-60.5,-12.25')
    return "\n".join(rows) + "\n"


def tiles_of(directory, zoom):
    for folder, _, names in os.walk(f"{directory}/tiles/{zoom}"):
        for name in names:
            yield json.loads(gzip.decompress(open(f"{folder}/{name}", "rb").read()))["features"]


def features_of(directory, zoom):
    return [feature for tile in tiles_of(directory, zoom) for feature in tile]


def world(longitude, latitude):
    return longitude / 360 + 0.5, 0.5 - math.asinh(math.tan(math.radians(latitude))) / (2 * math.pi)


def expected_markers(directory, browser):
    """How many markers of the zoom are in the browser's window, from the files alone."""
    view = browser.evaluate("(() => { const c = preview.map.getCenter(); return "
                            "{ lng: c.lng, lat: c.lat, zoom: preview.map.getZoom(), width: innerWidth, height: innerHeight } })()")
    size = 256 * 2 ** view["zoom"]
    center_x, center_y = world(view["lng"], view["lat"])
    count = 0
    for feature in features_of(directory, int(view["zoom"])):
        x, y = world(*feature["geometry"]["coordinates"])
        copies = range(math.floor(center_x - x) - 3, math.floor(center_x - x) + 5)
        across = any(abs(x + copy - center_x) * size <= view["width"] / 2 for copy in copies)
        count += across and abs(y - center_y) * size <= view["height"] / 2
    return count


def marker_place(browser, condition):
    """Where a marker is in the window that the browser's expression over `hit` chooses."""
    return browser.wait(f"(() => {{ const hit = preview.scene.visible().find((hit) => {condition}); return hit && [hit.x, hit.y] }})()")


def go(browser, zoom, latitude, longitude):
    browser.evaluate(f"location.hash = '{zoom}/{latitude}/{longitude}'")
    browser.wait(f"preview.map.getZoom() === {zoom} && {SETTLED}")


def shoot(browser, name):
    if SCREENSHOTS:
        browser.screenshot(f"{SCREENSHOTS}/{name}.png")


def check_desktop(url, directory, manifest):
    with Browser(1280, 800) as browser:
        browser.open(url)
        browser.wait(SETTLED)
        figures = browser.evaluate("preview.figures()")
        zoom = next(zoom for zoom in manifest["zooms"] if zoom["zoom"] == figures["level"])
        for name in ("markers", "clusters", "tiles"):
            expect(figures[name] == zoom[name], f"the first view has {figures[name]} {name}, expected {zoom[name]}")
        expect(figures["points"] == manifest["input"]["rows_accepted"], f"{figures['points']} points are shown")
        expect(figures["bytes"] == zoom["stored_bytes"], f"{figures['bytes']} bytes, expected {zoom['stored_bytes']}")
        shown = browser.evaluate("document.getElementById('figure-markers').textContent")
        expect(shown == str(figures["markers"]), f"the card shows {shown} markers")
        painted = browser.evaluate(
            "(() => { const hit = preview.scene.visible()[0], { context, width } = preview.scene; "
            "const row = context.getImageData(0, Math.round(hit.y), width, 1).data, pixel = (x) => row.slice(4 * x, 4 * x + 4).join(); "
            "return pixel(Math.round(hit.x + hit.radius * .7)) !== pixel(Math.round(hit.x + hit.radius + 6)) })()")
        expect(painted, "nothing is painted where a marker is")
        shoot(browser, "desktop")

        for step in ("zoom-in", "zoom-in", "zoom-out"):
            level = browser.evaluate("preview.map.getZoom()")
            browser.evaluate(f"document.getElementById('{step}').click()")
            browser.wait(f"preview.map.getZoom() === {level + (1 if step == 'zoom-in' else -1)} && {SETTLED}")
            found, expected = browser.evaluate("preview.figures().markers"), expected_markers(directory, browser)
            expect(found == expected, f"{found} markers after {step}, expected {expected}")
        go(browser, 4, -25.5, 179.9)
        found, expected = browser.evaluate("preview.figures().markers"), expected_markers(directory, browser)
        expect(found == expected > 20, f"{found} markers around the antimeridian, expected {expected}")

        check_title(browser, url)
        check_geography(browser)
        check_labels(browser)
        check_one_world(browser)
        go(browser, 4, -25.5, 179.9)
        check_cluster(browser)
        check_twins(browser)
        check_point(browser)
        check_keyboard(browser)
        check_splitting(browser, directory)
        for button in ("tiles", "theme", "fit"):
            browser.evaluate(f"document.getElementById('{button}').click()")
        browser.wait(SETTLED)
        shoot(browser, "dark")
        expect(not browser.errors, f"errors on the console: {browser.errors}")


def pixel(browser, x, y):
    """Red, green, blue and alpha at a place of the window."""
    return browser.evaluate(
        "(() => { const { canvas, ratio } = preview.scene, pixel = new OffscreenCanvas(1, 1).getContext('2d'); "
        f"pixel.drawImage(canvas, -Math.floor({x} * ratio), -Math.floor({y} * ratio)); "
        "return [...pixel.getImageData(0, 0, 1, 1).data] })()")


def colour(browser, longitude, latitude):
    """What is painted at a place on the map, which must be in the window."""
    x, y = world(longitude, latitude)
    screen = browser.evaluate("preview.scene.screen")
    return pixel(browser, (x - screen["left"]) % 1 * screen["size"], (y - screen["top"]) * screen["size"])[:3]


def check_geography(browser):
    """Land is where these places say, drawn on both sides of the antimeridian and around the pole, and nowhere else."""
    go(browser, 2, 10, 20)
    land = {"Sahara": (4, 24), "Siberia": (98, 63), "Brazil": (-52, -9), "Australia": (133, -25), "Antarctica": (82, -76), "Antarctica at the map's edge": (82, -84.95),
            "Lesotho, within South Africa": (28.3, -29.6), "Chukotka, east of the antimeridian": (-178, 67.5)}
    sea = {"Atlantic": (-33, 20), "Caspian Sea": (51, 41.6), "Pacific": (-150, -12), "Indian Ocean": (78, -31),
           "Black Sea": (34, 43.2), "Ross Sea": (178, -76)}
    for places, expected in ((land, True), (sea, False)):
        for name, place in places.items():
            x, y = world(*place)
            found = browser.evaluate("[-1, 0, 1].some((copy) => new OffscreenCanvas(1, 1).getContext('2d')"
                                     f".isPointInPath(preview.scene.geography.land, {x} + copy, {y}))")
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
    # The coast misleads where it is kilometres off.
    go(browser, 8, 36.6, -2.4)
    expect(colour(browser, -2.4, 37.6) == colour(browser, -2.4, 36.2) == painted["sea"], "land is painted at zoom 8")


def check_labels(browser):
    """Labels of cities and of the graticule are drawn, and none meets a marker."""
    go(browser, 3, 30, 40)
    found = browser.evaluate("""(() => {
      const { labels, drawn, shift } = preview.scene;
      const meets = ({ x, y, width, height }) => drawn.some((hit) => {
        const dx = hit.x + shift.x - Math.min(Math.max(hit.x + shift.x, x), x + width), dy = hit.y + shift.y - Math.min(Math.max(hit.y + shift.y, y), y + height);
        return Math.hypot(dx, dy) < hit.radius;
      });
      return { texts: labels.map(({ text }) => text), under: labels.filter(meets).map(({ text }) => text), markers: drawn.length };
    })()""")
    expect(found["under"] == [] and found["markers"] > 3, f"labels meet markers: {found}")
    expect({"Cairo", "Mumbai", "30° W", "30° N"} <= set(found["texts"]), f"labels are missing: {found['texts']}")
    shoot(browser, "labels")


def check_one_world(browser):
    """A world smaller than the window is shown once, with every marker at one place."""
    go(browser, 0, 0, 0)
    drawn, figures = browser.evaluate("preview.scene.drawn.map((hit) => hit.marker.id)"), browser.evaluate("preview.figures()")
    expect(len(drawn) == len(set(drawn)) == figures["markers"] > 2, f"{len(drawn)} circles for {figures['markers']} markers")
    expect(browser.evaluate("preview.scene.drawn.every(({ x }) => Math.abs(x + preview.scene.shift.x - innerWidth / 2) <= 128)"), "markers are beside the world")
    center = browser.evaluate("preview.map.getCenter().lng")
    browser.drag(640, 300, 440, 300)
    browser.wait(SETTLED)
    moved = browser.evaluate("preview.map.getCenter().lng") - center
    expect(abs(moved) < 1, f"the whole world can be pulled away, by {moved} degrees")
    shoot(browser, "world")


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


def check_cluster(browser):
    level = browser.evaluate("preview.map.getZoom()")
    place = marker_place(browser, "hit.marker.isCluster && !hit.marker.feature.properties.coincident && hit.x > 400 && hit.y > 200 && hit.y < 600")
    expansion = browser.evaluate(
        f"preview.scene.hit({place[0]}, {place[1]}, 1).marker.feature.properties.expansion_zoom")
    browser.click(*place)
    browser.wait(f"preview.map.getZoom() > {level} && {SETTLED}")
    expect(browser.evaluate("preview.map.getZoom()") >= expansion, "a click does not take the cluster apart")


def check_twins(browser):
    go(browser, 6, 42.4, -71)
    browser.click(*marker_place(browser, "hit.marker.feature.properties.coincident"))
    browser.wait("document.querySelectorAll('#details-content table').length === 4")
    text = browser.evaluate("document.getElementById('details').textContent")
    expect("4 points at one place" in text and all(f"twin {index}" in text for index in range(4)), text)
    shoot(browser, "twins")


def check_point(browser):
    go(browser, 7, -12.2, -60.4)
    browser.click(*marker_place(browser, "!hit.marker.isCluster"))
    text = browser.wait("document.getElementById('details-title').textContent")
    browser.wait(f"document.getElementById('details-title').textContent === {json.dumps(HOSTILE)}")
    expect(browser.evaluate("document.querySelectorAll('#details b, #details img').length === 0 && !window.hacked"),
           f"a property is taken for HTML: {text}")
    shoot(browser, "point")


def check_keyboard(browser):
    go(browser, 6, 42.4, -71)
    browser.press("Escape")
    expect(browser.evaluate("document.getElementById('details').hidden && document.activeElement.id === 'map'"),
           "Escape does not close the panel")
    browser.press("n")
    browser.wait("/Cluster of 4 points/.test(document.getElementById('announcement').textContent)")
    browser.press("Enter")
    browser.wait("!document.getElementById('details').hidden && document.activeElement.id === 'details-title'")
    browser.press("Escape")


def check_splitting(browser, directory):
    """Markers come out of the cluster that the tiles name as their parent."""
    parents = sum("parent" in feature["properties"] for feature in features_of(directory, 4))
    expect(parents > 20, f"{parents} markers have parents")
    wrong = browser.evaluate("""(async () => {
      const load = async (z) => {
        const tiles = [];
        for (let x = 0; x < 2 ** z; x++) for (let y = 0; y < 2 ** z; y++) tiles.push(preview.store.tile(z, x, y));
        await Promise.all(tiles.map((tile) => tile.settled));
        return tiles.flatMap((tile) => tile.markers);
      };
      const scene = new preview.scene.constructor(document.createElement("canvas"), { minzoom: 0, maxzoom: 9 });
      const [coarse, fine] = [await load(3), await load(4)];
      scene.show(3, coarse, 0);
      scene.show(4, fine, 1000);
      const places = new Map(coarse.map((marker) => [marker.id, marker]));
      const split = fine.filter((marker) => !places.has(marker.id) && places.has(marker.parent));
      const isWrong = (marker) => {
        const parent = places.get(marker.parent), x = marker.x + marker.motion.x - parent.x;
        return Math.abs(x - Math.round(x)) > 1e-9 || Math.abs(marker.y + marker.motion.y - parent.y) > 1e-9;
      };
      const wrongCount = split.filter((marker) => !marker.motion || isWrong(marker)).length;
      scene.show(3, coarse, 2000);
      const merging = scene.leaving.filter((marker) => marker.motion.isOut && !isWrong(marker)).length;
      return split.length > 20 && merging === split.length ? wrongCount : `${split.length} split, ${merging} merged`;
    })()""")
    expect(wrong == 0, f"markers that don't come from their parents: {wrong}")
    way = browser.evaluate("""(() => {
      const make = (id, x, parent, isCluster) => ({ id, x, y: 0.5, parent, isCluster, count: isCluster ? 9 : 1, label: "",
        feature: { bbox: [-20, -10, 20, 10], geometry: { coordinates: [3, 0] } } });
      const scene = new preview.scene.constructor(document.createElement("canvas"), { minzoom: 0, maxzoom: 9 });
      const child = make("point", 0.51, "cluster 2", false);
      scene.show(1, [make("cluster 1", 0.5, null, true), make("cluster 2", 0.55, null, true)], 0);
      scene.show(2, [child], 1000);
      return child.motion.x;
    })()""")
    expect(abs(way - 0.04) < 1e-9, f"a marker comes from {way} to the east, expected its parent, not the nearest cluster")


def check_crowd(url, directory):
    """A cluster that stays one at the last zoom opens what it lists: no zoom takes it apart."""
    x, y = (int(value * 2 ** 9) for value in world(-71.06, 42.36))
    path = f"{directory}/tiles/9/{x}/{y}.json"
    stored = open(path, "rb").read()
    place = [-71.06, 42.36]
    cluster = {"type": "Feature", "id": 5, "bbox": [-71.0601, 42.36, -71.06, 42.36], "geometry": {"type": "Point", "coordinates": place},
               "properties": {"cluster": True, "cluster_id": 5, "point_count": 4, "point_count_abbreviated": 4,
                              "members": ["twin 0", "twin 1"]}}
    with open(path, "wb") as file:
        file.write(gzip.compress(json.dumps({"type": "FeatureCollection", "features": [cluster]}).encode()))
    with Browser(1280, 800) as browser:
        browser.open(url + "#9/42.4/-71")
        browser.wait(SETTLED)
        browser.click(*marker_place(browser, "hit.marker.isCluster"))
        text = browser.wait("!document.getElementById('details').hidden && document.getElementById('details').textContent")
        expect("4 points at one place" in text and "twin 1" in text, f"the panel of a crowd says {text}")
        expect(browser.evaluate("preview.map.getZoom()") == 9, "a click zooms to where nothing comes apart")
        expect(not browser.errors, f"errors on the console: {browser.errors}")
    with open(path, "wb") as file:
        file.write(stored)


def check_phone(url):
    with Browser(390, 844, 2, dark=True, touch=True) as browser:
        browser.open(url + "#5/-30/179")
        browser.wait(SETTLED)
        expect(browser.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than a phone")
        hidden = browser.evaluate("[...document.querySelectorAll('#dock button, #card')].filter((node) => { const box = "
                                  "node.getBoundingClientRect(); return box.left < 0 || box.right > innerWidth || "
                                  "box.bottom > innerHeight }).map((node) => node.id)")
        expect(hidden == [], f"outside of a phone's screen: {hidden}")
        expect(browser.evaluate("preview.theme.name") == "dark", "the page is light where the system is dark")
        shoot(browser, "phone")
        expect(not browser.errors, f"errors on the console: {browser.errors}")


class TileHandler(http.server.BaseHTTPRequestHandler):
    """A host of raster tiles: all are one red pixel. It notes what it is asked for."""

    asked = set()
    pixel = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==")

    def do_GET(self):
        self.asked.add(self.path)
        self.send_response(200)
        self.send_header("Content-Type", "image/png")
        self.end_headers()
        self.wfile.write(self.pixel)

    def log_message(self, *_):
        pass


def check_basemap(directory):
    """Raster tiles come from the host that was named, with its credit, beneath the markers and only within the world."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), TileHandler) as host:
        threading.Thread(target=host.serve_forever, daemon=True).start()
        origin = f"http://127.0.0.1:{host.server_port}"
        with serving(directory, "--basemap", origin + "/{s}/{z}/{x}/{y}{r}.png?key=a'b", "--basemap-attribution",
                     "© <a href='https://tiles.example'>Tiles</a></script>") as url, Browser(1280, 800) as browser:
            browser.open(url + "#1/10/20")
            browser.wait(f"{SETTLED} && document.querySelectorAll('.leaflet-tile-loaded').length >= 4")
            expected = {f"/1/{x}/{y}.png?key=a%27b" for x in (0, 1) for y in (0, 1)}
            found = {"/" + path.split("/", 2)[2] for path in TileHandler.asked}
            expect(expected <= found, f"the basemap's host was asked for {found}")
            text = browser.evaluate("document.getElementById('attribution').textContent")
            expect(text.endswith("· © Tiles"), f"the attribution is {text}")
            # The world is 512 pixels wide and high, in the middle of the window.
            alpha = [pixel(browser, *place)[3] for place in ((100, 400), (1180, 400), (386, 146))]
            expect(alpha == [255, 255, 0], f"the basemap is hidden, or shown beside the world: {alpha}")
            shoot(browser, "basemap")
            expect(not browser.errors, f"errors on the console: {browser.errors}")
        host.shutdown()


@contextlib.contextmanager
def serving(directory, *options):
    server = subprocess.Popen([PROGRAM, "serve", directory, "--port", "0", *options], stdout=subprocess.PIPE, text=True)
    try:
        yield server.stdout.readline().strip()
    finally:
        server.terminate()
        server.wait()


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def check_static_host(directory, manifest):
    """The page that the build wrote, from a host that knows nothing of gzip; Leaflet put beside it."""
    page = open(f"{directory}/index.html").read()
    start, end = page.index('<link rel="stylesheet" href="https://unpkg.com'), page.index("<style>")
    expect(page[start:end].count("integrity=") == 2, "Leaflet is fetched without a checksum")
    with open(f"{directory}/local.html", "w") as file:
        file.write(page[:start] + '<link rel="stylesheet" href="leaflet.css"><script defer src="leaflet.js"></script>' + page[end:])
    for name in ("leaflet.js", "leaflet.css"):
        os.symlink(f"/usr/share/javascript/leaflet/{name}", f"{directory}/{name}")
    tilejson = json.load(open(f"{directory}/tilejson.json"))
    del tilejson["name"]
    with open(f"{directory}/tilejson.json", "w") as file:
        json.dump(tilejson, file)
    handler = functools.partial(QuietHandler, directory=os.path.dirname(directory))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as host, Browser() as browser:
        threading.Thread(target=host.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{host.server_port}/{os.path.basename(directory)}/"
        browser.open(url + "local.html")
        browser.wait(SETTLED)
        title = browser.evaluate("document.title")
        expect(title == os.path.basename(directory), f"a tileset without a name has the title {title}")
        figures = browser.evaluate("preview.figures()")
        zoom = next(zoom for zoom in manifest["zooms"] if zoom["zoom"] == figures["level"])
        expect(figures["markers"] == zoom["markers"], f"{figures['markers']} markers, expected {zoom['markers']}")
        expect(figures["bytes"] == zoom["stored_bytes"], f"{figures['bytes']} bytes, expected {zoom['stored_bytes']}")
        # Such a host answers 404 for a tile without points, and the browser notes it.
        errors = [error for error in browser.errors if not ("404" in error and "/tiles/" in error)]
        expect(not errors, f"errors on the console: {errors}")
        # Without a network the page says what it lacks.
        browser.open(url + "index.html")
        browser.wait("window.preview || /Leaflet/.test(document.getElementById('notice')?.textContent)")
        host.shutdown()


def main():
    with tempfile.TemporaryDirectory() as folder:
        rows, directory = f"{folder}/rows.csv", f"{folder}/out"
        with open(rows, "w") as file:
            file.write(points())
        subprocess.run([PROGRAM, "build", rows, directory, "--max-zoom", "9", "--parents", "--preview", "--quiet",
                        "--name", NAME, "--attribution", ATTRIBUTION],
                       check=True, stderr=subprocess.DEVNULL)
        manifest = json.load(open(f"{directory}/manifest.json"))
        with serving(directory) as url:
            check_desktop(url, directory, manifest)
            check_phone(url)
            check_crowd(url, directory)
        check_basemap(directory)
        check_static_host(directory, manifest)
    print("preview_test: passed")


main()
