"""Who takes over a place, and who comes late, when others are at the desk too."""

import pytest

from clubs.models import Role
from tests.factories import member
from tests.races import in_between
from tests.tournaments.factories import a_player, an_event, drawn, flight_of
from tournaments.entries.services.late_entries import enter_late, replace
from tournaments.events.services.events import OvertakenRefused
from tournaments.log.refusals import DeskRefused
from tournaments.models import EntrantRow, EntrantState, StageEntrant
from tournaments.stages.services.cancellations import cancel_event


@pytest.mark.django_db(transaction=True)
def test_of_two_substitutes_for_the_same_place_one_is_entered():
    event = an_event(4)
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    gone = StageEntrant.objects.get(stage=stage, number=1).entrant
    players = [a_player(event.club, name) for name in ("Xenia", "Yara")]

    def name(player):
        return lambda: replace(entrant=EntrantRow.objects.get(pk=gone.pk), players=[player], user=director)

    found = in_between(*map(name, players))
    (refused,) = [each for each in found if isinstance(each, Exception)]
    (newcomer,) = [each for each in found if isinstance(each, EntrantRow)]
    assert type(refused) is OvertakenRefused
    assert StageEntrant.objects.get(stage=stage, number=1).entrant == newcomer
    in_it = EntrantRow.objects.filter(flight=flight_of(event)).exclude(state=EntrantState.WITHDRAWN)
    assert in_it.count() == 4


@pytest.mark.django_db
def test_a_cancelled_event_has_no_late_entries_and_no_substitutes():
    event = an_event(3)
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    cancel_event(event=event, user=director)
    player, entrant = a_player(event.club, "Xenia"), EntrantRow.objects.all()[0]
    for act in (
        lambda: enter_late(stage=stage, players=[player], user=director),
        lambda: replace(entrant=entrant, players=[player], user=director),
    ):
        with pytest.raises(DeskRefused, match="This event is cancelled"):
            act()
    assert EntrantRow.objects.count() == 3
