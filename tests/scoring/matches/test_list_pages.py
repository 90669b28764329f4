"""The list pages: what they show to whom, and for how many questions to the database."""

import re
from urllib.parse import quote

import pytest
from django.contrib.auth.models import AnonymousUser
from django.urls import reverse

from clubs.models import Membership, Role, Visibility, WorkStatus
from scoring.matches.queries.matches import match_stretch
from scoring.models import (
    Analysis,
    Colour,
    Match,
    MatchStatus,
    RatingChange,
    RatingUpdate,
    Seat,
    Sheet,
    SidePlay,
)
from scoring.ratings.queries.ratings import Sort, rating_stretch
from scoring.ratings.services.ratings import main_list, replay_list
from scoring.theory.play_sums import DiceSums
from tests.factories import ClubFactory, MembershipFactory, PlayerFactory, UserFactory, member
from tests.scoring.factories import finish_match, open_match

pytestmark = pytest.mark.django_db
VISITOR = AnonymousUser()

SESSION_AND_USER = 2
LABEL = "gammonview 3.1.0 fast@2"


def words(response) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", response.content.decode().partition("<main")[2]))


def links(response) -> list[str]:
    return re.findall(r'href="([^"]+)"', response.content.decode())


def open_page(client, user, address, *args, **query):
    if user is None:
        client.logout()
    else:
        client.force_login(user)
    return client.get(reverse(f"scoring:{address}", args=args), query)


def sums(loss: float, counted: int = 50) -> dict[str, float]:
    return {
        "checker_loss": loss,
        "checker_counted": counted,
        "cube_loss": 0.0,
        "cube_counted": 0,
        "luck": 0.0,
        "luck_rolls": counted,
    }


def analysed(match: Match, white: float, black: float, *, label: str = LABEL) -> Analysis:
    """A finished analysis in which the two sides lost so much in 50 counted decisions each."""
    analysis = Analysis.objects.create(
        match=match,
        head_seq=match.sheet.head_seq,
        head_hash=match.sheet.head_hash,
        preset=label.rpartition(" ")[2],
        label=label,
        status=WorkStatus.DONE,
        summary={"match": {"white": sums(white), "black": sums(black)}, "games": {}},
    )
    nothing = dict.fromkeys(DiceSums.__slots__, 0)
    for side in match.sides.all():
        lost = white if side.colour == Colour.WHITE else black
        tally = {"counted": 50, "loss": lost, "squares": lost**2, "errors": 0, "blunders": 1, "worst": lost}
        whose = {"analysis": analysis, "match": match, "label": label, "side": side, "colour": side.colour}
        seats = list(side.seats.all())
        whose |= {"player": seats[0].player if len(seats) == 1 else None, "played_at": match.played_at}
        SidePlay.objects.create(**whose, **tally, **nothing)
    return analysis


def rated(club, white, black, *, day: int = 0, winner: str = "white", length: int = 5) -> Match:
    return finish_match(open_match(club, white, black, length=length, day=day), winner)


def some_matches(club, number: int, white=None, black=None) -> list[Match]:
    """Finished, analysed matches, each by other people unless named; the rating list is up to date."""
    matches = []
    for day in range(number):
        first = white or PlayerFactory.create(name=f"Ana {day}")
        second = black or PlayerFactory.create(name=f"Berta {day}")
        match = rated(club, first, second, day=day)
        analysed(match, 0.5, 0.9)
        matches.append(match)
    replay_list(rating_list=main_list(club))
    return matches


# Matches


@pytest.mark.parametrize("number", [1, 3])
def test_all_matches_for_seven_questions(client, django_assert_num_queries, number):
    club = ClubFactory.create()
    some_matches(club, number)
    client.force_login(member(club))
    # the matches, sides, seats, players, people, analyses, events; how many; the clubs to choose from
    with django_assert_num_queries(SESSION_AND_USER + 7):
        response = client.get(reverse("scoring:matches"))
    assert len(set(re.findall(r"/matches/\w{10}/", response.content.decode()))) == number
    assert "Ana 0 (won) 5 PR 5.0" in words(response)


@pytest.mark.parametrize("number", [1, 3])
def test_a_clubs_matches_for_seven_questions(client, django_assert_num_queries, number):
    club = ClubFactory.create()
    some_matches(club, number)
    # the club; the matches, sides, seats, players, people, analyses, events; how many
    with django_assert_num_queries(7):
        response = client.get(reverse("scoring:club_matches", args=[club.slug]))
    assert words(response).count("5 points") == number


def test_matches_of_a_hidden_club_are_seen_by_its_people_alone(client):
    hidden = ClubFactory.create(visibility=Visibility.MEMBERS, name="The Den")
    (match,) = some_matches(hidden, 1)
    (other_guest, outsider) = (member(ClubFactory.create(), Role.GUEST), UserFactory.create())
    for viewer in (None, outsider, other_guest):
        shown = open_page(client, viewer, "matches")
        assert match.ref not in shown.content.decode()
        assert "The Den" not in shown.content.decode()
        assert "Ana" not in words(shown).split()
    for role in (Role.GUEST, Role.MEMBER, Role.DIRECTOR):
        assert match.ref in open_page(client, member(hidden, role), "matches").content.decode()


def test_matches_are_filtered_by_club_player_and_opponent(client):
    club, other = ClubFactory.create(), ClubFactory.create()
    ana, berta, iker = (PlayerFactory.create(name=name) for name in ("Ana", "Berta", "Iker"))
    wanted = rated(club, ana, berta)
    with_iker = rated(club, iker, ana, day=1)
    elsewhere = rated(other, ana, berta, day=2)

    def found(**query):
        text = open_page(client, None, "matches", **query).content.decode()
        return {match for match in (wanted, with_iker, elsewhere) if f"/matches/{match.ref}/" in text}

    assert found() == {wanted, with_iker, elsewhere}
    assert found(club=club.slug) == {wanted, with_iker}
    assert found(player=berta.ref) == {wanted, elsewhere}
    assert found(player=ana.ref, against=iker.ref) == {with_iker}
    assert found(club=other.slug, player=iker.ref) == set()


def test_a_filter_by_a_player_who_must_not_be_known_finds_nobody(client):
    hidden = ClubFactory.create(visibility=Visibility.MEMBERS)
    secret = PlayerFactory.create(name="Zaharra")
    rated(hidden, secret, PlayerFactory.create())
    response = open_page(client, None, "matches", player=secret.ref)
    assert response.status_code == 404
    assert "Zaharra" not in response.content.decode()


def test_stretches_lead_forward_and_back_over_all_matches_once():
    club = ClubFactory.create()
    refs = [match.ref for match in some_matches(club, 5)][::-1]
    matches = Match.objects.in_club(club)
    forward, after = [], ""
    while True:
        shown = match_stretch(matches, VISITOR, after=after, size=2)
        forward.append([line.match.ref for line in shown.rows])
        if not (after := shown.after):
            break
    assert forward == [refs[0:2], refs[2:4], refs[4:]]
    backward, before = [], shown.before
    while before:
        shown = match_stretch(matches, VISITOR, before=before, size=2)
        backward.append([line.match.ref for line in shown.rows])
        before = shown.before
    assert backward == [refs[2:4], refs[0:2]]
    assert shown.after == refs[1]


def test_a_place_that_is_gone_begins_anew():
    club = ClubFactory.create()
    some_matches(club, 1)
    assert len(match_stretch(Match.objects.in_club(club), VISITOR, after="23456789ab").rows) == 1


def test_only_the_list_is_sent_to_htmx(client):
    club = ClubFactory.create()
    some_matches(club, 1)
    response = client.get(reverse("scoring:matches"), headers={"HX-Target": "list"})
    assert response.content.decode().strip().startswith('<section id="list"')
    assert "HX-Target" in response["Vary"]


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (MatchStatus.PLAYING, "Not started"),
        (MatchStatus.UNFINISHED, "Unfinished"),
        (MatchStatus.VOID, "Void"),
        (MatchStatus.FINISHED, "Awaiting confirmation"),
    ],
)
def test_a_row_says_how_its_match_stands(client, status, said):
    club = ClubFactory.create()
    match = open_match(club, PlayerFactory.create(), PlayerFactory.create())
    if status == MatchStatus.FINISHED:
        finish_match(match, "white", final=False)
    else:
        Match.objects.filter(pk=match.pk).update(status=status)
    Sheet.objects.update(head_seq=2, head_hash="a" * 64)
    (row,) = match_rows(open_page(client, None, "matches"))
    assert said in row


def match_rows(response) -> list[str]:
    """What each row of a list of matches says."""
    rows = re.findall(r'<a class="match".*?</a>', response.content.decode(), re.DOTALL)
    return [re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", row)) for row in rows]


def test_a_final_result_is_the_usual_case_and_says_nothing(client):
    rated(ClubFactory.create(), PlayerFactory.create(name="Ana"), PlayerFactory.create(name="Berta"))
    assert match_rows(open_page(client, None, "matches")) == [" Ana (won) 5 Berta 0 5 points "]


@pytest.mark.parametrize(("ended", "said"), [("no_show", "No-show"), ("withdrawn", "Withdrawn")])
def test_a_match_that_was_not_begun_says_how_it_ended_and_no_score(client, ended, said):
    match = open_match(
        ClubFactory.create(), PlayerFactory.create(name="Ana"), PlayerFactory.create(name="Bo")
    )
    finish_match(match, "white", ended=ended)
    assert match_rows(open_page(client, None, "matches")) == [f" Ana (won) Bo {said} 5 points "]


def test_a_director_confirms_in_the_list_of_what_is_to_confirm_and_comes_back(client):
    club = ClubFactory.create()
    match = finish_match(
        open_match(club, PlayerFactory.create(), PlayerFactory.create()), "white", final=False
    )
    client.force_login(member(club, Role.DIRECTOR))
    listed = reverse("scoring:matches") + "?show=confirm"
    page = client.get(listed).content.decode()
    form = page[page.index(f'action="{reverse("scoring:confirm", args=[match.ref])}"') :]
    assert "Confirm 5–0" in form
    assert f'name="next" value="{listed}"' in form
    sent = {"next": listed, "revision": match.result.revision}
    answer = client.post(reverse("scoring:confirm", args=[match.ref]), sent)
    assert (answer.status_code, answer["Location"]) == (302, listed)
    match.result.refresh_from_db()
    assert match.result.final_at
    assert "<form" not in client.get(reverse("scoring:matches")).content.decode().partition('id="list"')[2]


# Ratings


@pytest.mark.parametrize("number", [1, 3])
def test_a_rating_list_for_eight_questions(client, django_assert_num_queries, number):
    club = ClubFactory.create()
    some_matches(club, number)
    # the club, the list, the ratings, the first rank, the labels, those of files, the error rates, changes
    with django_assert_num_queries(8):
        response = client.get(reverse("scoring:rating_list", args=[club.slug]))
    shown = words(response)
    assert shown.count("Ana ") == shown.count("Berta ") == number
    assert "1 Ana 0 1522.4 +22.4 5.0 1 " in shown
    assert LABEL in shown


def test_every_number_of_the_list_is_a_door(client):
    club = ClubFactory.create()
    ana, berta = PlayerFactory.create(name="Ana"), PlayerFactory.create(name="Berta")
    (match,) = some_matches(club, 1, ana, berta)
    doors = links(open_page(client, None, "rating_list", club.slug))
    listed = main_list(club)
    for door in (
        f"/players/{ana.ref}/",
        f"/players/{ana.ref}/rating/?list={listed.ref}",
        f"/players/{ana.ref}/play/?label={quote(LABEL)}",
        f"/players/{ana.ref}/matches/",
        f"/matches/{match.ref}/",
    ):
        assert door in doors


def test_search_keeps_the_ranks_of_the_list():
    club = ClubFactory.create()
    ana, nora, iker = (PlayerFactory.create(name=name) for name in ("Ana", "Ñora Núñez", "Iker"))
    rated(club, ana, nora)
    rated(club, ana, iker, day=1)
    listed = main_list(club)
    replay_list(rating_list=listed)
    whole, _label, _labels = rating_stretch(listed, VISITOR)
    assert [line.rank for line in whole.rows] == [1, 2, 3]
    ranks = {line.rating.player_id: line.rank for line in whole.rows}
    found, _label, _labels = rating_stretch(listed, VISITOR, search="núñ")
    assert [(line.rank, line.rating.player_id) for line in found.rows] == [(ranks[nora.pk], nora.pk)]


def test_ranks_go_on_where_the_stretch_before_ended():
    club = ClubFactory.create()
    some_matches(club, 3)
    first, _label, _labels = rating_stretch(main_list(club), VISITOR, size=4)
    second, _label, _labels = rating_stretch(main_list(club), VISITOR, size=4, after=first.after)
    assert [line.rank for line in first.rows + second.rows] == [1, 2, 3, 4, 5, 6]
    assert (second.before, second.after) == (second.rows[0].rating.player.ref, "")


def test_error_rates_pool_losses_of_one_label_and_of_the_sheet_as_it_stands(client):
    club = ClubFactory.create()
    ana, berta = PlayerFactory.create(name="Ana"), PlayerFactory.create(name="Berta")
    first, second, third = (rated(club, ana, berta, day=day) for day in range(3))
    analysed(first, 0.4, 1.0)
    analysed(second, 0.8, 1.0)
    analysed(third, 40.0, 40.0, label="gnubg 1.08 2ply")
    stale = analysed(third, 40.0, 40.0)
    Analysis.objects.filter(pk=stale.pk).update(head_hash="ab" * 32)
    replay_list(rating_list=main_list(club))
    lines, label, _labels = rating_stretch(main_list(club), VISITOR)
    assert label == LABEL
    assert {line.rating.player_id: line.pr for line in lines.rows} == {
        ana.pk: pytest.approx(6.0),
        berta.pk: pytest.approx(10.0),
    }


def test_a_pair_has_no_error_rate_of_its_own(client):
    club = ClubFactory.create()
    ana, berta, iker = (PlayerFactory.create(name=name) for name in ("Ana", "Berta", "Iker"))
    match = rated(club, ana, berta)
    Seat.objects.create(match=match, side=match.white, player=iker, order=1)
    analysed(Match.objects.get(pk=match.pk), 0.4, 1.0)
    assert "No analysed matches yet" in words(open_page(client, None, "player_play", ana.ref))
    shown = words(open_page(client, None, "player_play", berta.ref))
    assert "from 1 analysed match · 50 decisions" in shown
    assert "All 1 50 10.0 too few" in shown


@pytest.mark.parametrize("number", [1, 3])
def test_the_way_to_the_lists_for_three_questions(client, django_assert_num_queries, number):
    user = UserFactory.create()
    player = PlayerFactory.create(user=user)
    for _ in range(number):
        club = ClubFactory.create()
        MembershipFactory.create(club=club, player=player)
        some_matches(club, 1, white=player)
        some_matches(ClubFactory.create(visibility=Visibility.MEMBERS, name="Hidden"), 1)
    client.force_login(user)
    # the lists, their player and places
    with django_assert_num_queries(SESSION_AND_USER + 3):
        response = client.get(reverse("scoring:ratings"), {"all": "1"})
    assert words(response).count("2 1st 1522.4") == number
    assert "Hidden" not in words(response)


def test_ratings_begin_with_the_list_on_which_one_stands(client):
    user = UserFactory.create()
    player = PlayerFactory.create(user=user, name="Olga")
    elsewhere, own = ClubFactory.create(name="Ace Point"), ClubFactory.create(name="Bar Point")
    some_matches(elsewhere, 1)
    some_matches(own, 1, white=player)
    response = open_page(client, user, "ratings")
    assert (
        "Ratings ? Help: Your rating (new tab) Other clubs Bar Point · 2 players · your rank: 1st"
        in words(response)
    )
    assert response.context["list"].club == own
    found = open_page(client, user, "ratings", q="berta")
    assert [line.rating.player.name for line in found.context["stretch"].rows] == ["Berta 0"]
    chosen = words(open_page(client, None, "ratings"))
    assert "Ace Point 2 Bar Point 2" in chosen


def test_the_only_list_needs_no_choice(client):
    some_matches(ClubFactory.create(name="Bar Point"), 1)
    some_matches(ClubFactory.create(visibility=Visibility.MEMBERS, name="Hidden"), 1)
    response = open_page(client, None, "ratings")
    assert "Bar Point · 2 players" in words(response)
    assert "Other clubs" not in words(response)


SORTED_BY = {
    "rating": lambda line: -line.rating.value,
    "name": lambda line: line.rating.player.name,
    "change": lambda line: -line.last.points,
    "matches": lambda line: -line.rating.matches,
    "last": lambda line: -line.last.played_at.timestamp(),
    "nonsense": lambda line: -line.rating.value,
}


@pytest.mark.parametrize("sort", list(SORTED_BY))
def test_a_list_is_sorted_and_keeps_its_ranks(client, sort):
    club = ClubFactory.create()
    ana, berta, iker = (PlayerFactory.create(name=name) for name in ("Ana", "Berta", "Iker"))
    rated(club, ana, berta, length=17)
    rated(club, iker, berta, day=1, length=13)
    rated(club, berta, ana, day=2, length=1)
    replay_list(rating_list=main_list(club))
    response = open_page(client, None, "rating_list", club.slug, sort=sort)
    lines = response.context["stretch"].rows
    assert lines == sorted(lines, key=SORTED_BY[sort])
    assert [line.rank for line in sorted(lines, key=SORTED_BY["rating"])] == [1, 2, 3]
    assert response.content.decode().count("aria-sort") == 1


@pytest.mark.parametrize("sort", ["rating", "name", "change", "matches", "last"])
def test_every_order_of_a_list_has_everybody_once(sort):
    club = ClubFactory.create()
    some_matches(club, 4)
    seen, after = [], ""
    while True:
        shown, _label, _labels = rating_stretch(
            main_list(club), VISITOR, sort=Sort(sort), size=3, after=after
        )
        seen += [line.rating.player_id for line in shown.rows]
        if not (after := shown.after):
            break
    assert len(seen) == len(set(seen)) == 8


def test_empty_lists_say_how_they_begin(client):
    club = ClubFactory.create()
    for address, args in (("matches", ()), ("ratings", ()), ("rating_list", (club.slug,))):
        response = open_page(client, None, address, *args)
        assert 'class="empty"' in response.content.decode()
    response = open_page(client, member(club), "club_matches", club.slug)
    assert f"/clubs/{club.slug}/upload/" in links(response)


@pytest.mark.parametrize("address", ["club_matches", "rating_list"])
def test_a_hidden_club_is_not_there_for_others(client, address):
    hidden = ClubFactory.create(visibility=Visibility.MEMBERS)
    assert open_page(client, None, address, hidden.slug).status_code == 302
    assert open_page(client, member(ClubFactory.create()), address, hidden.slug).status_code == 404
    assert open_page(client, member(hidden, Role.GUEST), address, hidden.slug).status_code == 200


# Confirming


def unconfirmed(club, white, black) -> Match:
    return finish_match(open_match(club, white, black), "white", final=False)


def is_final(match) -> bool:
    return Match.objects.final().filter(pk=match.pk).exists()


def confirm(client, user, match, **data):
    client.force_login(user)
    return client.post(reverse("scoring:confirm", args=[match.ref]), data, follow=True)


def test_both_sides_say_yes_and_the_result_is_final(client):
    club = ClubFactory.create()
    ana, berta = member(club, name="Ana"), member(club, name="Berta")
    match = unconfirmed(club, ana.player, berta.player)
    assert "Waiting for the other side to confirm." in words(confirm(client, ana, match, next="/"))
    assert not is_final(match)
    assert "Ana – Berta is final." in words(confirm(client, berta, match, next="/"))
    assert is_final(match)
    assert RatingUpdate.objects.filter(match=match).exists()


def test_a_directors_yes_settles_it_alone(client):
    club = ClubFactory.create()
    match = unconfirmed(club, PlayerFactory.create(name="Ana"), PlayerFactory.create(name="Berta"))
    confirm(client, member(club, Role.DIRECTOR), match, next="/")
    assert is_final(match)


def test_nobody_else_confirms(client):
    club, hidden = ClubFactory.create(), ClubFactory.create(visibility=Visibility.MEMBERS)
    match = unconfirmed(club, PlayerFactory.create(), PlayerFactory.create())
    assert "Only the players of this match" in words(confirm(client, member(club), match, next="/"))
    secret = unconfirmed(hidden, PlayerFactory.create(), PlayerFactory.create())
    assert confirm(client, member(club), secret).status_code == 404
    client.logout()
    assert client.post(reverse("scoring:confirm", args=[match.ref])).status_code in {302, 404}
    assert not is_final(match)
    assert not is_final(secret)


def test_after_a_yes_one_stays_on_this_site(client):
    club = ClubFactory.create()
    ana = member(club)
    match = unconfirmed(club, ana.player, PlayerFactory.create())
    client.force_login(ana)
    response = client.post(reverse("scoring:confirm", args=[match.ref]), {"next": "https://evil.example/"})
    assert response["Location"] == match.get_absolute_url()


def test_an_unfinished_match_has_nothing_to_confirm(client):
    club = ClubFactory.create()
    ana = member(club)
    match = open_match(club, ana.player, PlayerFactory.create())
    assert "not finished" in words(confirm(client, ana, match, next="/"))
    assert not RatingChange.objects.exists()


# Members of clubs keep their names on every page


def test_names_are_escaped(client):
    club = ClubFactory.create(name="<script>alert(1)</script>")
    bad = PlayerFactory.create(name="<b>Ana</b>")
    Membership.objects.create(club=club, player=bad)
    some_matches(club, 1, bad)
    addresses = [
        ("matches", ()),
        ("ratings", ()),
        ("rating_list", (club.slug,)),
        ("player", (bad.ref,)),
        ("opponents", (bad.ref,)),
    ]
    for address, args in addresses:
        text = open_page(client, member(club), address, *args).content.decode()
        assert "<script>alert" not in text, address
        assert "<b>Ana" not in text, address
