"""Outgoing mail: kept with its cause, sent by a worker, shown where there is no mail server."""

import re
import smtplib
import threading
from datetime import timedelta

import pytest
from django.core.mail import EmailMessage, EmailMultiAlternatives, send_mail
from django.db import connection, transaction
from django.utils.timezone import now

from clubs.housekeeping import tidy
from clubs.mail.services import deliver, erase_mail, keep_mail
from clubs.models import Delivery, OutgoingMail, WorkStatus
from clubs.tasks import reconcile
from clubs.work.services import claim
from tests.children import WorkerChild
from tests.smtp import MailServer


@pytest.fixture(autouse=True)
def _our_backend(settings):
    settings.EMAIL_BACKEND = "clubs.backends.OutgoingMailBackend"


@pytest.fixture(scope="module")
def _mail_server():
    with MailServer() as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def smtp(_mail_server):
    """A mail server that knows of nothing yet."""
    _mail_server.forget()
    yield _mail_server
    _mail_server.hangs.clear()


@pytest.fixture
def sends(settings, smtp):
    """This process sends through the mail server."""
    settings.EMAIL_URL = smtp.url
    settings.EMAIL_HOST, settings.EMAIL_PORT = smtp.server_address[:2]
    settings.EMAIL_TIMEOUT = 5
    return smtp


@pytest.fixture(scope="module")
def _mail_child(django_db_setup, _mail_server, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EMAIL_URL", _mail_server.url)
        child = WorkerChild(connection.settings_dict, tmp_path_factory.mktemp("mail") / "worker.log")
    yield child
    child.stop()


@pytest.fixture
def mail_worker(transactional_db, _worker_child, _mail_child, smtp):
    """A worker child that sends through the mail server, in the place of the other one; then at rest."""
    _worker_child.stop()
    _mail_child.forget()
    _mail_child.start()
    yield _mail_child
    smtp.hangs.clear()
    _mail_child.drain()
    _mail_child.rest()
    _mail_child.forget()


def post(number: int = 0, to: str = "ana@example.org") -> None:
    send_mail(f"Invitation {number}", "Komm spielen: ♟", "Club <club@example.org>", [to])


def kept(**fields) -> OutgoingMail:
    return keep_mail(EmailMessage("Code", "123456", "Club <club@example.org>", ["ana@example.org"], **fields))


@pytest.mark.django_db
def test_mail_is_kept_complete():
    message = EmailMultiAlternatives(
        "Grüße\x20aus Bilbao", "text", "Ñ <club@example.org>", ["ana@example.org"], bcc=["hidden@example.org"]
    )
    message.attach_alternative("<p>text</p>", "text/html")
    mail = keep_mail(message)
    assert mail.recipients == ["ana@example.org", "hidden@example.org"]
    assert (mail.subject, mail.text, mail.status) == ("Grüße aus Bilbao", "text", WorkStatus.QUEUED)
    raw = bytes(mail.message)
    assert b"<p>text</p>" in raw
    assert b"hidden@example.org" not in raw
    assert re.fullmatch(r"<\S+@example\.org>", mail.message_id)
    assert mail.message_id.encode() in raw


@pytest.mark.django_db(transaction=True)
def test_mail_of_a_transaction_that_fails_was_never_written():
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        post(1 // 0 if OutgoingMail.objects.exists() else send_and_fail())
    assert not OutgoingMail.objects.exists()


def send_and_fail() -> int:
    post()
    return 1 // 0


@pytest.mark.django_db
def test_a_message_to_nobody_is_not_kept():
    assert EmailMessage("s", "b", "club@example.org", []).send() == 0
    assert not OutgoingMail.objects.exists()


@pytest.mark.django_db
def test_without_mail_server_a_message_stays_readable(settings):
    settings.EMAIL_URL = ""
    mail = kept()
    assert deliver(ref=mail.ref) == WorkStatus.DONE
    mail.refresh_from_db()
    assert (mail.delivery, mail.text) == (Delivery.OUTBOX, "123456")
    assert deliver(ref=mail.ref) is None


@pytest.mark.django_db
def test_what_the_mail_server_has_accepted_is_no_longer_kept(sends):
    mail = kept()
    assert deliver(ref=mail.ref) == WorkStatus.DONE
    mail.refresh_from_db()
    assert (mail.delivery, mail.text, bytes(mail.message), mail.error) == (Delivery.SMTP, "", b"", "")
    [(recipients, data)] = sends.accepted
    assert recipients == ["ana@example.org"]
    assert sends.messages[0]["Message-ID"] == mail.message_id
    assert b"123456" in data


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("code", "status"), [(550, WorkStatus.FAILED), (451, WorkStatus.QUEUED), (421, WorkStatus.QUEUED)]
)
def test_a_refusal_for_good_is_not_tried_again(sends, code, status):
    sends.refused["ana@example.org"] = code
    mail = kept()
    assert deliver(ref=mail.ref) == status
    mail.refresh_from_db()
    assert mail.error == f"ana@example.org: {code} ana@example.org"
    assert mail.text == "123456"


@pytest.mark.django_db
def test_one_refused_recipient_of_two_is_written_down(sends):
    sends.refused["gone@example.org"] = 550
    mail = kept(cc=["gone@example.org"])
    assert deliver(ref=mail.ref) == WorkStatus.DONE
    mail.refresh_from_db()
    assert mail.error == "gone@example.org: 550 gone@example.org"
    assert [recipients for recipients, _ in sends.accepted] == [["ana@example.org"]]


@pytest.mark.django_db
def test_a_mail_server_that_is_away_is_tried_again(sends, settings):
    settings.EMAIL_PORT = 1
    mail = kept()
    assert deliver(ref=mail.ref) == WorkStatus.QUEUED
    mail.refresh_from_db()
    assert mail.error.startswith("ConnectionRefusedError")
    assert mail.available_at > now()


@pytest.mark.django_db
def test_a_wrong_password_of_the_installation_does_not_cost_the_message(sends, settings):
    settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "club", "wrong"
    mail = kept()
    assert deliver(ref=mail.ref) == WorkStatus.QUEUED
    mail.refresh_from_db()
    assert smtplib.SMTPNotSupportedError.__name__ in mail.error


@pytest.mark.django_db
def test_a_message_that_is_being_sent_cannot_be_erased():
    mail = kept()
    claim(OutgoingMail, ref=mail.ref)
    erase_mail(mail)
    assert OutgoingMail.objects.exists()
    OutgoingMail.objects.update(status=WorkStatus.FAILED, lease_until=None)
    erase_mail(mail)
    assert not OutgoingMail.objects.exists()


@pytest.mark.django_db
def test_old_mail_is_erased_unless_it_waits_to_be_sent(settings):
    settings.EMAIL_URL = ""
    old, waiting, young = kept(), kept(), kept()
    for mail in (old, young):
        deliver(ref=mail.ref)
    OutgoingMail.objects.exclude(pk=young.pk).update(queued_at=now() - timedelta(days=15))
    assert tidy()["mail"] == 1
    assert set(OutgoingMail.objects.all()) == {waiting, young}


def test_a_worker_sends_what_was_posted(mail_worker, smtp):
    for number in range(5):
        post(number)
    mail_worker.drain()
    assert len(smtp.ids) == len(smtp.accepted) == 5
    assert set(OutgoingMail.objects.values_list("status", "delivery", "attempt")) == {("done", "smtp", 1)}


def test_a_message_without_wake_up_is_found_by_the_reconciler(mail_worker, smtp):
    mail = kept()
    OutgoingMail.objects.update(available_at=now() - timedelta(seconds=30))
    reconcile()
    mail_worker.drain()
    assert list(smtp.ids) == [mail.message_id]


def give_leases_up() -> None:
    """Time passes: what killed workers held may be taken again, what waits is due."""
    earlier = now() - timedelta(minutes=5)
    OutgoingMail.objects.filter(status=WorkStatus.RUNNING).update(lease_until=earlier)
    OutgoingMail.objects.filter(status=WorkStatus.QUEUED).update(available_at=earlier, woken_at=None)


def test_a_worker_killed_in_the_middle_of_a_message(mail_worker, smtp):
    smtp.hangs.set()
    post()
    assert smtp.reading.wait(20)
    mail_worker.kill()
    [mail] = OutgoingMail.objects.all()
    assert mail.status == WorkStatus.RUNNING
    mail_worker.forget()
    give_leases_up()
    reconcile()
    mail.refresh_from_db()
    assert (mail.status, mail.error) == (WorkStatus.QUEUED, "The worker of attempt 1 was lost.")
    smtp.hangs.clear()
    mail_worker.start()
    mail_worker.drain()
    mail.refresh_from_db()
    assert (mail.status, mail.attempt, mail.delivery) == (WorkStatus.DONE, 2, Delivery.SMTP)
    assert smtp.ids == {mail.message_id: 1}


@pytest.mark.long
def test_nothing_is_lost_when_workers_are_killed_again_and_again(mail_worker, smtp):
    smtp.pause = 0.3
    kills, at_once = 3, 2
    for number in range(30):
        post(number)
    for _ in range(kills):
        smtp.reading.clear()
        assert smtp.reading.wait(20)
        mail_worker.kill()
        mail_worker.forget()
        give_leases_up()
        reconcile()
        mail_worker.start()
    mail_worker.drain()
    assert set(OutgoingMail.objects.values_list("status", "delivery")) == {("done", "smtp")}
    assert smtp.ids.keys() == set(OutgoingMail.objects.values_list("message_id", flat=True))
    # Only what the server accepted in the moment of a kill can arrive twice, under the same Message-ID.
    assert len(smtp.accepted) <= 30 + kills * at_once
