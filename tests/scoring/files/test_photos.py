"""Photos of a paper scoresheet stay with the match until somebody removes them."""

from hashlib import sha256
from io import BytesIO
from typing import cast

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import transaction
from django.test import Client
from django.urls import reverse
from PIL import Image
from pytest_django import DjangoAssertNumQueries

from clubs.accounts.queries import personal_data
from clubs.clubs.services.erasures import erase_user
from clubs.models import Club, Role, User, Visibility
from clubs.pictures import PictureRefused
from deploy.backup.checking import check
from scoring.files.services import photos
from scoring.files.services.photos import TooManyPhotosRefused, add_photos, remove_photo
from scoring.models import Match, MatchPhoto
from scoring.rules.sides import Side
from scoring.sheets.services.identity import give_way
from scoring.signals import ResultRefused
from tests.clubs.api.clients import with_token
from tests.clubs.test_pictures import a_picture
from tests.factories import ClubFactory, UserFactory, member
from tests.races import at_once
from tests.scoring.engines.pdfs import a_pdf
from tests.scoring.sheets.writing import two_players, win, write

pytestmark = pytest.mark.django_db


def added(match: Match, user: User, content: bytes) -> MatchPhoto:
    [photo] = add_photos(match=match, user=user, name="sheet.png", content=content)
    return photo


class World:
    """A match between Ana and Ben that is over, and others of its club."""

    def __init__(self) -> None:
        self.club: Club = ClubFactory.create()
        self.match = write(two_players(1, club=self.club), win(Side.WHITE))
        sides = (self.match.white, self.match.black)
        self.ana, self.ben = (cast("User", side.players[0].user) for side in sides)
        self.member, self.director = member(self.club), member(self.club, Role.DIRECTOR, name="Dora")
        self.page = reverse("scoring:match_photos", args=[self.match.ref])

    def add(self, user: User, size: tuple[int, int] = (8, 6)) -> MatchPhoto:
        return added(self.match, user, a_picture(size=size))


@pytest.fixture
def world() -> World:
    return World()


def a_file(content: bytes | None = None, name: str = "sheet.png") -> dict[str, SimpleUploadedFile]:
    picture = a_picture("JPEG", (3000, 1500), "RGB") if content is None else content
    return {"photo": SimpleUploadedFile(name, picture)}


def test_a_photo_is_added_shown_small_and_in_full_and_removed(client: Client, world: World) -> None:
    client.force_login(world.ana)
    assert f'href="{world.page}"' in client.get(world.match.get_absolute_url()).content.decode()
    assert f'href="{world.page}"' in client.get(f"/matches/{world.match.ref}/sheet/").content.decode()
    assert client.post(world.page, a_file()).status_code == 302
    photo = MatchPhoto.objects.get()
    assert (photo.added_by, photo.width, photo.height) == (world.ana, 2400, 1200)
    full, small = (
        reverse(f"scoring:{name}", args=[world.match.ref, photo.ref])
        for name in ("photo_jpg", "thumbnail_jpg")
    )
    client.logout()
    shown = client.get(world.match.get_absolute_url()).content.decode()
    assert f'<img src="{small}"' in shown
    assert f'href="{world.page}#photo-{photo.ref}"' in shown
    in_full = client.get(world.page).content.decode()
    assert f'<img src="{full}"' in in_full
    assert photo.sha256 in in_full
    assert "Add photo" not in shown + in_full
    assert "Remove photo" not in in_full
    for address, size in ((full, (2400, 1200)), (small, (320, 160))):
        answer = client.get(address)
        assert (answer["Content-Type"], answer["X-Content-Type-Options"]) == ("image/jpeg", "nosniff")
        assert answer["Content-Disposition"].startswith("inline; filename=")
        assert Image.open(BytesIO(answer.content)).size == size
        assert client.get(address, headers={"If-None-Match": answer["ETag"]}).status_code == 304
    assert sha256(client.get(full).content).hexdigest() == photo.sha256

    client.force_login(world.director)
    removal = reverse("scoring:delete_photo", args=[photo.ref])
    assert removal in client.get(world.page).content.decode()
    client.post(removal)
    photo.refresh_from_db()
    assert (photo.content, photo.thumbnail, photo.removed_by) == (None, None, world.director)
    assert client.get(full).status_code == client.get(small).status_code == 404
    assert "This photo was already removed." in client.post(removal, follow=True).content.decode()
    page = client.get(world.page).content.decode()
    assert "Removed photos" in page
    assert "Dora" in page


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"%PDF-1.7", "sheet.png is damaged. Save the PDF again, or take photos of its pages."),
        (a_pdf(13), "sheet.png has 13 pages; a match can have 12 photos. Save fewer pages."),
        (a_pdf(1, password="x"), "sheet.png is locked with a password. Save it without one and try again."),
        (b"", "sheet.png is empty."),
        (b"\0\0\0\x18ftypheic\0\0\0\0", "sheet.png is a HEIC photo. Save it as JPEG and choose that file."),
        (b"<svg onload='x()'></svg>", "sheet.png is not a JPEG, PNG or WebP picture."),
        (a_picture("PNG", (10_000, 5001), "1"), "sheet.png has more than 50 million pixels."),
    ],
)
def test_what_is_no_photo_is_refused_by_its_name(client: Client, world: World, content, said: str) -> None:
    client.force_login(world.ana)
    assert said in client.post(world.page, a_file(content)).content.decode()
    assert "Choose a photo." in client.post(world.page, {}).content.decode()
    assert not MatchPhoto.objects.exists()


def test_each_page_of_a_pdf_is_kept_as_a_photo(client: Client, world: World) -> None:
    client.force_login(world.ana)
    page = client.post(world.page, a_file(a_pdf(3), "scan.pdf"), follow=True).content.decode()
    assert "3 photos added." in page
    found = MatchPhoto.objects.order_by("at", "pk")
    assert [(photo.width, photo.height) for photo in found] == [(1697, 2400)] * 3
    for number, photo in enumerate(found, 1):  # the dark band is as far down as its page has said
        column = Image.open(BytesIO(bytes(photo.content or b""))).convert("L").reduce(24)
        assert [column.getpixel((30, row)) for row in (10 * number, 60)] == pytest.approx([0, 255], abs=5)
    [first, *_others] = found
    answer = with_token(world.ana).post(
        reverse("api:match_photos", args=[world.match.ref]), a_file(a_pdf(3)), format="multipart"
    )
    assert (answer.status_code, answer.json()["ref"]) == (201, first.ref)
    assert found.count() == 3  # the same pages are not kept twice


def test_several_photos_are_added_at_once_and_those_that_are_none_named(client: Client, world: World) -> None:
    client.force_login(world.ana)

    def sent(*contents: bytes) -> str:
        files = [SimpleUploadedFile(f"{n}.png", content) for n, content in enumerate(contents, 1)]
        return client.post(world.page, {"photo": files}, follow=True).content.decode()

    one, two, three = (a_picture(size=(width, 6)) for width in (8, 9, 10))
    assert "2 photos added." in sent(one, two)
    page = sent(three, b"<svg/>", two)
    assert "Photo added." in page
    assert "2.png is not a JPEG, PNG or WebP picture." in page
    assert MatchPhoto.objects.count() == 3
    assert "This match already has these photos." in sent(one, one)
    assert "2.png is empty." in sent(a_picture(size=(11, 6)), b"")
    assert MatchPhoto.objects.count() == 3


def test_a_pdf_is_kept_whole_or_not_at_all(client: Client, world: World, monkeypatch) -> None:
    monkeypatch.setattr(photos, "MOST_PHOTOS", 3)
    world.add(world.ben)
    client.force_login(world.ana)
    refused = client.post(world.page, a_file(a_pdf(3), "scan.pdf")).content.decode()
    assert "This match has room for 2 more photos; scan.pdf has 3 pages. Save fewer pages." in refused
    assert MatchPhoto.objects.count() == 1


def test_players_and_directors_add_photos_and_nobody_else(client: Client, world: World) -> None:
    for user, status in ((world.member, 403), (UserFactory.create(), 403), (world.director, 302)):
        client.force_login(user)
        assert ("Add photo" in client.get(world.page).content.decode()) == (status == 302)
        assert client.post(world.page, a_file()).status_code == status
    photo = MatchPhoto.objects.get()
    client.force_login(world.ana)
    refused = client.post(reverse("scoring:delete_photo", args=[photo.ref]))
    assert refused.status_code == 403
    assert "Only the person who added this photo and directors can remove it." in refused.content.decode()


def test_the_photos_of_a_hidden_match_are_hidden(client: Client, world: World) -> None:
    photo = world.add(world.ana)
    Club.objects.update(visibility=Visibility.MEMBERS)
    for name, args in (("match_photos", []), ("photo_jpg", [photo.ref]), ("thumbnail_jpg", [photo.ref])):
        assert client.get(reverse(f"scoring:{name}", args=[world.match.ref, *args])).status_code == 404


def test_a_photo_of_another_match_is_not_shown_under_this_one(client: Client, world: World) -> None:
    other, photo = two_players(club=world.club), world.add(world.ana)
    assert client.get(reverse("scoring:photo_jpg", args=[other.ref, photo.ref])).status_code == 404


def test_a_match_has_at_most_so_many_photos(client: Client, world: World, monkeypatch) -> None:
    monkeypatch.setattr(photos, "MOST_PHOTOS", 2)
    first = world.add(world.ana)
    assert world.add(world.ben) == first  # the same picture
    world.add(world.ana, (9, 6))
    with pytest.raises(TooManyPhotosRefused, match="This match already has 2 photos"):
        world.add(world.ana, (10, 6))
    remove_photo(photo=first, user=world.ana)
    assert world.add(world.ana) != first  # once removed, it can be added again


@pytest.mark.django_db(transaction=True)
def test_two_photos_at_once_are_counted_one_after_the_other(world: World, monkeypatch) -> None:
    monkeypatch.setattr(photos, "MOST_PHOTOS", 1)
    outcomes = at_once(lambda: world.add(world.ana), lambda: world.add(world.ben, (9, 6)))
    assert sorted(type(each).__name__ for each in outcomes) == ["MatchPhoto", "TooManyPhotosRefused"]


def test_photos_cost_the_page_the_same_however_many(
    client: Client, world: World, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client.force_login(world.ana)
    world.add(world.ana)
    client.get(world.match.get_absolute_url())
    for width in (9, 10, 11):
        with django_assert_num_queries(4):
            client.get(world.page)
        with django_assert_num_queries(13):
            client.get(world.match.get_absolute_url())
        world.add(world.director, (width, 6))


def test_programs_list_add_and_remove_photos(world: World) -> None:
    address = reverse("api:match_photos", args=[world.match.ref])
    ana, ben = with_token(world.ana), with_token(world.ben)
    made = ana.post(address, a_file(), format="multipart")
    assert made.status_code == 201
    photo = MatchPhoto.objects.get()
    one = f"/api/v1/photos/{photo.ref}/"
    assert made["Location"].endswith(one)
    found = made.json()
    assert (found["sha256"], found["width"], found["height"]) == (photo.sha256, 2400, 1200)
    assert found["picture"].endswith(f"/photos/{photo.ref}/photo.jpg")
    assert ben.get(address).json()["items"] == [found]
    assert ben.get(one).json() == found
    bad = ana.post(address, a_file(b"RIFF"), format="multipart")
    assert (bad.status_code, bad.json()["code"]) == (409, "not_a_picture")
    empty = ana.post(address, a_file(b""), format="multipart")
    assert (empty.status_code, empty.json()["detail"]) == (400, "photo: sheet.png is empty.")
    assert ben.delete(one).status_code == 403
    assert with_token(world.member).post(address, a_file(), format="multipart").status_code == 403
    assert ana.delete(one).status_code == 204
    assert ana.get(one).status_code == 404
    assert ana.get(address).json()["items"] == []


def test_erasing_a_player_removes_the_photos_of_their_matches(world: World) -> None:
    photo = world.add(world.ben)
    assert personal_data(world.ben)["photos"] == [
        {
            "match": world.match.ref,
            "ref": photo.ref,
            "sha256": photo.sha256,
            "added": photo.at.isoformat(),
            "removed": None,
        }
    ]
    other = two_players(club=world.club)
    kept = added(other, world.ana, a_picture())
    erase_user(user=world.ana)
    photo.refresh_from_db()
    kept.refresh_from_db()
    assert (photo.content, photo.removed_by) == (None, None)
    assert photo.removed_at is not None
    assert kept.content is not None


def test_no_photo_is_added_to_a_match_on_another_computer(client: Client, world: World) -> None:
    photo = world.add(world.ana)
    world.match.sheet.moved_at = world.match.created_at
    world.match.sheet.save()
    with pytest.raises(ResultRefused, match="moved to another computer"), transaction.atomic():
        world.add(world.ana, (9, 6))
    client.force_login(world.ana)
    assert "Add photo" not in client.get(world.page).content.decode()
    assert "moved to another computer" in client.post(world.page, a_file()).content.decode()
    client.post(reverse("scoring:delete_photo", args=[photo.ref]))
    assert MatchPhoto.objects.get().removed_by == world.ana


def test_the_match_of_the_sheet_takes_the_photos_of_its_twin(world: World) -> None:
    sheet = two_players(1, club=world.club)
    own = added(sheet, world.ana, a_picture())
    same, given = world.add(world.ana), world.add(world.ana, (9, 6))
    give_way(twin=world.match, to=sheet, user=world.director)
    assert {*MatchPhoto.objects.filter(match=sheet)} == {own, given}
    assert MatchPhoto.objects.get(match=world.match) == same


def test_a_picture_that_was_changed_in_the_database_is_found(world: World, capsys) -> None:
    photo = world.add(world.ana)
    call_command("verify_sheets")
    MatchPhoto.objects.update(content=a_picture())
    with pytest.raises(CommandError, match="1 of 1 photos are damaged"):
        call_command("verify_sheets")
    assert check().damaged_photos == (photo.ref,)
    assert not check().ok
    assert f"photo {photo.ref} of match {world.match.ref}" in capsys.readouterr().out


def test_a_damaged_file_leaves_nothing(world: World) -> None:
    with pytest.raises(PictureRefused):
        added(world.match, world.ana, a_picture()[:40])
    assert not MatchPhoto.objects.exists()
