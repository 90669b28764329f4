"""Access policies: the one module that decides who can open what.

Every view is decorated with exactly one policy, which is enforced before the view runs and can be read from
the URL pattern (``policy_of``); a system check refuses an address without one.

- ``@public``: everyone. ``@signed_in``: users with an account. ``@site_admin``: site administrators.
- ``@club_role(Role.MEMBER)``: the pattern has ``<slug:club>``; the view gets the loaded ``Club`` in its place
  and ``request.role``, the viewer's role or None. ``@club_visible``: everyone who can know the club.
- ``@decides("why")``: the view decides from what it loads (explain how in its docstring).
- API views declare ``permission_classes = [SignedIn]`` or ``[club_permission(Role.MEMBER)]``, the same rules.

What must not be known answers 404; what is known but not allowed answers 403 with the reason. A visitor who
is not signed in is asked to sign in, for hidden and for non-existent clubs alike.
"""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any, ClassVar, TypeVar, cast

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.core.checks import CheckMessage, Error
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import resolve_url
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from clubs.models import Club, Membership, Openness, Role, User, Visibility

Viewer = User | AnonymousUser
V = TypeVar("V", bound=Callable[..., HttpResponseBase | Awaitable[HttpResponseBase]])


@dataclass(frozen=True, slots=True)
class Policy:
    """The declared rule of one address, e.g. ``Policy("club role", Role.MEMBER)``."""

    name: str
    role: Role | None = None

    def __str__(self) -> str:
        return f"{self.name} {self.role.name.lower()}" if self.role else self.name


PUBLIC = Policy("public")
SIGNED_IN = Policy("signed in")
SITE_ADMIN = Policy("site administrator")
CLUB_VISIBLE = Policy("club visible")

# Addresses of other packages, by the module of their view. Each of them enforces its rule itself.
THIRD_PARTY: dict[str, Policy] = {
    "allauth.account": Policy("allauth"),
    "allauth.mfa": Policy("allauth"),
    "django.contrib.admin": SITE_ADMIN,
    "django.views.i18n": PUBLIC,
    "django.conf.urls.i18n": PUBLIC,
    "django.contrib.staticfiles": PUBLIC,
    "drf_spectacular": PUBLIC,
}


class ClubRequest(HttpRequest):
    """A request that a club policy has let through."""

    club: Club
    role: Role | None
    user: User


class SignedInRequest(HttpRequest):
    """A request of a signed-in user."""

    user: User


class SignInNeededError(Exception):
    """The visitor must sign in before anything can be answered."""


def role_of(viewer: Viewer, club: Club) -> Role | None:
    """The viewer's role in the club (one query), None for visitors.

    A site administrator counts as owner.
    """
    if not isinstance(viewer, User):
        return None
    if viewer.is_superuser:
        return Role.OWNER
    role = Membership.objects.filter(club=club, player__user=viewer).values_list("role", flat=True).first()
    return None if role is None else Role(role)


def enter_club(viewer: Viewer, name: str, *, least: Role | None = None) -> tuple[Club, Role | None]:
    """Return the club of a slug or ref and the viewer's role in it (two queries).

    Raises SignInNeededError for a visitor who cannot be told more before signing in, Http404 where the club
    must not be known, PermissionDenied where the role is below ``least``.
    """
    club = Club.objects.named(name).first()
    role = None if club is None else role_of(viewer, club)
    if club is None or (club.visibility != Visibility.PUBLIC and role is None):
        if not viewer.is_authenticated:
            raise SignInNeededError
        raise Http404(_("There is no club %(club)s.") % {"club": name})
    if least is not None and (role is None or role < least):
        if not viewer.is_authenticated:
            raise SignInNeededError
        raise PermissionDenied(
            _("You need the role “%(role)s” or above in %(club)s.") % {"club": club.name, "role": least.label}
        )
    return club, role


def may_see(viewer: Viewer, club: Club) -> bool:
    """Whether the viewer can know the club and what is public in it."""
    return club.visibility == Visibility.PUBLIC or role_of(viewer, club) is not None


def sees_lists(role: Role | None, club: Club) -> bool:
    """Whether a role sees the club's member list and unconfirmed matches.

    ``role`` is None for an outsider.
    """
    return role is not None or club.lists_open_to == Openness.EVERYONE


def _guard(policy: Policy, admit: Callable[[HttpRequest, dict[str, Any]], None]) -> Callable[[V], V]:
    """Return a decorator that runs ``admit`` before a view and marks the view.

    ``admit`` can raise, or replace arguments.
    """

    def decorate(view: V) -> V:
        if hasattr(view, "access_policy"):
            raise TypeError(f"{view.__name__} already has a policy: {view.access_policy}")

        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            try:
                admit(request, kwargs)
            except SignInNeededError:
                return redirect_to_login(request.get_full_path(), resolve_url(settings.LOGIN_URL))
            return cast("HttpResponseBase", view(request, *args, **kwargs))

        @wraps(view)
        async def guarded_async(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            try:
                await sync_to_async(admit)(request, kwargs)
            except SignInNeededError:
                return redirect_to_login(request.get_full_path(), resolve_url(settings.LOGIN_URL))
            return await cast("Awaitable[HttpResponseBase]", view(request, *args, **kwargs))

        chosen: Any = guarded_async if iscoroutinefunction(view) else guarded
        chosen.access_policy = policy
        return cast("V", chosen)

    return decorate


def _admit_everyone(_request: HttpRequest, _kwargs: dict[str, Any]) -> None:
    """Admit everyone."""


def _admit_signed_in(request: HttpRequest, _kwargs: dict[str, Any]) -> None:
    if not request.user.is_authenticated:
        raise SignInNeededError


def _admit_site_admin(request: HttpRequest, kwargs: dict[str, Any]) -> None:
    _admit_signed_in(request, kwargs)
    if not request.user.is_superuser:
        raise PermissionDenied(_("Only site administrators can open this page."))


def _admit_to_club(least: Role | None) -> Callable[[HttpRequest, dict[str, Any]], None]:
    def admit(request: HttpRequest, kwargs: dict[str, Any]) -> None:
        club, role = enter_club(request.user, kwargs["club"], least=least)
        kwargs["club"] = club
        entered = cast("ClubRequest", request)
        entered.club, entered.role = club, role

    return admit


def public(view: V) -> V:
    """Everyone may open the view."""
    return _guard(PUBLIC, _admit_everyone)(view)


def signed_in(view: V) -> V:
    """Only signed-in users; visitors are sent to sign in."""
    return _guard(SIGNED_IN, _admit_signed_in)(view)


def site_admin(view: V) -> V:
    """Only site administrators (superusers)."""
    return _guard(SITE_ADMIN, _admit_site_admin)(view)


def club_visible(view: V) -> V:
    """Everyone who can know the club: all for a public club, else its members."""
    return _guard(CLUB_VISIBLE, _admit_to_club(None))(view)


def club_role(least: Role) -> Callable[[V], V]:
    """Only users with at least this role in the club of the URL."""
    return _guard(Policy("club role", least), _admit_to_club(least))


def decides(how: str) -> Callable[[V], V]:
    """The view decides from what it loads.

    ``how`` names the rule, e.g. ``"the match's club"``.
    """
    return _guard(Policy(f"decides: {how}"), _admit_everyone)


class Permission(BasePermission):
    """Base class of API permissions; each declares its policy."""

    policy: ClassVar[Policy]


class Public(Permission):
    """API: everyone."""

    policy = PUBLIC


class SignedIn(Permission):
    """API: users with an account, by session or token."""

    policy = SIGNED_IN

    def has_permission(self, request: Request, view: APIView) -> bool:  # noqa: ARG002 - DRF's signature
        return request.user.is_authenticated


def decided(how: str) -> type[Permission]:
    """API: like ``decides(how)``."""

    class Decided(Permission):
        policy = Policy(f"decides: {how}")

    return Decided


class SiteAdmin(SignedIn):
    """API: site administrators."""

    policy = SITE_ADMIN

    def has_permission(self, request: Request, view: APIView) -> bool:
        return super().has_permission(request, view) and bool(request.user.is_superuser)


def club_permission(least: Role | None = None) -> type[Permission]:
    """API: like ``club_role(least)``, or ``club_visible`` for None.

    Sets ``request.club`` and ``request.role``. The view's URL has a ``club`` argument. A visitor gets 401
    where a page would ask to sign in.
    """

    class ClubPermission(Permission):
        policy = CLUB_VISIBLE if least is None else Policy("club role", least)

        def has_permission(self, request: Request, view: APIView) -> bool:
            try:
                club, role = enter_club(request.user, view.kwargs["club"], least=least)
            except SignInNeededError as needed:
                raise NotAuthenticated from needed
            setattr(request, "club", club)  # noqa: B010 - DRF's Request takes attributes of ours
            setattr(request, "role", role)  # noqa: B010
            return True

    return ClubPermission


def policy_of(pattern: URLPattern) -> Policy | None:
    """The policy declared by the view of a URL pattern, or None."""
    view: Any = pattern.callback
    if policy := getattr(view, "access_policy", None):
        return cast("Policy", policy)
    view_class = getattr(view, "cls", None) or getattr(view, "view_class", None)
    for permission in getattr(view_class, "permission_classes", ()):
        if policy := getattr(permission, "policy", None):
            return cast("Policy", policy)
    module = getattr(view_class or view, "__module__", "")
    for package, policy in THIRD_PARTY.items():
        if module == package or module.startswith(f"{package}."):
            return policy
    return None


def url_patterns(resolver: URLResolver | None = None, prefix: str = "/") -> Iterator[tuple[str, URLPattern]]:
    """Yield every address of the site with its pattern.

    For example ``("/clubs/<slug:club>/", ...)``.
    """
    for entry in (resolver or get_resolver()).url_patterns:
        path = f"{prefix}{entry.pattern}"
        if isinstance(entry, URLResolver):
            yield from url_patterns(entry, path)
        else:
            yield path, entry


def check_policies(resolver: URLResolver | None = None) -> list[CheckMessage]:
    """System check ``midpoint.E001``: one error for each address without a policy."""
    return [
        Error(
            f"{path} declares no access policy.",
            hint="Decorate its view with a policy of clubs.access, or add its package to THIRD_PARTY.",
            id="midpoint.E001",
        )
        for path, pattern in url_patterns(resolver)
        if policy_of(pattern) is None
    ]
