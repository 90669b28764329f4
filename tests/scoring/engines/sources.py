"""Questions made by gammonview's own reader and replay, so that ours is not its own witness."""

from pathlib import Path

from bgsage.board import possible_moves
from gvanalysis.ogxm_reconstructor import reconstruct_decisions_from_ogxm
from gvformat.mat import mat_to_ogxm

from scoring.engines.requests import CheckerQuestion, CubeOwner, CubeQuestion, Response, Situation
from scoring.rules.sides import Side

OWNERS = {"centered": CubeOwner.CENTRED, "player": CubeOwner.OWN, "opponent": CubeOwner.OPPONENT}


def gammonview_questions(text):
    """(questions, name of the player that they call white, name of black)."""
    ogxm = mat_to_ogxm(text)
    questions = [
        question(game, number, row)
        for game, replayed in enumerate(reconstruct_decisions_from_ogxm(ogxm), start=1)
        for number, row in enumerate(replayed["decisions"])
        if row["kind"] != "resign" and not resigned_after_rolling(row)
    ]
    return tuple(questions), ogxm["player_white"], ogxm["player_black"]


def resigned_after_rolling(row):
    """A roll that could be played and was not: the player gave up, so there is no play to ask about."""
    if row["kind"] != "checker" or not row["no_legal"]:
        return False
    return any(board != row["board"] for board in possible_moves(row["board"], *row["dice"]))


def question(game, number, row):
    situation = Situation(
        position_of(row["board"]),
        row["cube_value"],
        OWNERS[row["cube_owner"]],
        row["away1"],
        row["away2"],
        row["is_crawford"],
    )
    side = Side.WHITE if row.get("is_p1", row.get("is_doubler_p1")) else Side.BLACK
    ref = f"{game}/{number}"
    if row["kind"] == "checker":
        dice = tuple(row["dice"])
        return CheckerQuestion(ref, game, number, side, situation, dice, position_of(row["board_played"]))
    response = Response(row["response"]) if row["response"] else None
    return CubeQuestion(ref, game, number, side, situation, row["doubled"], response, f"{ref}r", number)


def position_of(board):
    """The text of a bgsage board: 26 numbers from the player on roll, both bars as plain counts."""
    points = "".join(map(_letter, board[1:25]))
    return f"{_letter(-board[0])}{points}{_letter(board[25])}"


def _letter(count):
    if not count:
        return "-"
    return chr(ord("A") + count - 1) if count > 0 else chr(ord("a") - count - 1)


def children_of(pid):
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = stat.read_text().rpartition(")")[2].split()[1]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(parent) == pid:
            yield int(stat.parent.name)
