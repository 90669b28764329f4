"""Leagues, ladders and teams: dates, reminders, forfeits, challenges, seasons, line-ups, ties."""

from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from itertools import islice

import pytest
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import now

from clubs.models import Player, Role, User
from scoring.rules.endings import Ending
from scoring.sheets.services.decisions import DirectedResult
from tests.factories import ClubFactory, MembershipFactory, PlayerFactory, UserFactory, member
from tests.tiers import sized
from tests.tournaments.factories import a_player, open_pairings, win
from tournaments.core.ladders.ladder import LadderOptions
from tournaments.core.proof.check import check_text
from tournaments.core.rounds.round_robin import RoundRobinOptions
from tournaments.core.stages.duplicate_dice import rolls
from tournaments.core.stages.errors import DrawRefused
from tournaments.desk.queries.desk import desk_page
from tournaments.desk.services.calls import call_ready
from tournaments.desk.services.departures import leave
from tournaments.desk.services.previews import preview_correction, preview_reopening
from tournaments.desk.services.results import correct_result, match_of, reopen_result, report_result
from tournaments.entries.services.entries import enter
from tournaments.events.event_templates import template
from tournaments.events.plans import EventPlan, FlightPlan, StagePlan
from tournaments.events.services.events import OvertakenRefused, announce, join_flight, set_starts
from tournaments.leagues.services import (
    agree_date,
    challenge,
    forfeit_overdue,
    moved,
    next_season,
    propose_date,
    remind,
)
from tournaments.log.refusals import DeskRefused
from tournaments.models import Board, EntrantRow, Event, PairingRow, StageRow
from tournaments.pages.queries.mine import my_matches
from tournaments.stages.queries.rolls import rolls_of
from tournaments.stages.services.archives import archive_text
from tournaments.stages.services.draws import draw_stage
from tournaments.stages.services.stages import load
from tournaments.stages.services.ties import set_line_up
from tournaments.tasks import look_after_deadlines

pytestmark = pytest.mark.django_db

TODAY = date(2026, 12, 1)


def with_a_login(club, name: str) -> Player:
    player = PlayerFactory.create(name=name, user=UserFactory.create(email=f"{name.lower()}@example.org"))
    MembershipFactory.create(club=club, player=player)
    return player


def league(*names: str, start: date | None = None, stage: StagePlan | None = None) -> StageRow:
    """A drawn league of these players, each with a login."""
    club = ClubFactory.create()
    options = RoundRobinOptions(start=start or now().date(), days_per_round=7)
    plan = FlightPlan((stage or StagePlan("League", "round_robin", options, 3),))
    event = announce(club=club, plan=EventPlan("League", now() + timedelta(hours=1), (plan,)))
    for name in names:
        enter(flight=event.flights.get(), players=[with_a_login(club, name)])
    return draw_stage(stage=event.flights.get().stages.get(), user=None)


def a_team(event: Event, name: str, size: int = 3) -> EntrantRow:
    players = [a_player(event.club, f"{name}{n}") for n in range(1, size + 1)]
    return enter(flight=event.flights.get(), players=players, name=name)


def a_tie(*, boards: int = 3, size: int = 3, duplicate_dice: bool = False) -> tuple[PairingRow, User]:
    """Two teams who meet."""
    club = ClubFactory.create()
    stage = StagePlan(
        "Teams", "round_robin", RoundRobinOptions(), 3, boards=boards, duplicate_dice=duplicate_dice
    )
    plan = EventPlan("Teams", now() + timedelta(hours=1), (FlightPlan((stage,), team_size=size),))
    event = announce(club=club, plan=plan)
    a_team(event, "Reds", size)
    a_team(event, "Blues", size)
    drawn = draw_stage(stage=event.flights.get().stages.get(), user=None)
    return open_pairings(drawn)[0], member(club, Role.DIRECTOR)


def board(
    pairing: PairingRow, number: int, director: User, *, a: bool, ended: Ending = Ending.PLAYED
) -> None:
    stage = StageRow.objects.get(pk=pairing.stage_id)
    points = ((3, 1) if a else (1, 3)) if ended is Ending.PLAYED else None
    correct_result(
        pairing=pairing,
        decision=DirectedResult("white" if a else "black", points, ended),
        seen=stage.head_seq,
        user=director,
        reason="",
        board=number,
    )


def test_a_league_has_last_days():
    stage = league("Ana", "Ben", "Cleo", "Dora", start=TODAY)
    days = (
        PairingRow.objects.filter(stage=stage).order_by("round").values_list("deadline", flat=True).distinct()
    )
    assert list(days) == [date(2026, 12, 7), date(2026, 12, 14), date(2026, 12, 21)]


def test_the_desk_of_a_league_offers_the_rounds_that_have_begun_and_no_end():
    stage = league("Ana", "Ben", "Cleo", "Dora", start=now().date() - timedelta(days=7))
    event = stage.flight.event
    desk = desk_page(event, read=load)
    assert [line.pairing.round for line in desk.ready] == [1, 1, 2, 2]
    assert [line.pairing.round for line in desk.blocked] == [3, 3]
    assert desk.expected_end is None
    called = call_ready(event=event, user=None)
    assert [row.round for row in called] == [1, 1]


def test_a_league_match_is_played_by_its_last_day(client):
    stage = league("Ana", "Ben", "Cleo", "Dora")
    ana = User.objects.get(email="ana@example.org")
    (mine,) = my_matches(ana)
    row = mine.pairing
    assert row.deadline is not None
    assert row.round == 1, "the matches of later rounds wait for their week"
    client.force_login(ana)
    by = f"play by {date_format(row.deadline, 'MONTH_DAY_FORMAT')}."
    assert by in client.get(stage.flight.event.get_absolute_url()).text
    assert by in client.get(reverse("tournaments:now")).text.replace("Play", "play")
    assert "you will be called" not in client.get(reverse("tournaments:now")).text.lower()
    client.force_login(member(stage.flight.event.club, Role.DIRECTOR))
    assert (
        f">by {date_format(row.deadline, 'MONTH_DAY_FORMAT')}<"
        in client.get(reverse("tournaments:desk", args=[stage.flight.event.ref])).text
    )


def test_both_sides_agree_when_they_play(mailoutbox):
    row = open_pairings(league("Ana", "Ben"))[0]
    assert row.b is not None
    at = now() + timedelta(days=2)
    with pytest.raises(DeskRefused, match="has not proposed"):
        agree_date(pairing=row, entrant=row.b)
    propose_date(pairing=row, entrant=row.a, at=at)
    with pytest.raises(DeskRefused, match="has not proposed a time"):
        agree_date(pairing=row, entrant=row.a)
    agree_date(pairing=row, entrant=row.b)
    row.refresh_from_db()
    assert row.agreed_at == at
    propose_date(pairing=row, entrant=row.b, at=at + timedelta(hours=1))
    row.refresh_from_db()
    assert row.agreed_at is None


def test_a_time_lies_ahead_and_before_the_last_day():
    row = open_pairings(league("Ana", "Ben"))[0]
    with pytest.raises(DeskRefused, match="is in the past"):
        propose_date(pairing=row, entrant=row.a, at=now() - timedelta(hours=1))
    with pytest.raises(DeskRefused, match="The deadline for this match"):
        propose_date(pairing=row, entrant=row.a, at=now() + timedelta(days=30))


def test_everybody_is_reminded_once():
    stage = league("Ana", "Ben")
    assert remind() == 0
    soon = now() + timedelta(days=4)
    assert remind(today=soon) == 1
    assert remind(today=soon) == 0
    assert PairingRow.objects.get(stage=stage).reminded_at == soon


def test_nobody_played_and_nobody_wins():
    stage = league("Ana", "Ben")
    assert forfeit_overdue() == 0
    assert forfeit_overdue(today=now() + timedelta(days=7)) == 1
    row = PairingRow.objects.get(stage=stage)
    assert (row.winner, row.ended) == (None, "double_no_show")
    assert forfeit_overdue(today=now() + timedelta(days=7)) == 0


def test_whoever_proposed_a_date_that_was_never_answered_wins():
    stage = league("Ana", "Ben")
    row = open_pairings(stage)[0]
    assert row.b is not None
    propose_date(pairing=row, entrant=row.b, at=now() + timedelta(days=1))
    forfeit_overdue(today=now() + timedelta(days=7))
    row.refresh_from_db()
    assert (row.winner, row.ended) == (row.b, "no_show")


def test_an_agreed_date_on_which_nobody_played_gives_nobody_a_win():
    row = open_pairings(league("Ana", "Ben"))[0]
    assert row.b is not None
    propose_date(pairing=row, entrant=row.a, at=now() + timedelta(days=1))
    agree_date(pairing=row, entrant=row.b)
    forfeit_overdue(today=now() + timedelta(days=7))
    row.refresh_from_db()
    assert row.ended == "double_no_show"


def test_the_hourly_task_reminds():
    stage = league("Ana", "Ben", start=now().date() - timedelta(days=5))
    look_after_deadlines()
    assert PairingRow.objects.get(stage=stage).reminded_at is not None


def test_a_ladder_is_climbed_by_challenge():
    options = LadderOptions(periods=2, reach=2, seeding="hand")
    stage = league("Ana", "Ben", "Cleo", stage=StagePlan("Ladder", "ladder", options, 3))
    director = member(stage.flight.event.club, Role.DIRECTOR)
    entrants = {number.number: number.entrant for number in stage.numbers.select_related("entrant")}
    (row,) = open_pairings(stage)
    with pytest.raises(DrawRefused, match="has a match to play first"):
        challenge(stage=stage, challenger=row.b or row.a, challenged=row.a, user=None)
    other = league("Eva", "Finn")
    with pytest.raises(DeskRefused, match="is not on this ladder"):
        challenge(
            stage=stage, challenger=other.numbers.get(number=1).entrant, challenged=entrants[1], user=None
        )
    with pytest.raises(DrawRefused, match="is not a ladder"):
        challenge(
            stage=other,
            challenger=other.numbers.get(number=2).entrant,
            challenged=other.numbers.get(number=1).entrant,
            user=None,
        )
    win(row, director)
    free = [each for each in entrants.values() if each.pk not in {p.a_id for p in open_pairings(stage)}]
    assert free


def test_the_best_go_up_and_the_last_go_down():
    upper, lower = [[f"{name}{n}" for n in range(1, 5)] for name in "UL"]
    assert moved([upper, lower], 1) == [["U1", "U2", "U3", "L1"], ["U4", "L2", "L3", "L4"]]  # type: ignore[list-item, comparison-overlap]
    three = [[f"{name}{n}" for n in range(1, 4)] for name in "ABC"]
    assert moved(three, 1) == [["A1", "A2", "B1"], ["A3", "B2", "C1"], ["B3", "C2", "C3"]]  # type: ignore[arg-type, comparison-overlap]
    with pytest.raises(DeskRefused, match="A division of 3 is too small"):
        moved(three, 2)  # type: ignore[arg-type]


def test_the_next_season_enters_everybody_where_they_belong():
    stage = league("Ana", "Ben")
    event = stage.flight.event
    director = member(event.club, Role.DIRECTOR)
    low = join_flight(
        user=None,
        event=event,
        plan=FlightPlan((StagePlan("League", "round_robin", RoundRobinOptions(), 3),), name="Division 2"),
    )
    for name in ("Cleo", "Dora"):
        enter(flight=low, players=[with_a_login(event.club, name)])
    with pytest.raises(DeskRefused, match="The season is not over"):
        next_season(event=event, starts_at=now() + timedelta(days=90), moves=1)
    second = draw_stage(stage=low.stages.get(), user=None)
    winners = []
    for each in (stage, second):
        row = open_pairings(each)[0]
        win(row, director)
        winners.append(row)
    event.refresh_from_db()
    made = next_season(event=event, starts_at=now() + timedelta(days=90), moves=1)
    fields = [
        {entrant.title for entrant in EntrantRow.objects.filter(flight=flight).with_players()}
        for flight in made.flights.order_by("position")
    ]
    titles = [
        [each.title for each in EntrantRow.objects.filter(pk__in=[row.a_id, row.b_id]).with_players()]
        for row in winners
    ]
    assert len(fields[0]) == len(fields[1]) == 2
    assert len(fields[0] & set(titles[0])) == len(fields[0] & set(titles[1])) == 1


def test_rounds_have_their_earliest_starts():
    stage = league("Ana", "Ben")
    at = now()
    set_starts(user=None, stage=stage, starts=[at, at + timedelta(hours=2)])
    stage.refresh_from_db()
    assert stage.starts == {"1": at.isoformat(), "2": (at + timedelta(hours=2)).isoformat()}


def test_a_tie_is_won_on_most_boards():
    pairing, director = a_tie()
    assert Board.objects.filter(pairing=pairing).count() == 3
    board(pairing, 1, director, a=False)
    board(pairing, 2, director, a=True)
    pairing.refresh_from_db()
    assert pairing.state == "open"
    board(pairing, 3, director, a=True)
    pairing.refresh_from_db()
    assert (pairing.winner, pairing.state) == (pairing.a, "decided")


def test_equal_boards_are_decided_by_points():
    pairing, director = a_tie(boards=2, size=2)
    board(pairing, 1, director, a=True)
    board(pairing, 2, director, a=False, ended=Ending.NO_SHOW)
    pairing.refresh_from_db()
    assert pairing.winner == pairing.a


def test_a_correction_of_a_board_turns_the_tie():
    pairing, director = a_tie()
    for number in (1, 2, 3):
        board(pairing, number, director, a=number != 3)
    stage = StageRow.objects.get(pk=pairing.stage_id)
    correct_result(
        pairing=pairing,
        decision=DirectedResult("black", (0, 3)),
        seen=stage.head_seq,
        user=director,
        reason="wrong way round",
        board=2,
    )
    pairing.refresh_from_db()
    assert pairing.winner == pairing.b


@pytest.mark.parametrize(
    ("key", "teams"),
    [
        ("knockout", 5),
        ("swiss_3", 5),
        *sized([], [("double", 4), ("last_chance", 6), ("monrad", 4), ("lives", 4), ("ready", 4)]),
    ],
)
def test_teams_play_every_format_to_its_end_and_each_board_is_previewed(key, teams):
    club = ClubFactory.create()
    (stage,) = template(key).flight(3).stages
    plan = FlightPlan((replace(stage, boards=2, duplicate_dice=True),), team_size=2)
    event = announce(club=club, plan=EventPlan("Teams", now() + timedelta(hours=1), (plan,)))
    for number in range(teams):
        a_team(event, f"T{number}", 2)
    drawn, director = (
        draw_stage(stage=event.flights.get().stages.get(), user=None),
        member(club, Role.DIRECTOR),
    )
    played = 0
    while rows := open_pairings(drawn):
        for row in rows:
            first = preview_correction(pairing=row, decision=DirectedResult("white", (3, 1)), board=1)
            assert (first.consequences.matches, first.consequences.places, first.prizes) == ((), (), ())
            board(row, 1, director, a=True)
            assert PairingRow.objects.get(pk=row.pk).state == "open"
            last = preview_correction(pairing=row, decision=DirectedResult("black", (2, 3)), board=2)
            assert last.consequences.matches
            board(row, 2, director, a=False)
            row.refresh_from_db()
            assert (row.state, row.winner) == ("decided", row.a)  # a board each, and 5 points to 4
            played += 1
    assert StageRow.objects.get().status == "finished"
    assert played >= teams - 1
    verdict = check_text(archive_text(StageRow.objects.get()))
    assert verdict.accepted, verdict.faults


def test_a_team_that_leaves_loses_its_tie():
    pairing, director = a_tie()
    board(pairing, 1, director, a=True)
    leave(entrant=pairing.a, user=director)
    pairing.refresh_from_db()
    assert (pairing.winner, pairing.ended) == (pairing.b, "no_show")


def test_a_line_up_says_who_sits_where():
    pairing, director = a_tie(size=4)
    team = EntrantRow.objects.with_players().get(pk=pairing.a_id)
    chosen = [team.players[3], team.players[0], team.players[1]]
    set_line_up(pairing=pairing, entrant=team, players=chosen, user=None)
    seated = [
        each.match.white.players[0]
        for each in Board.objects.filter(pairing=pairing).select_related("match").order_by("number")
    ]
    assert seated == chosen
    with pytest.raises(DeskRefused, match="Choose 3 different players"):
        set_line_up(pairing=pairing, entrant=team, players=[chosen[0]] * 3, user=None)
    other = EntrantRow.objects.with_players().exclude(pk=team.pk).get()
    with pytest.raises(DeskRefused, match="does not play for"):
        set_line_up(pairing=pairing, entrant=team, players=other.players[:3], user=None)
    board(pairing, 1, director, a=True)
    with pytest.raises(DeskRefused, match="A board has started"):
        set_line_up(pairing=pairing, entrant=team, players=chosen, user=None)


def test_duplicate_dice_are_the_same_for_every_board_and_begin_without_a_double():
    pairing, _director = a_tie(duplicate_dice=True)
    games = rolls_of(pairing)
    assert games == rolls_of(pairing)
    assert len(games) == 5
    assert all(game[0][0] != game[0][1] for game in games)
    assert games[0] != games[1]
    public = list(islice(rolls(pairing.stage.seed, pairing.number, 1), len(games[0])))
    assert games[0] != public, "who knows the draw's seed must not know the dice"
    faces = {die for roll in islice(rolls("a seed", 1, 1), 2000) for die in roll}
    assert faces == {1, 2, 3, 4, 5, 6}


def test_who_looked_at_a_board_before_somebody_else_entered_it_overwrites_nothing():
    pairing, director = a_tie()
    decision = DirectedResult("white", (3, 1))
    shown = preview_correction(pairing=pairing, decision=decision, board=2)
    board(pairing, 2, director, a=False)
    with pytest.raises(OvertakenRefused, match="has already finished 1–3") as refused:
        correct_result(
            pairing=pairing,
            decision=decision,
            seen=shown.seen,
            sheet=shown.sheet,
            user=director,
            reason="as I saw it",
            board=2,
        )
    second = Board.objects.select_related("match__result").get(pairing=pairing, number=2).match
    assert refused.value.parameters["points"] == (1, 3)
    anew = preview_correction(pairing=pairing, decision=decision, board=2)
    assert (anew.seen, anew.sheet, refused.value.parameters["sheet"]) == (
        shown.seen,
        second.sheet.head_seq,
        second.sheet.head_seq,
    )
    with pytest.raises(DeskRefused, match="Enter a reason"):
        correct_result(pairing=pairing, decision=decision, seen=shown.seen, user=director, reason="", board=2)
    correct_result(
        pairing=pairing,
        decision=decision,
        seen=anew.seen,
        sheet=anew.sheet,
        user=director,
        reason="typed into the wrong column",
        board=2,
    )
    second.refresh_from_db()
    assert second.result.winner == "white"


def test_each_board_of_a_tie_is_entered_and_taken_back_at_the_desk():
    pairing, director = a_tie()
    for number in (1, 2, 3):
        report_result(pairing=pairing, decision=DirectedResult("white", (3, 0)), user=director, board=number)
        with pytest.raises(OvertakenRefused, match=r"already has a result|is finished"):
            report_result(
                pairing=pairing, decision=DirectedResult("black", (0, 3)), user=director, board=number
            )
    pairing.refresh_from_db()
    assert pairing.state == "decided"
    shown = preview_reopening(pairing=pairing, match=match_of(pairing, 3))
    take_back = partial(
        reopen_result, pairing=pairing, seen=shown.seen, user=director, reason="typo", board=3
    )
    with pytest.raises(OvertakenRefused, match="has already finished 3–0"):
        take_back(sheet=shown.sheet - 1)
    take_back(sheet=shown.sheet)
    boards = Board.objects.filter(pairing=pairing).order_by("number")
    assert list(boards.values_list("match__status", flat=True)) == ["finished", "finished", "playing"]
    pairing.refresh_from_db()
    assert pairing.state == "open"
    stage = StageRow.objects.get(pk=pairing.stage_id)
    reopen_result(pairing=pairing, seen=stage.head_seq, user=director, reason="typo", board=1)
    assert Board.objects.get(pairing=pairing, number=1).match.status == "playing"
    with pytest.raises(DeskRefused, match="no result to undo"):
        reopen_result(pairing=pairing, seen=stage.head_seq, user=director, reason="typo", board=1)
