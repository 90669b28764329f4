"""Where the data for tests lies: beside the project, never inside it."""

import os
from pathlib import Path

_ROOT = Path(__file__).parents[2]
SHARED_DATA = Path(os.environ.get("MIDPOINT_SHARED_DATA", _ROOT.parent / "shared" / "data"))
