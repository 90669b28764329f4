"""Lists of matches: what a search finds, how many there are of each kind, what stands once above the rows."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.urls import reverse

from clubs.models import Club, Player, Role, Visibility
from scoring.matches.queries.days import by_day
from scoring.matches.queries.matches import lines_of
from scoring.matches.queries.narrowed import MOST_COUNTED, Choice, WhichMatches, choices_of, found_by, kept
from scoring.models import Analysis, Match, Sheet
from scoring.rules.match import Win
from scoring.rules.sides import Side
from tests.factories import ClubFactory, PlayerFactory, UserFactory, member
from tests.scoring.factories import finish_match, open_match
from tests.scoring.matches.test_list_pages import analysed, match_rows, open_page, rated, words
from tests.tournaments.desk.test_running_score import game
from tests.tournaments.factories import an_event, drawn, open_pairings
from tournaments.desk.services.calls import call
from tournaments.desk.services.tables import make_tables

pytestmark = pytest.mark.django_db

VISITOR = AnonymousUser()
XGID = "-b----E-C---eE---c-e----B-:0:0:-1:52:0:0:0:5:10"


def players(*names: str) -> list[Player]:
    return [PlayerFactory.create(name=name) for name in names]


def found(text: str, viewer=VISITOR) -> set[Match]:
    return set(found_by(Match.objects.all(), text, viewer))


# Search


def test_a_match_is_found_by_part_of_a_name_whatever_its_accents() -> None:
    club = ClubFactory.create()
    nunez, berta, iker = players("Ñora Núñez", "Berta", "Iker")
    wanted, other = rated(club, nunez, berta), rated(club, berta, iker, day=1)
    assert found("nun") == {wanted}
    assert found("NÚÑEZ nora") == {wanted}
    assert found("berta") == {wanted, other}
    assert found("zz") == found("%") == found("'") == found("…") == set()


def test_a_match_is_found_by_the_name_of_its_event() -> None:
    event = an_event(4)
    drawn(event)
    of_event = set(Match.objects.all())
    rated(event.club, *players("Ana", "Wednesbury"))
    assert len(of_event) >= 1
    assert found("wednesday", UserFactory.create()) == of_event


def test_an_event_that_must_not_be_known_finds_and_names_nothing(client) -> None:
    event = an_event(4)
    stage = drawn(event)
    make_tables(event=event, last=1, user=None)
    call(pairing=open_pairings(stage)[0], user=None, table=1)
    event.hidden = True
    event.save()
    director, visitor = member(event.club, Role.DIRECTOR), UserFactory.create()
    assert found("wednesday", visitor) == found("wednesday") == set()
    assert found("wednesday", director)
    assert "Wednesday" not in words(open_page(client, None, "matches"))
    assert "Wednesday" in words(open_page(client, director, "matches"))


def test_a_search_stays_among_the_matches_that_the_viewer_may_see(client) -> None:
    hidden = ClubFactory.create(visibility=Visibility.MEMBERS)
    rated(hidden, *players("Zaharra", "Berta"))
    shown = open_page(client, None, "matches", q="zaharra")
    assert match_rows(shown) == []
    assert "No match for “zaharra” Part of a name is enough." in words(shown)
    assert len(match_rows(open_page(client, member(hidden), "matches", q="zaharra"))) == 1


def test_what_was_searched_is_escaped_and_can_be_cleared(client) -> None:
    text = open_page(client, None, "matches", q='"><script>', show="live").content.decode()
    assert "<script>" not in text.partition("<main")[2].partition("</main")[0]
    assert 'href="?show=live"' in text


# Which matches


def begun(match: Match) -> Match:
    """The match with something written on its sheet."""
    Sheet.objects.filter(pk=match.sheet_id).update(head_seq=2, head_hash="a" * 64)
    return match


@pytest.fixture
def several() -> tuple[Club, dict[str, Match], object]:
    """One match of each kind; the user is a member who played the first two."""
    club = ClubFactory.create()
    user = member(club, name="Ana")
    ana, berta = user.player, PlayerFactory.create(name="Berta")
    other = PlayerFactory.create(name="Iker")
    made = {
        "mine": rated(club, ana, berta),
        "confirm": finish_match(open_match(club, ana, other), "white", final=False),
        "analysed": rated(club, berta, other, day=1),
        "live": begun(open_match(club, berta, other, day=2)),
        "unconfirmed": finish_match(open_match(club, berta, other, day=3), "white", final=False),
    }
    analysed(made["analysed"], 0.5, 0.9)
    return club, made, user


def test_each_choice_shows_its_own_matches(several) -> None:
    _club, made, user = several
    for shown in WhichMatches:
        results = set(made.values()) - {made["live"]}
        several_shown = {
            WhichMatches.RESULTS: results,
            WhichMatches.MINE: {made["mine"], made["confirm"]},
        }
        expected = several_shown.get(shown) or {made[shown.value]}
        assert set(kept(Match.objects.all(), shown, user)) == expected
    assert not kept(Match.objects.all(), WhichMatches.MINE, VISITOR)
    assert not kept(Match.objects.all(), WhichMatches.CONFIRM, VISITOR)


def test_a_director_is_asked_for_every_result_of_the_club(several) -> None:
    club, made, user = several
    club.memberships.filter(player=user.player).update(role=Role.DIRECTOR)
    confirmed = set(kept(Match.objects.all(), WhichMatches.CONFIRM, user))
    assert confirmed == {made["confirm"], made["unconfirmed"]}
    assert not kept(Match.objects.all(), WhichMatches.UNCONFIRMED, user)


def test_my_matches_say_what_i_did_against_whom(several, client) -> None:
    _club, _made, user = several
    text = words(open_page(client, user, "matches", show="mine"))
    assert "Won 5–0 Berta" in text


def test_two_players_matches_are_headed_by_their_score(several, client) -> None:
    _club, made, _user = several
    first, second = (side.players[0].ref for side in (made["mine"].white, made["mine"].black))
    assert "1–0 1 match" in words(open_page(client, None, "matches", player=first, against=second))


def test_an_analysis_of_an_older_sheet_does_not_count(several) -> None:
    Analysis.objects.update(head_hash="ab" * 32)
    assert not kept(Match.objects.all(), WhichMatches.ANALYSED, VISITOR)


def test_choices_are_counted_in_one_question_and_empty_ones_left_out(
    several, django_assert_num_queries
) -> None:
    _club, _made, user = several
    with django_assert_num_queries(1):
        choices = choices_of(Match.objects.all(), user, WhichMatches.RESULTS)
    assert {each.shown.value: each.number for each in choices} == {
        "": 4, "mine": 2, "confirm": 1, "analysed": 1, "live": 1, "unconfirmed": 1
    }  # fmt: skip

    def offered(current: WhichMatches) -> set[WhichMatches]:
        return {each.shown for each in choices_of(Match.objects.all(), VISITOR, current)}

    assert {WhichMatches.MINE, WhichMatches.CONFIRM, WhichMatches.UNCONFIRMED}.isdisjoint(
        offered(WhichMatches.RESULTS)
    )
    assert WhichMatches.UNCONFIRMED in offered(WhichMatches.UNCONFIRMED)
    Match.objects.filter(status="playing").update(status="void")
    assert WhichMatches.LIVE not in offered(WhichMatches.RESULTS)
    assert WhichMatches.LIVE in offered(WhichMatches.LIVE)
    assert [each.number for each in choices_of(Match.objects.none(), user, WhichMatches.RESULTS)] == [0]


def test_further_down_a_list_nothing_is_counted(client, several, django_assert_num_queries) -> None:
    _club, made, user = several
    with django_assert_num_queries(0):
        choices = choices_of(Match.objects.all(), user, WhichMatches.RESULTS, counted=False)
    assert [(each.shown, each.counted, each.more) for each in choices] == [
        (shown, None, False) for shown in WhichMatches
    ]
    text = open_page(client, user, "matches", after=made["unconfirmed"].ref).content.decode()
    assert 'class="count"' not in text
    assert len(match_rows(open_page(client, user, "matches", after=made["unconfirmed"].ref))) == 3


def test_a_number_beyond_what_is_counted_says_so() -> None:
    exact, beyond = (Choice(WhichMatches.RESULTS, MOST_COUNTED + more) for more in (0, 1))
    assert [(each.counted, each.more) for each in (exact, beyond)] == [(1000, False), (1000, True)]


def test_the_page_narrows_by_state_and_keeps_the_search(client, several) -> None:
    club, _made, user = several
    shown = open_page(client, user, "club_matches", club.slug, show="live", q="iker")
    assert len(match_rows(shown)) == 1
    text = shown.content.decode()
    assert 'href="?q=iker"' in text
    assert 'name="show" value="live"' in text
    assert len(match_rows(open_page(client, user, "club_matches", club.slug, show="nonsense"))) == 4


def test_a_member_uploads_from_the_list_and_a_visitor_does_not(client, several) -> None:
    club, _made, user = several
    upload = reverse("scoring:upload", args=[club.slug])
    for address, args in (("matches", []), ("club_matches", [club.slug])):
        assert upload in open_page(client, user, address, *args).content.decode()
        assert upload not in open_page(client, None, address, *args).content.decode()


# Days and occasions


def test_rows_of_one_day_and_occasion_stand_under_one_heading(client) -> None:
    event = an_event(4)
    drawn(event)
    club = event.club
    first = rated(club, *players("Ana", "Berta"))
    second = rated(club, *players("Iker", "Zoe"))
    day = Match.objects.exclude(pk__in=[first.pk, second.pk])[0].played_at
    Match.objects.filter(pk=first.pk).update(played_at=day)
    Match.objects.filter(pk=second.pk).update(played_at=day - timedelta(days=40))
    matches = Match.objects.with_players().newest_first()
    days = by_day(lines_of(list(matches), VISITOR), VISITOR)
    assert [(each.occasion.words if each.occasion else "") for each in days] in (
        ["Wednesday, Main", "", ""],
        ["", "Wednesday, Main", ""],
    )
    assert sum(len(each.lines) for each in days) == Match.objects.count()
    text = open_page(client, None, "club_matches", club.slug).content.decode()
    assert len(re.findall(r'<section class="day">', text)) == 2
    assert text.count(f'href="{event.get_absolute_url()}"') == 0
    Sheet.objects.update(head_seq=2, head_hash="a" * 64)
    text = open_page(client, None, "club_matches", club.slug, show="live").content.decode()
    assert len(re.findall(r'<section class="day">', text)) == 1
    assert text.count(f'href="{event.get_absolute_url()}"') == 1


def test_a_match_in_play_stands_with_its_score_and_table_and_not_among_the_results(client) -> None:
    event = an_event(4)
    director = member(event.club, Role.DIRECTOR)
    called, _waiting = open_pairings(drawn(event))
    make_tables(event=event, last=3, user=None)
    call(pairing=called, user=director, table=3)

    def shown(**query: str) -> list[str]:
        return match_rows(open_page(client, None, "club_matches", event.club.slug, **query))

    (row,) = shown()  # there is no result yet; the other match is neither called nor begun
    assert row.endswith(" Table 3 3 points ")
    game(called, director, Side.BLACK, points=Win.GAMMON)
    assert any(re.search(r"^ \S.* 0 \S.* 2 Table 3", row) for row in shown(show="live"))
    rated(event.club, *players("Zoe", "Olga"))
    assert shown() == [" Zoe (won) 5 Olga 0 5 points "]


def test_a_day_is_the_clubs_own(client) -> None:
    club = ClubFactory.create(tz="Pacific/Auckland")
    match = rated(club, *players("Ana", "Berta"))  # 19:00 in Greenwich on 1 January is the next morning there
    (day,) = by_day(lines_of([Match.objects.with_players().get(pk=match.pk)], VISITOR), VISITOR)
    assert day.on.isoformat() == "2026-01-02"
    assert 'datetime="2026-01-02"' in open_page(client, None, "matches").content.decode()


def test_the_club_stands_above_a_day_where_there_are_several(client) -> None:
    first, second = ClubFactory.create(name="Bar Point"), ClubFactory.create(name="Ace Point")
    rated(first, *players("Ana", "Berta"))
    rated(second, *players("Iker", "Zoe"))
    heads = re.findall(r"<h2>.*?</h2>", open_page(client, None, "matches").content.decode(), re.DOTALL)
    assert sorted("Bar Point" in head for head in heads) == [False, True]
    text = open_page(client, None, "matches", club=first.slug).content.decode()
    assert "Bar Point" not in "".join(re.findall(r"<h2>.*?</h2>", text, re.DOTALL))


# The biggest error


def with_worst(match: Match) -> None:
    analysis = analysed(match, 0.5, 0.9)
    assert analysis.summary is not None
    analysis.summary["worst"] = {"seq": 9, "side": "black", "error": 0.4123, "xgid": XGID}
    analysis.save()


def test_an_analysed_row_says_its_biggest_error(client) -> None:
    match = rated(ClubFactory.create(), *players("Ana", "Berta"))
    with_worst(match)
    (row,) = match_rows(open_page(client, None, "matches"))
    assert "Biggest error −0.412 Berta" in row
