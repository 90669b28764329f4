"""Uploaded pictures: checked, turned upright, and rewritten as JPEG.

What is kept is drawn from the pixels alone: no metadata, no place where it was taken, no hidden content.
"""

import struct
import warnings
from io import BytesIO

from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from PIL import Image, ImageOps

from clubs.refusals import Refused

LARGEST_PICTURE = 16 * 1024 * 1024  # bytes
MOST_PIXELS = 50_000_000
KINDS = ("JPEG", "PNG", "WEBP")
ACCEPTED = "image/jpeg,image/png,image/webp"
"""What a form offers to choose."""
QUALITY = 85
HEIC = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"}
"""Brands of the format of phones that browsers do not show (ISO/IEC 23008-12, annex B)."""
# What Pillow raises for damaged files of these kinds.
DAMAGED = (
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    OverflowError,
    MemoryError,
    struct.error,
)


class PictureRefused(Refused):
    """A file that is no picture, or too large; ``code`` says why to programs."""

    def __init__(self, message: str, *, code: str) -> None:
        super().__init__(message)
        self.code = code


def picture_from(name: str, content: bytes, *, long_side: int) -> Image.Image:
    """The picture of an uploaded file, upright, in RGB, at most ``long_side`` pixels wide and high.

    Raises PictureRefused with its ``name``.
    """
    check_size(name, content)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of Pillow: we have a bound of our own, and need no metadata
            return _read(name, content, long_side)
    except Image.DecompressionBombError as error:
        raise _too_many_pixels(name) from error
    except DAMAGED as error:
        if content[4:8] == b"ftyp" and content[8:12] in HEIC:
            message = _("%(name)s is a HEIC photo. Save it as JPEG and choose that file.")
            raise PictureRefused(message % {"name": name}, code="heic") from error
        message = _("%(name)s is not a JPEG, PNG or WebP picture. Choose another file.")
        raise PictureRefused(message % {"name": name}, code="not_a_picture") from error


def check_size(name: str, content: bytes) -> None:
    """Refuse a file of more than ``LARGEST_PICTURE`` bytes."""
    if len(content) > LARGEST_PICTURE:
        message = _("%(name)s is too large: %(size)s. A picture can have up to %(most)s.")
        sizes = {"size": filesizeformat(len(content)), "most": filesizeformat(LARGEST_PICTURE)}
        raise PictureRefused(message % (sizes | {"name": name}), code="too_large")


def jpeg_of(picture: Image.Image) -> bytes:
    """The picture as a JPEG without metadata."""
    written = BytesIO()
    picture.info.clear()
    picture.save(written, "JPEG", quality=QUALITY, optimize=True, progressive=True)
    return written.getvalue()


def _read(name: str, content: bytes, long_side: int) -> Image.Image:
    opened = Image.open(BytesIO(content), formats=KINDS)
    width, height = opened.size
    if width * height > MOST_PIXELS:
        raise _too_many_pixels(name)
    opened.draft(None, (long_side, long_side))  # a large JPEG is reduced while it is read
    opened.load()
    opened.getexif()
    # Pillow keeps how the picture was held; what is damaged beside it would fail when it is written again.
    opened.info = {kind: value for kind, value in opened.info.items() if kind == "transparency"}
    ImageOps.exif_transpose(opened, in_place=True)
    image = _in_eight_bits(opened)
    image.thumbnail((long_side, long_side))  # before it is painted: a copy of all pixels takes hundreds of MB
    return _on_white(image)


def _too_many_pixels(name: str) -> PictureRefused:
    message = _("%(name)s has more than %(most)s million pixels. Reduce it and try again.")
    return PictureRefused(message % {"name": name, "most": MOST_PIXELS // 1_000_000}, code="too_many_pixels")


def _in_eight_bits(image: Image.Image) -> Image.Image:
    """The picture in a mode that can be reduced smoothly: no palette, 8 bits for each colour."""
    if image.mode.startswith("I"):  # the 16 bits of some scanners, which ``convert`` would cut off as white
        return image.convert("I").point(lambda level: level * (1 / 257)).convert("L")
    if image.mode == "1":
        return image.convert("L")
    if image.mode in {"P", "PA"}:
        return image.convert("RGBA")
    return image


def _on_white(image: Image.Image) -> Image.Image:
    """The picture in RGB, on white where it is transparent."""
    if image.mode == "RGB":
        return image
    clear = image.convert("RGBA")
    ground = Image.new("RGB", clear.size, "white")
    ground.paste(clear, mask=clear.getchannel("A"))
    return ground
