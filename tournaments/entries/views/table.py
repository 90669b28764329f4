"""The entries of an event as a table, actions on chosen ones, and the form for one."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubs.access import SignedInRequest, decides
from clubs.formats.money import money
from clubs.http.methods import shows_a_form
from clubs.http.numbers import whole_number
from clubs.models import User
from clubs.refusals import with_remedy
from tournaments.entries.forms.entry import EntryForm, entry_seen, read_entry_seen
from tournaments.entries.forms.players import EnterForm, PlayersForm
from tournaments.entries.queries.people import flights_with_pairs
from tournaments.entries.queries.table import FILTERS, SORTS, dues_of_entrant, entry_table
from tournaments.entries.services.chosen_entries import (
    check_in_chosen,
    join_pool,
    mark_paid,
    withdraw_chosen,
)
from tournaments.entries.services.entry_changes import change_entry, pools_open
from tournaments.events.access import DIRECTORS, known_entrant, known_event, require_director
from tournaments.events.eligibility import pools_of
from tournaments.events.queries.event_page import whole_flights
from tournaments.events.views.answers import REFUSALS, answers, unknown_action
from tournaments.events.views.moved_events import needs_event_here
from tournaments.models import (
    PAID_BY,
    EntrantRow,
    EntrantState,
    Event,
    EventStatus,
    FeePayment,
    Flight,
    StageStatus,
)
from tournaments.money.entry_fees import HAS_PLACE

HEADS = {
    "name": (gettext_lazy("Player"), ""),
    "seed": (gettext_lazy("Seed"), "number wide"),
    "rating": (gettext_lazy("Rating"), "number wide"),
    "club": (gettext_lazy("Club"), "wide"),
    "division": (gettext_lazy("Division"), "wide"),
    "fee": (gettext_lazy("Due"), "number"),
    "paid": (gettext_lazy("Fees"), ""),
    "status": (gettext_lazy("Status"), "wide"),
}
"""Label and kind of each column."""


@answers("entries")
def entries_as_they_are(
    request: HttpRequest, event: str, *, refused: str = "", typed: PlayersForm | None = None
) -> HttpResponse:
    """The table after a refused entry (409), with what was ``typed``."""
    found, role = known_event(request.user, event)
    require_director(role)
    return _table(request, found, refused=refused, typed=typed)


@decides(DIRECTORS)
@shows_a_form
def entry_table_page(request: SignedInRequest, event: str) -> HttpResponse:
    """Show the entries as a table; POST does one action on the chosen ones, all or nothing."""
    found, role = known_event(request.user, event)
    require_director(role)
    if request.method != "POST":
        return _table(request, found)
    chosen = request.POST.getlist("chosen")
    try:
        said = _act(found, chosen, request.POST, request.user)
    except REFUSALS as refused:
        return _table(request, found, refused=with_remedy(refused), chosen=frozenset(chosen))
    messages.success(request, said)
    return redirect(_address(found, request.GET.dict()))


def _act(event: Event, refs: list[str], sent: Any, user: User) -> str:
    """Do the action of a form and say what changed."""
    action = sent.get("action", "")
    if action in {"cash", "transfer"}:
        count = mark_paid(event=event, refs=refs, payment=FeePayment(action), user=user)
        return ngettext("%(count)s entry marked paid.", "%(count)s entries marked paid.", count) % {
            "count": count
        }
    if action == "withdraw":
        count = withdraw_chosen(event=event, refs=refs, user=user)
        return ngettext("%(count)s entry withdrawn.", "%(count)s entries withdrawn.", count) % {
            "count": count
        }
    if action == "join":
        pool = sent.get("pool", "")
        count = join_pool(event=event, refs=refs, pool=pool, user=user)
        return ngettext("%(count)s entry joined %(pool)s.", "%(count)s entries joined %(pool)s.", count) % {
            "count": count,
            "pool": pool,
        }
    if action == "check-in":
        count = check_in_chosen(event=event, refs=refs, user=user)
        return ngettext("%(count)s entry checked in.", "%(count)s entries checked in.", count) % {
            "count": count
        }
    raise unknown_action(action)


def _table(
    request: HttpRequest,
    event: Event,
    *,
    refused: str = "",
    chosen: frozenset[str] = frozenset(),
    typed: PlayersForm | None = None,
) -> HttpResponse:
    asked = {name: request.GET.get(name, "") for name in ("sort", "only", "find")}
    page = whole_number(request.GET.get("page", "")) or 1
    flights = whole_flights(event)
    wanted = {"sort": asked["sort"], "only": asked["only"], "text": asked["find"]}
    table = entry_table(event, **wanted, page=page, known=flights)
    pools = list(dict.fromkeys(pool.key for flight in flights for pool in pools_of(flight.pools)))
    shown = {"division": len(flights) > 1, "club": any(line.entrant.from_club for line in table.lines)}
    shown["seed"] = any(line.entrant.seed for line in table.lines)
    heads = [_head(event, asked, key) for key in SORTS if shown.get(key, True)]
    enterings = [] if event.is_away else _enterings(event, flights, typed, request.GET.get("late", ""))
    kept = typed is None or any(each["form"] is typed for each in enterings)
    context: dict[str, Any] = {
        "event": event,
        "club": event.club,
        "table": table,
        "heads": heads,
        "shown": shown,
        "filters": [_filter(event, asked, name, table.counts) for name in ("", *FILTERS)],
        "asked": asked,
        "pools": pools,
        "taken": [(key, table.pools[key]) for key in pools if table.pools.get(key)],
        "enterings": enterings,
        "unsent": "" if kept or typed is None else typed.typed(),
        "chosen": chosen,
        "refused": refused,
        "directs": not event.is_away,
        "page": page,
        "earlier": _address(event, asked | {"page": str(page - 1)}) if page > 1 else "",
        "later": _address(event, asked | {"page": str(page + 1)}) if page < table.pages else "",
    }
    return render(request, "tournaments/entries/entries.html", context, status=409 if refused else 200)


def _enterings(
    event: Event, flights: list[Flight], typed: PlayersForm | None, late: str
) -> list[dict[str, Any]]:
    """The forms for a new or late entry, one a division that takes it, as they were ``typed``.

    That of the stage ``late`` (a ref) is open.
    """
    found: list[dict[str, Any]] = []
    drawn = [each for each in flights if any(stage.drawn_at is not None for stage in each.stages.all())]
    pairs = flights_with_pairs(drawn)
    for flight in flights if not event.is_over else ():
        stages = list(flight.stages.all())
        running = next((stage for stage in stages if stage.status == StageStatus.RUNNING), None)
        undrawn = all(stage.status == StageStatus.PLANNED for stage in stages)
        if not undrawn and running is None:
            continue
        form = typed if isinstance(typed, EnterForm) and typed.flight == flight else None
        form = form or EnterForm(flight, pairs=running is None or flight.pk in pairs)
        address = (
            reverse("tournaments:late", args=[running.ref])
            if running
            else reverse("tournaments:enter_players", args=[event.ref])
        )
        opened = running is not None and late in {stage.ref for stage in stages}
        found.append({"flight": flight, "late": running, "form": form, "address": address, "open": opened})
    return found


def _address(event: Event, asked: dict[str, str]) -> str:
    page = reverse("tournaments:entries", args=[event.ref])
    query = urlencode({name: value for name, value in asked.items() if value})
    return f"{page}?{query}" if query else page


def _head(event: Event, asked: dict[str, str], key: str) -> dict[str, Any]:
    """A column that sorts: ascending first, descending on the second tap."""
    sort, (label, kind) = asked["sort"], HEADS[key]
    order = {key: "ascending", f"-{key}": "descending"}.get(sort, "")
    link = _address(event, asked | {"sort": f"-{key}" if sort == key else key})
    return {"label": label, "kind": kind, "order": order, "link": link}


def _filter(event: Event, asked: dict[str, str], name: str, counts: Any) -> dict[str, Any]:
    labels = {
        "": _("All"),
        "unpaid": _("Unpaid"),
        "not-here": _("Not checked in"),
        "waiting": _("Waiting"),
    }
    return {
        "label": labels[name],
        "link": _address(event, asked | {"only": name}),
        "count": counts.get(name),
        "current": asked["only"] == name,
    }


def _acts(entrant: EntrantRow, *, drawn: bool) -> list[str]:
    """What can be done with an entry beside changing its values (one query)."""
    event, gone = entrant.flight.event, entrant.state == EntrantState.WITHDRAWN
    if event.is_over:
        return []
    states = set(entrant.flight.stages.values_list("status", flat=True))
    if gone:
        return ["reinstate"] if drawn and event.status == EventStatus.RUNNING else []
    if states == {StageStatus.PLANNED}:
        return [*(["check_in"] if entrant.state in HAS_PLACE else []), "withdraw"]
    plays = drawn and StageStatus.RUNNING in states
    return [*(["substitute"] if plays else []), *(["withdraw"] if plays or not drawn else [])]


@needs_event_here
@decides(DIRECTORS)
@shows_a_form
def edit_entry(request: SignedInRequest, entrant: str) -> HttpResponse:
    """Change an entry: division, fees, side pools, seed, rating, club, email."""
    found, role = known_entrant(request.user, entrant)
    require_director(role)
    event = found.flight.event
    drawn = found.was_drawn
    dues = dues_of_entrant(found, found.flight)
    sent = request.POST if request.method == "POST" else None
    form = EntryForm(found, dues, sent, drawn=drawn, closed=pools_open(found.flight))
    status = 200
    if sent is not None and form.is_valid():
        try:
            changed = change_entry(
                entrant=found,
                values=form.values(),
                user=request.user,
                override=form.cleaned_data.get("override", False),
                seen=read_entry_seen(sent.get("seen", "")),
            )
        except REFUSALS as refused:
            form.add_error(None, with_remedy(refused))
            status = 409
        else:
            said = _("%(name)s is saved.") % {"name": found.title}
            if changed.refund:
                refund = money(changed.refund, event.club.currency)
                said = _("%(name)s is saved. Refund %(amount)s.") % {"name": found.title, "amount": refund}
            messages.success(request, said)
            return redirect("tournaments:entries", event=event.ref)
    seen = sent.get("seen", "") if sent is not None else entry_seen(found)
    context = {"event": event, "entrant": found, "form": form, "dues": dues, "drawn": drawn, "seen": seen}
    context |= {"acts": _acts(found, drawn=drawn), "refundable": found.payment in PAID_BY}
    return render(request, "tournaments/entries/edit_entry.html", context, status=status)
