"""Pages to upload match files and follow their import."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.access import ClubRequest, SignedInRequest, club_role, decides, signed_in
from clubs.http.methods import shows_a_form
from clubs.models import Club, Role
from clubs.tasks import wake
from clubs.work.services import requeue
from scoring.files.forms import UploadForm
from scoring.files.queries.uploads import batch_of, latest_batches
from scoring.files.services.imports import receive_files
from scoring.models import Upload


@club_role(Role.MEMBER)
@shows_a_form
def upload(request: ClubRequest, club: Club) -> HttpResponse:
    """Upload match files, each imported on its own.

    Lists the latest batches below the form.
    """
    form = UploadForm(request.POST, request.FILES) if request.method == "POST" else UploadForm()
    if form.is_bound and form.is_valid():
        files = [(file.name or "", file.read()) for file in form.cleaned_data["match_files"]]
        uploads = receive_files(club=club, user=request.user, files=files)
        for one in uploads:
            wake(one)
        return redirect("scoring:uploads", batch=uploads[0].batch)
    context = {"club": club, "form": form, "role": request.role}
    directs = request.role is not None and request.role >= Role.DIRECTOR
    context["batches"] = latest_batches(club, request.user, directs=directs)
    return render(request, "scoring/files/upload.html", context)


@decides("who uploaded the batch, and the club's directors")
@require_safe
def uploads(request: HttpRequest, batch: str) -> HttpResponse:
    """A batch of uploads, one line per file, live until all are processed."""
    found = batch_of(batch, request.user)
    if found is None:
        raise Http404(_("There is no upload %(ref)s.") % {"ref": batch})
    partial = request.headers.get("HX-Target") == "batch"
    template = "scoring/files/uploads.html#batch" if partial else "scoring/files/uploads.html"
    response = render(request, template, {"batch": found, "club": found.club})
    patch_vary_headers(response, ["HX-Target"])
    return response


@signed_in
@require_POST
def retry_upload(request: SignedInRequest, upload: str) -> HttpResponse:
    """Retry a failed import; unreadable files are not retried."""
    row = Upload.objects.select_related("club").filter(ref=upload).first()
    found = batch_of(row.batch, request.user) if row else None
    if row is None or found is None:
        raise Http404(_("There is no upload %(ref)s.") % {"ref": upload})
    if requeue(row):
        wake(row)
        messages.info(request, _("Retrying %(name)s.") % {"name": row.filename})
    return redirect("scoring:uploads", batch=row.batch)
