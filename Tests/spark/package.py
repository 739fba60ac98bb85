"""Makes the package of these sources importable, and what several tests use."""

import sys
from pathlib import Path

SOURCES = Path(__file__).resolve().parent.parent.parent / "Sources/PyramidSpark"
sys.path[:0] = [str(SOURCES), str(Path(__file__).resolve().parent.parent)]
