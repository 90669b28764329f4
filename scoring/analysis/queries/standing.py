"""Which analyses of a match stand, and which of them a page shows.

An analysis stands while the scoresheet is the one that it judged. Those by the club's engine come first, the
deepest before the club's preset and the newest of equals; then the analyses in match files, eXtreme Gammon's
first and GNU Backgammon's last; estimates come after them.
"""

from collections.abc import Iterable, Sequence

from clubs.models import WorkStatus
from scoring.analysis.queries.engines import of_club
from scoring.models import Analysis, FileAnalysis, Match

Standing = Analysis | FileAnalysis
"""Both have ``ref``, ``exact_label``, ``summary``, ``counting`` and ``decisions``, whose rows are alike."""


def standing_of(match: Match) -> list[Standing]:
    """All standing analyses of a match, the one that a page shows first (three queries at most).

    Load the match with its sheet and club.
    """
    own = Analysis.objects.filter(match=match).order_by("-finished_at", "-pk")
    of_files = FileAnalysis.objects.filter(source__match=match).order_by("-source__at", "-pk")
    return in_order(match, own, of_files)


def in_order(match: Match, own: Iterable[Analysis], of_files: Iterable[FileAnalysis]) -> list[Standing]:
    """Those of these analyses, newest first, that stand, the one that a page shows first.

    One query for the club's engine if there are several of ours.
    """
    head = match.sheet.head_hash
    done = [each for each in own if each.status == WorkStatus.DONE and each.head_hash == head]
    if len(done) > 1:
        usual = of_club(match.club)
        done.sort(key=lambda each: (each.engine != usual.engine, -each.level, each.preset != usual.preset))
    told = [each for each in of_files if each.head_hash == head]
    told.sort(key=lambda each: each.program, reverse=True)  # xg, stated, gnubg
    full = [each for each in done if not each.is_estimate]
    return [*full, *told, *(each for each in done if each.is_estimate)]


def chosen(standing: Sequence[Standing], ref: str = "") -> Standing | None:
    """The analysis with this ref, else the first; None without any.

    A ref that does not stand, of an analysis that was replaced or removed, chooses the first, too.
    """
    return next((each for each in standing if each.ref == ref), next(iter(standing), None))


def of_each_label(standing: Iterable[Standing]) -> list[Standing]:
    """The first of these analyses under each label."""
    found: dict[str, Standing] = {}
    for each in standing:
        found.setdefault(each.exact_label, each)
    return list(found.values())
