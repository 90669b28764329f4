"""The settings of the tests with static files as an installation sends them: named by content, compressed."""

import os
from pathlib import Path

from deploy import settings as installed
from tests.settings import *  # noqa: F403

STATIC_ROOT = Path(os.environ["MIDPOINT_TEST_STATIC"])
STORAGES = installed.STORAGES
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = False
