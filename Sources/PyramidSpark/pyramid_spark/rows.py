"""The rows of a DataFrame as GeoJSON features, as expressions that Spark runs on the JVM."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pyspark.sql import Window
from pyspark.sql import functions as F
from pyspark.sql import types as T

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from pyramid_spark.columns import Columns

# Fixed, because times would depend on the session's settings otherwise.
_JSON = {"timeZone": "UTC", "timestampFormat": "yyyy-MM-dd'T'HH:mm:ss[.SSSSSS]XXX"}

_SAMPLE_ROWS = 1000

# About 40 MB.
_ROWS_PER_PARTITION = 200_000

_DECIMAL = r"^\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*$"


def features(df: DataFrame, columns: Columns) -> DataFrame:
    """The rows as newline-delimited GeoJSON.

    Returns:
        A DataFrame of the columns x and y (doubles from 0 to 1, see `PartLookup.parts`; null for rows without a usable place),
        id (null without one), text (a feature with its line end), and c0, c1, ... (the columns as they are written; NaN and
        infinity are null).
    """
    kinds = [field.dataType for field in df.schema.fields]
    # Columns are numbered, so that dots, backticks and cases in names don't matter.
    numbered = df.toDF(*(f"c{at}" for at in range(len(columns.names))))
    values = [_json_value(F.col(f"c{at}"), kind) for at, kind in enumerate(kinds)]
    places = [F.col(f"c{at}") for at in (columns.longitude, columns.latitude)]
    place_kinds = [kinds[at] for at in (columns.longitude, columns.latitude)]
    longitude, latitude = (_degrees(value, kind) for value, kind in zip(places, place_kinds))
    missing = [_is_missing(value, kind) for value, kind in zip(places, place_kinds)]
    # Coordinates that are missing or not numbers are passed on, so that the program counts them as such.
    coordinates = (
        F.when(missing[0] | missing[1], "[]")
        .when(longitude.isNull() | latitude.isNull(), F.to_json(F.array(*(value.cast("string") for value in places))))
        .otherwise(F.to_json(F.array(longitude, latitude)))
    )
    text = F.concat(
        F.lit('{"type":"Feature","geometry":{"type":"Point","coordinates":'),
        coordinates,
        F.lit('},"properties":'),
        properties(values, columns),
        F.lit("}\n"),
    )
    # In range after rounding to microdegrees, halves away from zero, as the program does.
    # It reads longitudes beyond 180 as 360 less, and beyond -180 as 360 more.
    usable = (F.abs(longitude) < 360.0000005) & (F.abs(latitude) < 90.0000005)
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


def properties(values: Sequence[Column], columns: Columns) -> Column:
    """The JSON object of the written values, without nulls."""
    if not columns.written:
        return F.lit("{}")
    return F.to_json(F.struct(*(values[at].alias(columns.names[at]) for at in columns.written)), _JSON)


def _json_value(value: Column, kind: T.DataType) -> Column:
    """A value for `to_json`: NaN and infinity, which JSON doesn't have, become null."""
    if isinstance(kind, (T.DoubleType, T.FloatType)):
        return F.when(F.abs(value) < F.lit(math.inf), value)
    return value


def _degrees(value: Column, kind: T.DataType) -> Column:
    """A coordinate as a double; null if a text is not a number."""
    if isinstance(kind, T.StringType):
        return F.when(value.rlike(_DECIMAL), F.trim(value).try_cast("double"))
    if isinstance(kind, T.FloatType):
        # By its shortest decimal text: 11.1 rather than 11.100000381469727.
        return value.cast("string").cast("double")
    return value.cast("double")


def _is_missing(value: Column, kind: T.DataType) -> Column:
    return value.isNull() | (F.trim(value) == "") if isinstance(kind, T.StringType) else value.isNull()


def sample(rows: DataFrame, columns: Columns, dates: Sequence[str] = ()) -> str:
    """Features that have a value wherever any row with a usable place has one, to make a schema from.

    The values of a column are of one type, so one value is enough, except for dates: how they are written follows from all of
    a column's numbers.

    Args:
        rows: what `features` returns.
        columns: the columns of the rows.
        dates: the names of columns of dates.
    """
    usable = rows.filter(F.col("x").isNotNull())
    found: dict[str, Any] = {}
    # Most columns have a value in the first rows; only the others need a search through all rows.
    for some in (usable.limit(_SAMPLE_ROWS), usable):
        lacking = replace(columns, written=tuple(at for at in columns.written if columns.names[at] not in found))
        if lacking.written:
            values = {at: F.col(f"c{at}") for at in lacking.written}
            if columns.id in values:
                # A feature with an empty id is a bad row.
                values[columns.id] = F.when(values[columns.id].cast("string") != "", values[columns.id])
            firsts = [F.first(value, ignorenulls=True).alias(f"c{at}") for at, value in values.items()]
            every = [F.col(f"c{at}") if at in values else F.lit(None) for at in range(len(columns.names))]
            row = some.agg(*firsts).select(properties(every, lacking)).first()
            assert row is not None
            found |= json.loads(row[0])
    samples = [found]
    numbers = [name for name in dates if isinstance(found.get(name), (int, float)) and not isinstance(found[name], bool)]
    if numbers:
        dated = [F.col(f"c{columns.names.index(name)}").cast("double") for name in numbers]
        tests = (_is_no_year, _is_no_day, _is_no_second)
        witnesses = [F.first(F.when(is_none(value), value), ignorenulls=True) for is_none in tests for value in dated]
        row = usable.agg(*(value.alias(f"w{at}") for at, value in enumerate(witnesses))).first()
        assert row is not None
        samples += [
            found | {name: row[at] for at, name in enumerate(numbers, first) if row[at] is not None}
            for first in range(0, len(witnesses), len(numbers))
        ]
    geometry = {"type": "Point", "coordinates": [0, 0]}
    return "".join(
        json.dumps({"type": "Feature", "geometry": geometry, "properties": properties}) + "\n" for properties in samples
    )


def _is_no_year(value: Column) -> Column:
    return (value != F.floor(value)) | ~value.between(1000, 9999)


def _is_no_day(value: Column) -> Column:
    """Whether a number isn't a day such as 20240305."""
    month = F.floor(value / 100) % 100
    has_month = value.between(10_000_000, 99_999_999) & month.between(1, 12)
    first = F.make_date(F.floor(value / 10_000).cast("int"), month.cast("int"), F.lit(1))
    last = F.when(has_month, F.dayofmonth(F.last_day(first))).otherwise(0)
    return (value != F.floor(value)) | ~(value % 100).between(1, last)


def _is_no_second(value: Column) -> Column:
    return F.abs(value) >= 1e11


def without_duplicates(rows: DataFrame) -> tuple[DataFrame, int, int]:
    """Of rows with the same id and a usable place, keeps only the one whose text has the greatest bytes.

    Args:
        rows: what `features` returns.

    Returns:
        The rows that are kept, the number of dropped rows, and of all rows with an id and a place. If rows are dropped, the
        kept ones are cached (`persist`) once they are read, and have the columns x, y and text only; the caller must
        `unpersist` them.
    """
    has_id = F.col("x").isNotNull() & F.col("id").isNotNull() & (F.col("id").cast("string") != "")
    counted = rows.filter(has_id).groupBy("id").count().agg(F.count("*"), F.coalesce(F.sum("count"), F.lit(0))).first()
    assert counted is not None
    ids, with_id = counted
    if ids == with_id:
        return rows, 0, with_id
    # All rows without an id or a place stay; the hash spreads them over the cluster.
    keys = F.when(has_id, F.col("id")).alias("id"), F.when(has_id, 0).otherwise(F.xxhash64("text")).alias("spread")
    order = Window.partitionBy("id", "spread").orderBy(F.col("text").desc())
    # Spark doesn't adapt the number of partitions of persisted rows.
    grouped = rows.select("x", "y", "text", *keys).repartition(1 + with_id // _ROWS_PER_PARTITION, "id", "spread")
    ranked = grouped.withColumn("rank", F.row_number().over(order))
    kept = ranked.filter((F.col("rank") == 1) | F.col("id").isNull()).select("x", "y", "text")
    return kept.persist(), with_id - ids, with_id
