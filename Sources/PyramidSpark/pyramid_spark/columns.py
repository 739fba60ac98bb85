"""The roles of a DataFrame's columns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pyspark.sql import types as T

from pyramid_spark.errors import OptionError


@dataclass(frozen=True)
class Columns:
    """The roles of a DataFrame's columns. The program checks all but those of the coordinates, which it doesn't see.

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
            OptionError: if a column of coordinates is missing or has the wrong type.
        """
        names = tuple(field.name for field in schema.fields)

        def index(name: str) -> int | None:
            # A difference in case is allowed if only one column matches, as in the program.
            found = [at for at, other in enumerate(names) if other == name]
            found = found or [at for at, other in enumerate(names) if other.lower() == name.lower()]
            return found[0] if len(found) == 1 else None

        def coordinate(option: str, name: str) -> int:
            at = index(name)
            if at is None:
                columns = ", ".join(f'"{other}"' for other in names)
                raise OptionError(f'no column "{name}" for {option}, expected one of {columns}')
            kind = schema.fields[at].dataType
            if not isinstance(kind, (T.NumericType, T.StringType)):
                raise OptionError(
                    f'{option}: the column "{names[at]}" is of type {kind.simpleString()}, expected numbers of degrees'
                )
            return at

        places = coordinate("longitude", longitude), coordinate("latitude", latitude)
        if places[0] == places[1]:
            raise OptionError(f'longitude and latitude are both "{names[places[0]]}", expected two columns')
        named = {index(name) for name in include or ()}
        written = tuple(at for at in range(len(names)) if at not in places or at in named)
        return Columns(names, *places, written, None if id_column is None else index(id_column))
