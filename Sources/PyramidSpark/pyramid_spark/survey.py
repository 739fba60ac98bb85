"""Counting the rows of a DataFrame by place, for the plan that the program makes."""

from __future__ import annotations

import json
import tempfile
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F

from pyramid_spark.plan import Plan
from pyramid_spark.program import run

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

ROWS_PER_PART = 4_000_000
"""The default limit of the rows that a part reads: about 400 MB."""

LEAST_ROWS_PER_PART = 100_000
"""Parts are not made smaller than this just to keep all cores busy."""

_SHOWN_WARNINGS = 3


def planned(
    rows: DataFrame, command: Sequence[str], *, rows_per_part: int | None, cores: int
) -> tuple[Plan, list[tuple[int, int]], int]:
    """Counts the rows by cell and has the program make the plan.

    Args:
        rows: what `features` returns.
        command: `pyramid plan` with all options.
        rows_per_part: the most rows that a part should read (default: chosen from their number and the cluster's cores).
        cores: the number of the cluster's cores.

    Returns:
        The plan, the x and y of all cells that have rows, and the zoom of these cells.
    """
    answer = _ask(command)
    if "count_occupied_tiles_at" in answer:
        answer = _ask([*command, f"--occupied-tiles={_occupied(rows, answer['count_occupied_tiles_at'])}"])
    cut_zoom, zoom = answer["cut_zoom"], answer["count_rows_at"]
    counted = rows.filter(F.col("x").isNotNull()).groupBy(_cell(zoom).alias("cell")).count().collect()
    counts = {(cell >> 32, cell & 0xFFFF_FFFF): n for cell, n in counted}
    limit = rows_per_part or _rows_per_part(sum(counts.values()), cores)
    lines = "".join(f"{zoom}/{x}/{y} {n}\n" for (x, y), n in counts.items())
    plan = Plan.of(_ask([*command, f"--cut-zoom={cut_zoom}", f"--rows-per-part={limit}"], lines), limit)
    _warn(plan, limit)
    return plan, list(counts), zoom


def _ask(command: Sequence[str], counts: str = "") -> dict[str, Any]:
    with tempfile.TemporaryFile() as file:
        file.write(counts.encode())
        file.seek(0)
        answer, _ = run(command, purpose="plan", stdin=file)
    return dict(json.loads(answer))


def _occupied(rows: DataFrame, zooms: Sequence[int]) -> str:
    """The approximate numbers of tiles with rows at these zooms, as the program reads them."""
    # Selected first, because within the aggregation Spark interprets the expressions instead of compiling them.
    cells = rows.select(*(_cell(zoom).alias(f"n{zoom}") for zoom in zooms))
    found = cells.agg(*(F.approx_count_distinct(name) for name in cells.columns)).first()
    assert found is not None
    return ",".join(f"{zoom}:{count}" for zoom, count in zip(zooms, found))


def _cell(zoom: int) -> Column:
    """X and y of a row's tile in one number; null without a usable place."""
    side = 1 << zoom
    y = F.least(F.floor(F.col("y") * side), F.lit(side - 1))
    return F.shiftleft(F.floor(F.col("x") * side), 32).bitwiseOR(y)


def _rows_per_part(total: int, cores: int) -> int:
    """As many rows as fit, but few enough that every core gets several parts."""
    return min(ROWS_PER_PART, max(LEAST_ROWS_PER_PART, total // (4 * cores)))


def _warn(plan: Plan, limit: int) -> None:
    """Warns of parts that need more memory than planned, because they can't be split."""
    large = sorted((part for part in plan.parts if part.rows_with_halo > limit), key=lambda part: -part.rows_with_halo)
    for part in large[:_SHOWN_WARNINGS]:
        warnings.warn(
            f"part {part.tile} has {part.rows_with_halo:,} rows with its halo and can't be split, expected at most {limit:,}: "
            f"its program needs some {part.memory_bytes / 1e6:,.0f} MB; a larger join_markers allows smaller parts",
            stacklevel=4,
        )


def count_cores(df: DataFrame) -> int:
    """The number of tasks that the cluster runs at a time: Spark's default parallelism.

    Spark Connect has no SparkContext to ask, but a range always has that number of partitions.
    """
    partitions = df.sparkSession.range(1 << 20).select(F.spark_partition_id().alias("at")).agg(F.max("at")).first()
    assert partitions is not None
    return int(partitions[0]) + 1
