"""Building parts on executors: each one's rows are streamed into a program of its own."""

from __future__ import annotations

import tempfile
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pyramid_spark.program import RunningProgram, find_program

if TYPE_CHECKING:
    import pyarrow

RESULT = "part int, said string"
"""What `PartBuilder` yields: a row for each finished part, with the program's warnings."""


@dataclass(frozen=True)
class PartBuilder:
    """What every executor needs to know. Its instances are called for each of Spark's partitions (`mapInArrow`).

    Attributes:
        program: the name or path of `pyramid`.
        folder: where finished parts go, seen by all executors and by the driver.
        tiles: the tile of every part, as `z/x/y`.
        cut_zoom: the zoom whose markers the parts hand over.
        schema: the types of the columns, as the program wrote them.
        arguments: the options for the program.
    """

    program: str
    folder: str
    tiles: tuple[str, ...]
    cut_zoom: int
    schema: str
    arguments: tuple[str, ...]

    def __call__(self, batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        """Builds the parts of a partition, one after the other.

        Args:
            batches: have the columns task, part (ascending) and text, each text a feature with its line end, or null;
                every part is there, if only with a null.
        """
        import pyarrow

        program = find_program(self.program)
        with tempfile.TemporaryDirectory(prefix="pyramid-") as own:
            schema = Path(own, "schema.json")
            schema.write_text(self.schema)
            for part, chunks in _by_part(_chunks(batches)):
                said = self._build(part, chunks, program, schema)
                yield pyarrow.RecordBatch.from_arrays(
                    [pyarrow.array([part], pyarrow.int32()), pyarrow.array([said], pyarrow.string())],
                    names=["part", "said"],
                )

    def _build(self, part: int, chunks: Iterator[memoryview], program: str, schema: Path) -> str:
        tile = self.tiles[part]
        finished = part_file(self.folder, tile)
        # Another attempt may be at work on the same part, so each has a name of its own.
        attempt_id = uuid.uuid4().hex
        attempt = Path(self.folder, f".{attempt_id}-{finished.name}")
        where = ["--part", tile, "--cut-zoom", str(self.cut_zoom), "--schema", str(schema)]
        running = RunningProgram(
            [program, "build", "-", str(attempt), *where, *self.arguments, "--quiet"], purpose=f"part {tile}"
        )
        try:
            for chunk in chunks:
                running.write(chunk)
            said = running.finish()
            # The end of its input doesn't tell the program whether it has had it all: it comes as well when this process is
            # killed. Here we know, so only here the part gets its name. Another attempt, which Spark believed lost or slow,
            # may have been first: it had the same rows, and its part will do as well.
            attempt.replace(finished)
            return said
        finally:
            running.stop()
            for left in Path(self.folder).glob(f"*{attempt_id}*"):
                left.unlink(missing_ok=True)


def part_file(folder: str, tile: str) -> Path:
    """Where a finished part is."""
    return Path(folder, f"{tile.replace('/', '-')}.part")


def _chunks(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[tuple[int, memoryview]]:
    """The texts of each part in each batch as one piece of memory, without touching them one by one."""
    import pyarrow
    from pyarrow import compute

    for batch in batches:
        if not batch.num_rows:
            continue
        runs = compute.run_end_encode(batch.column(batch.schema.get_field_index("part")))
        texts = batch.column(batch.schema.get_field_index("text"))
        wide = pyarrow.types.is_large_string(texts.type)
        _, offsets, data = texts.buffers()
        # An array may be a slice of its buffers.
        ends: Sequence[int] = memoryview(offsets).cast("q" if wide else "i")[texts.offset :]
        whole = memoryview(data) if data is not None else memoryview(b"")
        start = 0
        for end, part in zip(runs.run_ends.to_pylist(), runs.values.to_pylist()):
            yield part, whole[ends[start] : ends[end]]
            start = end


def _by_part(chunks: Iterator[tuple[int, memoryview]]) -> Iterator[tuple[int, Iterator[memoryview]]]:
    """Groups what comes one after the other for the same part; each group must be read to its end before the next."""
    waiting = next(chunks, None)
    while waiting is not None:
        part = waiting[0]

        def group(part: int = part) -> Iterator[memoryview]:
            nonlocal waiting
            while waiting is not None and waiting[0] == part:
                yield waiting[1]
                waiting = next(chunks, None)

        rest = group()
        yield part, rest
        for _ in rest:
            pass
