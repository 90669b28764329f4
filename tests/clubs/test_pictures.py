"""Uploaded pictures: what is kept of them, and what is refused."""

import struct
from io import BytesIO
from zlib import crc32

import pytest
from PIL import ExifTags, Image, ImageOps

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
        (b"x" * (LARGEST_PICTURE + 1), "too_large"),
    ],
)
def test_what_is_no_picture_is_refused_by_its_name(content, code):
    with pytest.raises(PictureRefused, match=r"^hall\.png is ") as refused:
        picture_from("hall.png", content, long_side=1600)
    assert refused.value.code == code


@pytest.mark.parametrize("size", [(10_000, 5001), (20_000, 20_000), (2**31 - 1, 2**31 - 1)])
def test_a_picture_of_too_many_pixels_is_refused_before_it_is_read(size):
    picture = bytearray(a_picture())
    picture[16:24] = struct.pack(">II", *size)
    picture[29:33] = struct.pack(">I", crc32(picture[12:29]))
    with pytest.raises(PictureRefused, match=r"^hall\.png has more than 50 million pixels\.") as refused:
        picture_from("hall.png", bytes(picture), long_side=1600)
    assert refused.value.code == "too_many_pixels"


def test_a_scan_in_16_bits_keeps_its_greys():
    scan = Image.new("I;16", (30, 10))
    for at, grey in enumerate((0, 32_896, 65_535)):
        scan.paste(grey, (10 * at, 0, 10 * at + 10, 10))
    written = BytesIO()
    scan.save(written, "PNG")
    found = rewritten(written.getvalue()).convert("L")
    assert [found.getpixel((x, 5)) for x in (5, 15, 25)] == pytest.approx([0, 128, 255], abs=3)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_photo_whose_metadata_is_damaged_is_turned_upright(kind):
    exif = Image.Exif()
    exif[ExifTags.Base.Make] = "Apple"
    exif[ExifTags.Base.Orientation] = 6
    exif[ExifTags.Base.XResolution] = 72.0
    photo = BytesIO()
    Image.new("RGB", (60, 40)).save(photo, kind, exif=exif)
    entry = struct.pack(">HHI" if b"MM\0*" in photo.getvalue() else "<HHI", ExifTags.Base.XResolution, 5, 1)
    assert photo.getvalue().count(entry) == 1
    damaged = photo.getvalue().replace(entry, entry.replace(b"\5", b"\2"))  # a text, it now says
    if kind == "PNG":
        at = damaged.index(b"eXIf")
        end = at + 4 + struct.unpack_from(">I", damaged, at - 4)[0]
        damaged = damaged[:end] + struct.pack(">I", crc32(damaged[at:end])) + damaged[end + 4 :]
    with pytest.raises((TypeError, AttributeError)):
        ImageOps.exif_transpose(Image.open(BytesIO(damaged)))
    assert picture_from("a", damaged, long_side=1600).size == (40, 60)


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
