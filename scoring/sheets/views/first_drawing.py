"""Server-side rendering of a scoresheet's first state, equal to the script's.

The script then draws over it, in boxes of the same size. What only a device knows comes with the script:
entries that wait there, its looks, its line; so does everything that can be touched.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.safestring import SafeString, mark_safe

from clubs.formats.dates import clock_face, moment, time_of_day
from scoring.drawing.board import TALL, WIDE, Layout, draw_board
from scoring.drawing.board_view import BoardView, DrawnCube
from scoring.rules.position import CHECKERS, Position
from scoring.rules.sides import Side

View = Mapping[str, Any]

# The board that is touched shares the screen with the dock: the points get the room, 44 units each and on the
# screen as many px, and the cube lies on the bar.
TOUCHED = replace(TALL, bar=44, tray=44, edge=2)
TOUCHED_WIDE = replace(
    WIDE, pitch=44, radius=20, stack=32, reach=176, middle=56, bar=44, tray=44, strip=22, slab=11, edge=6
)
NEXT = {
    "offered": "answer_double",
    "beavered": "answer_beaver",
    "raccooned": "answer_raccoon",
}
FIXED = {"match_start", "voided"}
"""Kinds of lines that cannot be corrected."""
WITHOUT_WINNER = {"double_no_show", "void"}
"""Endings without a winner, however many points a side had."""


@dataclass(frozen=True, slots=True)
class FirstDrawing:
    """The page's parts; ``writes`` if the viewer can record, ``zone`` the club's."""

    view: View
    sentences: Mapping[str, str]
    writes: bool
    zone: ZoneInfo

    def say(self, name: str, /, **values: object) -> str:
        return self.sentences[name] % values

    # The score ----------------------------------------------------------------------------------------------

    @property
    def sides(self) -> dict[str, dict[str, Any]]:
        game, clock = self.view["game"], self.view["clock"]
        is_on = self.view["status"] == "playing"
        return {
            side.value: {
                **self.view[side],
                "away": self.say("away", count=self.view[side]["away"]) if self.view["length"] else "",
                "pips": self.say("pips", count=game["pips"][side]),
                "penalty": self.say("by_penalty", count=count)
                if (count := self.view[side]["penalty_points"])
                else "",
                "turn": is_on and game["to_act"] == side,
                "clock": time_left(clock, side) if clock else "",
            }
            for side in Side
        }

    @property
    def status(self) -> str:
        """Status for spectators: who is next."""
        game, status = self.view["game"], self.view["status"]
        if status == "suspended":
            return self.say("suspended")
        if status == "over" or self.writes:
            return ""
        side = game["to_act"]
        if game["phase"] == "opening":
            return self.say("waiting_opening")
        name = self.view[side]["name"] if side else ""
        if game["phase"] == "moving":
            return self.say("to_move", name=name, roll="-".join(map(str, game["roll"] or ())))
        return self.say("waiting_for", name=name) if side else ""

    # The board ----------------------------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        return bool(self.view["status"] == "over")

    @property
    def is_between(self) -> bool:
        """Whether the level of detail can be chosen now."""
        is_open = self.view["game"]["phase"] == "opening" and self.view["status"] == "playing"
        return bool(is_open and self.writes)

    @property
    def boards(self) -> Iterator[tuple[str, SafeString]]:
        """The board for an upright and for a wide screen: the style sheet shows one of them."""
        if self.is_over:
            return
        for kind, layout in (("upright", TOUCHED), ("lying", TOUCHED_WIDE)):
            yield kind, self.board(kind, layout)

    def board(self, name: str, layout: Layout) -> SafeString:
        title = self.say("board_title")
        drawing = draw_board(board_seen(self.view), name=f"first-{name}", title=title, layout=layout)
        return mark_safe(drawing)  # noqa: S308 - built by us; all words in it are escaped

    @property
    def big_dice(self) -> str:
        return "–".join(map(str, self.view["game"]["roll"] or ()))

    # The dock ----------------------------------------------------------------------------------------------

    @property
    def is_moving(self) -> bool:
        return bool(self.view["game"]["phase"] == "moving")

    @property
    def holds(self) -> str:
        """What the dock holds, by which it is as high: ``row``, ``rows`` or ``rolls``."""
        if self.view["status"] == "playing" and self.view["game"]["phase"] in ("turn", "roll"):
            return "rolls"
        return "row" if self.is_moving else "rows"

    @property
    def dock(self) -> str:
        """The next entry in words; "" for spectators. The script adds the buttons."""
        if not self.writes or self.is_over:
            return ""
        return self.say("suspended") if self.view["status"] == "suspended" else self.next_entry()

    def next_entry(self) -> str:
        game = self.view["game"]
        phase, offer = game["phase"], game["resign_offered"]
        if phase == "opening":
            return self.say("opening_first", name=self.view["white"]["name"])
        name = self.view[game["to_act"]]["name"] if game["to_act"] else ""
        if phase == "moving":
            can_move = self.view["plays"] is None or self.view["plays"]["sequences"]
            words = "to_move" if can_move else "no_move"
            return self.say(words, name=name, roll="-".join(map(str, game["roll"] or ())))
        if phase == "resign_offered":
            by = self.view[offer["by"]]["name"]
            return self.say(f"resigned_{offer['level']}", name=by, other=name)
        if phase in ("turn", "roll"):
            may_double = any(action["kind"] == "double" for action in self.view["actions"])
            return self.say("to_roll" if may_double else "to_roll_only", name=name)
        value = game["cube"]["offered"] or game["cube"]["value"]
        return self.say(NEXT[phase], name=name, value=value) if phase in NEXT else ""

    # The result ---------------------------------------------------------------------------------------------

    @property
    def result_words(self) -> str:
        white, black, result = self.view["white"], self.view["black"], self.view["result"]
        winner = (result["winner"] if result else "") or ahead(white["points"], black["points"])
        if not winner or self.view["ending"] in WITHOUT_WINNER:
            return self.say("over_without")
        won, lost = (white, black) if winner == "white" else (black, white)
        return self.say("wins_match", name=won["name"], points=won["points"], other=lost["points"])

    @property
    def result_state(self) -> str:
        result = self.view["result"] or {}
        if result.get("final"):
            return self.say("result_final")
        names, until = result.get("waiting_for"), result.get("dispute_until")
        waits = self.say("result_waiting", names=", ".join(names)) if names else ""
        at = moment(datetime.fromisoformat(until), self.zone) if until else ""
        return f"{waits} {self.say('result_until', at=at)}" if until else waits

    # The paper ----------------------------------------------------------------------------------------------

    @property
    def games(self) -> Iterator[dict[str, Any]]:
        for game in self.view["games"]:
            points = {side: min(game[side], self.view["length"] or game[side]) for side in ("white", "black")}
            yield {
                **game,
                **points,
                "winner": self.view[game["winner"]]["name"] if game["winner"] else "–",
                "sign": self.say("crawford_short") if game["crawford"] else "",
                "how": f"{self.say('win_' + game['win'])}, {self.say('ended_' + game['ended'])}",
            }

    @property
    def lines(self) -> Iterator[dict[str, Any]]:
        """The log lines, newest first."""
        for line in reversed(self.view["lines"]):
            corrected = self.say("corrected") if line["corrected"] else ""
            at = time_of_day(datetime.fromisoformat(line["at"]), self.zone)
            note = filter(None, (at, corrected, line["note"]))
            correctable = self.writes and not line["undone"] and line["kind"] not in FIXED
            yield {**line, "note": " · ".join(note), "correctable": correctable}


def ahead(white: int, black: int) -> str:
    """The side with more points, "" for neither."""
    return "" if white == black else "white" if white > black else "black"


def board_seen(view: View) -> BoardView:
    """What the board shows of the view, from the reader's side."""
    game = view["game"]
    side = Side(game["on_roll"] if game["phase"] == "moving" else game["to_act"] or Side.WHITE)
    own, opponent = tuple(game["position"][side]), tuple(game["position"][side.other])
    cube, to_act = game["cube"], game["to_act"] if game["phase"] != "opening" else None
    drawn = DrawnCube(
        value=cube["offered"] or cube["value"],
        owner=Side(cube["owner"]) if cube["owner"] else None,
        offered_to=Side(game["to_act"]) if cube["offered"] else None,
    )
    return BoardView(
        position=Position(own, opponent, irregular={sum(own), sum(opponent)} != {CHECKERS}),
        on_roll=side,
        bottom=Side(view["your_side"] or Side.WHITE),
        cube=drawn if cube["in_use"] and view["crawford"] != "now" and view["length"] != 1 else None,
        roll=dice_on_board(game["roll"]) if game["phase"] == "moving" and game["roll"] else None,
        turn=to_act is not None,
    )


def dice_on_board(roll: Sequence[int]) -> tuple[int, ...]:
    """The dice as they lie on the board: four of a double."""
    return (roll[0],) * 4 if roll[0] == roll[1] else tuple(roll)


def time_left(clock: View, side: Side) -> str:
    """What the clock of a side shows: minutes and seconds. The delay is free."""
    left = timedelta(milliseconds=clock[f"{side.value}_ms"])
    if clock["running"] == side and clock["since"]:
        gone = datetime.fromisoformat(clock["now"]) - datetime.fromisoformat(clock["since"])
        left -= max(gone - timedelta(milliseconds=clock["delay_ms"]), timedelta())
    seconds = -(-abs(left) // timedelta(seconds=1))
    return clock_face(-seconds if left < timedelta() else seconds)
