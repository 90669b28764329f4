"""A match is one row: written on its sheet, read from its own file, or from somebody else's."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Club, Person, Role
from scoring.chouettes.services.damage import damage_of
from scoring.files.services.aliases import confirm_claim, player_named
from scoring.files.services.imports import import_file
from scoring.log.queries.writers import Author
from scoring.models import Alias, Match, MatchStatus, Source
from scoring.notation.mat import read_mat
from scoring.rules.events import Event, Played, ScoreRecorded
from scoring.rules.match import Win
from scoring.rules.plays import Move
from scoring.rules.sides import Side
from scoring.sheets.services.corrections import correct, undo_last
from scoring.sheets.services.decisions import void_match
from scoring.sheets.services.entries import Entry, record
from scoring.sheets.services.openings import open_match
from scoring.sheets.services.results import confirm_result
from tests.factories import ClubFactory, member
from tests.races import at_once
from tests.scoring.records import SHORT_MATCH, short_match
from tests.scoring.sheets.writing import author, loaded, two_players, win, write

pytestmark = pytest.mark.django_db

EVENTS: tuple[Event, ...] = read_mat(SHORT_MATCH.encode()).events[1:]
FULL_GAME = EVENTS[:-2]


def typed(length: int = 1) -> Match:
    """The short match on its sheet, between Ana and Ben, over."""
    return write(two_players(length), *EVENTS)


def own_file(client: Client, match: Match) -> bytes:
    return client.get(reverse("scoring:match_file", args=[match.ref])).content


def correction_of(match: Match) -> dict[str, Any]:
    return {"author": author(match, "white"), "after": match.sheet.head_seq, "reason": "mistyped"}


def imported(club: Club, content: bytes, **more) -> Match:
    match, report = import_file(club=club, filename="a.mat", content=content, **more)
    assert match is not None, report
    return match


def test_its_own_file_is_a_second_source_of_a_match(client: Client) -> None:
    match = typed()
    assert imported(match.club, own_file(client, match)) == match
    assert [source.match for source in Source.objects.all()] == [match]
    assert Match.objects.count() == 1
    assert damage_of(loaded(match).sheet) is None


def test_somebody_elses_file_of_it_is_one_too() -> None:
    match = typed()
    assert imported(match.club, short_match("Ana", "Ben")) == match
    assert Match.objects.count() == 1


GAMES = (win(Side.WHITE, Win.GAMMON), win(Side.BLACK), win(Side.WHITE))


@pytest.mark.parametrize("events", [GAMES, (ScoreRecorded(3, 1),)])
def test_its_own_file_is_known_of_a_match_by_results_alone(client: Client, events) -> None:
    match = write(two_players(3), *events)
    assert imported(match.club, own_file(client, match)) == match


def test_two_matches_with_one_score_stay_two() -> None:
    club = ClubFactory.create()
    ana, ben = member(club, name="Ana"), member(club, name="Ben")
    for _time in range(2):
        match = open_match(club=club, white=[ana.player], black=[ben.player], length=3, user=ana)
        write(match, win(Side.WHITE), win(Side.WHITE), win(Side.WHITE))
    assert Match.objects.filter(status=MatchStatus.FINISHED, digest="").count() == 2


def test_a_file_of_a_match_that_goes_on_is_a_source_of_it(client: Client) -> None:
    match = write(two_players(1), *FULL_GAME)
    content = own_file(client, match)
    match = write(match, *EVENTS[-2:])
    assert imported(match.club, content) == match
    assert Match.objects.count() == 1


def test_a_tag_alone_is_not_believed(client: Client) -> None:
    match = write(two_players(3), *GAMES)
    told = own_file(client, match).decode()
    for content in (told.replace("Ana", "Eva"), told.replace(f"/{match.sheet.head_seq}", "/x")):
        assert imported(match.club, content.encode()) in {match, Match.objects.order_by("pk").last()}
    other = "\n".join(line for line in told.split("\n") if "Midpoint" in line) + "\n" + SHORT_MATCH
    assert imported(match.club, other.encode()) != match


def test_the_match_of_a_file_gives_way_to_its_sheet(client: Client) -> None:
    club = ClubFactory.create()
    director = member(club, Role.DIRECTOR, name="Dora")
    content = short_match("Ana", "Ben")
    read = imported(club, content, user=director, final=True)
    ana, ben = member(club, name="Ana"), member(club, name="Ben")
    match = open_match(club=club, white=[ana.player], black=[ben.player], length=1, user=ana)
    match = write(match, *EVENTS)
    read.refresh_from_db()
    assert (read.status, read.digest) == (MatchStatus.VOID, "")
    assert damage_of(read.sheet) is None
    assert [source.match for source in Source.objects.all()] == [match]
    # The director has said yes to this match: it need not be said again.
    assert (match.result.final_at is not None, match.result.final_by) == (True, "director")
    assert imported(club, content) == match
    assert imported(club, own_file(client, match)) == match
    assert Match.objects.exclude(status=MatchStatus.VOID).count() == 1


def test_a_name_in_files_leads_to_the_players_own_match() -> None:
    club = ClubFactory.create()
    ana, ben = member(club, name="Ana"), member(club, name="Ben")
    player_named(club=club, name="bglover")
    confirm_claim(alias=Alias.objects.get(name="bglover"), player=ana.player)
    earlier = imported(club, short_match("bglover", "Ben").replace(b"42: 8/4 6/4", b"42: 8/4 13/11"))
    match = open_match(club=club, white=[ana.player], black=[ben.player], length=1, user=ana)
    match = write(match, *EVENTS)
    assert imported(club, short_match("bglover", "Ben")) == match
    assert earlier != match
    turned = SHORT_MATCH.replace("Ben", "bglover").replace("Ana", "Ben").encode()
    first = imported(club, turned)
    second = open_match(club=club, white=[ben.player], black=[ana.player], length=1, user=ana)
    second = write(second, *EVENTS)
    first.refresh_from_db()
    assert first.status == MatchStatus.VOID
    assert imported(club, turned) == second


def test_a_correction_keeps_it_true_and_an_older_file_is_still_known(client: Client) -> None:
    match = typed()
    before, digest = own_file(client, match), match.digest
    arguments: dict[str, Any] = {
        "author": author(match, "white"),
        "after": match.sheet.head_seq,
        "reason": "mistyped",
    }
    better = Played((Move(13, 11), Move(11, 10)))
    correct(match=match, seq=13, event=better, key="c", cut=False, **arguments)
    match = loaded(match)
    assert match.digest not in {"", digest}
    assert imported(match.club, own_file(client, match)) == match
    assert imported(match.club, before) == match
    theirs = short_match("Ana", "Ben").replace(b"21: 13/11 6/5", b"21: 13/10")
    assert imported(match.club, theirs) == match
    assert Source.objects.filter(match=match).count() == 3


def test_a_match_that_goes_on_again_or_is_void_has_no_digest() -> None:
    match = typed()
    assert match.digest
    undo_last(match=match, author=author(match, "white"), after=match.sheet.head_seq, key="u")
    assert loaded(match).digest == ""
    match = write(match, EVENTS[-1])
    assert match.digest
    void_match(match=match, user=None, reason="never played")
    assert imported(match.club, short_match("Ana", "Ben")) == match
    assert loaded(match).status == MatchStatus.VOID


def test_a_renamed_player_is_still_the_same_in_an_own_file(client: Client) -> None:
    match = typed()
    content = own_file(client, match)
    Person.objects.filter(player=match.white.players[0]).update(name="Ana Etxeberria")
    assert imported(match.club, content) == match


def test_who_brings_a_file_does_not_confirm_the_sheet_of_a_match(client: Client) -> None:
    match = typed()
    ana = match.white.players[0].user  # Ben has won
    imported(match.club, own_file(client, match), user=ana)
    assert loaded(match).result.final_at is None
    confirm_result(match=match, user=ana, as_director=False)
    assert loaded(match).result.final_at is not None


def test_a_directors_file_settles_the_result_that_it_tells(client: Client) -> None:
    match = write(two_players(3), win(Side.WHITE), win(Side.WHITE), win(Side.WHITE))
    director = member(match.club, Role.DIRECTOR)
    before = own_file(client, match)
    arguments: dict[str, Any] = {
        "author": author(match, "white"),
        "after": match.sheet.head_seq,
        "reason": "mistyped",
    }
    correct(match=match, seq=2, event=win(Side.WHITE, cube=2), key="c", cut=True, **arguments)
    assert imported(match.club, before, user=director, final=True) == match
    assert loaded(match).result.final_at is None
    imported(match.club, own_file(client, match), user=director, final=True)
    assert loaded(match).result.final_at is not None


@pytest.mark.django_db(transaction=True)
def test_a_file_that_is_read_while_the_last_game_is_entered_makes_no_second_match() -> None:
    for _time in range(4):
        match = write(two_players(1), *FULL_GAME)
        writer, after = Author(match.white.players[0].user, side="white"), match.sheet.head_seq
        entries = [Entry(f"last-{n}", event) for n, event in enumerate(EVENTS[-2:])]
        outcomes = at_once(
            partial(record, match=match, author=writer, after=after, entries=entries),
            partial(imported, match.club, short_match("Ana", "Ben")),
        )
        assert not [each for each in outcomes if isinstance(each, Exception)]
        standing = Match.objects.filter(club=match.club).exclude(status=MatchStatus.VOID)
        assert standing.get() == match
        assert [source.match for source in Source.objects.filter(match__club=match.club)] == [match]


@pytest.mark.parametrize("name", ["galaxy-9923551.txt", "BoardLord-Llabba_7pt_studio.txt"])
def test_a_real_match_typed_on_its_sheet_is_the_match_of_its_file(shared_data: Path, name: str) -> None:
    content = (shared_data / "matches" / name).read_bytes()
    told = read_mat(content)
    club = ClubFactory.create()
    director = member(club, Role.DIRECTOR)
    players = [[player_named(club=club, name=player)] for player in told.players]
    match = open_match(club=club, white=players[0], black=players[1], length=told.length, user=director)
    for first in range(1, len(told.events), 200):
        entries = [Entry(f"e{n}", event) for n, event in enumerate(told.events[first : first + 200], first)]
        record(match=match, author=Author(director, directs=True), after=first, entries=entries)
    assert imported(club, content) == match
