"""Outcomes of games and matches, spelled the same everywhere."""

from enum import StrEnum


class GameEnd(StrEnum):
    """How a game ended."""

    BORNE_OFF = "borne_off"
    PASS = "pass"  # noqa: S105 - of a double
    RESIGNATION = "resignation"


class Ending(StrEnum):
    """How a match ended.

    ``PLAYED``     never recorded: it follows from the points;
    ``WITHDRAWN``  not begun: its loser had left the event;
    ``PENALTY``    by penalty points;
    ``AGREED``     closes a money session, whose result is that it was played;
    ``VOID``       the match never counted.
    """

    PLAYED = "played"
    TIME = "time"
    RETIRED = "retired"
    NO_SHOW = "no_show"
    DOUBLE_NO_SHOW = "double_no_show"
    WITHDRAWN = "withdrawn"
    DISQUALIFIED = "disqualified"
    PENALTY = "penalty"
    VOID = "void"
    AGREED = "agreed"

    @property
    def rates(self) -> bool:
        """Whether this outcome counts for ratings by default.

        Decided on the board, by the clock or by penalty points: yes (UKBGF). No-shows, withdrawals,
        retirements, disqualifications and voided matches: no.
        """
        return self in {Ending.PLAYED, Ending.TIME, Ending.PENALTY}

    @property
    def unplayed(self) -> bool:
        """Whether this outcome is impossible once the match has started."""
        return self in {Ending.NO_SHOW, Ending.DOUBLE_NO_SHOW, Ending.WITHDRAWN}

    @property
    def needs_winner(self) -> bool:
        """Whether this outcome has a winner."""
        return self not in {Ending.DOUBLE_NO_SHOW, Ending.VOID, Ending.AGREED}
