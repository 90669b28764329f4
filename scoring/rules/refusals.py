"""The sentences that refuse an entry, by name; those of plays are in :mod:`scoring.rules.explain`.

A scoresheet's page refuses in the same words (``static/scoring/rules/refusals.js``). ``{side}`` and
``{owner}`` are a side, for which an interface writes the player's name.
"""

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "not_now_opening": "{what} is not possible now: the opening roll comes next",
    "not_now_turn": "{what} is not possible now: {side} must roll or double",
    "not_now_offered": "{what} is not possible now: {side} must answer the double",
    "not_now_beavered": "{what} is not possible now: {side} must answer the beaver",
    "not_now_raccooned": "{what} is not possible now: {side} must answer the raccoon",
    "not_now_roll": "{what} is not possible now: {side} must roll",
    "not_now_moving": "{what} is not possible now: {side} must move",
    "not_now_resign_offered": "{what} is not possible now: {side} must answer the resignation",
    "not_now_over": "{what} is not possible now: the game is over",
    "not_playing": "the match is {status}",
    "after_roll": "no double after rolling: the roll is {roll}",
    "no_cube": "this game is played without the cube",
    "crawford": "no double in the Crawford game",
    "holland": "no double until both players have rolled twice after Crawford: {white} and {black} rolls",
    "not_owner": "{owner} owns the cube",
    "dead_cube": "a double at {score} can only help the opponent",
    "max_cube": "the cube limit is {limit}, not {value}",
    "no_beavers": "beavers are not allowed under these rules",
    "no_raccoons": "raccoons are not allowed under these rules",
    "not_closed_out": "{side} is not closed out and must roll",
    "premature_stands_roll": "a premature roll stands under these rules",
    "premature_stands_double": "a premature double stands under these rules",
    "die_valid": "a die on a checker is valid under these rules",
    "not_void": "the double is not {status}",
    "accepted_by_mover": "{side} cannot accept their own play",
    "jacoby": "a {win} does not count before the cube is turned (Jacoby)",
    "cube_off": "this game has no cube: it cannot be at {cube}",
    "cube_fell": "the cube is already at {now}, not {cube}",
    "pass_is_single": "a pass is a single game, not a {win}",
    "has_borne_off": "{side} has borne off a checker and cannot lose a {win}",
    "offer_open": "a double is offered: enter the answer first",
    "pass_pays_doubler": "after a pass {side} wins with the cube at {cube}, its value before the double",
    "in_game": "a game is in progress: record its result first",
    "final_points": "{side} cannot end with {points!r} points",
    "beyond_length": "{side} cannot end a match to {length} with {points} points",
    "no_winner": "{score} does not finish a match to {length}",
    "two_winners": "{white}-{black} is not a score in a match to {length}: both players would have won",
}
