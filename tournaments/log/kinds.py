"""The kinds of entries in an event's log, and what may be done with them."""

from django.utils.translation import gettext_noop

KINDS = {
    "announced": gettext_noop("Announced"),
    "called": gettext_noop("Called"),
    "moved": gettext_noop("Table changed"),
    "started": gettext_noop("Started"),
    "featured": gettext_noop("Featured"),
    "result": gettext_noop("Result"),
    "result_undone": gettext_noop("Result taken back"),
    "penalty": gettext_noop("Penalty"),
    "check_in": gettext_noop("Check-in"),
    "entered": gettext_noop("Entered"),
    "list_entered": gettext_noop("List entered"),
    "partner": gettext_noop("Partner’s answer"),
    "entry_taken_back": gettext_noop("Entry taken back"),
    "line_up": gettext_noop("Line-up"),
    "table": gettext_noop("Table"),
    "tables_made": gettext_noop("Tables"),
    "ruling": gettext_noop("Ruling"),
    "appeal": gettext_noop("Appeal"),
    "appeal_decided": gettext_noop("Appeal decided"),
    "conduct": gettext_noop("Conduct report"),
    "undone": gettext_noop("Taken back"),
    "field_confirmed": gettext_noop("Field confirmed"),
    "declined": gettext_noop("Place declined"),
    "declined_taken_back": gettext_noop("Plays after all"),
    "moved_out": gettext_noop("Moved to another machine"),
    "moved_in": gettext_noop("Brought to this machine"),
    "unlocked": gettext_noop("Unlocked without its file"),
    "cancelled": gettext_noop("Event cancelled"),
    "changed": gettext_noop("Event changed"),
    "flight_changed": gettext_noop("Flight changed"),
    "flight_called_off": gettext_noop("Flight called off"),
    "flight_added": gettext_noop("Flight added"),
    "admitted": gettext_noop("Admitted against the flight’s rule"),
    "shares": gettext_noop("Shares of the pool"),
    "rounds_wait": gettext_noop("Who pairs the rounds"),
    "round_paired": gettext_noop("Round paired"),
    "draw_taken_back": gettext_noop("Draw taken back"),
    "starts": gettext_noop("Earliest starts"),
    "breaks": gettext_noop("Breaks"),
    "payment": gettext_noop("Fees"),
    "prizes_approved": gettext_noop("Prizes approved"),
    "prize_paid": gettext_noop("Prize paid"),
    "prize_unpaid": gettext_noop("Prize not paid after all"),
    "deal": gettext_noop("Deal"),
    "entered_late": gettext_noop("Late entry"),
    "returned": gettext_noop("Came back"),
    "replaced": gettext_noop("Place taken over"),
    "withdrawn": gettext_noop("Withdrawn"),
    "disqualified": gettext_noop("Disqualified"),
}
"""In words; a kind that is not here is shown as it is."""

PRIVATE = frozenset({"conduct"})
"""For directors alone, on a page of their own."""

WRITTEN = frozenset({"ruling", "appeal", "appeal_decided", "conduct"})
"""What only the log knows: taken back, it is struck out."""

LEFT = frozenset({"withdrawn", "disqualified"})
"""Somebody left a draw: taken back while nothing was played on it."""

UNDOABLE = (
    WRITTEN | LEFT | {"called", "moved", "started", "featured", "penalty", "check_in", "table", "tables_made"}
)
"""Taken back by a further entry; a result only through its own page, which shows what that changes."""
