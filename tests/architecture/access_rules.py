"""The words of the access matrix: viewers, rules and rows. The table itself is ``access_matrix.py``."""

from dataclasses import dataclass, field
from typing import Any

# stranger: an owner of another club. admin: a site administrator without any membership.
VIEWERS = ("visitor", "guest", "member", "director", "owner", "stranger", "admin")
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")

# One letter a viewer: what happens to the request.
ADMITTED, ASKED, REFUSED, HIDDEN, SENT_ON = "+", "?", "-", "0", ">"
MEANINGS = {
    ADMITTED: "admitted",
    ASKED: "asked to sign in (a page: 302 to the sign-in page; the API: 401)",
    REFUSED: "refused with a reason (403)",
    HIDDEN: "told that there is no such thing (404)",
    SENT_ON: "sent on to another page (302)",
}


@dataclass(frozen=True)
class Rule:
    """Who is admitted, one letter each in the order of ``VIEWERS``; ``hidden`` where the club is hidden."""

    public: str
    hidden: str = ""
    send: Any = None
    status: int = 0

    def __post_init__(self) -> None:
        for letters in filter(None, (self.public, self.hidden)):
            if len(letters) != len(VIEWERS) or not set(letters) <= set(MEANINGS):
                raise ValueError(f"{letters!r} is not one of {''.join(MEANINGS)} for each of {VIEWERS}.")

    def letters(self, *, hidden: bool) -> str:
        """A letter for each of ``VIEWERS``."""
        return self.hidden if hidden and self.hidden else self.public

    def letter(self, viewer: str, *, hidden: bool) -> str:
        return self.letters(hidden=hidden)[VIEWERS.index(viewer)]

    def sends(self, body: Any, status: int) -> "Rule":
        """The same people, who send this body and get exactly this status when admitted.

        The body may be a function that makes it, for files, which are read once.
        """
        return Rule(self.public, self.hidden, body, status)

    def answers(self, status: int) -> "Rule":
        """The same people, who get exactly this status when admitted (200 is what a GET answers)."""
        return Rule(self.public, self.hidden, self.send, status)


#                 visitor, guest, member, director, owner, stranger, admin
EVERYONE = Rule("+++++++")
SIGNED_IN = Rule("?++++++")
SITE_ADMIN = Rule("?-----+")
VISIBLE = Rule("+++++++", hidden="?++++0+")
GUEST = Rule("?++++-+", hidden="?++++0+")
MEMBER = Rule("?-+++-+", hidden="?-+++0+")
DIRECTOR = Rule("?--++-+", hidden="?--++0+")
OWNER = Rule("?---+-+", hidden="?---+0+")


@dataclass(frozen=True)
class Row:
    """One address: the rule of each method that it serves; every other method is refused to everybody.

    ``twin``: the API's address and method that do what the page's POST does, e.g. ``"POST api:members"``;
    or ``alone``: the reason why there is none. ``args`` names values of the world for arguments of the URL
    whose name says too little, e.g. ``{"token": "invitation_token"}``. ``foreign``: an address of another
    package, which enforces its own rules: GET and POST are looked at, and ``+`` stands for any answer.
    """

    name: str
    rules: dict[str, Rule]
    twin: str = ""
    alone: str = ""
    args: dict[str, str] = field(default_factory=dict)
    foreign: bool = False

    @property
    def is_api(self) -> bool:
        return self.name.startswith("api:")

    def rule_of(self, method: str) -> Rule | None:
        """The rule of a method; a HEAD is met as a GET is."""
        return self.rules.get("GET" if method == "HEAD" else method)

    @property
    def acts(self) -> bool:
        """Whether the address is a page on which something is done."""
        return not self.is_api and not self.foreign and bool(set(self.rules) - {"GET"})


def page(
    name: str,
    get: Rule | None = None,
    post: Rule | None = None,
    *,
    twin: str = "",
    alone: str = "",
    **args: str,
) -> Row:
    """A page: what it shows by GET and does by POST."""
    rules = {"GET": get, "POST": post}
    return Row(name, {method: rule for method, rule in rules.items() if rule}, twin, alone, args)


def api(name: str, *, args: dict[str, str] | None = None, **rules: Rule) -> Row:
    """An address of the API, ``get=``, ``post=``, ``put=``, ``patch=``, ``delete=``."""
    return Row(f"api:{name}", {method.upper(): rule for method, rule in rules.items()}, args=args or {})


def foreign(name: str, get: Rule | None = None, post: Rule | None = None, **args: str) -> Row:
    """An address of another package."""
    rules = {"GET": get, "POST": post}
    return Row(name, {method: rule for method, rule in rules.items() if rule}, args=args, foreign=True)
