"""PDFs of paper scoresheets for tests."""

from fpdf import FPDF
from fpdf.enums import EncryptionMethod


def a_pdf(pages: int, *, password: str = "") -> bytes:
    """A PDF of A4 pages, each with a dark band the lower the later the page."""
    made = FPDF()
    if password:
        made.set_encryption(
            owner_password="o", user_password=password, encryption_method=EncryptionMethod.RC4
        )
    for number in range(1, pages + 1):
        made.add_page()
        made.set_fill_color(0, 0, 0)
        band = 24 * 297 / 2400  # millimetres that are 24 pixels
        made.rect(20, 10 * number * band - band, 170, 3 * band, style="F")
    return bytes(made.output())
