"""The child, `python -m scoring.engines.scans --parent PID --memory BYTES`: see scoring.engines.process.

Standard input: `{"content": base64, "most", "long_side"}`. Standard output, an object a line:
`{"part", "last"}`, the parts up to a last one being a page as a JPEG in base64; or
`{"refused": code, "pages"}`.
"""

import base64
import json
import sys
from io import BytesIO

import pypdfium2
from pypdfium2.raw import FPDF_ERR_PASSWORD

from scoring.engines.containment import enter

FINEST = 300 / 72
"""Pixels for a point of the page: finer than a scanner's usual setting, it would show nothing more."""
QUALITY = 85
PART = 1024 * 1024
"""Characters of a line's text."""


def main() -> int:
    """Draw one file; 0 if it was drawn or the refusal was reported."""
    say = enter("scoring.engines.scans", __doc__)
    request = json.load(sys.stdin)
    try:
        document = pypdfium2.PdfDocument(base64.b64decode(request["content"]))
        if not 0 < len(document) <= request["most"]:
            say({"refused": "pages" if len(document) else "damaged", "pages": len(document)})
            return 0
        for number in range(len(document)):
            drawn = base64.b64encode(_jpeg(document[number], request["long_side"])).decode()
            for start in range(0, len(drawn), PART):
                say({"part": drawn[start : start + PART], "last": start + PART >= len(drawn)})
    except pypdfium2.PdfiumError as error:
        say({"refused": "password" if error.err_code == FPDF_ERR_PASSWORD else "damaged", "pages": 0})
    return 0


def _jpeg(page: pypdfium2.PdfPage, long_side: int) -> bytes:
    scale = min(long_side / max(page.get_size()), FINEST)
    picture = page.render(scale=scale, rev_byteorder=True).to_pil().convert("RGB")
    page.close()
    written = BytesIO()
    picture.save(written, "JPEG", quality=QUALITY)
    return written.getvalue()


if __name__ == "__main__":
    sys.exit(main())
