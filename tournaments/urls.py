from django.urls import URLPattern, path

from tournaments.views.now import now

app_name = "tournaments"
urlpatterns: list[URLPattern] = [
    path("", now, name="now"),
]
