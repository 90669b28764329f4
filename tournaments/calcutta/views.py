"""The Calcutta auction of a flight: open it, sell lots, record buy-backs, close it and approve payouts."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from clubs.access import SignedInRequest, decides
from clubs.formats.money import typed_money
from clubs.http.methods import shows_a_form
from clubs.models import Club, Role
from clubs.refusals import with_remedy
from tournaments.calcutta.access import known_lot
from tournaments.calcutta.forms import AuctionForm, BuyBackForm, FieldLotForm, SaleForm
from tournaments.calcutta.queries import AuctionState, LotLine, auction_of, default_percentages
from tournaments.calcutta.services import (
    add_lots,
    approve_payouts,
    buy_back,
    close_auction,
    make_field_lot,
    open_auction,
    remove_auction,
    sell_lot,
    split_lot,
    undo_payout,
    undo_sale,
)
from tournaments.core.prizes.money import PrizeRefused
from tournaments.events.access import DIRECTORS, WHO_MAY_SEE, known_flight, may_direct, require_director
from tournaments.events.views.answers import unknown_action
from tournaments.events.views.conflicts import shown_at
from tournaments.log.refusals import DeskRefused
from tournaments.log.seen import amount_seen
from tournaments.models import AuctionLot, EntrantRow, Flight

REFUSALS = (DeskRefused, PrizeRefused)


@decides(f"{WHO_MAY_SEE}; its directors hold the auction")
@shows_a_form
def calcutta(request: HttpRequest, flight: str) -> HttpResponse:
    """Show the auction of a flight; directors open, close and remove it, and approve payouts."""
    found, role = known_flight(request.user, flight)
    if request.method != "POST":
        return _page(request, found, role)
    require_director(role)
    action = request.POST.get("action", "")
    state = auction_of(found)
    if state is None and action == "open":
        return _opened(request, found, role)
    return _done(request, found, lambda: _act(request, action, state))


def _opened(request: HttpRequest, flight: Flight, role: Role | None) -> HttpResponse:
    form = AuctionForm(request.POST)
    if not form.is_valid():
        return _page(request, flight, role, opening=form)
    return _done(
        request,
        flight,
        lambda: open_auction(flight=flight, user=_user(request), **form.cleaned_data),
        opening=form,
    )


def _act(request: HttpRequest, action: str, state: AuctionState | None) -> None:
    if state is None:
        raise DeskRefused(_("There is no auction. Open it first."), code="no_auction")
    auction, user = state.auction, _user(request)
    match action:
        case "open":
            raise DeskRefused(_("This division already has an auction."), code="auction_exists")
        case "close" | "reopen":
            close_auction(auction=auction, closed=action == "close", user=user)
        case "add":
            add_lots(auction=auction, user=user)
        case "approve":
            approve_payouts(auction=auction, user=user)
        case "remove":
            remove_auction(auction=auction, user=user)
        case "join":
            make_field_lot(auction=auction, lots=request.POST.getlist("lots"), user=user)
        case _other:
            raise unknown_action(action)


@decides(DIRECTORS)
@require_POST
def lot(request: SignedInRequest, lot: str) -> HttpResponse:
    """Sell a lot or correct its sale, or ``action``: undo the sale, buy back, split, undo the payout."""
    found, role = known_lot(request.user, lot)
    require_director(role)
    flight, user = found.auction.flight, request.user
    match request.POST.get("action", "sell"):
        case "undo":
            return _done(request, flight, lambda: undo_sale(lot=found, user=user))
        case "split":
            return _done(request, flight, lambda: split_lot(lot=found, user=user))
        case "unpay":
            return _done(request, flight, lambda: undo_payout(lot=found, user=user))
        case "back":
            back = BuyBackForm(found, request.POST)
            if not back.is_valid():
                return _page(request, flight, role, chosen=found, back=back)
            data = back.cleaned_data
            return _done(
                request,
                flight,
                lambda: buy_back(
                    lot=found,
                    entrant=data["entrant"],
                    percent=data["percent"],
                    payment=back.payment_made(),
                    user=user,
                ),
                chosen=found,
                back=back,
            )
        case action if action != "sell":
            return _page(request, flight, role, refused=str(unknown_action(action)))
    form = SaleForm(flight.event.club, request.POST)
    if not form.is_valid():
        return _page(request, flight, role, chosen=found, sale=form)
    seen = amount_seen(request, "seen")
    return _done(
        request,
        flight,
        lambda: sell_lot(
            lot=found,
            buyer=form.cleaned_data["buyer"],
            price=form.cleaned_data["price"],
            payment=form.payment_made(),
            user=user,
            seen=None if seen is None else {"price": seen},
        ),
        chosen=found,
        sale=form,
    )


def _user(request: HttpRequest) -> Any:
    return request.user


def _done(request: HttpRequest, flight: Flight, action: Callable[[], Any], **typed: Any) -> HttpResponse:
    """Run the action and return to the auction; a refusal is shown there (409) with what was typed."""
    try:
        action()
    except REFUSALS as refused:
        return _page(request, *known_flight(request.user, flight.ref), refused=with_remedy(refused), **typed)
    messages.success(request, _("Saved."))
    return redirect("tournaments:calcutta", flight.ref)


def _page(
    request: HttpRequest,
    found: Flight,
    role: Role | None,
    *,
    refused: str = "",
    chosen: AuctionLot | None = None,
    opening: AuctionForm | None = None,
    sale: SaleForm | None = None,
    back: BuyBackForm | None = None,
) -> HttpResponse:
    state, directs = auction_of(found), may_direct(role, found.event)
    event = found.event
    context: dict[str, Any] = {"event": event, "club": event.club, "flight": found, "state": state}
    context |= {"directs": directs, "refused": refused, "names_buyers": role is not None}
    if state is None and directs:
        count = EntrantRow.objects.filter(flight=found).entered().count()
        usual = ", ".join(str(part) for part in default_percentages(count))
        context["opening"] = opening or AuctionForm(initial={"percentages": usual})
    if state is not None and directs and state.auction.closed_at is None:
        line = _chosen(state, chosen.ref if chosen else request.GET.get("lot", ""))
        context |= {"line": line, "joining": FieldLotForm(state.unsold) if len(state.unsold) > 1 else None}
        if line is not None:
            context["sale"] = sale or _sale(line, event.club)
            context["back"] = (back or BuyBackForm(line.row)) if line.row.is_sold else None
    shown = shown_at(request, reverse("tournaments:calcutta", args=[found.ref]))
    return render(shown, "tournaments/calcutta/calcutta.html", context, status=409 if refused else 200)


def _chosen(state: AuctionState, ref: str) -> LotLine | None:
    """The lot in the form: the chosen one, or the next that is not sold."""
    named = next((line for line in state.lines if line.row.ref == ref), None)
    return named or next(iter(state.unsold), None)


def _sale(line: LotLine, club: Club) -> SaleForm:
    row = line.row
    if not row.is_sold:
        return SaleForm(club)
    price = typed_money(row.price, club.currency)
    return SaleForm(club, initial={"buyer": row.buyer, "price": price, "payment": row.payment})
