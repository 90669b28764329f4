"""The page of whoever runs the site, and the same for programs: backups, and background work in trouble."""

import re
from datetime import datetime, timedelta

import pytest
from django.urls import reverse
from django.utils.timezone import now

from clubs.models import Backup, OutgoingMail, Role, WorkStatus, work_models
from clubs.work.services import claim, fail
from tests.clubs.api.clients import with_token
from tests.factories import ClubFactory, UserFactory, member

pytestmark = pytest.mark.django_db
SESSION_AND_USER = 2
GOOD = "/backups/midpoint-20261123T030000Z.tar"


def words(response) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", response.content.decode().partition("<main")[2]))


def good(hours: float) -> Backup:
    at = now() - timedelta(hours=hours)
    return Backup.objects.create(status=WorkStatus.DONE, finished_at=at, path=GOOD, size=3_500_000, rows=12)


def failed(error: str) -> None:
    backup = claim(Backup, ref=Backup.objects.create(into_folder=True).ref)
    assert backup is not None
    fail(backup, error=error)


@pytest.fixture
def administrator(client, settings):
    settings.BACKUP_FOLDER = "/backups"
    client.force_login(UserFactory.create(is_superuser=True))
    return client


@pytest.mark.parametrize("number", [1, 3])
def test_age_and_size_of_the_last_backup_are_shown(administrator, django_assert_num_queries, number):
    for n in range(number):
        good(5 + n)
    with django_assert_num_queries(SESSION_AND_USER + 3 + len(work_models())):
        shown = words(administrator.get(reverse("clubs:site")))
    assert f"{GOOD} 5 hours ago · 3.3 MB" in shown
    assert "Overdue" not in shown
    assert "Last failure" not in shown


@pytest.mark.parametrize(("hours", "overdue"), [(25.9, False), (26.1, True), (None, True)])
def test_a_backup_is_missed_after_26_hours(administrator, hours, overdue):
    if hours:
        good(hours)
    assert ("No backup in the last 26 hours." in words(administrator.get("/site/"))) is overdue


def test_nothing_is_missed_where_no_folder_is_configured_and_the_page_says_how(administrator, settings):
    settings.BACKUP_FOLDER = ""
    shown = words(administrator.get("/site/"))
    assert "Overdue" not in shown
    assert "Set BACKUP_FOLDER to a folder" in shown
    assert "None yet" in shown


def test_a_failure_is_shown_with_its_cause_until_there_is_a_good_one(administrator):
    good(30)
    failed("/backups/a.tar cannot be written: No space left on device; make room")
    shown = words(administrator.get("/site/"))
    assert "Last failure /backups/a.tar cannot be written: No space left on device; make room" in shown
    good(0)
    assert "Last failure" not in words(administrator.get("/site/"))


def a_mail(**fields) -> OutgoingMail:
    number = OutgoingMail.objects.count()
    return OutgoingMail.objects.create(
        recipients=["ana@example.org"],
        sender="us@example.org",
        message_id=f"<{number}@x>",
        message=b"",
        **fields,
    )


def attempted(*, final: bool) -> OutgoingMail:
    mail = claim(OutgoingMail, ref=a_mail().ref)
    assert mail is not None
    fail(mail, error="ConnectionRefusedError: mail.example", final=final)
    return mail


def due(minutes: float) -> OutgoingMail:
    return a_mail(available_at=now() - timedelta(minutes=minutes))


def test_a_site_in_order_says_so(administrator):
    due(4.9)
    shown = words(administrator.get("/site/"))
    assert "No tasks failed in the last 14 days, and none is waiting for a worker." in shown


@pytest.mark.parametrize("number", [1, 3])
def test_failed_work_is_shown_with_its_cause_and_tried_again(
    administrator, django_assert_num_queries, number
):
    for _ in range(number):
        attempted(final=True)
    with django_assert_num_queries(SESSION_AND_USER + 3 + len(work_models()) + 1):
        shown = words(administrator.get("/site/"))
    assert (
        f"{number} task{'s' * (number > 1)} ha{'ve' if number > 1 else 's'} failed and will not be retried."
        in shown
    )
    assert "ConnectionRefusedError: mail.example" in shown
    again = reverse("clubs:try_again", args=[OutgoingMail.TASK])
    assert "will be retried within a minute" in words(administrator.post(again, follow=True))
    assert OutgoingMail.objects.filter(status=WorkStatus.QUEUED, error="").count() == number
    assert "There is nothing to retry" in words(administrator.post(again, follow=True))
    assert administrator.post(reverse("clubs:try_again", args=["no.such"])).status_code == 404


def test_a_broken_mail_server_shows_while_mail_is_tried_again(administrator):
    attempted(final=False)
    response = administrator.get("/site/")
    shown = words(response)
    assert "Mail Retrying 1 task has failed and will be retried." in shown
    assert "ConnectionRefusedError: mail.example" in shown
    assert "site/work/" not in response.content.decode()


def test_a_stopped_worker_shows_once_work_is_due_for_five_minutes(administrator):
    due(12)
    lost = claim(OutgoingMail, ref=due(9).ref)
    assert lost is not None
    OutgoingMail.objects.filter(pk=lost.pk).update(lease_until=now() - timedelta(minutes=8))
    assert "2 tasks have been waiting for a worker for 12 minutes." in words(administrator.get("/site/"))
    busy = claim(OutgoingMail, ref=due(1).ref)
    assert busy is not None
    assert "no worker takes" not in words(administrator.get("/site/"))


def test_work_that_failed_long_ago_and_backups_are_not_shown_as_failed_work(administrator):
    OutgoingMail.objects.filter(pk=attempted(final=True).pk).update(finished_at=now() - timedelta(days=15))
    failed("why")
    assert "No tasks failed" in words(administrator.get("/site/"))


def test_programs_see_work_in_trouble():
    client = with_token(UserFactory.create(is_superuser=True))
    attempted(final=True)
    due(12)
    (told,) = client.get("/api/v1/site/").data["work"]
    assert datetime.fromisoformat(told.pop("since")) < now() - timedelta(minutes=11)
    assert told == {
        "task": "clubs.deliver_mail",
        "failed": 1,
        "retrying": 0,
        "error": "ConnectionRefusedError: mail.example",
        "stalled": 1,
    }
    queues = client.get("/api/v1/site/").data["queues"]
    assert queues == [{"task": "clubs.deliver_mail", "waiting": 1, "running": 0}]


def test_the_page_says_how_much_waits_and_runs(administrator):
    assert "In progress" not in words(administrator.get("/site/"))
    for _ in range(3):
        due(1)
    due(-60)  # not due yet
    claim(OutgoingMail)
    assert "Tasks Waiting In progress Mail 2 1" in words(administrator.get("/site/"))


def test_programs_of_site_administrators_see_the_same(settings):
    settings.BACKUP_FOLDER = "/backups"
    client = with_token(UserFactory.create(is_superuser=True))
    assert client.get("/api/v1/site/").data == {
        "backups": {"folder": "/backups", "good": None, "failed": None, "running": False, "overdue": True},
        "work": [],
        "queues": [],
    }
    good(1)
    failed("why")
    told = client.get("/api/v1/site/").data["backups"]
    at = told["good"].pop("finished_at")
    assert timedelta(minutes=59) < now() - datetime.fromisoformat(at) < timedelta(minutes=80)
    assert told["good"] == {"path": GOOD, "size": 3_500_000, "rows": 12}
    assert (told["failed"]["error"], told["overdue"]) == ("why", False)
    assert with_token(member(ClubFactory.create(), Role.OWNER)).get("/api/v1/site/").status_code == 403


@pytest.mark.parametrize("page", ["site", "outbox"])
def test_an_administrators_pages_lead_back(administrator, page):
    shown = administrator.get(reverse(f"clubs:{page}")).text
    assert f'<li><a href="{reverse("clubs:me")}">Me</a></li>' in shown


def test_the_site_is_for_site_administrators(client):
    client.force_login(member(ClubFactory.create(), Role.OWNER))
    assert client.get("/site/").status_code == 403
