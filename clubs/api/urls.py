"""Addresses of clubs under ``/api/v1/``; ``deploy.urls`` joins all apps' in the namespace ``api``."""

from django.urls import URLPattern, path, re_path

from clubs.api.docs import Docs, SchemaFile
from clubs.api.root import Nowhere, ProblemKind, Problems, Root
from clubs.api.tokens import Token, Tokens

urlpatterns: list[URLPattern] = [
    path("", Root.as_view(), name="root"),
    path("schema/", SchemaFile.as_view(), name="schema"),
    path("docs/", Docs.as_view(), name="docs"),
    path("problems/", Problems.as_view(), name="problems"),
    path("problems/<slug:code>/", ProblemKind.as_view(), name="problem"),
    path("tokens/", Tokens.as_view(), name="tokens"),
    path("tokens/<ref:token>/", Token.as_view(), name="token"),
]

# After the addresses of every app.
nowhere: list[URLPattern] = [re_path(r"^(?P<address>.*)$", Nowhere.as_view(), name="nowhere")]
