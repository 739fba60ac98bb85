"""The command: `python -m pyramid_spark`, or `spark-submit .../pyramid_spark/__main__.py`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession

from pyramid_spark import OptionError, ProgramError, build
from pyramid_spark import options as option_rules


def parser() -> argparse.ArgumentParser:
    """The parser of the command line: options of this package, and all options of `pyramid build`, with the same names."""
    command = argparse.ArgumentParser(
        prog="pyramid_spark",
        description="Cluster the points of a table for every zoom of a web map, on the machines of a Spark cluster. "
        "The options not explained here are those of pyramid build.",
        allow_abbrev=False,
    )
    own = command.add_argument_group("The table, the output and the cluster")
    own.add_argument("--input", required=True, action="append", help="a file or folder that Spark reads; can be repeated")
    own.add_argument("--input-format", help="parquet, csv, json, orc, ... (default: from the file name)")
    own.add_argument(
        "--input-schema",
        help='the columns and their types, "lon double, lat double, zip string" (default: from the file; guessed for CSV, '
        "where 007 becomes 7)",
    )
    own.add_argument("--output", required=True, help="a directory, an archive (.pmtiles) or s3://bucket/prefix", dest="out")
    own.add_argument("--longitude", required=True, help="the column of longitudes in degrees")
    own.add_argument("--latitude", required=True, help="the column of latitudes in degrees")
    own.add_argument("--max-zoom", required=True, type=int, help="the last zoom with tiles, up to 23")
    own.add_argument("--pyramid", default="pyramid", help="the name or path of pyramid on all machines")
    own.add_argument("--work", help="a directory for the parts, shared by all machines (default: OUTPUT.parts)")
    own.add_argument("--rows-per-part", type=int, help="the most rows that a part should read (default: by rows and cores)")
    own.add_argument("--join-markers", type=int, help="about the most markers that the join should get (default: 1000000)")
    own.add_argument("--jobs", type=int, help="threads of the join (default: all cores)")
    own.add_argument("--force", action="store_true", help="build into a directory that has other files, which stay")
    others = command.add_argument_group("Options of pyramid build")
    for option in option_rules.option_names():
        flag = option_rules.flag(option)
        if option_rules.is_switch(option):
            others.add_argument(flag, dest=option, action="store_true")
        elif option_rules.is_list(option):
            others.add_argument(flag, dest=option, type=option_rules.listed, action="extend")
        else:
            others.add_argument(flag, dest=option, type=int if option_rules.is_number(option) else str)
    return command


def read(spark: SparkSession, paths: Sequence[str], kind: str | None, schema: str | None) -> DataFrame:
    """Reads the table.

    Raises:
        OptionError: if neither the format nor the file name tells the format.
    """
    kind = kind or _format(paths[0])
    reader = spark.read.format(kind)
    if schema:
        reader = reader.schema(schema)
    if kind == "csv":
        reader = (
            reader.option("header", True).option("inferSchema", schema is None).option("escape", '"').option("multiLine", True)
        )
    return reader.load(list(paths))


def _format(path: str) -> str:
    endings = {
        ".parquet": "parquet",
        ".csv": "csv",
        ".json": "json",
        ".ndjson": "json",
        ".jsonl": "json",
        ".orc": "orc",
    }
    for ending in reversed(Path(path.rstrip("/").removesuffix(".gz")).suffixes):
        if ending in endings:
            return endings[ending]
    raise OptionError(f"{path}: unknown file name ending; set --input-format")


def main(arguments: Sequence[str] | None = None) -> int:
    """Builds a tileset as the command line states, and prints the summary as JSON.

    Returns:
        The exit code: 0, 64 for wrong usage, or 74 if the program failed.
    """
    given: dict[str, Any] = vars(parser().parse_args(arguments))
    spark = SparkSession.builder.appName("pyramid").getOrCreate()
    try:
        df = read(spark, given.pop("input"), given.pop("input_format"), given.pop("input_schema"))
        # Options that aren't given have the program's defaults.
        result = build(df, **{name: value for name, value in given.items() if value is not None and value is not False})
    except (OptionError, AnalysisException) as error:
        print(f"error: {str(error).splitlines()[0]}", file=sys.stderr)
        return 64
    except ProgramError as error:
        print(f"error: {error}", file=sys.stderr)
        return 74
    finally:
        spark.stop()
    print(json.dumps(result.summary))
    return 0


if __name__ == "__main__":
    sys.exit(main())
