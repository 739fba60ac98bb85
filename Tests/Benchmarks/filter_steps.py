#!/usr/bin/env python3
"""How long a step of a slider that plays takes: `filter()` with the next months, on a Leaflet map whose tiles are loaded.

    filter_steps.py PYRAMID LIBRARIES [--points N] [--steps N] [--profile FILE]

With random points of five kinds, each most frequent in other months of five years. LIBRARIES is what Tests/install.sh fills. Medians in milliseconds
of script: `filter` is the call, which decides what to show; `frame` is all that runs in the next frame until the canvas is drawn, with the legend's
counts where there is a legend; `pixels` is what the browser then needs to paint what was drawn on the canvas, without a GPU. Waiting for the
frame isn't counted. --profile writes where the time goes, for Chromium's developer tools.
"""

import argparse
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [f"{HERE}/../preview", f"{HERE}/../web"]

from browser import Browser  # noqa: E402
from examples import Examples  # noqa: E402

WIDTH, HEIGHT = 1280, 800
YEARS = 5
# As Leaflet counts zooms: longitude, latitude, zoom.
VIEWS = {"the world": (10, 30, 2), "zoom 5": (10, 48, 5)}
PAGE = f"""<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="/libraries/leaflet.css"><script src="/libraries/leaflet.js"></script>
<style>body {{ margin: 0; display: flex }} #map {{ width: {WIDTH}px; height: {HEIGHT}px }}</style><div id="map"></div><div id="legend"></div>
<script type="module">
import {{ leaflet, addLegend }} from "/pyramid-web.js";
const [longitude, latitude, zoom, hasLegend] = location.search.slice(1).split(",").map(Number),
  map = L.map("map").setView([latitude, longitude], zoom),
  markers = leaflet.addMarkers(map, "/tilesets/points/");
if (hasLegend) addLegend(markers, document.getElementById("legend"));
const pause = () => new Promise((done) => setTimeout(done, 500));
const step = async (filter) => {{
  await pause();
  let frame;
  const call = performance.now();
  requestAnimationFrame(() => (frame = performance.now()));
  markers.filter(filter);
  const called = performance.now() - call;
  await new Promise((done) => requestAnimationFrame(done));
  const drawn = performance.now() - frame;
  document.querySelector("#map canvas").getContext("2d").getImageData(0, 0, 1, 1);
  return [called, drawn, performance.now() - frame - drawn];
}};
window.isReady = () => markers.view.isSettled && !markers.isMoving && (!hasLegend || document.querySelector("#legend .play") !== null);
window.play = async (steps) => {{
  await step(null);
  const months = markers.facets.find(({{ name }}) => name === "opened").values,
    width = Math.ceil(months.length / 24),
    all = markers.view.markers.length;
  const times = [];
  for (let number = 0; number < steps; number++) {{
    const first = number % (months.length - width);
    times.push(await step({{ opened: {{ from: months[first], to: months[first + width] }} }}));
  }}
  return {{ all, times }};
}};
</script>"""


def write_dated(path, count):
    """Points around 5,000 middles, few of which have most of the points, and everywhere."""
    chance = random.Random(4)
    middles = [(chance.uniform(-175, 175), chance.uniform(-50, 65), math.exp(chance.uniform(-5, -0.7))) for _ in range(5000)]
    weights = [1 / (rank + 1) ** 0.8 for rank in range(len(middles))]
    kinds = ["café", "bar", "museum", "park", "shop"]
    with open(path, "w", encoding="utf-8") as file:
        file.write("name,kind,opened,longitude,latitude\n")
        for number, (longitude, latitude, spread) in enumerate(chance.choices(middles, weights, k=count)):
            if number % 20 == 0:
                longitude, latitude, spread = chance.uniform(-175, 175), chance.uniform(-70, 75), 0
            kind = int(chance.triangular(0, len(kinds), 0))
            month = int(chance.triangular(0, 12 * YEARS, 12 * YEARS * (kind + 0.5) / len(kinds)))
            place = f"{chance.gauss(longitude, spread):.6f},{chance.gauss(latitude, spread):.6f}"
            file.write(f"Place {number},{kinds[kind]},{2020 + month // 12}-{month % 12 + 1:02}-15,{place}\n")


def measured(server, view, has_legend, steps, profile):
    with Browser(WIDTH + (320 if has_legend else 0), HEIGHT) as browser:
        browser.open(f"{server.url}tilesets/pages/steps.html?{','.join(map(str, view))},{int(has_legend)}")
        browser.wait("window.isReady?.()")
        browser.evaluate("play(3)")
        if profile:
            browser.call("Profiler.enable")
            browser.call("Profiler.start")
        found = {"all": 0, "times": []}
        # The browser must answer within a minute.
        while len(found["times"]) < steps:
            more = browser.evaluate(f"play({min(steps, 57)})")
            found = {"all": more["all"], "times": found["times"] + more["times"]}
        if profile:
            with open(profile, "w") as file:
                json.dump(browser.call("Profiler.stop")["profile"], file)
        return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pyramid")
    parser.add_argument("libraries")
    parser.add_argument("--points", type=int, default=1_000_000)
    parser.add_argument("--steps", type=int, default=114)
    parser.add_argument("--profile")
    a = parser.parse_args()
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as folder:
        write_dated(f"{folder}/rows.csv", a.points)
        options = ["--bundle", "256", "--filter-by", "opened:month,kind", "--quiet"]
        subprocess.run([a.pyramid, "build", f"{folder}/rows.csv", f"{folder}/points", *options], check=True)
        os.mkdir(f"{folder}/pages")
        with open(f"{folder}/pages/steps.html", "w") as file:
            file.write(PAGE)
        server = Examples(a.libraries, {name: f"{folder}/{name}" for name in ("pages", "points")})
        print(f"{'':24}{'markers':>10}{'filter':>10}{'frame':>10}{'together':>10}{'slowest':>10}{'pixels':>10}")
        for name, view in VIEWS.items():
            for has_legend in (False, True):
                found = measured(server, view, has_legend, a.steps, a.profile and f"{a.profile}.{view[2]}.{int(has_legend)}.cpuprofile")
                called, drawn, painted = zip(*found["times"])
                both = [one + other for one, other in zip(called, drawn)]
                figures = [*map(statistics.median, (called, drawn, both)), max(both), statistics.median(painted)]
                print(
                    f"{name + (', legend' if has_legend else ''):24}{found['all']:10,}" + "".join(f"{figure:10.1f}" for figure in figures), flush=True
                )


main()
