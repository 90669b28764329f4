"""The page of a position: its address, what is pasted and typed, verdicts, saved positions."""

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import WorkStatus
from clubs.work import services as work
from scoring.analysis.queries.label_words import label_words
from scoring.models import PositionAnalysis, SavedPosition
from scoring.positions.services.positions import run_position
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db
PAGE = "/positions/"
RACE = "-ABBCCD------------edcba--:0:0:1:00:2:3:0:7:10"


def signed_in() -> Client:
    client = Client()
    client.force_login(UserFactory.create())
    return client


def shown(client: Client, xgid: str = RACE, **values: str) -> str:
    return client.get(PAGE, {"xgid": xgid, **values}).content.decode()


def led_to(**values: str) -> str:
    answer = Client().get(PAGE, values)
    assert answer.status_code == 302, answer.content.decode()
    return answer.headers["Location"].partition("xgid=")[2]


def test_every_notation_opens_the_same_position() -> None:
    opening = "-b----E-C---eE---c-e----B-:0:0:1:00:0:0:3:0:10"
    assert led_to(id=f"XGID={opening}") == led_to(id="4HPwATDgc/ABMA") == opening
    page = shown(Client(), opening)
    assert "4HPwATDgc/ABMA" in page
    assert f"XGID={opening}" in page


@pytest.mark.parametrize(
    ("cube", "score", "is_shown"),
    [
        ("0:0:1:00", "2:3:0:7", True),
        ("1:1:1:00", "5:0:0:7", False),  # 2 away with a cube of 2: the match is won as it is
        ("0:0:1:00", "6:6:0:7", False),
    ],
)
def test_a_take_point_is_shown_where_a_double_is_worth_something(
    cube: str, score: str, is_shown: bool
) -> None:
    page = shown(Client(), f"-ABBCCD------------edcba--:{cube}:{score}:10")
    assert ("Take point at this score" in page) is is_shown


def test_typed_values_change_the_position() -> None:
    assert led_to(xgid=RACE, edit="1", roll="31").split(":")[4] == "31"
    assert led_to(xgid=RACE, edit="1", length="0", jacoby="on").split(":")[5:] == ["0", "0", "1", "0", "10"]
    assert led_to(xgid=RACE, edit="1", cube="2", owner="white").split(":")[1:3] == ["1", "1"]
    assert led_to(xgid=RACE, edit="1", slot="6", side="white", checkers="3").startswith("-ABBCCC")
    assert led_to(xgid=RACE, do="swap").split(":")[3] == "-1"


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"xgid": "nonsense"}, "an XGID has 10 fields"),
        ({"id": "hello"}, "“hello” is not an XGID"),
        ({"xgid": RACE, "edit": "1", "white_away": "9"}, "White cannot be 9 away in a match to 7"),
        ({"xgid": RACE, "edit": "1", "cube": "3"}, "a cube cannot show 3"),
        (
            {"xgid": RACE, "edit": "1", "slot": "6", "side": "white", "checkers": "9"},
            "would have 20 checkers",
        ),
        ({"xgid": RACE, "edit": "1", "slot": "1", "side": "black", "checkers": "16"}, "cannot be"),
        (
            {"xgid": RACE, "edit": "1", "slot": "19", "side": "black", "checkers": "1"},
            "White holds this point",
        ),
        ({"xgid": RACE.replace(":0:0:1:00", ":1:-1:1:00")}, "White cannot double: Black owns the cube"),
    ],
)
def test_what_cannot_be_is_refused_in_words(values: dict[str, str], words: str) -> None:
    assert words in Client().get(PAGE, values).content.decode()


def test_a_verdict_is_asked_for_and_shown_to_everyone() -> None:
    ana = signed_in()
    body = {"xgid": RACE, "level": "standard"}
    assert (
        "waiting for the engine"
        in ana.post(reverse("scoring:analyse_position"), body, follow=True).content.decode()
    )
    ana.post(reverse("scoring:analyse_position"), body)
    claimed = work.claim(PositionAnalysis, ref=PositionAnalysis.objects.get().ref)
    assert claimed is not None
    run_position(claimed)
    claimed.refresh_from_db()
    assert claimed.status == WorkStatus.DONE, claimed.error
    page = shown(Client())
    assert "Double, take" in page
    assert label_words(claimed.label) in page
    assert "Doubling window" in page


def test_visitors_start_nothing() -> None:
    assert Client().post(reverse("scoring:analyse_position"), {"xgid": RACE}).status_code == 302
    assert not PositionAnalysis.objects.exists()
    assert "Sign in to analyse" in shown(Client())


def test_a_position_is_saved_found_and_deleted() -> None:
    ana, ben = signed_in(), signed_in()
    for name in ("Bear-off", "Short race"):
        ana.post(reverse("scoring:save_position"), {"xgid": RACE, "name": name, "note": "#race"})
    saved = SavedPosition.objects.get()  # saved twice, kept once
    assert saved.name == "Short race"
    assert "Short race" in ana.get(reverse("scoring:saved_positions"), {"q": "#race"}).content.decode()
    assert "Short race" not in ana.get(reverse("scoring:saved_positions"), {"q": "prime"}).content.decode()
    assert "Short race" not in ben.get(reverse("scoring:saved_positions")).content.decode()
    assert ben.post(reverse("scoring:delete_position", args=[saved.ref])).status_code == 404
    ana.post(reverse("scoring:delete_position", args=[saved.ref]))
    assert not SavedPosition.objects.exists()


def test_the_lists_cost_the_same_for_one_and_three(django_assert_num_queries) -> None:
    ana = signed_in()
    for count in (1, 3):
        for white in range(count):
            xgid = f"-ABBCCD------------edcba--:0:0:1:00:{white}:3:0:9:10"
            ana.post(reverse("scoring:save_position"), {"xgid": xgid, "name": f"Race {white}"})
        ana.get(reverse("scoring:saved_positions"))  # messages are shown
        with django_assert_num_queries(3):
            ana.get(reverse("scoring:saved_positions"))
