"""Cutting the world into parts: a pure function of the number of points in each cell.

The plan affects only memory and time. Every plan gives the same tileset, byte for byte.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

GENEROUS_PIXELS = 1
"""Rows are sent to parts whose halo they miss by up to this much; the program then decides exactly."""

BASE_BYTES = 64_000_000
BYTES_PER_ROW = 90
"""The most memory that the program needs per row of a part, besides `BASE_BYTES`; 50 without aggregates."""

# A tile stays whole if it has at most this many times the rows of its largest part, where that can't be split further.
_WORTH_SPLITTING = 1.25


@dataclass(frozen=True, order=True)
class Tile:
    """A square of the world: x counts east from the antimeridian and y south from the top of the map, 0 to 2^z - 1."""

    z: int
    x: int
    y: int

    def __str__(self) -> str:
        """The form that the program reads: `z/x/y`."""
        return f"{self.z}/{self.x}/{self.y}"

    def children(self) -> Iterator[Tile]:
        """The four tiles of the next zoom, in Z order."""
        for y in (0, 1):
            for x in (0, 1):
                yield Tile(self.z + 1, 2 * self.x + x, 2 * self.y + y)

    def ancestor(self, zoom: int) -> Tile:
        """The tile of a lower zoom that contains this one; the tile itself at its own zoom."""
        shift = self.z - zoom
        return Tile(zoom, self.x >> shift, self.y >> shift)


@dataclass(frozen=True)
class Part:
    """A tile that is built separately.

    Attributes:
        tile: the tile that it covers.
        rows: the number of points in the tile.
        rows_with_halo: the number of rows that it reads, including its halo; counted in whole cells, so an upper bound.
    """

    tile: Tile
    rows: int
    rows_with_halo: int

    @property
    def memory_bytes(self) -> int:
        """An estimate of the memory that the program needs for this part."""
        return BASE_BYTES + BYTES_PER_ROW * self.rows_with_halo


@dataclass(frozen=True)
class Plan:
    """How a tileset is built in parts.

    Attributes:
        cut_zoom: the join writes this zoom and all lower ones, the parts write the higher ones.
        halo_pixels: the width of a part's halo, in pixels of the cut zoom.
        parts: in Z order; they cover the world without overlap.
        tasks: for each task, the numbers of the parts that it builds one after the other; tasks with many rows come first.
    """

    cut_zoom: int
    halo_pixels: int
    parts: tuple[Part, ...]
    tasks: tuple[tuple[int, ...], ...]

    @property
    def lookup_zoom(self) -> int:
        """The zoom of the smallest parts."""
        return max(part.tile.z for part in self.parts)

    def large_parts(self, rows_per_part: int) -> list[Part]:
        """The parts with more than `rows_per_part` rows, which can't be split because their halo is as wide as they are."""
        return [part for part in self.parts if part.rows_with_halo > rows_per_part]


def choose_cut(markers: Mapping[int, int], join_markers: int) -> int:
    """The highest zoom with at most `join_markers` markers; the lowest one if all have more.

    Args:
        markers: the number of markers, for all zooms at which the world can be cut.
        join_markers: the most markers that the join should get.
    """
    return max((zoom for zoom, count in markers.items() if count <= join_markers), default=min(markers))


def deepest_part_zoom(cut_zoom: int, halo: int) -> int:
    """The zoom of the smallest parts: at least twice as wide as their halo, so that a row is in at most three halos.

    Args:
        cut_zoom: the zoom of the halo's pixels.
        halo: the halo's width in pixels.
    """
    levels = math.ceil(math.log2(2 * (halo + 2 * GENEROUS_PIXELS) / 256))
    return max(0, cut_zoom - max(0, levels))


def counting_zoom(cut_zoom: int, halo: int) -> int:
    """The zoom of the cells that `plan_parts` needs: about as wide as the halo."""
    return max(0, cut_zoom - 2, deepest_part_zoom(cut_zoom, halo))


def plan_parts(counts: Mapping[tuple[int, int], int], *, zoom: int, cut_zoom: int, halo: int, rows_per_part: int) -> Plan:
    """Splits the world until no part reads more than `rows_per_part` rows, or can't be split.

    Args:
        counts: points by the x and y of their cell, a tile of `zoom`; cells without points may be missing.
        zoom: the zoom of the cells, `counting_zoom(cut_zoom, halo)`.
        cut_zoom: the zoom whose markers the parts hand over.
        halo: the width of a part's halo in pixels of the cut zoom.
        rows_per_part: the most rows that a part should read, including its halo.
    """
    width = 1 << zoom
    halo_cells = math.ceil((halo + GENEROUS_PIXELS) / (256 << (cut_zoom - zoom))) if halo else 0
    deepest = deepest_part_zoom(cut_zoom, halo)

    def split(tile: Tile, around: list[tuple[int, int, int]]) -> tuple[list[Part], int]:
        """The parts of a tile, and the most rows that any part would read if all were split as far as possible."""
        side = width >> tile.z
        near = _within(around, tile.x * side, tile.y * side, side, halo_cells, width)
        sent = sum(n for _, _, n in near)
        whole = Part(tile, sum(n for x, y, n in near if x // side == tile.x and y // side == tile.y), sent)
        if sent <= rows_per_part or tile.z >= deepest:
            return [whole], sent
        children = [split(child, near) for child in tile.children()]
        least = max(rows for _, rows in children)
        # If one spot has too many rows anyway, splitting the area around it only sends its rows to several parts.
        if rows_per_part < least and sent <= least * _WORTH_SPLITTING:
            return [whole], least
        return [part for parts, _ in children for part in parts], least

    parts, _ = split(Tile(0, 0, 0), [(x, y, n) for (x, y), n in counts.items() if n])
    return Plan(cut_zoom, halo, tuple(parts), _tasks(parts, rows_per_part))


def _within(
    cells: Iterable[tuple[int, int, int]], west: int, north: int, side: int, halo: int, width: int
) -> list[tuple[int, int, int]]:
    """The cells of a square and those at most `halo` cells away from it, also across the antimeridian."""
    across = side + 2 * halo
    first, top, bottom = west - halo, north - halo, north + side + halo
    if across >= width:
        return [cell for cell in cells if top <= cell[1] < bottom]
    return [cell for cell in cells if (cell[0] - first) % width < across and top <= cell[1] < bottom]


def _tasks(parts: Sequence[Part], rows_per_task: int) -> tuple[tuple[int, ...], ...]:
    """Groups neighbouring parts into tasks of at most `rows_per_task` rows."""
    tasks: list[list[int]] = []
    rows = 0
    for number, part in enumerate(parts):
        if not tasks or rows + part.rows_with_halo > rows_per_task:
            tasks.append([])
            rows = 0
        tasks[-1].append(number)
        rows += part.rows_with_halo
    # Spark starts tasks in their order, and long ones should not start last.
    tasks.sort(key=lambda task: (-sum(parts[number].rows_with_halo for number in task), task))
    return tuple(tuple(task) for task in tasks)
