"""A club's chouettes: list, open, join by code, take a seat."""

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access import ClubRequest, club_role, public
from clubs.formats.dates import weekday_month_day
from clubs.http.methods import shows_a_form
from clubs.models import Club, Role, User
from scoring.chouettes.forms import JoinTableForm, NewTableForm, TakeSeatForm
from scoring.chouettes.queries.lists import tables_in
from scoring.chouettes.services.chouettes import table_state
from scoring.chouettes.services.seats import seat_of
from scoring.chouettes.services.seats import take_seat as take_seat_with
from scoring.chouettes.services.tables import (
    RulesRefused,
    join_as_guest,
    join_table,
    open_table,
    table_of,
)
from scoring.log.queries.chouettes import seen_table, shows_money
from scoring.log.queries.words import text_of
from scoring.models import Chouette
from scoring.profiles.queries.house_words import house_in_words
from scoring.profiles.queries.houses import house_named, houses_of, rules_at
from scoring.rules.chouette.session_state import SeatPresence, rules_digest
from scoring.rules.errors import IllegalAction, ScoringError
from scoring.sheets.services.claims import plain_code
from scoring.sheets.services.entries import EntryRefused


@club_role(Role.GUEST)
@require_safe
def chouettes(request: ClubRequest, club: Club) -> HttpResponse:
    """The viewer's tables, open ones first; directors see every table."""
    directs = request.role is not None and request.role >= Role.DIRECTOR
    context = {
        "club": club,
        "tables": tables_in(club, request.user, all_of_them=directs),
        "opens": request.role is not None and request.role >= Role.MEMBER,
        "points_only": club.points_only,
    }
    return render(request, "scoring/chouettes/chouettes.html", context)


@club_role(Role.MEMBER)
@shows_a_form
def new_chouette(request: ClubRequest, club: Club) -> HttpResponse:
    """Open a table, and join it if the box is ticked."""
    houses = [house_in_words(house.name, house.title, house.options) for house in houses_of(club)]
    data = request.POST if request.method == "POST" else None
    form = NewTableForm(data, club=club, houses=houses, title=_title(club, now()))
    if form.is_bound and form.is_valid():
        try:
            table = _opened(form, club, request.user)
        except (ScoringError, EntryRefused) as error:
            form.add_error(None, _words(error))
        else:
            return redirect("scoring:chouette", chouette=table.ref)
    return render(
        request, "scoring/chouettes/new_chouette.html", {"club": club, "form": form, "houses": houses}
    )


def _title(club: Club, at: datetime) -> str:
    day = weekday_month_day(at, club.zone)
    return _("Chouette, %(day)s") % {"day": day}


def _opened(form: NewTableForm, club: Club, user: User) -> Chouette:
    house = house_named(club, form.cleaned_data["house"])
    table = open_table(
        club=club, user=user, title=form.cleaned_data["title"], house=house, stake=form.minor_stake
    )
    if form.cleaned_data["sits"]:
        join_table(chouette=table, user=user)
    return table


def _words(error: Exception) -> str:
    return text_of(error.error if isinstance(error, EntryRefused) else error)  # type: ignore[arg-type]


@public
@require_safe
def find_chouette(request: HttpRequest) -> HttpResponse:
    """Enter a table's code; a submitted code redirects to its table."""
    code = plain_code(request.GET.get("code", ""))
    if code:
        return redirect("scoring:join_chouette", code=code)
    return render(request, "scoring/chouettes/find_chouette.html")


@public
@shows_a_form
def join_chouette(request: HttpRequest, code: str) -> HttpResponse:
    """Read a table's rules, agree and join, with or without an account.

    A player already at the table is redirected to it.
    """
    table = table_of(code)
    if table is None:
        context = {"unknown": True, "code": code}
        return render(request, "scoring/chouettes/find_chouette.html", context, status=404)
    if request.method != "POST" and _sits_at(request, table):
        return redirect("scoring:chouette", chouette=table.ref)
    user = request.user if isinstance(request.user, User) else None
    data = request.POST if request.method == "POST" else None
    rules = rules_digest(table_state(table.sheet))
    form = JoinTableForm(data, table=table, named=user is None, money=shows_money(table), rules=rules)
    if form.is_bound and form.is_valid():
        try:
            if user is not None:
                join_table(
                    chouette=table, user=user, stake=form.minor_stake, rules=form.cleaned_data["rules"]
                )
            else:
                join_as_guest(
                    chouette=table,
                    name=form.cleaned_data["name"],
                    session=request.session,
                    stake=form.minor_stake,
                    nonce=form.cleaned_data["nonce"],
                    rules=form.cleaned_data["rules"],
                )
        except RulesRefused as changed:
            table.sheet.refresh_from_db()
            form.shown_rules = rules_digest(table_state(table.sheet))
            form.ask_again(_(changed.template))
        except (ScoringError, EntryRefused) as error:
            form.add_error(None, _words(error))
        else:
            messages.success(request, _("You have joined the table and agreed to its rules."))
            return redirect("scoring:chouette", chouette=table.ref)
    return render(request, "scoring/chouettes/join_chouette.html", _joining(table, form))


def _sits_at(request: HttpRequest, table: Chouette) -> bool:
    """Whether the viewer is at the table now, with an account or as a guest."""
    seen = seen_table(request.user, table.ref, request.session)
    if seen is None or seen.me is None:
        return False
    seats = table_state(table.sheet).seats
    return any(seat.player == seen.me.ref and seat.presence is not SeatPresence.GONE for seat in seats)


@public
@shows_a_form
def take_seat(request: HttpRequest, secret: str) -> HttpResponse:
    """Take a guest's seat on this phone, by a one-time link.

    Refused to an account with a seat of its own: it would keep that seat, and the guest would lose theirs.
    """
    row = seat_of(secret)
    is_known = row is not None and seen_table(request.user, row.chouette.ref) is not None
    form = TakeSeatForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid() and not is_known:
        try:
            row = take_seat_with(secret=secret, session=request.session, nonce=form.cleaned_data["nonce"])
        except IllegalAction:
            row = None
        else:
            return redirect("scoring:chouette", chouette=row.chouette.ref)
    if row is None:
        return render(request, "scoring/chouettes/take_seat.html", {"unknown": True}, status=404)
    context = {"seat": row, "table": row.chouette, "form": form, "is_known": is_known}
    return render(request, "scoring/chouettes/take_seat.html", context)


def _joining(table: Chouette, form: JoinTableForm) -> dict[str, Any]:
    rules = rules_at(table.club, table_state(table.sheet))
    return {"table": table, "club": table.club, "rules": rules, "form": form}
