"""The exceptions of this package, each with a one-line message."""

from __future__ import annotations

import re


class OptionError(ValueError):
    """An invalid option or column: what was found, and what was expected."""


class ProgramError(RuntimeError):
    """The program could not be started, or it failed.

    The message is one line: the part or step, and the program's error. Spark passes exceptions of its workers on as text
    only; `reported` finds them in that text.
    """

    @staticmethod
    def reported(text: str) -> ProgramError | None:
        """Finds a `ProgramError` in the text of Spark's exception, which has the worker's traceback; `None` if it has none."""
        # A traceback's last line begins with the exception's name and its module's.
        match = re.search(rf"^\s*(?:[\w.]+\.)?{ProgramError.__name__}: (.*)$", text, re.MULTILINE)
        return ProgramError(match[1].strip()) if match else None
