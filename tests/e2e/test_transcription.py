"""A transcriber types a whole match by keyboard: as fast as it was played, and the very match of its file."""

import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from django.db import transaction
from playwright.sync_api import Browser, expect

from clubs.models import Club, Role, User
from scoring.chouettes.services.damage import damage_of
from scoring.files.services.aliases import player_named
from scoring.files.services.imports import import_file
from scoring.log.queries.sheets import events_of
from scoring.log.services.sheets import state_of
from scoring.models import Match, MatchStatus
from scoring.notation.mat import read_mat
from scoring.notation.typed import read_line
from scoring.rules.errors import ScoringError
from scoring.rules.events import (
    Accepted,
    Doubled,
    Event,
    OpeningRolled,
    Passed,
    Played,
    RefusedResignation,
    Resigned,
    Rolled,
    Taken,
)
from scoring.rules.match_state import MatchState
from scoring.rules.plays import Move
from scoring.rules.position import BAR
from scoring.rules.sheet import apply, replay
from scoring.rules.sides import Side
from scoring.sheets.services.openings import open_match
from tests.accessibility import serious_violations
from tests.e2e.scorers import Scorer
from tests.e2e.settled import PATIENCE
from tests.factories import member

WORDS = {Doubled: "d", Taken: "t", Passed: "p", Accepted: "y", RefusedResignation: "n"}
KEYS_A_MINUTE = 200  # of somebody who types 40 words a minute
NEEDED = 20  # plays a minute


@pytest.fixture
def dora(club: Club) -> User:
    return member(club, Role.DIRECTOR, name="Dora")


@pytest.fixture
def transcriber(browser: Browser, server: str, dora: User) -> Iterator[Scorer]:
    scorer = Scorer(browser, server, dora, viewport={"width": 1280, "height": 800}, has_touch=False)
    yield scorer
    scorer.close()


def lines_of(events: Sequence[Event]) -> list[str]:
    """What is typed for a log: a line for each turn, each checker's way by its digits."""
    lines: list[str] = []
    before = state = replay(events[:1])
    for event in events[1:]:
        match event:
            case OpeningRolled(white=white, black=black):
                lines.append(f"{white}{black}")
                before = state
            case Rolled(dice=dice):
                lines.append(f"{dice.high}{dice.low}")
                before = state
            case Played():
                lines[-1] = _shortest(before, lines[-1], event)
            case Resigned(by=by, level=level):
                lines.append(f"{'r' if by is state.game.on_roll else 'o'}{int(level)}")
            case _:
                lines.append(WORDS[type(event)])
        state = apply(state, event)
    return lines


def _shortest(before: MatchState, roll: str, play: Played) -> str:
    """The roll and as many moves as it takes: what only one play can be is not typed out."""
    joined, single = [[*map(_typed, ways)] for ways in (_joined(play.moves), play.moves)]
    for moves in [*(joined[:count] for count in range(len(joined) + 1)), single, ["-"]]:
        line = " ".join([roll, *moves])
        try:
            read = read_line(before, line)
        except ScoringError:
            continue
        told = replay_from(before, read)
        if len(read) == 2 and told == replay_from(before, (read[0], play)):
            return line
    raise AssertionError(f"{roll} {single} cannot be typed")


def replay_from(state: MatchState, events: Sequence[Event]) -> MatchState:
    for event in events:
        state = apply(state, event)
    return state


def _joined(moves: Sequence[Move]) -> list[tuple[int, ...]]:
    """The moves with one checker's steps joined, where they follow one another."""
    ways: list[tuple[int, ...]] = []
    for source, target in moves:
        if ways and ways[-1][-1] == source:
            ways[-1] = (ways[-1][0], target)
        else:
            ways.append((source, target))
    return ways


def _typed(way: tuple[int, ...]) -> str:
    source, target = way
    return f"{'b' if source == BAR else source}{target or 'o'}"


@pytest.mark.long
@pytest.mark.parametrize("name", ["galaxy-9923551.txt"])
def test_a_real_match_is_typed_and_is_the_match_of_its_file(
    club: Club, dora: User, transcriber: Scorer, shared_data: Path, name: str
) -> None:
    content = (shared_data / "matches" / name).read_bytes()
    told = read_mat(content)
    with transaction.atomic():
        players = [[player_named(club=club, name=player)] for player in told.players]
    match = open_match(club=club, white=players[0], black=players[1], length=told.length, user=dora)
    lines = lines_of(told.events)
    plays = sum(isinstance(event, Played) for event in told.events)
    keys = sum(len(line) + 1 for line in lines)
    assert plays * KEYS_A_MINUTE / keys >= NEEDED, f"{keys / plays:.1f} keys a play"

    transcriber.open(match)
    field = transcriber.page.get_by_label("Type rolls and plays")
    field.focus()
    began = time.monotonic()
    for line in lines:  # without waiting for answers: lines queue up behind one another
        transcriber.page.keyboard.type(line)
        transcriber.page.keyboard.press("Enter")
    transcriber.catches_up(len(told.events))
    minutes = (time.monotonic() - began) / 60
    print(f"{plays} plays, {keys} keys ({keys / plays:.1f} a play), {plays / minutes:.0f} plays a minute")
    expect(field).to_have_value("")

    match = Match.objects.select_related("sheet").get(pk=match.pk)
    assert match.status == MatchStatus.FINISHED
    assert damage_of(match.sheet) is None
    recorded = replay(numbered.event for numbered in events_of(match.sheet))
    assert [(game.outcome, game.white, game.black) for game in recorded.games] == [
        (game.outcome, game.white, game.black) for game in told.state.games
    ]
    assert state_of(match.sheet).score.points(Side.WHITE) == told.state.score.points(Side.WHITE)
    assert import_file(club=club, filename=name, content=content)[0] == match


def test_a_line_that_does_not_fit_comes_back_and_those_behind_it_wait(match: Match, white: Scorer) -> None:
    page = white.page
    white.open(match)
    field = page.get_by_label("Type rolls and plays")
    field.focus()
    for line in ("31 85 65", "64 2418 1814 85", "55 133 133"):
        page.keyboard.type(line)
        page.keyboard.press("Enter")
    page.keyboard.type("21 13")
    form = white.part("text-form")
    expect(form.get_by_role("alert")).to_have_text(re.compile(r"one move too many .+\.$"), timeout=PATIENCE)
    again = form.get_by_label("Refused line")
    expect(again).to_have_value("64 2418 1814 85")
    expect(form).to_contain_text("Later entries not sent yet: 1")
    expect(field).to_have_value("21 13")
    again.fill("64 2414")
    again.press("Enter")
    white.sees(7)
    expect(field).to_have_value("21 13")
    expect(again).to_have_count(0)


@pytest.mark.long
def test_a_refused_line_is_left_out(match: Match, white: Scorer) -> None:
    page = white.page
    white.open(match)
    field = page.get_by_label("Type rolls and plays")
    for line in ("31 2418", "31 85 65"):
        field.fill(line)
        field.press("Enter")
    page.get_by_role("button", name="Discard").click()
    white.sees(3)
    expect(white.part("log").locator("li").first).to_contain_text("8/5 6/5")


@pytest.mark.long
def test_what_can_be_read_in_two_ways_is_asked(match: Match, white: Scorer) -> None:
    page = white.page
    white.open(match)
    field = page.get_by_label("Type rolls and plays")
    field.fill("65 2418")
    field.press("Enter")
    choices = white.part("text-form").locator("[data-readings] button")
    expect(choices.first).to_be_visible(timeout=PATIENCE)
    choices.filter(has_text="24/13").click()
    white.sees(3)
    expect(white.part("log").locator("li").first).to_contain_text("24/13")


@pytest.mark.long
def test_a_line_is_completed_by_keys_alone(match: Match, white: Scorer) -> None:
    page = white.page
    white.open(match)
    field = page.get_by_role("combobox", name="Type rolls and plays")
    field.focus()
    found = page.get_by_role("listbox", name="Legal plays").get_by_role("option")
    page.keyboard.type("31 8")
    expect(found.first).to_be_visible()
    page.keyboard.type("5 6")
    expect(found).to_have_text(["31 8/5 6/5"])
    expect(field).to_have_attribute("aria-expanded", "true")
    assert serious_violations(page) == []
    page.keyboard.press("ArrowDown")
    expect(found.first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    white.sees(3)
    expect(field).to_have_value("")
    expect(found).to_have_count(0)
    page.keyboard.type("64 2414")  # one play has it: Tab writes it out, Enter enters it
    expect(found).to_have_text(["64 24/14"])
    page.keyboard.press("Tab")
    expect(field).to_have_value("64 24/14")
    expect(found).to_have_count(0)
    page.keyboard.press("Enter")
    white.sees(5)
    page.keyboard.type("55 ")
    expect(found).to_have_count(8)
    page.keyboard.press("Escape")
    expect(found).to_have_count(0)
    page.keyboard.type("13/3(2")
    found.first.click()
    white.sees(7)
    expect(white.part("log").locator("li").first).to_contain_text("13/3(2)")


@pytest.mark.long
def test_lines_typed_without_a_connection_outlive_a_reload_and_go_on(match: Match, white: Scorer) -> None:
    page = white.page
    white.open(match)
    expect(white.sheet).to_have_attribute("data-kept", "yes", timeout=PATIENCE)
    white.context.set_offline(True)
    page.get_by_label("Type rolls and plays").focus()
    for line in ("31 85 65", "64 2414"):
        page.keyboard.type(line)
        page.keyboard.press("Enter")
    held = white.part("text-form").get_by_text("Lines not sent yet: 2.")
    expect(held).to_be_visible()
    page.reload()
    expect(held).to_be_visible(timeout=PATIENCE)
    white.context.set_offline(False)
    white.sees(5)
    expect(held).to_have_count(0)
