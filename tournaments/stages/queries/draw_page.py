"""A stage as a page shows it: rounds with who meets whom, the standing, and why."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from scoring.codec import from_plain
from scoring.models import Match
from scoring.rules.endings import Ending
from tournaments.core.brackets.bracket import Bracket, Round
from tournaments.core.brackets.formats import Elimination
from tournaments.core.brackets.resolve import BracketStatus, Resolution
from tournaments.core.formats.table import format_of
from tournaments.core.stages.pairings import Reason
from tournaments.core.stages.results import stage_table
from tournaments.core.stages.slots import Empty, LoserOf, Slot, WinnerOf
from tournaments.core.stages.stage import Stage
from tournaments.core.standings.tables import TableOptions
from tournaments.models import EntrantRow, PairingRow, StageEntrant, StageRow
from tournaments.words.reasons import TIE_BREAK_NAMES, sentence


@dataclass(frozen=True, slots=True)
class PairingSideLine:
    """One side of a pairing: an entrant, or the words for an empty slot."""

    words: str
    entrant: EntrantRow | None = None
    won: bool = False
    points: int | None = None


@dataclass(frozen=True, slots=True)
class PairingLine:
    """One match of a round. ``state`` is a badge's word, ``confirmed`` false while a yes is missing."""

    number: int
    a: PairingSideLine
    b: PairingSideLine
    state: str
    pairing: PairingRow | None = None
    match: Match | None = None
    confirmed: bool = True
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundLine:
    """A round with its pairings in the draw's order."""

    title: str
    pairings: tuple[PairingLine, ...]


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A row of the standing; ``last`` is another place than ``first`` where places are shared."""

    first: int
    last: int
    entrant: EntrantRow
    score: float | None = None
    values: tuple[tuple[str, float], ...] = ()
    gone: bool = False


@dataclass(frozen=True, slots=True)
class StagePage:
    """Everything about a drawn stage, in six queries however large it is."""

    stage: StageRow
    rounds: tuple[RoundLine, ...] = ()
    standing: tuple[StandingLine, ...] = ()
    open: int = 0

    @property
    def scored(self) -> bool:
        """Whether the standing has scores: a bracket's has places alone."""
        return any(line.score is not None for line in self.standing)

    @property
    def tie_breaks(self) -> list[str]:
        """The names of the tie-breaks, in the order of each row's values."""
        first = next((line for line in self.standing if line.values), None)
        return [_(TIE_BREAK_NAMES.get(key, key)) for key, _value in first.values] if first else []


def stage_page(stage: StageRow, value: Stage) -> StagePage:
    """The page of a stage whose log has been read into ``value``; empty before the draw."""
    if stage.drawn_at is None:
        return StagePage(stage)
    rows = StageEntrant.objects.filter(stage=stage).select_related("entrant")
    numbers = rows.prefetch_related("entrant__members__player__person").order_by("number")
    entrants = {row.number: row.entrant for row in numbers}
    pairings = {
        row.number: row
        for row in PairingRow.objects.filter(stage=stage)
        .current()
        .prefetch_related("boards__match__result")
        .order_by("round", "number")
    }
    writer = _Writer(value, entrants, pairings)
    standing = tuple(writer.standing())
    if len({line.first for line in standing}) == 1:
        standing = ()  # nothing separates anybody yet: the entrants are listed as such
    return StagePage(stage, tuple(writer.rounds()), standing, len(value.open_pairings()))


@dataclass(frozen=True, slots=True)
class _Writer:
    value: Stage
    entrants: dict[int, EntrantRow]
    pairings: dict[int, PairingRow]

    def rounds(self) -> Iterator[RoundLine]:
        fmt = format_of(self.value.format)
        if isinstance(fmt, Elimination):
            state = fmt.resolution(self.value)
            for each in state.bracket.rounds:
                lines = [self._of_bracket(state, match) for match in each.matches]
                shown = tuple(line for line in lines if line is not None)
                if shown:
                    yield RoundLine(round_title(each, state.bracket), shown)
            return
        for number in sorted({p.round for p in self.value.pairings.values()}, reverse=True):
            of_round = [n for n, p in self.value.pairings.items() if p.round == number]
            title = _("Round %(number)s") % {"number": number}
            yield RoundLine(title, tuple(self._published(n) for n in of_round))

    def standing(self) -> Iterator[StandingLine]:
        fmt = format_of(self.value.format)
        if isinstance(fmt, Elimination) or self.value.format == "ladder":
            for place in fmt.places(self.value):
                yield StandingLine(
                    place.first,
                    place.last,
                    self.entrants[place.entrant],
                    gone=place.entrant in self.value.gone,
                )
            return
        for row in stage_table(self.value, TableOptions(lot_seed=self.value.seed)):
            number = row.place.entrant
            yield StandingLine(
                row.place.first,
                row.place.last,
                self.entrants[number],
                row.score,
                row.values,
                number in self.value.gone,
            )

    def _of_bracket(self, state: Resolution, match: int) -> PairingLine | None:
        status = state.status(match)
        nobody = {BracketStatus.EMPTY, BracketStatus.NOT_NEEDED}
        if status in nobody or Empty.BYE in (state.a[match], state.b[match]):
            return None
        if match in self.pairings and status in {BracketStatus.READY, BracketStatus.DECIDED}:
            return self._published(match)
        slots = state.bracket.slots(match)
        a, b = (
            self._slot(content, slot)
            for content, slot in zip((state.a[match], state.b[match]), slots, strict=True)
        )
        return PairingLine(match, a, b, _(_STATES[status]))

    def _slot(self, content: int, slot: Slot) -> PairingSideLine:
        if content > 0:
            entrant = self.entrants[content]
            return PairingSideLine(entrant.title, entrant)
        if content == Empty.BYE:
            return PairingSideLine(_("bye"))
        if content == Empty.WITHDRAWN:
            return PairingSideLine(_("withdrawn"))
        match slot:
            case WinnerOf(number):
                return PairingSideLine(_("winner of match %(number)s") % {"number": number})
            case LoserOf(number):
                return PairingSideLine(_("loser of match %(number)s") % {"number": number})
        return PairingSideLine(_("to be decided"))

    def _published(self, number: int) -> PairingLine:
        pairing = self.value.pairings[number]
        outcome = self.value.outcomes.get(number)
        row = self.pairings.get(number)
        match = next((board.match for board in row.boards.all()), None) if row else None
        points: dict[int, int] = {}
        if outcome is not None and outcome.points is not None and outcome.played:
            points = dict(zip((outcome.winner, outcome.loser), outcome.points, strict=True))
        sides = []
        for each in (pairing.a, pairing.b):
            if each == Empty.BYE:
                sides.append(PairingSideLine(_("bye")))
                continue
            entrant = self.entrants[each]
            won = outcome is not None and outcome.advances == each
            sides.append(PairingSideLine(entrant.title, entrant, won, points.get(each)))
        state = "" if pairing.is_bye else _("to be played") if outcome is None else _(OUTCOMES[outcome.ended])
        return PairingLine(
            number,
            sides[0],
            sides[1],
            state,
            row,
            match,
            outcome is None or outcome.confirmed,
            tuple(self._reasons(row)),
        )

    def _reasons(self, row: PairingRow | None) -> Iterator[str]:
        for reason in row.reasons if row else ():
            read: Reason = from_plain(Reason, reason, "reason")
            who = self.entrants.get(read.entrant)
            yield sentence(read, who.title if who else "")


_STATES = {
    BracketStatus.WAITING: gettext_noop("waiting"),
    BracketStatus.READY: gettext_noop("ready"),
    BracketStatus.DECIDED: gettext_noop("decided"),
    BracketStatus.BYE: gettext_noop("bye"),
    BracketStatus.WALKOVER: gettext_noop("walkover"),
}
OUTCOMES = {
    Ending.PLAYED: gettext_noop("played"),
    Ending.TIME: gettext_noop("on time"),
    Ending.PENALTY: gettext_noop("by penalty"),
    Ending.RETIRED: gettext_noop("retired"),
    Ending.NO_SHOW: gettext_noop("walkover"),
    Ending.DOUBLE_NO_SHOW: gettext_noop("neither came"),
    Ending.DISQUALIFIED: gettext_noop("disqualified"),
}


def section_name(key: str) -> str:
    """A section of a bracket in the reader's language."""
    return _(_SECTIONS.get(key, key))


def round_title(round_: Round, bracket: Bracket) -> str:
    """A round of a bracket in the reader's language: the last three of the main section have names."""
    section = section_name(round_.section)
    last = len(bracket.section(round_.section))
    left = last - round_.number
    if round_.section == "main" and left < len(_LAST):
        return _(_LAST[left])
    if last == 1:
        return section
    return _("%(section)s, round %(number)s") % {"section": section, "number": round_.number}


def short_round_title(round_: Round, bracket: Bracket) -> str:
    """A round where its section is named above it: the last ones by how many are in them."""
    last = len(bracket.section(round_.section))
    left = last - round_.number
    if round_.section == "main" and (left < len(_LAST) or last == 1):
        return _(_LAST[left])
    if left == 0 and last > 1:
        return _("Final")
    if round_.section == "main" and round_.number > 1 and round_.count == 1 << left:
        return _("Round of %(number)s") % {"number": 2 * round_.count}
    return _("Round %(number)s") % {"number": round_.number}


_LAST = (gettext_noop("Final"), gettext_noop("Semi-finals"), gettext_noop("Quarter-finals"))
_SECTIONS = {
    "main": gettext_noop("Main"),
    "losers": gettext_noop("Losers’ side"),
    "final": gettext_noop("Grand final"),
    "third place": gettext_noop("Third place"),
    "consolation": gettext_noop("Consolation"),
    "last chance": gettext_noop("Last chance"),
}
