"""One upload is told of in one message to each person, however many matches it brings."""

from datetime import timedelta

import pytest
from django.utils.timezone import now

from clubs.models import Club, User, WorkStatus
from clubs.work import services as work
from scoring.files.services.imports import import_upload, receive_files
from scoring.matches.services.notices import tell_result
from scoring.models import Alias, Channel, ResultNotice, Upload
from scoring.tasks import tell_of_result
from tests.factories import ClubFactory, member
from tests.scoring.records import short_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(name="Bar Point")


@pytest.fixture
def ana(club: Club) -> User:
    return known(club, "Ana")


def known(club: Club, name: str) -> User:
    """A member whom files name."""
    user = member(club, name=name)
    Alias.objects.create(club=club, name=name, key=name.lower(), player=user.player)
    return user


def uploaded(club: Club, user: User, *contents: bytes) -> list[Upload]:
    files = [(f"{number}.mat", content) for number, content in enumerate(contents)]
    return receive_files(club=club, user=user, files=files)


def imported(*uploads: Upload) -> None:
    for upload in uploads:
        claimed = work.claim(Upload, ref=upload.ref)
        assert claimed is not None
        import_upload(claimed)


def tell_what_is_due() -> None:
    due = ResultNotice.objects.filter(available_at__lte=now()).order_by("?")
    for ref in due.values_list("ref", flat=True):
        tell_of_result(ref)


def test_an_upload_of_many_matches_is_one_mail_to_each_person(club: Club, ana: User, mailoutbox) -> None:
    """Everybody who had played in all of them got fifty mails."""
    ben = known(club, "Ben")
    opponents = ["Ben", *(f"Guest {number}" for number in range(9))]
    imported(*uploaded(club, ana, *(short_match("Ana", name) for name in opponents)))
    tell_what_is_due()
    mails = {mail.to[0]: mail for mail in mailoutbox}
    assert len(mailoutbox) == 2
    assert mails[ana.email].subject == "Results recorded: 10 matches"
    assert "Bar Point" in mails[ana.email].body
    assert all(name in mails[ana.email].body for name in opponents)
    assert mails[ana.email].body.count("/matches/") == 10
    assert mails[ben.email].subject.startswith("Result to confirm: ")  # his one match, as ever
    of_ana = ResultNotice.objects.filter(user=ana, way=Channel.MAIL)
    assert sorted(of_ana.values_list("status", flat=True)) == ["cancelled"] * 9 + ["done"]


def test_nothing_is_told_before_the_upload_is_complete(club: Club, ana: User, mailoutbox) -> None:
    first, second, third = uploaded(
        club, ana, short_match("Ana", "Ben"), short_match("Ana", "Cleo"), b"nonsense"
    )
    imported(first, second)
    tell_what_is_due()
    assert not mailoutbox
    imported(third)
    tell_what_is_due()
    assert [mail.subject for mail in mailoutbox] == ["Results recorded: 2 matches"]


def test_what_has_come_is_told_where_the_rest_never_comes(club: Club, ana: User, mailoutbox) -> None:
    first, second, _lost = uploaded(club, ana, *(short_match("Ana", name) for name in ("Ben", "Cleo", "Dan")))
    imported(first, second)
    ResultNotice.objects.update(available_at=now() - timedelta(seconds=1))
    tell_what_is_due()
    assert [mail.subject for mail in mailoutbox] == ["Results recorded: 2 matches"]


def test_of_two_workers_at_once_one_tells(club: Club, ana: User, mailoutbox) -> None:
    imported(*uploaded(club, ana, *(short_match("Ana", name) for name in ("Ben", "Cleo", "Dan"))))
    mine = ResultNotice.objects.filter(user=ana, way=Channel.MAIL).order_by("pk")
    held = [work.claim(ResultNotice, ref=notice.ref) for notice in mine]
    for notice in reversed(held):
        assert notice is not None
        tell_result(notice)
    assert [mail.subject for mail in mailoutbox] == ["Results recorded: 3 matches"]
    assert [notice.status for notice in mine.all()] == [WorkStatus.DONE, *[WorkStatus.CANCELLED] * 2]


def test_a_corrected_result_is_told_by_itself(club: Club, ana: User, mailoutbox) -> None:
    imported(*uploaded(club, ana, short_match("Ana", "Ben"), short_match("Ana", "Cleo")))
    tell_what_is_due()
    first = ResultNotice.objects.filter(user=ana, way=Channel.MAIL).order_by("pk")[0]
    first.match.result.revision = 2
    first.match.result.save()
    again = ResultNotice.objects.create(match=first.match, revision=2, user=ana, way=Channel.MAIL)
    tell_of_result(again.ref)
    assert [mail.subject.partition(":")[0] for mail in mailoutbox] == ["Results recorded", "Result recorded"]


def test_the_same_files_again_are_told_to_nobody(club: Club, ana: User, mailoutbox) -> None:
    contents = [short_match("Ana", "Ben"), short_match("Ana", "Cleo")]
    imported(*uploaded(club, ana, *contents))
    tell_what_is_due()
    imported(*uploaded(club, ana, *contents))
    tell_what_is_due()
    assert len(mailoutbox) == 1
