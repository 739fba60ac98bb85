"""Makes the package of these sources importable."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "Sources/PyramidSpark"))
