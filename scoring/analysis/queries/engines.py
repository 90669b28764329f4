"""Which engine analyses a match, and which can."""

from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext as _

from clubs.models import Club
from clubs.refusals import Refused
from scoring.analysis.queries.label_words import engine_name, preset_name
from scoring.engines.registry import ENGINES, installed_engines
from scoring.models import ClubEngine

NOT_FOR_MATCHES = {"estimate", "rollout"}
"""Presets that nobody chooses for a match: the one comes by itself, the other is for single positions."""


class EngineNotOffered(Refused):
    """An engine that is not installed, or a preset that the engine does not have."""

    code = "engine_not_offered"


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """An engine and a preset of it."""

    engine: str
    preset: str

    @property
    def key(self) -> str:
        """The choice as one text, for forms."""
        return f"{self.engine}:{self.preset}"

    @property
    def words(self) -> str:
        return _("%(engine)s, %(preset)s") % {
            "engine": engine_name(self.engine),
            "preset": preset_name(self.preset),
        }


def offered() -> list[EngineChoice]:
    """What a match can be analysed by here, the preferred engine first."""
    return [
        EngineChoice(engine, preset)
        for engine in installed_engines()
        for preset in ENGINES[engine].presets
        if preset not in NOT_FOR_MATCHES
    ]


def of_installation() -> EngineChoice:
    """The engine and preset of the settings, without an engine the first that is installed.

    The engine is "" where none is installed: a match can be finished there, and its analysis fails.
    """
    engine = settings.ANALYSIS_ENGINE or next(iter(installed_engines()), "")
    return EngineChoice(engine, settings.ANALYSIS_PRESET)


def of_club(club: Club) -> EngineChoice:
    """What the club's matches are analysed by (one query).

    The installation's choice where the club has none, or one that is not installed any more.
    """
    row = ClubEngine.objects.filter(club=club).first()
    if row is None or row.engine not in installed_engines() or row.preset not in ENGINES[row.engine].presets:
        return of_installation()
    return EngineChoice(row.engine, row.preset)


def asked_for(club: Club, *, engine: str = "", preset: str = "") -> EngineChoice:
    """The choice of a request, the club's where it names nothing (one query).

    Raises EngineNotOffered, which names what is offered, for an engine or preset that is not.
    """
    usual = of_club(club)
    engine = engine or usual.engine
    presets = [each.preset for each in offered() if each.engine == engine]
    if not presets:
        installed = ", ".join(installed_engines())
        raise EngineNotOffered(
            _("The engine %(engine)s is not installed here. Installed: %(installed)s.")
            % {"engine": engine, "installed": installed}
        )
    preset = preset or (usual.preset if usual.preset in presets else presets[0])
    if preset not in presets:
        raise EngineNotOffered(
            _("%(engine)s has no preset %(preset)s for matches. Choose one of: %(presets)s.")
            % {"engine": engine_name(engine), "preset": preset, "presets": ", ".join(presets)}
        )
    return EngineChoice(engine, preset)
