"""The options of `pyramid build` as keyword arguments, and their conversion to flags."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from typing import Any, Callable, TypedDict, Union, get_type_hints

from pyramid_spark.errors import OptionError

PixelsByZoom = Union[int, str]
"""Pixels for all zooms, `40`, or by zoom, `"0-8:60,9-:40"`."""

Names = Union[str, Iterable[str]]
"""A column's name, or several."""


class Options(TypedDict, total=False):
    """The options of `build` besides the columns, the output and the max zoom; pyramid's article Options explains each."""

    # Input
    id_column: str
    include: Names
    exclude: Names
    max_skipped: Union[int, str]  # noqa: UP007
    strict: bool
    # Clustering; distances and sizes are pixels of a tile of `tile_size`.
    cluster_distance: PixelsByZoom
    position: str
    tile_size: int
    min_points: int
    coincident_limit: int
    priority: str
    weight: str
    group_by: str
    unclustered: str
    min_zoom: int
    cluster_maxzoom: int
    mode: str
    # Cluster properties
    accumulate: Mapping[str, Names]
    count_by: Union[Names, Mapping[str, int]]  # noqa: UP007
    filter_by: Names
    date_format: str
    members: int
    cluster_properties: Names
    member_properties: Names
    count_label: str
    # Tiles and metadata
    name: str
    description: str
    attribution: str
    base_url: str
    format: str
    layer: str
    tile_suffix: str
    bundle: int
    compression: str
    compression_level: int
    # The page
    preview: bool
    leaflet: str
    basemap: str
    basemap_attribution: str


def _text(flag: str, value: Any) -> list[str]:  # noqa: ANN401
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise OptionError(f"{_name(flag)} is {value!r}, expected text or a number")
    return [f"{flag}={value}"]


def _switch(flag: str, value: Any) -> list[str]:  # noqa: ANN401
    if not isinstance(value, bool):
        raise OptionError(f"{_name(flag)} is {value!r}, expected True or False")
    return [flag] if value else []


def _list(flag: str, value: Any) -> list[str]:  # noqa: ANN401
    """`"kind,brand"`, `["kind:5", "brand"]`, `{"kind": 5}` or `{"price": ["min", "sum:total"]}`."""
    if isinstance(value, Mapping):
        value = [
            f"{column}:{use}" for column, uses in value.items() for use in ([uses] if isinstance(uses, (str, int)) else uses)
        ]
    values = [name.replace(",", r"\,") for name in listed(value)]
    return [f"{flag}={name}" for name in values or [""]]


def listed(value: Names) -> list[str]:
    r"""The names in a list, or in a text with commas between them, where `\,` is a comma in a name."""
    if not isinstance(value, str):
        return list(value)
    names = re.split(", *", value.replace(r"\,", "\0"))
    return [name.replace("\0", ",") for name in names if name]


def date_columns(options: Mapping[str, Any]) -> list[str]:
    """The names of the columns to filter by dates."""
    found = [re.fullmatch("(.+):(year|quarter|month|week|day|hour)", name) for name in listed(options.get("filter_by") or [])]
    return [match[1] for match in found if match]


_Writer = Callable[[str, Any], "list[str]"]

_LISTS = {
    "include",
    "exclude",
    "accumulate",
    "count_by",
    "filter_by",
    "cluster_properties",
    "member_properties",
}
_SWITCHES = {"strict", "preview"}

_ONLY_OF_THE_JOIN = {"max_skipped", "preview", "leaflet", "basemap", "basemap_attribution"}
# A part that skips a row fails at once, and the join sees the rows of all parts.
_OF_THE_JOIN = _ONLY_OF_THE_JOIN | {"strict"}
_NOT_FOR_ARCHIVES = ("bundle", "preview", "tile_suffix", "base_url")


def flag(option: str) -> str:
    """The program's flag for an option: `--max-zoom` for `max_zoom`."""
    return "--accumulate-attribute" if option == "accumulate" else "--" + option.replace("_", "-")


def _name(flag: str) -> str:
    return flag[2:].replace("-", "_")


def _writer(option: str) -> _Writer:
    if option in _LISTS:
        return _list
    return _switch if option in _SWITCHES else _text


def is_switch(option: str) -> bool:
    """Whether an option is a flag without a value."""
    return option in _SWITCHES


def is_list(option: str) -> bool:
    """Whether an option takes a list of values."""
    return option in _LISTS


def is_number(option: str) -> bool:
    """Whether an option is an integer."""
    return get_type_hints(Options)[option] is int


def option_names() -> list[str]:
    """All options, in the order of `Options`."""
    return list(Options.__annotations__)


def arguments(options: Mapping[str, Any]) -> list[str]:
    """The program's arguments for options; `None` leaves an option out.

    Raises:
        OptionError: for an unknown option, with the most similar one, and for a value of the wrong type.
    """
    written = []
    for option, value in options.items():
        if option not in Options.__annotations__:
            raise OptionError(f"there is no option {option}{_cure(option)}")
        if value is not None:
            written += _writer(option)(flag(option), value)
    return written


def part_arguments(options: Mapping[str, Any], output: str) -> list[str]:
    """The arguments for building parts.

    Raises:
        OptionError: as `arguments` does, and for options that can't be used with an archive.
    """
    given = {option: value for option, value in options.items() if option not in _ONLY_OF_THE_JOIN}
    if is_archive(output):
        for option in _NOT_FOR_ARCHIVES:
            if options.get(option) not in (None, False):
                raise OptionError(f"{output}: {option} can't be used with .pmtiles output")
        # A part's file name doesn't tell whether its tiles are for an archive.
        given["format"] = format_of(options, output)
    return arguments(given)


def join_arguments(options: Mapping[str, Any]) -> list[str]:
    """The arguments for the join, which reads all other options from the parts."""
    return arguments({option: value for option, value in options.items() if option in _OF_THE_JOIN})


def skipping_arguments(options: Mapping[str, Any]) -> list[str]:
    """The arguments that say how many rows may be skipped."""
    return arguments({option: value for option, value in options.items() if option in ("max_skipped", "strict")})


def require_few_duplicates(duplicates: int, rows: int, options: Mapping[str, Any]) -> None:
    """Refuses as many rows with the same id as the program does.

    Raises:
        OptionError: if more rows than allowed have the id of another row.
    """
    given = 0 if options.get("strict") else options.get("max_skipped")
    least, limit = (1, "10%") if given is None else (0, str(given))
    allowed = rows * int(limit[:-1]) // 100 if limit.endswith("%") else int(limit)
    if duplicates > max(allowed, least):
        column = options.get("id_column")
        raise OptionError(
            f'id_column is "{column}", but {duplicates:,} of {rows:,} rows have an id there that another row has: name a '
            f"column with another value in each row, or none; or allow to skip them, with max_skipped={duplicates}"
        )


_CURES = {
    "longitude_column": "; longitude=... names the column",
    "latitude_column": "; latitude=... names the column",
    "point_column": "; split it into two columns, longitude and latitude",
    "types": "; the columns of a DataFrame have their types: cast them",
    "delimiter": "; Spark reads the rows: set the option sep of spark.read",
    "skip_lines": "; Spark reads the rows: leave those lines out before",
    "accumulate_attribute": "; it is accumulate here: accumulate={'price': 'sum'}",
    "json": "; the result of build() has the summary",
}


def _cure(option: str) -> str:
    if option in _CURES:
        return _CURES[option]
    near = difflib.get_close_matches(option, option_names(), n=1)
    return f"; did you mean {near[0]}?" if near else f"; expected one of {', '.join(option_names())}"


def format_of(options: Mapping[str, Any], output: str) -> str:
    """`geojson` or `mvt`, with the program's default: MVT for an archive."""
    return str(options.get("format") or ("mvt" if is_archive(output) else "geojson"))


def is_archive(output: str) -> bool:
    """Whether an output is a single file."""
    return output.lower().endswith(".pmtiles")
