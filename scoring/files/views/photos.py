"""Photos of a match's paper scoresheet: the page where they are added and removed, and the pictures."""

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST, require_safe

from clubs.access import SignedInRequest, decides, signed_in
from clubs.files import SeveralFilesField, SeveralFilesInput
from clubs.http.etags import unchanged
from clubs.http.methods import shows_a_form
from clubs.models import User
from clubs.pictures import ACCEPTED, PictureRefused
from scoring.files.queries.photos import kept_photos, may_remove_photo, photos_of, seen_photo
from scoring.files.services.photos import (
    LONG_SIDE,
    MOST_PHOTOS,
    TooManyPhotosRefused,
    add_photos,
    remove_photo,
)
from scoring.log.queries.writers import may_add_to
from scoring.models import Match, MatchPhoto
from scoring.sheets.views.visible_match import opened_match, visible_match
from scoring.signals import ResultRefused

VIEWERS = "viewers of the match's club"


class PhotoForm(forms.Form):
    """Uploaded pictures and PDFs; ``add_photos`` checks each."""

    photo = SeveralFilesField(
        label=gettext_lazy("Photo or scan"),
        max_length=200,
        error_messages={"required": gettext_lazy("Choose a photo.")},
        help_text=gettext_lazy("JPEG, PNG, WebP or PDF up to 16 MB, several at once."),
        widget=SeveralFilesInput({"accept": f"{ACCEPTED},application/pdf"}),
    )


@decides(VIEWERS)
@shows_a_form
def match_photos(request: HttpRequest, match: str) -> HttpResponse:
    """The photos of a match, in full; players of the match and directors add some."""
    opened = opened_match(request, match)
    found = opened.match
    may_add = may_add_to(request.user, found, opened.role)
    form = PhotoForm()
    if request.method == "POST":
        if not may_add or not isinstance(request.user, User):
            raise PermissionDenied(_("Only the players of this match and directors can add photos."))
        form = PhotoForm(request.POST, request.FILES)
        if form.is_valid():
            if count := _added(form, found, request.user):
                message = ngettext("Photo added.", "%(count)s photos added.", count) % {"count": count}
                messages.success(request, message)
            elif not form.errors:
                count = len(form.cleaned_data["photo"])
                message = ngettext(
                    "This match already has this photo.", "This match already has these photos.", count
                )
                messages.info(request, message)
            if not form.errors:
                return redirect("scoring:match_photos", match=found.ref)
    photos = list(photos_of(found))
    shown = [photo for photo in photos if photo.removed_at is None]
    context = {
        "match": found,
        "club": found.club,
        "form": form,
        "photos": [(photo, may_remove_photo(request.user, photo, opened.role)) for photo in shown],
        "removed": [photo for photo in photos if photo.removed_at is not None],
        "may_add": may_add and not found.sheet.is_away,
        "is_full": len(shown) >= MOST_PHOTOS,
        "most": MOST_PHOTOS,
        "long_side": LONG_SIDE,
    }
    return render(request, "scoring/files/photos.html", context)


def _added(form: PhotoForm, match: Match, user: User) -> int:
    """Add the photos of a valid form; how many are new, with the reasons against the others in the form."""
    before = set(kept_photos().filter(match=match).values_list("pk", flat=True))
    new: set[int] = set()
    for file in form.cleaned_data["photo"]:
        try:
            added = add_photos(match=match, user=user, name=file.name, content=file.read())
        except PictureRefused as refused:
            form.add_error("photo", str(refused))
        except (TooManyPhotosRefused, ResultRefused) as refused:
            form.add_error("photo", str(refused))
            break  # of the others, too
        else:
            new |= {photo.pk for photo in added} - before
    return len(new)


@signed_in
@require_POST
def delete_photo(request: SignedInRequest, photo: str) -> HttpResponse:
    """Remove a photo, if it was not removed before: for who added it, and directors."""
    try:
        found, role = seen_photo(request.user, photo)
    except MatchPhoto.DoesNotExist as error:
        raise _no_photo(photo) from error
    if not may_remove_photo(request.user, found, role):
        raise PermissionDenied(_("Only the person who added this photo and directors can remove it."))
    if found.removed_at is not None:
        messages.info(request, _("This photo was already removed."))
        return redirect("scoring:match_photos", match=found.match.ref)
    remove_photo(photo=found, user=request.user)
    messages.success(request, _("Photo removed."))
    return redirect("scoring:match_photos", match=found.match.ref)


@decides(VIEWERS)
@require_safe
def photo_jpg(request: HttpRequest, match: str, photo: str) -> HttpResponse:
    """The photo as a JPEG, 304 where the reader has it."""
    return _jpeg(request, match, photo, "content")


@decides(VIEWERS)
@require_safe
def thumbnail_jpg(request: HttpRequest, match: str, photo: str) -> HttpResponse:
    """The photo as a small JPEG, 304 where the reader has it."""
    return _jpeg(request, match, photo, "thumbnail")


def _jpeg(request: HttpRequest, match: str, ref: str, picture: str) -> HttpResponse:
    found, _role = visible_match(request, match)
    photo = kept_photos().filter(match=found, ref=ref).first()
    if photo is None:
        raise _no_photo(ref)
    etag = f'"{photo.sha256[:32]}"'
    headers = {"ETag": etag, "Cache-Control": "private, no-cache"}
    if unchanged(request, etag):
        return HttpResponseNotModified(headers=headers)
    content = MatchPhoto.objects.values_list(picture, flat=True).get(pk=photo.pk)
    if content is None:
        raise _no_photo(ref)
    headers["Content-Disposition"] = f'inline; filename="midpoint-{found.ref}-{ref}.jpg"'
    return HttpResponse(content, content_type="image/jpeg", headers=headers)


def _no_photo(ref: str) -> Http404:
    return Http404(_("There is no photo %(ref)s.") % {"ref": ref})
