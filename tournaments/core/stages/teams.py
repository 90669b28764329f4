"""Team matches: a pairing on several boards, decided by boards won."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.outcomes import Outcome
from tournaments.core.stages.pairings import Pairing


@dataclass(frozen=True, slots=True)
class BoardResult:
    """One board of a team match: whether side a won, and match points (a, b)."""

    board: int
    a_won: bool
    points: tuple[int, int]


def tie_outcome(pairing: Pairing, boards: Sequence[BoardResult], *, planned: int) -> Outcome | None:
    """The outcome of a team match, ``None`` while boards are missing.

    Most boards win; equal boards are decided by match points, and if these are equal too by the first board
    (each team's strongest player). A tie counts as decided only when all boards are in, because points may
    matter.

    Raises:
        DrawRefused: ``board_twice`` or ``no_such_board``.
    """
    seen: set[int] = set()
    for result in boards:
        if not 1 <= result.board <= planned:
            raise DrawRefused("no_such_board", f"board {result.board} of a team match on {planned} boards")
        if result.board in seen:
            raise DrawRefused("board_twice", f"board {result.board} has two results", board=result.board)
        seen.add(result.board)
    if len(boards) < planned:
        return None
    won = sum(result.a_won for result in boards)
    points = (sum(r.points[0] for r in boards), sum(r.points[1] for r in boards))
    top_board = next(r for r in boards if r.board == 1)
    a_key, b_key = (won, points[0], top_board.a_won), (planned - won, points[1], not top_board.a_won)
    if a_key > b_key:
        return Outcome(pairing.a, pairing.b, points=(won, planned - won))
    return Outcome(pairing.b, pairing.a, points=(planned - won, won))
