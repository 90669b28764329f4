import pytest
from django.test import Client


def test_healthz_answers_without_a_database(client: Client):
    assert client.get("/healthz").json() == {"status": "ok"}


@pytest.mark.django_db
def test_readyz_names_database_migrations_and_broker(client: Client):
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()) == (
        200,
        {"status": "ok", "database": "ok", "migrations": "ok", "broker": "ok"},
    )


@pytest.mark.django_db
def test_readyz_is_unavailable_and_names_the_broker_that_does_not_answer(client: Client, monkeypatch):
    from celery import current_app

    monkeypatch.setattr(current_app.conf, "broker_url", "redis+socket:///nowhere/valkey.sock")
    # The pool of the other address; closing the real one would take it from every later test.
    monkeypatch.setattr(current_app._get_current_object(), "_pool", None)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["broker"]) == (503, "does not answer")


@pytest.mark.long
def test_healthz_is_answered_by_a_real_web_process_to_a_real_browser(page):
    page.goto("/healthz")
    assert "ok" in page.content()
