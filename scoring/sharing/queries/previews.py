"""What a match or one of its steps is told as outside the site: for link previews and pictures."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.drawing.figures import error_size
from scoring.matches.queries.match_page import MatchPage, is_crawford


@dataclass(frozen=True, slots=True)
class Preview:
    """Title and lines of a match at its current step; ``verdict`` is "" without an analysis to show."""

    title: str
    score: str
    step: str
    turn: str
    verdict: str
    club: str

    @property
    def place(self) -> str:
        """Where the match stands: the score and the step, if it has one."""
        return " · ".join(each for each in (self.score, self.step) if each)

    @property
    def description(self) -> str:
        """All of it in one sentence for readers of links."""
        return " · ".join(
            each for each in (self.score, self.step, self.turn, self.verdict, self.club) if each
        )


def preview_of(page: MatchPage) -> Preview:
    """The preview of the page at its step; of a match without positions, its result (no query more)."""
    match = page.match
    title = f"{match.white.name} – {match.black.name}"
    length = (
        ngettext("match to %(n)s point", "match to %(n)s points", match.length) % {"n": match.length}
        if match.length
        else _("money session")
    )
    if page.current is None:
        result = getattr(match, "result", None)
        points = f"{result.white_points}–{result.black_points}, " if result is not None else ""
        return Preview(title, f"{points}{length}", "", "", "", match.club.name)
    points = "{}–{}, ".format(*page.scores) if match.length else ""
    crawford = _(", Crawford game") if is_crawford(page.current.step) else ""
    step = _("Game %(game)s, step %(step)s") % {"game": page.current.step.game, "step": page.number}
    score = f"{points}{length}{crawford}"
    return Preview(title, score, step, _turn(page), _verdict(page), match.club.name)


def _turn(page: MatchPage) -> str:
    """Whose turn it is at the step, by name."""
    step = page.current.step if page.current else None
    if step is None or step.before.on_roll is None:
        return ""
    if step.roll is not None:
        words = {"name": page.names[step.before.on_roll], "roll": f"{step.roll.high}-{step.roll.low}"}
        return _("%(name)s to play %(roll)s") % words
    if step.side is None:
        return ""
    return _("%(name)s to decide") % {"name": page.names[step.side]}


def _verdict(page: MatchPage) -> str:
    worst = page.current.worst if page.current else None
    if worst is None or worst.decision.best is None:
        return ""
    words = _("%(played)s (%(error)s); best is %(best)s")
    return words % {
        "played": worst.decision.played or _("The play"),
        "error": error_size(worst.error),
        "best": worst.decision.best.action,
    }
