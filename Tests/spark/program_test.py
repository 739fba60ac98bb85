#!/usr/bin/env python3
"""Compares the options of PyramidSpark, and the defaults that it knows, with those of the program, and builds parts; without Spark.

Tests/spark/program_test.py PYRAMID
"""

import json
import random
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import package
from package import batch
from pyramid_spark import options
from pyramid_spark.errors import ProgramError
from pyramid_spark.parts import PartBuilder
from workshop import differences, executable

PROGRAM = str(Path(sys.argv.pop(1)).resolve())

# Flags of `pyramid build` that are no options of PyramidSpark, and why.
LEFT_OUT = {
    "--longitude-column": "build(longitude=...)",
    "--latitude-column": "build(latitude=...)",
    "--point-column": "a DataFrame has two columns",
    "--types": "the columns of a DataFrame have types",
    "--delimiter": "Spark reads the rows",
    "--skip-lines": "Spark reads the rows",
    "--max-zoom": "build(max_zoom=...), as a part can't choose it",
    "--part": "set for each part",
    "--cut-zoom": "set for each part",
    "--schema": "set for each part",
    "--jobs": "build(jobs=...) for the join, and spark.task.cpus for parts",
    "--force": "build(force=...), of the join",
    "--memory-limit": "the default, what is available",
    "--sync": "the default",
    "--no-sync": "a finished part must be on the disk, as the same call may reuse it",
    "--quiet": "always set",
    "--json": "BuildResult.summary",
    "--version": "prints and ends",
    "--help": "prints and ends",
}


def flags(command):
    """The flags of a command as its parser describes them, by name."""
    said = subprocess.run([PROGRAM, command, "--experimental-dump-help"], check=True, capture_output=True, text=True).stdout
    arguments = json.loads(said)["command"]["arguments"]
    shown = [flag for flag in arguments if flag["kind"] != "positional" and flag["shouldDisplay"]]
    return {f"--{flag['preferredName']['name']}": flag for flag in shown}


def kind(flag):
    return "switch" if flag["kind"] == "flag" else "repeated" if flag["isRepeating"] else "value"


class FlagTests(unittest.TestCase):
    def test_options_are_flags_of_build_of_the_same_kind(self):
        of_build = flags("build")
        for option in options.option_names():
            flag = options.flag(option)
            self.assertIn(flag, of_build)
            ours = "switch" if options.is_switch(option) else "repeated" if options.is_list(option) else "value"
            self.assertEqual(kind(of_build[flag]), ours, flag)

    def test_flags_of_build_are_options_or_left_out_for_a_reason(self):
        ours = {options.flag(option) for option in options.option_names()}
        self.assertEqual(ours & LEFT_OUT.keys(), set())
        self.assertEqual(flags("build").keys() ^ (ours | LEFT_OUT.keys()), set())

    def test_flags_of_the_join_are_those_that_the_package_gives_it(self):
        given = {options.flag(option) for option in options._OF_THE_JOIN} | {"--jobs", "--force", "--quiet", "--json"}
        self.assertEqual(flags("join").keys() - given, {"--memory-limit", "--sync", "--no-sync", "--version", "--help"})
        self.assertLessEqual(given, flags("join").keys())

    def test_the_plan_takes_all_flags_of_a_part_that_are_options(self):
        of_plan = flags("plan")
        for option in set(options.option_names()) - options._ONLY_OF_THE_JOIN:
            self.assertEqual(kind(of_plan[options.flag(option)]), kind(flags("build")[options.flag(option)]), option)

    def test_the_limit_of_skipped_rows_is_checked_before_the_cluster_works(self):
        self.assertLessEqual({"--max-skipped", "--strict"}, flags("schema").keys())
        for given, said in [
            ({"max_skipped": "lots"}, 'found "lots", expected a number of rows'),
            ({"max_skipped": 3, "strict": True}, "--max-skipped can't be used with --strict"),
        ]:
            run = subprocess.run([PROGRAM, "schema", "-", *options.skipping_arguments(given)], capture_output=True, text=True)
            self.assertEqual(run.returncode, 64)
            self.assertIn(said, run.stderr)

    def test_no_other_flag_is_in_the_sources(self):
        """What is written without `options`, such as --part, must be known to one of the commands that the package runs."""
        known = set().union(*(flags(command) for command in ("build", "join", "plan", "schema", "publish")))
        for file in ("build.py", "parts.py", "program.py", "survey.py"):
            written = set(re.findall(r'"(--[a-z-]+)', (package.SOURCES / "pyramid_spark" / file).read_text()))
            self.assertEqual(written - known, set(), file)


class DefaultTests(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        source = random.Random(24)
        with open(self.folder / "points.ndjson", "w") as file:
            for number in range(2000):
                place = [source.gauss(11.5, 3), source.gauss(48.1, 1)]
                feature = {"type": "Feature", "geometry": {"type": "Point", "coordinates": place}, "properties": {"n": number}}
                print(json.dumps(feature), file=file)

    def built(self, name, given):
        """A tileset whose name says its kind, in a folder of its own."""
        out = Path(tempfile.mkdtemp(dir=self.folder), name)
        arguments = [self.folder / "points.ndjson", out, "--max-zoom", "9", "--quiet", *options.arguments(given)]
        subprocess.run([PROGRAM, "build", *arguments], check=True)
        return out

    def test_tilesets_with_the_defaults_spelled_out_are_those_without(self):
        for name, given in [
            ("directory", {}),
            ("vector", {"format": "mvt"}),
            ("archive.pmtiles", {}),
            ("json.pmtiles", {"format": "geojson"}),
        ]:
            spelled = {"format": options.format_of(given, name)}
            self.assertEqual(differences(self.built(name, given), self.built(name, {**given, **spelled})), [], name)


# Runs the program, counts the parts that it builds, with their cut zooms, and warns of all but the last.
COUNTING = """#!/bin/sh
# {remark}
[ "$1" != build ] || {{ echo "$5:$7" >> {counted}; [ "$5" = 1/1/1 ] || echo "warning: $5" >&2; }}
exec {program} "$@"
"""


class PartTests(unittest.TestCase):
    tiles = ("1/0/0", "1/1/0", "1/0/1", "1/1/1")
    feature = '{"type":"Feature","geometry":{"type":"Point","coordinates":[-1,-2]},"properties":{"a":%d}}\n'
    schema = '{"version": 1, "columns": [{"name": "a", "types": ["number"]}]}'

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.parts = self.folder / "parts"
        self.parts.mkdir()

    def build(self, rows, remark="", cut_zoom=4, schema=schema, arguments=("--max-zoom=8",), tiles=tiles, jobs=1):
        """Builds parts of rows, a list of `(tile's index, text)` or batches of them, by a program that is another one with a remark."""
        script = COUNTING.format(remark=remark, counted=self.folder / "counted", program=PROGRAM)
        program = executable(self.folder / "counting", script)
        builder = PartBuilder(program, str(self.parts), tiles, cut_zoom, schema, arguments, jobs)
        return [row for part in builder([batch(rows)] if isinstance(rows, list) else rows) for row in part.to_pylist()]

    def counted(self):
        """The tiles that were built since the last time, with their cut zooms."""
        counted = self.folder / "counted"
        tiles = counted.read_text().split() if counted.exists() else []
        counted.unlink(missing_ok=True)
        return tiles

    def files(self):
        return sorted(file.name for file in self.parts.iterdir())

    def test_parts_are_joined_to_what_the_program_makes_of_their_rows(self):
        features = [self.feature % 7, self.feature % 8]
        # All rows are in or near all parts.
        built = self.build([(part, text) for part in range(4) for text in [None, *features]])
        self.assertEqual([row["part"] for row in built], [0, 1, 2, 3])
        self.assertEqual([row["said"] for row in built], [*(f"warning: {tile}\n" for tile in self.tiles[:3]), ""])
        self.assertEqual(self.counted(), [f"{tile}:4" for tile in self.tiles])
        self.assertRegex(built[0]["file"], r"^1-0-0-[0-9a-f]{32}\.part$")
        rows, joined, whole = (self.folder / name for name in ("rows.ndjson", "joined", "whole"))
        rows.write_text("".join(features))
        subprocess.run([PROGRAM, "join", *(self.parts / row["file"] for row in built), joined, "--quiet"], check=True)
        subprocess.run([PROGRAM, "build", rows, whole, "--max-zoom=8", "--quiet"], check=True)
        self.assertEqual(differences(joined, whole), [])

    def test_a_finished_part_is_used_again_for_the_same_rows_in_any_order(self):
        rows = [(2, self.feature % 7), (2, self.feature % 8), (2, None)]
        first, files = self.build(rows), self.files()
        self.assertEqual(self.counted(), ["1/0/1:4"])
        # Its warnings are said again, and its bytes don't depend on threads.
        self.assertEqual(self.build(iter([batch(rows[1:]), batch(rows[:1])]), jobs=3), first)
        self.assertEqual((self.counted(), self.files()), ([], files))

    def test_a_finished_part_is_not_used_for_anything_else(self):
        rows = [(2, None), (2, self.feature % 7), (2, self.feature % 8)]
        other = [(2, None), (2, self.feature % 6), (2, self.feature % 9)]
        names = {self.build(rows)[0]["file"]}
        for sent, given in [
            (other, {}),
            (rows[:2], {}),
            ([*rows, rows[-1]], {}),
            (rows, {"cut_zoom": 5}),
            (rows, {"schema": self.schema.replace("[{", '[{"name": "b", "types": ["string"]}, {')}),
            (rows, {"arguments": ("--max-zoom=8", "--coincident-limit=9")}),
            (rows, {"tiles": ("1/0/0", "1/1/0", "2/1/2", "1/1/1")}),
            (rows, {"remark": "another build of the program"}),
        ]:
            self.counted()
            name = self.build(sent, **given)[0]["file"]
            self.assertEqual(len(self.counted()), 1)
            self.assertNotIn(name, names)
            names.add(name)

    def test_a_part_that_fails_is_named_and_leaves_nothing(self):
        bad = self.feature.replace("%d", '"b"')
        with self.assertRaisesRegex(ProgramError, r'^part 1/0/1 on .*: .*"a" has values of type string.*\n?.* \(exit code 65\)'):
            self.build([(2, None), (2, bad)])
        self.assertEqual(self.files(), [])
        killed = '\n[ "$1" != build ] || { touch "$3.tmp"; kill -9 $$; }'
        with self.assertRaisesRegex(ProgramError, r"^part 1/0/1 on .*: the program said nothing \(signal 9\)"):
            self.build([(2, self.feature % 7)], remark=killed)
        self.assertEqual(self.files(), [])

    def test_rows_that_break_off_leave_no_part(self):
        def broken():
            yield batch([(0, None)])
            raise RuntimeError("the worker is stopped")

        with self.assertRaisesRegex(RuntimeError, "the worker is stopped"):
            self.build(broken())
        self.assertEqual(self.files(), [])


if __name__ == "__main__":
    unittest.main()
