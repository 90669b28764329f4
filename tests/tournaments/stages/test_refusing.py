"""Every refusal of a draw that somebody can meet at a desk: its code, and the sentence about the people.

A table: the code, what somebody does on a real draw, what is said. A new refusal gets a row and a sentence,
or a place among those that nobody meets, with the reason.
"""

import ast
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.urls import reverse
from django.utils.timezone import now

from clubs.models import Role, Scope, Title
from scoring.rules.endings import Ending
from scoring.sheets.services.decisions import DirectedResult
from scoring.signals import ResultRefused
from tests.clubs.api.clients import with_token
from tests.factories import member
from tests.tournaments.factories import (
    a_player,
    an_event,
    drawn,
    open_pairings,
    other_side,
    pairing,
    win,
)
from tests.tournaments.leagues.test_leagues import league
from tests.tournaments.stages.test_rounds_by_hand import a_swiss, waiting_for
from tournaments.core.formats.presets import PRESETS
from tournaments.core.ladders.ladder import LadderOptions
from tournaments.core.play import acts
from tournaments.core.rounds.keizer import KeizerOptions
from tournaments.core.stages import errors
from tournaments.core.stages.entrants import Entrant
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.outcomes import Gone
from tournaments.desk.services.departures import leave
from tournaments.desk.services.previews import preview_correction, preview_reopening
from tournaments.desk.services.results import match_of, reopen_result
from tournaments.entries.services.late_entries import come_back, enter_late, replace
from tournaments.events.event_templates import TEMPLATES
from tournaments.events.plans import StagePlan
from tournaments.leagues.services import challenge
from tournaments.models import EntrantRow, ForbiddenKind, PairingRow, StageRow
from tournaments.stages.services.draws import draw_stage
from tournaments.stages.services.forbidden import forbid
from tournaments.stages.services.refusals import in_names, sides_of
from tournaments.stages.services.round_absences import miss_round
from tournaments.stages.services.rounds import pair_round
from tournaments.stages.services.settling import settle_tie
from tournaments.stages.services.stages import load
from tournaments.words.refusals import ENTRANTS, MATCHES, SENTENCES, words_of

CORE = Path(errors.__file__).parents[1]

Attempt = tuple[Callable[[], object], str]


def director_of(stage: StageRow):
    return member(stage.flight.event.club, Role.DIRECTOR)


def somebody(stage: StageRow, name: str = "Zoe"):
    return a_player(stage.flight.event.club, name)


def meeting(row: PairingRow) -> str:
    return f"{row.a.title} – {other_side(row).title}"


def too_few(players: int, format_key: str) -> Callable[[], object]:
    """Draw a field that is too small for the format."""
    event = an_event(players, format_key=format_key)
    return lambda: draw_stage(stage=StageRow.objects.get(flight__event=event), user=None)


def one_is_drawn() -> Attempt:
    return too_few(1, "knockout"), "Main needs at least 2 entrants and has 1. Add entrants first."


def late_without_a_bye() -> Attempt:
    stage = drawn(an_event(4))
    zoe = somebody(stage)
    return lambda: enter_late(stage=stage, players=[zoe], user=None), (
        "Main has no place left for Zoe: no bye is available. You can substitute an entrant who has "
        "not played yet."
    )


def late_without_a_life() -> Attempt:
    stage = drawn(an_event(4, format_key="lives"))
    director, zoe = director_of(stage), somebody(stage)
    for _round in range(2):
        for row in open_pairings(stage):
            win(row, director)
    return lambda: enter_late(stage=stage, players=[zoe], user=None), (
        "Zoe would have no lives left: Main gives 3, and each of its 3 rounds so far would cost one."
    )


def late_in_a_schedule() -> Attempt:
    stage = drawn(an_event(4, format_key="round_robin"))
    zoe = somebody(stage)
    return lambda: enter_late(stage=stage, players=[zoe], user=None), (
        "The schedule of Main is published and has no place for Zoe. You can substitute an entrant who "
        "has not played yet."
    )


def left_twice() -> Attempt:
    stage = drawn(an_event(4))
    director, row = director_of(stage), pairing(stage, 1)
    leave(entrant=row.a, user=director)
    return lambda: leave(entrant=row.a, user=director), f"{row.a.title} has already withdrawn."


def reopened_without_an_opponent() -> Attempt:
    stage = drawn(an_event(4))
    director, row = director_of(stage), pairing(stage, 1)
    win(row, director)
    leave(entrant=row.a, user=director)
    seen = StageRow.objects.get(pk=stage.pk).head_seq
    return lambda: reopen_result(pairing=row, seen=seen, user=director, reason="mistyped"), (
        f"{row.a.title} has withdrawn, so {meeting(row)} cannot be replayed. Correct the result "
        "instead of undoing it."
    )


def back_without_leaving() -> Attempt:
    stage = drawn(an_event(4))
    entrant = pairing(stage, 1).a
    return lambda: come_back(entrant=entrant, user=None), (f"{entrant.title} has not withdrawn.")


def back_from_a_disqualification() -> Attempt:
    stage = drawn(an_event(8, format_key="swiss_3"))
    entrant = pairing(stage, 1).a
    leave(entrant=entrant, user=director_of(stage), how=Gone.DISQUALIFIED)
    return lambda: come_back(entrant=entrant, user=None), (
        f"{entrant.title} was disqualified and cannot be reinstated. If that was a mistake, undo it in "
        "the event’s log."
    )


def back_where_others_have_played_on() -> Attempt:
    stage = drawn(an_event(16))
    director = director_of(stage)
    gone = pairing(stage, 1).a
    win(pairing(stage, 1), director)
    leave(entrant=gone, user=director)
    # The winner of match 2 has nobody to play in the quarter-final and goes on to the semi-final at once.
    for number in (2, 3, 4, 10, 13):
        win(pairing(stage, number), director)
    return lambda: come_back(entrant=gone, user=director), (
        f"{gone.title} cannot be reinstated: {meeting(pairing(stage, 13))} has been played since the "
        "withdrawal."
    )


def a_place_that_was_played_on() -> Attempt:
    stage = drawn(an_event(4))
    row, zoe = pairing(stage, 1), somebody(stage)
    win(row, director_of(stage))
    return lambda: replace(entrant=row.a, players=[zoe], user=None), (
        f"{row.a.title} has already played and cannot be substituted, only withdrawn."
    )


def a_second_round(players: int = 5, *, gone: bool = False):
    """A Swiss whose second round waits, its director, who has left, and who is in it."""
    stage, director, first = a_swiss(players)
    for row in first:
        win(row, director)
    left = first[0].a
    if gone:
        leave(entrant=left, user=director)
    return stage, director, left, [each.ref for each in waiting_for(stage).present]


def title(ref: str) -> str:
    return EntrantRow.objects.with_players().get(ref=ref).title


def paired_with_the_own_shadow() -> Attempt:
    stage, director, _gone, (one, two, three, four, five) = a_second_round()
    pairs = [(one, one), (two, three), (four, five)]
    return lambda: pair_round(stage=stage, user=director, pairs=pairs), (
        f"{title(one)} cannot play {title(one)}. Choose another opponent or give a bye."
    )


def paired_twice() -> Attempt:
    stage, director, _gone, (one, two, three, four, five) = a_second_round()
    pairs = [(one, two), (three, two), (four, five)]
    return lambda: pair_round(stage=stage, user=director, pairs=pairs), (
        f"{title(two)} is in two pairings of round 2. Pair each entrant once."
    )


def paired_though_gone() -> Attempt:
    stage, director, gone, (one, two, three, four) = a_second_round(gone=True)
    pairs = [(one, two), (three, four), (gone.ref, "")]
    return lambda: pair_round(stage=stage, user=director, pairs=pairs), (
        f"{gone.title} has withdrawn and is not in round 2. Pair the others, or reinstate {gone.title} first."
    )


def a_keizer(players: int = 4, rounds: int = 10):
    """A Keizer whose second round waits, its director and its entrants."""
    stage = league(
        *("Ana", "Ben", "Cleo", "Dora")[:players],
        stage=StagePlan("Keizer", "keizer", KeizerOptions(rounds=rounds), 3, rounds_wait=True),
    )
    director = member(stage.flight.event.club, Role.DIRECTOR)
    for row in open_pairings(stage):
        win(row, director)
    return stage, director, list(EntrantRow.objects.filter(flight=stage.flight).with_players().order_by("pk"))


def paired_though_absent() -> Attempt:
    stage, director, (ana, ben, cleo, dora) = a_keizer()
    miss_round(stage=stage, entrant=ana, user=director)
    pairs = [(ana.ref, ben.ref), (cleo.ref, dora.ref)]
    return lambda: pair_round(stage=stage, user=director, pairs=pairs), (
        "Ana is absent from round 2. Pair the others, or undo the absence first."
    )


def absent_from_a_swiss() -> Attempt:
    stage, director, left, _present = a_second_round()
    return lambda: miss_round(stage=stage, entrant=left, user=director), (
        f"{stage.name} has no absences: only a Keizer has them. "
        "Withdraw the entrant, and reinstate them later."
    )


def absent_after_the_last_round() -> Attempt:
    stage, director, (ana, *_others) = a_keizer(rounds=2)
    pair_round(stage=stage, user=director)
    return lambda: miss_round(stage=stage, entrant=ana, user=director), (
        "Round 2 is the last of Keizer: there is none to be absent from."
    )


def nearly_all_absent() -> Attempt:
    stage, director, (_ana, ben) = a_keizer(2)
    return lambda: miss_round(stage=stage, entrant=ben, user=director), (
        "Without Ben fewer than 2 would play round 2 of Keizer. Undo another absence first."
    )


def a_ladder(reach: int = 1):
    """A ladder whose first period is over but for what the second has brought, and its rungs from the top."""
    options = LadderOptions(periods=2, reach=reach, seeding="hand")
    names = ("Ana", "Ben", "Cleo", "Dora")
    stage = league(*names, stage=StagePlan("Ladder", "ladder", options, 3))
    return stage, list(
        EntrantRow.objects.filter(flight=stage.flight).with_players().order_by("numbers__number")
    )


def challenged_in_a_league() -> Attempt:
    stage = league("Ana", "Ben")
    ana, ben = EntrantRow.objects.filter(flight=stage.flight).order_by("numbers__number")
    return lambda: challenge(stage=stage, challenger=ben, challenged=ana, user=None), (
        "League is not a ladder and has no challenges."
    )


def challenged_after_leaving() -> Attempt:
    stage, (ana, ben, *_others) = a_ladder()
    leave(entrant=ana, user=director_of(stage))
    return lambda: challenge(stage=stage, challenger=ben, challenged=ana, user=None), (
        "Ana has withdrawn from this ladder. Reinstated players can play challenges again."
    )


def challenged_while_playing() -> Attempt:
    stage, (ana, ben, *_others) = a_ladder()
    return lambda: challenge(stage=stage, challenger=ben, challenged=ana, user=None), (
        f"Ben has a match to play first: {meeting(pairing(stage, 1))}."
    )


def free_ladder(reach: int = 1):
    """A ladder on which Ana, at the top, and Dora, at the bottom, have nothing to play."""
    stage, entrants = a_ladder(reach)
    director = director_of(stage)
    for row in open_pairings(stage):
        win(row, director)
    return stage, entrants


def challenged_too_far_above() -> Attempt:
    stage, (ana, *_others, dora) = free_ladder()
    return lambda: challenge(stage=stage, challenger=dora, challenged=ana, user=None), (
        "Ana is 3 rungs above Dora. A challenge can reach at most 1."
    )


def challenged_from_above() -> Attempt:
    stage, (ana, *_others, dora) = free_ladder()
    return lambda: challenge(stage=stage, challenger=ana, challenged=dora, user=None), (
        "Dora is not above Ana. Challenges go up the ladder."
    )


def corrected_after_its_players_have_gone() -> Attempt:
    stage = drawn(an_event(4))
    director = director_of(stage)
    for row in open_pairings(stage):
        win(row, director)
    (final,) = open_pairings(stage)
    seen = StageRow.objects.get(pk=stage.pk).head_seq
    reopen_result(pairing=pairing(stage, 1), seen=seen, user=director, reason="mistyped", decided=True)
    decision = DirectedResult("white", (3, 0), Ending.PLAYED)
    # The page was made while the final still had both.
    return lambda: preview_correction(pairing=final, decision=decision), (
        "The draw has changed: this match is waiting for its entrants. Reload the page and try again."
    )


def reopened_twice() -> Attempt:
    stage = drawn(an_event(4))
    director = director_of(stage)
    win(pairing(stage, 1), director)
    row = pairing(stage, 1)
    seen = StageRow.objects.get(pk=stage.pk).head_seq
    reopen_result(pairing=row, seen=seen, user=director, reason="mistyped")
    return lambda: preview_reopening(pairing=row, match=match_of(row)), (
        "The draw has changed: this match has no result to undo. Reload the page and try again."
    )


def a_circle() -> tuple[StageRow, Callable[..., StageRow]]:
    """Three who beat each other, and what a director decides on their tie, or on those numbered."""
    stage = drawn(an_event(3, format_key="round_robin"))
    director = director_of(stage)
    refs = {each.title: each.ref for each in stage.flight.entrants.with_players()}
    for row in open_pairings(stage):
        win(
            row,
            director,
            a=(row.a.title, other_side(row).title) in {("P1", "P2"), ("P2", "P3"), ("P3", "P1")},
        )

    def decides(decision: str, names: tuple[str, ...] = ("P1", "P2", "P3"), key: str = "") -> StageRow:
        row = StageRow.objects.get(pk=stage.pk)
        chosen = [refs[name] for name in names]
        return settle_tie(stage=row, decision=decision, entrants=chosen, user=director, key=key)

    return stage, decides


def a_tie_is_settled_too_early() -> Attempt:
    stage = drawn(an_event(3, format_key="round_robin"))
    refs = [each.ref for each in stage.flight.entrants.all()]
    return lambda: settle_tie(stage=stage, decision="playoff", entrants=refs, user=director_of(stage)), (
        "Main is still in progress. Settle ties after its last match."
    )


def only_two_of_a_tie_are_settled() -> Attempt:
    _stage, decides = a_circle()
    return lambda: decides("playoff", ("P1", "P2")), (
        "These entrants of Main are not level. Reload the page and try again."
    )


def a_tie_break_that_is_alike_for_all() -> Attempt:
    _stage, decides = a_circle()
    return lambda: decides("tie_break", key="koya"), (
        "This tie-break separates none of them. Choose another, a playoff or a lot."
    )


def a_tie_break_of_other_formats() -> Attempt:
    _stage, decides = a_circle()
    return lambda: decides("tie_break", key="buchholz"), (
        "This tie-break is not offered for this tie. Choose one from the list."
    )


def a_lot_is_announced_twice() -> Attempt:
    _stage, decides = a_circle()
    decides("announce_lot")
    return lambda: decides("announce_lot"), (
        "A lot among them is announced already. Draw it or undo it first."
    )


def a_lot_is_drawn_unannounced() -> Attempt:
    _stage, decides = a_circle()
    return lambda: decides("lot"), "No lot among them is announced. Announce it first."


def an_undecided_tie_is_undone() -> Attempt:
    _stage, decides = a_circle()
    return lambda: decides("undo"), "There is no decision on this tie to undo. Reload the page and try again."


def a_playoff_is_undone_after_its_first_result() -> Attempt:
    stage, decides = a_circle()
    decides("playoff")
    row = open_pairings(stage)[0]
    win(row, director_of(stage))
    return lambda: decides("undo"), (
        f"The playoff has begun ({meeting(row)}). Its result stands; correct it at the desk."
    )


def forbidden(stage: StageRow, *names: str) -> StageRow:
    known = {row.title: row.ref for row in stage.flight.entrants.with_players()}
    forbid(
        flight=stage.flight,
        kind=ForbiddenKind.NAMES,
        never=True,
        entrants=[known[name] for name in names],
        user=None,
    )
    return StageRow.objects.select_related("flight__event__club").get(pk=stage.pk)


def a_forbidden_pair_alone() -> Attempt:
    stage = StageRow.objects.select_related("flight").get(flight__event=an_event(2, format_key="swiss_3"))
    StageRow.objects.filter(pk=stage.pk).update(options={"seeding": "hand"})
    forbidden(stage, "P1", "P2")
    return lambda: draw_stage(stage=StageRow.objects.get(pk=stage.pk), user=None), (
        "Main cannot be paired: P1 and P2 would meet in round 1, and they are a forbidden pair. Change the "
        "list of forbidden pairs."
    )


def a_forbidden_pair_by_hand() -> Attempt:
    stage, director, _gone, (one, two, three, four, five) = a_second_round()
    forbidden(stage, title(one), title(two))
    pairs = [(one, two), (three, four), (five, "")]
    return lambda: pair_round(stage=stage, user=director, pairs=pairs), (
        f"{title(one)} and {title(two)} are a forbidden pair. Pair them with others, or change the list of "
        "forbidden pairs."
    )


def late_against_a_forbidden_partner() -> Attempt:
    stage = drawn(an_event(3))
    seats = load(stage).order
    resting = stage.numbers.get(number=seats[seats.index(0) ^ 1]).entrant
    zoe = somebody(stage)
    players = [zoe, *EntrantRow.objects.with_players().get(pk=resting.pk).players]
    stage.flight.event.club.memberships.filter(player__in=players).update(title=Title.M3, title_at=now())
    forbid(flight=stage.flight, kind=ForbiddenKind.TITLE, never=True, user=None)
    return lambda: enter_late(stage=stage, players=[zoe], user=None), (
        f"Main has no place left for Zoe but against {title(resting.ref)}, and they are a forbidden pair. "
        "Change the list of forbidden pairs, or substitute an entrant who has not played yet."
    )


MET: list[tuple[str, Callable[[], Attempt]]] = [
    ("too_few_entrants", one_is_drawn),
    ("no_open_bye", late_without_a_bye),
    ("too_late", late_without_a_life),
    ("schedule_published", late_in_a_schedule),
    ("already_left", left_twice),
    ("already_left", paired_though_gone),
    ("already_left", reopened_without_an_opponent),
    ("not_away", back_without_leaving),
    ("disqualified", back_from_a_disqualification),
    ("place_taken", back_where_others_have_played_on),
    ("already_played", a_place_that_was_played_on),
    ("self_pairing", paired_with_the_own_shadow),
    ("forbidden_pair", a_forbidden_pair_alone),
    ("forbidden_by_hand", a_forbidden_pair_by_hand),
    ("forbidden_bye", late_against_a_forbidden_partner),
    ("paired_twice", paired_twice),
    ("absent", paired_though_absent),
    ("no_absences", absent_from_a_swiss),
    ("no_next_round", absent_after_the_last_round),
    ("too_few_attend", nearly_all_absent),
    ("not_a_ladder", challenged_in_a_league),
    ("not_on_ladder", challenged_after_leaving),
    ("playing", challenged_while_playing),
    ("out_of_reach", challenged_too_far_above),
    ("out_of_reach", challenged_from_above),
    ("tie_in_play", a_tie_is_settled_too_early),
    ("not_tied", only_two_of_a_tie_are_settled),
    ("no_difference", a_tie_break_that_is_alike_for_all),
    ("tie_break", a_tie_break_of_other_formats),
    ("lot_sealed", a_lot_is_announced_twice),
    ("lot_not_sealed", a_lot_is_drawn_unannounced),
    ("not_settled", an_undecided_tie_is_undone),
    ("playoff_begun", a_playoff_is_undone_after_its_first_result),
    ("not_ready", corrected_after_its_players_have_gone),
    ("nothing_reported", reopened_twice),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("code", "somebody_does"), MET, ids=[case.__name__ for _code, case in MET])
def test_a_refusal_of_the_draw_speaks_of_people(code, somebody_does):
    attempt, sentence = somebody_does()
    with pytest.raises((DrawRefused, ResultRefused)) as refused, transaction.atomic():
        attempt()
    assert (getattr(refused.value, "code", None), str(refused.value)) == (code, sentence)


_MADE = "a draw of version 1 has been made, or it would not be read as one"
_OPTION = "an option that no form, preset or template sets: they are drawn below"
_FILE = "programs that play on paper or read a file use it, no service"
_ROW = "services name pairings and entrants of the draw by their rows"

UNMET: dict[tuple[str, str], str] = {
    ("brackets.bracket", "no_such_match"): _ROW,
    ("brackets.changes", "entrant_twice"): "a late entrant gets the next number, which nobody has",
    ("brackets.changes", "no_open_bye"): "the bye is chosen among those that are open",
    (
        "brackets.correction",
        "wrong_entrants",
    ): "a result is read with the sides that the draw has then",
    ("play.acts", "entrant_twice"): "who has a number in the draw is not entered late (entered_already)",
    ("play.acts", "no_outcome"): "a void match is no result (services.results)",
    ("play.acts", "locked"): "asked before, with the names (services.results)",
    ("play.acts", "not_finished"): "a stage is over by itself, nobody declares it",
    ("play.acts", "pairings_open"): "asked before, with the names (services.rounds)",
    ("play.acts", "wrong_options"): "a stage's options are read as those of its format",
    ("brackets.elimination", "feeding_out_of_range"): _OPTION,
    ("brackets.elimination", "last_chance_out_of_range"): _OPTION,
    ("brackets.first_edition", "feeding_out_of_range"): _MADE,
    ("brackets.first_edition", "last_chance_out_of_range"): _MADE,
    ("brackets.first_edition", "no_consolation"): _MADE,
    ("brackets.first_edition", "no_third_place"): _MADE,
    ("brackets.elimination", "seating_not_a_power_of_two"): "the seating is the draw's own",
    ("brackets.bracket", "no_such_table"): "tables are named by the bracket itself",
    (
        "stages.entrants",
        "entrant_twice",
    ): "a field holds rows, each once; a stage sends each to one other",
    ("stages.entrants", "player_twice"): "the database has a player once in a flight; merging two refuses it",
    ("play.absence", "no_such_pairing"): _ROW,
    ("play.feeding", "not_finished"): "asked before: a stage feeds when it is over",
    ("play.feeding", "rule"): "rules are those of the templates",
    ("timetable.forecast", "strengths"): _FILE,
    ("timetable.forecast", "tables"): "the form of the chooser asks for at least 1",
    ("formats.table", "unknown_format"): "formats are chosen from a list",
    ("formats.groups", "groups"): "asked before: too few for groups are too few for the second of them",
    ("ladders.ladder", "no_periods"): _OPTION,
    ("rounds.lives", "no_lives"): _OPTION,
    ("rounds.lives", "no_paid_places"): _OPTION,
    ("formats.presets", "unknown_format"): "formats are chosen from a list",
    ("play.preview", "no_such_pairing"): _ROW,
    ("rounds.acceleration", "accelerated"): _OPTION,
    ("rounds.acceleration", "accelerated_by_lot"): _OPTION,
    ("rounds.acceleration", "accelerated_too_long"): _OPTION,
    ("rounds.ready", "finished"): "a stage whose last match is over is not under way (not_running)",
    ("rounds.ready", "no_rounds"): _OPTION,
    (
        "brackets.resolve",
        "wrong_entrants",
    ): "a result is read with the sides that the draw has then",
    ("rounds.round_robin", "no_days"): _OPTION,
    ("rounds.round_robin", "no_rounds"): _OPTION,
    ("rounds.format", "finished"): "a stage whose last match is over is not under way (not_running)",
    ("rounds.format", "no_rounds"): _OPTION,
    ("rounds.format", "no_length"): _OPTION,
    ("rounds.format", "seeding"): _OPTION,
    ("rounds.keizer", "apart"): _OPTION,
    ("stages.seeding", "seeds_out_of_range"): _OPTION,
    ("stages.seeding", "too_many_byes"): _OPTION,
    ("stages.seeding", "unknown_bye"): _OPTION,
    ("stages.stage", "no_such_pairing"): _ROW,
    ("play.acts", "not_withdrawable"): "asked before: the service names what has begun",
    ("stages.stage", "no_such_round"): _FILE,
    ("stages.stage", "not_withdrawable"): _FILE,
    ("stages.stage", "unknown_entrant"): _ROW,
    ("stages.stage", "wrong_entrants"): "a result is read with the sides that the draw has then",
    ("stages.teams", "board_twice"): "the database has a board's number once in a pairing",
    ("stages.teams", "no_such_board"): "boards are made by the number that the stage has",
}
"""Refusals that nobody meets at the desk, by module of the core and code, and why."""


def refusals_in(module: str, source: str) -> list[tuple[str, str, frozenset[str]]]:
    """Module, code and parameters of each refusal that a module's source makes; a code is a literal."""
    return [
        (module, ast.literal_eval(node.args[0]), frozenset(each.arg for each in node.keywords if each.arg))
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in {"DrawRefused", "DrawError"}
    ]


def known_words(params: frozenset[str]) -> set[str]:
    """The words that a sentence may use where these are the parameters.

    The names are those that ``tournaments.stages.services.refusals`` looks up.
    """
    words = {"stage", *(params - MATCHES - {"ref"})}
    return words | ({"match"} if params & MATCHES else set()) | ({"name"} if "ref" in params else set())


def without_a_sentence(refusals):
    return {
        (module, code)
        for module, code, params in refusals
        if not any(words_of(each) <= known_words(params) for each in SENTENCES.get(code, ()))
    }


def module_of(path: Path) -> str:
    """As in ``UNMET``: its package in the core and its name."""
    return ".".join(path.relative_to(CORE).with_suffix("").parts)


REFUSALS = [
    refusal
    for path in sorted(CORE.rglob("*.py"))
    for refusal in refusals_in(module_of(path), path.read_text(encoding="utf-8"))
]


def test_each_refusal_of_the_draws_has_a_sentence_or_is_met_by_nobody():
    assert without_a_sentence(REFUSALS) == UNMET.keys()


def test_a_new_refusal_without_a_sentence_is_found():
    source = 'raise DrawRefused("too_loud", f"entrant {n} sings", entrant=n)'
    assert without_a_sentence(refusals_in("desk", source)) == {("desk", "too_loud")}
    told_too_little = 'raise DrawRefused("not_away", "not away")'
    assert without_a_sentence(refusals_in("desk", told_too_little)) == {("desk", "not_away")}


def test_each_sentence_is_said_to_somebody():
    met = Counter(code for code, _case in MET)
    assert met.keys() == SENTENCES.keys()
    assert {code for code in met if met[code] < len(SENTENCES[code])} == set()
    assert {code for _module, code, _params in REFUSALS} >= SENTENCES.keys()
    assert {name for _module, _code, params in REFUSALS for name in params} >= ENTRANTS | MATCHES


def plans() -> list[tuple[str, Any]]:
    """Format and options of each draw that a form or the API can announce."""
    stages = [stage for each in TEMPLATES.values() for stage in each.flight(5).stages]
    presets = [(each.format, each.options) for each in PRESETS.values()]
    return presets + [(each.format, each.options) for each in stages]


def refusal_of(key: str, options: Any, count: int) -> DrawRefused | None:
    """What a draw of so many refuses, its first pairings included."""
    field = [Entrant(f"p{n}", rating=1500.0 + n) for n in range(count)]
    try:
        acts.publish(acts.open_stage(key, field, options, seed=str(count)))
    except DrawRefused as refused:
        return refused
    return None


def test_what_a_preset_or_template_refuses_to_draw_has_a_sentence():
    refused = [
        (key, each.code, frozenset(each.params))
        for key, options in plans()
        for count in range(34)
        if (each := refusal_of(key, options, count)) is not None
    ]
    assert without_a_sentence(refused) == set()
    assert {code for _key, code, _params in refused} == {"too_few_entrants"}


@pytest.mark.django_db
def test_nothing_is_asked_unless_something_is_refused(django_assert_num_queries):
    stage = drawn(an_event(4))
    with django_assert_num_queries(0), in_names(stage):
        pass
    with pytest.raises(DrawRefused, match="three of them"), django_assert_num_queries(0), in_names(stage):
        raise DrawRefused("unheard_of", "three of them")


@pytest.mark.django_db
def test_the_page_and_the_api_say_the_same_sentence(client):
    stage = drawn(an_event(4))
    director, entrant = director_of(stage), pairing(stage, 1).a
    said = f"{entrant.title} has not withdrawn."
    answer = with_token(director, Scope.DIRECT).post(f"/api/v1/entrants/{entrant.ref}/return/")
    assert (answer.status_code, answer.data["code"], answer.data["detail"]) == (409, "not_away", said)
    client.force_login(director)
    page = client.post(reverse("tournaments:back", args=[entrant.ref]))
    assert (page.status_code, said in page.content.decode()) == (409, True)


@pytest.mark.django_db
def test_of_many_matches_the_first_are_named(django_assert_num_queries):
    stage = drawn(an_event(20, format_key="swiss_3"))
    numbers = [row.number for row in open_pairings(stage)]
    with django_assert_num_queries(7):
        said = sides_of(stage, numbers)
    assert said == ", ".join(meeting(pairing(stage, n)) for n in range(1, 7)) + " and 4 more"
    assert sides_of(stage, [2, 1]) == f"{meeting(pairing(stage, 1))}, {meeting(pairing(stage, 2))}"
