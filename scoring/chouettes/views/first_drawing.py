"""The table as the server renders it, equal to the script's first drawing.

The script then draws over it, in boxes of the same size. Controls, and what only the device knows, come with
the script.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from clubs.formats.dates import time_of_day

View = Mapping[str, Any]

MOST_NAMED = 4
"""Most players whom the line of recorders calls by name; the rest are counted."""
LIVE = {"open", "offered", "in_game"}
AWAY = {"out", "gone"}
PLAYS = {"box", "partner", "captain", "acting_captain", "crew"}
NAMED_ROLES = PLAYS - {"crew"} | AWAY
FIXED = {"chouette_start", "seat", "nothing"}
"""Kinds of log entries that cannot be corrected."""


@dataclass(frozen=True, slots=True)
class FirstTable:
    """The parts of the page; ``zone`` is the club's time zone."""

    view: View
    sentences: Mapping[str, str]
    zone: ZoneInfo

    def say(self, name: str, /, **values: object) -> str:
        return self.sentences[name] % values

    def named(self, ref: str) -> str:
        return next((one["name"] for one in self.view["players"] if one["ref"] == ref), ref)

    @property
    def writes(self) -> bool:
        return bool(self.view["may_write"])

    @property
    def state(self) -> str:
        if self.view["status"] != "open":
            return self.say("night_over")
        game = self.view["game"]
        return self.say("game_number", number=game["number"]) if game else self.say("between_games")

    # Notices ------------------------------------------------------------------------------------------------

    @property
    def announced(self) -> str:
        announced = self.view["house"]["announced"]
        return self.say("announced", title=announced["title"]) if announced else ""

    @property
    def asks_to_agree(self) -> bool:
        """Whether the viewer is at the table and has not agreed to the rules."""
        you = next((one for one in self.view["players"] if one["ref"] == self.view["you"]), None)
        return bool(you and not you["agreed"] and you["role"] not in AWAY and self.writes)

    @property
    def recorders(self) -> str:
        """Who can record at the table now."""
        if self.view["status"] != "open":
            return self.say("records_over")
        players = [one for one in self.view["players"] if one["role"] not in AWAY and one["records"]]
        others = [one["short"] for one in players if one["ref"] != self.view["you"]]
        named = others[: MOST_NAMED - 1] if len(others) > MOST_NAMED else others
        rest = len(others) - len(named)
        more = [self.say("records_more", count=rest)] if rest else []
        names = [self.say("records_you"), *named, *more, self.say("records_directors")]
        return self.say("records", names=", ".join(names))

    # Who sits where -----------------------------------------------------------------------------------------

    @property
    def seats(self) -> list[dict[str, Any]]:
        return [self.seat(one) for one in self.view["players"] if one["role"] not in AWAY]

    @property
    def aside(self) -> list[dict[str, Any]]:
        return [self.seat(one) for one in self.view["players"] if one["role"] in AWAY]

    def seat(self, player: View) -> dict[str, Any]:
        cubes = self.view["game"]["cubes"] if self.view["game"] else []
        own = next((cube for cube in cubes if cube["key"] == player["ref"]), None)
        extras = [cube for cube in cubes if cube["against"] and cube["player"] == player["ref"]]
        role = player["role"]
        is_named = role in NAMED_ROLES or (role == "waiting" and self.view["game"])
        return {
            **player,
            "mine": player["ref"] == self.view["you"],
            "role_words": self.say(f"role_{role}") if is_named else "",
            "notes": " · ".join(self.notes(player)),
            "tone": tone(player["points"]),
            "points": signed(player["points"]),
            "cube": own and self.cube(own),
            "extras": [
                {**self.cube(cube), "against": self.say("extra_of", name=self.named(cube["against"]))}
                for cube in extras
            ],
        }

    def notes(self, player: View) -> Iterator[str]:
        if player["ref"] == self.view["you"]:
            yield self.say("seat_yours")
        if player["role"] in PLAYS and player["presence"] != "playing":
            yield self.say("leaving")
        if player["proxy"]:
            yield self.say("proxy_is", name=player["proxy_name"])
        if not player["agreed"] and player["role"] not in AWAY:
            yield self.say("not_agreed")

    @property
    def asked(self) -> set[str]:
        """The doubles to answer now, those to the box first."""
        asked = [each for each in self.view["actions"] if each["kind"] == "answer"]
        box = next((one["ref"] for one in self.view["players"] if one["role"] == "box"), None)
        of_box = [each for each in asked if each["by"][0] == box]
        return {key for each in of_box or asked for key in each["cubes"]}

    def cube(self, cube: View) -> dict[str, Any]:
        asked = self.asked
        is_asked = cube["offered"] and len(asked) > 1 and cube["key"] in asked
        answers = self.writes and self.view["status"] == "open" and is_asked
        return {
            **cube,
            "value": cube["offered"]["value"] if cube["offered"] else cube["value"],
            "lies": self.lies(cube),
            "where": where(cube),
            "is_live": cube["state"] in LIVE,
            "is_asked": bool(answers),
        }

    def lies(self, cube: View) -> str:
        """The position of a cube in a word that fits on it."""
        if cube["offered"]:
            return self.say("cube_offered", value=cube["offered"]["value"])
        if cube["state"] not in LIVE:
            return self.say(f"cube_{cube['state']}")
        words = {"middle": "cube_middle", "box": "cube_box", "team": "cube_own"}.get(cube["owner"])
        return self.say(words) if words else self.named(cube["owner"])

    # The game that is on ------------------------------------------------------------------------------------

    @property
    def may_begin_board(self) -> bool:
        return bool(self.view["game"] and not self.view["board"] and self.writes)

    @property
    def mine(self) -> str:
        """The viewer's possible gains; "" without any."""
        ways = self.view["possible_gains"].get(self.view["you"]) if self.view["game"] else None
        if not ways:
            return ""
        box, box_gammon, team, team_gammon = (
            stake(ways.get(way)) for way in ("box_single", "box_gammon", "team_single", "team_gammon")
        )
        return self.say("mine_ways", box=box, box_gammon=box_gammon, team=team, team_gammon=team_gammon)

    # The paper ----------------------------------------------------------------------------------------------

    @property
    def lines(self) -> Iterator[dict[str, Any]]:
        """The log, newest entry first."""
        for line in reversed(self.view["lines"]):
            at = time_of_day(datetime.fromisoformat(line["at"]), self.zone)
            corrected = self.say("corrected") if line["corrected"] else ""
            correctable = self.writes and not line["undone"] and line["kind"] not in FIXED
            by = line["by"] and self.say("undone_by", name=line["by"]) if line["undone"] else line["by"]
            note = " · ".join(filter(None, (at, by, corrected)))
            yield {**line, "note": note, "correctable": correctable}

    @property
    def payments(self) -> Iterator[dict[str, Any]]:
        for payment in self.view["payments"]:
            at = payment["at"] and time_of_day(datetime.fromisoformat(payment["at"]), self.zone)
            yield {**payment, "recorded": " · ".join(filter(None, (at, payment["by"])))}

    @property
    def games(self) -> Iterator[dict[str, Any]]:
        for game in reversed(self.view["games"]):
            shares = [
                {**each, "name": self.named(each["ref"]), "tone": tone(each["points"])}
                | {"points": signed(each["points"])}
                for each in game["ledger"]
            ]
            yield {**game, "title": self.say("game_number", number=game["number"]), "shares": shares}


def signed(points: int) -> str:
    return f"+{points}" if points > 0 else f"−{-points}" if points < 0 else "0"


def tone(points: int) -> str:
    return "plus" if points > 0 else "minus" if points < 0 else ""


def stake(share: View | None) -> str:
    if share is None:
        return "–"
    return signed(share["points"]) + (f" ({share['money']})" if share["money"] else "")


def where(cube: View) -> str:
    """The side on which a cube is drawn."""
    if cube["state"] not in LIVE:
        return "over"
    if cube["owner"] == "middle":
        return "middle"
    return "box" if cube["owner"] in {"box", cube["against"]} else "own"
