#!/usr/bin/env python3
"""The example pages that show one thing each, in a real browser: averages as labels, popups with HTML, tiles that need a token, the places of a
cluster, React and Vue.

examples_test.py path/to/pyramid path/to/libraries [directory for screenshots]
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../preview"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from browser import Browser  # noqa: E402
from examples import Examples  # noqa: E402
from workshop import expect, write_csv  # noqa: E402

PROGRAM, LIBRARIES, *SCREENSHOTS = sys.argv[1:]
HOSTILE = '<img src=x onerror="window.harmed = true">'


def offers():
    """Shops from Lisbon to Helsinki, each with a price; the last one has hostile texts."""
    chance = random.Random(7)
    found = [
        {
            "id": number,
            "name": f"Shop {number}",
            "kind": chance.choice(["bar", "café"]),
            "price": chance.randrange(5, 400),
            "link": f"https://shops.example/{number}",
            "longitude": round(chance.uniform(-9, 25), 6),
            "latitude": round(chance.uniform(38, 60), 6),
        }
        for number in range(300)
    ]
    return [
        *found,
        {"id": 300, "name": HOSTILE, "kind": HOSTILE, "price": 80, "link": "javascript:window.harmed=true", "longitude": 29.5, "latitude": 65.25},
    ]


def open_page(browser, server, name, tileset, query=""):
    browser.open(f"{server.url}examples/{name}.html?tiles=/tilesets/{tileset}/{query}")
    browser.wait("window.example?.markers.view.isSettled && example.markers.view.markers.length > 1 && !example.markers.isMoving")
    if SCREENSHOTS:
        browser.screenshot(f"{SCREENSHOTS[0]}/example-{name}.png")


def check_averages(browser, server, shops):
    """Labels of clusters and points are the averages that the rows have."""
    open_page(browser, server, "averages", "offers")
    browser.evaluate("void example.map.setView([50, 8], 4, { animate: false })")
    browser.wait("example.markers.view.zoom === 4 && example.markers.view.isSettled")
    browser.evaluate("void example.map.fitWorld({ animate: false })")
    browser.wait("example.markers.view.zoom < 4 && example.markers.view.isSettled && !example.markers.isMoving")
    labels = browser.evaluate(
        "example.markers.shown.map(({ marker }) => [marker.count, marker.feature.properties.price, example.markers.appearance.look(marker).label])"
    )
    expect(
        sum(count for count, _, _ in labels) == len(shops) and any(count > 1 for count, _, _ in labels),
        f"averages: other markers than expected: {labels}",
    )
    total = sum(count * price for count, price, _ in labels)
    expect(abs(total - sum(shop["price"] for shop in shops)) < 1e-6 * total, f"averages: the markers' prices sum up to {total}")
    expect(
        all(label == f"€{price:.0f}" or abs(price % 1 - 0.5) < 1e-9 for _, price, label in labels),
        f"averages: other labels than the averages: {labels}",
    )


def check_popups(browser, server, shops):
    """A popup has nodes of the page's own, and texts of the data do no harm."""
    open_page(browser, server, "popups", "offers")
    for shop in (shops[3], shops[-1]):
        browser.evaluate(f"example.markers.open({json.dumps({'id': shop['id'], 'lngLat': [shop['longitude'], shop['latitude']]})})")
        browser.wait(f"document.querySelector('.shop h2')?.textContent === {json.dumps(shop['name'])}")
        links = browser.evaluate("[...document.querySelectorAll('.shop a')].map(({ href }) => href)")
        expect(links == ([shop["link"]] if shop["link"].startswith("https:") else []), f"popups: a popup has the links {links}")
        text = browser.evaluate("document.querySelector('.shop p').textContent")
        expect(text == f"{shop['kind']} · {shop['price']} €", f"popups: a popup says {text}")
        if SCREENSHOTS:
            browser.screenshot(f"{SCREENSHOTS[0]}/example-popup-{shop['id']}.png")
    expect(browser.evaluate("window.harmed === undefined && !document.querySelector('.shop img')"), "popups: a text of the data was taken for HTML")


def check_members(browser, server, shops):
    """A click on a cluster lists its points, as text; with the points that stand alone, the lists of a zoom have every row once."""
    names = {f"{HOSTILE} {shop['id']}" for shop in shops}
    listed = "[...document.querySelectorAll('#members li')].map((item) => item.textContent)"

    def go(zoom):
        browser.evaluate(f"void example.map.setView([52, 8], {zoom}, {{ animate: false }})")
        browser.wait(f"example.markers.view.zoom === {zoom} && example.markers.view.isSettled && !example.markers.isMoving")

    def pixel(key):
        return browser.wait(f"example.markers.inWindow.find(({{ shown }}) => shown.key === {json.dumps(key)})?.pixel")

    def click(key):
        """Clicks a cluster; the title of its list."""
        browser.click(*pixel(key))
        return browser.wait("/^(?!Loading)./.exec(document.querySelector('#members:not([hidden]) p')?.textContent)?.input")

    def close():
        browser.evaluate("document.querySelector('#members header button').click()")

    open_page(browser, server, "members", "members")
    go(3)
    markers = browser.evaluate(
        "example.markers.view.markers.map(({ key, count, isCluster, feature }) => [key, count, isCluster, feature.properties.name])"
    )
    found = [name for _, _, is_cluster, name in markers if not is_cluster]
    clusters = [(key, count) for key, count, is_cluster, _ in markers if is_cluster]
    for key, count in clusters:
        go(3)
        title = click(key)
        added = browser.evaluate(listed)
        expect(title == f"{count} places" and len(added) == count, f"members: a cluster of {count} has {title}: {added}")
        found += added
        close()
    expect(len(clusters) > 8 and sorted(found) == sorted(names), f"members: the lists of zoom 3 have {found}")
    # So many that not all are listed.
    go(0)
    title = click(browser.evaluate("example.markers.view.markers[0].key"))
    shown = browser.evaluate(listed)
    number = re.fullmatch(r"(?:The nearest )?(\d+) of 301 places(?:: zoom in to see all)?", title)
    expect(number and int(number[1]) == len(shown) == len(names.intersection(shown)), f"members: {title}, of {len(shown)} names")
    close()
    # The second click on a cluster zooms in.
    go(3)
    click(clusters[0][0])
    browser.click(*pixel(clusters[0][0]))
    browser.wait(
        "document.getElementById('members').hidden && example.markers.view.zoom > 3 && example.markers.view.isSettled && !example.markers.isMoving"
    )
    browser.resize(390, 844, touch=True)
    open_page(browser, server, "members", "members")
    # The lowest cluster, which the list would hide.
    lowest = max(clusters, key=lambda cluster: pixel(cluster[0])[1])[0]
    expect(pixel(lowest)[1] > 464, "members: no cluster is where the list appears on a phone")
    click(lowest)
    browser.wait(
        f"example.markers.inWindow.some(({{ shown, pixel }}) => shown.key === {json.dumps(lowest)} && pixel[1] < document.getElementById('members').offsetTop)"
    )
    if SCREENSHOTS:
        browser.screenshot(f"{SCREENSHOTS[0]}/example-members-phone.png")
    expect(
        browser.evaluate("document.documentElement.scrollWidth === 390 && document.getElementById('map').clientHeight > 400"),
        "members: the list doesn't fit a phone",
    )
    name = browser.evaluate(listed)[0]
    browser.evaluate("document.querySelector('#members li button').click()")
    browser.wait(f"document.querySelector('.pyramid-details strong')?.textContent === {json.dumps(name)}")
    expect(
        browser.evaluate("window.harmed === undefined && !document.querySelector('#members img')"), "members: a text of the data was taken for HTML"
    )
    # Where there are no markers, there are no tiles.
    browser.errors = [error for error in browser.errors if "status of 404" not in error]


def check_tokens(browser, server, _):
    """Every request for the tileset has the token, which is fetched once until it ends."""
    server.requests.clear()
    open_page(browser, server, "tokens", "offers", "&issuer=/tilesets/offers/token.json")
    wanted = [path for path in server.requests if path.startswith("/tilesets/offers/") and not path.endswith("token.json")]
    expect(
        len(wanted) > 2 and all(server.authorization[path] == "Bearer T7" for path in wanted),
        f"tokens: requests without a token: {server.authorization}",
    )
    asked = server.requests.count("/tilesets/offers/token.json")
    expect(asked == 1, f"tokens: {asked} requests for a token")
    # One that has ended.
    with open(f"{server.tilesets['offers']}/token.json", "w") as file:
        json.dump({"token": "T8", "seconds": 10}, file)
    server.requests.clear()
    open_page(browser, server, "tokens", "offers", "&issuer=/tilesets/offers/token.json")
    expect(server.requests.count("/tilesets/offers/token.json") > 1, "tokens: a token that has ended isn't fetched again")


def check_frameworks(browser, server, shops):
    """A component of React or Vue shows the map, filters, takes everything away, and shows it again; React's StrictMode mounts it twice."""
    bars = sum(shop["kind"] == "bar" for shop in shops)
    for name in ("react", "vue"):
        server.requests.clear()
        open_page(browser, server, name, "offers", "&kind=bar")
        for shown, filtered in ((True, True), (True, False), (False, False), (True, False), (True, True), (False, True), (True, True)):
            for box, wanted in enumerate((shown, filtered)):
                browser.evaluate(
                    f"(() => {{ const box = document.querySelectorAll('nav input')[{box}]; if (box.checked !== {str(wanted).lower()}) box.click() }})()"
                )
            if not shown:
                browser.wait("!document.querySelector('.map') && example.markers.inWindow.length === 0")
                expect(browser.evaluate("document.querySelectorAll('[class*=pyramid]').length") == 0, f"{name}: something of the map stays")
                continue
            count = bars if filtered else len(shops)
            browser.wait(
                f"document.querySelectorAll('.map canvas').length === 1 && example.markers.view.isSettled && example.markers.view.markers.reduce((sum, {{ count }}) => sum + count, 0) === {count}"
            )
        expect(name != "react" or server.requests.count("/tilesets/offers/tilejson.json") >= 2, "react: StrictMode hasn't mounted twice")


def main():
    shops = offers()
    with tempfile.TemporaryDirectory() as folder:
        write_csv(f"{folder}/offers.csv", shops)
        subprocess.run(
            [
                PROGRAM,
                "build",
                f"{folder}/offers.csv",
                f"{folder}/offers",
                "--id-column",
                "id",
                "--accumulate-attribute",
                "price:mean",
                "--filter-by",
                "kind",
                "--bundle",
                "32",
                "--quiet",
            ],
            check=True,
        )
        write_csv(f"{folder}/members.csv", [{**shop, "name": f"{HOSTILE} {shop['id']}"} for shop in shops])
        subprocess.run([PROGRAM, "build", f"{folder}/members.csv", f"{folder}/members", "--id-column", "id", "--quiet"], check=True)
        with open(f"{folder}/offers/token.json", "w") as file:
            json.dump({"token": "T7", "seconds": 300}, file)
        server = Examples(LIBRARIES, {name: f"{folder}/{name}" for name in ("offers", "members")}, is_offline=True)
        for check in (check_averages, check_popups, check_members, check_tokens, check_frameworks):
            with Browser(900, 700) as browser:
                check(browser, server, shops)
                expect(not browser.errors, f"{check.__name__}: errors on the console: {browser.errors}")
            print(f"examples_test: {check.__name__.removeprefix('check_')} passed", flush=True)


main()
