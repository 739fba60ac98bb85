#!/usr/bin/env python3
"""Runs every command of the article DataFromElsewhere.md on the same places, and compares the tilesets with that of their CSV.
Then gives the program files that it can't read, and runs the commands that its messages suggest.

    Tests/articles/elsewhere.py PYRAMID

PYRAMID is the program to test, built from these sources. Needs iconv, unzip, curl, xlsx2csv, duckdb, ogr2ogr (with SpatiaLite), sqlite3,
jq, perl, and PostgreSQL with PostGIS, of which it starts a server of its own in a temporary directory.
"""

import bz2
import csv
import datetime
import glob
import gzip
import json
import lzma
import os
import pathlib
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Tests"))

from workshop import code_blocks  # noqa: E402

ARTICLE = ROOT / "Sources/Documentation/Pyramid.docc/Guides/DataFromElsewhere.md"
COLUMNS = "id longitude latitude name price rating open code opened seats".split()
OGR_TYPES = "Integer CoordX CoordY String Real Real Integer(Boolean) String Date Integer".split()
SQL_TYPES = "int float8 float8 text numeric(8,2) float8 boolean text date int".split()
KEYS = [column for column in COLUMNS if column not in ("longitude", "latitude")]


def places():
    """2,000 of them, some at one place, some cells empty, with every kind of value that a format could spoil."""
    source = random.Random(7)
    names = ["Café Müller", "Bäckerei Groß", "O'Neill's", 'Zum "Löwen"', "Ångström", "Eisdiele, Venezia", "Imbiß 24", "Ñandú"]
    rows = []
    for i in range(2000):
        place = rows[-1][1:3] if i % 40 == 1 else [f"{source.gauss(11.5, 1.2):.6f}", f"{source.gauss(48.2, 0.7):.6f}"]
        rows.append(
            [
                str(1000 + 3 * i),
                *place,
                f"{names[i % 8]} {i}",
                f"{source.randint(100, 9999) / 100:.2f}" if i % 7 else "",
                f"{source.randint(2, 10) / 2:.1f}" if i % 11 else "",
                source.choice(["true", "false"]),
                f"{source.randint(1, 999):03d}",
                str(datetime.date(2020, 1, 1) + datetime.timedelta(source.randint(0, 2000))),
                str(source.randint(0, 90)) if i % 5 else "",
            ]
        )
    return rows


ROWS = places()


def text(columns=COLUMNS, rows=ROWS):
    lines = []
    csv.writer(type("Lines", (), {"write": lambda self, line: lines.append(line)})(), lineterminator="\n").writerows([columns, *rows])
    return "".join(lines)


def run(*command, **options):
    result = subprocess.run(command, capture_output=True, text=True, **options)
    if result.returncode:
        sys.exit(f"{' '.join(command)}\n{result.stderr}")


def ogr(driver, to, *options, system="EPSG:4326"):
    """Makes a file of points from the CSV, with the types of OGR_TYPES."""
    pathlib.Path("source.csv").write_text(text())
    pathlib.Path("source.csvt").write_text(",".join(f'"{kind}"' for kind in OGR_TYPES))
    run(
        "ogr2ogr",
        "-f",
        driver,
        to,
        "source.csv",
        "-nln",
        "places",
        "-s_srs",
        "EPSG:4326",
        "-t_srs",
        system,
        "-oo",
        "X_POSSIBLE_NAMES=longitude",
        "-oo",
        "Y_POSSIBLE_NAMES=latitude",
        "-oo",
        "KEEP_GEOM_COLUMNS=NO",
        *options,
    )


def excel():
    pathlib.Path("source.csv").write_text(text())
    pathlib.Path("source.csvt").write_text(",".join(f'"{kind}"' for kind in OGR_TYPES).replace("CoordX", "Real").replace("CoordY", "Real"))
    run("ogr2ogr", "-f", "XLSX", "places.xlsx", "source.csv")


def squares(to):
    """Small squares around the places, as GeoJSON or as the GeoPackage that ogr2ogr makes of it."""

    def feature(row):
        x, y = map(float, row[1:3])
        ring = [[x - 1e-3, y - 1e-3], [x + 1e-3, y - 1e-3], [x + 1e-3, y + 1e-3], [x - 1e-3, y + 1e-3], [x - 1e-3, y - 1e-3]]
        values = {key: value or None for key, value in zip(COLUMNS, row) if key in KEYS}
        for key in ("id", "price", "rating", "seats", "open"):
            values[key] = json.loads(values[key] or "null")
        return {"type": "Feature", "properties": values, "geometry": {"type": "Polygon", "coordinates": [ring]}}

    pathlib.Path("places.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": [*map(feature, ROWS)]}))
    if to == "places.gpkg":
        run("ogr2ogr", "-f", "GPKG", "-lco", "FID=fid", to, "places.geojson")


def parquet():
    pathlib.Path("source.csv").write_text(text())
    run(
        "duckdb",
        "-c",
        "COPY (SELECT * REPLACE (price::DECIMAL(8,2) AS price) FROM read_csv('source.csv', types = {'code': 'VARCHAR'})) TO 'places.parquet'",
    )


def plain_json():
    with open("places.json", "w") as file:
        for row in ROWS:
            values = [json.loads(value or "null") if name not in ("name", "code", "opened") else value for name, value in zip(COLUMNS, row)]
            print(json.dumps(dict(zip(COLUMNS, values))), file=file)


def metres():
    """The places in EPSG:25832 as CSV, with the other cells as they are."""
    ogr("CSV", "metres.csv", "-lco", "GEOMETRY=AS_XY", system="EPSG:25832")
    with open("metres.csv", newline="") as file:
        places = {row["id"]: (row["X"], row["Y"]) for row in csv.DictReader(file)}
    pathlib.Path("places.csv").write_text(text(["id", "east", "north", *COLUMNS[3:]], [[row[0], *places[row[0]], *row[3:]] for row in ROWS]))


def archive():
    with zipfile.ZipFile("places.zip", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("README.txt", "not a CSV\n")
        file.writestr("places.csv", text())


def database():
    with sqlite3.connect("places.db") as connection:
        connection.execute(
            "CREATE TABLE places(id INT, longitude REAL, latitude REAL, name TEXT, price REAL, rating REAL, open INT,"
            " code TEXT, opened TEXT, seats INT)"
        )
        connection.executemany(
            "INSERT INTO places VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [[{"": None, "true": 1, "false": 0}.get(value, value) for value in row] for row in ROWS],
        )


def postgres():
    """The table of the server that `with_server` has started."""
    pathlib.Path("source.csv").write_text(text())
    table = ", ".join(f"{name} {kind}" for name, kind in zip(COLUMNS, SQL_TYPES))
    run(
        "psql",
        "-qXd",
        "mydb",
        "-v",
        "ON_ERROR_STOP=1",
        "-c",
        "DROP TABLE IF EXISTS places, source",
        "-c",
        f"CREATE TABLE source({table})",
        "-c",
        r"\copy source FROM 'source.csv' CSV HEADER",
        "-c",
        f"CREATE TABLE places AS SELECT ST_SetSRID(ST_MakePoint(longitude, latitude), 4326) AS geom, {', '.join(KEYS)} FROM source",
    )


def latin1():
    pathlib.Path("places.csv").write_bytes(text().encode("windows-1252"))


def dump():
    """A table with tabs and without quotes and header. No cell has a tab."""
    pathlib.Path("places.txt").write_text("".join("\t".join(row) + "\n" for row in ROWS))


def report():
    pathlib.Path("places.csv").write_text("Places of today\n\n" + text())


def extracts():
    """Two files, of which each has most places."""
    for name, rows in ("north", ROWS[:1500]), ("south", ROWS[500:]):
        values = [
            {
                column: value if column in ("name", "code", "opened") else json.loads(value)
                for column, value in zip(COLUMNS, row)
                if value and column not in ("longitude", "latitude")
            }
            for row in rows
        ]
        pathlib.Path(f"{name}.geojson").write_bytes(
            collection(
                [
                    {
                        "type": "Feature",
                        "id": f"place/{row[0]}",
                        "properties": properties,
                        "geometry": {"type": "Point", "coordinates": [float(row[1]), float(row[2])]},
                    }
                    for row, properties in zip(rows, values)
                ]
            )
        )


# By section of the article: how to make the file of each of its commands, and what differs from the build of the CSV: None if
# nothing does, byte for byte; else the names of properties that are others, and those that can't be compared. "$id" is the id of
# a point.
COMMANDS = {
    "Another encoding": [(latin1, None)],
    "Dumps and reports": [(dump, None), (report, None)],
    "Overlapping extracts": [(extracts, ({}, ["$id"]))],
    "Archives and URLs": [(archive, None), (lambda: pathlib.Path("places.csv").write_text(text()), None)],
    "Excel": [(excel, ({}, ["opened"]))],
    "Parquet": [(parquet, None), (parquet, ({}, []))],
    "Plain JSON": [(plain_json, ({}, []))],
    "GeoPackage, Shapefile, KML, GPX and others": [
        (lambda: ogr("GPKG", "places.gpkg"), ({}, [])),
        (lambda: ogr("ESRI Shapefile", "places.shp", "-lco", "ENCODING=UTF-8"), ({}, ["open"])),
        (lambda: ogr("LIBKML", "places.kml"), ({"Name": "name"}, ["open", "opened", "tessellate", "extrude", "visibility"])),
        (
            lambda: ogr("GPX", "places.gpx", "-dsco", "GPX_USE_EXTENSIONS=YES"),
            ({f"ogr_{key}": key for key in KEYS if key != "name"}, ["open", "opened", "code"]),
        ),
    ],
    "Polygons and lines": [(lambda: squares("places.geojson"), ({}, ["open"])), (lambda: squares("places.gpkg"), ({}, ["open"]))],
    "Metres instead of degrees": [(lambda: ogr("GeoJSON", "places.geojson", system="EPSG:3857"), ({}, [])), (metres, None)],
    "PostgreSQL and PostGIS": [(postgres, ({}, [])), (postgres, ({}, []))],
    "SQLite": [(database, ({}, ["open"]))],
}


def features(number=float):
    """A feature for each place, with its coordinates as numbers or as they are."""
    return [
        {"type": "Feature", "properties": {"name": row[3]}, "geometry": {"type": "Point", "coordinates": [*map(number, row[1:3])]}} for row in ROWS
    ]


def collection(members):
    return json.dumps({"type": "FeatureCollection", "features": members}).encode()


def multipoints():
    """Two places in each."""
    return collection(
        [
            {"type": "Feature", "properties": {}, "geometry": {"type": "MultiPoint", "coordinates": [[*map(float, row[1:3])] for row in pair]}}
            for pair in zip(ROWS[::2], ROWS[1::2])
        ]
    )


def esri(*fields):
    return json.dumps(
        {
            "geometryType": "esriGeometryPoint",
            "spatialReference": {"wkid": 4326},
            **dict(fields),
            "features": [{"attributes": {"name": row[3], "n": 1}, "geometry": {"x": float(row[1]), "y": float(row[2])}} for row in ROWS],
        }
    ).encode()


def overpass():
    nodes = [{"type": "node", "id": int(row[0]), "lon": float(row[1]), "lat": float(row[2]), "tags": {"name": row[3]}} for row in ROWS[:-1]]
    way = {"type": "way", "id": 1000, "center": {"lon": float(ROWS[-1][1]), "lat": float(ROWS[-1][2])}, "nodes": [1]}
    return json.dumps({"version": 0.6, "generator": "Overpass API 0.7.62", "elements": [*nodes, way]}).encode()


def zipped(*files):
    with tempfile.TemporaryFile() as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in files:
                archive.writestr(name, content)
        file.seek(0)
        return file.read()


def made(name, make):
    """The content of a file that another program makes."""
    make()
    return pathlib.Path(name).read_bytes()


def shape_archive():
    ogr("ESRI Shapefile", "places.shp", "-lco", "ENCODING=UTF-8")
    return zipped(*((f"shapes/{path}", pathlib.Path(path).read_bytes()) for path in glob.glob("places.*")))


def lines(row):
    return "".join(row(cells) + "\n" for cells in [COLUMNS[:4], *([*row[:3], row[3].replace('"', "'")] for row in ROWS)]).encode()


def row_name(row):
    """The number of the row, as R writes it; it has no name in the header."""
    return [] if row[0] == "id" else [f'"{(int(row[0]) - 997) // 3}"']


# Files that are refused, or of which something is lost, with the command's first word. What it writes has all places.
CURES = {
    "gtfs.zip": ("unzip", lambda: zipped(("agency.txt", "a,b\n1,2\n"), ("stops.txt", text()))),
    "one.zip": ("unzip", lambda: zipped(("d/places.csv", text()))),
    "places.parquet": ("duckdb", lambda: made("places.parquet", parquet)),
    "places.json": ("duckdb", lambda: made("places.json", plain_json)),
    "places.xlsx": ("xlsx2csv", lambda: made("places.xlsx", excel)),
    "places.gpkg": ("ogr2ogr", lambda: made("places.gpkg", lambda: ogr("GPKG", "places.gpkg"))),
    "places.kml": ("ogr2ogr", lambda: made("places.kml", lambda: ogr("LIBKML", "places.kml"))),
    "places.gpx": ("ogr2ogr", lambda: made("places.gpx", lambda: ogr("GPX", "places.gpx", "-dsco", "GPX_USE_EXTENSIONS=YES"))),
    "squares.geojson": ("ogr2ogr", lambda: made("places.geojson", lambda: squares("places.geojson"))),
    "shape.zip": ("ogr2ogr", shape_archive),
    "topology.json": (
        "ogr2ogr",
        lambda: json.dumps(
            {
                "type": "Topology",
                "arcs": [],
                "objects": {
                    "places": {
                        "type": "GeometryCollection",
                        "geometries": [{"type": "Point", "coordinates": [*map(float, row[1:3])]} for row in ROWS],
                    }
                },
            }
        ).encode(),
    ),
    "places.db": ("sqlite3", lambda: made("places.db", database)),
    "places.csv.bz2": ("bzcat", lambda: bz2.compress(text().encode())),
    "places.csv.xz": ("xzcat", lambda: lzma.compress(text().encode())),
    "places.csv.gz": ("gzip", lambda: gzip.compress(gzip.compress(text().encode()))),
    "multi.geojson": ("ogr2ogr", multipoints),
    "multi.geojson.gz": ("ogr2ogr", lambda: gzip.compress(multipoints())),
    "esri.json": ("jq", lambda: esri(("fields", [{"name": "name", "type": "esriFieldTypeString"}]))),
    "few.json": ("jq", esri),
    "overpass.json": ("jq", overpass),
    "data.js": ("perl", lambda: b"const places = " + collection(features()) + b";\n"),
    "mysql.csv": ("perl", lambda: lines(lambda row: ",".join('"' + cell.replace("'", r"\"") + '"' for cell in row))),
    "r.tsv": (r"\(printf", lambda: lines(lambda row: "\t".join([*row_name(row), *row]))),
    "quoted.csv": ("sed", lambda: lines(lambda row: f'"{";".join(row)}"')),
    "latin.csv": ("iconv", lambda: text().encode("windows-1252")),
    "utf32.csv": ("iconv", lambda: text().encode("utf-32")),
    "utf16le.csv": ("iconv", lambda: text().encode("utf-16le")),
    "utf16be.csv": ("iconv", lambda: text().encode("utf-16be")),
    "nameless.csv": (r"\(echo", lambda: text().split("\n", 1)[1].encode()),
}


def cured(file, tool, content):
    """Runs the command that the program suggests for a file; returns what is wrong."""
    pathlib.Path(file).write_bytes(content())
    said = subprocess.run(["pyramid", "build", file, "first", "--max-zoom", "3"], capture_output=True, text=True).stderr
    command = re.search(rf": ((?:gzip [^|]*\| )?{tool} .* \| pyramid build - )OUT", said)
    if not command:
        return f"no command with {tool}: {said}"
    command = command[1].replace("echo NAMES", f"echo {','.join(COLUMNS)}").replace("TABLE", "places")
    result = subprocess.run(["bash", "-o", "pipefail", "-c", f"{command} second --max-zoom 3"], capture_output=True, text=True)
    if result.returncode:
        return f"{command}\n{result.stderr}"
    count = json.loads(pathlib.Path("second/manifest.json").read_text())["input"]["rows_accepted"]
    return None if count == len(ROWS) else f"{command}\n{count} points, expected {len(ROWS)}"


def tiles(tileset):
    root = pathlib.Path(tileset, "tiles")
    return {str(path.relative_to(root)): gzip.decompress(path.read_bytes()) for path in root.rglob("*.json")}


def markers(tile, names, left_out):
    """A tile's features in an order that doesn't depend on their bytes; numbers by value, so that 10.50 is 10.5, but 1 isn't true."""

    def value(of):
        return ["boolean", of] if isinstance(of, bool) else float(of) if isinstance(of, int) else of

    found = []
    for feature in json.loads(tile)["features"]:
        if "$id" in left_out and "cluster" not in feature["properties"]:
            feature.pop("id", None)
        values = {names.get(name, name): value(of) for name, of in feature.pop("properties").items()}
        found.append(json.dumps([feature, sorted((name, of) for name, of in values.items() if name not in left_out)]))
    return sorted(found)


def difference(expected, found, allowed):
    if expected.keys() != found.keys():
        return f"{len(expected.keys() - found.keys())} tiles are missing, {len(found.keys() - expected.keys())} are not expected"
    for name in sorted(expected):
        if allowed is None:
            if expected[name] != found[name]:
                return f"{name} has other bytes:\n{expected[name][:600]}\n{found[name][:600]}"
            continue
        for one, other in zip(*(markers(tile[name], *allowed) for tile in (expected, found)), strict=True):
            if one != other:
                return f"{name} has\n{other}\nexpected\n{one}"
    return None


def start_server(directory):
    """A PostgreSQL of our own with PostGIS, reached through a socket in `directory`; returns the command that stops it."""
    programs = max(glob.glob("/usr/lib/postgresql/*/bin"), default=os.path.dirname(shutil.which("pg_ctl") or ""))
    user = []
    if os.geteuid() == 0:  # which PostgreSQL refuses to run as
        shutil.chown(directory, "postgres")
        user = ["runuser", "-u", "postgres", "--"]
    log = f"{directory}/log"
    run(*user, f"{programs}/initdb", "-D", f"{directory}/data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", cwd=directory)
    subprocess.run(
        [*user, f"{programs}/pg_ctl", "-D", f"{directory}/data", "-l", log, "-w", "-o", f"-k {directory} -c listen_addresses=", "start"],
        check=True,
        cwd=directory,
        stdout=subprocess.DEVNULL,
    )
    os.environ.update(PGHOST=directory, PGUSER="postgres")
    os.environ.pop("PGPORT", None)
    stop = [*user, f"{programs}/pg_ctl", "-D", f"{directory}/data", "-m", "fast", "stop"]
    run("psql", "-qXd", "postgres", "-c", "CREATE DATABASE mydb")
    run("psql", "-qXd", "mydb", "-c", "CREATE EXTENSION postgis")
    return stop


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    pyramid = os.path.abspath(sys.argv[1])
    missing = [tool for tool in "iconv unzip curl xlsx2csv duckdb ogr2ogr sqlite3 jq perl psql".split() if not shutil.which(tool)]
    if missing:
        sys.exit(f"Tests/articles/elsewhere.py: not installed: {', '.join(missing)}")
    article = {}
    for section, code in code_blocks(ARTICLE, "sh"):
        article.setdefault(section, []).append(code)
    if {section: len(blocks) for section, blocks in article.items()} != {section: len(cases) for section, cases in COMMANDS.items()}:
        sys.exit("Tests/articles/elsewhere.py: the article has other commands than this test knows")

    failures = 0
    with tempfile.TemporaryDirectory(prefix="pyramid-elsewhere.") as work:
        os.chmod(work, 0o755)
        os.mkdir(f"{work}/server")
        stop = start_server(f"{work}/server")
        try:
            os.mkdir(f"{work}/bin")
            os.symlink(pyramid, f"{work}/bin/pyramid")
            os.environ["PATH"] = f"{work}/bin:{os.environ['PATH']}"
            pathlib.Path(work, "places.csv").write_text(text())
            run("pyramid", "build", "places.csv", "direct", cwd=work)
            direct = tiles(f"{work}/direct")
            for section, cases in COMMANDS.items():
                for number, (prepare, allowed) in enumerate(cases):
                    directory = tempfile.mkdtemp(dir=work)
                    os.chdir(directory)
                    prepare()
                    command = article[section][number].replace("https://example.org/", f"file://{directory}/")
                    result = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True)
                    problem = result.stderr if result.returncode else difference(direct, tiles("out"), allowed)
                    print(f"{'FAILED' if problem else 'ok    '} {section}, command {number + 1}: {len(direct)} tiles")
                    if problem:
                        failures += 1
                        print(command, problem, sep="\n")
            for file, (tool, content) in CURES.items():
                os.chdir(tempfile.mkdtemp(dir=work))
                problem = cured(file, tool, content)
                print(f"{'FAILED' if problem else 'ok    '} the command for {file}")
                if problem:
                    failures += 1
                    print(problem)
        finally:
            os.chdir("/")
            run(*stop)
    sys.exit(1 if failures else 0)


main()
