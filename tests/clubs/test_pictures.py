"""Uploaded pictures: what is kept of them, and what is refused."""

from io import BytesIO

import pytest
from PIL import ExifTags, Image

from clubs.pictures import LARGEST_PICTURE, PictureRefused, jpeg_of, picture_from


def a_picture(kind: str = "PNG", size: tuple[int, int] = (8, 6), mode: str = "RGBA") -> bytes:
    written = BytesIO()
    Image.new(mode, size).save(written, kind)
    return written.getvalue()


def rewritten(content: bytes) -> Image.Image:
    return Image.open(BytesIO(jpeg_of(picture_from("a", content, long_side=1600))))


@pytest.mark.parametrize(("kind", "mode"), [("PNG", "RGBA"), ("PNG", "P"), ("JPEG", "L"), ("WEBP", "RGB")])
def test_a_picture_is_redrawn_within_its_bounds(kind, mode):
    found = rewritten(a_picture(kind, (2400, 1200), mode))
    assert (found.format, found.mode, found.size) == ("JPEG", "RGB", (1600, 800))
    assert not found.getexif()


def test_a_clear_picture_stands_on_white():
    assert rewritten(a_picture()).getpixel((0, 0)) == (255, 255, 255)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"<svg onload='x()'></svg>", "not_a_picture"),
        (b"", "not_a_picture"),
        (a_picture("GIF", mode="P"), "not_a_picture"),
        (a_picture("JPEG", (400, 400), "RGB")[:-900], "not_a_picture"),
        (a_picture()[:40], "not_a_picture"),
        (a_picture("PNG", (10_000, 5001), "1"), "too_many_pixels"),
        (b"x" * (LARGEST_PICTURE + 1), "too_large"),
    ],
)
def test_what_is_no_picture_is_refused_by_its_name(content, code):
    with pytest.raises(PictureRefused, match=r"^hall\.png is ") as refused:
        picture_from("hall.png", content, long_side=1600)
    assert refused.value.code == code


def test_a_phones_photo_is_turned_upright_and_does_not_say_where_it_was_taken():
    photo = Image.new("RGB", (60, 40), "white")
    photo.paste("black", (0, 0, 30, 40))
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = 6  # the top of the sheet is at the right
    exif.get_ifd(ExifTags.IFD.GPSInfo)[ExifTags.GPS.GPSLatitude] = (41.0, 9.0, 0.0)
    written = BytesIO()
    photo.save(written, "JPEG", exif=exif, comment=b"at home", icc_profile=b"profile")
    kept = jpeg_of(picture_from("a", written.getvalue(), long_side=1600))
    found = Image.open(BytesIO(kept))
    assert found.size == (40, 60)
    assert found.convert("L").getpixel((20, 5)) == 0
    assert not found.getexif()
    assert {"exif", "comment", "icc_profile"}.isdisjoint(found.info)
    assert b"Exif" not in kept
