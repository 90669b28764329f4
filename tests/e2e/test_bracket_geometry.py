"""Brackets as a browser draws them: lines end in the middles, no words cover others, nothing is cut."""

from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page

from clubs.models import Person, Role
from deploy.benches.event import drawn_event, record
from tests.e2e.settled import visit
from tests.factories import ClubFactory, member
from tournaments.models import EntrantRow

pytestmark = pytest.mark.long

WIDTHS = (360, 768, 1280, 3840)
ZOOMS = (0.3, 1, 1.6)
LONG = "Maximilian Alexander Freiherr von und zu Hohenstein-Sonnenburg"
CLUB = "Clube Portuense de Gamão e Jogos de Tabuleiro"
WITH_CLUBS = ("&show=clubs", "&view=overview&show=clubs")
FAULTS = """() => {
  const faults = [];
  let lines = 0, words = 0;
  const at = (each) => each.getBoundingClientRect();
  const inside = (one, other, by) =>
    one.left >= other.left - by && one.right <= other.right + by &&
    one.top >= other.top - by && one.bottom <= other.bottom + by;
  const over = (one, other) =>
    one.left < other.right - 1 && other.left < one.right - 1 &&
    one.top < other.bottom - 1.5 && other.top < one.bottom - 1.5;
  const middle = (box) => (box.top + box.bottom) / 2;
  for (const tree of document.querySelectorAll(".sheet .tree-matches, .in-hand .tree-matches")) {
    const sheet = at(tree);
    if (!sheet.width) continue;
    const matches = [...tree.querySelectorAll(".m")];
    for (const match of matches) {
      const box = at(match.querySelector(".box"));
      if (match.matches(".bye, .gap")) faults.push(["a bye", match.id]);
      if (!inside(box, sheet, 1)) faults.push(["a match is cut", match.id]);
      for (const text of match.querySelectorAll("text")) {
        const place = at(text);
        if (!place.width) continue;
        words += 1;
        const beside = text.matches(".no, .st");
        if (!inside(place, beside ? sheet : box, 2))
          faults.push(["words are outside", match.id, text.textContent]);
      }
      const [number, state] = [match.querySelector(".no"), match.querySelector(".st")];
      if (number && state && over(at(number), at(state))) faults.push(["labels overlap", match.id]);
      for (const side of match.querySelectorAll(".s:has(.nm):has(.pt)"))
        if (over(at(side.querySelector(".nm")), at(side.querySelector(".pt"))))
          faults.push(["a name is over points", match.id]);
      const line = match.dataset.to && tree.querySelector(`#l${match.id.slice(1)}`);
      const next = match.dataset.to && tree.querySelector(`#m${match.dataset.to} .box`);
      if (!line || !next) continue;
      lines += 1;
      const to = at(next);
      const end = (length) => line.getPointAtLength(length).matrixTransform(line.getScreenCTM());
      const [from, until] = [end(0), end(line.getTotalLength())];
      const off = [from.x - box.right, from.y - middle(box), until.x - to.left, until.y - middle(to)];
      if (off.some((each) => Math.abs(each) > 1))
        faults.push(["a line ends beside the middle", match.id, ...off]);
    }
    const places = matches.map((match) => [match.id, at(match)]);
    for (const [n, [one, place]] of places.entries())
      for (const [other, there] of places.slice(n + 1))
        if (over(place, there)) faults.push(["matches overlap", one, other]);
  }
  for (const card of document.querySelectorAll(".columns .c"))
    if (at(card).width > innerWidth) faults.push(["a card is wider than the page", card.textContent]);
  if (document.documentElement.scrollWidth > innerWidth) faults.push(["the page is too wide"]);
  return { faults, lines, words };
}"""


@pytest.mark.parametrize("players", [4, 5, 9, 16, 17, 24, 33, 64, 128])
def test_lines_words_and_matches_of_a_bracket_stand_where_they_belong(page: Page, server: str, players: int):
    club = ClubFactory.create()
    key = "double" if players < 5 else "last_chance"
    stage, director = drawn_event(club, players, key), member(club, Role.DIRECTOR)
    Person.objects.filter(player__entries__flight=stage.flight, name__contains="Player 2 ").update(name=LONG)
    EntrantRow.objects.filter(flight=stage.flight, numbers__number__gt=2).update(from_club=CLUB)
    EntrantRow.objects.filter(flight=stage.flight, numbers__number=3).update(from_club="W" * 60)
    rng = Random(1)
    for _result in range(players // 2):
        record(stage, director, rng)
    page.emulate_media(reduced_motion="reduce")
    found: dict[tuple[Any, ...], Any] = {}
    lines = 0
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        for view in ("", "&view=overview", *(WITH_CLUBS if players == 16 else ())):
            visit(page, f"{stage.get_absolute_url()}{view}")
            for zoom in (0, *(ZOOMS if width >= 768 and "overview" not in view else ())):
                if zoom:
                    size = {"detail": {"size": zoom}}
                    page.evaluate(
                        "size => document.dispatchEvent(new CustomEvent('midpoint:size', size))", size
                    )
                seen = page.evaluate(FAULTS)
                lines += seen["lines"]
                if seen["faults"]:
                    found[width, view, zoom] = seen["faults"][:3]
    assert found == {}
    assert lines
