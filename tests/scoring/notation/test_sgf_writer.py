"""A match written as `.sgf` is the same match for our reader and for GNU Backgammon itself."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from scoring.notation.formats import read_match
from scoring.notation.identity import match_digest, match_digest_of
from scoring.notation.record import MatchRecord
from scoring.notation.sgf_writer import write_sgf
from scoring.rules.errors import InvalidValue
from scoring.rules.events import MatchStarted, Played, PlayStatus, PositionSet
from scoring.rules.options import RuleOptions
from scoring.rules.plays import Move
from scoring.rules.position import STARTING_POSITION
from tests.scoring.gnubg_files import saved_by_gnubg
from tests.scoring.notation.test_complete_records import NAMES, OPENING, SHEETS
from tests.shared_data import require_shared_data, shared_files
from tests.tiers import sized

RECORDS = [*shared_files("matches/*"), *shared_files("xg/*.xg")]


def written(record: MatchRecord) -> str:
    return write_sgf(record.players, record.events, {"EventDate": "2026.11.24"})


@pytest.mark.parametrize("path", sized(RECORDS[::3], RECORDS))
def test_every_record_is_read_again_as_the_same_match(path: Path) -> None:
    record = read_match(path.read_bytes())
    again = read_match(written(record).encode())
    assert match_digest(again) == match_digest(record)
    assert again.players == record.players
    assert again.length == record.length
    assert again.state.score == record.state.score
    assert [outcome.outcome.points for outcome in again.state.games] == [
        outcome.outcome.points for outcome in record.state.games
    ]


def test_gnubg_reads_and_saves_every_record_as_the_same_match(tmp_path: Path) -> None:
    folder = require_shared_data()
    every = sorted([*folder.glob("matches/*"), *folder.glob("xg/*.xg")])
    paths = sized(every[::5], every)
    records = [read_match(path.read_bytes()) for path in paths]
    saved = saved_by_gnubg(tmp_path, [written(record) for record in records])
    for path, record, again in zip(paths, records, saved, strict=True):
        assert match_digest(read_match(again)) == match_digest(record), path


@pytest.mark.parametrize("name", ["accepted at once", "Black starts"])
def test_a_sheet_is_written_as_its_plays(name: str) -> None:
    events = SHEETS[name]
    record = read_match(write_sgf(NAMES, events, {}).encode())
    told = events[:-1] if name == "Black starts" else events  # dice that were not played are not told
    assert match_digest(record) == match_digest_of(NAMES, 5, told)


def test_names_cannot_break_out_of_their_property() -> None:
    names = ("A\\]B]C[", "Ana: \\")
    text = write_sgf(names, SHEETS["accepted at once"], {"Event": "x]GM[1"})
    record = read_match(text.encode())
    assert record.players == names
    assert dict(record.tags)["Event"] == "x]GM[1"


def test_what_cannot_be_told_is_refused_with_the_reason() -> None:
    events = SHEETS["accepted at once"]
    first = next(n for n, event in enumerate(events) if isinstance(event, Played))
    play = events[first]
    assert isinstance(play, Played)
    illegal = replace(play, moves=(Move(13, 7), Move(13, 7)), status=PlayStatus.ILLEGAL_ACCEPTED)
    cases = [
        ([*events[:first], illegal], "is not legal"),
        (
            [*events[: first + 1], PositionSet(STARTING_POSITION, "knocked over")],
            "a position was set up in game 1",
        ),
        ([MatchStarted(5, RuleOptions())], "no game is recorded"),
        ([], "a record begins with the start"),
    ]
    for told, reason in cases:
        with pytest.raises(InvalidValue, match=reason):
            write_sgf(NAMES, told, {})


@pytest.mark.parametrize(
    ("length", "options", "rules"),
    [
        (0, RuleOptions(), "RU[Jacoby]"),
        (0, RuleOptions(jacoby=False), None),
        (5, RuleOptions(), "RU[Crawford]"),
        (5, RuleOptions(crawford=False), None),
    ],
)
def test_the_rules_of_a_match_or_session_are_told(
    length: int, options: RuleOptions, rules: str | None
) -> None:
    text = write_sgf(NAMES, [MatchStarted(length, options), *OPENING], {})
    found = re.search(r"RU\[\w*\]", text)
    assert (found and found.group()) == rules
    assert f"MI[length:{length}]" in text
    assert read_match(text.encode()).length == length


def test_a_game_that_begins_with_a_turned_cube_is_refused() -> None:
    with pytest.raises(InvalidValue, match="a game begins with the cube at 2"):
        write_sgf(NAMES, SHEETS["tie"], {})


def test_what_is_said_of_a_step_stands_in_its_node_and_the_annotator_in_the_first() -> None:
    text = write_sgf(
        NAMES,
        SHEETS["ruling between a double and its answer"],
        {"Annotator": "Ana: A]"},
        tell=lambda step: f"C[{step.kind}]" if step.kind != "double" else "",
    )
    assert text.count("AN[Ana\\: A\\]]") == 1
    assert text.splitlines()[1:-1] == [";W[31hefe]C[play]", ";B[double]", ";W[take]C[take]"]
