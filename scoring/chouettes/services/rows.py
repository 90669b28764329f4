"""Rows derived from a chouette's log: games, ledgers and seats.

Call with the table's sheet locked, in the transaction that writes the log.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.timezone import now

from scoring.log.queries.sheets import NumberedEvent, numbered
from scoring.models import Chouette, ChouetteGame, ChouettePlayer, Ledger, Sheet
from scoring.rules.chouette.costs import LedgerLine
from scoring.rules.chouette.events import ChouetteEvent
from scoring.rules.chouette.session_state import SessionState
from scoring.rules.logs import CHOUETTE_LOG


@dataclass(frozen=True, slots=True)
class GameSpan:
    """A game in the log.

    Its first and last seq (None while in progress), and its ledger.
    """

    number: int
    begun_seq: int
    end_seq: int | None = None
    ledger: tuple[LedgerLine, ...] = ()


class SpanTracker:
    """Notes the seqs where games begin and end while a log is replayed."""

    def __init__(self) -> None:
        self.begun: int | None = None
        self.spans: list[GameSpan] = []

    def see(self, seq: int, before: SessionState, after: SessionState) -> None:
        """Note the transition that the event ``seq`` made."""
        if before.game is None and after.game is not None:
            self.begun = seq
        if len(after.games) > len(before.games):
            done = after.games[-1]
            assert self.begun is not None  # noqa: S101 - a game ends only after it began
            self.spans.append(GameSpan(done.number, self.begun, seq, done.ledger))
            self.begun = None

    def all(self, state: SessionState) -> list[GameSpan]:
        """The finished games, and the one in progress."""
        if state.game is None or self.begun is None:
            return self.spans
        return [*self.spans, GameSpan(state.game.number, self.begun)]


def spans_in(log: Sequence[NumberedEvent[ChouetteEvent]]) -> list[GameSpan]:
    """The games of a valid log."""
    state, tracker = CHOUETTE_LOG.begin(log[0].event), SpanTracker()
    for row in log[1:]:
        before, state = state, CHOUETTE_LOG.apply(state, row.event)
        tracker.see(row.seq, before, state)
    return tracker.all(state)


def write_games(chouette: Chouette, spans: Iterable[GameSpan]) -> None:
    """Write these games with their ledgers; other games stay unchanged."""
    names = dict(ChouettePlayer.objects.filter(chouette=chouette).values_list("ref", "pk"))
    at = now()
    for span in spans:
        finished = None if span.end_seq is None else at
        game, made = ChouetteGame.objects.get_or_create(
            chouette=chouette,
            begun_seq=span.begun_seq,
            defaults={"number": span.number, "end_seq": span.end_seq, "finished_at": finished},
        )
        if not made and (game.number, game.end_seq) != (span.number, span.end_seq):
            game.number, game.end_seq = span.number, span.end_seq
            if span.end_seq is None or game.finished_at is None:
                game.finished_at = finished
            game.save(update_fields=["number", "end_seq", "finished_at"])
        _write_ledger(game, span.ledger, names)


def rewrite_games(chouette: Chouette, spans: Sequence[GameSpan]) -> None:
    """Rewrite the games of a corrected log.

    Games no longer in it lose their ledger and number.

    Such a game's row is deleted too, unless it has a board record.
    """
    gone = ChouetteGame.objects.filter(chouette=chouette).exclude(
        begun_seq__in=[span.begun_seq for span in spans]
    )
    Ledger.objects.filter(game__in=gone.values("pk")).delete()
    gone.filter(match=None).delete()
    gone.update(number=None, end_seq=None, finished_at=None)
    write_games(chouette, spans)


def _write_ledger(game: ChouetteGame, lines: Sequence[LedgerLine], names: dict[str, int]) -> None:
    stored = {
        pk: (points, minor)
        for pk, points, minor in Ledger.objects.filter(game=game).values_list("player", "points", "minor")
    }
    told = {names[line.player]: (line.points, line.minor) for line in lines}
    if stored == told:
        return
    Ledger.objects.filter(game=game).delete()
    Ledger.objects.bulk_create(
        Ledger(game=game, player_id=pk, points=points, minor=minor) for pk, (points, minor) in told.items()
    )


def write_seats(chouette: Chouette, state: SessionState) -> None:
    """Mark the players seated according to the log."""
    rows = ChouettePlayer.objects.filter(chouette=chouette)
    seated = [seat.player for seat in state.seats]
    rows.filter(ref__in=seated, seated=False).update(seated=True)
    rows.filter(seated=True).exclude(ref__in=seated).update(seated=False)


def damage_of_rows(sheet: Sheet) -> str:
    """The first difference between a chouette's rows and its log; empty if none."""
    chouette = Chouette.objects.filter(sheet=sheet).first()
    if chouette is None:
        return "no chouette has this log"
    told = {
        span.number: (
            span.begun_seq,
            span.end_seq,
            {line.player: (line.points, line.minor) for line in span.ledger},
        )
        for span in spans_in(numbered(CHOUETTE_LOG, sheet))
    }
    stored: dict[int | None, tuple[int, int | None, dict[str, tuple[int, int]]]] = {
        game.number: (game.begun_seq, game.end_seq, {})
        for game in ChouetteGame.objects.filter(chouette=chouette, number__isnull=False)
    }
    rows = Ledger.objects.filter(game__chouette=chouette).values_list(
        "game__number", "player__ref", "points", "minor"
    )
    for number, player, points, minor in rows:
        if number not in stored:
            return "an undone game has a ledger"
        stored[number][2][player] = (points, minor)
    wrong = sorted(n for n in {*told, *filter(None, stored)} if told.get(n) != stored.get(n))
    if wrong:
        return f"the rows of game {wrong[0]} do not match the log"
    state = CHOUETTE_LOG.replay(row.event for row in numbered(CHOUETTE_LOG, sheet))
    seated = set(ChouettePlayer.objects.filter(chouette=chouette, seated=True).values_list("ref", flat=True))
    return "" if seated == {seat.player for seat in state.seats} else "the seats do not match the log"
