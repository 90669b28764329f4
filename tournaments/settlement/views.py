"""Settlement of an event: accounts, receipts and the cash box."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from clubs.access import SignedInRequest, decides
from clubs.http.methods import shows_a_form
from clubs.models import Role
from clubs.refusals import with_remedy
from tournaments.events.access import DIRECTORS, known_event, may_direct, require_director
from tournaments.events.views.answers import unknown_action
from tournaments.events.views.conflicts import shown_at
from tournaments.log.refusals import DeskRefused
from tournaments.log.seen import signed_seen
from tournaments.models import Event, PaidHow
from tournaments.settlement.forms import CashCountForm
from tournaments.settlement.queries import receipt_rows, settlement_of
from tournaments.settlement.services import (
    close_cash_box,
    pay_out_all,
    reopen_cash_box,
    send_receipt,
    settle,
)


@decides(DIRECTORS)
@shows_a_form
def settlement(request: SignedInRequest, event: str) -> HttpResponse:
    """Show every account of an event, and settle one, which ``cash`` or ``transfer`` names.

    ``all`` pays out every account that owes nothing net.
    """
    found, role = known_event(request.user, event)
    require_director(role)
    if request.method != "POST":
        return _page(request, found, role)
    if "all" in request.POST:
        return _done(request, found, lambda: _paid_out(request, found))
    how = PaidHow.TRANSFER if "transfer" in request.POST else PaidHow.CASH
    ref, colon, net = request.POST.get(how.value, "").partition(":")
    seen = signed_seen(net) if colon else None

    def act() -> str:
        line = settle(event=found, account=ref, how=how, user=request.user, seen=seen)
        return _("%(name)s is settled.") % {"name": line.title}

    return _done(request, found, act)


def _paid_out(request: SignedInRequest, event: Event) -> str:
    asked = request.POST["all"]
    if asked not in PaidHow.values:
        raise unknown_action(asked)
    count = pay_out_all(
        event=event, how=PaidHow(asked), user=request.user, seen=signed_seen(request.POST.get("seen", ""))
    )
    return ngettext("%(count)s account is settled.", "%(count)s accounts are settled.", count) % {
        "count": count
    }


@decides(DIRECTORS)
@require_POST
def cash_box(request: SignedInRequest, event: str) -> HttpResponse:
    """Close the cash box, or reopen it with ``reopen``."""
    found, role = known_event(request.user, event)
    require_director(role)
    if "reopen" in request.POST:

        def reopen() -> str:
            reopen_cash_box(event=found, user=request.user)
            return _("The cash box is open again.")

        return _done(request, found, reopen)
    form = CashCountForm(found.club.currency, request.POST, unsettled=True)
    if not form.is_valid():
        return _page(request, found, role, form=form)

    def close() -> str:
        data = form.cleaned_data
        close_cash_box(
            event=found,
            counted=data["counted"],
            starting=data["starting"],
            anyway=data["anyway"],
            user=request.user,
            seen=signed_seen(request.POST["seen"]) if "seen" in request.POST else None,
        )
        return _("The cash box is closed.")

    return _done(request, found, close, form=form)


@decides(DIRECTORS)
@require_safe
def receipt(request: HttpRequest, event: str, account: str) -> HttpResponse:
    """Show one account as a receipt to print or send."""
    found, role = known_event(request.user, event)
    require_director(role)
    state = settlement_of(found)
    line = state.line(account)
    if line is None:
        raise Http404(_("Account not found."))
    context = {"event": found, "club": found.club, "line": line, "rows": receipt_rows(state, line)}
    context |= {"at": now(), "directs": may_direct(role, found)}
    return render(request, "tournaments/settlement/receipt.html", context)


@decides(DIRECTORS)
@require_POST
def mail_receipt(request: SignedInRequest, event: str, account: str) -> HttpResponse:
    """Email a receipt to the players of the account."""
    found, role = known_event(request.user, event)
    require_director(role)
    try:
        sent = send_receipt(event=found, account=account, user=request.user)
    except DeskRefused as refused:
        return _refused(request, found, with_remedy(refused))
    said = ngettext("%(count)s receipt sent.", "%(count)s receipts sent.", sent) % {"count": sent}
    messages.success(request, said)
    return redirect("tournaments:receipt", found.ref, account)


def _done(
    request: SignedInRequest, event: Event, action: Callable[[], str], form: CashCountForm | None = None
) -> HttpResponse:
    """Run the action and return to the page; a refusal is shown there (409)."""
    try:
        said = action()
    except DeskRefused as refused:
        return _refused(request, event, with_remedy(refused), form=form)
    messages.success(request, said)
    return redirect("tournaments:settlement", event.ref)


def _refused(
    request: SignedInRequest, event: Event, refused: str, form: CashCountForm | None = None
) -> HttpResponse:
    """The page as it is now, with the reason of a refusal."""
    found, role = known_event(request.user, event.ref)
    require_director(role)
    return _page(request, found, role, refused=refused, form=form)


def _page(
    request: HttpRequest,
    found: Event,
    role: Role | None,
    *,
    refused: str = "",
    form: CashCountForm | None = None,
) -> HttpResponse:
    state = settlement_of(found)
    context: dict[str, Any] = {"event": found, "club": found.club, "state": state, "refused": refused}
    context |= {"directs": may_direct(role, found), "closings": state.earlier}
    if state.closing is None:
        context["form"] = form or CashCountForm(found.club.currency, unsettled=bool(state.reasons))
    shown = shown_at(request, reverse("tournaments:settlement", args=[found.ref]))
    return render(shown, "tournaments/settlement/settlement.html", context, status=409 if refused else 200)
