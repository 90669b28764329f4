"""THE table: every address of an installation, and what each viewer meets there with each method.

A new address is one line here (``access_rules.py`` says how to read and write it). Tested cell by cell in
``test_access_matrix.py``; an address that is missing here, or a line without an address, fails there.
"""

from django.core.files.uploadedfile import SimpleUploadedFile

from tests.architecture.access_rules import (
    DIRECTOR,
    EVERYONE,
    GUEST,
    MEMBER,
    OWNER,
    SIGNED_IN,
    SITE_ADMIN,
    VISIBLE,
    Row,
    Rule,
    api,
    foreign,
    page,
)
from tests.clubs.test_pictures import a_picture
from tests.scoring.records import short_match


def a_match_file() -> dict[str, SimpleUploadedFile]:
    return {"match_files": SimpleUploadedFile("a.mat", short_match("Ana", "Ben"))}


def a_poster() -> dict[str, SimpleUploadedFile]:
    return {"poster": SimpleUploadedFile("a.png", a_picture())}


def a_photo() -> dict[str, SimpleUploadedFile]:
    return {"photo": SimpleUploadedFile("a.png", a_picture())}


OPENING_31 = "-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10"
CLUB_FORM = {"name": "Ace Point", "tz": "UTC", "currency": "EUR", "visibility": "public"}
WORK = "failed work is tried again by whoever runs the machine, on its page"
MAIL = "mail is looked after by whoever runs the machine, on its page"

# Members of the topic's club can follow it; for everyone else it does not exist.
HEARD = Rule("+++++++", hidden="0++++0+")
# A site administrator may what an owner may, but is in no club.
IN_THE_CLUB = Rule("?++++-0", hidden="?++++00")
NOTHING = Rule("0000000")
VISITORS = Rule("+>>>>>>")
# Who sits there, and the directors; for everybody else there is no such table.
AT_THE_TABLE = Rule("00+++0+")
AT_THE_TABLE_API = Rule("?0+++0+")
NOT_HERE = Rule(">>>>>>>")
ELSEWHERE = Rule("?>>>>>>")

CLUBS = [
    page("healthz", EVERYONE),
    page("readyz", EVERYONE),
    page("clubs:robots", EVERYONE),
    page("clubs:style", EVERYONE),
    page("clubs:demo", EVERYONE),
    page("clubs:help", EVERYONE),
    page("clubs:help_reader", EVERYONE),
    page("clubs:help_page", EVERYONE),
    page(
        "clubs:appearance",
        post=EVERYONE.sends({"appearance": "dark"}, 302),
        alone="the appearance belongs to a browser",
    ),
    page(
        "clubs:setup",
        EVERYONE,
        EVERYONE.sends({}, 200),
        alone="the first start, before there is anybody who could have a token",
        token="setup_token",
    ),
    page("clubs:me", SIGNED_IN, SIGNED_IN.sends({"name": "Ana"}, 302), twin="PATCH api:me"),
    page("clubs:my_data", SIGNED_IN),
    page(
        "clubs:erase_me",
        SIGNED_IN,
        SIGNED_IN.sends({}, 200),
        alone="it cannot be undone: the person repeats the address, seeing what goes and what stays",
    ),
    page(
        "clubs:tokens",
        SIGNED_IN,
        SIGNED_IN.sends({"label": "a", "scopes": ["read"], "days": "30"}, 302),
        alone="a program that could make tokens would outlive its own",
    ),
    page("clubs:revoke_token", post=SIGNED_IN.answers(302), twin="DELETE api:token", token="own_token"),
    page("clubs:clubs", EVERYONE),
    page("clubs:new_club", SIGNED_IN, SIGNED_IN.sends(CLUB_FORM, 302), twin="POST api:clubs"),
    page("clubs:people", VISIBLE),
    page("clubs:find_people", GUEST),
    page("clubs:edit_club", OWNER, OWNER.sends(CLUB_FORM, 302), twin="PATCH api:club"),
    page("clubs:leave", post=GUEST.answers(302), twin="DELETE api:my_club"),
    page(
        "clubs:join",
        EVERYONE,
        EVERYONE,
        twin="POST api:my_clubs",
        token="invitation_token",
    ),
    page(
        "clubs:add_member",
        DIRECTOR,
        DIRECTOR.sends({"player-name": "Zoë", "player-role": "10"}, 302),
        twin="POST api:members",
    ),
    page(
        "clubs:member_list",
        DIRECTOR,
        DIRECTOR.sends({"members": "Zoë", "role": "10"}, 200),
        twin="POST api:member_list",
    ),
    page("clubs:member", OWNER, OWNER.sends({"role": "10"}, 302), twin="PATCH api:member"),
    page("clubs:member_title", DIRECTOR, DIRECTOR.sends({"title": "40"}, 302), twin="POST api:member_title"),
    page("clubs:erase_member", OWNER, OWNER.sends({}, 302), twin="POST api:erase_member"),
    page("clubs:remove_member", OWNER, OWNER.answers(302), twin="DELETE api:member"),
    page(
        "clubs:invite",
        OWNER,
        OWNER.sends({"invitation-email": "zoe@example.org", "invitation-role": "20"}, 302),
        twin="POST api:invitations",
    ),
    page("clubs:withdraw", post=OWNER.answers(302), twin="DELETE api:invitation"),
    page("clubs:live", HEARD),
    page("clubs:site", SITE_ADMIN),
    page("clubs:try_again", post=SITE_ADMIN.answers(302), alone=WORK),
    page("clubs:outbox", SITE_ADMIN),
    page("clubs:erase_mail", post=SITE_ADMIN.answers(302), alone=MAIL),
    page("clubs:send_mail_again", post=SITE_ADMIN.answers(302), alone=MAIL),
]

CLUBS_API = [
    api("root", get=EVERYONE),
    api("schema", get=EVERYONE),
    api("docs", get=EVERYONE),
    api("formats", get=EVERYONE.answers(400)),
    api("problems", get=EVERYONE),
    api("problem", get=EVERYONE),
    api("nowhere", get=NOTHING, post=NOTHING, put=NOTHING, patch=NOTHING, delete=NOTHING),
    api("clubs", get=EVERYONE, post=SIGNED_IN.sends(CLUB_FORM, 201)),
    api("club", get=VISIBLE, patch=OWNER.sends({"name": "Ace Point"}, 200)),
    api("members", get=VISIBLE, post=DIRECTOR.sends({"name": "Zoë"}, 201)),
    api("member_list", post=DIRECTOR.sends({"members": "Zoë"}, 200)),
    api("member", get=GUEST, patch=OWNER.sends({"role": "guest"}, 200), delete=OWNER.answers(204)),
    api("member_title", post=DIRECTOR.sends({"title": "G3"}, 200)),
    api("erase_member", post=OWNER.answers(204)),
    api("invitations", get=OWNER, post=OWNER.sends({"email": "zoe@example.org"}, 201)),
    api("invitation", get=OWNER, delete=OWNER.answers(204)),
    api("players", get=SIGNED_IN),
    api("site", get=SITE_ADMIN),
    api("me", get=SIGNED_IN, patch=SIGNED_IN.sends({"name": "Ana"}, 200)),
    api("my_data", get=SIGNED_IN),
    api("my_clubs", get=SIGNED_IN, post=SIGNED_IN.sends({"invitation": "none"}, 400)),
    api("my_club", get=IN_THE_CLUB, delete=IN_THE_CLUB.answers(204)),
    api("tokens", get=SIGNED_IN),
    api("token", get=SIGNED_IN, delete=SIGNED_IN.answers(204), args={"token": "own_token"}),
]

# A match is known to whoever may know its club; what must not be known does not exist.
KNOWN = HEARD
# Who sent a file in, the club's directors and site administrators.
SENDERS = Rule("?00++0+")
SENDERS_PAGE = Rule("000++0+")
# The page tells whoever sees the match why they may not have it analysed; the API refuses them.
# A position that the member has saved is there for nobody else.
OWN_POSITION = Rule("?0+0000")
OWN_HELPER = Rule("?0+0000")
# A helper shows its own token; sessions and other tokens are nobody there.
HELPERS_ALONE = Rule("???????")
TOLD = KNOWN.answers(302)
# A match from a file: none of them plays in it, so that their choice is refused.
SIGNED_IN_KNOWN = Rule("?++++++", hidden="?++++0+")
# A member's note for the club.
A_NOTE = {"note-text": "Mind the gap", "note-audience": "me"}
NOTE_READERS = Rule("?++++0+")
NOTE_OWNER = Rule("?0+0000")
NOTE_DELETERS = Rule("?0+++0+")
# Its players, of whom none looks here, and those who direct the club.
LINKERS_PAGE = Rule("---++-+", hidden="0--++0+")
LINKERS = Rule("?--++-+", hidden="?--++0+")
# The member who added it, and directors; everyone who sees the match knows that it is there.
PHOTO_REMOVERS = Rule("?-+++-+", hidden="?-+++0+")
LINK_ENDERS = Rule("?00++0+")
A_VIDEO = {"address": "https://youtu.be/abc"}
A_LINK = {"shows": "match", "days": "7"}
ANALYSTS = Rule("?-+++-+", hidden="?-+++0+")

# The page says why somebody is not asked for a yes.
ASKED_FOR_A_YES = Rule("0++++++", hidden="0++++0+")
CLAIMANTS_PAGE = Rule("0++++0+")
CLAIMANTS = Rule("?++++0+")

# Of a match from a file, in which nobody has a login: the directors of its club.
WRITERS = Rule("?--++-+", hidden="?--++0+")

# A player's own; the matrix makes it the member's.
OWN_CARD = Rule("?0+0000")
NO_CARD_DUE = Rule("?000000")
SIGNED_IN_NOWHERE = Rule("?000000")
# Members share mistakes by choice, and none of the matrix has chosen.
SHARED_WITH_DIRECTORS = Rule("?--00-0", hidden="?--0000")
NO_POSITION = Rule("?-000-0", hidden="?-00000")
ANSWERING = Rule("?-+++-+", hidden="?-+++0+")

NEW_TABLE = {"title": "Friday night", "house": "house", "stake": "1"}
HOUSE_FORM = {
    "title": "Ours",
    "automatic": "never",
    "three_players": "free",
    "extras": "none",
    "opening_dice": "1",
    "box_keeps": "beat_captain",
    "new_box": "captain",
    "consultation": "never",
}

PROFILE_FORM = {
    "title": "Tuesday rules",
    "automatic_doubles": "1",
    "objection_minutes": "30",
    "report": "both",
    "premature_roll": "stands",
    "premature_cube": "stands",
    "die_on_checker": "cocked",
    "moves_policy": "legal",
    "reserve": "120",
    "delay": "12",
}

SCORING = [
    page("tournaments:club", VISIBLE),
    page("scoring:matches", EVERYONE),
    page("scoring:club_matches", VISIBLE),
    page("scoring:confirm", post=ASKED_FOR_A_YES.answers(302), twin="POST api:confirmations"),
    page("scoring:dispute", post=ASKED_FOR_A_YES.answers(302), twin="POST api:disputes"),
    page("scoring:ratings", EVERYONE),
    page("scoring:rating_list", VISIBLE),
    page("scoring:club_play", VISIBLE),
    page("scoring:player", HEARD, player="match_player"),
    page("scoring:player_rating", HEARD, player="match_player"),
    page("scoring:player_matches", HEARD, player="match_player"),
    page("scoring:player_statistics", HEARD.answers(301), player="match_player"),
    page("scoring:player_play", HEARD, player="match_player"),
    page("scoring:opponents", HEARD, player="match_player"),
    page("scoring:rating_change", NOTHING, player="match_player"),
    page("scoring:names", DIRECTOR),
    page("scoring:name", DIRECTOR),
    page("scoring:assign_name", post=DIRECTOR.answers(302), twin="POST api:assign_name"),
    page("scoring:refuse_name", post=DIRECTOR.answers(302), twin="POST api:refuse_name"),
    page("scoring:undo_merge", post=DIRECTOR.answers(302), twin="POST api:undo_merge"),
    page("scoring:guests", DIRECTOR),
    page("scoring:claim_code", post=DIRECTOR.answers(200), twin="POST api:claim_code"),
    page("scoring:add_guest", post=DIRECTOR.answers(302), twin="POST api:add_guest"),
    page(
        "scoring:erase_guest",
        OWNER,
        OWNER.sends({}, 302),
        twin="POST api:erase_guest",
        player="unclaimed",
    ),
    page("scoring:mistakes", SIGNED_IN),
    page(
        "scoring:mistake_sharing",
        SIGNED_IN,
        SIGNED_IN_NOWHERE,
        alone="the page names the club in its form, the API in its address",
    ),
    page(
        "scoring:week_position",
        MEMBER,
        MEMBER.sends({"answer": "take"}, 302),
        twin="POST api:week_position",
    ),
    page("scoring:club_mistakes", DIRECTOR),
    page("scoring:member_mistakes", SHARED_WITH_DIRECTORS),
    page("scoring:mistakes_apkg", SIGNED_IN),
    page("scoring:mistakes_xgid", SIGNED_IN),
    page("scoring:mistakes_pdf", SIGNED_IN),
    page(
        "scoring:mistake_session",
        SIGNED_IN.answers(302),
        SIGNED_IN.answers(302),
        twin="POST api:mistake_session",
    ),
    page(
        "scoring:answer_mistake",
        post=OWN_CARD.sends({"skip": "on"}, 302),
        twin="POST api:answer_mistake",
        card="own_card",
    ),
    page("scoring:mistake_answer", OWN_CARD),
    page("scoring:mistake_match", OWN_CARD.answers(302), card="own_card"),
    page(
        "scoring:resume_mistake", post=OWN_CARD.answers(302), twin="POST api:resume_mistake", card="own_card"
    ),
    page("scoring:claim", post=CLAIMANTS_PAGE.answers(302), twin="POST api:claim_name"),
    page("scoring:club_analysis", OWNER, OWNER.sends({"engine": ""}, 302), twin="PUT api:club_analysis"),
    page("scoring:profiles", VISIBLE),
    page(
        "scoring:new_profile",
        DIRECTOR,
        DIRECTOR.sends(PROFILE_FORM | {"name": "wednesday"}, 302),
        twin="POST api:club_profiles",
    ),
    page("scoring:edit_profile", DIRECTOR, DIRECTOR.sends(PROFILE_FORM, 302), twin="POST api:club_profiles"),
    page("scoring:retire_profile", post=DIRECTOR.answers(302), twin="DELETE api:club_profile"),
    page("scoring:match", KNOWN),
    page("scoring:step", KNOWN),
    page("scoring:labels", KNOWN),
    page("scoring:match_errors", KNOWN),
    page("scoring:match_chances", KNOWN),
    page("scoring:match_file", KNOWN),
    page("scoring:match_ogxm", KNOWN),
    page("scoring:match_sgf", KNOWN),
    page("scoring:match_json", KNOWN),
    page("scoring:match_pdf", KNOWN),
    page("scoring:slip_pdf", KNOWN),
    page("scoring:service_worker", EVERYONE),
    page("scoring:new_match", MEMBER, MEMBER.sends({}, 200), twin="POST api:club_matches"),
    page(
        "scoring:join_sheet",
        NOTHING,
        NOTHING,
        alone="it is for people without a login, who have no token",
    ),
    page("scoring:scoresheet", KNOWN, match="match_to_watch"),
    page("scoring:chouettes", GUEST),
    page("scoring:new_chouette", MEMBER, MEMBER.sends(NEW_TABLE, 302), twin="POST api:club_chouettes"),
    page("scoring:chouette_statistics", GUEST),
    page("scoring:find_chouette", EVERYONE),
    page("scoring:join_chouette", NOTHING, NOTHING, twin="POST api:join_chouette"),
    page("scoring:chouette", AT_THE_TABLE),
    page("scoring:chouette_mine", AT_THE_TABLE),
    page("scoring:chouette_history", AT_THE_TABLE),
    page("scoring:chouette_paid", post=AT_THE_TABLE.answers(302), twin="POST api:chouette_events"),
    page("scoring:houses", VISIBLE),
    page(
        "scoring:new_house",
        DIRECTOR,
        DIRECTOR.sends(HOUSE_FORM | {"name": "monday"}, 302),
        twin="POST api:club_houses",
    ),
    page("scoring:edit_house", DIRECTOR, DIRECTOR.sends(HOUSE_FORM, 302), twin="POST api:club_houses"),
    page("scoring:retire_house", post=DIRECTOR.answers(302), twin="DELETE api:club_house"),
    page("scoring:chouette_csv", AT_THE_TABLE),
    page("scoring:chouette_png", AT_THE_TABLE),
    page("scoring:chouette_json", AT_THE_TABLE),
    page(
        "scoring:take_seat",
        EVERYONE,
        EVERYONE.sends({}, 200),
        alone="it is for people without a login, who have no token",
        secret="open_seat",
    ),
    page("scoring:privacy", SIGNED_IN, SIGNED_IN.sends({"shown": "players"}, 302), twin="PUT api:privacy"),
    page("scoring:notes", SIGNED_IN),
    page(
        "scoring:my_helpers",
        SIGNED_IN,
        SIGNED_IN.sends({}, 200),
        alone="a token is shown once, to a person; a program that could make tokens would outlive its own",
    ),
    page("scoring:end_helper", post=SIGNED_IN.answers(302), twin="DELETE api:my_helper"),
    page("scoring:club_helpers", DIRECTOR),
    page("scoring:allow_helper", post=DIRECTOR.answers(302), twin="PATCH api:club_helper"),
    page("scoring:pause_helper", post=DIRECTOR.answers(302), twin="PATCH api:club_helper"),
    page("scoring:write_note", post=SIGNED_IN_KNOWN.sends(A_NOTE, 302), twin="POST api:match_notes"),
    page("scoring:edit_note", post=NOTE_OWNER.sends(A_NOTE, 302), twin="PUT api:note"),
    page("scoring:delete_note", post=NOTE_DELETERS.answers(302), twin="DELETE api:note"),
    page("scoring:match_photos", KNOWN, LINKERS_PAGE.sends(a_photo, 302), twin="POST api:match_photos"),
    page("scoring:match_video", LINKERS_PAGE, LINKERS_PAGE.sends(A_VIDEO, 302), twin="PUT api:match_video"),
    page("scoring:photo_jpg", KNOWN),
    page("scoring:thumbnail_jpg", KNOWN),
    page("scoring:delete_photo", post=PHOTO_REMOVERS.answers(302), twin="DELETE api:photo"),
    page("scoring:match_links", LINKERS_PAGE, LINKERS_PAGE.sends(A_LINK, 302), twin="POST api:match_links"),
    page("scoring:links", SIGNED_IN),
    page("scoring:end_link", post=LINK_ENDERS.answers(302), twin="DELETE api:link"),
    page("scoring:shared", EVERYONE, secret="share_secret"),
    page("scoring:shared_step", EVERYONE, secret="share_secret"),
    page("scoring:shared_png", EVERYONE, secret="share_secret"),
    page("scoring:shared_embed", EVERYONE, secret="share_secret"),
    # The same for everyone: no cookie is read.
    page("scoring:embed", Rule("+++++++", hidden="0000000")),
    page("scoring:step_png", KNOWN),
    page("scoring:step_svg", KNOWN),
    page("scoring:error_list", KNOWN),
    page("scoring:match_privacy", post=TOLD, twin="PUT api:match_privacy"),
    page("scoring:analyse", post=TOLD, twin="POST api:match_analyses"),
    page(
        "scoring:deeper",
        KNOWN,
        TOLD.sends({"level": "deep", "decision": "play"}, 302),
        alone="a program sends the XGID of the decision to `POST api:position_analyses`",
    ),
    page(
        "scoring:try_play",
        KNOWN,
        TOLD.sends({"answer": "8/5 6/5"}, 302),
        alone="a program sends the XGID with the play to `POST api:position_analyses`",
    ),
    page("scoring:position", EVERYONE),
    page(
        "scoring:analyse_position",
        post=SIGNED_IN.sends({"xgid": OPENING_31}, 302),
        twin="POST api:position_analyses",
    ),
    page(
        "scoring:save_position",
        post=SIGNED_IN.sends({"xgid": OPENING_31, "name": "Opening"}, 302),
        twin="POST api:saved_positions",
    ),
    page("scoring:saved_positions", SIGNED_IN),
    page("scoring:delete_position", post=OWN_POSITION.answers(302), twin="DELETE api:saved_position"),
    page("scoring:cancel_position", post=SIGNED_IN.answers(302), twin="DELETE api:position_analysis"),
    page("scoring:upload", MEMBER, MEMBER.sends(a_match_file, 302), twin="POST api:club_uploads"),
    page("scoring:uploads", SENDERS_PAGE),
    page("scoring:retry_upload", post=SENDERS.answers(302), twin="POST api:retry_upload"),
]

SCORING_API = [
    api("club_analysis", get=MEMBER, put=OWNER.sends({"engine": ""}, 200)),
    api("my_helpers", get=SIGNED_IN),
    api("my_helper", delete=OWN_HELPER.answers(204)),
    api("club_helpers", get=DIRECTOR),
    api("club_helper", patch=DIRECTOR.sends({"status": "allowed"}, 200)),
    api("helper", get=HELPERS_ALONE),
    api("helper_claims", post=HELPERS_ALONE),
    api("helper_heartbeat", post=HELPERS_ALONE),
    api("helper_answer", post=HELPERS_ALONE),
    api("helper_release", post=HELPERS_ALONE),
    api("club_matches", get=VISIBLE, post=MEMBER.answers(400)),
    api("club_profiles", get=VISIBLE, post=DIRECTOR.answers(400)),
    api("club_profile", get=VISIBLE, delete=DIRECTOR.answers(204)),
    api("club_uploads", post=MEMBER.sends(a_match_file, 202)),
    api("club_ratings", get=VISIBLE),
    api("club_play", get=VISIBLE),
    api("player", get=HEARD, args={"player": "match_player"}),
    api("player_play", get=HEARD, args={"player": "match_player"}),
    api("player_ratings", get=VISIBLE, args={"player": "match_player"}),
    api("uploads", get=SENDERS),
    api("retry_upload", post=SENDERS.answers(202)),
    api("names", get=DIRECTOR),
    api("assign_name", post=DIRECTOR.answers(200)),
    api("refuse_name", post=DIRECTOR.answers(200)),
    api("merges", get=DIRECTOR),
    api("undo_merge", post=DIRECTOR.answers(200)),
    api("guests", get=DIRECTOR),
    api("claim_code", post=DIRECTOR.answers(201)),
    api("add_guest", post=DIRECTOR.answers(200)),
    api("erase_guest", post=OWNER.answers(204), args={"player": "unclaimed"}),
    api("mistakes", get=SIGNED_IN),
    api("mistake_sharing", get=SIGNED_IN),
    api("club_sharing", put=IN_THE_CLUB.sends({"quiz": False, "coach": False}, 200)),
    api("week_position", get=NO_POSITION, post=ANSWERING.sends({"answer": "take"}, 409)),
    api("club_mistakes", get=DIRECTOR),
    api("member_mistakes", get=SHARED_WITH_DIRECTORS),
    api("mistake_session", get=NO_CARD_DUE, post=NO_CARD_DUE),
    api("answer_mistake", post=OWN_CARD.answers(200), args={"card": "own_card"}),
    api("resume_mistake", post=OWN_CARD.answers(200), args={"card": "own_card"}),
    api("claim_name", post=CLAIMANTS.answers(200), args={"alias": "free_name"}),
    api("confirmations", post=WRITERS),
    api("match", get=KNOWN),
    api("match_events", get=KNOWN, post=WRITERS.answers(400)),
    api("sheet", get=KNOWN),
    api("club_chouettes", get=GUEST, post=MEMBER.sends({"title": "Friday night"}, 201)),
    api("join_chouette", post=Rule("?000000").sends({"code": "ACDEFGHJKM"}, 404)),
    api("chouette", get=AT_THE_TABLE_API),
    api("chouette_events", post=AT_THE_TABLE_API.answers(400)),
    api("chouette_board", post=AT_THE_TABLE_API.answers(422)),
    api("chouette_code", post=AT_THE_TABLE_API),
    api("chouette_seats", post=AT_THE_TABLE_API.answers(400)),
    api("chouette_undo", post=AT_THE_TABLE_API.answers(400)),
    api("chouette_corrections", post=AT_THE_TABLE_API.answers(400)),
    api("chouette_players", post=AT_THE_TABLE_API.sends({"name": "Nobody"}, 200)),
    api("chouette_payments", get=AT_THE_TABLE_API),
    api("chouette_summary", get=AT_THE_TABLE_API),
    api(
        "club_houses",
        get=VISIBLE,
        post=DIRECTOR.sends({"name": "ours", "title": "Our house", "values": {}}, 200),
    ),
    api("club_house", get=VISIBLE, delete=DIRECTOR.answers(204)),
    api("sheet_undo", post=WRITERS.answers(400)),
    api("sheet_corrections", post=WRITERS.answers(400)),
    api("sheet_text", post=WRITERS.answers(400)),
    api("sheet_clock", post=WRITERS.answers(400)),
    api("sheet_claims", post=WRITERS.answers(201), delete=WRITERS.answers(200)),
    api("disputes", post=WRITERS.answers(409)),
    api("match_notes", get=SIGNED_IN_KNOWN, post=SIGNED_IN_KNOWN.sends({"text": "x"}, 201)),
    api(
        "note",
        get=NOTE_READERS,
        put=NOTE_OWNER.sends({"text": "x", "audience": "club"}, 200),
        delete=NOTE_DELETERS.answers(204),
    ),
    api("match_photos", get=KNOWN, post=LINKERS.sends(a_photo, 201)),
    # The match from a file has no video yet.
    api(
        "match_video",
        get=KNOWN.answers(404),
        put=LINKERS.sends(A_VIDEO, 200),
        patch=LINKERS.sends({"event_seq": 1, "seconds": 5}, 422),
        delete=LINKERS.answers(204),
    ),
    api("photo", get=KNOWN, delete=PHOTO_REMOVERS.answers(204)),
    api("match_links", get=LINKERS, post=LINKERS.sends({"shows": "match", "days": 7}, 201)),
    api("links", get=SIGNED_IN),
    api("link", get=Rule("?000+00"), delete=LINK_ENDERS.answers(204)),
    api("shared", args={"secret": "share_secret"}, get=EVERYONE),
    api("privacy", get=SIGNED_IN, put=SIGNED_IN.sends({"analyses": "players"}, 200)),
    api("match_privacy", get=SIGNED_IN_KNOWN, put=SIGNED_IN_KNOWN.sends({"analyses": "players"}, 409)),
    api("match_analyses", get=KNOWN, post=ANALYSTS.answers(202)),
    api("match_labels", get=KNOWN),
    api("step_cube", get=KNOWN),
    api("analysis", get=KNOWN),
    api("analysis_decisions", get=KNOWN),
    api("position_analyses", get=SIGNED_IN, post=SIGNED_IN.sends({"xgid": OPENING_31}, 202)),
    api(
        "saved_positions",
        get=SIGNED_IN,
        post=SIGNED_IN.sends({"position": OPENING_31, "name": "Opening"}, 200),
    ),
    api("saved_position", delete=OWN_POSITION.answers(204)),
    api("position_analysis", get=EVERYONE, delete=SIGNED_IN.answers(409)),
    api("match_file_analyses", get=KNOWN),
    api("file_analysis_decisions", get=KNOWN),
]

# A page that somebody may see but not run: visitors are told like everybody else.
RUNNERS_PAGE = Rule("---++-+", hidden="0--++0+")
OWNERS_PAGE = Rule("----+-+", hidden="0---+0+")
OWNERS = Rule("?---+-+", hidden="?---+0+")
RUNNERS = Rule("?--++-+", hidden="?--++0+")
# Site administrators run events but play in none: they are members of no club.
PLAYERS_PAGE = Rule("--+++--", hidden="0-+++0-")
PLAYERS = Rule("?-+++--", hidden="?-+++0-")
EVENT = {"name": "Wednesday", "starts_at": "2026-12-02T19:00", "length": "3", "returned": "100"}
A_WIN = {"ended": "played", "a_points": "3", "b_points": "0"}
A_RULING = {"happened": "The dice were cocked.", "decision": "Roll again."}
A_WIN_BY_API = {"ended": "played", "points": [3, 0]}

# Who has no player has nothing to check in; everybody else is told what they have.
AT_THE_DOOR = Rule("-+++++-", hidden="0++++0-")
# The matrix' viewers are nobody's partners.
PARTNERS_PAGE = Rule("-------", hidden="0----0-")
PARTNERS = Rule("?------", hidden="?----0-")
AT_THE_DOOR_TOKEN = Rule("?+++++-", hidden="?++++0-")
STARTS = {"starts": "2027-01-06 19:00"}
BREAKS = {"breaks": ""}

TOURNAMENTS = [
    page("tournaments:now", EVERYONE),
    page("tournaments:formats", EVERYONE),
    page("tournaments:events", EVERYONE),
    page("tournaments:club_events", VISIBLE),
    page("tournaments:put_away_steps", post=DIRECTOR.answers(302), twin="PATCH api:first_steps"),
    page(
        "tournaments:new_event",
        DIRECTOR,
        DIRECTOR.sends(EVENT | {"format_key": "swiss_3"}, 302),
        twin="POST api:club_events",
    ),
    page("tournaments:event", KNOWN),
    page("tournaments:enter", post=PLAYERS_PAGE.answers(302), twin="POST api:enter"),
    page("tournaments:enter_players", post=RUNNERS_PAGE.answers(409), twin="POST api:event_entrants"),
    page("tournaments:prizes", post=RUNNERS_PAGE.answers(409), twin="POST api:prizes"),
    page("tournaments:leave", post=RUNNERS_PAGE.answers(302), twin="DELETE api:entrant"),
    page("tournaments:check_in", post=RUNNERS_PAGE.answers(302), twin="POST api:check_in"),
    page("tournaments:everyone_here", post=RUNNERS_PAGE.answers(302), twin="POST api:check_in_all"),
    page("tournaments:event_file", RUNNERS_PAGE.answers(409)),
    page(
        "tournaments:move",
        RUNNERS_PAGE,
        RUNNERS_PAGE.sends({"to": "Ana's laptop"}, 302),
        twin="POST api:event_file",
    ),
    page("tournaments:unlock_event", post=OWNERS_PAGE.answers(409), twin="POST api:unlock_event"),
    page("tournaments:event_draws", KNOWN.answers(409)),
    page(
        "tournaments:join",
        RUNNERS_PAGE,
        RUNNERS_PAGE.sends({}, 200),
        alone="a screen for people to scan: a program needs no code to know the address",
    ),
    page("tournaments:read_file", DIRECTOR, DIRECTOR.sends({}, 200), twin="POST api:club_event_file"),
    page("tournaments:announced", RUNNERS_PAGE),
    page("tournaments:poster", RUNNERS_PAGE, RUNNERS_PAGE.sends({}, 200), twin="POST api:event_poster"),
    page("tournaments:poster_jpg", KNOWN.answers(302)),
    page("tournaments:change", RUNNERS_PAGE, RUNNERS_PAGE.sends({}, 200), twin="PATCH api:event"),
    page("tournaments:change_flight", RUNNERS_PAGE, RUNNERS_PAGE.sends({}, 200), twin="PATCH api:flight"),
    page("tournaments:cancel_flight", post=RUNNERS_PAGE.answers(409), twin="POST api:cancel_flight"),
    page("tournaments:new_flight", RUNNERS_PAGE, RUNNERS_PAGE.sends({}, 200), twin="POST api:event_flights"),
    page("tournaments:season", RUNNERS_PAGE, RUNNERS_PAGE.sends({}, 200), twin="POST api:next_season"),
    page(
        "tournaments:challenge",
        RUNNERS_PAGE,
        RUNNERS_PAGE.answers(409),
        twin="POST api:stage_challenge",
        stage="ladder",
    ),
    page(
        "tournaments:absent",
        RUNNERS_PAGE,
        RUNNERS_PAGE.answers(409),
        twin="POST api:stage_absences",
        stage="season",
    ),
    page("tournaments:starts", RUNNERS_PAGE, RUNNERS_PAGE.sends(STARTS, 302), twin="POST api:stage_starts"),
    page("tournaments:breaks", RUNNERS_PAGE, RUNNERS_PAGE.sends(BREAKS, 302), twin="PUT api:event_breaks"),
    page("tournaments:arrange", KNOWN),
    page("tournaments:meeting_time", post=PARTNERS_PAGE, twin="POST api:pairing_time"),
    page("tournaments:line_up", post=RUNNERS_PAGE.answers(409), twin="POST api:pairing_line_up"),
    page("tournaments:rolls", RUNNERS_PAGE),
    page(
        "tournaments:entries",
        RUNNERS_PAGE,
        RUNNERS_PAGE.sends({"action": "check-in"}, 409),
        twin="POST api:event_entries",
    ),
    page(
        "tournaments:edit_entry",
        RUNNERS_PAGE,
        RUNNERS_PAGE.sends({"payment": "cash"}, 302),
        twin="PATCH api:entrant",
    ),
    page("tournaments:entry_list", RUNNERS_PAGE, RUNNERS_PAGE.sends({}, 200), twin="POST api:entry_list"),
    page("tournaments:door", RUNNERS_PAGE),
    page("tournaments:here", KNOWN, AT_THE_DOOR.answers(409), twin="POST api:check_in_here"),
    page("tournaments:cancel", post=RUNNERS_PAGE.answers(302), twin="POST api:cancel_event"),
    page("tournaments:copy", post=RUNNERS_PAGE.answers(302), twin="POST api:copy_event"),
    page("tournaments:answer", post=PARTNERS_PAGE, twin="POST api:entrant_answer"),
    page("tournaments:payment", post=RUNNERS_PAGE.answers(302), twin="POST api:entrant_payment"),
    page("tournaments:back", post=RUNNERS_PAGE.answers(409), twin="POST api:entrant_return"),
    page(
        "tournaments:substitute",
        RUNNERS_PAGE,
        RUNNERS_PAGE.sends({}, 409),
        twin="POST api:entrant_substitute",
    ),
    page("tournaments:draw_one", post=RUNNERS_PAGE.answers(409), twin="POST api:stage_draw"),
    page("tournaments:redraw", post=RUNNERS_PAGE.answers(409), twin="POST api:stage_redraw"),
    page("tournaments:round", RUNNERS_PAGE, RUNNERS_PAGE.sends({}, 409), twin="POST api:stage_round"),
    page("tournaments:field", post=RUNNERS_PAGE.answers(409), twin="POST api:stage_field"),
    page("tournaments:declined", post=RUNNERS_PAGE.answers(409), twin="POST api:stage_declined"),
    page("tournaments:tie", post=RUNNERS_PAGE.answers(409), twin="POST api:stage_ties"),
    page("tournaments:late", post=RUNNERS_PAGE.answers(409), twin="POST api:late_entry"),
    page("tournaments:desk", RUNNERS_PAGE),
    page("tournaments:publish_event", post=RUNNERS_PAGE.answers(302), twin="PATCH api:event"),
    page("tournaments:call_all", post=RUNNERS_PAGE.answers(302), twin="POST api:call_ready"),
    page(
        "tournaments:make_tables",
        post=RUNNERS_PAGE.sends({"last": "4"}, 302),
        twin="POST api:event_tables",
    ),
    page("tournaments:change_table", post=RUNNERS_PAGE.answers(409), twin="POST api:event_table"),
    page("tournaments:log", RUNNERS_PAGE),
    page("tournaments:undo", post=RUNNERS_PAGE.answers(302), twin="POST api:undo_entry"),
    page("tournaments:new_ruling", RUNNERS_PAGE, RUNNERS_PAGE.sends(A_RULING, 302), twin="POST api:rulings"),
    page("tournaments:ruling", RUNNERS_PAGE, RUNNERS_PAGE.answers(200), twin="POST api:appeals"),
    page("tournaments:conduct", RUNNERS_PAGE, RUNNERS_PAGE.answers(200), twin="POST api:conduct"),
    page("tournaments:disqualify", post=RUNNERS_PAGE.answers(409), twin="POST api:disqualify"),
    page(
        "tournaments:pairing_action",
        post=RUNNERS_PAGE.sends({"action": "call"}, 302),
        twin="POST api:pairing_desk",
    ),
    page(
        "tournaments:absence",
        RUNNERS_PAGE,
        RUNNERS_PAGE.sends({"entrant": "nobody", "scope": "event", "seen": "0"}, 200),
        twin="POST api:pairing_absence",
    ),
    page("tournaments:penalty", post=RUNNERS_PAGE.answers(302), twin="POST api:penalties"),
    page("tournaments:reopen", RUNNERS_PAGE.answers(302), RUNNERS_PAGE.answers(302), twin="POST api:reopen"),
    page("tournaments:stage", KNOWN.answers(302)),
    page("tournaments:archive", KNOWN),
    page("tournaments:wall", KNOWN),
    # The same for everyone: no cookie is read.
    page("tournaments:draw_embed", Rule("+++++++", hidden="0000000")),
    page("tournaments:event_calendar", KNOWN),
    page("tournaments:featured", KNOWN),
    page("tournaments:overlay", KNOWN),
    page(
        "tournaments:calls",
        SIGNED_IN,
        SIGNED_IN.answers(302),
        alone="a browser subscribes by itself: a program has none",
    ),
    page(
        "tournaments:call_here",
        post=SIGNED_IN.sends({"endpoint": "https://evil.example.org/"}, 422),
        alone="the address of a browser, which only the browser knows",
    ),
    page(
        "tournaments:calendar",
        SIGNED_IN,
        SIGNED_IN.answers(302),
        alone="the address is a secret of the person, shown to the person alone",
    ),
    page("tournaments:own_calendar", EVERYONE, key="calendar_key"),
    page("tournaments:print_stage", KNOWN),
    page("tournaments:print_cards", KNOWN),
    page("tournaments:event_png", KNOWN),
    page("tournaments:at_table", KNOWN.answers(302)),
    page("tournaments:money", RUNNERS_PAGE),
    page(
        "tournaments:settlement",
        RUNNERS_PAGE,
        RUNNERS_PAGE.sends({"cash": "nobody"}, 409),
        twin="POST api:settle",
    ),
    page(
        "tournaments:calcutta",
        KNOWN,
        RUNNERS_PAGE.sends({"action": "open", "rake": "0", "most_back": "50", "percentages": "100"}, 302),
        twin="POST api:auction",
    ),
    page(
        "tournaments:forbidden",
        RUNNERS_PAGE,
        RUNNERS_PAGE.sends({"add": "rule", "rule": "club", "strict": "never"}, 302),
        twin="POST api:forbidden_pairs",
    ),
    page(
        "tournaments:satellite",
        post=RUNNERS_PAGE.sends({"target": ""}, 302),
        twin="PUT api:flight_satellite",
    ),
    page("tournaments:prize_entry", post=RUNNERS_PAGE.answers(409), twin="POST api:prize_entry"),
    page("tournaments:lot", post=RUNNERS_PAGE.sends({"action": "undo"}, 302), twin="DELETE api:lot_sale"),
    page("tournaments:cash_box", post=RUNNERS_PAGE.sends({"counted": "1"}, 302), twin="POST api:cash_box"),
    page("tournaments:receipt", RUNNERS_PAGE),
    page("tournaments:mail_receipt", post=RUNNERS_PAGE.answers(409), twin="POST api:mail_receipt"),
    page("tournaments:approve", post=RUNNERS_PAGE.answers(409), twin="POST api:prizes"),
    page(
        "tournaments:shares",
        post=RUNNERS_PAGE.sends({"share-main": "100"}, 302),
        twin="PUT api:flight_shares",
    ),
    page(
        "tournaments:deal",
        post=RUNNERS_PAGE.sends({"amount-nobody": "1"}, 409),
        twin="POST api:deal",
    ),
    page("tournaments:paid", post=RUNNERS_PAGE.sends({"how": "cash"}, 302), twin="PUT api:prize_payment"),
    page("tournaments:report", KNOWN),
    page("tournaments:event_play", KNOWN),
    page("tournaments:report_csv", KNOWN),
    page("tournaments:report_json", KNOWN),
    page("tournaments:changes", KNOWN),
    page("tournaments:followed", KNOWN),
    page("tournaments:path", KNOWN, entrant="drawn_entrant"),
    page("tournaments:pairing", KNOWN),
    page(
        "tournaments:follow",
        post=SIGNED_IN.answers(302),
        twin="PUT api:follow",
        player="own_player",
    ),
    page(
        "tournaments:result",
        RUNNERS_PAGE,
        RUNNERS_PAGE.sends(A_WIN, 200),
        twin="POST api:pairing_result",
    ),
]

TOURNAMENTS_API = [
    api("club_events", get=VISIBLE, post=DIRECTOR.sends(EVENT | {"format": "swiss_3"}, 201)),
    api("forecast_event", post=DIRECTOR.sends(EVENT | {"format": "swiss_3"}, 200)),
    api("event", get=KNOWN, patch=RUNNERS.sends({"name": "Thursday"}, 200)),
    api("flight", get=KNOWN, patch=RUNNERS.sends({"capacity": 8}, 200)),
    api("cancel_flight", post=RUNNERS.answers(409)),
    api("event_entrants", get=KNOWN, post=RUNNERS.sends({"players": ["nobody"]}, 400)),
    api("enter", post=PLAYERS.answers(201)),
    api(
        "event_flights",
        get=KNOWN,
        post=RUNNERS.sends({"format": "swiss_3", "length": 3, "name": "Open"}, 201),
    ),
    api("event_file", get=RUNNERS.answers(409), post=RUNNERS.sends({"to": "Ana's laptop"}, 200)),
    api("unlock_event", post=OWNERS.answers(409)),
    api("club_event_file", post=DIRECTOR.sends({"file": "{}"}, 409)),
    api("next_season", post=RUNNERS.sends({"starts_at": "2027-01-06T19:00Z", "moves": 1}, 409)),
    api("stage_challenge", post=RUNNERS.sends({"challenged": "nobody"}, 400)),
    api("stage_absences", get=KNOWN.answers(409), post=RUNNERS.sends({"entrant": "nobody"}, 400)),
    api("stage_starts", post=RUNNERS.sends({"starts": ["2027-01-06T19:00Z"]}, 200)),
    api("event_breaks", get=KNOWN, put=RUNNERS.sends({"breaks": []}, 200)),
    api("first_steps", get=DIRECTOR, patch=DIRECTOR.sends({"put_away": True}, 200)),
    api("event_poster", post=RUNNERS.sends(a_poster, 200), delete=RUNNERS.answers(204)),
    api("pairing_time", post=PARTNERS),
    api("pairing_line_up", post=RUNNERS.sends({"entrant": "nobody", "players": ["nobody"]}, 400)),
    api(
        "event_entries",
        get=RUNNERS,
        post=RUNNERS.sends({"action": "check_in", "entrants": ["nobody"]}, 409),
    ),
    api("entry_list", post=RUNNERS.sends({"entries": "Zoë; Iker; cash"}, 200)),
    api("check_in_here", post=AT_THE_DOOR_TOKEN.sends({}, 400)),
    api("cancel_event", post=RUNNERS.answers(200)),
    api("copy_event", post=RUNNERS.answers(201)),
    api("entrant_answer", post=PARTNERS),
    api("entrant_payment", post=RUNNERS.sends({"payment": "cash"}, 200)),
    api("entrant_return", post=RUNNERS.answers(409)),
    api("entrant_substitute", post=RUNNERS.answers(400)),
    api("stage_draw", post=RUNNERS.answers(409)),
    api("stage_redraw", post=RUNNERS.sends({"reason": "Ana was forgotten"}, 200)),
    api(
        "stage_round",
        get=RUNNERS.answers(409),
        post=RUNNERS.answers(409),
        put=RUNNERS.sends({"manual": True}, 409),
        delete=RUNNERS.answers(409),
    ),
    api("stage_field", get=KNOWN, post=RUNNERS.answers(409)),
    api("stage_declined", post=RUNNERS.answers(400)),
    api("stage_ties", get=KNOWN, post=RUNNERS.answers(400)),
    api("late_entry", post=RUNNERS.answers(400)),
    api("event_stages", get=KNOWN),
    api("event_play", get=KNOWN),
    api("draw", post=RUNNERS.answers(200)),
    api("prizes", get=KNOWN, post=RUNNERS.answers(409)),
    api("balance", get=RUNNERS),
    api(
        "auction",
        get=KNOWN,
        post=RUNNERS.sends({"percentages": [100]}, 409),
        patch=RUNNERS.sends({"closed": True}, 200),
        delete=RUNNERS.answers(204),
        args={"flight": "auctioned"},
    ),
    api("field_lots", post=RUNNERS.sends({"lots": ["a", "b"]}, 409), args={"flight": "auctioned"}),
    api("auction_payouts", post=RUNNERS.answers(409), args={"flight": "auctioned"}),
    api("lot_sale", put=RUNNERS.sends({"buyer": "nobody", "price": 1}, 409), delete=RUNNERS.answers(200)),
    api("lot_buy_back", put=RUNNERS.sends({"entrant": "nobody", "percent": 1}, 409)),
    api("lot_entrants", delete=RUNNERS.answers(200)),
    api("lot_payout", delete=RUNNERS.answers(200)),
    api("forbidden_pairs", get=RUNNERS, post=RUNNERS.sends({"kind": "club"}, 200)),
    api("forbidden_line", delete=RUNNERS.answers(200)),
    api("flight_satellite", get=RUNNERS, put=RUNNERS.sends({"target": None}, 200)),
    api("prize_entry", post=RUNNERS.answers(409)),
    api("settlement", get=RUNNERS, post=RUNNERS.sends({"how": "cash"}, 200)),
    api("settle", post=RUNNERS.sends({"how": "cash"}, 200)),
    api("mail_receipt", post=RUNNERS.answers(409)),
    api(
        "cash_box",
        post=RUNNERS.sends({"counted": 1, "anyway": True}, 200),
        delete=RUNNERS.answers(409),
    ),
    api("flight_shares", get=RUNNERS, put=RUNNERS.sends({"shares": {"main": 100}}, 200)),
    api("deal", post=RUNNERS.sends({"amounts": []}, 400)),
    api(
        "prize_payment",
        put=RUNNERS.sends({"how": "cash"}, 200),
        delete=RUNNERS.answers(200),
    ),
    api("entrant", get=KNOWN, patch=RUNNERS.sends({}, 200), delete=RUNNERS.answers(204)),
    api("check_in", post=RUNNERS.sends({}, 200)),
    api("check_in_all", post=RUNNERS.answers(200)),
    api("desk", get=RUNNERS),
    api("call_ready", post=RUNNERS.answers(200)),
    api("event_tables", get=RUNNERS, post=RUNNERS.sends({"last": 4}, 200)),
    api("event_table", post=RUNNERS.sends({"closed": True}, 200)),
    api("event_log", get=RUNNERS),
    api("undo_entry", post=RUNNERS.answers(200)),
    api("rulings", get=RUNNERS, post=RUNNERS.sends(A_RULING, 200)),
    api("appeals", post=RUNNERS.sends({"committee": ["a", "b", "c"]}, 400)),
    api("appeal_decision", post=RUNNERS.sends({"upheld": True, "decision": "It stands."}, 409)),
    api("conduct", get=RUNNERS, post=RUNNERS.sends({"about": ["nobody"], "text": "Shouting."}, 400)),
    api("disqualify", post=RUNNERS.answers(409)),
    api("pairing_desk", post=RUNNERS.sends({"action": "call"}, 200)),
    api(
        "pairing_absence",
        get=RUNNERS.answers(400),
        post=RUNNERS.sends({"entrant": "nobody", "scope": "event"}, 400),
    ),
    api("penalties", post=RUNNERS.sends({"to": "white", "points": 1}, 200)),
    api("pairing_report", post=RUNNERS.sends(A_WIN_BY_API, 200)),
    api("reopen", get=RUNNERS, post=RUNNERS.sends({"seen": 1, "reason": "typo"}, 409)),
    api("stage", get=KNOWN),
    api("stage_archive", get=KNOWN),
    api("event_archive", get=KNOWN.answers(409)),
    api("stage_standings", get=KNOWN),
    api("follows", get=SIGNED_IN),
    api(
        "follow",
        args={"player": "own_player"},
        put=SIGNED_IN.answers(204),
        delete=SIGNED_IN.answers(204),
    ),
    api("stage_pairings", get=KNOWN),
    api("preview_result", post=RUNNERS.sends(A_WIN_BY_API, 200)),
    api("pairing_result", post=RUNNERS.sends(A_WIN_BY_API | {"seen": 1}, 200)),
]

SIGNING_IN = [
    foreign("account_login", VISITORS, VISITORS),
    foreign("account_signup", VISITORS, VISITORS),
    foreign("account_logout", Rule(">++++++"), NOT_HERE),
    foreign("account_inactive", EVERYONE),
    foreign("account_reauthenticate", SIGNED_IN, SIGNED_IN),
    foreign("account_email", SIGNED_IN, ELSEWHERE),
    foreign("account_change_password", SIGNED_IN, SIGNED_IN),
    foreign("account_reset_password", EVERYONE, EVERYONE),
    foreign("account_password_reset_completed", EVERYONE),
    foreign("account_request_login_code", VISITORS, VISITORS),
    # Steps of a dialogue that has not begun: back to its beginning.
    foreign("account_email_verification_sent", ELSEWHERE, ELSEWHERE),
    foreign("account_confirm_login_code", ELSEWHERE, ELSEWHERE),
    foreign("account_confirm_password_reset_code", Rule("???????"), Rule("???????")),
    foreign("account_complete_password_reset", NOT_HERE, NOT_HERE),
    foreign("mfa_authenticate", ELSEWHERE, ELSEWHERE),
    foreign("mfa_reauthenticate", ELSEWHERE, ELSEWHERE),
    foreign("mfa_reauthenticate_webauthn", ELSEWHERE, ELSEWHERE),
    foreign("mfa_login_webauthn", ELSEWHERE, ELSEWHERE),
    # A change of the password of a login that has none.
    foreign("account_set_password", ELSEWHERE, ELSEWHERE),
    foreign("mfa_index", SIGNED_IN),
    foreign("mfa_list_webauthn", SIGNED_IN),
    # Who has no recovery codes finds none; to change keys one shows again who one is.
    foreign("mfa_view_recovery_codes", Rule("?000000")),
    foreign("mfa_download_recovery_codes", Rule("?000000"), Rule("?000000")),
    foreign("mfa_generate_recovery_codes", ELSEWHERE, ELSEWHERE),
    foreign("mfa_add_webauthn", ELSEWHERE, ELSEWHERE),
    foreign("mfa_remove_webauthn", ELSEWHERE, ELSEWHERE),
    foreign("mfa_edit_webauthn", ELSEWHERE, ELSEWHERE),
]

MATRIX: list[Row] = [*CLUBS, *CLUBS_API, *SCORING, *SCORING_API, *TOURNAMENTS, *TOURNAMENTS_API, *SIGNING_IN]
