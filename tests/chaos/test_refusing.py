"""What ``manage.py up`` says where it cannot start."""

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from deploy.checkout import copy_project
from tests.chaos.installation import bare_environment, run, with_environment

pytestmark = pytest.mark.chaos


@pytest.fixture(scope="module")
def checkout(new_checkout: Callable[[str], Path]) -> Path:
    """A fresh copy of the project, in which nothing has run."""
    return with_environment(copy_project(new_checkout("refusing")))


def test_a_taken_port_is_named_with_its_holder_and_another_port(checkout: Path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = run(checkout, "up", "--port", str(port))
    assert refused.returncode == 1
    assert f"port {port} on 127.0.0.1 is taken by" in refused.stderr
    assert f"(process {os.getpid()})" in refused.stderr
    assert "manage.py up --port" in refused.stderr


def test_a_broken_value_is_named_with_its_variable(checkout: Path):
    refused = run(checkout, "up", env=bare_environment(DATABASE_POOL="many"))
    assert refused.returncode == 1
    assert "DATABASE_POOL" in refused.stderr
    assert "'many'" in refused.stderr
    assert "Traceback" not in refused.stderr
