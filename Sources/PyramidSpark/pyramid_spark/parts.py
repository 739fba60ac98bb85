"""Building parts on executors: the rows of each part go to a temporary file, which the program reads."""

from __future__ import annotations

import hashlib
import itertools
import json
import operator
import socket
import tempfile
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from pyramid_spark.program import find_program, identity, run

if TYPE_CHECKING:
    import pyarrow

RESULT = "part int, file string, said string"
"""The columns that `PartBuilder` yields: a row for each finished part, with its file name and the program's warnings."""


@dataclass(frozen=True)
class PartBuilder:
    """Builds parts on an executor. Spark calls an instance for each of its partitions (`mapInArrow`).

    Attributes:
        program: the name or path of `pyramid`.
        folder: the folder for finished parts, shared by all executors and the driver.
        tiles: the tile of every part, as `z/x/y`.
        cut_zoom: the zoom whose markers the parts hand over.
        schema: the types of the columns, as the program wrote them.
        arguments: the options that affect the content of a part.
        jobs: threads of the program.
    """

    program: str
    folder: str
    tiles: tuple[str, ...]
    cut_zoom: int
    schema: str
    arguments: tuple[str, ...]
    jobs: int

    def __call__(self, batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        """Builds the parts of a partition, one after the other; skips parts that are finished already.

        Args:
            batches: have the columns task, part (ascending), text (a feature with its line end, or null) and hash. Every
                part has at least one row, perhaps with a null.
        """
        import pyarrow

        program = find_program(self.program)
        build = [identity(program), self.cut_zoom, self.schema, *self.arguments]
        with tempfile.TemporaryDirectory(prefix="pyramid-") as own:
            schema = Path(own, "schema.json")
            schema.write_text(self.schema)
            for part, chunks in _by_part(_chunks(batches)):
                # An unnamed file, so that nothing is left behind if this process is killed.
                with tempfile.TemporaryFile() as rows:
                    checksum = 0
                    for chunk, hashes in chunks:
                        rows.write(chunk)
                        checksum = (checksum + hashes) % (1 << 64)
                    # A sum, because Spark sends the rows in any order; the part doesn't depend on it.
                    decisive = json.dumps([self.tiles[part], rows.tell(), checksum, *build])
                    file = f"{self.tiles[part].replace('/', '-')}-{hashlib.sha256(decisive.encode()).hexdigest()[:32]}.part"
                    rows.seek(0)
                    said = self._build(self.tiles[part], program, schema, rows, file)
                number = pyarrow.array([part], pyarrow.int32())
                yield pyarrow.RecordBatch.from_pydict({"part": number, "file": [file], "said": [said]})

    def _build(self, tile: str, program: str, schema: Path, rows: IO[bytes], file: str) -> str:
        finished = Path(self.folder, file)
        warnings = finished.with_suffix(".warnings")
        if finished.exists():
            return warnings.read_text() if warnings.exists() else ""
        # Another attempt may be building the same part, so each attempt has a unique name.
        attempt_id = uuid.uuid4().hex
        attempt = Path(self.folder, f".{attempt_id}-{file}")
        where = ["--part", tile, "--cut-zoom", str(self.cut_zoom), "--schema", str(schema)]
        try:
            _, said = run(
                [program, "build", "-", str(attempt), *where, *self.arguments, f"--jobs={self.jobs}", "--quiet"],
                purpose=f"part {tile} on {socket.gethostname()}",
                stdin=rows,
            )
            if said:
                warnings.write_text(said)
            attempt.replace(finished)
            return said
        finally:
            for left in Path(self.folder).glob(f"*{attempt_id}*"):
                left.unlink(missing_ok=True)


def _chunks(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[tuple[int, memoryview, int]]:
    """For each part in each batch: its number, its texts as one piece of memory, and the sum of their hashes."""
    import pyarrow
    from pyarrow import compute

    for batch in batches:
        if not batch.num_rows:
            continue
        runs = compute.run_end_encode(batch.column("part"))
        texts, hashes = batch.column("text"), batch.column("hash")
        wide = pyarrow.types.is_large_string(texts.type)
        _, offsets, data = texts.buffers()
        # An array may be a slice of its buffers.
        ends: Sequence[int] = memoryview(offsets).cast("q" if wide else "i")[texts.offset :]
        whole = memoryview(data) if data is not None else memoryview(b"")
        start = 0
        for end, part in zip(runs.run_ends.to_pylist(), runs.values.to_pylist()):
            yield part, whole[ends[start] : ends[end]], compute.sum(hashes[start:end]).as_py()
            start = end


def _by_part(chunks: Iterator[tuple[int, memoryview, int]]) -> Iterator[tuple[int, Iterator[tuple[memoryview, int]]]]:
    """Groups consecutive chunks of the same part; each group must be read to its end before the next."""
    for part, group in itertools.groupby(chunks, key=operator.itemgetter(0)):
        yield part, ((chunk, hashes) for _, chunk, hashes in group)
