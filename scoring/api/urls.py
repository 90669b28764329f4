"""Addresses of scoring under ``/api/v1/``."""

from django.urls import URLPattern, path

from scoring.analysis.api import AnalysisDecisions, ClubAnalysisEngine, MatchAnalyses, OneAnalysis
from scoring.chouettes.api.seats import ChouetteBoard, ChouetteCode, ChouetteSeats
from scoring.chouettes.api.tables import (
    ChouetteCorrections,
    ChouetteEvents,
    ChouettePayments,
    ChouettePlayers,
    ChouetteSummary,
    ChouetteUndo,
    ClubChouettes,
    JoinChouette,
    OneChouette,
)
from scoring.files.api.file_analyses import FileAnalysisDecisions, MatchFileAnalyses
from scoring.files.api.names import AssignName, ClaimName, Merges, Names, RefuseName, UndoMerge
from scoring.files.api.photos import MatchPhotos, OnePhoto
from scoring.files.api.uploads import ClubUploads, RetryUpload, Uploads
from scoring.helping.api.helpers import ClubHelper, ClubHelpers, MyHelper, MyHelpers
from scoring.helping.api.wire import (
    HelperAnswer,
    HelperClaims,
    HelperHeartbeat,
    HelperRelease,
    HelperState,
)
from scoring.learning.api.mistakes import AnswerMistake, Mistakes, MistakeSession, ResumeMistake
from scoring.learning.api.shared import (
    ClubMistakes,
    ClubSharing,
    MemberMistakes,
    MistakeSharing,
    WeekPositions,
)
from scoring.matches.api import ClubMatches, OneMatch
from scoring.matches.cube_api import StepCube
from scoring.matches.labels_api import MatchLabels
from scoring.players.api.guests import AddGuest, ClaimCode, EraseGuest, Guests
from scoring.players.api.play import ClubPlay, PlayerPlay
from scoring.players.api.players import OnePlayer
from scoring.positions.api.analyses import OnePositionAnalysis, PositionAnalyses
from scoring.positions.api.saved import OneSavedPosition, SavedPositions
from scoring.profiles.api.houses import ClubHouses, OneClubHouse
from scoring.profiles.api.profiles import ClubProfiles, OneClubProfile
from scoring.ratings.api import ClubRatings, PlayerRatings
from scoring.sharing.api.links import MatchLinks, MyLinks, OneLink
from scoring.sharing.api.notes import MatchNotes, OneNote
from scoring.sharing.api.privacy import MyPrivacy, OneMatchPrivacy
from scoring.sharing.api.shared import SharedLink
from scoring.sheets.api.sheets import (
    Confirmations,
    Disputes,
    MatchEvents,
    OneSheet,
    SheetClaims,
    SheetClock,
    SheetCorrections,
    SheetText,
    SheetUndo,
)
from scoring.sheets.api.videos import OneMatchVideo

urlpatterns: list[URLPattern] = [
    # What every tap on a phone asks; an address is looked for in this order.
    path("matches/<ref:match>/events/", MatchEvents.as_view(), name="match_events"),
    path("matches/<ref:match>/sheet/", OneSheet.as_view(), name="sheet"),
    path("chouettes/<ref:chouette>/events/", ChouetteEvents.as_view(), name="chouette_events"),
    path("chouettes/<ref:chouette>/", OneChouette.as_view(), name="chouette"),
    path("clubs/<slug:club>/matches/", ClubMatches.as_view(), name="club_matches"),
    path("clubs/<slug:club>/uploads/", ClubUploads.as_view(), name="club_uploads"),
    path("clubs/<slug:club>/play/", ClubPlay.as_view(), name="club_play"),
    path("clubs/<slug:club>/ratings/", ClubRatings.as_view(), name="club_ratings"),
    path("clubs/<slug:club>/ratings/<ref:player>/", PlayerRatings.as_view(), name="player_ratings"),
    path("clubs/<slug:club>/names/", Names.as_view(), name="names"),
    path("clubs/<slug:club>/names/<ref:alias>/assign/", AssignName.as_view(), name="assign_name"),
    path("clubs/<slug:club>/names/<ref:alias>/refuse/", RefuseName.as_view(), name="refuse_name"),
    path("matches/<ref:match>/steps/<int:step>/cube/", StepCube.as_view(), name="step_cube"),
    path("matches/<ref:match>/labels/", MatchLabels.as_view(), name="match_labels"),
    path("clubs/<slug:club>/analysis/", ClubAnalysisEngine.as_view(), name="club_analysis"),
    path("clubs/<slug:club>/helpers/", ClubHelpers.as_view(), name="club_helpers"),
    path("clubs/<slug:club>/helpers/<ref:helper>/", ClubHelper.as_view(), name="club_helper"),
    path("me/helpers/", MyHelpers.as_view(), name="my_helpers"),
    path("me/helpers/<ref:helper>/", MyHelper.as_view(), name="my_helper"),
    path("helper/", HelperState.as_view(), name="helper"),
    path("helper/claims/", HelperClaims.as_view(), name="helper_claims"),
    path("helper/leases/<ref:lease>/heartbeat/", HelperHeartbeat.as_view(), name="helper_heartbeat"),
    path("helper/leases/<ref:lease>/answer/", HelperAnswer.as_view(), name="helper_answer"),
    path("helper/leases/<ref:lease>/release/", HelperRelease.as_view(), name="helper_release"),
    path("clubs/<slug:club>/merges/", Merges.as_view(), name="merges"),
    path("clubs/<slug:club>/merges/<ref:merge>/undo/", UndoMerge.as_view(), name="undo_merge"),
    path("clubs/<slug:club>/guests/", Guests.as_view(), name="guests"),
    path("clubs/<slug:club>/guests/<ref:player>/code/", ClaimCode.as_view(), name="claim_code"),
    path("clubs/<slug:club>/guests/<ref:player>/add/", AddGuest.as_view(), name="add_guest"),
    path("clubs/<slug:club>/guests/<ref:player>/erase/", EraseGuest.as_view(), name="erase_guest"),
    path("players/<ref:player>/", OnePlayer.as_view(), name="player"),
    path("players/<ref:player>/play/", PlayerPlay.as_view(), name="player_play"),
    path("me/mistakes/", Mistakes.as_view(), name="mistakes"),
    path("me/mistakes/sharing/", MistakeSharing.as_view(), name="mistake_sharing"),
    path("me/mistakes/sharing/<slug:club>/", ClubSharing.as_view(), name="club_sharing"),
    path("clubs/<slug:club>/position/", WeekPositions.as_view(), name="week_position"),
    path("clubs/<slug:club>/mistakes/", ClubMistakes.as_view(), name="club_mistakes"),
    path("clubs/<slug:club>/mistakes/<ref:player>/", MemberMistakes.as_view(), name="member_mistakes"),
    path("me/mistakes/session/", MistakeSession.as_view(), name="mistake_session"),
    path("me/mistakes/session/<ref:session>/<ref:card>/", AnswerMistake.as_view(), name="answer_mistake"),
    path("me/mistakes/<ref:card>/resume/", ResumeMistake.as_view(), name="resume_mistake"),
    path("names/<ref:alias>/claim/", ClaimName.as_view(), name="claim_name"),
    path("matches/<ref:match>/confirmations/", Confirmations.as_view(), name="confirmations"),
    path("uploads/<ref:batch>/", Uploads.as_view(), name="uploads"),
    path("uploads/<ref:upload>/retry/", RetryUpload.as_view(), name="retry_upload"),
    path("matches/<ref:match>/", OneMatch.as_view(), name="match"),
    path("matches/<ref:match>/analyses/", MatchAnalyses.as_view(), name="match_analyses"),
    path("matches/<ref:match>/file-analyses/", MatchFileAnalyses.as_view(), name="match_file_analyses"),
    path("matches/<ref:match>/privacy/", OneMatchPrivacy.as_view(), name="match_privacy"),
    path("matches/<ref:match>/links/", MatchLinks.as_view(), name="match_links"),
    path("me/links/", MyLinks.as_view(), name="links"),
    path("links/<ref:link>/", OneLink.as_view(), name="link"),
    path("shared/<str:secret>/", SharedLink.as_view(), name="shared"),
    path("matches/<ref:match>/video/", OneMatchVideo.as_view(), name="match_video"),
    path("matches/<ref:match>/photos/", MatchPhotos.as_view(), name="match_photos"),
    path("photos/<ref:photo>/", OnePhoto.as_view(), name="photo"),
    path("matches/<ref:match>/notes/", MatchNotes.as_view(), name="match_notes"),
    path("notes/<ref:note>/", OneNote.as_view(), name="note"),
    path("me/privacy/", MyPrivacy.as_view(), name="privacy"),
    path("matches/<ref:match>/sheet/undo/", SheetUndo.as_view(), name="sheet_undo"),
    path("matches/<ref:match>/sheet/corrections/", SheetCorrections.as_view(), name="sheet_corrections"),
    path("matches/<ref:match>/sheet/text/", SheetText.as_view(), name="sheet_text"),
    path("matches/<ref:match>/sheet/clock/", SheetClock.as_view(), name="sheet_clock"),
    path("matches/<ref:match>/sheet/claims/", SheetClaims.as_view(), name="sheet_claims"),
    path("matches/<ref:match>/disputes/", Disputes.as_view(), name="disputes"),
    path("clubs/<slug:club>/profiles/", ClubProfiles.as_view(), name="club_profiles"),
    path("clubs/<slug:club>/profiles/<slug:profile>/", OneClubProfile.as_view(), name="club_profile"),
    path("clubs/<slug:club>/chouettes/", ClubChouettes.as_view(), name="club_chouettes"),
    path("clubs/<slug:club>/houses/", ClubHouses.as_view(), name="club_houses"),
    path("clubs/<slug:club>/houses/<slug:house>/", OneClubHouse.as_view(), name="club_house"),
    path("chouettes/join/", JoinChouette.as_view(), name="join_chouette"),
    path("chouettes/<ref:chouette>/code/", ChouetteCode.as_view(), name="chouette_code"),
    path("chouettes/<ref:chouette>/seats/", ChouetteSeats.as_view(), name="chouette_seats"),
    path("chouettes/<ref:chouette>/undo/", ChouetteUndo.as_view(), name="chouette_undo"),
    path("chouettes/<ref:chouette>/corrections/", ChouetteCorrections.as_view(), name="chouette_corrections"),
    path("chouettes/<ref:chouette>/board/", ChouetteBoard.as_view(), name="chouette_board"),
    path("chouettes/<ref:chouette>/players/", ChouettePlayers.as_view(), name="chouette_players"),
    path("chouettes/<ref:chouette>/summary/", ChouetteSummary.as_view(), name="chouette_summary"),
    path("chouettes/<ref:chouette>/payments/", ChouettePayments.as_view(), name="chouette_payments"),
    path("analyses/<ref:analysis>/", OneAnalysis.as_view(), name="analysis"),
    path("analyses/<ref:analysis>/decisions/", AnalysisDecisions.as_view(), name="analysis_decisions"),
    path("positions/", PositionAnalyses.as_view(), name="position_analyses"),
    path("positions/saved/", SavedPositions.as_view(), name="saved_positions"),
    path("positions/saved/<ref:saved>/", OneSavedPosition.as_view(), name="saved_position"),
    path("positions/<ref:position>/", OnePositionAnalysis.as_view(), name="position_analysis"),
    path(
        "file-analyses/<ref:file_analysis>/decisions/",
        FileAnalysisDecisions.as_view(),
        name="file_analysis_decisions",
    ),
]
