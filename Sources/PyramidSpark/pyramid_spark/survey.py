"""Counting the rows of a DataFrame by place, and the plan that follows from it."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING

from pyspark.errors import PySparkException
from pyspark.sql import functions as F

from pyramid_spark import options as option_rules
from pyramid_spark.errors import OptionError
from pyramid_spark.halo import cell_levels, halo_pixels, pixels_at
from pyramid_spark.plan import Part, Plan, choose_cut, counting_zoom, plan_parts

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from pyramid_spark.options import Options

ROWS_PER_PART = 4_000_000
"""How many rows a part reads at most, unless it is told another number: about 400 MB."""

LEAST_ROWS_PER_PART = 100_000
"""Parts are not made smaller than this to keep all cores busy."""

# The last cut zoom that is tried, and the last zoom of cells that are counted.
_DEEPEST_CUT = 14
_DEEPEST_CELLS = 18
_SHOWN_WARNINGS = 3


def clustered_zooms(options: Options, max_zoom: int) -> tuple[int, int]:
    """The first and the last zoom with clusters.

    Raises:
        OptionError: if there are fewer than two: one that parts write, and one that is joined.
    """
    first, last = options.get("min_zoom", 0), options.get("cluster_maxzoom", max_zoom - 1)
    if first < last:
        return first, last
    raise OptionError(
        f"clusters are at the zooms from {first} to {last}, expected two at least: one that the parts write, and one that is "
        "joined; build on one machine, without Spark"
    )


def planned(
    rows: DataFrame,
    out: str,
    max_zoom: int,
    options: Options,
    rows_per_part: int | None,
    join_markers: int,
) -> tuple[Plan, list[tuple[int, int]], int]:
    """Counts the rows by cell and makes the plan.

    Returns:
        The plan, the cells that have rows, and their zoom.
    """
    tile_size = option_rules.tile_size_of(options, out)
    method = options.get("method", "anchors")
    distance = options.get("cluster_distance", 40)
    cell_size = options.get("cell_size", 64)
    min_zoom, last_zoom = clustered_zooms(options, max_zoom)
    deepest = min(last_zoom - 1, max(_DEEPEST_CUT, min_zoom))
    zooms = range(min_zoom, deepest + 1)
    # A marker has about a cell of its own.
    depths = {
        zoom: min(zoom + cell_levels(pixels_at(cell_size if method == "grid" else distance, zoom), tile_size), _DEEPEST_CELLS)
        for zoom in zooms
    }
    finest = max(max(depths.values()), deepest)
    cores = _cores(rows)
    # Spark keeps the number of partitions of what it caches: 200, unless it was told another, however few the cells are.
    cells = cells_of(rows, finest).coalesce(max(4 * cores, 32)).persist()
    try:
        found = _occupied(cells, [finest - depths[zoom] for zoom in zooms])
        cut = choose_cut(
            dict(zip(zooms, found)), min_zoom=min_zoom, last_zoom=last_zoom, join_markers=join_markers, deepest=deepest
        )
        halo = halo_pixels(
            distance,
            cut_zoom=cut,
            last_zoom=last_zoom,
            tile_size=tile_size,
            method=method,
            position=options.get("position"),
            cell_size=cell_size,
        )
        zoom = counting_zoom(cut, halo)
        counts = {(x, y): n for x, y, n in _coarser(cells, finest - zoom).collect()}
    finally:
        cells.unpersist()
    limit = rows_per_part or _rows_per_part(sum(counts.values()), cores)
    plan = plan_parts(counts, zoom=zoom, cut_zoom=cut, halo=halo, rows_per_part=limit)
    _warn(plan.large_parts(limit), limit)
    return plan, list(counts), zoom


def _rows_per_part(total: int, cores: int) -> int:
    """As many rows as fit, but so few that every core has several parts."""
    return min(ROWS_PER_PART, max(LEAST_ROWS_PER_PART, total // (2 * cores)))


def _warn(parts: list[Part], limit: int) -> None:
    """Names the parts that need more memory than was asked for."""
    for part in sorted(parts, key=lambda part: -part.rows_with_halo)[:_SHOWN_WARNINGS]:
        warnings.warn(
            f"part {part.tile} has {part.rows_with_halo:,} rows with its halo and can't be split, expected at most {limit:,}: "
            f"its program needs some {part.memory_bytes / 1e6:,.0f} MB; a larger join_markers allows smaller parts",
            stacklevel=4,
        )


def _cores(df: DataFrame) -> int:
    try:
        return max(1, int(df.sparkSession.sparkContext.defaultParallelism))
    except PySparkException:  # Spark Connect doesn't say.
        return 1


def cells_of(rows: DataFrame, zoom: int) -> DataFrame:
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


def _coarser(cells: DataFrame, levels: int) -> DataFrame:
    """Cells added up to those so many zooms before."""
    return (
        cells.select(F.shiftright("x", levels).alias("x"), F.shiftright("y", levels).alias("y"), "n")
        .groupBy("x", "y")
        .agg(F.sum("n").alias("n"))
    )


def _occupied(cells: DataFrame, levels: Iterable[int]) -> list[int]:
    """About how many cells would be occupied, for each number of zooms before theirs."""
    counts = cells.agg(
        *(
            F.approx_count_distinct(F.struct(F.shiftright("x", level), F.shiftright("y", level))).alias(f"n{at}")
            for at, level in enumerate(levels)
        )
    ).first()
    assert counts is not None
    return [int(count) for count in counts]
