"""What a Sentry server is told of an error: the request that it is about, and nothing about people."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from deploy.checkout import ROOT

REPORTING = """
import asyncio, json, sys, types
import django
from django.conf import settings
from django.http import HttpResponse
from django.urls import path
import sentry_sdk
from sentry_sdk.transport import Transport

def fails(request, number):
    name = request.POST["name"]
    raise ValueError(number)

pages = types.ModuleType("pages")
pages.urlpatterns = [path("fails/<int:number>/", fails), path("fine/", lambda request: HttpResponse("fine"))]
sys.modules["pages"] = pages
django.setup()
settings.ROOT_URLCONF, settings.MIDDLEWARE = "pages", []

class Kept(Transport):
    reports = []

    def capture_envelope(self, envelope):
        self.reports += [item.payload.json for item in envelope.items if item.type == "event"]

sentry_sdk.get_client().transport = Kept()
sentry_sdk.add_breadcrumb(message="begun")  # as logging does before the first request
from deploy.asgi import application

async def ask(path, body):
    arriving = [{"type": "http.request", "body": body, "more_body": False}]
    headers = [(b"host", b"localhost"), (b"content-type", b"application/x-www-form-urlencoded"),
               (b"content-length", str(len(body)).encode()), (b"cookie", b"sessionid=kept-private")]
    scope = {"type": "http", "method": "POST", "path": path, "root_path": "", "query_string": b"",
             "headers": headers, "client": ("203.0.113.9", 1), "server": ("127.0.0.1", 80), "scheme": "http"}

    async def receive():
        if arriving:
            return arriving.pop()
        await asyncio.Event().wait()

    async def send(message):
        pass

    await application(scope, receive, send)

async def main():
    await ask("/fails/1/", b"name=Ada")
    for _number in range(5):
        await ask("/fine/", b"name=Bob")
    await ask("/fails/2/", b"name=Cy")

asyncio.run(main())
held = sentry_sdk.get_isolation_scope()._event_processors
print(json.dumps({"reports": Kept.reports, "held": len(held)}))
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The reports of two requests that fail, with five between them that do not."""
    done = subprocess.run(
        [sys.executable, "-c", REPORTING],
        cwd=ROOT,
        env=os.environ
        | {
            "DJANGO_SETTINGS_MODULE": "deploy.settings",
            "SENTRY_DSN": "http://key@127.0.0.1:9/1",
            "MIDPOINT_VAR": str(tmp_path_factory.mktemp("var")),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_a_report_is_about_its_own_request(told: dict[str, Any]):
    about = [
        (report["request"]["url"][-len("/fails/1/") :], report["exception"]["values"][-1]["value"])
        for report in told["reports"]
    ]
    assert about == [("/fails/1/", "1"), ("/fails/2/", "2")]


def test_no_request_is_kept_for_the_reports_of_the_next(told: dict[str, Any]):
    assert told["held"] == 0


def test_reports_say_nothing_about_people(told: dict[str, Any]):
    text = json.dumps(told["reports"])
    assert "ValueError" in text
    for private in ("Ada", "Cy", "kept-private", "203.0.113.9"):
        assert private not in text
