"""A link shows what it is for to everyone who has it, and nothing else, until it ends."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now
from pytest_django import DjangoAssertNumQueries

from clubs.accounts.queries import personal_data
from clubs.clubs.services.erasures import erase_user
from clubs.models import AnalysesShown, Club, Membership, Role, User, Visibility
from scoring.analysis.queries.privacy import KEPT
from scoring.models import LinkShows, Match, NoteFor, ShareLink
from scoring.rules.sides import Side
from scoring.sharing.services.links import MOST, LinkRefused, end_link, make_link
from scoring.sharing.services.notes import write_note
from scoring.sharing.services.privacy import choose_match_privacy
from scoring.sheets.queries.opened_match import open_match_of
from tests.clubs.api.clients import with_token
from tests.factories import ClubFactory, UserFactory, member
from tests.races import at_once
from tests.scoring.matches.test_stage import analysed, checker, imported, seated

pytestmark = pytest.mark.django_db


class Kept:
    """A hidden club's match of two members, analysed, with notes; and everyone who could look at it."""

    def __init__(self) -> None:
        self.club: Club = ClubFactory.create(name="Bar Point", visibility=Visibility.MEMBERS)
        self.match = imported(self.club)
        analysed(self.match, [checker(1, 0.123), checker(3, 0.03)])
        self.ana, self.ben = seated(self.match, Side.WHITE), seated(self.match, Side.BLACK)
        for user in (self.ana, self.ben):
            Membership.objects.get_or_create(
                club=self.club, player=user.player, defaults={"role": Role.MEMBER}
            )
        self.match = Match.objects.with_players().select_related("sheet", "club").get(pk=self.match.pk)
        self.director = member(self.club, Role.DIRECTOR)
        self.viewers: dict[str, User | None] = {
            "visitor": None,
            "stranger": UserFactory.create(),
            "admin": UserFactory.create(is_superuser=True),
            "white": self.ana,
            "black": self.ben,
            **{role.name.lower(): member(self.club, role) for role in Role},
        }
        for audience in NoteFor:
            write_note(user=self.ana, match=self.match, text=f"Secret for {audience}", audience=audience)

    def make(self, user: User, shows: LinkShows = LinkShows.ANALYSIS, **asked: Any) -> tuple[ShareLink, str]:
        opened = open_match_of(self.match.ref, user)
        assert opened is not None
        values = {"days": 7, "step": 1 if shows == LinkShows.DECISION else None} | asked
        return make_link(user=user, match=opened.match, role=opened.role, shows=shows, **values)

    def link(self, shows: LinkShows = LinkShows.ANALYSIS) -> str:
        return reverse("scoring:shared", args=[self.make(self.ana, shows)[1]])

    def clients(self) -> Iterator[tuple[str, Client]]:
        for name, user in self.viewers.items():
            client = Client()
            if user is not None:
                client.force_login(user)
            yield name, client


@pytest.fixture
def kept() -> Kept:
    return Kept()


def shown(client: Client, address: str) -> str:
    """What the page shows in its content."""
    answer = client.get(address)
    assert answer.status_code == 200, (address, answer.status_code)
    return answer.content.decode().partition("<main")[2].partition("</main>")[0]


def test_players_and_directors_can_make_and_see_links_and_no_one_else(kept: Kept) -> None:
    can = {"white", "black", "director", "owner", "admin"}
    page = reverse("scoring:match_links", args=[kept.match.ref])
    made = 0
    for name, client in kept.clients():
        status = client.get(page).status_code
        assert status == (200 if name in can else 403 if name in {"guest", "member"} else 404), name
        sent = client.post(page, {"shows": "analysis", "days": "30"}).status_code
        assert (sent == 302) is (name in can), name
        made += name in can
        user = kept.viewers[name]
        if user is not None:
            api = with_token(user).get(f"/api/v1/matches/{kept.match.ref}/links/").status_code
            assert (api == 200) is (name in can), name
    assert ShareLink.objects.count() == made


@pytest.mark.parametrize("shows", LinkShows)
def test_everyone_with_the_link_sees_the_same(kept: Kept, shows: LinkShows) -> None:
    address = kept.link(shows)
    pages = {name: shown(client, address) for name, client in kept.clients()}
    assert len(set(pages.values())) == 1
    page = pages["visitor"]
    assert "Ana" in page
    assert ("−0.123" in page) is (shows != LinkShows.MATCH)
    assert ("Summary" in page) is (shows == LinkShows.ANALYSIS)
    assert ("shared/" in "".join(re.findall(r'href="([^"]+)"', page))) is (shows != LinkShows.DECISION)


@pytest.mark.parametrize("shows", LinkShows)
def test_a_link_shows_nothing_but_what_it_is_for(kept: Kept, shows: LinkShows) -> None:
    address = kept.link(shows)
    for _name, client in kept.clients():
        for page in (address, f"{address}3/", f"{address}1/embed/"):
            whole = client.get(page).content.decode()
            assert "Secret" not in whole
            assert "Bar Point" not in whole
            assert kept.match.ref not in whole
            assert not re.search(
                rf'href="[^"]*/(players|clubs)/({kept.ana.player.ref}|{kept.club.slug})', whole
            )


def test_a_link_to_one_decision_shows_no_other_step(kept: Kept) -> None:
    address = kept.link(LinkShows.DECISION)
    client = Client()
    assert "step 1" in shown(client, f"{address}3/")
    assert client.get(f"{address}1/board.png").status_code == 200
    assert client.get(f"{address}3/board.png").status_code == 404
    assert client.get(f"{address}3/embed/").status_code == 404
    assert "−0.030" not in shown(client, f"{address}3/")


def test_the_address_is_no_secret_that_is_told(client: Client, kept: Kept) -> None:
    link, secret = kept.make(kept.ana)
    assert secret not in str(ShareLink.objects.filter(pk=link.pk).values())
    for page in ("", "3/", "1/board.png", "1/embed/"):
        headers = client.get(reverse("scoring:shared", args=[secret]) + page).headers
        assert headers["Referrer-Policy"] == "no-referrer"
        assert "noindex" in headers["X-Robots-Tag"]
        assert "no-store" in headers["Cache-Control"]


def test_only_the_first_page_counts_as_an_opening(client: Client, kept: Kept) -> None:
    link, secret = kept.make(kept.ana)
    address = reverse("scoring:shared", args=[secret])
    for page in ("", "", "2/", "1/board.png", "1/embed/"):
        assert client.get(address + page).status_code == 200
    client.head(address)
    link.refresh_from_db()
    assert link.opened == 2


@pytest.mark.parametrize("page", ["", "3/", "1/board.png", "1/embed/"])
def test_an_ended_link_says_so(client: Client, kept: Kept, page: str) -> None:
    link, secret = kept.make(kept.ana)
    address = reverse("scoring:shared", args=[secret]) + page
    ShareLink.objects.update(until=now() - timedelta(seconds=1))
    answer = client.get(address)
    assert answer.status_code == 410
    assert "This link has ended" in answer.content.decode()
    assert "Ana" not in answer.content.decode()
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    ShareLink.objects.update(until=now() + timedelta(days=1))
    assert client.get(address).status_code == 200
    end_link(user=kept.ana, ref=link.ref)
    assert client.get(address).status_code == 410
    assert client.get(reverse("scoring:shared", args=["unknown"]) + page).status_code == 404


def test_those_who_can_make_links_end_all_to_the_match(kept: Kept) -> None:
    can = {"white", "black", "director", "owner", "admin"}
    for name, client in kept.clients():
        link, _secret = kept.make(kept.ben)
        client.post(reverse("scoring:end_link", args=[link.ref]))
        link.refresh_from_db()
        assert link.has_ended is (name in can), name


def test_ending_a_link_leads_back_to_the_step_that_one_came_from(kept: Kept) -> None:
    client = dict(kept.clients())["white"]
    link, _secret = kept.make(kept.ana)
    page = reverse("scoring:match_links", args=[link.match.ref])
    assert '<input type="hidden" name="step" value="1">' in client.get(page, {"step": "1"}).content.decode()
    ended = client.post(reverse("scoring:end_link", args=[link.ref]), {"here": "on", "step": "1"})
    assert ended.headers["Location"] == f"{page}?step=1"


def test_a_kept_analysis_is_shown_by_no_link(client: Client, kept: Kept) -> None:
    address, one = kept.link(LinkShows.ANALYSIS), kept.link(LinkShows.DECISION)
    choose_match_privacy(user=kept.ben, match=kept.match, shown=AnalysesShown.PLAYERS)
    for each in (address, one):
        page = shown(client, each)
        assert str(KEPT) in page
        assert "−0.123" not in page
        assert "Summary" not in page
    assert "−0.123" not in client.get(f"{address}1/embed/").content.decode()
    for shows in (LinkShows.ANALYSIS, LinkShows.DECISION):
        with pytest.raises(LinkRefused, match="A player keeps the analysis"):
            kept.make(kept.ana, shows)
    assert "−0.123" not in shown(client, kept.link(LinkShows.MATCH))
    choose_match_privacy(user=kept.ben, match=kept.match, shown=None)
    assert "−0.123" in shown(client, address)


def test_a_link_ends_when_its_maker_can_no_longer_share(client: Client, kept: Kept) -> None:
    by_director = reverse("scoring:shared", args=[kept.make(kept.director)[1]])
    by_player = reverse("scoring:shared", args=[kept.make(kept.ana)[1]])
    Membership.objects.filter(player=kept.director.player).update(role=Role.MEMBER)
    assert client.get(by_director).status_code == 410
    assert client.get(by_player).status_code == 200
    Membership.objects.filter(player=kept.ana.player).delete()
    assert client.get(by_player).status_code == 410  # the club is hidden, and they are no longer in it
    Club.objects.update(visibility=Visibility.PUBLIC)
    assert client.get(by_player).status_code == 200
    User.objects.filter(pk=kept.ana.pk).update(is_active=False)
    assert client.get(by_player).status_code == 410


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"days": 8}, "7, 30 or 90 days, not 8"),
        ({"shows": LinkShows.DECISION, "step": 9999}, "none with the number 9999"),
        ({"shows": LinkShows.DECISION, "step": 0}, "none with the number 0"),
    ],
)
def test_a_link_that_cannot_be_made_says_why(kept: Kept, asked: dict[str, Any], said: str) -> None:
    with pytest.raises(LinkRefused, match=said):
        kept.make(kept.ana, **asked)
    with pytest.raises(PermissionDenied):
        kept.make(member(kept.club))
    assert not ShareLink.objects.exists()


def test_a_new_link_is_shown_once(client: Client, kept: Kept) -> None:
    client.force_login(kept.ana)
    page = reverse("scoring:match_links", args=[kept.match.ref])
    assert 'value="decision"' in client.get(page, {"step": "3"}).content.decode()
    first = client.post(page, {"shows": "decision", "days": "90", "step": "3"}, follow=True).content.decode()
    (address,) = re.findall(r'<pre id="made-address"[^>]*>([^<]+)<', first)
    assert "&lt;iframe src=" in first
    assert 'value="decision"' in first  # the next link can show the same decision
    assert ShareLink.objects.get().until > now() + timedelta(days=89)
    assert "step 3" in shown(Client(), address)
    assert address not in client.get(page).content.decode()
    mine = client.get(reverse("scoring:links")).content.decode()
    assert "opened 1 time" in mine
    assert "End link" in mine


def test_the_api_makes_lists_and_ends_links(kept: Kept) -> None:
    api, other = with_token(kept.ana), with_token(kept.ben)
    here = f"/api/v1/matches/{kept.match.ref}/links/"
    made = api.post(here, {"shows": "decision", "days": 7, "step": 1}, format="json")
    assert made.status_code == 201
    assert "−0.123" in shown(Client(), made.data["address"])
    assert made.data["embed"].startswith("<iframe ")
    assert [each["ref"] for each in other.get(here).data["items"]] == [made.data["ref"]]
    assert "address" not in api.get("/api/v1/me/links/").data["items"][0]
    assert api.get("/api/v1/me/links/").data["items"][0]["opened"] == 1
    one = f"/api/v1/links/{made.data['ref']}/"
    assert other.get(one).status_code == 404
    for wrong in (
        {"shows": "decision"},
        {"shows": "match", "step": 1},
        {"shows": "all"},
        {"shows": "match", "days": 1},
    ):
        assert api.post(here, wrong, format="json").status_code == 400, wrong
    assert other.delete(one).status_code == 204
    assert api.get(one).data["ended"] is True
    assert Client().get(made.data["address"]).status_code == 410


@pytest.mark.parametrize("shows", LinkShows)
def test_programs_read_what_the_page_of_a_link_shows(client: Client, kept: Kept, shows: LinkShows) -> None:
    link, secret = kept.make(kept.ana, shows)
    here = reverse("api:shared", args=[secret])
    answer = client.get(here, {"step": "1"})
    told = answer.json()
    assert (told["white"], told["step"], told["shows"]) == (kept.match.white.name, 1, shows)
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "no-store" in answer.headers["Cache-Control"]
    judged = shows != LinkShows.MATCH
    assert [each["error"] for each in told["decisions"]] == ([0.123] if judged else [])
    assert (told["label"] != "") is judged
    assert (told["pr"] is not None) is (shows == LinkShows.ANALYSIS)
    assert [each["step"] for each in told["biggest_errors"]] == (
        [1, 3] if shows == LinkShows.ANALYSIS else []
    )
    other = client.get(here, {"step": "3"})
    assert other.status_code == (404 if shows == LinkShows.DECISION else 200)
    assert client.get(here, {"step": "x"}).status_code == 400
    link.refresh_from_db()
    assert link.opened == 0
    choose_match_privacy(user=kept.ben, match=kept.match, shown=AnalysesShown.PLAYERS)
    told = client.get(here, {"step": "1"}).json()
    assert (told["decisions"], told["pr"], told["biggest_errors"], told["kept"]) == ([], None, [], judged)
    assert kept.match.ref not in str(told)
    end_link(user=kept.ana, ref=link.ref)
    assert client.get(here).json()["code"] == "gone"
    assert client.get(reverse("api:shared", args=["unknown"])).status_code == 404


def test_erasing_a_player_deletes_their_links(client: Client, kept: Kept) -> None:
    address = kept.link()
    assert personal_data(kept.ana)["links"][0]["shows"] == "analysis"
    erase_user(user=kept.ana)
    assert client.get(address).status_code == 404


@pytest.mark.parametrize("number", [1, 3])
def test_pages_of_links_take_the_same_queries(
    client: Client, kept: Kept, number: int, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _each in range(number):
        address = kept.link(LinkShows.DECISION)
    with django_assert_max_num_queries(10):
        client.get(address)
    client.force_login(kept.ana)
    with django_assert_max_num_queries(8):
        client.get(reverse("scoring:links"))
    with django_assert_max_num_queries(8):
        client.get(reverse("scoring:match_links", args=[kept.match.ref]))


@pytest.mark.django_db(transaction=True)
def test_two_links_at_once_keep_to_the_limit() -> None:
    kept = Kept()
    until = now() + timedelta(days=1)
    ShareLink.objects.bulk_create(
        ShareLink(match=kept.match, made_by=kept.ana.player, shows="match", secret_digest=f"{n}", until=until)
        for n in range(MOST - 1)
    )
    answers = at_once(*[lambda: kept.make(kept.ana)] * 2)
    refused = [answer for answer in answers if isinstance(answer, LinkRefused)]
    assert len(refused) == 1
    assert ShareLink.objects.count() == MOST


# Embedding.


def test_a_public_decision_is_embedded_without_cookies(client: Client, kept: Kept) -> None:
    address = reverse("scoring:embed", args=[kept.match.ref, 1])
    client.force_login(kept.ana)
    assert client.get(address).status_code == 404  # the same for everyone: the club is hidden
    Club.objects.update(visibility=Visibility.PUBLIC)
    answer = client.get(address)
    page = answer.content.decode()
    assert "−0.123" in page
    assert "Secret" not in page
    assert "X-Frame-Options" not in answer.headers
    policy = answer.headers["Content-Security-Policy"]
    assert "frame-ancestors *" in policy
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
    assert not answer.cookies
    assert Client().get(address).content == answer.content
    assert "<script" not in page
    assert "<form" not in page
    assert 'data-theme="dark"' in client.get(address, {"theme": "dark"}).content.decode()
    assert "data-theme" not in client.get(address, {"theme": "<b>"}).content.decode()


def test_no_other_page_is_framed(client: Client, kept: Kept) -> None:
    Club.objects.update(visibility=Visibility.PUBLIC)
    for page in (kept.match.get_absolute_url(), "/", kept.link()):
        headers = client.get(page).headers
        assert headers["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]


def test_a_kept_analysis_is_not_embedded(client: Client, kept: Kept) -> None:
    Club.objects.update(visibility=Visibility.PUBLIC)
    choose_match_privacy(user=kept.ben, match=kept.match, shown=AnalysesShown.PLAYERS)
    client.force_login(kept.ben)
    assert "−0.123" not in client.get(reverse("scoring:embed", args=[kept.match.ref, 1])).content.decode()


def test_the_share_menu_has_the_snippet_of_public_matches_only(client: Client, kept: Kept) -> None:
    client.force_login(kept.ana)
    page = reverse("scoring:step", args=[kept.match.ref, 1])
    assert "iframe" not in client.get(page).content.decode()
    Club.objects.update(visibility=Visibility.PUBLIC)
    shown_now = client.get(page).content.decode()
    assert "&lt;iframe src=&quot;http://testserver/matches/" in shown_now
    assert "Create link" in shown_now
    assert "Create link" not in Client().get(page).content.decode()
