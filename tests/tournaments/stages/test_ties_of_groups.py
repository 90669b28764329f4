"""A group that ends level: on its page, through the API, at the draw it feeds, and undone."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.timezone import now

from clubs.models import Role
from tests.factories import ClubFactory, member
from tests.tournaments.factories import a_player, open_pairings, other_side, win
from tournaments.core.brackets.elimination import KnockoutOptions
from tournaments.core.play.feeding import Top
from tournaments.core.proof.check import check_text
from tournaments.core.rounds.round_robin import RoundRobinOptions
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.standings.tie_breaks import draw_lot
from tournaments.desk.queries.event_log import event_log
from tournaments.entries.services.entries import enter
from tournaments.events.plans import EventPlan, FlightPlan, StagePlan, usual_tie_breaks
from tournaments.events.services.events import announce, plan_of
from tournaments.log.kinds import TIES
from tournaments.log.refusals import DeskRefused
from tournaments.models import DeskEvent, EventStatus, StageRow, StageStatus
from tournaments.stages.services import settling
from tournaments.stages.services.archives import archive_text, event_archive_text
from tournaments.stages.services.draws import draw_stage
from tournaments.stages.services.feeds import confirm_field, fed_field
from tournaments.stages.services.settling import settle_tie

pytestmark = pytest.mark.django_db

CUP = StagePlan("Cup", "knockout", KnockoutOptions(seeding="hand"), 3)
GROUP = StagePlan(
    "Group",
    "round_robin",
    RoundRobinOptions(),
    3,
    feeds=(Top(2, "Cup"),),
    tie_breaks=usual_tie_breaks("round_robin"),
)
CIRCLE = {("P1", "P2"), ("P2", "P3"), ("P3", "P1")}


def stage_of(event, title):
    found = StageRow.objects.select_related("flight__event__club")
    return found.get(flight__event=event, name=title)


@pytest.fixture
def level(client):
    """A group of four that feeds a knockout: P1, P2 and P3 beat each other in a circle."""
    club = ClubFactory.create()
    flight = FlightPlan((GROUP, CUP))
    event = announce(club=club, plan=EventPlan("Cup", now() + timedelta(hours=1), (flight,)))
    for number in range(1, 5):
        enter(flight=event.flights.get(), players=[a_player(club, f"P{number}")])
    director = member(club, Role.DIRECTOR)
    draw_stage(stage=stage_of(event, "Group"), user=director)
    for row in open_pairings(stage_of(event, "Group")):
        a, b = row.a.title, other_side(row).title
        win(row, director, a=(a, b) in CIRCLE or (a < b and (b, a) not in CIRCLE))
    client.force_login(director)
    return event, director


def refs_of(event, *titles):
    known = {each.title: each.ref for each in event.flights.get().entrants.with_players()}
    return [known[title] for title in titles]


def titles_of(event, refs):
    known = {each.ref: each.title for each in event.flights.get().entrants.with_players()}
    return [known[ref] for ref in refs]


def test_undecided_tie_is_shown_to_everyone_and_blocks_the_draw(level, client):
    event, director = level
    cup = stage_of(event, "Cup")
    with pytest.raises(DeskRefused, match=r"P1, P2, P3 are level in Group, .* who goes on to Cup"):
        confirm_field(stage=cup, user=director, refs=fed_field(cup))
    StageRow.objects.filter(pk=cup.pk).update(confirmed_at=now())
    with pytest.raises(DeskRefused, match="Settle it first"):
        draw_stage(stage=stage_of(event, "Cup"), user=director)
    address = stage_of(event, "Group").get_absolute_url()
    page = client.get(address).content.decode()
    for words in ("Places 1–3", "decides who goes on to Cup", "Start playoff", "Announce lot", "not final"):
        assert words in page
    assert "Points won" in page
    assert "Confirm field" not in page
    desk = client.get(reverse("tournaments:desk", args=[event.ref])).content.decode()
    assert "Settle tie: Cup" in desk
    assert "Confirm field" not in desk
    ties = reverse("api:stage_ties", args=[stage_of(event, "Group").ref])
    (step, *_later) = client.get(reverse("api:desk", args=[event.ref])).json()["next_steps"]
    assert (step["kind"], step["address"]) == ("settle_tie", ties)
    refused = client.post(reverse("api:stage_draw", args=[stage_of(event, "Cup").ref]))
    told = refused.json()
    assert (refused.status_code, told["remedy"]) == (409, {"title": "Settle tie", "url": ties}), told
    client.logout()
    page = client.get(address).content.decode()
    assert "decides who goes on to Cup" in page
    assert "Start playoff" not in page
    api = client.get(reverse("api:stage_ties", args=[stage_of(event, "Group").ref])).json()
    (tie,) = api["ties"]
    assert (titles_of(event, tie["entrants"]), tie["first"], tie["last"]) == (["P1", "P2", "P3"], 1, 3)
    assert tie["blocks"]
    assert [each["key"] for each in tie["tie_breaks"]] == list(GROUP.tie_breaks)
    assert tie["offers"] == []
    assert api["decisions"] == []


def test_playoff_is_played_like_every_match_and_decides_the_field(level, client):
    event, director = level
    group, three = stage_of(event, "Group"), refs_of(event, "P1", "P2", "P3")
    form = {"entrant": three, "decision": "playoff", "length": "1", "seen": group.head_seq}
    answer = client.post(reverse("tournaments:tie", args=[group.ref]), form)
    # The page opens again where the tie is, below its standings and rounds.
    assert (answer.status_code, answer.url.rpartition("#")[2]) == (302, "ties-title")
    assert client.post(reverse("tournaments:tie", args=[group.ref]), form).status_code == 409
    group = stage_of(event, "Group")
    assert (group.status, stage_of(event, "Cup").fed) == (StageStatus.RUNNING, {})
    rows = open_pairings(group)
    assert {row.length for row in rows} == {1}
    assert len(rows) == 3
    page = client.get(group.get_absolute_url()).content.decode()
    assert "Playoff" in page
    assert "In progress" in page
    settle_tie(stage=group, decision="undo", entrants=three, user=director)
    assert open_pairings(stage_of(event, "Group")) == []
    assert stage_of(event, "Group").status == StageStatus.FINISHED
    settle_tie(stage=stage_of(event, "Group"), decision="playoff", entrants=three, user=director, length=1)
    for row in open_pairings(stage_of(event, "Group")):
        win(row, director, a=row.a.title > other_side(row).title)
    with pytest.raises(DrawRefused, match="The playoff has begun"):
        settle_tie(stage=stage_of(event, "Group"), decision="undo", entrants=three, user=director)
    cup = stage_of(event, "Cup")
    assert titles_of(event, fed_field(cup)) == ["P3", "P2"]
    confirm_field(stage=cup, user=director, refs=fed_field(cup))
    draw_stage(stage=stage_of(event, "Cup"), user=director)
    assert check_text(event_archive_text(event)).findings == ()
    (final,) = open_pairings(stage_of(event, "Cup"))
    win(final, director)
    event.refresh_from_db()
    assert event.status == EventStatus.FINISHED


def test_lot_shows_its_hash_before_and_its_seed_after(level, client):
    event, director = level
    group, three = stage_of(event, "Group"), refs_of(event, "P1", "P2", "P3")
    address = reverse("api:stage_ties", args=[group.ref])

    def post(decision, **more):
        body = {"entrants": three, "decision": decision, **more}
        return client.post(address, body, content_type="application/json")

    assert post("lot").status_code == 409
    told = post("announce_lot").json()
    sealed = told["ties"][0]["lot_hash"]
    seed = stage_of(event, "Group").lot_seeds[sealed]
    assert len(sealed) == 64
    assert seed not in archive_text(stage_of(event, "Group"))
    assert post("announce_lot").status_code == 409
    assert sealed in client.get(group.get_absolute_url()).content.decode()
    told = post("lot", seen=told["seen"]).json()
    (lot,) = told["decisions"]
    assert (lot["seed"], lot["hash"], lot["values"], told["ties"]) == (seed, sealed, [1, 2, 3], [])
    assert fed_field(stage_of(event, "Cup")) == lot["entrants"][:2]
    assert check_text(archive_text(stage_of(event, "Group"))).findings == ()
    assert stage_of(event, "Group").lot_seeds == {}
    assert post("undo").json()["ties"][0]["lot_hash"] == ""
    lines = [line for line in event_log(event) if line.kind in TIES]
    assert [(line.kind, "P1, P2, P3" in line.words) for line in lines] == [
        ("tie_reopened", True),
        ("tie_settled", True),
        ("lot_announced", True),
    ]
    settle_tie(stage=stage_of(event, "Group"), decision="announce_lot", entrants=three, user=director)
    post("lot")
    cup = stage_of(event, "Cup")
    confirm_field(stage=cup, user=director)
    draw_stage(stage=stage_of(event, "Cup"), user=director)
    answer = post("undo")
    assert answer.status_code == 409
    assert "Cup is drawn on this ranking" in answer.content.decode()


def test_a_lot_that_changes_no_order_is_kept_as_well_once_the_next_draw_is_made(level, monkeypatch):
    event, director = level
    three, cup = refs_of(event, "P1", "P2", "P3"), stage_of(event, "Cup")
    seeds = (f"{number:032x}" for number in range(100))
    seed = next(each for each in seeds if draw_lot(each, (1, 2, 3)) == {1: 1, 2: 2, 3: 3})
    monkeypatch.setattr(settling, "token_hex", lambda _bytes: seed)
    for decision in ("announce_lot", "lot"):
        settle_tie(stage=stage_of(event, "Group"), decision=decision, entrants=three, user=director)
    assert titles_of(event, fed_field(cup)) == ["P1", "P2"]
    confirm_field(stage=cup, user=director)
    draw_stage(stage=stage_of(event, "Cup"), user=director)
    with pytest.raises(DeskRefused, match="Cup is drawn on this ranking"):
        settle_tie(stage=stage_of(event, "Group"), decision="undo", entrants=three, user=director)


def test_wrong_decisions_change_nothing(level, client):
    event, _director = level
    group = stage_of(event, "Group")
    before = DeskEvent.objects.count()
    address = reverse("api:stage_ties", args=[group.ref])
    for titles, body, code in (
        (("P1", "P2"), {"decision": "playoff"}, 409),
        (("P1", "P2", "P3"), {"decision": "undo"}, 409),
        (("P1", "P2", "P3"), {"decision": "tie_break", "tie_break": "koya"}, 409),
        (("P1", "P2", "P3"), {"decision": "tie_break", "tie_break": "elo"}, 400),
        (("P1", "P2", "P3"), {"decision": "playoff", "length": 0}, 400),
        (("P1", "P2", "P3"), {"decision": "playoff", "seen": 1}, 409),
    ):
        entrants = refs_of(event, *titles)
        answer = client.post(address, {"entrants": entrants, **body}, content_type="application/json")
        assert answer.status_code == code, (body, answer.content)
    form = {"entrant": refs_of(event, "P1", "P2", "P3"), "decision": "coin"}
    answer = client.post(reverse("tournaments:tie", args=[group.ref]), form)
    assert answer.status_code == 409
    assert "coin" in answer.content.decode()
    assert DeskEvent.objects.count() == before
    assert plan_of(event).flights[0].stages[0].tie_breaks == GROUP.tie_breaks
