#!/usr/bin/env python3
"""Makes world.js: the coast lines, country borders, countries and cities that the preview page draws behind the markers.

Source:  Natural Earth 1:110m (https://www.naturalearthdata.com), countries and populated places, in the public domain,
         as the Python package geopandas 0.14.4 carries them.
Usage:   pip download geopandas==0.14.4 --no-deps --only-binary :all:
         python3 world.py geopandas-0.14.4-py3-none-any.whl > world.js

The outlines of the countries are rounded to hundredths of a degree, a fifth of a pixel at zoom 5. A segment of two
countries is a border, a segment of one is coast; so each is written once. The antimeridian is neither: outlines that end
there are joined across it and go on beyond 180 degrees. Antarctica's goes around the pole, so that its last point is its
first one, 360 degrees on. No outline is simplified.

The name of a country stands in the middle of the widest part of its largest outline, from west to east on the map.

A line is a string of numbers: longitude and latitude of its first point, then the steps to the others, all in hundredths
of a degree. A number n >= 0 is written as 2n and n < 0 as -2n - 1, five bits to a digit, the lowest first; 32 is added to
every digit but a number's last. Digits are A-Z, a-z, 0-9, - and _.
"""

import collections
import struct
import sys
import zipfile

PER_DEGREE = 100
AROUND = 360 * PER_DEGREE
DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
# Names that the table of cities can't spell, spells oddly, or that have changed since.
NAMES = {"Chi?in?u": "Chișinău", "?saka": "Osaka", "Washington,  D.C.": "Washington, D.C.", "Nur-Sultan": "Astana", "København": "Copenhagen"}


def shapes(file):
    """The shapes of a .shp file: rings of points for polygons, one ring of one point for points.

    Source: ESRI Shapefile Technical Description, 1998.
    """
    offset = 100
    while offset < len(file):
        length = 2 * struct.unpack_from(">i", file, offset + 4)[0]
        offset += 8
        kind = struct.unpack_from("<i", file, offset)[0]
        if kind == 1:
            yield [[struct.unpack_from("<2d", file, offset + 4)]]
        elif kind == 5:
            parts, points = struct.unpack_from("<2i", file, offset + 36)
            starts = list(struct.unpack_from(f"<{parts}i", file, offset + 44)) + [points]
            places = [struct.unpack_from("<2d", file, offset + 44 + 4 * parts + 16 * index) for index in range(points)]
            yield [places[first:last] for first, last in zip(starts, starts[1:])]
        else:
            raise SystemExit(f"found a shape of type {kind}, expected 1 or 5")
        offset += length


def names(file):
    """The column "name" of a .dbf file."""
    rows, head, size = struct.unpack_from("<IHH", file, 4)
    offset, start = 32, 1
    while file[offset : offset + 11].rstrip(b"\0") != b"name":
        start += file[offset + 16]
        offset += 32
    for row in range(rows):
        begin = head + row * size + start
        yield file[begin : begin + file[offset + 16]].decode("latin-1").strip()


def quantised(ring):
    """The ring's points on the grid, x from -180 to 180 degrees exclusive, each once in a row."""
    points = [(round(x * PER_DEGREE), round(y * PER_DEGREE)) for x, y in ring]
    points = [((x + AROUND // 2) % AROUND - AROUND // 2, y) for x, y in points]
    return [point for index, point in enumerate(points) if index == 0 or point != points[index - 1]]


def east(start, end):
    """The steps from one x to another, the short way round."""
    return (end - start + AROUND // 2) % AROUND - AROUND // 2


def segments_by_use(countries):
    """The segments of the coast, in the direction of their rings, and those of the borders."""
    # One country uses segments along the antimeridian in both directions, so they are told from borders by their place.
    uses = collections.Counter()
    for country in countries:
        for ring in country:
            points = quantised(ring)
            for start, end in zip(points, points[1:]):
                if not start[0] == end[0] == -AROUND // 2:
                    uses[start, end] += 1
    back = collections.Counter({(end, start): count for (start, end), count in uses.items()})
    return list((uses - back).elements()), [segment for segment in uses & back if segment[0] < segment[1]]


def rings_of(segments):
    """Chains directed segments to rings; the first point is repeated at the end, or is 360 degrees on there."""
    after = collections.defaultdict(list)
    for start, end in sorted(segments, reverse=True):
        after[start].append(end)
    rings = []
    for first in sorted(after):
        while after[first]:
            ring, place = [first], first
            while True:
                next_place = after[place].pop()
                ring.append((ring[-1][0] + east(place[0], next_place[0]), next_place[1]))
                place = next_place
                if place == first:
                    break
            # Its western end is within the world, whichever point comes first.
            shift = (min(x for x, _ in ring) + AROUND // 2) // AROUND * AROUND
            rings.append([(x - shift, y) for x, y in ring])
    return rings


def lines_of(segments):
    """Chains segments to lines that end where three or more meet."""
    beside = collections.defaultdict(set)
    for start, end in segments:
        beside[start].add(end)
        beside[end].add(start)
    nodes = sorted(place for place in beside if len(beside[place]) != 2)
    lines = []
    for first in nodes + sorted(beside):
        while beside[first]:
            line, place = [first], first
            while beside[place]:
                next_place = min(beside[place])
                beside[place].discard(next_place)
                beside[next_place].discard(place)
                line.append((line[-1][0] + east(place[0], next_place[0]), next_place[1]))
                place = next_place
                if place in nodes:
                    break
            lines.append(line)
    return lines


def widest(country):
    """The middle of the widest part of a country's largest outline, and its width, in hundredths of a degree."""
    places, best = [], (0, 0, 0)
    ring = max(country, key=lambda ring: abs(sum(a * d - b * c for (a, b), (c, d) in zip(ring, ring[1:]))))
    for x, y in quantised(ring):
        places.append((places[-1][0] + east(places[-1][0], x) if places else x, y))
    low, high = min(y for _, y in places), max(y for _, y in places)
    for step in range(1, 24):
        y = low + (high - low) * step / 24
        crossed = sorted(
            start_x + (end_x - start_x) * (y - start_y) / (end_y - start_y)
            for (start_x, start_y), (end_x, end_y) in zip(places, places[1:])
            if min(start_y, end_y) <= y < max(start_y, end_y)
        )
        for west, east_end in zip(crossed[::2], crossed[1::2]):
            best = max(best, (east_end - west, (west + east_end) / 2, y))
    width, x, y = best
    return (x + AROUND / 2) % AROUND - AROUND / 2, y, width


def number(value):
    value = 2 * value if value >= 0 else -2 * value - 1
    text = ""
    while value >= 32:
        text += DIGITS[32 + value % 32]
        value //= 32
    return text + DIGITS[value]


def encoded(line):
    text = number(line[0][0]) + number(line[0][1])
    for (x, y), (next_x, next_y) in zip(line, line[1:]):
        text += number(next_x - x) + number(next_y - y)
    return text


def array(name, texts):
    return f"export const {name} = [\n" + "".join(f'  "{text}",\n' for text in texts) + "];\n"


def main():
    with zipfile.ZipFile(sys.argv[1]) as wheel:

        def read(name):
            return wheel.read(f"geopandas/datasets/{name}")

        countries = list(shapes(read("naturalearth_lowres/naturalearth_lowres.shp")))
        country_names = list(names(read("naturalearth_lowres/naturalearth_lowres.dbf")))
        places = [shape[0][0] for shape in shapes(read("naturalearth_cities/naturalearth_cities.shp"))]
        cities = list(zip(names(read("naturalearth_cities/naturalearth_cities.dbf")), places))
    coast, borders = segments_by_use(countries)
    rings, lines = rings_of(coast), lines_of(borders)
    named = sorted(((width, x, y, name) for (x, y, width), name in zip(map(widest, countries), country_names)), reverse=True)
    assert not any("?" in name for name in [*country_names, *(NAMES.get(name, name) for name, _ in cities)]), "a name is damaged"
    sys.stdout.write(
        "// Made by world.py, which says how: Natural Earth 1:110m, public domain.\n\n"
        "// The outlines of the land and of its inland seas.\n"
        + array("coastLines", map(encoded, rings))
        + "\n// Borders of countries.\n"
        + array("borderLines", map(encoded, lines))
        + "\n// Countries, the widest ones first: longitude and latitude of the name, width in degrees, name.\n"
        + array("countryLines", (f"{x / 100:.1f} {y / 100:.1f} {width / 100:.1f} {name}" for width, x, y, name in named if width >= 100))
        # Natural Earth lists the most important ones last.
        + "\n// Cities, the most important ones first: longitude, latitude, name.\n"
        + array("cityLines", (f"{x:.2f} {y:.2f} {NAMES.get(name, name)}" for name, (x, y) in reversed(cities)))
    )
    print(f"{len(rings)} outlines of {len(coast)} segments, {len(lines)} borders of {len(borders)}, {len(cities)} cities", file=sys.stderr)
    print("the smallest outlines:", sorted((len(ring), ring[0]) for ring in rings)[:8], file=sys.stderr)


main()
