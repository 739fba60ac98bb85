"""Building a tileset from a DataFrame: plan, parts, join."""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
import sys
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyspark import cloudpickle
from pyspark.errors import PySparkException

import pyramid_spark
from pyramid_spark import options as option_rules
from pyramid_spark import rows
from pyramid_spark.columns import Columns
from pyramid_spark.errors import OptionError, ProgramError
from pyramid_spark.parts import RESULT, PartBuilder
from pyramid_spark.program import find_program, run, warn
from pyramid_spark.shuffle import by_part
from pyramid_spark.survey import count_cores, planned

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row
    from typing_extensions import Unpack

    from pyramid_spark.options import Options
    from pyramid_spark.plan import Plan

_S3 = "s3://"
_SHOWN_WARNINGS = 3


@dataclass(frozen=True)
class BuildResult:
    """The result of a build.

    Attributes:
        output: the path or URL of the tileset.
        summary: the output of `pyramid join --json`: counts of rows, tiles and bytes.
        plan: the parts.
        rows_sent: the number of rows that the parts read, including halos.
        duplicate_ids: the number of rows left out because another one with the same id was kept.
    """

    output: str
    summary: dict[str, Any]
    plan: Plan
    rows_sent: int
    duplicate_ids: int


def build(
    df: DataFrame,
    out: str,
    *,
    longitude: str,
    latitude: str,
    max_zoom: int,
    pyramid: str = "pyramid",
    work: str | None = None,
    rows_per_part: int | None = None,
    join_markers: int | None = None,
    jobs: int | None = None,
    force: bool = False,
    **options: Unpack[Options],
) -> BuildResult:
    """Clusters the points of a DataFrame for every zoom of a web map and writes them as tiles.

    The tileset is byte for byte the one that `pyramid build` makes of the same rows, whatever the cluster and the parts.

    Args:
        df: a row for every point. It is read three times, a fourth time with `id_column`, and once more if a column is empty in
            the first rows: cache it if that is expensive. All columns but those of the coordinates become properties; nulls,
            NaN and infinity are left out.
        out: the output directory or `.pmtiles` archive, on the driver's file system; or `s3://bucket/prefix`, to which the
            driver publishes the tileset that it has joined in `work`.
        longitude: the column of longitudes in degrees, -360 to 360: numbers, or texts of numbers.
        latitude: the column of latitudes in degrees, -90 to 90.
        max_zoom: the last zoom with tiles, up to 23; every point stands alone there. Parts can't choose it from the data.
        pyramid: the name of the program in PATH or among the files sent with `--files`, or its path, on every machine.
        work: a directory for the parts, shared by all executors and the driver (default: `out` plus `.parts`). Parts are
            removed once the tileset is complete. After an error, finished ones stay, and the same call reuses those whose
            rows, options and program are unchanged.
        rows_per_part: the most rows that a part should read, including its halo; a row needs 94 bytes of memory or more
            (default: at most `ROWS_PER_PART`, and as many parts as keep the cluster busy).
        join_markers: about the most markers that the join should get (default: 1,000,000, which need about 1 GB).
        jobs: threads of the join (default: all cores of the driver's machine). A part has as many threads as a task has
            cores.
        force: build into a directory that has other files, which stay.
        options: the options of `pyramid build`, see `Options`.

    Raises:
        OptionError: if an option or a column is invalid.
        ProgramError: if the program is missing or fails; names the part and the program's error.
    """
    if out.startswith(_S3) and work is None:
        raise OptionError(f"{out}: set work=... to a directory for parts that all executors and the driver share")
    part_arguments = [*option_rules.part_arguments(options, out), f"--max-zoom={max_zoom}"]
    join_arguments = option_rules.join_arguments(options)
    if jobs is not None:
        join_arguments.append(f"--jobs={jobs}")
    if force:
        join_arguments.append("--force")
    program = find_program(pyramid)
    columns = Columns.of(
        df.schema,
        longitude,
        latitude,
        include=None if options.get("include") is None else option_rules.listed(options["include"]),
        id_column=options.get("id_column"),
    )

    with _folder_of_parts(out, work) as folder, contextlib.ExitStack() as finally_:
        features = rows.features(df, columns)
        schema = _schema(
            program,
            rows.sample(features, columns, option_rules.date_columns(options)),
            options.get("min_zoom", 0),
            options.get("id_column"),
            option_rules.skipping_arguments(options),
            part_arguments,
            folder,
        )
        duplicates = 0
        if columns.id is not None:
            features, duplicates, all_rows = rows.without_duplicates(features)
            if duplicates:
                finally_.callback(features.unpersist)
                option_rules.require_few_duplicates(duplicates, all_rows, options)
                warnings.warn(f"skipped {duplicates:,} rows (duplicate id: {duplicates:,})", stacklevel=2)
        of_join = [] if join_markers is None else [f"--join-markers={join_markers}"]
        plan, cells, zoom = planned(
            features, [program, "plan", *part_arguments, *of_join], rows_per_part=rows_per_part, cores=_cores(df, folder)
        )
        builder = PartBuilder(
            program=pyramid,
            folder=str(folder),
            tiles=tuple(str(part.tile) for part in plan.parts),
            cut_zoom=plan.cut_zoom,
            schema=schema,
            arguments=tuple(part_arguments),
            jobs=_cores_per_task(df),
        )
        built = _build_parts(by_part(features, plan, cells, zoom), builder)
        for row in [row for row in built if row.said][:_SHOWN_WARNINGS]:
            warn(f"part {builder.tiles[row.part]}", row.said)
        target, destination = _target(out, folder)
        joined, said = run(
            [program, "join", *(row.file for row in built), target, *join_arguments, "--quiet", "--json"],
            purpose="join",
            cwd=str(folder),
        )
        warn("join", said)
        if destination is not None:
            _, said = run([program, "publish", target, destination, "--quiet"], purpose="publish")
            warn("publish", said)
    sent = sum(part.rows_with_halo for part in plan.parts)
    return BuildResult(out, json.loads(joined) if joined.strip() else {}, plan, sent, duplicates)


@contextlib.contextmanager
def _folder_of_parts(out: str, work: str | None) -> Iterator[Path]:
    """The folder of an output's parts. It is removed at the end, but after an error only if no part is finished."""
    place = out if out.startswith(_S3) else str(Path(out).absolute())
    name = f"{Path(out).name}-{hashlib.sha256(place.encode()).hexdigest()[:8]}"
    folder = Path(work or f"{out.rstrip('/')}.parts", name).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    keep = False
    try:
        yield folder
    except BaseException as error:
        keep = any(folder.glob("[0-9]*.part"))
        if keep:
            where = f"finished parts are kept in {folder}: the same call reuses them; to give up, remove that folder"
            if isinstance(error, ProgramError):
                error.args = (f"{error}; {where}",)
            elif sys.version_info >= (3, 11):
                error.add_note(where)
        raise
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)
            if work is None:
                with contextlib.suppress(OSError):
                    folder.parent.rmdir()


def _target(out: str, folder: Path) -> tuple[str, str | None]:
    """The path that the join writes to, and the URL to publish it to; `None` if it isn't published."""
    if not out.startswith(_S3):
        return str(Path(out).absolute()), None
    if not option_rules.is_archive(out):
        return str(folder / "joined"), out
    # An archive keeps its name.
    place, name = out.rsplit("/", 1)
    return str(folder / name), place


def _schema(
    program: str, sample: str, min_zoom: int, id_column: str | None, skipping: list[str], arguments: list[str], folder: Path
) -> str:
    """The schema that the program makes of a sample.

    Builds a part of the sample alone, so that invalid options and columns are found before the cluster starts to work.
    """
    with tempfile.TemporaryDirectory(prefix="pyramid-", dir=folder) as own:
        # The program's errors begin with the name of the file.
        Path(own, "DataFrame").write_text(sample)
        of_ids = [] if id_column is None else [f"--id-column={id_column}"]
        schema, _ = run([program, "schema", "DataFrame", *of_ids, *skipping], purpose="schema", cwd=own)
        Path(own, "schema.json").write_text(schema)
        part = ["--part", "0/0/0", "--cut-zoom", str(min_zoom), "--schema", "schema.json"]
        run(
            [program, "build", "DataFrame", "trial.part", *part, *arguments, "--quiet"],
            purpose="options",
            cwd=own,
        )
    return schema


def _cores_per_task(df: DataFrame) -> int:
    return int(df.sparkSession.conf.get("spark.task.cpus", "1") or 1)


def _cores(df: DataFrame, folder: Path) -> int:
    """The number of the cluster's cores when the parts were first planned, so that the same call makes the same plan."""
    noted = folder / "cores"
    text = noted.read_text() if noted.exists() else ""
    if not text.isdecimal():
        text = str(count_cores(df))
        noted.write_text(text)
    return int(text)


def _build_parts(sent: DataFrame, builder: PartBuilder) -> list[Row]:
    """Builds the parts that aren't finished yet and returns the `RESULT` of all, in their order."""
    # The executors get this package with the task, so it must be installed on the driver only. It stays registered, as another
    # build of this process may need it; registering it again changes nothing.
    cloudpickle.register_pickle_by_value(pyramid_spark)  # type: ignore[no-untyped-call]
    try:
        built = sent.mapInArrow(builder.__call__, RESULT).collect()
    except PySparkException as error:
        reported = ProgramError.reported(str(error))
        if reported is None:
            raise
        raise reported from None
    missing = set(range(len(builder.tiles))) - {row.part for row in built}
    if missing:
        raise ProgramError(f"part {builder.tiles[min(missing)]}: Spark did not run it")
    return sorted(built, key=lambda row: row.part)
