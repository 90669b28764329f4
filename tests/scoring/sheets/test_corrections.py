"""A correction is an appended event; what follows it is validated anew."""

import pytest

from clubs.models import Role
from scoring.chouettes.services.damage import damage_of
from scoring.log.queries.sheets import events_of
from scoring.log.queries.writers import Author
from scoring.log.services.sheets import state_of
from scoring.models import MatchStatus, SheetEvent
from scoring.rules.dice import Roll
from scoring.rules.events import OpeningRolled, Played, Rolled, Voided
from scoring.rules.plays import Move
from scoring.rules.sides import Side
from scoring.sheets.queries.scoresheet import view_for
from scoring.sheets.services.corrections import correct, undo_last
from scoring.sheets.services.entries import ConflictRefused, EntryRefused
from scoring.sheets.services.refolds import CorrectionRefused
from scoring.sheets.services.results import confirm_result
from tests.factories import member
from tests.scoring.sheets.writing import author, loaded, two_players, win, write

pytestmark = pytest.mark.django_db

FIRST = (
    OpeningRolled(3, 1),
    Played((Move(8, 5), Move(6, 5))),
    Rolled(Roll(4, 2)),
    Played((Move(8, 4), Move(6, 4))),
    Rolled(Roll(6, 1)),
    Played((Move(13, 7), Move(8, 7))),
)

BETTER = Played((Move(24, 22), Move(13, 9)))


def corrected(match, seq, event, **more):
    match = loaded(match)
    arguments = {"author": author(match, "white"), "after": match.sheet.head_seq, "key": f"c{seq}"}
    return loaded(correct(match=match, seq=seq, event=event, **{"reason": "mistyped", **arguments, **more}))


def test_a_mistyped_play_is_replaced_and_the_old_event_stays() -> None:
    match = write(two_players(), *FIRST)
    match = corrected(match, 5, BETTER)
    assert damage_of(match.sheet) is None
    assert SheetEvent.objects.get(sheet=match.sheet, seq=5).body == {"moves": [[8, 4], [6, 4]]}
    row = SheetEvent.objects.get(sheet=match.sheet, seq=8)
    assert row.note is not None
    assert (row.replaces, row.notation, row.note.text) == (5, "42: 24/22 13/9", "mistyped")
    assert state_of(match.sheet).game.seen_by(Side.BLACK).own[24] == 1


def test_the_first_event_that_no_longer_fits_is_shown_and_nothing_is_written() -> None:
    match = write(two_players(), *FIRST)
    before = match.sheet.head_hash
    with pytest.raises(CorrectionRefused) as misfit:
        corrected(match, 3, Played((Move(24, 21), Move(8, 7))))
    assert misfit.value.seq == 7
    assert loaded(match).sheet.head_hash == before


def test_with_cut_the_rest_is_taken_away() -> None:
    match = write(two_players(), *FIRST)
    match = corrected(match, 3, Played((Move(24, 21), Move(8, 7))), cut=True)
    assert damage_of(match.sheet) is None
    standing = [row.event.kind for row in events_of(match.sheet) if not isinstance(row.event, Voided)]
    assert standing == ["match_start", "opening_roll", "play", "roll", "play", "roll"]
    view = view_for(match.sheet, match, author(match, "white"))
    assert [line["seq"] for line in view["lines"] if line["undone"]] == [7]
    assert view["plays"]["side"] == "white"


def test_a_corrected_opening_roll_turns_the_names_of_later_lines() -> None:
    match = write(two_players(), OpeningRolled(3, 1), Played((Move(8, 5), Move(6, 5))))
    match = corrected(match, 2, OpeningRolled(1, 3))
    assert SheetEvent.objects.get(sheet=match.sheet, seq=3).side == "black"
    assert damage_of(match.sheet) is None


def test_a_correction_must_itself_be_legal_have_a_reason_and_follow_the_head() -> None:
    match = write(two_players(), *FIRST)
    with pytest.raises(EntryRefused, match="too many"):
        corrected(match, 5, Played((Move(24, 18), Move(6, 4))))
    with pytest.raises(EntryRefused, match="needs a reason"):
        corrected(match, 5, BETTER, reason=" ")
    with pytest.raises(EntryRefused, match="no event 99"):
        corrected(match, 99, Voided())
    with pytest.raises(EntryRefused, match="start of a match"):
        corrected(match, 1, Voided())
    with pytest.raises(ConflictRefused):
        corrected(match, 5, BETTER, after=3)


def test_a_correction_sent_again_is_not_made_again() -> None:
    match = write(two_players(), *FIRST)
    match = corrected(match, 5, BETTER)
    assert corrected(match, 5, BETTER, after=7).sheet.head_seq == 8


def test_undo_takes_back_one_after_the_other_down_to_the_start() -> None:
    match = write(two_players(), *FIRST[:2])
    for step in range(2):
        match = loaded(match)
        undo_last(match=match, author=author(match, "black"), after=match.sheet.head_seq, key=f"u{step}")
    match = loaded(match)
    assert state_of(match.sheet).game.is_untouched
    with pytest.raises(EntryRefused, match="nothing to undo"):
        undo_last(match=match, author=author(match, "white"), after=match.sheet.head_seq, key="u9")


def test_a_final_result_changes_only_by_a_directors_correction_with_a_reason() -> None:
    match = write(two_players(length=1), win(Side.WHITE))
    loser = author(match, "black")
    confirm_result(match=match, user=loser.user, as_director=False)
    match = loaded(match)
    assert match.result.final_at
    with pytest.raises(EntryRefused, match="final"):
        undo_last(match=match, author=loser, after=2, key="u")
    with pytest.raises(EntryRefused, match="only directors can"):
        corrected(match, 2, win(Side.BLACK))
    director = Author(member(match.club, Role.DIRECTOR), directs=True)
    match = corrected(match, 2, win(Side.BLACK), author=director)
    assert (match.result.winner, match.result.revision, match.result.final_by) == ("black", 2, "director")
    assert match.status == MatchStatus.FINISHED
    assert SheetEvent.objects.get(sheet=match.sheet, seq=2).body["winner"] == "white"
