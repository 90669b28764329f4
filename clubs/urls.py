from django.urls import URLPattern, path

from clubs.accounts.views.me import erase_me, me, my_data
from clubs.accounts.views.setup import setup
from clubs.accounts.views.tokens import revoke, tokens
from clubs.clubs.views.club import clubs, edit_club, new_club, people
from clubs.clubs.views.invitations import accept, invite, withdraw
from clubs.clubs.views.member_list import member_list
from clubs.clubs.views.members import (
    add_member,
    change_member,
    erase_member,
    leave,
    member_title,
    remove_member,
)
from clubs.help.views import all_help, page_of_help, reader_help
from clubs.live.views import live
from clubs.people.views.find_people import find_people
from clubs.shell.views.appearance import set_appearance
from clubs.shell.views.style import style
from clubs.site.views.demo import demo_progress
from clubs.site.views.outbox import erase, outbox, send_again
from clubs.site.views.robots import robots
from clubs.site.views.site import site, try_again

app_name = "clubs"
urlpatterns: list[URLPattern] = [
    path("robots.txt", robots, name="robots"),
    path("appearance/", set_appearance, name="appearance"),
    path("style/", style, name="style"),
    path("demo/", demo_progress, name="demo"),
    path("help/", all_help, name="help"),
    path("help/<slug:reader>/", reader_help, name="help_reader"),
    path("help/<slug:reader>/<slug:topic>/", page_of_help, name="help_page"),
    path("setup/<str:token>/", setup, name="setup"),
    path("me/", me, name="me"),
    path("me/tokens/", tokens, name="tokens"),
    path("me/tokens/<ref:token>/revoke/", revoke, name="revoke_token"),
    path("me/erase/", erase_me, name="erase_me"),
    path("me/data.json", my_data, name="my_data"),
    path("clubs/", clubs, name="clubs"),
    path("clubs/new/", new_club, name="new_club"),
    path("clubs/join/<str:token>/", accept, name="join"),
    path("clubs/<slug:club>/people/", people, name="people"),
    path("clubs/<slug:club>/people/find/", find_people, name="find_people"),
    path("clubs/<slug:club>/edit/", edit_club, name="edit_club"),
    path("clubs/<slug:club>/leave/", leave, name="leave"),
    path("clubs/<slug:club>/members/add/", add_member, name="add_member"),
    path("clubs/<slug:club>/members/list/", member_list, name="member_list"),
    path("clubs/<slug:club>/members/<ref:player>/", change_member, name="member"),
    path("clubs/<slug:club>/members/<ref:player>/title/", member_title, name="member_title"),
    path("clubs/<slug:club>/members/<ref:player>/remove/", remove_member, name="remove_member"),
    path("clubs/<slug:club>/members/<ref:player>/erase/", erase_member, name="erase_member"),
    path("clubs/<slug:club>/invitations/", invite, name="invite"),
    path("clubs/<slug:club>/invitations/<ref:invitation>/withdraw/", withdraw, name="withdraw"),
    path("live/<ref:ref>", live, name="live"),
    path("site/", site, name="site"),
    path("site/work/<str:task>/again/", try_again, name="try_again"),
    path("outbox/", outbox, name="outbox"),
    path("outbox/<ref:mail>/erase/", erase, name="erase_mail"),
    path("outbox/<ref:mail>/send/", send_again, name="send_mail_again"),
]
