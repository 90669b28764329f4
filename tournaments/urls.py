from django.urls import URLPattern, path

from tournaments.views.events import (
    check_in,
    club_events,
    draw,
    enter,
    enter_somebody,
    event,
    events,
    leave,
    new_event,
    prizes,
)
from tournaments.views.formats import formats
from tournaments.views.now import now
from tournaments.views.stages import archive, result, stage

app_name = "tournaments"
urlpatterns: list[URLPattern] = [
    path("", now, name="now"),
    path("formats/", formats, name="formats"),
    path("events/", events, name="events"),
    path("clubs/<slug:club>/events/", club_events, name="club_events"),
    path("clubs/<slug:club>/events/new/", new_event, name="new_event"),
    path("events/<ref:event>/", event, name="event"),
    path("events/<ref:event>/enter/", enter, name="enter"),
    path("events/<ref:event>/entrants/", enter_somebody, name="enter_somebody"),
    path("events/<ref:event>/draw/", draw, name="draw"),
    path("events/<ref:event>/prizes/", prizes, name="prizes"),
    path("entrants/<ref:entrant>/leave/", leave, name="leave"),
    path("entrants/<ref:entrant>/check-in/", check_in, name="check_in"),
    path("stages/<ref:stage>/", stage, name="stage"),
    path("stages/<ref:stage>/draw.json", archive, name="archive"),
    path("pairings/<ref:pairing>/result/", result, name="result"),
]
