"""The help: every page of the docs inside the product, found by its title and opened from the other pages."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.template import Context, Template
from django.test import Client
from django.urls import reverse
from django.utils.translation import override
from pytest_django import DjangoAssertNumQueries

from clubs.help import pages, rendering
from clubs.help.pages import READERS, HelpPage, help_page, search, shelf, shelves
from clubs.help.rendering import rendered
from clubs.shell.glossary import MORE, TERMS

pytestmark = pytest.mark.django_db

ROOT: Path = settings.BASE_DIR
ALL = [page for each in shelves() for page in ((each.index,) if each.index else ()) + each.pages]
TAG = re.compile(r"\{%\s*help\s+[\"']([^\"']+)[\"']\s*%\}")
TAGS = sorted(
    {
        (place, str(path.relative_to(ROOT)))
        for path in (ROOT / "templates").rglob("*.html")
        for place in TAG.findall(path.read_text())
    }
)


@pytest.fixture
def docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of docs with a page for players and its picture."""
    monkeypatch.setattr(pages, "DOCS", tmp_path)
    monkeypatch.setattr(rendering, "DOCS", tmp_path)
    (tmp_path / "players").mkdir()
    (tmp_path / "images").mkdir()
    return tmp_path


def written(docs: Path, text: str, *, topic: str = "a") -> HelpPage:
    (docs / "players" / f"{topic}.md").write_text(text)
    page = help_page("players", topic)
    assert page is not None
    return page


@pytest.mark.parametrize("one", ALL, ids=lambda one: f"{one.reader}/{one.topic}")
def test_every_page_opens_for_a_visitor_without_a_query_and_is_small(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries, one: HelpPage
) -> None:
    with django_assert_num_queries(0):
        answer = client.get(one.url)
    text = answer.content.decode()
    assert answer.status_code == 200
    assert len(answer.content) <= 100 * 1024
    assert " style=" not in text
    assert "<script>" not in text
    assert not re.search(r'href="[^"]*\.md[#"]', text)


@pytest.mark.parametrize(("place", "template"), TAGS, ids=[f"{place} in {path}" for place, path in TAGS])
def test_every_page_that_a_template_opens_is_there(place: str, template: str) -> None:
    assert help_page(*place.split("/", 1)) is not None


def test_every_page_about_a_term_is_there_and_the_explanation_leads_to_it() -> None:
    missing = {place for place in MORE.values() if help_page(*place.split("/", 1)) is None}
    assert missing == set()
    assert set(MORE) <= set(TERMS)
    shown = Template('{% load shell %}{% term "swiss" %}').render(Context())
    assert (
        '<a href="/help/directors/swiss/" target="_blank">Help: Swiss, Monrad, Keizer and pair as ready</a>'
        in shown
    )


def test_links_and_pictures_of_every_page_lead_to_what_is_there(client: Client) -> None:
    anchors = {page.url: {heading.anchor for heading in page.headings} for page in ALL}
    for page in ALL:
        for address in re.findall(r'href="(/help/[^"]+)"', rendered(page)):
            target, _, anchor = address.partition("#")
            assert target in anchors, f"{page.url} leads to {address}"
            assert not anchor or anchor in anchors[target], f"{page.url} leads to {address}"
        for name in re.findall(r'src="/static/([^"]+)"', rendered(page)):
            assert finders.find(name), f"{page.url} shows {name}"


def test_the_list_names_every_reader_that_has_pages(client: Client) -> None:
    text = client.get("/help/").content.decode()
    assert [each.reader for each in shelves()] == [name for name in READERS if f'id="help-{name}"' in text]
    assert all(f'href="{page.url}"' in text for page in ALL)


def test_the_list_follows_the_table_of_contents(docs: Path) -> None:
    written(docs, "# Players\n\n```{toctree}\n:maxdepth: 1\n\nz\nb\n```\n", topic="index")
    for topic in ("b", "a", "z"):
        written(docs, f"# Page {topic}\n", topic=topic)
    assert [page.topic for page in shelf("players").pages] == ["z", "b", "a"]


def test_each_table_of_contents_is_a_group_with_its_caption(docs: Path) -> None:
    index = "# Players\n\n```{toctree}\n:caption: Start here\nz\n```\n\n```{toctree}\nb\nnone\n```\n"
    page = written(docs, index, topic="index")
    for topic in ("b", "a", "z"):
        written(docs, f"# Page {topic}\n", topic=topic)
    groups = [(group.caption, [each.topic for each in group.pages]) for group in shelf("players").groups]
    assert groups == [("Start here", ["z"]), ("", ["b"]), ("", ["a"])]
    html = rendered(page)
    assert re.findall(r'href="/help/players/(\w+)/"', html) == ["z", "b"]
    assert '<h2 class="help-caption" lang="en">Start here</h2>' in html


def test_search_finds_titles_before_headings_by_all_words(docs: Path) -> None:
    confirm = written(docs, "# Confirm a result\n\n## Dispute a result\n", topic="confirm")
    enter = written(docs, "# Enter an event\n\n## Confirm the entry\n", topic="enter")
    assert [(page, heading and heading.anchor) for page, heading in search("CONFIRM")] == [
        (confirm, None),
        (enter, "confirm-the-entry"),
    ]
    assert search("confirm nothing") == search(" ") == []


def test_search_without_a_find_names_the_words(client: Client) -> None:
    assert "No help page about “xyzzy &lt;b&gt;”." in client.get("/help/?q=xyzzy <b>").content.decode()


def test_htmx_gets_the_list_alone(client: Client) -> None:
    part = client.get("/help/?q=rules", headers={"HX-Request": "true", "HX-Target": "list"}).content.decode()
    assert part.strip().startswith('<div id="list">')
    assert "<html" not in part


@pytest.mark.parametrize(
    "path", ["/help/nobody/", "/help/players/no-such-page/", "/help/images/index/", "/help/examples/x/"]
)
def test_what_is_no_page_is_not_found(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_raw_html_is_shown_as_text(docs: Path) -> None:
    html = rendered(written(docs, "# A\n\n<b>bold</b> <script>alert(1)</script>\n\n<div>\nx\n</div>\n"))
    assert "&lt;b&gt;bold&lt;/b&gt; &lt;script&gt;" in html
    assert "&lt;div&gt;" in html
    assert "<script" not in html
    assert "<div>" not in html


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "data:text/html,x", "../../manage.py", "b.txt", "c.md"]
)
def test_a_link_that_leads_nowhere_in_the_product_leaves_its_words(docs: Path, address: str) -> None:
    html = rendered(written(docs, f"# A\n\nSee [the *words*]({address}).\n"))
    assert "href" not in html
    assert "the <em>words</em>" in html


def test_links_between_pages_are_rewritten(docs: Path) -> None:
    (docs / "directors").mkdir()
    (docs / "directors" / "index.md").write_text("# Directors\n")
    written(docs, "# B\n\n## Two words\n", topic="b")
    html = rendered(
        written(
            docs, "# A\n\n[b](b.md#two-words) [d](../directors/index.md) [x](https://x.example/) [h](#h)\n"
        )
    )
    assert re.findall(r'href="([^"]*)"', html) == [
        "/help/players/b/#two-words",
        "/help/directors/",
        "https://x.example/",
        "#h",
    ]


def test_a_picture_is_served_and_one_that_is_missing_leaves_its_words(docs: Path) -> None:
    (docs / "images" / "board.png").write_bytes(b"")
    html = rendered(
        written(docs, "# A\n\n![The board](../images/board.png) ![A *hole*](../images/none.png)\n")
    )
    assert '<img src="/static/docs/board.png" alt="The board" loading="lazy"' in html
    assert "A *hole*" in html
    assert html.count("<img") == 1


def test_directives_become_parts_of_the_page(docs: Path) -> None:
    written(docs, "# Other\n", topic="other")
    html = rendered(
        written(
            docs,
            "# Players\n\n```{toctree}\nother\n```\n\n:::{tip} Faster\nUse [it](other.md).\n:::\n\n"
            "```{note}\nX\n```\n",
            topic="index",
        )
    )
    assert '<a class="whole" href="/help/players/other/">' in html
    link = '<a href="/help/players/other/">it</a>'
    assert f'<div class="admonition tip"><p class="title">Faster</p><p>Use {link}.</p>' in html
    assert '<div class="admonition note"><p class="title">Note</p><p>X</p>' in html


def test_a_hidden_table_of_contents_gives_the_order_alone(docs: Path) -> None:
    written(docs, "# Other\n", topic="other")
    page = written(docs, "# Players\n\n```{toctree}\n:hidden:\n\nother\n```\n", topic="index")
    assert [each.topics for each in page.contents] == [("other",)]
    assert rendered(page) == ""


def test_a_changed_file_is_read_again(docs: Path) -> None:
    assert "one" in rendered(written(docs, "# A\n\none\n"))
    changed = written(docs, "# Another\n\nthree\n")
    assert changed.title == "Another"
    assert "three" in rendered(changed)


def test_a_help_link_opens_the_page_and_says_its_title(docs: Path) -> None:
    written(docs, "# A player does not show up\n", topic="no-show")
    shown = Template('{% load shell %}{% help "players/no-show" %}|{% help "players/none" %}').render(
        Context()
    )
    assert shown == (
        '<a class="help no-print" href="/help/players/no-show/" target="_blank"'
        ' title="A player does not show up">'
        '<span aria-hidden="true">?</span>'
        '<span class="visually-hidden">Help: A player does not show up (new tab)</span></a>|'
    )


def test_the_foot_of_a_page_leads_to_the_help(client: Client) -> None:
    with override("en"):
        assert f'<a href="{reverse("clubs:help")}">Help</a>' in client.get("/").content.decode()
