"""The first steps of a new club, each ticked by what has happened."""

from dataclasses import dataclass

from django.conf import settings
from django.db.models import Count, Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import Club, Invitation, Membership, OutgoingMail, Role, WorkStatus
from tournaments.models import Event


@dataclass(frozen=True, slots=True)
class FirstStep:
    """A step: what is known of it, and where it is taken; empty where the viewer cannot take it."""

    key: str
    title: str
    said: str
    done: bool
    address: str = ""
    action: str = ""


@dataclass(frozen=True, slots=True)
class FirstSteps:
    """The steps in order."""

    steps: tuple[FirstStep, ...]

    @property
    def done(self) -> int:
        return sum(step.done for step in self.steps)

    @property
    def complete(self) -> bool:
        return self.done == len(self.steps)

    @property
    def next(self) -> FirstStep | None:
        """The first open step that the viewer can take."""
        return next((step for step in self.steps if not step.done and step.address), None)


def first_steps(club: Club, role: Role) -> FirstSteps:
    """The first steps of the club for one of its directors (three queries, four with a mail server)."""
    owns = role >= Role.OWNER
    return FirstSteps((_club(club, owns=owns), _people(club, owns=owns), *_of_events(club), _mail()))


def _club(club: Club, *, owns: bool) -> FirstStep:
    said = f"{club.name} · {club.tz} · {club.currency}"
    address = reverse("clubs:edit_club", args=[club.slug]) if owns else ""
    return FirstStep("club", _("Club"), said, done=True, address=address, action=_("Edit settings"))


def _people(club: Club, *, owns: bool) -> FirstStep:
    members = Membership.objects.in_club(club).count()
    invited = Invitation.objects.open().filter(club=club).count()
    said = ngettext("%(count)s player", "%(count)s players", members) % {"count": members}
    if invited:
        said += f", {ngettext('%(count)s invited', '%(count)s invited', invited) % {'count': invited}}"
    invites = owns and settings.EMAIL_URL  # without a mail server an invitation reaches nobody
    page, action = (
        ("clubs:invite", _("Invite members")) if invites else ("clubs:member_list", _("Add players"))
    )
    return FirstStep(
        *("people", _("Players"), said),
        done=members > 1 or invited > 0,
        address=reverse(page, args=[club.slug]),
        action=action,
    )


def _of_events(club: Club) -> tuple[FirstStep, FirstStep]:
    """The first event, and the phones that check in with the code of one."""
    counted = Event.objects.in_club(club).aggregate(all=Count("pk"), shown=Count("pk", filter=~Q(door="")))
    number = counted["all"]
    said = ngettext("%(count)s event", "%(count)s events", number) % {"count": number}
    event = FirstStep(
        *("event", _("First event"), said if number else _("None announced yet")),
        done=number > 0,
        address=reverse("tournaments:new_event", args=[club.slug]),
        action=_("Announce event"),
    )
    newest = Event.objects.in_club(club).filter(moved_at=None).newest_first().first() if number else None
    phones = FirstStep(
        *("phones", _("Phones at the venue")),
        _("The check-in code has been shown") if counted["shown"] else _("Players check in with a QR code"),
        done=counted["shown"] > 0,
        address=reverse("tournaments:door", args=[newest.ref]) if newest else "",
        action=_("Show code"),
    )
    return event, phones


def _mail() -> FirstStep:
    """Whether mail leaves the site; those who run it set it up."""
    if not settings.EMAIL_URL:
        said, done = (
            _("No mail server: invitations and codes are not sent. Ask the site administrator."),
            False,
        )
    else:
        ended = OutgoingMail.objects.filter(status__in=[WorkStatus.DONE, WorkStatus.FAILED])
        last = ended.order_by("-queued_at", "-pk").values_list("status", flat=True).first()
        done = last != WorkStatus.FAILED
        said = (
            _("The mail server accepts messages")
            if done
            else _("The last message failed. Ask the site administrator.")
        )
    address = reverse("clubs:help_page", args=["operators", "mail"])
    return FirstStep("mail", _("Email"), said, done=done, address=address, action=_("Set up email"))
