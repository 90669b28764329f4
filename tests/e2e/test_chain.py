"""The chain in a real browser: a file goes in, its progress shows, its error rates can be read and walked."""

from pathlib import Path

from playwright.sync_api import Page, expect

from clubs.models import Role
from scoring.analysis.queries.analyses import performance_of
from scoring.drawing.figures import pr
from scoring.models import Analysis, DecisionRow, Match
from tests.children import WorkerChild
from tests.e2e.settled import tap
from tests.e2e.test_lists import sign_in
from tests.factories import ClubFactory, member


def test_a_director_brings_a_match_and_walks_to_its_biggest_blunder(
    page: Page, server: str, worker: WorkerChild, shared_data: Path, tmp_path: Path
) -> None:
    club = ClubFactory.create(name="Bar Point", slug="bar-point")
    sign_in(page, server, member(club, Role.DIRECTOR, name="Ana"))

    archive = tmp_path / "matches.zip"
    archive.write_bytes(b"PK\x03\x04...")
    page.goto("/clubs/bar-point/upload/")
    page.get_by_label("Match files").set_input_files(
        [
            shared_data / "matches" / "solnze-Lasse_3pt_studio.txt",
            archive,
        ]
    )
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_text("1 file could not be read.")).to_be_visible(timeout=30_000)
    expect(page.get_by_text("unsupported format")).to_be_visible()
    tap(page.get_by_role("link", name="solnze – Lasse"))
    rates = page.locator(".summary .rates td strong")
    expect(rates.first).to_be_visible(timeout=120_000)
    analysis = Analysis.objects.get()
    match = Match.objects.get()
    assert rates.all_inner_texts() == [rate(analysis, "white"), rate(analysis, "black")]

    worst = DecisionRow.objects.filter(counted=True).order_by("-error")[0]
    tap(page.locator("#errors li a").first)
    expect(page.locator("#stage .verdict.blunder")).to_contain_text(f"−{worst.error:.3f}")
    expect(page.locator("#stage svg").first).to_be_visible()

    before = page.url
    page.keyboard.press("ArrowRight")
    expect(page).not_to_have_url(before)
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(before.removesuffix("#stage"))
    assert f"/matches/{match.ref}/" in page.url


def rate(analysis: Analysis, colour: str) -> str:
    """The PR as pages write it."""
    assert analysis.summary is not None
    return pr(performance_of(analysis.summary, colour).pr)
