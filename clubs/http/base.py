"""The base class of all API views.

A view declares its access, then reads top to bottom: load, check the body, one service call, answer::

    class ClubMembers(ApiView):
        access = {
            "GET": Access(club_permission(Role.GUEST)),
            "POST": Access(club_permission(Role.DIRECTOR), Scope.DIRECT),
        }
        ordering = ("-role", "by_name", "pk")

        def get(self, request: ClubApiRequest, club: str) -> Response:
            return self.listed(members_of(request.club), MemberOut)

        def post(self, request: ClubApiRequest, club: str) -> Response:
            body = self.valid(NewPlayer)
            membership = add_player(club=request.club, **body)
            return created(request, MemberOut(membership), "api:member", request.club.slug, ...)

Every change runs in a transaction of its own (or its service does: ``one_transaction``); any error rolls it
back.
"""

from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from http import HTTPStatus
from threading import local
from typing import Any, ClassVar, TypeVar

from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables
from django_filters import FilterSet
from django_filters.rest_framework import DjangoFilterBackend
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, MethodNotAllowed, ValidationError
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import Permission
from clubs.http.etags import conditional, not_modified, unchanged
from clubs.http.keysets import Keyset
from clubs.http.problem_kinds import SCOPE
from clubs.http.problems import refuse
from clubs.http.repetition import key_of, once
from clubs.models import ApiToken, Club, Role, Scope, User

SAFE = ("GET", "HEAD")
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")

M = TypeVar("M", bound=Model)


Gate = Callable[[Any, dict[str, Any]], None]
_gates: list[Gate] = []


def register_gate(gate: Gate) -> None:
    """Call ``gate`` before every change, with the user and the arguments of the URL.

    An exception that it raises is answered like one of a service. Views with ``passes_gates`` are exempt.
    """
    _gates.append(gate)


class ApiRequest(Request):
    """A request of a signed-in user; ``auth`` is their token, None for a session."""

    user: User
    auth: ApiToken | None


class ClubApiRequest(ApiRequest):
    """A request admitted by ``club_permission``."""

    club: Club
    role: Role | None


@dataclass(frozen=True, slots=True)
class Access:
    """Who can use one method of a view, and the scope that a token needs."""

    permission: type[Permission]
    scope: Scope = Scope.READ


class _Readers(local):
    """Serializers of request bodies, one per thread and kind, with their messages."""

    def __init__(self) -> None:
        self.known: dict[Any, serializers.BaseSerializer[Any]] = {}


_readers = _Readers()


class ApiView(GenericAPIView[Any]):
    """An API view. ``access`` has an entry for every method it defines."""

    access: ClassVar[dict[str, Access]]
    ordering: ClassVar[tuple[str, ...]]
    filterset_class: ClassVar[type[FilterSet] | None] = None
    pagination_class: type[Keyset] | None = Keyset
    filter_backends = []
    queryset = None
    passes_gates = False
    one_transaction = True
    """False where the service writes in one statement or in a transaction of its own, and nothing else is
    written: two statements fewer for what is asked most."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.pagination_class = Keyset if hasattr(cls, "ordering") else None
        if cls.filterset_class is not None:
            # The schema's generator asks a view for its model; requests use what the view passes on.
            cls.queryset = cls.filterset_class._meta.model._default_manager.none()
            cls.filter_backends = [DjangoFilterBackend]
        defined = {method for method in METHODS if hasattr(cls, method.lower())}
        declared = list(getattr(cls, "access", {}))
        if defined != set(declared):
            raise TypeError(
                f"{cls.__name__} defines {sorted(defined)} and declares access to {sorted(declared)}."
            )
        cls.permission_classes = [access.permission for access in cls.access.values()] if declared else []
        cls.http_method_names = [method.lower() for method in declared] + ["head"] * ("GET" in declared)

    def scope_of(self, method: str) -> Scope:
        return self.access["GET" if method == "HEAD" else method].scope

    def get_permissions(self) -> list[Any]:
        method = str(self.request.method)
        return [self.access["GET" if method == "HEAD" else method].permission()]

    def check_permissions(self, request: Request) -> None:
        """Check the token's scope, then the user's rights; a scope grants no rights."""
        needed = self.scope_of(str(request.method))
        if isinstance(request.auth, ApiToken) and not request.auth.allows(needed):
            message = _("This token does not have the scope “%(scope)s”.") % {"scope": needed.value}
            challenge = f'Bearer realm="Midpoint", error="insufficient_scope", scope="{needed.value}"'
            raise refuse(SCOPE, message, WWW_Authenticate=challenge)
        super().check_permissions(request)

    @sensitive_variables("request")
    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Dispatch as DRF does, with a transaction around changes and repeated POSTs."""
        self.args, self.kwargs = args, kwargs
        asked = self.request = self.initialize_request(request, *args, **kwargs)
        self.headers = self.default_response_headers
        try:
            self._check_method(asked)
            self.initial(asked, *args, **kwargs)
            self.check_parameters(asked)
            return self._read(asked) if asked.method in SAFE else self._change(asked)
        except Exception as error:  # noqa: BLE001 - the one place where every exception becomes a problem
            return self._finished(self.handle_exception(error))

    def _check_method(self, request: Request) -> None:
        """Answer 405 before checking access, so that it is the same for everyone."""
        if str(request.method).lower() not in self.http_method_names:
            raise MethodNotAllowed(str(request.method))

    def _read(self, request: Request) -> Response:
        response = self._finished(self._handle(request))
        if response.status_code != HTTPStatus.OK:
            return response
        answer = conditional(request, response.render())
        return response if answer is response else self._finished(answer)

    def _change(self, request: Request) -> HttpResponse:
        key = key_of(request) if request.method == "POST" else None
        if key is None or not isinstance(request.user, User):
            return self._changed(request, in_one=self.one_transaction)
        answer = once(request, request.user, key, lambda: self._changed(request, in_one=True))
        for name, value in self._headers_of_all().items():
            answer.headers.setdefault(name, value)
        return answer

    def _changed(self, request: Request, *, in_one: bool) -> Response:
        try:
            with transaction.atomic() if in_one else nullcontext():
                for gate in () if self.passes_gates else _gates:
                    gate(request.user, self.kwargs)
                response = self._handle(request)
        except Exception as error:  # noqa: BLE001 - as in dispatch, but after the rollback
            response = self.handle_exception(error)
        return self._finished(response)

    def _handle(self, request: Request) -> Response:
        response: Response = getattr(self, str(request.method).lower())(request, *self.args, **self.kwargs)
        return response

    def _finished(self, response: Response) -> Response:
        finished: Response = self.finalize_response(self.request, response, *self.args, **self.kwargs)
        for name, value in self._headers_of_all().items():
            finished.headers.setdefault(name, value)
        return finished

    def _headers_of_all(self) -> dict[str, str]:
        return {**self.default_response_headers, "Cache-Control": "private, no-cache"}

    def check_parameters(self, request: Request) -> None:
        """Refuse query parameters that are unknown, empty or repeated."""
        known = self.known_parameters()
        names = ", ".join(sorted(known)) or _("none")
        problems: dict[str, list[ErrorDetail]] = {}
        for name, values in request.query_params.lists():
            if name not in known:
                message = _("Unknown parameter. Known parameters: %(names)s.") % {"names": names}
                problems[name] = [ErrorDetail(message, "unknown_parameter")]
            elif len(values) > 1:
                problems[name] = [ErrorDetail(_("Send this parameter only once."), "repeated")]
            elif not values[0]:
                problems[name] = [ErrorDetail(_("Send a value, or leave the parameter out."), "blank")]
        if problems:
            raise ValidationError(problems)

    def known_parameters(self) -> set[str]:
        """Names of the query parameters of a GET; other methods take none."""
        if not hasattr(self, "ordering") or self.request.method not in SAFE:
            return set()
        filters = self.filterset_class.base_filters if self.filterset_class else {}
        return {*Keyset.parameters, *filters}

    def valid(self, body: type[serializers.BaseSerializer[Any]], **options: Any) -> dict[str, Any]:
        """Return the validated body; answer 400 naming every invalid field.

        A valid body is read by a cached serializer, so that its fields are copied once; an invalid one gets
        its messages from a new serializer, in this request's language.
        """
        if not options:
            reader = _readers.known.get(body) or _readers.known.setdefault(body, body())
            with suppress(ValidationError):
                return dict(reader.run_validation(self.request.data))
        serializer = body(data=self.request.data, context=self.get_serializer_context(), **options)
        serializer.is_valid(raise_exception=True)
        found: dict[str, Any] = serializer.validated_data
        return found

    def listed(
        self,
        rows: QuerySet[M],
        item: type[serializers.BaseSerializer[Any]],
    ) -> Response:
        """Return one page of the filtered rows in the view's ``ordering``."""
        page = self.paginate_queryset(self.filter_queryset(rows))
        data = item(page, many=True, context=self.get_serializer_context()).data
        return self.get_paginated_response(data)

    def one(self, item: type[serializers.BaseSerializer[Any]], row: Any, *, status: int = 200) -> Response:
        """Return one object as the response."""
        return Response(item(row, context=self.get_serializer_context()).data, status=status)

    def created(
        self, item: type[serializers.BaseSerializer[Any]], row: Any, address: str, **kwargs: str
    ) -> Response:
        """Return 201 with the new object and its ``Location``; ``address`` is a URL name."""
        response = self.one(item, row, status=201)
        response.headers["Location"] = self.request.build_absolute_uri(reverse(address, kwargs=kwargs))
        return response

    def tagged(self, tag: str, answer: Callable[[], Response]) -> Response:
        """Return the response with an ETag; if the client has it, load nothing."""
        if unchanged(self.request, tag):
            return not_modified([("ETag", tag)])
        response = answer()
        response.headers["ETag"] = tag
        return response
