"""The forms of the list of forbidden pairs."""

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from tournaments.models import EntrantRow, Flight, ForbiddenKind

STRICT = [("avoid", _("Avoid where possible")), ("never", _("Never pair"))]
RULES = [(kind.value, kind.label) for kind in ForbiddenKind if kind != ForbiddenKind.NAMES]


class _LineForm(forms.Form):
    strict = forms.ChoiceField(
        label=_("How strictly"), choices=STRICT, initial="avoid", widget=forms.RadioSelect
    )

    @property
    def never(self) -> bool:
        """Whether the pairs must never meet; once valid."""
        return bool(self.cleaned_data["strict"] == "never")


class NamesForm(_LineForm):
    """Entrants each two of whom are a forbidden pair: two players, or a family."""

    def __init__(self, flight: Flight, data: QueryDict | None = None) -> None:
        super().__init__(data, auto_id="names-%s")
        rows = EntrantRow.objects.filter(flight=flight).entered().with_players()
        names = sorted(((row.ref, row.title) for row in rows), key=lambda each: each[1].casefold())
        self.fields["entrants"] = forms.MultipleChoiceField(
            label=_("Entrants"), choices=names, widget=forms.CheckboxSelectMultiple
        )
        self.order_fields(["entrants", "strict"])


class RuleForm(_LineForm):
    """All entrants of the same club, or with the same title."""

    rule = forms.ChoiceField(label=_("Rule"), choices=RULES)
    field_order = ("rule", "strict")

    def __init__(self, data: QueryDict | None = None) -> None:
        super().__init__(data, auto_id="rule-%s")
