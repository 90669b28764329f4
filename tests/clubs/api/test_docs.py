"""The schema is valid and complete, and can be read under the strict policy of the pages."""

import pytest
from django.core.management import call_command
from drf_spectacular.renderers import OpenApiYamlRenderer
from playwright.sync_api import Page, expect
from rest_framework.test import APIClient

from clubs.access import url_patterns
from clubs.http.base import ApiView


@pytest.mark.long
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


def test_what_can_be_empty_by_its_description_can_be_empty_by_the_schema():
    schemas = APIClient().get("/api/v1/schema/", HTTP_ACCEPT="application/json").data["components"]["schemas"]
    described = [
        (f"{name}.{field}", told)
        for name, schema in schemas.items()
        for field, told in schema.get("properties", {}).items()
        if "empty" in told.get("description", "").lower()
    ]
    assert described
    assert [name for name, told in described if told.get("minLength")] == []


def test_the_schema_is_worked_out_once_whoever_asks_in_whatever_language():
    client = APIClient()
    first = client.get("/api/v1/schema/", HTTP_ACCEPT="application/json")
    for address in ("/api/v1/schema/", "/api/v1/schema/?lang=xx", "/api/v1/schema/?version=2"):
        answer = client.get(address, HTTP_ACCEPT="application/json")
        assert answer.data is first.data
        assert answer.content == first.content


@pytest.mark.parametrize("kind", ["application/vnd.oai.openapi", "application/yaml"])
def test_the_schema_as_yaml_is_the_same_when_it_is_asked_for_again(kind: str):
    client = APIClient()
    first, again = (client.get("/api/v1/schema/", HTTP_ACCEPT=kind) for _ in range(2))
    assert first.headers["Content-Type"].startswith(kind)
    assert first.content == again.content == OpenApiYamlRenderer().render(again.data)


@pytest.mark.long
def test_the_docs_work_in_a_browser(page: Page):
    page.goto("/api/v1/docs/#/tokens/list_tokens")
    expect(page.get_by_text("List your tokens, newest first")).to_be_visible()
    page.goto("about:blank")
    page.goto("/api/v1/docs/#/problems/read_problems")
    problems = page.locator("#operations-problems-read_problems.is-open")
    problems.get_by_role("button", name="Execute").click()
    status = problems.locator(".live-responses-table .response .response-col_status").first
    expect(status).to_contain_text("200")


@pytest.mark.long
def test_the_docs_show_every_operation_of_the_schema_while_one_scrolls_down(page: Page):
    """Beyond 150 rows the page draws what is on the screen and a little around it."""
    schema = APIClient().get("/api/v1/schema/", HTTP_ACCEPT="application/json").data
    wanted = {
        operation["operationId"]
        for operations in schema["paths"].values()
        for operation in operations.values()
    }
    page.goto("/api/v1/docs/")
    expect(page.get_by_text("List the API's entry points")).to_be_visible()
    operations = page.locator(".opblock")
    seen: set[str] = set()
    while True:
        ids = operations.evaluate_all("all => all.map(one => one.id)")
        seen |= {each.rpartition("-")[2] for each in ids}
        if seen >= wanted:
            break
        operations.last.scroll_into_view_if_needed()
        expect(operations.last).not_to_have_id(ids[-1])
