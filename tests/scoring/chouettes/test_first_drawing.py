"""What the server draws of a table first is what the page's script draws of the same view: nothing moves."""

import json
import re
from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import reverse

from clubs.formats.dates import for_scripts
from scoring.chouettes.services.corrections import undo_last
from scoring.chouettes.words import chouette_words
from scoring.models import ChouettePlayer
from scoring.rules.chouette.events import (
    ExtraTaken,
    GameBegun,
    PaymentMade,
    ProxyNamed,
    SatOut,
    SessionClosed,
)
from scoring.rules.chouette.options import Extras
from tests.node import PAGE, run_script
from tests.parts import parts_of
from tests.scoring.chouettes.tables import Night

PARTS = (
    PAGE
    + """
const folder = "./scoring/static/scoring/chouettes";
const { Choice } = await import(`${folder}/choice.js`);
const { drawGames, drawLines } = await import(`${folder}/log.js`);
const { whoRecords } = await import(`${folder}/recorders.js`);
const { drawSeats } = await import(`${folder}/seats.js`);
const { Payments } = await import(`${folder}/payments.js`);
const said = (draw) => {
  const host = document.createElement("div");
  draw(host);
  return host.textContent.replaceAll(/\\s/g, "");
};
const cubesOf = ({ attributes, children }) => [
  ...(attributes.class === "table-cube" ? [[attributes["data-where"], attributes["data-state"]]] : []),
  ...children.filter((each) => each.tag).flatMap(cubesOf),
];
tell(given.cases.map((view) => {
  const writes = view.may_write;
  const [seats, aside] = [document.createElement("ol"), document.createElement("ol")];
  const touch = { cube() {}, answer() {} };
  const state = { view, choice: new Choice(), writes: writes && view.status === "open", touch };
  drawSeats(seats, aside, state);
  return {
    seats: seats.textContent.replaceAll(/\\s/g, ""),
    aside: aside.textContent.replaceAll(/\\s/g, ""),
    cubes: cubesOf(seats),
    recorders: whoRecords(view, !writes).replaceAll(/\\s/g, ""),
    log: said((host) => drawLines(host, { view, waiting: [], writes, correct() {} })),
    payments: said((host) => new Payments({ host }).draw(view.payments, writes)),
    games: said((host) => drawGames(host, view, (ref) => ref)),
  };
}));
"""
)


NO_NOTICES = '<div class="notices" data-part="notices" aria-live="polite"></div>'
"""The style sheet gives a place of notices no room while it is empty: white space would be something."""


def stages() -> Iterator[tuple[str, Night]]:
    """Nights of four, from their beginning to their end."""
    yield "before the first game", Night(4)
    night = Night(4)
    night.write(GameBegun())
    yield "a game", night
    night = Night(4)
    night.write(GameBegun(), night.offer("Jon"), night.offer("Eva"))
    yield "doubles to answer", night
    night = Night(4)
    night.write(GameBegun(), night.offer("Jon"), night.offer("Eva"), night.answer("Ana", "Eva", "Jon"))
    yield "one taken, one passed", night
    night = Night(4, extras=Extras.OPTIONAL)
    night.write(GameBegun(), night.offer("Ana", "Jon", "Eva", "Leo"))
    night.write(night.answer("Jon", passes="Jon"), night.answer("Eva", takes="Eva"))
    night.write(night.answer("Leo", takes="Leo"), ExtraTaken(night.refs["Jon"], night.refs["Eva"]))
    yield "an extra", night
    night = Night(4)
    night.play()
    night.play(box_won=False)
    night.write(SatOut(night.refs["Leo"]), ProxyNamed(night.refs["Eva"], night.refs["Jon"]), GameBegun())
    yield "one away, one represented", night
    night = Night(4)
    added = ChouettePlayer.objects.get(ref=night.refs["Leo"]).player
    added.user = None
    added.save()
    yield "one without a phone", night
    night = Night(6)
    yield "more who can record than are named", night
    night = Night(4)
    night.play()
    night.write(GameBegun())
    undo_last(chouette=night.loaded, author=night.author("Jon"), after=night.head, key="undone")
    night.write(PaymentMade(night.refs["Leo"], night.refs["Ana"], 100), SessionClosed())
    yield "over", night


@pytest.mark.django_db
@pytest.mark.parametrize("reader", ["Ana", "Jon"])
def test_what_is_said_first_is_what_the_script_says(reader: str) -> None:
    names, views, pages = [], [], []
    for name, night in stages():
        client = Client()
        client.force_login(night.users[reader])
        page = client.get(reverse("scoring:chouette", args=[night.chouette.ref]))
        assert page.status_code == 200
        names.append(name)
        views.append(json.loads(json.dumps(page.context["view"], default=str)))
        pages.append(page)
    drawn = run_script(PARTS, {"words": chouette_words(), "formats": for_scripts("UTC"), "cases": views})
    for name, said, page in zip(names, drawn, pages, strict=True):
        parts, first = parts_of(page.content.decode()), page.context["first"]
        cubes = [
            [cube["where"], cube["state"]]
            for seat in first.seats
            for cube in ([seat["cube"]] if seat["cube"] else []) + seat["extras"]
        ]
        assert cubes == said.pop("cubes"), name
        assert {part: parts[part] for part in said} == said, name
        asks = "" if first.asks_to_agree else NO_NOTICES
        assert asks in page.content.decode(), name
    assert "undone by Jon" in pages[-1].content.decode()  # who undid it, not who entered it


@pytest.mark.django_db
def test_htmx_is_fetched_only_by_who_looks_for_people(client: Client) -> None:
    night = Night(3)
    client.force_login(night.users["Ana"])
    page = client.get(reverse("scoring:chouette", args=[night.chouette.ref])).content.decode()
    assert 'id="join-member"' in page
    loaded, _begin, rest = page.partition('<template id="htmx-later">')
    later, _end, rest = rest.partition("</template>")
    assert later.count("<script") == 1
    assert "htmx" in later
    assert not re.search(r"<script[^>]*htmx", loaded + rest)
