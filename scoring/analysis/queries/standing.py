"""Which analyses of a match stand, and which of them a page shows.

An analysis stands while the scoresheet is the one that it judged. The installation's preset comes first, then
the newest; the analysis in a match file follows, eXtreme Gammon's before GNU Backgammon's.
"""

from collections.abc import Sequence

from django.conf import settings

from scoring.models import Analysis, FileAnalysis, FileProgram, Match

Standing = Analysis | FileAnalysis
"""Both have ``ref``, ``label``, ``summary``, ``head_hash`` and ``decisions``, whose rows are alike."""


def standing_of(match: Match) -> list[Standing]:
    """All standing analyses of a match, the one that a page shows first (two queries).

    Load the match with its sheet.
    """
    head = match.sheet.head_hash
    own = Analysis.objects.done().filter(match=match, head_hash=head)
    of_files = FileAnalysis.objects.filter(source__match=match, head_hash=head)
    return [
        *sorted(
            own.order_by("-finished_at", "-pk"), key=lambda each: each.preset != settings.ANALYSIS_PRESET
        ),
        *sorted(of_files.order_by("-source__at", "-pk"), key=lambda each: each.program != FileProgram.XG),
    ]


def chosen(standing: Sequence[Standing], ref: str = "") -> Standing | None:
    """The analysis with this ref, else the first; None without any.

    A ref that does not stand, of an analysis that was replaced or removed, chooses the first, too.
    """
    return next((each for each in standing if each.ref == ref), next(iter(standing), None))


def standing_analysis(match: Match, *, ref: str = "") -> Standing | None:
    """The analysis that a match's page shows: the one asked for if it stands (two queries)."""
    return chosen(standing_of(match), ref)
