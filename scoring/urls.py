from django.urls import URLPattern, path

from scoring.views.match import analyse, match, match_file
from scoring.views.upload import upload, upload_again, uploads

app_name = "scoring"
urlpatterns: list[URLPattern] = [
    path("matches/<ref:match>/", match, name="match"),
    path("matches/<ref:match>/<int:step>/", match, name="step"),
    path("matches/<ref:match>/analyse/", analyse, name="analyse"),
    path("matches/<ref:match>/match.mat", match_file, name="match_file"),
    path("clubs/<slug:club>/upload/", upload, name="upload"),
    path("uploads/<ref:batch>/", uploads, name="uploads"),
    path("uploads/<ref:upload>/again/", upload_again, name="upload_again"),
]
