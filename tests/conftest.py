"""The fixtures of every test; what they promise is described in docs/engineers/testing.md."""

import gc
import json
import os
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from hypothesis import HealthCheck, settings
from playwright.sync_api import expect

from tests import emptying, template, tiers
from tests.children import ServerChild, WorkerChild
from tests.shared_data import ABSENT, require_shared_data

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
PATIENCE = 30_000  # milliseconds that a page may take to show something: a busy machine must not fail a test
# Chromium's words for a change of pages without its fade: on a busy machine a page is looked at before all of
# its style sheets are there, or shown before the fade begins. No script has failed.
NO_FADE = "Transition was aborted because of invalid state"
SEPARATE = ("browser", "chaos")  # markers of the tests that run in a pytest process of their own

# Speed is what `manage.py bench` measures; a busy machine must not fail a test that holds.
settings.register_profile("midpoint", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("midpoint")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "shared_data: needs the data beside the project, ../shared/data")
    config.addinivalue_line("markers", "page_errors: this page is meant to report errors in the console")
    emptying.install()
    config.pluginmanager.register(SlowFirst())
    number, processes = (
        os.environ.get("PYTEST_XDIST_WORKER", "gw0"),
        os.environ.get("PYTEST_XDIST_WORKER_COUNT"),
    )
    tests = config.rootpath / "tests"
    if processes and [config.rootpath / each for each in config.args] == [tests]:
        config.args = tiers.read_from(tests, int(number[2:]), int(processes))
    # pytest-playwright's instance-method fixtures, which pytest 9 dislikes; nothing of ours.
    config.addinivalue_line("filterwarnings", "ignore:Session-scoped fixtures defined as instance methods")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Repeat every test as often as ``manage.py test --steady`` asks for."""
    if rounds := int(os.environ.get("MIDPOINT_TEST_ROUNDS", "0")):
        metafunc.fixturenames.append("_round")
        metafunc.parametrize("_round", range(1, rounds + 1))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark a test by what it uses, before ``-m`` selects: nobody can forget the marker. Then leave out what
    belongs to a longer run.
    """
    for item in items:
        names = getattr(item, "fixturenames", ())
        if "worker" in names:
            item.add_marker("worker")
        if "page" in names or "context" in names or "browser" in names:
            item.add_marker("browser")
    seconds = tiers.recorded_seconds()
    kept = tiers.of_the_run(items, seconds)
    count_waiting("tier", {"tests": len(items) - len(kept)})
    items[:] = kept


class SlowFirst:
    """Registered after all plugins, so that the order that pytest-randomly has made is sorted last."""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if processes := int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "0")):
            items[:] = tiers.by_load(items, tiers.recorded_seconds(), processes)


def pytest_deselected(items: list[pytest.Item]) -> None:
    """Tell ``manage.py test`` how many tests of which files wait for a process of their own."""
    for marker in SEPARATE:
        count_waiting(marker, Counter(str(item.path) for item in items if item.get_closest_marker(marker)))


WAITING: dict[str, Counter[str]] = {}
"""How many tests of which files wait for another run; written when all are read."""


def count_waiting(kind: str, numbers: dict[str, int]) -> None:
    WAITING[kind] = WAITING.get(kind, Counter()) + Counter(numbers)


def tell_waiting() -> None:
    path = os.environ.get("MIDPOINT_TEST_REPORT")
    if not path or os.environ.get("PYTEST_XDIST_WORKER", "gw0") != "gw0":
        return
    written = Path(path + ".writing")
    written.write_text(json.dumps(WAITING))
    written.rename(path + ".waiting")  # manage.py test goes on when it is there


def pytest_collection_finish() -> None:
    """Let the collector of cyclic garbage pass over what was loaded, and come less often: it looks through
    thousands of tests and Django's modules in vain each time. The web process does the same.
    """
    tell_waiting()
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Tell ``manage.py test`` what came out, for its closing line."""
    path = os.environ.get("MIDPOINT_TEST_REPORT")
    if not path:
        return
    stats = terminalreporter.stats
    skipped = [str(report.longrepr) for report in stats.get("skipped", [])]
    absent = sum(ABSENT in reason for reason in skipped)
    failed = {report.nodeid for kind in ("failed", "error") for report in stats.get(kind, [])}
    seconds: Counter[str] = Counter()
    own: Counter[str] = Counter()  # without what the first test of a session sets up for all
    for reports in stats.values():
        for report in reports:
            if hasattr(report, "duration"):
                seconds[report.nodeid] += report.duration
                own[report.nodeid] += report.duration if report.when != "setup" else 0
    told = {
        "passed": len(stats.get("passed", [])) + len(stats.get("xfailed", [])),
        "failed": len(stats.get("failed", [])) + len(stats.get("error", [])),
        "absent": absent,
        "skipped": len(skipped) - absent,
        "failures": sorted(failed),
        "seconds": seconds,
        "own": own,
    }
    Path(path).write_text(json.dumps(told))


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("shared_data"):
        require_shared_data()


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    """Clear what the tests before this one left in the cache, such as the requests counted against a rate."""
    cache.clear()


@pytest.fixture
def shared_data() -> Path:
    """The folder ``../shared/data``."""
    return require_shared_data()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, django_db_blocker: Any
) -> None:
    """Refuse the database tests without an engine, with the command that brings one."""
    if not os.environ.get("DATABASE_URL"):
        pytest.exit("these tests need engines: python3 manage.py test [the same arguments]", returncode=4)
    with django_db_blocker.unblock():
        template.use()


@pytest.fixture(scope="module")
def module_db(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """A transaction that is never committed, for what the tests of a module share: each test of it that uses
    ``db`` is rolled back to what the module's fixtures have made.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="session")
def _worker_child(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[WorkerChild]:
    child = WorkerChild(connection.settings_dict, tmp_path_factory.mktemp("worker") / "worker.log")
    yield child
    child.stop()


@pytest.fixture
def worker(transactional_db: None, _worker_child: WorkerChild) -> Iterator[WorkerChild]:
    """A real Celery worker on the test database; drained before the tables are emptied, then at rest."""
    _worker_child.forget()
    _worker_child.start()
    yield _worker_child
    _worker_child.drain()
    _worker_child.rest()


@pytest.fixture(scope="session")
def _server_child(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerChild]:
    child = ServerChild(connection.settings_dict, tmp_path_factory.mktemp("server") / "server.log")
    yield child
    child.stop()


@pytest.fixture
def server(transactional_db: None, _server_child: ServerChild) -> Iterator[str]:
    """The address, without a closing slash, of a real web process on the test database.

    No request is under way any more when the tables are emptied: the two would wait for each other.
    """
    yield _server_child.url
    _server_child.await_rest()


def chromium() -> str | None:
    """The program, if there is one."""
    return os.environ.get("MIDPOINT_CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    found = chromium()
    if not found:
        pytest.fail("no Chromium found; install it, or leave browser tests out: manage.py test --no-browser")
    expect.set_options(timeout=PATIENCE)
    return browser_type_launch_args | {"executable_path": found, "args": CHROMIUM_FLAGS}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any], _server_child: ServerChild) -> dict[str, Any]:
    """A screen that is never without a line: it keeps no pages. ``Scorer`` has a phone that does."""
    return browser_context_args | {
        "base_url": _server_child.url,
        "locale": "en-GB",
        "timezone_id": "UTC",
        "service_workers": "block",
    }


@pytest.fixture
def page(request: pytest.FixtureRequest, server: str, page: Any) -> Iterator[Any]:
    """A page whose relative addresses are the server's; a script error or a CSP violation fails the test.

    It depends on ``server`` first, so that it is closed before the tables are emptied.
    """
    problems: list[str] = []

    def listen(message: Any) -> None:
        if message.type == "error" and "Content Security Policy" in message.text:
            problems.append(message.text)

    def keep(error: Any) -> None:
        if NO_FADE not in str(error):
            problems.append(str(error))

    page.on("pageerror", keep)
    page.on("console", listen)
    yield page
    if not request.node.get_closest_marker("page_errors"):
        assert not problems, "the page reported errors:\n" + "\n".join(problems)
