"""What can go wrong, as exceptions with one clear line."""

from __future__ import annotations

import re


class OptionError(ValueError):
    """An option or a column that doesn't fit: what was found, and what was expected."""


class ProgramError(RuntimeError):
    """The program could not be started, or it failed.

    Its text is one line: the part or step, and what the program said. Spark passes exceptions of its workers on as text
    only, and `reported` finds them again in there.
    """

    @staticmethod
    def reported(text: str) -> ProgramError | None:
        """The error of this kind in the text of Spark's exception, which has the worker's traceback; `None` without one."""
        # A traceback's last line begins with the exception's name and its module's.
        match = re.search(rf"^\s*(?:[\w.]+\.)?{ProgramError.__name__}: (.*)$", text, re.MULTILINE)
        return ProgramError(match[1].strip()) if match else None
