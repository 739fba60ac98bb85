"""Which parts a point goes to: arithmetic, without Spark."""

from __future__ import annotations

import math
from collections.abc import Iterable

from pyramid_spark.plan import GENEROUS_PIXELS, Plan, Tile


class PartLookup:
    """Which parts a point goes to.

    A point goes to every part that its *square* touches: all within the halo's width, and `GENEROUS_PIXELS`, of it. As parts
    are twice as wide as the halo, a square touches at most two columns and two rows of tiles of the smallest parts' zoom.
    So it is enough to know the tile of the north-west corner, and whether the square goes on to the next column and row.
    """

    def __init__(self, plan: Plan) -> None:
        """Takes the tiles of a plan."""
        self.zoom = plan.lookup_zoom
        self.halo = (plan.halo_pixels + GENEROUS_PIXELS) / (256 << plan.cut_zoom)
        """Half the width of a square, where the world is 1 wide."""
        self._numbers = {part.tile: number for number, part in enumerate(plan.parts)}
        self._zooms = sorted({part.tile.z for part in plan.parts})

    def part(self, x: int, y: int) -> int:
        """The number of the part that a tile of `zoom` is in; x goes round the world, and y ends at its edges."""
        side = 1 << self.zoom
        tile = Tile(self.zoom, x % side, min(max(y, 0), side - 1))
        for zoom in self._zooms:
            number = self._numbers.get(tile.ancestor(zoom))
            if number is not None:
                return number
        raise ValueError(f"no part covers {tile}")

    def block(self, x: int, y: int) -> tuple[int, int, int, int]:
        """The parts of a tile of `zoom` and of those to the east, south and south-east."""
        return self.part(x, y), self.part(x + 1, y), self.part(x, y + 1), self.part(x + 1, y + 1)

    def parts(self, x: float, y: float) -> set[int]:
        """The parts that a point goes to: what `rows.by_part` computes in Spark.

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
        """The tiles of `zoom` that can have the north-west corner of a square round a point in one of these cells.

        Args:
            cells: x and y.
            zoom: that of the cells, at least the one of the lookup.
        """
        scale = 1 << self.zoom
        cell = scale / (1 << zoom)
        shift = self.halo * scale
        # Wider than needed by a thousandth of a cell, for the rounding of floating point numbers.
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
