"""Builds pyramid's tilesets of clustered points from Spark DataFrames, byte for byte as one machine would.

from pyramid_spark import build

build(df, "out", longitude="lon", latitude="lat", max_zoom=14, accumulate={"price": "sum"})
"""

from pyramid_spark.build import BuildResult, build
from pyramid_spark.errors import OptionError, ProgramError
from pyramid_spark.plan import Part, Plan, Tile

__all__ = ["BuildResult", "OptionError", "Part", "Plan", "ProgramError", "Tile", "build"]
