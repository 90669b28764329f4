"""The installation's settings with throw-away choices that no test depends on."""

import os
from urllib.parse import parse_qs, urlencode, urlsplit, urlunsplit

from deploy.settings import *  # noqa: F403
from deploy.settings import BROKER_URL, CACHE_URL, STORAGES
from tests import lock_order

lock_order.install()

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
ALLOWED_HOSTS = ["*"]

# Pages are served from the sources, scripts joined as for an installation: no test waits for collectstatic,
# `up` and its tests go through it.
STORAGES = STORAGES | {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
STATICFILES_FINDERS = [
    "tests.joined_scripts.JoinedScripts",
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
]
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = True


OWN_DATABASE = 2 * int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))


def _own_database(url: str, option: str, number: int) -> str:
    """The same Valkey, but a numbered database of this test process's own."""
    parts = urlsplit(url)
    if parts.scheme in {"redis", "rediss", "valkey"}:
        return urlunsplit(parts._replace(path=f"/{number}"))
    query = {name: values[0] for name, values in parse_qs(parts.query).items()} | {option: str(number)}
    # urlunsplit drops the empty host of redis+socket:///path, and kombu needs its three slashes.
    return f"{parts.scheme}://{parts.netloc}{parts.path}?{urlencode(query)}"


CELERY_BROKER_URL = BROKER_URL = _own_database(BROKER_URL, "virtual_host", OWN_DATABASE)
# A worker copies its connection, and the copy of a socket's address forgets the number in it.
CELERY_BROKER_VHOST = str(OWN_DATABASE)
if CACHE_URL:
    CACHE_URL = _own_database(CACHE_URL, "db", OWN_DATABASE + 1)
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": CACHE_URL}}

# Tests ask more often than anybody may; the one about rates sets its own.
API_RATES = {}

# Tests about the other levels turn them on.
ANALYSIS_ENGINE, ANALYSIS_PRESET, ANALYSIS_ESTIMATE, ANALYSIS_DEEP = "gammonview", "fast", False, False
