"""The distance around a part at which points affect its markers: the program's arithmetic, rounded up."""

from __future__ import annotations

import math
import re
from typing import Union

from pyramid_spark.errors import OptionError

PixelsByZoom = Union[int, str]
"""Pixels for all zooms, `40`, or by zoom, `"0-8:60,9-:40"`."""


def pixels_at(pixels: PixelsByZoom, zoom: int) -> int:
    """The pixels at a zoom.

    Raises:
        OptionError: if the text is neither a number nor pixels by zoom.
    """
    text = str(pixels)
    if text.isdecimal():
        return int(text)
    for part in text.split(","):
        match = re.fullmatch(r"(\d+)-(\d*):(\d+)", part)
        if not match:
            raise OptionError(f'found "{text}", expected pixels, or pixels by zoom such as "0-8:60,9-:40"')
        first, last, value = match.groups()
        if int(first) <= zoom and (not last or zoom <= int(last)):
            return int(value)
    raise OptionError(f'found "{text}", which has no pixels for zoom {zoom}, expected a last range without an end')


def cell_levels(distance: int, tile_size: int) -> int:
    """The number k of zooms between a tile and the cells of the method `anchors`, which are 256 >> k pixels wide."""
    if not 1 <= distance <= tile_size:
        raise OptionError(f"cluster_distance is {distance}, expected 1 to {tile_size} pixels")
    return (tile_size // distance).bit_length() - 1


def halo_pixels(
    distance: PixelsByZoom,
    *,
    cut_zoom: int,
    last_zoom: int,
    tile_size: int = 256,
    method: str = "anchors",
    position: str | None = None,
    cell_size: PixelsByZoom = 64,
) -> int:
    """The width of a part's halo, in pixels of the cut zoom, 256 to a tile's width: 992 for a distance of 40.

    A marker of zoom z depends on places within 4 s + 6 D pixels (s is the width of a cell, D the distance) and on the
    markers of z + 1. So the markers of the cut zoom depend on places within the sum of this over all zooms from the cut zoom
    on. Means may be shown 3 D away from their anchors. With the method `grid` a cell is enough: rounding can move a mean over
    the border of its cell.

    Args:
        distance: the cluster distance in pixels of a tile of `tile_size`.
        cut_zoom: the zoom whose markers the parts hand over.
        last_zoom: the last zoom with clusters.
        tile_size: the size of a tile on screen in pixels, 256 or 512.
        method: `anchors` or `grid`.
        position: `centroid` if clusters are shown at the mean of their points.
        cell_size: the cell size of the method `grid`, in pixels of a tile of `tile_size`.
    """
    if method == "grid":
        return math.ceil(pixels_at(cell_size, cut_zoom) * 256 / tile_size)

    def reach(zoom: int) -> float:
        pixels = pixels_at(distance, zoom)
        return (4 * (256 >> cell_levels(pixels, tile_size)) + 6 * pixels * 256 / tile_size) * 2.0 ** (cut_zoom - zoom)

    # The last zoom counts twice: this is the sum of the series for all higher zooms, and covers the points that are merged
    # before the first clustering.
    halo = sum(reach(zoom) for zoom in range(cut_zoom, last_zoom + 1)) + reach(last_zoom)
    if position == "centroid":
        halo += 3 * pixels_at(distance, cut_zoom) * 256 / tile_size
    return math.ceil(halo)
