"""The check that no template holds text which nobody can translate."""

from pathlib import Path

import pytest

from deploy.translatable import unmarked_in


def found(tmp_path: Path, source: str, name: str = "page.html") -> list[tuple[int, str]]:
    path = tmp_path / name
    path.write_text(source)
    return [(one.line, one.text) for one in unmarked_in(path)]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<p>Save</p>", "Save"),
        ("{% block title %}Clubs{% endblock %}", "Clubs"),
        ("<p>{{ count }} points</p>", "points"),
        ('<a title="Next page">→</a>', "Next page"),
        ('<img alt="Board">', "Board"),
        ('<input placeholder="Name">', "Name"),
        ('<button aria-label="Close">×</button>', "Close"),
        ('<input type="submit" value="Send">', "Send"),
        ('<meta name="description" content="Clubs near you">', "Clubs near you"),
        ('<button hx-confirm="Really?">×</button>', "Really?"),
        ("{% if a %}Yes{% endif %}", "Yes"),
        ("<p>&nbsp;Score&nbsp;</p>", "Score"),
        ("<p>{% translate 'Score' %} of the match</p>", "of the match"),
        ("<p>{# a note #}Text</p>", "Text"),
        ("<pre>code</pre><p>Prose</p>", "Prose"),
        (
            "<{% if a %}a{% else %}b{% endif %} class='x'>Press</{% if a %}a{% else %}b{% endif %}>",
            "Press",
        ),
        ('{% include "_card.html" with heading="Clubs" %}', "Clubs"),
        ("<p>Ünïcode</p>", "Ünïcode"),
        ("<svg><title>Board</title></svg>", "Board"),
    ],
)
def test_a_text_outside_a_translation_tag_is_found(tmp_path: Path, source: str, text: str):
    assert found(tmp_path, source) == [(1, text)]


@pytest.mark.parametrize(
    "source",
    [
        "<p>{% translate 'Save' %}</p>",
        "<p>{% blocktranslate count n=n %}{{ n }} point{% plural %}{{ n }} points{% endblocktranslate %}</p>",
        "<p>{% comment %}not shown{% endcomment %}</p>",
        "<!-- a comment -->",
        "<p>{{ name }} – {{ score }} : 7 × #</p>",
        '<p class="wide" id="score" data-kind="match">{{ x }}</p>',
        "<code>XGID=abc</code>",
        '<span translate="no">Anna Berg</span>',
        '<span translate="no"><b>Anna</b> Berg</span>',
        "<script>const word = 'text'</script>",
        "<title>{{ title }} · Midpoint</title>",
        "<a title=\"{% translate 'Next' %}\">→</a>",
        '{% include "_card.html" with heading=_("Clubs") %}',
        '{% include "_card.html" with url="/clubs/" class="wide" %}',
        '<input type="hidden" name="next" value="clubs">',
        '<option value="member">{{ label }}</option>',
    ],
)
def test_a_marked_or_unread_text_passes(tmp_path: Path, source: str):
    assert found(tmp_path, source) == []


def test_lines_are_counted_through_translated_blocks_and_comments(tmp_path: Path):
    block = "{% blocktranslate %}\none\ntwo\n{% endblocktranslate %}\n"
    comment = "{% comment %}\n\n{% endcomment %}\n"
    assert found(tmp_path, f"{block}{comment}<p>\nHere</p>\n") == [(9, "Here")]


def test_a_mail_is_read_as_plain_text(tmp_path: Path):
    assert found(tmp_path, "{% translate 'Hello' %}\n<Dear member>\n", "mail.txt") == [(2, "<Dear member>")]
