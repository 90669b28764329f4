"""A second, slow and obvious generator of legal plays, written without the first one.

Source: docs/reference/rules.md, "Legal plays".

A board is a list of 26 signed numbers seen by the mover: 1 to 24 the points (own checkers positive, the
opponent's negative), 25 the mover's bar, 0 the opponent's bar as a negative number.  Every order of the dice
is played out completely, then the rules are applied to the finished list of plays, one after the other.
"""

from itertools import permutations

from scoring.rules.dice import Roll
from scoring.rules.position import Position


def signed_board(position: Position) -> list[int]:
    """The position as 26 signed numbers."""
    board = [0] * 26
    for slot in range(1, 26):
        board[slot] += position.own[slot]
        board[25 - slot] -= position.opponent[slot]
    return board


def brute_force(position: Position, roll: Roll) -> tuple[int, set[str]]:
    """How many dice must be played, and the keys of all results (none when nothing can be moved)."""
    finished: set[tuple[tuple[int, ...], tuple[int, ...]]] = set()
    for dice in set(permutations(roll.dice)):
        _play_out(signed_board(position), list(dice), [], finished)
    most = max(len(used) for used, _ in finished)
    kept = {(used, board) for used, board in finished if len(used) == most}
    if most == 1 and not roll.is_double:
        highest = max(used[0] for used, _ in kept)
        kept = {(used, board) for used, board in kept if used[0] == highest}
    return most, {_key(board) for _, board in kept} if most else set()


def _play_out(board, dice, used, finished):
    """Add (dice used, board) for every way to go on until no move is left for the next die."""
    finished.add((tuple(used), tuple(board)))
    if not dice:
        return
    die = dice[0]
    for source in range(1, 26):
        after = _moved(board, source, die)
        if after is not None:
            _play_out(after, dice[1:], [*used, die], finished)


def _moved(board, source, die):
    if board[source] < 1:
        return None
    if source != 25 and board[25] > 0:
        return None
    after = list(board)
    after[source] -= 1
    target = source - die
    if target >= 1:
        if board[target] <= -2:
            return None
        if board[target] == -1:
            after[target] = 1
            after[0] -= 1
        else:
            after[target] += 1
        return after
    somebody_outside = any(count > 0 for count in board[7:26])
    somebody_behind = any(count > 0 for count in board[source + 1 : 7])
    if somebody_outside or (target < 0 and somebody_behind):
        return None
    return after


def _key(board):
    letters = ["-"] * 26
    for slot, count in enumerate(board):
        if count > 0:
            letters[slot] = "ABCDEFGHIJKLMNO"[count - 1]
        elif count < 0:
            letters[slot] = "abcdefghijklmno"[-count - 1]
    return "".join(letters)
