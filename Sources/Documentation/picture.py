#!/usr/bin/env python3
"""Makes the moving pictures of the preview page. In one, 28,000 airports are zoomed and filtered; in the other, earthquakes play day by day.

    picture.py PYRAMID LIBRARIES DIRECTORY [airports] [earthquakes]

PYRAMID is the program; LIBRARIES is where Tests/install.sh puts the data. Needs Chromium, Leaflet and gifsicle (Debian), and Pillow (PyPI). The
page's clock goes on by one frame after the other, so that the pictures don't depend on the machine.
"""

import io
import os
import subprocess
import sys
import tempfile

TESTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Tests")
sys.path += [f"{TESTS}/preview", f"{TESTS}/web"]

from PIL import Image  # noqa: E402

from browser import Browser  # noqa: E402
import quakes  # noqa: E402
from airports import write_airports  # noqa: E402

WIDTH, HEIGHT = 800, 400
FRAMES_PER_SECOND = 10
# The page moves at half its speed, so that eyes can follow the clusters as they split.
MILLISECONDS = 1000 / FRAMES_PER_SECOND / 2
COLORS = 56
# Of these, the most frequent ones are as on the page: panel, land and sea. Otherwise the sea can become grey.
EXACT_COLORS = 3
CLOCK = """(() => {
  let now = 0, queue = new Map(), number = 0;
  const start = Date.now(), timers = new Map();
  window.reallyLater = setTimeout;
  performance.now = () => now;
  Date.now = () => start + now;
  Object.defineProperty(document.timeline, "currentTime", { get: () => now });
  window.requestAnimationFrame = (callback) => { queue.set(++number, callback); return number; };
  window.cancelAnimationFrame = (key) => { queue.delete(key); };
  window.setTimeout = (callback, milliseconds = 0) => { timers.set(++number, { callback, due: now + milliseconds }); return number; };
  window.clearTimeout = (key) => { timers.delete(key); };
  window.step = (milliseconds) => {
    now += milliseconds;
    for (const [key, { callback, due }] of [...timers]) if (due <= now && timers.delete(key)) callback();
    const due = queue;
    queue = new Map();
    for (const callback of due.values()) callback(now);
  };
})()"""
# Few colours, nothing that moves by the system's clock, and room for the map.
STYLE = """
  * { transition: none !important; animation: none !important }
  .glass { backdrop-filter: none !important; background: #fff !important; box-shadow: 0 0 0 1px #c5ced8 !important }
  #dock, #attribution, #card .colors, #card .sizes { display: none !important }
  #legend .text { white-space: nowrap }
  #legend button:focus { outline: none !important }
  #pointer { position: fixed; z-index: 9999; pointer-events: none; visibility: hidden }
"""
POINTER = (
    '<svg id="pointer" width="22" height="26" viewBox="0 0 22 26"><path d="M2 2v19l5-4 3 7 4-2-3-7h7z" fill="#111" stroke="#fff"'
    ' stroke-width="1.6"/></svg>'
)


class Film:
    def __init__(self, browser):
        self.browser, self.frames = browser, []

    def frame(self, milliseconds=MILLISECONDS):
        """Lets the page go on, and takes its picture once it has read what it needs."""
        self.browser.evaluate(f"step({milliseconds})")
        # The page may begin to read what it needs.
        self.browser.evaluate("new Promise((done) => reallyLater(done, 120))")
        self.browser.wait("preview.markers.view.isSettled")
        self.browser.evaluate("step(0)")
        self.frames.append(self.browser.picture())

    def rest(self, seconds, milliseconds=MILLISECONDS):
        for _ in range(round(seconds * FRAMES_PER_SECOND)):
            self.frame(milliseconds)

    def fly(self, latitude, longitude, zoom, seconds):
        """Moves and zooms, and lets the markers come to rest."""
        self.browser.evaluate(f"void preview.map.flyTo([{latitude}, {longitude}], {zoom}, {{ duration: {seconds / 2} }})")
        self.rest(seconds + 0.6)

    def click(self, target, start):
        """Moves the pointer to an element, and clicks on it."""
        x, y = self.browser.evaluate(f"(({{ x, y, width, height }}) => [x + width / 2, y + height / 2])({target}.getBoundingClientRect())")
        for step in range(1, 6):
            left, top = (begin + (end - begin) * step / 5 for begin, end in zip(start, (x, y)))
            self.browser.evaluate(f"Object.assign(pointer.style, {{ left: '{left}px', top: '{top}px', visibility: 'visible' }}) && 0")
            self.frame(0)
        self.browser.evaluate(f"{target}.click()")
        return x, y


def row(kind, element):
    """The element of a value's row in the legend."""
    return f"[...document.querySelectorAll('#legend fieldset li')].find((row) => row.querySelector('.text').textContent === '{kind}').querySelector('{element}')"


SHOW_ALL = "[...document.querySelectorAll('#legend .head button')].find((button) => !button.hidden && button.textContent === 'Show all')"


def scene_of(browser, url):
    """A film of the page, which has shown everything."""
    browser.call("Page.addScriptToEvaluateOnNewDocument", source=CLOCK)
    browser.open(url)
    browser.wait("window.step?.(50), window.preview?.figures().isSettled")
    browser.evaluate(f"document.head.insertAdjacentHTML('beforeend', `<style>{STYLE}</style>`)")
    browser.evaluate(f"document.body.insertAdjacentHTML('beforeend', `{POINTER}`)")
    return Film(browser)


def begin(scene, latitude, longitude, zoom):
    """Shows a place before the film begins."""
    scene.browser.evaluate(f"void preview.map.setView([{latitude}, {longitude}], {zoom}, {{ animate: false }})")
    scene.rest(2)
    scene.frames.clear()
    scene.rest(1)


def film_airports(scene):
    world = (33, -108, 3)
    begin(scene, *world)
    scene.fly(37, -96, 4, 1)
    scene.rest(0.4)
    scene.fly(41, -82, 5, 1)
    scene.rest(0.8)
    place = scene.click(row("international airport", "button"), (460, 400))
    scene.rest(1.6)
    place = scene.click(row("military", "input"), place)
    scene.rest(1.4)
    scene.click(SHOW_ALL, place)
    scene.rest(1)
    scene.browser.evaluate("pointer.style.visibility = 'hidden'")
    scene.fly(*world, 1)


def film_earthquakes(scene):
    """Each frame is a step of the slider that plays."""
    begin(scene, 0, 120, 4)
    place = scene.click("document.querySelector('#legend .play')", (460, 400))
    scene.rest(11, milliseconds=200)
    scene.click(SHOW_ALL, place)
    scene.rest(1)


def write(frames, path):
    """Writes frames with the same colours; one that is like the one before lasts as long as both."""
    images = [Image.open(io.BytesIO(frame)).convert("RGB") for frame in frames]
    sheet = Image.new("RGB", (WIDTH, HEIGHT * len(images[::6])))
    for number, image in enumerate(images[::6]):
        sheet.paste(image, (0, HEIGHT * number))
    frequent = [color for _, color in sorted(sheet.getcolors(WIDTH * HEIGHT), reverse=True)[:EXACT_COLORS]]
    others = sheet.quantize(COLORS - EXACT_COLORS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).getpalette()
    palette = Image.new("P", (1, 1))
    palette.putpalette([value for color in frequent for value in color] + others[: 3 * (COLORS - EXACT_COLORS)])
    pictures, durations = [], []
    for image in images:
        picture = image.quantize(palette=palette, dither=Image.Dither.NONE)
        if pictures and picture.tobytes() == pictures[-1].tobytes():
            durations[-1] += 1000 // FRAMES_PER_SECOND
        else:
            pictures.append(picture)
            durations.append(1000 // FRAMES_PER_SECOND)
    pictures[0].save(path, save_all=True, append_images=pictures[1:], duration=durations, loop=0, optimize=False)
    subprocess.run(["gifsicle", "--batch", "-O3", path], check=True)
    print(f"{path}: {len(pictures)} frames, {sum(durations) / 1000:.1f} s, {os.path.getsize(path):,} bytes")


def make(picture, program, libraries, directory):
    film, rows, options = PICTURES[picture]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "build", rows(libraries, folder), f"{folder}/tileset", "--bundle", "256", *options, "--quiet"], check=True)
        server = subprocess.Popen([program, "serve", f"{folder}/tileset", "--port", "0"], stdout=subprocess.PIPE, text=True)
        try:
            with Browser(WIDTH, HEIGHT) as browser:
                scene = scene_of(browser, server.stdout.readline().strip())
                film(scene)
        finally:
            server.terminate()
    write(scene.frames, f"{directory}/{picture}.gif")


def rows_of_airports(libraries, folder):
    write_airports(f"{libraries}/wheels/airportsdata/airports.csv", f"{folder}/airports.csv")
    return f"{folder}/airports.csv"


PICTURES = {
    "airports": (film_airports, rows_of_airports, ["--filter-by", "kind", "--name", "Airports"]),
    "earthquakes": (film_earthquakes, lambda libraries, _: f"{libraries}/{quakes.ROWS}", quakes.OPTIONS),
}


def main():
    program, libraries, directory, *only = sys.argv[1:]
    for picture in only or PICTURES:
        make(picture, program, libraries, directory)


main()
