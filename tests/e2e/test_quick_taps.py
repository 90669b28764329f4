"""A phone that computes four times slower, far from the server, tapped twenty times a second."""

import pytest
from playwright.sync_api import expect

from scoring.chouettes.services.damage import damage_of
from scoring.models import Match, SheetEvent
from tests.e2e.quick_taps import ROLLS, share, tap_quickly
from tests.e2e.scorers import Scorer
from tests.e2e.settled import PATIENCE
from tests.scoring.sheets.writing import loaded


def figures(times: list[float]) -> str:
    return f"{share(times, 50):.0f} ms, 9 of 10 within {share(times, 90):.0f} ms"


@pytest.mark.long
def test_twenty_taps_a_second_on_a_slow_phone_lose_nothing(match: Match, white: Scorer) -> None:
    white.page.set_viewport_size({"width": 390, "height": 844})
    white.open(match)
    found = tap_quickly(white.context, white.page)
    print(f"{found['taps']} taps in {found['seconds']:.1f} s, {found['taps'] / len(ROLLS):.1f} a turn")
    print(f"from tap to drawn checker: {figures(found['checkers'])}; any tap: {figures(found['all'])}")
    assert found["lost"] == []
    expect(white.unsent()).to_have_count(0, timeout=PATIENCE)
    white.settled()
    expect(white.part("notices")).to_be_empty()
    events = SheetEvent.objects.filter(sheet=match.sheet).order_by("seq").values_list("kind", "body")
    rolled = [
        (body["white"], body["black"]) if kind == "opening_roll" else tuple(body["dice"])
        for kind, body in events
        if kind in {"opening_roll", "roll"}
    ]
    assert [tuple(sorted(roll)) for roll in rolled] == [tuple(sorted(roll)) for roll in ROLLS]
    assert [kind for kind, _body in events][2::2] == ["play"] * len(ROLLS)
    assert damage_of(loaded(match).sheet) is None
