"""A stage as an archive (``tournaments.draws.archive``): refs only, never a name."""

from django.utils.translation import gettext as _

from tournaments.draws.archive import archive_of, dumps
from tournaments.models import Stage
from tournaments.services.events import DeskRefusedError
from tournaments.services.stages import drawn, load


def archive_text(stage: Stage) -> str:
    """The stage as JSON text that ``check_draw`` accepts. Raises DeskRefusedError before the draw."""
    if stage.drawn_at is None:
        raise DeskRefusedError(
            _("The draw has not been made: there is nothing to check yet."), code="planned"
        )
    return dumps(archive_of(load(stage), drawn=drawn(stage)))
