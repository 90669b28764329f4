"""The outbox: outgoing mail, for site administrators."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from clubs.access import site_admin
from clubs.mail.queries import outbox_page
from clubs.mail.services import RETENTION, erase_mail, send_kept
from clubs.models import OutgoingMail
from clubs.tasks import wake
from clubs.work.services import requeue


@site_admin
@never_cache
@require_safe
def outbox(request: HttpRequest) -> HttpResponse:
    """List messages, newest first; their text only while there is no mail server."""
    context = {
        "page": outbox_page(after=request.GET.get("after", "")),
        "has_mail_server": bool(settings.EMAIL_URL),
        "days": RETENTION.days,
    }
    return render(request, "clubs/site/outbox.html", context)


@site_admin
@require_POST
def erase(request: HttpRequest, mail: str) -> HttpResponse:
    if erase_mail(get_object_or_404(OutgoingMail, ref=mail)):
        messages.success(request, _("Email deleted."))
    else:
        messages.info(request, _("This email is being sent. Try again in a minute."))
    return redirect("clubs:outbox")


@site_admin
@require_POST
def send_again(request: HttpRequest, mail: str) -> HttpResponse:
    """Retry a failed message, or send one stored without a mail server."""
    message = get_object_or_404(OutgoingMail, ref=mail)
    if requeue(message) or send_kept(message):
        wake(message)
        messages.success(request, _("The email will be sent again."))
    else:
        messages.info(request, _("This email did not fail. There is nothing to send again."))
    return redirect("clubs:outbox")
