"""Preview how a result changes matches, places, prizes and ratings.

US rule 4.10 (docs/reference/tournaments.md, "Results and corrections"): an error may be corrected, but not
after either player has begun a later match. A published pairing that follows from the old result locks the
correction (``results``); a director can override this after the preview.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import OuterRef, Subquery
from django.utils.translation import gettext as _

from scoring.models import Match
from scoring.ratings.services.ratings import RatingShift, shifts_if
from scoring.rules.endings import Ending
from scoring.sheets.services.decisions import DirectedResult
from tournaments.core.brackets.correction import Consequences
from tournaments.core.formats.table import format_of
from tournaments.core.play.preview import preview as preview_stage
from tournaments.core.stages.outcomes import Outcome
from tournaments.core.stages.stage import Reported, Stage
from tournaments.core.standings.places import Place
from tournaments.desk.services.results import has_result, match_of, replaced
from tournaments.log.refusals import DeskRefused
from tournaments.models import (
    EntrantRow,
    PairingRow,
    PairingState,
    StageEntrant,
    StageRow,
    StageStatus,
)
from tournaments.money.services.awards import Purse, stages_in
from tournaments.stages.services.feeds import overtaken_by
from tournaments.stages.services.refusals import in_names
from tournaments.stages.services.results import outcome_of
from tournaments.stages.services.stages import begun_in, load, load_all
from tournaments.stages.services.ties import outcome_of_tie


@dataclass(frozen=True, slots=True)
class PrizeShift:
    """Prize of an entrant before and after, in minor units."""

    entrant: EntrantRow
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class MatchShift:
    """A match of the draw before and after, as text.

    ``number`` is the pairing's; ``named``: an entrant was known before; the winners are empty without a
    result.
    """

    title: str
    before: str
    after: str
    locked: bool
    number: int
    named: bool
    won_before: str
    won_after: str


@dataclass(frozen=True, slots=True)
class PlaceShift:
    """An entrant's place in a table before and after, as text."""

    table: str
    entrant: EntrantRow
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class CorrectionPreview:
    """Effects of a correction.

    ``seen`` is the length of the draw's log and ``sheet`` that of the match's scoresheet at the time: send
    both with the decision. ``locked`` are the pairings (by number) that depend on the old result,
    ``overtaken`` the stages drawn from it; ``entrants`` are by number, ``match`` is the pairing's number.
    """

    seen: int
    outcome: Outcome | None
    consequences: Consequences
    prizes: tuple[PrizeShift, ...]
    ratings: tuple[RatingShift, ...]
    entrants: dict[int, EntrantRow]
    overtaken: tuple[StageRow, ...] = ()
    sheet: int = 0
    match: int = 0
    in_bracket: bool = False
    went_on: int = 0
    prizes_open: bool = False
    """Whether the prizes of a finished draw are open again."""

    @property
    def can_void(self) -> bool:
        """Whether later matches would be void: those of a bracket that others have begun."""
        return bool(self.locked) and self.in_bracket

    @property
    def can_stand(self) -> bool:
        """Whether the later matches can stand: those who played them had a right to."""
        return self.outcome is not None and self.went_on > 0 and bool(self.locked or self.overtaken)

    @property
    def who_went_on(self) -> str:
        """The old winner, who has played on."""
        return self._name(self.went_on)

    @property
    def locked(self) -> tuple[int, ...]:
        return self.consequences.locked

    @property
    def lines(self) -> list["MatchShift"]:
        """Matches with other entrants or another winner."""
        return [
            MatchShift(
                _("Match %(number)s") % {"number": change.match},
                self._words(change.before),
                self._words(change.after),
                locked=change.match in self.locked,
                number=change.match,
                named=max(change.before[:2]) > 0,
                won_before=self._winner(change.before),
                won_after=self._winner(change.after),
            )
            for change in self.consequences.matches
        ]

    @property
    def following(self) -> list["MatchShift"]:
        """The lines of the other matches."""
        return [line for line in self.lines if line.number != self.match]

    @property
    def changes_nothing(self) -> bool:
        """Whether only the score changes."""
        return not (self.consequences.matches or self.consequences.places or self.prizes or self.ratings)

    @property
    def places(self) -> list["PlaceShift"]:
        """The places that change."""
        return [
            PlaceShift(each.table, self.entrants[each.entrant], _place(each.before), _place(each.after))
            for each in self.consequences.places
        ]

    def _words(self, state: tuple[int, int, int, int]) -> str:
        a, b, winner, _loser = state
        sides = _("%(a)s – %(b)s") % {"a": self._name(a), "b": self._name(b)}
        if winner <= 0:
            return sides
        return _("%(sides)s: %(winner)s") % {"sides": sides, "winner": self._name(winner)}

    def _winner(self, state: tuple[int, int, int, int]) -> str:
        return self._name(state[2]) if state[2] > 0 else ""

    def _name(self, number: int) -> str:
        if number > 0:
            return self.entrants[number].title
        return _("bye") if number == 0 else _("to be decided")


def preview_correction(*, pairing: PairingRow, decision: DirectedResult, board: int = 1) -> CorrectionPreview:
    """Preview ``decision`` as the result of a pairing's match, or of this board.

    Read-only. Raises DeskRefused for a bye or an invalid score, and DrawRefused for what the draw does not
    allow.
    """
    stage, match = pairing.stage, match_of(pairing, board)
    if pairing.state == PairingState.REPLACED:
        raise replaced()
    if decision.points is not None and max(decision.points) != match.length:
        raise DeskRefused(
            _("%(a)s–%(b)s is not a valid score. The winner must have exactly %(length)s points.")
            % {"a": decision.points[0], "b": decision.points[1], "length": match.length},
            code="points",
        )
    before = load(stage)
    if stage.boards > 1:
        outcome = outcome_of_tie(stage, before, pairing, match, decision.as_result())
    else:
        outcome = outcome_of(before, pairing.number, decision.as_result())
    ratings = shifts_if(match=match, winner=decision.winner, ending=decision.ended)
    if outcome is None and pairing.number not in before.outcomes:
        return _nothing(pairing, match, ratings)  # a board that does not decide the team match yet
    return _previewed(pairing, match, before, outcome, ratings)


def preview_reopening(*, pairing: PairingRow, match: Match) -> CorrectionPreview:
    """Preview undoing the result of a pairing's ``match_of``.

    Read-only; empty without a result. Raises DrawRefused for what the draw does not allow.
    """
    if not has_result(pairing, match):
        return _nothing(pairing, match, ())
    ratings = shifts_if(match=match, winner="", ending=Ending.PLAYED, played=False)
    return _previewed(pairing, match, load(pairing.stage), None, ratings)


def _nothing(pairing: PairingRow, match: Match, ratings: Sequence[RatingShift]) -> CorrectionPreview:
    """A preview without changes in the draw."""
    none, sheet = Consequences((), (), ()), match.sheet.head_seq
    return CorrectionPreview(pairing.stage.head_seq, None, none, (), tuple(ratings), {}, sheet=sheet)


def _previewed(
    pairing: PairingRow,
    match: Match,
    before: Stage,
    outcome: Outcome | None,
    ratings: Sequence[RatingShift],
) -> CorrectionPreview:
    stage = pairing.stage
    with in_names(stage):
        consequences = preview_stage(before, pairing.number, outcome, started=begun_in(stage))
        after = before.after(Reported(pairing.number, outcome, decided=True))
    numbers = StageEntrant.objects.filter(stage=stage, entrant=OuterRef("pk")).values("number")
    rows = EntrantRow.objects.filter(flight=stage.flight).with_draw().with_players()
    numbered: Any = rows.annotate(number=Subquery(numbers))
    everyone: list[EntrantRow] = list(numbered)
    entrants = {each.number: each for each in numbered if each.number is not None}
    purse = Purse.among(stage.flight, stages_in(stage.flight), everyone)
    # The same stage, loaded with its feeds.
    fed_from = next(each for each in purse.stages if each == stage)
    old = before.outcomes.get(pairing.number)
    was_over, is_over = (format_of(value.format).finished(value) for value in (before, after))
    return CorrectionPreview(
        in_bracket=stage.is_bracket,
        went_on=(old.advances or 0) if old is not None else 0,
        prizes_open=was_over and not is_over and stage in purse.deciding,
        seen=stage.head_seq,
        outcome=outcome,
        consequences=consequences,
        prizes=_prize_shifts(purse, stage, before, after, everyone) if is_over else (),
        ratings=tuple(ratings),
        entrants=entrants,
        overtaken=tuple(overtaken_by(fed_from, after, _fed_by(fed_from, purse.stages))),
        sheet=match.sheet.head_seq,
        match=pairing.number,
    )


def _fed_by(stage: StageRow, stages: Sequence[StageRow]) -> list[StageRow]:
    """Those of these stages that a stage feeds."""
    refs = {rule.into for rule in stage.rules}
    return [each for each in stages if each.ref in refs]


def _place(place: Place | None) -> str:
    return "–" if place is None else place.text


def _prize_shifts(
    purse: Purse, stage: StageRow, before: Stage, after: Stage, entrants: Iterable[EntrantRow]
) -> tuple[PrizeShift, ...]:
    """The prizes that change, once every paid place is decided.

    ``entrants`` are those of the flight, loaded with names.
    """
    others_over = all(each.status == StageStatus.FINISHED for each in purse.deciding if each != stage)
    if stage not in purse.deciding or not others_over:
        return ()
    others = load_all([each for each in purse.stages if each.drawn_at is not None and each != stage])
    new = purse.amounts({**others, stage.pk: after})
    was_over = format_of(before.format).finished(before)
    old = purse.amounts({**others, stage.pk: before}) if was_over else {}
    changed = [pk for pk in old.keys() | new.keys() if old.get(pk, 0) != new.get(pk, 0)]
    known = {each.pk: each for each in entrants}
    return tuple(PrizeShift(known[pk], old.get(pk, 0), new.get(pk, 0)) for pk in sorted(changed))
