from django.urls import URLPattern, path

from clubs.views.appearance import set_appearance
from clubs.views.style import style

app_name = "clubs"
urlpatterns: list[URLPattern] = [
    path("appearance/", set_appearance, name="appearance"),
    path("style/", style, name="style"),
]
