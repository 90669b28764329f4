"""A page goes back only where this site has a page."""

import pytest

from clubs.http.destinations import sent_back_to


@pytest.mark.parametrize("ours", ["/", "/matches/", "/clubs/a/?q=1#list"])
def test_a_path_of_this_site_is_followed(rf, ours):
    assert sent_back_to(rf.post("/", {"next": ours}), otherwise="/else/") == ours


@pytest.mark.parametrize(
    "other",
    ["", "9" * 30, "word", "clubs:clubs", "https://evil.example/", "//evil.example/", "/\\evil.example"],
)
def test_everything_else_is_not(rf, other):
    assert sent_back_to(rf.post("/", {"next": other}), otherwise="/else/") == "/else/"
