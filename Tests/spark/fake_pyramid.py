#!/usr/bin/env python3
"""Stands in for the program where only what Spark does is tested: parts hold their rows, and the join looks at who got which.

A tileset of it is one file with all rows in their order, so that the rows of a DataFrame make the same file in whatever parts. The join
refuses parts that don't cover the world once, and a part that lacks a row of its own or of its halo.
"""

import json
import math
import os
import sys
from fractions import Fraction


def option(name, arguments):
    return arguments[arguments.index(name) + 1]


def place(row):
    """x and y where the world is 1 wide, from the row's degrees; `None` without a usable place."""
    try:
        longitude, latitude = json.loads(row)["geometry"]["coordinates"]
    except ValueError:
        return None
    if any(isinstance(value, str) for value in (longitude, latitude)) or not (
        abs(round(longitude, 6)) <= 180 and abs(round(latitude, 6)) <= 90
    ):
        return None
    x = (longitude + 180) / 360 % 1
    if abs(latitude) > 85.0511287:
        return x, 0.0 if latitude > 0 else math.nextafter(1, 0)
    return x, 0.5 - math.atanh(math.sin(math.radians(latitude))) / (2 * math.pi)


def plan(arguments):
    """Sixteen parts, whatever the counts."""
    if not any(argument.startswith("--cut-zoom=") for argument in arguments):
        print(json.dumps({"cut_zoom": 6, "count_rows_at": 4}))
        return
    sys.stdin.read()
    part = {"rows": 1, "rows_with_halo": 1, "memory_bytes": 1}
    parts = [{"tile": f"2/{x}/{y}", **part} for y in range(4) for x in range(4)]
    halo = 496 if "--format=mvt" in arguments else 992
    print(json.dumps({"cut_zoom": 6, "halo_units": halo << (24 - 6), "parts": parts}))


def schema(arguments):
    with open(arguments[0]) as rows:
        properties = json.loads(rows.readline())["properties"]
    print(json.dumps({name: type(value).__name__ for name, value in properties.items()}, sort_keys=True))


def build(arguments):
    source, target = arguments[0], arguments[1]
    tile = option("--part", arguments)
    # Under a temporary name first, as the program does.
    open(target + ".tmp", "w").close()
    with open(option("--schema", arguments)) as file:
        types = json.load(file)
    with open(0 if source == "-" else source) as lines:
        rows = [line.rstrip("\n") for line in lines]
    settings = [text for text in arguments if text.startswith("--") and "=" in text and not text.startswith("--jobs=")]
    for row in rows:
        if place(row) is None:
            continue
        for name, value in json.loads(row)["properties"].items():
            if types.get(name) != type(value).__name__:
                sys.exit(f"pyramid: part {tile}: {name} is no {types.get(name)} in {row}")
    part = {"tile": tile, "cut": option("--cut-zoom", arguments), "settings": settings, "schema": types, "rows": sorted(rows)}
    with open(target + ".tmp", "w") as file:
        json.dump(part, file)
    os.rename(target + ".tmp", target)
    if len(rows) == 2:
        print(f"warning: {tile} has two rows", file=sys.stderr)


def join(arguments):
    parts = []
    for name in arguments:
        if name.endswith(".part"):
            with open(name) as file:
                parts.append(json.load(file))
    target = arguments[len(parts)]
    if len({(part["cut"], str(part["settings"]), str(part["schema"])) for part in parts}) != 1:
        sys.exit("pyramid: parts of different options")
    if sum(Fraction(1, 4 ** int(part["tile"].split("/")[0])) for part in parts) != 1:
        sys.exit("pyramid: the parts don't cover the world once")
    cut = int(parts[0]["cut"])
    # The default distance of 40 pixels, of tiles of 256 or, for MVT, 512 pixels.
    halo = (496 if "--format=mvt" in parts[0]["settings"] else 992) / 256 / 2**cut
    own = []
    for part in parts:
        z, x, y = map(int, part["tile"].split("/"))
        side = 1 / 2**z
        part["box"] = (x * side, y * side, side)
        for row in part["rows"]:
            at = place(row)
            if at is None or (x * side <= at[0] < (x + 1) * side and y * side <= at[1] < (y + 1) * side):
                own.append(row)
    for part in parts:
        west, north, side = part["box"]
        needed = []
        for row in own:
            at = place(row)
            if at is None:
                continue
            inside_x = side + 2 * halo >= 1 or (at[0] - (west - halo)) % 1 < side + 2 * halo
            if inside_x and north - halo <= at[1] < north + side + halo:
                needed.append(row)
        lacking = list(needed)
        have = {}
        for row in part["rows"]:
            have[row] = have.get(row, 0) + 1
        for row in lacking:
            have[row] = have.get(row, 0) - 1
            if have[row] < 0:
                sys.exit(f"pyramid: part {part['tile']} lacks {row}")
    with open(target, "w") as file:
        file.write("\n".join(sorted(own)) + "\n")
    print(json.dumps({"rows": len(own), "sent": sum(len(part["rows"]) for part in parts)}))


if __name__ == "__main__":
    if sys.argv[1] == "--version":
        print("stand-in")
    else:
        {"plan": plan, "schema": schema, "build": build, "join": join}[sys.argv[1]](sys.argv[2:])
