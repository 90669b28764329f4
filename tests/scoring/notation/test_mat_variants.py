"""Real matches in every form that programs, systems and copying give them are the same matches."""

from pathlib import Path

import pytest

from scoring.notation.formats import read_match
from scoring.notation.identity import match_digest_of
from scoring.notation.record import MatchRecord
from tests.scoring.notation.mat_variants import FORMS
from tests.shared_data import shared_files
from tests.tiers import sized

OPTIONAL = frozenset({"score_differs", "fused_rows"})
"""What only a match of several games, or one with a result under its last row, shows."""


def told(record: MatchRecord) -> tuple[object, ...]:
    """All that a match is, but for its names."""
    games = [(game.outcome.winner, game.outcome.points) for game in record.state.games]
    plays = match_digest_of(("White", "Black"), record.length, record.events)
    return record.length, games, str(record.state.score), record.winner, plays


FILES = [*shared_files("matches/*.txt"), *shared_files("matches/*.mat"), *shared_files("refused/match*.txt")]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("path", sized(FILES[::8], FILES))
def test_a_real_match_is_the_same_in_this_form(path: Path, form: str) -> None:
    if form in {"spaces folded to one", "a tab for every gap"} and path.suffix == ".mat":
        return  # a closed-out player's turns are left out there: only the columns say whose a row is
    text = path.read_text()
    plain = read_match(text.encode())
    written = FORMS[form].write(text)
    record = read_match(written)
    assert told(record) == told(plain)
    if "name" not in form and "opponent" not in form:
        assert record.players == plain.players
    codes = {flag.code for flag in record.flags}
    expected = {flag.code for flag in plain.flags}
    if form == "names longer than their column":
        expected.discard("no_name")
    if form == "no head":
        expected.discard("unlimited")
        expected = {"no_name" if code == "name_in_header" else code for code in expected}
    wanted = FORMS[form].flags
    assert codes - wanted == expected - wanted
    assert codes >= wanted - OPTIONAL


@pytest.mark.parametrize("form", [name for name, form in FORMS.items() if form.flags & OPTIONAL])
@pytest.mark.shared_data
def test_what_only_some_files_show_is_shown_by_some(form: str) -> None:
    seen = set()
    for param in FILES:
        (path,) = param.values
        assert isinstance(path, Path)
        seen |= {flag.code for flag in read_match(FORMS[form].write(path.read_text())).flags}
    assert seen >= FORMS[form].flags


@pytest.mark.shared_data
@pytest.mark.parametrize("name", ["Iñaki", "Müller", "Søren", "Žižka"])
def test_a_name_in_windows_1252_is_read_and_flagged(name: str) -> None:
    (path,) = FILES[4].values
    assert isinstance(path, Path)
    text = path.read_text().replace("lasse", name)
    record = read_match(text.encode("cp1252"))
    assert name in record.players
    assert [flag.code for flag in record.flags][:1] == ["encoding"]
    for encoding in ("utf-8", "utf-16", "utf-16-be"):
        again = read_match(text.encode(encoding))
        assert again.players == record.players
        assert "encoding" not in {flag.code for flag in again.flags}
