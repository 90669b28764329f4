"""The linter of language: each rule finds what it is there to find, and leaves good sentences alone."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.checkout import ROOT
from deploy.wording import reading, rules
from deploy.wording.rules import findings
from deploy.wording.texts import Kind, Text, texts_in


def written(tmp_path: Path, source: str, name: str = "page.html") -> list[Text]:
    path = tmp_path / name
    path.write_text(source)
    return texts_in(path, tmp_path)


def reasons(tmp_path: Path, source: str, name: str = "page.html") -> list[str]:
    return [found.reason for found in findings(written(tmp_path, source, name))]


def test_a_text_of_a_template_knows_where_it_stands(tmp_path: Path):
    page = """<h1>{% translate "Members" %}</h1>
<p>{% blocktranslate trimmed count n=n %}
  {{ n }} result to confirm{% plural %}{{ n }} results to confirm
{% endblocktranslate %}</p>
<p><a class="button" href="/">{% if x %}{% translate "Add player" %}{% endif %}</a></p>"""
    assert [(one.line, one.kind, one.words) for one in written(tmp_path, page)] == [
        (1, Kind.HEADING, "Members"),
        (2, Kind.TEXT, "{{ n }} result to confirm"),
        (2, Kind.TEXT, "{{ n }} results to confirm"),
        (5, Kind.BUTTON, "Add player"),
    ]


def test_texts_of_python_are_messages_docstrings_comments_and_what_gettext_gets(tmp_path: Path):
    code = '''"""Confirm results."""
def f(name):
    """Refuse it."""
    raise Refused("gone", f"there is no match {name}", _("There is no match."))
    raise KeyError("code")  # never shown
'''
    assert [(one.line, one.kind, one.words) for one in written(tmp_path, code, "a.py")] == [
        (1, Kind.DOCSTRING, "Confirm results."),
        (3, Kind.DOCSTRING, "Refuse it."),
        (4, Kind.MESSAGE, "there is no match {}"),
        (4, Kind.TEXT, "There is no match."),
        (5, Kind.COMMENT, "never shown"),
    ]


def test_code_in_docs_is_no_prose(tmp_path: Path):
    page = "Press `anew` [here](anew.md).\n\n```\nanew\n```\n\nDone anew.\n"
    assert [(one.line, one.words) for one in written(tmp_path, page, "a.md")] == [
        (1, "Press [here ."),
        (7, "Done anew."),
    ]


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ('<p>{% translate "Make the draw anew" %}</p>', "“anew” is not"),
        ('<p>{% translate "Somebody plays instead" %}</p>', "“Somebody” is not"),
        ('<p>{% translate "The flight is full" %}</p>', "“flight” is not"),
        ('<button>{% translate "Show all of the matches" %}</button>', "a button has at most 3 words"),
        ('<h2>{% translate "Recent Activity" %}</h2>', "sentence case: activity, not Activity"),
        ("<p>{% blocktranslate %}Two\nlines{% endblocktranslate %}</p>", "trimmed"),
        ('<p>{% translate "Won against the" %} {{ name }}</p>', "ends in the middle"),
        ('<p>{% translate "and" %}</p>', "a fragment"),
    ],
)
def test_what_breaks_a_rule_is_found(tmp_path: Path, source: str, reason: str):
    found = reasons(tmp_path, source)
    assert len(found) == 1
    assert reason in found[0]


@pytest.mark.parametrize(
    "source",
    [
        '<button>{% translate "Confirm result" %}</button>',
        "<button>{% blocktranslate %}Remove {{ name }} from team{% endblocktranslate %}</button>",
        '<h2>{% translate "Swiss" %} · {% translate "Crawford game" %}</h2>',
        '<p>{% translate "You can undo this in the log." %}</p>',
        "<p>{% blocktranslate trimmed %}Two\nlines{% endblocktranslate %}</p>",
    ],
)
def test_good_texts_pass(tmp_path: Path, source: str):
    assert reasons(tmp_path, source) == []


def test_a_phrase_counts_in_the_kinds_of_text_that_it_is_for(tmp_path: Path):
    assert reasons(tmp_path, '"""Lock a flight."""\n', "a.py") == []
    assert len(reasons(tmp_path, '"""Lock it anew."""\n', "a.py")) == 1


@pytest.mark.long
def test_the_exceptions_are_still_needed():
    texts = reading.texts()
    words = {text.words for text in texts}
    assert set(rules.EXEMPT) <= words


@pytest.mark.long
def test_the_command_names_place_and_reason(tmp_path: Path):
    page = ROOT / "docs" / f"{tmp_path.name}.md"
    page.write_text("The draw is made anew.\n")
    try:
        command = [sys.executable, "manage.py", "texts", "--check", "--json", str(page)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    finally:
        page.unlink()
    assert done.returncode == 1
    assert json.loads(done.stdout)["place"] == f"docs/{page.name}:1"
