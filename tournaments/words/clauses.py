"""Clauses of a rules profile that a ruling can cite.

A ruling keeps the clause with the value that the profile has then, as plain data, and tells it in the
reader's language, whatever becomes of the profile.
"""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from scoring.profiles.queries.profile_words import clauses, profile_title
from scoring.rules.errors import ScoringError
from scoring.rules.profiles import Profile, profile_from_plain, profile_to_plain

CLAUSES: Mapping[str, tuple[Any, tuple[str, ...]]] = {
    "cube": (_("Doubling cube"), ("cube",)),
    "crawford": (_("Crawford rule"), ("crawford",)),
    "holland": (_("Holland rule"), ("holland",)),
    "max_cube": (_("Highest cube"), ("max_cube",)),
    "forbid_dead_cube": (_("Dead cube"), ("forbid_dead_cube",)),
    "money": (_("Money play"), ("jacoby", "beavers", "raccoons", "automatic_doubles")),
    "moves_policy": (_("Illegal plays"), ("moves_policy",)),
    "premature_roll": (_("Premature rolls"), ("premature_roll",)),
    "premature_cube": (_("Premature doubles"), ("premature_cube",)),
    "die_on_checker": (_("Die on a checker"), ("die_on_checker",)),
    "penalty_majority": (_("Penalty points"), ("penalty_majority",)),
    "report": (_("Reporting results"), ("report", "objection_minutes")),
    "clock": (_("Clock"), ("clock",)),
}
"""What each clause is about, and its fields in the plain form of a profile or of its options."""


def cited(profile: Profile, clause: str) -> dict[str, Any] | None:
    """The data a ruling keeps of a clause; None if the profile has no such rule."""
    if clause not in clauses(profile):
        return None
    plain = profile_to_plain(profile)
    fields = plain | plain["options"]
    value = {name: fields[name] for name in CLAUSES[clause][1]}
    return {"profile": profile.name, "title": profile.title, "rule": clause, "value": value}


def check_cited(kept: object) -> None:
    """Raise ValueError for what :func:`cited` never keeps."""
    if not isinstance(kept, Mapping) or set(kept) != {"profile", "title", "rule", "value"}:
        raise ValueError(f"{str(kept)[:80]!r} is not a clause of a rules profile")
    if kept["rule"] not in CLAUSES or not isinstance(kept["value"], Mapping):
        raise ValueError(f"{str(kept['rule'])[:80]!r} is not a clause of a rules profile")


def cited_words(kept: Mapping[str, Any]) -> str:
    """A kept clause: the profile's title, and the sentence that held then."""
    name, title, rule = str(kept["profile"]), str(kept["title"]), str(kept["rule"])
    try:
        profile = Profile(name, title)
        plain = profile_to_plain(profile)
        own = {key: value for key, value in kept["value"].items() if key in plain}
        options = plain["options"] | {key: value for key, value in kept["value"].items() if key not in own}
        words = clauses(profile_from_plain(plain | own | {"options": options}))[rule]
    except (ScoringError, KeyError, TypeError, ValueError):
        # An edition of the rules that is not known here: the name of the clause is what can be said.
        return f"{title}: {rule}"
    return f"{profile_title(profile)}: {words}"
