"""The style page and the appearance switch."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db


def test_style_page_is_open_to_everyone_and_needs_no_query(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        page = client.get(reverse("clubs:style"))
    assert page.status_code == 200
    assert "Content-Security-Policy" in page.headers


def test_style_page_shows_a_refused_form_that_names_the_value(client: Client) -> None:
    page = client.get(reverse("clubs:style")).content.decode()
    assert "8 is even; this club plays odd lengths such as 9." in page
    assert 'href="#id_refused-length"' in page
    assert 'aria-describedby="id_refused-length_helptext id_refused-length_error"' in page


def test_pages_have_no_inline_style_and_no_inline_script(client: Client) -> None:
    page = client.get(reverse("clubs:style")).content.decode()
    assert " style=" not in page
    assert "<style" not in page
    scripts = re.findall(r"<script([^>]*)>", page)
    assert scripts
    assert all("src=" in words or 'type="application/json"' in words for words in scripts)


def test_chosen_appearance_is_in_the_page_that_comes_back(client: Client) -> None:
    answer = client.post(reverse("clubs:appearance"), {"appearance": "dark", "next": "/style/?x=1"})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/style/?x=1")
    assert '<html lang="en" dir="ltr" data-theme="dark">' in client.get("/style/").content.decode()


def test_appearance_of_the_system_leaves_the_page_to_the_browser(client: Client) -> None:
    client.post(reverse("clubs:appearance"), {"appearance": "system"})
    assert '<html lang="en" dir="ltr">' in client.get("/style/").content.decode()


def test_appearance_never_leads_to_another_site(client: Client) -> None:
    answer = client.post(reverse("clubs:appearance"), {"appearance": "light", "next": "https://example.org/"})
    assert answer.headers["Location"] == "/"


def test_unknown_appearance_is_refused_by_name(client: Client) -> None:
    answer = client.post(reverse("clubs:appearance"), {"appearance": "sepia"})
    assert answer.status_code == 400
    assert answer.content.decode() == "“sepia” is not an appearance. Choose one of system, light, dark."
    assert not answer.cookies


def test_appearance_is_not_changed_by_a_link(client: Client) -> None:
    assert client.get(reverse("clubs:appearance")).status_code == 405
