"""Posters: an uploaded picture, checked, reduced and rewritten as a JPEG.

What is kept is drawn from the pixels alone: no metadata, no place where it was taken, no hidden content.
"""

import warnings
from io import BytesIO

from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from PIL import Image, ImageOps

from tournaments.log.refusals import DeskRefused

LARGEST_POSTER = 8 * 1024 * 1024  # bytes
MOST_PIXELS = 50_000_000
LONG_SIDE = 1600  # pixels
KINDS = ("JPEG", "PNG", "WEBP")
QUALITY = 85
# What Pillow raises for damaged files of these kinds.
DAMAGED = (
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    OverflowError,
    MemoryError,
    Image.DecompressionBombError,
)


def poster_from(name: str, content: bytes) -> bytes:
    """The poster of an uploaded file. Raises DeskRefused with its ``name``."""
    if len(content) > LARGEST_POSTER:
        message = _("%(name)s is too large: %(size)s. A poster can have up to %(most)s.")
        sizes = {"size": filesizeformat(len(content)), "most": filesizeformat(LARGEST_POSTER)}
        raise DeskRefused(message % (sizes | {"name": name}), code="too_large")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # we have a bound of our own
            opened = Image.open(BytesIO(content), formats=KINDS)
        width, height = opened.size
        if width * height > MOST_PIXELS:
            message = _("%(name)s is too large: %(width)s x %(height)s pixels. Reduce it and try again.")
            said = {"name": name, "width": width, "height": height}
            raise DeskRefused(message % said, code="too_many_pixels")
        picture = _on_white(ImageOps.exif_transpose(opened))
    except DAMAGED as error:
        message = _("%(name)s is not a JPEG, PNG or WebP picture. Choose another file.")
        raise DeskRefused(message % {"name": name}, code="not_a_picture") from error
    picture.thumbnail((LONG_SIDE, LONG_SIDE))
    written = BytesIO()
    picture.save(written, "JPEG", quality=QUALITY, optimize=True, progressive=True)
    return written.getvalue()


def _on_white(image: Image.Image) -> Image.Image:
    """The picture in RGB, on white where it is transparent."""
    if image.mode == "RGB":
        return image
    clear = image.convert("RGBA")
    ground = Image.new("RGB", clear.size, "white")
    ground.paste(clear, mask=clear.getchannel("A"))
    return ground
