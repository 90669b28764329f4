"""Who learns what of a night: files, points-only clubs, people who are forgotten or merged."""

import csv
import json
from io import StringIO

import pytest
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client
from django.urls import reverse

from clubs.accounts.queries import personal_data
from clubs.clubs.services.erasures import erase_user
from clubs.models import Club, Membership, Player, Role, Visibility
from clubs.people.services.merges import MergeRefused, merge_players
from clubs.people.services.names import player_of
from scoring.chouettes.queries.chouettes import table_view
from scoring.chouettes.queries.exports import harmless
from scoring.chouettes.services.chouettes import record
from scoring.chouettes.services.corrections import correct, undo_last
from scoring.chouettes.services.damage import damage_of
from scoring.chouettes.services.tables import add_to_table, join_as_guest, join_table
from scoring.log.queries.chouettes import seen_table
from scoring.log.queries.writers import Author
from scoring.models import Chouette
from scoring.players.services.erasures import own_chouettes
from scoring.players.services.newcomers import Newcomer
from scoring.rules.chain import link_of
from scoring.rules.chouette.events import GameBegun, GameOver, Nothing, SessionClosed, StakeSet
from scoring.rules.errors import InvalidValue
from scoring.rules.match import Win
from scoring.sheets.services.entries import Entry, EntryRefused
from tests.factories import UserFactory, member
from tests.scoring.chouettes.tables import Night

pytestmark = pytest.mark.django_db


def taken_away(night, name, file):
    client = Client()
    client.force_login(night.users[name])
    response = client.get(reverse(f"scoring:{file}", args=[night.chouette.ref]))
    assert response.status_code == 200
    return response.content.decode()


def test_the_ledger_as_csv_has_a_line_for_each_share():
    night = Night(3)
    night.write(GameBegun(), night.offer("Jon"), night.answer("Ana", takes="Jon"))
    night.write(GameOver(box_won=False, win=Win.GAMMON))
    rows = list(csv.DictReader(StringIO(taken_away(night, "Jon", "chouette_csv"))))
    assert [(row["player"], row["role"], row["points"], row["minor"]) for row in rows] == [
        ("Ana", "box", "-5", "-500"), ("Jon", "captain", "4", "400"), ("Eva", "crew", "1", "100"),
    ]  # fmt: skip
    assert {row["currency"] for row in rows} == {"EUR"}


def test_the_night_as_json_holds_the_whole_chain():
    night = Night(3)
    night.play()
    correct(
        chouette=night.chouette, author=night.author(), after=night.head, key="c", seq=night.head,
        event=GameOver(box_won=False, win=Win.SINGLE), reason="the captain won",
    )  # fmt: skip
    told = json.loads(taken_away(night, "Eva", "chouette_json"))
    previous = ""
    for event in told["events"]:
        note = event["note"] or ""
        previous = link_of(previous, event["seq"], event["kind"], event["body"], event["replaces"], note)
        assert event["hash"] == previous
    assert (told["head_hash"], len(told["games"])) == (previous, 1)
    assert sum(line["minor"] for line in told["games"][0]["ledger"]) == 0
    assert "the captain won" not in json.dumps(told)


def test_a_club_that_switches_stakes_off_takes_them_out_of_its_files():
    night = Night(3)
    night.play()
    night.club.points_only = True
    night.club.save()
    for file in ("chouette_csv", "chouette_json"):
        text = taken_away(night, "Ana", file)
        assert "minor" not in text
        assert '"stake": 100' not in text
        assert "hash" not in text


def test_no_name_is_a_formula():
    assert [harmless(text) for text in ("=1+1", "Ana", "", "-x")] == ["'=1+1", "Ana", "", "'-x"]


def test_who_is_forgotten_leaves_the_ledger_and_takes_the_name():
    night = Night(3)
    night.play()
    correct(
        chouette=night.chouette, author=night.author("Jon"), after=night.head, key="c", seq=night.head,
        event=GameOver(box_won=False, win=Win.SINGLE), reason="Ana is wrong",
    )  # fmt: skip
    erase_user(user=night.users["Jon"])
    view = table_view(night.seen())
    assert "Jon" not in json.dumps(view)
    assert "Ana is wrong" not in json.dumps(view)
    assert "Erased player" in {player["name"] for player in view["players"]}
    assert damage_of(night.loaded.sheet) is None


def test_own_data_has_ones_own_shares_and_no_other_name():
    night = Night(3)
    night.play()
    [told] = personal_data(night.users["Jon"])["chouettes"]
    assert told["games"] == [{"number": 1, "points": -1, "minor": -100}]
    assert "Ana" not in str(told)


def test_a_guest_who_is_merged_keeps_the_seat():
    night = Night(3)
    row = join_as_guest(chouette=night.chouette, name="Leo", session=SessionStore())
    user = member(night.club, Role.MEMBER, name="Leonor")
    merge_players(guest=Player.objects.get(pk=row.player.pk), into=player_of(user=user))
    assert seen_table(user, night.chouette.ref).me == row  # type: ignore[union-attr]


def test_a_guests_phone_reads_writes_and_hears_and_no_other_does():
    night = Night(3)
    phone = Client()
    session = phone.session
    join_as_guest(chouette=night.chouette, name="Leo", session=session)
    session.save()
    phone.cookies[settings.SESSION_COOKIE_NAME] = str(session.session_key)
    for client, status, page in ((phone, 200, 200), (Client(), 401, 404)):
        assert client.get(reverse("api:chouette", args=[night.chouette.ref])).status_code == status
        for address in ("scoring:chouette_csv", "clubs:live"):
            assert client.get(reverse(address, args=[night.chouette.ref])).status_code == page
        body = {"after": night.head, "entries": [{"key": "g", "kind": "game_start"}]}
        address = reverse("api:chouette_events", args=[night.chouette.ref])
        assert client.post(address, body, content_type="application/json").status_code == status
    assert table_view(night.seen())["lines"][-1]["by"] == "Leo"


def test_two_at_one_table_are_not_one_person():
    night = Night(3)
    row = join_as_guest(chouette=night.chouette, name="Ana?", session=SessionStore())
    with pytest.raises(MergeRefused, match="Friday night"):
        merge_players(guest=row.player, into=player_of(user=night.users["Ana"]))


def test_a_joining_that_was_taken_back_ends_what_one_sees():
    night = Night(3)
    other = night.sit("Leo")
    correct(
        chouette=night.chouette, author=night.author(), after=night.head, key="c", seq=night.head - 1,
        event=Nothing(),
        reason="wrong table", cut=True,
    )  # fmt: skip
    assert seen_table(night.users["Leo"], night.chouette.ref) is None
    again = night.sit("Leo")
    assert again == other
    assert seen_table(night.users["Leo"], night.chouette.ref) is not None


def test_ones_own_tables_are_those_one_sat_at_or_opened():
    night = Night(3)
    stranger = member(night.club, Role.MEMBER, name="Zed")
    assert list(Chouette.objects.sat_at_by(night.users["Eva"].pk)) == [night.chouette]
    assert not Chouette.objects.sat_at_by(stranger.pk).exists()


def test_own_data_of_a_night_for_points_has_no_money(django_assert_num_queries):
    night = Night(3)
    night.play()
    night.play()
    Club.objects.update(points_only=True)
    player = player_of(user=night.users["Jon"])
    with django_assert_num_queries(2):
        [told] = own_chouettes(player)
    assert told["games"] == [{"number": 1, "points": -1}, {"number": 2, "points": -1}]
    assert "currency" not in told


def test_a_stake_that_nobody_sees_outlives_a_correction():
    night = Night(3)
    night.write(StakeSet(night.refs["Jon"], 250))
    placed = night.head
    Club.objects.update(points_only=True)
    for _repeated in range(2):
        correct(
            chouette=night.loaded, author=night.author(), after=placed, key="c", seq=placed,
            event=StakeSet(night.refs["Eva"], 0), reason="it was Eva's",
        )  # fmt: skip
    stakes = {seat.player: seat.stake for seat in night.state.seats}
    assert [stakes[night.refs[name]] for name in ("Jon", "Eva")] == [100, 250]


def test_once_the_night_is_over_a_guests_phone_writes_no_more():
    night = Night(3)
    session = SessionStore()
    row = join_as_guest(chouette=night.loaded, name="Leo", session=session)
    phone, joined = Author(claim=row.claim), night.head - 1
    entries = [Entry("end", SessionClosed())]
    before = night.head
    for _repeated in range(2):
        record(chouette=night.loaded, author=phone, after=before, entries=entries)
    head, table = night.head, night.loaded
    of_guest = seen_table(AnonymousUser(), table.ref, session)
    assert of_guest
    assert [table_view(seen)["may_write"] for seen in (of_guest, night.seen())] == [False, True]
    with pytest.raises(EntryRefused, match="this chouette is over"):
        undo_last(chouette=table, author=phone, after=head, key="u")
    with pytest.raises(EntryRefused, match="this chouette is over"):
        correct(
            chouette=table, author=phone, after=head, key="c", seq=joined, event=Nothing(),
            reason="x", cut=True,
        )  # fmt: skip
    assert night.head == head
    undo_last(chouette=table, author=night.author(), after=head, key="u")
    assert night.loaded.status == "open"


@pytest.mark.parametrize("visibility", list(Visibility))
def test_who_is_not_of_the_club_does_not_learn_who_is(client, visibility):
    night = Night(3)
    Club.objects.update(visibility=visibility)
    hidden = member(night.club, Role.MEMBER, name="Hidden Heidi")
    outsider = UserFactory.create()
    join_table(chouette=night.loaded, user=outsider)
    Membership.objects.filter(player__user=outsider).delete()
    for user, known in ((outsider, False), (night.users["Ana"], True)):
        client.force_login(user)
        page = client.get(reverse("scoring:chouette", args=[night.chouette.ref]))
        assert "Hidden Heidi" not in page.content.decode()
        search = reverse("clubs:find_people", args=[night.club.slug])
        assert (search in page.content.decode()) is known
        found = client.get(search, {"q": "heidi"})
        assert (found.status_code == 200 and "Hidden Heidi" in found.content.decode()) is known
        back = page.context["back"]
        away = {
            Visibility.PUBLIC: night.club.get_absolute_url(),
            Visibility.MEMBERS: reverse("scoring:find_chouette"),
        }
        assert back == (reverse("scoring:chouettes", args=[night.club.slug]) if known else away[visibility])
        assert client.get(back).status_code == 200
    named = Newcomer(ref=player_of(user=hidden).ref)
    guest = join_as_guest(chouette=night.loaded, name="Leo", session=SessionStore())
    for author in (Author(user=outsider), Author(claim=guest.claim)):
        with pytest.raises(InvalidValue, match="there is no player"):
            add_to_table(chouette=night.loaded, author=author, newcomer=named)
    add_to_table(chouette=night.loaded, author=night.author(), newcomer=named)
