"""Addresses of tournaments under ``/api/v1/``."""

from django.urls import URLPattern, path

from tournaments.api.events import (
    CheckIn,
    ClubEvents,
    Draw,
    EnterMyself,
    EventEntrants,
    EventStages,
    OneEntrant,
    OneEvent,
    OneStage,
    PairingResult,
    PreviewResult,
    Prizes,
    StageArchive,
    StagePairings,
)
from tournaments.api.following import Follows, OneFollow, StageStanding
from tournaments.api.money import Deal, FlightBalance, PrizePayment

urlpatterns: list[URLPattern] = [
    path("clubs/<slug:club>/events/", ClubEvents.as_view(), name="club_events"),
    path("events/<ref:event>/", OneEvent.as_view(), name="event"),
    path("events/<ref:event>/entrants/", EventEntrants.as_view(), name="event_entrants"),
    path("events/<ref:event>/enter/", EnterMyself.as_view(), name="enter"),
    path("events/<ref:event>/stages/", EventStages.as_view(), name="event_stages"),
    path("events/<ref:event>/draw/", Draw.as_view(), name="draw"),
    path("events/<ref:event>/prizes/", Prizes.as_view(), name="prizes"),
    path("flights/<ref:flight>/balance/", FlightBalance.as_view(), name="balance"),
    path("flights/<ref:flight>/deal/", Deal.as_view(), name="deal"),
    path("prizes/<ref:prize>/payment/", PrizePayment.as_view(), name="prize_payment"),
    path("me/follows/", Follows.as_view(), name="follows"),
    path("me/follows/<ref:player>/", OneFollow.as_view(), name="follow"),
    path("entrants/<ref:entrant>/", OneEntrant.as_view(), name="entrant"),
    path("entrants/<ref:entrant>/check-in/", CheckIn.as_view(), name="check_in"),
    path("stages/<ref:stage>/", OneStage.as_view(), name="stage"),
    path("stages/<ref:stage>/archive/", StageArchive.as_view(), name="stage_archive"),
    path("stages/<ref:stage>/standing/", StageStanding.as_view(), name="stage_standing"),
    path("stages/<ref:stage>/pairings/", StagePairings.as_view(), name="stage_pairings"),
    path("pairings/<ref:pairing>/preview/", PreviewResult.as_view(), name="preview_result"),
    path("pairings/<ref:pairing>/result/", PairingResult.as_view(), name="pairing_result"),
]
