"""One word for one thing: a class name stands for one thing, and tells a row from its value."""

import ast
from collections import defaultdict
from pathlib import Path

import pytest
from django.apps import apps

ROOT = Path(__file__).resolve().parents[2]
APPS = ("clubs", "scoring", "tournaments", "deploy")
OF_THE_FRAMEWORK = {"Command", "Migration"}
"""Django finds these by their name, one a module."""


def classes(root: Path) -> dict[str, list[str]]:
    """The modules that define a class of each name, private ones and those inside others left out."""
    found = defaultdict(list)
    for app in APPS:
        for path in sorted((root / app).rglob("*.py")):
            for node in ast.parse(path.read_text()).body:
                if (
                    isinstance(node, ast.ClassDef)
                    and node.name[0] != "_"
                    and node.name not in OF_THE_FRAMEWORK
                ):
                    found[node.name].append(str(path.relative_to(root)))
    return {name: places for name, places in found.items() if name not in OF_THE_FRAMEWORK}


@pytest.fixture(scope="module")
def found() -> dict[str, list[str]]:
    return classes(ROOT)


def test_a_class_name_stands_for_one_thing(found: dict[str, list[str]]):
    assert len(found) > 1000
    assert {name: places for name, places in found.items() if len(places) > 1} == {}


def test_a_row_is_told_from_its_value(found: dict[str, list[str]]):
    """A model ends in ``Row`` where a value has the name without it, and nowhere else."""
    rows = {
        model.__name__
        for app in ("clubs", "scoring", "tournaments")
        for model in apps.get_app_config(app).get_models()
    }
    assert {name for name in rows if name.endswith("Row")} == {
        f"{name}Row" for name in found if f"{name}Row" in rows
    }
    assert {"StageRow", "EntrantRow", "PairingRow", "SideRow", "DecisionRow"} <= rows


def test_two_of_one_name_are_found(tmp_path):
    for app, text in {"clubs": "class Table: ...", "scoring": "class Table: ...", "deploy": ""}.items():
        (tmp_path / app).mkdir()
        (tmp_path / app / "a.py").write_text(text)
    assert classes(tmp_path) == {"Table": ["clubs/a.py", "scoring/a.py"]}
