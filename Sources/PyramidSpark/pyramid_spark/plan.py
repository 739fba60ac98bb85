"""The parts that the program plans, and the tasks in which Spark builds them.

The plan affects only memory and time. Every plan gives the same tileset, byte for byte.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

GENEROUS_PIXELS = 1
"""Rows are sent to parts whose halo they miss by up to this much, which the plan allows for; the program decides exactly."""


@dataclass(frozen=True, order=True)
class Tile:
    """A square of the world: x counts east from the antimeridian and y south from the top of the map, 0 to 2^z - 1."""

    z: int
    x: int
    y: int

    def __str__(self) -> str:
        """The form that the program reads and writes: `z/x/y`."""
        return f"{self.z}/{self.x}/{self.y}"

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
        memory_bytes: an estimate of the memory that the program needs for it.
    """

    tile: Tile
    rows: int
    rows_with_halo: int
    memory_bytes: int


@dataclass(frozen=True)
class Plan:
    """How a tileset is built in parts.

    Attributes:
        cut_zoom: the join writes this zoom and all lower ones, the parts write the higher ones.
        halo: the width of a part's halo, where the world is 1 wide.
        parts: in Z order; they cover the world without overlap.
        tasks: for each task, the numbers of the parts that it builds one after the other; tasks with many rows come first.
    """

    cut_zoom: int
    halo: float
    parts: tuple[Part, ...]
    tasks: tuple[tuple[int, ...], ...]

    @staticmethod
    def of(answer: Mapping[str, Any], rows_per_task: int) -> Plan:
        """The plan that the program has printed.

        Args:
            answer: the JSON of `pyramid plan`.
            rows_per_task: the most rows of a task with several parts.
        """
        parts = tuple(
            Part(Tile(*map(int, part["tile"].split("/"))), part["rows"], part["rows_with_halo"], part["memory_bytes"])
            for part in answer["parts"]
        )
        return Plan(answer["cut_zoom"], answer["halo_units"] / 2**32, parts, tasks(parts, rows_per_task))

    @property
    def lookup_zoom(self) -> int:
        """The zoom of the smallest parts."""
        return max(part.tile.z for part in self.parts)


def tasks(parts: Sequence[Part], rows_per_task: int) -> tuple[tuple[int, ...], ...]:
    """Groups neighbouring parts into tasks of at most `rows_per_task` rows."""
    found: list[list[int]] = []
    rows = 0
    for number, part in enumerate(parts):
        if not found or rows + part.rows_with_halo > rows_per_task:
            found.append([])
            rows = 0
        found[-1].append(number)
        rows += part.rows_with_halo
    # Spark starts tasks in their order, and long ones should not start last.
    found.sort(key=lambda task: (-sum(parts[number].rows_with_halo for number in task), task))
    return tuple(tuple(task) for task in found)
