"""Uploaded pictures: checked, turned upright, and rewritten as JPEG.

What is kept is drawn from the pixels alone: no metadata, no place where it was taken, no hidden content.
"""

import struct
import warnings
from io import BytesIO

from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from PIL import ExifTags, Image

from clubs.refusals import Refused

LARGEST_PICTURE = 16 * 1024 * 1024  # bytes
MOST_PIXELS = 50_000_000
KINDS = ("JPEG", "PNG", "WEBP")
ACCEPTED = "image/jpeg,image/png,image/webp"
"""What a form offers to choose."""
QUALITY = 85
TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
"""What turns a picture upright, by the orientation in its EXIF data."""
# What Pillow raises for damaged files of these kinds.
DAMAGED = (
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    OverflowError,
    MemoryError,
    struct.error,
    Image.DecompressionBombError,
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
    if len(content) > LARGEST_PICTURE:
        message = _("%(name)s is too large: %(size)s. A picture can have up to %(most)s.")
        sizes = {"size": filesizeformat(len(content)), "most": filesizeformat(LARGEST_PICTURE)}
        raise PictureRefused(message % (sizes | {"name": name}), code="too_large")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of Pillow: we have a bound of our own, and need no metadata
            picture = _read(name, content, long_side)
    except DAMAGED as error:
        message = _("%(name)s is not a JPEG, PNG or WebP picture. Choose another file.")
        raise PictureRefused(message % {"name": name}, code="not_a_picture") from error
    picture.thumbnail((long_side, long_side))
    return picture


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
        message = _("%(name)s is too large: %(width)s x %(height)s pixels. Reduce it and try again.")
        said = {"name": name, "width": width, "height": height}
        raise PictureRefused(message % said, code="too_many_pixels")
    opened.draft(None, (long_side, long_side))  # a large JPEG is reduced while it is read
    opened.load()
    turn = TURNS.get(opened.getexif().get(ExifTags.Base.Orientation, 1))
    return _on_white(opened if turn is None else opened.transpose(turn))


def _on_white(image: Image.Image) -> Image.Image:
    """The picture in RGB, on white where it is transparent."""
    if image.mode == "RGB":
        return image
    clear = image.convert("RGBA")
    ground = Image.new("RGB", clear.size, "white")
    ground.paste(clear, mask=clear.getchannel("A"))
    return ground
