"""Adds problems and headers to every operation of the OpenAPI schema."""

import inspect
import re
from typing import Any, Literal

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse

from clubs.access import CLUB_VISIBLE, PUBLIC
from clubs.http.problem_kinds import KINDS
from clubs.http.problems import MEDIA_TYPE
from clubs.http.repetition import HEADER, KEY_LENGTH, KEY_PATTERN
from clubs.http.serializers import ProblemBody

VERBS = {"GET": "read", "POST": "create", "PUT": "put", "PATCH": "change", "DELETE": "remove"}
READ_ERRORS = (400, 401, 404, 406, 429)
CHANGE_ERRORS = (400, 401, 403, 404, 406, 409, 413, 415, 422, 429)


class Schema(AutoSchema):
    """Adds problems, ``304``, ``Idempotency-Key`` and ``If-Match`` to each operation."""

    def get_operation_id(self) -> str:
        """Verb and view name, e.g. ``list_tokens``, ``change_club``."""
        verb = "list" if self._is_list_view() else VERBS[str(self.method)]
        words = re.findall("[A-Z][a-z]*", type(self.view).__name__.removeprefix("One"))
        name = "_".join(words).lower()
        return f"{verb}_{name.removesuffix('s') if verb == 'create' else name}"

    def get_description(self) -> str:  # type: ignore[override]
        """The docstring of the method; a class docstring is about its code."""
        view: Any = self.view
        return inspect.getdoc(getattr(view, str(self.method).lower())) or ""

    def get_tags(self) -> list[str]:
        words = [word for word in self.path.removeprefix("/api/v1/").split("/") if word and "{" not in word]
        return [words[0] if words else "about"]

    def get_override_parameters(self) -> list[Any]:
        found = list(super().get_override_parameters())
        if self.method == "POST":
            found.append(
                OpenApiParameter(
                    HEADER,
                    {"type": "string", "maxLength": KEY_LENGTH, "pattern": f"^{KEY_PATTERN}$"},
                    OpenApiParameter.HEADER,
                    description="Identifies this request. A repeat within 24 hours gets the same response.",
                )
            )
        if self.method in getattr(self.view, "matched", ()):
            found.append(
                OpenApiParameter(
                    "If-Match",
                    {"type": "string"},
                    OpenApiParameter.HEADER,
                    required=True,
                    description="The ETag of the version you are changing, or `*`.",
                )
            )
        return found

    def _get_response_bodies(self, direction: Literal["request", "response"] = "response") -> dict[str, Any]:
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        for status in self._problems():
            kinds = [kind for kind in KINDS.values() if kind.status == status]
            problem = OpenApiResponse(
                ProblemBody, "; ".join(f"`{kind.code}`: {kind.title}" for kind in kinds)
            )
            respond: Any = self._get_response_for_code
            bodies.setdefault(str(status), respond(problem, str(status), [MEDIA_TYPE], direction))
        if self.method == "GET":
            bodies["304"] = {"description": "Not modified: `If-None-Match` has the current ETag."}
        return dict(sorted(bodies.items()))

    def _problems(self) -> set[int]:
        view: Any = self.view
        declared = view.access[self.method]
        found = set(READ_ERRORS if self.method == "GET" else CHANGE_ERRORS)
        if self.method == "GET" and declared.permission.policy != PUBLIC:
            found.add(403)
        if self.method in getattr(self.view, "matched", ()):
            found |= {412, 428}
        if self.method in getattr(self.view, "refused", ()):
            found.add(409)
        return found


class TokenOrSessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The two authentication schemes of the schema."""

    target_class = "clubs.accounts.api.authentication.TokenOrSession"
    name = ["token", "session"]

    def get_security_requirement(self, auto_schema: Any) -> list[dict[str, list[str]]]:
        access = auto_schema.view.access[auto_schema.method]
        open_to_all = access.permission.policy in {PUBLIC, CLUB_VISIBLE}
        nobody: list[dict[str, list[str]]] = [{}] if open_to_all else []
        return [*nobody, {"token": [access.scope.value]}, {"session": []}]

    def get_security_definition(self, auto_schema: Any) -> list[dict[str, str]]:  # noqa: ARG002
        return [
            {
                "type": "http",
                "scheme": "bearer",
                "description": "A personal token, created under Me, API tokens.",
            },
            {
                "type": "apiKey",
                "in": "cookie",
                "name": "sessionid",
                "description": "The website's session cookie. Changes also need the header `X-CSRFToken`.",
            },
        ]


def closed_bodies(result: dict[str, Any], **_options: Any) -> dict[str, Any]:
    """Close request bodies: no other fields than those named.

    As in ``clubs.http.serializers.Strict``. A query parameter is not empty (``ApiView.check_parameters``).
    """
    schemas = result["components"]["schemas"]
    for operations in result["paths"].values():
        for operation in operations.values():
            for parameter in operation.get("parameters", ()):
                if parameter["in"] == "query" and parameter["schema"].get("type") == "string":
                    parameter["schema"].setdefault("minLength", 1)
            for content in operation.get("requestBody", {}).get("content", {}).values():
                name = content["schema"].get("$ref", "").rpartition("/")[2]
                if name in schemas:
                    schemas[name]["additionalProperties"] = False
    return result
