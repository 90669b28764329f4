"""Choose the engine that a club's matches are analysed by."""

from django.db import transaction

from clubs.models import Club
from scoring.analysis.queries.engines import EngineChoice, asked_for
from scoring.models import ClubEngine


def choose_engine(*, club: Club, engine: str = "", preset: str = "") -> EngineChoice | None:
    """Set the engine and preset of a club's future analyses.

    None, without an engine: the club follows the installation. What is analysed already stays under its
    label. Raises EngineNotOffered for what is not installed.
    """
    with transaction.atomic():
        Club.objects.select_for_update(no_key=True).get(pk=club.pk)
        if not engine:
            ClubEngine.objects.filter(club=club).delete()
            return None
        choice = asked_for(club, engine=engine, preset=preset)
        ClubEngine.objects.update_or_create(
            club=club, defaults={"engine": choice.engine, "preset": choice.preset}
        )
    return choice
