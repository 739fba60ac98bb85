"""Finding the parts that need a point: arithmetic, without Spark."""

from __future__ import annotations

import math
from collections.abc import Iterable

from pyramid_spark.plan import GENEROUS_PIXELS, Plan, Tile


class PartLookup:
    """Finds the parts that need a point.

    A point goes to every part that its *square* touches: the places within the halo's width plus `GENEROUS_PIXELS` of it.
    Parts are at least twice as wide as the halo, so a square touches at most two columns and two rows of tiles of the
    smallest parts' zoom. Therefore the tile of the north-west corner, and whether the square reaches into the next column and
    row, determine the parts.
    """

    def __init__(self, plan: Plan) -> None:
        """Takes the tiles of a plan."""
        self.zoom = plan.lookup_zoom
        self.halo = plan.halo + GENEROUS_PIXELS / (256 << plan.cut_zoom)
        """Half the width of a square, where the world is 1 wide."""
        self._numbers = {part.tile: number for number, part in enumerate(plan.parts)}
        self._zooms = sorted({part.tile.z for part in plan.parts})

    def part(self, x: int, y: int) -> int:
        """The number of the part that contains a tile of `zoom`; x wraps around the world, y is clamped to its edges."""
        side = 1 << self.zoom
        tile = Tile(self.zoom, x % side, min(max(y, 0), side - 1))
        for zoom in self._zooms:
            number = self._numbers.get(tile.ancestor(zoom))
            if number is not None:
                return number
        raise ValueError(f"no part covers {tile}")

    def block(self, x: int, y: int) -> tuple[int, int, int, int]:
        """The parts of a tile of `zoom` and of its neighbours to the east, south and south-east."""
        return self.part(x, y), self.part(x + 1, y), self.part(x, y + 1), self.part(x + 1, y + 1)

    def parts(self, x: float, y: float) -> set[int]:
        """The parts that need a point, as `shuffle.by_part` computes them in Spark.

        Args:
            x: from 0 at the antimeridian to 1.
            y: from 0 at the top of the map to 1.
        """
        side = 1 << self.zoom
        west, east = math.floor((x - self.halo) * side), math.floor((x + self.halo) * side)
        north = math.floor(max(y - self.halo, 0) * side)
        south = min(math.floor((y + self.halo) * side), side - 1)
        here, next_east, next_south, both = self.block(west, north)
        found = {here}
        if east > west:
            found.add(next_east)
        if south > north:
            found.add(next_south)
            if east > west:
                found.add(both)
        return found

    def corners(self, cells: Iterable[tuple[int, int]], zoom: int) -> set[tuple[int, int]]:
        """The tiles of `self.zoom` that can contain the north-west corner of the square of a point in one of these cells.

        Args:
            cells: x and y.
            zoom: the zoom of the cells, at least the one of the lookup.
        """
        scale = 1 << self.zoom
        cell = scale / (1 << zoom)
        shift = self.halo * scale
        # A thousandth of a cell wider than needed, to allow for rounding.
        slack = cell / 1000
        found: set[tuple[int, int]] = set()
        for x, y in cells:
            columns = {math.floor(x * cell - shift - slack) % scale, math.floor((x + 1) * cell - shift + slack) % scale}
            rows = {
                min(max(math.floor(corner), 0), scale - 1)
                for corner in (y * cell - shift - slack, (y + 1) * cell - shift + slack)
            }
            found.update((column, row) for column in columns for row in rows)
        return found
