"""Allowed HTTP methods: every view declares them, below its policy."""

from django.views.decorators.http import require_http_methods

# A page with a form: shown by GET, sent by POST. Its siblings are Django's require_safe and require_POST.
shows_a_form = require_http_methods(["GET", "HEAD", "POST"])
