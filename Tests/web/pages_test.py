#!/usr/bin/env python3
"""Situations of real pages, with a real browser and the real map libraries: hidden maps, several tilesets on one map, other layers around the
markers, texts from right to left, hosts that refuse.

    pages_test.py path/to/pyramid path/to/libraries [directory for screenshots]

MAPS="leaflet openlayers" and CHECKS="in_view hidden" run only these.
"""

import collections
import json
import math
import os
import random
import re
import subprocess
import tempfile
import threading
import time

from browser_test import HERE, LIBRARIES, MAPS, PROGRAM, ROWS, Page, expect_quiet, picture, rows, shops
from browser import Browser
from checks import Checks
from examples import Examples
from workshop import code_blocks, expect, soon, write_csv

MAX_ZOOM = 10
check = Checks("pages_test", MAPS)


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
        def look():
            told = sum(int(re.search("[0-9,]+", words)[0].replace(",", "")) for _, _, words in browser.evaluate(ROWS)[0])
            return told, *page.run(
                f"[[...markers.counts('kind').values()].reduce((sum, {{ inView }}) => sum + inView, 0), {in_window(page)}.reduce((sum, {{ count }}) => sum + count, 0)]"
            )

        # The legend follows a moment later.
        told, counted, expected = soon(look, lambda found: len(set(found)) == 1)
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
                longitude += pixels * 360 / 256 / 2**zoom
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
    # Small, because a globe is drawn slowly without a GPU.
    browser.resize(390, 400)
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


def spot(page, condition="true", names="markers", distance=45):
    """The pixels of a drawn marker that stands alone, away from the edges."""
    found = page.run(f"""(() => {{
      const all = [{names}].flatMap((markers) => markers.inWindow), {{ clientWidth: width, clientHeight: height }} = document.getElementById("map");
      const isAlone = ({{ pixel: [x, y] }}) => all.filter(({{ pixel }}) => Math.hypot(pixel[0] - x, pixel[1] - y) < {distance}).length === 1;
      return all.find((one) => {{ const {{ shown: item, pixel: [x, y] }} = one; return x > 80 && x < width - 80 && y > 150 && y < height - 80 && isAlone(one) && ({condition}) }})?.pixel ?? null;
    }})()""")
    expect(found, f"{page.name}: no marker stands alone of which holds: {condition}")
    return found


def hide_legend(page):
    page.browser.evaluate("void (document.getElementById('legend').style.display = 'none')")


DETAILS = "[...document.querySelectorAll('.pyramid-details')].filter((node) => node.getClientRects().length)"


@check("leaflet")
def check_areas(page):
    """A click on a marker above a polygon with a popup, or with a handler that stops the event, is the marker's; an L.marker above it has its own."""
    browser = page.browser
    page.open("shops")
    hide_legend(page)
    page.go(7, 10, 20)
    browser.evaluate("void (window.clicks = 0, example.map.on('click', () => { clicks += 1 }))")
    for renderer in ("L.svg()", "L.canvas()"):
        browser.evaluate(
            f"void (window.area = L.polygon([[-80, -170], [-80, 170], [80, 170], [80, -170]], {{ renderer: {renderer} }}).addTo(example.map).bindPopup('area'))"
        )
        x, y = spot(page, "item.marker.count === 1")
        # As React listens. A canvas has listeners of its own, so the click on it begins again.
        page.move_mouse(x, y)
        browser.evaluate("void (window.captured = 0, document.addEventListener('click', () => { captured += 1 }, { capture: true, once: false }))")
        page.click(x, y)
        page.details("/^shop/.test(node.querySelector('strong').textContent)")
        expect(
            browser.evaluate("captured") == 1 or "canvas" in renderer,
            f"leaflet: a click above {renderer} is captured {browser.evaluate('captured')} times",
        )
        browser.press("Escape")
        browser.wait(f"!{DETAILS}.length")
        for stops in (False, True):
            if stops:
                browser.evaluate("void area.unbindPopup().on('click mousemove', L.DomEvent.stop)")
            page.move_mouse(5, 5)
            clicks = browser.evaluate("clicks")
            page.click(x, y)
            page.details("/^shop/.test(node.querySelector('strong').textContent)")
            expect(
                browser.evaluate("clicks") == clicks + 1,
                f"leaflet: {browser.evaluate('clicks') - clicks} clicks for the page's map, of a click on a marker above {renderer}",
            )
            expect(browser.evaluate("document.getElementById('map').style.cursor") == "pointer", "leaflet: the pointer above a marker isn't a hand")
            browser.press("Escape")
            browser.wait(f"!{DETAILS}.length")
        browser.evaluate("void area.off().bindPopup('area')")
        browser.evaluate(f"void (window.pin = L.marker(example.map.containerPointToLatLng([{x}, {y}])).addTo(example.map).bindPopup('pin'))")
        page.click(x, y - 5)
        browser.wait("document.querySelector('.leaflet-popup-content')?.textContent === 'pin'")
        expect(browser.evaluate(f"{DETAILS}.length") == 0, "leaflet: a click on an L.marker is taken by what is below it")
        browser.evaluate("void (pin.remove(), example.map.closePopup())")
        # Where there is no marker, the area has its clicks.
        free = page.run(
            "[...Array(400).keys()].map((step) => [100 + step % 20 * 30, 150 + Math.floor(step / 20) * 20]).find(([x, y]) => markers.inWindow.every(({ pixel }) => Math.hypot(pixel[0] - x, pixel[1] - y) > 40))"
        )
        page.click(*free)
        browser.wait("document.querySelector('.leaflet-popup-content')?.textContent === 'area'")
        browser.evaluate("void area.remove()")


@check()
def check_open_far(page):
    """`open` ends at the point, also from far away, and says whether it has."""
    chance, rows = random.Random(8), shops()
    page.open("shops")
    hide_legend(page)
    for row in chance.sample(rows, 5):
        place = [row["longitude"], row["latitude"]]
        is_open = page.browser.evaluate(f"example.markers.open({{ lngLat: {place} }})")
        # The popup is moved into the window.
        x, y = soon(lambda: page.pixel(*place), lambda pixel: 0 <= pixel[0] <= 900 and 0 <= pixel[1] <= 700)
        expect(is_open and 0 <= x <= 900 and 0 <= y <= 700, f"{page.name}: open says {is_open}, and {place} is at {x:.0f}, {y:.0f}")
        page.details(f"node.textContent.includes({json.dumps(row['name'])})")


@check("maplibre")
def check_own_ids(page):
    """Two calls of addMarkers show two tilesets, and an id that is taken is an error."""
    page.open("shops")
    hide_legend(page)
    page.browser.evaluate("""import('/maplibre.js').then(({ addMarkers }) => {
      window.other = addMarkers(example.map, '/tilesets/rows/');
      try { addMarkers(example.map, '/tilesets/rows/', { id: 'pyramid' }) } catch (error) { window.refused = error.message }
    })""")
    page.wait("markers.layer === 'pyramid' && other.layer === 'pyramid-2'")
    expect(page.browser.evaluate("refused.includes('pyramid')"), "maplibre: an id that is taken is no error")
    for name in ("pyramid", "pyramid-2"):
        page.wait(f"map.getLayer('{name}-circles') && map.queryRenderedFeatures({{ layers: ['{name}-circles'] }}).length > 3")
    page.run("void map.setStyle({ version: 8, sources: {}, layers: [] })")
    for name in ("pyramid", "pyramid-2"):
        page.wait(f"map.getLayer('{name}-circles') && map.queryRenderedFeatures({{ layers: ['{name}-circles'] }}).length > 3")
    page.run("void other.remove()")
    expect(page.run("map.getSource('pyramid') && !map.getSource('pyramid-2') && true"), "maplibre: the wrong markers are removed")
    page.run("void markers.remove()")
    page.replace(then="void 0")
    expect(page.run("markers.layer") == "pyramid", "maplibre: the id of removed markers stays taken")


@check("maplibre")
def check_before(page):
    """Markers are below the layer `beforeId`, also after setStyle; without that layer they are on top, with one warning."""
    browser = page.browser
    page.open("shops")
    background = "{{ id: '{}', type: 'background', paint: {{ 'background-color': '#ddd', 'background-opacity': 0.1 }} }}"
    styles = [
        f"{{ version: 8, sources: {{}}, layers: [{', '.join(background.format(name) for name in names)}] }}"
        for names in (("land", "labels"), ("sea", "labels", "last"), ("land",), ("sea",))
    ]
    renew(page, "fit: true, beforeId: 'labels'", new_map=f"new maplibregl.Map({{ container: 'map', style: {styles[0]} }})")
    ours = [f"pyramid-{name}" for name in ("legs", "circles", "counts")]
    for style, expected in (
        (None, ["land", *ours, "labels"]),
        (1, ["sea", *ours, "labels", "last"]),
        (2, ["land", *ours]),
        (3, ["sea", *ours]),
        (0, ["land", *ours, "labels"]),
    ):
        if style is not None:
            page.run(f"void map.setStyle({styles[style]})")
        try:
            page.wait(f"map.isStyleLoaded() && map.getStyle().layers.map(({{ id }}) => id).join() === '{','.join(expected)}'")
        except RuntimeError:
            raise SystemExit(f"pages_test: the layers are {page.run('map.getStyle().layers.map(({ id }) => id)')}, expected {expected}") from None
    page.wait("map.queryRenderedFeatures({ layers: ['pyramid-circles'] }).length > 3")
    warnings = [error for error in browser.errors if "labels" in error]
    expect(len(warnings) == 1, f"the console has {warnings}")
    browser.errors = [error for error in browser.errors if error not in warnings]


@check("maplibre")
def check_module(page):
    """`library` may be a module namespace, for pages without a global variable; without both, addMarkers says so."""
    browser = page.browser
    page.open("shops")
    renew(
        page,
        "fit: true, library",
        before="const library = await import('/tilesets/modules/maplibre.js'); delete window.maplibregl",
        new_map="new library.Map({ container: 'map', style: { version: 8, sources: {}, layers: [] } })",
    )
    page.wait("markers.view.isSettled && markers.inWindow.length > 3")
    hide_legend(page)
    page.go(6, 10, 20)
    page.click(*spot(page, "item.marker.count === 1"))
    page.details("/^shop/.test(node.querySelector('strong').textContent)")
    message = browser.evaluate(
        "import('/maplibre.js').then(({ addMarkers }) => { try { addMarkers(example.map, '/tilesets/shops/') } catch (error) { return error.message } })"
    )
    expect("library" in (message or ""), f"without the library, addMarkers says {message}")


NEW_MAP = {
    "leaflet": "L.map('map')",
    "maplibre": "new maplibregl.Map({ container: 'map', style: { version: 8, sources: {}, layers: [] } })",
    "openlayers": "new ol.Map({ target: 'map', view: new ol.View({ center: [0, 0], zoom: 1 }) })",
}


def renew(page, options, source="'/tilesets/shops/'", new_map=None, before="", then=""):
    """Another map, with other markers."""
    page.browser.evaluate(f"""(async () => {{
      const {{ addMarkers }} = await import('/{page.name}.js');
      example.markers.remove();
      example.legend?.remove();
      (example.map.remove ?? example.map.dispose).call(example.map);
      {before};
      const map = example.map = {new_map or NEW_MAP[page.name]};
      const markers = example.markers = addMarkers(map, {source}, {{ {options} }});
      {then}
    }})()""")


@check("maplibre")
def check_no_style(page):
    """A map that has no style yet shows markers as soon as it has one."""
    page.open("shops")
    renew(page, "", new_map="new maplibregl.Map({ container: 'map', center: [10, 20], zoom: 2 })")
    page.wait("markers.view.isSettled")
    x, y = page.pixel(10, 20)
    page.move_mouse(x, y)
    page.browser.click(x, y)
    time.sleep(0.3)
    page.run("void map.setStyle({ version: 8, sources: {}, layers: [] })")
    page.wait("map.getLayer('pyramid-circles') && map.queryRenderedFeatures({ layers: ['pyramid-circles'] }).length > 3")
    # Thrown away before it has a style.
    renew(page, "", new_map="new maplibregl.Map({ container: 'map', center: [10, 20], zoom: 2 })")
    page.wait("markers.view.isSettled")
    page.run("void markers.remove()")


@check("leaflet", "maplibre")
def check_double_click(page):
    """A double click on a cluster goes where a click does."""
    browser = page.browser
    page.open("shops")
    hide_legend(page)
    found = []
    for count in (1, 2):
        page.go(4, 10, 20)
        # The first click of the second round isn't the second one of the first.
        time.sleep(0.8)
        x, y = spot(page, "item.marker.isCluster")
        page.move_mouse(x, y)
        start = time.time()
        for number in range(1, count + 1):
            for kind in ("mousePressed", "mouseReleased"):
                browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=number, timestamp=start + number * 0.12)
            time.sleep(0.12)
        time.sleep(1.5)
        page.settle()
        found.append([round(value, 3) for value in page.run(f"[{page.map['zoom']}, {page.map['center']}]")])
    expect(found[0] == found[1] and found[0][0] > 4.5, f"{page.name}: zoom and longitude after a click and after a double click: {found}")


@check()
def check_hidden(page):
    """A map in a hidden container fits to all points as soon as it is shown."""
    page.open("shops")
    renew(page, "fit: true, animate: false", before="document.getElementById('map').style.display = 'none'")
    # Longer than the tileset takes.
    time.sleep(1)
    page.browser.evaluate("void (document.getElementById('map').style.display = '')")
    page.wait(f"markers.view.isSettled && markers.view.markers.length && {page.map['zoom']} !== undefined")
    time.sleep(0.5)
    state = f"[{page.map['zoom']}, {page.map['center']}].map((value) => Number(value.toFixed(3)))"
    found = page.run(state)
    renew(page, "fit: true, animate: false")
    page.wait("markers.view.isSettled && markers.view.markers.length")
    expected = soon(lambda: page.run(state), lambda expected: expected == found)
    expect(found == expected, f"{page.name}: a map that was hidden has zoom and longitude {found}, expected {expected}")
    page.shoot("hidden")


# Counts how often the width of the map's element is read.
COUNT_READS = """(() => {
  const { map } = example, node = map.getViewport?.() ?? map.getContainer(), { get } = Object.getOwnPropertyDescriptor(Element.prototype, "clientWidth");
  window.reads = 0;
  Object.defineProperty(node, "clientWidth", { configurable: true, get() { reads += 1; return get.call(this); } });
})()"""


@check()
def check_reads(page):
    """The size of a map isn't asked for again and again while it is hidden, and once for all elements on it."""
    browser = page.browser
    page.open("shops")
    renew(page, "fit: true, animate: false", before="document.getElementById('map').style.display = 'none'")
    page.wait("markers.view.tileset")
    browser.evaluate("new Promise((done) => setTimeout(done, 300))")
    browser.evaluate(COUNT_READS)
    browser.evaluate("new Promise((done) => setTimeout(done, 400))")
    expect(browser.evaluate("reads") == 0, f"{page.name}: a hidden map is asked for its size {browser.evaluate('reads')} times in 0.4 s")
    browser.evaluate("void (document.getElementById('map').style.display = '')")
    page.wait("markers.view.isSettled && markers.inWindow.length > 10")
    page.run("void markers.restyle({ element: () => Object.assign(document.createElement('b'), { textContent: 'x' }) })")
    browser.wait("document.querySelectorAll('.pyramid-element').length > 10")
    page.settle()
    browser.evaluate(COUNT_READS)
    found = browser.evaluate(
        "new Promise((done) => { example.markers.addEventListener('draw', () => done(reads), { once: true }); example.markers.restyle({}) })"
    )
    expect(found < 10, f"{page.name}: for the elements of a frame, the map's size is read {found} times")


@check("openlayers")
def check_target(page):
    """A map with two tilesets that is moved to another element has its keys there."""
    browser = page.browser
    page.open("shops")
    browser.evaluate(
        "import('/openlayers.js').then(({ addMarkers }) => { window.other = addMarkers(example.map, '/tilesets/rows/', { animate: false }) })"
    )
    page.wait("other.view.isSettled && other.inWindow.length > 3")
    browser.evaluate(
        "void (example.map.setTarget(document.body.appendChild(Object.assign(document.createElement('div'), { id: 'place', style: 'position: absolute; inset: 0 300px 0 0' }))))"
    )
    page.wait("other.inWindow.length > 3 && markers.inWindow.length > 3")
    browser.evaluate("document.getElementById('place').focus()")
    browser.press("n")
    browser.wait("/, 1 of/.test(document.querySelector('#place .pyramid-announcement')?.textContent)")
    expect(browser.evaluate("document.querySelectorAll('.pyramid-announcement').length") == 1, "the keys are announced twice")
    expect(
        browser.evaluate("document.getElementById('map').getAttribute('aria-describedby')") is None,
        "the earlier element is still described by the keys",
    )


@check()
def check_two_tilesets(page):
    """On a map with two tilesets, N and P go through the markers of both, and a click is one marker's."""
    browser = page.browser
    page.open("shops")
    hide_legend(page)
    page.go(6, 48, 13)
    browser.evaluate(
        f"import('/{page.name}.js').then(({{ addMarkers }}) => {{ window.other = addMarkers(example.map, '/tilesets/rows/', {{ animate: false }}) }})"
    )
    page.wait("other.view.isSettled && other.inWindow.length > 3")
    page.settle()
    browser.evaluate(
        "void (window.clicked = [], [example.markers, other].forEach((markers, index) => markers.addEventListener('click', () => clicked.push(index))))"
    )
    for index, name in enumerate(("shop", "place")):
        page.move_mouse(5, 5)
        x, y = spot(page, f"item.marker.count === 1 && item.marker.feature.properties.name.startsWith('{name}')", "markers, other", 25)
        page.click(x, y)
        page.details(f"node.textContent.includes('{name} ')")
        page.settle()
        expect(browser.evaluate(f"{DETAILS}.length") == 1, f"{page.name}: a click opens {browser.evaluate(DETAILS + '.length')} popups")
        browser.press("Escape")
        browser.wait(f"!{DETAILS}.length")
    expect(browser.evaluate("clicked") == [0, 1], f"{page.name}: the clicks are of the tilesets {browser.evaluate('clicked')}")
    browser.evaluate(f"{page.map['focus'].replace('map.', 'example.map.')}.focus()")
    count = page.run("[markers, other].reduce((sum, { inWindow }) => sum + inWindow.length, 0)")
    said = []
    for _ in range(count):
        browser.press("n")
        said.append(browser.evaluate("[...document.querySelectorAll('.pyramid-announcement')].map((node) => node.textContent).join('')"))
        expect(page.run("[markers, other].filter(({ focused }) => focused !== null).length") == 1, f"{page.name}: more than one marker is chosen")
    expect([text.split(", ")[-1] for text in said] == [f"{number} of {count}" for number in range(1, count + 1)], f"{page.name}: the keys say {said}")
    expect(len({text.split()[0] for text in said} & {"shop", "place", "Cluster"}) >= 2, f"{page.name}: the keys say {said}")
    page.shoot("two")
    expect(browser.evaluate("document.querySelectorAll('[id^=pyramid-keys]').length") == 1, f"{page.name}: the keys are described twice")
    # Both have the same markers: the upper one has the click.
    browser.evaluate(
        f"import('/{page.name}.js').then(({{ addMarkers }}) => {{ other.remove(); window.other = addMarkers(example.map, '/tilesets/shops/', {{ animate: false }}); clicked.length = 0; other.addEventListener('click', () => clicked.push(1)) }})"
    )
    page.wait("other.view.isSettled && other.inWindow.length > 3")
    page.settle()
    page.click(*spot(page, "item.marker.count === 1"))
    page.details("true")
    expect(browser.evaluate("clicked") == [1], f"{page.name}: the clicks are of the tilesets {browser.evaluate('clicked')}")
    page.run("void other.remove()")
    expect(
        browser.evaluate("document.querySelectorAll('[id^=pyramid-keys]').length") == 1, f"{page.name}: without the second tileset there are no keys"
    )
    page.run("void markers.remove()")
    expect(
        browser.evaluate("document.querySelectorAll('[id^=pyramid-keys], .pyramid-announcement').length") == 0,
        f"{page.name}: the texts of the keys stay",
    )


@check()
def check_right_to_left(page):
    """In a page from right to left, the slider's bars, numbers, handles and line have the same direction."""
    browser = page.browser
    for direction in ("ltr", "rtl"):
        page.open("shops")
        browser.evaluate(f"void (document.documentElement.dir = '{direction}')")
        browser.evaluate("example.markers.filter({ price: { from: 10 } })")
        page.settle()
        middles, edges, fill, slider, inside = browser.evaluate("""(() => {
          const boxes = (selector) => [...document.querySelectorAll(selector)].map((node) => node.getBoundingClientRect()), middle = ({ left, right }) => (left + right) / 2;
          const texts = [...document.querySelectorAll("#legend .edges span")].map((node) => { const range = new Range(); range.selectNodeContents(node); return range.getBoundingClientRect() });
          const { left, right } = document.getElementById("legend").getBoundingClientRect();
          return [boxes("#legend .bars i").map(middle), texts.map(middle), boxes("#legend .slider i").map(({ left, right }) => [left, right])[0],
            boxes("#legend .slider").map(({ left, right }) => [left, right])[0], boxes("#legend .head *, #legend legend, #legend .all").every((box) => !box.width || (box.left >= left - 1 && box.right <= right + 1))];
        })()""")
        for index, edge in enumerate(edges):
            expected = (middles[index] + middles[index + 1]) / 2
            expect(abs(edge - expected) < 2, f"{page.name}: the number {index} is at {edge:.0f}, between its bars is {expected:.0f}, {direction}")
        # Texts from left to right stay so.
        for selector, first, second in ((".total", "999", "of"), (".range", "10", "or")):
            places = browser.evaluate(f"""(() => {{
              const walker = document.createTreeWalker(document.querySelector("#legend {selector}"), NodeFilter.SHOW_TEXT), places = [];
              for (let node; (node = walker.nextNode());) for (const text of ["{first}", "{second}"]) {{
                const at = node.data.indexOf(text), range = new Range();
                if (at < 0) continue;
                range.setStart(node, at);
                range.setEnd(node, at + text.length);
                places.push(range.getBoundingClientRect().left);
              }}
              return places;
            }})()""")
            expect(len(places) >= 2 and places[0] < places[1], f"{page.name}: {first} {second} has the places {places}, {direction}")
        # Of four ranges the last two are chosen.
        (left, right), half = slider, (slider[0] + slider[1]) / 2
        expected = (half, right - 8) if direction == "ltr" else (left + 8, half)
        expect(
            all(abs(a - b) < 2 for a, b in zip(fill, expected)),
            f"{page.name}: the line is from {fill[0]:.0f} to {fill[1]:.0f}, expected {expected}, {direction}",
        )
        expect(inside, f"{page.name}: something reaches out of the legend, {direction}")
        page.shoot(f"legend-{direction}")


@check("leaflet")
def check_legend_scheme(page):
    """The legend has the scheme of the map, whatever the system's is; on a phone, all of its first row opens it."""
    browser = page.browser
    # As light as its text is dark.
    scheme = "(getComputedStyle(document.getElementById('legend')).backgroundColor.match(/\\d+/g).map(Number)[0] > 128 ? 'light' : 'dark')"
    for system in ("light", "dark"):
        browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": system}])
        page.open("shops")
        expect(browser.evaluate(scheme) == "light", f"the legend of a light map is {browser.evaluate(scheme)} on a {system} system")
        page.run("void markers.restyle({ colorScheme: 'dark' })")
        browser.wait(f"{scheme} === 'dark'")
        page.shoot(f"scheme-{system}")
    with Browser(390, 844, 2, touch=True) as phone:
        page = Page(phone, page.name, page.server)
        page.open("shops")
        left, right, top, bottom = phone.evaluate(
            "(({ left, right, top, bottom }) => [left, right, top, bottom])(document.querySelector('#legend .head').getBoundingClientRect())"
        )
        for part, is_open in ((0.95, True), (0.5, False), (0.05, True)):
            phone.click(left + part * (right - left), (top + bottom) / 2)
            expect(
                phone.evaluate("document.querySelector('#legend fieldset').getClientRects().length > 0") == is_open,
                f"a tap on the legend's first row at {part} of its width doesn't open or close it",
            )
        page.run("void markers.filter({ kind: ['bar'] })")
        page.settle()
        phone.evaluate(
            "[...document.querySelectorAll('#legend button')].find((button) => button.textContent === 'Show all').getBoundingClientRect().x"
        )
        x, y = phone.evaluate(
            "(({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2])([...document.querySelectorAll('#legend button')].find((button) => button.textContent === 'Show all').getBoundingClientRect())"
        )
        phone.click(x, y)
        phone.wait("example.markers.currentFilter === null")
        page.shoot("legend-row")
        expect_quiet("phone", phone)


@check("leaflet")
def check_page_rules(page):
    """A page's rules for all buttons, lists and fields don't change the places and sizes of the legend's; rules for the legend do."""
    page.open("shops")
    boxes = """[...document.querySelectorAll("#legend *")].map((node) => {
      const { x, y, width, height } = node.getBoundingClientRect();
      return [node.tagName, node.className, ...[x, y, width, height].map(Math.round)];
    })"""
    before = page.browser.evaluate(boxes)
    page.browser.evaluate("""void document.head.append(Object.assign(document.createElement("style"), { textContent: `
      ul li button, button, input, label, legend, li, select, p, ul, fieldset { float: right; display: block; margin: 9px; padding: 12px; border: 2px solid; width: 100%; max-width: 60px;
        font-size: 24px; line-height: 2; letter-spacing: 3px; text-transform: uppercase }` }))""")
    after = page.browser.evaluate(boxes)
    changed = [(one, other) for one, other in zip(before, after) if one != other]
    expect(len(before) > 40 and not changed, f"{page.name}: {len(changed)} of {len(before)} elements are elsewhere, first {changed[:4]}")
    found = page.browser.evaluate("""(() => {
      document.head.append(Object.assign(document.createElement("style"), { textContent: ".pyramid-legend { background: #123456 } .pyramid-legend li { margin: 4px } .pyramid-legend .only { color: #654321 }" }));
      const styleOf = (node) => getComputedStyle(document.querySelector(node));
      return [styleOf("#legend").backgroundColor, styleOf("#legend li").marginTop, styleOf("#legend .only").color];
    })()""")
    expect(found == ["rgb(18, 52, 86)", "4px", "rgb(101, 67, 33)"], f"{page.name}: the page's rules for the legend give {found}")


@check("leaflet")
def check_many_values(page):
    """Of a tileset that counts by a column with hundreds of values and by one with a few, the second gives the colours."""
    page.open("codes")
    browser = page.browser
    browser.wait("document.querySelector('#legend select').value !== ''")
    expect(browser.evaluate("document.querySelector('#legend select').value") == "kind", "the column of hundreds of values gives the colours")
    page.open("codes-only")
    time.sleep(0.3)
    expect(browser.evaluate("document.querySelector('#legend select').value") == "", "a column of hundreds of values gives the colours")
    expect(page.run("markers.shown.every(({ marker }) => !markers.appearance.look(marker).slices)"), "the world is grey")


@check()
def check_clicks(page):
    """A click tells of the marker's place and the browser's event; with `popup: false` it opens nothing, and `open` only sends the details."""
    browser = page.browser
    page.open("shops")
    renew(
        page,
        "popup: false, fit: true",
        then="""window.clicks = [], window.told = [];
      markers.addEventListener('details', ({ detail: { title } }) => told.push(title));
      markers.addEventListener('click', ({ detail: { marker, lngLat, originalEvent } }) => clicks.push([lngLat, marker.feature.geometry.coordinates, originalEvent.type]));""",
    )
    page.wait("markers.view.isSettled && markers.view.markers.length")
    page.go(6, 10, 20)
    page.click(*spot(page, "item.marker.count === 1"))
    # OpenLayers has a click of its own, which begins with the pointer's event.
    ((found, expected, kind),) = browser.wait("clicks.length && clicks")
    expect(
        max(abs(one - other) for one, other in zip(found, expected)) < 1e-6 and kind in ("click", "pointerdown"),
        f"{page.name}: the click is at {found}, the marker at {expected}, {kind}",
    )
    browser.wait("performance.getEntriesByType('resource').some(({ name }) => name.includes('marker-opener'))")
    page.settle()
    row = shops()[0]
    expect(browser.evaluate(f"example.markers.open({{ lngLat: {[row['longitude'], row['latitude']]} }})"), f"{page.name}: open finds nothing")
    expect(
        browser.evaluate("told") == [row["name"]], f"{page.name}: the details of {browser.evaluate('told')} are told, expected those of {row['name']}"
    )
    expect(browser.evaluate(f"{DETAILS}.length") == 0, f"{page.name}: popup: false doesn't turn popups off")


OTHER_PROJECTIONS = {
    "leaflet": ["L.map('map', { crs: L.CRS.EPSG4326, center: [48, 5], zoom: 5 })", "L.map('map', { crs: L.CRS.Simple, center: [0, 0], zoom: 1 })"],
    "openlayers": ["new ol.Map({ target: 'map', view: new ol.View({ projection: 'EPSG:4326', center: [5, 48], zoom: 5 }) })"],
}


@check()
def check_refused(page):
    """Maps in another projection, and pages without the map library, get an error that says so."""
    page.open("shops")
    failure = "await import('/{name}.js').then(({{ addMarkers }}) => {{ try {{ addMarkers({map}, '/tilesets/shops/', {{ {options} }}) }} catch (error) {{ return error.message }} }})"
    page.browser.evaluate("void (example.markers.remove(), (example.map.remove ?? example.map.dispose).call(example.map))")
    for map in OTHER_PROJECTIONS.get(page.name, []):
        message = page.browser.evaluate(
            f"(async () => {{ const map = {map}, told = {failure.format(name=page.name, map='map', options='')}; (map.remove ?? map.dispose).call(map); return told }})()"
        )
        expect("EPSG:3857" in (message or ""), f"{page.name}: {map} is told {message}")
    name = {"leaflet": "L", "maplibre": "maplibregl", "openlayers": "ol"}[page.name]
    for options in ("", "library: {}"):
        message = page.browser.evaluate(
            f"(async () => {{ const map = {NEW_MAP[page.name]}; delete globalThis.{name}; globalThis.{name} = undefined; return {failure.format(name=page.name, map='map', options=options)} }})()"
            if not options
            else f"(async () => {failure.format(name=page.name, map='{}', options=options)})()"
        )
        expect(f"global {name}" in (message or "") and "option library" in message, f"{page.name}: without the library, the page is told {message}")


@check()
def check_first_zoom(page):
    """A map that is fitted to points around the world doesn't zoom out beyond the tileset's first zoom."""
    page.open("shops")
    renew(page, "fit: true", source="'/tilesets/high/'")
    page.wait("markers.view.isSettled && markers.view.zoom === 4 && markers.inWindow.length > 0")


@check("leaflet")
def check_gone(page):
    """A map that is removed before it has a view reads no tiles, and opens no tileset."""
    page.open("shops")
    page.server.requests.clear()
    renew(
        page,
        "fit: true",
        source="'/tilesets/rows/'",
        then="window.opened = 0; markers.addEventListener('open', () => { opened += 1 }); map.remove();",
    )
    time.sleep(0.7)
    asked = [path for path in page.server.requests if "/tilesets/rows/" in path]
    expect(page.browser.evaluate("opened") == 0 and not any("/tiles/" in path for path in asked), f"a map that is gone has read {asked}")


@check()
def check_filtered_popup(page):
    """A popup closes when a filter hides its point, and stays under one that shows it."""
    page.open("shops")
    hide_legend(page)
    page.go(6, 10, 20)
    page.click(*spot(page, "item.marker.count === 1 && !item.marker.isCluster"))
    page.details("true")
    kind = page.run(
        "markers.view.markers.find(({ feature }) => feature.properties.name === document.querySelector('.pyramid-details strong').textContent).feature.properties.kind"
    )
    other = "bar" if kind != "bar" else "café"
    for kinds, isOpen in (([kind], True), ([kind, other], True), ([other], False)):
        page.run(f"void markers.filter({{ kind: {json.dumps(kinds)} }})")
        page.settle()
        time.sleep(0.4)
        # Leaflet's popup fades.
        is_shown = "(document.querySelector('.pyramid-details')?.getClientRects().length ?? 0) > 0"
        found = soon(lambda: page.browser.evaluate(is_shown), lambda found: found == isOpen)
        expect(found == isOpen, f"{page.name}: under a filter by {kinds}, the popup of a {kind} is {'open' if found else 'closed'}")


@check()
def check_fit_to_filter(page):
    """`fit` shows what a filter leaves, and the points of a marker, not more than these."""
    page.open("shops")
    hide_legend(page)
    for area in ("area 26", "area 27"):
        expected = [row for row in shops() if row["area"] == area]
        page.run(f"void markers.filter({{ area: ['{area}'] }})")
        page.browser.evaluate("example.markers.fit({ animate: false })")
        page.settle()
        west, east = min(row["longitude"] for row in expected), max(row["longitude"] for row in expected)
        south, north = min(row["latitude"] for row in expected), max(row["latitude"] for row in expected)
        (left, bottom), (right, top) = page.pixel(west, south), page.pixel(east, north)
        expect(left >= 38 and top >= 38 and right <= 862 and bottom <= 662, f"{page.name}: {area} is from {left}, {top} to {right}, {bottom}")
        expect(max((right - left) / 820, (bottom - top) / 620) > 0.49, f"{page.name}: {area} is small: {right - left} x {bottom - top}")
    page.run("void markers.filter(null)")
    page.go(3, 10, 20)
    west, south, east, north = page.browser.evaluate("""(async () => {
      const { markers } = example, { marker } = markers.inWindow.find(({ shown: { marker } }) => marker.isCluster && marker.count > 5).shown;
      await markers.fit(marker, { animate: false });
      return marker.feature.bbox;
    })()""")
    page.settle()
    (left, bottom), (right, top) = page.pixel(west, south), page.pixel(east, north)
    expect(left >= 38 and top >= 38 and right <= 862 and bottom <= 662, f"{page.name}: a cluster is from {left}, {top} to {right}, {bottom}")
    expect(max((right - left) / 820, (bottom - top) / 620) > 0.49, f"{page.name}: a cluster is small: {right - left} x {bottom - top}")


@check()
def check_map_clicks(page):
    """`at` tells of a click of the map whether it is one on a marker, whoever has registered first."""
    page.open("shops")
    hide_legend(page)
    click = {"leaflet": "click", "maplibre": "click", "openlayers": "singleclick"}[page.name]
    page.go(6, 10, 20)
    listen = (
        f"(name) => {{ const told = (window[name] = []); example.map.on('{click}', (event) => told.push(example.markers.at(event)?.key ?? null)) }}"
    )
    page.browser.evaluate(
        f"""(async () => {{
          const {{ addMarkers }} = await import('/{page.name}.js'), listen = {listen};
          example.markers.remove();
          listen('first');
          example.markers = addMarkers(example.map, '/tilesets/shops/', {{ popup: false }});
          listen('told');
        }})()"""
    )
    page.wait("markers.view.isSettled && markers.inWindow.length > 3")
    page.settle()
    x, y = spot(page, "item.marker.count === 1")
    page.click(x, y)
    key = page.browser.wait("told.at(-1) && first.at(-1) === told.at(-1) && told.at(-1)")
    expect(key.startswith("point"), f"{page.name}: at the marker is {key}")
    free = next(
        (x, y) for x in range(150, 800, 13) for y in range(150, 600, 13) if all(math.hypot(x - a, y - b) > 40 for a, b in page.in_window().values())
    )
    page.click(*free)
    page.browser.wait("told.length === 2 && first.length === 2")
    expect(page.browser.evaluate("[told.at(-1), first.at(-1)]") == [None, None], f"{page.name}: beside the markers is one")


@check("leaflet")
def check_pixels(page):
    """On a screen with other pixels, circles are painted anew without a motion of the map."""
    page.open("shops")
    # Chromium tells pages of no other screen when its own is emulated.
    renew(
        page,
        "fit: true",
        before="""window.heard = [];
      const own = matchMedia;
      window.matchMedia = (query) => Object.assign(own(query), query.includes('resolution') && { addEventListener: (_, listener) => heard.push(listener) })""",
    )
    page.wait("markers.view.isSettled")
    page.settle()
    canvas = "document.querySelector('.leaflet-pyramid-pane canvas')"
    for scale in (2, 1):
        page.browser.evaluate(f"void (Object.defineProperty(window, 'devicePixelRatio', {{ configurable: true, value: {scale} }}), heard.at(-1)())")
        page.browser.wait(f"{canvas}.width === Math.round({scale} * parseFloat({canvas}.style.width))")


@check("leaflet")
def check_sprites(page):
    """Markers that are drawn directly, because a frame makes only some sprites, look like those that have one."""
    page.open("shops")
    page.go(5, 47, 8)
    page.settle()
    # The ink of each colour in squares of 50 pixels: at parts of a pixel, a sprite is less sharp.
    ink = """new Promise((done) => {
      markers.restyle({});
      setTimeout(() => {
        const canvas = document.querySelector('.leaflet-pyramid-pane canvas'), { width, height } = canvas, sums = {};
        const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
        copy.drawImage(canvas, 0, 0);
        const { data } = copy.getImageData(0, 0, width, height);
        for (let index = 0; index < data.length; index++) {
          const [x, y] = [(index >> 2) % width, Math.floor((index >> 2) / width)], key = [x / 50, y / 50].map(Math.floor) + ' ' + (index & 3);
          sums[key] = (sums[key] ?? 0) + data[index] * ((index & 3) < 3 ? data[index | 3] / 255 : 1);
        }
        done(sums);
      }, 300);
    })"""
    # All but the first ten are drawn directly then.
    page.run("void (markers.appearance.known = () => null)")
    direct = page.run(ink)
    page.run("void delete markers.appearance.known")
    for _ in range(1 + page.run("markers.shown.length") // 10):
        page.run("new Promise((done) => { markers.restyle({}); requestAnimationFrame(() => requestAnimationFrame(done)) })")
    page.wait("markers.shown.every(({ marker }) => markers.appearance.known(markers.appearance.look(marker), devicePixelRatio))")
    sprites = page.run(ink)
    inked = {square: (amount, sprites[square]) for square, amount in direct.items() if max(amount, sprites[square]) > 3000}
    wrong = {square: pair for square, pair in inked.items() if abs(pair[0] - pair[1]) > 0.1 * max(pair) + 500}
    expect(len(inked) > 50 and not wrong, f"{page.name}: of {len(inked)} squares, other ones without sprites: {wrong}")


@check("leaflet", scale=1)
def check_forced_colors(page):
    """With forced colours, the legend's dots have those of the data, and its bars, its slider and its handles can be seen."""
    page.browser.call("Emulation.setEmulatedMedia", features=[{"name": "forced-colors", "value": "active"}])
    page.open("shops")
    page.run("void markers.filter({ price: { from: 10 } })")
    page.settle()
    time.sleep(0.6)
    places = page.browser.evaluate("""(() => {
      const element = document.getElementById("legend"), slider = element.querySelector(".slider").getBoundingClientRect(), middle = slider.y + slider.height / 2;
      const centers = [".dot", ".bars i:nth-child(1)", ".bars i:nth-child(4)", ".slider i"].map((selector) => element.querySelector(selector).getBoundingClientRect()).map((box) => [box.x + box.width / 2, box.y + box.height / 2]);
      // The handle at 10 of five ranges' edges, and the track to its left.
      return [...centers, [slider.x + 8 + (slider.width - 16) / 2, middle], [slider.x + slider.width / 4, middle]];
    })()""")
    pixels = picture(page.browser)
    background = pixels[int(places[0][1])][int(places[0][0]) - 12]
    page.shoot("forced-colors")
    for name, (x, y) in zip(("a dot", "a bar that is off", "a bar", "the slider's range", "a handle", "the track"), places):
        color = pixels[round(y)][round(x)]
        expect(
            max(abs(one - other) for one, other in zip(color, background)) > 60,
            f"with forced colours, {name} at {x:.0f}, {y:.0f} is {color} on {background}",
        )


@check("leaflet")
def check_two_legends(page):
    """Two legends keep their filters in the URL beside each other: by their columns, or by words of their own."""
    browser = page.browser
    page.open("shops")
    browser.evaluate("""(async () => {
      const { map } = example, { addMarkers } = await import('/leaflet.js'), { addLegend } = await import('/legend.js');
      example.legend?.remove();
      example.markers.remove();
      const shown = (hash) => { const markers = addMarkers(map, '/tilesets/shops/'); addLegend(markers, document.body.appendChild(document.createElement('aside')), { hash }); return markers; };
      window.both = [shown(true), shown('more')];
    })()""")
    browser.wait("both.every(({ facets }) => facets.length)")
    browser.evaluate("void (both[0].filter({ kind: ['bar'] }), both[1].filter({ kind: ['café'] }))")
    browser.wait("location.hash.includes('filter.kind=bar') && location.hash.includes('more.kind=caf%C3%A9')")
    browser.evaluate("void both[1].filter(null)")
    browser.wait("location.hash.includes('filter.kind=bar') && !location.hash.includes('more.')")
    browser.evaluate("void (location.hash = '#filter.kind=caf%C3%A9&more.kind=bar')")
    browser.wait("both[0].currentFilter?.kind?.join() === 'café' && both[1].currentFilter?.kind?.join() === 'bar'")


@check()
def check_removed(page):
    """After the map is removed, calls do nothing, and none fails."""
    page.open("shops")
    # In one go: what is in the window isn't known any more.
    go, destroy = (page.map[action].format(zoom=3, latitude=10, longitude=20) for action in ("go", "destroy"))
    page.run(f"void (() => {{ {go}; {destroy} }})()")
    failed = page.browser.evaluate("""(async () => {
      const { markers } = example, shown = markers.shown[0], failed = [];
      const calls = {
        inWindow: () => markers.inWindow, at: () => markers.at([10, 20]), counts: () => markers.counts("kind"), matching: () => markers.matching,
        facets: () => markers.facets, filter: () => markers.filter({ kind: ["bar"] }), isMoving: () => markers.isMoving, restyle: () => markers.restyle({ ringColor: "#000" }),
        select: () => markers.select({ lngLat: [10, 20] }), find: () => markers.find({ lngLat: [10, 20] }), list: () => markers.pointsInView(), click: () => markers.click(shown), close: () => markers.click(null), fit: () => markers.fit({ animate: false }),
        refresh: () => markers.refresh(), open: () => markers.open({ lngLat: [10, 20] }), retry: () => markers.view.retry(), remove: () => markers.remove(), again: () => markers.remove(),
      };
      // A map that is gone doesn't arrive.
      for (const [name, call] of Object.entries(calls)) {
        try { await Promise.race([call(), new Promise((done) => setTimeout(done, 200))]); } catch (error) { failed.push(`${name}: ${error.message}`); }
      }
      if (markers.inWindow.length || [...markers.counts("kind").values()].some(({ inView }) => inView)) failed.push("there are markers in the window");
      return failed;
    })()""")
    expect(not failed, f"{page.name}: {failed}")


@check("leaflet")
def check_limits(page):
    """Copies of the world outside `limits` aren't drawn, and have no markers in the window. Until Leaflet knows another size of the map, it counts."""
    page.open("shops")
    renew(page, "limits: () => [0, 1]", then="map.setView([20, 150], 2, { animate: false })")
    page.wait("markers.view.isSettled && markers.view.zoom === 2 && !markers.isMoving")
    apart = "markers.inWindow.map(({ shown: { x, y }, pixel }) => { const place = map.latLngToContainerPoint([Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180 / Math.PI, (x - 0.5) * 360]); return Math.hypot(pixel[0] - place.x, pixel[1] - place.y) })"
    found = page.run(apart)
    expect(
        len(found) > 5 and max(found) < 2,
        f"markers in the window are {max(found):.0f} pixels away from where they are in the first copy of the world",
    )
    page.browser.evaluate("void (document.getElementById('map').style.width = '450px')")
    found = page.run(apart)
    expect(len(found) > 2 and max(found) < 2, f"in a map that has become smaller, markers are {max(found):.0f} pixels away from their places")


@check("openlayers")
def check_redrawn(page):
    """The event `visible` isn't sent for a map that is only drawn again."""
    page.open("shops")
    page.settle()
    page.run("void (window.told = 0, markers.addEventListener('visible', () => { told += 1 }))")
    for _ in range(5):
        # Longer than the pause between two such events.
        page.browser.evaluate("new Promise((done) => { example.map.once('postrender', () => setTimeout(done, 150)); example.map.render() })")
    expect(page.browser.evaluate("told") == 0, f"{page.browser.evaluate('told')} events of 5 drawings of the same view")
    page.run("void map.getView().setRotation(0.1)")
    page.browser.wait("told > 0")


@check("maplibre")
def check_globe(page):
    """A map that becomes a globe shows other markers, and tells so."""
    page.open("shops")
    page.go(1, 20, 10)
    page.run("void (window.told = [], markers.addEventListener('visible', ({ detail }) => told.push(detail.markers.length)))")
    before = page.run("markers.inWindow.length")
    page.run("void map.setProjection({ type: 'globe' })")
    page.browser.wait(f"told.at(-1) > 0 && told.at(-1) < {before}")


@check()
def check_others(page):
    """What another tileset is opening ends when a marker is opened by keyboard; an HTML element has the clicks on it, also below another tileset."""
    browser, server = page.browser, page.server
    page.open("shops")
    hide_legend(page)
    renew(
        page,
        "animate: false, fit: true, element: ({ isCluster }) => (isCluster ? null : Object.assign(document.createElement('b'), { textContent: 'shop' }))",
        then="window.other = addMarkers(map, '/tilesets/rows/', { animate: false })",
    )
    page.wait("markers.view.isSettled && markers.view.markers.length && other.view.isSettled")
    page.go(6, 48, 13)
    page.wait("other.view.isSettled")
    browser.evaluate(f"{page.map['focus'].replace('map.', 'example.map.')}.focus()")
    for _ in range(200):
        browser.press("n")
        if page.run("markers.inWindow.some(({ shown }) => shown.key === markers.focused && !shown.marker.isCluster)"):
            break
    # What is asked for here is answered when nobody needs it any more. A request gives up after two minutes, and the keys can take as long.
    answered = threading.Event()
    server.fault = lambda path: answered if "/rows/tiles/10/" in path else None
    asked = len(server.requests)
    browser.evaluate("""(() => {
      const { marker } = other.inWindow.find(({ shown: { marker } }) => !marker.isCluster).shown;
      window.opened = undefined;
      other.open({ lngLat: marker.feature.geometry.coordinates }).then((isOpen) => { opened = isOpen }, (error) => { opened = error.message });
    })()""")
    for _ in range(1000):
        if any("/rows/tiles/10/" in path for path in server.requests[asked:]):
            break
        time.sleep(0.03)
    browser.press("Enter")
    page.details("/^shop/.test(node.querySelector('strong').textContent)")
    browser.wait("opened !== undefined")
    server.fault = lambda path: None
    answered.set()
    expect(browser.evaluate("opened") is False, f"{page.name}: what another tileset opens isn't stopped")
    expect(
        browser.evaluate(f"{DETAILS}.length === 1 && /^shop/.test({DETAILS}[0].querySelector('strong').textContent)"),
        f"{page.name}: another tileset has the popup",
    )
    browser.press("Escape")
    browser.wait(f"!{DETAILS}.length")
    browser.evaluate(f"""import('/{page.name}.js').then(({{ addMarkers }}) => {{
      other.remove();
      window.other = addMarkers(example.map, '/tilesets/shops/', {{ animate: false }});
      window.clicked = [];
      [example.markers, other].forEach((markers, index) => markers.addEventListener('click', () => clicked.push(index)));
    }})""")
    page.wait("other.view.isSettled && other.inWindow.length > 3")
    page.settle()
    page.click(*spot(page, "item.marker.count === 1"))
    browser.wait("clicked.length")
    expect(browser.evaluate("clicked") == [0], f"{page.name}: a click on an element is of the tilesets {browser.evaluate('clicked')}")


@check("leaflet")
def check_offline(page):
    """With the README's service worker, a map shows again what it has seen while the host fails."""
    [(_, code)] = code_blocks(os.path.join(HERE, "../../Sources/PyramidWeb/README.md"), "javascript")
    expect("https://tiles.example.org/shops/" in code, "the README's worker has no address")
    worker, content = code.replace("https://tiles.example.org/", f"{page.server.url}tilesets/"), page.server.content
    page.server.content = lambda path: (worker.encode(), "text/javascript") if path == "/worker.js" else content(path)
    page.open("shops")
    page.browser.evaluate("navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready).then(() => true)")
    # A page has the worker from its next load on.
    page.open("shops")
    page.go(6, 10, 20)
    seen = page.run("markers.view.markers.map(({ key }) => key).sort()")
    page.server.fault = lambda path: 503 if "/tilesets/" in path else None
    renew(page, "animate: false, retryMilliseconds: 1", new_map="L.map('map').setView([10, 20], 6)")
    page.wait("markers.view.isSettled && markers.view.markers.length")
    found = page.run("markers.view.markers.map(({ key }) => key).sort()")
    expect(found == seen and len(found) > 10, f"offline there are {len(found)} markers of {len(seen)}")


@check()
def check_opener(page):
    """What opens markers isn't loaded before the pointer is on the map; if it can't be, that is an error, and the next click tries again."""
    browser, server = page.browser, page.server
    page.open("shops")
    hide_legend(page)
    page.run(
        "void (window.told = [], markers.addEventListener('error', (event) => { event.preventDefault(); told.push(event.detail.error.message) }))"
    )
    page.go(6, 10, 20)
    x, y = spot(page, "item.marker.count === 1")
    expect(not [url for url in browser.asked if "marker-opener" in url], f"{page.name}: what opens markers is loaded at once")
    others = [url for url in browser.asked if url.endswith(("/mvt.js", "/pmtiles.js"))]
    expect(not others, f"{page.name}: a directory of GeoJSON loads the modules of other formats")
    server.fault = lambda path: 503 if "marker-opener" in path else None
    page.click(x, y)
    (message,) = browser.wait("told.length && told")
    expect("a part of the library" in message, f"{page.name}: the page is told {message}")
    server.fault = lambda path: None
    page.click(x, y)
    page.details("true")
    expect(browser.evaluate("told.length") == 1, f"{page.name}: the page is told {browser.evaluate('told')}")


GERMAN = """{
  locale: "de", map: "Karte der Gruppen und Punkte", keys: "Pfeiltasten bewegen die Karte. Mit N und P geht es von Markierung zu Markierung, mit der Eingabetaste wird eine geöffnet.",
  points: (number, count) => `${number} Punkt${count === 1 ? "" : "e"}`, about: (number) => `etwa ${number}`, cluster: (points) => `Gruppe, ${points}`,
  atOnePlace: (points) => `${points} an einem Ort`, part: (some, all) => `${some} von ${all}`, point: "Punkt", more: "Mehr", close: "Schließen",
  legend: "Legende", showAll: "Alle zeigen", colorsBy: "Farben nach", numberOfPoints: "Zahl der Punkte", sizes: "Je größer ein Kreis, desto mehr Punkte",
  counts: "Punkte im Bild / insgesamt", inView: (number) => `${number} im Bild`, inAll: (number) => `${number} insgesamt`,
  noValue: "ohne Wert", other: "andere", some: "einige", none: "keine", all: "alle", allOf: (title) => `Alle von ${title}`, only: "nur", onlyValue: (value) => `Nur ${value}`,
  find: "Suchen …", findIn: (title) => `Suchen in ${title}`, fewer: "Weniger", moreValues: (number) => `${number} weitere`, yes: "ja", no: "nein", empty: "leer",
  lowerLimit: (title) => `${title}, von`, upperLimit: (title) => `${title}, bis`, unlimited: "unbegrenzt",
  lessThan: (to) => `unter ${to}`, orMore: (from) => `ab ${from}`, between: (from, to) => `${from} bis unter ${to}`,
  play: (title) => `${title} abspielen`,
}"""
# All words on the page and for screen readers that are not of the map library's own controls.
WORDS = """[document.getElementById("map"), document.getElementById("legend")].flatMap((root) => [root, ...root.querySelectorAll("*")])
  .filter((node) => !node.closest(".leaflet-control-container, .maplibregl-control-container, .ol-control"))
  .flatMap((node) => [...[...node.childNodes].filter((child) => child instanceof Text).map(({ data }) => data),
    ...["aria-label", "aria-valuetext", "placeholder", "title", "alt"].map((name) => node.getAttribute(name) ?? "")])
  .flatMap((text) => text.toLowerCase().match(/\\p{L}{2,}/gu) ?? [])"""


@check()
def check_languages(page):
    """A page with texts of its own has no English word, nor do screen readers get one."""
    browser = page.browser
    page.open("crowd")
    german = {
        "maplibre": "new maplibregl.Map({ container: 'map', style: { version: 8, sources: {}, layers: [] }, locale: { 'Map.Title': 'Karte' } })"
    }
    renew(
        page,
        f"fit: true, animate: false, retryMilliseconds: Infinity, texts: {GERMAN}",
        source="'/tilesets/crowd/'",
        new_map=german.get(page.name),
        then="const { addLegend } = await import('/legend.js'); example.legend = addLegend(markers, document.getElementById('legend'), { isOpen: true })",
    )
    page.wait("markers.view.isSettled && markers.inWindow.length > 3")
    own, english = browser.evaluate(f"""(async () => {{
      const {{ textsOf }} = await import('/markers/texts.js'), {{ english }} = await import('/legend/legend-texts.js'), own = {GERMAN};
      const all = {{ ...textsOf(), ...english }}, names = Object.keys(all).filter((name) => !/Text$/.test(name));
      const words = (texts) => names.map((name) => (name === "locale" ? "" : typeof texts[name] === "function" ? texts[name]("", "") : texts[name])).join(" ").toLowerCase().match(/\\p{{L}}{{2,}}/gu);
      if (names.join() !== Object.keys(own).filter((name) => names.includes(name)).join() || names.length !== Object.keys(own).length) throw new Error(`the texts are ${{names}}`);
      return [words(own), words(all)];
    }})()""")
    browser.evaluate("document.getElementById('legend').ariaLabel = 'Legende'")
    english, seen = set(english) - set(own), set()

    def look(what):
        found = set(browser.evaluate(WORDS))
        seen.update(found)
        expect(not found & english, f"{page.name}: {what} has the English words {found & english}")

    def show(filter, words):
        page.run(f"void markers.filter({filter})")
        browser.wait(f"/{words}/.test(document.getElementById('legend').textContent)")
        look(f"the legend with the filter {filter}")

    browser.wait("/2[.]130 Punkte/.test(document.querySelector('#legend .total').textContent)")
    look("the page")
    for text, words in (("18 weitere", "Weniger"), ("Weniger", "18 weitere")):
        browser.evaluate(f"[...document.querySelectorAll('#legend .more')].find(({{ textContent }}) => textContent === '{text}').click()")
        browser.wait(f"[...document.querySelectorAll('#legend .more')].some(({{ textContent }}) => textContent === '{words}')")
        look("the list of values")
    for filter, words in (
        ("{ price: { from: 10 } }", "ab 10"),
        ("{ price: { to: 10 } }", "unter 10"),
        ("{ price: { from: 0, to: 50 } }", "0 bis unter 50"),
        ("{ price: [null] }", "keine"),
        ("{ price: ['<0', '50+'] }", "einige"),
        ("() => true", "einige von 2[.]130"),
        ("{ kind: ['bar'] }", "[0-9] von 2[.]130"),
        ("null", "2[.]130 Punkte"),
    ):
        show(filter, words)
    browser.wait("/2[.]130 von 2[.]130 Punkte/.test(document.querySelector('#legend [role=status]').textContent)")
    look("the legend's announcement")
    browser.evaluate(f"{page.map['focus'].replace('map.', 'example.map.')}.focus()")
    browser.press("n")
    browser.wait("/^Gruppe, [0-9.]+ Punkte, 1 von/.test(document.querySelector('.pyramid-announcement').textContent)")
    look("what the keys say")
    hide_legend(page)
    page.go(MAX_ZOOM - 1, -23.55, -46.63)
    page.click(*page.place("item.marker.count === 130"))
    page.details("/^130 Punkte an einem Ort/.test(node.textContent)")
    look("the list of points")
    expect(
        set(own) - seen <= {"abspielen", "etwa", "ja", "nein", "leer", "andere", "punkt", "gruppen"},
        f"{page.name}: these words were not seen: {set(own) - seen}",
    )
    page.shoot("german")


def globe_distance(*places):
    """The angle between two places, by the law of cosines."""
    south, west, north, east = map(math.radians, places)
    return math.acos(min(math.sin(south) * math.sin(north) + math.cos(south) * math.cos(north) * math.cos(east - west), 1))


@check()
def check_list(page):
    """`pointsInView` has the rows in the window, the nearest to its middle first."""
    browser, table = page.browser, shops()
    page.open("shops")
    hide_legend(page)
    seen = []
    page.run("void markers.filter({ kind: ['bar', 'café'] })")
    for zoom, latitude, longitude in ((4, 20, 20), (6, -5, 31)):
        page.go(zoom, latitude, longitude)
        pixel = page.map["pixel"].format(longitude="(longitude + copy)", latitude="latitude")
        if page.name == "leaflet":
            pixel = "(({ x: left, y: top }, { x, y }) => [x - left + map.getSize().x / 2, y - top + map.getSize().y / 2])(map.project(map.getCenter()), map.project([latitude, longitude + copy]))"
        places = json.dumps([[row["longitude"], row["latitude"], row["name"]] for row in table if row["kind"] in ("bar", "café")])
        expected = page.run(f"""{places}.flatMap(([longitude, latitude, name]) => [-360, 0, 360].flatMap((copy) => {{
          const [x, y] = {pixel}, {{ clientWidth: width, clientHeight: height }} = document.getElementById("map");
          return x >= 0 && y >= 0 && x <= width && y <= height ? [name] : [];
        }}))""")
        found = browser.evaluate(
            "example.markers.pointsInView({ limit: Infinity }).then(({ points, count, isExact }) => ({ names: points.map(({ properties }) => properties.name), count, isExact }))"
        )
        expect(
            found["isExact"] and found["count"] == len(expected),
            f"{page.name}: {found['count']} points in view, exact: {found['isExact']}, expected {len(expected)}",
        )
        expect(sorted(found["names"]) == sorted(expected), f"{page.name}: the list differs at {zoom}/{latitude}/{longitude}")
        distances = {row["name"]: globe_distance(latitude, longitude, row["latitude"], row["longitude"]) for row in table}
        steps = [distances[name] for name in found["names"]]
        expect(all(one <= other + 1e-3 for one, other in zip(steps, steps[1:])), f"{page.name}: the list isn't in the order of the distance")
        seen.append(len(expected))
    expect(len(set(seen)) == 2 and min(seen) > 2, f"{page.name}: the lists have {seen} points")
    # The list may have changed when the map moves.
    page.run("void (window.told = 0, markers.addEventListener('visible', () => { told += 1 }))")
    page.go(5, 30, 10)
    browser.wait("told > 0")
    page.open("plain")
    page.go(3, 20, 20)
    visible = page.run(f"{in_window(page)}.reduce((sum, {{ count }}) => sum + count, 0)")
    first = browser.evaluate("example.markers.pointsInView().then(({ points, count, isExact }) => [points.length, count, isExact])")
    expect(
        30 < first[0] <= 100 and first[1:] == [visible, False], f"{page.name}: of plain tiles, the list is {first}, expected up to 100 of {visible}"
    )


SELECTED = """(() => {
  const box = document.querySelector(".pyramid-selected")?.getBoundingClientRect();
  return box ? [box.left + box.width / 2, box.top + box.height / 2, box.width] : null;
})()"""


@check()
def check_select(page):
    """A selected point has a ring at every zoom, around the marker that holds it, whatever is clicked, and under filters that show it."""
    browser = page.browser
    page.open("shops")
    hide_legend(page)
    page.go(7, 10, 20)
    point = page.run(
        "(({ feature: { id, geometry: { coordinates }, properties: { name, kind } } }) => ({ id, lngLat: coordinates, name, kind }))(markers.inWindow.find(({ shown: { marker } }) => !marker.isCluster && !marker.points).shown.marker)"
    )
    address = json.dumps({"lngLat": point["lngLat"]})

    def expect_ring(where):
        browser.wait(f"{SELECTED} !== null && !example.markers.isMoving")
        page.settle()
        found = page.run(f"""(() => {{
          const {{ marker }} = markers.shown.find(({{ marker }}) => marker.key === markers.selected?.key) ?? {{}};
          return marker && [markers.inWindow.find(({{ shown }}) => shown.marker === marker)?.pixel, markers.appearance.look(marker).radius, marker.count];
        }})()""")
        left, top = browser.evaluate("(({ left, top }) => [left, top])(document.getElementById('map').getBoundingClientRect())")
        expect(found and found[0], f"{page.name}: nothing is selected {where}")
        x, y, width = browser.evaluate(SELECTED)
        expect(
            abs(x - left - found[0][0]) < 2 and abs(y - top - found[0][1]) < 2 and width > 2 * found[1],
            f"{page.name}: the ring of {width} px is at {x}, {y}, expected {found} {where}",
        )
        return found[2]

    held = browser.evaluate(f"example.markers.select({address}).then(({{ marker, isExact }}) => [marker.feature.properties.name, isExact])")
    expect(held == [point["name"], True], f"{page.name}: {held} is selected, expected {point['name']}")
    counts = []
    for zoom in (7, 5, 3, 2, 4, 8, 10):
        page.go(zoom, point["lngLat"][1], point["lngLat"][0])
        counts.append(expect_ring(f"at zoom {zoom}"))
        if zoom in (3, 8):
            page.shoot(f"selected-{zoom}")
        found = browser.evaluate(
            f"example.markers.find({address}).then(({{ marker, isExact }}) => [marker.key === example.markers.selected.key, isExact])"
        )
        expect(found == [True, True], f"{page.name}: the marker that holds it is {found} at zoom {zoom}")
    expect(counts[0] == counts[-1] == 1 and max(counts) > 20, f"{page.name}: the markers have {counts} points")
    page.click(10, 300)
    page.run(f"void markers.filter({{ kind: [{json.dumps(point['kind'])}] }})")
    expect_ring("under a filter that shows it")
    page.run(f"void markers.filter({{ kind: [{json.dumps('bar' if point['kind'] != 'bar' else 'café')}] }})")
    browser.wait(f"{SELECTED} === null && example.markers.selected === null")
    page.run("void markers.filter(null)")
    expect_ring("without the filter")
    # The keyboard's ring is another one.
    browser.evaluate(f"{page.map['focus'].replace('map.', 'example.map.')}.focus()")
    browser.press("n")
    browser.wait("document.querySelector('.pyramid-ring') && example.markers.focused !== null")
    browser.press("Escape")
    browser.wait("!document.querySelector('.pyramid-ring')")
    expect_ring("after Escape")
    browser.evaluate("example.markers.select(null)")
    browser.wait(f"{SELECTED} === null && example.markers.selected === null")


@check("leaflet")
def check_list_example(page):
    """The example page with a list: it has the places in view, and marks the one under the pointer, or clicked on the map."""
    browser = page.browser
    browser.open(f"{page.server.url}examples/list.html?tiles=/tilesets/shops/")
    browser.wait("window.example && example.markers.view.isSettled && document.querySelectorAll('li').length === 200")
    # More files than are read at once.
    title = browser.evaluate("document.getElementById('count').textContent")
    expect(title == "200 of about 2,000 places: zoom in to see all", f"the list's title is {title}")
    page.run("void map.setView([10, 20], 6, { animate: false })")
    browser.wait("/^[0-9]+ places$/.test(document.getElementById('count').textContent)")
    page.settle()
    names = sorted(browser.evaluate("[...document.querySelectorAll('li')].map((item) => item.textContent)"))
    count = page.run(f"{in_window(page)}.reduce((sum, {{ count }}) => sum + count, 0)")
    expect(
        len(set(names)) == len(names) and abs(len(names) - count) <= 4 and len(names) > 5,
        f"the list has {len(names)} places, the markers {count} points",
    )
    x, y = browser.evaluate(
        "(({ left, top, width, height }) => [left + width / 2, top + height / 2])(document.querySelector('li:nth-child(3)').getBoundingClientRect())"
    )
    # The first event of a page has no movement.
    page.move_mouse(x + 9, y)
    page.move_mouse(x, y)
    browser.wait(
        f"{SELECTED} && document.querySelector('li:nth-child(3) button').ariaPressed === 'true' && document.querySelectorAll('[aria-pressed=true]').length === 1"
    )
    page.shoot("list")
    page.click(x, y)
    page.details(f"node.textContent.includes({json.dumps(browser.evaluate('document.querySelector(`li:nth-child(3)`).textContent'))})")
    browser.wait(f"{SELECTED} && example.markers.selected && !example.markers.selected.isCluster")
    browser.resize(390, 780)
    browser.evaluate("void example.map.invalidateSize()")
    page.settle()
    expect(
        browser.evaluate("document.documentElement.scrollWidth <= innerWidth && document.getElementById('map').clientHeight > 300"),
        "the list doesn't fit a phone",
    )
    page.shoot("list-phone")


@check()
def check_members_sample(page):
    """The README's code for the members of a cluster on click works with each map library: it lists as many points as the cluster has, all within its box."""
    [code] = [code for _, code in code_blocks(os.path.join(HERE, "../../Sources/PyramidWeb/README.md"), "js") if ".points(marker" in code]
    rows_by_name, browser = {row["name"]: row for row in shops()}, page.browser
    page.open("shops")
    page.run("void (markers.remove(), example.markers = null)")
    hide_legend(page)
    for address, own in (("pyramid-web/leaflet", f"/{page.name}.js"), ("https://tiles.example.org/shops/", "/tilesets/shops/")):
        expect(address in code, f"the README's code has no {address}")
        code = code.replace(address, own)
    code = f"const {{ map }} = example;\n{code}\nexample.markers = markers;"
    browser.evaluate(f"""void document.body.append(
      Object.assign(document.createElement('ol'), {{ hidden: true }}),
      Object.assign(document.createElement('script'), {{ type: 'module', textContent: {json.dumps(code)} }}),
    )""")
    page.wait("markers?.view.isSettled && markers.shown.length > 3 && !markers.isMoving")
    page.go(5, 10, 20)
    x, y = spot(page, "item.marker.isCluster && item.marker.count > 2")
    count, [west, south, east, north] = page.run(
        f"(({{ shown: {{ marker }} }}) => [marker.count, marker.feature.bbox])(markers.inWindow.find(({{ pixel }}) => Math.hypot(pixel[0] - {x}, pixel[1] - {y}) < 1))"
    )
    page.click(x, y)
    names = browser.wait("(({ children }) => children.length && [...children].map(({ textContent }) => textContent))(document.querySelector('ol'))")
    within = [name for name in names if west <= rows_by_name[name]["longitude"] <= east and south <= rows_by_name[name]["latitude"] <= north]
    expect(len(set(within)) == len(names) == count, f"{page.name}: a cluster of {count} has the members {names}")
    # It has not zoomed in, and a point has its popup.
    time.sleep(0.5)
    expect(page.run("markers.view.zoom") == 5, f"{page.name}: the map has zoomed in")
    page.go(7, 10, 20)
    page.click(*spot(page, "item.marker.count === 1"))
    page.details("/^shop/.test(node.querySelector('strong').textContent)")


@check("maplibre")
def check_reading(page):
    """A marker is found where it is shown while MapLibre still reads what to draw."""
    page.open("shops")
    page.wait("markers.view.isSettled && markers.view.markers.length")
    page.go(6, 10, 20)
    x, y = spot(page, "item.marker.count === 1")
    found = page.browser.evaluate(f"""(async () => {{
      const {{ map, markers }} = example, source = map.getSource("pyramid"), data = await source.getData();
      source.setData({{ type: "FeatureCollection", features: [] }});
      map.triggerRepaint();
      await map.once("idle");
      source.setData(data);
      return Boolean(markers.at({{ point: {{ x: {x}, y: {y} }} }}));
    }})()""")
    expect(found, "maplibre: no marker is found while its source is read")


def events():
    """Rows with dates of five years, but for three months, and some without."""
    source = random.Random(4)
    found = []
    for number in range(3000):
        month = int(min(abs(source.gauss(40, 16)), 62))
        month = 30 if month in (20, 21, 22) else month
        date = f"{2019 + month // 12}-{month % 12 + 1:02}-{source.randint(1, 28):02}" if number % 40 else ""
        place = {"longitude": round(source.gauss(10, 30), 5), "latitude": round(max(min(source.gauss(30, 18), 84), -84), 5)}
        found.append({"name": f"event {number}", "kind": source.choice(["fire", "flood", "quake", "quake"]), "opened": date, **place})
    return found


@check()
def check_dates(page):
    """A column with dates has a slider with a bar for each month, whose window plays, is kept in the hash, and ends at any other change."""
    browser = page.browser
    page.open("events")
    browser.evaluate("document.getElementById('legend').style.display = ''")
    slider = "document.querySelector('#legend fieldset')"
    filter_ = "JSON.stringify(example.markers.currentFilter)"
    browser.wait(f"{slider}.querySelector('.play') !== null")
    counts = collections.Counter(row["opened"][:7] for row in events())
    months = [f"{year}-{month:02}" for year in range(2019, 2025) for month in range(1, 13)]
    months = months[months.index(min(filter(None, counts))) : months.index(max(counts)) + 1]
    heights = browser.evaluate(f"[...{slider}.querySelectorAll('.bars i')].map((bar) => parseFloat(bar.style.height))")
    highest = max(counts[month] for month in months)
    expected = [counts[month] and max(100 * counts[month] / highest, 6) for month in months]
    expect(
        len(heights) == len(expected) and all(abs(a - b) < 0.1 for a, b in zip(heights, expected)),
        f"{page.name}: the bars are {heights}, expected {expected}",
    )
    # A button of its own, by keyboard, without the rows that have no date.
    browser.evaluate(f"{slider}.querySelector('li input').click()")
    page.settle()
    browser.evaluate(f"{slider}.querySelector('.play').focus()")
    browser.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", code="Enter", windowsVirtualKeyCode=13, text="\r")
    browser.call("Input.dispatchKeyEvent", type="keyUp", key="Enter", code="Enter", windowsVirtualKeyCode=13)
    playing = f"{slider}.querySelector('.play').ariaPressed"
    expect(browser.evaluate(playing) == "true", f"{page.name}: the button is {browser.evaluate(playing)}")
    requests = len(page.server.requests)
    browser.evaluate("window.windows = []; example.markers.addEventListener('filter', ({ detail }) => windows.push(detail.filter.opened))")
    browser.wait("windows.length >= 4")
    steps = browser.evaluate("windows")
    for before, after in zip(steps, steps[1:]):
        for end in ("from", "to"):
            expect(months.index(after[end]) == months.index(before[end]) + 1, f"{page.name}: from {before} to {after}")
    expect(len(page.server.requests) == requests, f"{page.name}: playing asks for {page.server.requests[requests:]}")
    ends = {
        "a handle": f"{slider}.querySelector('.slider input').dispatchEvent(new PointerEvent('pointerdown'))",
        "another column": "document.querySelector('#legend fieldset:nth-child(2) .only').click()",
        "the page's filter": "example.markers.filter({ opened: { from: '2020-02', to: '2020-05' } })",
        "the button": f"{slider}.querySelector('.play').click()",
        "the hash": "location.hash = '#filter.opened=2021-03..2021-04'",
    }
    for what, act in ends.items():
        if browser.evaluate(playing) == "false":
            browser.evaluate(f"{slider}.querySelector('.play').click()")
        browser.evaluate("windows.length = 0")
        browser.wait("windows.length > 1")
        browser.evaluate(f"void ({act})")
        browser.wait(f"{playing} === 'false'")
        last = browser.evaluate(filter_)
        time.sleep(1.2)
        expect(browser.evaluate(filter_) == last, f"{page.name}: {what} doesn't end it: {last}, then {browser.evaluate(filter_)}")
    expect(
        browser.evaluate("example.markers.currentFilter.opened") == {"from": "2021-03", "to": "2021-05"}, f"{page.name}: {browser.evaluate(filter_)}"
    )
    page.settle()
    time.sleep(0.8)
    text = soon(
        lambda: browser.evaluate(f"{slider}.querySelector('.range').firstChild.nextSibling.textContent"), lambda text: text == "Mar – Apr 2021"
    )
    expect(text == "Mar – Apr 2021", f"{page.name}: the window is {text}")
    total = browser.evaluate("document.querySelector('#legend .total b').textContent")
    expect(total == str(counts["2021-03"] + counts["2021-04"]), f"{page.name}: {total} points")
    # To the end, and round.
    browser.evaluate("example.markers.filter({ opened: { from: '2024-02' } })")
    page.settle()
    browser.evaluate("windows.length = 0")
    browser.evaluate(f"{slider}.querySelector('.play').click()")
    first = browser.wait("windows.length && windows[0]")
    expect(first == {"from": "2019-01", "to": "2019-03"}, f"{page.name}: after the last month comes {first}")
    page.shoot("legend-dates")
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    browser.wait(f"{playing} === 'false' && !{slider}.querySelector('.play').getClientRects().length")
    browser.evaluate("example.legend.remove()")


@check("leaflet")
def check_search_example(page):
    """The example page with a search box flies to the place that is chosen, opens it and marks it."""
    browser = page.browser
    with open(f"{page.server.tilesets['shops']}/places.json", "w") as file:
        json.dump([{"name": row["name"], "lngLat": [row["longitude"], row["latitude"]]} for row in shops()], file)
    browser.open(f"{page.server.url}examples/search.html?tiles=/tilesets/shops/")
    browser.wait("window.example && example.markers.view.isSettled && example.markers.shown.length > 0")
    for name in ("shop 777", "shop 1"):
        browser.evaluate("void (document.querySelector('input').value = '', document.querySelector('input').focus())")
        browser.call("Input.insertText", text=name)
        browser.wait(f"document.querySelector('option')?.textContent === {name!r}")
        browser.press("Enter")
        page.details(f"node.querySelector('strong').textContent === {name!r}")
        browser.wait(
            f"{SELECTED} && example.markers.selected && (example.markers.selected.points ?? [example.markers.selected]).some(({{ feature }}) => feature.properties.name === {name!r})"
        )
    page.shoot("search")
    browser.evaluate("void (document.querySelector('input').value = 'nowhere', document.querySelector('form').requestSubmit())")
    browser.wait("document.getElementById('told').textContent === 'No such place.'")


def main():
    with tempfile.TemporaryDirectory() as folder:
        write_csv(f"{folder}/shops.csv", shops())
        write_csv(f"{folder}/events.csv", events())
        with open(f"{folder}/rows.csv", "w") as file:
            file.write(rows())
        write_csv(
            f"{folder}/crowd.csv",
            [
                *shops(),
                *(
                    {"name": f"Laden {number}", "kind": "bar", "price": 10, "area": "area 1", "longitude": -46.63, "latitude": -23.55}
                    for number in range(130)
                ),
            ],
        )
        with open(f"{folder}/codes.csv", "w") as file:
            file.write(
                "code,kind,longitude,latitude\n"
                + "".join(f"c{number % 400},{'ab'[number % 2]},{number % 300 - 150},{number % 100 - 50}\n" for number in range(3000))
            )
        filters = ["--filter-by", "kind,price:0:10:50,area"]
        tilesets = {
            "shops": ["shops", "--bundle", "64", *filters],
            "plain": ["shops", *filters],
            "rows": ["rows"],
            "events": ["events", "--bundle", "64", "--filter-by", "opened:month,kind"],
            "codes": ["codes", "--count-by", "code,kind"],
            "codes-only": ["codes", "--count-by", "code"],
            "crowd": ["crowd", *filters],
            "high": ["shops", "--bundle", "64", "--min-zoom", "4"],
        }
        for name, (rows_of, *options) in tilesets.items():
            subprocess.run(
                [PROGRAM, "build", f"{folder}/{rows_of}.csv", f"{folder}/{name}", "--max-zoom", str(MAX_ZOOM), "--quiet", *options], check=True
            )

        # As MapLibre 6 is: a module that exports its classes.
        os.mkdir(f"{folder}/modules")
        code = (
            f"import library from {json.dumps(os.path.abspath(os.path.join(LIBRARIES, 'maplibre-gl.js')))}; export const {{ Map, Popup }} = library;"
        )
        subprocess.run(
            ["esbuild", "--bundle", "--format=esm", f"--outfile={folder}/modules/maplibre.js", "--log-level=error"], input=code, text=True, check=True
        )

        names = [*tilesets, "modules"]
        check.run(lambda _: Examples(LIBRARIES, {name: f"{folder}/{name}" for name in names}, is_offline=True), Page, expect_quiet)


main()
