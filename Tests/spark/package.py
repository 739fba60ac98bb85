"""Makes the package of these sources importable, and what several tests use."""

import sys
import zlib
from pathlib import Path

import pyarrow

SOURCES = Path(__file__).resolve().parent.parent.parent / "Sources/PyramidSpark"
sys.path[:0] = [str(SOURCES), str(Path(__file__).resolve().parent.parent)]


def batch(rows, text=None):
    return pyarrow.RecordBatch.from_arrays(
        [
            pyarrow.array([0] * len(rows), pyarrow.int32()),
            pyarrow.array([part for part, _ in rows], pyarrow.int32()),
            pyarrow.array([text for _, text in rows], text or pyarrow.string()),
            # As Spark's, these are 64 bits with a sign.
            pyarrow.array([zlib.crc32(repr(text).encode()) << 31 for _, text in rows], pyarrow.int64()),
        ],
        names=["task", "part", "text", "hash"],
    )
