"""The question about an absent player: three answers, each with what follows from it, in words."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from clubs.formats.money import money
from tournaments.core.brackets.bracket import CONSOLATION, FINAL, LAST_CHANCE, LOSERS, MAIN, THIRD
from tournaments.core.play.absence import Absence, AbsenceScope, NotOffered, Onward, absences
from tournaments.core.prizes.payouts import paid_places
from tournaments.core.stages.slots import Empty
from tournaments.core.stages.stage import Stage
from tournaments.events.queries.entrant_rows import entrants_with_players, numbered_entrants
from tournaments.log.refusals import DeskRefused
from tournaments.models import EntrantRow, FeePayment, PairingRow, PairingState
from tournaments.stages.services.refusals import in_names
from tournaments.stages.services.stages import load
from tournaments.words.written import pool_name

SECTIONS = {
    MAIN: gettext_lazy("main bracket"),
    LOSERS: gettext_lazy("losers’ side"),
    FINAL: gettext_lazy("final"),
    THIRD: gettext_lazy("third-place match"),
    CONSOLATION: gettext_lazy("consolation"),
    LAST_CHANCE: pgettext_lazy("a part of a draw", "last chance"),
}
NOT_OFFERED = {
    NotOffered.KNOCKOUT: gettext_lazy("Who loses this match is out of its bracket."),
    NotOffered.NO_CONSOLATION: gettext_lazy("No consolation follows this match."),
}


@dataclass(frozen=True, slots=True)
class AbsenceAnswer:
    """One answer: what it is called, and what follows; ``not_offered`` says why it does not exist here."""

    scope: AbsenceScope
    title: str
    sentences: tuple[str, ...] = ()
    not_offered: str = ""
    lost: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class AbsenceQuestion:
    """The question about one entrant of an open match.

    ``seen`` is the length of the draw's log and ``desk`` of the match at the desk: send both with the answer.
    """

    pairing: PairingRow
    entrant: EntrantRow
    opponent: EntrantRow
    answers: tuple[AbsenceAnswer, ...]
    seen: int
    desk: int


class AbsenceCase:
    """A match with all that the question about either of its entrants needs, loaded once."""

    def __init__(self, pairing: PairingRow) -> None:
        self.pairing = pairing

    @cached_property
    def _entrants(self) -> dict[int, EntrantRow]:
        return numbered_entrants(self.pairing.stage_id)

    @cached_property
    def _targets(self) -> list[str]:
        stage = self.pairing.stage
        fed = stage.flight.stages.filter(fed_by__stage=stage).order_by("position").distinct()
        return list(fed.values_list("name", flat=True))

    @cached_property
    def _value(self) -> Stage:
        return load(self.pairing.stage)

    def question(self, entrant: EntrantRow) -> AbsenceQuestion:
        """The question about an entrant of an open match (three queries, none for the other entrant).

        Raises DeskRefused for a match that is not open, and for an entrant who is not in it.
        """
        pairing, stage = self.pairing, self.pairing.stage
        if pairing.b_id is None or entrant.pk not in {pairing.a_id, pairing.b_id}:
            raise DeskRefused(
                _("%(name)s is not in this match.") % {"name": entrant.title}, code="not_in_the_match"
            )
        if pairing.state != PairingState.OPEN:
            raise DeskRefused(_("This match already has a result."), code="decided")
        entrants = self._entrants
        number = next(n for n, each in entrants.items() if each.pk == entrant.pk)
        other = pairing.b_id if entrant.pk == pairing.a_id else pairing.a_id
        with in_names(stage):
            found = absences(self._value, pairing.number, number, feeds=bool(self._targets))
        opponent = next(each for each in entrants.values() if each.pk == other)
        words = _Words(pairing, entrant, opponent, entrants, self._targets)
        answers = tuple(words.answer(each) for each in found)
        return AbsenceQuestion(pairing, entrant, opponent, answers, stage.head_seq, pairing.desk_seq)


def question(pairing: PairingRow, entrant: EntrantRow) -> AbsenceQuestion:
    """The question about one entrant, as ``AbsenceCase.question`` asks it (three queries)."""
    return AbsenceCase(pairing).question(entrant)


def sides(pairing: PairingRow) -> list[EntrantRow]:
    """The entrants of a match with their names, left column first (one query)."""
    wanted = [pk for pk in (pairing.a_id, pairing.b_id) if pk is not None]
    known = entrants_with_players(wanted)
    return [known[pk] for pk in wanted]


class _Words:
    def __init__(
        self,
        pairing: PairingRow,
        entrant: EntrantRow,
        opponent: EntrantRow,
        entrants: dict[int, EntrantRow],
        targets: list[str],
    ) -> None:
        self.pairing, self.entrant, self.opponent, self.entrants = pairing, entrant, opponent, entrants
        self.targets, self.flight = targets, pairing.stage.flight
        self.has_prizes = bool(self.flight.entry_fee or self.flight.added)

    def answer(self, absence: Absence) -> AbsenceAnswer:
        title = self._title(absence)
        if absence.not_offered is not None:
            return AbsenceAnswer(absence.scope, title, not_offered=str(NOT_OFFERED[absence.not_offered]))
        return AbsenceAnswer(absence.scope, title, tuple(self._sentences(absence)), lost=absence.lost)

    def _title(self, absence: Absence) -> str:
        match absence.scope:
            case AbsenceScope.MATCH:
                return _("This match only")
            case AbsenceScope.EVENT:
                return _("Out of everything")
        if absence.entrant is not None and absence.entrant.section == LAST_CHANCE:
            return _("Out of the consolation, but in the last chance")
        return _("Out of this draw, but in the consolation")

    def _sentences(self, absence: Absence) -> Iterator[str]:
        yield self._of_opponent(absence.opponent)
        yield self._of_entrant(absence)
        others = len(absence.lost) - (self.pairing.number in absence.lost)
        if others:
            yield ngettext(
                "%(n)s other open match is forfeited, too.",
                "%(n)s other open matches are forfeited, too.",
                others,
            ) % {"n": others}
        if self.has_prizes:
            yield self._of_prizes(absence)
        if fee := self._of_fee(absence):
            yield fee

    def _of_opponent(self, onward: Onward | None) -> str:
        name = self.opponent.title
        if onward is None:
            return _("%(name)s wins this match without playing.") % {"name": name}
        if onward.match is None:
            return _("%(name)s wins this match without playing, and has no further match.") % {"name": name}
        params = {"name": name, "match": onward.match, "other": self._name(onward.opponent)}
        if not params["other"]:
            return _("%(name)s wins and goes on to match %(match)s. The opponent is not known yet.") % params
        return _("%(name)s wins and meets %(other)s in match %(match)s.") % params

    def _of_entrant(self, absence: Absence) -> str:
        onward, name = absence.entrant, self.entrant.title
        if onward is not None and onward.match is not None:
            return self._onward(onward, name)
        if absence.paired:
            return _("%(name)s is paired again in the next round.") % {"name": name}
        if absence.scope is AbsenceScope.DRAW and self.targets:
            return _("%(name)s plays no more rounds here, and can qualify for %(stages)s.") % {
                "name": name,
                "stages": ", ".join(self.targets),
            }
        return _("%(name)s plays no further match.") % {"name": name}

    def _onward(self, onward: Onward, name: str) -> str:
        params = {
            "name": name,
            "section": str(SECTIONS.get(onward.section, onward.section)),
            "match": onward.match,
            "other": self._name(onward.opponent),
            "byes": onward.byes,
        }
        if onward.byes:
            return (
                ngettext(
                    "%(name)s plays on in the %(section)s: match %(match)s, after %(byes)s bye.",
                    "%(name)s plays on in the %(section)s: match %(match)s, after %(byes)s byes.",
                    onward.byes,
                )
                % params
            )
        if params["other"]:
            return _("%(name)s plays on in the %(section)s: match %(match)s, against %(other)s.") % params
        return (
            _("%(name)s plays on in the %(section)s: match %(match)s. The opponent is not known yet.")
            % params
        )

    def _of_prizes(self, absence: Absence) -> str:
        open_ones = [name for name in absence.tables if name == MAIN or name in self.flight.shares]
        if open_ones:
            names = ", ".join(pool_name(name) for name in open_ones)
            return _("Prizes still open: %(names)s.") % {"names": names}
        if absence.paired or (absence.scope is AbsenceScope.DRAW and self.targets):
            return _("All prizes are still open.")
        if absence.place is None:
            return _("Prizes follow the results so far.")
        if absence.place.first > self._paid():
            return _("Place %(place)s, without a prize.") % {"place": absence.place.text}
        return _("Place %(place)s, with the prize of that place.") % {"place": absence.place.text}

    def _paid(self) -> int:
        return len(self.flight.percentages) or paid_places(len(self.entrants))

    def _of_fee(self, absence: Absence) -> str:
        fee = self.flight.entry_fee + self.flight.registration_fee
        if not fee or self.entrant.payment == FeePayment.FREE or self.entrant.refunded_at:
            return ""
        amount = money(fee, self.flight.event.club.currency)
        if self.entrant.payment == FeePayment.OPEN:
            return _("The fee of %(amount)s is not paid and stays due.") % {"amount": amount}
        if absence.scope is AbsenceScope.EVENT:
            return _("The fee of %(amount)s is paid and stays in the pool unless you refund it.") % {
                "amount": amount
            }
        return _("The fee of %(amount)s is paid.") % {"amount": amount}

    def _name(self, content: int) -> str:
        """The name of an entrant, empty for an empty slot."""
        return self.entrants[content].title if content > Empty.BYE and content in self.entrants else ""
