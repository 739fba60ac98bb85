"""The roles of a DataFrame's columns."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

from pyspark.sql import types as T

from pyramid_spark.errors import OptionError


@dataclass(frozen=True)
class Columns:
    """The roles of a DataFrame's columns.

    Attributes:
        names: the names of all columns.
        longitude: the index of the column of longitudes in degrees.
        latitude: the index of the column of latitudes in degrees.
        written: the indices of the columns that become properties.
        id: the index of the column of ids; `None` without one.
    """

    names: tuple[str, ...]
    longitude: int
    latitude: int
    written: tuple[int, ...]
    id: int | None

    @staticmethod
    def of(
        schema: T.StructType, longitude: str, latitude: str, *, include: Iterable[str] | None, id_column: str | None
    ) -> Columns:
        """Finds the columns.

        Args:
            schema: the schema of the DataFrame.
            longitude: the name of the column of longitudes.
            latitude: the name of the column of latitudes.
            include: the names of the columns to write; coordinates are written only if they are among them.
            id_column: the name of the column of ids.

        Raises:
            OptionError: if a column is missing, has the wrong type, or shares its name with another.
        """
        names = tuple(field.name for field in schema.fields)
        for name in names:
            if names.count(name) > 1:
                raise OptionError(f'the DataFrame has several columns "{name}", expected names that differ')

        def index(option: str, name: str) -> int:
            # A difference in case is allowed if only one column matches, as in the program.
            found = [at for at, other in enumerate(names) if other == name]
            found = found or [at for at, other in enumerate(names) if other.lower() == name.lower()]
            if len(found) != 1:
                columns = ", ".join(f'"{other}"' for other in names)
                near = difflib.get_close_matches(name.lower(), [other.lower() for other in names], n=1)
                cure = "".join(f'; did you mean "{other}"?' for other in names if [other.lower()] == near)
                raise OptionError(f'no column "{name}" for {option}, expected one of {columns}{cure}')
            return found[0]

        places = index("longitude", longitude), index("latitude", latitude)
        for option, at in zip(("longitude", "latitude"), places):
            if not isinstance(schema.fields[at].dataType, (T.NumericType, T.StringType)):
                kind = schema.fields[at].dataType.simpleString()
                raise OptionError(f'{option}: the column "{names[at]}" is of type {kind}, expected numbers of degrees')
        if places[0] == places[1]:
            raise OptionError(f'longitude and latitude are both "{names[places[0]]}", expected two columns')
        identity = None if id_column is None else index("id_column", id_column)
        if identity is not None and not isinstance(schema.fields[identity].dataType, (T.NumericType, T.StringType)):
            kind = schema.fields[identity].dataType.simpleString()
            raise OptionError(f'id_column: the column "{names[identity]}" is of type {kind}, expected numbers or strings')
        named = {index("include", name) for name in include or ()}
        written = tuple(at for at in range(len(names)) if at not in places or at in named)
        return Columns(names, *places, written, identity)
