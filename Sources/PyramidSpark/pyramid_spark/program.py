"""Running the program `pyramid`, here and on executors."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from pyramid_spark.errors import ProgramError


def find_program(name: str) -> str:
    """The path of the program on this machine.

    A name is looked for in PATH and then among the files that `--files` or `addFile` sent along; a path is taken as it is.

    Raises:
        ProgramError: if it isn't there.
    """
    if os.sep in name:
        found = name if os.access(name, os.X_OK) else None
    else:
        found = shutil.which(name) or _sent(name)
    if found:
        return found
    raise ProgramError(
        f'there is no program "{name}" on {socket.gethostname()}, expected it in PATH or at the path given as pyramid=; '
        "install it on every machine of the cluster, or send it along: spark-submit --files pyramid"
    )


def _sent(name: str) -> str | None:
    from pyspark import SparkFiles

    try:
        path = Path(SparkFiles.get(name))
    except Exception:  # On a driver without a SparkContext, as with Spark Connect, nothing was sent.
        return None
    if not path.is_file():
        return None
    # What is sent arrives without its mode.
    path.chmod(0o755)
    return str(path)


class RunningProgram:
    """The program with its standard input open, and its outputs going to temporary files.

    Files rather than pipes, so that neither side waits for the other.
    """

    def __init__(self, command: Sequence[str], *, purpose: str) -> None:
        """Starts it.

        Args:
            command: the program and its arguments.
            purpose: what it is run for, as the beginning of its errors: `part 4/3/5`.
        """
        self.purpose = purpose
        self._output: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=self._output, stderr=self._errors, bufsize=0
            )
        except OSError as error:
            self._output.close()
            self._errors.close()
            raise ProgramError(f"{purpose}: {command[0]} can't be started on {socket.gethostname()}: {error}") from None

    def write(self, chunk: memoryview | bytes) -> None:
        """Passes bytes to standard input.

        Raises:
            ProgramError: if the program has ended.
        """
        stdin = self._process.stdin
        assert stdin is not None
        try:
            rest = memoryview(chunk)
            while rest:
                rest = rest[stdin.write(rest) :]
        except BrokenPipeError:
            self.finish()
            raise ProgramError(f"{self.purpose}: the program stopped reading before the end of its input") from None

    def finish(self) -> str:
        """Ends standard input and waits.

        Returns:
            What the program printed.

        Raises:
            ProgramError: with what it said on standard error, if it failed.
        """
        assert self._process.stdin is not None
        self._process.stdin.close()
        code = self._process.wait()
        if code:
            self._errors.seek(0)
            # Its last lines say what is wrong; the lines before them may be warnings.
            said = " ".join(self._errors.read().decode(errors="replace").split("\n")[-6:]).strip()
            ended = f"signal {-code}" if code < 0 else f"exit code {code}"
            raise ProgramError(f"{self.purpose}: {said or 'the program said nothing'} ({ended}, {socket.gethostname()})")
        self._output.seek(0)
        return self._output.read().decode()

    def stop(self) -> None:
        """Kills the program, if it still runs, and lets go of its outputs."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        for file in (self._process.stdin, self._output, self._errors):
            if file is not None:
                file.close()


def run(command: Sequence[str], *, purpose: str, cwd: str | None = None) -> str:
    """Runs the program to its end, with what it says on standard error passed on.

    Returns:
        What it printed.

    Raises:
        ProgramError: if it failed.
    """
    result = subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    said = result.stderr.decode(errors="replace").strip()
    if result.returncode:
        said = " ".join(said.split("\n")[-6:])
        raise ProgramError(f"{purpose}: {said or 'the program said nothing'} (exit code {result.returncode})")
    return result.stdout.decode()
