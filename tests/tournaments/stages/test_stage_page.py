"""The page of a draw: its bracket or its standing, what changes of it, and one entrant's way through it."""

import json
import re
from collections import deque
from collections.abc import Mapping
from time import monotonic

import pytest
from django.core.cache import caches
from django.db.models import F
from django.urls import reverse
from django.utils.timezone import now
from redis.exceptions import RedisError

from clubs.models import Player, Role
from scoring.rules.endings import Ending
from tests.factories import PlayerFactory, UserFactory, member
from tests.tiers import sized
from tests.tournaments.factories import a_player, an_event, drawn, flight_of, open_pairings, pairing, win
from tournaments.desk.services.calls import call
from tournaments.desk.services.departures import leave
from tournaments.desk.services.undo import undo
from tournaments.entries.services.entries import enter
from tournaments.entries.services.late_entries import replace
from tournaments.following.services import follow
from tournaments.models import Event, PairingRow, PairingState, StageRow
from tournaments.stages.drawing import draw_stage_page
from tournaments.stages.queries.stage_picture import picture_of
from tournaments.stages.services.stages import forget_folded, load
from tournaments.stages.views import drawings

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _new_process():
    drawings.forget()
    forget_folded()


def words(response):
    return " ".join(response.content.decode().split())


def changes(client, stage, since):
    return client.get(reverse("tournaments:changes", args=[stage.ref]), {"since": since}).json()


def version(stage):
    return Event.objects.get(flights__stages=stage).version


@pytest.mark.parametrize("players", [8, 40])
@pytest.mark.parametrize("key", ["double", "swiss_3", "round_robin"])
def test_the_page_costs_a_visitor_as_many_queries_however_large_the_draw(
    client, django_assert_num_queries, players, key
):
    if key == "round_robin":
        players //= 4
    stage = drawn(an_event(max(players, 4), format_key=key))
    with django_assert_num_queries(6):
        client.get(stage.get_absolute_url())


@pytest.mark.parametrize("asked", ["", "?view=overview", "?part=main-1-17"])
def test_the_short_address_of_a_draw_leads_to_the_page_of_its_event(client, asked):
    stage = drawn(an_event(4))
    answer = client.get(f"{reverse('tournaments:stage', args=[stage.ref])}{asked}")
    assert answer.status_code == 302
    assert answer.url == stage.get_absolute_url() + asked.replace("?", "&")
    assert answer.url.startswith(stage.flight.event.get_absolute_url())


def test_a_process_that_has_drawn_nothing_takes_what_another_has_drawn(client, monkeypatch):
    stage = drawn(an_event(8))
    first = client.get(stage.get_absolute_url())
    drawings.forget()
    forget_folded()
    with monkeypatch.context() as meanwhile:
        meanwhile.delattr(drawings, "draw_stage_page")
        again = client.get(stage.get_absolute_url())
    shown = [re.findall(r'<section class="bracket".*</section>', words(page)) for page in (first, again)]
    assert len(shown[0]) == 1
    assert shown[0] == shown[1]
    before = version(stage)
    win(pairing(stage, 1), member(stage.flight.event.club, Role.DIRECTOR))
    assert set(changes(client, stage, before)["parts"]) >= {"m1"}


@pytest.mark.parametrize("key", ["double", "last_chance", "swiss_3", "round_robin"])
def test_what_is_drawn_anew_in_parts_is_what_would_be_drawn_from_nothing(client, key):
    stage = drawn(an_event(6, format_key=key))
    director = member(stage.flight.event.club, Role.DIRECTOR)
    leave(entrant=stage.numbers.get(number=3).entrant, user=director)
    count = 0
    while rows := open_pairings(stage):
        count += 1
        PairingRow.objects.filter(pk=rows[-1].pk).update(table=count, called_at=now())
        win(rows[0], director, a=bool(count % 3), ended=Ending.NO_SHOW if count == 2 else Ending.PLAYED)
        found = StageRow.objects.select_related("flight__event__club").get(pk=stage.pk)
        drawing, digest = drawings.drawing_of(found)
        assert drawing.whole == draw_stage_page(picture_of(found, load(found))).whole
        assert all(drawing.whole.count(html) == 1 for html in drawing.parts.values())
        assert digest == drawings.kept_digest(found.pk, found.flight.event.version)


def test_a_match_that_was_taken_away_and_made_again_between_two_drawings_is_the_new_one(client):
    stage = drawn(an_event(4))
    director = member(stage.flight.event.club, Role.DIRECTOR)

    def decide(number, *, first):
        win(pairing(stage, number), director, a=first, reason="misread", decided=True)

    def drawing():
        found = StageRow.objects.select_related("flight__event__club").get(pk=stage.pk)
        return drawings.drawing_of(found)[0].whole

    for number in (1, 2, 3):
        decide(number, first=True)
    final = pairing(stage, 3).ref
    assert final in drawing()
    decide(1, first=False)
    decide(1, first=True)
    decide(3, first=True)
    again = pairing(stage, 3)
    assert (again.ref != final, again.state) == (True, PairingState.DECIDED)
    assert (final in drawing(), again.ref in drawing()) == (False, True)


def test_a_match_that_is_decided_between_log_and_rows_keeps_its_link(client, monkeypatch):
    stage = drawn(an_event(4))
    director = member(stage.flight.event.club, Role.DIRECTOR)
    win(pairing(stage, 2), director)

    def drawing():
        return drawings.drawing_of(StageRow.objects.select_related("flight__event__club").get(pk=stage.pk))[0]

    assert pairing(stage, 1).ref in drawing().parts["m1"]
    Event.objects.filter(flights__stages=stage).update(version=F("version") + 1)  # news of something else

    def read_before(found, *, fresh):
        value = load(found, fresh=fresh)
        win(pairing(stage, 1), director)
        return value

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(drawings, "load", read_before)
        part = drawing().parts["m1"]
    assert (pairing(stage, 1).ref in part, "m ready" in part) == (True, True)
    assert "m done" in drawing().parts["m1"]


@pytest.mark.parametrize("key", ["double", "swiss_3"])
def test_what_changed_since_each_version_is_what_differs_in_the_two_drawings(key):
    stage = drawn(an_event(8, format_key=key))
    director = member(stage.flight.event.club, Role.DIRECTOR)
    pages: dict[int, Mapping[str, str]] = {}

    def look():
        found = StageRow.objects.select_related("flight__event__club").get(pk=stage.pk)
        parts = drawings.drawing_of(found)[0].parts
        for since, then in pages.items():
            answer = drawings.changes_since(found, since)
            assert answer["whole"] == (then.keys() != parts.keys())
            if not answer["whole"]:
                assert answer["parts"] == {part: html for part, html in parts.items() if then[part] != html}
        pages[found.flight.event.version] = parts

    def play_on():
        for row in open_pairings(stage):
            win(row, director)

    def last_seq():
        return Event.objects.get(flights__stages=stage).head_seq

    look()
    first = pairing(stage, 1)
    for step in (
        lambda: call(pairing=first, user=director),
        lambda: undo(event=first.stage.flight.event, seq=last_seq(), user=director),
        lambda: win(first, director),
        lambda: win(first, director, a=False, reason="Misheard."),
        play_on,
        play_on,
    ):
        step()
        look()
    assert len(pages) == 7


def test_what_changed_is_read_of_one_version_while_no_other_request_draws(client):
    stage = drawn(an_event(4))
    kept = drawings._of(stage.pk)

    class Guarded(deque):
        def __reversed__(self):
            assert kept.lock.locked()
            return super().__reversed__()

    kept.history = history = Guarded()
    stage = StageRow.objects.select_related("flight__event__club").get(pk=stage.pk)
    seen = stage.flight.event.version
    assert drawings.changes_since(stage, seen) == {"version": seen, "whole": False, "parts": {}}
    assert kept.history is history


def test_a_bracket_shows_seeds_scores_and_who_comes_next(client):
    stage = drawn(an_event(4, format_key="double"))
    director = member(stage.flight.event.club, Role.DIRECTOR)
    win(pairing(stage, 1), director)
    page = words(client.get(stage.get_absolute_url()))
    assert "Semi-finals" in page
    assert "Losers’ side" in page
    assert "loser of 2" in page
    winner = pairing(stage, 1).a.title
    assert f"<bdi>{winner}</bdi><b>3</b>" in page
    assert 'id="m1" class="m done' in page
    assert 'class="m done upper" id="c1"' in page, "the same match as a card, for a phone"


@pytest.mark.parametrize("players", [6, 64])
def test_an_overview_has_every_match_in_letters_that_are_read(client, players):
    stage = drawn(an_event(players))
    page = client.get(stage.get_absolute_url(), {"view": "overview"}).content.decode()
    times = 2 if players == 6 else 1  # a small one also fits a phone
    assert page.count('class="m ready') == times * len(open_pairings(stage))
    sheet = page[page.index('class="overviews"') :]
    assert min(float(each) for each in re.findall(r'font-size="([\d.]+)"', sheet)) >= 11


@pytest.mark.parametrize("taken", ["identity", "gzip"])
def test_nothing_is_sent_again_while_nothing_has_changed(client, taken):
    stage = drawn(an_event(4))
    asked = {"Accept-Encoding": taken}
    client.get(stage.get_absolute_url())  # brings the cookie that the page depends on
    asked["If-None-Match"] = client.get(stage.get_absolute_url(), headers=asked).headers["ETag"]
    again = client.get(stage.get_absolute_url(), headers=asked)
    assert (again.status_code, again.content) == (304, b"")
    win(pairing(stage, 1), member(stage.flight.event.club, Role.DIRECTOR))
    anew = client.get(stage.get_absolute_url(), headers=asked)
    assert anew.status_code == 200


def test_whoever_may_not_know_the_event_any_more_is_not_told_that_nothing_has_changed(client):
    stage = drawn(an_event(4))
    client.get(stage.get_absolute_url())
    etag = client.get(stage.get_absolute_url()).headers["ETag"]
    for closed in ({"members_only": True}, {"members_only": False, "hidden": True}):
        Event.objects.update(**closed)
        again = client.get(stage.get_absolute_url(), headers={"If-None-Match": etag})
        assert again.status_code == 404
    Event.objects.update(hidden=False)
    assert client.get(stage.get_absolute_url(), headers={"If-None-Match": etag}).status_code == 304


def test_whoever_signs_in_gets_a_page_of_their_own(client):
    stage = drawn(an_event(4))
    first = client.get(stage.get_absolute_url())
    client.force_login(UserFactory.create())
    own = client.get(stage.get_absolute_url(), headers={"If-None-Match": first.headers["ETag"]})
    assert own.status_code == 200


def test_a_result_changes_its_own_match_and_where_it_leads(client):
    stage = drawn(an_event(4))
    before = version(stage)
    assert changes(client, stage, before)["parts"] == {}
    director = member(stage.flight.event.club, Role.DIRECTOR)
    win(pairing(stage, 1), director)
    news = changes(client, stage, before)
    assert not news["whole"]
    assert news["version"] > before
    assert set(news["parts"]) >= {"m1", "m3"}
    assert "m2" not in news["parts"]
    assert pairing(stage, 1).a.title in news["parts"]["m3"]


def test_a_page_with_other_parts_is_fetched_whole(client):
    stage = drawn(an_event(4, format_key="swiss_3"))
    director = member(stage.flight.event.club, Role.DIRECTOR)
    before = version(stage)
    changes(client, stage, before)
    for row in open_pairings(stage):
        win(row, director)
    assert changes(client, stage, before)["whole"], "a new round was published"
    assert changes(client, stage, 1)["whole"], "nobody knows any more what version 1 showed"
    assert not changes(client, stage, version(stage))["whole"]


def test_a_part_can_be_had_alone_and_a_wrong_one_is_refused(client):
    stage = drawn(an_event(4))
    address = reverse("tournaments:changes", args=[stage.ref])
    assert client.get(address, {"part": "m1"}).content.decode().startswith('<a id="m1" class="m ready')
    assert (
        client.get(address, {"part": "c1"}).content.decode().startswith('<li class="m ready upper" id="c1" ')
    )
    assert client.get(address, {"part": "m99"}).status_code == 404
    assert client.get(address, {"since": "9" * 30}).status_code == 200
    assert client.get(address, {"since": "-1"}).json()["whole"]


def test_a_stage_that_is_not_drawn_has_no_changes(client):
    event = an_event(4)
    stage = StageRow.objects.get(flight__event=event)
    assert client.get(reverse("tournaments:changes", args=[stage.ref])).status_code == 404
    assert client.get(stage.get_absolute_url()).status_code == 200


def test_the_sums_behind_a_standing_are_the_standing(client):
    stage = drawn(an_event(7, format_key="swiss_3"))
    director = member(stage.flight.event.club, Role.DIRECTOR)
    while rows := open_pairings(stage):
        for index, row in enumerate(rows):
            win(row, director, a=bool(index % 2))
    stage.refresh_from_db()
    picture = picture_of(stage, load(stage))
    for line in picture.table:
        named = picture.names[line.place.entrant]
        page = words(client.get(reverse("tournaments:path", args=[stage.ref, named.ref])))
        sums = page[page.index("Sum: Buchholz") :]
        values = dict(line.values)
        for key in ("buchholz", "sonneborn_berger"):
            assert f"<strong>{values[key]:g}</strong>" in sums
    page = words(client.get(stage.get_absolute_url()))
    assert "Final standing" in page
    assert 'popovertarget="tie-buchholz"' in page
    first = picture_of(stage, load(stage)).table[0]
    assert f"Buchholz {dict(first.values)['buchholz']:g}</span>" in page, "below the name, for a phone"
    assert f'<td class="number record">{first.score:g}–{3 - first.score:g}</td>' in page


def test_a_round_robin_has_a_crosstable_that_adds_up(client):
    stage = drawn(an_event(4, format_key="round_robin"))
    director = member(stage.flight.event.club, Role.DIRECTOR)
    while rows := open_pairings(stage):
        for row in rows:
            win(row, director)
    stage.refresh_from_db()
    picture = picture_of(stage, load(stage))
    assert sum(sum(scores) for scores in picture.cross.values()) == 6
    page = client.get(stage.get_absolute_url(), {"tab": "standings"}).content.decode()
    assert page.count('class="score w"') == page.count('class="score l"') == 6
    assert page.count("<b>3</b><i>–</i><u>0</u>") == page.count("<b>0</b><i>–</i><u>3</u>") == 6
    assert page.count('class="against"') == page.count('<td class="self"') == 4
    rows = json.loads(client.get(f"/api/v1/stages/{stage.ref}/standings/").content)["rows"]
    assert [(row["won"], row["lost"]) for row in rows] == [
        (sum(each["won"] for each in row["results"]), sum(not each["won"] for each in row["results"]))
        for row in rows
    ]
    met = {(row["entrant"], each["opponent"]) for row in rows for each in row["results"]}
    assert met == {(one["entrant"], other["entrant"]) for one in rows for other in rows if one is not other}


def test_a_place_appears_once_those_on_it_have_played(client):
    stage = drawn(an_event(6, format_key="round_robin"))
    director = member(stage.flight.event.club, Role.DIRECTOR)
    address = stage.get_absolute_url()

    def places():
        page = client.get(address, {"tab": "standings"}).content.decode()
        return re.findall(r'<tr data-e="\d+"><td class="number">([^<]*)</td>', page)

    assert places() == ["–"] * 6
    first = open_pairings(stage)[0]
    win(first, director)
    assert places() == ["1", "–", "–", "–", "–", "6"]


@pytest.mark.parametrize(
    ("key", "begun", "over"), [("round_robin", [2, 1, 3], [3, 2, 1]), ("swiss_3", [2, 1], [3, 2, 1])]
)
def test_the_round_to_be_played_comes_first_then_those_before_it_then_those_after_it(key, begun, over):
    stage = drawn(an_event(4, format_key=key))
    director = member(stage.flight.event.club, Role.DIRECTOR)

    def order():
        rounds = picture_of(stage, load(stage)).sections[0].current_first
        return [int(column.key.removeprefix("round-")) for column in rounds]

    assert order()[0] == 1
    for row in open_pairings(stage)[:2]:
        win(row, director)
    assert order() == begun
    while rows := open_pairings(stage):
        win(rows[0], director)
    assert order() == over


@pytest.mark.parametrize(
    "key", ["last_chance", "swiss_3", *sized([], ["knockout", "progressive", "double", "lives", "monrad"])]
)
def test_every_format_has_its_page_from_the_draw_to_the_end(client, key):
    stage = drawn(an_event(9, format_key=key))
    director = member(stage.flight.event.club, Role.DIRECTOR)
    count = 0
    while rows := open_pairings(stage):
        count += 1
        assert client.get(stage.get_absolute_url()).status_code == 200
        win(rows[0], director, a=bool(count % 3), ended=Ending.NO_SHOW if count == 2 else Ending.PLAYED)
    page = words(client.get(stage.get_absolute_url(), {"tab": "standings"}))
    assert "Final standing" in page
    listed = words(client.get(stage.get_absolute_url(), {"view": "list"}))
    assert re.search(r'class="side won"><bdi>P\d</bdi> <span class="visually-hidden">\(won\)</span>', listed)
    assert "no-show" in listed


@pytest.mark.parametrize(("key", "name"), [("knockout", "Quarter-finals"), ("swiss", "Round 1")])
def test_a_pairing_has_the_name_of_its_round_over_the_api(client, django_assert_num_queries, key, name):
    stage = drawn(an_event(8, format_key=key))
    with django_assert_num_queries(4 + stage.is_bracket):
        found = client.get(reverse("api:stage_pairings", args=[stage.ref])).json()["items"]
    assert [row["round_name"] for row in found] == [name] * 4
    assert name in words(client.get(reverse("tournaments:pairing", args=[found[0]["ref"]])))


def test_names_are_escaped(client):
    event = an_event(1)
    evil = PlayerFactory.create(name="<b>&Evil")
    enter(flight=flight_of(event), players=[evil])
    stage = drawn(event)
    page = client.get(stage.get_absolute_url()).content.decode()
    assert "&lt;b&gt;&amp;Evil" in page
    assert "<b>&Evil" not in page


def test_an_erased_name_leaves_a_kept_drawing_within_a_minute(client, monkeypatch):
    stage = drawn(an_event(2))
    assert "P1" in words(client.get(stage.get_absolute_url()))
    StageRow.objects.get().numbers.get(number=1).entrant.players[0].person.delete()
    monkeypatch.setattr(drawings, "FRESH", 0.0)
    page = words(client.get(stage.get_absolute_url()))
    assert "<bdi>P1</bdi>" not in page
    assert "Erased player" in page


def test_results_keep_no_name_longer_than_its_minute(client, monkeypatch):
    stage = drawn(an_event(4))
    began = monotonic()
    client.get(stage.get_absolute_url())
    StageRow.objects.get().numbers.get(number=1).entrant.players[0].person.delete()
    director = member(stage.flight.event.club, Role.DIRECTOR)
    monkeypatch.setattr(drawings, "monotonic", lambda: began + drawings.FRESH - 1)
    win(open_pairings(stage)[0], director)
    assert "<bdi>P1</bdi>" in words(client.get(stage.get_absolute_url()))
    monkeypatch.setattr(drawings, "monotonic", lambda: began + drawings.FRESH + 1)
    assert "<bdi>P1</bdi>" not in words(client.get(stage.get_absolute_url()))


def test_who_takes_over_a_place_is_named_at_once(client):
    event = an_event(4)
    stage = drawn(event)
    assert "Nobody Yet" not in words(client.get(stage.get_absolute_url()))
    director = member(event.club, Role.DIRECTOR)
    entrant = stage.numbers.get(number=1).entrant
    replace(entrant=entrant, players=[a_player(event.club, "Nobody Yet")], user=director)
    assert "Nobody Yet" in words(client.get(stage.get_absolute_url()))


def test_no_process_takes_over_a_drawing_for_longer_than_a_minute(client, monkeypatch):
    stage = drawn(an_event(2))
    client.get(stage.get_absolute_url())
    StageRow.objects.get().numbers.get(number=1).entrant.players[0].person.delete()
    drawings.forget()
    assert "<bdi>P1</bdi>" in words(client.get(stage.get_absolute_url()))
    later = monotonic() + drawings.FRESH - 1
    monkeypatch.setattr(drawings, "monotonic", lambda: later + 1)
    assert "Erased player" in words(client.get(stage.get_absolute_url()))


def test_without_the_cache_each_process_draws_for_itself(client, monkeypatch, caplog):
    def away(*_args):
        raise RedisError("no such host")

    monkeypatch.setattr(type(caches["default"]), "get", away)
    monkeypatch.setattr(type(caches["default"]), "set", away)
    stage = drawn(an_event(2))
    assert client.get(stage.get_absolute_url()).status_code == 200
    assert "cache unavailable: no such host" in caplog.text


def test_a_pairing_says_who_where_and_why(client):
    stage = drawn(an_event(4, format_key="swiss_3"))
    row = open_pairings(stage)[0]
    page = words(client.get(reverse("tournaments:pairing", args=[row.ref])))
    assert row.a.title in page
    assert "Why this pairing" in page
    assert "Enter result" not in page
    client.force_login(member(stage.flight.event.club, Role.DIRECTOR))
    assert "Enter result" in words(client.get(reverse("tournaments:pairing", args=[row.ref])))


def test_followed_players_are_found_in_the_draw(client):
    stage = drawn(an_event(4))
    address = reverse("tournaments:followed", args=[stage.ref])
    numbers = {row.number: row.entrant.players[0] for row in stage.numbers.all()}
    assert client.get(address, {"player": [numbers[2].ref, "nobody"]}).json() == {
        "entrants": [2],
        "own": [],
    }
    user = UserFactory.create()
    follow(user=user, player=numbers[3])
    Player.objects.filter(pk=numbers[1].pk).update(user=user)
    client.force_login(user)
    assert client.get(address).json() == {"entrants": [1, 3], "own": [1]}


def test_following_by_the_page_and_back(client):
    stage = drawn(an_event(4))
    row = open_pairings(stage)[0]
    user = member(stage.flight.event.club)
    client.force_login(user)
    player = row.a.players[0]
    page = reverse("tournaments:pairing", args=[row.ref])
    said = {"next": page}
    answer = client.post(reverse("tournaments:follow", args=[player.ref]), said)
    assert answer.headers["Location"] == page
    assert f"Stop following {player.name}" in words(client.get(page))
    client.post(reverse("tournaments:follow", args=[player.ref]), said | {"stop": "1"})
    assert f"Stop following {player.name}" not in words(client.get(page))
    out = client.post(reverse("tournaments:follow", args=[player.ref]), {"next": "https://evil.example"})
    assert out.headers["Location"] == reverse("tournaments:events")


def test_the_api_tells_the_standing(client):
    stage = drawn(an_event(4, format_key="swiss_3"))
    director = member(stage.flight.event.club, Role.DIRECTOR)
    win(open_pairings(stage)[0], director)
    answer = json.loads(client.get(f"/api/v1/stages/{stage.ref}/standings/").content)
    assert answer["final"] is False
    assert answer["rows"][0]["score"] == 1.0
    assert answer["rows"][0]["tie_breaks"][0]["key"] == "buchholz"
