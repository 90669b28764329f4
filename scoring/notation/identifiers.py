"""A position in every notation that programs exchange: XGID, Position ID with Match ID, OGID.

An `Xgid` says most and is what the others are read into. What the text does not say is as in a game of money
play without a roll, with Jacoby and beavers: a Position ID alone has neither score nor cube.
"""

import re
from dataclasses import dataclass
from urllib.parse import parse_qs

from scoring.notation.match_id import MatchId, decode_match_id, encode_match_id
from scoring.notation.ogid import CubeAction, Ogid, decode_ogid, encode_ogid
from scoring.notation.position_id import decode_position_id, encode_position_id
from scoring.notation.xgid import Offer, Xgid, decode_xgid, encode_xgid
from scoring.rules.errors import InvalidNotation, InvalidValue
from scoring.rules.position import Position
from scoring.rules.sides import Side

LONGEST_TEXT = 500
_XGID_FIELDS, _POSITION_LENGTH, _MATCH_LENGTH = 10, 14, 12
_OGID = re.compile(r"[0-9a-o]*:[1-9a-p]*:[NWB]\d", re.ASCII)
_NAMED_POSITION = re.compile(r"Position ID\s*:?\s*(?P<id>[A-Za-z0-9+/]+)")
_NAMED_MATCH = re.compile(r"Match ID\s*:?\s*(?P<id>[A-Za-z0-9+/]+)")


@dataclass(frozen=True, slots=True)
class Identifiers:
    """One position in each notation; "" where a notation cannot hold it."""

    xgid: str
    position_id: str
    match_id: str
    ogid: str


def read_identifier(text: str) -> Xgid:
    """Read an XGID, a Position ID with or without a Match ID, an OGID, or a link that holds an XGID.

    Raises InvalidNotation for text that cannot be read, InvalidValue for a position, cube or score that
    cannot be.

    >>> encode_xgid(read_identifier("4HPwATDgc/ABMA"))
    '-b----E-C---eE---c-e----B-:0:0:1:00:0:0:3:0:10'
    >>> encode_xgid(read_identifier("4HPwATDgc/ABMA:cAngAAAAAAAA"))
    '-b----E-C---eE---c-e----B-:0:0:-1:00:0:0:0:7:10'
    """
    text = text.strip()
    if not text or len(text) > LONGEST_TEXT:
        raise InvalidNotation("unknown_identifier", "Paste an XGID, a Position ID or an OGID.", at=0)
    if text.startswith(("http://", "https://")):
        [linked] = parse_qs(text.partition("?")[2].partition("#")[0]).get("xgid", [""])[:1]
        return read_identifier(linked)
    named, match = _NAMED_POSITION.search(text), _NAMED_MATCH.search(text)
    if named:
        return _from_ids(named["id"], match["id"] if match else "")
    if _OGID.match(text):
        return _from_ogid(decode_ogid(text))
    if text.startswith("XGID=") or text.count(":") == _XGID_FIELDS - 1:
        return decode_xgid(text.split()[0])
    position, _, match_text = text.replace(" ", ":").partition(":")
    if len(position) == _POSITION_LENGTH and len(match_text) in {0, _MATCH_LENGTH}:
        return _from_ids(position, match_text)
    raise InvalidNotation(
        "unknown_identifier",
        "“{text}” is not an XGID, Position ID or OGID. Paste one of these.",
        at=0,
        text=text[:80],
    )


def identifiers_of(seen: Xgid) -> Identifiers:
    """The same position in each notation."""
    own = seen.position if seen.turn is Side.WHITE else seen.position.flipped()
    return Identifiers(
        f"XGID={encode_xgid(seen)}", encode_position_id(own), _match_id(seen), encode_ogid(_ogid(seen))
    )


def _match_id(seen: Xgid) -> str:
    if seen.offer in {Offer.BEAVER, Offer.RACCOON}:
        return ""
    doubled = seen.offer is Offer.DOUBLE
    try:
        return encode_match_id(
            MatchId(
                cube=seen.cube,
                on_roll=seen.turn,
                turn=seen.turn.other if doubled else seen.turn,
                doubled=doubled,
                crawford=seen.crawford,
                roll=seen.roll,
                length=seen.length,
                white=seen.white,
                black=seen.black,
                jacoby=seen.jacoby or bool(seen.length),
            )
        )
    except InvalidValue:  # a cube beyond what it holds
        return ""


def _ogid(seen: Xgid) -> Ogid:
    return Ogid(
        position=seen.position,
        cube=seen.cube,
        action=CubeAction.OFFERED if seen.offer else CubeAction.NONE,
        roll=seen.roll,
        acted=seen.turn.other,
        white=seen.white,
        black=seen.black,
        length=seen.length,
        crawford=seen.crawford,
        post_crawford=bool(
            seen.length > 1 and not seen.crawford and seen.length - 1 in {seen.white, seen.black}
        ),
    )


def _from_ids(position_text: str, match_text: str) -> Xgid:
    own = decode_position_id(position_text)
    if not match_text:
        return Xgid(own, jacoby=True, beavers=True)
    match = decode_match_id(match_text)
    position = own if match.on_roll is Side.WHITE else own.flipped()
    return Xgid(
        position=position,
        cube=match.cube,
        turn=match.on_roll,
        roll=None if match.doubled else match.roll,
        offer=Offer.DOUBLE if match.doubled else None,
        white=match.white,
        black=match.black,
        crawford=match.crawford,
        jacoby=not match.length and match.jacoby,
        beavers=not match.length,
        length=match.length,
    )


def _from_ogid(value: Ogid) -> Xgid:
    offered = value.action is CubeAction.OFFERED
    return Xgid(
        position=_regular(value.position),
        cube=value.cube,
        turn=value.on_roll or Side.WHITE,
        roll=None if offered else value.roll,
        offer=Offer.DOUBLE if offered else None,
        white=value.white,
        black=value.black,
        crawford=value.crawford,
        jacoby=not value.length,
        beavers=not value.length,
        length=value.length,
    )


def _regular(position: Position) -> Position:
    if position.irregular:
        raise InvalidValue("irregular", "only positions with 15 checkers a side can be read")
    return position
