"""The forms of a page, read as a browser does, with what they require filled in."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from tests.scoring.records import short_match

SAMPLES = {
    "text": "Sample",
    "email": "sample@example.org",
    "date": "2031-05-04",
    "datetime-local": "2031-05-04T19:30",
    "time": "19:30",
    "number": "5",
    "url": "https://example.org/",
    "search": "",
    "textarea": "Words about it.",
}


@dataclass
class Form:
    """One form: where it goes, how, and the fields that it would send."""

    action: str
    method: str
    fields: dict[str, list[str]] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)

    def sent(self) -> dict[str, Any]:
        """What a POST of it says; a file is a match."""
        content = short_match("Ana", "Ben")
        return self.fields | {name: SimpleUploadedFile("match.mat", content) for name in self.files}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._open: Form | None = None
        self._select = ""
        self._chosen: str | None = None
        self._first: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._open = Form(said.get("action", ""), said.get("method", "get").lower())
            self.forms.append(self._open)
        elif self._open is None:
            return
        elif tag == "input":
            self._input(self._open, said)
        elif tag == "textarea" and said.get("name"):
            self._open.fields[said["name"]] = [SAMPLES["textarea"] if "required" in said else ""]
        elif tag == "select":
            self._select, self._chosen, self._first = said.get("name", ""), None, None
        elif tag == "option" and self._select:
            self._first = said.get("value", "") if self._first is None else self._first
            self._chosen = said.get("value", "") if "selected" in said else self._chosen
        elif tag == "button" and said.get("name") and said.get("type", "submit") == "submit":
            self._open.fields.setdefault(said["name"], [said.get("value", "")])

    def _input(self, form: Form, said: dict[str, str]) -> None:
        name, kind, value = said.get("name", ""), said.get("type", "text"), said.get("value", "")
        if not name:
            return
        if kind == "file":
            form.files.append(name)
        elif kind in {"checkbox", "radio"}:
            if "checked" in said or (name not in form.fields and (kind == "radio" or "required" in said)):
                form.fields.setdefault(name, []).append(value or "on")
        elif kind == "hidden":
            form.fields.setdefault(name, []).append(value)
        else:
            needed = SAMPLES.get(kind, SAMPLES["text"]) if "required" in said else ""
            form.fields[name] = [value or needed]

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None
        elif tag == "select" and self._open is not None and self._select:
            chosen = self._first if self._chosen is None else self._chosen
            self._open.fields[self._select] = [chosen or ""]
            self._select = ""


def forms_of(html: str) -> list[Form]:
    """The forms that are sent by POST."""
    reader = _Reader()
    reader.feed(html)
    return [form for form in reader.forms if form.method == "post"]
