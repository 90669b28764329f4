"""Where a form leads after it is saved."""

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


def sent_back_to(request: HttpRequest, otherwise: str) -> str:
    """The path in the field ``next`` if it is on this site, else ``otherwise``."""
    target = request.POST.get("next", "")
    ours = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure())
    return target if ours and target.startswith("/") else otherwise
