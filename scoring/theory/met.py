"""Match equity: the Kazaross-XG2 table and what follows from it about the cube.

Source: docs/reference/theory.md, "Match equity"; the table (25-away, by Neil Kazaross, transcribed for GNU
Backgammon) ships inside gammonview's `gvformat`. Chances are those of winning the match, 0..1. Take points
here are for a **dead cube** and without gammons: advice, not a verdict.
"""

from enum import StrEnum

from gvformat.met import KR_XG2_MET, POST_CRAWFORD

from scoring.rules.errors import InvalidValue

TABLE = "Kazaross-XG2"
LONGEST = len(KR_XG2_MET)


class MatchPhase(StrEnum):
    """Which game of the match is to be played: only a score with a player at 1-away tells them apart."""

    BEFORE_CRAWFORD = "before_crawford"
    CRAWFORD = "crawford"
    AFTER_CRAWFORD = "after_crawford"


def match_equity(own_away: int, opponent_away: int, *, crawford_played: bool = False) -> float:
    """Chance to win the match before the game at this score.

    A score with a player at 1-away is the Crawford game unless `crawford_played`. Raises InvalidValue for a
    score outside the table.

    >>> match_equity(2, 1), match_equity(2, 1, crawford_played=True), match_equity(4, 3)
    (0.32264, 0.48803, 0.4285)
    """
    for away in (own_away, opponent_away):
        if type(away) is not int or not 1 <= away <= LONGEST:
            raise InvalidValue(
                "away",
                "{table} has no {away}-away, only 1 to {longest}",
                table=TABLE,
                away=away,
                longest=LONGEST,
            )
    if crawford_played and opponent_away == 1:
        return float(POST_CRAWFORD[own_away - 1])
    if crawford_played and own_away == 1:
        return 1.0 - float(POST_CRAWFORD[opponent_away - 1])
    return float(KR_XG2_MET[own_away - 1][opponent_away - 1])


def equity_after(own_away: int, opponent_away: int, points: int, *, phase: MatchPhase) -> float:
    """Chance to win the match after the game of this phase.

    `points` are what the player scores, negative if the opponent does; points beyond the match count for
    nothing.
    """
    crawford_played = phase is not MatchPhase.BEFORE_CRAWFORD
    own, opponent = own_away - max(0, points), opponent_away - max(0, -points)
    if own <= 0:
        return 1.0
    if opponent <= 0:
        return 0.0
    return match_equity(own, opponent, crawford_played=crawford_played)


def chance_of(equity: float, own_away: int, opponent_away: int, *, cube: int = 1, phase: MatchPhase) -> float:
    """Chance to win the match of a player whose normalised equity (EMG) is `equity` at this cube.

    -1 and +1 are a lost and a won single game; the equity may lie beyond them.

    >>> phase = MatchPhase.BEFORE_CRAWFORD
    >>> [round(chance_of(equity, 5, 5, phase=phase), 3) for equity in (-1.0, 0.0, 1.0)]
    [0.423, 0.5, 0.577]
    """
    won = equity_after(own_away, opponent_away, cube, phase=phase)
    lost = equity_after(own_away, opponent_away, -cube, phase=phase)
    return lost + (equity + 1.0) / 2.0 * (won - lost)


def equity_of(chance: float, own_away: int, opponent_away: int, *, cube: int = 1, phase: MatchPhase) -> float:
    """The normalised equity (EMG) at this cube of a chance to win the match; the inverse of `chance_of`.

    >>> phase = MatchPhase.BEFORE_CRAWFORD
    >>> round(equity_of(chance_of(0.3, 5, 3, phase=phase), 5, 3, phase=phase), 6)
    0.3
    """
    won = equity_after(own_away, opponent_away, cube, phase=phase)
    lost = equity_after(own_away, opponent_away, -cube, phase=phase)
    return 2.0 * (chance - lost) / (won - lost) - 1.0


def take_point(
    taker_away: int, doubler_away: int, *, cube: int = 1, phase: MatchPhase = MatchPhase.BEFORE_CRAWFORD
) -> float:
    """The taker's chance (0..1) to win the game from which on he takes a double from `cube` to twice that.

    (pass - lose) / (win - lose) at the scores that follow, for a cube that is dead after the take and without
    gammons. Raises InvalidValue for a score outside the table, a cube that is no power of two, the Crawford
    game, and a phase that the score contradicts.

    The published values (docs/reference/theory.md, "Match equity"):

    >>> scores = [(5, 5), (3, 3), (2, 2), (2, 4), (4, 2), (3, 5), (7, 7)]
    >>> [round(100 * take_point(*score), 1) for score in scores]
    [23.9, 30.2, 32.3, 19.9, 37.1, 20.9, 25.2]
    """
    if type(cube) is not int or cube < 1 or cube & (cube - 1):
        raise InvalidValue("cube", "a cube of {cube} is not a power of two", cube=cube)
    match_equity(taker_away, doubler_away)
    _check_phase(taker_away, doubler_away, phase)
    passed = equity_after(taker_away, doubler_away, -cube, phase=phase)
    won = equity_after(taker_away, doubler_away, 2 * cube, phase=phase)
    lost = equity_after(taker_away, doubler_away, -2 * cube, phase=phase)
    if passed <= lost:
        return 0.0
    return (passed - lost) / (won - lost)


def _check_phase(taker_away: int, doubler_away: int, phase: MatchPhase) -> None:
    if phase is MatchPhase.CRAWFORD:
        raise InvalidValue("crawford", "no player can double in the Crawford game")
    at_one = 1 in {taker_away, doubler_away}
    if at_one != (phase is MatchPhase.AFTER_CRAWFORD):
        raise InvalidValue(
            "phase",
            "{taker}-away against {doubler}-away is not {phase}",
            taker=taker_away,
            doubler=doubler_away,
            phase=str(phase),
        )
