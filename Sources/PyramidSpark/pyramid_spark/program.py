"""Running the program `pyramid`, here and on executors."""

from __future__ import annotations

import hashlib
import os
import shutil
import socket
import subprocess
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from pyramid_spark.errors import ProgramError


def find_program(name: str) -> str:
    """The path of the program on this machine.

    A name is searched for in PATH and then among the files sent with `--files` or `addFile`; a path is used as it is.

    Raises:
        ProgramError: if there is no such program.
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
    # Files are sent without their mode.
    path.chmod(0o755)
    return str(path)


def identity(program: str) -> str:
    """Identifies the version and build of a program.

    Args:
        program: its path.
    """
    # The program may be a script that starts another one, so its version counts, too.
    version, _ = run([program, "--version"], purpose="version")
    return f"{version.strip()} {hashlib.sha256(Path(program).read_bytes()).hexdigest()}"


def run(command: Sequence[str], *, purpose: str, cwd: str | None = None, stdin: IO[bytes] | None = None) -> tuple[str, str]:
    """Runs the program to its end.

    Args:
        command: the program and its arguments.
        purpose: the step, for the beginning of error messages, such as `join`.
        cwd: the directory to run it in.
        stdin: a file to read as standard input (default: empty).

    Returns:
        Its standard output, and its standard error: warnings.

    Raises:
        ProgramError: if it can't be started, or fails.
    """
    try:
        result = subprocess.run(command, cwd=cwd, stdin=stdin or subprocess.DEVNULL, capture_output=True, check=False)
    except OSError as error:
        raise ProgramError(f"{purpose}: {command[0]} can't be started: {error}") from None
    if code := result.returncode:
        ended = f"signal {-code}" if code < 0 else f"exit code {code}"
        raise ProgramError(f"{purpose}: {_last_words(result.stderr)} ({ended})")
    return result.stdout.decode(), result.stderr.decode(errors="replace")


def warn(purpose: str, said: str) -> None:
    """Passes the warnings of a program on."""
    for line in said.splitlines():
        if line.strip():
            warnings.warn(f"{purpose}: {line.strip().removeprefix('warning: ')}", stacklevel=3)


def _last_words(errors: bytes) -> str:
    """The last lines of a failed program's standard error, in one line; earlier lines may be warnings."""
    lines = [line.strip().removeprefix("error: ") for line in errors.decode(errors="replace").splitlines() if line.strip()]
    return "; ".join(lines[-4:]) or "the program said nothing"
