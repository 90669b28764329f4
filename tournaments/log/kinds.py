"""Kinds of entries in an event's log, and which can be undone."""

from django.utils.translation import gettext_noop

KINDS = {
    "announced": gettext_noop("Announced"),
    "called": gettext_noop("Called"),
    "moved": gettext_noop("Table changed"),
    "started": gettext_noop("Started"),
    "featured": gettext_noop("Featured"),
    "result": gettext_noop("Result"),
    "result_undone": gettext_noop("Result undone"),
    "penalty": gettext_noop("Penalty"),
    "check_in": gettext_noop("Check-in"),
    "checked_in_all": gettext_noop("Everyone checked in"),
    "entered": gettext_noop("Entered"),
    "entry_changed": gettext_noop("Entry changed"),
    "fees_paid": gettext_noop("Fees paid"),
    "pool_joined": gettext_noop("Side pool joined"),
    "list_entered": gettext_noop("Entries imported"),
    "partner": gettext_noop("Partner’s reply"),
    "entry_taken_back": gettext_noop("Entry withdrawn"),
    "line_up": gettext_noop("Line-up"),
    "table": gettext_noop("Table"),
    "tables_made": gettext_noop("Tables added"),
    "ruling": gettext_noop("Ruling"),
    "appeal": gettext_noop("Appeal"),
    "appeal_decided": gettext_noop("Appeal decided"),
    "conduct": gettext_noop("Conduct report"),
    "undone": gettext_noop("Undone"),
    "field_confirmed": gettext_noop("Field confirmed"),
    "declined": gettext_noop("Place declined"),
    "declined_taken_back": gettext_noop("Place accepted after all"),
    "moved_out": gettext_noop("Moved to another computer"),
    "moved_in": gettext_noop("Moved to this computer"),
    "unlocked": gettext_noop("Unlocked without a file"),
    "cancelled": gettext_noop("Event cancelled"),
    "changed": gettext_noop("Event changed"),
    "poster": gettext_noop("Poster set"),
    "poster_removed": gettext_noop("Poster removed"),
    "flight_changed": gettext_noop("Division changed"),
    "flight_called_off": gettext_noop("Division cancelled"),
    "flight_added": gettext_noop("Division added"),
    "admitted": gettext_noop("Entry restrictions overridden"),
    "shares": gettext_noop("Prize pool split"),
    "rounds_wait": gettext_noop("Publishing rounds"),
    "lot_announced": gettext_noop("Lot announced"),
    "tie_settled": gettext_noop("Tie settled"),
    "tie_reopened": gettext_noop("Decision on a tie undone"),
    "pair_forbidden": gettext_noop("Pairs forbidden"),
    "pair_allowed": gettext_noop("Pairs allowed"),
    "round_missed": gettext_noop("Absent from the next round"),
    "round_joined": gettext_noop("Absence undone"),
    "round_paired": gettext_noop("Round paired"),
    "round_withdrawn": gettext_noop("Round withdrawn"),
    "draw_taken_back": gettext_noop("Draw undone"),
    "starts": gettext_noop("Start times"),
    "breaks": gettext_noop("Breaks"),
    "payment": gettext_noop("Fees"),
    "prizes_approved": gettext_noop("Prizes approved"),
    "prize_paid": gettext_noop("Prize paid"),
    "prize_unpaid": gettext_noop("Prize payment undone"),
    "deal": gettext_noop("Deal"),
    "satellite": gettext_noop("Satellite"),
    "entry_won": gettext_noop("Entry won"),
    "auction_opened": gettext_noop("Auction opened"),
    "auction_removed": gettext_noop("Auction removed"),
    "auction_closed": gettext_noop("Auction closed"),
    "auction_called_off": gettext_noop("Auction cancelled"),
    "auction_reopened": gettext_noop("Auction reopened"),
    "lots_changed": gettext_noop("Lots changed"),
    "lot_sold": gettext_noop("Lot sold"),
    "lot_sale_undone": gettext_noop("Sale undone"),
    "lot_bought_back": gettext_noop("Buy-back"),
    "lot_payouts_approved": gettext_noop("Auction payouts approved"),
    "lot_payout_undone": gettext_noop("Auction payout undone"),
    "settled": gettext_noop("Account settled"),
    "receipt_sent": gettext_noop("Receipt sent"),
    "cash_box_closed": gettext_noop("Cash box closed"),
    "cash_box_reopened": gettext_noop("Cash box reopened"),
    "entered_late": gettext_noop("Late entry"),
    "returned": gettext_noop("Reinstated"),
    "replaced": gettext_noop("Substitution"),
    "withdrawn": gettext_noop("Withdrawn"),
    "disqualified": gettext_noop("Disqualified"),
    "left_draw": gettext_noop("Left the draw"),
}
"""Labels by kind; an unknown kind is shown as it is."""

PRIVATE = frozenset({"conduct"})
"""Only for directors, on a separate page."""

WRITTEN = frozenset({"ruling", "appeal", "appeal_decided", "conduct"})
"""Entries that exist only in the log: undone, they are struck out."""

TIES = frozenset({"lot_announced", "tie_settled", "tie_reopened"})
"""Decisions on ties; they are undone on the draw's page."""

AUCTION = frozenset(kind for kind in KINDS if kind.startswith(("auction_", "lot_", "lots_"))) - TIES
"""Entries of a Calcutta auction."""

RESULTS = frozenset({"result", "result_undone", "penalty"})
"""Entries about the score of a match."""

LEFT = frozenset({"withdrawn", "disqualified", "left_draw"})
"""Departures from a draw; they can be undone while no later match depends on them."""

UNDOABLE = (
    WRITTEN
    | LEFT
    | {
        "called",
        "moved",
        "started",
        "featured",
        "penalty",
        "round_missed",
        "check_in",
        "checked_in_all",
        "fees_paid",
        "pool_joined",
        "table",
        "tables_made",
    }
)
"""Kinds undone by a further entry; results are undone on their own page."""
