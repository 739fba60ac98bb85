#!/usr/bin/env python3
"""Fails if files or folders of Sources use each other in a circle, if a library names a flag of the command line, or if what makes
points and clusters speaks of parts of the world, which only PyramidParts knows.

A Swift file uses another one of its target if it names a top-level type that only the other one declares, outside comments and strings.
Swift itself forbids circles of targets. A JavaScript module uses what it imports, also for a type in a comment; only folders are looked
at, as types may name each other."""

import os
import pathlib
import re
import sys
from collections import defaultdict

SOURCES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Sources")
TYPE = re.compile(r"^(?:(?:public|package|final|indirect|nonisolated) )*(?:struct|class|enum|protocol|actor|typealias) ([A-Z]\w+)", re.M)
IMPORT = re.compile(r'(?:from |import\()"(\.[^"]+)"')
FLAG = re.compile(r"(?<![-!<\w])--[a-z][a-z-]+")
PARTS = re.compile(r"[Hh]and(?:ed|s)?[ -]?[Oo]ver|\b[Hh]alo|[Cc]ut ?[Zz]oom|\b(?:World)?Part[A-Z]|parts? of the world|\bthe join\b")
KNOW_NO_PARTS = {"PyramidInput", "PyramidClusters", "PyramidBuild"}
# Its commands have flags; it calls programs that have some; and those who use it build tilesets with the command.
MAY_NAME_FLAGS = {"PyramidCLI", "PyramidPublishing", "PyramidClient"}


def code(text):
    """Without comments and the content of strings."""
    text = re.sub(r"/\*.*?\*/", "", re.sub(r"//[^\n]*", "", text), flags=re.S)
    return re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)


def circles(uses):
    """The groups of more than one node that all lead to each other."""

    def reached(start):
        found, open_ends = set(), [start]
        while open_ends:
            for node in uses[open_ends.pop()] - found:
                found.add(node)
                open_ends.append(node)
        return found

    reach = {node: reached(node) for node in list(uses)}
    return {frozenset(other for other in reach[node] if node in reach.get(other, ())) for node in reach if node in reach[node]}


def main():
    texts, problems = {}, []
    for folder, _, names in os.walk(SOURCES):
        for name in (name for name in names if name.endswith(".swift")):
            path = os.path.relpath(os.path.join(folder, name), SOURCES)
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                texts[path] = file.read()
    for path, text in texts.items():
        for number, line in enumerate(text.splitlines(), 1):
            if path.split("/")[0] in KNOW_NO_PARTS:
                problems += [f"Sources/{path}:{number}: {word} is for PyramidParts" for word in PARTS.findall(line)]
        if path.split("/")[0] in MAY_NAME_FLAGS:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            problems += [f"Sources/{path}:{number}: a library names the flag {flag}" for flag in FLAG.findall(line)]
    texts = {path: code(text) for path, text in texts.items()}
    homes = defaultdict(set)
    for path, text in texts.items():
        for name in TYPE.findall(text):
            homes[path.split("/")[0], name].add(path)
    files, folders, names = defaultdict(set), defaultdict(set), defaultdict(set)

    def cross(path, other, used):
        one, two = os.path.dirname(path), os.path.dirname(other)
        if one != two:
            folders[one].add(two)
            names[one, two].add(f"{os.path.basename(path)} uses {used}")

    for path in (path for path in pathlib.Path(SOURCES).rglob("*.js") if "examples" not in path.parts):
        for module in IMPORT.findall(path.read_text(encoding="utf-8")):
            cross(os.path.relpath(path, SOURCES), os.path.relpath(path.parent / module, SOURCES), module)
    for path, text in texts.items():
        for name in set(re.findall(r"\b[A-Z]\w+\b", text)):
            home = homes.get((path.split("/")[0], name), ())
            if len(home) != 1 or path in home:
                continue
            [other] = home
            files[path].add(other)
            cross(path, other, name)
    problems += [f"files in a circle: {' '.join(sorted(circle))}" for circle in circles(files)]
    for circle in circles(folders):
        problems.append(f"folders in a circle: {' '.join(sorted(circle))}")
        problems += [f"    {one} -> {two}: {'; '.join(sorted(used))}" for (one, two), used in sorted(names.items()) if {one, two} <= circle]
    print("\n".join(problems), end="\n" if problems else "")
    sys.exit(1 if problems else 0)


main()
