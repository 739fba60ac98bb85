#!/usr/bin/env python3
"""Compares two `pyramid` programs over many random inputs and options, byte by byte; or one of them with itself.

    compare.py OLD NEW [--cases N] [--seed S] [--only WORD] [--from I] [--messages] [--all]
    compare.py PROGRAM [--cases N] ...

One program alone must write the same for rows in another order and other numbers of jobs, in parts, with a schema, and joined from parts,
and in place of another tileset what it writes where there is none; and `verify` must find that it is what the input makes. Before the random cases come
fixed ones: every position and every shape of output, of the samples and of some 20,000 rows with whatever rows can be.

Each case builds the same input with the same options by both programs, then compares:
  exit codes; the archives, or the whole trees (tiles, bundles, manifest.json, tilejson.json, files.tsv, index.html);
  the numbers of the --json summary (times and memory left out); a second build over the first after rows changed;
  the exit code of `verify`; what `show` prints of one tile (and, with --messages, of the whole); what `diff` prints.
Where the two write different format versions, lists and manifests may differ; tiles, bundles and tilejson.json may
not, nor may the directories and the tile data of archives.
With --messages the words count too: standard error of every command, and the texts of the summaries.
Stops at the first difference (unless --all), keeps its directory and prints the commands that repeat it; exits with 1.
Case I of seed S is always the same: repeat one with `--seed S --from I --cases 1`.
"""

import argparse
import csv
import gzip
import io
import itertools
import json
import math
import os
import random
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from workshop import tree

INPUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Input")


# ---------------------------------------------------------------- inputs


def chance(r, p):
    return r.random() < p


class Source:
    """Rows as dictionaries, and what columns are good for which options. With a point, CSV has both coordinates in a column "location",
    written like this."""

    point = None
    encoding, skipped_lines = "utf-8", 0
    delimiter = None

    def __init__(self, rows, columns, lon, lat, numbers=(), wholes=(), texts=(), flags=(), ids=()):
        self.rows, self.columns, self.lon, self.lat = rows, list(columns), lon, lat
        self.numbers, self.wholes, self.texts, self.flags, self.ids = map(list, (numbers, wholes, texts, flags, ids))


WORDS = [
    "harbour",
    "Zürich",
    "北京",
    'a "quoted" word',
    "comma, inside",
    "semi;colon",
    "two\nlines",
    " lead",
    "trail ",
    "",
    "true",
    "42",
    "4.20",
    "007",
    "1e5",
    "-0",
    "null",
    "emoji 🦊",
    "tab\there",
    "O'Hare",
    "x" * 90,
    "back\\slash",
    "</script>",
]


def place(r, state):
    kind = r.random()
    if kind < 0.12 and state:
        return r.choice(state)  # coincident
    if kind < 0.2 and state:  # a micro-degree or some away
        lon, lat = r.choice(state)
        return (
            max(-180, min(180, round(lon + r.choice([0, 1e-6, -1e-6, 1e-4, 3e-3]), 6))),
            max(-90, min(90, round(lat + r.choice([0, 1e-6, -1e-6, 1e-4, 3e-3]), 6))),
        )
    if kind < 0.27:
        lon = r.choice([180, -180, 179.999999, -179.999999, 179.5 + r.random() / 2, -180 + r.random() / 2])
        return round(lon, 6), round(r.uniform(-80, 80), 6)
    if kind < 0.31:
        return round(r.uniform(-180, 180), 6), r.choice([90, -90, 85.06, -85.06, 85.0511, -85.0511, 85.051129, 89.9])
    if kind < 0.34:
        return r.choice([0, -0.0, 90, -90, 45, 1e-7, -1e-7]), r.choice([0, 0.0, -1e-7, 45, -45])
    if kind < 0.6:
        return round(r.uniform(-180, 180), r.choice([0, 1, 6, 9])), round(r.uniform(-85, 85), r.choice([0, 1, 6, 9]))
    if "towns" not in r.__dict__:
        r.towns = [(r.uniform(-170, 170), r.uniform(-70, 70)) for _ in range(r.randint(1, 6))]
    x, y = r.choice(r.towns)
    s = r.choice([0.001, 0.01, 0.1, 1])
    return round(x + r.gauss(0, s), 6), round(max(-90, min(90, y + r.gauss(0, s))), 6)


def decimal(r):
    return r.choice(
        [
            str(r.randint(-99, 9999)),
            f"{r.uniform(-50, 50):.2f}",
            f"{r.uniform(0, 1):.3f}",
            "0",
            "-0.5",
            "1.50",
            f"{r.randint(1, 9)}e{r.randint(-2, 3)}",
        ]
    )


def synthetic(r, count):
    state, rows = [], []
    pure = chance(r, 0.7)  # `number` holds numbers alone
    for i in range(count):
        lon, lat = place(r, state)
        state.append((lon, lat))
        rows.append(
            {
                "key": f"k{i}" if chance(r, 0.97) else f"k{r.randint(0, i)}",
                "name": r.choice(WORDS) if chance(r, 0.5) else f"place {i}",
                "lon": lon,
                "lat": lat,
                "number": "" if chance(r, 0.1) else (decimal(r) if pure or chance(r, 0.95) else "n/a"),
                "whole": "" if chance(r, 0.05) else str(r.choice([0, 1, 1, 2, 5, 100, r.randint(0, 10**6)])),
                "kind": r.choice(["hotel", "inn", "inn", "Café", "24", "24.0", "", "True", "true", "bar, pub"]),
                "region": r.choice(["north", "south", "", "east"]),
                "flag": r.choice(["0", "1", "", "no", "false", "true", "yes", "off"] if chance(r, 0.3) else ["0", "", "0", "no"]),
                "year": str(r.randint(1900, 2024)),
            }
        )
    columns = ["key", "name", "lon", "lat", "number", "whole", "kind", "region", "flag", "year"]
    if chance(r, 0.5):
        middle = columns[4:]
        r.shuffle(middle)
        columns = columns[:4] + middle
    return Source(
        rows,
        columns,
        "lon",
        "lat",
        numbers=["number", "whole", "year"],
        wholes=["whole", "year"],
        texts=["name", "kind", "region", "year"],
        flags=["flag", "kind", "region"],
        ids=["key"],
    )


def table(path, delimiter=","):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter=delimiter))


CACHE = {}


def sample(r, count):
    which = r.choice(["airports", "capitals"])
    if which not in CACHE:
        CACHE[which] = table(f"{INPUT}/{which}.csv", ";" if which == "airports" else ",")
    rows = CACHE[which]
    rows = rows[:count] if chance(r, 0.5) else r.sample(rows, min(count, len(rows)))
    rows = [dict(row) for row in rows]
    columns = list(rows[0])
    if which == "airports":
        return Source(
            rows, columns, "lon", "lat", numbers=["elevation_ft"], wholes=["elevation_ft"], texts=["country", "city"], flags=["country"], ids=["iata"]
        )
    return Source(
        rows,
        columns,
        "longitude",
        "latitude",
        numbers=["population"],
        wholes=["population"],
        texts=["continent", "country"],
        flags=["continent"],
        ids=["city"],
    )


BAD_CSV = ["{0},x,91.5,200", "only one field", "a,,,", "a,1,2,3,4,5,6,7,8,9,10,11,12,13", "b,east,north,1", '"q"x,1,2']
OPEN_CSV = '"open'  # and all that follows


def csv_text(r, source, rows, order=None):
    delimiter = source.delimiter or r.choice([",", ",", ",", ";", "\t", "|"])
    end = r.choice(["\n", "\n", "\n", "\r\n", "\r"])
    lon, lat = source.lon, source.lat
    columns = [c for c in source.columns if not source.point or c != lat]
    quoted = chance(r, 0.15)

    def cell(value):
        text = (
            ""
            if value is None
            else (str(value).lower() if isinstance(value, bool) else json.dumps(value) if isinstance(value, (dict, list)) else str(value))
        )
        if quoted or any(c in text for c in (delimiter, '"', "\n", "\r")) or (text and chance(r, 0.02)):
            return '"' + text.replace('"', '""') + '"'
        return text

    lines = [delimiter.join(cell("location" if source.point and c == lon else c) for c in columns)]
    bad = chance(r, 0.3)
    comma = delimiter == ";" and chance(r, 0.05) and not source.point
    for row in rows:
        cells = {c: cell(row.get(c)).replace(".", "," if comma and c in (lon, lat) else ".") for c in columns}
        if source.point:
            cells[lon] = cell(source.point.format(lon=row[lon], lat=row[lat]))
        lines.append(delimiter.join(cells.values()))
        if bad and chance(r, 0.03):
            lines.append(r.choice(BAD_CSV + ([] if order else [OPEN_CSV])).replace(",", delimiter).format("z"))
    if chance(r, 0.1):
        lines.append("")
    if order:
        lines[1:] = order.sample(lines[1:], len(lines) - 1)
    lines[:0] = [delimiter.join(["Source"] * r.randint(1, 9)) for _ in range(source.skipped_lines)]
    text = end.join(lines) + (end if chance(r, 0.8) or order or not lines[-1] else "")
    if source.encoding != "utf-8":
        return text.encode(source.encoding, "replace")
    kind = r.random()
    if kind < 0.06:
        return b"\xef\xbb\xbf" + text.encode()
    if kind < 0.1:
        return text.encode("utf-16") if chance(r, 0.1) else text.encode()
    if kind < 0.13 and not order:
        return text.encode()[:-3] + b"\xff\xfe\x80"
    return text.encode()


BAD_FEATURES = [
    '{"type":"Feature","geometry":null,"properties":{"a":1}}',
    '{"type":"Feature","geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]},"properties":{}}',
    '{"type":"Feature","geometry":{"type":"Point","coordinates":[200,95]},"properties":{}}',
    '{"type":"Feature","geometry":{"type":"Point","coordinates":["1","2"]},"properties":{}}',
    '{"type":"Feature","geometry":{"type":"Point","coordinates":[1]},"properties":null}',
    '{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"a":1,"a":2}}',
    '{"type":"Point","coordinates":[1,2]}',
    '{"type":"Feature","id":[1],"geometry":{"type":"Point","coordinates":[1,2]},"properties":null}',
    '{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"a":1e999}}',
    '{"type":"Feature","properties":{"a":"\\ud800"},"geometry":{"type":"Point","coordinates":[1,2]}}',
]


FEATURE_ID = "id of the feature"  # in rows whose ids must be distinct, in all files; not a column


def number_or_text(r, value):
    if isinstance(value, str) and chance(r, 0.9):
        try:
            number = json.loads(value)
            if isinstance(number, (int, float)) and not isinstance(number, bool):
                return number
        except ValueError:
            pass
    return value


def geojson_text(r, source, rows, order=None):
    has_ids = chance(r, 0.5)
    ascii_only, nested, bad = chance(r, 0.3), chance(r, 0.1), chance(r, 0.3)
    features = []
    for i, row in enumerate(rows):
        properties = {
            c: number_or_text(r, row.get(c))
            for c in source.columns
            if c not in (source.lon, source.lat) and (row.get(c) not in ("", None) or chance(r, 0.1))
        }
        if nested and chance(r, 0.3):
            properties["deep"] = r.choice([[1, 2, {"a": None}], {"b": [True, False], "c": "é"}, [], {}])
        feature = {"type": "Feature"}
        if has_ids and chance(r, 0.95):
            feature["id"] = row.get(FEATURE_ID, r.choice([i, f"f{i}", i]) if chance(r, 0.97) else 1)
        feature["geometry"] = {
            "type": "Point",
            "coordinates": [row_number(row[source.lon]), row_number(row[source.lat])] + ([r.randint(0, 99)] if chance(r, 0.05) else []),
        }
        feature["properties"] = properties if properties or chance(r, 0.5) else None
        if chance(r, 0.1):
            feature = dict(reversed(list(feature.items())))
        features.append(json.dumps(feature, ensure_ascii=ascii_only, separators=r.choice([(",", ":"), (", ", ": ")])))
        if bad and chance(r, 0.03):
            features.append(r.choice(BAD_FEATURES))
    if order:
        order.shuffle(features)
    form = r.random()
    if form < 0.4:
        text = '{"type":"FeatureCollection","name":"x",\n"features":[\n' + ",\n".join(features) + "\n]}"
    elif form < 0.75:
        text = "\n".join(features) + "\n"
    elif form < 0.9:
        text = "[" + ",".join(features) + "]"
    else:
        text = "".join("\x1e" + f + "\n" for f in features)
    return text.encode()


def row_number(value):
    return value if isinstance(value, (int, float)) else float(value)


def write_inputs(source, directory, rows, form, format, order=None):
    """Writes the rows as files; the form (cuts, gzip, formats if any will do) is repeatable by its own generator, so is their order."""
    os.makedirs(directory, exist_ok=True)
    f = random.Random(form)
    parts = 1 if f.random() < 0.7 else min(f.randint(2, 4), max(1, len(rows)))
    names = []
    for part in range(parts):
        mine = rows[part::parts] if parts > 1 else rows
        as_csv = f.random() < 0.6 if format == "any" else format == "csv"
        bytes_ = (csv_text if as_csv else geojson_text)(f, source, mine, order)
        name = f"part{part}." + ("csv" if as_csv else "json")
        if f.random() < 0.15:
            bytes_ = gzip.compress(bytes_, 1, mtime=0)
            name += ".gz"
        with open(os.path.join(directory, name), "wb") as file:
            file.write(bytes_)
        names.append(name)
    return names


# ---------------------------------------------------------------- options


def by_zoom(r, values, top):
    if chance(r, 0.75) or top < 2:
        return str(r.choice(values))
    cut = r.randint(0, top - 1)
    if chance(r, 0.7):
        return f"0-{cut}:{r.choice(values)},{cut + 1}-:{r.choice(values)}"
    later = r.randint(cut + 1, top + 1)
    return f"0-{cut}:{r.choice(values)},{cut + 1}-{later}:{r.choice(values)},{later + 1}-:{r.choice(values)}"


POINTS = [("{lat}, {lon}", ""), ("{lon} {lat}", ":lon-lat"), ("POINT ({lon} {lat})", ""), ("[{lon}, {lat}]", "")]


def options(r, source, count, format):
    """Options that are valid but for a few; never a name that only one of the programs could know."""
    o = []
    is_csv = format == "csv" or chance(r, 0.03)
    column = lambda names: r.choice(names) if names and chance(r, 0.96) else r.choice(source.columns)
    deepest = 17 if count < 60 else 14 if count < 300 else 9 if count < 1000 else 7
    auto = chance(r, 0.12)
    top = 20 if auto else r.randint(0 if chance(r, 0.1) else 2, deepest)
    if count < 60 and not auto and chance(r, 0.05):
        top = r.choice([20, 22, 23])
    if auto:
        o += ["--max-zoom", "auto"]
    else:
        o += ["--max-zoom", str(top)]
    if chance(r, 0.25):
        o += ["--min-zoom", str(r.randint(0, min(top, 6) if auto else top))]
    if not auto and chance(r, 0.3):
        o += ["--cluster-maxzoom", str(r.randint(-1, top - 1))]
    is_filter = chance(r, 0.12)
    if is_filter:
        o += ["--mode", "filter"]
    else:
        if chance(r, 0.5):
            o += ["--position", r.choice(["anchor", "centroid"])]
        if chance(r, 0.25):
            o += ["--min-points", str(r.choice([2, 2, 3, 4, 10]))]
        if chance(r, 0.2):
            o += ["--coincident-limit", str(r.choice([1, 1, 2, 3, 9, 100]))]
    scale = 1
    if chance(r, 0.2):
        scale = r.choice([1, 2])
        o += ["--tile-size", str(256 * scale)]
    if chance(r, 0.65):
        small = [scale, 3, 5, 8, 12, 16, 20, 32, 40, 60, 64, 77, 100, 128, 200, 256 * scale]
        o += ["--cluster-distance", by_zoom(r, small, top)]
    if chance(r, 0.2):
        o += ["--priority", column(source.numbers)]
    if chance(r, 0.2):
        o += ["--weight", column(source.wholes or source.numbers)]
    free = [c for c in source.columns if c not in (source.lon, source.lat)]
    taken = set()  # a cluster has one value under a name

    def once(names):
        names = [n for n in names if n not in taken or chance(r, 0.005)]
        name = r.choice(names) if names else None
        taken.add(name)
        return name

    if chance(r, 0.15):
        o += ["--group-by", once(source.texts)]
    if chance(r, 0.2):
        name = column(source.flags)
        o += ["--unclustered", name if chance(r, 0.5) else name + "=" + r.choice(["1", "true", "24", "north", "NY", "US", "yes"])]
    has_id = chance(r, 0.35)
    if has_id:
        o += ["--id-column", column(source.ids)]
    if not is_filter:
        for _ in range(r.choice([0, 0, 0, 1, 1, 2, 3])):
            operation = r.choice(["sum", "min", "max", "mean", "count", "concat", "comma"])
            numeric = operation in ("sum", "min", "max", "mean")
            name = once(source.numbers if numeric and chance(r, 0.97) else free)
            if name:
                o += ["--accumulate-attribute", f"{name}:{operation}" + r.choice(["", "", "", f":{operation} of {name}"])]
        for _ in range(r.choice([0, 0, 0, 1, 1, 2])):
            name = once(source.texts if chance(r, 0.9) else free)
            if name:
                o += ["--count-by", name + r.choice(["", "", ":1", ":3", ":1000"])]
        if chance(r, 0.15):
            name = r.choice(source.texts)
            if chance(r, 0.3):
                name += r.choice([":month", ":day"])
                o += ["--date-format", r.choice(["DD.MM.YYYY", "YYYY-MM-DD"])]
            o += ["--filter-by", name + (f",{r.choice(source.numbers)}:0:10:1000" if chance(r, 0.5) else "")]
        if chance(r, 0.2):
            names = {once(free) for _ in range(r.randint(1, 3))} - {None}
            if names:
                o += ["--cluster-properties", ",".join(sorted(names))]
        if chance(r, 0.3):
            o += ["--count-label", r.choice(["abbreviated", "exact", "99+"])]
        if chance(r, 0.3):
            if chance(r, 0.5):
                o += ["--member-properties", ",".join(r.sample(free, min(len(free), r.randint(1, 3))))]
                o += ["--members", str(r.choice([1, 3, 10, 100]))]
            elif has_id:
                o += ["--members", str(r.choice([1, 2, 5, 50]))]
    if chance(r, 0.15):
        o += ["--include", ",".join(r.sample(free, min(len(free), r.randint(1, 4))))]
    elif chance(r, 0.15):
        o += ["--exclude", ",".join(r.sample(free, min(len(free), r.randint(1, 2))))]
    if is_csv and chance(r, 0.2):
        source.point, order = r.choice(POINTS)
        if order or chance(r, 0.7):  # else it is found by its name
            o += ["--point-column", "location" + order]
    elif is_csv and chance(r, 0.1):
        o += ["--longitude-column", source.lon, "--latitude-column", source.lat]
    if is_csv and chance(r, 0.25):
        kinds = [("string", source.texts), ("number", source.numbers), ("boolean", source.flags)]
        types = {r.choice(names): kind for kind, names in r.sample(kinds, r.randint(1, 3))}
        o += ["--types", ",".join(f"{name}:{kind}" for name, kind in types.items())]
    if format == "csv" and chance(r, 0.15):
        source.encoding, source.skipped_lines = r.choice(["utf-8", "utf-16"]), r.randint(0, 3)
        o += ["--skip-lines", str(source.skipped_lines)]
    if format == "csv" and chance(r, 0.1):
        source.delimiter = r.choice([":", "~", ";", "\t"])
        o += ["--delimiter", source.delimiter]
    if chance(r, 0.08):
        o += r.choice([["--strict"], ["--strict"], ["--max-skipped", r.choice(["0", "3", "50%", "100%"])]])
    plain = chance(r, 0.15)
    if chance(r, 0.25):
        o += ["--tile-suffix", r.choice([".geojson", ".json", ".x.json"] + ([] if plain else [".json.gz", ".geojson.gz"]))]
    if plain or chance(r, 0.1):
        o += ["--compression", "none" if plain else "gzip"]
    if chance(r, 0.2):
        o += ["--compression-level", r.choice("1469")]
    if chance(r, 0.15):
        o += ["--base-url", r.choice(["https://tiles.example/a/", "http://h:8080/p"])]
    if chance(r, 0.15):
        o += ["--name", r.choice(["Zip codes", 'Städte "x"', "<b>"])]
    if chance(r, 0.15):
        o += ["--attribution", '<a href="https://x.example">©</a>', "--description", "Places"]
    if chance(r, 0.1):
        o += ["--preview"] + r.choice([[], ["--basemap", "https://t.example/{z}/{x}/{y}.png", "--basemap-attribution", "© X"]])
    if chance(r, 0.2):
        o += ["--bundle", str(r.choice([1, 3, 10, 64, 256, 10_000]))]
    if chance(r, 0.6):
        o += ["--jobs", r.choice(["1", "2", "3", "7"])]
    if chance(r, 0.95):
        o += ["--no-sync"]
    if "--bundle" not in o and chance(r, 0.25):
        o += ["--format", r.choice(["mvt", "mvt", "geojson"])]
        if o[-1] == "mvt":
            o += r.choice([[], ["--layer", "shops"], ["--layer", 'Städte "x"']])
    return o


def split(options, names):
    """The options with these names, and the others, all with their values."""
    found = ([], [])
    for word in options:
        if word.startswith("--"):
            side = found[word not in names]
        side.append(word)
    return found


FOR_JOIN = {"--preview", "--basemap", "--basemap-attribution", "--max-skipped"}  # and not for parts
RUNNING = FOR_JOIN | {"--strict", "--jobs", "--no-sync", "--memory-limit"}
READING = {"--id-column", "--max-skipped", "--strict", "--skip-lines", "--delimiter"}
# Of `build`, and in no random case: they are no part of what is built, need a network, or are other spellings.
OTHERS = {"--help", "--help-hidden", "--version", "--quiet", "--sync", "--leaflet"}


def check_flags(program, seed):
    """Fails if there is a flag of `build` that no random case would use."""
    known = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", subprocess.run([program, "build", "--help-hidden"], capture_output=True, text=True).stdout))
    used = OTHERS | {"--json", "--force", "--schema", "--part", "--cut-zoom"}  # the last five are of ways to build
    for number in range(600):
        used |= {word for word in Case(number, seed, shuffles=False).options if word.startswith("--")}
        if number % 50 == 0 and not known - used:
            return
    if known - used:
        sys.exit(f"compare.py: no random case uses {', '.join(sorted(known - used))} of `build`")


def occupied(source, zoom):
    """How many rows are in each tile, about: a plan decides only about memory."""
    counts, width = {}, 1 << zoom
    for row in source.rows:
        lon, lat = row_number(row[source.lon]), max(-85.05, min(85.05, row_number(row[source.lat])))
        x, y = (lon + 180) / 360, 0.5 - math.asinh(math.tan(math.radians(lat))) / (2 * math.pi)
        tile = "/".join(str(max(0, min(width - 1, int(at * width)))) for at in (x, y))
        counts[tile] = counts.get(tile, 0) + 1
    return counts


# ---------------------------------------------------------------- running and comparing


class Different(Exception):
    pass


def run(program, arguments, directory, stdin=None):
    with open(stdin, "rb") if stdin else open(os.devnull, "rb") as source:
        done = subprocess.run([program, *arguments], cwd=directory, stdin=source, capture_output=True, timeout=600)
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")


MASKED = re.compile(r"^time  .*$|\b\d[\d,.]* (s|ms|kB|MB|GB|min)\b", re.MULTILINE)


def masked(text):
    return MASKED.sub("#", text)


def excerpt(old, new):
    """Where two files differ first; gzip is taken off if what it holds differs."""
    if old[:2] == b"\x1f\x8b" == new[:2]:
        try:
            a, b = gzip.decompress(old), gzip.decompress(new)
            if a == b:
                return "(same content, compressed differently)"
            old, new = a, b
        except OSError:
            pass
    old, new = (re.sub(rb'"checksum" : "[0-9a-f]*"', b'"checksum" : "..."', t, count=1) for t in (old, new))
    at = next((i for i, (a, b) in enumerate(zip(old, new)) if a != b), min(len(old), len(new)))
    start = max(0, at - 80)
    return f"at byte {at}\n    old ...{old[start : at + 120]!r}\n    new ...{new[start : at + 120]!r}"


def sections(archive):
    """What is in a PMTiles archive, by name; the metadata without the manifest."""
    numbers = struct.unpack("<8Q", archive[8:72])
    found = {
        name: archive[numbers[i] : numbers[i] + numbers[i + 1]]
        for name, i in (("root directory", 0), ("metadata", 2), ("leaf directories", 4), ("tile data", 6))
    }
    metadata = json.loads(gzip.decompress(found["metadata"]))
    version = metadata.pop("pyramid")["format_version"]
    return {**found, "metadata": json.dumps(metadata).encode(), "header": archive[72:127]}, version


def without_versions(a, b):
    """The trees as far as they are comparable: without lists and manifests if they are of different format versions."""
    if "" in a and "" in b:  # archives
        (a_sections, a_version), (b_sections, b_version) = sections(a[""]), sections(b[""])
        return (a, b) if a_version == b_version else (a_sections, b_sections)
    versions = [json.loads(t["manifest.json"])["format_version"] for t in (a, b) if "manifest.json" in t]
    if len(set(versions)) < 2:
        return a, b
    return tuple({p: t[p] for p in t if p != "manifest.json" and not p.endswith(".tsv")} for t in (a, b))


def without_lists(text):
    """What `diff` prints, without the lists of files."""
    try:
        value = json.loads(text)
        return {kind: [p for p in paths if not p.endswith(".tsv")] for kind, paths in value.items()}
    except ValueError:
        return [line for line in text.splitlines() if not line.endswith(b".tsv")]


def same_trees(old, new, what):
    a, b = without_versions(tree(old), tree(new))
    for paths, side in ((a.keys() - b.keys(), "old"), (b.keys() - a.keys(), "new")):
        if paths:
            raise Different(f"{what}: only {side} wrote {len(paths)} files: {', '.join(sorted(paths)[:5])}")
    for path in sorted(a, key=lambda p: (not p.startswith(("tiles/", "bundles/")), p == "manifest.json", p)):
        if a[path] != b.get(path) and path in b:
            raise Different(f"{what}: {path} differs {excerpt(a[path], b[path])}")
    return a


def summary(text, texts):
    """The numbers of a --json summary without times and memory; of the texts all, how many there are, or nothing."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    for name in ("seconds", "peak_memory_bytes", "parts"):
        value.pop(name, None)
    for name in ("warnings", "notes", "examples"):
        value[name] = {"all": value.get(name), "count": len(value.get(name, []))}.get(texts)
    return value


# Only parts need two zooms with clusters; whether there are, isn't known before the max zoom is chosen.
CANNOT = "it can't be done in parts because of fewer than two zooms with clusters"


class Case:
    def __init__(self, number, seed, shuffles):
        """shuffles: whether only the second side is built in the case's way, from its rows in another order, by other jobs."""
        self.number = number
        self.shuffles = shuffles
        r = random.Random(f"{seed}-{number}")
        count = max(1, round(math.exp(r.uniform(0, math.log(3000)))))
        self.source = sample(r, count) if chance(r, 0.35) else synthetic(r, count)
        self.form = f"{seed}-{number}-form"
        self.format = r.choice(["csv", "csv", "geojson", "geojson", "geojson", "any"])
        self.options = options(r, self.source, len(self.source.rows), self.format)
        self.stdin = chance(r, 0.05)
        self.way = self.a_way(r)
        if self.way in ("schema", "joined"):  # parts refuse repeated ids, and a schema states types of rows that are left out
            self.source.ids.append(FEATURE_ID)
            for i, row in enumerate(self.source.rows):
                row.update({name: f"{row[name]} {i}" if name in row else i if i % 2 else f"f{i}" for name in self.source.ids})
        # The rows to keep while reading, the most of a part, and the markers to join.
        count = len(self.source.rows)
        self.limits = [r.randint(1, max(1, count // 2)), max(2, count // r.choice([4, 10, 30])), 64 << r.randint(0, 12)]
        if self.way in ("whole", "schema") and chance(r, 0.1):  # the last is too little for any build
            self.options += ["--memory-limit", r.choice(["none", "available", "1T", "16M"])]
        self.foreign = chance(r, 0.03)
        self.shows_json = chance(r, 0.8)
        is_archive = not any(o in self.options for o in ("--bundle", "--preview", "--base-url", "--tile-suffix", "--compression")) and chance(r, 0.5)
        self.output = "out.pmtiles" if is_archive else "out"
        self.foreign = self.foreign and not is_archive and not shuffles
        self.jobs = r.choice(["1", "2", "3", "7"])
        self.random = r

    def a_way(self, r):
        """How the tileset is built: at once, in parts because of limits, with a schema, or by hand from parts that are joined."""
        if chance(r, 0.2 if len(self.source.rows) >= 20 else 0.7):
            return "whole"
        given = dict(zip(self.options, self.options[1:]))
        first, top = int(given.get("--min-zoom", 0)), given["--max-zoom"]
        can_join = top != "auto" and int(given.get("--cluster-maxzoom", int(top) - 1)) > first
        of_geojson = [] if self.stdin or self.format != "geojson" else ["schema", "joined", "joined", "joined"] if can_join else ["schema"]
        return r.choice(["limits"] + of_geojson)

    def commands_of(self, side, names, directory):
        """The commands that build a side's tileset: their arguments, and the files they read and write instead of the standard streams."""
        way = self.way if side or not self.shuffles else "whole"
        files = [f"in/{n}" for n in names]
        stdin = files[0] if self.stdin and len(files) == 1 else None
        options, more, inputs = self.options, [], ["-"] if stdin else files
        last = (
            (["--json"] if self.shows_json else [])
            + (["--jobs", self.jobs] if self.shuffles and side else [])
            + (["--force"] if self.foreign else [])
        )
        if way == "limits":
            more = ["--part-limits", ",".join(map(str, self.limits))]
        elif way in ("schema", "joined"):
            more = ["--schema", "schema.json"]
            yield ["schema", *split(options, READING)[0], *files], None, "schema.json"
        if way != "joined":
            yield ["build", *options, *more, *last, *inputs, self.output], stdin, None
            return
        running, lasting = split(options, RUNNING)
        if self.output.endswith(".pmtiles") and "--format" not in options:
            lasting += ["--format", "mvt"]  # as is the default of archives
        plan = ["plan", *lasting, "--join-markers", str(self.limits[2])]
        yield plan, None, None
        answer = json.loads(self.printed)
        if "cut_zoom" not in answer:
            zooms = ",".join(f"{z}:{len(occupied(self.source, z))}" for z in answer["count_occupied_tiles_at"])
            yield [*plan, "--occupied-tiles", zooms], None, None
            answer = json.loads(self.printed)
        cut, zoom = str(answer["cut_zoom"]), answer["count_rows_at"]
        Path(directory, "counts").write_text("".join(f"{zoom}/{tile} {rows}\n" for tile, rows in occupied(self.source, zoom).items()))
        plan = ["plan", *lasting, "--cut-zoom", cut, "--rows-per-part", str(self.limits[1])]
        yield plan, "counts", None
        parts = []
        for part in json.loads(self.printed)["parts"]:
            parts.append("parts/" + part["tile"].replace("/", "-"))
            build = ["build", *lasting, *split(running, FOR_JOIN)[1], *more, "--part", part["tile"], "--cut-zoom", cut]
            yield [*build, "--quiet", *files, parts[-1]], None, None
        yield ["join", *running, *last, *parts, self.output], None, None

    def run(self, old, new, work, messages):
        """Returns (exit code of the build, files); raises Different."""
        base = os.path.join(work, f"case{self.number}")
        for name in ("old", "new"):
            os.makedirs(os.path.join(base, name))
        self.base = base
        sides = (os.path.join(base, "old"), os.path.join(base, "new"))
        programs = (old, new)
        self.commands = [[], []]  # of each side, to repeat them
        self.parts = 0
        same_way = self.way == "whole" or not self.shuffles

        if self.foreign:
            for side in sides:
                os.makedirs(f"{side}/out/tiles/3")
                for path in ("out/foreign.txt", "out/tiles/3/notes.txt"):
                    with open(f"{side}/{path}", "w") as file:
                        file.write("mine\n")

        def all_of(number, commands):
            """Runs a side's commands until one fails. Returns the exit code and the texts of the last."""
            result = None, None, None
            for arguments, stdin, output in commands:
                self.commands[number].append(shlex.join(arguments) + (f" <{stdin}" if stdin else "") + (f" >{output}" if output else ""))
                result = run(programs[number], arguments, sides[number], stdin and os.path.join(sides[number], stdin))
                if output:
                    Path(sides[number], output).write_bytes(result[1])
                self.printed = result[1]
                if result[0] != 0:
                    break
            return result

        def both(what, *arguments, compare_out=True, commands=None):
            """Arguments for both sides, or commands for each."""
            (code, out, err), (code2, out2, err2) = (all_of(number, commands[number] if commands else [(arguments, None, None)]) for number in (0, 1))
            self.error = err2 if code2 else err
            if code != code2 and not (CANNOT in err2 and self.shuffles):
                raise Different(f"{what}: exit codes {code} and {code2}\n    old: {err[-400:]}\n    new: {err2[-400:]}")
            if code < 0 or code > 128:
                raise Different(f"{what}: both crash, {code}: {err2[-400:]}")
            if messages and same_way and masked(err) != masked(err2):
                raise Different(f"{what}: standard error differs\n--- old\n{err}--- new\n{err2}")
            if what == "diff" and without_lists(out) == without_lists(out2):
                out2 = out
            if compare_out and out != out2:
                raise Different(f"{what}: standard output differs {excerpt(out, out2)}")
            return code2, out, out2

        def build(what, is_clean=False):
            for number, side in enumerate(sides):
                order = random.Random(f"{self.form}-{number}-{what}") if self.shuffles else None
                names = self.names = write_inputs(self.source, side + "/in", self.source.rows, self.form, self.format, order)
                shutil.rmtree(f"{side}/parts", ignore_errors=True)
                os.mkdir(f"{side}/parts")
            code, out, out2 = both(what, compare_out=False, commands=[self.commands_of(n, names, side) for n, side in enumerate(sides)])
            if CANNOT in self.error:
                return code, {}
            if self.commands[0] != self.commands[1] and not self.shuffles:
                raise Different(f"{what}: the plans of parts differ")
            self.parts = max(map(int, re.findall(rb'"parts" : (\d+)', out2)), default=len(os.listdir(f"{sides[1]}/parts")))
            # What a part has warned of, the join doesn't repeat.
            texts = ("all" if messages else "count") if same_way else "none" if self.way == "joined" else "count"
            a, b = summary(out, texts), summary(out2, texts)
            if a != b and not is_clean:
                raise Different(f"{what}: summaries differ\n    old {a}\n    new {b}")
            if code != 0 and is_clean:  # there is still the first tileset on one side alone
                return code, {}
            return code, same_trees(f"{sides[0]}/{self.output}", f"{sides[1]}/{self.output}", what)

        code, files = build("build")
        self.refusal = self.error.strip().splitlines()[0] if code and self.error.strip() else ""
        if code == 0:
            # Another program may not know how to verify against the input.
            inputs = [f"in/{name}" for name in self.names] if self.shuffles else []
            verified, found, _ = both("verify", "verify", self.output, *inputs, compare_out=messages or self.shuffles)
            if inputs and verified != 0:
                raise Different(f"verify: it isn't what its input makes {found.decode()[:400]}{self.error[-400:]}")
            if messages or chance(self.random, 0.2):
                both("show", "show", self.output, compare_out=messages)
            tiles = sorted(t.group(1) for t in (re.match(r"(?:tiles|bundles)/(\d+/\d+/\d+)\.", p) for p in files) if t)
            for tile in self.random.sample(tiles, min(2, len(tiles))):
                both("show a tile", "show", self.output, tile)
            first = self.output.replace("out", "first")
            for side in sides:
                (shutil.copy if self.output != "out" else shutil.copytree)(f"{side}/{self.output}", f"{side}/{first}")
            self.edit()
            if self.shuffles:
                os.rename(f"{sides[1]}/{self.output}", f"{sides[1]}/away")
            again, _ = build("second build", is_clean=self.shuffles)
            if again == 0 and chance(self.random, 0.3):
                both("verify after the second build", "verify", self.output, compare_out=messages)
            if again == 0:
                both("diff", "diff", first, self.output, *self.random.choice([[], ["--json"]]))
            code = again if again != 0 else code
        shutil.rmtree(base)
        return code, len(files)

    def edit(self):
        r, rows = self.random, self.source.rows
        kind = r.random()
        if kind < 0.15:
            r.shuffle(rows)
        for _ in range(r.choice([0, 1, 1, 3])):
            index = r.randrange(len(rows))
            change = r.random()
            if change < 0.4:
                name = r.choice(self.source.texts)
                rows[index][name] = "edited"
            elif change < 0.7 and len(rows) > 1:
                rows.pop(index)
            else:
                new = {name: f"new {r.random()}" for name in self.source.ids if FEATURE_ID in rows[index]}
                rows.append({**rows[index], **new, self.source.lat: -12.25, self.source.lon: 33.5})


# ---------------------------------------------------------------- fixed cases

POSITIONS = [["--position", position] for position in ("anchor", "centroid")]
SHAPES = [["--bundle", "40"], ["--format", "mvt"], []]
ARCHIVES = [["--format", "geojson"], ["--format", "mvt"]]


def many_rows():
    """More in the north-west than in the south-east: dense towns, places all over the map, along the antimeridian and beyond the map's
    upper edge, several at one place, the same row twice, notes over two lines, and rows that can't be used."""
    r = random.Random(20117)
    places = []
    for town in range(60):
        east, north = r.uniform(-170, 60), r.uniform(-35, 70)
        places += [
            (
                f"town {town} no. {i}",
                east + r.triangular(-0.5, 0.5),
                north + r.triangular(-0.25, 0.33),
                "" if i % 3 else 'a "quoted" word, and a comma',
            )
            for i in range(200)
        ]
    places += [(f"place {i}", r.uniform(-180, 180), r.uniform(-80, 85), "") for i in range(5000)]
    places += [(f"strait {i}", r.choice([179.9, -180]) + r.uniform(0, 0.1), r.uniform(-20, 10), "") for i in range(1500)]
    places += [(f"ice {i}", r.uniform(-150, 150), r.uniform(84, 90), "") for i in range(300)]
    rows = []
    for name, longitude, latitude, note in places:
        row = [name, f"{longitude:.6f}", f"{latitude:.6f}", r.randrange(1000), note]
        rows += [row] * r.choices([1, 2], [39, 1])[0]
        if chance(r, 1 / 40):
            rows.append([f"{name} again", *row[1:3], r.randrange(9), "the same place,\nanother row"])
    rows += [[f"pile {i}", "-17.444061", "14.693702", i, ""] for i in range(200)]
    for i in range(20):
        rows += [
            [f"no latitude {i}", "12.5", "", i, ""],
            [f"off the earth {i}", "12.5", f"9{i}.5", i, ""],
            [f"not a number {i}", "east", "1.5", i, ""],
        ]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([["name", "longitude", "latitude", "weight", "note"], *rows])
    return text.getvalue()


def many_features():
    """Rows at so few places that parts of them fit into a memory limit that all together don't fit into."""
    r = random.Random(20118)
    places = [(r.uniform(-179, 179), r.uniform(-80, 80)) for _ in range(300)]
    return "".join(
        json.dumps(
            {
                "type": "Feature",
                "properties": {"name": f"place {i}", "weight": r.randrange(1000)},
                "geometry": {"type": "Point", "coordinates": [round(at + r.gauss(0, 0.001), 6) for at in r.choice(places)]},
            }
        )
        + "\n"
        for i in range(15000)
    )


def fixed_cases(old, new, work):
    """Builds each case by the old program, then by the new one of shuffled rows, by other numbers of jobs, in parts, and once over what
    the case before has left. Returns how many builds were compared; raises Different."""
    count, inputs = 0, {"generated": (many_rows(), ["--max-zoom", "8"], ["limits"])}
    for name in ("capitals", "airports"):
        with open(f"{INPUT}/{name}.csv", encoding="utf-8", newline="") as file:
            inputs[name] = file.read(), [], ["limits"]
    inputs["features"] = many_features(), ["--max-zoom", "9", "--cluster-distance", "8"], ["memory", "joined"]
    base = os.path.join(work, "fixed")
    os.mkdir(base)

    def command(program, *arguments):
        code, text, error = run(program, arguments, base)
        if code:
            raise Different(f"{shlex.join(arguments)}: exit code {code}: {error}")
        return text

    def build(program, output, rows, jobs, options, fresh=True, way="whole"):
        if fresh:
            shutil.rmtree(f"{base}/{output}", ignore_errors=True)
        running = ["--quiet", "--no-sync", "--jobs", jobs]
        limits = {"memory": ["--memory-limit", "65000000" if "--bundle" in options else "45000000"], "limits": ["--part-limits", "50,30,40960"]}
        if way == "joined":
            Path(base, "schema.json").write_bytes(command(program, "schema", rows))
            parts = [f"1-{x}-{y}" for x in (0, 1) for y in (0, 1)]
            for part in parts:
                command(
                    program, "build", rows, part, *running, *options, "--schema", "schema.json", "--part", part.replace("-", "/"), "--cut-zoom", "7"
                )
            command(program, "join", *parts, output, *running)
            return
        text = command(program, "build", rows, output, "--json", *running, *options, *limits.get(way, []))
        if way in limits and "parts" not in json.loads(text):
            raise Different(f"{shlex.join(options)} of {rows}: not in parts with {shlex.join(limits[way])}")

    for name, (text, more, ways) in inputs.items():
        # A row with a line break in quotes stays whole.
        header, *rows = re.findall(r'(?:[^"\n]|"[^"]*")*\n', text)
        orders = [rows] + [random.Random(seed).sample(rows, len(rows)) for seed in (11, 222, 3333)]
        for number, order in enumerate(orders):
            with open(f"{base}/{name}{number}.csv", "w", encoding="utf-8", newline="") as file:
                file.write(header + "".join(order))
        drawn = []
        for suffix, options in [("", of) for of in POSITIONS + SHAPES] + [(".pmtiles", of) for of in ARCHIVES]:
            build(old, "first" + suffix, f"{name}0.csv", "1", options + more)
            tries = [(0, "2"), (1, "1"), (2, "7")] if drawn else list(itertools.product(range(4), "127"))
            tries = [(*of, "whole") for of in tries if "joined" not in ways] + [(3, "2", way) for way in ways]
            for order, jobs, way in tries:
                build(new, "again" + suffix, f"{name}{order}.csv", jobs, options + more, way=way)
                same_trees(f"{base}/first{suffix}", f"{base}/again{suffix}", f"{name}, {options}, order {order}, {jobs} jobs, {way}")
            build(new, "over" + suffix, f"{name}3.csv", "2", options + more, fresh=False)
            found = same_trees(f"{base}/first{suffix}", f"{base}/over{suffix}", f"{name}, {options}, over another")
            count += len(tries) + 1
            # Else an option does nothing, and the rest proves little. The last shape is the first position.
            content = {path: body for path, body in found.items() if not path or path.startswith(("tiles/", "bundles/"))}
            if not content or options and content in drawn:
                raise Different(f"{name}, {options}: {'the same as without' if content else 'no tiles'}")
            drawn.append(content)
    shutil.rmtree(base)
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new", nargs="?")
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--from", type=int, default=0, dest="first", help="the number of the first case")
    parser.add_argument("--only", metavar="WORD", help="only cases whose build command holds this word")
    parser.add_argument("--messages", action="store_true", help="compare texts on standard error too")
    parser.add_argument("--all", action="store_true", help="go on after a difference")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--verbose", action="store_true", help="print every command")
    a = parser.parse_args()
    old, new = (os.path.abspath(p) for p in (a.old, a.new or a.old))
    for program in (old, new):
        if not os.access(program, os.X_OK):
            sys.exit(f"{program}: no such program")
    work = tempfile.mkdtemp(prefix="compare.")
    check_flags(new, a.seed)
    start, codes, files, differences, used = time.time(), {}, 0, 0, {}
    if not a.first and not a.only:
        try:
            print(f"{fixed_cases(old, new, work)} builds of fixed cases are the same", flush=True)
        except Different as difference:
            sys.exit(f"DIFFERENT: {difference}\n  in {work}/fixed")
    numbers = iter(range(a.first, 10**9))

    def next_case():
        tries = 0
        while True:
            case = Case(next(numbers), a.seed, shuffles=a.new is None)
            tries += 1
            if not a.only or a.only in shlex.join(case.options) or tries > 20000:
                return case

    def work_on(case):
        try:
            return case, case.run(old, new, work, a.messages), None
        except Different as difference:
            return case, None, str(difference)
        except Exception as error:  # a hanging program, say
            return case, None, f"{type(error).__name__}: {error}"

    with ThreadPoolExecutor(a.processes) as pool:
        waiting, given = set(), 0
        stop = False
        while True:
            while given < a.cases and len(waiting) < a.processes + 1 and not stop:
                waiting.add(pool.submit(work_on, next_case()))
                given += 1
            if not waiting:
                break
            done = next(as_completed(waiting))
            waiting.discard(done)
            case, result, difference = done.result()
            for option in [*case.options, *([f"parts of {case.way}"] if case.parts > 1 else [])]:
                if option.startswith(("--", "parts of ")):
                    used[option] = used.get(option, 0) + 1
            if a.verbose:
                print(
                    f"case {case.number}: {result or 'DIFFERENT'} {len(case.source.rows)} rows: {shlex.join(case.options)} {getattr(case, 'refusal', '')}",
                    flush=True,
                )
            if difference:
                differences += 1
                print(
                    f"\nDIFFERENT: case {case.number} of seed {a.seed}, {len(case.source.rows)} rows\n  {difference}\n"
                    f"  in {case.base}/old and {case.base}/new:",
                    flush=True,
                )
                for side, commands in zip(("old", "new"), case.commands):
                    if side == "old" or commands != case.commands[0]:
                        print("".join(f"    {side}: pyramid {command}\n" for command in commands), end="")
                print(
                    f"  again: compare.py {shlex.join(filter(None, (a.old, a.new)))} --seed {a.seed} --from {case.number} --cases 1"
                    + (" --messages" if a.messages else ""),
                    flush=True,
                )
                stop = stop or not a.all
            else:
                codes[result[0]] = codes.get(result[0], 0) + 1
                files += result[1]
    print(
        f"\n{given} cases in {time.time() - start:.0f} s, {differences} different; {files:,} files compared; exit codes of builds: "
        + ", ".join(f"{code}: {count}" for code, count in sorted(codes.items()))
    )
    if given >= 200 and not a.only:
        print("options used: " + ", ".join(f"{name} {count}" for name, count in sorted(used.items())))
    if not differences:
        shutil.rmtree(work)
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
