"""The schema is valid and complete, and can be read under the strict policy of the pages."""

import pytest
from django.core.management import call_command
from playwright.sync_api import Page, expect
from rest_framework.test import APIClient

from clubs.access import url_patterns
from clubs.api.base import ApiView


def test_the_schema_is_valid_and_has_no_gaps(tmp_path):
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(tmp_path / "schema.yaml"))


def test_the_schema_names_every_operation_of_the_api():
    schema = APIClient().get("/api/v1/schema/", HTTP_ACCEPT="application/json").data
    described = {
        (path, method.upper()) for path, operations in schema["paths"].items() for method in operations
    }
    views: list = [
        view
        for _path, pattern in url_patterns()
        if issubclass(view := getattr(pattern.callback, "cls", object), ApiView) and pattern.name != "nowhere"
    ]
    assert len(described) == sum(len(view.access) for view in views) > 0
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            assert operation["summary"], (path, method)
            assert operation["security"], (path, method)


@pytest.mark.django_db
def test_the_docs_load_nothing_from_elsewhere():
    text = APIClient().get("/api/v1/docs/").content.decode()
    assert "//" not in text.replace("http://testserver", "")
    assert "<style" not in text
    assert text.count("<script") == text.count("<script src=")


def test_the_docs_work_in_a_browser(page: Page):
    page.goto("/api/v1/docs/")
    expect(page.get_by_text("Where everything begins")).to_be_visible()
    page.locator("#operations-about-read_root").get_by_role("button").first.click()
    page.get_by_role("button", name="Execute").click()
    expect(page.locator(".live-responses-table .response .response-col_status").first).to_contain_text("200")
