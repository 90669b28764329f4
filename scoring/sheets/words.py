"""What the scoresheet's script says, in the reader's language: sentences by name, with ``%(values)s``."""

from string import Formatter

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.rules import explain, refusals

SENTENCES: dict[str, str | Promise] = {
    # sides, places, numbers
    "white": _("White"),
    "black": _("Black"),
    "bar": _("bar"),
    "off": _("off"),
    "tray": _("the tray"),
    "point_name": _("%(point)s point"),
    "place": _("%(place)s: %(own)s of yours, %(theirs)s of the opponent’s"),
    "place_from": _("%(place)s: %(own)s of yours, can move to %(to)s"),
    "away": _("%(count)s away"),
    "pips": _("%(count)s pips"),
    "by_penalty": _("penalty +%(count)s"),
    "length": _("to %(count)s"),
    "money": _("money"),
    "crawford": _("Crawford game"),
    "crawford_short": _("Crawford"),
    "game_number": _("Game %(number)s"),
    # the board in words
    "board_title": _("Board"),
    "words_side": _("%(name)s (%(side)s): %(places)s. Pip count %(pips)s."),
    "words_point": _("%(point)s point %(count)s"),
    "words_bar": _("bar %(count)s"),
    "words_off": _("off %(count)s"),
    "words_no_cube": _("No cube in the Crawford game."),
    "words_no_cube_short": _("No cube in a match to one point."),
    "words_cube_centred": _("The cube is centred at %(value)s."),
    "words_cube_owned": _("%(name)s owns the cube at %(value)s."),
    "words_cube_offered": _("The cube is offered at %(value)s."),
    "cube_label": _("Double. %(words)s"),
    "dice_swap": _("Swap dice: %(roll)s"),
    "dice_up": _("Pick up dice: %(roll)s"),
    # the dock
    "opening_first": _("Opening roll: %(name)s’s die"),
    "opening_second": _("Opening roll: %(name)s’s die now"),
    "to_roll": _("%(name)s to roll or double"),
    "to_roll_only": _("%(name)s to roll"),
    "second_die": _("%(name)s: %(value)s and …"),
    "to_move": _("%(name)s to play %(roll)s"),
    "no_move": _("%(name)s cannot move with %(roll)s"),
    "no_move_done": _("Pass the dice"),
    "forced": _("forced"),
    "as_it_stood": _("move the checkers to where they were left"),
    "done": _("Done"),
    "not_complete": _("More of this roll can be played. Use as many dice as possible."),
    "undo": _("Undo"),
    "undo_roll": _("Change roll"),
    "take_back": _("Undo: %(what)s"),
    "die": _("Die %(value)s"),
    "roll": _("Roll %(roll)s"),
    "dice": _("Dice"),
    "next_dice": _("Opponent’s next dice"),
    "double": _("Double"),
    "double_to": _("Double to %(value)s"),
    "no_double": _("No double is possible now."),
    "resign": _("Resign"),
    "resigns": _("%(name)s resigns"),
    "level_1": _("a single"),
    "level_2": _("a gammon"),
    "level_3": _("a backgammon"),
    "no_roll": _("Closed out"),
    "answer_double": _("%(name)s: take at %(value)s, or pass?"),
    "answer_beaver": _("%(name)s: accept the beaver at %(value)s?"),
    "answer_raccoon": _("%(name)s: accept the raccoon at %(value)s?"),
    "take": _("Take"),
    "pass": _("Pass"),
    "beaver": _("Beaver"),
    "raccoon": _("Raccoon"),
    "resigned": _("%(other)s: accept the resignation?"),
    "resigned_1": _("%(name)s resigns a single. %(other)s: accept?"),
    "resigned_2": _("%(name)s resigns a gammon. %(other)s: accept?"),
    "resigned_3": _("%(name)s resigns a backgammon. %(other)s: accept?"),
    "accept": _("Accept"),
    "refuse": _("Refuse"),
    # why not
    "cannot_move_there": _("No checker can go there with these dice."),
    "cannot_go": _("%(from)s/%(to)s is not possible with %(roll)s."),
    # state
    "waiting_for": _("%(name)s is next"),
    "waiting_opening": _("The opening roll is next"),
    "suspended": _("The match is suspended."),
    "resume": _("Resume match"),
    "offline_now": _("offline"),
    "keep_recording": _("keep recording"),
    "unsent_now": _("%(count)s unsent"),
    "unsent_minutes": _("%(count)s unsent, %(minutes)s min"),
    "unsent_hours": _("%(count)s unsent, %(hours)s h"),
    "needs_line": _("This needs a connection. Nothing has changed."),
    "unkept": _("This device cannot store entries. Keep this page open until they are sent: %(count)s."),
    "blocked": _("This device can no longer record here: %(detail)s"),
    "forget_all": _("Discard unsent entries: %(count)s"),
    "not_allowed": _(
        "you are signed out or can no longer score this match. Sign in or open your scoring link again. Your"
        " entries are kept."
    ),
    "stranger": _(
        "This page was opened by %(name)s, but someone else is signed in now. Unsent entries kept until"
        " %(name)s signs in here again: %(count)s."
    ),
    "load_again": _("Reload page"),
    "dismiss": _("Dismiss"),
    "kept_login": _("Entries waiting on this device for %(name)s to sign in: %(count)s."),
    "kept_code": _("Entries made on this device with a code and waiting for it: %(count)s."),
    "adopt": _("Enter as mine"),
    "same_entered": _("Someone else already entered this. It is recorded once."),
    "changed_meanwhile": _("The scoresheet has changed: %(what)s"),
    "refused": _("Entry refused: %(what)s. %(detail)s"),
    "refused_open": _("Correct entry"),
    "video_at": _("Video at %(time)s"),
    "later_entries": _("Later entries not sent yet: %(count)s."),
    "typed_unsent": _("Lines not sent yet: %(count)s. They are sent once you are online."),
    "flag": _("flag"),
    "clock_begin": _("Tap to start"),
    "clock_delay": _("Delay %(seconds)s"),
    "clock_runs": _("%(name)s’s clock is running: %(time)s. Press it."),
    "clock_stands": _("%(name)s’s clock: %(time)s"),
    # the result
    "wins_match": _("%(name)s wins %(points)s–%(other)s"),
    "penalty_ends": _("%(points)s penalty points end the match: %(result)s."),
    "over_without": _("The match ended without a winner."),
    "result_final": _("Final."),
    "result_unsent": _("Not sent yet."),
    "result_waiting": _("Waiting for %(names)s to confirm."),
    "result_until": _("Final on %(at)s unless disputed."),
    # lines of the log that are not sent yet
    "badge_unsent": _("unsent"),
    "badge_unchecked": _("unchecked"),
    "said_opening": _("opening roll %(white)s-%(black)s"),
    "said_roll": _("%(name)s rolls %(roll)s"),
    "said_play": _("%(name)s plays %(play)s"),
    "said_no_move": _("%(name)s cannot move"),
    "said_double": _("%(name)s doubles"),
    "said_take": _("%(name)s takes"),
    "said_pass": _("%(name)s passes"),
    "said_beaver": _("%(name)s beavers"),
    "said_raccoon": _("%(name)s raccoons"),
    "said_resign": _("%(name)s resigns"),
    "said_accept": _("%(name)s accepts the resignation"),
    "said_refuse": _("%(name)s refuses the resignation"),
    "said_no_roll": _("%(name)s is closed out"),
    "said_single": _("Game %(number)s: %(name)s wins a single, cube %(cube)s"),
    "said_gammon": _("Game %(number)s: %(name)s wins a gammon, cube %(cube)s"),
    "said_backgammon": _("Game %(number)s: %(name)s wins a backgammon, cube %(cube)s"),
    "said_score": _("final score %(white)s–%(black)s"),
    "said_match_end": _("match ended"),
    "said_suspend": _("match suspended"),
    "said_resume": _("match resumed"),
    "said_set_length": _("match length corrected to %(n)s"),
    "said_penalty": _("penalty points to %(name)s: %(points)s"),
    "said_set_position": _("position set"),
    "said_ruling": _("ruling"),
    "said_voided": _("removed"),
    "said_match_start": _("match started"),
    # games
    "win_single": _("single"),
    "win_gammon": _("gammon"),
    "win_backgammon": _("backgammon"),
    "ended_borne_off": _("borne off"),
    "ended_pass": _("pass"),
    "ended_resignation": _("resignation"),
    "form_winner": _("Choose who won the game."),
    "form_points": _("Enter both scores."),
    "preview_game": _("%(name)s wins a %(win)s: %(white)s–%(black)s"),
    "preview_match": _("%(name)s wins a %(win)s and the match: %(white)s–%(black)s"),
    # corrections and typing
    "correct": _("Correct"),
    "corrected": _("corrected"),
    "undone_what": _("Undone: %(what)s"),
    "earlier": _("Earlier entries"),
    "correct_line": _("Correct: %(what)s"),
    "does_not_fit": _("With this correction “%(line)s” no longer fits: %(reason)s"),
    "only_away": _("This entry can only be removed."),
    "unreadable_dice": _("“%(text)s” is not a roll. Type two dice, such as 31."),
    "unreadable_point": _("“%(text)s” is not a point: 1 to 24, bar or off."),
    "unreadable_play": _("“%(text)s” is not a move. Type it like 8/5."),
    "unreadable_checkers": _("“%(text)s” is not a position. Type points and checkers, such as 13:5."),
    "typed_again": _("Refused line"),
    "enter_again": _("Enter it"),
    "leave_out": _("Discard"),
    "claim_made": _(
        "Anyone with this link can score this match for 24 hours or until the result is final. The link is"
        " shown only once."
    ),
    "claim_qr": _("Scoring link as a QR code"),
    "claims_ended": _("Scoring links revoked: %(count)s."),
}


def sheet_words() -> dict[str, str]:
    """Every sentence in the reader's language, the rules' refusals among them."""
    refused = {
        f"{of}_{name}": with_percents(gettext(template))
        for of, words in (("illegal", explain.WORDS), ("refused", refusals.WORDS))
        for name, template in words.items()
    }
    return {name: str(sentence) for name, sentence in SENTENCES.items()} | refused


def with_percents(template: str) -> str:
    """A template of the rules with ``%(values)s`` in place of its ``{fields}``."""
    parts = Formatter().parse(template)
    return "".join(words + (f"%({name})s" if name else "") for words, name, _spec, _how in parts)
