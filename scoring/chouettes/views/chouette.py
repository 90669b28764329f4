"""Pages of one chouette: the table, the viewer's possible gains, the history."""

import secrets
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access import decides
from clubs.currency import minor_digits
from clubs.formats.money import typed_money
from clubs.models import Visibility
from clubs.people.fields import picker_html, search_address
from clubs.refs import REF_ALPHABET, REF_LENGTH
from scoring.chouettes.queries.chouettes import may_write, night_of, table_view
from scoring.chouettes.queries.summary import summary_of
from scoring.chouettes.views.first_drawing import FirstTable
from scoring.chouettes.words import chouette_words
from scoring.log.queries.chouettes import SeenTable, seen_table
from scoring.log.queries.writers import ref_of
from scoring.models import Chouette
from scoring.profiles.queries.house_words import house_title
from scoring.profiles.queries.houses import houses_of
from scoring.rules.chouette.events import OptionsChanged, chouette_event_to_plain
from scoring.rules.match import Win

SEATED = "players of the table, the member who opened it, directors of its club"
ENDPOINTS = {
    "state": "api:chouette",
    "events": "api:chouette_events",
    "undo": "api:chouette_undo",
    "correct": "api:chouette_corrections",
    "board": "api:chouette_board",
    "code": "api:chouette_code",
    "seats": "api:chouette_seats",
}


def table_for(request: HttpRequest, ref: str) -> SeenTable:
    """The table as the viewer sees it. Raises Http404 without access."""
    seen = seen_table(request.user, ref, request.session)
    if seen is None:
        raise Http404(_("There is no chouette %(ref)s.") % {"ref": ref})
    return seen


@decides(SEATED)
@require_safe
def chouette(request: HttpRequest, chouette: str) -> HttpResponse:
    """The table, to watch and to record."""
    seen = table_for(request, chouette)
    table = seen.chouette
    view = table_view(seen, origin=request.build_absolute_uri("/")[:-1])
    houses = houses_of(table.club)
    urls = {name: reverse(address, args=[table.ref]) for name, address in ENDPOINTS.items()}
    digits = minor_digits(table.currency)
    sentences = chouette_words()
    context = {
        "chouette": table,
        "club": table.club,
        "view": view,
        "first": FirstTable(view, sentences, table.club.zone),
        "back": _way_back(seen),
        "houses": [{"title": house_title(house.name, house.title)} for house in houses],
        "member_field": _member_field(seen) if view["may_write"] else "",
        "stake": typed_money(table.stake, table.currency),
        "config": {
            "chouette": table.ref,
            "view": view,
            "urls": urls
            | {
                "worker": reverse("scoring:service_worker"),
                "match": _any_match(),
                "summary": _summary_page(table),
            },
            "writer": {"ref": ref_of(seen.author), "name": _writer_name(seen)},
            "decimals": digits,
            "houses": [
                chouette_event_to_plain(OptionsChanged(each.options, each.name))[1] for each in houses
            ],
        },
        "sentences": sentences,
    }
    response = render(request, "scoring/chouettes/chouette.html", context)
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def _summary_page(table: Chouette) -> str:
    return reverse("scoring:chouette_history", args=[table.ref]) + "#share"


def _any_match() -> dict[str, str]:
    """A match page's address with a placeholder ref, and that ref."""
    some = REF_ALPHABET[0] * REF_LENGTH
    return {"url": reverse("scoring:match", args=[some]), "ref": some}


def _writer_name(seen: SeenTable) -> str:
    """The viewer's name at the table; without a seat, the account's email address."""
    if seen.me is not None:
        return seen.me.player.name
    return seen.author.user.email if seen.author.user is not None else ""


def _way_back(seen: SeenTable) -> str:
    """The club's chouettes.

    For others the club's page, or the code page if the club is hidden.
    """
    club = seen.chouette.club
    if seen.role is not None:
        return reverse("scoring:chouettes", args=[club.slug])
    is_public = club.visibility == Visibility.PUBLIC
    return club.get_absolute_url() if is_public else reverse("scoring:find_chouette")


def _member_field(seen: SeenTable) -> str:
    """The member search for scorers of the club; empty for others."""
    if seen.role is None:
        return ""
    return picker_html("member", search_address(seen.chouette.club), id="join-member")


@decides(SEATED)
@require_safe
def chouette_mine(request: HttpRequest, chouette: str) -> HttpResponse:
    """The viewer's gain or loss for each possible result of the game."""
    seen = table_for(request, chouette)
    view = table_view(seen)
    return render(request, "scoring/chouettes/chouette_mine.html", _mine(seen, view))


def _mine(seen: SeenTable, view: dict[str, Any]) -> dict[str, Any]:
    you = view["you"]
    me = next((player for player in view["players"] if player["ref"] == you), None)
    game = view["game"]
    ways = view["possible_gains"].get(you) if game and you else None
    rows = (("box", _("Box wins")), ("team", _("Crew wins")))
    return {
        "chouette": seen.chouette,
        "club": seen.chouette.club,
        "view": view,
        "me": me,
        "ways": [(text, _of(ways, side)) for side, text in rows] if ways else [],
        "cubes": [cube for cube in game["cubes"] if _concerns(cube, me)] if game and me else [],
    }


def _of(ways: dict[str, Any], side: str) -> list[dict[str, Any]]:
    """The gains from a single game, a gammon and a backgammon of one side."""
    return [ways[f"{side}_{win.name.lower()}"] for win in Win]


def _concerns(cube: dict[str, Any], me: dict[str, Any]) -> bool:
    """Whether the viewer plays a cube: all of them as box or partner, else their own."""
    return me["role"] in {"box", "partner"} or me["ref"] in {cube["player"], cube["against"], cube["holder"]}


@decides(SEATED)
@require_safe
def chouette_history(request: HttpRequest, chouette: str) -> HttpResponse:
    """The history: every game with its ledger, the log and the payments."""
    seen = table_for(request, chouette)
    night = night_of(seen)
    context = {
        "chouette": seen.chouette,
        "club": seen.chouette.club,
        "night": night,
        "marks": may_write(seen),
        "form_key": secrets.token_hex(16),
        "summary": summary_of(seen),
        "whole": request.GET.get("table") == "whole",
    }
    return render(request, "scoring/chouettes/chouette_history.html", context)
