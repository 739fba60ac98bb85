#!/usr/bin/env python3
"""Stands in for the program where only what PartBuilder does is tested. A part of it is JSON with its rows and what they were built for."""

import json
import os
import sys


def option(name, arguments):
    return arguments[arguments.index(name) + 1]


def build(arguments):
    source, target = arguments[0], arguments[1]
    tile = option("--part", arguments)
    # Under a temporary name first, as the program does.
    open(target + ".tmp", "w").close()
    with open(option("--schema", arguments)) as file:
        types = json.load(file)
    with open(0 if source == "-" else source) as lines:
        rows = [line.rstrip("\n") for line in lines]
    for row in rows:
        for name, value in json.loads(row)["properties"].items():
            if types.get(name) != type(value).__name__:
                sys.exit(f"pyramid: part {tile}: {name} is no {types.get(name)} in {row}")
    with open(target + ".tmp", "w") as file:
        json.dump({"tile": tile, "cut": option("--cut-zoom", arguments), "rows": sorted(rows)}, file)
    os.rename(target + ".tmp", target)
    if len(rows) == 2:
        print(f"warning: {tile} has two rows", file=sys.stderr)


if sys.argv[1] == "--version":
    print("stand-in")
else:
    {"build": build}[sys.argv[1]](sys.argv[2:])
