"""Notify players of recorded results by email and push.

The page that waits for each of them (``scoring.matches.queries.matches.waiting_for``) needs no message. An
app above registers how a user's browsers are reached (``register_push``).
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass

from django.conf import settings
from django.core.mail import send_mail
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import User
from clubs.work import services as work
from scoring.files.services.notice_batches import is_told_by_another, told_together
from scoring.log.queries.results import is_called, missing_confirmations, side_of
from scoring.models import Channel, Match, MatchStatus, Result, ResultNotice
from scoring.sheets.services.results import ResultValue


@dataclass(frozen=True, slots=True)
class Message:
    """A browser notification; a later one with the same ``tag`` replaces it."""

    title: str
    body: str
    address: str
    tag: str


Push = Callable[[int, dict[str, str]], list[str]]
_pushes: list[Push] = []


def register_push(push: Push) -> None:
    """Register ``push(user_id, message)``, which returns errors worth retrying."""
    if push not in _pushes:
        _pushes.append(push)


def ask_to_tell(*, match: Match, value: ResultValue | None) -> list[ResultNotice]:
    """Queue one notice per player and channel, in the result's transaction.

    Nobody is told of what the desk of an event settled before their eyes, of files that a director brought,
    and of what the demo club made up. Of a file that waits for somebody, and of all else, both sides are.
    """
    result: Result | None = getattr(match, "result", None)
    if value is None or result is None or match.status != MatchStatus.FINISHED:
        return []
    if value.final and (match.sheet.directed or not match.sheet.profile):
        return []
    if match.club.is_demo:
        return []
    users = User.objects.filter(player__seats__match=match, is_active=True).order_by("pk")
    notices = [
        ResultNotice(match=match, revision=result.revision, user=user, way=way)
        for user in users
        for way in (Channel.MAIL, *((Channel.PUSH,) if _pushes else ()))
    ]
    # Who was told of this revision before stays as told; to wake such a row once more does nothing.
    return ResultNotice.objects.bulk_create(notices, ignore_conflicts=True)


def tell_result(notice: ResultNotice) -> None:
    """Send one notice, which is work claimed by the caller.

    A result that changed since is told by a notice of its own.
    """
    match = Match.objects.with_players().select_related("sheet").get(pk=notice.match_id)
    result: Result | None = getattr(match, "result", None)
    if result is None or result.revision != notice.revision or match.status != MatchStatus.FINISHED:
        work.cancel(notice)
        return
    if is_told_by_another(notice):
        work.cancel(notice)
        return
    together = told_together(notice)
    message = _message_of_all(together) if together else _message(match, result, notice.user)
    if notice.way == Channel.PUSH:
        troubles = [trouble for push in _pushes for trouble in push(notice.user_id, asdict(message))]
        if troubles:
            work.fail(notice, error="; ".join(troubles)[:500])
            return
    with work.finish(notice):
        if notice.way == Channel.MAIL and together:
            _mail_all(together, notice.user, message)
        elif notice.way == Channel.MAIL:
            _mail(match, result, notice.user, message)


def _message(match: Match, result: Result, user: User) -> Message:
    score = {
        "white": match.white.name,
        "black": match.black.name,
        "score": f"{result.white_points}\N{EN DASH}{result.black_points}",
    }
    title = _("Result to confirm") if _is_asked(match, result, user) else _("Result recorded")
    body = _("%(white)s %(score)s %(black)s") % score
    return Message(title, body, match.get_absolute_url(), f"result-{match.ref}")


def _message_of_all(matches: list[Match]) -> Message:
    """The notification for the matches of one upload."""
    number = len(matches)
    body = ngettext("%(number)s match", "%(number)s matches", number) % {"number": number}
    address = matches[0].club.get_absolute_url()
    return Message(_("Results recorded"), body, address, f"results-{matches[0].ref}")


def _is_asked(match: Match, result: Result, user: User) -> bool:
    return result.final_at is None and side_of(match, user) in missing_confirmations(match, result)


def _mail(match: Match, result: Result, user: User, message: Message) -> None:
    context = {
        "match": match,
        "result": result,
        "message": message,
        "asked": _is_asked(match, result, user),
        "called": is_called(match),
        "link": _link(message),
    }
    send_mail(
        subject=f"{message.title}: {message.body}",
        message=render_to_string("scoring/matches/mail/result.txt", context),
        from_email=None,
        recipient_list=[user.email],
    )


def _mail_all(matches: list[Match], user: User, message: Message) -> None:
    said = [(match, _message(match, match.result, user)) for match in matches]
    context = {
        "club": matches[0].club,
        "results": [{"message": each, "link": _link(each)} for _match, each in said],
        "asked": any(_is_asked(match, match.result, user) for match, _each in said),
    }
    send_mail(
        subject=f"{message.title}: {message.body}",
        message=render_to_string("scoring/matches/mail/results.txt", context),
        from_email=None,
        recipient_list=[user.email],
    )


def _link(message: Message) -> str:
    return f"{settings.PUBLIC_URL.rstrip('/')}{message.address}"
