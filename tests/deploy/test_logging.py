"""A refusal is one line of the log; a fault of ours is told with all that led to it."""

import io
import json
import logging
import logging.config
import sys

import pytest
from django.core.exceptions import BadRequest, DisallowedHost, PermissionDenied
from django.core.handlers.exception import response_for_exception
from django.http import Http404
from django.test import RequestFactory

from deploy.observability import FORMATS, _without_secrets, logging_configuration

REFUSALS = [PermissionDenied("no"), BadRequest("zero"), DisallowedHost("evil.example")]


@pytest.fixture
def written(monkeypatch):
    """Choose a format; what an installation then writes to standard error."""
    handler = logging.getLogger().handlers
    before, level = list(handler), logging.getLogger().level

    def begin(style: str) -> io.StringIO:
        stream = io.StringIO()
        monkeypatch.setattr(sys, "stderr", stream)
        logging.config.dictConfig(logging_configuration("INFO", style))
        return stream

    yield begin
    logging.getLogger().handlers[:] = before
    logging.getLogger().setLevel(level)


@pytest.fixture
def lines(written):
    stream = written("json")
    return lambda: [json.loads(line) for line in stream.getvalue().splitlines()]


@pytest.mark.parametrize("refusal", REFUSALS)
def test_a_refused_request_is_one_line(lines, refusal):
    response = response_for_exception(RequestFactory().get("/matches/nowhere/"), refusal)
    assert response.status_code < 500
    assert lines()
    assert all("exception" not in line and "Traceback" not in json.dumps(line) for line in lines())


def test_a_fault_keeps_its_traceback(lines):
    logger = logging.getLogger("django.request")
    logger.error("Internal Server Error: %s", "/", exc_info=ZeroDivisionError(), extra={"status_code": 500})
    (line,) = lines()
    assert line["exception"][0]["exc_type"] == "ZeroDivisionError"


def test_another_programs_status_is_none_of_ours(lines):
    logging.getLogger("elsewhere").warning("odd", exc_info=ValueError("x"), extra={"status_code": 404})
    assert "exception" in lines()[0]


@pytest.mark.parametrize("style", FORMATS)
def test_a_traceback_does_not_show_the_values_of_variables(written, style):
    """A form's field is a password; ``rich``, where it is installed, would show it too."""

    def signing_in(secret: str) -> None:
        raise LookupError("no such account") from ValueError(len(secret))

    stream = written(style)
    try:
        signing_in("correct horse " + "battery staple")
    except LookupError:
        logging.getLogger("django.request").exception("Internal Server Error: /")
    text = stream.getvalue()
    assert "LookupError" in text
    assert "signing_in" in text
    assert "correct horse battery staple" not in text


@pytest.mark.parametrize("style", FORMATS)
def test_secrets_of_addresses_are_not_in_the_log(written, style: str) -> None:
    stream = written(style)
    secrets = [
        "/shared/Zq-1_x/",
        "/shared/Zq-1_x/3/embed/?theme=dark",
        "/clubs/join/Zq-1_x/",
        "/chouettes/seat/Zq-1_x/",
    ]
    for address in secrets:
        asked = RequestFactory().get(address)
        response_for_exception(asked, Http404("no"))
        logging.getLogger("django.request").error("Fault: %s", address, extra={"request": asked})
    logged = stream.getvalue()
    assert "/shared/.../3/embed/" in logged
    assert "Zq-1_x" not in logged


def test_secrets_of_addresses_are_in_no_report_of_an_error() -> None:
    told = {
        "request": {"url": "https://a.example/shared/Zq-1_x/"},
        "breadcrumbs": [{"message": "/shared/Zq-1_x/"}],
    }
    assert "Zq-1_x" not in json.dumps(_without_secrets(told, None))
