"""A table as it is told: its state with names, money and house rules in words."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from clubs.formats import money
from scoring.chouettes.queries.lines import Speaker
from scoring.log.queries.chouettes import SeenTable
from scoring.log.queries.words import text_of
from scoring.models import HouseRules
from scoring.profiles.queries.houses import BUILT_IN
from scoring.rules.chouette.session_state import SessionState
from scoring.rules.errors import ScoringError
from scoring.rules.logs import CHOUETTE_LOG


@dataclass(frozen=True, slots=True)
class Told:
    """A table with its state, players' names and titles of house rules."""

    seen: SeenTable
    state: SessionState
    names: Mapping[str, str]
    houses: Mapping[str, str]

    @property
    def currency(self) -> str:
        return self.seen.chouette.currency

    @property
    def speaker(self) -> Speaker:
        return Speaker(self.names, self.money if self.seen.money_shown else None, self.houses)

    def money(self, minor: int) -> str:
        """An unsigned amount, such as a stake."""
        return money.money(minor, self.currency)

    def gain(self, minor: int) -> str:
        """A signed amount; empty where money is not shown."""
        return money.signed_money(minor, self.currency) if self.seen.money_shown else ""

    def text(self, error: ScoringError) -> str:
        """A refusal with names in place of refs."""
        return named_text(error, self.names)


def told(seen: SeenTable) -> Told:
    """Load what the views of a table share.

    One query if the house rules are the club's.
    """
    state = CHOUETTE_LOG.state_from_plain(json.loads(seen.chouette.sheet.state))
    names = {one.ref: one.player.name for one in seen.players}
    wanted = {state.name, state.announced.name if state.announced else state.name} - set(BUILT_IN) - {""}
    houses = {}
    if wanted:
        rows = HouseRules.objects.in_club(seen.chouette.club).filter(name__in=wanted)
        houses = dict(rows.values_list("name", "title"))
    return Told(seen, state, names, houses)


def named_text(error: ScoringError, names: Mapping[str, str]) -> str:
    """A rules error, translated, with players' names in place of refs."""
    if not names:
        return text_of(error)
    refs = re.compile("|".join(map(re.escape, names)))
    parameters = {
        name: refs.sub(lambda found: names[found.group()], value) if isinstance(value, str) else value
        for name, value in error.parameters.items()
    }
    return _(error.template).format(**parameters)
