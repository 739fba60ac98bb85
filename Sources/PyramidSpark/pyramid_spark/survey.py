"""Counting the rows of a DataFrame by place, and planning the parts from that."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from pyramid_spark import options as option_rules
from pyramid_spark.errors import OptionError
from pyramid_spark.halo import PixelsByZoom, cell_levels, halo_pixels, pixels_at
from pyramid_spark.plan import Part, Plan, choose_cut, counting_zoom, plan_parts

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from pyramid_spark.options import Options

ROWS_PER_PART = 4_000_000
"""The default limit of the rows that a part reads: about 400 MB."""

LEAST_ROWS_PER_PART = 100_000
"""Parts are not made smaller than this just to keep all cores busy."""

# The highest cut zoom to try, and the highest zoom of cells to count.
_DEEPEST_CUT = 14
_DEEPEST_CELLS = 18
_SHOWN_WARNINGS = 3


@dataclass(frozen=True)
class Clustering:
    """The options that determine where the world can be cut.

    Attributes:
        method: `anchors` or `grid`.
        distance: the cluster distance, in pixels of a tile of `tile_size`.
        cell_size: the cell size of the method `grid`, in the same pixels.
        tile_size: the size of a tile on screen in pixels, 256 or 512.
        position: where clusters are shown.
        min_zoom: the first zoom with tiles.
        last_zoom: the last zoom with clusters.
    """

    method: str
    distance: PixelsByZoom
    cell_size: PixelsByZoom
    tile_size: int
    position: str | None
    min_zoom: int
    last_zoom: int

    @staticmethod
    def of(options: Options, out: str, max_zoom: int) -> Clustering:
        """Reads the options, with the program's defaults.

        Raises:
            OptionError: if there are fewer than two zooms with clusters: one that parts write, and one that is joined.
        """
        first, last = options.get("min_zoom", 0), options.get("cluster_maxzoom", max_zoom - 1)
        if first >= last:
            raise OptionError(
                f"clusters are at zooms {first} to {last}, expected at least two zooms: one for the parts, and one for the "
                "join; build on one machine, without Spark"
            )
        return Clustering(
            method=options.get("method", "anchors"),
            distance=options.get("cluster_distance", 40),
            cell_size=options.get("cell_size", 64),
            tile_size=option_rules.tile_size_of(options, out),
            position=options.get("position"),
            min_zoom=first,
            last_zoom=last,
        )

    @property
    def cut_zooms(self) -> range:
        """The zooms at which the world can be cut."""
        return range(self.min_zoom, min(self.last_zoom - 1, max(_DEEPEST_CUT, self.min_zoom)) + 1)

    def marker_depth(self, zoom: int) -> int:
        """The zoom whose tiles are about as large as the area that a marker has to itself."""
        width = pixels_at(self.cell_size if self.method == "grid" else self.distance, zoom)
        return min(zoom + cell_levels(width, self.tile_size), _DEEPEST_CELLS)

    def halo(self, cut_zoom: int) -> int:
        """The width of a part's halo, see `halo_pixels`."""
        return halo_pixels(
            self.distance,
            cut_zoom=cut_zoom,
            last_zoom=self.last_zoom,
            tile_size=self.tile_size,
            method=self.method,
            position=self.position,
            cell_size=self.cell_size,
        )


def count_markers(rows: DataFrame, clustering: Clustering, join_markers: int) -> dict[int, int]:
    """Estimates an upper bound of the number of markers, for each zoom at which the world can be cut.

    Args:
        rows: what `features` returns.
        clustering: the zooms at which the world can be cut.
        join_markers: the most markers that the join should get. Zooms with fewer cells than this aren't counted.
    """
    depths = {zoom: clustering.marker_depth(zoom) for zoom in clustering.cut_zooms}
    unsure = sorted({depth for depth in depths.values() if 4**depth > join_markers})
    occupied: dict[int, int] = {}
    if unsure:
        # Selected first, because within the aggregation Spark interprets the expressions instead of compiling them.
        cells = rows.select(*(_cell(depth).alias(f"n{depth}") for depth in unsure))
        found = cells.agg(*(F.approx_count_distinct(name) for name in cells.columns)).first()
        assert found is not None
        occupied = dict(zip(unsure, found))
    return {zoom: occupied.get(depth, 4**depth) for zoom, depth in depths.items()}


def planned(
    rows: DataFrame,
    clustering: Clustering,
    markers: dict[int, int],
    join_markers: int,
    *,
    rows_per_part: int | None,
    cores: int,
) -> tuple[Plan, list[tuple[int, int]], int]:
    """Counts the rows by cell and makes the plan.

    Args:
        rows: what `features` returns.
        clustering: the zooms at which the world can be cut.
        markers: upper bounds of the number of markers, by zoom.
        join_markers: the most markers that the join should get.
        rows_per_part: the most rows that a part should read (default: chosen from their number and the cluster's cores).
        cores: the number of the cluster's cores.

    Returns:
        The plan, the cells that have rows, and their zoom.
    """
    cut = choose_cut(markers, join_markers)
    halo = clustering.halo(cut)
    zoom = counting_zoom(cut, halo)
    cells = rows.filter(F.col("x").isNotNull()).groupBy(_cell(zoom).alias("cell")).count().collect()
    counts = {(cell >> 32, cell & 0xFFFF_FFFF): n for cell, n in cells}
    limit = rows_per_part or _rows_per_part(sum(counts.values()), cores)
    plan = plan_parts(counts, zoom=zoom, cut_zoom=cut, halo=halo, rows_per_part=limit)
    _warn(plan.large_parts(limit), limit)
    return plan, list(counts), zoom


def _cell(zoom: int) -> Column:
    """X and y of a row's tile in one number; null without a usable place."""
    side = 1 << zoom
    y = F.least(F.floor(F.col("y") * side), F.lit(side - 1))
    return F.shiftleft(F.floor(F.col("x") * side), 32).bitwiseOR(y)


def _rows_per_part(total: int, cores: int) -> int:
    """As many rows as fit, but few enough that every core gets several parts."""
    return min(ROWS_PER_PART, max(LEAST_ROWS_PER_PART, total // (4 * cores)))


def _warn(parts: list[Part], limit: int) -> None:
    """Warns of parts that need more memory than planned."""
    for part in sorted(parts, key=lambda part: -part.rows_with_halo)[:_SHOWN_WARNINGS]:
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
