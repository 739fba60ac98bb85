#!/usr/bin/env python3
"""Builds the site, at the root of a host and below a path, and reads it: every page is reached, every link
leads to a page and a heading that exist, every picture loads, and in a real browser the articles and the demos work.

Usage: site_test.py path/to/pyramid
"""

import concurrent.futures
import contextlib
import csv
import datetime
import http.server
import itertools
import json
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from urllib.parse import unquote, urlsplit

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path += [str(HERE.parent), str(HERE.parent / "preview"), str(ROOT / "Sources/Documentation")]

import quakes  # noqa: E402
from browser import Browser  # noqa: E402
from workshop import expect  # noqa: E402

PROGRAM = sys.argv[1]
LANDING = "/documentation/pyramid"
SETTLED = "window.preview && preview.figures().isSettled"


class StaticHost(http.server.SimpleHTTPRequestHandler):
    """Serves files below `base`, as static hosts do: without Content-Encoding, and with nothing outside of `base`."""

    def __init__(self, *arguments, site, base, **options):
        self.base = base
        super().__init__(*arguments, directory=str(site), **options)

    def translate_path(self, path):
        return super().translate_path(path.removeprefix(self.base)) if path.startswith(self.base + "/") else os.devnull + "/"

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """Browsers close connections as they like."""


@contextlib.contextmanager
def serving(site, base):
    with Server(("127.0.0.1", 0), lambda *request: StaticHost(*request, site=site, base=base)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}{base}"
        server.shutdown()


def values(node, key):
    """The values of a key, wherever it is in JSON."""
    if isinstance(node, dict):
        for name, value in node.items():
            if name == key:
                yield value
            yield from values(value, key)
    elif isinstance(node, list):
        for value in node:
            yield from values(value, key)


class Pages:
    """The site's pages by their paths, as docc has written them."""

    def __init__(self, site, base):
        self.site, self.base = site, base
        self.json = {
            "/" + str(path.relative_to(site / "data").with_suffix("")): json.loads(path.read_text()) for path in (site / "data").rglob("*.json")
        }
        self.anchors = {path: {anchor for anchor in values(page.get("primaryContentSections", []), "anchor")} for path, page in self.json.items()}

    def links(self, path):
        """The URLs of a page's links, without those that its text doesn't use."""
        page = self.json[path]
        used = {name for name in values(page, "identifier") if isinstance(name, str)} | {
            name for names in values(page, "identifiers") for name in names
        }
        for name, reference in page["references"].items():
            if name in used and reference["type"] in ("topic", "section", "link") and "url" in reference:
                yield reference["url"]

    def check(self):
        for path, page in self.json.items():
            expect((self.site / path[1:] / "index.html").exists(), f"{path} has no page")
            for url in self.links(path):
                parts = urlsplit(url)
                if parts.scheme:
                    expect(parts.scheme == "https", f"{path} links to {url}")
                    continue
                # An example page of the JavaScript library.
                if parts.path.startswith(f"{self.base}/pyramid-web/"):
                    expect((self.site / parts.path[len(self.base) + 1 :]).is_file(), f"{path} links to {url}")
                    continue
                target = parts.path or path
                expect(target in self.json, f"{path} links to {url}")
                expect(not parts.fragment or unquote(parts.fragment) in self.anchors[target], f"{path} links to {url}, where no such heading is")
        roots = json.loads((self.site / "index/index.json").read_text())["interfaceLanguages"]["swift"]
        expect([root["path"] for root in roots] == [LANDING], "the navigation doesn't begin with the landing page")
        navigation = list(values(roots, "path"))
        for path, _, fragment in (path.partition("#") for path in navigation):
            expect(path in self.json and (not fragment or fragment in self.anchors[path]), f"the navigation links to {path}#{fragment}")
        reached, waiting = set(), navigation
        while waiting:
            path = waiting.pop().partition("#")[0]
            if path not in reached:
                reached.add(path)
                waiting += [parts.path for url in self.links(path) if not (parts := urlsplit(url)).scheme and parts.path in self.json]
        lost = self.json.keys() - reached
        expect(not lost, f"no link leads to {sorted(lost)[:5]}, {len(lost)} pages in all")


def check_page(browser, url, path, pages):
    """What the browser shows of a page: its links are of the site, and its pictures are there."""
    browser.open(url + path)
    title = pages.json[path]["metadata"]["title"]
    browser.wait(f"document.title.startsWith({json.dumps(title + ' | pyramid')}) && document.querySelector('.navigator a') !== null")
    found = browser.evaluate("""(async () => {
      const images = [...document.images];
      for (const image of images) image.loading = "eager";
      await Promise.allSettled(images.map((image) => image.decode()));
      return { links: [...document.querySelectorAll("a[href]")].map((link) => link.href),
        images: images.filter(({ naturalWidth }) => naturalWidth === 0).map(({ src }) => src),
        name: document.querySelector(".nav-title").textContent.trim(),
        code: [...document.querySelectorAll(".code-listing, .code-listing div, .code-listing pre")].filter((node) => node.scrollWidth > node.clientWidth).length,
        width: document.documentElement.scrollWidth - innerWidth };
    })()""")
    expect(not found["images"], f"{path} has pictures that don't load: {found['images']}")
    expect(found["name"] == "pyramid", f"{path} is headed {found['name']}")
    expect(found["code"] == 0, f"{path} has {found['code']} blocks of code that are cut off")
    expect(found["width"] <= 0, f"{path} is wider than the window by {found['width']} pixels")
    for link in found["links"]:
        if link.startswith("http://127.0.0.1"):
            expect(link.startswith(url + "/"), f"{path} links to {link}, outside of the site")
            target = unquote(urlsplit(link.removeprefix(url)).path).rstrip("/")
            expect(target in pages.json or target in ("/demo", "/earthquakes") or (pages.site / target[1:]).is_file(), f"{path} links to {link}")


def click(browser, selector):
    """Clicks on the middle of an element, as a user does: once it is in sight and pictures no longer move it."""
    x, y = browser.wait(f"""(async () => {{
      const node = document.querySelector({json.dumps(selector)});
      const middle = () => (({{ x, y, width, height }}) => [x + width / 2, y + height / 2])(node.getBoundingClientRect());
      if (node === null || document.readyState !== "complete") return null;
      node.scrollIntoView({{ block: "center", behavior: "instant" }});
      const before = middle();
      await new Promise((done) => setTimeout(done, 200));
      return String(middle()) === String(before) && node.contains(document.elementFromPoint(...before)) ? before : null;
    }})()""")
    browser.click(x, y)


def check_articles(browser, url, pages):
    """The root leads to the landing page, the articles and libraries are drawn, and links work as they are clicked."""
    browser.open(url + "/")
    browser.wait(f"location.pathname.endsWith({json.dumps(LANDING + '/')}) && document.querySelector('h1')?.textContent.trim() === 'pyramid'")
    # Articles and modules, and the first page that each module lists.
    paths = [path for path in pages.json if path.startswith(LANDING + "/") or path.count("/") == 2]
    paths += [next(link for link in pages.links(path) if link.startswith(path + "/")) for path in paths if path.count("/") == 2]
    for path in paths:
        check_page(browser, url, path, pages)

    # Options of the JavaScript library are found by the navigation's filter.
    browser.open(url + LANDING + "/")
    click(browser, ".navigator .filter__input")
    browser.call("Input.insertText", text="patienceMilli")
    browser.wait("document.querySelector('.navigator a.leaf-link[href$=\"/pyramidweb#Options\"]')?.textContent.trim() === 'patienceMilliseconds'")

    browser.open(url + LANDING + "/")
    for path in ("/documentation/pyramidtiles", "/documentation/pyramid/format", "/documentation/pyramidtiles/tilejson"):
        click(browser, f"main a[href$='{path}']")
        browser.wait(f"location.pathname.endsWith({json.dumps(path)}) && document.querySelector('h1') !== null")
        # One navigation for all: it shows where the page is.
        browser.wait(f"document.querySelector('.navigator a[href$=\"{path}\"]')?.closest('.active') !== null")
    return len(paths)


def check_demo(browser, url):
    """The demo is a click away, loads nothing from elsewhere, and its filters change the markers and counts."""
    browser.asked.clear()
    browser.open(url + LANDING + "/")
    click(browser, "a.button-cta")
    browser.wait(f"location.pathname.endsWith('/demo/') && {SETTLED}")
    whole = browser.evaluate("preview.figures()")
    count = "document.querySelector('#legend .total').textContent.replaceAll(',', '')"
    total = int(browser.evaluate(count).split()[0])
    expect(total > 300 and total - whole["points"] <= 5 and whole["clusters"] > 10, f"the demo shows {whole}")
    facets = browser.evaluate("[...document.querySelectorAll('#legend fieldset legend')].map((legend) => legend.textContent)")
    expect(len(facets) >= 2, f"the demo filters by {facets}")
    row = "[...document.querySelectorAll('#legend li')].find((row) => row.querySelector('.only'))"
    expected = int(browser.evaluate(f"{row}.querySelector('.counts [aria-hidden]').textContent.split('/')[1].replaceAll(',', '')"))
    expect(0 < expected < total, f"the first value has {expected} of {total} points")
    browser.evaluate(f"{row}.querySelector('.only').click()")
    browser.wait(f"{SETTLED} && {count} === '{expected} of {total}'")
    some = browser.evaluate("preview.figures()")
    # Near the poles, points can be outside of the view.
    expect(expected - some["points"] <= 5 and some["markers"] < whole["markers"], f"the map shows {some} of {whole}, expected {expected} points")
    browser.evaluate("location.hash = '6/50/10'")
    browser.wait(f"preview.map.getZoom() === 6 && {SETTLED} && preview.figures().level === 6")
    near = browser.evaluate("preview.figures()")
    expect(10 < near["points"] < total and near["markers"] > 10, f"of Europe, the demo shows {near}")
    elsewhere = [asked for asked in browser.asked if not asked.startswith((url + "/", "data:", "blob:"))]
    expect(not elsewhere, f"the site needs {elsewhere}")
    return total


def check_earthquakes(browser, url):
    """A click away from the article, the slider has the days of the rows, and plays without any request."""
    with open(ROOT / ".build/web" / quakes.ROWS, newline="", encoding="utf-8") as rows:
        days = sorted(datetime.date.fromisoformat(row["time"][:10]) for row in csv.DictReader(rows))
    counts = [days.count(days[0] + datetime.timedelta(day)) for day in range((days[-1] - days[0]).days + 1)]
    browser.open(f"{url}{LANDING}/filters/")
    click(browser, "a.button-cta")
    browser.wait(f"location.pathname.endsWith('/earthquakes/') && {SETTLED}")
    browser.evaluate("document.querySelector('#legend .toggle[aria-expanded=false]')?.click()")
    bars = browser.wait("""(([...bars]) => bars[0]?.style.height && bars.map(({ style }) => [Number(style.flexGrow), parseFloat(style.height)]))(
      document.querySelector("#legend .bars")?.children ?? [])""")
    ends = [0, *itertools.accumulate(days for days, _ in bars)]
    sums = [sum(counts[first:end]) for first, end in zip(ends, ends[1:])]
    heights = [max(100 * total / max(sums), 6) if total else 0 for total in sums]
    is_same = ends[-1] == len(counts) and all(abs(height - expected) < 0.01 for (_, height), expected in zip(bars, heights))
    expect(is_same, f"the days and heights of the timeline's bars are {bars}, expected {heights}")
    browser.asked.clear()
    play = "document.querySelector('#legend .play').click()"
    limits = "[...document.querySelector('#legend .slider').querySelectorAll('input')].map(({ value }) => Number(value))"
    browser.evaluate(play)
    browser.wait(f"{limits}[0] >= 6")
    browser.evaluate(play)
    begin, end = browser.evaluate(limits)
    expected = sum(counts[begin:end])
    expect(0 < expected < len(days), f"from day {begin} to {end}, there are {expected} earthquakes")
    browser.wait(f"document.querySelector('#legend .total').textContent === '{expected} of {len(days)}' && preview.figures().points === {expected}")
    expect(not browser.asked, f"the timeline has played with the requests {browser.asked}")
    return len(days)


def check(folder, base):
    site = Path(folder, "site" + base.replace("/", "-"))
    subprocess.run(
        [sys.executable, ROOT / "Sources/Distribution/website.py", PROGRAM, site],
        env={**os.environ, "BASE": base},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    pages = Pages(site, base)
    pages.check()
    with serving(site, base) as url, Browser(1280, 900) as browser:
        drawn = check_articles(browser, url, pages)
        total = check_demo(browser, url)
        shaken = check_earthquakes(browser, url)
        browser.resize(390, 844, touch=True)
        check_earthquakes(browser, url)
        expect(not browser.errors, f"errors on the console: {browser.errors}")
        missing = {asked: status for asked, status in browser.requests.items() if status >= 400}
        expect(not missing, f"not found: {missing}")
    return f"{base or '/'}: {len(pages.json)} pages, {drawn} of them in the browser, demos with {total} and {shaken} points"


def main():
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor() as pool:
        for result in pool.map(lambda base: check(folder, base), ("", "/docs/pyramid")):
            print(f"site_test: {result}", flush=True)


main()
