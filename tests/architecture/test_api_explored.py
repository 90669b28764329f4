"""The whole API, asked by machine: no fault, no answer that its schema does not name, no leak.

The requests are the same in every run. Refs of a club that only its members may know are put into them, and
they are sent as a visitor, as the owner of another club, and as people of the club.
"""

import logging
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from django.utils.timezone import now

from clubs.accounts.services.tokens import make_token
from clubs.clubs.services.clubs import token_digest
from clubs.models import Club, Invitation, Role, Scope
from clubs.refs import looks_like_ref, new_ref
from scoring.helping.services.helpers import ask_for_helper
from scoring.learning.queries.shared import week_of
from scoring.models import CardSharing, WeekPosition
from scoring.sheets.services.openings import open_match
from tests.architecture.access_matrix import MATRIX
from tests.architecture.access_world import VALUES, World, a_card
from tests.architecture.api_explorer import Explorer, Viewer, api_operations
from tests.architecture.test_access_matrix import ADDRESSES
from tests.tiers import sized
from tests.tournaments.factories import an_event, drawn, open_pairings
from tournaments.transfer.services.moves import move_away

EXAMPLES = sized(1, 3)
BROKEN = sized(False, True)
"""Whether broken requests are sent, too."""
NAME, SLUG = "Zugzwang Cellar", "zugzwang"
WORDS = (NAME, "Ana", "Ben", "Nobody in particular", "invited@example.org")
PUBLIC = {"position"}
"""Arguments of no club: what an engine says of a position names no one, and is the same answer for all."""
INSIDE = sized(("owner",), ("member", "director", "owner"))
OUTSIDE = sized((), ("visitor", "stranger"))
AREAS = (
    *("about", "analyses", "chouettes", "clubs", "entrants", "events", "file-analyses", "flights", "formats"),
    "helper",
    *(
        "links",
        "lots",
        "matches",
        "me",
        "names",
        "notes",
        "pairings",
        "photos",
        "players",
        "positions",
        "prizes",
        "problems",
    ),
    *("shared", "site", "stages", "tokens", "uploads"),
)


@pytest.fixture(autouse=True)
def _quiet():
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def arguments() -> dict[str, list[str]]:
    """The names under which the world of the matrix knows values for each argument of an API address."""
    found: dict[str, list[str]] = {}
    for row in MATRIX:
        if row.is_api:
            for name in ADDRESSES[row.name].arguments:
                values = found.setdefault(name, [])
                if (value := row.args.get(name, name)) not in values:
                    values.append(value)
    return {name: values for name, values in found.items() if name not in {"token", "code", "address"}}


def an_invitation_to_the_public_club(world: World) -> str:
    """An invitation opens its club to whoever has it."""
    Invitation.objects.create(
        club=Club.objects.get(slug="another-club"),
        email="anybody@example.org",
        role=Role.MEMBER,
        invited_by=world.users["stranger"],
        token_digest=token_digest("come-to-another-club"),
        expires_at=now() + timedelta(days=1),
    )
    return "come-to-another-club"


def a_match_that_is_being_played(world: World) -> str:
    sides = [[world.users[name].player] for name in ("member", "director")]
    return open_match(
        club=world.club, white=sides[0], black=sides[1], length=3, user=world.users["owner"]
    ).ref


def what_belongs_together(world: World) -> dict[str, dict[str, str]]:
    """Values that only together lead to an answer, by the operation."""
    event = an_event(4, club=world.club)
    pairing = open_pairings(drawn(event))[0]
    moved = an_event(4, club=world.club)
    move_away(event=moved, user=world.users["owner"], to="a laptop")
    card = a_card(world, "owner")
    CardSharing.objects.create(player=card.player, club=world.club, coach=True, quiz=True)
    week = week_of(timezone.localdate())
    WeekPosition.objects.create(club=world.club, week=week, card=card)
    return {
        "GET /api/v1/pairings/{pairing}/absence/": {"pairing": pairing.ref, "entrant": pairing.a.ref},
        "GET /api/v1/events/{event}/file/": {"event": moved.ref},
        "GET /api/v1/clubs/{club}/mistakes/{player}/": {"club": SLUG, "player": card.player.ref},
        "GET /api/v1/clubs/{club}/position/": {"club": SLUG, "week": week.isoformat()},
    }


@dataclass(frozen=True)
class Scene:
    """Who asks, and what is known: by the name of the argument that takes it."""

    viewers: list[Viewer]
    known: dict[str, list[str]]
    together: dict[str, dict[str, str]]
    others: dict[str, Viewer]
    """Who else asks, by the area: a helper, an administrator."""

    def explorer(self, area: str = "") -> Explorer:
        viewers = [*self.viewers, *(viewer for name, viewer in self.others.items() if name == area)]
        if area == "shared":  # whoever has the secret of a link is shown its match
            viewers = [viewer for viewer in viewers if not viewer.words]
        # The sheet of the match that is being played has one event.
        fields: dict[str, list[Any]] = {"after": [1], "kind": ["roll"], "text": ["31", "d"]}
        return Explorer(viewers, self.known, fields, self.together)


@pytest.fixture(scope="module")
def scene(module_db: None) -> Scene:
    """One for all areas: no request leaves anything behind."""
    return a_hidden_club()


def a_hidden_club() -> Scene:
    """Everybody in front of a club that only its members may know; a public one stands beside it."""
    world = World.make(hidden=True)
    Club.objects.filter(pk=world.club.pk).update(name=NAME, slug=SLUG)
    world.club.refresh_from_db()
    known = {
        name: [VALUES[value](world, "owner") for value in values] for name, values in arguments().items()
    }
    known["match"].append(a_match_that_is_being_played(world))
    known["stage"].append(drawn(an_event(4, club=world.club, format_key="swiss_3")).ref)
    together = what_belongs_together(world)
    for values in together.values():
        for name, value in values.items():
            known.setdefault(name, []).append(value)
    hidden = [ref for name, refs in known.items() if name not in PUBLIC for ref in refs]
    secrets = {ref: new_ref() for ref in hidden if looks_like_ref(ref)}
    secrets[SLUG] = "nonesuch"
    known["club"] += [SLUG, "another-club"]
    known["code"] = ["invalid"]
    known["invitation"].append(an_invitation_to_the_public_club(world))
    texts = {}
    for name in (*INSIDE, "stranger"):
        token, texts[name] = make_token(
            user=world.users[name], label="x", scopes=list(Scope), expires_at=None
        )
        known.setdefault("token", []).append(token.ref)
    viewers = [Viewer(name, texts[name]) for name in INSIDE]
    viewers += [Viewer(name, texts.get(name, ""), secrets, WORDS) for name in OUTSIDE]
    _waiting, of_helper = ask_for_helper(user=world.users["director"], club=world.club, name="Desktop")
    _token, of_admin = make_token(user=world.users["admin"], label="x", scopes=list(Scope), expires_at=None)
    others = {"helper": Viewer("helper", of_helper), "site": Viewer("admin", of_admin)}
    return Scene(viewers, known, together, others)


@pytest.mark.each_case
@pytest.mark.django_db
@pytest.mark.parametrize("area", AREAS)
def test_whatever_is_asked_is_answered_as_the_schema_says(area, scene):
    asked = scene.explorer(area)
    for operation in api_operations()[area]:
        asked.explore(operation, EXAMPLES, broken=BROKEN)
    assert not asked.problems, "\n\n".join(f"{key}\n{told}" for key, told in sorted(asked.problems.items()))
    unanswered = [
        label for label, found in asked.statuses.items() if label.startswith("GET") and 200 not in found
    ]
    unanswered = sized([], unanswered)  # one request of each is too few to meet every stage and match
    assert not unanswered, "no request went through: put values that exist into access_world.py"


def test_every_area_is_asked():
    assert sorted(api_operations()) == sorted(AREAS)
