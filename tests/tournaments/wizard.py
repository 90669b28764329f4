"""What a page of the wizard says, and what it would send."""

import re

FORM = {"name": "Cup", "starts_at": "2026-12-02T19:30", "length": "5", "returned": "100", "rated": "on"}


def words(response):
    return " ".join(response.content.decode().split())


def field_values(response):
    """What the page of a step would send: its visible and hidden fields by name."""
    found = {}
    for tag in re.findall(r"<input[^>]*>", response.content.decode().partition('id="wizard"')[2]):
        kept = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        if kept.get("type") not in {"radio", "checkbox"} or " checked" in tag:
            found[kept["name"]] = kept.get("value", "")
    for name, inside in re.findall(
        r'<select name="(\w+)".*?>(.*?)</select>', response.content.decode(), re.DOTALL
    ):
        found[name] = next(iter(re.findall(r'value="([^"]*)" selected', inside)), "")
    return found | {"description": response.context["form"]["description"].value() or ""}
