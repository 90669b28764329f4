"""Addresses of tournaments under ``/api/v1/``."""

from django.urls import URLPattern, path

from tournaments.calcutta.api import (
    AuctionPayouts,
    FieldLots,
    FlightAuction,
    LotBuyBack,
    LotEntrants,
    LotPayoutPayment,
    LotSale,
)
from tournaments.desk.api.absences import PairingAbsence
from tournaments.desk.api.desk import (
    CallReady,
    Desk,
    Disqualify,
    EventLog,
    EventTables,
    OneTable,
    PairingDesk,
    UndoEntry,
)
from tournaments.desk.api.results import PairingResult, Penalties, PreviewResult, Reopen, ReportResult
from tournaments.desk.api.rulings import AppealDecision, Appeals, Conduct, Rulings
from tournaments.display.api.event_play import EventPlay
from tournaments.entries.api.entrants import CheckIn, EventEntrants, OneEntrant
from tournaments.entries.api.entries import (
    CheckInAll,
    CheckInHere,
    EnterMyself,
    EntrantAnswer,
    EntrantPayment,
    EntrantReturn,
    EntrantSubstitute,
    EntryList,
    EventFlights,
    LateEntry,
)
from tournaments.entries.api.satellites import PrizeEntry
from tournaments.entries.api.table import EventEntries
from tournaments.events.api.breaks import EventBreaks
from tournaments.events.api.changes import OneFlight
from tournaments.events.api.events import ClubEvents, CopyEvent
from tournaments.events.api.formats import Formats
from tournaments.events.api.new_events import ForecastEvent
from tournaments.events.api.posters import Poster
from tournaments.following.api import Follows, OneFollow
from tournaments.leagues.api import (
    NextSeason,
    PairingLineUp,
    PairingTime,
    StageChallenge,
    StageStarts,
)
from tournaments.money.api import Deal, FlightBalance, FlightSatellite, FlightShares, PrizePayment, Prizes
from tournaments.pages.api.first_steps import ClubFirstSteps
from tournaments.pages.api.one_event import OneEvent
from tournaments.settlement.api import CashBox, EventSettlement, SendReceipt, SettleAccount
from tournaments.stages.api.cancellations import CancelEvent, CancelFlight
from tournaments.stages.api.draws import StageDeclined, StageDraw, StageField, StageRedraw
from tournaments.stages.api.forbidden import ForbiddenLine, ForbiddenList
from tournaments.stages.api.round_absences import StageAbsences
from tournaments.stages.api.rounds import StageRound
from tournaments.stages.api.stages import (
    ArchiveOfEvent,
    Draw,
    EventStages,
    OneStage,
    StageArchive,
    StagePairings,
)
from tournaments.stages.api.standings import StageStandings
from tournaments.stages.api.ties import TiesOfStage
from tournaments.transfer.api import MoveEvent, ReadEventFile, UnlockEvent

urlpatterns: list[URLPattern] = [
    path("formats/", Formats.as_view(), name="formats"),
    path("clubs/<slug:club>/events/", ClubEvents.as_view(), name="club_events"),
    path("clubs/<slug:club>/events/forecast/", ForecastEvent.as_view(), name="forecast_event"),
    path("clubs/<slug:club>/first-steps/", ClubFirstSteps.as_view(), name="first_steps"),
    path("events/<ref:event>/", OneEvent.as_view(), name="event"),
    path("events/<ref:event>/entrants/", EventEntrants.as_view(), name="event_entrants"),
    path("events/<ref:event>/enter/", EnterMyself.as_view(), name="enter"),
    path("clubs/<slug:club>/events/file/", ReadEventFile.as_view(), name="club_event_file"),
    path("events/<ref:event>/file/", MoveEvent.as_view(), name="event_file"),
    path("events/<ref:event>/unlock/", UnlockEvent.as_view(), name="unlock_event"),
    path("events/<ref:event>/flights/", EventFlights.as_view(), name="event_flights"),
    path("events/<ref:event>/entries/", EventEntries.as_view(), name="event_entries"),
    path("events/<ref:event>/entry-list/", EntryList.as_view(), name="entry_list"),
    path("events/<ref:event>/check-in/", CheckInHere.as_view(), name="check_in_here"),
    path("events/<ref:event>/check-in-all/", CheckInAll.as_view(), name="check_in_all"),
    path("events/<ref:event>/cancel/", CancelEvent.as_view(), name="cancel_event"),
    path("events/<ref:event>/copy/", CopyEvent.as_view(), name="copy_event"),
    path("events/<ref:event>/archive/", ArchiveOfEvent.as_view(), name="event_archive"),
    path("events/<ref:event>/stages/", EventStages.as_view(), name="event_stages"),
    path("events/<ref:event>/draw/", Draw.as_view(), name="draw"),
    path("events/<ref:event>/play/", EventPlay.as_view(), name="event_play"),
    path("events/<ref:event>/prizes/", Prizes.as_view(), name="prizes"),
    path("flights/<ref:flight>/", OneFlight.as_view(), name="flight"),
    path("flights/<ref:flight>/cancel/", CancelFlight.as_view(), name="cancel_flight"),
    path("flights/<ref:flight>/balance/", FlightBalance.as_view(), name="balance"),
    path("flights/<ref:flight>/shares/", FlightShares.as_view(), name="flight_shares"),
    path("flights/<ref:flight>/deal/", Deal.as_view(), name="deal"),
    path("events/<ref:event>/settlement/", EventSettlement.as_view(), name="settlement"),
    path("events/<ref:event>/settlement/<ref:account>/", SettleAccount.as_view(), name="settle"),
    path("events/<ref:event>/settlement/<ref:account>/mail/", SendReceipt.as_view(), name="mail_receipt"),
    path("events/<ref:event>/cash-box/", CashBox.as_view(), name="cash_box"),
    path("flights/<ref:flight>/auction/", FlightAuction.as_view(), name="auction"),
    path("flights/<ref:flight>/auction/field-lots/", FieldLots.as_view(), name="field_lots"),
    path("flights/<ref:flight>/auction/payouts/", AuctionPayouts.as_view(), name="auction_payouts"),
    path("lots/<ref:lot>/sale/", LotSale.as_view(), name="lot_sale"),
    path("lots/<ref:lot>/buy-back/", LotBuyBack.as_view(), name="lot_buy_back"),
    path("lots/<ref:lot>/entrants/", LotEntrants.as_view(), name="lot_entrants"),
    path("lots/<ref:lot>/payout/", LotPayoutPayment.as_view(), name="lot_payout"),
    path("flights/<ref:flight>/satellite/", FlightSatellite.as_view(), name="flight_satellite"),
    path("prizes/<ref:prize>/entry/", PrizeEntry.as_view(), name="prize_entry"),
    path("prizes/<ref:prize>/payment/", PrizePayment.as_view(), name="prize_payment"),
    path("me/follows/", Follows.as_view(), name="follows"),
    path("me/follows/<ref:player>/", OneFollow.as_view(), name="follow"),
    path("events/<ref:event>/desk/", Desk.as_view(), name="desk"),
    path("events/<ref:event>/desk/call/", CallReady.as_view(), name="call_ready"),
    path("events/<ref:event>/tables/", EventTables.as_view(), name="event_tables"),
    path("events/<ref:event>/tables/<int:number>/", OneTable.as_view(), name="event_table"),
    path("events/<ref:event>/log/", EventLog.as_view(), name="event_log"),
    path("events/<ref:event>/log/<int:seq>/undo/", UndoEntry.as_view(), name="undo_entry"),
    path("events/<ref:event>/rulings/", Rulings.as_view(), name="rulings"),
    path("events/<ref:event>/rulings/<int:seq>/appeal/", Appeals.as_view(), name="appeals"),
    path("events/<ref:event>/rulings/<int:seq>/decision/", AppealDecision.as_view(), name="appeal_decision"),
    path("events/<ref:event>/conduct/", Conduct.as_view(), name="conduct"),
    path("entrants/<ref:entrant>/disqualify/", Disqualify.as_view(), name="disqualify"),
    path("entrants/<ref:entrant>/", OneEntrant.as_view(), name="entrant"),
    path("entrants/<ref:entrant>/check-in/", CheckIn.as_view(), name="check_in"),
    path("entrants/<ref:entrant>/answer/", EntrantAnswer.as_view(), name="entrant_answer"),
    path("entrants/<ref:entrant>/payment/", EntrantPayment.as_view(), name="entrant_payment"),
    path("entrants/<ref:entrant>/return/", EntrantReturn.as_view(), name="entrant_return"),
    path("entrants/<ref:entrant>/substitute/", EntrantSubstitute.as_view(), name="entrant_substitute"),
    path("stages/<ref:stage>/draw/", StageDraw.as_view(), name="stage_draw"),
    path("stages/<ref:stage>/redraw/", StageRedraw.as_view(), name="stage_redraw"),
    path("stages/<ref:stage>/round/", StageRound.as_view(), name="stage_round"),
    path("stages/<ref:stage>/field/", StageField.as_view(), name="stage_field"),
    path("stages/<ref:stage>/declined/", StageDeclined.as_view(), name="stage_declined"),
    path("flights/<ref:flight>/forbidden-pairs/", ForbiddenList.as_view(), name="forbidden_pairs"),
    path("flights/<ref:flight>/forbidden-pairs/<ref:line>/", ForbiddenLine.as_view(), name="forbidden_line"),
    path("stages/<ref:stage>/ties/", TiesOfStage.as_view(), name="stage_ties"),
    path("stages/<ref:stage>/late/", LateEntry.as_view(), name="late_entry"),
    path("stages/<ref:stage>/", OneStage.as_view(), name="stage"),
    path("stages/<ref:stage>/archive/", StageArchive.as_view(), name="stage_archive"),
    path("stages/<ref:stage>/standings/", StageStandings.as_view(), name="stage_standings"),
    path("stages/<ref:stage>/pairings/", StagePairings.as_view(), name="stage_pairings"),
    path("events/<ref:event>/poster/", Poster.as_view(), name="event_poster"),
    path("events/<ref:event>/breaks/", EventBreaks.as_view(), name="event_breaks"),
    path("events/<ref:event>/season/", NextSeason.as_view(), name="next_season"),
    path("stages/<ref:stage>/absences/", StageAbsences.as_view(), name="stage_absences"),
    path("stages/<ref:stage>/challenge/", StageChallenge.as_view(), name="stage_challenge"),
    path("stages/<ref:stage>/starts/", StageStarts.as_view(), name="stage_starts"),
    path("pairings/<ref:pairing>/time/", PairingTime.as_view(), name="pairing_time"),
    path("pairings/<ref:pairing>/line-up/", PairingLineUp.as_view(), name="pairing_line_up"),
    path("pairings/<ref:pairing>/preview/", PreviewResult.as_view(), name="preview_result"),
    path("pairings/<ref:pairing>/desk/", PairingDesk.as_view(), name="pairing_desk"),
    path("pairings/<ref:pairing>/absence/", PairingAbsence.as_view(), name="pairing_absence"),
    path("pairings/<ref:pairing>/penalties/", Penalties.as_view(), name="penalties"),
    path("pairings/<ref:pairing>/report/", ReportResult.as_view(), name="pairing_report"),
    path("pairings/<ref:pairing>/reopen/", Reopen.as_view(), name="reopen"),
    path("pairings/<ref:pairing>/result/", PairingResult.as_view(), name="pairing_result"),
]
