"""The video of a match: its link, and the times of its plays."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.access import decides
from clubs.http.methods import shows_a_form
from clubs.models import User
from scoring.log.queries.sheets import steps_of
from scoring.log.queries.words import text_of
from scoring.log.queries.writers import may_add_to
from scoring.models import Match, MatchVideo
from scoring.models.video import ADDRESS_LENGTH
from scoring.notation.transcript import Step, step_of_entries
from scoring.notation.videos import link_at, read_time, time_words
from scoring.rules.errors import ScoringError
from scoring.sheets.queries.videos import times_of, video_of
from scoring.sheets.services.videos import VideoRefused, note_time, remove_video, set_video
from scoring.sheets.views.visible_match import opened_match
from scoring.signals import ResultRefused


class VideoForm(forms.Form):
    """The link to a video; ``set_video`` checks it."""

    address = forms.CharField(
        label=gettext_lazy("Link to the video"),
        max_length=4 * ADDRESS_LENGTH,
        error_messages={"required": gettext_lazy("Paste the link to the video.")},
        help_text=gettext_lazy("YouTube, Twitch, Vimeo or any https address."),
        widget=forms.TextInput({"inputmode": "url", "autocapitalize": "off", "spellcheck": "false"}),
    )


class TimeForm(forms.Form):
    """When a step is seen in the video."""

    step = forms.IntegerField(label=gettext_lazy("Step"), min_value=1, max_value=100_000)
    time = forms.CharField(
        label=gettext_lazy("Time in the video"),
        required=False,
        max_length=10,
        help_text=gettext_lazy("As 12:34 or 1:02:34. Blank = none."),
    )


@decides("players of the match and directors of its club")
@shows_a_form
def match_video(request: HttpRequest, match: str) -> HttpResponse:
    """Link a match to its video, note times in it, and remove it. ``step`` is the step to note a time at."""
    opened = opened_match(request, match)
    found, user = opened.match, request.user
    if not isinstance(user, User) or not may_add_to(user, found, opened.role):
        raise PermissionDenied(_("Only the players of this match and directors can link its video."))
    video, steps = video_of(found), steps_of(found.sheet)
    asked = request.GET.get("step", "")
    form = VideoForm(initial={"address": video.address} if video else None)
    time_form = TimeForm(prefix="at", initial={"step": asked if asked.isdecimal() else None})
    if "remove" in request.POST:
        remove_video(match=found)
        messages.success(request, _("Video removed."))
        return redirect(found)
    if "at-step" in request.POST:
        time_form = TimeForm(request.POST, prefix="at")
        if time_form.is_valid() and _noted(time_form, found, steps):
            messages.success(request, _("Time saved."))
            return redirect("scoring:step", found.ref, time_form.cleaned_data["step"])
    elif request.method == "POST":
        form = VideoForm(request.POST)
        if form.is_valid() and _set(form, found, user):
            messages.success(request, _("Video saved."))
            return redirect("scoring:match_video", match=found.ref)
    context = {
        "match": found,
        "club": found.club,
        "form": form,
        "time_form": time_form,
        "video": video,
        "times": _lines(video, steps) if video else [],
        "has_steps": bool(steps),
    }
    return render(request, "scoring/sheets/video.html", context)


def _set(form: VideoForm, match: Match, user: User) -> bool:
    """Keep the link of a valid form; False with the reason in the form."""
    try:
        set_video(match=match, user=user, address=form.cleaned_data["address"])
    except (VideoRefused, ResultRefused) as refused:
        form.add_error("address", str(refused))
        return False
    return True


def _noted(form: TimeForm, match: Match, steps: tuple[Step, ...]) -> bool:
    """Keep the time of a valid form; False with the reason in the form."""
    number, time = form.cleaned_data["step"], form.cleaned_data["time"].strip()
    if number > len(steps):
        message = _("This match has %(steps)s steps; there is no step %(step)s.")
        form.add_error("step", message % {"steps": len(steps), "step": number})
        return False
    try:
        note_time(match=match, seq=_first_entry(steps[number - 1]), seconds=read_time(time) if time else None)
    except ScoringError as error:
        form.add_error("time", text_of(error))
        return False
    except ResultRefused as refused:
        form.add_error("time", str(refused))
        return False
    return True


def _first_entry(step: Step) -> int:
    """The entry of the sheet with which a step begins: its roll, where it has one."""
    return step.roll_seq or step.seq


def _lines(video: MatchVideo, steps: tuple[Step, ...]) -> list[dict[str, Any]]:
    """The noted times, each with its address and its step; without one where the entry was undone."""
    numbers = step_of_entries(steps)
    return [
        {"step": numbers.get(seq), "time": time_words(seconds), "address": link_at(video.address, seconds)}
        for seq, seconds in times_of(video).items()
    ]
