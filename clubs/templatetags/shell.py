"""Template tags of the page layout and its components: ``{% load shell %}``."""

from itertools import count
from typing import Any
from urllib.parse import urlsplit

from django import template
from django.conf import settings
from django.core.exceptions import ValidationError
from django.forms import BaseForm, Field
from django.forms.boundfield import BoundField
from django.forms.utils import ErrorList
from django.http import HttpRequest
from django.template.context import RequestContext
from django.templatetags.static import static
from django.urls import Resolver404, resolve
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from clubs.help.pages import help_page
from clubs.http.ways import way_to
from clubs.models import Club, Player
from clubs.people.pages import page_of
from clubs.shell.appearance import APPEARANCES, chosen_appearance
from clubs.shell.glossary import MORE, TERMS
from clubs.shell.navigation import links
from clubs.shell.purposes import SOME_PAGE, purpose_of

register = template.Library()


@register.simple_tag
def icon(name: str) -> SafeString:
    """An icon of ``icons.svg``, hidden from screen readers: a word stands beside it."""
    return format_html(
        '<svg class="icon" aria-hidden="true" focusable="false"><use href="{}#{}"/></svg>',
        static("clubs/icons.svg"),
        name,
    )


@register.filter
def refused_fields(form: BaseForm) -> list[BoundField]:
    """The visible fields of a form with errors, in form order."""
    return [field for field in form.visible_fields() if field.errors]


LIMITS = {
    "required": _("%(field)s is required."),
    "min_value": _("%(field)s must be at least %(limit)s."),
    "max_value": _("%(field)s must be at most %(limit)s."),
    "min_length": _("%(field)s must have at least %(limit)s characters."),
    "max_length": _("%(field)s can have at most %(limit)s characters."),
    "file_name": _("Rename the file: its name can have at most %(limit)s characters."),
}


@register.filter
def named_errors(field: BoundField) -> ErrorList:
    """A field's errors; Django's required and limit errors name the field."""
    said = [_named(error, field.label) for error in field.errors.as_data()]
    found = field.errors.copy()
    found.data[:] = said
    found.field_id = field.errors.field_id  # type: ignore[attr-defined] # not in the stubs
    return found


def _named(error: ValidationError, label: Any) -> ValidationError:
    if error.code == "required" and error.message != Field.default_error_messages["required"]:
        return error  # an error text of the form itself
    if error.code not in LIMITS or (error.code != "required" and not error.params):
        return error
    values = error.params or {}
    if "max" in values:  # of a FileField
        return ValidationError(LIMITS["file_name"], params={"limit": values["max"]})
    return ValidationError(LIMITS[error.code], params={"field": label, "limit": values.get("limit_value")})


@register.simple_tag
def way(name: str, ref: str) -> str:
    """The address of a thing by its ref, as ``{% url %}`` gives it, for rows of which a page has many."""
    return way_to(name, ref)


@register.simple_tag
def player_page(player: Player) -> str:
    """The URL of a player's page, "" if there is none."""
    return page_of(player)


@register.simple_tag
def sends_mail() -> bool:
    """Whether a mail server is configured; without one no mail is promised."""
    return bool(settings.EMAIL_URL)


@register.simple_tag(takes_context=True)
def sign_in_for(context: RequestContext) -> Any:
    """Why the sign-in page is shown, from its ``next``; "" without one."""
    request: HttpRequest | None = context.get("request")
    wanted = request.GET.get("next", "") if request else ""
    if not wanted.startswith("/") or wanted == "/":
        return ""
    try:
        found = resolve(urlsplit(wanted).path)
    except (Resolver404, ValueError):
        return SOME_PAGE
    club = Club.objects.public().named(found.kwargs["club"]).first() if "club" in found.kwargs else None
    return purpose_of(found.view_name, club=club.name if club else "")


@register.simple_tag(takes_context=True)
def appearance(context: RequestContext) -> str:
    """The appearance chosen in this browser: "system", "light" or "dark"."""
    return chosen_appearance(context.get("request"))


@register.simple_tag
def appearances() -> list[tuple[str, Any]]:
    """The choices of the appearance switch: value and label."""
    return list(APPEARANCES.items())


@register.simple_tag(takes_context=True)
def navigation_links(context: RequestContext) -> list[Any]:
    """The navigation links for this page and user."""
    request: HttpRequest | None = context.get("request")
    if request is None:
        return []
    user = getattr(request, "user", None)
    return links(request.path, signed_in=bool(user and user.is_authenticated))


@register.simple_tag(takes_context=True)
def term(context: RequestContext, name: str, text: str = "") -> SafeString:
    """A glossary term that explains itself on tap; ``text`` replaces the word.

    Raises KeyError for a name that is not in ``clubs.shell.glossary``.
    """
    found = TERMS[name]
    numbers: Any = context.render_context  # state of one rendering
    anchor = f"term-{name}-{next(numbers.setdefault('term_numbers', count(1)))}"
    return format_html(
        '<button type="button" class="term" popovertarget="{}">{}</button>'
        '<span class="explanation" id="{}" popover><strong>{}</strong> {}{}</span>',
        anchor,
        text or found.word,
        anchor,
        capfirst(str(found.word)),
        found.meaning,
        _more_about(name),
    )


def _more_about(term: str) -> SafeString | str:
    """A link to the page of the docs that says more about a term; "" where there is none."""
    page = help_page(*MORE[term].split("/", 1)) if term in MORE else None
    if page is None:
        return ""
    return format_html(
        ' <a href="{}" target="_blank">{}</a>', page.url, _("Help: %(page)s") % {"page": page.title}
    )


@register.simple_tag(name="help")
def help_link(place: str) -> SafeString | str:
    """A ``?`` that links to a docs page: ``{% help "directors/no-show" %}``.

    "" if the page is missing. It opens a new tab: its page can be live, or have a half-filled form. A test
    checks every use in the templates against the files.
    """
    page = help_page(*place.split("/", 1))
    if page is None:
        return ""
    return format_html(
        '<a class="help no-print" href="{}" target="_blank" title="{}"><span aria-hidden="true">?</span>'
        '<span class="visually-hidden">{}</span></a>',
        page.url,
        page.title,
        _("Help: %(page)s (new tab)") % {"page": page.title},
    )
