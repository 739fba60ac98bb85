"""Makes the package of these sources importable."""

import sys
from pathlib import Path

SOURCES = Path(__file__).resolve().parent.parent.parent / "Sources/PyramidSpark"
sys.path.insert(0, str(SOURCES))
