"""The pages of a PDF are drawn in a process of their own, within a limit; nothing else of it comes back."""

from io import BytesIO

import pytest
from PIL import Image

from scoring.engines import scans
from scoring.engines.scans import ScanError, pages_of
from tests.scoring.engines.pdfs import a_pdf


def sizes(content: bytes) -> list[tuple[int, int]]:
    drawn = pages_of(content, most=12, long_side=2400)
    return [Image.open(BytesIO(page), formats=["JPEG"]).size for page in drawn]


def boxed(box: bytes) -> bytes:
    content = a_pdf(1)
    assert content.count(b"[0 0 595.28 841.89]") == 1
    return content.replace(b"[0 0 595.28 841.89]", b"[" + box + b"]")


def test_every_page_is_drawn_as_large_as_asked() -> None:
    assert sizes(a_pdf(2)) == [(1697, 2400)] * 2


@pytest.mark.parametrize(
    ("box", "size"),
    [
        (b"0 0 14400000 1", (2400, 1)),
        (b"0 0 0.0001 0.0001", (1, 1)),
        (b"0 0 72 36", (300, 150)),  # no finer than 300 dots per inch
    ],
)
def test_a_page_of_any_size_stays_within_its_pixels(box: bytes, size: tuple[int, int]) -> None:
    assert sizes(boxed(box)) == [size]


@pytest.mark.long
def test_pages_of_a_noisy_scan_come_out_whole() -> None:
    scan = BytesIO()
    Image.effect_noise((2400, 2400), 80).convert("RGB").save(scan, "PDF", resolution=200)
    assert sizes(scan.getvalue()) == [(2400, 2400)]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"%PDF-1.7", "damaged"),
        (a_pdf(1)[:400], "damaged"),
        (a_pdf(13), "pages"),
        (a_pdf(1, password="x"), "password"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_its_reason(content: bytes, code: str) -> None:
    with pytest.raises(ScanError) as refused:
        pages_of(content, most=12, long_side=2400)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("limit", "value", "code"), [("TIME_LIMIT", 0.0, "slow"), ("MEMORY_LIMIT", 1, "damaged")]
)
def test_what_takes_too_long_or_too_much_memory_is_given_up(monkeypatch, limit, value, code) -> None:
    monkeypatch.setattr(scans, limit, value)
    with pytest.raises(ScanError) as refused:
        pages_of(a_pdf(1), most=12, long_side=2400)
    assert refused.value.code == code
