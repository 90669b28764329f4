"""Forms of the desk."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Player
from clubs.models.player import PlayerQuerySet
from clubs.people.fields import PersonField, search_address
from scoring.log.services.notes import LONGEST_NOTE
from scoring.models import ENDINGS
from scoring.profiles.queries.profile_words import clauses, profile_title
from scoring.rules.endings import Ending
from scoring.rules.profiles import Profile
from scoring.sheets.services.decisions import DirectedResult
from tournaments.core.play.absence import AbsenceScope
from tournaments.desk.queries.matches import matches_of
from tournaments.desk.services.rulings import COMMITTEES
from tournaments.desk.services.tables import MOST_TABLES
from tournaments.events.forms.chooser import LONGEST
from tournaments.models import EntrantRow, Event, PairingRow
from tournaments.words.clauses import CLAUSES

LONGEST_RULE = 200
MOST_BOARDS = 99
LONGEST_TEXT = (LONGEST_NOTE - LONGEST_RULE) // 2 - 10
MOST_PENALTY = 25
DECIDED = (
    Ending.PLAYED,
    Ending.TIME,
    Ending.RETIRED,
    Ending.NO_SHOW,
    Ending.DOUBLE_NO_SHOW,
    Ending.DISQUALIFIED,
)
"""Outcomes of a director's result; penalties and voiding are separate actions."""
ABOUT = ("about", "about_2", "about_3")
"""Player fields of a conduct report."""
SEATS = tuple(f"member_{number}" for number in range(1, max(COMMITTEES) + 1))


class TablesForm(forms.Form):
    """The number of tables."""

    last = forms.IntegerField(label=_("Number of tables"), min_value=1, max_value=MOST_TABLES)


class PairingActionForm(forms.Form):
    """One action on a match; ``seen`` is the last log entry of the page."""

    action = forms.ChoiceField(
        choices=[(name, name) for name in ("call", "move", "start", "feature", "unfeature")]
    )
    table = forms.IntegerField(min_value=1, required=False)
    seen = forms.IntegerField(min_value=0, required=False)


class PenaltyForm(forms.Form):
    """Penalty points for one side."""

    to = forms.ChoiceField(choices=[("white", "white"), ("black", "black")])
    points = forms.IntegerField(min_value=1, max_value=MOST_PENALTY)
    board = forms.IntegerField(min_value=1, max_value=MOST_BOARDS, required=False)
    seen = forms.IntegerField(min_value=0, required=False)
    reason = forms.CharField(max_length=LONGEST_TEXT, required=False)


class TableForm(forms.Form):
    """Changes of a table; missing fields stay."""

    name = forms.CharField(max_length=40, required=False)
    closed = forms.NullBooleanField(required=False)
    featured = forms.NullBooleanField(required=False)

    def changes(self) -> dict[str, Any]:
        """The fields that were sent."""
        return {
            name: value
            for name, value in self.cleaned_data.items()
            if name in self.data and value is not None
        }


class RulingForm(forms.Form):
    """A ruling: what happened, the rule and the decision."""

    pairing = forms.ChoiceField(label=_("Match"), required=False)
    happened = forms.CharField(
        label=_("What happened"), widget=forms.Textarea({"rows": 3}), max_length=LONGEST_TEXT
    )
    clause = forms.ChoiceField(label=_("Rule"), required=False)
    rule = forms.CharField(
        label=_("Other rule"),
        max_length=LONGEST_RULE,
        required=False,
        help_text=_("A rule that is not in the list."),
    )
    decision = forms.CharField(
        label=_("Decision"), widget=forms.Textarea({"rows": 2}), max_length=LONGEST_TEXT
    )

    def __init__(self, event: Event, profile: Profile, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._pairings = {row.ref: row for row in matches_of(event)}
        pairing: Any = self.fields["pairing"]
        pairing.choices = [("", _("no match")), *((ref, _sides(row)) for ref, row in self._pairings.items())]
        clause: Any = self.fields["clause"]
        clause.choices = [("", _("none")), *((key, CLAUSES[key][0]) for key in clauses(profile))]
        clause.help_text = profile_title(profile)

    def clean_pairing(self) -> PairingRow | None:
        """The match, None for none."""
        return self._pairings.get(self.cleaned_data["pairing"])


class AppealForm(forms.Form):
    """An appeal: committee and reason."""

    reason = forms.CharField(
        label=_("Reason"), widget=forms.Textarea({"rows": 2}), max_length=LONGEST_TEXT, required=False
    )

    def __init__(self, club: Club, eligible: PlayerQuerySet, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for number, name in enumerate(SEATS, 1):
            seat = PersonField(
                label=_("Member %(number)d") % {"number": number}, required=number <= min(COMMITTEES)
            )
            seat.look_among(club, eligible, search=search_address(club))
            seat.error_messages["unknown"] = _(
                "This player cannot sit on the committee. Choose someone else."
            )
            seat.error_messages["nobody"] = _("No eligible committee member matches “%(text)s”.")
            self.fields[name] = seat
        self.order_fields([*SEATS, "reason"])

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        data["committee"] = [data[name] for name in SEATS if data.get(name)]
        if not self.errors and len(data["committee"]) not in COMMITTEES:
            raise forms.ValidationError(
                _("You chose %(count)s members. A committee has 3 or 5."),
                code="committee",
                params={"count": len(data["committee"])},
            )
        return data


class AppealDecisionForm(forms.Form):
    """Decision of an appeal."""

    upheld = forms.ChoiceField(
        label=_("Outcome"),
        choices=[("yes", _("ruling upheld")), ("no", _("ruling overturned"))],
    )
    decision = forms.CharField(
        label=_("Decision"), widget=forms.Textarea({"rows": 3}), max_length=LONGEST_TEXT
    )


class ConductForm(forms.Form):
    """A conduct report: players and text."""

    text = forms.CharField(
        label=_("What happened"), widget=forms.Textarea({"rows": 4}), max_length=LONGEST_TEXT
    )

    def __init__(self, event: Event, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        entered = Player.objects.filter(entries__flight__event=event).values("pk")
        players = Player.objects.current().filter(pk__in=entered)
        for number, name in enumerate(ABOUT, 1):
            label = _("Player") if number == 1 else _("Another player")
            person = PersonField(label=label, required=number == 1)
            person.look_among(event.club, players, search=search_address(event.club))
            person.error_messages["unknown"] = _("This player is not in the event. Choose someone else.")
            person.error_messages["nobody"] = _("No player in this event matches “%(text)s”.")
            self.fields[name] = person
        self.order_fields([*ABOUT, "text"])

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        named = [data.pop(name) for name in ABOUT if name in data]
        return {**data, "about": list(dict.fromkeys(player for player in named if player is not None))}


class ReopenForm(forms.Form):
    """Reason for undoing a result."""

    reason = forms.CharField(label=_("Reason"), max_length=200)


class AbsenceForm(forms.Form):
    """Who is absent, and what they are out of."""

    entrant = forms.ChoiceField(label=_("Absent"))
    scope = forms.ChoiceField(
        label=_("Answer"), choices=[(scope.value, scope.value) for scope in AbsenceScope]
    )
    reason = forms.CharField(label=_("Note for the log"), max_length=200, required=False)

    def __init__(self, sides: Sequence[EntrantRow], *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._sides = {side.ref: side for side in sides}
        entrant: Any = self.fields["entrant"]
        entrant.choices = [(side.ref, side.title) for side in sides]

    @property
    def asked(self) -> str:
        """Ref of the entrant that the page asks about, empty for none yet."""
        value = str(self["entrant"].value() or "")
        return value if value in self._sides else ""

    def clean_entrant(self) -> EntrantRow:
        return self._sides[self.cleaned_data["entrant"]]

    def clean_scope(self) -> AbsenceScope:
        return AbsenceScope(self.cleaned_data["scope"])


def _sides(pairing: PairingRow) -> str:
    other = pairing.b.title if pairing.b else ""
    return f"{pairing.stage.name} {pairing.number}: {pairing.a.title} – {other}"


WHO = {
    Ending.RETIRED: _("Who retired?"),
    Ending.NO_SHOW: _("Who did not show up?"),
    Ending.DISQUALIFIED: _("Who is disqualified?"),
}
"""Question for outcomes where one side loses by its own action."""


class DecisionForm(forms.Form):
    """A director's result: points, or for other outcomes the winner and a reason.

    Each outcome has its fields; ``ended`` comes from the page's address and is a hidden field.
    """

    ended = forms.ChoiceField(
        choices=[(ending.value, ENDINGS[ending]) for ending in DECIDED],
        widget=forms.HiddenInput,
    )
    a_points = forms.IntegerField(min_value=0, max_value=LONGEST, required=False)
    b_points = forms.IntegerField(min_value=0, max_value=LONGEST, required=False)
    winner = forms.ChoiceField(label=_("Who won?"), required=False, widget=forms.RadioSelect)
    reason = forms.CharField(label=_("Reason"), max_length=200, required=False)

    def __init__(
        self,
        pairing: PairingRow,
        names: tuple[str, str],
        *args: Any,
        corrects: bool = False,
        **options: Any,
    ) -> None:
        """``corrects``: the match has a result, so a reason is needed."""
        super().__init__(*args, **options)
        self._length = pairing.length
        for field, name in (("a_points", names[0]), ("b_points", names[1])):
            self.fields[field].label = name
            self.fields[field].widget.attrs |= {"max": pairing.length, "inputmode": "numeric"}
        winner: Any = self.fields["winner"]
        sides = [("white", names[0]), ("black", names[1])]
        if self.asked in WHO:
            winner.label = WHO[self.asked]
            sides = [("black", names[0]), ("white", names[1])]
        winner.choices = sides
        for field in ("a_points", "b_points", "winner", *(["reason"] if corrects else ())):
            self.fields[field].depends_on_others = True  # type: ignore[attr-defined]  # not marked as optional

    @property
    def asked(self) -> Ending:
        """The outcome of this form."""
        named = str(self["ended"].value() or "")
        known = [value for value, _words in self.fields["ended"].choices]  # type: ignore[attr-defined]
        return Ending(named) if named in known else Ending.PLAYED

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        ended = data.get("ended")
        if ended == Ending.PLAYED:
            self._check_points()
        elif ended and ended != Ending.DOUBLE_NO_SHOW and not (data.get("winner") or "winner" in self.errors):
            self.add_error("winner", ValidationError(_("Choose a player."), code="winner"))
        return data

    def _check_points(self) -> None:
        points = {name: self.cleaned_data.get(name) for name in ("a_points", "b_points")}
        for name, typed in points.items():
            if typed is None and name not in self.errors:
                self.add_error(name, ValidationError(_("Enter the points of both sides."), code="points"))
        a, b = points.values()
        if a is not None and b is not None and (max(a, b) != self._length or a == b):
            message = _("%(a)s–%(b)s is not a valid score. The winner must have exactly %(length)s points.")
            params = {"a": a, "b": b, "length": self._length}
            wrong = "b_points" if b > a else "a_points"
            self.add_error(wrong, ValidationError(message, code="points", params=params))

    def decision(self) -> DirectedResult:
        """The checked result as a value."""
        data = self.cleaned_data
        ended = Ending(data["ended"])
        if ended is Ending.PLAYED:
            points = (data["a_points"], data["b_points"])
            return DirectedResult("white" if points[0] > points[1] else "black", points)
        winner = "" if ended is Ending.DOUBLE_NO_SHOW else data["winner"]
        return DirectedResult(winner, None, ended)
