"""Sending rows to the parts that need them: expressions that Spark runs on the JVM."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from pyramid_spark.lookup import PartLookup

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from pyramid_spark.plan import Plan

_TASK_BITS = 32


def by_part(rows: DataFrame, plan: Plan, occupied_cells: Iterable[tuple[int, int]], zoom: int) -> DataFrame:
    """Sends rows to the parts that need them: one of Spark's partitions for each task, ordered by part.

    Args:
        rows: what `features` returns.
        plan: the parts.
        occupied_cells: x and y of all cells with rows.
        zoom: the zoom of the cells.

    Returns:
        A DataFrame of the columns task and part (numbers), text, and hash (of the text). Every part has one row with a null
        text, so that parts without rows are built, too.
    """
    lookup = PartLookup(plan)
    keys = partition_keys(len(plan.tasks))
    # The key of a part's task in the upper bits, the part's number in the lower ones.
    entries = {part: keys[task] << _TASK_BITS | part for task, parts in enumerate(plan.tasks) for part in parts}
    blocks = [(x, y, *(entries[part] for part in lookup.block(x, y))) for x, y in sorted(lookup.corners(occupied_cells, zoom))]
    spark = rows.sparkSession
    blocks_type = "west int, north int, here long, east long, south long, both long"
    # Rows without a usable place go to the first part, the one in the north-west, which counts them.
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
    moved = F.raise_error(F.lit("the rows of the DataFrame change while they are read; write them to a table, or cache() them"))
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
        # Spark sorts by a single number without comparing rows.
        .sortWithinPartitions("part")
        .withColumn("hash", F.xxhash64("text"))
    )


def partition_keys(count: int) -> list[int]:
    """For each of Spark's partitions, an integer that `repartition(count, column)` assigns to it.

    Spark partitions by a hash, so the plain task numbers would leave some partitions empty and share others. If a later
    Spark uses another hash, only the balance suffers.

    Complexity: O(count log count).
    """
    keys: list[int | None] = [None] * count
    missing, key = count, 0
    while missing:
        partition = _murmur3(key) % count
        if keys[partition] is None:
            keys[partition] = key
            missing -= 1
        key += 1
    return [key for key in keys if key is not None]


def _murmur3(value: int) -> int:
    """Spark's hash of an `int`, MurmurHash3_x86_32 with the seed 42, as a signed number.

    Source: https://github.com/aappleby/smhasher/blob/master/src/MurmurHash3.cpp
    """
    mask = 0xFFFF_FFFF

    def rotated(bits: int, by: int) -> int:
        return (bits << by | bits >> (32 - by)) & mask

    block = rotated(value * 0xCC9E_2D51 & mask, 15) * 0x1B87_3593 & mask
    hashed = (rotated(42 ^ block, 13) * 5 + 0xE654_6B64) & mask
    hashed ^= 4
    hashed = (hashed ^ hashed >> 16) * 0x85EB_CA6B & mask
    hashed = (hashed ^ hashed >> 13) * 0xC2B2_AE35 & mask
    hashed ^= hashed >> 16
    return hashed - (1 << 32) if hashed >> 31 else hashed
