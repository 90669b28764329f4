"""Positions that are analysed on their own: what is asked, and the questions that an engine gets.

A position is asked about in one form only (`Asked.plain`), whoever asks and however they wrote it, so that
the same question is answered once. What cannot be analysed is refused here in words that name the value.
"""

import hashlib
import json
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from scoring.codec import from_plain, to_plain
from scoring.engines.checks import both_closed_out, counts
from scoring.engines.requests import (
    AnalysisRequest,
    CheckerQuestion,
    CubeOwner,
    CubeQuestion,
    Question,
    Situation,
)
from scoring.notation.xgid import Offer, Xgid
from scoring.rules.errors import ScoringError
from scoring.rules.position import CHECKERS, OFF
from scoring.rules.sides import Side

HIGHEST_CUBE = 1024
LONGEST_AWAY = 25
"""In points: as far as the match equity table reaches."""
SCORES = range(2, 8)
"""The points needed, of both players, in the table of cube actions by score."""
REF = "1"


class CannotAnalyse(ScoringError):
    """A position, cube or score that no engine can be asked about."""


class Wanted(StrEnum):
    """What is to be found: the best play of a roll, the cube action, or the cube action at every score."""

    PLAY = "play"
    CUBE = "cube"
    SCORES = "scores"


@dataclass(frozen=True, slots=True)
class Asked:
    """A position to analyse on its own, seen by the player on roll.

    ``dice``    the higher first; None for the cube action before the roll.
    ``played``  the position after a play that is to be judged among the others, "" for none.
    ``jacoby`` and ``beavers`` belong to money play. For `Wanted.SCORES`, score and cube of ``situation`` are
    those of money play with a centred cube; they stand for no score in particular.
    """

    wanted: Wanted
    situation: Situation
    dice: tuple[int, int] | None = None
    played: str = ""
    jacoby: bool = False
    beavers: bool = False

    @property
    def plain(self) -> dict[str, Any]:
        """The one form of this question, as it is stored."""
        return dict(to_plain(self))

    @property
    def digest(self) -> str:
        """SHA-256 of the one form, as hexadecimal digits: equal questions, equal digests."""
        text = json.dumps(self.plain, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


def asked_from(plain: dict[str, Any]) -> Asked:
    """Undo `Asked.plain`."""
    asked: Asked = from_plain(Asked, plain, "asked")
    return asked


def asked_of(xgid: Xgid) -> Asked:
    """What an XGID asks: the best play of its roll, else the cube action of the player on roll.

    A double that waits for its answer asks for the cube action. Raises CannotAnalyse.
    """
    situation = _situation(xgid)
    money = not xgid.length
    if xgid.offer in {Offer.BEAVER, Offer.RACCOON}:
        raise CannotAnalyse(
            "beaver", "A beaver or raccoon cannot be analysed. Set the cube before it and no roll."
        )
    roll = xgid.roll
    if roll is None:
        _check_cube_action(xgid, situation)
    return Asked(
        Wanted.PLAY if roll else Wanted.CUBE,
        situation,
        dice=(roll.high, roll.low) if roll else None,
        jacoby=money and xgid.jacoby,
        beavers=money and xgid.beavers,
    )


def by_score(xgid: Xgid) -> Asked:
    """The cube action at every score, whatever the score is: with a centred cube, before Crawford.

    Raises CannotAnalyse.
    """
    return Asked(Wanted.SCORES, Situation(_board(xgid)))


def request_of(asked: Asked, *, preset: str) -> AnalysisRequest:
    """The questions to an engine."""
    return AnalysisRequest(_questions(asked), preset, jacoby=asked.jacoby, beavers=asked.beavers)


def _questions(asked: Asked) -> tuple[Question, ...]:
    if asked.wanted is Wanted.PLAY and asked.dice is not None:
        return (CheckerQuestion(REF, 1, 1, Side.WHITE, asked.situation, asked.dice, asked.played),)
    if asked.wanted is Wanted.CUBE:
        return (CubeQuestion(REF, 1, 1, Side.WHITE, asked.situation, doubled=False),)
    return tuple(
        CubeQuestion(
            f"{own}-{opponent}",
            1,
            1,
            Side.WHITE,
            replace(asked.situation, own_away=own, opponent_away=opponent),
            doubled=False,
        )
        for own in SCORES
        for opponent in SCORES
    )


def _board(xgid: Xgid) -> str:
    """The position's key, seen by the player on roll."""
    turn = xgid.turn
    position = xgid.position if turn is Side.WHITE else xgid.position.flipped()
    for side, slots in ((turn, position.own), (turn.other, position.opponent)):
        if slots[OFF] == CHECKERS:
            raise CannotAnalyse(
                "borne_off", "{side} has borne off all checkers: the game is over.", side=_name(side)
            )
    own, opponent = counts(position.key)
    if both_closed_out(own, opponent):
        raise CannotAnalyse(
            "closed_out", "Both players are on the bar against closed boards: no one can move."
        )
    return position.key


def _situation(xgid: Xgid) -> Situation:
    turn = xgid.turn
    key = _board(xgid)
    _check_score(xgid)
    _check_cube(xgid)
    owner = CubeOwner.CENTRED
    if xgid.cube.owner is not None:
        owner = CubeOwner.OWN if xgid.cube.owner is turn else CubeOwner.OPPONENT
    away = {Side.WHITE: xgid.length - xgid.white, Side.BLACK: xgid.length - xgid.black}
    return Situation(
        key,
        cube=xgid.cube.value,
        owner=owner,
        own_away=away[turn] if xgid.length else 0,
        opponent_away=away[turn.other] if xgid.length else 0,
        # At double match point no cube matters.
        crawford=xgid.crawford and set(away.values()) != {1},
    )


def _check_score(xgid: Xgid) -> None:
    if not xgid.length:
        return
    white, black = xgid.length - xgid.white, xgid.length - xgid.black
    if max(white, black) > LONGEST_AWAY:
        raise CannotAnalyse(
            "away",
            "A player who needs {away} points cannot be analysed: the match equity table ends at {longest}.",
            away=max(white, black),
            longest=LONGEST_AWAY,
        )
    if xgid.crawford and 1 not in {white, black}:
        raise CannotAnalyse(
            "crawford",
            "No Crawford game is played at {white}–{black} in a match to {length}: no player needs 1 point.",
            white=xgid.white,
            black=xgid.black,
            length=xgid.length,
        )


def _check_cube(xgid: Xgid) -> None:
    cube = xgid.cube
    if cube.value > HIGHEST_CUBE:
        raise CannotAnalyse(
            "cube", "A cube at {value} cannot be analysed. {highest} is the highest.",
            value=cube.value, highest=HIGHEST_CUBE,
        )  # fmt: skip
    if xgid.length and cube.owner is None and cube.value > 1:
        raise CannotAnalyse(
            "centred", "In a match the centred cube shows 1, not {value}. Choose its owner.", value=cube.value
        )


def _check_cube_action(xgid: Xgid, situation: Situation) -> None:
    side = xgid.turn
    if situation.owner is CubeOwner.OPPONENT:
        raise CannotAnalyse(
            "no_access",
            "{side} cannot double: {owner} owns the cube. Choose a roll to analyse a play.",
            side=_name(side),
            owner=_name(side.other),
        )
    if situation.crawford:
        raise CannotAnalyse(
            "crawford_cube", "No one can double in the Crawford game. Choose a roll to analyse a play."
        )
    if 0 < situation.own_away <= situation.cube:
        raise CannotAnalyse(
            "dead_cube",
            "A double cannot help {side}, who needs {away} and plays for {cube}. "
            "Choose a roll to analyse a play.",
            side=_name(side),
            away=situation.own_away,
            cube=situation.cube,
        )


def _name(side: Side) -> str:
    return side.value.capitalize()
