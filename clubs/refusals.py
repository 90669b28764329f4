"""Exceptions: ``...Refused`` is shown to users, ``...Error`` is a bug."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.html import format_html


@dataclass(frozen=True, slots=True)
class Remedy:
    """Where the reason of a refusal can be changed: the names of a page and of its twin in the API."""

    words: str
    """A verb and an object, such as *Change forbidden pairs*."""
    page: str
    api: str
    args: tuple[str, ...]

    @property
    def address(self) -> str:
        return reverse(self.page, args=self.args)

    @property
    def api_address(self) -> str:
        return reverse(self.api, args=self.args)


class Refused(Exception):
    """An action is refused; the message says why and what to do, translated.

    ``code`` is the reason for programs, if any. Pages and the API answer 409 (``clubs.http.problems``);
    nothing is changed.
    """

    code = ""
    remedy: Remedy | None = None


def remedy_of(refused: Exception) -> Remedy | None:
    """Where the reason of a refusal can be changed, if it says so."""
    remedy = getattr(refused, "remedy", None)
    return remedy if isinstance(remedy, Remedy) else None


def with_remedy(refused: Exception) -> str:
    """The message of a refusal for a page, with a link to where its reason can be changed."""
    remedy = remedy_of(refused)
    if remedy is None:
        return str(refused)
    return format_html('{} <a href="{}">{}</a>', str(refused), remedy.address, remedy.words)
