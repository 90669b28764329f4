"""What is kept beside a match's sheet, in real browsers: photos of the paper, and the times of its video."""

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import expect

from clubs.models import User
from clubs.pictures import LARGEST_PICTURE
from scoring.models import Match, MatchPhoto, MatchVideo
from scoring.sheets.services.videos import set_video
from tests.e2e.scorers import Scorer
from tests.e2e.settled import tap

pytestmark = pytest.mark.long
UPRIGHT, ORIENTATION = 6, 0x0112  # turned by a quarter when it is shown (EXIF 2.3, section 4.6.4)
VIDEO = "https://youtu.be/SECONDS"  # a word of ours in an address is a part of it, as any other


def test_the_video_beside_the_typed_line_opens_at_the_time_of_the_last_one(
    match: Match, white: Scorer, ana: User
) -> None:
    set_video(match=match, user=ana, address=VIDEO)
    page = white.page
    white.open(match)
    typed, link = page.get_by_label("Type rolls and plays"), page.locator("[data-video]")
    expect(link).to_have_attribute("href", VIDEO)
    typed.fill("@12:34 31 85 65")
    typed.press("Enter")
    white.sees(3)
    expect(link).to_have_text("Video at 12:34")
    expect(link).to_have_attribute("href", f"{VIDEO}?t=754s")
    typed.fill("@13:00 77")
    typed.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="77")).to_be_visible()
    expect(link).to_have_text("Video at 12:34")
    assert MatchVideo.objects.get().times == {"2": 754}


def test_the_time_of_the_last_entry_is_noted_by_touch(match: Match, white: Scorer, ana: User) -> None:
    set_video(match=match, user=ana, address=VIDEO)
    page = white.page
    white.open(match)
    white.roll(3, 1)
    tap(page.get_by_role("button", name="More"))
    tap(page.get_by_role("button", name="Note video time"))
    shown = page.get_by_role("dialog")
    expect(shown).to_contain_text("Opening roll: Ana Etxeberria 3")
    shown.locator("input[name=time]").fill("tomorrow")
    tap(shown.get_by_role("button", name="Save time"))
    expect(shown).to_be_visible()
    shown.locator("input[name=time]").fill("1:02:34")
    tap(shown.get_by_role("button", name="Save time"))
    expect(shown).to_be_hidden()
    expect(page.locator("[data-video]")).to_have_text("Video at 1:02:34")
    assert MatchVideo.objects.get().times == {"2": 3754}


def a_photo() -> bytes:
    """What a phone takes: held upright, stored lying, in many bytes."""
    written, exif = BytesIO(), Image.Exif()
    exif[ORIENTATION] = UPRIGHT
    picture = Image.effect_noise((4000, 3000), 90).convert("RGB")
    picture.save(written, "JPEG", quality=100, subsampling=0, exif=exif)
    return written.getvalue() + bytes(LARGEST_PICTURE)


def test_a_phone_keeps_a_photo_of_the_paper_with_the_match(
    match: Match, white: Scorer, tmp_path: Path
) -> None:
    photo, small, drawn = (tmp_path / name for name in ("sheet.jpg", "small.jpg", "drawn.gif"))
    photo.write_bytes(a_photo())
    Image.new("RGB", (640, 480), "white").save(small)
    Image.new("RGB", (640, 480), "black").save(drawn)
    assert photo.stat().st_size > LARGEST_PICTURE  # more than the server takes: it is reduced on the phone
    page = white.page
    white.open(match)
    tap(page.get_by_role("button", name="More"))
    tap(page.get_by_role("link", name="Add photo"))
    page.get_by_label("Photo or scan").set_input_files(photo)
    tap(page.get_by_role("button", name="Add photo"))
    shown = page.get_by_role("img", name="Photo 1")
    expect(shown).to_be_visible()
    expect(shown).to_have_js_property("naturalWidth", 1800)  # it was held upright
    page.get_by_label("Photo or scan").set_input_files(small)  # sent as it is, by one tap
    tap(page.get_by_role("button", name="Add photo"))
    expect(page.get_by_role("img", name="Photo 2")).to_be_visible()
    page.get_by_label("Photo or scan").set_input_files(drawn)  # reduced, and sent without a button
    page.locator("form[data-side]").evaluate("form => form.requestSubmit()")
    expect(page.get_by_role("img", name="Photo 3")).to_be_visible()
    tap(page.get_by_role("button", name="Remove photo").first)
    expect(page.get_by_role("heading", name="Removed photos")).to_be_visible()
    assert [photo.content is None for photo in MatchPhoto.objects.order_by("at")] == [True, False, False]
