"""Requests that nobody thought of, made from the API's own schema, and what is wrong with their answers.

Schemathesis makes the requests: valid ones and broken ones. Refs that exist in the world of the access
matrix are put in, so that a request reaches what lies behind the first 404. Each is sent by every viewer in
turn, and what it did is rolled back.
"""

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import requests
import schemathesis
from django.db import connection, transaction
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.config import SchemathesisConfig
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.core.transport import Response
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

SITE = "http://testserver"
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
]
# How a request that breaks the schema may be answered: refused, for this reason or for another one.
REFUSALS = ["400", "401", "403", "404", "406", "409", "412", "413", "415", "422", "428"]
_PARTS = {"method", "url", "headers", "params", "data", "json", "files", "cookies"}


@cache
def api_operations() -> dict[str, list[Any]]:
    """The operations of the schema by the first word of their address."""
    raw = copy.deepcopy(SchemaGenerator().get_schema(request=None, public=True))
    # Who asks is the viewer's own affair: broken ways of signing in are not to be made up.
    del raw["components"]["securitySchemes"]
    for operations in raw["paths"].values():
        for operation in operations.values():
            operation.pop("security", None)
    config = SchemathesisConfig.from_dict(
        {"checks": {"negative_data_rejection": {"expected-statuses": REFUSALS}}}
    )
    found: dict[str, list[Any]] = {}
    for result in schemathesis.openapi.from_dict(raw, config=config).get_all_operations():
        asked: Any = result
        found.setdefault(asked.ok().tags[0], []).append(asked.ok())
    return found


@dataclass(frozen=True)
class Viewer:
    """Somebody with a token, or nobody.

    ``secrets`` maps refs that they must not know of to refs that do not exist, as long as they are: an answer
    that tells the two apart is a leak, and so is one that holds one of the ``words``.
    """

    name: str
    token: str = ""
    secrets: Mapping[str, str] = field(default_factory=dict)
    words: tuple[str, ...] = ()


@dataclass
class Explorer:
    """Asks as every viewer.

    ``known`` are values that exist, by the name of the parameter or field that takes them, ``fields`` those
    of a body alone, ``first`` those that belong together in the first request of an operation, by its label.
    """

    viewers: list[Viewer]
    known: dict[str, list[str]]
    fields: dict[str, list[Any]] = field(default_factory=dict)
    first: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    statuses: dict[str, set[int]] = field(default_factory=dict)

    def explore(self, operation: Any, examples: int, *, broken: bool) -> None:
        """Make this many valid and, if asked for and where one can be broken, as many broken requests."""
        negative = [GenerationMode.NEGATIVE] if broken and _can_be_broken(operation) else []
        modes = [GenerationMode.POSITIVE, *negative]
        for mode in modes:

            @settings(
                max_examples=examples,
                derandomize=True,
                database=None,
                deadline=None,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            @given(case=operation.as_strategy(generation_mode=mode), data=st.data())
            def ask(case: Any, data: Any) -> None:
                self._put_known(case, data)
                arguments = case.as_transport_kwargs(base_url=SITE)
                sent = {
                    name: value for name, value in arguments.items() if name in _PARTS and value is not None
                }
                prepared = requests.Request(**sent).prepare()
                for viewer in self.viewers:
                    self._ask(case, prepared, viewer)

            ask()

    def _put_known(self, case: Any, data: Any) -> None:
        """Put in values that exist: the first request of an operation is to the one that matters."""
        first = case.operation.label not in self.statuses
        together = self.first.get(case.operation.label, {}) if first else {}
        named = {**self.known, **{name: [value] for name, value in together.items()}}
        in_body = {**named, **self.fields}
        parts = ((case.path_parameters, named), (case.query, named), (case.body, in_body))
        for part, known in parts:
            for name in part if isinstance(part, dict) else ():
                if name in known:
                    among = known[name][:1] if first else [*known[name], part[name]]
                    part[name] = data.draw(st.sampled_from(among), label=name)

    def _ask(self, case: Any, prepared: requests.PreparedRequest, viewer: Viewer) -> None:
        response = answer_to(prepared, viewer)
        self.statuses.setdefault(case.operation.label, set()).add(response.status_code)
        wrong: list[Any] = []
        try:
            case.validate_response(response, checks=CHECKS)
        except FailureGroup as group:
            wrong.extend(group.exceptions)
        except Failure as failure:
            wrong.append(failure)
        for problem in (*wrong, *leaks(prepared, response, viewer)):
            title = problem.title if isinstance(problem, Failure) else "a leak"
            key = f"{case.operation.label}: {title} ({response.status_code})"
            body: Any = prepared.body or b""
            asked = f"{prepared.method} {prepared.path_url} {body[:300]!r}"
            told = f"{problem}\n  as {viewer.name}: {asked}\n  {response.content[:300]!r}"
            self.problems.setdefault(key, told)


def _can_be_broken(operation: Any) -> bool:
    """False if an address of free words is all that a request has: each is as good as another."""
    elsewhere = (operation.query, operation.body, operation.headers, operation.cookies)
    words = (each.definition["schema"] == {"type": "string"} for each in operation.path_parameters)
    return any(list(part) for part in elsewhere) or not all(words)


def answer_to(prepared: requests.PreparedRequest, viewer: Viewer) -> Response:
    """The answer to a request of which nothing stays, not even what is checked at a commit."""
    headers: dict[str, Any] = {**prepared.headers}
    headers.pop("Content-Length", None)
    headers.pop("Accept-Encoding", None)  # what is checked is what is said, not how it is packed
    kind = headers.pop("Content-Type", "")
    if viewer.token:
        headers["Authorization"] = f"Bearer {viewer.token}"
    body: Any = prepared.body or b""
    client = Client(raise_request_exception=False)
    with transaction.atomic():
        answer: Any = client.generic(
            str(prepared.method),
            prepared.path_url,
            body.encode() if isinstance(body, str) else body,
            content_type=kind,
            headers=headers,
        )
        if answer.status_code < 500:
            connection.check_constraints()
        transaction.set_rollback(True)
    named = {name: [value] for name, value in answer.headers.items()}
    return Response(answer.status_code, named, answer.content, prepared, 0.0, verify=True)


def leaks(prepared: requests.PreparedRequest, response: Response, viewer: Viewer) -> Iterator[str]:
    """What the answer tells that the viewer must not know."""
    text, sent = response.content.decode(), text_of(prepared)
    for word in viewer.words:
        if word in text and word not in sent:
            yield f"it tells “{word}”"
    named = [ref for ref in viewer.secrets if ref in sent]
    if not named:
        return
    elsewhere = prepared.copy()
    for ref in named:
        other = viewer.secrets[ref]
        elsewhere.url = str(elsewhere.url).replace(ref, other)
        if isinstance(elsewhere.body, bytes):
            elsewhere.body = elsewhere.body.replace(ref.encode(), other.encode())
        text = text.replace(ref, other)
    nowhere = answer_to(elsewhere, viewer)
    if (nowhere.status_code, nowhere.content.decode()) != (response.status_code, text):
        yield f"what is not there is answered otherwise: {nowhere.status_code} {nowhere.content[:300]!r}"


def text_of(prepared: requests.PreparedRequest) -> str:
    body = prepared.body or b""
    return f"{prepared.url}\n{body.decode(errors='replace') if isinstance(body, bytes) else body}"
