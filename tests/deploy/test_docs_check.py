"""The check of the docs finds what it is there to find; the docs themselves pass it in ``verify``."""

from functools import partial
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from deploy import docs_check
from deploy.docs_check import broken_links, problems_of

WORDS = " ".join(["word"] * 80)


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "conf.py").write_text((docs_check.DOCS / "conf.py").read_text().replace("../clubs", "clubs"))
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1"\n')
    (folder / "clubs/static/clubs").mkdir(parents=True)
    (folder / "clubs/static/clubs/logo.svg").write_text("<svg/>")
    return folder


def found(docs: Path, text: str) -> list[str]:
    page = docs / "page.md"
    page.write_text(text)
    return problems_of(page, docs)


def test_a_paragraph_has_at_most_80_words(docs: Path):
    assert found(docs, f"# Page\n\n{WORDS}\n") == []
    assert found(docs, f"# Page\n\n{WORDS} more\n") == [
        "docs/page.md:3: the paragraph has 81 words, more than 80: split it or make a table"
    ]


def test_a_list_item_has_at_most_two_lines_without_the_lists_inside_it(docs: Path):
    assert found(docs, f"- {'x' * 220}\n  - {'y' * 220}\n") == []
    assert found(docs, f"# Page\n\n1. {'x' * 100}\n\n   {'y' * 121}\n") == [
        "docs/page.md:3: the list item has 221 characters, more than two lines of 110: shorten it"
    ]


def test_cells_of_tables_and_code_are_as_long_as_they_must_be(docs: Path):
    assert found(docs, f"| a |\n|---|\n| {WORDS[:200]} |\n\n```\n{WORDS} {WORDS}\n```\n") == []


def test_what_is_inside_a_note_is_read_as_well(docs: Path):
    assert found(docs, f"# Page\n\n:::{{note}}\n{WORDS} more\n:::\n") == [
        "docs/page.md:4: the paragraph has 81 words, more than 80: split it or make a table"
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a <br> b", "raw HTML is shown as text: <br>"),
        ("<!-- hidden -->", "raw HTML is shown as text: <!--"),
        ("```{figure} a.png\n```", "the product cannot show the directive {figure}"),
        ("See {ref}`there`.", "the product cannot show the role in: See {ref}"),
        ("[out](../README.md)", "the link to ../README.md leads out of docs/"),
        ("![out](../clubs/x.png)", "the link to ../clubs/x.png leads out of docs/"),
    ],
)
def test_what_the_product_cannot_show_is_found(docs: Path, text: str, problem: str):
    assert found(docs, f"{text}\n") == [f"docs/page.md:1: {problem}"]


@pytest.mark.parametrize(
    "text", ["`<name>` and <https://x.example/>", "a < b > c", "```json\n{}\n```", "`{a}`"]
)
def test_what_only_looks_like_html_or_a_directive_is_not(docs: Path, text: str):
    assert found(docs, f"{text}\n") == []


def test_links_of_pages_that_are_not_in_the_docs_are_followed(tmp_path: Path):
    (tmp_path / "other.md").write_text("# Other\n\n## Two words\n")
    page = tmp_path / "README.md"
    page.write_text(
        "# A\n\n[a](other.md#two-words) [b](#a) [c](https://x.example/)\n\n"
        "[d](#no) [e](other.md#no)\n[f](no.md)\n"
    )
    assert broken_links(page) == [
        "README.md:5: #no names a heading that does not exist",
        "README.md:5: other.md#no names a heading that does not exist",
        "README.md:5: no.md does not exist",
    ]


@pytest.mark.long
def test_a_good_site_is_built_without_a_word(docs: Path, tmp_path: Path):
    (docs / "index.md").write_text(
        "# Site\n\n:::{tip}\nGo to [it](page.md#part).\n:::\n\n```{toctree}\npage\n```\n"
    )
    (docs / "page.md").write_text("# Page\n\n## Part\n")
    assert docs_check.build(tmp_path / "out", docs=docs) == []
    assert "Part" in (tmp_path / "out" / "page.html").read_text()


@pytest.mark.long
def test_broken_links_missing_pictures_and_lost_pages_are_warnings(docs: Path, tmp_path: Path):
    (docs / "index.md").write_text(
        "# Site\n\n[a](page.md#none) [b](none.md) [c](#none) ![d](none.png)\n\n```{toctree}\npage\n```\n"
    )
    (docs / "page.md").write_text("# Page\n")
    (docs / "lost.md").write_text("# Lost\n")
    warnings = "\n".join(docs_check.build(tmp_path / "out", docs=docs))
    assert "docs/lost.md: WARNING: document isn't included in any toctree" in warnings
    for wrong in ("'none'", "none.md", "none.png"):
        assert wrong in warnings
    assert warnings.count("WARNING") == 5


@pytest.mark.long
def test_the_command_builds_into_a_folder_that_it_may_replace(
    docs: Path, tmp_path: Path, monkeypatch, capsys
):
    (docs / "index.md").write_text("# Site\n")
    monkeypatch.setattr(docs_check, "build", partial(docs_check.build, docs=docs))
    out = tmp_path / "out"
    for _once_and_again in range(2):
        call_command("docs", output=out)
        assert f"The docs are in {out}: open {out / 'index.html'}" in capsys.readouterr().out
    (docs / "index.md").write_text("# Site\n\n[a](none.md)\n")
    with pytest.raises(CommandError, match=r"the docs have mistakes:\n.*none\.md"):
        call_command("docs", output=out)
    assert not out.exists()


def test_the_command_never_removes_a_folder_of_something_else(tmp_path: Path):
    (tmp_path / "mine.txt").write_text("")
    with pytest.raises(CommandError, match="has files but is not a site of the docs; name another folder"):
        call_command("docs", output=tmp_path)
    assert (tmp_path / "mine.txt").exists()
