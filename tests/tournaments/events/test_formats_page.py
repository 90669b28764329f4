"""The pages on formats, for engineers and directors, name those that exist."""

from dataclasses import fields
from pathlib import Path

from tournaments.core.formats.presets import PRESETS, preset
from tournaments.core.formats.table import FORMATS
from tournaments.core.proof.archive import Archive
from tournaments.core.stages.pairings import SENTENCES, Reason
from tournaments.words.formats import FORMAT_NAMES

DOCS = Path(__file__).resolve().parents[3] / "docs"
PAGE = (DOCS / "engineers" / "formats.md").read_text()
FOR_DIRECTORS = (DOCS / "directors" / "formats.md").read_text().splitlines()


def test_every_format_has_its_row_with_its_minimum():
    for key, chosen in FORMATS.items():
        row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{key}` |"))
        assert f"| {chosen.minimum} |" in row


def test_directors_see_every_format_of_the_chooser_with_its_minimum():
    for key, name in FORMAT_NAMES.items():
        row = next(line for line in FOR_DIRECTORS if line.startswith(f"| *{name}* |"))
        assert row.endswith(f"| {preset(key).minimum} |")


def test_every_option_in_the_table_exists():
    for key, chosen in FORMATS.items():
        row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{key}` |"))
        named = {word.strip() for word in row.split("|")[-2].split(",")}
        known = {item.name for item in fields(chosen.options)}
        assert {word.replace("protection", "protect") for word in named} <= known


def test_every_key_of_an_archive_is_named():
    assert all(f"`{item.name}`" in PAGE for item in fields(Archive))


def test_presets_are_formats_with_their_own_options():
    for key, found in PRESETS.items():
        assert preset(key) is found
        assert isinstance(found.options, FORMATS[found.format].options)
        assert found.minimum >= FORMATS[found.format].minimum
    assert all(preset(key).options == FORMATS[key].options() for key in FORMATS if key not in PRESETS)


def test_every_reason_is_a_sentence():
    assert all(Reason(code, 1, 2).sentence() for code in SENTENCES)
