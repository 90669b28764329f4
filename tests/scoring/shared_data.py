"""Where the data for tests lies: beside the project, never inside it."""

from tests.shared_data import SHARED_DATA

__all__ = ["SHARED_DATA"]
