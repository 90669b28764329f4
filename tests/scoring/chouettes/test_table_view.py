"""What a table shows: roles, cubes, what may be recorded, what one stands to win, what others wrote."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Role
from scoring.chouettes.queries.chouettes import night_of, table_view
from scoring.log.api import WRITER
from scoring.profiles.queries.houses import BUILT_IN
from scoring.rules.chouette.events import GameBegun, GameOver, LeftTable, OptionsChanged, SatOut
from scoring.rules.chouette.options import HOUSES
from scoring.rules.match import Win
from tests.factories import member
from tests.scoring.chouettes.tables import Night

pytestmark = pytest.mark.django_db


def roles(view):
    return {player["name"]: player["role"] for player in view["players"]}


def actions(view, kind):
    return [action for action in view["actions"] if action["kind"] == kind]


def test_everybody_has_a_role_and_a_place():
    night = Night(4)
    night.sit("Mia")
    night.write(SatOut(night.refs["Mia"]))
    view = table_view(night.seen("Jon"))
    assert roles(view) == {"Ana": "box", "Jon": "captain", "Eva": "crew", "Leo": "crew", "Mia": "out"}
    assert [player["place"] for player in view["players"]] == [1, 2, 3, 4, None]
    assert (view["you"], view["placed"], view["game"]) == (night.refs["Jon"], True, None)


def test_when_the_captain_passes_the_next_is_acting_captain():
    night = Night(4)
    box = night.refs["Ana"]
    night.write(GameBegun(), night.offer("Ana", "Jon", "Eva", "Leo"), night.answer("Jon", passes="Jon"))
    night.sit("Mia")
    night.write(LeftTable(night.refs["Eva"]))
    view = table_view(night.seen())
    assert roles(view) == {
        "Ana": "box", "Jon": "crew", "Eva": "acting_captain", "Leo": "crew", "Mia": "waiting",
    }  # fmt: skip
    assert [player["still_in"] for player in view["players"]] == [True, False, True, True, False]
    cubes = {cube["name"]: cube for cube in view["game"]["cubes"]}
    assert (cubes["Jon"]["state"], cubes["Jon"]["value"], cubes["Jon"]["words"]) == (
        "passed", 1, "Jon: passed at 1",
    )  # fmt: skip
    assert cubes["Eva"]["offered"] == {"by": "box", "value": 2}
    assert box not in {cube["player"] for cube in view["game"]["cubes"]}


def test_what_may_be_recorded_is_what_the_rules_say():
    night = Night(3)
    assert [a["kind"] for a in table_view(night.seen())["actions"]][:1] == ["game_start"]
    night.write(GameBegun())
    view = table_view(night.seen())
    ana, jon, eva = (night.refs[name] for name in ("Ana", "Jon", "Eva"))
    assert [(a["by"], a["cubes"]) for a in actions(view, "offer")] == [
        ([ana], [jon, eva]), ([jon], [jon]), ([eva], [eva]),
    ]  # fmt: skip
    assert view["refusals"]["game_start"] == "a game is in progress: finish it first"
    assert not actions(view, "order")
    night.write(night.offer("Jon"), night.offer("Eva"))
    view = table_view(night.seen())
    assert [(a["by"], a["cubes"], a["all"]) for a in actions(view, "answer")] == [([ana], [jon, eva], True)]
    assert view["refusals"]["game_over"] == "a double has not been answered yet"
    night.write(night.answer("Ana", takes="Jon Eva"))
    assert [a["by"] for a in actions(table_view(night.seen()), "beaver")] == [[ana], [ana]]


def test_a_cube_is_taken_over_by_who_does_not_play_it():
    night = Night(4, settlements=True)
    night.write(GameBegun(), night.offer("Ana", "Jon", "Eva", "Leo"), night.answer("Jon", passes="Jon"))
    night.write(night.answer("Eva", takes="Eva"), night.answer("Leo", takes="Leo"))
    jon, eva, leo = (night.refs[name] for name in ("Jon", "Eva", "Leo"))
    takers = [(a["cubes"], a["players"]) for a in actions(table_view(night.seen()), "take_over")]
    assert takers == [([eva], [jon, leo]), ([leo], [jon, eva])]


def test_a_team_with_one_cube_doubles_by_its_captain():
    night = Night(4, multi_cube=False)
    night.write(GameBegun())
    crew = [night.refs[name] for name in ("Jon", "Eva", "Leo")]
    offers = [(a["by"], a["cubes"]) for a in actions(table_view(night.seen()), "offer")]
    assert offers == [([night.refs["Ana"]], crew), ([crew[0]], crew)]


def test_every_action_with_a_whole_body_may_really_be_posted():
    night = Night(6, extras=HOUSES["los_angeles"].extras, settlements=True)
    night.write(GameBegun(), night.offer("Ana", "Jon", "Eva", "Leo", "Mia", "Ken"))
    night.write(night.answer("Jon", passes="Jon"), night.answer("Eva", takes="Eva"))
    client = Client()
    client.force_login(night.users["Jon"])
    view = table_view(night.seen())
    whole = [a for a in view["actions"] if a["kind"] in {"beaver", "extra", "tie", "offer"}]
    assert {a["kind"] for a in whole} == {"beaver", "extra"}
    assert [a["label"] for a in whole if a["kind"] == "beaver"] == ["Eva beavers"]
    for number, action in enumerate(whole):
        seq = night.head
        body = {
            "after": seq,
            "entries": [{"key": f"w{number}", "kind": action["kind"], "body": action["body"]}],
        }
        answer = post(client, "chouette_events", night, body)
        assert (answer.status_code, answer.json()["seq"]) == (200, seq + 1), answer.json()
        post(client, "chouette_undo", night, {"after": seq + 1, "key": f"u{number}"})


def test_what_one_stands_to_win_is_the_ledger_of_each_way():
    night = Night(3)
    night.write(GameBegun(), night.offer("Jon"), night.answer("Ana", takes="Jon"), night.offer("Eva"))
    ways = table_view(night.seen())["possible_gains"]
    ana = {way: share["points"] for way, share in ways[night.refs["Ana"]].items()}
    # Jon's cube is at 2, Eva's double does not count before it is answered; Jacoby holds on hers.
    assert ana == {
        "box_single": 3, "box_gammon": 5, "box_backgammon": 7,
        "team_single": -3, "team_gammon": -5, "team_backgammon": -7,
    }  # fmt: skip
    assert ways[night.refs["Jon"]]["team_gammon"] == {"points": 4, "minor": 400, "money": "+4.00 EUR"}


def test_the_night_in_games_lines_and_payments():
    night = Night(3)
    night.play(win=Win.GAMMON)
    night.play(box_won=False)
    view = table_view(night.seen())
    assert [game["words"] for game in view["games"]] == [
        "Ana in the box, Jon captain", "Ana in the box, Eva captain",
    ]  # fmt: skip
    assert view["games"][0]["seq"] == night.head - 2
    assert [line["words"] for line in view["lines"][-2:]] == [
        "The next game begins",
        "The crew wins a single",
    ]
    assert view["lines"][-1]["by"] == "Ana"
    total = sum(payment["minor"] for payment in view["payments"])
    assert total == sum(max(0, minor) for _points, minor in night.balances().values())
    told = night_of(night.seen())
    order = [player["name"] for player in told["players"]]
    assert [sum(points for points, _role in game["cells"]) for game in told["games"]] == [0, 0]
    # Jacoby: no cube was turned
    assert told["games"][0]["cells"][order.index("Jon")] == (-1, "captain")
    assert len(told["lines"]) == night.head


def test_a_change_of_the_rules_is_announced():
    night = Night(3)
    night.write(GameBegun(), OptionsChanged(BUILT_IN["cambridge"].options, "cambridge"))
    house = table_view(night.seen())["house"]
    assert (house["title"], house["announced"]["title"]) == ("Midpoint standard", "Cambridge")
    assert not any(player["agreed"] for player in table_view(night.seen())["players"])


def test_money_is_shown_nowhere_once_the_club_plays_for_points():
    night = Night(3)
    night.play()
    night.club.points_only = True
    night.club.save()
    view = table_view(night.seen())
    assert (view["points_only"], view["payments"], view["stake"]) == (True, [], 0)
    text = json.dumps(view, default=str)
    assert 'EUR"' in text  # the currency's name alone
    assert " EUR" not in text
    assert not [line for line in view["lines"] if line["body"].get("stake")]
    assert {player["minor"] for player in view["players"]} == {0}


def test_the_view_costs_the_same_after_one_game_and_after_twelve(django_assert_num_queries):
    night = Night(5)
    night.play()
    with django_assert_num_queries(QUERIES):
        table_view(night.seen())
    for _game in range(11):
        night.play(box_won=False)
    with django_assert_num_queries(QUERIES):
        table_view(night.seen())


QUERIES = 6


def post(client, name, night, body, writer=""):
    address = reverse(f"api:{name}", args=[night.chouette.ref])
    return client.post(address, body, content_type="application/json", headers={WRITER: writer})


def state(client, night, **headers):
    return client.get(reverse("api:chouette", args=[night.chouette.ref]), **headers)


def test_the_page_asks_writes_and_is_told_of_others():
    night = Night(3)
    ana, jon = Client(), Client()
    ana.force_login(night.users["Ana"])
    jon.force_login(night.users["Jon"])
    first = state(jon, night)
    head = first.json()["seq"]
    assert state(jon, night, HTTP_IF_NONE_MATCH=first["ETag"]).status_code == 304
    body = {"after": head, "entries": [{"key": "a1", "kind": "game_start"}]}
    assert post(ana, "chouette_events", night, body).json()["seq"] == head + 1
    late = post(jon, "chouette_events", night, body | {"entries": [{"key": "j1", "kind": "chouette_end"}]})
    assert (late.status_code, [line["words"] for line in late.json()["theirs"]]) == (
        409, ["The next game begins"],
    )  # fmt: skip
    refused = post(
        jon, "chouette_events", night,
        {"after": head + 1, "entries": [{"key": "j2", "kind": "offer", "body": {
            "by": night.refs["Jon"], "cubes": [night.refs["Eva"]]}}]},
    )  # fmt: skip
    told = refused.json()
    assert (refused.status_code, told["code"]) == (422, "not_own")
    assert told["detail"] == "Jon can double only their own cubes"
    assert [error["field"] for error in told["errors"]] == ["entries.0"]
    assert post(jon, "chouette_undo", night, {"after": head + 1, "key": "u"}).json()["game"] is None


def test_what_somebody_entered_is_not_written_under_another_login():
    night = Night(3)
    ana, jon = Client(), Client()
    ana.force_login(night.users["Ana"])
    jon.force_login(night.users["Jon"])
    entries = [{"key": "a1", "kind": "game_start"}]
    body, writer = {"after": night.head, "entries": entries}, state(ana, night).json()["writer"]
    kept = post(jon, "chouette_events", night, body, writer)
    assert (kept.status_code, kept.json()["code"], night.state.game) == (403, "other_writer", None)
    assert post(ana, "chouette_events", night, body, writer).status_code == 200


def test_a_correction_that_does_not_fit_shows_the_line():
    night = Night(3)
    night.write(GameBegun(), GameOver(box_won=True, win=Win.SINGLE))
    client = Client()
    client.force_login(night.users["Ana"])
    body = {"after": night.head, "key": "c", "seq": night.head - 1, "kind": "nothing", "reason": "no"}
    answer = post(client, "chouette_corrections", night, body)
    assert answer.status_code == 409
    broken = answer.json()["does_not_fit"]
    assert (broken["seq"], broken["line"]["words"]) == (night.head, "The box wins a single")
    assert broken["reason"] == "no game is in progress"
    assert post(client, "chouette_corrections", night, body | {"cut": True}).json()["games"] == []


@pytest.mark.parametrize("body", [b"[]", b"{", b'{"after": "x"}', b'{"after": 1, "entries": [1]}'])
def test_what_cannot_be_read_is_refused(body):
    night = Night(3)
    client = Client()
    client.force_login(night.users["Ana"])
    address = reverse("api:chouette_events", args=[night.chouette.ref])
    assert client.post(address, body, content_type="application/json").status_code == 400


def test_a_newcomer_comes_with_the_scorers_entries():
    night = Night(3)
    client = Client()
    client.force_login(night.users["Ana"])
    join = {"player": "abcdefghjk", "stake": 100, "name": "Leo"}
    entries = [
        {"key": "n1", "kind": "join", "body": join},
        {"key": "n2", "kind": "agree", "body": {"player": "abcdefghjk"}},
    ]
    body = {"after": night.head, "entries": entries}
    for _twice in range(2):
        answer = post(client, "chouette_events", night, body)
        assert answer.status_code == 200
    assert [player["name"] for player in answer.json()["players"]] == ["Ana", "Jon", "Eva", "Leo"]


def test_only_who_sits_there_and_directors_know_of_a_table():
    night = Night(3)
    director, stranger = member(night.club, Role.DIRECTOR), member(night.club, Role.MEMBER)
    for user, status in ((director, 200), (stranger, 404), (night.users["Eva"], 200)):
        client = Client()
        client.force_login(user)
        assert state(client, night).status_code == status
        assert client.get(reverse("clubs:live", args=[night.chouette.ref])).status_code == status
    assert state(Client(), night).status_code == 401
