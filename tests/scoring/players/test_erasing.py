"""A person who is forgotten is forgotten in files too; the matches stay."""

import pytest

from clubs.accounts.queries import personal_data
from clubs.clubs.services.erasures import erase_user
from clubs.models import Membership, Role
from clubs.people.services.names import player_of
from scoring.chouettes.services.damage import damage_of
from scoring.models import Alias, Match, Source, Upload
from scoring.rules.events import LengthSet
from tests.factories import ClubFactory, PlayerFactory, member
from tests.scoring.factories import finish_match, open_match
from tests.scoring.sheets.writing import two_players, write

pytestmark = pytest.mark.django_db


def played():
    club = ClubFactory.create()
    user = member(club, Role.MEMBER, name="Ana")
    player, opponent = player_of(user=user), PlayerFactory.create(name="Berta")
    match = finish_match(open_match(club, player, opponent), "white")
    other = open_match(club, opponent, PlayerFactory.create(name="Carla"))
    for number, one in enumerate((match, other)):
        Source.objects.create(
            match=one, filename=f"{number}-ana-berta.mat", format="mat", sha256=str(number), content=b"Ana"
        )
    Upload.objects.create(
        club=club,
        batch="2345678923",
        filename="ana.mat",
        sha256="0",
        match=match,
        report={"players": ["Ana", "B"]},
    )
    Alias.objects.create(club=club, name="ana_e", key="ana_e", player=player)
    Alias.objects.create(club=club, name="Ana?", key="ana?", player=opponent, claimed_by=player)
    return user, player, match, other


def test_names_in_files_go_and_matches_stay():
    user, player, match, other = played()
    erase_user(user=user)
    assert Match.objects.filter(seats__player=player).get() == match
    own, foreign = Source.objects.get(match=match), Source.objects.get(match=other)
    assert (own.content, own.filename, own.sha256) == (None, "", "0")
    assert foreign.filename == "1-ana-berta.mat"
    assert foreign.content is not None
    assert not Upload.objects.exists()
    [left] = Alias.objects.all()
    assert (left.name, left.claimed_by) == ("Ana?", None)
    assert not Membership.objects.filter(player=player).exists()


def test_own_data_lists_matches_and_names_in_files_without_opponents():
    user, _, match, _ = played()
    data = personal_data(user)
    assert [entry["ref"] for entry in data["matches"]] == [match.ref]
    assert data["names_in_files"] == ["ana_e"]
    assert "Berta" not in str(data)


def test_what_a_person_wrote_on_a_sheet_goes_with_the_person_and_the_chain_stays_whole() -> None:
    match = two_players(3)
    user = match.white.players[0].user
    assert user is not None
    match = write(match, LengthSet(5, "x", "Ben and I agreed on five"))
    row = match.sheet.events.get(seq=2)
    assert row.note is not None
    assert row.note.text == "Ben and I agreed on five"
    erase_user(user=user)
    row.note.refresh_from_db()
    assert (row.note.text, bytes(row.note.salt)) == ("", b"")
    assert damage_of(match.sheet) is None
