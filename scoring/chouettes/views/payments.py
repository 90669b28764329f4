"""Marking the payments of a chouette as paid on its summary."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from clubs.access import decides
from scoring.chouettes.queries.chouettes import refusal_text
from scoring.chouettes.services.payments import mark_paid, take_back_paid
from scoring.chouettes.views.chouette import SEATED, table_for
from scoring.log.queries.chouettes import SeenTable
from scoring.rules.chouette.payments import Transfer
from scoring.rules.errors import ScoringError
from scoring.sheets.services.entries import EntryRefused

KEY_LENGTH = 64
REF = 20


class MarkPaidForm(forms.Form):
    """A payment that was made; the ``key`` keeps a form sent twice to one entry."""

    key = forms.CharField(max_length=KEY_LENGTH)
    payer = forms.CharField(max_length=REF)
    receiver = forms.CharField(max_length=REF)
    minor = forms.IntegerField(min_value=1)


class TakeBackForm(forms.Form):
    """A payment that was not made after all, by its log entry."""

    key = forms.CharField(max_length=KEY_LENGTH)
    seq = forms.IntegerField(min_value=1)


@decides(SEATED)
@require_POST
def chouette_paid(request: HttpRequest, chouette: str) -> HttpResponse:
    """Mark a payment as paid, or with ``seq`` take that back."""
    seen = table_for(request, chouette)
    form = (TakeBackForm if "seq" in request.POST else MarkPaidForm)(request.POST)
    if not form.is_valid():
        messages.error(request, _("This form is out of date. Reload the page and try again."))
    else:
        try:
            done = _done(seen, form.cleaned_data)
        except EntryRefused as refused:
            messages.error(request, refusal_text(seen, refused.error))
        except ScoringError as error:
            messages.error(request, refusal_text(seen, error))
        else:
            if not done:
                messages.info(request, _("Someone else has already recorded this."))
    return redirect(reverse("scoring:chouette_history", args=[chouette]) + "#payments-name")


def _done(seen: SeenTable, told: dict[str, str | int]) -> bool:
    key = str(told["key"])
    if "seq" in told:
        return take_back_paid(
            chouette=seen.chouette,
            author=seen.author,
            key=key,
            seq=int(told["seq"]),
            reason=_("Not paid after all"),
        )
    payment = Transfer(str(told["payer"]), str(told["receiver"]), int(told["minor"]))
    return mark_paid(chouette=seen.chouette, author=seen.author, key=key, payment=payment)
