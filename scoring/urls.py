from django.urls import URLPattern, path

from scoring.analysis.views import club_analysis
from scoring.chouettes.views.chouette import chouette, chouette_history, chouette_mine
from scoring.chouettes.views.chouettes import chouettes, find_chouette, join_chouette, new_chouette, take_seat
from scoring.chouettes.views.exports import chouette_csv, chouette_json, chouette_png
from scoring.chouettes.views.payments import chouette_paid
from scoring.chouettes.views.statistics import chouette_statistics
from scoring.files.views.names import assign_name, claim, name, names, refuse_name, undo
from scoring.files.views.photos import delete_photo, match_photos, photo_jpg, thumbnail_jpg
from scoring.files.views.upload import retry_upload, upload, uploads
from scoring.helping.views.helpers import (
    allow_club_helper,
    end_my_helper,
    helpers_of_club,
    my_helpers,
    pause_club_helper,
)
from scoring.learning.views.exports import mistakes_apkg, mistakes_pdf, mistakes_xgid
from scoring.learning.views.mistakes import (
    answer_mistake,
    mistake_answer,
    mistake_match,
    mistake_session,
    mistakes,
    resume_mistake,
)
from scoring.learning.views.shared import club_mistakes, member_mistakes, mistake_sharing, week_position
from scoring.learning.views.tried import try_play
from scoring.matches.views.exports import match_json, match_ogxm, match_pdf, match_sgf, slip_pdf
from scoring.matches.views.labels import labels
from scoring.matches.views.match import analyse, match, match_file
from scoring.matches.views.matches import club_matches, confirm, dispute, matches
from scoring.matches.views.new_match import join_sheet, new_match
from scoring.matches.views.tables import match_chances, match_errors
from scoring.players.views.club_play import club_play
from scoring.players.views.guests import add_guest, claim_code, erase_guest, guests
from scoring.players.views.play import player_play
from scoring.players.views.players import (
    opponents,
    player,
    player_matches,
    player_rating,
    player_statistics,
    rating_change,
)
from scoring.positions.views.deeper import cancel, deeper
from scoring.positions.views.desk import analyse_position, delete_position, position, save, saved_positions
from scoring.profiles.views.houses import edit_house, houses, new_house, retire_a_house
from scoring.profiles.views.profiles import edit_profile, new_profile, profiles, retire
from scoring.ratings.views import rating_list, ratings
from scoring.sharing.views.embeds import embed
from scoring.sharing.views.errors import error_list
from scoring.sharing.views.links import end, links, match_links
from scoring.sharing.views.notes import delete, edit, notes, write
from scoring.sharing.views.pictures import step_png, step_svg
from scoring.sharing.views.privacy import match_privacy, privacy
from scoring.sharing.views.shared import shared, shared_embed, shared_png, shared_step
from scoring.sheets.views.scoresheet import scoresheet, service_worker
from scoring.sheets.views.video import match_video

app_name = "scoring"
urlpatterns: list[URLPattern] = [
    path("matches/<ref:match>/", match, name="match"),
    path("matches/<ref:match>/<int:step>/", match, name="step"),
    path("matches/<ref:match>/analyse/", analyse, name="analyse"),
    path("matches/<ref:match>/<int:step>/deeper/", deeper, name="deeper"),
    path("matches/<ref:match>/<int:step>/try/", try_play, name="try_play"),
    path("positions/", position, name="position"),
    path("positions/analyse/", analyse_position, name="analyse_position"),
    path("positions/save/", save, name="save_position"),
    path("positions/saved/", saved_positions, name="saved_positions"),
    path("positions/saved/<ref:saved>/delete/", delete_position, name="delete_position"),
    path("positions/<ref:position>/cancel/", cancel, name="cancel_position"),
    path("matches/<ref:match>/labels/", labels, name="labels"),
    path("matches/<ref:match>/errors/", match_errors, name="match_errors"),
    path("matches/<ref:match>/chances/", match_chances, name="match_chances"),
    path("matches/<ref:match>/match.mat", match_file, name="match_file"),
    path("matches/<ref:match>/match.ogxm", match_ogxm, name="match_ogxm"),
    path("matches/<ref:match>/match.sgf", match_sgf, name="match_sgf"),
    path("matches/<ref:match>/match.json", match_json, name="match_json"),
    path("matches/<ref:match>/match.pdf", match_pdf, name="match_pdf"),
    path("matches/<ref:match>/slip.pdf", slip_pdf, name="slip_pdf"),
    path("matches/<ref:match>/video/", match_video, name="match_video"),
    path("matches/<ref:match>/photos/", match_photos, name="match_photos"),
    path("matches/<ref:match>/photos/<ref:photo>/photo.jpg", photo_jpg, name="photo_jpg"),
    path("matches/<ref:match>/photos/<ref:photo>/thumbnail.jpg", thumbnail_jpg, name="thumbnail_jpg"),
    path("photos/<ref:photo>/delete/", delete_photo, name="delete_photo"),
    path("matches/<ref:match>/privacy/", match_privacy, name="match_privacy"),
    path("matches/<ref:match>/<int:step>/board.png", step_png, name="step_png"),
    path("matches/<ref:match>/<int:step>/board.svg", step_svg, name="step_svg"),
    path("matches/<ref:match>/errors.txt", error_list, name="error_list"),
    path("matches/<ref:match>/notes/", write, name="write_note"),
    path("matches/<ref:match>/links/", match_links, name="match_links"),
    path("matches/<ref:match>/<int:step>/embed/", embed, name="embed"),
    path("links/<ref:link>/end/", end, name="end_link"),
    path("me/links/", links, name="links"),
    path("shared/<str:secret>/", shared, name="shared"),
    path("shared/<str:secret>/<int:step>/", shared_step, name="shared_step"),
    path("shared/<str:secret>/<int:step>/board.png", shared_png, name="shared_png"),
    path("shared/<str:secret>/<int:step>/embed/", shared_embed, name="shared_embed"),
    path("notes/<ref:note>/edit/", edit, name="edit_note"),
    path("notes/<ref:note>/delete/", delete, name="delete_note"),
    path("me/notes/", notes, name="notes"),
    path("me/privacy/", privacy, name="privacy"),
    path("me/helpers/", my_helpers, name="my_helpers"),
    path("me/helpers/<ref:helper>/end/", end_my_helper, name="end_helper"),
    path("clubs/<slug:club>/helpers/", helpers_of_club, name="club_helpers"),
    path("clubs/<slug:club>/helpers/<ref:helper>/allow/", allow_club_helper, name="allow_helper"),
    path("clubs/<slug:club>/helpers/<ref:helper>/pause/", pause_club_helper, name="pause_helper"),
    path("sw.js", service_worker, name="service_worker"),
    path("clubs/<slug:club>/matches/new/", new_match, name="new_match"),
    path("score/<str:code>/", join_sheet, name="join_sheet"),
    path("matches/<ref:match>/sheet/", scoresheet, name="scoresheet"),
    path("chouettes/<ref:chouette>/chouette.csv", chouette_csv, name="chouette_csv"),
    path("chouettes/<ref:chouette>/chouette.png", chouette_png, name="chouette_png"),
    path("chouettes/<ref:chouette>/chouette.json", chouette_json, name="chouette_json"),
    path("clubs/<slug:club>/upload/", upload, name="upload"),
    path("uploads/<ref:batch>/", uploads, name="uploads"),
    path("uploads/<ref:upload>/retry/", retry_upload, name="retry_upload"),
    path("chouettes/join/", find_chouette, name="find_chouette"),
    path("chouettes/join/<str:code>/", join_chouette, name="join_chouette"),
    path("chouettes/<ref:chouette>/", chouette, name="chouette"),
    path("chouettes/seat/<str:secret>/", take_seat, name="take_seat"),
    path("chouettes/<ref:chouette>/me/", chouette_mine, name="chouette_mine"),
    path("chouettes/<ref:chouette>/history/", chouette_history, name="chouette_history"),
    path("chouettes/<ref:chouette>/payments/", chouette_paid, name="chouette_paid"),
    path("matches/", matches, name="matches"),
    path("matches/<ref:match>/confirm/", confirm, name="confirm"),
    path("matches/<ref:match>/dispute/", dispute, name="dispute"),
    path("ratings/", ratings, name="ratings"),
    path("players/<ref:player>/", player, name="player"),
    path("players/<ref:player>/rating/", player_rating, name="player_rating"),
    path("players/<ref:player>/matches/", player_matches, name="player_matches"),
    path("players/<ref:player>/statistics/", player_statistics, name="player_statistics"),
    path("players/<ref:player>/play/", player_play, name="player_play"),
    path("players/<ref:player>/opponents/", opponents, name="opponents"),
    path("players/<ref:player>/ratings/<ref:match>/", rating_change, name="rating_change"),
    path("me/mistakes/", mistakes, name="mistakes"),
    path("me/mistakes/mistakes.apkg", mistakes_apkg, name="mistakes_apkg"),
    path("me/mistakes/mistakes.txt", mistakes_xgid, name="mistakes_xgid"),
    path("me/mistakes/mistakes.pdf", mistakes_pdf, name="mistakes_pdf"),
    path("me/mistakes/sharing/", mistake_sharing, name="mistake_sharing"),
    path("me/mistakes/session/", mistake_session, name="mistake_session"),
    path("me/mistakes/session/<ref:session>/<ref:card>/", answer_mistake, name="answer_mistake"),
    path("me/mistakes/answers/<ref:answer>/", mistake_answer, name="mistake_answer"),
    path("me/mistakes/<ref:card>/match/", mistake_match, name="mistake_match"),
    path("me/mistakes/<ref:card>/resume/", resume_mistake, name="resume_mistake"),
    path("names/<ref:alias>/claim/", claim, name="claim"),
    path("clubs/<slug:club>/position/", week_position, name="week_position"),
    path("clubs/<slug:club>/mistakes/", club_mistakes, name="club_mistakes"),
    path("clubs/<slug:club>/mistakes/<ref:player>/", member_mistakes, name="member_mistakes"),
    path("clubs/<slug:club>/matches/", club_matches, name="club_matches"),
    path("clubs/<slug:club>/play/", club_play, name="club_play"),
    path("clubs/<slug:club>/ratings/", rating_list, name="rating_list"),
    path("clubs/<slug:club>/analysis/", club_analysis, name="club_analysis"),
    path("clubs/<slug:club>/rules/", profiles, name="profiles"),
    path("clubs/<slug:club>/rules/new/", new_profile, name="new_profile"),
    path("clubs/<slug:club>/rules/<slug:profile>/change/", edit_profile, name="edit_profile"),
    path("clubs/<slug:club>/rules/<slug:profile>/retire/", retire, name="retire_profile"),
    path("clubs/<slug:club>/chouettes/", chouettes, name="chouettes"),
    path("clubs/<slug:club>/chouettes/new/", new_chouette, name="new_chouette"),
    path("clubs/<slug:club>/chouettes/statistics/", chouette_statistics, name="chouette_statistics"),
    path("clubs/<slug:club>/houses/", houses, name="houses"),
    path("clubs/<slug:club>/houses/new/", new_house, name="new_house"),
    path("clubs/<slug:club>/houses/<slug:house>/change/", edit_house, name="edit_house"),
    path("clubs/<slug:club>/houses/<slug:house>/retire/", retire_a_house, name="retire_house"),
    path("clubs/<slug:club>/names/", names, name="names"),
    path("clubs/<slug:club>/names/<ref:alias>/", name, name="name"),
    path("clubs/<slug:club>/names/<ref:alias>/assign/", assign_name, name="assign_name"),
    path("clubs/<slug:club>/names/<ref:alias>/refuse/", refuse_name, name="refuse_name"),
    path("clubs/<slug:club>/merges/<ref:merge>/undo/", undo, name="undo_merge"),
    path("clubs/<slug:club>/guests/", guests, name="guests"),
    path("clubs/<slug:club>/guests/<ref:player>/code/", claim_code, name="claim_code"),
    path("clubs/<slug:club>/guests/<ref:player>/add/", add_guest, name="add_guest"),
    path("clubs/<slug:club>/guests/<ref:player>/erase/", erase_guest, name="erase_guest"),
]
