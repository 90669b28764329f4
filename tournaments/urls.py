from django.urls import URLPattern, path

from tournaments.calcutta.views import calcutta, lot
from tournaments.desk.views.absences import absence
from tournaments.desk.views.breaks import breaks
from tournaments.desk.views.desk import (
    call_all,
    change_table,
    desk,
    disqualify,
    log,
    make_tables,
    pairing_action,
    penalty,
    publish_event,
    undo,
)
from tournaments.desk.views.results import reopen, result
from tournaments.desk.views.rulings import conduct, new_ruling, ruling
from tournaments.display.views.calendars import calendar, event_calendar, own_calendar
from tournaments.display.views.calls import call_here, calls
from tournaments.display.views.embeds import draw_embed
from tournaments.display.views.event_play import event_play
from tournaments.display.views.join_page import join
from tournaments.display.views.overlays import featured, overlay
from tournaments.display.views.previews import event_png
from tournaments.display.views.prints import at_table, print_cards, print_stage
from tournaments.display.views.reports import report, report_csv, report_json
from tournaments.display.views.wall import wall
from tournaments.entries.views.entries import (
    answer,
    back,
    check_in,
    door,
    enter,
    enter_players,
    everyone_here,
    here,
    late,
    leave,
    payment,
    substitute,
)
from tournaments.entries.views.entry_list import entry_list
from tournaments.entries.views.satellites import prize_entry
from tournaments.entries.views.table import edit_entry, entry_table_page
from tournaments.events.views.changes import change, change_terms
from tournaments.events.views.formats import formats
from tournaments.events.views.posters import poster, poster_jpg
from tournaments.following.views import follow, followed
from tournaments.leagues.views import arrange, challenged, line_up, meeting_time, rolls, season, starts
from tournaments.money.views import approve, deal, money, paid, satellite, shares
from tournaments.pages.views.clubs import club, put_away_steps
from tournaments.pages.views.events import club_events, event, events, prizes
from tournaments.pages.views.new_event import announced, new_event
from tournaments.pages.views.now import now
from tournaments.settlement.views import cash_box, mail_receipt, receipt, settlement
from tournaments.stages.views.draws import (
    cancel,
    cancel_whole_flight,
    copy,
    declined,
    draw_one,
    field,
    new_flight,
    redraw,
    tie,
)
from tournaments.stages.views.forbidden import forbidden
from tournaments.stages.views.live_stages import changes
from tournaments.stages.views.round_absences import absent
from tournaments.stages.views.rounds import next_round_page
from tournaments.stages.views.stages import archive, pairing, stage
from tournaments.stages.views.stages import path as entrant_path
from tournaments.transfer.views import event_draws, move, read_file, save_file, unlock_event

app_name = "tournaments"
urlpatterns: list[URLPattern] = [
    # Every phone in the room asks for these again and again.
    path("stages/<ref:stage>/", stage, name="stage"),
    path("stages/<ref:stage>/changes/", changes, name="changes"),
    path("stages/<ref:stage>/embed/", draw_embed, name="draw_embed"),
    path("", now, name="now"),
    path("formats/", formats, name="formats"),
    path("events/", events, name="events"),
    path("clubs/<slug:club>/", club, name="club"),
    path("clubs/<slug:club>/first-steps/", put_away_steps, name="put_away_steps"),
    path("clubs/<slug:club>/events/", club_events, name="club_events"),
    path("clubs/<slug:club>/events/new/", new_event, name="new_event"),
    path("clubs/<slug:club>/events/file/", read_file, name="read_file"),
    path("events/<ref:event>/draws.json", event_draws, name="event_draws"),
    path("events/<ref:event>/event.json", save_file, name="event_file"),
    path("events/<ref:event>/move/", move, name="move"),
    path("events/<ref:event>/unlock/", unlock_event, name="unlock_event"),
    path("events/<ref:event>/", event, name="event"),
    path("events/<ref:event>/enter/", enter, name="enter"),
    path("events/<ref:event>/entrants/", enter_players, name="enter_players"),
    path("events/<ref:event>/prizes/", prizes, name="prizes"),
    path("events/<ref:event>/wall/", wall, name="wall"),
    path("events/<ref:event>/preview.png", event_png, name="event_png"),
    path("events/<ref:event>/tables.pdf", print_cards, name="print_cards"),
    path("events/<ref:event>/tables/<int:table>/", at_table, name="at_table"),
    path("stages/<ref:stage>/print/", print_stage, name="print_stage"),
    path("events/<ref:event>/event.ics", event_calendar, name="event_calendar"),
    path("events/<ref:event>/overlay/", featured, name="featured"),
    path("pairings/<ref:pairing>/overlay/", overlay, name="overlay"),
    path("calls/", calls, name="calls"),
    path("calls/here/", call_here, name="call_here"),
    path("calendar/", calendar, name="calendar"),
    path("calendar/<slug:key>.ics", own_calendar, name="own_calendar"),
    path("events/<ref:event>/money/", money, name="money"),
    path("events/<ref:event>/settlement/", settlement, name="settlement"),
    path("events/<ref:event>/settlement/cash-box/", cash_box, name="cash_box"),
    path("events/<ref:event>/settlement/<ref:account>/", receipt, name="receipt"),
    path("events/<ref:event>/settlement/<ref:account>/mail/", mail_receipt, name="mail_receipt"),
    path("events/<ref:event>/report/", report, name="report"),
    path("events/<ref:event>/play/", event_play, name="event_play"),
    path("events/<ref:event>/report.csv", report_csv, name="report_csv"),
    path("events/<ref:event>/report.json", report_json, name="report_json"),
    path("flights/<ref:flight>/prizes/", approve, name="approve"),
    path("flights/<ref:flight>/deal/", deal, name="deal"),
    path("flights/<ref:flight>/shares/", shares, name="shares"),
    path("flights/<ref:flight>/satellite/", satellite, name="satellite"),
    path("prizes/<ref:prize>/entry/", prize_entry, name="prize_entry"),
    path("flights/<ref:flight>/calcutta/", calcutta, name="calcutta"),
    path("lots/<ref:lot>/", lot, name="lot"),
    path("prizes/<ref:prize>/paid/", paid, name="paid"),
    path("events/<ref:event>/desk/", desk, name="desk"),
    path("events/<ref:event>/desk/call/", call_all, name="call_all"),
    path("events/<ref:event>/desk/publish/", publish_event, name="publish_event"),
    path("events/<ref:event>/tables/", make_tables, name="make_tables"),
    path("events/<ref:event>/tables/<int:number>/change/", change_table, name="change_table"),
    path("events/<ref:event>/log/", log, name="log"),
    path("events/<ref:event>/log/<int:seq>/undo/", undo, name="undo"),
    path("events/<ref:event>/rulings/new/", new_ruling, name="new_ruling"),
    path("events/<ref:event>/rulings/<int:seq>/", ruling, name="ruling"),
    path("events/<ref:event>/conduct/", conduct, name="conduct"),
    path("entrants/<ref:entrant>/disqualify/", disqualify, name="disqualify"),
    path("entrants/<ref:entrant>/leave/", leave, name="leave"),
    path("entrants/<ref:entrant>/check-in/", check_in, name="check_in"),
    path("stages/<ref:stage>/followed/", followed, name="followed"),
    path("players/<ref:player>/follow/", follow, name="follow"),
    path("stages/<ref:stage>/draw.json", archive, name="archive"),
    path("stages/<ref:stage>/entrants/<ref:entrant>/", entrant_path, name="path"),
    path("pairings/<ref:pairing>/", pairing, name="pairing"),
    path("events/<ref:event>/change/", change, name="change"),
    path("events/<ref:event>/announced/", announced, name="announced"),
    path("events/<ref:event>/poster/", poster, name="poster"),
    path("events/<ref:event>/poster.jpg", poster_jpg, name="poster_jpg"),
    path("flights/<ref:flight>/change/", change_terms, name="change_flight"),
    path("flights/<ref:flight>/forbidden-pairs/", forbidden, name="forbidden"),
    path("flights/<ref:flight>/cancel/", cancel_whole_flight, name="cancel_flight"),
    path("events/<ref:event>/flights/new/", new_flight, name="new_flight"),
    path("events/<ref:event>/entries/", entry_table_page, name="entries"),
    path("entrants/<ref:entrant>/edit/", edit_entry, name="edit_entry"),
    path("events/<ref:event>/list/", entry_list, name="entry_list"),
    path("events/<ref:event>/join/", join, name="join"),
    path("events/<ref:event>/everyone-here/", everyone_here, name="everyone_here"),
    path("events/<ref:event>/door/", door, name="door"),
    path("events/<ref:event>/here/<slug:door>/", here, name="here"),
    path("events/<ref:event>/cancel/", cancel, name="cancel"),
    path("events/<ref:event>/copy/", copy, name="copy"),
    path("entrants/<ref:entrant>/answer/", answer, name="answer"),
    path("entrants/<ref:entrant>/payment/", payment, name="payment"),
    path("entrants/<ref:entrant>/return/", back, name="back"),
    path("entrants/<ref:entrant>/substitute/", substitute, name="substitute"),
    path("stages/<ref:stage>/draw/", draw_one, name="draw_one"),
    path("stages/<ref:stage>/redraw/", redraw, name="redraw"),
    path("stages/<ref:stage>/round/", next_round_page, name="round"),
    path("stages/<ref:stage>/field/", field, name="field"),
    path("stages/<ref:stage>/declined/", declined, name="declined"),
    path("stages/<ref:stage>/tie/", tie, name="tie"),
    path("stages/<ref:stage>/late/", late, name="late"),
    path("events/<ref:event>/breaks/", breaks, name="breaks"),
    path("events/<ref:event>/season/", season, name="season"),
    path("stages/<ref:stage>/absent/", absent, name="absent"),
    path("stages/<ref:stage>/challenge/", challenged, name="challenge"),
    path("stages/<ref:stage>/starts/", starts, name="starts"),
    path("pairings/<ref:pairing>/arrange/", arrange, name="arrange"),
    path("pairings/<ref:pairing>/time/", meeting_time, name="meeting_time"),
    path("pairings/<ref:pairing>/line-up/", line_up, name="line_up"),
    path("pairings/<ref:pairing>/rolls/", rolls, name="rolls"),
    path("pairings/<ref:pairing>/desk/", pairing_action, name="pairing_action"),
    path("pairings/<ref:pairing>/absence/", absence, name="absence"),
    path("pairings/<ref:pairing>/penalty/", penalty, name="penalty"),
    path("pairings/<ref:pairing>/reopen/", reopen, name="reopen"),
    path("pairings/<ref:pairing>/result/", result, name="result"),
]
