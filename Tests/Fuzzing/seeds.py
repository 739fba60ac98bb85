#!/usr/bin/env python3
"""Makes seeds of what only the program can write: seeds.py PYRAMID. Run it after a change of a format, then run.sh --minimise."""
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

PYRAMID = pathlib.Path(sys.argv[1]).resolve()
SEEDS = pathlib.Path(__file__).parent / "Seeds"
ROWS = [
    {"id": f"p{i}", "kind": "ab"[i % 2], "w": i % 3 + 1, "n": i / 4, "at": (170 + i * 7 % 19 - (360 if i * 7 % 19 > 10 else 0), i * 5 % 31 - 9)}
    for i in range(12)
]
TILESETS = {
    "anchors": "--max-zoom 2",
    "rich": "--max-zoom 2 --id-column id --accumulate-attribute n:mean --count-by kind:1 --members 2 --leaves --scale --weight w --position centroid --cluster-distance 80",
    "grid": "--max-zoom 2 --method grid --parents --group-by kind",
    "bundles": "--max-zoom 3 --bundle 5 --compression none",
    "vector": "--max-zoom 1 --format mvt --id-column id",
    "filter": "--max-zoom 2 --mode filter --keep-count --priority w --unclustered kind=b",
}
PARTS = {
    "plain": "--max-zoom 2",
    "rich": "--max-zoom 2 --id-column id --accumulate-attribute n:sum --count-by kind:1 --leaves --weight w --position centroid --min-points 3 --unclustered w=3",
    "bundles": "--max-zoom 3 --bundle 5",
}


def run(*arguments):
    return subprocess.run([PYRAMID, *arguments], check=True, stdout=subprocess.PIPE).stdout


def write(target, name, data):
    (SEEDS / target).mkdir(parents=True, exist_ok=True)
    (SEEDS / target / name).write_bytes(data)


def write_sections(target, name, sections):
    write(target, name, b"".join(b"== %s\n%s\n" % (key.encode(), value) for key, value in sections))


def varint(data, position):
    value = shift = 0
    while True:
        value |= (data[position] & 127) << shift
        shift += 7
        position += 1
        if data[position - 1] < 128:
            return value, position


def part_sections(data):
    """The sections of a part's file but its list of files, then its files by their paths."""
    start = int.from_bytes(data[-28:-20], "little")
    position, ranges = start, {}
    while position < len(data) - 28:
        length, position = varint(data, position)
        name, position = data[position : position + length].decode(), position + length
        offset, position = varint(data, position)
        count, position = varint(data, position)
        _, position = varint(data, position)
        ranges[name] = data[offset : offset + count]
    files, position = ranges.pop("files"), 0
    yield from ranges.items()
    while position < len(files):
        kind, position = varint(files, position)
        numbers = []
        for _ in range(7 if kind == 2 else 8):
            number, position = varint(files, position)
            numbers.append(number)
        address, (offset, count) = numbers[:-5], numbers[-5:-3]
        folder = ["tiles", "bundles", "leaves"][kind]
        yield "/".join([folder, *map(str, address)]), data[offset : offset + count]


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    csv, rows = folder / "points.csv", folder / "points.ndjson"
    csv.write_text("id,kind,w,n,lon,lat\n" + "".join("{id},{kind},{w},{n},{at[0]},{at[1]}\n".format(**row) for row in ROWS))
    rows.write_text(
        "".join(
            json.dumps(
                {"type": "Feature", "geometry": {"type": "Point", "coordinates": row["at"]}, "properties": {key: row[key] for key in ("id", "kind", "w", "n")}}
            )
            + "\n"
            for row in ROWS
        )
    )
    # The first byte chooses options, as CheckPartwise.swift says.
    table = csv.read_bytes().replace(b"kind", b"k", 1)
    for choice in (0, 11, 22, 36, 43, 61):
        write("partwise", f"options-{choice}", bytes([choice]) + table)
    for name, options in TILESETS.items():
        output = folder / name
        run("build", csv, output, "--quiet", *options.split())
        files = []
        for file in sorted(output.glob("*s/**/*.*")):
            body = file.read_bytes()
            address = str(file.relative_to(output)).split(".")[0]
            files.append((address, gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body))
        write_sections("manifest", name, [(file, (output / file).read_bytes()) for file in ("manifest.json", "tilejson.json")] + files)
        write("tilejson", name, (output / "tilejson.json").read_bytes())
        for file in output.glob("*.tsv"):
            write("lists", f"{name}-{file.stem}", file.read_bytes())
        for file in output.glob("bundles/2/0/1.json"):
            write("tile", "bundle", file.read_bytes())
        if name in ("anchors", "vector", "filter"):
            run("build", csv, folder / f"{name}.pmtiles", "--quiet", *options.split())
            data = (folder / f"{name}.pmtiles").read_bytes()
            # Places and sizes of the sections, PMTiles 3, 3.1.
            numbers = [int.from_bytes(data[at : at + 8], "little") for at in range(8, 72, 8)]
            sections = [data[at : at + count] for at, count in zip(numbers[::2], numbers[1::2])]
            inflated = [gzip.decompress(section) for section in sections[:3]]
            write_sections("archive", name, zip(("root", "metadata", "leaves", "tiles"), [*inflated, sections[3]]))
            write("archive", f"{name}-file", data)
    schema = folder / "schema.json"
    schema.write_bytes(run("schema", rows))
    for name, options in PARTS.items():
        part = folder / f"part-{name}"
        run("build", rows, part, "--schema", schema, "--part", "0/0/0", "--cut-zoom", "0", "--quiet", *options.split())
        data = part.read_bytes()
        write_sections("part", name, part_sections(data))
        write("part", f"{name}-file", data)
