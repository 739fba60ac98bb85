"""Running the program `pyramid`, here and on executors."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import warnings
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
    """The program with its standard input open, and its standard error going to a temporary file.

    A file rather than a pipe, so that neither side waits for the other.
    """

    def __init__(self, command: Sequence[str], *, purpose: str) -> None:
        """Starts it.

        Args:
            command: the program and its arguments.
            purpose: what it is run for, as the beginning of its errors: `part 4/3/5`.
        """
        self.purpose = purpose
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=self._errors, bufsize=0
            )
        except OSError as error:
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
            What the program said on standard error: warnings.

        Raises:
            ProgramError: with what it said on standard error, if it failed.
        """
        assert self._process.stdin is not None
        self._process.stdin.close()
        code = self._process.wait()
        self._errors.seek(0)
        said = self._errors.read()
        if code:
            ended = f"signal {-code}" if code < 0 else f"exit code {code}"
            raise ProgramError(f"{self.purpose}: {_last_words(said)} ({ended}, {socket.gethostname()})")
        return said.decode(errors="replace")

    def stop(self) -> None:
        """Kills the program, if it still runs, and lets go of its files."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        for file in (self._process.stdin, self._errors):
            if file is not None:
                file.close()


def run(command: Sequence[str], *, purpose: str, cwd: str | None = None, warns: bool = False) -> str:
    """Runs the program to its end.

    Args:
        command: the program and its arguments.
        purpose: what it is run for, as the beginning of its errors: `join`.
        cwd: the directory to run it in.
        warns: whether what it says on standard error becomes warnings.

    Returns:
        What it printed.

    Raises:
        ProgramError: if it failed.
    """
    result = subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if result.returncode:
        raise ProgramError(f"{purpose}: {_last_words(result.stderr)} (exit code {result.returncode})")
    if warns:
        warn(purpose, result.stderr.decode(errors="replace"))
    return result.stdout.decode()


def warn(purpose: str, said: str) -> None:
    """Passes on what the program said although it didn't fail."""
    for line in said.splitlines():
        if line.strip():
            warnings.warn(f"{purpose}: {line.strip().removeprefix('warning: ')}", stacklevel=4)


def _last_words(errors: bytes) -> str:
    """What a program says on standard error before it fails, in one line; what comes earlier may be warnings."""
    lines = [line.strip().removeprefix("error: ") for line in errors.decode(errors="replace").splitlines() if line.strip()]
    return "; ".join(lines[-4:]) or "the program said nothing"
