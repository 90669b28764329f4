"""Exceptions: ``...Refused`` is shown to users, ``...Error`` is a bug."""


class Refused(Exception):
    """An action is refused; the message says why and what to do, translated.

    ``code`` is the reason for programs, if any. Pages and the API answer 409 (``clubs.http.problems``);
    nothing is changed.
    """

    code = ""
