"""The rows of a DataFrame as GeoJSON features, and which parts each goes to: expressions that Spark runs on the JVM."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F
from pyspark.sql import types as T

from pyramid_spark.errors import OptionError
from pyramid_spark.plan import PartLookup, Plan, partition_keys

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

# Without a time zone and a form of their own, times would depend on the session's settings.
_JSON = {"timeZone": "UTC", "timestampFormat": "yyyy-MM-dd'T'HH:mm:ss[.SSSSSS]XXX"}

_DECIMAL = r"^\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*$"

_TASK_BITS = 32


@dataclass(frozen=True)
class Columns:
    """What the columns of a DataFrame are for.

    Attributes:
        names: of all columns.
        longitude: the index of the column of longitudes in degrees.
        latitude: the index of the column of latitudes in degrees.
        written: the indices of those that become properties.
        id: the index of the column of ids; `None` without one.
    """

    names: tuple[str, ...]
    longitude: int
    latitude: int
    written: tuple[int, ...]
    id: int | None

    @staticmethod
    def of(
        schema: T.StructType, longitude: str, latitude: str, *, include: Iterable[str] | None, id_column: str | None
    ) -> Columns:
        """Finds the columns.

        Args:
            schema: that of the DataFrame.
            longitude: the name of the column of longitudes.
            latitude: the name of the column of latitudes.
            include: the names that are to be written; coordinates are written only if they are among them.
            id_column: the name of the column of ids.

        Raises:
            OptionError: if there is no such column, its type doesn't fit, or two columns have one name.
        """
        names = tuple(field.name for field in schema.fields)
        for name in names:
            if names.count(name) > 1:
                raise OptionError(f'the DataFrame has several columns "{name}", expected names that differ')

        def index(option: str, name: str) -> int:
            # Another case will do where only one column matches, as in the program.
            found = [at for at, other in enumerate(names) if other == name]
            found = found or [at for at, other in enumerate(names) if other.lower() == name.lower()]
            if len(found) != 1:
                columns = ", ".join(f'"{other}"' for other in names)
                raise OptionError(f'{option}: there is no column "{name}" in the DataFrame, which has {columns}')
            return found[0]

        places = index("longitude", longitude), index("latitude", latitude)
        for option, at in zip(("longitude", "latitude"), places):
            if not isinstance(schema.fields[at].dataType, (T.NumericType, T.StringType)):
                kind = schema.fields[at].dataType.simpleString()
                raise OptionError(f'{option}: the column "{names[at]}" is of type {kind}, expected numbers of degrees')
        if places[0] == places[1]:
            raise OptionError(f'longitude and latitude are both "{names[places[0]]}", expected two columns')
        identity = None if id_column is None else index("id_column", id_column)
        if identity is not None and not isinstance(schema.fields[identity].dataType, (T.NumericType, T.StringType)):
            kind = schema.fields[identity].dataType.simpleString()
            raise OptionError(f'id_column: the column "{names[identity]}" is of type {kind}, expected numbers or strings')
        named = {index("include", name) for name in include or ()}
        written = tuple(at for at in range(len(names)) if at not in places or at in named)
        return Columns(names, *places, written, identity)


def features(df: DataFrame, columns: Columns) -> DataFrame:
    """The rows as newline-delimited GeoJSON.

    Returns:
        A DataFrame of the columns x and y (doubles from 0 to 1, see `PartLookup.parts`; null for rows without a usable place),
        id (null without one), text (a feature with its line end), and c0, c1, ... (the columns as they are written, null where
        JSON has nothing).
    """
    kinds = [field.dataType for field in df.schema.fields]
    # By position, so that no dot, backtick or difference of case in a name matters.
    numbered = df.toDF(*(f"c{at}" for at in range(len(columns.names))))
    values = [_json_value(F.col(f"c{at}"), kind) for at, kind in enumerate(kinds)]
    places = [F.col(f"c{at}") for at in (columns.longitude, columns.latitude)]
    place_kinds = [kinds[at] for at in (columns.longitude, columns.latitude)]
    longitude, latitude = (_degrees(value, kind) for value, kind in zip(places, place_kinds))
    missing = [_is_missing(value, kind) for value, kind in zip(places, place_kinds)]
    # What is missing, or no number, is passed on in a form that the program counts as such.
    coordinates = (
        F.when(missing[0] | missing[1], "[]")
        .when(longitude.isNull() | latitude.isNull(), F.to_json(F.array(*(value.cast("string") for value in places))))
        .otherwise(F.to_json(F.array(longitude, latitude)))
    )
    properties = F.to_json(_struct(values, columns), _JSON) if columns.written else F.lit("{}")
    text = F.concat(
        F.lit('{"type":"Feature","geometry":{"type":"Point","coordinates":'),
        coordinates,
        F.lit('},"properties":'),
        properties,
        F.lit("}\n"),
    )
    # In range once they are rounded to a microdegree, halves away from zero, as the program does.
    usable = (F.abs(longitude) < 180.0000005) & (F.abs(latitude) < 90.0000005)
    # The map ends at 85.05 degrees; at the poles there would be a division by zero.
    sine = F.sin(F.radians(F.greatest(F.least(latitude, F.lit(85.06)), F.lit(-85.06))))
    y = F.lit(0.5) - F.log((1 + sine) / (1 - sine)) / F.lit(4 * math.pi)
    y = F.least(F.greatest(y, F.lit(0.0)), F.lit(1.0))
    return numbered.select(
        F.when(usable, F.pmod((longitude + 180) / 360, F.lit(1.0))).alias("x"),
        F.when(usable, y).alias("y"),
        (F.lit(None).cast("string") if columns.id is None else F.col(f"c{columns.id}")).alias("id"),
        text.alias("text"),
        *(value.alias(f"c{at}") for at, value in enumerate(values)),
    )


def _struct(values: Sequence[Column], columns: Columns) -> Column:
    return F.struct(*(values[at].alias(columns.names[at]) for at in columns.written))


def _json_value(value: Column, kind: T.DataType) -> Column:
    """A value as `to_json` should write it: NaN and infinity, for which JSON has nothing, as null."""
    if isinstance(kind, (T.DoubleType, T.FloatType)):
        return F.when(F.abs(value) < F.lit(math.inf), value)
    return value


def _degrees(value: Column, kind: T.DataType) -> Column:
    """A coordinate as a double; null for a text that is no number."""
    if isinstance(kind, T.StringType):
        return F.when(value.rlike(_DECIMAL), F.trim(value).try_cast("double"))
    if isinstance(kind, T.FloatType):
        # As it is written, 11.1, rather than with the digits that a double has more, 11.100000381469727.
        return value.cast("string").cast("double")
    return value.cast("double")


def _is_missing(value: Column, kind: T.DataType) -> Column:
    return value.isNull() | (F.trim(value) == "") if isinstance(kind, T.StringType) else value.isNull()


def sample(rows: DataFrame, columns: Columns) -> str:
    """A feature that has a value wherever any row with a usable place has one, to make a schema from.

    The values of a column are of one type, so one of them tells what all are.

    Args:
        rows: what `features` returns.
        columns: those of the rows.
    """
    properties = "{}"
    if columns.written:
        usable = F.col("x").isNotNull()
        # A feature with an empty id would be a bad row.
        filled = [F.col(f"c{at}").cast("string") != "" if at == columns.id else usable for at in range(len(columns.names))]
        values = [F.first(F.when(usable & has_value, F.col(f"c{at}")), ignorenulls=True) for at, has_value in enumerate(filled)]
        found = rows.agg(_struct(values, columns).alias("values")).select(F.to_json("values", _JSON)).first()
        assert found is not None
        properties = found[0]
    return f'{{"type":"Feature","geometry":{{"type":"Point","coordinates":[0,0]}},"properties":{properties}}}\n'


def without_duplicates(rows: DataFrame) -> tuple[DataFrame, int]:
    """Of several rows with the same id and a usable place, the one whose text has the greatest bytes.

    Args:
        rows: what `features` returns.

    Returns:
        The rows that are kept, and how many are not.
    """
    candidates = F.col("x").isNotNull() & F.col("id").isNotNull() & (F.col("id").cast("string") != "")
    repeated = rows.filter(candidates).groupBy("id").agg(F.count("*").alias("rows_of_id")).filter("rows_of_id > 1")
    surplus = repeated.agg(F.sum(F.col("rows_of_id") - 1)).first()
    assert surplus is not None
    if not surplus[0]:
        return rows, 0
    order = Window.partitionBy("id").orderBy(F.col("text").desc())
    first = rows.filter(candidates).join(repeated.select("id"), "id", "left_semi")
    first = first.withColumn("rank", F.row_number().over(order)).filter("rank = 1").drop("rank").select(*rows.columns)
    others = rows.filter(~F.coalesce(candidates, F.lit(False)))
    single = rows.filter(candidates).join(repeated.select("id"), "id", "left_anti").select(*rows.columns)
    return others.unionAll(single).unionAll(first), int(surplus[0])


def cells(rows: DataFrame, zoom: int) -> DataFrame:
    """How many rows with a usable place are in which cell.

    Returns:
        A DataFrame of x and y (the tile of `zoom`) and n (rows).
    """
    side = 1 << zoom
    return (
        rows.filter(F.col("x").isNotNull())
        .select(
            F.floor(F.col("x") * side).cast("int").alias("x"),
            F.least(F.floor(F.col("y") * side), F.lit(side - 1)).cast("int").alias("y"),
        )
        .groupBy("x", "y")
        .agg(F.count("*").alias("n"))
    )


def coarser(cells: DataFrame, levels: int) -> DataFrame:
    """Cells added up to those so many zooms before."""
    return (
        cells.select(F.shiftright("x", levels).alias("x"), F.shiftright("y", levels).alias("y"), "n")
        .groupBy("x", "y")
        .agg(F.sum("n").alias("n"))
    )


def occupied(cells: DataFrame, levels: Iterable[int]) -> list[int]:
    """About how many cells would be occupied, for each number of zooms before theirs."""
    counts = cells.agg(
        *(
            F.approx_count_distinct(F.struct(F.shiftright("x", level), F.shiftright("y", level))).alias(f"n{at}")
            for at, level in enumerate(levels)
        )
    ).first()
    assert counts is not None
    return [int(count) for count in counts]


def by_part(rows: DataFrame, plan: Plan, occupied_cells: Iterable[tuple[int, int]], zoom: int) -> DataFrame:
    """The rows where they are needed: one of Spark's partitions for each task, ordered by part.

    Args:
        rows: what `features` returns.
        plan: where the parts are.
        occupied_cells: x and y of all cells with rows.
        zoom: that of the cells.

    Returns:
        A DataFrame of the columns task and part (numbers) and text. Every part has a null as its first text, also if there
        is no row for it.
    """
    lookup = PartLookup(plan)
    keys = partition_keys(len(plan.tasks))
    # A part's task and its number in one number.
    entries = {part: keys[task] << _TASK_BITS | part for task, parts in enumerate(plan.tasks) for part in parts}
    blocks = [(x, y, *(entries[part] for part in lookup.block(x, y))) for x, y in sorted(lookup.corners(occupied_cells, zoom))]
    spark = rows.sparkSession
    blocks_type = "west int, north int, here long, east long, south long, both long"
    # Rows without a usable place are counted by the part in the north-west, which is the first.
    side = 1 << lookup.zoom
    table = F.broadcast(spark.createDataFrame(blocks or [(0, 0, 0, 0, 0, 0)], blocks_type))
    corners = rows.select(
        "text",
        F.floor((F.col("x") - lookup.halo) * side).alias("first_column"),
        F.floor((F.col("x") + lookup.halo) * side).alias("last_column"),
        F.floor(F.greatest(F.col("y") - lookup.halo, F.lit(0.0)) * side).alias("first_row"),
        F.least(F.floor((F.col("y") + lookup.halo) * side), F.lit(side - 1)).alias("last_row"),
    ).withColumn("west", F.pmod("first_column", F.lit(side)).cast("int"))
    corners = corners.withColumn("north", F.least("first_row", F.lit(side - 1)).cast("int"))
    goes_east, goes_south = F.col("last_column") > F.col("first_column"), F.col("last_row") > F.col("first_row")
    found = F.array_distinct(
        F.array(
            F.col("here"),
            F.when(goes_east, F.col("east")).otherwise(F.col("here")),
            F.when(goes_south, F.col("south")).otherwise(F.col("here")),
            F.when(goes_east & goes_south, F.col("both")).otherwise(F.col("here")),
        )
    )
    nowhere = F.array(F.lit(entries[0]).cast("long"))
    moved = F.raise_error(
        F.lit(
            "a row is where there was none before: the rows of the DataFrame change while they are read; "
            "write them to a table, or cache() them"
        )
    )
    entry = F.explode(
        F.when(F.col("first_column").isNull(), nowhere)
        .when(F.col("here").isNull(), F.array(moved.cast("long")))
        .otherwise(found)
    )
    sent = corners.join(table, ["west", "north"], "left").select(entry.alias("entry"), "text")
    firsts = spark.createDataFrame([(entry, None) for entry in entries.values()], "entry long, text string")
    return (
        firsts.unionAll(sent)
        .select(
            F.shiftright("entry", _TASK_BITS).cast("int").alias("task"),
            F.col("entry").bitwiseAND((1 << _TASK_BITS) - 1).cast("int").alias("part"),
            "text",
        )
        .repartition(len(plan.tasks), "task")
        .sortWithinPartitions("part", F.col("text").isNotNull())
    )
