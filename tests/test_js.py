"""The logic of the browser's modules: ``node --test`` on each file of tests/js, with the locked Node."""

import importlib.util
from pathlib import Path

import pytest

from tests.node import ROOT, run_script, run_tests

FILES = sorted((ROOT / "tests" / "js").glob("*.test.mjs"))


@pytest.mark.each_case
@pytest.mark.parametrize("file", FILES, ids=[file.name.removesuffix(".test.mjs") for file in FILES])
def test_the_modules_of_the_pages_pass_their_own_tests(file: Path):
    passed, failed = run_tests([file])
    assert not failed, f"{len(failed)} failed, {passed} passed\n\n" + "\n\n".join(failed)
    assert passed


def test_a_failed_one_is_told_with_its_name_and_what_it_expected(tmp_path: Path):
    sample = tmp_path / "sample.test.mjs"
    sample.write_text(
        'import { test } from "node:test"; import assert from "node:assert";\n'
        'test("passes", () => {});\n'
        'test("a play is a turn", () => assert.equal("move", "play"));\n'
        'test("left out", { skip: true }, () => {});\n'
    )
    passed, failed = run_tests([sample])
    assert passed == 1
    assert failed[0] == "skipped: left out"
    assert "a play is a turn" in failed[1]
    assert "expected: 'play'" in failed[1]


def test_a_module_that_cannot_be_read_fails(tmp_path: Path):
    broken = tmp_path / "broken.test.mjs"
    broken.write_text('import { test } from "node:test"; import "./absent.mjs"; test("never", () => {});\n')
    passed, failed = run_tests([broken])
    assert passed == 0
    assert "absent.mjs" in "".join(failed)


def test_without_the_locked_node_they_fail_and_say_what_to_do(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(pytest.fail.Exception, match=r"manage\.py test installs it"):
        run_script("tell(given)", 1)
