"""What a shared link shows in a chat: words and a picture, no more than the reader can see."""

import re
from io import BytesIO

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image

from clubs.models import AnalysesShown, Club, Visibility
from scoring.drawing.picture import SIZE, PictureLine, draw_picture
from scoring.matches.queries.match_page import MatchPage
from scoring.models import Match
from scoring.notation.xgid import decode_xgid
from tests.factories import ClubFactory, PlayerFactory
from tests.scoring.factories import finish_match, open_match
from tests.scoring.matches.test_stage import analysed, checker, imported

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    made = imported(ClubFactory.create(name="Bar Point"))
    analysed(made, [checker(1, 0.123), checker(3, 0.03)])
    return made


def picture(client: Client, match: Match, kind: str, step: int = 1, **query: str):
    return client.get(reverse(f"scoring:step_{kind}", args=[match.ref, step]), query)


def preview(client: Client, address: str) -> dict[str, str]:
    head = client.get(address).content.decode().partition("</head>")[0]
    return dict(re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)">', head))


def test_a_position_is_drawn_for_chats(client: Client, match: Match) -> None:
    answer = picture(client, match, "png")
    assert answer.headers["Content-Type"] == "image/png"
    drawn = Image.open(BytesIO(answer.content))
    assert (drawn.format, drawn.size) == ("PNG", SIZE)
    assert len(answer.content) < 150_000
    assert answer.content != picture(client, match, "png", verdict="").content
    assert answer.content != picture(client, match, "png", step=2).content


def test_a_position_is_drawn_as_svg(client: Client, match: Match) -> None:
    answer = picture(client, match, "svg")
    assert answer.headers["Content-Type"] == "image/svg+xml"
    drawn = answer.content.decode()
    assert drawn.startswith("<svg")
    assert "Ana" in drawn
    assert "<script" not in drawn


def test_an_unchanged_picture_is_not_sent_again(client: Client, match: Match) -> None:
    tag = picture(client, match, "png").headers["ETag"]
    address = reverse("scoring:step_png", args=[match.ref, 1])
    again = client.get(address, headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("step", [0, 999])
def test_a_step_that_is_not_there_has_no_picture(client: Client, match: Match, step: int) -> None:
    assert picture(client, match, "png", step).status_code == 404
    assert picture(client, match, "svg", step).status_code == 404


def test_a_link_is_previewed(client: Client, match: Match) -> None:
    found = preview(client, reverse("scoring:step", args=[match.ref, 1]))
    assert found["og:title"] == "Ana – Ben"
    assert "0–0, match to 3 points" in found["og:description"]
    assert "8/4 6/4 (−0.123); best is 13/11 13/9" in found["og:description"]
    assert found["og:image"] == "http://testserver" + reverse("scoring:step_png", args=[match.ref, 1])
    assert client.get(found["og:image"]).status_code == 200


def test_a_match_without_positions_is_previewed_by_its_result(client: Client) -> None:
    ana, ben = PlayerFactory.create(), PlayerFactory.create()
    made = finish_match(open_match(ClubFactory.create(), ana, ben), "white")
    found = preview(client, made.get_absolute_url())
    assert found["og:description"].startswith("5–0, match to 5 points")
    assert "og:image" not in found


def test_a_kept_analysis_is_in_no_preview_picture_or_list(client: Client, match: Match) -> None:
    plain = picture(client, match, "png").content
    errors = reverse("scoring:error_list", args=[match.ref])
    assert client.get(errors).status_code == 200
    Club.objects.update(analyses_shown=AnalysesShown.PLAYERS)
    assert "best is" not in preview(client, reverse("scoring:step", args=[match.ref, 1]))["og:description"]
    assert picture(client, match, "png", verdict="").content == plain
    assert client.get(errors).status_code == 403


def test_a_hidden_match_has_no_picture(client: Client, match: Match) -> None:
    Club.objects.update(visibility=Visibility.MEMBERS)
    for kind in ("png", "svg"):
        assert picture(client, match, kind).status_code == 404


def test_errors_are_listed_as_xgids_with_loss_and_best(client: Client, match: Match) -> None:
    heads, *rows = client.get(reverse("scoring:error_list", args=[match.ref])).content.decode().splitlines()
    assert heads.split("\t") == ["XGID", "Loss", "Player", "Played", "Best"]
    xgid, loss, name, played, best = rows[0].split("\t")
    assert (loss, name, played, best) == ("0.123", "Ana", "8/4 6/4", "13/11 13/9")
    assert [row.split("\t")[1] for row in rows] == sorted((r.split("\t")[1] for r in rows), reverse=True)
    first = MatchPage(match, 1, judged=True)
    assert f"XGID={xgid.removeprefix('XGID=')}" == first.xgid
    assert decode_xgid(xgid).roll is not None
    blunders = client.get(reverse("scoring:error_list", args=[match.ref]), {"blunders": "on"})
    assert len(blunders.content.decode().splitlines()) == 2


def test_the_longest_names_stay_inside_the_picture(match: Match) -> None:
    board = MatchPage(match, 1, judged=False).board
    assert board is not None
    drawn = Image.open(BytesIO(draw_picture(board, [PictureLine("W" * 60 + " – " + "M" * 60, strong=True)])))
    right = drawn.convert("L").crop((SIZE[0] - 12, 0, SIZE[0], SIZE[1]))
    assert len(right.getcolors() or []) == 1  # the margin is blank
