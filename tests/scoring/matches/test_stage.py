"""The first screen of a match: the decision that is shown, its verdict, and where the buttons lead."""

from collections.abc import Iterable
from dataclasses import asdict, replace
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.utils.timezone import now

from clubs.models import AnalysesShown, Club, Role, User, WorkStatus
from scoring.drawing.figures import equity, error_size
from scoring.files.services.imports import import_file
from scoring.log.queries.sheets import events_of
from scoring.log.services.sheets import append_events, lock_match
from scoring.matches.queries.judged_log import forget_logs
from scoring.matches.queries.match_page import MatchPage
from scoring.models import Analysis, DecisionRow, Match, MatchStatus
from scoring.rules.events import Voided
from scoring.rules.sheet import replay
from scoring.rules.sides import Side
from scoring.templatetags.verdicts import cube_action, verdict
from scoring.theory.decisions import Candidate, Decision, DecisionKind
from scoring.theory.performance import Performance, sums_of
from tests.factories import ClubFactory, PlayerFactory, UserFactory, member
from tests.scoring.factories import finish_match, open_match
from tests.scoring.matches.test_chances import CHANCES, judged
from tests.scoring.matches.test_match_page import LONG
from tests.scoring.sgf_files import Play, game, roll

pytestmark = pytest.mark.django_db

STAGE = {"HX-Request": "true", "HX-Target": "stage"}
PROGRESS = {"HX-Request": "true", "HX-Target": "progress"}


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def imported(club: Club, content: bytes = LONG, name: str = "a.mat") -> Match:
    found, report = import_file(club=club, filename=name, content=content, final=True)
    assert report.error is None, report.error
    assert found is not None
    return Match.objects.with_players().select_related("sheet", "club").get(pk=found.pk)


def checker(step: int, error: float, *, best: str = "13/11 13/9") -> dict[str, Any]:
    played = Candidate("8/4 6/4", 0.2, CHANCES, "2-ply", played=True)
    other = Candidate(best, 0.2 + error, (0.6, 0.2, 0.0, 0.1, 0.0), "3-ply")
    shown = [played, other] if error == 0.0 else [other, played]
    return {"step": step, "kind": "checker", "played": "8/4 6/4", "error": error, "candidates": shown}


def analysed(match: Match, decisions: Iterable[dict[str, Any]], *, status: str = WorkStatus.DONE) -> Analysis:
    """An analysis of ours; each decision by the number of its step."""
    Analysis.objects.filter(match=match).delete()
    sums = sums_of(dict.fromkeys(Side, Performance(0.5, 10, 0.1, 2, 0.25, 9)))
    done = status == WorkStatus.DONE
    analysis = Analysis.objects.create(
        match=match,
        head_seq=match.sheet.head_seq,
        head_hash=match.sheet.head_hash,
        preset="fast",
        label="engine 1 fast" if done else "",
        status=status,
        finished_at=now() if done else None,
        lease_until=now() if status == WorkStatus.RUNNING else None,
        error="it broke" if status == WorkStatus.FAILED else "",
        summary={"match": sums, "games": {"1": sums, "2": sums}} if done else None,
    )
    steps = MatchPage(match, judged=True).steps
    for number, decision in enumerate(decisions):
        step = steps[decision["step"] - 1]
        assert step.side is not None
        DecisionRow.objects.create(
            analysis=analysis,
            number=number,
            event_seq=step.seq,
            game=step.game,
            ply=number,
            kind=decision["kind"],
            colour=step.side.value,
            played=decision["played"],
            candidates=[asdict(each) for each in decision["candidates"]],
            error=decision["error"],
            counted=True,
        )
    return analysis


def seated(match: Match, side: Side) -> User:
    """A user who sits at a side of the match."""
    player = match.side(side.value).players[0]
    player.user = UserFactory.create()
    player.save(update_fields=["user"])
    return player.user


def test_it_opens_at_the_first_error_with_verdict_board_graph_and_list(client: Client, club: Club) -> None:
    match = imported(club)
    analysed(match, [checker(1, 0.0), checker(2, 0.035), checker(3, 0.2)])
    page = client.get(match.get_absolute_url()).text
    for words in (
        "Error",
        "−0.035",
        "best",
        "played",
        "Next error",
        "1/2",
        "No double"[:2],
        "% match-winning chance",
    ):
        assert words in page
    assert 'aria-current="step"' in page
    assert "chances-drawing" in page
    assert f'href="/matches/{match.ref}/3/"' in page
    assert "Winning chances step by step" in page


def test_a_player_opens_the_page_at_their_own_first_error(client: Client, club: Club) -> None:
    match = imported(club)
    analysed(match, [checker(2, 0.035), checker(3, 0.2)])
    client.force_login(seated(match, Side.WHITE))
    assert client.get(match.get_absolute_url()).context["page"].number == 3


def test_errors_can_be_narrowed_to_the_viewers_own_and_to_blunders(client: Client, club: Club) -> None:
    match = imported(club)
    analysed(match, [checker(1, 0.03), checker(2, 0.035), checker(3, 0.2)])
    path = f"/matches/{match.ref}/1/"
    assert "Mine only" not in client.get(path).text
    client.force_login(seated(match, Side.WHITE))
    mine = client.get(path, {"mine": "on"})
    assert "Mine only" in mine.text
    assert f'href="/matches/{match.ref}/3/?mine=on"' in mine.text
    assert mine.context["page"].stepping.errors == [1, 3]
    blunders = client.get(path, {"mine": "on", "blunders": "on"})
    assert blunders.context["page"].stepping.errors == [3]
    assert "Next blunder" in blunders.text


def test_errors_can_be_narrowed_to_a_kind_and_a_phase(client: Client, club: Club) -> None:
    match = imported(club)
    analysed(match, [checker(1, 0.03), checker(3, 0.2)])
    path = f"/matches/{match.ref}/1/"
    cube = client.get(path, {"kind": "cube"})
    assert cube.context["page"].stepping.errors == []
    assert '<option value="cube" selected>' in cube.text
    plays = client.get(path, {"kind": "checker", "phase": "opening"})
    assert plays.context["page"].stepping.errors == [1, 3]
    assert f'href="/matches/{match.ref}/3/?kind=checker&amp;phase=opening"' in plays.text
    unknown = client.get(path, {"kind": "x", "phase": "x"})
    assert unknown.context["page"].stepping.errors == [1, 3]
    assert unknown.context["query"] == ""


def test_errors_can_be_narrowed_to_a_game_here_and_in_their_files(client: Client, club: Club) -> None:
    match = imported(club)
    analysed(match, [checker(1, 0.03), checker(6, 0.09)])
    assert MatchPage(match, judged=True).steps[5].game == 2
    first = client.get(f"/matches/{match.ref}/1/").text
    assert ">1/2</span>" in first
    second = client.get(f"/matches/{match.ref}/1/?game=2").text
    assert f'href="/matches/{match.ref}/6/?game=2"' in second
    assert ">0/1</span>" in second
    assert '<option value="2" selected>' in second
    everything = client.get(f"/matches/{match.ref}/errors.txt").text.splitlines()
    of_second = client.get(f"/matches/{match.ref}/errors.txt?game=2&kind=checker").text.splitlines()
    assert (len(everything), len(of_second)) == (3, 2)
    assert "0.090" in of_second[1]


def test_the_interval_of_a_rollout_stands_beside_its_equity(client: Client, club: Club) -> None:
    match = imported(club)
    judged_play = checker(1, 0.03)
    judged_play["candidates"] = [replace(each, interval=0.008) for each in judged_play["candidates"]]
    analysed(match, [judged_play])
    assert client.get(match.get_absolute_url()).text.count("±0.008") == 2


def test_mine_means_nothing_to_whoever_did_not_play(client: Client, club: Club) -> None:
    match = imported(club)
    analysed(match, [checker(1, 0.03), checker(2, 0.035)])
    page = client.get(f"/matches/{match.ref}/1/", {"mine": "on", "x": '"><script>'})
    assert page.context["page"].stepping.errors == [1, 2]
    assert "<script>alert" not in page.text
    assert "x=" not in page.context["query"]


def test_a_step_alone_is_the_same_as_in_the_page(client: Client, club: Club) -> None:
    match = imported(club)
    analysed(match, [checker(1, 0.03)])
    path = f"/matches/{match.ref}/1/"
    part = client.get(path, headers=STAGE)
    assert part["Vary"].count("HX-Target") == 1
    assert part.text.lstrip().startswith('<section id="stage"')
    assert "Summary" not in part.text
    for words in ("−0.030", "Next error", "chances-drawing"):
        assert words in part.text


@pytest.mark.parametrize("decisions", [[checker(1, 0.03)], [checker(n, 0.03 * n) for n in range(1, 8)]])
def test_the_first_screen_takes_the_same_queries_for_any_number_of_errors(
    client: Client, club: Club, decisions: list[dict[str, Any]], django_assert_num_queries: Any
) -> None:
    match = imported(club)
    analysed(match, [each for each in decisions if each["step"] not in {4, 5}])
    forget_logs()
    with django_assert_num_queries(7):
        client.get(match.get_absolute_url())
    with django_assert_num_queries(4):
        client.get(f"/matches/{match.ref}/2/", headers=STAGE)


@pytest.mark.parametrize(
    ("viewer", "first", "next_one", "step"),
    [("visitor", 7, 5, 4), ("player", 10, 8, 6), ("director", 10, 8, 6)],
)
def test_a_page_takes_ten_queries_at_most(
    client: Client,
    club: Club,
    viewer: str,
    first: int,
    next_one: int,
    step: int,
    django_assert_num_queries: Any,
) -> None:
    match = imported(club)
    analysed(match, [checker(1, 0.03), checker(2, 0.09)])
    if viewer != "visitor":
        client.force_login(seated(match, Side.WHITE) if viewer == "player" else member(club, Role.DIRECTOR))
    client.get("/about/")  # the session and its user are known
    forget_logs()
    for queries in (first, next_one):
        with django_assert_num_queries(queries):
            client.get(match.get_absolute_url())
    with django_assert_num_queries(step):
        client.get(f"/matches/{match.ref}/2/", headers=STAGE)


def test_what_is_kept_of_a_match_never_outlives_its_log_or_its_analysis(club: Club) -> None:
    match = imported(club)
    analysed(match, [checker(1, 0.03)])
    assert [line.stop.step.number for line in MatchPage(match, judged=True).errors] == [1]
    analysed(match, [checker(2, 0.09)])
    assert [line.stop.step.number for line in MatchPage(match, judged=True).errors] == [2]
    steps = len(MatchPage(match, judged=False).steps)
    last = match.sheet.events.latest("seq")
    with transaction.atomic():
        sheet, _current = lock_match(match)
        state = replay(each.event for each in events_of(sheet, upto=last.seq - 1))
        append_events(sheet=sheet, events=[Voided("undone")], state=state, user=None, replaces=[last.seq])
    changed = Match.objects.with_players().select_related("sheet", "club").get(pk=match.pk)
    assert len(MatchPage(changed, judged=False).steps) != steps
    assert MatchPage(changed, judged=True).errors == []


def test_a_cube_decision_shows_the_window_at_its_score_here_and_in_the_api(
    client: Client, club: Club
) -> None:
    match = imported(club)
    chances = (0.7, 0.35, 0.0, 0.06, 0.0)
    double = Candidate("double/take", 0.6, chances, "2-ply", played=True)
    wrong = Candidate("no double", 0.4, chances, "2-ply")
    cube = {"step": 4, "kind": "double", "played": "double", "error": 0.0, "candidates": [double, wrong]}
    analysed(match, [checker(1, 0.03), cube])
    page = client.get(f"/matches/{match.ref}/4/").text
    assert "At this score with a dead cube: take from 30.2%, with these gammons from" in page
    assert "Too good from" in page
    told = client.get(f"/api/v1/matches/{match.ref}/steps/4/cube/").json()
    assert told["label"] == "engine 1 fast"
    assert round(told["window"]["take_point"], 3) == 0.302
    assert told["window"]["cash_point"] == 1 - told["window"]["take_point_with_gammons"]
    assert client.get(f"/api/v1/matches/{match.ref}/steps/1/cube/").json()["window"] is None
    assert "dead cube" not in client.get(f"/matches/{match.ref}/1/").text
    missing = client.get(f"/api/v1/matches/{match.ref}/steps/99/cube/")
    assert missing.status_code == 404
    assert "99" in missing.json()["detail"]


def test_each_game_shows_both_sides_errors_and_luck(client: Client, club: Club) -> None:
    match = imported(club)
    analysed(match, [checker(1, 0.03), checker(2, 0.09), checker(6, 0.09)])
    first, second = MatchPage(match, judged=True).games
    assert [(side.errors, side.blunders) for side in first.sides] == [(1, 0), (0, 1)]
    assert sum(side.blunders for side in second.sides) == 1
    page = client.get(match.get_absolute_url()).text
    table = page[page.index('id="games-name"') :]
    assert "1 / 0" in table
    assert table.count("+0.250") == 4


def test_all_errors_and_the_chances_of_a_game_are_tables_of_their_own(client: Client, club: Club) -> None:
    match = imported(club)
    analysed(match, [checker(1, 0.03), checker(2, 0.09)])
    page = client.get(match.get_absolute_url()).text
    for name in ("errors", "chances"):
        address = f"/matches/{match.ref}/{name}/"
        assert f'hx-get="{address}' in page
        assert f'href="{address}' in page
        part = client.get(address, headers={"HX-Request": "true", "HX-Target": f"{name}-table"})
        assert part.text.lstrip().startswith(f'<div id="{name}-table">')
        assert part["Vary"].count("HX-Target") == 1
        whole = client.get(address).text
        assert "<h1>" in whole
        assert "−0.030" in whole
    blunders = client.get(f"/matches/{match.ref}/errors/?blunders").text
    assert "−0.090" in blunders
    assert "−0.030" not in blunders
    second = client.get(f"/matches/{match.ref}/chances/?game=2").text
    assert "−0.030" not in second


def test_a_kept_analysis_has_no_tables_for_others(client: Client, club: Club) -> None:
    match = imported(club)
    analysed(match, [checker(1, 0.03)])
    Club.objects.filter(pk=club.pk).update(analyses_shown=AnalysesShown.PLAYERS)
    for name in ("errors", "chances"):
        assert client.get(f"/matches/{match.ref}/{name}/").status_code == 403


def test_a_file_that_judged_the_match_speaks_where_nobody_else_has(client: Client, club: Club) -> None:
    content = game(
        [
            roll("W", "31", "8/5 6/5", plays=[Play("8/5 6/5", 0.2), Play("24/20", 0.0)]),
            roll("B", "64", "24/14", plays=[Play("24/18 13/9", 0.3), Play("24/14", 0.1)]),
        ],
        result="W+1R",
        length=1,
    ).encode()
    match = imported(club, content, "a.sgf")
    Analysis.objects.all().delete()
    page = client.get(f"/matches/{match.ref}/2/").text
    assert '<section class="verdict judgement blunder"' in page
    assert "−0.200" in page
    assert "GNU Backgammon, from the file</button>" in page


def test_a_money_session_shows_the_chance_of_the_game_and_no_cost_of_a_match(
    client: Client, club: Club
) -> None:
    nodes = [roll("W", "31", "8/5 6/5"), roll("B", "64", "24/14"), roll("W", "65", "24/13")]
    match = imported(club, game(nodes, result="W+1R", length=0).encode(), "a.sgf")
    analysed(match, [checker(1, 0.0), checker(2, 0.2)])
    page = client.get(match.get_absolute_url()).text
    for words in ("Money session", "Game-winning chance of", "−0.200"):
        assert words in page
    assert "% match-winning chance" not in page
    assert "away</span>" not in page


def test_the_loss_of_what_was_played_is_the_error_that_the_verdict_names(client: Client, club: Club) -> None:
    match = imported(club)
    analysed(match, [checker(1, 0.1684) | {"error": 0.1676}])
    page = client.get(match.get_absolute_url())
    verdict = page.context["page"].verdict
    assert [row.loss for row in verdict.rows if row.candidate.played] == [0.1676]
    assert "−0.168</td>" in page.text


@pytest.mark.parametrize("status", [WorkStatus.QUEUED, WorkStatus.RUNNING])
def test_an_analysis_under_way_shows_how_far_it_is_and_the_page_comes_back_when_it_is_done(
    client: Client, club: Club, status: str
) -> None:
    match = imported(club)
    analysis = analysed(match, [], status=status)
    path = f"/matches/{match.ref}/2/"
    assert 'id="progress"' in client.get(path).text
    part = client.get(path, headers=PROGRESS)
    assert part.text.lstrip().startswith('<section id="progress"')
    assert "HX-Refresh" not in part
    Analysis.objects.filter(pk=analysis.pk).update(
        status=WorkStatus.DONE, label="engine 1 fast", lease_until=None, finished_at=now()
    )
    assert client.get(path, headers=PROGRESS)["HX-Refresh"] == "true"


def test_an_analysis_that_failed_says_why_and_can_be_tried_again(client: Client, club: Club) -> None:
    match = imported(club)
    analysed(match, [], status=WorkStatus.FAILED)
    assert "it broke" in client.get(match.get_absolute_url()).text
    again = f'action="/matches/{match.ref}/analyse/"'
    assert again not in client.get(match.get_absolute_url()).text
    client.force_login(member(club))
    assert again in client.get(match.get_absolute_url()).text


def test_a_match_without_an_analysis_says_so_and_members_may_ask_for_one(client: Client, club: Club) -> None:
    match = imported(club)
    Analysis.objects.all().delete()
    page = client.get(match.get_absolute_url()).text
    assert "Not analysed yet" in page
    assert "Analyse match" not in page
    assert "Next error" not in page
    client.force_login(member(club))
    assert "Analyse match" in client.get(match.get_absolute_url()).text


def test_the_page_of_a_match_that_is_being_played_follows_it_until_it_ends(
    client: Client, club: Club
) -> None:
    match = imported(club)
    Analysis.objects.all().delete()
    Match.objects.filter(pk=match.pk).update(status=MatchStatus.PLAYING)
    page = client.get(match.get_absolute_url())
    assert page.context["page"].stepping.next is None
    assert f'data-live="/live/{match.ref}' in page.text
    assert "data-live" not in client.get(f"/matches/{match.ref}/1/").text.split('id="stage"')[1]
    live = f"/matches/{match.ref}/?live"
    assert "HX-Refresh" not in client.get(live, headers=STAGE)
    Match.objects.filter(pk=match.pk).update(status=MatchStatus.FINISHED)
    assert client.get(live, headers=STAGE)["HX-Refresh"] == "true"


def test_a_void_match_says_that_it_counts_for_nothing(client: Client, club: Club) -> None:
    match = imported(club)
    Match.objects.filter(pk=match.pk).update(status=MatchStatus.VOID)
    assert "This match is void" in client.get(match.get_absolute_url()).text


def test_only_a_director_is_told_where_a_match_is_corrected(client: Client, club: Club) -> None:
    match = imported(club)
    words = "Directors can correct or void the match there."
    for role, told in ((Role.MEMBER, False), (Role.DIRECTOR, True)):
        client.force_login(member(club, role))
        assert (words in client.get(match.get_absolute_url()).text) is told


def test_a_match_that_was_not_played_says_how_it_ended_and_who_won(client: Client, club: Club) -> None:
    ana, ben = PlayerFactory.create(name="Ana"), PlayerFactory.create(name="Ben")
    match = finish_match(open_match(club, ana, ben), "black", ended="no_show")
    assert "No-show: Ben won" in client.get(match.get_absolute_url()).text


def test_a_result_alone_shows_the_last_matches_of_the_two(client: Client, club: Club) -> None:
    ana, ben = PlayerFactory.create(name="Ana"), PlayerFactory.create(name="Ben")
    matches = [finish_match(open_match(club, ana, ben, day=day), "white") for day in range(1, 8)]
    open_match(club, ana, ben, day=9)
    page = client.get(matches[-1].get_absolute_url())
    assert "Previous meetings" in page.text
    assert [line.match.pk for line in page.context["meetings"]] == [each.pk for each in matches[-2:0:-1]]
    assert "Next error" not in page.text


def test_the_hashes_are_one_tap_away(client: Client, club: Club) -> None:
    match = imported(club)
    page = client.get(match.get_absolute_url()).text
    before, inside = page.split("Authenticity")
    assert match.sheet.head_hash not in before
    assert match.sheet.head_hash in inside


@pytest.mark.parametrize(
    ("value", "shown"), [(0.0549999, "0.055"), (-0.1996, "0.200"), (0.0004, "0.000"), (1.0, "1.000")]
)
def test_equities_are_rounded_not_cut(value: float, shown: str) -> None:
    assert error_size(value) == f"−{shown}"
    assert equity(value).lstrip("+−") == shown


CUBE = {"no double": 0.4, "double/take": 0.3, "double/pass": 1.0}


@pytest.mark.parametrize(
    ("equities", "words"),
    [
        ((0.4, 0.3, 1.0), "No double, take."),
        ((0.4, 0.6, 1.0), "Double, take."),
        ((0.9, 1.4, 1.0), "Double, pass."),
        ((1.1, 1.4, 1.0), "Too good to double, pass."),
    ],
)
def test_the_right_cube_action_is_told_for_both_players(
    equities: tuple[float, float, float], words: str
) -> None:
    candidates = tuple(
        Candidate(action, value, None, "") for action, value in zip(CUBE, equities, strict=True)
    )
    decision = Decision("1", 1, 1, Side.WHITE, DecisionKind.DOUBLE, "double", candidates, 0.0, counted=True)
    assert cube_action(decision) == words


@pytest.mark.parametrize(
    ("kind", "played", "error", "words"),
    [
        (DecisionKind.CHECKER, "8/4", 0.0, "Best play"),
        (DecisionKind.CHECKER, "8/4", 0.01, "Good play"),
        (DecisionKind.CHECKER, "8/4", 0.03, "Error"),
        (DecisionKind.CHECKER, "8/4", 0.3, "Blunder"),
        (DecisionKind.DOUBLE, "no double", 0.3, "Missed double"),
        (DecisionKind.DOUBLE, "double", 0.3, "Wrong double"),
        (DecisionKind.DOUBLE, "double", 0.01, "Close"),
        (DecisionKind.RESPONSE, "take", 0.03, "Wrong take"),
        (DecisionKind.RESPONSE, "pass", 0.03, "Wrong pass"),
        (DecisionKind.RESPONSE, "pass", 0.0, "Correct"),
    ],
)
def test_a_verdict_names_the_mistake(kind: DecisionKind, played: str, error: float, words: str) -> None:
    two = (Candidate("a", 0.1, None, ""), Candidate("b", 0.0, None, ""))
    found = judged(*two, error=error, kind=kind)
    decision = Decision("1", 1, 1, Side.WHITE, kind, played, two, error, counted=True)
    assert verdict(type(found)(decision, found.mark)) == words
