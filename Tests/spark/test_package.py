"""Options, columns, and rows of parts; without Spark and the program."""

import contextlib
import sys
import tempfile
import typing
import unittest
from pathlib import Path
from unittest import mock

import pyarrow
from package import batch
from pyramid_spark import options
from pyramid_spark.__main__ import _format, parser
from pyramid_spark.build import _cores, _folder_of_parts
from pyramid_spark.columns import Columns
from pyramid_spark.errors import OptionError, ProgramError
from pyramid_spark.parts import _by_part, _chunks
from pyramid_spark.program import find_program, run
from pyspark.sql.types import BooleanType, DoubleType, LongType, StringType, StructField, StructType


class OptionTests(unittest.TestCase):
    def test_keyword_arguments_become_the_flags_of_the_program(self):
        given = {
            "cluster_distance": "0-8:60,9-:40",
            "accumulate": {"price": ["sum", "max:dearest"], "area": "mean"},
            "count_by": {"kind": 5},
            "include": ["a", "b"],
            "preview": True,
            "strict": False,
            "name": "--odd name",
            "members": None,
            "min_zoom": 0,
        }
        self.assertEqual(
            options.arguments(given),
            [
                "--cluster-distance=0-8:60,9-:40",
                "--accumulate-attribute=price:sum",
                "--accumulate-attribute=price:max:dearest",
                "--accumulate-attribute=area:mean",
                "--count-by=kind:5",
                "--include=a",
                "--include=b",
                "--preview",
                "--name=--odd name",
                "--min-zoom=0",
            ],
        )
        self.assertEqual(options.arguments({"count_by": "kind"}), ["--count-by=kind"])
        self.assertEqual(options.arguments({"count_by": ["kind:3", "brand"]}), ["--count-by=kind:3", "--count-by=brand"])
        self.assertEqual(options.arguments({"include": r"a, b\,c"}), ["--include=a", r"--include=b\,c"])
        self.assertEqual(options.arguments({"include": ["b,c"]}), [r"--include=b\,c"])
        self.assertEqual(options.arguments({"include": []}), ["--include="])

    def test_what_is_no_option_is_refused_with_a_cure(self):
        for name, cure in [
            ("cluster_distanse", "did you mean cluster_distance?"),
            ("types", "cast them"),
            ("delimiter", "sep of spark.read"),
            ("skip_lines", "leave those lines out"),
            ("longitude_column", "longitude=..."),
            ("accumulate_attribute", "accumulate={'price': 'sum'}"),
        ]:
            with self.assertRaises(OptionError) as caught:
                options.arguments({name: "x"})
            self.assertIn(f"there is no option {name}; ", str(caught.exception))
            self.assertIn(cure, str(caught.exception))

    def test_values_of_another_type_are_refused(self):
        for given in ({"members": [3]}, {"strict": "yes"}, {"name": True}):
            with self.assertRaises(OptionError):
                options.arguments(given)

    def test_the_page_is_for_the_join_only(self):
        given = {"preview": True, "basemap": "https://example.org/{z}/{x}/{y}.png", "min_points": 3}
        self.assertEqual(options.part_arguments(given, "out"), ["--min-points=3"])
        self.assertEqual(options.join_arguments(given), ["--preview", "--basemap=https://example.org/{z}/{x}/{y}.png"])

    def test_the_join_judges_how_many_rows_were_skipped(self):
        given = {"max_skipped": "5%", "min_points": 3}
        self.assertEqual(options.part_arguments(given, "out"), ["--min-points=3"])
        self.assertEqual(options.join_arguments(given), ["--max-skipped=5%"])
        self.assertEqual(options.skipping_arguments(given), ["--max-skipped=5%"])
        self.assertEqual(options.join_arguments({"max_skipped": 20}), ["--max-skipped=20"])
        # A single bad row is enough to know.
        self.assertEqual(options.part_arguments({"strict": True}, "out"), ["--strict"])
        self.assertEqual(options.join_arguments({"strict": True}), ["--strict"])

    def test_rows_with_the_same_id_are_judged_as_the_program_does(self):
        for given, rows, allowed in (
            ({}, 5, 1),
            ({}, 39, 3),
            ({"max_skipped": "10%"}, 5, 0),
            ({"max_skipped": "100%"}, 5, 5),
            ({"max_skipped": 2}, 50, 2),
            ({"max_skipped": 0}, 50, 0),
            ({"strict": True}, 50, 0),
        ):
            options.require_few_duplicates(allowed, rows, given)
            with self.assertRaisesRegex(OptionError, rf"\b{allowed + 1} of {rows} rows"):
                options.require_few_duplicates(allowed + 1, rows, given)

    def test_the_parts_of_an_archive_are_told_its_format(self):
        self.assertEqual(options.part_arguments({}, "a.pmtiles"), ["--format=mvt"])
        self.assertEqual(options.part_arguments({"format": "geojson"}, "a.PMTiles"), ["--format=geojson"])
        self.assertEqual(options.part_arguments({}, "out"), [])
        with self.assertRaisesRegex(OptionError, "bundle can't be used with .pmtiles output"):
            options.part_arguments({"bundle": 256}, "a.pmtiles")

    def test_options_have_the_names_and_kinds_that_the_writers_know(self):
        hints = typing.get_type_hints(options.Options)
        for name in options.option_names():
            self.assertEqual(hints[name] is bool, options.is_switch(name), name)

    def test_the_command_spells_options_as_the_program_does(self):
        given = vars(
            parser().parse_args(
                [
                    "--input",
                    "a.parquet",
                    "--output",
                    "out",
                    "--longitude",
                    "lon",
                    "--latitude",
                    "lat",
                    "--max-zoom",
                    "9",
                    "--count-by",
                    "kind:5",
                    "--count-by",
                    "brand",
                    "--cluster-maxzoom",
                    "7",
                    "--strict",
                    "--accumulate-attribute",
                    "price:sum",
                    "--include",
                    r"a,b\,c",
                    "--include",
                    "d",
                ]
            )
        )
        self.assertEqual(given["count_by"], ["kind:5", "brand"])
        self.assertEqual(given["accumulate"], ["price:sum"])
        self.assertEqual(given["include"], ["a", "b,c", "d"])
        self.assertEqual((given["out"], given["max_zoom"], given["cluster_maxzoom"], given["strict"]), ("out", 9, 7, True))

    def test_the_ending_tells_the_format(self):
        for path, expected in [("a/b.csv", "csv"), ("x.parquet/", "parquet"), ("x.json.gz", "json"), ("s3a://b/p.orc", "orc")]:
            self.assertEqual(_format(path), expected)
        with self.assertRaisesRegex(OptionError, "points: unknown file name ending; set --input-format"):
            _format("points")


class FolderTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = str(Path(folder.name, "places"))

    def left(self, error, *names):
        """The folder of the parts after an error or without one, if it is still there, with these files in it."""
        with (
            contextlib.suppress(type(error)) if error else contextlib.nullcontext(),
            _folder_of_parts(self.out, None) as folder,
        ):
            for name in names:
                (folder / name).touch()
            if error:
                raise error
        return folder if folder.exists() else None

    def test_finished_parts_stay_after_any_error(self):
        for error in (ProgramError("join: no"), ValueError("no"), KeyboardInterrupt()):
            self.assertIsNone(self.left(error))
            self.assertIsNone(self.left(error, ".7c-4-3-5-0a.part", "cores"))
            kept = self.left(error, "4-3-5-0a.part")
            self.assertIsNotNone(kept)
            said = f"finished parts are kept in {kept}: the same call reuses them; to give up, remove that folder"
            if isinstance(error, ProgramError):
                self.assertEqual(str(error), f"join: no; {said}")
            elif sys.version_info >= (3, 11):
                self.assertEqual(error.__notes__, [said])
            # The same call finds them, and removes them.
            self.assertIsNone(self.left(None))
            self.assertFalse(Path(f"{self.out}.parts").exists())

    def test_outputs_that_share_a_directory_have_folders_of_their_own(self):
        work = self.out
        with (
            _folder_of_parts("a/out", work) as a,
            _folder_of_parts("b/out", work) as b,
            _folder_of_parts("s3://b/out", work) as c,
        ):
            self.assertEqual(len({a, b, c}), 3)
        # It isn't this package's to remove.
        self.assertEqual(list(Path(work).iterdir()), [])


class CoreTests(unittest.TestCase):
    def test_parts_are_planned_for_the_cores_that_there_were_at_the_first_call(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch("pyramid_spark.build.count_cores", side_effect=[5, 9]):
            self.assertEqual([_cores(None, Path(folder)) for _ in range(2)], [5, 5])
            # A full disk may have left it empty.
            Path(folder, "cores").write_text("")
            self.assertEqual([_cores(None, Path(folder)) for _ in range(2)], [9, 9])


class ColumnTests(unittest.TestCase):
    schema = StructType(
        [
            StructField("Lon", DoubleType()),
            StructField("lat", StringType()),
            StructField("a.b", LongType()),
            StructField("flag", BooleanType()),
        ]
    )

    def columns(self, longitude="Lon", latitude="lat", include=None, id_column=None):
        return Columns.of(self.schema, longitude, latitude, include=include, id_column=id_column)

    def test_all_but_the_coordinates_are_written_unless_they_are_included(self):
        self.assertEqual(self.columns().written, (2, 3))
        self.assertEqual(self.columns(include=["lat", "flag"]).written, (1, 2, 3))
        self.assertEqual(self.columns("lon", id_column="A.B").id, 2)

    def test_columns_that_do_not_fit_are_refused(self):
        for arguments, words in [
            (
                {"longitude": "long"},
                'no column "long" for longitude, expected one of "Lon", "lat", "a.b", "flag"',
            ),
            ({"latitude": "flag"}, 'latitude: the column "flag" is of type boolean, expected numbers of degrees'),
            ({"latitude": "Lon"}, 'longitude and latitude are both "Lon"'),
        ]:
            with self.assertRaises(OptionError) as caught:
                self.columns(**arguments)
            self.assertIn(words, str(caught.exception))
        # The program names columns that are not among the properties.
        self.assertEqual(self.columns(include=["nope"], id_column="nope"), self.columns())


class ChunkTests(unittest.TestCase):
    rows: typing.ClassVar = [(3, "é\n"), (3, None), (3, "bc\n"), (5, None), (5, ""), (7, None), (7, "x\n")]
    runs: typing.ClassVar = [(3, 0, 3), (5, 3, 5), (7, 5, 7)]

    def joined(self, batches):
        found = []
        for part, chunks in _by_part(_chunks(batches)):
            texts, hashes = zip(*chunks)
            found.append((part, b"".join(map(bytes, texts)).decode(), sum(hashes) % 2**64))
        return found

    def test_texts_of_a_part_come_as_one_however_the_batches_are_cut(self):
        hashes = {part: sum(batch(self.rows).column("hash").to_pylist()[first:end]) % 2**64 for part, first, end in self.runs}
        expected = [(3, "é\nbc\n", hashes[3]), (5, "", hashes[5]), (7, "x\n", hashes[7])]
        for text in (pyarrow.string(), pyarrow.large_string()):
            whole = batch(self.rows, text)
            self.assertEqual(self.joined([whole]), expected)
            for size in (1, 2, 3):
                slices = [whole.slice(start, size) for start in range(0, len(self.rows), size)]
                self.assertEqual(self.joined([batch([], text), *slices]), expected)

    def test_a_part_that_is_not_read_is_skipped(self):
        self.assertEqual([part for part, _ in _by_part(_chunks([batch(self.rows)]))], [3, 5, 7])


class ProgramTests(unittest.TestCase):
    def test_a_program_that_is_not_there_is_an_error_with_a_cure(self):
        for name in ("no-such-pyramid", "./no-such-pyramid"):
            with self.assertRaisesRegex(ProgramError, f'^there is no program "{name}" on .*--files'):
                find_program(name)
        self.assertEqual(find_program(sys.executable), sys.executable)

    def test_a_program_that_is_killed_is_told_from_one_that_fails(self):
        with self.assertRaisesRegex(ProgramError, r"^part 0/0/0: the program said nothing \(signal 9\)"):
            run([sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"], purpose="part 0/0/0")

    def test_a_step_that_fails_is_named(self):
        with self.assertRaisesRegex(ProgramError, r"^join: no parts \(exit code 65\)"):
            run([sys.executable, "-c", "import sys; print('no parts', file=sys.stderr); sys.exit(65)"], purpose="join")

    def test_an_error_is_found_in_the_text_of_sparks(self):
        text = (
            "An exception was thrown from the Python worker.\nTraceback (most recent call last):\n"
            '  File "worker.py", line 1, in main\n    raise ProgramError(f"{purpose}")\n'
            "pyramid_spark.errors.ProgramError: part 1/0/1: it: failed (exit code 74, host)\n\nDriver stacktrace:\n"
        )
        self.assertEqual(str(ProgramError.reported(text)), "part 1/0/1: it: failed (exit code 74, host)")
        self.assertIsNone(ProgramError.reported("org.apache.spark.SparkException: Job aborted"))


if __name__ == "__main__":
    unittest.main()
