"""Form fields for players: type a name, choose one of the matches.

A field sends two values: ``player`` is the ref of the chosen player, ``player_name`` the typed text. Without
JavaScript only the typed name arrives: it is enough where it is one player's full name, else the form comes
back with the matching players. A form sets its scope with :func:`look_among`.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, cast
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils.datastructures import MultiValueDict
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubs.models import Club, Player, Role
from clubs.models.person import NAME_LENGTH
from clubs.models.player import PlayerQuerySet
from clubs.people.name_fields import NameField
from clubs.people.search import (
    LONGEST_SEARCH,
    SHOWN,
    PersonLine,
    find_people,
    is_named,
    members,
    search_key,
)
from clubs.refs import looks_like_ref

TYPED = "_name"
LONGEST_SHOWN = 40
"""Characters of the typed text shown in an error."""
GUEST = "guest"
"""Sent instead of a ref: the typed name is a new guest's, despite similar names."""


class SentPerson(NamedTuple):
    """A submitted field: a ref, and the typed text (None if not sent)."""

    ref: str = ""
    text: str | None = None

    def __bool__(self) -> bool:
        return bool(self.ref or self.text)


class PersonWidget(forms.Widget):
    """A search field with a listbox (combobox of WAI-ARIA 1.2); plain without script."""

    template_name = "forms/person.html"

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__(attrs)
        self.search = ""
        self.chosen: Player | None = None
        self.lines: list[PersonLine] = []
        self.guest = ""

    def value_from_datadict(
        self,
        data: Mapping[str, Any],
        files: MultiValueDict[str, Any],  # noqa: ARG002 - Django's signature
        name: str,
    ) -> SentPerson:
        return SentPerson(data.get(name, ""), data.get(f"{name}{TYPED}"))

    def value_omitted_from_data(
        self,
        data: Mapping[str, Any],
        files: MultiValueDict[str, Any],  # noqa: ARG002 - Django's signature
        name: str,
    ) -> bool:
        return name not in data and f"{name}{TYPED}" not in data

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, None, attrs)
        chosen = value if isinstance(value, Player) else self.chosen
        typed = value.text if isinstance(value, SentPerson) else None
        context["widget"] |= {
            "typed_name": f"{name}{TYPED}",
            "text": chosen.name if chosen and not typed else typed or "",
            "ref": chosen.ref if chosen else GUEST if typed and value.ref == GUEST else "",
            "guest": self.guest,
            "lines": self.lines,
            "search": self.search,
            "longest": LONGEST_SEARCH,
            "described_by": context["widget"]["attrs"].get("aria-describedby", ""),
            "invalid": context["widget"]["attrs"].get("aria-invalid", ""),
        }
        return context

    def id_for_label(self, id_: str) -> str:
        return id_


class PersonField(forms.Field):
    """A player out of those set by ``look_among``; cleaned to a player, or None."""

    widget = PersonWidget
    default_error_messages = {
        "nobody": gettext_lazy("No name contains “%(text)s”."),
        "one": gettext_lazy("One name contains “%(text)s”. Confirm the player."),
        "several": gettext_lazy("Several names contain “%(text)s”. Choose a player."),
        "unknown": gettext_lazy("There is no player %(ref)s in the club. Choose another one."),
    }

    club: Club
    people: PlayerQuerySet

    def look_among(self, club: Club, people: PlayerQuerySet, *, search: str) -> None:
        """Search these players; ``search`` is the URL that finds them while typing."""
        self.club, self.people = club, people
        cast("PersonWidget", self.widget).search = search

    def clean(self, value: Any) -> Player | None:
        sent = value if isinstance(value, SentPerson) else SentPerson()
        chosen = self._sent(sent)
        if chosen is None and sent.text and sent.text.strip():
            chosen = self._searched(sent.text.strip())
        if chosen is None and self.required:
            raise ValidationError(self.error_messages["required"], code="required")
        cast("PersonWidget", self.widget).chosen = chosen
        return chosen

    def _sent(self, sent: SentPerson) -> Player | None:
        """The player of the ref; None if another text was typed since."""
        if not sent.ref or (sent.text is not None and not sent.text.strip()):
            return None
        known = self.people.filter(ref=sent.ref).with_person() if looks_like_ref(sent.ref) else None
        player = known.first() if known is not None else None
        if player is None:
            raise ValidationError(
                self.error_messages["unknown"], code="unknown", params={"ref": sent.ref[:20]}
            )
        return player if sent.text is None or is_named(player, sent.text) else None

    def _searched(self, text: str) -> Player:
        """The only player whose full name is the text.

        Part of a name always asks for confirmation, even with one match.
        """
        lines = find_people(self.club, self.people, text).lines
        whole = [line for line in lines if search_key(line.name) == search_key(text)]
        if len(whole) == 1 and whole[0].joined_at is None:
            player: Player = self.people.with_person().get(ref=whole[0].ref)
            return player
        cast("PersonWidget", self.widget).lines = lines
        code = "several" if len(lines) > 1 else "one" if lines else "nobody"
        shown = Truncator(text).chars(LONGEST_SHOWN)
        raise ValidationError(self.error_messages[code], code=code, params={"text": shown})


class PersonOrGuestField(PersonField):
    """A player, or the name of a new guest.

    Cleaned it is the player or the name. Where names are similar, the form asks for a choice.
    """

    def clean(self, value: Any) -> Player | str | None:  # type: ignore[override]  # a guest is no player yet
        sent = value if isinstance(value, SentPerson) else SentPerson()
        text = (sent.text or "").strip()
        if sent.ref == GUEST and text:
            return self._named(text)
        try:
            return super().clean(SentPerson(text=text) if sent.ref == GUEST else value)
        except ValidationError as error:
            if error.code == "nobody":
                return self._named(text)
            if error.code in {"one", "several"}:
                cast("PersonWidget", self.widget).guest = text
            raise

    def _named(self, text: str) -> str:
        return NameField(max_length=NAME_LENGTH).clean(text)


def look_among_members(
    form: forms.BaseForm, names: tuple[str, ...], club: Club, *, least: Role = Role.GUEST
) -> None:
    """Let these fields of a form search the club's members, from a role up."""
    for name in names:
        field = cast("PersonField", form.fields[name])
        search = search_address(club, least=least, guests=isinstance(field, PersonOrGuestField))
        field.look_among(club, members(club, least=least), search=search)


def search_address(
    club: Club, *, least: Role = Role.GUEST, without_login: bool = False, guests: bool = False
) -> str:
    """The URL that finds a club's players while typing.

    With ``guests`` an unknown name is offered as a new guest.
    """
    narrowed = {"least": least.name.lower()} if least > Role.GUEST else {}
    narrowed |= {"login": "no"} if without_login else {}
    narrowed |= {"guests": "new"} if guests else {}
    query = f"?{urlencode(narrowed)}" if narrowed else ""
    return reverse("clubs:find_people", args=[club.slug]) + query


def picker_html(name: str, search: str, **attributes: str) -> SafeString:
    """The field as HTML, for a page without a form."""
    widget = PersonWidget()
    widget.search = search
    return widget.render(name, None, attributes)


def words_of(count: int, *, more: bool) -> str:
    """What a screen reader announces for a list of this many players."""
    if more:
        return _("First %(count)d players. Type more of the name.") % {"count": SHOWN}
    return ngettext("%(count)d player found.", "%(count)d players found.", count) % {"count": count}
