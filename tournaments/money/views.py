"""Money page of an event: balances, prizes, payments, deals and split."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from clubs.access import SignedInRequest, decides
from clubs.currency import minor_digits
from clubs.refusals import with_remedy
from tournaments.core.prizes.balance import together
from tournaments.core.prizes.money import PrizeRefused
from tournaments.core.stages.stage import Stage
from tournaments.events.access import (
    DIRECTORS,
    known_event,
    known_flight,
    known_prize,
    may_direct,
    require_director,
)
from tournaments.events.queries.event_page import whole_flights
from tournaments.events.views.conflicts import shown_at
from tournaments.log.refusals import DeskRefused
from tournaments.log.seen import amount_seen, amounts_seen, shares_seen
from tournaments.models import Event, Flight, PaidHow, StageStatus
from tournaments.money.amounts import typed_amount
from tournaments.money.entry_fees import owing_winners
from tournaments.money.forms import SharesForm
from tournaments.money.queries import EventMoney, satellite_target, satellite_targets
from tournaments.money.services.awards import Purse
from tournaments.money.services.prizes import approve_prizes, make_deal, pay_prize, unpay_prize
from tournaments.money.services.satellites import set_satellite
from tournaments.money.services.shares import set_shares
from tournaments.stages.services.stages import load_all
from tournaments.words.prizes import in_prize_words
from tournaments.words.written import pool_name

WAYS = {
    PaidHow.CASH: gettext_lazy("Pay in cash"),
    PaidHow.TRANSFER: gettext_lazy("Pay by transfer"),
    PaidHow.KIND: gettext_lazy("Pay in kind"),
}


@decides(DIRECTORS)
@require_safe
def money(request: HttpRequest, event: str) -> HttpResponse:
    """Show the balance sheets and prizes of an event."""
    return _as_it_is(request, event)


def _as_it_is(
    request: HttpRequest, event: str, *, refused: str = "", typed: SharesForm | None = None
) -> HttpResponse:
    """Render the current state.

    After a refusal with status 409 and the ``typed`` values.
    """
    found, role = known_event(request.user, event)
    require_director(role)
    flights = whole_flights(found)
    loaded = EventMoney.of(found, flights)
    unpaid = loaded.unpaid()
    values = load_all(
        [
            stage
            for flight in flights
            for stage in flight.stages.all()
            if stage.status == StageStatus.FINISHED and not loaded.prizes_of(flight)
        ]
    )
    sheets = [_sheet(flight, typed, loaded, unpaid, values) for flight in flights]
    for sheet in sheets:
        # Keep the typed amounts of a refused deal.
        sheet["deal"] = [
            (prize, request.POST.get(f"amount-{prize.entrant.ref}", "")) for prize in sheet["deal"]
        ]
        sheet["typed"] = any(amount for _prize, amount in sheet["deal"])
    context: dict[str, Any] = {"event": found, "club": found.club, "sheets": sheets}
    context |= {"ways": list(WAYS.items()), "refused": refused, "directs": may_direct(role, found)}
    context["targets"] = satellite_targets(found.club)
    context["unsent"] = ", ".join(sheet["unsent"] for sheet in sheets if sheet["unsent"])
    if len(sheets) > 1:
        context["whole"] = together([sheet["balance"] for sheet in sheets])
    shown = shown_at(request, reverse("tournaments:money", args=[found.ref]))
    return render(shown, "tournaments/money/money.html", context, status=409 if refused else 200)


def _sheet(
    flight: Flight,
    typed: SharesForm | None,
    loaded: EventMoney,
    unpaid: Mapping[int, int],
    values: Mapping[int, Stage],
) -> dict[str, Any]:
    """Balance, prizes (proposed before approval) and split of a flight with its stages.

    ``values`` are its finished stages by key.
    """
    prizes = loaded.prizes_of(flight)
    entrants = loaded.entrants_of(flight)
    stages = sorted(flight.stages.all(), key=lambda stage: stage.position)
    purse = Purse.among(flight, stages, entrants)
    over = bool(purse.stages) and all(stage.status == StageStatus.FINISHED for stage in purse.deciding)
    proposed: list[dict[str, Any]] = []
    refused = ""
    if over and not prizes:
        try:
            with in_prize_words(flight.event.club.currency):
                awards = purse.awards(values)
        except PrizeRefused as error:
            awards, refused = (), with_remedy(error)
        by_key = {entrant.pk: entrant for entrant in entrants}
        proposed = [
            {"entrant": by_key[award.entrant], "amount": award.amount, "source": award.source}
            for award in awards
        ]
    winners = [each["entrant"] for each in proposed]
    winners += [prize.entrant for prize in prizes if not prize.paid_at]
    balance = loaded.balance_of(flight)
    held = balance.waiting if all(stage.drawn_at is None for stage in purse.stages) else 0
    paid = any(prize.paid_at for prize in prizes)
    retyped = typed if typed is not None and typed.flight == flight else None
    shares = retyped or SharesForm(flight)
    return {
        "flight": flight,
        "balance": balance,
        "held": held,
        "waiting": balance.waiting - held,
        "together": balance.taken + balance.added + held,
        "main": balance.main.pool + balance.added,
        "share": balance.kept - balance.registration,
        "out": balance.pools + balance.kept + held,
        "refunded": sum(balance.refunded.values()),
        "prizes": prizes,
        "owing": owing_winners(flight, winners, unpaid),
        "shares": shares if shares.several and not paid else None,
        "unsent": _in_words(retyped) if retyped and paid else "",
        "paid": paid,
        "deal": [prize for prize in prizes if prize.source == "main" and not prize.paid_at],
        "over": over,
        "proposed": proposed,
        "refused": refused,
    }


@decides(DIRECTORS)
@require_POST
def approve(request: SignedInRequest, flight: str) -> HttpResponse:
    """Approve the prizes of a flight."""
    found, role = known_flight(request.user, flight)
    require_director(role)
    seen = amounts_seen(request)
    desk = reverse("tournaments:desk", args=[found.event.ref])
    return _done(
        request,
        found.event,
        lambda: approve_prizes(flight=found, user=request.user, seen=seen),
        back=desk if request.POST.get("next") == desk else "",
    )


@decides(DIRECTORS)
@require_POST
def shares(request: SignedInRequest, flight: str) -> HttpResponse:
    """Set the prize pool split."""
    found, role = known_flight(request.user, flight)
    require_director(role)
    form = SharesForm(found, request.POST)

    def split() -> None:
        if not form.is_valid():
            raise DeskRefused(_("A share is a percentage from 0 to 100."), code="share")
        set_shares(flight=found, shares=form.shares(), user=request.user, seen=shares_seen(request))

    return _done(request, found.event, split, form)


@decides(DIRECTORS)
@require_POST
def satellite(request: SignedInRequest, flight: str) -> HttpResponse:
    """Set the division to which the best win entries; an empty ``target`` for cash prizes."""
    found, role = known_flight(request.user, flight)
    require_director(role)
    ref, seen = request.POST.get("target", ""), request.POST.get("seen")

    def lead() -> None:
        target = satellite_target(found, ref) if ref else None
        set_satellite(flight=found, target=target, user=request.user, seen=seen)

    return _done(request, found.event, lead)


def _in_words(form: SharesForm) -> str:
    return ", ".join(f"{pool_name(name)} {text}" for name, text in form.typed())


@decides(DIRECTORS)
@require_POST
def paid(request: SignedInRequest, prize: str) -> HttpResponse:
    """Record a prize as paid (``how``), or undo it with ``stop``."""
    found, role = known_prize(request.user, prize)
    require_director(role)
    event = found.flight.event
    if "stop" in request.POST:
        return _done(request, event, lambda: unpay_prize(prize=found, user=request.user))
    how = request.POST.get("how", "")
    if how not in PaidHow.values:
        messages.error(request, _("Choose how the prize was paid."))
        return redirect("tournaments:money", event.ref)
    seen = amount_seen(request, "seen")
    return _done(
        request, event, lambda: pay_prize(prize=found, how=PaidHow(how), user=request.user, seen=seen)
    )


@decides(DIRECTORS)
@require_POST
def deal(request: SignedInRequest, flight: str) -> HttpResponse:
    """Record a deal: ``amount-<entrant>`` for each, in the club's currency."""
    found, role = known_flight(request.user, flight)
    require_director(role)
    digits = minor_digits(found.event.club.currency)
    amounts: dict[str, int] = {}
    for name in request.POST:
        typed = request.POST.get(name, "")
        if not name.startswith("amount-") or not typed.strip():
            continue
        amount = typed_amount(typed, digits)
        if amount is None:
            said = _("“%(typed)s” is not an amount.") % {"typed": typed[:40]}
            return _as_it_is(request, found.event.ref, refused=said)
        amounts[name.removeprefix("amount-")] = amount
    shown = {ref: amount_seen(request, f"seen-{ref}") for ref in amounts}
    seen = {ref: amount for ref, amount in shown.items() if amount is not None}
    return _done(
        request,
        found.event,
        lambda: make_deal(flight=found, amounts=amounts, user=request.user, seen=seen),
    )


def _done(
    request: HttpRequest, event: Event, action: Any, typed: SharesForm | None = None, back: str = ""
) -> HttpResponse:
    """Run the action and redirect to the money page, or to the address ``back``.

    Show a refusal there (409) with the ``typed`` values.
    """
    try:
        action()
    except (DeskRefused, PrizeRefused) as refused:
        return _as_it_is(request, event.ref, refused=with_remedy(refused), typed=typed)
    return redirect(back or reverse("tournaments:money", args=[event.ref]))
